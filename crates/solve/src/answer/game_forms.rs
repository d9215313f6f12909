//! The value of every position of one game, whichever way leads to it: the one place that decides which way that is.
//!
//! ```text
//! parts of the board ▶ groups of variables ▶ the rules as they stand ──a position comes back──▶ loopy values
//! └───────────────────── GameValuer ───────────────────────────────┘                           └─ Repeating ─┘
//! ```
//!
//! All values lie in an arena that the caller shares, so that they can be added to those of other games.

use engine::monitor::Monitor;
use rules::bind::{Bound, Position};

use super::repeating::{Effort, Form, Repeating};
use crate::case::Decomposition;
use crate::error::{GivenUp, Reason};
use crate::game_valuer::{GameValuer, Most};
use crate::methods;
use crate::options::MethodName;
use crate::part_values::{self, SharedArena};

/// What stands in the place of a method where values have loops.
pub const LOOPS: MethodName = MethodName::new("loops");

/// Values of positions of one game, as they are asked for, for as long as it takes.
pub(crate) struct GameForms<'b> {
    bound: &'b Bound,
    arena: SharedArena,
    /// The way that leads to values without loops; none where it is known that positions repeat.
    valuer: Option<GameValuer<'b>>,
    method: MethodName,
    /// Whether any position may be asked for: that one of them repeats then says nothing of the next.
    anywhere: bool,
    repeating: Option<Repeating<'b>>,
}

impl<'b> GameForms<'b> {
    /// For the positions that play can reach from the first one that is asked for.
    pub fn new(bound: &'b Bound, decomposition: Decomposition, arena: &SharedArena) -> GameForms<'b> {
        let method = methods::valuing(decomposition.kind());
        let valuer = Some(GameValuer::new(bound, decomposition, arena, Most::ALL));
        GameForms { bound, arena: arena.clone(), valuer, method, anywhere: false, repeating: None }
    }

    /// For all positions there are.
    pub fn anywhere(bound: &'b Bound, decomposition: Decomposition, arena: &SharedArena) -> GameForms<'b> {
        let forms = GameForms::new(bound, decomposition, arena);
        GameForms { valuer: forms.valuer.map(GameValuer::anywhere), anywhere: true, ..forms }
    }

    /// For a game of which it is known that positions repeat.
    pub fn looped(bound: &'b Bound, arena: &SharedArena) -> GameForms<'b> {
        GameForms { bound, arena: arena.clone(), valuer: None, method: LOOPS, anywhere: false, repeating: None }
    }

    /// The value of a position.
    pub fn form(&mut self, position: &Position, monitor: &mut Monitor) -> Result<Form, GivenUp> {
        if let Some(valuer) = &mut self.valuer {
            match part_values::value(valuer, position, monitor) {
                Err(GivenUp::Because(Reason::Cycle(_))) => {}
                valued => return valued.map(Form::Value),
            }
            if !self.anywhere {
                self.valuer = None;
            }
        }
        let repeating = match &mut self.repeating {
            Some(repeating) => repeating,
            none => none.insert(Repeating::new(self.bound, Effort::Whatever, monitor)?),
        };
        self.method = LOOPS;
        self.arena.with(|arena| repeating.form(arena, position, monitor))
    }

    /// The game.
    pub fn bound(&self) -> &'b Bound {
        self.bound
    }

    /// What leads to the values: a method, or [`LOOPS`] once a position came back.
    pub fn method(&self) -> MethodName {
        self.method
    }

    /// Whether a position came back.
    pub fn repeats(&self) -> bool {
        self.method == LOOPS
    }

    /// How many parts were valued.
    pub fn met(&self) -> u64 {
        self.valuer.as_ref().map_or(0, GameValuer::met) + self.repeating.as_ref().map_or(0, Repeating::met)
    }
}
