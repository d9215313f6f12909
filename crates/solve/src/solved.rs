//! A solved game: verdicts, rated moves, ends.

use game::{End, LoopyNimber, Nimber, Outcome, OutcomeClass, Player, Remoteness};
use rules::bind::{Bound, Position};
use rules::show;

use crate::error::SolveError;
use crate::loopy::rest::Rests;
use crate::plan::Plan;
use crate::play::{self, Play};
use crate::positions::Worth as Keeps;
use crate::properties::Fact;
use crate::table::{HeapShape, Table};
use crate::verdict::{RatedMove, Verdict, Worth};

/// A solved game: every position that can be reached from the start has a verdict.
pub struct Solved<'b> {
    /// The game.
    pub bound: &'b Bound,
    /// How it was solved.
    pub plan: Plan,
    /// The position that was asked about.
    pub start: Position,
    /// Who wins whoever starts, where the game has that.
    pub class: Option<OutcomeClass>,
    /// Why it is not known who wins whoever starts, where the question was asked.
    pub class_missing: Option<String>,
    /// Whether positions repeat, as found by the search.
    pub cyclic: Fact,
    /// Whether all gains add up to the same total, where that was looked at.
    pub constant_total: Option<Fact>,
    /// What the file declares of its positions, and where that was checked.
    pub declared: Option<Fact>,
    /// How many positions were met (parts, where the parts were solved).
    pub positions: u64,
    pub(crate) table: Table<'b>,
}

impl Solved<'_> {
    /// What is known of a position; `None` if it cannot be reached from the start.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.table.verdict(position)
    }

    /// How the game ends here by an `end` rule or because nobody can move; `None` where it goes on.
    pub fn end(&self, position: &Position) -> Result<Option<End>, SolveError> {
        play::end(self.bound, position)
    }

    /// Every legal move of a position that was met, in order, rated for the player to move.
    pub fn moves(&self, position: &Position) -> Result<Vec<RatedMove>, SolveError> {
        let rated = match &self.table {
            Table::Rows(table) => Some(table.moves(self.bound, position)?),
            Table::Triangle(table) => Some(table.moves(self.bound, position)?),
            _ => None,
        };
        if let Some(rated) = rated {
            let plain =
                |(play, worth)| RatedMove { play, worth, nimber: None, infinite: None, best: false, fast: false };
            return Ok(compared(rated.into_iter().map(plain).collect(), position.turn, None));
        }
        self.rated(position, play::plays(self.bound, position)?)
    }

    /// Legal moves of a position that was met, a best one among them, rated for the player to move.
    pub(crate) fn rated(&self, position: &Position, plays: Vec<Play>) -> Result<Vec<RatedMove>, SolveError> {
        let verdict = self.verdict(position).ok_or_else(|| unknown(self.bound, position))?;
        let mover = position.turn;
        let rests = match &verdict {
            Verdict::Loopy(_) => Some(self.rests(position)?),
            _ => None,
        };
        let beside = match &self.table {
            Table::Quotient(table) => table.beside(position).map(|beside| (table, beside)),
            _ => None,
        };
        let mut rated = Vec::new();
        for play in plays {
            let option = match (&rests, &beside) {
                (Some(rests), _) => self.loopy_after(rests, &play)?,
                (None, Some((table, beside))) => table
                    .verdict_after(beside[play.part], &play.into)
                    .ok_or_else(|| unknown(self.bound, &play.option(position)))?,
                (None, None) => self.verdict_after(position, &verdict, &play)?,
            };
            let worth = worth(&play, &option, mover)?;
            let (nimber, infinite) = (option.nimber(), option.infinite().cloned());
            rated.push(RatedMove { play, worth, nimber, infinite, best: false, fast: false });
        }
        Ok(compared(rated, mover, verdict.remoteness()))
    }

    /// The verdict on the option of a move. In a sum of nimbers only the part that changes is looked at.
    fn verdict_after(&self, position: &Position, verdict: &Verdict, play: &Play) -> Result<Verdict, SolveError> {
        if let (true, Verdict::Nimber(nimber)) = (self.by_parts(), verdict) {
            let before = self.part_nimber(&position.parts[play.part])?;
            let after = play.into.iter().try_fold(0, |sum, part| self.part_nimber(part).map(|n| sum ^ n))?;
            return Ok(Verdict::Nimber(nimber ^ before ^ after));
        }
        let option = play.option(position);
        self.verdict(&option).ok_or_else(|| unknown(self.bound, &option))
    }

    /// The Grundy number of one part, where the parts were solved one by one.
    pub(crate) fn part_nimber(&self, part: &[i64]) -> Result<Nimber, SolveError> {
        let known = self.table.part_nimber(part);
        known.ok_or_else(|| SolveError::Internal("a part has no Grundy number".to_string()))
    }

    /// The loopy nimber of one part and its rank, where the parts were solved so.
    pub(crate) fn part_value(&self, part: &[i64]) -> Result<(LoopyNimber, u32), SolveError> {
        let known = self.table.part_value(part);
        known.ok_or_else(|| SolveError::Internal("a part has no loopy nimber".to_string()))
    }

    /// The loopy nimbers of a position's parts.
    fn rests(&self, position: &Position) -> Result<Rests, SolveError> {
        let values = position.parts.iter().map(|part| self.part_value(part).map(|(value, _)| value));
        Ok(Rests::new(values.collect::<Result<_, _>>()?))
    }

    /// The verdict on the option of a move in a sum of loopy nimbers.
    fn loopy_after(&self, rests: &Rests, play: &Play) -> Result<Verdict, SolveError> {
        let mut value = rests.beside(play.part);
        for part in &play.into {
            value = &value + &self.part_value(part)?.0;
        }
        Ok(Verdict::Loopy(value))
    }

    /// How long one heap lasts, also where that does not fit in 32 bits.
    pub(crate) fn heap_remoteness(&self) -> Option<u64> {
        let Table::Heaps(table, HeapShape { sum: false, .. }) = &self.table else { return None };
        table.long_remoteness(table.heap(self.start.parts.first()?)?)
    }

    /// What an answer on heaps rests on.
    pub(crate) fn heap_proof(&self) -> String {
        let Table::Heaps(table, shape) = &self.table else { return "table".to_string() };
        let largest = self.start.parts.iter().filter_map(|part| table.heap(part)).max().unwrap_or(0);
        match (table.theorem(largest), shape.sum) {
            (Some(theorem), true) => format!("theorem: {}; {theorem}", table.sum_theorem()),
            (Some(theorem), false) => format!("theorem: {theorem}"),
            (None, true) => format!("theorem: {}", table.sum_theorem()),
            (None, false) => "table".to_string(),
        }
    }

    /// The order of the misère quotient, where there is one.
    pub(crate) fn quotient_order(&self) -> Option<usize> {
        match &self.table {
            Table::Quotient(table) => Some(table.order()),
            _ => None,
        }
    }

    /// What a player is ahead from a position of rows on, also where that does not fit in 64 bits.
    pub(crate) fn wide_value(&self, position: &Position) -> Option<i128> {
        match &self.table {
            Table::Rows(table) => table.value(position),
            Table::Triangle(table) => table.value(position),
            _ => None,
        }
    }

    /// How many positions the table answers for.
    pub(crate) fn size(&self) -> u64 {
        self.table.size()
    }

    /// Whether the table tells who wins, but never how soon.
    pub(crate) fn knows_no_lengths(&self) -> bool {
        match &self.table {
            Table::Quotient(_) => true,
            Table::Heaps(table, _) => table.classes().is_some(),
            _ => false,
        }
    }

    /// The number of a position in the table, see [`Table::number`].
    pub(crate) fn number(&self, position: &Position) -> Option<u64> {
        self.table.number(position)
    }

    /// All positions with a value (parts, where the parts were solved one by one), in no particular order.
    pub fn each_position(&self) -> impl Iterator<Item = Position> + '_ {
        self.table.each(self.start.turn)
    }

    /// One of them, chosen by a source of random numbers; `None` if none was found.
    pub fn random_position(&self, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        self.table.random(self.start.turn, random)
    }

    /// Whether the parts of a sum were solved one by one.
    pub(crate) fn by_parts(&self) -> bool {
        self.table.by_parts()
    }
}

