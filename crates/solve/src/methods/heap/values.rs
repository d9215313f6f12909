//! The values of all heaps of a game, as far as they are needed, and beyond by a proved period.

use std::time::{Duration, Instant};

use game::{Nimber, Outcome, Remoteness};
use heaps::misere::{self, Classes, NoClasses, Rules};
use heaps::subtraction::{self, Nimbers, Outcomes, Remotenesses, Subtraction};
use heaps::take_break::NimSequence;
use heaps::{HeapSequence, Period, Proof};

use engine::memory::Lease;
use engine::monitor::Monitor;
use shapes::heap::{Heap, HeapGame};

use crate::error::{Limit, SolveError};
use crate::stopping::charged;

/// Heaps that are valued between two looks at the clock, at first and at most.
const FIRST_PIECE: u64 = 1 << 10;
const LARGEST_PIECE: u64 = 1 << 24;
/// A piece is to take about so long: one that takes half of it is followed by a larger one, one that takes twice of it by a
/// smaller one.
const PIECE_TIME: Duration = Duration::from_millis(40);
/// Beyond this a period is hoped for, and nobody can tell how long that takes.
const FORESEEN: u64 = 1 << 33;
/// What a heap may take while it is worked out, for the memory limit.
const BYTES_A_HEAP: u64 = 8;
/// Heaps are valued one by one beside a closed form where they are so few, with so few moves.
const FEW_HEAPS: u64 = 1 << 12;
const FEW_MOVES: u64 = 1 << 18;
/// Remoteness is worked out for so many heaps at most, and of larger heaps in the hope of a period among so many.
const MOST_REMOTE: u64 = 1 << 28;
const REMOTE_PERIOD: u64 = 1 << 23;

/// What is known of the heaps.
#[derive(Debug)]
enum Values {
    /// The value of each heap.
    Sequence(HeapSequence),
    /// Misère play of sums.
    Classes(Box<Classes>),
}

/// The values of a heap game.
#[derive(Debug)]
pub(super) struct HeapValues {
    pub heap: Heap,
    values: Values,
    /// How many heaps were valued one by one beside a closed form.
    counted: u64,
    /// How long play lasts, where the position is one heap.
    remoteness: Option<Remotenesses>,
    /// The largest heap that was asked for.
    top: u64,
    /// Charges what the values take for as long as they live.
    _lease: Lease,
}

/// A sequence that grows piece by piece.
trait Grows {
    fn len(&self) -> u64;
    fn bytes(&self) -> u64;
    fn is_periodic(&self) -> bool;
    fn grow(&mut self, upto: u64) -> Result<(), String>;
}

impl Grows for HeapSequence {
    fn len(&self) -> u64 {
        self.len()
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn is_periodic(&self) -> bool {
        self.is_proved()
    }

    fn grow(&mut self, upto: u64) -> Result<(), String> {
        self.extend(upto).map_err(|stuck| stuck.to_string())
    }
}

impl Grows for Remotenesses {
    fn len(&self) -> u64 {
        self.len()
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }

    fn is_periodic(&self) -> bool {
        self.period().is_some()
    }

