//! Lists of which the rules show a stretch: `show "{rows[r][i..j]}"`.
//!
//! Such a list is drawn whole, as a row: the items of the stretch are there, the others are gone. A list of numbers that moves change
//! themselves, shown in stretches, is a row of pits: `show "first: {pit[0..n]}, second: {pit[n..2 * n]}"`.

use game::Player;
use rules::bind::Bound;
use rules::interpreter::Interpreter;
use rules::layout::Leaf;
use rules::program::{Expr, ExprKind, Show, ShowPiece};
use rules::types::Type;
use rules::visit;

/// A row with more items than this is not drawn.
pub(crate) const MOST_ITEMS: usize = 400;

/// A list of which `show` writes a stretch.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    /// Which piece of the text it is.
    piece: usize,
    /// What the text says before it, of pits: whose they are.
    pub title: Option<String>,
    /// Whether it always begins with the first item: then only the other end is open, and it stands.
    pub upright: bool,
    /// The variable that is the list, where the numbers themselves are shown.
    pub counts: Option<usize>,
    /// The variables that say which list it is, and where the stretch begins and ends.
    pub variables: Vec<usize>,
}

/// A list and the stretch of it that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// What is written on each item of the whole list.
    pub texts: Vec<String>,
    /// The first item of the stretch.
    pub from: usize,
    /// The end of the stretch.
    pub to: usize,
}

fn pieces(bound: &Bound) -> &[ShowPiece] {
    match &bound.program.show {
        Some(Show::Text(pieces)) => pieces,
        _ => &[],
    }
}

/// The variables of a position that an expression names.
fn named(expr: &Expr) -> Vec<usize> {
    let mut found = Vec::new();
    visit::expr(expr, &mut |inner| {
        if let ExprKind::Variable { variable, .. } = inner.kind
            && !found.contains(&variable)
        {
            found.push(variable);
        }
    });
    found
}

/// The words before a value: `first: ` is `first`.
fn title(before: Option<&ShowPiece>) -> Option<String> {
    let Some(ShowPiece::Text(text)) = before else { return None };
    let words = text.trim_matches(|sign: char| !sign.is_alphanumeric());
    (!words.is_empty() && words.len() <= 30).then(|| words.to_string())
}

impl Stretch {
    /// The stretches that the rules show.
    pub(crate) fn all(bound: &Bound) -> Vec<Stretch> {
        let pieces = pieces(bound);
        let one = |(piece, shown): (usize, &ShowPiece)| {
            let ShowPiece::Value(expr) = shown else { return None };
            let ExprKind::Slice { list, low, .. } = &expr.kind else { return None };
            let before = piece.checked_sub(1).and_then(|before| pieces.get(before));
            let zero = low.as_ref().is_none_or(|low| matches!(low.kind, ExprKind::Scalar(0)));
            let counts = match &list.kind {
                ExprKind::Variable { variable, indices } if indices.is_empty() => Some(*variable),
                ExprKind::Variable { .. } => return None,
                _ => None,
            };
            let slot = counts.map(|variable| &bound.layout.variables[variable]);
            if slot.is_some_and(|slot| !matches!((&slot.leaf, &slot.dims[..]), (Leaf::Int { low: 0, .. }, [_]))) {
                return None;
            }
            let (upright, variables) = (zero && counts.is_none(), named(expr));
            let title = counts.and_then(|_| title(before));
            Some(Stretch { piece, title, upright, counts, variables })
        };
        pieces.iter().enumerate().filter_map(one).collect()
    }

    /// Whether nothing else of what the rules show names a variable.
    pub(crate) fn has_alone(&self, bound: &Bound, variable: usize) -> bool {
        let mut others = pieces(bound).iter().enumerate().filter(|(piece, _)| *piece != self.piece);
        !others.any(|(_, piece)| match piece {
            ShowPiece::Value(Expr { kind: ExprKind::Slice { .. }, .. }) | ShowPiece::Text(_) => false,
            ShowPiece::Value(expr) => named(expr).contains(&variable),
        })
    }

    /// The list in a part, and the stretch of it.
    pub(crate) fn read<'b>(&self, bound: &'b Bound, part: &[i64], turn: Player) -> Option<Shown> {
        let ShowPiece::Value(Expr { kind: ExprKind::Slice { list, low, high, inclusive }, .. }) =
            pieces(bound).get(self.piece)?
        else {
            return None;
        };
        let mut interpreter = Interpreter::new(bound);
        let value = interpreter.value_in(list, part, turn).ok()?;
        let texts: Vec<String> = match list.ty {
            Type::Text => value.characters().chars().map(String::from).collect(),
            _ => value.numbers()?.iter().map(i64::to_string).collect(),
        };
        if texts.len() > MOST_ITEMS {
            return None;
        }
        let mut number = |bound: &'b Option<Box<Expr>>, absent: usize| match bound {
            None => Some(absent),
            Some(expr) => usize::try_from(interpreter.value_in(expr, part, turn).ok()?.as_int()?).ok(),
        };
        let from = number(low, 0)?.min(texts.len());
        let to = number(high, texts.len())? + usize::from(*inclusive && high.is_some());
        let to = to.clamp(from, texts.len());
        Some(Shown { texts, from, to })
    }
}
