//! What a file declares of its positions is checked, not believed: measures, symmetries, regions and estimates, right and
//! wrong ones, told apart by brute force over all positions.
//!
//! The games are boards of cells, a bit each; a move fills a line of empty cells, and may need a further cell empty. Whether
//! a permutation is a symmetry, or regions are independent, is decided here on bit masks, without the rules.

use std::collections::BTreeSet;

use crate::common::prelude::*;
use solve::options::Question;
use testkit::Random;

use crate::common::check::{Agreed, check};
use crate::common::{answer_with, bound, fault_of, program, solved, with_room};

/// A line that can be filled: its cells, a further cell that must be empty, whose move it is, and what it earns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    cells: Vec<usize>,
    needs: Option<usize>,
    owner: Option<usize>,
    gain: i64,
}

impl Line {
    fn mask(&self) -> u32 {
        self.cells.iter().map(|cell| 1 << cell).sum()
    }

    fn is_free(&self, board: u32, mover: usize) -> bool {
        let needed = self.needs.map_or(0, |cell| 1 << cell);
        board & (self.mask() | needed) == 0 && self.owner.is_none_or(|owner| owner == mover)
    }
}

/// A board of `cells` cells with lines.
#[derive(Clone, Debug)]
struct Board {
    cells: usize,
    lines: Vec<Line>,
    counted: bool,
}

impl Board {
    fn random(random: &mut Random, cells: usize, most: usize, counted: bool) -> Board {
        let mut lines = Vec::new();
        for _ in 0..1 + random.below(most) {
            let length = 1 + random.below(2);
            let order = random.permutation(cells);
            lines.push(Line {
                cells: order[..length].to_vec(),
                needs: random.one_in(4).then(|| order[length]),
                owner: random.one_in(3).then(|| random.below(2)),
                gain: random.between(1, 2),
            });
        }
        Board { cells, lines, counted }
    }

