//! The kind of game that a file states, and what does not go together: numbers and outcomes, sums and `end` rules.

use crate::check::Checker;
use crate::check::scope::{Scope, Sight};
use crate::diagnostic::Diagnostic;
use crate::program::{Ending, EndingKind, Program};
use crate::span::Span;
use crate::suggest::nearest;
use crate::syntax::tree::{self, ItemKind, StmtKind};
use crate::types::Type;

impl Checker<'_> {
    /// A RESULT.
    pub(super) fn ending(&mut self, ending: &tree::Ending, sight: Sight, place: &'static str) -> Option<Ending> {
        const WORDS: [&str; 6] = ["win", "lose", "draw", "winner", "score", "payoffs"];
        let mut scope = Scope::new(sight, place);
        let (word, span) = (ending.word.text.as_str(), ending.word.span);
        let span = ending.value.as_ref().map_or(span, |value| span.to(value.span));
        let mut value = |what: &str, ty: &Type| match &ending.value {
            Some(value) => Some(self.expect(value, &mut scope, ty, what)),
            None => {
                let title = format!("`{word}` needs {what}");
                let help = match word {
                    "winner" => "write `winner first`, `winner second` or `winner mover`",
                    "score" => "write `score EXPR`: a further gain of the player to move",
                    _ => "write `payoffs [EXPR, …]`, one for each player",
                };
                self.complain(Diagnostic::at(span, title, "nothing follows").help(help));
                None
            }
        };
        let kind = match word {
            "winner" => {
                let player = value("a player", &Type::Int)?;
                if let (crate::program::ExprKind::Scalar(number), Type::Int) = (&player.kind, &player.ty) {
                    self.player_exists(*number, player.span);
                }
                EndingKind::Winner(player)
            }
            "score" => EndingKind::Score(value("a score", &Type::Int)?),
            "payoffs" => {
                let list = value("a list of payoffs", &Type::list(Type::Int))?;
                self.one_payoff_each(&list);
                EndingKind::Payoffs(list)
            }
            "win" | "lose" | "draw" => {
                if let Some(value) = &ending.value {
                    let title = format!("expected `;` after `{word}`");
                    let help = format!("`{word}` is said of the player to move; `winner PLAYER` names a player");
                    self.complain(Diagnostic::at(value.span, title, "not expected").help(help));
                }
                match word {
                    "win" => EndingKind::Win,
                    "lose" => EndingKind::Lose,
                    _ => EndingKind::Draw,
                }
            }
            _ => {
                let mut diagnostic =
                    Diagnostic::at(ending.word.span, format!("`{word}` is not a result"), "not a result");
                let near = match word {
                    "loss" | "loses" | "lost" => Some("lose".to_string()),
                    "wins" | "won" => Some("win".to_string()),
                    "tie" | "drawn" | "remis" => Some("draw".to_string()),
                    "first" | "second" | "third" => Some(format!("winner {word}")),
                    _ => nearest(word, WORDS).map(str::to_string),
                };
                diagnostic.help = Some(match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "results are `win`, `lose`, `draw`, `winner PLAYER`, `score EXPR` and `payoffs [EXPR, …]`"
                        .to_string(),
                });
                self.complain(diagnostic);
                return None;
            }
        };
        Some(Ending { kind, span })
    }

    pub(super) fn forever(&mut self, ending: &tree::Ending) -> Option<Ending> {
        let result = self.ending(ending, Sight::Instance, "`forever`")?;
        if !matches!(result.kind, EndingKind::Draw | EndingKind::Winner(_)) {
            let title = "endless play is a `draw` or has a `winner PLAYER`";
            let help = "nobody is to move when play never ends, so `win` and `lose` have no meaning";
            self.complain(Diagnostic::at(result.span, title, "not possible here").help(help));
            return None;
        }
        Some(result)
    }

    /// Checks that payoffs written out are one for each player.
    fn one_payoff_each(&mut self, list: &crate::program::Expr) {
        if let (crate::program::ExprKind::List(items), Some(players)) = (&list.kind, self.players)
            && items.len() as i64 != players
        {
            let title = format!("`payoffs` needs one number for each of the {players} players, not {}", items.len());
            let help = "they stand in order, from player 0 on";
            self.complain(Diagnostic::at(list.span, title, "of another length").help(help));
        }
    }

    /// Whether the file has gains, scores or payoffs.
    pub(super) fn is_counted(&self) -> bool {
        self.first_number().is_some()
    }

    /// The first place where a result is a number.
    fn first_number(&self) -> Option<Span> {
        self.file.items.iter().find_map(|item| match &item.kind {
            ItemKind::Move(rule) => first_gain(&rule.body),
            ItemKind::End(_, ending) | ItemKind::Stuck(_, ending) => {
                matches!(ending.word.text.as_str(), "score" | "payoffs").then_some(ending.word.span)
            }
            _ => None,
        })
    }

    /// The first place where a result is won, lost or drawn.
    fn first_outcome(&self) -> Option<Span> {
        self.file.items.iter().find_map(|item| match &item.kind {
            ItemKind::End(_, ending) | ItemKind::Stuck(_, ending) => {
                matches!(ending.word.text.as_str(), "win" | "lose" | "draw" | "winner").then_some(ending.word.span)
            }
            _ => None,
        })
    }

    /// Reports items that must not stand together.
    pub(super) fn kinds(&mut self, program: &Program) {
        let number = self.first_number();
        if let (Some(number), Some(outcome)) = (number, self.first_outcome()) {
            let title = "a game is counted, or it is won and lost, but not both";
            let help = "with gains, end with `score EXPR` or `payoffs […]`; the higher total wins by itself";
            let diagnostic = Diagnostic::at(outcome, title, "won, lost or drawn here").related(number, "counted here");
            self.complain(diagnostic.help(help));
        }
        for item in &self.file.items {
            match &item.kind {
                ItemKind::Objective(word) if number.is_none() => {
                    let help = "`objective` is about gains: add `gain e;` to a move, or leave it out";
                    let title = "nothing is counted in this game";
                    self.diagnostics.push(Diagnostic::at(word.span, title, "no gains").help(help).may_follow());
                }
                ItemKind::Objective(word) if word.text == "difference" && self.players.is_some_and(|n| n > 2) => {
                    let title = "with more than two players each wants the own total";
                    let help = "there is no single other total to subtract; leave `objective` out";
                    self.diagnostics.push(Diagnostic::at(word.span, title, "needs two players").help(help));
                }
                ItemKind::End(..) if self.is_sum => {
                    let title = "a `sum of` parts has no `end` rules";
                    let help = "a sum ends when no part has a move: say what that means with `stuck`";
                    self.diagnostics.push(Diagnostic::at(item.span, title, "not allowed").help(help));
                }
                ItemKind::Claim(field, ..) => self.claim_suits(field, number.is_some()),
                ItemKind::Regions { .. } => self.regions_suit(item.span, number),
                ItemKind::Symmetry(..) if self.is_sum => {
                    // The symmetry of a part makes sense; it is checked part by part.
                }
                _ => {}
            }
        }
        if let Some(forever) = &program.forever
            && number.is_some()
        {
            let title = "a counted game cannot go on forever";
            let help = "its positions must not repeat, so leave `forever` out";
            self.complain(Diagnostic::at(forever.span, title, "has no meaning").help(help));
        }
    }

    /// Whether rules depend on the player. Then a game that is won and lost has a value too.
    fn is_partizan(&self) -> bool {
        let owned = |item: &tree::Item| matches!(&item.kind, ItemKind::Move(rule) if rule.owner.is_some());
        self.reads_player || self.file.items.iter().any(owned)
    }

    fn claim_suits(&mut self, field: &tree::Name, counted: bool) {
        let misplaced = match field.text.as_str() {
            "value" => !counted && !self.is_partizan(),
            "nimber" => counted,
            _ => false,
        };
        if misplaced {
            let (kind, hint) = if counted {
                ("counted", "claim its `value`, `winner` or `outcome`")
            } else {
                ("won and lost", "claim its `winner`, `outcome` or `nimber`")
            };
            let title = format!("this game is {kind} and has no `{}`", field.text);
            self.complain(Diagnostic::at(field.span, title, "not a field of this game").help(hint));
        }
    }

    fn regions_suit(&mut self, span: Span, number: Option<Span>) {
        let outcome = self.file.items.iter().find_map(|item| match &item.kind {
            ItemKind::End(_, ending) => Some(ending.word.span),
            ItemKind::Stuck(_, ending) if ending.word.text != "lose" => Some(ending.word.span),
            _ => None,
        });
        if let Some(place) = number.or(outcome) {
            let title = "`regions` are parts of a game won by the last mover";
            let help = "such a game has no `end` rules, no gains, and `stuck => lose`";
            self.complain(Diagnostic::at(span, title, "not such a game").related(place, "because of this").help(help));
        }
    }
}

fn first_gain(block: &[tree::Stmt]) -> Option<Span> {
    block.iter().find_map(|statement| match &statement.kind {
        StmtKind::Gain(..) => Some(statement.span),
        StmtKind::If(_, then, otherwise) => first_gain(then).or_else(|| first_gain(otherwise)),
        StmtKind::For(_, _, body) => first_gain(body),
        _ => None,
    })
}
