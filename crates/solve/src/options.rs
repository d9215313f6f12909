//! What is asked of a solve, beyond the game itself.

use std::fmt;

/// What is asked beyond the answer itself.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A method that must be used.
    pub method: Option<MethodName>,
    /// Compare the totals of all positions, where the rules do not show that they are constant.
    pub check_total: bool,
    /// Whether the rules are compiled.
    pub engine: Engine,
    /// How many positions the interpreter values again once the game is solved.
    pub check: Option<Amount>,
    /// What is worked out of games that are won and lost.
    pub detail: Detail,
    /// Whether positions that repeat must have loopy nimbers, as those of a summand do.
    pub summand: bool,
    /// At most so many threads; 0 is as many as there are cores.
    pub threads: usize,
    /// What is asked of positions other than the start.
    pub question: Question,
    /// How many of the best moves are asked for.
    pub best: Best,
    /// Look only so many moves ahead, and give bounds.
    pub depth: Option<u32>,
    /// Count what simpler searches would look at, to show what cuts and tables are good for.
    pub teach: bool,
}

/// What is asked of positions other than the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Question {
    /// Everything, unless a table of all positions would be much dearer than the value of the start.
    #[default]
    Auto,
    /// Nothing: only the value of the start is needed.
    Weak,
    /// Everything, whatever it takes.
    Strong,
}

/// How many of the best moves are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Best {
    /// All of them.
    #[default]
    All,
    /// One, whichever is proved first. Methods that know all of them give all.
    One,
}

impl Options {
    /// How many threads may be used.
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads,
        }
    }
}

/// What a loop nest works out of games that are won and lost. Other methods always work out everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Who wins, in how many moves, and Grundy numbers where the game has them.
    #[default]
    Full,
    /// Who wins, and in how many moves.
    Remoteness,
    /// Who wins: one byte a position, and moves need not be compared once one wins.
    Outcome,
}

/// What runs the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Compiled code where that pays, the interpreter for the smallest games and where rules cannot be compiled.
    #[default]
    Auto,
    /// The interpreter.
    Interpreted,
    /// Compiled code wherever that is possible, however small the game.
    Compiled,
}

/// How many positions are valued again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// So many, chosen at random; all if there are not more.
    Some(u64),
    /// Every one.
    All,
}

/// The name of a method, as `--method` and the JSON spell it. [`crate::methods::find`] knows all names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodName {
    name: &'static str,
    compiled: bool,
}

impl MethodName {
    /// The name of a method that can run interpreted rules.
    pub const fn new(name: &'static str) -> MethodName {
        MethodName { name, compiled: false }
    }

    /// The name of a method that only compiled code has.
    pub const fn compiled(name: &'static str) -> MethodName {
        MethodName { name, compiled: true }
    }

    /// One word.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether only compiled code has the method.
    pub fn compiles(self) -> bool {
        self.compiled
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}
