//! Rules that compiled code leaves to the interpreter at some positions, although nothing is wrong with them.
//!
//! Each has so many conditions that the rules are compiled as they stand, and a sum that leaves 64 bits on its way, or a set
//! of numbers far apart, where marks stand side by side. There is one file for every kind of game that is solved in its own
//! way.

/// A condition of so many formulas that they are not compiled. It holds, which no range of numbers tells: 101 is no square.
const LONG: &str = "long(at) * long(at) != 101";

/// A condition that holds, and that code is in doubt of where the next place is marked: the sum leaves 64 bits on its way.
const DOUBT: &str = "sum([one(at + 1) * huge, huge, board[(at + 2) % n] - huge, 0 - one(at + 1) * huge]) >= 0";

/// The functions that conditions call.
const FUNCTIONS: &str = "fn one(at: int) -> int { min(board[at % n], 1) }
    fn long(at: int) -> int {
        var r = at;
        for a in 0..n {
            for b in 0..n {
                for c in 0..n { for d in 0..n { r = (r * 3 + board[a] * board[b] + board[c] * d) % 101; } }
            }
        }
        r
    }
    fn far(at: int) -> bool { var all = {at}; if board[(at + 1) % n] > 0 { all += 100000 + at; } len(all) <= 2 }";

fn file(players: usize, marks: usize, rules: &str) -> String {
    let rules = rules.replace("LONG", LONG).replace("DOUBT", DOUBT);
    format!(
        "game doubts(n: int = 5, huge: int = 6000000000000000000) {{
    players {players};
    state {{ board in [0..={marks}; n] = [0; n]; }}
    {FUNCTIONS}
    {rules}
}}
"
    )
}

/// The files.
pub fn files() -> Vec<String> {
    vec![
        // The last mover wins, and both have the same moves.
        file(2, 1, "move place(at in 0..n) when board[at] == 0 and LONG and DOUBT { board[at] = 1; }"),
        // Won and lost by a rule that looks at the mover.
        file(
            2,
            2,
            "end when count(1 for i in 0..n when board[i] == 1 + opponent and board[(i + 1) % n] == 1 + opponent) > 0 => lose;
    stuck => draw;
    move place(at in 0..n) when board[at] == 0 and LONG and DOUBT { board[at] = 1 + mover; }",
        ),
        // Counted: two players, and three.
        file(2, 2, "move place(at in 0..n) when board[at] == 0 and LONG and DOUBT { gain at; board[at] = 1 + mover; }"),
        file(3, 3, "move place(at in 0..n) when board[at] == 0 and LONG and DOUBT { gain at; board[at] = 1 + mover; }"),
        // Three players of whom one wins.
        file(
            3,
            3,
            "stuck => winner board[0] - 1;
    move place(at in 0..n) when board[at] == 0 and LONG and DOUBT { board[at] = 1 + mover; }",
        ),
        // Each player has moves of their own.
        file(
            2,
            2,
            "move first up(at in 0..n) when board[at] == 0 and LONG and DOUBT { board[at] = 1; }
    move second down(at in 0..n) when board[at] == 0 and board[(at + 1) % n] != 1 and LONG and DOUBT { board[at] = 2; }",
        ),
        // Positions repeat.
        file(
            2,
            1,
            "end when sum(board) == n => lose;
    move place(at in 0..n) when board[at] == 0 and LONG and DOUBT { board[at] = 1; }
    move lift(at in 0..n) when board[at] == 1 and board[(at + 2) % n] == 1 and DOUBT { board[at] = 0; }",
        ),
        // A set whose elements are far apart.
        file(2, 2, "move place(at in 0..n) when board[at] == 0 and LONG and far(at) { gain at * at; board[at] = 1 + mover; }"),
    ]
}
