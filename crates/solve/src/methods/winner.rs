//! `winner`: who wins a game in which the players' moves differ, and with which moves, without its value. For sums of many hot
//! parts, and for parts whose canonical forms outgrow memory: a search over the parts, which values those that are small.

use std::cell::RefCell;
use std::rc::Rc;

use boards::Contest;
use boards::contest::Source;
use boards::descent::{Options, Part, PartGraph};
use boards::groups::valuer::{Cut, Grouping};
use boards::valuer::Board;
use engine::Error;
use engine::interner::Id;
use engine::monitor::Monitor;
use game::{Outcome, OutcomeClass, Player, Verdict};
use rules::bind::{Bound, Position};
use rules::play::{self, Play};
use shapes::local::Local;

use super::by_values::{random_play, unvalued};
use super::values::RulesParts;
use crate::answers::{Answers, BestMoves, Positions, Proof, RatedMove, unknown};
use crate::case::Case;
use crate::error::{Reason, SolveError};
use crate::facts::{self, Fact};
use crate::methods::{Code, Found, GivenUp, Look, Method, Prepared, Prospect, Report, Unit};
use crate::options::MethodName;
use crate::part_values::side_of;
use positions::audit::Proved;
use positions::declared::Declared;
use positions::oracle::Keeps;

/// Its name.
const NAME: MethodName = MethodName::new("winner");

/// The method.
pub(super) struct ByContest;

impl Method for ByContest {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "Who wins a sum of parts, without its value"
    }

    fn recognise<'b>(&self, case: &Case<'b>, _: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let facts = &case.facts;
        if !facts.partizan {
            return Ok(Look::no("it is for games that the last mover wins and whose moves belong to players"));
        }
        if facts::changes_turn(&case.bound.program) {
            return Ok(Look::no("turns do not alternate"));
        }
        if let Some(reason) = case.gave_up_with(NAME) {
            return Ok(Look::no(format!("it gave up: {reason}")));
        }
        let too_large = case.given_up().find_map(|(_, reason)| match reason {
            Reason::TooLarge(why) => Some(why.clone()),
            _ => None,
        });
        if too_large.is_none() && case.options.method.is_none() {
            return Ok(Look::no("canonical forms tell more, and have not outgrown memory"));
        }
        let why = too_large.unwrap_or_default() + ": who wins is found by a search over the parts";
        let code = Code::Kernel("parts are valued once they are small".to_string());
        let proved = case.proved(case.study().ok().as_deref());
        let prepared = WinnerPlan { bound: case.bound, start: case.start.clone(), source: origin(case), proved };
        Ok(Look::yes(Prospect { unit: Unit::Part, ..Prospect::new(why, code, prepared) }))
    }
}

/// Where parts come from.
enum Origin {
    /// The rules split them.
    Rules,
    /// Local moves on a board.
    Local(Rc<Local>),
    /// Groups of variables.
    Groups(Rc<Cut>),
}

fn origin(case: &Case<'_>) -> Origin {
    if case.facts.sum.holds {
        return Origin::Rules;
    }
    if let Ok(local) = case.local() {
        return Origin::Local(local);
    }
    match case.cut() {
        Ok(cut) => Origin::Groups(cut),
        // The whole position is one part.
        Err(_) => Origin::Rules,
    }
}

struct WinnerPlan<'b> {
    bound: &'b Bound,
    start: Position,
    source: Origin,
    /// What the file declares that is proved from the rules.
    proved: Proved,
}

impl<'b> Prepared<'b> for WinnerPlan<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let memory = monitor.memory().clone();
        let cells = self.start.parts.first().map_or(&[][..], |cells| cells);
        match &self.source {
            Origin::Rules => self.contest(RulesParts::new(self.bound, monitor)?, None, monitor),
            Origin::Local(local) => {
                let declared = self.declared().check(&self.start, monitor)?;
                let start = local.position(cells).ok_or_else(|| SolveError::internal("a board without cells"))?;
                let board = match Board::new(local.game.clone(), &local.motions, &start, &memory) {
                    Ok(board) => board,
                    Err(error) => return Err(given_up(error)),
                };
                self.contest(LocalParts { board, local: Rc::clone(local) }, declared, monitor)
            }
            Origin::Groups(cut) => {
                let declared = self.declared().check(&self.start, monitor)?;
                self.contest(Grouping::new((**cut).clone(), &memory), declared, monitor)
            }
        }
    }
}

fn given_up(error: Error) -> GivenUp {
    unvalued(error, false, "a part comes back")
}

impl<'b> WinnerPlan<'b> {
    fn declared(&self) -> Declared<'static, 'b> {
        Declared { bound: self.bound, codec: None, proved: self.proved, keeps: Keeps::Outcome }
    }

