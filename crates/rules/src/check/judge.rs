//! `input` and `output`: what a program that is to be checked reads and prints.

use crate::check::Checker;
use crate::check::scope::{Scope, Sight, did_you_mean};
use crate::diagnostic::Diagnostic;
use crate::program::{AnswerField, InputPiece, OutputField};
use crate::span::Span;
use crate::syntax::tree;
use crate::types::Type;

impl Checker<'_> {
    /// Checks the values of an `input`, which belong to the instance.
    pub(super) fn input(&mut self, pieces: &[tree::InputPiece]) -> Vec<InputPiece> {
        let mut scope = Scope::new(Sight::Instance, "an `input`");
        let mut checked = Vec::new();
        for piece in pieces {
            checked.push(match piece {
                tree::InputPiece::Text(text) => InputPiece::Text(text.clone()),
                tree::InputPiece::Value(tree, separators) => {
                    let value = self.expr(tree, &mut scope);
                    let levels = nesting(&value.ty);
                    if separators.len() > levels && value.ty != Type::Unknown {
                        let title = match levels {
                            0 => format!("{} has no items to set apart", value.ty.noun()),
                            _ => format!("this list has {levels} level{} of items", if levels == 1 { "" } else { "s" }),
                        };
                        let help =
                            "one `by` is for the items of a list, two are for a list of lists, the outer one first";
                        let label = format!("this is {}", value.ty.noun());
                        self.complain(Diagnostic::at(value.span, title, label).help(help));
                    }
                    InputPiece::Value(value, separators.clone())
                }
            });
        }
        checked
    }

    /// Checks the fields that a program prints, and the texts for their values.
    pub(super) fn output(&mut self, fields: &[tree::OutputField]) -> Vec<OutputField> {
        let mut checked = Vec::new();
        for (number, tree::OutputField { name, words }) in fields.iter().enumerate() {
            let Some(field) = AnswerField::ALL.into_iter().find(|field| field.name() == name.text) else {
                let title = format!("a program cannot be asked for `{}`", name.text);
                let mut diagnostic = Diagnostic::at(name.span, title, "not a field of the answer");
                let names = || AnswerField::ALL.into_iter().map(AnswerField::name);
                let all = || format!("the fields are {}", names().collect::<Vec<_>>().join(", "));
                diagnostic.help = did_you_mean(&name.text, names()).or_else(|| Some(all()));
                self.complain(diagnostic);
                continue;
            };
            if field == AnswerField::Move && number + 1 < fields.len() {
                let help = "a move takes the rest of what is printed: put it last";
                self.complain(Diagnostic::at(name.span, "`move` is the last field", "not the last").help(help));
            }
            let words = self.words(field, name, words);
            checked.push(OutputField { field, words, span: name.span });
        }
        checked
    }

    /// Checks the texts for the values of a field.
    fn words(&mut self, field: AnswerField, name: &tree::Name, words: &[(String, Span)]) -> Vec<String> {
        let Some((_, first)) = words.first() else { return Vec::new() };
        let players = usize::try_from(self.players.unwrap_or(2)).unwrap_or(2);
        let (least, most, order) = match field {
            AnswerField::Winner if self.is_written_players() => {
                (players, players + 1, "the players in order, then a draw")
            }
            AnswerField::Winner => (2, 65, "the players in order, then a draw"),
            AnswerField::Outcome => (2, 3, "a win of the player who starts, a loss, a draw"),
            _ => {
                let title = format!("`{field}` has no words of its own");
                let help = "only `winner` and `outcome` are printed as words; leave out `as`";
                self.complain(Diagnostic::at(*first, title, "not for this field").help(help));
                return Vec::new();
            }
        };
        if words.len() < least || words.len() > most {
            let title = format!("`{field}` needs {least} or {} texts, and has {}", least + 1, words.len());
            let span = words.iter().fold(*first, |all, (_, span)| all.to(*span));
            let help = format!("they are for {order}, as in `\"First\"/\"Second\"`");
            let diagnostic = Diagnostic::at(span, title, "these texts").related(name.span, "what is printed");
            self.complain(diagnostic.help(help));
        }
        for (text, span) in words {
            if text.trim().is_empty() {
                let title = "an answer cannot be empty";
                self.complain(Diagnostic::at(*span, title, "nothing to compare").help("write what the program prints"));
            }
        }
        words.iter().map(|(text, _)| text.clone()).collect()
    }

    /// Whether the file writes the number of players as a number, or has two.
    fn is_written_players(&self) -> bool {
        self.players.is_some() || !self.file.items.iter().any(|item| matches!(item.kind, tree::ItemKind::Players(_)))
    }
}

/// How many levels of items a value has; a text is one item.
fn nesting(ty: &Type) -> usize {
    match ty {
        Type::List(item) => 1 + nesting(item),
        Type::Set => 1,
        _ => 0,
    }
}
