//! Which name stands for what: every definition of a file, and every place that names one.
//!
//! The tree is walked with a stack of local names. A file with mistakes has a tree too, so that this works while somebody types.

use std::collections::{HashMap, HashSet};

use perfectplay::language::Span;
use perfectplay::language::syntax::tree::{
    Ending, Expr, ExprKind, File, Function, InputPiece, ItemKind, Loop, Move, Name, ShowPiece, Source, SourceKind,
    Stmt, StmtKind, Variable,
};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A parameter of the game.
    Parameter,
    /// A value computed once per instance.
    Let,
    /// A function.
    Function,
    /// A variable of the position.
    Variable,
    /// A named constant.
    Constant,
    /// A choice of a move.
    Choice,
    /// An argument of a function.
    Argument,
    /// A local value.
    Local,
    /// The variable of a loop.
    Loop,
}

impl Kind {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Parameter => "parameter of the game",
            Kind::Let => "value of the instance",
            Kind::Function => "function",
            Kind::Variable => "variable of the position",
            Kind::Constant => "named constant",
            Kind::Choice => "choice of a move",
            Kind::Argument => "argument",
            Kind::Local => "local value",
            Kind::Loop => "loop variable",
        }
    }
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// Where the name is declared.
    pub span: Span,
    /// Where all of its declaration stands: `n in 0..=9`, `x = 3`.
    pub whole: Span,
    /// What it is.
    pub kind: Kind,
    /// Where it is known; `None` in the whole file.
    pub within: Option<Span>,
    /// The number of its constant, where it is one.
    pub number: Option<i64>,
}

/// The names of a file.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// All definitions.
    pub definitions: Vec<Definition>,
    /// All places that name one, the declarations included, with the number of the definition.
    pub uses: Vec<(Span, usize)>,
}

impl Names {
    /// The names of a file.
    pub fn of(file: &File) -> Names {
        let mut walker = Walker::default();
        walker.file(file);
        walker.names.uses.sort_by_key(|(span, _)| (span.start, span.end));
        walker.names.uses.dedup();
        walker.names
    }

    /// The definition that is named at a byte, and where.
    pub fn at(&self, byte: usize) -> Option<(Span, usize)> {
        let touches = |span: Span| (span.start as usize) <= byte && byte <= span.end as usize;
        self.uses.iter().copied().find(|(span, _)| touches(*span))
    }

    /// All places that name a definition.
    pub fn uses_of(&self, definition: usize) -> Vec<Span> {
        self.uses.iter().filter(|(_, of)| *of == definition).map(|(span, _)| *span).collect()
    }
}

#[derive(Default)]
struct Walker {
    names: Names,
    globals: HashMap<String, usize>,
    locals: Vec<(String, usize)>,
    /// The names whose values an item names. Choices of such a name are one.
    named: HashSet<String>,
    /// Those choices.
    choices: HashMap<String, usize>,
    /// Where the item stands that is looked at.
    item: Span,
}

impl Walker {
    fn file(&mut self, file: &File) {
        for item in &file.items {
            if let ItemKind::Names(called, ..) = &item.kind {
                self.named.extend(called.iter().map(|name| name.text.clone()));
            }
        }
        for param in &file.params {
            let whole = param.default.as_ref().map_or(param.ty.span, |default| default.span);
            self.global(&param.name, param.name.span.to(whole), Kind::Parameter, None);
        }
        for item in &file.items {
            match &item.kind {
                ItemKind::Let(name, value) => self.global(name, name.span.to(value.span), Kind::Let, None),
                ItemKind::Function(function) => {
                    self.global(&function.name, function.name.span.to(function.result.span), Kind::Function, None);
                }
                ItemKind::State(variables) | ItemKind::Sum { variables, .. } => self.variables(variables),
                _ => {}
            }
        }
        // Whether `{a, b}` in a choice declares constants depends on the other names.
        for item in &file.items {
            if let ItemKind::Move(rule) = &item.kind {
                rule.choices.iter().for_each(|(_, source)| self.constants(source));
            }
        }
        for param in &file.params {
            param.default.iter().for_each(|default| self.expr(default));
        }
        let mut later = Vec::new();
        for item in &file.items {
            self.item = item.span;
            match &item.kind {
                ItemKind::Names(..) => later.push(item),
                kind => self.item(kind),
            }
        }
        for item in later {
            self.item(&item.kind);
        }
    }

    fn define(&mut self, name: &Name, whole: Span, kind: Kind, within: Option<Span>, number: Option<i64>) -> usize {
        let index = self.names.definitions.len();
        let definition = Definition { name: name.text.clone(), span: name.span, whole, kind, within, number };
        self.names.definitions.push(definition);
        self.names.uses.push((name.span, index));
        index
    }

