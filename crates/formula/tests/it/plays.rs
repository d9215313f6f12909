//! What tests of formulas share: games made by hand, and plays walked with the evaluator that check what a study says.

use formula::eval::{Evaluator, Point};
use formula::{Action, Arena, Case, Coded, EndResult, Formulas, Node, Range, Study, TurnPlace};
use testkit::Random;

/// A game and where it starts.
pub struct Made {
    pub formulas: Formulas,
    pub start: Vec<i64>,
}

/// A game with these cells and no rules yet: who cannot move has lost.
pub fn empty(cells: &[(i64, i64)], start: &[i64]) -> Made {
    let mut arena = Arena::new();
    let (lost, yes, no) = (arena.number(-1), arena.truth(true), arena.truth(false));
    let stuck = Case { when: yes, result: EndResult::Outcome(lost), fault: no };
    let formulas = Formulas {
        arena,
        lists: Vec::new().into(),
        cells: cells.iter().map(|(low, high)| Range { low: *low, high: *high }).collect(),
        players: 2,
        counted: false,
        reads_mover: false,
        ends: Vec::new(),
        actions: Vec::new(),
        stuck,
        valid: Vec::new(),
        measure: None,
    };
    Made { formulas, start: start.to_vec() }
}

impl Made {
    pub fn cell(&mut self, cell: u32) -> Node {
        let range = self.formulas.cells[cell as usize];
        self.formulas.arena.cell(cell, range)
    }

    /// A move that passes the turn. Where it leaves a domain, that is a fault.
    pub fn action(&mut self, guard: Node, after: &[(u32, Node)]) {
        let Formulas { arena, cells, .. } = &mut self.formulas;
        let (one, mover, mut fault) = (arena.number(1), arena.mover(2), arena.number(0));
        let turn = arena.sub(one, mover);
        for (cell, node) in after {
            let domain = cells[*cell as usize];
            let (low, high) = (arena.number(domain.low), arena.number(domain.high));
            for outside in [arena.lt(*node, low), arena.lt(high, *node)] {
                let wrong = arena.and(guard, outside);
                fault = arena.or(fault, wrong);
            }
        }
        self.formulas.actions.push(Action {
            choices: Vec::new(),
            rule: self.formulas.actions.len(),
            counts: Vec::new(),
            guard,
            after: after.to_vec(),
            split: None,
            turn,
            gains: Vec::new(),
            fault,
        });
    }

    pub fn end(&mut self, when: Node) {
        let (lost, fault) = (self.formulas.arena.number(-1), self.formulas.arena.number(0));
        self.formulas.ends.push(Case { when, result: EndResult::Outcome(lost), fault });
    }
}

/// A position with whose turn it is.
pub type Position = (Vec<i64>, u8);

/// One option: the positions of the parts that follow (one if nothing splits), the gains.
pub struct Followed {
    pub parts: Vec<Position>,
    pub gains: Vec<i64>,
}

/// Whether an end holds, or the options; `None` where something goes wrong.
pub fn options(formulas: &Formulas, position: &Position) -> Option<(bool, Vec<Followed>)> {
    let mut evaluator = Evaluator::new(formulas);
    let mover = i64::from(position.1);
    let still = Point { cells: &position.0, mover, choices: &[] };
    for case in &formulas.ends {
        if evaluator.value(case.fault, &still) != 0 {
            return None;
        }
        if evaluator.value(case.when, &still) != 0 {
            return Some((true, Vec::new()));
        }
    }
    let mut found = Vec::new();
    for action in &formulas.actions {
        let most = action.counts.iter().map(|count| count.choice as usize + 1).max().unwrap_or(0);
        let mut open = vec![(0, vec![0i64; most])];
        while let Some((depth, choices)) = open.pop() {
            evaluator.move_on();
            let point = Point { cells: &position.0, mover, choices: &choices };
            if let Some(count) = action.counts.get(depth) {
                if evaluator.value(count.fault, &point) != 0 {
                    return None;
                }
                let (low, high) = (evaluator.value(count.low, &point), evaluator.value(count.high, &point));
                for choice in (low..=high).rev() {
                    let mut choices = choices.clone();
                    choices[count.choice as usize] = choice;
                    open.push((depth + 1, choices));
                }
                continue;
            }
            if evaluator.value(action.fault, &point) != 0 {
                return None;
            }
            if evaluator.value(action.guard, &point) == 0 {
                continue;
            }
            let turn = evaluator.value(action.turn, &point) as u8;
            let parts = match &action.split {
                Some(parts) => parts
                    .iter()
                    .map(|part| (part.iter().map(|node| evaluator.value(*node, &point)).collect(), turn))
                    .collect(),
                None => {
                    let mut cells = position.0.clone();
                    for (cell, after) in &action.after {
                        cells[*cell as usize] = evaluator.value(*after, &point);
                    }
                    vec![(cells, turn)]
                }
            };
            let gains = action.gains.iter().map(|gain| evaluator.value(*gain, &point)).collect();
            found.push(Followed { parts, gains });
        }
    }
    Some((false, found))
}

