//! `name … as …;`: which choices and variables have named numbers, and where the names come from.

use crate::check::Checker;
use crate::check::scope::{Scope, Sight, did_you_mean};
use crate::diagnostic::Diagnostic;
use crate::program::{Choice, Domain, Expr, NameRule, Program, Source};
use crate::span::Span;
use crate::syntax::tree::{self, ItemKind};
use crate::types::Type;

impl Checker<'_> {
    /// Checks the `name` items and gives each choice and variable its names. All moves are known by now.
    pub(super) fn name_items(&mut self, program: &mut Program) {
        let file = self.file;
        let mut seen: Vec<(&str, Span)> = Vec::new();
        for item in &file.items {
            let ItemKind::Names(called, names, columns) = &item.kind else { continue };
            let rule = self.name_rule(names, columns.as_ref());
            let number = program.namings.len();
            program.namings.push(rule);
            for name in called {
                if let Some((_, first)) = seen.iter().find(|(known, _)| *known == name.text) {
                    let title = format!("the values of `{}` are named twice", name.text);
                    self.complain(Diagnostic::at(name.span, title, "again").related(*first, "here first"));
                    continue;
                }
                seen.push((&name.text, name.span));
                self.name_values(name, number, program);
            }
        }
    }

    fn name_rule(&mut self, names: &tree::Expr, columns: Option<&tree::Expr>) -> NameRule {
        let mut scope = Scope::new(Sight::Instance, "a `name`");
        let Some(columns) = columns else {
            let reported = self.diagnostics.len();
            let list = self.expect(names, &mut scope, &Type::list(Type::Text), "what the numbers are called");
            if let Some(last) = self.diagnostics.get_mut(reported) {
                let help = "names are a list of texts, or the squares of a grid: `as ROWS by COLUMNS`";
                last.help = Some(help.to_string());
            }
            return NameRule::Texts(list);
        };
        let mut side = |side: &tree::Expr| -> Expr { self.expect(side, &mut scope, &Type::Int, "the size of a grid") };
        NameRule::Grid { rows: side(names), columns: side(columns) }
    }

    /// Names the values of every choice and of the variable called like this.
    fn name_values(&mut self, name: &tree::Name, number: usize, program: &mut Program) {
        let mut found = false;
        let mut wrong = None;
        for choice in program.moves.iter_mut().flat_map(|rule| &mut rule.choices).filter(|c| c.name == name.text) {
            found = true;
            choice.naming = Some(number);
            wrong = wrong.or(unsuitable(&choice.ty, has_names(choice)).map(|why| (why, choice.span)));
        }
        for variable in program.variables.iter_mut().filter(|variable| variable.name == name.text) {
            found = true;
            variable.naming = Some(number);
            wrong = wrong.or(unsuitable(&variable.ty, is_named(&variable.domain)).map(|why| (why, variable.span)));
        }
        if let Some((why, span)) = wrong {
            let title = format!("the values of `{}` cannot be named", name.text);
            let help = "`name` is for numbers, and for sets and lists of numbers";
            self.complain(Diagnostic::at(name.span, title, "named here").related(span, why).help(help));
        }
        if found {
            return;
        }
        let choices = self.file.items.iter().flat_map(|item| match &item.kind {
            ItemKind::Move(rule) => rule.choices.iter().map(|(name, _)| name.text.as_str()).collect(),
            ItemKind::State(variables) | ItemKind::Sum { variables, .. } => {
                variables.iter().map(|variable| variable.name.text.as_str()).collect()
            }
            _ => Vec::new(),
        });
        let choices: Vec<&str> = choices.collect();
        // A choice that was left out because of another mistake is no mistake of the `name`.
        if choices.contains(&name.text.as_str()) {
            return;
        }
        let title = format!("no choice and no variable is called `{}`", name.text);
        let help = did_you_mean(&name.text, choices.iter().copied()).unwrap_or_else(|| {
            "name the choices of moves, as in `move place(at in 0..9)`: `name at as 3 by 3;`".to_string()
        });
        self.complain(Diagnostic::at(name.span, title, "not declared").help(help).may_follow());
    }
}

/// Why values cannot be named, if they cannot.
fn unsuitable(ty: &Type, named: bool) -> Option<String> {
    let mut of = ty;
    while let Type::List(item) = of {
        of = item;
    }
    match of {
        _ if named => Some("its values have names already".to_string()),
        Type::Int | Type::Set | Type::Unknown => None,
        _ => Some(format!("this is {}", ty.noun())),
    }
}

fn has_names(choice: &Choice) -> bool {
    match &choice.source {
        Source::Domain(domain) => is_named(domain),
        Source::NamedItems(_) => true,
        Source::Items(_) => !choice.names.is_empty(),
    }
}

fn is_named(domain: &Domain) -> bool {
    match domain {
        Domain::Names(_) => true,
        Domain::SetOf(base) => is_named(base),
        Domain::Array { item, .. } => is_named(item),
        Domain::Range { .. } | Domain::Bool => false,
    }
}
