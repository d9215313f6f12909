//! From the tree to the checked program: names resolved, types worked out, and every rule of the language checked that
//! needs no instance.
//!
//! Items may stand in any order, so `let`s and functions are checked when they are first needed. The order in which
//! `let`s are finished is an order in which they can be computed. Mistakes are collected, not thrown: an expression
//! with a mistake gets the type [`Type::Unknown`], which fits everywhere, so that one slip is reported once.

mod builtins;
mod domains;
mod expressions;
mod items;
mod judge;
mod kinds;
mod lengths;
mod names;
mod order;
mod players;
mod results;
mod scope;
mod statements;

pub use builtins::BUILTINS;
pub use results::FIELDS;

use std::collections::HashSet;

use crate::diagnostic::Diagnostic;
use crate::program::{Builtin, Expr, ExprKind, Function, Let, Param, Program};
use crate::span::Span;
use crate::syntax::tree::{self, File, ItemKind};
use crate::types::Type;
use order::Definition;
use scope::{Scope, Sight, Symbol, Symbols};

/// How deep `let`s and functions may be checked inside one another, so that the stack suffices. [`order`] makes this
/// happen only where they need one another in a circle.
const MAX_DEPTH: usize = 400;

/// The checked program, or every mistake.
pub fn check(file: &File) -> Result<Program, Vec<Diagnostic>> {
    let mut checker = Checker::new(file);
    checker.declare();
    let program = checker.program();
    let mut diagnostics = checker.diagnostics;
    if diagnostics.is_empty() {
        lengths::check(&program, &checker.function_order, &mut diagnostics);
    }
    if diagnostics.is_empty() {
        return Ok(program);
    }
    diagnostics.sort_by_key(|d| d.label.as_ref().map(|(span, _)| span.start));
    diagnostics.dedup();
    Err(diagnostics)
}

/// Stands for an expression whose mistake was reported.
fn mistake(span: Span) -> Expr {
    Expr { kind: ExprKind::Scalar(0), ty: Type::Unknown, span }
}

fn is_position(item: &tree::Item) -> bool {
    matches!(item.kind, ItemKind::State(_) | ItemKind::Sum { .. })
}

/// How far a `let` or function has been checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Todo,
    Doing,
    Done,
}

struct LetEntry<'f> {
    name: &'f tree::Name,
    value: &'f tree::Expr,
    progress: Progress,
    done: Option<(usize, Type)>,
}

/// The work in progress on one file.
pub(crate) struct Checker<'f> {
    file: &'f File,
    diagnostics: Vec<Diagnostic>,
    symbols: Symbols,
    /// Unknown names that were reported.
    unknown: HashSet<String>,
    param_types: Vec<Type>,
    variable_types: Vec<Type>,
    function_types: Vec<(Vec<Type>, Type)>,
    function_trees: Vec<&'f tree::Function>,
    function_progress: Vec<Progress>,
    functions: Vec<Option<Function>>,
    /// Functions in the order they were finished: callees before callers.
    function_order: Vec<usize>,
    lets: Vec<LetEntry<'f>>,
    lets_done: Vec<Let>,
    /// The `let`s and functions that are being checked inside one another, outermost first.
    needs: Vec<&'f str>,
    /// How deep the trees of `needs` are together.
    depth: usize,
    /// How deep the tree of each `let` and of each function is.
    let_depths: Vec<usize>,
    function_depths: Vec<usize>,
    /// Whether nesting that is too deep was reported.
    deep: bool,
    /// Whether a rule reads `mover` or `opponent`.
    reads_player: bool,
    /// The number of players, if the file writes it as a number.
    players: Option<i64>,
    /// Constants of `{…}` domains in order of declaration.
    constants: Vec<(String, i64)>,
    /// Whether the file has `sum of`.
    is_sum: bool,
    /// Where a `stuck` without a condition stands.
    stuck_always: Option<Span>,
    /// Whether the file says twice what a position is. Then nothing can be said about the parts.
    two_positions: bool,
}

