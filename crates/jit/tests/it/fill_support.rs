//! Games as formulas made by hand, and a plain evaluator of tables to compare with.

use formula::eval::{Evaluator, Point};
use formula::{Action, Arena, Case, Coded, Count, EndResult, Formulas, Loop, Node, Numbering, Order, Range, TurnPlace};
use jit::{Filler, Halt, Strategy, Values};

/// All ways to fill.
pub const STRATEGIES: [Strategy; 5] =
    [Strategy::Scalar, Strategy::Rows, Strategy::Passes, Strategy::Block, Strategy::Best];

/// A game to be filled.
pub struct Model {
    pub coded: Coded,
    pub order: Order,
}

/// Formulas under construction.
pub struct Make {
    pub arena: Arena,
    pub lists: Vec<Vec<i64>>,
    pub cells: Vec<Range>,
    pub ends: Vec<Case>,
    pub actions: Vec<Action>,
    pub valid: Vec<Node>,
    pub counted: bool,
    pub stuck: EndResult,
}

impl Make {
    pub fn new(counted: bool) -> Make {
        let mut arena = Arena::new();
        let lost = arena.number(-1);
        let zero = arena.number(0);
        let stuck = if counted { EndResult::Gains(vec![zero, zero]) } else { EndResult::Outcome(lost) };
        let (lists, cells, ends, actions, valid) = Default::default();
        Make { arena, lists, cells, ends, actions, valid, counted, stuck }
    }

    pub fn cell(&mut self, low: i64, high: i64) -> Node {
        self.cells.push(Range { low, high });
        self.arena.cell(self.cells.len() as u32 - 1, Range { low, high })
    }

    pub fn list(&mut self, items: &[i64]) -> u32 {
        self.lists.push(items.to_vec());
        self.arena.list(items)
    }

    pub fn load(&mut self, list: u32, index: Node) -> Node {
        let items = self.lists[list as usize].clone();
        self.arena.load(list, &items, index)
    }

    pub fn all(&mut self, nodes: &[Node]) -> Node {
        let one = self.arena.number(1);
        nodes.iter().fold(one, |all, node| self.arena.and(all, *node))
    }

    pub fn end(&mut self, when: Node, result: EndResult) {
        let fault = self.arena.number(0);
        self.ends.push(Case { when, result, fault });
    }

    /// A move after which the other player moves, with what the mover gains.
    pub fn action(&mut self, guard: Node, after: Vec<(u32, Node)>, gain: Option<Node>) -> &mut Action {
        let zero = self.arena.number(0);
        let mover = self.arena.mover(2);
        let turn = self.arena.not(mover);
        let gains = gain.map_or(Vec::new(), |gain| {
            vec![self.arena.select(mover, zero, gain), self.arena.select(mover, gain, zero)]
        });
        let mut after = after;
        after.sort_by_key(|after| after.0);
        let action = Action {
            rule: 0,
            choices: Vec::new(),
            counts: Vec::new(),
            guard,
            after,
            split: None,
            turn,
            gains,
            fault: zero,
        };
        self.actions.push(action);
        self.actions.last_mut().unwrap()
    }

    /// Counts the choices of the last move.
    pub fn count(&mut self, choice: u32, low: Node, high: Node) {
        let fault = self.arena.number(0);
        self.actions.last_mut().unwrap().counts.push(Count { choice, low, high, fault });
    }

    pub fn formulas(self) -> Formulas {
        let Make { mut arena, lists, cells, ends, actions, valid, counted, stuck } = self;
        let (one, zero) = (arena.number(1), arena.number(0));
        let stuck = Case { when: one, result: stuck, fault: zero };
        Formulas {
            arena,
            lists: lists.into(),
            cells,
            players: 2,
            counted,
            reads_mover: true,
            ends,
            actions,
            stuck,
            valid,
            measure: None,
        }
    }

    /// Loops as given (cell, ascending), digits in the same order, the mover player 0 everywhere.
    pub fn model(self, loops: &[(u32, bool)], strict: usize) -> Model {
        let mut formulas = self.formulas();
        let mover = formulas.arena.number(0);
        model(formulas, loops, strict, TurnPlace::Nowhere, Some(mover))
    }
}

pub fn model(formulas: Formulas, loops: &[(u32, bool)], strict: usize, turn: TurnPlace, mover: Option<Node>) -> Model {
    let cells: Vec<u32> = loops.iter().map(|step| step.0).collect();
    let numbering = Numbering::dense(&formulas, &cells, turn).unwrap();
    let coded = Coded::new(formulas, numbering, Vec::new(), mover);
    Model { coded, order: order(loops, strict) }
}

