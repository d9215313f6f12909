//! How positions of a game fall apart: into parts of a board where moves are local, else into groups of variables that no move
//! ties together.

use std::rc::Rc;

use boards::groups::valuer::Cut;
use game::Random;
use shapes::local::Local;

use super::Case;

/// What positions fall into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Parts of a board whose moves are local.
    Board,
    /// Groups of variables that no move ties together.
    Groups,
    /// Parts as the rules have them: those of a sum, or the position itself.
    Rules,
}

/// How positions of a game fall apart.
#[derive(Clone, Default)]
pub(crate) struct Decomposition {
    pub local: Option<Rc<Local>>,
    pub groups: Option<Rc<Cut>>,
}

impl Decomposition {
    /// What the rules tell. A `sum of` parts says itself what its parts are.
    pub fn of(case: &Case<'_>) -> Decomposition {
        if case.facts.sum.holds {
            return Decomposition::default();
        }
        if let Ok(local) = case.local() {
            return Decomposition { local: Some(local), groups: None };
        }
        // A group that stays whole is better looked at as the rules have it.
        let falls = |cut: &Rc<Cut>| {
            let mut random = Random::new(1);
            let start = case.start.parts.first().map_or(&[][..], |cells| cells);
            cut.groups > 1 || cut.falls_apart(start, &mut || random.next())
        };
        Decomposition { local: None, groups: case.cut().ok().filter(falls) }
    }

    /// What positions fall into.
    pub fn kind(&self) -> PartKind {
        match (&self.local, &self.groups) {
            (Some(_), _) => PartKind::Board,
            (None, Some(_)) => PartKind::Groups,
            (None, None) => PartKind::Rules,
        }
    }
}
