//! Hands the entries of arguments to the checker, out of the answers of a method, and writes them down.

use std::io::Write;

use engine::monitor::Monitor;
use game::{LoopyNimber, Player, Verdict};
use rules::bind::Position;
use rules::play::{self, Play};
use rules::stop::Held;
use verify::Refusal;
use verify::entries::{Entries, Label, LoopyLabel};
use verify::forms::{Form, Forms};
use verify::monoid::{Monoid, Transition};
use verify::places::{self, Places};
use verify::sparse::{Known, Pair};
use verify::stoppers::{self, Duel, Step};

use super::Unwritten;
use super::duels::Answers;
use super::forced::Forced;
use super::form_source::FormSource;
use super::packer::Packer;
use super::quotients::{self, Found, Sums};
use solve::error::SolveError;
use solve::solved::Solved;

/// How many best moves are looked at for one that leads to a position that the argument has already.
const MOST_CHOICES: usize = 256;

/// Writes down the entries of one argument.
pub struct Recorder<'r, 'b, W> {
    pub solved: &'r Solved<'b>,
    pub packer: &'r mut Packer<W>,
    pub monitor: &'r mut Monitor,
    /// Whether a strategy must make headway, since positions may repeat and endless play is not good enough.
    pub hurries: bool,
    /// How near an end is that must be forced.
    pub forced: Option<Forced<'b>>,
    /// Where forms of partizan games come from.
    pub forms: Option<FormSource>,
    /// The name of the value of the position, where that is claimed.
    pub name: Option<String>,
    /// The answers in the duel that is recorded.
    duel: Option<Answers>,
    /// The sums of parts of a misère quotient.
    sums: Option<Sums>,
    /// How many numbers may still be written.
    pub room: u64,
    /// Why it could not go on.
    pub trouble: Option<Unwritten>,
}

impl<'r, 'b, W: Write> Recorder<'r, 'b, W> {
    /// Writes to a packer, as much as need be.
    pub fn new(solved: &'r Solved<'b>, packer: &'r mut Packer<W>, monitor: &'r mut Monitor) -> Recorder<'r, 'b, W> {
        Recorder {
            solved,
            packer,
            monitor,
            hurries: false,
            forced: None,
            forms: None,
            name: None,
            duel: None,
            sums: None,
            room: u64::MAX,
            trouble: None,
        }
    }

    fn solved_by<T>(&mut self, result: Result<T, SolveError>) -> Result<T, Refusal> {
        result.map_err(|error| {
            self.trouble = Some(Unwritten::Solve(error));
            Refusal::Unwritten
        })
    }

    fn write(&mut self, number: u64) -> Result<(), Refusal> {
        match self.room.checked_sub(1) {
            Some(room) => self.room = room,
            None => return self.solved_by(Err(SolveError::NotApplicable("it would be too large".to_string()))),
        }
        let written = self.packer.number(number);
        self.file(written)
    }

    fn file(&mut self, written: std::io::Result<()>) -> Result<(), Refusal> {
        written.map_err(|error| {
            self.trouble = Some(Unwritten::File(error));
            Refusal::Unwritten
        })
    }

    fn verdict(&mut self, position: &Position) -> Result<Verdict, Refusal> {
        let verdict = self.solved.verdict(position);
        self.solved_by(verdict.ok_or_else(|| self.solved.answers.missing(self.solved.bound, position)))
    }

    fn missing<T>(&mut self, what: &str) -> Result<T, Refusal> {
        self.solved_by(Err(SolveError::internal(format!("a certificate needs {what}"))))
    }