pub fn order(loops: &[(u32, bool)], strict: usize) -> Order {
    let loops = loops.iter().map(|&(cell, ascending)| Loop { cell, ascending }).collect();
    Order { loops, strict, wave: None, longest: None, why: String::new() }
}

/// One heap, moves take any of the numbers.
pub fn stones(n: i64, moves: &[i64]) -> Model {
    let mut make = Make::new(false);
    let left = make.cell(0, n);
    for &k in moves {
        let k_node = make.arena.number(k);
        let guard = make.arena.le(k_node, left);
        let after = make.arena.shift(left, -k);
        make.action(guard, vec![(0, after)], None);
    }
    make.model(&[(0, true)], 1)
}

/// Several heaps, moves take some numbers from one.
pub fn heaps(count: u32, high: i64, moves: &[i64]) -> Model {
    let mut make = Make::new(false);
    for cell in 0..count {
        let heap = make.cell(0, high);
        for &k in moves {
            let k_node = make.arena.number(k);
            let guard = make.arena.le(k_node, heap);
            let after = make.arena.shift(heap, -k);
            make.action(guard, vec![(cell, after)], None);
        }
    }
    let loops: Vec<(u32, bool)> = (0..count).map(|cell| (cell, true)).collect();
    make.model(&loops, count as usize)
}

/// A row of coins, taken from either end: cells i and j.
pub fn coins(coins: &[i64]) -> Model {
    let n = coins.len() as i64;
    let mut make = Make::new(true);
    let list = make.list(coins);
    let (i, j) = (make.cell(0, n), make.cell(0, n));
    let guard = make.arena.lt(i, j);
    let (gain, after) = (make.load(list, i), make.arena.shift(i, 1));
    make.action(guard, vec![(0, after)], Some(gain));
    let after = make.arena.shift(j, -1);
    let gain = make.load(list, after);
    make.action(guard, vec![(1, after)], Some(gain));
    let valid = make.arena.le(i, j);
    make.valid.push(valid);
    make.model(&[(0, false), (1, true)], 2)
}

/// A row of coins by its length s and its first coin i: rows of equal length lie together.
pub fn coins_skewed(coins: &[i64]) -> Model {
    let n = coins.len() as i64;
    let mut make = Make::new(true);
    let list = make.list(coins);
    let (s, i) = (make.cell(0, n), make.cell(0, n));
    let zero = make.arena.number(0);
    let guard = make.arena.lt(zero, s);
    let (gain, after, less) = (make.load(list, i), make.arena.shift(i, 1), make.arena.shift(s, -1));
    make.action(guard, vec![(0, less), (1, after)], Some(gain));
    let last = make.arena.combine(&[(i, 1), (s, 1)], -1);
    let gain = make.load(list, last);
    make.action(guard, vec![(0, less)], Some(gain));
    let (sum, most) = (make.arena.add(s, i), make.arena.number(n));
    let valid = make.arena.le(sum, most);
    make.valid.push(valid);
    make.model(&[(0, true), (1, true)], 1)
}

/// Piles in a row; take x of at most 2m, then m is at least x.
pub fn stone_game_2(piles: &[i64]) -> Model {
    let n = piles.len() as i64;
    let mut sums = vec![0];
    for pile in piles {
        sums.push(sums.last().unwrap() + pile);
    }
    let mut make = Make::new(true);
    let list = make.list(&sums);
    let (i, m) = (make.cell(0, n), make.cell(1, n.max(1)));
    let x = make.arena.choice(0, Range { low: 1, high: n.max(1) });
    let one = make.arena.number(1);
    let (most, left) = (make.arena.scale(m, 2), make.arena.combine(&[(i, -1)], n));
    let high = make.arena.min(most, left);
    let next = make.arena.add(i, x);
    let (to, from) = (make.load(list, next), make.load(list, i));
    let gain = make.arena.sub(to, from);
    let bound = make.arena.max(m, x);
    make.action(one, vec![(0, next), (1, bound)], Some(gain));
    make.count(0, one, high);
    make.model(&[(0, false), (1, true)], 1)
}

