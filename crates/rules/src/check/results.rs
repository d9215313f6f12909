//! What a file says about its results (claims, examples), and the instances to sample.

use crate::check::Checker;
use crate::check::scope::{Scope, Sight, Symbol, did_you_mean};
use crate::diagnostic::Diagnostic;
use crate::program::{self, Claim, ClaimField, Example, Expr, Literal, Program, SampleItem};
use crate::span::Span;
use crate::suggest::nearest;
use crate::syntax::tree::{self, ExprKind, ItemKind};
use crate::types::Type;

/// The fields of a result that an example may name.
pub const FIELDS: &[&str] = &[
    "kind",
    "winner",
    "outcome",
    "outcome_class",
    "value",
    "mean",
    "temperature",
    "scores",
    "payoffs",
    "unique",
    "nimber",
    "loopy",
    "remoteness",
    "best_moves",
    "best_moves_cut",
    "fast_moves",
    "line",
    "line_cut",
    "positions",
    "method",
    "proof",
    "game",
    "instance",
];

impl Checker<'_> {
    pub(super) fn claim(
        &mut self,
        field: &tree::Name,
        claimed: &tree::ClaimedValue,
        when: Option<&tree::Expr>,
        span: Span,
        program: &mut Program,
    ) {
        let tree = &claimed.value;
        let kind = match field.text.as_str() {
            "winner" => ClaimField::Winner,
            "outcome" => ClaimField::Outcome,
            "value" => ClaimField::Value,
            "nimber" => ClaimField::Nimber,
            other => {
                let mut diagnostic =
                    Diagnostic::at(field.span, format!("nothing can be claimed about `{other}`"), "not a field");
                let near = did_you_mean(other, ["winner", "outcome", "value", "nimber"]);
                diagnostic.help =
                    near.or(Some("claims are about `winner`, `outcome`, `value` or `nimber`".to_string()));
                self.complain(diagnostic);
                return;
            }
        };
        let mut scope = Scope::new(Sight::Instance, "a claim");
        let words: &[(&str, i64)] = match kind {
            ClaimField::Winner => &[("draw", -1)],
            ClaimField::Outcome => &[("win", 1), ("draw", 0), ("lose", -1)],
            _ => &[],
        };
        let value = self.expr(&with_words(tree, words), &mut scope);
        let text_allowed = kind != ClaimField::Nimber;
        let suits = value.ty.fits(&Type::Int) || (text_allowed && value.ty == Type::Text);
        if !suits {
            let wanted = match kind {
                ClaimField::Winner => "a player or `draw`",
                ClaimField::Outcome => "`win`, `lose` or `draw`",
                _ => "a number",
            };
            let title = format!("a claim about `{}` is {wanted}, not {}", field.text, value.ty.noun());
            let mut diagnostic = Diagnostic::at(value.span, title, format!("this is {}", value.ty.noun()));
            if value.ty == Type::Bool && text_allowed {
                let (yes, no) = if kind == ClaimField::Winner { ("first", "second") } else { ("win", "lose") };
                diagnostic = diagnostic.help(format!("write `claim {} = if … then {yes} else {no};`", field.text));
            }
            self.complain(diagnostic);
        }
        self.claimed_words(tree, &field.text);
        if kind == ClaimField::Winner {
            self.claimed_player(&value);
        }
        let over = claimed.over.as_ref().map(|over| self.claimed_fraction(kind, &value, over, &mut scope));
        let when = when.map(|when| self.expect(when, &mut scope, &Type::Bool, "the condition of a claim"));
        program.claims.push(Claim { field: kind, value, over, when, span });
    }

    /// Checks the lower number of a claimed fraction: only values are fractions, and both numbers are whole.
    fn claimed_fraction(&mut self, kind: ClaimField, value: &Expr, over: &tree::Expr, scope: &mut Scope) -> Expr {
        if kind != ClaimField::Value {
            let title = "only a `value` can be a fraction";
            self.complain(Diagnostic::at(over.span, title, "not for this field"));
        } else if value.ty == Type::Text {
            let help = "write the fraction into the text, as in \"3/4\"";
            self.complain(Diagnostic::at(over.span, "a text cannot be divided", "below a text").help(help));
        }
        self.expect(over, scope, &Type::Int, "the lower number of a fraction")
    }

    /// Checks the players that a claim names; -1 stands for a draw.
    fn claimed_player(&mut self, value: &Expr) {
        match &value.kind {
            program::ExprKind::Scalar(-1) => {}
            program::ExprKind::Scalar(number) if value.ty == Type::Int => self.player_exists(*number, value.span),
            program::ExprKind::If(_, yes, no) => {
                self.claimed_player(yes);
                self.claimed_player(no);
            }
            _ => {}
        }
    }

    /// Checks the results that a claim writes as texts.
    fn claimed_words(&mut self, value: &tree::Expr, field: &str) {
        match &value.kind {
            ExprKind::Text(text) => self.field_value(field, &Literal::Text(text.clone()), value.span),
            ExprKind::If(_, yes, no) => {
                self.claimed_words(yes, field);
                self.claimed_words(no, field);
            }
            _ => {}
        }
    }

    pub(super) fn sample(&mut self, lines: &[(tree::Name, tree::Source)], program: &mut Program) {
        let mut known: Vec<usize> = Vec::new();
        for (name, source) in lines {
            let Some(Symbol::Param(param)) = self.symbols.get(&name.text) else {
                self.not_a_param(name);
                continue;
            };
            if known.contains(&param) {
                let first = lines.iter().find(|(other, _)| other.text == name.text).map_or(name.span, |l| l.0.span);
                let title = format!("`{}` is sampled twice", name.text);
                self.complain(Diagnostic::at(name.span, title, "again").related(first, "here first"));
                continue;
            }
            let mut scope = Scope::new(Sight::Params(known.clone()), "a sample");
            let wanted = self.param_types[param].clone();
            if let Some(source) = self.sample_source(source, &mut scope, &wanted, name.span) {
                program.sample.push(SampleItem { param, source, span: name.span });
            }
            known.push(param);
        }
    }

    fn not_a_param(&mut self, name: &tree::Name) {
        let mut diagnostic =
            Diagnostic::at(name.span, format!("the game has no parameter `{}`", name.text), "not a parameter");
        let params: Vec<&str> = self.file.params.iter().map(|p| p.name.text.as_str()).collect();
        diagnostic.help = match nearest(&name.text, params.iter().copied()) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if params.is_empty() => Some("it has no parameters".to_string()),
            None if params.len() == 1 => Some(format!("its parameter is {}", params[0])),
            None => Some(format!("its parameters are {}", params.join(", "))),
        };
        self.complain(diagnostic);
    }

    pub(super) fn example(
        &mut self,
        given: &[(tree::Name, tree::Expr)],
        gives: &[(tree::Name, tree::Expr)],
        span: Span,
        program: &mut Program,
    ) {
        let mut example = Example { given: Vec::new(), gives: Vec::new(), span };
        for (name, value) in given {
            let Some(Symbol::Param(param)) = self.symbols.get(&name.text) else {
                self.not_a_param(name);
                continue;
            };
            if example.given.iter().any(|(known, _)| *known == param) {
                let first = given.iter().find(|(other, _)| other.text == name.text).map_or(name.span, |g| g.0.span);
                let title = format!("`{}` is given twice", name.text);
                self.complain(Diagnostic::at(name.span, title, "again").related(first, "here first"));
                continue;
            }
            let mut scope = Scope::new(Sight::Constants, "an example");
            let wanted = self.param_types[param].clone();
            let value = self.expect(value, &mut scope, &wanted, &format!("`{}`", name.text));
            example.given.push((param, value));
        }
        for param in &self.file.params {
            if param.default.is_none() && !given.iter().any(|(name, _)| name.text == param.name.text) {
                let title = format!("the example gives no `{}`", param.name.text);
                let help = format!(
                    "write `example {{ {}: …, … }}`; only parameters with a default may be left out",
                    param.name.text
                );
                let place =
                    given.last().map_or(Span { end: span.start + 7, ..span }, |(name, value)| name.span.to(value.span));
                let diagnostic = Diagnostic::at(place, title, format!("no `{}` here", param.name.text));
                self.diagnostics.push(diagnostic.related(param.name.span, "this parameter has no default").help(help));
            }
        }
        for (number, (name, value)) in gives.iter().enumerate() {
            if let Some((first, _)) = gives[..number].iter().find(|(other, _)| other.text == name.text) {
                let title = format!("`{}` is given twice", name.text);
                self.complain(Diagnostic::at(name.span, title, "again").related(first.span, "here first"));
                continue;
            }
            if !FIELDS.contains(&name.text.as_str()) {
                let mut diagnostic =
                    Diagnostic::at(name.span, format!("a result has no field `{}`", name.text), "not a field");
                let near = did_you_mean(&name.text, FIELDS.iter().copied());
                diagnostic.help = near.or_else(|| Some(format!("the fields are {}", FIELDS.join(", "))));
                self.complain(diagnostic);
                continue;
            }
            match literal(value) {
                Some(literal) => {
                    self.field_value(&name.text, &literal, value.span);
                    example.gives.push((name.text.clone(), literal, value.span));
                }
                None => {
                    let title = format!("the expected `{}` must be a plain value", name.text);
                    let help = "write numbers, true, false, words, \"text\" and lists of these; moves stand in quotes";
                    self.complain(Diagnostic::at(value.span, title, "not a plain value").help(help));
                }
            }
        }
        program.examples.push(example);
    }

    /// Checks the value of a field: one of a few words, a number, a list.
    fn field_value(&mut self, field: &str, value: &Literal, span: Span) {
        let words: &[&str] = match field {
            "winner" => &["first", "second", "draw", "third"],
            "outcome" => &["win", "lose", "draw"],
            "outcome_class" => &["L", "R", "N", "P"],
            "kind" => &["outcome", "score", "payoffs", "nimber", "partizan"],
            _ => return self.field_shape(field, value, span),
        };
        let Literal::Text(text) = value else {
            let title = format!("`{field}` is one of {}", words.join(", "));
            self.complain(Diagnostic::at(span, title, "not one of them"));
            return;
        };
        let later_player = field == "winner" && text.starts_with("player ");
        if !words.contains(&text.as_str()) && !later_player {
            let mut diagnostic = Diagnostic::at(span, format!("`{field}` is never `{text}`"), "not a possible value");
            let all = || format!("it is one of {}", words.join(", "));
            diagnostic.help = did_you_mean(text, words.iter().copied()).or_else(|| Some(all()));
            self.complain(diagnostic);
        }
    }

    fn field_shape(&mut self, field: &str, value: &Literal, span: Span) {
        let is_int = |value: &Literal| matches!(value, Literal::Int(_));
        let is_text = |value: &Literal| matches!(value, Literal::Text(_));
        let all = |of: fn(&Literal) -> bool| matches!(value, Literal::List(items) if items.iter().all(of));
        let (suits, wanted) = match field {
            "nimber" | "remoteness" | "positions" => (is_int(value), "a number"),
            "value" | "mean" | "temperature" => {
                (is_int(value) || is_text(value), "a number, or a text such as \"{1|*}\"")
            }
            "scores" | "payoffs" => (all(|v| matches!(v, Literal::Int(_))), "a list of numbers, one for each player"),
            "unique" | "best_moves_cut" | "line_cut" => (matches!(value, Literal::Bool(_)), "`true` or `false`"),
            "best_moves" | "fast_moves" | "line" => {
                (all(|v| matches!(v, Literal::Text(_))), "a list of moves, as in `[\"take(2)\"]`")
            }
            "method" | "proof" | "game" | "loopy" => (is_text(value), "a text"),
            _ => (true, ""),
        };
        if !suits {
            self.complain(Diagnostic::at(span, format!("`{field}` is {wanted}"), "not of this kind"));
        } else if let ("best_moves" | "fast_moves" | "line", Literal::List(moves)) = (field, value) {
            for text in moves {
                self.known_move(text, span);
            }
        }
    }

    /// Checks a move in a result, which is written as its name, then its choices.
    fn known_move(&mut self, text: &Literal, span: Span) {
        let Literal::Text(text) = text else {
            return;
        };
        let name = text.split(['(', ' ']).next().unwrap_or_default();
        let names: Vec<&str> = self.file.items.iter().filter_map(move_name).collect();
        if !names.contains(&name) {
            let mut diagnostic = Diagnostic::at(span, format!("there is no move `{name}`"), "names it").may_follow();
            let all = || format!("the moves are {}", names.join(", "));
            diagnostic.help = did_you_mean(name, names.iter().copied()).or_else(|| Some(all()));
            self.complain(diagnostic);
        }
    }
}