    /// A name of the whole file; one that is declared twice is one all the same.
    fn global(&mut self, name: &Name, whole: Span, kind: Kind, number: Option<i64>) {
        match self.globals.get(&name.text) {
            Some(&known) => self.names.uses.push((name.span, known)),
            None => {
                let index = self.define(name, whole, kind, None, number);
                self.globals.insert(name.text.clone(), index);
            }
        }
    }

    fn local(&mut self, name: &Name, whole: Span, kind: Kind) {
        let known = self.choices.get(&name.text).copied().filter(|_| kind == Kind::Choice);
        let index = match known {
            // Choices of one name may be named together by one item.
            Some(index) => {
                self.names.uses.push((name.span, index));
                self.names.definitions[index].within = None;
                index
            }
            None => self.define(name, whole, kind, Some(self.item), None),
        };
        if kind == Kind::Choice && self.named.contains(&name.text) {
            self.choices.insert(name.text.clone(), index);
        }
        self.locals.push((name.text.clone(), index));
    }

    fn name(&mut self, text: &str, span: Span) {
        let local = self.locals.iter().rev().find(|(known, _)| known == text).map(|(_, index)| *index);
        if let Some(index) = local.or_else(|| self.globals.get(text).copied()) {
            self.names.uses.push((span, index));
        }
    }

    fn variables(&mut self, variables: &[Variable]) {
        for variable in variables {
            let whole = variable.start.as_ref().map_or(variable.domain.span, |start| start.span);
            self.global(&variable.name, variable.name.span.to(whole), Kind::Variable, None);
            self.constants(&variable.domain);
        }
    }

    /// Declares the constants of a domain.
    fn constants(&mut self, source: &Source) {
        match &source.kind {
            SourceKind::Names(names) => {
                let known = names.iter().filter(|name| self.globals.contains_key(&name.text)).count();
                let players = names.iter().all(|name| matches!(name.text.as_str(), "first" | "second" | "third"));
                if known == names.len() || players {
                    return;
                }
                for (number, name) in names.iter().enumerate() {
                    self.global(name, name.span, Kind::Constant, Some(number as i64));
                }
            }
            SourceKind::SetOf(inner) | SourceKind::Array(inner, _) => self.constants(inner),
            SourceKind::Range(..) | SourceKind::Bool | SourceKind::Items(_) => {}
        }
    }