    /// The moves that a strategy may make, best first.
    fn candidates(&mut self, position: &Position) -> Result<Vec<Play>, Refusal> {
        let solved = self.solved;
        if let Some(forced) = &mut self.forced {
            let mut best: Option<(u32, Play)> = None;
            for play in play::plays(solved.bound, position)? {
                let Some(rank) = forced.rank(&play.option(position))? else { continue };
                if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                    best = Some((rank, play));
                }
            }
            return Ok(best.into_iter().map(|(_, play)| play).collect());
        }
        let by_rank =
            position.parts.iter().any(|part| solved.answers.part(part).is_some_and(|part| part.rank.is_some()));
        if by_rank {
            let choice = solved.choice(position);
            return Ok(self.solved_by(choice)?.into_iter().collect());
        }
        let most = if solved.answers.proves_on_demand() { 1 } else { MOST_CHOICES };
        let best = solved.best_moves(position, most);
        let best = self.solved_by(best)?;
        Ok(match self.hurries && !best.fast.is_empty() {
            true => best.fast,
            false => best.best,
        })
    }
}

impl<W: Write> Entries for Recorder<'_, '_, W> {
    fn nothing(&mut self) -> Result<(), Refusal> {
        self.write(0)
    }

    fn choice(&mut self, places: &mut Places<'_>, found: &places::Found) -> Result<u64, Refusal> {
        let Some(position) = &found.position else { return self.missing("a position") };
        let mut chosen = None;
        for play in self.candidates(position)? {
            let key = places.key_of(&play.option(position))?;
            let same =
                |mv: &usize| found.key(*mv) == key && (found.gains(*mv).is_empty() || found.gains(*mv) == play.gains);
            let Some(mv) = (0..found.moves()).find(same) else { continue };
            if !self.hurries && places.knows(found, mv) {
                chosen = Some(mv);
                break;
            }
            chosen = chosen.or(Some(mv));
        }
        let Some(mv) = chosen else { return self.missing("a best move") };
        self.write(mv as u64 + 1)?;
        Ok(mv as u64)
    }

    fn label(&mut self, position: &Position) -> Result<Label, Refusal> {
        let verdict = self.verdict(position)?;
        let Some(outcome) = verdict.outcome() else { return self.missing("an outcome") };
        let label = Label { outcome, remoteness: verdict.remoteness() };
        self.write(label.code())?;
        Ok(label)
    }

    fn totals(&mut self, position: &Position, _: &[i64]) -> Result<Box<[i64]>, Refusal> {
        let Verdict::Payoffs { totals, .. } = self.verdict(position)? else { return self.missing("totals") };
        for total in &totals {
            let written = self.packer.signed(*total);
            self.file(written)?;
        }
        Ok(totals)
    }

    fn nimber(&mut self, part: &[i64]) -> Result<u64, Refusal> {
        let known = self.solved.answers.part(part).and_then(|part| part.value.nimber());
        let nimber = match known {
            Some(nimber) => Some(nimber),
            None => {
                let position = |turn: Player| Position { parts: vec![part.into()], turn };
                let turn = self.solved.start.turn;
                // Where both players have the same moves, a position may have been met for one of them only.
                let verdict = |turn| self.solved.verdict(&position(turn)).and_then(|verdict| verdict.nimber());
                verdict(turn).or_else(|| verdict(turn.other()))
            }
        };
        let Some(nimber) = nimber else { return self.missing("a nimber") };
        self.write(nimber)?;
        Ok(nimber)
    }

    fn pair(&mut self, heap: u64, number: u64, known: &Known) -> Result<Pair, Refusal> {
        let splits = known.splits().len();
        let pairs = (0..=heap).flat_map(|first| (0..splits).map(move |split| Pair { split, first }));
        let Some(pair) = pairs.into_iter().find(|pair| known.of_pair(heap, *pair) == Some(number)) else {
            return self.missing("a pair of heaps");
        };
        self.write(pair.first * splits as u64 + pair.split as u64)?;
        Ok(pair)
    }