impl<'f> Checker<'f> {
    fn new(file: &'f File) -> Checker<'f> {
        Checker {
            file,
            diagnostics: Vec::new(),
            symbols: Symbols::new(),
            unknown: HashSet::new(),
            param_types: Vec::new(),
            variable_types: Vec::new(),
            function_types: Vec::new(),
            function_trees: Vec::new(),
            function_progress: Vec::new(),
            functions: Vec::new(),
            function_order: Vec::new(),
            lets: Vec::new(),
            lets_done: Vec::new(),
            needs: Vec::new(),
            depth: 0,
            let_depths: Vec::new(),
            function_depths: Vec::new(),
            deep: false,
            reads_player: false,
            players: players::written_players(file),
            constants: Vec::new(),
            two_positions: file.items.iter().filter(|item| is_position(item)).count() > 1,
            stuck_always: None,
            is_sum: file.items.iter().any(|item| matches!(item.kind, ItemKind::Sum { .. })),
        }
    }

    fn complain(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn declare_name(&mut self, name: &tree::Name, symbol: Symbol) {
        if let Err(diagnostic) = self.symbols.declare(&name.text, name.span, symbol) {
            self.complain(*diagnostic);
        }
    }

    /// Declares all names of the file before anything is checked.
    fn declare(&mut self) {
        let file = self.file;
        for (index, param) in file.params.iter().enumerate() {
            self.declare_name(&param.name, Symbol::Param(index));
            let ty = self.type_name(&param.ty, false);
            self.param_types.push(ty);
        }
        for item in &file.items {
            match &item.kind {
                ItemKind::Let(name, value) => {
                    self.declare_name(name, Symbol::Let(self.lets.len()));
                    self.lets.push(LetEntry { name, value, progress: Progress::Todo, done: None });
                }
                ItemKind::Function(function) => self.declare_function(function),
                ItemKind::State(variables) | ItemKind::Sum { variables, .. } => {
                    for variable in variables {
                        let ty = self.declare_variable_domain(&variable.domain);
                        self.declare_name(&variable.name, Symbol::Variable(self.variable_types.len()));
                        self.variable_types.push(ty);
                    }
                }
                _ => {}
            }
        }
        // Constants of choices come last: whether `{a, b}` declares constants depends on the other names.
        for item in &file.items {
            if let ItemKind::Move(rule) = &item.kind {
                self.declare_choice_constants(rule);
            }
        }
    }

    /// Checks all `let`s and functions, each after those it needs.
    fn definitions(&mut self) {
        let lets = self.lets.iter().enumerate().map(|(index, entry)| order::of_let(index, entry.value));
        let functions = self.function_trees.iter().enumerate().map(|(index, tree)| order::of_function(index, tree));
        let lets: Vec<order::Mentions<'f>> = lets.collect();
        let functions: Vec<order::Mentions<'f>> = functions.collect();
        self.let_depths = lets.iter().map(|mention| mention.depth).collect();
        self.function_depths = functions.iter().map(|mention| mention.depth).collect();
        let all: Vec<order::Mentions<'f>> = lets.into_iter().chain(functions).collect();
        let find = |name: &str| match self.symbols.get(name) {
            Some(Symbol::Let(index)) => Some(Definition::Let(index)),
            Some(Symbol::Function(index)) => Some(Definition::Function(index)),
            _ => None,
        };
        for definition in order::order(&all, find) {
            match definition {
                Definition::Let(index) => drop(self.need_let(index, self.lets[index].name.span)),
                Definition::Function(index) => {
                    self.need_function(index, self.function_trees[index].name.span);
                }
            }
        }
    }

    fn declare_function(&mut self, function: &'f tree::Function) {
        // Files may have a `sign` of their own, from before it was built in.
        if builtins::builtin(&function.name.text).is_some_and(|builtin| builtin != Builtin::Sign) {
            let title = format!("`{}` is a built-in function", function.name.text);
            let help = format!("choose another name, such as `my_{}`", function.name.text);
            self.complain(Diagnostic::at(function.name.span, title, "already known").help(help));
        }
        self.declare_name(&function.name, Symbol::Function(self.functions.len()));
        let params = function.params.iter().map(|p| self.type_name(&p.ty, true)).collect();
        let result = self.type_name(&function.result, true);
        self.function_types.push((params, result));
        self.function_trees.push(function);
        self.function_progress.push(Progress::Todo);
        self.functions.push(None);
    }

    fn type_name(&mut self, name: &tree::TypeName, set_allowed: bool) -> Type {
        match &name.kind {
            tree::TypeKind::List(item) => Type::list(self.type_name(item, set_allowed)),
            tree::TypeKind::Word(word) => match word.as_str() {
                "int" => Type::Int,
                "bool" => Type::Bool,
                "text" => Type::Text,
                "set" if set_allowed => Type::Set,
                _ => {
                    let near = crate::suggest::nearest(word, ["int", "bool", "text"]);
                    let help = match (word.as_str(), near) {
                        ("set", _) => {
                            "a parameter cannot be a set; take a list `[int]` and write `{x for x in list}`".to_string()
                        }
                        ("list" | "array" | "vector" | "List", _) => "a list of numbers is written `[int]`".to_string(),
                        ("string" | "str" | "String", _) => "did you mean `text`?".to_string(),
                        ("integer" | "number" | "i64" | "char" | "player", _) => "did you mean `int`?".to_string(),
                        (_, Some(near)) => format!("did you mean `{near}`?"),
                        _ => "the types are `int`, `bool`, `text` and lists such as `[int]`".to_string(),
                    };
                    self.complain(
                        Diagnostic::at(name.span, format!("there is no type `{word}`"), "not a type").help(help),
                    );
                    Type::Unknown
                }
            },
        }
    }

    /// Checks a `let` if that was not done yet; gives its slot and type unless it has a mistake.
    fn need_let(&mut self, index: usize, from: Span) -> Option<(usize, Type)> {
        let (name, value) = (self.lets[index].name, self.lets[index].value);
        match self.lets[index].progress {
            Progress::Done => return self.lets[index].done.clone(),
            Progress::Doing => {
                let title = format!("the value of `{}` needs itself{}", name.text, self.through(&name.text));
                let diagnostic = Diagnostic::at(from, title, "needed here").related(name.span, "declared here");
                self.complain(diagnostic.help("a `let` may need others, in any order, but not in a circle"));
                return None;
            }
            Progress::Todo => {}
        }
        let depth = self.let_depths.get(index).copied().unwrap_or(0);
        if !self.enter_need(&name.text, depth, from) {
            return None;
        }
        self.lets[index].progress = Progress::Doing;
        let mut scope = Scope::new(Sight::Instance, "a game-level `let`");
        let value = self.expr(value, &mut scope);
        self.needs.pop();
        self.depth -= depth;
        self.lets[index].progress = Progress::Done;
        let slot = self.file.params.len() + self.lets_done.len();
        let ty = value.ty.clone();
        self.lets_done.push(Let { name: name.text.clone(), span: name.span, value });
        self.lets[index].done = (ty != Type::Unknown).then_some((slot, ty));
        self.lets[index].done.clone()
    }

    /// Checks a function if that was not done yet; false if that is not possible.
    fn need_function(&mut self, index: usize, from: Span) -> bool {
        match self.function_progress[index] {
            Progress::Done => return true,
            Progress::Doing => {
                let name = &self.function_trees[index].name;
                let title = format!("`{}` calls itself{}", name.text, self.through(&name.text));
                let diagnostic = Diagnostic::at(from, title, "called here").related(name.span, "declared here");
                self.complain(
                    diagnostic.help("functions cannot recurse; use `for` loops over a range that is large enough"),
                );
                return false;
            }
            Progress::Todo => {}
        }
        let depth = self.function_depths.get(index).copied().unwrap_or(0);
        if !self.enter_need(&self.function_trees[index].name.text, depth, from) {
            return false;
        }
        self.function_progress[index] = Progress::Doing;
        let function = self.function(index);
        self.needs.pop();
        self.depth -= depth;
        self.function_progress[index] = Progress::Done;
        self.functions[index] = Some(function);
        self.function_order.push(index);
        true
    }

    /// The way back to `name`, if others lie on it: `, through a and b`.
    fn through(&self, name: &str) -> String {
        let start = self.needs.iter().position(|need| *need == name).map_or(self.needs.len(), |at| at + 1);
        match &self.needs[start..] {
            [] => String::new(),
            [one] => format!(", through `{one}`"),
            [one, two] => format!(", through `{one}` and `{two}`"),
            [one, two, more @ ..] => format!(", through `{one}`, `{two}` and {} more", more.len()),
        }
    }

    fn enter_need(&mut self, name: &'f str, depth: usize, from: Span) -> bool {
        if !self.needs.is_empty() && self.depth + depth > MAX_DEPTH {
            if !std::mem::replace(&mut self.deep, true) {
                let title = "lets and functions need one another in a long circle";
                let help = "a `let` or function may need others, but not itself through them";
                self.complain(Diagnostic::at(from, title, "needed here").help(help));
            }
            return false;
        }
        self.depth += depth;
        self.needs.push(name);
        true
    }

    fn params(&mut self) -> Vec<Param> {
        let file = self.file;
        let mut params = Vec::new();
        for (index, param) in file.params.iter().enumerate() {
            let mut scope = Scope::new(Sight::Params((0..index).collect()), "a default value");
            let ty = self.param_types[index].clone();
            let what = format!("the default of `{}`", param.name.text);
            let default: Option<Expr> = param.default.as_ref().map(|d| self.expect(d, &mut scope, &ty, &what));
            params.push(Param { name: param.name.text.clone(), span: param.name.span, ty, default });
        }
        params
    }
}