    /// The rules file, with the lines written into it.
    fn text(&self, items: &str) -> String {
        let list =
            |row: &dyn Fn(&Line) -> String| format!("[{}]", self.lines.iter().map(row).collect::<Vec<_>>().join(", "));
        let lines = list(&|line| format!("{:?}", line.cells));
        let needs = list(&|line| line.needs.map_or("-1".to_string(), |cell| cell.to_string()));
        let gains = list(&|line| line.gain.to_string());
        let owners = list(&|line| line.owner.map_or("-1".to_string(), |owner| owner.to_string()));
        let owned = self.lines.iter().any(|line| line.owner.is_some());
        let owner = if owned { "and (owners[k] < 0 or owners[k] == mover)" } else { "" };
        let gain = if self.counted { "gain gains[k];" } else { "" };
        let n = self.cells;
        format!(
            "game board() {{
    let lines = {lines};
    let needs = {needs};
    let gains = {gains};
    let owners = {owners};
    state {{ board in [0..=1; {n}] = [0; {n}]; }}
    move fill(k in 0..len(lines))
        when all(board[c] == 0 for c in lines[k]) and (needs[k] < 0 or board[max(needs[k], 0)] == 0) {owner} {{
        {gain}
        for c in lines[k] {{ board[c] = 1; }}
    }}
    {items}
}}
"
        )
    }

    /// All boards that can be reached, with the player to move.
    fn reachable(&self) -> BTreeSet<(u32, usize)> {
        let mut found = BTreeSet::from([(0, 0)]);
        let mut open = vec![(0, 0)];
        while let Some((board, mover)) = open.pop() {
            for line in self.lines.iter().filter(|line| line.is_free(board, mover)) {
                let next = (board | line.mask(), 1 - mover);
                if found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    }

    /// What a player can do: the boards after it and the gains.
    fn options(&self, board: u32, mover: usize) -> BTreeSet<(u32, i64)> {
        let free = self.lines.iter().filter(|line| line.is_free(board, mover));
        free.map(|line| (board | line.mask(), if self.counted { line.gain } else { 0 })).collect()
    }

    /// Whether `new[i] = old[order[i]]` takes every position that can be reached to one with the same moves.
    fn is_symmetry(&self, order: &[usize]) -> bool {
        let image = |board: u32| -> u32 { (0..self.cells).map(|new| (board >> order[new] & 1) << new).sum() };
        // Where the rules read no player, positions do not record whose turn it is; it makes no difference to moves.
        self.reachable().into_iter().all(|(board, mover)| {
            let here: BTreeSet<(u32, i64)> =
                self.options(board, mover).into_iter().map(|(after, gain)| (image(after), gain)).collect();
            here == self.options(image(board), mover)
        })
    }

    /// The lines as the permutation maps them: closing under it makes a symmetry of it.
    fn close_under(&mut self, order: &[usize]) {
        let mut inverse = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| inverse[old] = new);
        let mut next = 0;
        while next < self.lines.len() {
            let mut mapped = self.lines[next].clone();
            mapped.cells.iter_mut().for_each(|cell| *cell = inverse[*cell]);
            mapped.cells.sort_unstable();
            mapped.needs = mapped.needs.map(|cell| inverse[cell]);
            let known = |line: &Line| {
                let mut line = line.clone();
                line.cells.sort_unstable();
                line == mapped
            };
            if !self.lines.iter().any(known) {
                self.lines.push(mapped);
            }
            next += 1;
        }
    }

    /// The regions of empty cells of a board with so many columns, each cell's number, 0 for full ones.
    fn regions(&self, board: u32, columns: usize) -> Vec<usize> {
        let mut labels: Vec<usize> =
            (0..self.cells).map(|cell| if board >> cell & 1 == 0 { cell + 1 } else { 0 }).collect();
        loop {
            let before = labels.clone();
            for a in 0..self.cells {
                for b in 0..self.cells {
                    let (same_row, same_column) = (a / columns == b / columns, a % columns == b % columns);
                    let touch = (same_row && a.abs_diff(b) == 1) || (same_column && a.abs_diff(b) == columns);
                    if touch && labels[a] > 0 && labels[b] > 0 {
                        labels[a] = labels[a].min(labels[b]);
                    }
                }
            }
            if labels == before {
                return labels;
            }
        }
    }

    /// Whether every move stays in one region and leaves the moves of both players elsewhere as they were.
    fn regions_are_independent(&self, columns: usize) -> bool {
        let moves = |board: u32, mover: usize| self.lines.iter().filter(move |line| line.is_free(board, mover));
        self.reachable().into_iter().all(|(board, mover)| {
            let labels = self.regions(board, columns);
            let region = |line: &Line| labels[line.cells[0]];
            let stays = |line: &Line| line.cells.iter().all(|&cell| labels[cell] == region(line));
            if !moves(board, mover).all(stays) {
                return false;
            }
            if !moves(board, 1 - mover).all(stays) {
                return true; // The other player never moves here.
            }
            [mover, 1 - mover].into_iter().all(|player| {
                moves(board, player).all(|line| {
                    let after = board | line.mask();
                    [mover, 1 - mover].into_iter().all(|other| {
                        let elsewhere = |board: u32| -> BTreeSet<u32> {
                            let others = moves(board, other).filter(|mv| region(mv) != region(line));
                            others.map(Line::mask).collect()
                        };
                        elsewhere(board) == elsewhere(after)
                    })
                })
            })
        })
    }
}

/// Everything is asked for: on a busy machine the default may be a search, which does not tell the length.
fn outcome(bound: &Bound) -> Result<Solution, String> {
    let options = Options { question: Question::Strong, ..Options::default() };
    answer_with(bound, &options).map_err(|error| match error {
        SolveError::Fault(fault) => fault.diagnostic.title.clone(),
        error => panic!("{error}"),
    })
}

/// Solves with a declaration that is right or wrong, and compares with the same game without it.
fn declared(board: &Board, items: &str, right: bool, complaint: &str) {
    let text = board.text(items);
    match outcome(&bound(&program(&text), "{}")) {
        Ok(solution) => {
            assert!(right, "believed\n{text}");
            let plain = outcome(&bound(&program(&board.text("")), "{}")).unwrap();
            let told = |s: &Solution| (s.winner, s.value, s.nimber, s.remoteness, s.best_moves.clone(), s.line.clone());
            assert_eq!(told(&solution), told(&plain), "{text}");
        }
        Err(title) => assert!(!right && title.contains(complaint), "{title}\n{text}"),
    }
}

#[test]
fn symmetries_are_checked() {
    let mut random = Random::new(51);
    let (mut right, mut wrong) = (0, 0);
    for round in 0..700 {
        let cells = 3 + random.below(3);
        let mut board = Board::random(&mut random, cells, 5, round % 3 == 0);
        let order = if random.one_in(8) { (0..cells).collect() } else { random.permutation(cells) };
        if random.one_in(2) {
            board.close_under(&order);
        }
        let holds = board.is_symmetry(&order);
        *(if holds { &mut right } else { &mut wrong }) += 1;
        declared(&board, &format!("symmetry board by {order:?};"), holds, "not a symmetry");
    }
    assert!(right > 200 && wrong > 200, "{right} right, {wrong} wrong");
}

