//! Players. If the file writes their number as a number, players that do not exist are found before anything runs.

use crate::check::Checker;
use crate::check::scope::Scope;
use crate::diagnostic::Diagnostic;
use crate::program::{Expr, ExprKind};
use crate::span::Span;
use crate::syntax::tree::{self, File, ItemKind};
use crate::types::Type;

/// The number of players, if the file writes it as a plain number or leaves it out.
pub fn written_players(file: &File) -> Option<i64> {
    let mut players = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Players(value) => Some(value),
        _ => None,
    });
    match players.next().map(|value| &value.kind) {
        None => Some(2),
        Some(tree::ExprKind::Int(count)) => Some(*count),
        Some(_) => None,
    }
}

impl Checker<'_> {
    /// Checks a PLAYER: a number, and an existing player if the number of players is known.
    pub(super) fn player(&mut self, tree: &tree::Expr, scope: &mut Scope, what: &str) -> Expr {
        let player = self.expect(tree, scope, &Type::Int, what);
        if let (ExprKind::Scalar(number), Type::Int) = (&player.kind, &player.ty) {
            self.player_exists(*number, player.span);
        }
        player
    }

    /// Reports a player that does not exist.
    pub(super) fn player_exists(&mut self, number: i64, span: Span) {
        let Some(players) = self.players else {
            return;
        };
        if number < 0 || number >= players {
            let s = if players == 1 { "" } else { "s" };
            let title = format!("there is no player {number}: this game has {players} player{s}");
            let help = format!(
                "players count from 0 (`first`) to {}; more are declared with `players {};`",
                players - 1,
                number.saturating_add(1).max(3)
            );
            self.complain(Diagnostic::at(span, title, "no such player").help(help));
        }
    }

    /// Reports `opponent` where there is no single other player.
    pub(super) fn one_opponent(&mut self, span: Span) {
        if let Some(players) = self.players.filter(|players| *players != 2) {
            let title = format!("`opponent` needs two players; this game has {players}");
            let help = format!("name the player: the next one is `(mover + 1) % {players}`");
            self.complain(Diagnostic::at(span, title, "which one?").help(help));
        }
    }
}