fn value(formulas: &Formulas, node: Node, position: &Position) -> i64 {
    let point = Point { cells: &position.0, mover: position.1.into(), choices: &[] };
    Evaluator::new(formulas).value(node, &point)
}

/// What must be true of a position that can be reached.
pub fn check_position(study: &Study, position: &Position) -> Result<(), String> {
    let formulas = &study.formulas;
    for (cell, range) in formulas.cells.iter().enumerate() {
        if !range.contains(position.0[cell]) {
            return Err(format!("cell {cell} is outside {range:?} at {position:?}"));
        }
    }
    for &valid in &formulas.valid {
        if value(formulas, valid, position) != 1 {
            return Err(format!("{} does not hold at {position:?}", show(&formulas.arena, valid)));
        }
    }
    for &(cell, node) in &study.derived {
        if value(formulas, node, position) != position.0[cell as usize] {
            return Err(format!("cell {cell} is not {} at {position:?}", show(&formulas.arena, node)));
        }
    }
    if let Some(mover) = study.mover
        && value(formulas, mover, position) != i64::from(position.1)
    {
        return Err(format!("the mover is not {} at {position:?}", show(&formulas.arena, mover)));
    }
    Ok(())
}

/// What must be true of a move.
pub fn check_move(study: &Study, from: &Position, to: &Position) -> Result<(), String> {
    let formulas = &study.formulas;
    if let Ok(order) = &study.order {
        let mut back = false;
        for each in &order.loops[..order.strict] {
            let (before, after) = (from.0[each.cell as usize], to.0[each.cell as usize]);
            if before != after {
                back = (after < before) == each.ascending;
                break;
            }
        }
        if !back {
            return Err(format!("{from:?} to {to:?} does not go back in {:?}", order.loops));
        }
        if let Some(wave) = order.wave
            && value(formulas, wave, to) >= value(formulas, wave, from)
        {
            return Err(format!("{from:?} to {to:?} does not lower {}", show(&formulas.arena, wave)));
        }
    }
    if let Some(potential) = &study.potential {
        let (before, after) = (value(formulas, potential.node, from), value(formulas, potential.node, to));
        if before - after < potential.fall || !potential.range.contains(before) || !potential.range.contains(after) {
            return Err(format!("{from:?} to {to:?} does not lower {potential:?}"));
        }
    }
    Ok(())
}

/// Checks what a study says along random plays, and its skewed form; then codes.
pub fn check_study(before: &Formulas, study: &Study, start: &Position, plays: usize, seed: u64) -> Result<(), String> {
    check_plays(before, study, start, plays, seed)?;
    check_table(study, 10 * plays, seed)?;
    if let Some(skewed) = &study.skewed {
        check_plays(before, skewed, start, plays, seed)?;
        check_table(skewed, 10 * plays, seed)?;
    }
    Ok(())
}

/// Checks positions that may not be reachable, but are in a table: where the valid conditions hold, moves stay in the table,
/// keep the conditions, and go back.
fn check_table(study: &Study, positions: usize, seed: u64) -> Result<(), String> {
    let formulas = &study.formulas;
    let mut random = Random::new(seed.wrapping_mul(77) | 1);
    for _ in 0..positions {
        let mut position: Position = (Vec::new(), random.below(formulas.players) as u8);
        for range in &formulas.cells {
            let width = (range.high as i128 - range.low as i128 + 1).min(1 << 40) as usize;
            position.0.push(range.low + random.below(width) as i64);
        }
        let derived: Vec<i64> = study.derived.iter().map(|(_, node)| value(formulas, *node, &position)).collect();
        study.derived.iter().zip(derived).for_each(|((cell, _), value)| position.0[*cell as usize] = value);
        if let Some(mover) = study.mover {
            position.1 = value(formulas, mover, &position) as u8;
        }
        if formulas.valid.iter().any(|valid| value(formulas, *valid, &position) == 0) {
            continue;
        }
        let Some((_, followed)) = options(formulas, &position) else { continue };
        for part in followed.iter().flat_map(|option| &option.parts) {
            check_position(study, part).map_err(|wrong| format!("in the table, from {position:?}: {wrong}"))?;
            check_move(study, &position, part).map_err(|wrong| format!("in the table: {wrong}"))?;
        }
    }
    Ok(())
}

/// A position in the cells of a study.
fn within(study: &Study, position: &Position) -> Position {
    let mut position = position.clone();
    if let Some(skew) = study.skew {
        skew.apply(&mut position.0);
    }
    position
}