    fn grow(&mut self, upto: u64) -> Result<(), String> {
        self.extend(upto).map_err(|error| error.to_string())
    }
}

/// Grows a sequence up to a heap, or until a period is proved.
fn grow(sequence: &mut dyn Grows, top: u64, lease: &mut Lease, monitor: &mut Monitor) -> Result<(), SolveError> {
    let before = lease.bytes();
    let mut piece = FIRST_PIECE;
    while sequence.len() <= top && !sequence.is_periodic() {
        let known = sequence.len();
        monitor.look(known, known).map_err(|error| error.after(known))?;
        let upto = known.saturating_add(piece).min(top.saturating_add(1));
        let room = lease.resize(before + (sequence.bytes() + (upto - known) * BYTES_A_HEAP));
        room.map_err(|error| error.after(known))?;
        let begun = Instant::now();
        sequence.grow(upto).map_err(|error| limit(top, known, &error))?;
        if sequence.len() <= known && !sequence.is_periodic() {
            return Err(limit(top, known, "no further heap can be valued"));
        }
        piece = match begun.elapsed() {
            short if short < PIECE_TIME / 2 => (piece * 2).min(LARGEST_PIECE),
            long if long > PIECE_TIME * 2 => (piece / 2).max(1),
            _ => piece,
        };
    }
    Ok(lease.resize(before + sequence.bytes())?)
}

/// Works out the nim-values of all heaps up to `top` from their moves, where that takes no time, and compares them with a
/// closed form: the answer then rests on no theorem on heaps. How many heaps these are.
fn one_by_one(game: &Subtraction, values: &HeapSequence, top: u64) -> Result<u64, SolveError> {
    let ranges = game.takes().len() as u64;
    let widest = game.takes().iter().map(|takes| takes.most.unwrap_or(top).saturating_sub(takes.least)).max();
    let moves = widest.unwrap_or(0).min(top).saturating_add(1).saturating_mul(ranges);
    if top >= FEW_HEAPS || moves.saturating_mul(top) > FEW_MOVES {
        return Ok(0);
    }
    let mut known: Vec<Nimber> = Vec::with_capacity(top as usize + 1);
    let mut seen: Vec<u64> = vec![u64::MAX; top as usize + 2];
    for heap in 0..=top {
        for (low, high) in game.takes().iter().filter_map(|takes| takes.options(heap)) {
            known[low as usize..=high as usize].iter().for_each(|&value| seen[value as usize] = heap);
        }
        let value = seen.iter().position(|&last| last != heap).unwrap_or(0) as Nimber;
        if values.nimber(heap) != Some(value) {
            return Err(SolveError::internal(format!("the closed form is wrong for a heap of {heap}")));
        }
        known.push(value);
    }
    Ok(top + 1)
}

fn limit(heap: u64, known: u64, why: &str) -> SolveError {
    SolveError::Limit { limit: Limit::Heap { heap, why: why.to_string() }, positions: known }
}

/// The classes by which misère sums of heaps up to `top` are decided.
fn classes(game: &HeapGame, top: u64, lease: &mut Lease, monitor: &mut Monitor) -> Result<Classes, SolveError> {
    let rules = match game {
        HeapGame::Shift(game) if Classes::by_nimbers(game) => {
            let wrong = |error: subtraction::SubtractionError| SolveError::NotApplicable(error.to_string());
            let game = Subtraction::new(game.takes().to_vec(), false).map_err(wrong)?;
            let mut sequence = sequence(&HeapGame::Shift(game), false)?;
            if sequence.nimber(top).is_none() {
                grow(&mut sequence, top, lease, monitor)?;
            }
            let found = match sequence {
                HeapSequence::Shift(nimbers) => Classes::of_nimbers(*nimbers),
                _ => None,
            };
            return found.ok_or_else(|| SolveError::internal("nim-values do not decide these heaps"));
        }
        HeapGame::Shift(game) => Rules::Shift(game.clone()),
        HeapGame::Break(game) => Rules::Break(game.clone()),
    };
    monitor.enter("misère classes");
    let mut held = monitor.memory().lease();
    let find = |go_on: &mut dyn FnMut(u64) -> bool| Classes::find(rules, top, misere::Limits::default(), go_on);
    let found = charged(monitor, 0, 0, &mut held, find)?;
    drop(held);
    let classes = found.map_err(|NoClasses { error, heaps }| limit(top, heaps, &error.to_string()))?;
    lease.grow(classes.bytes())?;
    Ok(classes)
}

/// The sequence of a heap game, of which nothing is computed yet.
pub fn sequence(game: &HeapGame, misere: bool) -> Result<HeapSequence, SolveError> {
    let no = |why: String| SolveError::NotApplicable(why);
    Ok(match (game, misere) {
        (HeapGame::Shift(game), true) => HeapSequence::Misere(Box::new(game.clone()), Box::new(Outcomes::new(game))),
        (HeapGame::Shift(game), false) => {
            HeapSequence::Shift(Box::new(Nimbers::new(game).map_err(|error| no(error.to_string()))?))
        }
        (HeapGame::Break(game), false) => {
            HeapSequence::Break(Box::new(NimSequence::new(game.clone()).map_err(|error| no(error.to_string()))?))
        }
        (HeapGame::Break(_), true) => return Err(no("one heap that breaks up has no misère sequence".to_string())),
    })
}

impl HeapValues {
    /// Values heaps up to `top`, for sums of them or for one; then with remoteness, where the game only takes.
    pub fn new(heap: Heap, misere: bool, sum: bool, top: u64, monitor: &mut Monitor) -> Result<HeapValues, SolveError> {
        let mut lease = monitor.memory().lease();
        if top < FORESEEN {
            monitor.enter_expecting("heaps", top + 1);
        } else {
            monitor.enter("heaps");
        }
        let (mut long, mut counted) = (None, 0);
        let values = match &heap.game {
            game if misere && sum => Values::Classes(Box::new(classes(game, top, &mut lease, monitor)?)),
            game => {
                let mut values = sequence(game, misere)?;
                if let Some(most) = values.most().filter(|most| top >= *most) {
                    let why =
                        format!("no theorem gives such heaps a period, and at most {most} heaps are valued one by one");
                    return Err(limit(top, 0, &why));
                }
                match (values.outcome(top), game) {
                    (None, _) => grow(&mut values, top, &mut lease, monitor)?,
                    (Some(_), HeapGame::Shift(game)) if !misere => counted = one_by_one(game, &values, top)?,
                    (Some(_), _) => {}
                }
                if let (HeapGame::Shift(game), false) = (game, sum) {
                    let mut remotenesses = Remotenesses::new(game);
                    let upto = if top <= MOST_REMOTE { top } else { REMOTE_PERIOD };
                    match grow(&mut remotenesses, upto, &mut lease, monitor) {
                        Ok(()) => long = Some(remotenesses),
                        Err(error @ SolveError::Interrupted { .. }) => return Err(error),
                        Err(_) => {}
                    }
                }
                Values::Sequence(values)
            }
        };
        Ok(HeapValues { heap, values, counted, remoteness: long, top, _lease: lease })
    }