fn move_name(item: &tree::Item) -> Option<&str> {
    match &item.kind {
        ItemKind::Move(rule) => Some(&rule.name.text),
        _ => None,
    }
}

/// The expression with words that stand for results replaced by their numbers.
fn with_words(value: &tree::Expr, words: &[(&str, i64)]) -> tree::Expr {
    let mut value = value.clone();
    let kind = match value.kind {
        ExprKind::Name(ref name) => match words.iter().find(|(word, _)| word == name) {
            Some(&(_, number)) => ExprKind::Int(number),
            None => return value,
        },
        ExprKind::If(condition, yes, no) => {
            ExprKind::If(condition, with_words(&yes, words).into(), with_words(&no, words).into())
        }
        other => other,
    };
    value.kind = kind;
    value
}

fn literal(value: &tree::Expr) -> Option<Literal> {
    Some(match &value.kind {
        ExprKind::Int(value) => Literal::Int(*value),
        ExprKind::Negate(inner) => match inner.kind {
            ExprKind::Int(value) => Literal::Int(-value),
            _ => return None,
        },
        ExprKind::Bool(value) => Literal::Bool(*value),
        ExprKind::Text(text) => Literal::Text(text.clone()),
        ExprKind::Name(name) => Literal::Text(name.clone()),
        ExprKind::List(items) => Literal::List(items.iter().map(literal).collect::<Option<_>>()?),
        _ => return None,
    })
}