/// m,n,k: marks in a row; the mover is the parity of the stones.
pub fn board(rows: i64, columns: i64, k: i64) -> Model {
    let mut make = Make::new(false);
    let n = rows * columns;
    let cells: Vec<Node> = (0..n).map(|_| make.cell(0, 2)).collect();
    let mover = make.arena.mover(2);
    let (zero, one) = (make.arena.number(0), make.arena.number(1));
    let other = make.arena.combine(&[(mover, -1)], 2);
    let mut over = zero;
    for (dr, dc) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for r in 0..rows {
            for c in 0..columns {
                let (er, ec) = (r + (k - 1) * dr, c + (k - 1) * dc);
                if er >= rows || ec < 0 || ec >= columns {
                    continue;
                }
                let mut line = one;
                for t in 0..k {
                    let cell = cells[((r + t * dr) * columns + c + t * dc) as usize];
                    let there = make.arena.eq(cell, other);
                    line = make.arena.and(line, there);
                }
                over = make.arena.or(over, line);
            }
        }
    }
    let lost = make.arena.number(-1);
    make.end(over, EndResult::Outcome(lost));
    make.stuck = EndResult::Outcome(zero);
    let mine = make.arena.shift(mover, 1);
    for (at, &cell) in cells.iter().enumerate() {
        let guard = make.arena.eq(cell, zero);
        make.action(guard, vec![(at as u32, mine)], None);
    }
    let mut stones = zero;
    for &cell in &cells {
        let free = make.arena.eq(cell, zero);
        let taken = make.arena.not(free);
        stones = make.arena.add(stones, taken);
    }
    let two = make.arena.number(2);
    let parity = make.arena.rem(stones, two);
    let loops: Vec<(u32, bool)> = (0..n as u32).map(|cell| (cell, false)).collect();
    model(make.formulas(), &loops, n as usize, TurnPlace::Nowhere, Some(parity))
}

/// Numbers 1..=most are drawn; who brings the total to `desired` wins. One set cell.
pub fn can_i_win(most: i64, desired: i64) -> Model {
    let mut make = Make::new(false);
    let left = make.cell(0, (1 << most) - 1);
    let one = make.arena.number(1);
    let bits: Vec<Node> = (0..most)
        .map(|k| {
            let k = make.arena.number(k);
            let shifted = make.arena.shr(left, k);
            make.arena.and(shifted, one)
        })
        .collect();
    let terms: Vec<(Node, i64)> = bits.iter().zip(1..).map(|(bit, k)| (*bit, -k)).collect();
    let total = make.arena.combine(&terms, most * (most + 1) / 2);
    let (goal, lost) = (make.arena.number(desired), make.arena.number(-1));
    let over = make.arena.le(goal, total);
    make.end(over, EndResult::Outcome(lost));
    for (k, &bit) in bits.iter().enumerate() {
        let after = make.arena.shift(left, -(1 << k));
        make.action(bit, vec![(0, after)], None);
    }
    make.model(&[(0, true)], 1)
}

/// Heaps that fall into parts: a heap is divided into two unequal ones. For nimbers.
pub fn grundy(n: i64) -> Model {
    let mut make = Make::new(false);
    let heap = make.cell(0, n);
    let k = make.arena.choice(0, Range { low: 1, high: n.max(2) });
    let (one, two) = (make.arena.number(1), make.arena.number(2));
    let less = make.arena.shift(heap, -1);
    let most = make.arena.div(less, two);
    let rest = make.arena.sub(heap, k);
    make.action(one, Vec::new(), None).split = Some(vec![vec![k], vec![rest]]);
    make.count(0, one, most);
    make.model(&[(0, true)], 1)
}

/// All values, by evaluating the formulas position by position; `None` where a condition fails. An error: some fault.
fn expected(model: &Model, values: Values) -> Expected {
    let Model { coded, order } = model;
    let formulas = &coded.formulas;
    let numbering = &coded.numbering;
    let mut codes: Vec<u64> = (0..numbering.size).collect();
    let mut cells = vec![0i64; formulas.cells.len()];
    for (cell, range) in cells.iter_mut().zip(&formulas.cells) {
        *cell = range.low;
    }
    codes.sort_by_key(|&code| {
        let mut at = cells.clone();
        numbering.decode(code, 2, &mut at);
        let key = |step: &Loop| if step.ascending { at[step.cell as usize] } else { -at[step.cell as usize] };
        order.loops.iter().map(key).collect::<Vec<i64>>()
    });
    let mut table = vec![None; numbering.size as usize];
    let mut eval = Evaluator::new(formulas);
    for code in codes {
        let mut at = cells.clone();
        let mover = i64::from(numbering.decode(code, 2, &mut at));
        eval.move_on();
        let base = Point { cells: &at, mover, choices: &[] };
        if formulas.valid.iter().any(|valid| eval.value(*valid, &base) == 0) {
            continue;
        }
        let value = position(model, values, &mut eval, &base, &table).map_err(|()| code)?;
        table[code as usize] = Some(value);
    }
    Ok(table)
}