    fn contest<S: PartsOf + 'b>(
        &self,
        source: S,
        declared: Option<Fact>,
        monitor: &mut Monitor,
    ) -> Result<Found<'b>, GivenUp> {
        monitor.enter("trying moves");
        let mut contest = Contest::new(source, monitor);
        let mut wins = |player: Player, monitor: &mut Monitor| {
            let parts = contest.source.parts_of(&self.start)?;
            contest.wins(&parts, side_of(player), monitor)
        };
        let (first, second) = match (wins(Player::FIRST, monitor), wins(Player::SECOND, monitor)) {
            (Ok(first), Ok(second)) => (first, second),
            (Err(error), _) | (_, Err(error)) => {
                if let (Error::Interrupted { .. }, Err(why)) = (&error, monitor.look(contest.source.met(), 0)) {
                    return Err(given_up(why));
                }
                return Err(match contest.source.placed(error) {
                    Ok(error) => error.into(),
                    Err(error) => given_up(error),
                });
            }
        };
        let why = "no state of the search came back".to_string();
        let mut report = Report::new(Fact::no(why));
        report.declared = declared;
        report.class = Some(OutcomeClass::new(first, !second));
        let answers = WinnerAnswers {
            bound: self.bound,
            start: self.start.clone(),
            parts: contest.source.met(),
            contest: RefCell::new((contest, monitor.fork())),
        };
        Ok(Found { answers: Box::new(answers), report })
    }
}

/// Positions as parts.
trait PartsOf: Source {
    /// The parts of a position.
    fn parts_of(&mut self, position: &Position) -> Result<Vec<Part>, Error>;

    /// An error in the words of the rules, where it is one of theirs.
    fn placed(&self, error: Error) -> Result<SolveError, Error> {
        Err(error)
    }
}

impl PartsOf for RulesParts<'_> {
    fn parts_of(&mut self, position: &Position) -> Result<Vec<Part>, Error> {
        position.parts.iter().map(|part| self.part(part)).collect()
    }

    fn placed(&self, error: Error) -> Result<SolveError, Error> {
        match error {
            error @ (Error::Fault(_) | Error::Grows(_)) => Ok(self.error(error)),
            error => Err(error),
        }
    }
}

impl PartsOf for Grouping {
    fn parts_of(&mut self, position: &Position) -> Result<Vec<Part>, Error> {
        match &position.parts[..] {
            [cells] => self.parts(cells),
            _ => Err(Error::Internal("a position that is no single part".to_string())),
        }
    }
}

/// A board with the numbers of its values.
struct LocalParts {
    board: Board,
    local: Rc<Local>,
}

impl PartGraph for LocalParts {
    fn expand(&mut self, part: Id, options: &mut Options) -> Result<(), Error> {
        self.board.expand(part, options)
    }

    fn met(&self) -> u64 {
        self.board.met()
    }
}

impl Source for LocalParts {
    fn at_most(&mut self, parts: u64) {
        self.board.at_most(parts);
    }
}

impl PartsOf for LocalParts {
    fn parts_of(&mut self, position: &Position) -> Result<Vec<Part>, Error> {
        let cells = position.parts.first().and_then(|cells| self.local.position(cells));
        let cells = cells.ok_or_else(|| Error::Internal("a position outside its domains".to_string()))?;
        Ok(self.board.parts(&cells)?.into_iter().map(|(_, part)| part).collect())
    }
}

/// Answers by search, as they are asked for.
struct WinnerAnswers<'b, S> {
    bound: &'b Bound,
    start: Position,
    parts: u64,
    contest: RefCell<(Contest<S>, Monitor)>,
}

impl<S: PartsOf> WinnerAnswers<'_, S> {
    fn wins(&self, position: &Position) -> Result<bool, SolveError> {
        let mut contest = self.contest.borrow_mut();
        let (contest, monitor) = &mut *contest;
        let parts = contest.source.parts_of(position)?;
        Ok(contest.wins(&parts, side_of(position.turn), monitor)?)
    }

    fn verdict_of(&self, position: &Position) -> Result<Verdict, SolveError> {
        let outcome = if self.wins(position)? { Outcome::Win } else { Outcome::Loss };
        Ok(Verdict::outcome_in(outcome, None))
    }
}

impl<S: PartsOf> Answers for WinnerAnswers<'_, S> {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.verdict_of(position).ok()
    }

    fn positions(&self) -> u64 {
        self.parts
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Search
    }

    fn knows_lengths(&self) -> bool {
        false
    }

    fn proves_on_demand(&self) -> bool {
        true
    }

    fn may_have_form(&self) -> bool {
        false
    }

    fn rated(&self, game: &Bound, position: &Position, plays: Vec<Play>) -> Result<Vec<RatedMove>, SolveError> {
        let wins = self.wins(position)?;
        let mut rated = Vec::with_capacity(plays.len());
        for play in plays {
            let option = self.verdict_of(&play.option(position))?;
            let mut mv = RatedMove::new(play, &option, position.turn)?;
            mv.best = !wins || option.outcome() == Some(Outcome::Loss);
            rated.push(mv);
        }
        match rated.is_empty() || rated.iter().any(|mv| mv.best) {
            true => Ok(rated),
            false => Err(unknown(game, position)),
        }
    }

    /// Every move of a lost position is best. In a won one, moves are tried until enough are found.
    fn best(&self, game: &Bound, position: &Position, most: usize) -> Result<BestMoves, SolveError> {
        let wins = self.wins(position)?;
        let mut found = BestMoves::default();
        for play in play::plays(game, position)? {
            if wins && self.wins(&play.option(position))? {
                continue;
            }
            if found.best.len() == most {
                found.cut = true;
                break;
            }
            found.best.push(play);
            // One move is enough for a line.
            if most == 1 {
                break;
            }
        }
        Ok(found)
    }

    /// Positions of play: parts alone are no positions of the rules.
    fn each(&self, _: Player) -> Positions<'_> {
        Box::new(std::iter::once(self.start.clone()))
    }

    fn size(&self) -> u64 {
        u64::MAX
    }

    fn random(&self, _: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        random_play(self.bound, &self.start, random)
    }
}
