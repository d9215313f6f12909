//! Writes random rules files: every kind of variable, choice, statement and expression, bounded so that games stay small.
//!
//! What is assigned fits its domain by construction (`low + e % size`), numbers stay small, lists are indexed modulo their
//! length; a *risky* file now and then forgets one of these cares, so that its rules may go wrong somewhere.

mod boards;
mod expressions;

use crate::random::Random;

/// A variable of the position.
#[derive(Clone, Debug)]
enum Kind {
    Int { low: i64, size: i64 },
    Bool,
    Names,
    Set { size: i64 },
    Ints { length: usize, size: i64 },
    Bools { length: usize },
    Grid { rows: usize, columns: usize },
}

/// What can be read where an expression stands.
#[derive(Clone, Debug, Default)]
struct Scope {
    ints: Vec<String>,
    bools: Vec<String>,
    sets: Vec<String>,
    lists: Vec<(String, usize)>,
    /// Locals that can change.
    vars: Vec<String>,
    position: bool,
    mover: bool,
    /// How many functions can be called.
    functions: usize,
}

/// What a file is like.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// 2 or more.
    pub players: usize,
    /// Whether there are gains.
    pub counted: bool,
    /// Whether moves earn nothing, so that only results are counted.
    pub results_only: bool,
    /// Whether rules may read the player to move.
    pub mover: bool,
    /// Whether a counter makes every game end.
    pub counter: bool,
    /// Whether rules may go wrong.
    pub risky: bool,
    /// Whether positions are sums of parts. Then there is a counter.
    pub sum: bool,
}

/// The styles that several tests try. What is drawn from chance, and in which order, is part of a test: seeds stay good.
impl Style {
    /// Games that are won, lost or drawn.
    pub fn won(random: &mut Random) -> Style {
        let players = if random.one_in(6) { 3 } else { 2 };
        let (mover, counter) = (random.one_in(2), random.one_in(2));
        Style { players, counted: false, results_only: false, mover, counter, risky: false, sum: false }
    }

    /// Games with gains, one in `third` of them for three players.
    pub fn counted(random: &mut Random, third: usize) -> Style {
        let players = if random.one_in(third) { 3 } else { 2 };
        let (results_only, mover, counter) = (random.one_in(4), random.one_in(2), !random.one_in(6));
        Style { players, counted: true, results_only, mover, counter, risky: false, sum: false }
    }

    /// Games whose rules may go wrong.
    pub fn risky(random: &mut Random) -> Style {
        let (counted, results_only) = (random.one_in(3), random.one_in(3));
        let (mover, counter) = (random.one_in(2), random.one_in(2));
        Style { players: 2, counted, results_only, mover, counter, risky: true, sum: false }
    }
}

/// The names of the constants.
const NAMES: [&str; 3] = ["red", "green", "blue"];

/// Writes one file.
pub struct Writer<'r> {
    random: &'r mut Random,
    style: Style,
    variables: Vec<(String, Kind)>,
    functions: Vec<(usize, bool)>,
    fresh: usize,
    /// Whether the file has what board games need.
    boards: bool,
}

