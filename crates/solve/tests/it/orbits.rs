//! Boards with symmetries that nobody declares, and with some that are nearly there: one position for each orbit, against the
//! interpreter at every position.

use engine::monitor::{Limits, Monitor};
use game::Player;
use rules::bind::Bound;
use solve::methods;
use solve::options::{Engine, Options};
use solve::solved::{self, Solved};
use testkit::Random;

use crate::common::{bound, program};

/// Boards as lists of neighbours.
const BOARDS: [&str; 5] = [
    "[[1, 2], [0, 3], [0, 3], [1, 2]]",
    "[[1, 3], [0, 2, 4], [1, 5], [0, 4], [3, 1, 5], [4, 2]]",
    "[[1, 5], [0, 2], [1, 3], [2, 4], [3, 5], [4, 0]]",
    "[[1, 2, 3, 4], [0, 2, 4], [0, 1, 3], [0, 2, 4], [0, 3, 1]]",
    "[[1], [0, 2], [1, 3], [2, 4], [3]]",
];

/// A random game on a small board. Rules are alike for both players and all squares but for a few that are spoiled.
fn board_game(random: &mut Random) -> String {
    let near = *random.pick(&BOARDS);
    let n = near.matches('[').count() - 1;
    let mut text = format!("game g() {{ let near = {near};\n");
    let start: Vec<i64> = (0..n).map(|_| random.between(0, 2)).collect();
    let extra = if random.one_in(3) { "spent in 0..=2 = 0; " } else { "" };
    text += &format!("state {{ board in [{{empty, cross, nought}}; {n}] = {start:?}; {extra}}}\n");
    let own = random.between(1, 3);
    let ends = [
        format!("end when count(x == opponent + 1 for x in board) > {own} and board[0] == board[{}] => lose;", n - 1),
        "end when all(x != mover + 1 for x in board) => lose;".to_string(),
        "end when any(board[s] == mover + 1 and all(board[t] == opponent + 1 for t in near[s]) for s in 0..len(near)) => lose;"
            .to_string(),
        "end when any(all(board[t] == mover + 1 for t in near[s]) for s in 0..len(near)) => win;".to_string(),
        "end when all(x != empty for x in board) => draw;".to_string(),
        "end when board[1] == cross and board[0] == nought => winner first;".to_string(),
    ];
    for end in ends {
        if random.one_in(3) {
            text += &format!("{end}\n");
        }
    }
    let again = ["", " again;", " if board[to] == empty { again; }"];
    let spoil = ["", "", "", " and from != 1", " and (mover == first or to != 0)"];
    let moves = [
        "move slide(from in 0..len(near), to in near[from]) when board[from] == mover + 1 and board[to] == empty {S} \
         { board[to] = mover + 1; board[from] = empty;{A} }",
        "move take(from in 0..len(near), to in near[from]) when board[from] == mover + 1 and board[to] == opponent + 1 {S} \
         { board[to] = mover + 1; board[from] = empty; }",
        "move turn_over(from in 0..len(near), to in near[from]) when board[from] == mover + 1 and board[to] == opponent + 1 {S} \
         { board[to] = empty;{A} }",
        "move swap(from in 0..len(near), to in near[from]) when board[from] == empty and board[to] != empty {S} \
         { let held = board[to]; board[to] = board[from]; board[from] = held; }",
    ];
    let mut some = false;
    for (place, mv) in moves.iter().enumerate() {
        if random.one_in(2) || (place + 1 == moves.len() && !some) {
            let (mut guard, after) = (random.pick(&spoil).to_string(), *random.pick(&again));
            if !extra.is_empty() && random.one_in(2) {
                guard += " and spent < 2";
            }
            text += &mv.replace("{S}", &guard).replace("{A}", after);
            text += "\n";
            some = true;
        }
    }
    if random.one_in(3) {
        let (guard, change) = if extra.is_empty() { ("", "") } else { ("when spent < 2 ", "spent += 1; ") };
        text += &format!("move place(to in 0..len(near)) {guard}{{ board[to] = mover + 1; {change}}}\n");
    }
    text += *random.pick(&["", "stuck => draw;\n", "stuck => win;\n", "move pass {}\n"]);
    text += *random.pick(&["", "", "", "forever => winner first;\n", "forever => winner second;\n"]);
    text + "}"
}

fn solve<'b>(bound: &'b Bound, engine: Engine, threads: usize, memory: u64) -> Option<Solved<'b>> {
    let options = Options { method: methods::find("retrograde"), engine, threads, ..Options::default() };
    let mut monitor = Monitor::new(&Limits { memory, time: None });
    solved::solve(bound, &bound.start, &options, &mut monitor).ok()
}

#[test]
fn random_boards_agree_with_the_interpreter() {
    let mut random = Random::new(16);
    let (mut folded, mut unfolded) = (0, 0);
    for round in 0..250 {
        let text = board_game(&mut random);
        let bound = bound(&program(&text), "{}");
        let plain =
            solve(&bound, Engine::Interpreted, 1, 1 << 30).unwrap_or_else(|| panic!("not interpreted:\n{text}"));
        for threads in if round % 5 == 0 { vec![1, 3] } else { vec![1 + round % 2] } {
            let Some(fast) = solve(&bound, Engine::Compiled, threads, 1 << 30) else { panic!("not compiled:\n{text}") };
            for position in plain.answers.each(Player::FIRST) {
                let shown = format!("{threads} threads, at {position:?} of\n{text}");
                assert_eq!(fast.verdict(&position), plain.verdict(&position), "{shown}");
            }
            match fast.positions() < plain.positions() {
                true => folded += 1,
                false => unfolded += 1,
            }
        }
    }
    assert!(folded > 60 && unfolded > 60, "{folded} folded, {unfolded} not");
}