fn unknown(bound: &Bound, position: &Position) -> SolveError {
    SolveError::Internal(format!("the position {} has no value", show::position_text(bound, position)))
}

/// Marks the best moves, and those of them that attain the remoteness.
fn compared(mut rated: Vec<RatedMove>, mover: Player, wanted: Remoteness) -> Vec<RatedMove> {
    let best = rated.iter().map(|mv| &mv.worth).max_by(|a, b| preference(a, b, mover)).cloned();
    let Some(best) = best else { return rated };
    for mv in &mut rated {
        mv.best = mv.worth.keeps(&best, mover);
        mv.fast = match (&mv.worth, wanted) {
            (Worth::Outcome(_, remoteness), Some(wanted)) => mv.best && *remoteness == Some(wanted),
            _ => false,
        };
    }
    rated
}

/// Which of two moves the mover likes better; the speed does not count.
fn preference(a: &Worth, b: &Worth, mover: Player) -> std::cmp::Ordering {
    match (a, b) {
        (Worth::Outcome(a, _), Worth::Outcome(b, _)) => a.cmp(b),
        (Worth::Score(a), Worth::Score(b)) => a.cmp(b),
        (Worth::Payoffs(a), Worth::Payoffs(b)) => a[mover.index()].cmp(&b[mover.index()]),
        _ => std::cmp::Ordering::Equal,
    }
}

/// What a move is worth to the mover, from the verdict on its option.
fn worth(play: &Play, option: &Verdict, mover: Player) -> Result<Worth, SolveError> {
    let same = play.turn == mover;
    Ok(match option {
        Verdict::Score(value) => {
            let gain = Keeps::Score.gain(&play.gains, mover)?;
            let value = if same { Some(*value) } else { value.checked_neg() };
            Worth::Score(value.and_then(|value| gain.checked_add(value)).ok_or(SolveError::Overflow)?)
        }
        Verdict::Payoffs { totals, .. } => {
            let add = |(player, total): (usize, &i64)| {
                play.gains.get(player).copied().unwrap_or(0).checked_add(*total).ok_or(SolveError::Overflow)
            };
            Worth::Payoffs(totals.iter().enumerate().map(add).collect::<Result<_, _>>()?)
        }
        verdict => {
            let outcome = verdict.outcome().unwrap_or(Outcome::Draw);
            let remoteness = verdict.remoteness().map(|moves| moves + 1);
            Worth::Outcome(if same { outcome } else { -outcome }, remoteness)
        }
    })
}
