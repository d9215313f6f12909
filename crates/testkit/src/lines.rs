//! Generators of rules files with boards of few values whose games end by lines (squares that are all of one mark, or not), or by what
//! has to be computed from all squares of a mark.

use crate::random::Random;

/// A random game on a small board: marks are placed, dropped, turned over or moved on, and lines of squares end the game. With `counted`, lines
/// are scored.
pub fn lines(random: &mut Random, counted: bool) -> String {
    file(random, counted, condition)
}

/// A random game on a small board whose ends are no lines: they ask how many squares have a mark, where they lie, and which of them a
/// flood reaches.
pub fn floods(random: &mut Random, counted: bool) -> String {
    file(random, counted, |random, n| {
        let mark = *random.pick(&["1 + opponent", "1 + mover", "x", "o"]);
        let (i, k) = (random.below(n), 1 + random.below(n));
        match random.below(4) {
            0 => format!("count(b[i] == {mark} for i in 0..n) == {k}"),
            1 => format!("sum(i * i for i in 0..n when b[i] == {mark}) % 5 == {}", 1 + random.below(4)),
            _ => format!("reaches({mark}, {i})"),
        }
    })
}

/// A random game in which every move puts a mark of the mover on an empty square, and lines of marks end the game: squares may be free to be taken,
/// fill up column by column from either side, or wait for a neighbour.
pub fn placings(random: &mut Random) -> String {
    let (rows, columns) = *random.pick(&[(2, 2), (2, 3), (3, 2), (1, 6), (2, 4), (3, 3), (4, 2)]);
    let n = rows * columns;
    let list: Vec<String> = (0..2 + random.below(6)).map(|_| squares(random, n)).collect();
    let result = *random.pick(&["lose", "lose", "lose", "win", "draw"]);
    let line = |mark: &str| format!("any(all(b[at] == {mark} for at in line) for line in lines)");
    let ends = match random.below(3) {
        0 => format!("    end when {} => winner first;\n    end when {} => winner second;\n", line("x"), line("o")),
        _ => format!("    end when {} => {result};\n", line("1 + opponent")),
    };
    let free = "    move place(at in 0..n) when b[at] == empty { b[at] = 1 + mover; }\n".to_string();
    let from = *random.pick(&["t", "rows - 1 - t"]);
    let drop = format!(
        "    move drop(c in 0..columns) when any(b[t * columns + c] == empty for t in 0..rows) {{\n        \
         for t in 0..rows {{\n            let at = ({from}) * columns + c;\n            \
         if b[at] == empty {{ b[at] = 1 + mover; break; }}\n        }}\n    }}\n"
    );
    let beside = format!(
        "    move beside(at in 0..n) when b[at] == empty and (at == {} or b[max(at - 1, 0)] != empty) {{ b[at] = 1 + mover; }}\n",
        random.below(n)
    );
    let root = random.below(n);
    let after = format!(
        "    move after(at in 0..n) when b[at] == empty and (at == {root} or b[{root}] != empty) {{ b[at] = 1 + mover; }}\n"
    );
    let mv = match random.below(6) {
        0 | 1 => free,
        2 | 3 => drop,
        4 => beside,
        _ => after,
    };
    let stuck = *random.pick(&["draw", "draw", "win", "lose"]);
    // Some begin with marks on the board, which may hang in the air.
    let is_empty = random.below(3) > 0;
    let start: Vec<&str> =
        (0..n).map(|_| if is_empty || random.below(4) > 0 { "empty" } else { *random.pick(&["x", "o"]) }).collect();
    format!(
        "game placings() {{\n    let n = {n};\n    let columns = {columns};\n    let rows = {rows};\n    let lines = [{}];\n    \
         state {{ b in [{{empty, x, o}}; n] = [{}]; }}\n{ends}{mv}    stuck => {stuck};\n}}\n",
        list.join(", "),
        start.join(", ")
    )
}