#[test]
fn several_symmetries_are_each_checked() {
    let mut random = Random::new(52);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..200 {
        let mut board = Board::random(&mut random, 5, 3, false);
        let (one, two) = (random.permutation(5), random.permutation(5));
        board.close_under(&one);
        for _ in 0..random.below(3) {
            board.close_under(&two);
            board.close_under(&one);
        }
        let holds = board.is_symmetry(&one) && board.is_symmetry(&two);
        *(if holds { &mut right } else { &mut wrong }) += 1;
        declared(&board, &format!("symmetry board by {one:?}; symmetry board by {two:?};"), holds, "not a symmetry");
    }
    assert!(right > 30 && wrong > 30, "{right} right, {wrong} wrong");
}

#[test]
fn regions_are_checked() {
    let mut random = Random::new(53);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..700 {
        let (rows, columns) = *random.pick(&[(1, 4), (2, 2), (2, 3), (1, 6), (3, 2)]);
        let cells = rows * columns;
        let mut board = Board::random(&mut random, cells, 9, false);
        if random.one_in(2) {
            // Lines of neighbours stay together.
            for line in &mut board.lines {
                if line.cells.len() == 2 {
                    let cell = random.below(cells);
                    let beside = if cell % columns + 1 < columns { cell + 1 } else { cell };
                    let below = if cell + columns < cells { cell + columns } else { cell };
                    let other = if random.one_in(2) { beside } else { below };
                    line.cells = if other == cell { vec![cell] } else { vec![cell, other] };
                }
                if !random.one_in(4) {
                    line.needs = None;
                }
            }
        }
        let holds = board.regions_are_independent(columns);
        *(if holds { &mut right } else { &mut wrong }) += 1;
        declared(&board, &format!("regions board as {rows} by {columns} where cell == 0;"), holds, "not independent");
    }
    assert!(right > 150 && wrong > 100, "{right} right, {wrong} wrong");
}

#[test]
fn measures_are_checked() {
    with_room(|| {
        let mut random = Random::new(54);
        let (mut right, mut wrong) = (0, 0);
        for _ in 0..700 {
            let mut rules = String::new();
            for number in 0..1 + random.below(3) {
                let step: Vec<i64> = (0..3).map(|_| random.between(-2, 1)).collect();
                let guard: Vec<String> =
                    ["x", "y", "z"].iter().zip(&step).map(|(v, s)| format!("{v} + {s} in 0..4")).collect();
                let change: Vec<String> =
                    ["x", "y", "z"].iter().zip(&step).map(|(v, s)| format!("{v} += {s};")).collect();
                rules += &format!("move m{number} when {} {{ {} }} ", guard.join(" and "), change.join(" "));
            }
            let weights: Vec<i64> = (0..3).map(|_| random.between(-1, 3)).collect();
            let measure = format!("{} * x + {} * y + {} * z", weights[0], weights[1], weights[2]);
            let end = *random.pick(&["", "end when x == 0 => lose;", "end when y > z => draw;"]);
            let start: Vec<i64> = (0..3).map(|_| random.between(0, 3)).collect();
            let text = format!(
                "game measured() {{
                    state {{ x in 0..4 = {}; y in 0..4 = {}; z in 0..4 = {}; }}
                    {end} {rules}
                    measure {measure};
                }}",
                start[0], start[1], start[2]
            );
            match check(&bound(&program(&text), "{}"), 500) {
                Ok(Agreed::Solved(_)) => right += 1,
                Ok(Agreed::Fault) => {
                    wrong += 1;
                    assert!(fault_of(&text, "{}").starts_with("the measure does not fall"));
                }
                other => panic!("{other:?}\n{text}"),
            }
        }
        assert!(right > 150 && wrong > 100, "{right} right, {wrong} wrong");
    });
}