    fn loopy(&mut self, part: &[i64]) -> Result<LoopyLabel, Refusal> {
        let Some(value) = self.solved.answers.part(part) else { return self.missing("a loopy nimber") };
        let rank = match value.value {
            LoopyNimber::Finite(_) => u64::from(value.rank.unwrap_or(0)),
            LoopyNimber::Infinite(_) => 0,
        };
        match &value.value {
            LoopyNimber::Finite(nimber) => {
                self.write(0)?;
                self.write(*nimber)?;
                self.write(rank)?;
            }
            LoopyNimber::Infinite(set) => {
                self.write(1)?;
                self.write(set.as_slice().len() as u64)?;
                for nimber in set.as_slice() {
                    self.write(*nimber)?;
                }
            }
        }
        Ok(LoopyLabel { value: value.value, rank })
    }

    fn form(&mut self, options: [&[Form]; 2], forms: &mut Forms) -> Result<Form, Refusal> {
        let Some(source) = &mut self.forms else { return self.missing("forms") };
        let (form, numbers) = match source.form(options, forms) {
            Ok(found) => found,
            Err(error) => return self.solved_by(Err(error)),
        };
        for number in numbers {
            self.write(number)?;
        }
        Ok(form)
    }

    fn quotient(&mut self, parts: &[Vec<u32>]) -> Result<(Vec<u32>, Monoid), Refusal> {
        let Some(Found { elements, lost, actions }) = quotients::find(parts)? else {
            return self.solved_by(Err(SolveError::NotApplicable("no finite quotient was found".to_string())));
        };
        self.write(lost.len() as u64)?;
        elements.iter().try_for_each(|element| self.write(u64::from(*element)))?;
        lost.iter().try_for_each(|lost| self.write(u64::from(*lost)))?;
        actions.iter().flat_map(|(_, row)| row).try_for_each(|element| self.write(u64::from(*element)))?;
        Ok((elements, Monoid::new(lost, &actions)?))
    }

    fn transitions(
        &mut self,
        (monoid, parts): (&Monoid, &[Transition]),
        held: &mut Held,
    ) -> Result<Vec<Transition>, Refusal> {
        let Some(sums) = Sums::new(monoid, parts, held)? else {
            return self.solved_by(Err(SolveError::NotApplicable("there are too many sums".to_string())));
        };
        let all = sums.all();
        self.write(all.len() as u64)?;
        for Transition { element, wins } in &all {
            self.write(u64::from(*element))?;
            wins.words().iter().try_for_each(|word| self.write(*word))?;
        }
        self.sums = Some(sums);
        Ok(all)
    }

    fn below(&mut self, wanted: &Transition) -> Result<u64, Refusal> {
        let Some(number) = self.sums.as_ref().and_then(|sums| sums.below(wanted)) else {
            return self.missing("a sum");
        };
        self.write(number)?;
        Ok(number)
    }

    fn duel(&mut self, duel: &Duel<'_>) -> Result<(), Refusal> {
        self.duel = None;
        self.duel = match Answers::new(duel)? {
            None => return self.solved_by(Err(SolveError::NotApplicable("there are too many pairs".to_string()))),
            found => found,
        };
        Ok(())
    }

    fn rank(&mut self, pair: stoppers::Pair) -> Result<u64, Refusal> {
        let rank = self.duel.as_ref().and_then(|duel| duel.rank(pair));
        let Some(rank) = rank else { return self.missing("a rank") };
        self.write(rank.into())?;
        Ok(rank.into())
    }

    fn answer(&mut self, step: Step) -> Result<u64, Refusal> {
        let answer = self.duel.as_ref().and_then(|duel| duel.answer(step));
        let Some(answer) = answer else { return self.missing("an answer") };
        self.write(answer.into())?;
        Ok(answer.into())
    }

    fn name(&mut self) -> Result<String, Refusal> {
        let Some(name) = self.name.clone() else { return self.missing("a name") };
        let written = self.packer.text(&name);
        self.file(written)?;
        Ok(name)
    }

    fn passed(&mut self, entries: u64) -> Result<(), Refusal> {
        let ticked = self.monitor.tick(entries, 0);
        self.solved_by(ticked.map_err(SolveError::from))
    }
}