fn file(random: &mut Random, counted: bool, condition: fn(&mut Random, usize) -> String) -> String {
    let (rows, columns) = *random.pick(&[(2, 2), (2, 3), (3, 2), (1, 5), (2, 4)]);
    let n = rows * columns;
    let list: Vec<String> = (0..1 + random.below(5)).map(|_| squares(random, n)).collect();
    let start: Vec<String> =
        (0..n).map(|_| if random.one_in(8) { random.below(3u8).to_string() } else { "0".to_string() }).collect();
    let mut ends = String::new();
    for _ in 0..1 + random.below(3) {
        let result = match counted {
            true => format!("score {}", random.between(-3, 3)),
            false => random.pick(&["lose", "lose", "win", "draw"]).to_string(),
        };
        ends.push_str(&format!("    end when {} => {result};\n", condition(random, n)));
    }
    if !counted && random.one_in(2) {
        ends.push_str(&format!("    stuck => {};\n", random.pick(&["draw", "win", "lose"])));
    }
    let mut moves = String::new();
    for number in 0..1 + random.below(2) {
        moves.push_str(&mv(random, number, n, columns, counted));
    }
    // Squares that were used once, as a set.
    let (variable, once) = match random.one_in(3) {
        true => (
            " used in set of 0..n = {};",
            "    move once(at in 0..n) when not (at in used) and b[at] == empty { used += at; }\n",
        ),
        false => ("", ""),
    };
    format!(
        "game lines() {{\n    let n = {n};\n    let columns = {columns};\n    let rows = {rows};\n    let lines = [{}];\n    \
         state {{ b in [{{empty, x, o}}; n] = [{}];{variable} }}\n{FLOOD}{ends}{moves}{once}}}\n",
        list.join(", "),
        start.join(", ")
    )
}

/// Whether squares of a mark join the first square to another.
const FLOOD: &str = "    fn reaches(mark: int, to: int) -> bool {
        var reached = {i for i in 0..1 when b[i] == mark};
        for round in 0..n {
            for i in 0..n {
                if b[i] == mark and any(abs(i / columns - j / columns) + abs(i % columns - j % columns) == 1 for j in reached) {
                    reached += i;
                }
            }
        }
        to in reached
    }
";

/// A few different squares as a list.
fn squares(random: &mut Random, n: usize) -> String {
    let mut all = random.permutation(n);
    all.truncate(1 + random.below(3usize));
    format!("{all:?}")
}

/// What ends the game.
fn condition(random: &mut Random, n: usize) -> String {
    let line = |mark: &str| format!("any(all(b[at] {mark} for at in line) for line in lines)");
    let (i, j) = (random.below(n), random.below(n));
    match random.below(10) {
        0..=3 => line("== 1 + opponent"),
        4 => line("== 1 + mover"),
        5 => line("!= empty"),
        6 => line("== x"),
        7 => format!("b[{i}] == o and b[{j}] != x"),
        8 => format!("mover == first and b[{i}] != empty and {}", line("== o")),
        _ => "not any(b[i] == empty for i in 0..n)".to_string(),
    }
}

/// A move, and what it does besides.
fn mv(random: &mut Random, number: usize, n: usize, columns: usize, counted: bool) -> String {
    let k = random.below(n);
    let mut also = match random.below(6) {
        0 => format!(" if b[{k}] == x {{ again; }}"),
        1 => format!(" if b[{k}] == 1 + opponent and at != {k} {{ b[{k}] = 1 + mover; }}"),
        2 => " if at > 0 and b[at - 1] == 1 + opponent { b[at - 1] = 1 + mover; }".to_string(),
        _ => String::new(),
    };
    if counted {
        let more: &&str = random.pick(&[
            " gain 1;",
            " let full = count(at in line and all(b[s] != empty for s in line) for line in lines); gain full; if full > 0 { again; }",
            " if b[0] == x { gain 2 for opponent; }",
            "",
        ]);
        also.push_str(more);
    }
    match random.below(4) {
        0 => format!(
            "    move drop{number}(column in 0..columns) when b[column] == empty {{\n        for height in 0..rows {{\n            \
             let at = (rows - 1 - height) * columns + column;\n            if b[at] == empty {{ b[at] = 1 + mover;{also} break; }}\n        }}\n    }}\n"
        ),
        1 => format!(
            "    move on{number}(at in 0..n - {columns}) when b[at] == 1 + mover and b[at + {columns}] == empty \
             {{ b[at] = empty; b[at + {columns}] = 1 + mover;{also} }}\n"
        ),
        _ => format!("    move place{number}(at in 0..n) when b[at] == empty {{ b[at] = 1 + mover;{also} }}\n"),
    }
}
