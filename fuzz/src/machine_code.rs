//! Machine code against the interpreter: the options of positions met in play, and, where an order is proved, whole tables.
//!
//! Tables are compared at the positions that play reaches. They are valued here by the interpreter alone, after their
//! options; a position that comes back although an order is proved is a failure too.

use std::collections::HashMap;

use formula::{Coded, Readings, Study, TurnPlace, extremes};
use game::{End, Outcome, Player};
use jit::{Expanded, Expander, Filler, Gains, JitError, Options, Strategy, Successors, Values};
use rules::bind::Bound;
use rules::interpreter::Interpreter;

/// Larger formulas take long to compile.
const NODES: usize = 4000;
/// Larger tables are not filled.
const PLACES: u64 = 1 << 15;
/// How many positions of an instance are looked at.
const POSITIONS: usize = 1500;
/// Rules with more moves are left out.
const MOVES: u64 = 500;

/// A position: of a game, or of one part of a sum. The turn is 0 where it is not recorded.
type Spot = (Vec<i64>, u8);

/// One way to play on.
struct Step {
    /// One position; in a sum the parts that take its place.
    to: Vec<Spot>,
    turn: u8,
    gains: Vec<i64>,
}

/// What the interpreter says of a position.
enum Said {
    Fault,
    End(End),
    Options(Vec<Step>),
}

/// Compares all code for an instance.
pub fn compare(source: &str, bound: &Bound) {
    let readings = Readings::new(bound, &bound.start);
    let Ok(reading) = readings.unfolded() else { return };
    let formulas = reading.formulas();
    if formulas.arena.len() > NODES || extremes::max_options(formulas) > MOVES || bound.start.parts.is_empty() {
        return;
    }
    let sum = bound.program.sum.is_some();
    for with_turn in [true, false] {
        if sum && with_turn || !with_turn && (formulas.reads_mover || bound.players != 2) {
            continue;
        }
        let study = match sum {
            true => reading.parts(),
            false => reading.whole(with_turn),
        };
        // A study that was stopped says nothing.
        let Ok(study) = study else { return };
        let play = Play { source, bound, with_turn };
        let met = play.met();
        for skewed in [Some(&**study), study.skewed.as_deref()].into_iter().flatten() {
            if !sum {
                play.options(skewed, &met);
            }
            play.tables(skewed, &met);
        }
    }
}

/// Play of one instance.
struct Play<'p> {
    source: &'p str,
    bound: &'p Bound,
    with_turn: bool,
}

/// Positions in the order in which they were met, each with what the interpreter says.
struct Met {
    said: Vec<(Spot, Said)>,
    number: HashMap<Spot, usize>,
    /// Whether all that play can reach is here, and nothing is a fault.
    complete: bool,
}

