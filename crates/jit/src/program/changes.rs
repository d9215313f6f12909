//! What the body of a move changes, found before its code is written, and where the code keeps track of it.

use cranelift_codegen::ir::Value;
use cranelift_frontend::Variable;
use rules::layout::Layout;
use rules::program::{Root, Stmt, StmtKind};
use rules::visit;

/// So many cells are compared one after the other; more in a loop.
pub const FEW: usize = 8;
/// So many changes of single cells are logged in registers.
const LOGGED: usize = 8;

/// A move in the making.
pub struct Play {
    /// Who moves next.
    pub turn: Variable,
    /// For each variable of the position, how the body changes it.
    pub changes: Vec<Change>,
    /// The changes of single cells: which variable, which cell, what it held.
    pub log: Vec<(usize, Variable, Variable)>,
    /// How many of them are written.
    pub logged: usize,
    /// The variables whose changes are logged in memory: where the log lies, and how many changes there were.
    pub counted: Vec<(usize, Value, Variable)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It does not.
    None,
    /// One cell at a time, a few times.
    Logged,
    /// One cell at a time, any number of times.
    Counted,
    /// In any way.
    Whole,
}

impl Play {
    /// Whether the body may change a variable.
    pub fn changes(&self, variable: usize) -> bool {
        self.changes.get(variable).is_none_or(|change| *change != Change::None)
    }

    /// The log in memory of a variable, if it has one.
    pub fn counted(&self, variable: usize) -> Option<(Value, Variable)> {
        let found = self.counted.iter().find(|(own, ..)| *own == variable)?;
        Some((found.1, found.2))
    }

    /// Where to log a change of one cell, if it is logged in registers.
    pub fn log(&mut self, variable: usize) -> Option<(Variable, Variable)> {
        if self.changes.get(variable) != Some(&Change::Logged) {
            return None;
        }
        let (_, cell, before) = *self.log.get(self.logged)?;
        self.logged += 1;
        Some((cell, before))
    }
}

/// How a body changes each variable, and which single changes are logged.
pub fn changes(layout: &Layout, body: &[Stmt]) -> (Vec<Change>, Vec<usize>) {
    let mut found = vec![Change::None; layout.variables.len()];
    let mut in_loops = Vec::new();
    visit::statements(body, &mut |statement| {
        if let StmtKind::For { body, .. } = &statement.kind {
            visit::statements(body, &mut |statement| in_loops.push(std::ptr::from_ref(statement)));
        }
    });
    let mut log = Vec::new();
    visit::statements(body, &mut |statement| {
        let StmtKind::Assign { place, .. } = &statement.kind else { return };
        let Root::Variable(variable) = place.root else { return };
        let single = place.ty.is_scalar() && !place.indices.is_empty();
        let once = log.len() < LOGGED && !in_loops.contains(&std::ptr::from_ref(statement));
        let change = match (single, once) {
            (true, true) => Change::Logged,
            (true, false) if layout.variables[variable].cells > FEW => Change::Counted,
            _ => Change::Whole,
        };
        found[variable] = found[variable].max(change);
        if change == Change::Logged {
            log.push(variable);
        }
    });
    log.retain(|variable| found[*variable] == Change::Logged);
    (found, log)
}
