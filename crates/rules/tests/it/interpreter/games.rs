//! Whole games of the reference, move by move.

use super::*;

use game::{End, Outcome, Player};

const COINS: &str = "game coins(coins: [int]) {
    let n = len(coins);
    state { i in 0..=n = 0; j in 0..=n = n; }
    move left  when i < j { gain coins[i];     i += 1; }
    move right when i < j { gain coins[j - 1]; j -= 1; }
}";

#[test]
fn coins_gain_what_they_take() {
    let bound = game(COINS, r#"{"coins": [5, 3, 7, 10]}"#);
    assert_eq!(show::position_text(&bound, &bound.start), "i = 0, j = 4");
    let moves = moves_of(&bound, &bound.start).unwrap();
    assert_eq!(moves[0].0, "left");
    assert_eq!(moves[0].2, [5, 0]);
    assert_eq!(moves[1].2, [10, 0]);
    assert_eq!(show::position_text(&bound, &moves[1].1), "i = 0, j = 3");
    assert_eq!(moves[1].1.turn, Player::SECOND);
    let second = moves_of(&bound, &moves[1].1).unwrap();
    assert_eq!(second[0].2, [0, 5]);
    assert_eq!(Interpreter::new(&bound).stuck(&[2, 2], Player::FIRST), Ok(End::Gains(vec![0, 0])));
    assert_eq!(Interpreter::new(&bound).end(&[2, 2], Player::FIRST), Ok(None));
}

/// The value of the mover by brute force over the interpreter.
fn difference(bound: &Bound, position: &Position) -> i64 {
    let moves = moves_of(bound, position).unwrap();
    let me = position.turn.index();
    moves.iter().map(|(_, option, gains)| gains[me] - gains[1 - me] - difference(bound, option)).max().unwrap_or(0)
}

#[test]
fn coins_are_worth_what_the_examples_say() {
    for (coins, value) in [("[5, 3, 7, 10]", 5), ("[8, 15, 3, 7]", 11), ("[]", 0), ("[1, 5, 233, 7]", 222)] {
        let bound = game(COINS, &format!("{{\"coins\": {coins}}}"));
        assert_eq!(difference(&bound, &bound.start), value, "{coins}");
    }
}

const NIM: &str = r#"game nim(piles: [int]) {
    require all(p >= 0 for p in piles) : "a heap cannot be negative";
    sum of pile(n in 0..=max(piles, 0)) from piles;
    move take(k in 1..=n) { n -= k; }
    claim nimber = xor(piles);
    sample { piles in [0..=7; 0..=4]; }
}"#;

