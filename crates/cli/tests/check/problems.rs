//! Problems that are not in the gallery: their rules are beside these tests. Each has a right solution and wrong ones, as functions, so
//! that the tests can look for the smallest instance on which they differ themselves.

use std::io::Read as _;

/// A solution: it gets the numbers of an instance as they are read, and gives what is printed.
pub type Solution = fn(&[i64]) -> String;

/// A problem with its solutions.
pub struct Problem {
    /// The rules.
    pub rules: &'static str,
    /// Every instance of the sample as it is read.
    pub instances: fn() -> Vec<Vec<i64>>,
    /// What is right.
    pub right: Solution,
    /// Wrong solutions by name.
    pub wrong: &'static [(&'static str, Solution)],
}

/// All of them.
pub const PROBLEMS: &[(&str, Problem)] = &[
    (
        "multiply",
        Problem {
            rules: "tests/files/multiply.game",
            instances: || (2..=200).map(|n| vec![n]).collect(),
            right: |read| stan(multiply(1, read[0], 9, false)),
            wrong: &[
                ("up_to_eight", |read| stan(multiply(1, read[0], 8, false))),
                ("past_instead_of_at", |read| stan(multiply(1, read[0], 9, true))),
                ("greedy", |read| stan((0..).scan(1, |p, _| (*p < read[0]).then(|| *p *= 9)).count() % 2 == 1)),
            ],
        },
    ),
    (
        "king",
        Problem {
            rules: "tests/files/king.game",
            instances: || (0..=9).flat_map(|r| (0..=9).map(move |c| vec![r, c])).collect(),
            right: |read| yes(read[0] % 2 == 1 || read[1] % 2 == 1),
            wrong: &[
                ("both_odd", |read| yes(read[0] % 2 == 1 && read[1] % 2 == 1)),
                ("no_diagonal", |read| yes((read[0] + read[1]) % 2 == 1)),
                ("late", |read| yes((read[0] % 2 == 1 || read[1] % 2 == 1) != (read[0] >= 4 && read[1] >= 3))),
            ],
        },
    ),
    (
        "ends",
        Problem {
            rules: "tests/files/ends.game",
            instances: || (0..=4).flat_map(|length| lists(length, -2, 3)).map(|row| with_length(&row)).collect(),
            right: |read| ends(&read[1..], Mistake::None).to_string(),
            wrong: &[
                ("never_two", |read| ends(&read[1..], Mistake::NeverTwo).to_string()),
                ("greedy", |read| ends(&read[1..], Mistake::Greedy).to_string()),
                ("never_below_zero", |read| ends(&read[1..], Mistake::None).max(0).to_string()),
            ],
        },
    ),
    (
        "chase",
        Problem {
            rules: "tests/files/chase.game",
            instances: graphs,
            right: |read| chase(read, false),
            wrong: &[
                ("draws_are_lost", |read| chase(read, false).replace("Draw", "Second")),
                ("no_way_back", |read| chase(read, true)),
            ],
        },
    ),
];

/// Solves one instance from standard input: `problem.solution`.
pub fn run(name: &str) -> bool {
    let Some((problem, solution)) = name.split_once('.') else { return false };
    let Some((_, problem)) = PROBLEMS.iter().find(|(known, _)| *known == problem) else { return false };
    let wrong = problem.wrong.iter().find(|(known, _)| *known == solution);
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let numbers: Vec<i64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    println!("{}", wrong.map_or(problem.right, |(_, solve)| *solve)(&numbers));
    true
}

fn stan(wins: bool) -> String {
    if wins { "Stan".to_string() } else { "Ollie".to_string() }
}

fn yes(wins: bool) -> String {
    if wins { "YES".to_string() } else { "NO".to_string() }
}

fn multiply(p: i64, n: i64, most: i64, past: bool) -> bool {
    let over = if past { p > n } else { p >= n };
    !over && (2..=most).any(|k| !multiply(p * k, n, most, past))
}

#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    NeverTwo,
    Greedy,
}

/// The lead of the player to move.
fn ends(row: &[i64], mistake: Mistake) -> i64 {
    let n = row.len();
    if n == 0 {
        return 0;
    }
    let mut moves = vec![(row[0], &row[1..]), (row[n - 1], &row[..n - 1])];
    if n >= 2 && mistake != Mistake::NeverTwo {
        moves.push((row[0] + row[1], &row[2..]));
    }
    let lead = |(gain, rest): &(i64, &[i64])| gain - ends(rest, mistake);
    match mistake {
        Mistake::Greedy => moves.iter().max_by_key(|(gain, _)| *gain).map(lead).unwrap(),
        _ => moves.iter().map(lead).max().unwrap(),
    }
}

/// A token on a graph: `n s`, then each row with its length before it.
fn chase(read: &[i64], no_way_back: bool) -> String {
    let (n, start) = (read[0] as usize, read[1] as usize);
    let mut rest = &read[2..];
    let mut next: Vec<Vec<usize>> = Vec::new();
    for _ in 0..n {
        let length = rest[0] as usize;
        next.push(rest[1..=length].iter().map(|to| *to as usize).collect());
        rest = &rest[length + 1..];
    }
    if no_way_back {
        return walked(&next, start, &mut Vec::new()).to_string();
    }
    let mut words = vec!["Draw"; n];
    for _ in 0..n {
        for at in 0..n {
            if next[at].iter().any(|to| words[*to] == "Second") {
                words[at] = "First";
            } else if next[at].iter().all(|to| words[*to] == "First") {
                words[at] = "Second";
            }
        }
    }
    words[start].to_string()
}

/// Wrong: a node that was met before is taken for a loss of whoever comes back to it.
fn walked(next: &[Vec<usize>], at: usize, path: &mut Vec<usize>) -> &'static str {
    if path.contains(&at) {
        return "First";
    }
    path.push(at);
    let wins = next[at].iter().any(|to| walked(next, *to, path) == "Second");
    path.pop();
    if wins { "First" } else { "Second" }
}

/// All lists of a length.
fn lists(length: usize, low: i64, high: i64) -> Vec<Vec<i64>> {
    (0..length).fold(vec![Vec::new()], |all, _| {
        all.iter().flat_map(|list| (low..=high).map(|item| [&list[..], &[item]].concat())).collect()
    })
}

fn with_length(row: &[i64]) -> Vec<i64> {
    [&[row.len() as i64], row].concat()
}

fn graphs() -> Vec<Vec<i64>> {
    let rows: Vec<Vec<i64>> = (0..=2).flat_map(|length| lists(length, 0, 2)).map(|row| with_length(&row)).collect();
    let mut all = Vec::new();
    for s in 0..3 {
        for a in &rows {
            for b in &rows {
                all.extend(rows.iter().map(|c| [&[3, s], &a[..], b, c].concat()));
            }
        }
    }
    all
}