#[test]
fn a_measure_of_a_sum_falls_in_every_part_of_a_split() {
    let text = |measure: &str| {
        format!(
            "game cuts(heaps: [int]) {{
                sum of heap(n in 0..=max(heaps, 0)) from heaps;
                move cut(a in 1..n) {{ split (a), (n - a); }}
                measure {measure};
            }}"
        )
    };
    assert_eq!(
        solved(&text("n"), r#"{"heaps": [5, 4]}"#).nimber,
        solved(&text("2 * n - 7"), r#"{"heaps": [5, 4]}"#).nimber
    );
    for wrong in ["-n", "1", "n / 2"] {
        assert!(fault_of(&text(wrong), r#"{"heaps": [5, 4]}"#).starts_with("the measure does not fall"), "{wrong}");
    }
}

#[test]
fn a_symmetry_of_rows_moves_whole_rows() {
    let text = |order: &str, guard: &str| {
        format!(
            "game rows() {{
                state {{ board in [[0..=1; 2]; 3] = [[0; 2]; 3]; }}
                move fill(r in 0..3, c in 0..2) when board[r][c] == 0 and {guard} {{ board[r][c] = 1; }}
                symmetry board by {order};
            }}"
        )
    };
    for order in ["[0, 1, 2]", "[1, 2, 0]", "[2, 1, 0]"] {
        assert_eq!(solved(&text(order, "true"), "{}").winner, Some(SECOND));
    }
    let top = "(r > 0 or board[1][c] == 0)";
    assert!(fault_of(&text("[1, 0, 2]", top), "{}").starts_with("this is not a symmetry"));
    assert!(fault_of(&text("[2, 1, 0]", top), "{}").starts_with("this is not a symmetry"));
    let other = "(r != 1 or sum(board[0]) == sum(board[2]))";
    assert_eq!(solved(&text("[2, 1, 0]", other), "{}").winner, solved(&text("[0, 1, 2]", other), "{}").winner);
}

#[test]
fn a_symmetry_must_keep_ends_results_and_the_image_in_its_domain() {
    let text = |item: &str, n: usize| {
        format!(
            "game marks() {{
                state {{ board in [0..=1; {n}] = [0; {n}]; last in 0..{n} = 0; }}
                move mark(at in 0..{n}) when board[at] == 0 {{ board[at] = 1; last = at; }}
                {item}
                symmetry board by reverse([i for i in 0..{n}]);
            }}"
        )
    };
    assert!(fault_of(&text("end when board[0] == 1 => lose;", 3), "{}").starts_with("this is not a symmetry"));
    assert!(fault_of(&text("stuck => winner last % 2;", 3), "{}").starts_with("this is not a symmetry"));
    let both = "end when board[0] == 1 and board[2] == 1 => lose;";
    // `last` is no part of the board, and is not mapped: the image of a move remembers another cell.
    assert!(fault_of(&text(both, 3), "{}").starts_with("this is not a symmetry"));
    let without = text(both, 3).replace(" last in 0..3 = 0;", "").replace(" last = at;", "");
    assert_eq!(solved(&without, "{}").winner, solved(&without.replace("symmetry", "// symmetry"), "{}").winner);
}

#[test]
fn an_estimate_is_evaluated_and_changes_nothing() {
    let text = |estimate: &str| {
        format!(
            "game stones(n: int) {{
                state {{ left in 0..=n = n; }}
                move take(k in 1..=3) when k <= left {{ left -= k; }}
                estimate {estimate};
            }}"
        )
    };
    for estimate in ["0", "left", "left % 4 - 100", "-left * 1000"] {
        let solution = solved(&text(estimate), r#"{"n": 21}"#);
        assert_eq!((solution.winner, solution.nimber, solution.proof), (Some(FIRST), Some(1), Proof::Table));
    }
    assert!(fault_of(&text("7 / left"), r#"{"n": 5}"#).contains("division by zero"));
    assert!(fault_of(&text("[1, 2, 3][left]"), r#"{"n": 5}"#).contains("out of range"));
}

#[test]
fn regions_of_more_than_two_players_or_of_changed_turns_are_refused() {
    let text = |item: &str, statement: &str| {
        format!(
            "game marks() {{
                {item}
                state {{ board in [0..=1; 4] = [0; 4]; }}
                move mark(at in 0..4) when board[at] == 0 {{ board[at] = 1; {statement} }}
                regions board as 2 by 2 where cell == 0;
            }}"
        )
    };
    assert_eq!(solved(&text("", ""), "{}").winner, Some(SECOND));
    for (item, statement) in [("players 3;", ""), ("", "again;"), ("", "if at == 3 { again; }")] {
        match rules::compile(&text(item, statement)) {
            Err(_) => {}
            Ok(_) => assert!(fault_of(&text(item, statement), "{}").contains("regions"), "{item} {statement}"),
        }
    }
}