#[test]
fn nim_is_a_sum() {
    let bound = game(NIM, r#"{"piles": [2, 1]}"#);
    assert_eq!(
        options(&bound),
        [
            "take(1) in part 0 -> part 0: n = 1; part 1: n = 1",
            "take(2) in part 0 -> part 0: n = 0; part 1: n = 1",
            "take(1) in part 1 -> part 0: n = 2; part 1: n = 0",
        ]
    );
    assert_eq!(Interpreter::new(&bound).claim(0), Ok(Some(rules::interpreter::Claimed::Number(3))));
    assert_eq!(game(NIM, r#"{"piles": []}"#).start.parts.len(), 0);
    assert_eq!(try_game(NIM, r#"{"piles": [2, -1]}"#).unwrap_err(), "a heap cannot be negative\n  piles = [2, -1]");
}

#[test]
fn kayles_splits() {
    let bound = game(
        "game kayles(rows: [int]) {
            sum of row(n in 0..=max(rows, 0)) from rows;
            move knock(k in 1..=2, left in 0..=n - k) { split (left), (n - k - left); }
        }",
        r#"{"rows": [5, 2]}"#,
    );
    let all = options(&bound);
    assert_eq!(all[0], "knock(1, 0) in part 0 -> part 0: n = 0; part 1: n = 4; part 2: n = 2");
    assert_eq!(all[5], "knock(2, 0) in part 0 -> part 0: n = 0; part 1: n = 3; part 2: n = 2");
    assert_eq!(all.last().unwrap(), "knock(2, 0) in part 1 -> part 0: n = 5; part 1: n = 0; part 2: n = 0");
    assert_eq!(all.len(), 9 + 3);
}

#[test]
fn cat_and_mouse_has_owners_and_winners() {
    let bound = game(
        r#"game cat_and_mouse(graph: [[int]]) {
            let n = len(graph);
            require n >= 3 : "the graph needs a hole, a mouse and a cat";
            state { mouse in 0..n = 1; cat in 0..n = 2; }
            end when mouse == 0   => winner first;
            end when mouse == cat => winner second;
            move first  run(to in graph[mouse])              { mouse = to; }
            move second hunt(to in graph[cat]) when to != 0  { cat = to; }
        }"#,
        r#"{"graph": [[2, 5], [3, 5, 3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]}"#,
    );
    assert_eq!(labels(&bound), ["run(3)", "run(5)"]);
    let mut interpreter = Interpreter::new(&bound);
    assert_eq!(interpreter.end(&[0, 2], Player::FIRST), Ok(Some(End::Outcome(Outcome::Win))));
    assert_eq!(interpreter.end(&[0, 2], Player::SECOND), Ok(Some(End::Outcome(Outcome::Loss))));
    assert_eq!(interpreter.end(&[3, 3], Player::SECOND), Ok(Some(End::Outcome(Outcome::Win))));
    let after = Position { parts: vec![[3, 2].into()], turn: Player::SECOND };
    let hunts: Vec<String> = moves_of(&bound, &after).unwrap().into_iter().map(|m| m.0).collect();
    assert_eq!(hunts, ["hunt(4)", "hunt(5)"]);
}

const TIC_TAC_TOE: &str = r#"game tic_tac_toe(size: int = 3) {
    require size >= 1;
    state { board in [{empty, x, o}; size * size] = [empty; size * size]; }
    fn full_line(p: int) -> bool {
        any(all(board[r * size + c] == p for c in 0..size) for r in 0..size)
        or any(all(board[r * size + c] == p for r in 0..size) for c in 0..size)
        or all(board[d * size + d] == p for d in 0..size)
        or all(board[d * size + size - 1 - d] == p for d in 0..size)
    }
    end when full_line(1 + opponent) => lose;
    move place(at in 0..size * size) when board[at] == empty { board[at] = 1 + mover; }
    stuck => draw;
    symmetry board by [(i % size) * size + size - 1 - i / size for i in 0..size * size];
    show grid(board, size, size) { empty: ".", x: "X", o: "O" };
}"#;

#[test]
fn tic_tac_toe_is_drawn_and_played() {
    let bound = game(TIC_TAC_TOE, "{}");
    assert_eq!(bound.instance().to_string(), r#"{"size": 3}"#);
    assert_eq!(bound.layout.bits(), 18);
    assert_eq!(labels(&bound).len(), 9);
    let position = Position { parts: vec![[1, 0, 2, 0, 1, 0, 2, 0, 1].into()], turn: Player::SECOND };
    assert_eq!(show::draw(&bound, &position).unwrap(), "X . O\n. X .\nO . X");
    assert_eq!(show::position_text(&bound, &position), "board = [x, empty, o, empty, x, empty, o, empty, x]");
    let mut interpreter = Interpreter::new(&bound);
    assert_eq!(interpreter.end(&position.parts[0], Player::SECOND), Ok(Some(End::Outcome(Outcome::Loss))));
    assert_eq!(interpreter.end(&bound.start.parts[0], Player::FIRST), Ok(None));
    assert_eq!(interpreter.stuck(&position.parts[0], Player::FIRST), Ok(End::Outcome(Outcome::Draw)));
    let mut turned = [0; 9];
    bound.symmetries[0].apply(&bound.layout, &[1, 2, 0, 0, 0, 0, 0, 0, 0], &mut turned);
    assert_eq!(turned, [0, 0, 0, 2, 0, 0, 1, 0, 0]);
}

#[test]
fn a_move_that_leaves_a_domain_is_told_with_everything() {
    let bound = game("game g(n: int) { state { a in 0..=n = n; } move take(k in 1..=3) { a -= k; } }", r#"{"n": 2}"#);
    assert_eq!(
        fault(&bound),
        "the move `take(3)` leaves a domain: a = -1 is outside 0..=2\n  in the position a = 2, first to move\n  help: guard the move with `when`, or widen the domain"
    );
}
