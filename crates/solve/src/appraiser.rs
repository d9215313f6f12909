//! The appraiser: values of positions of one game, as they are asked for, beside an answer that was found in another way.
//!
//! They come from the parts of the board where moves are local, else from the rules as they stand.

use std::rc::Rc;

use boards::Valuer;
use engine::Error;
use engine::monitor::Monitor;
use rules::bind::{Bound, Position};
use shapes::local::Local;
use values::Arena;

use crate::appraise::{Appraise, Place, SharedArena, ValuedPart};
use crate::methods::Forms;
use crate::reason::{GivenUp, Reason};

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

/// The values of one game in an arena.
pub(crate) struct Appraiser<'b> {
    bound: &'b Bound,
    local: Option<Rc<Local>>,
    most: Most,
    arena: SharedArena,
    board: Option<Valuer<SharedArena>>,
    rules: Option<Forms<'b, SharedArena>>,
}

impl<'b> Appraiser<'b> {
    /// Nothing is valued yet.
    pub fn new(bound: &'b Bound, local: Option<Rc<Local>>, arena: &SharedArena, most: Most) -> Appraiser<'b> {
        Appraiser { bound, local, most, arena: arena.clone(), board: None, rules: None }
    }

    /// How many parts were valued.
    pub fn met(&self) -> u64 {
        self.board.as_ref().map_or(0, Valuer::distinct) + self.rules.as_ref().map_or(0, Forms::met)
    }

    /// The parts of a board of local moves; `None` where the rules as they stand must do.
    fn on_board(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Option<Vec<ValuedPart>>, GivenUp> {
        let (Some(local), [cells]) = (self.local.clone(), &position.parts[..]) else { return Ok(None) };
        let Some(cells) = local.position(cells) else { return Ok(None) };
        // The rules may still do where the board does not, and say which positions repeat.
        let other = |error: Error| match error {
            Error::Cycle(_) | Error::NotApplicable(_) => Ok(None),
            error => Err(GivenUp::from(error)),
        };
        let mut valuer = match self.board.take() {
            Some(valuer) => valuer,
            None => {
                let (game, motions, arena) = (local.game.clone(), local.motions.clone(), self.arena.clone());
                match Valuer::new(game, motions, &cells, arena, monitor.memory()) {
                    Ok(mut valuer) => {
                        valuer.at_most(self.most.parts);
                        valuer
                    }
                    Err(error) => {
                        self.local = None;
                        return other(error);
                    }
                }
            }
        };
        let valued = valuer.parts(&cells, monitor);
        let most = self.most.parts;
        let many = valuer.distinct() >= most;
        self.board = Some(valuer);
        match valued {
            // The rules as they stand would take longer still.
            Err(Error::NotApplicable(_)) if many => {
                Err(GivenUp::Because(Reason::Values(format!("the board has more than {most} different parts"))))
            }
            Ok(parts) => {
                let part = |(cells, value)| ValuedPart { place: Place::Cells(cells), value };
                Ok(Some(parts.into_iter().map(part).collect()))
            }
            Err(error) => other(error),
        }
    }
}

impl Appraise for Appraiser<'_> {
    fn parts(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Vec<ValuedPart>, GivenUp> {
        if let Some(parts) = self.on_board(position, monitor)? {
            return Ok(parts);
        }
        let forms = match self.rules.take() {
            Some(forms) => forms,
            None => Forms::over(self.bound, self.arena.clone(), monitor)?.at_most(self.most.positions, self.most.steps),
        };
        self.rules.insert(forms).parts(position, monitor)
    }

    fn in_arena(&mut self, work: &mut dyn FnMut(&mut Arena)) {
        // The work tells its own errors.
        let _ = self.arena.within(|arena| {
            work(arena);
            Ok(())
        });
    }
}