impl Play<'_> {
    fn say(&self, (cells, mover): &Spot) -> Said {
        let mut interpreter = Interpreter::new(self.bound);
        match interpreter.end(cells, Player(*mover)) {
            Err(_) => return Said::Fault,
            Ok(Some(end)) => return Said::End(end),
            Ok(None) => {}
        }
        let mut steps = Vec::new();
        let done = interpreter.moves(cells, Player(*mover), &mut |effect| {
            let next = if self.with_turn { effect.turn.0 } else { 0 };
            let to = match effect.split {
                Some(parts) => parts.iter().map(|part| (part.to_vec(), next)).collect(),
                None => vec![(effect.after.to_vec(), next)],
            };
            steps.push(Step { to, turn: effect.turn.0, gains: effect.gains.to_vec() });
            Ok(())
        });
        match (done, steps.is_empty()) {
            (Err(_), _) => Said::Fault,
            (Ok(()), false) => Said::Options(steps),
            (Ok(()), true) => interpreter.stuck(cells, Player(*mover)).map_or(Said::Fault, Said::End),
        }
    }

    /// Positions from the start on, breadth first.
    fn met(&self) -> Met {
        let turn = if self.with_turn { self.bound.start.turn.0 } else { 0 };
        let mut met = Met { said: Vec::new(), number: HashMap::new(), complete: true };
        let mut spots: Vec<Spot> = Vec::new();
        for part in &self.bound.start.parts {
            let spot = (part.to_vec(), turn);
            if !met.number.contains_key(&spot) {
                met.number.insert(spot.clone(), spots.len());
                spots.push(spot);
            }
        }
        while let Some(spot) = spots.get(met.said.len()).cloned() {
            let said = self.say(&spot);
            met.complete &= !matches!(said, Said::Fault);
            if let Said::Options(steps) = &said {
                for to in steps.iter().flat_map(|step| &step.to) {
                    if met.number.contains_key(to) {
                    } else if spots.len() < POSITIONS {
                        met.number.insert(to.clone(), spots.len());
                        spots.push(to.clone());
                    } else {
                        met.complete = false;
                    }
                }
            }
            met.said.push((spot, said));
        }
        met
    }

    /// What is kept of gains; `None` where a difference does not fit.
    fn kept(&self, gains: Gains, mover: u8, all: &[i64]) -> Option<Vec<i64>> {
        let none = vec![0; self.bound.players];
        let all = if all.is_empty() { &none[..] } else { all };
        Some(match gains {
            Gains::Outcome => Vec::new(),
            Gains::All => all.to_vec(),
            Gains::Difference => vec![all[usize::from(mover)].checked_sub(all[1 - usize::from(mover)])?],
        })
    }

    fn worth(&self, gains: Gains, mover: u8, end: &End) -> Option<Vec<i64>> {
        match end {
            End::Outcome(outcome) => Some(vec![sign(*outcome)]),
            End::Gains(all) => self.kept(gains, mover, all),
        }
    }

    /// The options of the first positions, as codes.
    fn options(&self, study: &Study, met: &Met) {
        let kinds: &[Gains] = match (self.bound.program.counted, self.bound.players) {
            (false, 2) => &[Gains::Outcome],
            (_, 2) => &[Gains::Difference, Gains::All],
            _ => &[Gains::All],
        };
        for (dense, turn) in [(true, TurnPlace::First), (true, TurnPlace::Last), (false, TurnPlace::First)] {
            let Some(coded) = study.coded(dense, turn) else { continue };
            for &gains in kinds {
                match Expander::compile(&coded, gains) {
                    Ok(expander) => self.expand(&coded, &expander, gains, met),
                    Err(JitError::Unsupported(_)) => {}
                    Err(error) => panic!("{error}\n{}", self.source),
                }
            }
        }
    }

    fn expand(&self, coded: &Coded, expander: &Expander, gains: Gains, met: &Met) {
        let mut out = Options::default();
        for (spot, said) in met.said.iter().take(200) {
            let (cells, mover) = spot;
            let code = coded.code(cells, *mover);
            assert_eq!(coded.position(code).0, *cells, "the code {code}\n{}", self.source);
            let mut expected = Options::default();
            let kind = self.expected(coded, gains, *mover, said, &mut expected);
            let found = expander.expand(code, &mut out);
            let place = || format!("at {cells:?}, player {mover}, code {code}\n{}", self.source);
            assert_eq!(found, kind.unwrap_or(Expanded::Fault), "{}", place());
            if found == Expanded::Options {
                assert_eq!((&out.codes, &out.same), (&expected.codes, &expected.same), "{}", place());
            }
            if found != Expanded::Fault {
                assert_eq!(out.gains, expected.gains, "{}", place());
            }
        }
    }

    fn expected(&self, coded: &Coded, gains: Gains, mover: u8, said: &Said, out: &mut Options) -> Option<Expanded> {
        match said {
            Said::Fault => None,
            Said::End(end) => {
                out.gains = self.worth(gains, mover, end)?;
                Some(Expanded::End)
            }
            Said::Options(steps) => {
                for step in steps {
                    out.codes.push(coded.code(&step.to[0].0, step.turn));
                    out.same.push(u8::from(step.turn == mover));
                    out.gains.extend(self.kept(gains, mover, &step.gains)?);
                }
                Some(Expanded::Options)
            }
        }
    }

    /// Whole tables, where an order is proved.
    fn tables(&self, study: &Study, met: &Met) {
        let Ok(order) = &study.order else { return };
        let last = self.last_first(met);
        if !met.complete || self.bound.players != 2 {
            return;
        }
        for turn in [TurnPlace::First, TurnPlace::Last] {
            let Some(coded) = study.coded(true, turn).filter(|coded| coded.numbering.size <= PLACES) else { continue };
            for (number, values) in kinds(study, self.with_turn).into_iter().enumerate() {
                let Some(expected) = self.values(values, met, &last) else { continue };
                let others = [Strategy::Scalar, Strategy::Rows, Strategy::Passes, Strategy::Block];
                for strategy in [Strategy::Best, others[(number + self.source.len()) % 4]] {
                    match Filler::with_strategy(&coded, order, values, strategy) {
                        Ok(filler) => self.fill(&coded, &filler, values, met, &expected),
                        Err(JitError::Unsupported(_)) => {}
                        Err(error) => panic!("{error}\n{}", self.source),
                    }
                }
            }
            if coded.numbering.turn.is_none() {
                break;
            }
        }
    }

    fn fill(&self, coded: &Coded, filler: &Filler, values: Values, met: &Met, expected: &[i64]) {
        let mut table = vec![0u64; filler.bytes() / 8 + 2];
        // SAFETY: the same memory, seen as bytes.
        let bytes = unsafe { std::slice::from_raw_parts_mut(table.as_mut_ptr().cast::<u8>(), table.len() * 8) };
        // Positions that play does not reach may be faults; the table is no good then, and nobody uses it.
        if filler.run(bytes, 1, &mut |_| true).is_err() {
            return;
        }
        for (((cells, mover), _), expected) in met.said.iter().zip(expected) {
            let code = coded.code(cells, *mover);
            let found = entry(bytes, values, code as usize);
            let code = || format!("{cells:?}, player {mover}, code {code}, {values:?}, {}", filler.describe());
            assert_eq!(found, *expected, "{}\n{}", code(), self.source);
        }
    }

    /// The numbers of the positions met, each after its options. A position that comes back is a failure.
    fn last_first(&self, met: &Met) -> Vec<usize> {
        let mut sorted = Vec::new();
        let mut colour = vec![0u8; met.said.len()];
        for root in 0..met.said.len() {
            let mut stack = vec![root];
            while let Some(&top) = stack.last() {
                if colour[top] > 0 {
                    stack.pop();
                    if colour[top] == 1 {
                        colour[top] = 2;
                        sorted.push(top);
                    }
                    continue;
                }
                colour[top] = 1;
                let Said::Options(steps) = &met.said[top].1 else { continue };
                for to in steps.iter().flat_map(|step| &step.to).filter_map(|to| met.number.get(to)) {
                    assert!(colour[*to] != 1, "{:?} comes back\n{}", met.said[*to].0, self.source);
                    stack.push(*to);
                }
            }
        }
        sorted
    }

    /// The values of all positions met; `None` where one does not fit.
    fn values(&self, values: Values, met: &Met, last_first: &[usize]) -> Option<Vec<i64>> {
        let mut found = vec![0i64; met.said.len()];
        let big = i64::MAX >> (64 - 8 * values.width());
        let gains = if self.bound.program.counted { Gains::Difference } else { Gains::Outcome };
        for &number in last_first {
            let ((_, mover), said) = &met.said[number];
            found[number] = match (said, values) {
                (Said::Fault, _) => return None,
                (Said::End(_), Values::Nimber { .. }) => 0,
                (Said::End(end), _) => {
                    let worth = self.worth(gains, *mover, end)?[0];
                    match values {
                        Values::Win => i64::from(worth > 0),
                        Values::Remoteness { .. } => worth * big,
                        _ => worth,
                    }
                }
                (Said::Options(steps), Values::Nimber { .. }) => {
                    let nimber = |step: &Step| step.to.iter().fold(0, |all, to| all ^ found[met.number[to]]);
                    let taken: Vec<i64> = steps.iter().map(nimber).collect();
                    (0..).find(|nimber| !taken.contains(nimber))?
                }
                (Said::Options(steps), _) => {
                    let mut best = i64::MIN;
                    for step in steps {
                        let (value, same) = (found[met.number[&step.to[0]]], step.turn == *mover);
                        best = best.max(match values {
                            Values::Win => i64::from((value == 1) == same),
                            Values::Remoteness { .. } => one_more(value, same, big),
                            Values::Score { .. } => {
                                let gain = self.kept(gains, *mover, &step.gains)?[0];
                                gain.checked_add(if same { value } else { value.checked_neg()? })?
                            }
                            _ if same => value,
                            _ => -value,
                        });
                    }
                    best
                }
            };
        }
        Some(found)
    }
}