/// Walks random plays from the start by the rules as they were before the study, and checks what the study says.
pub fn check_plays(before: &Formulas, study: &Study, start: &Position, plays: usize, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed | 1);
    let longest = study.order.as_ref().ok().and_then(|order| order.longest);
    let coded = study.coded(true, TurnPlace::First);
    for _ in 0..plays {
        let mut position = start.clone();
        let mut gained: Vec<i64> = Vec::new();
        for moves in 0.. {
            let here = within(study, &position);
            check_position(study, &here)?;
            if let Some(coded) = &coded {
                check_code(coded, &position)?;
            }
            let Some((over, followed)) = options(before, &position) else {
                match options(&study.formulas, &here) {
                    Some(_) => return Err(format!("a fault is gone at {position:?}")),
                    None => break,
                }
            };
            let Some((over_now, followed_now)) = options(&study.formulas, &here) else {
                return Err(format!("a fault at {position:?}"));
            };
            let parts =
                |option: &Followed| -> Vec<Position> { option.parts.iter().map(|part| within(study, part)).collect() };
            if over != over_now
                || !followed.iter().map(parts).eq(followed_now.iter().map(|option| option.parts.clone()))
            {
                return Err(format!("other options at {position:?}"));
            }
            if !followed.iter().map(|option| &option.gains).eq(followed_now.iter().map(|option| &option.gains)) {
                return Err(format!("other gains at {position:?}"));
            }
            if followed.is_empty() && result(before, &position) != result(&study.formulas, &here) {
                return Err(format!("another result at {position:?}"));
            }
            let reached = gained.iter().map(|gain| gain.unsigned_abs()).sum::<u64>();
            if followed.is_empty() || moves > 300 {
                let last = if before.players == 2 { last_gain(before, &position).unsigned_abs() } else { 0 };
                if let Some(bound) = study.score_bound
                    && reached + last > bound as u64
                {
                    return Err(format!("{gained:?} is more than {bound} at {position:?}"));
                }
                break;
            }
            if followed.len() as u64 > formula::extremes::max_options(&study.formulas) {
                return Err(format!("too many options at {position:?}"));
            }
            if longest.is_some_and(|longest| moves >= longest) {
                return Err(format!("a play of {} moves and more, not {longest:?}", moves + 1));
            }
            for option in &followed {
                for part in &option.parts {
                    check_move(study, &here, &within(study, part))?;
                }
            }
            let option = &followed[random.below(followed.len())];
            gained.extend(if let [first, second] = option.gains[..] { Some(first - second) } else { None });
            if option.parts.is_empty() {
                break;
            }
            position = option.parts[random.below(option.parts.len())].clone();
        }
    }
    Ok(())
}

/// What a position without options is worth: an outcome, or gains.
fn result(formulas: &Formulas, position: &Position) -> Vec<i64> {
    let holds = formulas.ends.iter().find(|case| value(formulas, case.when, position) != 0);
    match &holds.unwrap_or(&formulas.stuck).result {
        EndResult::Gains(gains) => gains.iter().map(|gain| value(formulas, *gain, position)).collect(),
        EndResult::Outcome(outcome) => vec![value(formulas, *outcome, position)],
    }
}

/// What the end of a game for two gives one player more than the other.
fn last_gain(formulas: &Formulas, position: &Position) -> i64 {
    match result(formulas, position)[..] {
        [first, second] => first - second,
        [outcome] => {
            assert!(outcome != 0 || formula::extremes::has_draws(formulas), "a draw at {position:?}");
            0
        }
        _ => 0,
    }
}

/// A position has a code, and the code stands for it.
fn check_code(coded: &Coded, position: &Position) -> Result<(), String> {
    let code = coded.code(&position.0, position.1);
    let (cells, turn) = coded.position(code);
    let told = coded.mover.is_some() || coded.numbering.turn.is_some();
    if cells != position.0 || told && turn != position.1 || code >= coded.numbering.size {
        return Err(format!("the code of {position:?} is {code}, which stands for {cells:?} {turn}"));
    }
    Ok(())
}

/// A node as text.
pub fn show(arena: &Arena, node: Node) -> String {
    use formula::Op;
    let of = |node: &Node| show(arena, *node);
    match arena.op(node) {
        Op::Const(number) => number.to_string(),
        Op::Cell(cell) => format!("c{cell}"),
        Op::Mover => "mover".to_owned(),
        Op::Choice(choice) => format!("k{choice}"),
        Op::Linear(terms, constant) => {
            let terms: Vec<String> = terms.iter().map(|(node, factor)| format!("{factor}*{}", of(node))).collect();
            format!("({} + {constant})", terms.join(" + "))
        }
        Op::Not(a) => format!("not {}", of(a)),
        Op::Eq(a, b) => format!("({} == {})", of(a), of(b)),
        Op::Lt(a, b) => format!("({} < {})", of(a), of(b)),
        Op::And(a, b) => format!("({} & {})", of(a), of(b)),
        Op::Or(a, b) => format!("({} | {})", of(a), of(b)),
        Op::Load(list, a) => format!("list{list}[{}]", of(a)),
        Op::Select(c, a, b) => format!("(if {} then {} else {})", of(c), of(a), of(b)),
        Op::Min(a, b) => format!("min({}, {})", of(a), of(b)),
        Op::Max(a, b) => format!("max({}, {})", of(a), of(b)),
        Op::Popcount(a) => format!("popcount({})", of(a)),
        Op::Shr(a, b) => format!("({} >> {})", of(a), of(b)),
        Op::Mul(a, b) => format!("({} * {})", of(a), of(b)),
        other => format!("{other:?}"),
    }
}