impl<'r> Writer<'r> {
    /// A writer of files of this style.
    pub fn new(random: &'r mut Random, style: Style) -> Writer<'r> {
        Writer { random, style, variables: Vec::new(), functions: Vec::new(), fresh: 0, boards: false }
    }

    /// A writer of files with several `stuck` rules, `let`s in the heads of moves, `sign`, and sets that leave their domain
    /// for a moment.
    pub fn boards(random: &'r mut Random, style: Style) -> Writer<'r> {
        Writer { boards: true, ..Writer::new(random, style) }
    }

    fn name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// A whole rules file.
    pub fn file(mut self) -> String {
        let mut items = vec!["let table = [2, 0, 1, 3, 1];".to_string(), "let pair = [[0, 1], [2, 1]];".to_string()];
        items.push(if self.style.sum { self.parts() } else { self.state() });
        for _ in 0..self.random.below(3) {
            let function = self.function();
            items.push(function);
        }
        if self.boards {
            items.extend(self.stuck_rules());
        }
        items.extend(self.settings());
        for _ in 0..if self.style.sum { 0 } else { self.random.below(3) } {
            let end = self.end();
            items.push(end);
        }
        for _ in 0..2 + self.random.below(3) {
            let rule = self.rule();
            items.push(rule);
        }
        if self.random.one_in(8) {
            let scope = self.scope();
            items.push(if self.style.counter && !self.random.one_in(4) {
                "measure 2 * left + 1;".to_string()
            } else {
                format!("measure {};", self.int(&scope, 2))
            });
        }
        if self.random.one_in(6) {
            let scope = self.scope();
            items.push(format!("estimate {};", self.int(&scope, 1)));
        }
        format!("game made() {{\n    {}\n}}\n", items.join("\n    "))
    }

    fn scope(&self) -> Scope {
        Scope { position: true, mover: self.style.mover, functions: self.functions.len(), ..Scope::default() }
    }

    fn state(&mut self) -> String {
        let mut lines = Vec::new();
        let mut size = 2;
        if self.style.counter {
            let most = self.random.between(2, 5);
            lines.push(format!("left in 0..={most} = {most};"));
            size *= most as usize + 1;
        }
        let limit = if self.style.counter { 2000 } else { 250 };
        for _ in 0..2 + self.random.below(4) {
            let kind = self.kind();
            let (count, domain, start) = self.domain(&kind);
            if size * count > limit {
                continue;
            }
            size *= count;
            let name = self.name("v");
            lines.push(format!("{name} in {domain} = {start};"));
            self.variables.push((name, kind));
        }
        if lines.is_empty() {
            lines.push("v0 in 0..3 = 1;".to_string());
            self.variables.push(("v0".to_string(), Kind::Int { low: 0, size: 3 }));
        }
        format!("state {{ {} }}", lines.join(" "))
    }

    /// A sum of one to three parts with a counter each.
    fn parts(&mut self) -> String {
        let mut variables = vec!["left in 0..=3".to_string()];
        for _ in 0..1 + self.random.below(2) {
            let (low, size) = (self.random.between(-1, 1), self.random.between(1, 3));
            let name = self.name("v");
            variables.push(format!("{name} in {low}..{}", low + size));
            self.variables.push((name, Kind::Int { low, size }));
        }
        let mut parts = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let mut part = vec![self.random.below(3) as i64];
            for (_, kind) in &self.variables {
                let Kind::Int { low, size } = kind else { continue };
                part.push(low + self.random.below(*size as usize) as i64);
            }
            parts.push(part);
        }
        format!("sum of part({}) from {parts:?};", variables.join(", "))
    }

    /// Replaces the part by none to three parts with less on their counters.
    fn split(&mut self, scope: &Scope) -> String {
        let parts: Vec<String> = (0..self.random.below(4))
            .map(|_| {
                let mut values = vec!["left".to_string()];
                for (_, kind) in self.variables.clone() {
                    let Kind::Int { low, size } = kind else { continue };
                    values.push(format!("{low} + ({}) % {size}", self.int(scope, 1)));
                }
                format!("({})", values.join(", "))
            })
            .collect();
        format!("split {}; ", parts.join(", "))
    }

    fn kind(&mut self) -> Kind {
        let random = &mut *self.random;
        match random.below(9) {
            0..=2 => Kind::Int { low: random.between(-2, 1), size: random.between(1, 4) },
            3 => Kind::Bool,
            4 => Kind::Names,
            5 => Kind::Set { size: random.between(0, 3) },
            6 => Kind::Ints { length: random.below(4), size: random.between(2, 3) },
            7 => Kind::Bools { length: random.below(4) },
            _ => Kind::Grid { rows: 1 + random.below(2), columns: 1 + random.below(2) },
        }
    }

    /// How many values, the domain and the start.
    fn domain(&mut self, kind: &Kind) -> (usize, String, String) {
        let random = &mut *self.random;
        match *kind {
            Kind::Int { low, size } => {
                let domain = match random.below(2) {
                    0 => format!("{low}..={}", low + size - 1),
                    _ => format!("{low}..{}", low + size),
                };
                (size as usize, domain, (low + random.below(size as usize) as i64).to_string())
            }
            Kind::Bool => (2, "bool".to_string(), random.one_in(2).to_string()),
            Kind::Names => (3, "{red, green, blue}".to_string(), random.pick(&NAMES).to_string()),
            Kind::Set { size } => {
                let start = if size > 0 && random.one_in(2) {
                    format!("{{{}}}", random.below(size as usize))
                } else {
                    "{}".into()
                };
                (1 << size, format!("set of 0..{size}"), start)
            }
            Kind::Ints { length, size } => {
                let value = random.below(size as usize);
                ((size as usize).pow(length as u32), format!("[0..{size}; {length}]"), format!("[{value}; {length}]"))
            }
            Kind::Bools { length } => (1 << length, format!("[bool; {length}]"), format!("[false; {length}]")),
            Kind::Grid { rows, columns } => {
                let domain = format!("[[0..=1; {columns}]; {rows}]");
                (1 << (rows * columns), domain, format!("[[0; {columns}]; {rows}]"))
            }
        }
    }

    fn function(&mut self) -> String {
        let arguments = self.random.below(3);
        let truth = self.random.one_in(3);
        let names: Vec<String> = (0..arguments).map(|_| self.name("a")).collect();
        let mut scope = self.scope();
        scope.ints = names.clone();
        let mut body = String::new();
        if self.random.one_in(2) {
            let (name, value) = (self.name("x"), self.int(&scope, 2));
            body += &format!("var {name} = {value}; ");
            scope.ints.push(name.clone());
            scope.vars.push(name);
            if self.random.one_in(2) {
                let over = self.name("i");
                let mut inner = scope.clone();
                inner.ints.push(over.clone());
                let change = self.change_local(&inner);
                let leave = if self.random.one_in(2) {
                    format!("if {} {{ break; }} ", self.truth(&inner, 1))
                } else {
                    String::new()
                };
                body += &format!("for {over} in 0..3 {{ {leave}{change} }} ");
            }
        }
        let result = |this: &mut Self, scope: &Scope| if truth { this.truth(scope, 2) } else { this.int(scope, 2) };
        if self.random.one_in(3) {
            let (condition, early) = (self.truth(&scope, 1), result(self, &scope));
            body += &format!("if {condition} {{ return {early}; }} ");
        }
        let last = result(self, &scope);
        let name = format!("f{}", self.functions.len());
        self.functions.push((arguments, truth));
        let parameters: Vec<String> = names.iter().map(|name| format!("{name}: int")).collect();
        let ty = if truth { "bool" } else { "int" };
        format!("fn {name}({}) -> {ty} {{ {body}{last} }}", parameters.join(", "))
    }

    fn settings(&mut self) -> Vec<String> {
        let Style { players, counted, mover, .. } = self.style;
        let mut items = Vec::new();
        if players != 2 {
            items.push(format!("players {players};"));
        }
        if self.random.one_in(4) {
            items.push(format!("starts {};", self.random.below(players)));
        }
        if counted {
            if players == 2 && self.random.one_in(2) {
                items.push(format!("objective {};", self.random.pick(&["own", "difference"])));
            }
            if self.style.results_only {
                items.push(format!("stuck => {};", self.result()));
                return items;
            }
            items.push("move never when false { gain 0; }".to_string());
        } else if players == 2 && self.random.one_in(4) && mover {
            items.push(format!("forever => winner {};", self.random.below(2)));
        }
        if self.random.one_in(2) {
            items.push(format!("stuck => {};", self.result()));
        }
        items
    }

    fn result(&mut self) -> String {
        if self.style.sum {
            // Stuck in all parts at once: there is no position to look at.
            let word = if self.style.counted { ["score 1", "score 0"] } else { ["win", "draw"] };
            return self.random.pick(&word).to_string();
        }
        let scope = self.scope();
        if self.style.counted {
            return match self.random.below(3) {
                0 if self.style.mover => {
                    let payoffs: Vec<String> = (0..self.style.players).map(|_| self.small(&scope)).collect();
                    format!("payoffs [{}]", payoffs.join(", "))
                }
                1 if self.random.one_in(2) => format!("score {}", self.int(&scope, 0)),
                1 | 2 if self.style.results_only => format!("score {}", self.random.below(2)),
                _ => format!("score {}", self.small(&scope)),
            };
        }
        match self.random.below(6) {
            0 => "win".to_string(),
            1 => "draw".to_string(),
            2 if self.style.mover => format!("winner ({}) % {}", self.int(&scope, 1), self.style.players),
            3 if self.style.players == 2 => format!("winner {}", self.random.pick(&["mover", "opponent"])),
            _ => "lose".to_string(),
        }
    }

    /// A number from 0 to 2, so that ties are common.
    fn small(&mut self, scope: &Scope) -> String {
        format!("({}) % 3", self.int(scope, 1))
    }

    fn end(&mut self) -> String {
        let scope = self.scope();
        let conditions: Vec<String> = (0..3).map(|_| self.truth(&scope, 1)).collect();
        format!("end when {} => {};", conditions.join(" and "), self.result())
    }

    fn rule(&mut self) -> String {
        let name = self.name("m");
        let owner = if self.style.mover { *self.random.pick(&["", "", "first ", "second "]) } else { "" };
        let mut scope = self.scope();
        let mut choices = Vec::new();
        for _ in 0..self.random.below(4).min(2) {
            let choice = self.choice(&mut scope);
            choices.push(choice);
            if self.boards && self.random.one_in(3) {
                choices.push(self.head_let(&mut scope));
            }
        }
        let choices = if choices.is_empty() { String::new() } else { format!("({})", choices.join(", ")) };
        let lets: Vec<String> = match self.boards {
            true => (0..self.random.below(3)).map(|_| format!(" {};", self.head_let(&mut scope))).collect(),
            false => Vec::new(),
        };
        let mut guards = Vec::new();
        if self.style.counter {
            guards.push("left > 0".to_string());
        }
        if self.random.one_in(3) {
            guards.push(self.truth(&scope, 2));
        }
        let when = if guards.is_empty() { String::new() } else { format!(" when {}", guards.join(" and ")) };
        let mut body = String::new();
        if self.style.counter {
            body += "left -= 1; ";
        }
        for _ in 0..1 + self.random.below(4) {
            body += &self.statement(&mut scope, 2);
        }
        if self.style.sum && self.random.one_in(3) {
            body += &self.split(&scope);
        }
        format!("move {owner}{name}{choices}{}{when} {{ {body}}}", lets.concat())
    }

    fn choice(&mut self, scope: &mut Scope) -> String {
        let name = self.name("c");
        let sets: Vec<String> = self.sets(scope);
        let kept = match self.random.below(9) {
            2 => &mut scope.bools,
            4 => &mut scope.sets,
            5 => {
                scope.lists.push((name.clone(), 2));
                return format!("{name} in [0..=1; 2]");
            }
            number => {
                let source = self.numbers(number, scope, &sets);
                scope.ints.push(name.clone());
                return format!("{name} in {source}");
            }
        };
        kept.push(name.clone());
        let source = if scope.bools.last() == Some(&name) { "bool" } else { "set of 0..=1" };
        format!("{name} in {source}")
    }

    /// What a choice that is a number ranges over.
    fn numbers(&mut self, number: usize, scope: &Scope, sets: &[String]) -> String {
        match number {
            0 | 1 => format!("0..=({}) % 3", self.int(scope, 1)),
            3 => {
                // Some of the constants are a set of them, if there is a variable that declares them.
                let declared = self.variables.iter().any(|(_, kind)| matches!(kind, Kind::Names));
                let some = *self.random.pick(&["{red, blue}", "{blue, red}", "{green}"]);
                (if declared && self.random.one_in(2) { some } else { "{red, green, blue}" }).to_string()
            }
            6 => "table".to_string(),
            7 if !sets.is_empty() => self.random.pick(sets).clone(),
            _ => format!("[{}, {}, 1]", self.int(scope, 1), self.int(scope, 1)),
        }
    }

    fn statement(&mut self, scope: &mut Scope, depth: usize) -> String {
        match self.random.below(if depth == 0 { 6 } else { 10 }) {
            0..=3 => self.assignment(scope),
            4 if self.style.counted && !self.style.results_only => self.gain(scope),
            5 if self.random.one_in(2) => self.turn(scope),
            4 | 5 => self.change_local(scope),
            6 => {
                let (name, value) = (self.name("x"), self.int(scope, 2));
                let word = *self.random.pick(&["let", "var"]);
                if word == "var" {
                    scope.vars.push(name.clone());
                }
                scope.ints.push(name.clone());
                format!("{word} {name} = {value}; ")
            }
            7 | 8 => {
                let condition = self.truth(scope, 2);
                let then = self.statement(&mut scope.clone(), depth - 1);
                match self.random.below(3) {
                    0 => format!("if {condition} {{ {then}}} "),
                    1 => {
                        let otherwise = self.statement(&mut scope.clone(), depth - 1);
                        format!("if {condition} {{ {then}}} else {{ {otherwise}}} ")
                    }
                    _ => {
                        let (second, last) = (self.truth(scope, 1), self.statement(&mut scope.clone(), depth - 1));
                        format!("if {condition} {{ {then}}} else if {second} {{ {last}}} ")
                    }
                }
            }
            _ => self.run(scope, depth),
        }
    }

    fn run(&mut self, scope: &Scope, depth: usize) -> String {
        let name = self.name("i");
        let mut inner = scope.clone();
        inner.ints.push(name.clone());
        let sets = self.sets(scope);
        let over = match self.random.below(4) {
            0 => "table".to_string(),
            1 if !sets.is_empty() => self.random.pick(&sets).clone(),
            2 => "[2, 0]".to_string(),
            _ => "0..2".to_string(),
        };
        let leave = match self.random.below(4) {
            0 => format!("if {} {{ break; }} ", self.truth(&inner, 1)),
            1 => format!("if {} {{ continue; }} ", self.truth(&inner, 1)),
            _ => String::new(),
        };
        let body = self.statement(&mut inner, depth - 1);
        format!("for {name} in {over} {{ {leave}{body}}} ")
    }

    fn gain(&mut self, scope: &Scope) -> String {
        let amount = match self.random.below(4) {
            0 => self.random.between(-1, 2).to_string(),
            1 => self.int(scope, 0),
            _ => self.small(scope),
        };
        let players = self.style.players;
        match self.random.below(4) {
            0 if players == 2 => format!("gain {amount} for opponent; "),
            1 if self.style.mover => format!("gain {amount} for ({}) % {players}; ", self.int(scope, 1)),
            2 if self.style.mover => format!("gain {amount} for second; "),
            _ => format!("gain {amount}; "),
        }
    }

    fn turn(&mut self, scope: &Scope) -> String {
        match self.random.below(4) {
            0 if self.style.mover => format!("turn = ({}) % {}; ", self.int(scope, 1), self.style.players),
            1 if self.style.players == 2 => "turn = opponent; ".to_string(),
            2 => "turn = mover; ".to_string(),
            _ => "again; ".to_string(),
        }
    }

    fn change_local(&mut self, scope: &Scope) -> String {
        let vars: Vec<String> = scope.vars.clone();
        if vars.is_empty() {
            return String::new();
        }
        let name = self.random.pick(&vars).clone();
        let value = self.int(scope, 1);
        match self.random.below(3) {
            0 => format!("{name} = ({value}) % 9; "),
            1 => format!("{name} += ({value}) % 4; "),
            _ => format!("{name} -= ({value}) % 4; "),
        }
    }

    fn assignment(&mut self, scope: &Scope) -> String {
        if self.variables.is_empty() {
            return String::new();
        }
        let (name, kind) = self.variables[self.random.below(self.variables.len())].clone();
        if let (Kind::Set { size }, true) = (&kind, self.boards && self.random.one_in(2)) {
            return self.stray(&name, *size, scope);
        }
        let careless = self.style.risky && self.random.one_in(8);
        match kind {
            Kind::Int { .. } if careless => format!("{name} += ({}) % 2; ", self.int(scope, 1)),
            Kind::Int { low, size } => {
                let value = self.int(scope, 2);
                match self.random.below(3) {
                    0 => format!("{name} = max({low}, min({}, {value})); ", low + size - 1),
                    1 => format!("{name} -= {name} - {low} - ({value}) % {size}; "),
                    _ => format!("{name} = {low} + ({value}) % {size}; "),
                }
            }
            Kind::Bool => format!("{name} = {}; ", self.truth(scope, 2)),
            Kind::Names => match self.random.below(3) {
                0 => format!("{name} = {}; ", self.random.pick(&NAMES)),
                1 => format!("{name} = if {} then red else blue; ", self.truth(scope, 1)),
                _ => format!("{name} = ({name} + {}) % 3; ", self.int(scope, 1)),
            },
            Kind::Set { size: 0 } => format!("{name} = {{}}; "),
            Kind::Set { size } => {
                let value = self.int(scope, 1);
                match self.random.below(5) {
                    0 => format!("{name} += ({value}) % {size}; "),
                    1 => format!("{name} -= {value}; "),
                    2 => format!("{name} = {{({value}) % {size}}}; "),
                    3 => format!("{name} = {{q for q in 0..{size} when {}}}; ", self.truth(scope, 1)),
                    _ if careless => format!("{name} += {value}; "),
                    _ => format!("{name} += min({name}, {}) % {size}; ", size - 1),
                }
            }
            Kind::Ints { length: 0, .. } | Kind::Bools { length: 0 } => String::new(),
            Kind::Ints { length, size } => {
                let (index, value) = (self.int(scope, 1), self.int(scope, 1));
                match self.random.below(4) {
                    0 => format!("{name} = [({value}) % {size}; {length}]; "),
                    1 => format!("{name} = reverse({name}); "),
                    _ if careless => format!("{name}[{index}] = ({value}) % {size}; "),
                    _ => format!("{name}[({index}) % {length}] = ({value}) % {size}; "),
                }
            }
            Kind::Bools { length } => {
                let (index, value) = (self.int(scope, 1), self.truth(scope, 1));
                format!("{name}[({index}) % {length}] = {value}; ")
            }
            Kind::Grid { rows, columns } => {
                let (row, column, value) = (self.int(scope, 1), self.int(scope, 1), self.int(scope, 1));
                match self.random.below(3) {
                    0 => format!("{name}[({row}) % {rows}] = [({value}) % 2; {columns}]; "),
                    _ => format!("{name}[({row}) % {rows}][({column}) % {columns}] = ({value}) % 2; "),
                }
            }
        }
    }
}
