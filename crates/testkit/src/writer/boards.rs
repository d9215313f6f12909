//! What board games need, in random rules files: several `stuck` rules, `let`s in the head of a move, sets that leave
//! their domain for a moment. Only files of [`super::Writer::boards`] have them, so that the others stay as they are.

use super::{Scope, Writer};

impl Writer<'_> {
    /// One to three `stuck` rules with conditions.
    pub(super) fn stuck_rules(&mut self) -> Vec<String> {
        let mut scope = self.scope();
        if self.style.sum {
            // There is no part to look at.
            scope.position = false;
            scope.functions = 0;
        }
        let mut rules = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let condition = self.truth(&scope, 1);
            rules.push(format!("stuck when {condition} => {};", self.result()));
        }
        rules
    }

    /// A `let` of a move's head, without its end.
    pub(super) fn head_let(&mut self, scope: &mut Scope) -> String {
        let name = self.name("h");
        if self.random.one_in(4) {
            let value = self.truth(scope, 1);
            scope.bools.push(name.clone());
            return format!("let {name} = {value}");
        }
        let value = self.int(scope, 2);
        scope.ints.push(name.clone());
        format!("let {name} = {value}")
    }

    /// Statements that may put elements outside its domain into a set, and take them out again.
    pub(super) fn stray(&mut self, set: &str, size: i64, scope: &Scope) -> String {
        let (x, value) = (self.name("x"), self.int(scope, 1));
        let mut inner = scope.clone();
        inner.ints.push(x.clone());
        let other = self.int(&inner, 1);
        let between = match self.random.below(3) {
            0 => self.assignment(&inner),
            1 => format!("if ({other}) in {set} {{ {} }} ", self.assignment(&inner)),
            _ => String::new(),
        };
        let leaves = self.style.risky && self.random.one_in(4);
        let clean = match self.random.below(3) {
            _ if leaves => format!("{set} -= {other}; "),
            0 => format!("{set} -= {x}; "),
            1 => format!("if {x} not in 0..{size} {{ {set} -= {x}; }} "),
            _ => String::new(),
        };
        // Whatever happened in between, nothing outside stays.
        let last = if leaves {
            String::new()
        } else {
            format!("for q in {set} {{ if q not in 0..{size} {{ {set} -= q; }} }} ")
        };
        match self.random.below(3) {
            0 => format!("let {x} = {value}; {set} = {{{x}, {other}}}; {between}{clean}{last}"),
            1 => format!("let {x} = {value}; if {} {{ {set} += {x}; }} {between}{clean}{last}", self.truth(&inner, 1)),
            _ => format!("let {x} = {value}; {set} += {x}; {between}{clean}{last}"),
        }
    }
}