    fn item(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Require(value, _)
            | ItemKind::Let(_, value)
            | ItemKind::Players(value)
            | ItemKind::Starts(value)
            | ItemKind::Measure(value)
            | ItemKind::Estimate(value) => self.expr(value),
            ItemKind::Function(function) => self.function(function),
            ItemKind::State(variables) => self.domains(variables),
            ItemKind::Sum { variables, from, .. } => {
                self.domains(variables);
                self.expr(from);
            }
            ItemKind::Move(rule) => self.rule(rule),
            ItemKind::End(when, ending) => {
                self.expr(when);
                self.ending(ending);
            }
            ItemKind::Stuck(when, ending) => {
                when.iter().for_each(|when| self.expr(when));
                self.ending(ending);
            }
            ItemKind::Forever(ending) => self.ending(ending),
            ItemKind::Objective(_) | ItemKind::Output(_) => {}
            ItemKind::Symmetry(array, permutation) => {
                self.name(&array.text, array.span);
                self.expr(permutation);
            }
            ItemKind::Regions { array, rows, columns, condition } => {
                self.name(&array.text, array.span);
                [rows, columns, condition].into_iter().for_each(|e| self.expr(e));
            }
            ItemKind::Claim(_, claimed, when) => {
                self.expr(&claimed.value);
                claimed.over.iter().chain(when).for_each(|e| self.expr(e));
            }
            ItemKind::Sample(lines) => {
                for (name, source) in lines {
                    self.name(&name.text, name.span);
                    self.source(source);
                }
            }
            ItemKind::ShowGrid { cells, rows, columns, legend } => {
                [cells, rows, columns].into_iter().for_each(|e| self.expr(e));
                legend.iter().for_each(|(value, _)| self.expr(value));
            }
            ItemKind::Names(called, names, columns) => {
                for name in called {
                    match self.choices.get(&name.text).copied() {
                        Some(index) => self.names.uses.push((name.span, index)),
                        None => self.name(&name.text, name.span),
                    }
                }
                self.expr(names);
                columns.iter().for_each(|e| self.expr(e));
            }
            ItemKind::ShowText(pieces) => {
                for piece in pieces {
                    if let ShowPiece::Value(value) = piece {
                        self.expr(value);
                    }
                }
            }
            ItemKind::Input(pieces) => {
                for piece in pieces {
                    if let InputPiece::Value(value, _) = piece {
                        self.expr(value);
                    }
                }
            }
            // What is expected of the result are words, not names.
            ItemKind::Example { given, .. } => {
                for (name, value) in given {
                    self.name(&name.text, name.span);
                    self.expr(value);
                }
            }
        }
    }

    fn domains(&mut self, variables: &[Variable]) {
        for variable in variables {
            self.source(&variable.domain);
            variable.start.iter().for_each(|start| self.expr(start));
        }
    }

    fn ending(&mut self, ending: &Ending) {
        ending.value.iter().for_each(|value| self.expr(value));
    }

    fn source(&mut self, source: &Source) {
        match &source.kind {
            SourceKind::Range(low, high, _) => {
                self.expr(low);
                self.expr(high);
            }
            SourceKind::Bool => {}
            SourceKind::Names(names) => names.iter().for_each(|name| self.name(&name.text, name.span)),
            SourceKind::SetOf(inner) => self.source(inner),
            SourceKind::Array(inner, length) => {
                self.source(inner);
                self.expr(length);
            }
            SourceKind::Items(items) => self.expr(items),
        }
    }

    fn function(&mut self, function: &Function) {
        let depth = self.locals.len();
        for param in &function.params {
            self.local(&param.name, param.name.span.to(param.ty.span), Kind::Argument);
        }
        self.block(&function.body);
        self.locals.truncate(depth);
    }

    fn rule(&mut self, rule: &Move) {
        let depth = self.locals.len();
        self.head_lets(rule, 0);
        for (number, (name, source)) in rule.choices.iter().enumerate() {
            self.source(source);
            self.local(name, name.span.to(source.span), Kind::Choice);
            self.head_lets(rule, number + 1);
        }
        rule.when.iter().for_each(|when| self.expr(when));
        self.block(&rule.body);
        self.locals.truncate(depth);
    }

    fn head_lets(&mut self, rule: &Move, after: usize) {
        for (_, name, value) in rule.lets.iter().filter(|(place, ..)| *place == after) {
            self.expr(value);
            self.local(name, name.span.to(value.span), Kind::Local);
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        let depth = self.locals.len();
        block.iter().for_each(|statement| self.statement(statement));
        self.locals.truncate(depth);
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Let(name, value, _) => {
                self.expr(value);
                self.local(name, name.span.to(value.span), Kind::Local);
            }
            StmtKind::Assign(place, _, value) => {
                self.expr(place);
                self.expr(value);
            }
            StmtKind::If(condition, yes, no) => {
                self.expr(condition);
                self.block(yes);
                self.block(no);
            }
            StmtKind::For(name, over, body) => {
                self.expr(over);
                let depth = self.locals.len();
                self.local(name, name.span.to(over.span), Kind::Loop);
                self.block(body);
                self.locals.truncate(depth);
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Again => {}
            StmtKind::Return(value, _) | StmtKind::Turn(value) | StmtKind::SplitList(value) => self.expr(value),
            StmtKind::Gain(amount, player) => {
                self.expr(amount);
                player.iter().for_each(|player| self.expr(player));
            }
            StmtKind::SplitParts(parts) => parts.iter().flatten().for_each(|value| self.expr(value)),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Bool(_)
            | ExprKind::Text(_)
            | ExprKind::Mover
            | ExprKind::Opponent
            | ExprKind::Mistake => {}
            ExprKind::Name(text) => self.name(text, e.span),
            ExprKind::Negate(a) | ExprKind::Not(a) => self.expr(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::In(a, b)
            | ExprKind::Index(a, b)
            | ExprKind::Range(a, b, _)
            | ExprKind::Repeat(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Slice(list, low, high, _) => {
                self.expr(list);
                low.iter().chain(high).for_each(|e| self.expr(e));
            }
            ExprKind::Call(name, arguments) => {
                self.name(&name.text, name.span);
                arguments.iter().for_each(|e| self.expr(e));
            }
            ExprKind::List(items) | ExprKind::Set(items) => items.iter().for_each(|e| self.expr(e)),
            ExprKind::Fold(_, item, loops)
            | ExprKind::Comprehension(item, loops)
            | ExprKind::SetComprehension(item, loops) => self.loops(item, loops),
        }
    }

    fn loops(&mut self, item: &Expr, loops: &[Loop]) {
        let depth = self.locals.len();
        for Loop { name, over, when } in loops {
            self.expr(over);
            self.local(name, name.span.to(over.span), Kind::Loop);
            when.iter().for_each(|when| self.expr(when));
        }
        self.expr(item);
        self.locals.truncate(depth);
    }
}