fn position(
    model: &Model,
    values: Values,
    eval: &mut Evaluator<'_>,
    base: &Point<'_>,
    table: &[Option<i64>],
) -> Result<i64, ()> {
    let formulas = &model.coded.formulas;
    for case in &formulas.ends {
        if eval.value(case.fault, base) != 0 {
            return Err(());
        }
        if eval.value(case.when, base) != 0 {
            return Ok(worth(model, values, eval, base, &case.result));
        }
    }
    let mut options: Vec<(i64, bool, i64)> = Vec::new();
    for index in 0..formulas.actions.len() {
        let mut choices = Vec::new();
        options_of(model, eval, base, table, index, 0, &mut choices, &mut options)?;
    }
    if options.is_empty() && eval.value(formulas.stuck.fault, base) != 0 {
        return Err(());
    }
    if let Values::Nimber { .. } = values {
        return Ok((0..).find(|nimber| options.iter().all(|option| option.0 != *nimber)).unwrap());
    }
    let big = match values.width() {
        1 => i64::from(i8::MAX),
        2 => i64::from(i16::MAX),
        4 => i64::from(i32::MAX),
        _ => i64::MAX,
    };
    let best = options.iter().map(|&(value, same, gain)| match values {
        Values::Win => i64::from((value == 1) == same),
        Values::Outcome => {
            if same {
                value
            } else {
                -value
            }
        }
        Values::Score { .. } => gain + if same { value } else { -value },
        _ => {
            let drawn = value <= 0 && value > -big / 2 - 1;
            match (drawn, value > 0, same) {
                (true, ..) | (_, true, true) => value - 1,
                (_, true, false) => 1 - value,
                (_, false, true) => value + 1,
                (_, false, false) => -1 - value,
            }
        }
    });
    match best.max() {
        Some(best) => Ok(best),
        None => Ok(worth(model, values, eval, base, &formulas.stuck.result)),
    }
}

#[allow(clippy::too_many_arguments)]
fn options_of(
    model: &Model,
    eval: &mut Evaluator<'_>,
    base: &Point<'_>,
    table: &[Option<i64>],
    index: usize,
    depth: usize,
    choices: &mut Vec<i64>,
    options: &mut Vec<(i64, bool, i64)>,
) -> Result<(), ()> {
    let coded = &model.coded;
    let action = &coded.formulas.actions[index];
    let mut named = vec![0; 16];
    for (count, choice) in action.counts.iter().zip(choices.iter()) {
        named[count.choice as usize] = *choice;
    }
    let point = Point { choices: &named, ..*base };
    eval.move_on();
    if let Some(count) = action.counts.get(depth) {
        if eval.value(count.fault, &point) != 0 {
            return Err(());
        }
        let (low, high) = (eval.value(count.low, &point), eval.value(count.high, &point));
        for choice in low..=high {
            choices.push(choice);
            options_of(model, eval, base, table, index, depth + 1, choices, options)?;
            choices.pop();
        }
        eval.move_on();
        return Ok(());
    }
    if eval.value(action.fault, &point) != 0 {
        return Err(());
    }
    if eval.value(action.guard, &point) == 0 {
        eval.move_on();
        return Ok(());
    }
    let numbering = &coded.numbering;
    let read = |cells: &[i64], turn: u8| -> i64 {
        let fits = numbering.digits.iter().all(|digit| {
            let at = cells[digit.cell as usize] - digit.low;
            at >= 0 && at < digit.size as i64
        });
        assert!(fits, "the model leads out of its domains");
        let to = numbering.code(cells, turn);
        table[to as usize].expect("the model's order is wrong")
    };
    let turn = eval.value(action.turn, &point) as u8;
    let value = match &action.split {
        None => {
            let mut cells = base.cells.to_vec();
            for (cell, node) in &action.after {
                cells[*cell as usize] = eval.value(*node, &point);
            }
            read(&cells, turn)
        }
        Some(parts) => parts.iter().fold(0, |sum, part| {
            let cells: Vec<i64> = part.iter().map(|node| eval.value(*node, &point)).collect();
            sum ^ read(&cells, turn)
        }),
    };
    let same = eval.value(coded.same[index], &point) != 0;
    let gain = match action.gains[..] {
        [first, second] => {
            let difference = eval.value(first, &point) - eval.value(second, &point);
            if mover(model, eval, &point) == 1 { -difference } else { difference }
        }
        _ => 0,
    };
    options.push((value, same, gain));
    eval.move_on();
    Ok(())
}

fn mover(model: &Model, eval: &mut Evaluator<'_>, point: &Point<'_>) -> i64 {
    match (model.coded.mover, model.coded.numbering.turn) {
        (Some(node), _) => eval.value(node, point),
        (None, Some(_)) => point.mover,
        _ => 0,
    }
}

