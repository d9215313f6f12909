//! Values of positions of one game, as they are asked for, beside an answer that was found in another way.
//!
//! They come from the parts of the board where moves are local, else from groups of variables that no move ties together,
//! else from the rules as they stand.

use boards::groups::Groups;
use boards::{Valuer, valuer};
use engine::Error;
use engine::monitor::Monitor;
use rules::bind::{Bound, Position};
use shapes::local::Local;
use values::{Arena, Value};

use crate::case::Decomposition;
use crate::error::{GivenUp, Reason, SolveError};
use crate::methods::RulesForms;
use crate::part_values::{PartValuer, Place, SharedArena, ValuedPart};

/// How much the values of a game may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    /// Parts of a board.
    pub parts: u64,
    /// Positions that the interpreter looks at.
    pub positions: u64,
    /// Steps of the interpreter.
    pub steps: u64,
}

impl Most {
    /// As much as the limits of the solve allow.
    pub const ALL: Most = Most { parts: u64::MAX, positions: u64::MAX, steps: u64::MAX };
}

/// What the valuer of a board is asked about a position.
type Question<T> = fn(&mut Valuer<SharedArena>, &[u8], &mut Monitor) -> Result<T, Error>;

/// The values of one game in an arena.
pub(crate) struct GameValuer<'b> {
    bound: &'b Bound,
    decomposition: Decomposition,
    most: Most,
    /// Whether any position may be asked for, not only those that play can reach from the first one.
    anywhere: bool,
    arena: SharedArena,
    board: Option<Valuer<SharedArena>>,
    groups: Option<Groups<SharedArena>>,
    rules: Option<RulesForms<'b, SharedArena>>,
}

impl<'b> GameValuer<'b> {
    /// Nothing is valued yet.
    pub fn new(bound: &'b Bound, decomposition: Decomposition, arena: &SharedArena, most: Most) -> GameValuer<'b> {
        let (board, groups, rules) = (None, None, None);
        GameValuer { bound, decomposition, most, anywhere: false, arena: arena.clone(), board, groups, rules }
    }

    /// Ready for all positions, not only for those that play can reach from the first one.
    pub fn anywhere(self) -> GameValuer<'b> {
        GameValuer { anywhere: true, ..self }
    }

    /// How many parts were valued.
    pub fn met(&self) -> u64 {
        let board = self.board.as_ref().map_or(0, Valuer::distinct);
        let groups = self.groups.as_ref().map_or(0, Groups::distinct);
        board + groups + self.rules.as_ref().map_or(0, RulesForms::met)
    }

    /// Asks the valuer of boards of local moves; `None` where another way must do.
    fn on_board<T>(
        &mut self,
        position: &Position,
        monitor: &mut Monitor,
        ask: Question<T>,
    ) -> Result<Option<T>, GivenUp> {
        let (Some(local), [cells]) = (self.decomposition.local.clone(), &position.parts[..]) else { return Ok(None) };
        let Some(cells) = local.position(cells) else { return Ok(None) };
        let mut valuer = match self.board.take().map_or_else(|| self.valuer(&local, &cells, monitor), Ok) {
            Ok(valuer) => valuer,
            Err(error) => {
                self.decomposition.local = None;
                return self.otherwise(error, 0);
            }
        };
        let asked = ask(&mut valuer, &cells, monitor);
        let met = valuer.distinct();
        self.board = Some(valuer);
        match asked {
            Ok(answer) => Ok(Some(answer)),
            Err(error) => {
                // Where all positions are asked for, another one may do well.
                if !self.anywhere {
                    self.decomposition.local = None;
                }
                self.otherwise(error, met)
            }
        }
    }

    /// A valuer of boards of local moves.
    fn valuer(&self, local: &Local, start: &[u8], monitor: &Monitor) -> Result<Valuer<SharedArena>, Error> {
        let (game, motions, arena) = (local.game.clone(), local.motions.clone(), self.arena.clone());
        let mut valuer = match self.anywhere {
            true => Valuer::for_all(game, motions, arena, monitor.memory()),
            false => Valuer::new(game, motions, start, arena, monitor.memory()),
        }?;
        valuer.at_most(self.most.parts);
        Ok(valuer)
    }

    /// The groups of variables; `None` where the rules as they stand must do.
    fn in_groups(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Option<Vec<ValuedPart>>, GivenUp> {
        let (Some(cut), [cells]) = (self.decomposition.groups.clone(), &position.parts[..]) else { return Ok(None) };
        let mut groups = self.groups.take().unwrap_or_else(|| {
            let mut groups = Groups::new((*cut).clone(), self.arena.clone(), monitor.memory());
            groups.at_most(self.most.parts);
            groups
        });
        let valued = groups.groups(cells, monitor);
        let met = groups.distinct();
        self.groups = Some(groups);
        match valued {
            Ok(groups) => Ok(Some(placed(groups.into_iter().map(|group| (group.cells, group.value)).collect()))),
            Err(error) => {
                if !self.anywhere {
                    self.decomposition.groups = None;
                }
                self.otherwise(error, met)
            }
        }
    }

    /// More was looked at than is allowed.
    fn spent(&self) -> GivenUp {
        GivenUp::Because(Reason::Dear(SolveError::Dear { positions: self.met() }))
    }

    /// What to do where a way does not do: the rules may, and say which positions repeat; but not where the parts were too
    /// many, since they would take longer still.
    fn otherwise<T>(&self, error: Error, met: u64) -> Result<Option<T>, GivenUp> {
        match error {
            Error::NotApplicable(_) if met >= self.most.parts => Err(self.spent()),
            Error::Cycle(_) | Error::NotApplicable(_) => Ok(None),
            error => Err(GivenUp::from(error)),
        }
    }
}

/// Parts with their cells.
fn placed(parts: valuer::Valued<Value>) -> Vec<ValuedPart> {
    parts.into_iter().map(|(cells, value)| ValuedPart { place: Place::Cells(cells), value }).collect()
}

impl PartValuer for GameValuer<'_> {
    fn parts(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<ValuedPart>, GivenUp> {
        if let Some(parts) = self.on_board(position, monitor, Valuer::parts)? {
            return Ok(placed(parts));
        }
        if let Some(parts) = self.in_groups(position, monitor)? {
            return Ok(parts);
        }
        let forms = match self.rules.take() {
            Some(forms) => forms,
            None => {
                RulesForms::over(self.bound, self.arena.clone(), monitor)?.at_most(self.most.positions, self.most.steps)
            }
        };
        let forms = self.rules.insert(forms);
        let parts = forms.parts(position, monitor);
        let spent = forms.is_spent();
        parts.map_err(|given_up| if spent { self.spent() } else { given_up })
    }

    fn at_once(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Option<Value>, GivenUp> {
        self.on_board(position, monitor, Valuer::value)
    }

    fn in_arena(&mut self, work: &mut dyn FnMut(&mut Arena)) {
        // The work tells its own errors.
        let _ = self.arena.within(|arena| {
            work(arena);
            Ok(())
        });
    }
}