    /// The heap that a part is; `None` if it is larger than what was asked for.
    pub fn heap_of(&self, part: &[i64]) -> Option<u64> {
        self.heap.heap(part).filter(|&heap| heap <= self.top)
    }

    /// The nim-value of a heap, in normal play.
    pub fn nimber(&self, heap: u64) -> Option<Nimber> {
        match &self.values {
            Values::Sequence(sequence) => sequence.nimber(heap),
            Values::Classes(_) => None,
        }
    }

    /// The classes of misère sums, where these are played.
    pub fn classes(&self) -> Option<&Classes> {
        match &self.values {
            Values::Classes(classes) => Some(classes),
            _ => None,
        }
    }

    /// Who wins a sum of heaps in misère play.
    pub fn misere_outcome(&self, heaps: &[u64]) -> Option<Outcome> {
        let classes = self.classes()?;
        Some(if classes.is_loss(classes.sum(heaps)?) { Outcome::Loss } else { Outcome::Win })
    }

    /// Who wins one heap.
    pub fn outcome(&self, heap: u64) -> Option<Outcome> {
        match &self.values {
            Values::Sequence(sequence) => sequence.outcome(heap),
            Values::Classes(_) => self.misere_outcome(&[heap]),
        }
    }

    /// How long play of one heap lasts, where that is known and fits.
    pub fn remoteness(&self, heap: u64) -> Remoteness {
        u32::try_from(self.long_remoteness(heap)?).ok()
    }

    /// How long play of one heap lasts, where that is known.
    pub fn long_remoteness(&self, heap: u64) -> Option<u64> {
        self.remoteness.as_ref()?.remoteness(heap)
    }

    /// The moves that win soonest or lose latest, by what they take.
    pub(super) fn soonest(&self, heap: u64) -> Option<Vec<u64>> {
        self.remoteness.as_ref()?.best_moves(heap, 1 << 24)
    }

