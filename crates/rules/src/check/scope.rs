//! Names: what each one stands for, and where it may be read.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::suggest::nearest;
use crate::types::Type;

/// What a name of the whole file stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A parameter, by number.
    Param(usize),
    /// A game-level `let`, by its number in the file.
    Let(usize),
    /// A function, by number.
    Function(usize),
    /// A variable of the position, by number.
    Variable(usize),
    /// A named constant, or a player.
    Constant(i64),
}

impl Symbol {
    /// What a message calls it.
    pub fn noun(self) -> &'static str {
        match self {
            Symbol::Param(_) => "a parameter",
            Symbol::Let(_) => "a `let`",
            Symbol::Function(_) => "a function",
            Symbol::Variable(_) => "a variable of the position",
            Symbol::Constant(_) => "a constant",
        }
    }
}

/// The names of the whole file. Parameters, lets, variables, constants and functions share one namespace.
#[derive(Default)]
pub struct Symbols {
    table: HashMap<String, (Symbol, Option<Span>)>,
    doubled: HashSet<String>,
}

impl Symbols {
    /// The names `first`, `second` and `third`.
    pub fn new() -> Symbols {
        let mut symbols = Symbols::default();
        for (number, name) in ["first", "second", "third"].into_iter().enumerate() {
            symbols.table.insert(name.to_string(), (Symbol::Constant(number as i64), None));
        }
        symbols
    }

    /// What a name stands for.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.table.get(name).map(|(symbol, _)| *symbol)
    }

    /// Declares a name. A second declaration is an error, except of a constant with the same number.
    pub fn declare(&mut self, name: &str, span: Span, symbol: Symbol) -> Result<(), Box<Diagnostic>> {
        let known = self.table.get(name);
        if known.is_some_and(|(known, _)| *known != symbol) {
            self.doubled.insert(name.to_string());
        }
        let Some((known, place)) = self.table.get(name) else {
            self.table.insert(name.to_string(), (symbol, Some(span)));
            return Ok(());
        };
        if *known == symbol && matches!(symbol, Symbol::Constant(_)) {
            return Ok(());
        }
        let diagnostic = match (known, symbol, place) {
            (Symbol::Constant(old), Symbol::Constant(new), Some(_)) => {
                let title = format!("`{name}` is the constant {new} here and {old} elsewhere");
                let help = "constants of a `{…}` domain are numbered from 0; give one of them another name";
                Diagnostic::at(span, title, format!("number {new}")).help(help)
            }
            (Symbol::Constant(old), Symbol::Constant(new), None) => {
                let title = format!("`{name}` is player {old}, and would be the constant {new} here");
                let help = "constants of a `{…}` domain are numbered from 0; put it into its place or rename it";
                Diagnostic::at(span, title, format!("number {new}")).help(help)
            }
            (_, _, None) => {
                let title = format!("`{name}` is the name of a player");
                let help = format!("choose another name, such as `{name}_one`");
                Diagnostic::at(span, title, "already known").help(help)
            }
            (known, _, Some(_)) => {
                let title = format!("`{name}` is declared twice");
                let help = "parameters, lets, variables, constants and functions share one space; rename one of them";
                Diagnostic::at(span, title, format!("already {}", known.noun())).help(help)
            }
        };
        Err(Box::new(match place {
            Some(place) => diagnostic.related(*place, "declared here first"),
            None => diagnostic,
        }))
    }

    /// Whether a name was declared more than once, so that its meaning is open.
    pub fn is_doubled(&self, name: &str) -> bool {
        self.doubled.contains(name)
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.table.keys().map(String::as_str)
    }
}

/// What an expression may read, from least to most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Constants only.
    Constants,
    /// Constants and these parameters.
    Params(Vec<usize>),
    /// The whole instance: parameters and lets.
    Instance,
    /// The instance and whose turn it is, but no variable of a position: for being stuck in a sum.
    Turn,
    /// The instance and the position.
    Position,
}

/// A local name.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its number in the body.
    pub slot: usize,
    /// Its type.
    pub ty: Type,
    /// How it was declared.
    pub kind: LocalKind,
}

/// How a local was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// With `var`: the only kind that can change.
    Var,
    /// With `let`.
    Let,
    /// As an argument of a function.
    Argument,
    /// By a loop.
    Loop,
    /// As a choice of a move.
    Choice,
    /// As the cell that a drawing is at.
    Cell,
}

impl LocalKind {
    /// What a message calls it.
    pub fn noun(self) -> &'static str {
        match self {
            LocalKind::Var => "a `var`",
            LocalKind::Let => "a `let`",
            LocalKind::Argument => "an argument",
            LocalKind::Loop => "a loop variable",
            LocalKind::Choice => "a choice",
            LocalKind::Cell => "the cell",
        }
    }
}

/// Where an expression stands: what it may read, and the locals it sees.
#[derive(Clone, Debug)]
pub struct Scope {
    /// What may be read.
    pub sight: Sight,
    /// What a message calls this place, such as `a game-level let`.
    pub place: &'static str,
    /// The locals in sight, innermost last.
    pub locals: Vec<Local>,
    /// How many slots the body uses so far.
    pub slots: usize,
    /// Whether something read the position, the mover or the opponent.
    pub reads_position: bool,
    /// Global slots read so far (for `require`).
    pub reads: Vec<usize>,
}

impl Scope {
    /// An empty scope.
    pub fn new(sight: Sight, place: &'static str) -> Scope {
        Scope { sight, place, locals: Vec::new(), slots: 0, reads_position: false, reads: Vec::new() }
    }

    /// Adds a local and gives its slot.
    pub fn declare(&mut self, name: &str, ty: Type, kind: LocalKind) -> usize {
        let slot = self.slots;
        self.slots += 1;
        self.declare_at(slot, name, ty, kind);
        slot
    }

    /// Adds a local whose slot was reserved before.
    pub fn declare_at(&mut self, slot: usize, name: &str, ty: Type, kind: LocalKind) {
        debug_assert!(slot < self.slots);
        self.locals.push(Local { name: name.to_string(), slot, ty, kind });
    }

    /// The innermost local of that name.
    pub fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| local.name == name)
    }
}

/// "Did you mean …?", from everything in sight.
pub fn did_you_mean<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}
