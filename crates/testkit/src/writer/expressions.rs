//! The expressions of random rules files.

use super::{Kind, Scope, Writer};

impl Writer<'_> {
    /// The sets that can be read.
    pub(super) fn sets(&self, scope: &Scope) -> Vec<String> {
        let variables = self.variables.iter().filter(|(_, kind)| scope.position && matches!(kind, Kind::Set { .. }));
        variables.map(|(name, _)| name.clone()).chain(scope.sets.iter().cloned()).collect()
    }

    /// A number of the position, if there is one.
    fn variable_int(&mut self, scope: &Scope) -> Option<String> {
        if !scope.position || self.variables.is_empty() {
            return None;
        }
        let (name, kind) = self.variables[self.random.below(self.variables.len())].clone();
        let index = self.random.below(7);
        Some(match kind {
            Kind::Int { .. } | Kind::Names => name,
            Kind::Bool => format!("(if {name} then 1 else 0)"),
            Kind::Set { .. } if self.style.risky && self.random.one_in(10) => format!("min({name})"),
            Kind::Set { .. } => format!("len({name})"),
            Kind::Ints { length: 0, .. } | Kind::Bools { length: 0 } => format!("len({name})"),
            Kind::Ints { length, .. } => match self.random.below(3) {
                0 => format!("sum({name})"),
                1 => format!("max({name}[0..{}], 0)", index % (length + 1)),
                _ => format!("{name}[{}]", index % length),
            },
            Kind::Bools { length } => match self.random.below(2) {
                0 => format!("count({name}[z] for z in 0..{length})"),
                _ => format!("(if {name}[{}] then 2 else -1)", index % length),
            },
            Kind::Grid { rows, columns } => match self.random.below(2) {
                0 => format!("{name}[{}][{}]", index % rows, index % columns),
                _ => format!("sum({name}[z][y] for z in 0..{rows} for y in 0..{columns} when z <= y)"),
            },
        })
    }

    /// An expression that is a number.
    pub(super) fn int(&mut self, scope: &Scope, depth: usize) -> String {
        let leaf = depth == 0 || self.random.one_in(4);
        if leaf {
            return match self.random.below(6) {
                0 if scope.mover && self.style.players == 2 => self.random.pick(&["mover", "opponent"]).to_string(),
                0 if scope.mover => "mover".to_string(),
                1 | 2 if !scope.ints.is_empty() => self.random.pick(&scope.ints).clone(),
                3 if !scope.lists.is_empty() => {
                    let (name, length) = self.random.pick(&scope.lists).clone();
                    format!("{name}[{}]", self.random.below(length))
                }
                5 => self.random.between(-2, 4).to_string(),
                _ => self.variable_int(scope).unwrap_or_else(|| "1".to_string()),
            };
        }
        let a = self.int(scope, depth - 1);
        match self.random.below(14) {
            0 => format!("({a} + {})", self.int(scope, depth - 1)),
            1 => format!("({a} - {})", self.int(scope, depth - 1)),
            2 => format!("({a} * {})", self.random.between(-1, 3)),
            3 if self.style.risky && self.random.one_in(4) => format!("({a} / {})", self.int(scope, depth - 1)),
            3 => format!("({a} / {})", self.random.pick(&[-2, 2, 3])),
            4 => format!("({a} % {})", self.random.pick(&[-3, 2, 3, 4])),
            5 => format!("min({a}, {})", self.int(scope, depth - 1)),
            6 => format!("max({a}, {})", self.int(scope, depth - 1)),
            7 if self.boards => format!("{}({a})", self.random.pick(&["sign", "abs"])),
            7 => format!("abs({a})"),
            8 => format!("table[({a}) % 5]"),
            9 => format!("(if {} then {a} else {})", self.truth(scope, depth - 1), self.int(scope, depth - 1)),
            10 => self.call(scope, depth, false).unwrap_or(a),
            11 => {
                let mut inner = scope.clone();
                let name = self.name("z");
                inner.ints.push(name.clone());
                let fold = *self.random.pick(&["sum", "xor", "count"]);
                format!("{fold}({} for {name} in 0..3 when {})", self.int(&inner, 1), self.truth(&inner, 1))
            }
            12 => format!("popcount(abs({a}))"),
            _ => format!("pair[({a}) % 2][{}]", self.random.below(2)),
        }
    }

    fn call(&mut self, scope: &Scope, depth: usize, truth: bool) -> Option<String> {
        let known: Vec<usize> = (0..scope.functions).filter(|&f| self.functions[f].1 == truth).collect();
        if known.is_empty() {
            return None;
        }
        let function = *self.random.pick(&known);
        let arguments: Vec<String> = (0..self.functions[function].0).map(|_| self.int(scope, depth - 1)).collect();
        Some(format!("f{function}({})", arguments.join(", ")))
    }

    /// An expression that is true or false.
    pub(super) fn truth(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(3) {
                0 if !scope.bools.is_empty() => self.random.pick(&scope.bools).clone(),
                _ => format!("{} {} {}", self.int(scope, 0), self.comparison(), self.int(scope, 0)),
            };
        }
        let sets = self.sets(scope);
        match self.random.below(10) {
            0 => format!("({} and {})", self.truth(scope, depth - 1), self.truth(scope, depth - 1)),
            1 => format!("({} or {})", self.truth(scope, depth - 1), self.truth(scope, depth - 1)),
            2 => format!("not ({})", self.truth(scope, depth - 1)),
            3 if !sets.is_empty() => format!("({}) in {}", self.int(scope, depth - 1), self.random.pick(&sets)),
            4 => format!("({}) in table", self.int(scope, depth - 1)),
            5 => format!("({}) in 0..=({})", self.int(scope, depth - 1), self.int(scope, depth - 1)),
            6 => {
                let mut inner = scope.clone();
                let name = self.name("z");
                inner.ints.push(name.clone());
                let fold = *self.random.pick(&["any", "all"]);
                format!("{fold}({} for {name} in 0..2)", self.truth(&inner, depth - 1))
            }
            7 => self.call(scope, depth, true).unwrap_or("true".to_string()),
            8 if sets.len() > 1 => format!("{} {} {}", sets[0], self.random.pick(&["==", "!="]), sets[1]),
            _ => format!("{} {} {}", self.int(scope, depth - 1), self.comparison(), self.int(scope, depth - 1)),
        }
    }

    fn comparison(&mut self) -> &'static str {
        let all = ["==", "!=", "<", "<=", ">", ">="];
        all[self.random.below(all.len())]
    }
}