fn worth(model: &Model, values: Values, eval: &mut Evaluator<'_>, point: &Point<'_>, worth: &EndResult) -> i64 {
    match worth {
        EndResult::Outcome(node) => {
            let outcome = eval.value(*node, point);
            match values {
                Values::Nimber { .. } => 0,
                Values::Win => i64::from(outcome > 0),
                Values::Remoteness { width: 1 } => outcome * i64::from(i8::MAX),
                Values::Remoteness { width: 2 } => outcome * i64::from(i16::MAX),
                Values::Remoteness { .. } => outcome * i64::from(i32::MAX),
                _ => outcome,
            }
        }
        EndResult::Gains(gains) => {
            let difference = eval.value(gains[0], point) - eval.value(gains[1], point);
            if mover(model, eval, point) == 1 { -difference } else { difference }
        }
    }
}

/// A table with the alignment of 16.
pub fn table(bytes: usize) -> Vec<u128> {
    vec![0x5a5a_5a5a_5a5a_5a5a_5a5a_5a5a_5a5a_5a5a; bytes / 16 + 2]
}

pub fn bytes(table: &mut [u128]) -> &mut [u8] {
    let length = table.len() * 16;
    // SAFETY: the same memory, seen as bytes.
    unsafe { std::slice::from_raw_parts_mut(table.as_mut_ptr().cast(), length) }
}

/// Entry of a filled table.
pub fn entry(table: &[u8], values: Values, code: usize) -> i64 {
    let width = values.width();
    let bytes = &table[code * width..][..width];
    let unsigned = matches!(values, Values::Nimber { .. });
    match width {
        1 if unsigned => bytes[0].into(),
        1 => (bytes[0] as i8).into(),
        2 if unsigned => u16::from_le_bytes(bytes.try_into().unwrap()).into(),
        2 => i16::from_le_bytes(bytes.try_into().unwrap()).into(),
        4 if unsigned => u32::from_le_bytes(bytes.try_into().unwrap()).into(),
        4 => i32::from_le_bytes(bytes.try_into().unwrap()).into(),
        _ => i64::from_le_bytes(bytes.try_into().unwrap()),
    }
}

/// Fills with a strategy and compares with the evaluator. `false` if the strategy does not apply.
pub fn check(model: &Model, values: Values, strategy: Strategy, threads: usize, note: &str) -> bool {
    check_against(&expected(model, values), model, values, strategy, threads, note)
}

/// Fills with every strategy and compares. Counts in `used` which ones apply. The evaluator runs once: it is slow.
pub fn check_all(model: &Model, values: Values, mut threads: impl FnMut() -> usize, note: &str, used: &mut [usize]) {
    let expected = expected(model, values);
    for (strategy, used) in STRATEGIES.into_iter().zip(used) {
        *used += usize::from(check_against(&expected, model, values, strategy, threads(), note));
    }
}

/// A table of values that the evaluator found, or the code at which the rules go wrong.
type Expected = Result<Vec<Option<i64>>, u64>;

fn check_against(
    expected: &Expected,
    model: &Model,
    values: Values,
    strategy: Strategy,
    threads: usize,
    note: &str,
) -> bool {
    let filler = match Filler::with_strategy(&model.coded, &model.order, values, strategy) {
        Ok(filler) => filler,
        Err(jit::JitError::Unsupported(_)) if strategy != Strategy::Best && strategy != Strategy::Scalar => {
            return false;
        }
        Err(error) => panic!("{note}: {error}"),
    };
    let mut memory = table(filler.bytes());
    let table = bytes(&mut memory);
    let end = filler.bytes();
    let result = filler.run(&mut table[16..], threads, &mut |_| true);
    assert!(table[..16].iter().chain(&table[16 + end..]).all(|byte| *byte == 0x5a), "{note}: wrote outside");
    match (expected, result) {
        (Ok(expected), Ok(())) => {
            for (code, value) in expected.iter().enumerate() {
                let Some(value) = value else { continue };
                let found = entry(&table[16..], values, code);
                assert_eq!(found, *value, "{note}: code {code}, {strategy:?}, {values:?}, {}", filler.describe());
            }
        }
        (Err(_), Err(Halt::Fault(_))) => {}
        // Where no position is valid, nobody asks. Games have a valid start.
        (Ok(expected), Err(Halt::Fault(_))) if expected.iter().all(Option::is_none) => {}
        (expected, found) => {
            panic!("{note}: {strategy:?}, {values:?}: expected {:?}, found {found:?}", expected.as_ref().map(|_| ()))
        }
    }
    true
}