    /// What must be taken from a heap that only shifts to leave one of this value, and whether that is all.
    pub(super) fn takes_to(&self, heap: u64, nimber: Option<Nimber>, most: usize) -> Option<(Vec<u64>, bool)> {
        let moves = match (&self.values, nimber) {
            (Values::Sequence(HeapSequence::Shift(nimbers)), Some(nimber)) => nimbers.moves_to(heap, nimber, most)?,
            (Values::Sequence(HeapSequence::Misere(_, outcomes)), _) => outcomes.winning_moves(heap, most)?,
            _ => return None,
        };
        Some((moves.takes, moves.complete))
    }

    /// What must be taken from a heap that breaks up, and what is left of it, for a wanted value.
    pub(super) fn breaks_to(&self, heap: u64, nimber: Nimber, most: usize) -> Option<heaps::take_break::Moves> {
        match &self.values {
            Values::Sequence(HeapSequence::Break(sequence)) => sequence.moves_to(heap, nimber, most),
            _ => None,
        }
    }

    /// How many heaps were valued one by one.
    pub fn positions(&self) -> u64 {
        match &self.values {
            Values::Sequence(sequence) => sequence.len().max(self.counted),
            Values::Classes(classes) => classes.len(),
        }
    }

    /// The largest heap of which the table speaks.
    pub fn top(&self) -> u64 {
        self.top
    }

    /// The proved period, with the theorem's name, where one is known.
    pub fn period(&self) -> Option<(Period, &'static str)> {
        match &self.values {
            Values::Sequence(sequence) => sequence.proved(),
            Values::Classes(classes) => match classes.period()? {
                (period, Proof::Theorem(name)) => Some((period, name)),
                (_, Proof::Observed) => None,
            },
        }
    }

    /// How the values were found, in a few words.
    pub fn describe(&self) -> String {
        let method = match &self.values {
            Values::Sequence(sequence) => sequence.method(),
            Values::Classes(classes) => match (classes.nimbers(), classes.quotient()) {
                (Some(nimbers), _) => nimbers.method(),
                (None, Some(_)) => "misère quotient",
                (None, None) => "types of tame heaps",
            },
        };
        match self.period() {
            Some((Period { start, length, saltus: 0 }, _)) => {
                format!("{method}; period {length} from heap {start} on, proved")
            }
            Some((Period { start, length, saltus }, _)) => {
                format!("{method}; {} {saltus}, from heap {start} on, proved", each(length))
            }
            None => method.to_string(),
        }
    }

    /// The theorem by which the values of heaps decide a sum of them.
    pub fn sum_theorem(&self) -> String {
        self.classes().map_or_else(|| "Sprague-Grundy".to_string(), Classes::theorem)
    }

    /// What decides misère sums, for people.
    pub fn findings(&self) -> Vec<(&'static str, String)> {
        let Some(classes) = self.classes() else { return Vec::new() };
        let Some(quotient) = classes.quotient() else {
            let why = match classes.nimbers() {
                Some(_) => {
                    "a heap counts as the nim-heap of its nim-value, in misère play too: only what is taken matters, \
                     not from which heap (Ferguson)"
                }
                None => "all heaps are tame: each counts as a Nim position, of heaps of one at most or of larger ones",
            };
            return vec![("classes", why.to_string())];
        };
        let presentation = quotient.presentation();
        let generators: Vec<String> = presentation.generators.iter().map(|heap| heap.to_string()).collect();
        let (order, lost) = (quotient.order(), quotient.p_types());
        let heaps = generators.join(", ");
        vec![("quotient", format!("order {order}, {lost} lost; {presentation}; generated by the heaps {heaps}"))]
    }

    /// What the answer for a position rests on beyond that theorem, if some heap lies beyond the values computed.
    pub fn theorem(&self, largest: u64) -> Option<String> {
        if largest < self.positions() {
            return None;
        }
        let (Period { start, length, saltus }, name) = self.period()?;
        Some(match saltus {
            0 => format!("{name}: period {length} from heap {start} on"),
            _ => format!("{name}: {} {saltus}, from heap {start} on", each(length)),
        })
    }
}
/// `every 12 heaps add`, `every heap adds`.
fn each(length: u64) -> String {
    if length == 1 { "every heap adds".to_string() } else { format!("every {length} heaps add") }
}
