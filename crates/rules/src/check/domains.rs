//! Domains: what variables and choices can hold, and the constants that `{a, b}` domains declare.

use crate::check::Checker;
use crate::check::scope::{Scope, Symbol};
use crate::diagnostic::Diagnostic;
use crate::program::{Domain, Source};
use crate::span::Span;
use crate::syntax::tree::{self, ExprKind, SourceKind};
use crate::types::Type;

impl Checker<'_> {
    /// Declares the constants in a variable's domain and gives its type. Nothing else is checked yet.
    pub(super) fn declare_variable_domain(&mut self, source: &tree::Source) -> Type {
        match &source.kind {
            SourceKind::Range(..) => Type::Int,
            SourceKind::Bool => Type::Bool,
            SourceKind::Names(names) => {
                self.declare_constants(names);
                Type::Int
            }
            SourceKind::SetOf(base) => {
                self.declare_variable_domain(base);
                Type::Set
            }
            SourceKind::Array(item, _) => Type::list(self.declare_variable_domain(item)),
            SourceKind::Items(_) => Type::Unknown,
        }
    }

    fn declare_constants(&mut self, names: &[tree::Name]) {
        for (number, name) in names.iter().enumerate() {
            if let Some(first) = names[..number].iter().find(|other| other.text == name.text) {
                let title = format!("`{}` stands twice in one domain", name.text);
                self.complain(Diagnostic::at(name.span, title, "again").related(first.span, "here first"));
                continue;
            }
            let value = number as i64;
            if !self.constants.iter().any(|(known, _)| *known == name.text) {
                self.constants.push((name.text.clone(), value));
            }
            self.declare_name(name, Symbol::Constant(value));
        }
    }

    /// Declares the constants of a move's choices, where `{a, b}` is a domain and not a set of known values.
    pub(super) fn declare_choice_constants(&mut self, rule: &tree::Move) {
        for (index, (_, source)) in rule.choices.iter().enumerate() {
            let lets = rule.lets.iter().filter(|(after, ..)| *after <= index).map(|(_, name, _)| name);
            let choices = rule.choices[..index].iter().map(|(name, _)| name);
            let earlier: Vec<&str> = choices.chain(lets).map(|name| name.text.as_str()).collect();
            self.declare_in_choice(source, &earlier);
        }
    }

    fn declare_in_choice(&mut self, source: &tree::Source, earlier: &[&str]) {
        match &source.kind {
            SourceKind::Names(names) if !self.is_set_of_known(names, earlier) => self.declare_constants(names),
            SourceKind::SetOf(base) | SourceKind::Array(base, _) => self.declare_in_choice(base, earlier),
            _ => {}
        }
    }

    /// Whether `{a, b}` in a choice is a set of values that are already known. It is one if a name is known as
    /// something other than a constant, or if all names are constants whose numbers are not their places.
    fn is_set_of_known(&self, names: &[tree::Name], earlier: &[&str]) -> bool {
        let known = |name: &tree::Name| self.symbols.get(&name.text);
        let is_value = |name: &tree::Name| {
            earlier.contains(&name.text.as_str()) || known(name).is_some_and(|s| !matches!(s, Symbol::Constant(_)))
        };
        if names.iter().any(is_value) {
            return true;
        }
        let in_place = |(number, name): (usize, &tree::Name)| known(name) == Some(Symbol::Constant(number as i64));
        names.iter().all(|name| known(name).is_some()) && !names.iter().enumerate().all(in_place)
    }

    /// The domain of a variable. Its expressions read only the instance.
    pub(super) fn domain(&mut self, source: &tree::Source, scope: &mut Scope, sample: bool) -> Option<Domain> {
        Some(match &source.kind {
            SourceKind::Range(low, high, inclusive) => Domain::Range {
                low: self.expect(low, scope, &Type::Int, "the lower bound").into(),
                high: self.expect(high, scope, &Type::Int, "the upper bound").into(),
                inclusive: *inclusive,
                span: source.span,
            },
            SourceKind::Bool => Domain::Bool,
            SourceKind::Names(names) => Domain::Names(names.iter().map(|name| name.text.clone()).collect()),
            SourceKind::SetOf(base) => {
                if !matches!(base.kind, SourceKind::Range(..) | SourceKind::Names(_)) {
                    let help = "write `set of 0..n` or `set of {a, b, c}`";
                    self.complain(
                        Diagnostic::at(base.span, "a set holds numbers of a range", "not a range").help(help),
                    );
                    return None;
                }
                Domain::SetOf(self.domain(base, scope, sample)?.into())
            }
            SourceKind::Array(item, length) => {
                let item = self.domain(item, scope, sample)?.into();
                let (length, up_to) = match &length.kind {
                    ExprKind::Range(low, high, inclusive) if sample => {
                        let low = self.expect(low, scope, &Type::Int, "the least length");
                        let high = self.expect(high, scope, &Type::Int, "the largest length");
                        (low, Some((high.into(), *inclusive)))
                    }
                    ExprKind::Range(..) => {
                        let help = "only a `sample` may leave the length open; a position's arrays have a fixed length";
                        self.complain(
                            Diagnostic::at(length.span, "the length must be one number", "a range").help(help),
                        );
                        return None;
                    }
                    _ => (self.expect(length, scope, &Type::Int, "the length of an array"), None),
                };
                Domain::Array { item, length: length.into(), up_to }
            }
            SourceKind::Items(value) => {
                self.not_a_domain(value);
                return None;
            }
        })
    }

    fn not_a_domain(&mut self, value: &tree::Expr) {
        let title = "expected a domain";
        let mut diagnostic = Diagnostic::at(value.span, title, "not a domain");
        diagnostic.help = Some(match &value.kind {
            ExprKind::Name(name) if matches!(name.as_str(), "int" | "text") => {
                "say which numbers: `0..=9`; a position has finitely many values".to_string()
            }
            ExprKind::Name(name) if name == "set" => "say of what: `set of 0..n`".to_string(),
            ExprKind::Name(name) => format!("write `0..{name}` for the numbers below {name}"),
            _ => {
                "domains are `a..b`, `a..=b`, `bool`, `{name, name}`, `set of a..=b` and `[DOMAIN; length]`".to_string()
            }
        });
        self.complain(diagnostic);
    }

    /// What a choice ranges over, with its type.
    pub(super) fn choice_source(&mut self, source: &tree::Source, scope: &mut Scope) -> Option<(Source, Type)> {
        match &source.kind {
            SourceKind::Items(value) => {
                let items = self.expr(value, scope);
                let Some(ty) = items.ty.item() else {
                    let title = format!("a choice ranges over a domain, a list or a set, not {}", items.ty.noun());
                    let mut diagnostic = Diagnostic::at(items.span, title, format!("this is {}", items.ty.noun()));
                    if items.ty == Type::Int {
                        diagnostic = diagnostic.help("write `1..=n` for the numbers up to n");
                    }
                    self.complain(diagnostic);
                    return None;
                };
                Some((Source::Items(items), ty))
            }
            SourceKind::Names(names) if !self.declares(names, scope) => {
                let constants =
                    names.iter().map(|name| match (scope.local(&name.text), self.symbols.get(&name.text)) {
                        (None, Some(Symbol::Constant(value))) => Some((name.text.clone(), value)),
                        _ => None,
                    });
                if let Some(mut constants) = constants.collect::<Option<Vec<_>>>() {
                    constants.sort_by_key(|(_, value)| *value);
                    constants.dedup();
                    return Some((Source::NamedItems(constants), Type::Int));
                }
                let items = names.iter().map(named).collect();
                let set = tree::Expr { kind: ExprKind::Set(items), span: source.span, depth: 1 };
                Some((Source::Items(self.expr(&set, scope)), Type::Int))
            }
            _ => {
                let domain = self.domain(source, scope, false)?;
                let ty = domain_type(&domain);
                Some((Source::Domain(domain), ty))
            }
        }
    }

    /// The names of the values that a choice takes from a list of constants or from a variable that holds constants.
    pub(super) fn names_of(&self, written: &tree::Source, source: &Source, scope: &Scope) -> Vec<(String, i64)> {
        let (SourceKind::Items(value), Source::Items(items)) = (&written.kind, source) else { return Vec::new() };
        if let crate::program::ExprKind::Variable { variable, .. } = &items.kind {
            let mut domains = self.file.items.iter().flat_map(|item| match &item.kind {
                tree::ItemKind::State(variables) | tree::ItemKind::Sum { variables, .. } => &variables[..],
                _ => &[],
            });
            return domains.nth(*variable).map(|variable| constants_in(&variable.domain)).unwrap_or_default();
        }
        let ExprKind::List(listed) = &value.kind else { return Vec::new() };
        let constant = |item: &tree::Expr| match &item.kind {
            ExprKind::Name(name) if scope.local(name).is_none() => match self.symbols.get(name) {
                Some(Symbol::Constant(value)) => Some((name.clone(), value)),
                _ => None,
            },
            _ => None,
        };
        listed.iter().map(constant).collect::<Option<_>>().unwrap_or_default()
    }

    /// Whether these names are the constants 0, 1, 2, … of a domain.
    fn declares(&self, names: &[tree::Name], scope: &Scope) -> bool {
        names.iter().enumerate().all(|(number, name)| {
            scope.local(&name.text).is_none() && self.symbols.get(&name.text) == Some(Symbol::Constant(number as i64))
        })
    }

    /// What a parameter is sampled from: a domain, or the items of a list or set. Its values must suit the parameter.
    pub(super) fn sample_source(
        &mut self,
        source: &tree::Source,
        scope: &mut Scope,
        wanted: &Type,
        span: Span,
    ) -> Option<Source> {
        let (checked, ty) = match &source.kind {
            SourceKind::Items(_) | SourceKind::Names(_) => self.choice_source(source, scope)?,
            _ => {
                let domain = self.domain(source, scope, true)?;
                let ty = domain_type(&domain);
                (Source::Domain(domain), ty)
            }
        };
        if !ty.fits(wanted) {
            let title = format!("the parameter is {}, the sample gives {}", wanted.noun(), ty.noun());
            let help = match wanted {
                Type::Int => "write `0..=9`",
                Type::List(_) => "a list is sampled as `[0..=9; 1..=5]`: its items, then its length",
                Type::Text => {
                    "a text is sampled as `[97..=99; 1..=5]` (characters are numbers), or from `[\"ab\", \"ba\"]`"
                }
                _ => "write a domain of that type",
            };
            self.complain(Diagnostic::at(span, title, "of another type").help(help));
            return None;
        }
        Some(checked)
    }
}

fn named(name: &tree::Name) -> tree::Expr {
    tree::Expr { kind: ExprKind::Name(name.text.clone()), span: name.span, depth: 0 }
}

/// The constants in a domain, at any depth.
fn constants_in(source: &tree::Source) -> Vec<(String, i64)> {
    match &source.kind {
        SourceKind::Names(names) => names.iter().zip(0..).map(|(name, number)| (name.text.clone(), number)).collect(),
        SourceKind::SetOf(inner) | SourceKind::Array(inner, _) => constants_in(inner),
        _ => Vec::new(),
    }
}

/// The type of a domain's values.
pub fn domain_type(domain: &Domain) -> Type {
    match domain {
        Domain::Range { .. } | Domain::Names(_) => Type::Int,
        Domain::Bool => Type::Bool,
        Domain::SetOf(_) => Type::Set,
        Domain::Array { item, .. } => Type::list(domain_type(item)),
    }
}