fn sign(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

/// The key of an outcome with its remoteness, one move before.
fn one_more(value: i64, same: bool, big: i64) -> i64 {
    let drawn = value <= 0 && value > -big / 2 - 1;
    match (drawn, value > 0, same) {
        (true, ..) | (_, true, true) => value - 1,
        (_, true, false) => 1 - value,
        (_, false, true) => value + 1,
        (_, false, false) => -1 - value,
    }
}

/// What tables of such a game can hold.
fn kinds(study: &Study, with_turn: bool) -> Vec<Values> {
    let formulas = &study.formulas;
    let splits = formulas.actions.iter().any(|action| action.split.is_some());
    let mut kinds = Vec::new();
    if formulas.counted {
        let widths = [1u8, 2, 4].into_iter();
        let fits = |width: &u8| study.score_bound.is_some_and(|bound| bound < i64::MAX >> (64 - 8 * width));
        kinds.extend(widths.filter(fits).map(|width| Values::Score { width, checked: false }));
        kinds.push(Values::Score { width: 8, checked: true });
    } else if !splits {
        kinds.push(Values::Outcome);
        let longest = study.order.as_ref().ok().and_then(|order| order.longest);
        let widths = [(1, 62), (2, 16_382)].into_iter().filter(|(_, most)| longest.is_some_and(|moves| moves <= *most));
        kinds.extend(widths.map(|(width, _)| Values::Remoteness { width }));
        if !extremes::has_draws(formulas) {
            kinds.push(Values::Win);
        }
    }
    if !with_turn && !formulas.counted {
        kinds.push(Values::Nimber { width: 2 });
    }
    kinds
}

/// An entry of a filled table.
fn entry(table: &[u8], values: Values, code: usize) -> i64 {
    let width = values.width();
    let mut bytes = [0; 8];
    bytes[..width].copy_from_slice(&table[code * width..][..width]);
    let number = i64::from_le_bytes(bytes);
    match values {
        Values::Nimber { .. } => number,
        _ => number << (64 - 8 * width) >> (64 - 8 * width),
    }
}
