//! Genus symbols, and the tame games that they decide.
//!
//! Write `2` for the nim-heap of two. The misère value `g⁻(G)` is 1 for a game without options, else the mex of the
//! options' misère values; it is the one `k` for which `G + k` is lost by the mover. The *genus* of `G` is its normal
//! nim-value `g` with the misère values `g0, g1, g2, …` of `G`, `G + 2`, `G + 2 + 2`, … as superscripts.
//!
//! **The genus of a game follows from those of its options.** Adding `1` turns a misère value `v` into `v ⊕ 1`, so
//! `g(i+1)` is the mex of the options' `g(i+1)` together with `g(i)` and `g(i) ⊕ 1` (the last `2` becomes 0 or 1).
//!
//! **The superscripts end in `v, v ⊕ 2, v, v ⊕ 2, …`.** Let all options alternate so from index `K`: the set of their
//! values is `A` at even distance from `K` and `A ⊕ 2` at odd. Look at the first four values `4i … 4i+3` that `A` does not
//! fill, two pairs `{4i, 4i+1}` and `{4i+2, 4i+3}`, which `⊕ 2` exchanges. The next superscript is the least value that is
//! missing and outside the pair of the one before it. If only one pair of the four has gaps, every step takes the least gap
//! `v` of that pair, in turn `v` and `v ⊕ 2`, once the one before is outside the pair, which it is after one step. If both
//! have gaps, a step into one pair forces the next into the other, where the exchanged gap is least. So the alternation
//! holds from `K + 1` at the latest, and it is enough to compute a few terms more.
//!
//! **Tame games.** Nim positions have two sorts of genus: *fickle* ones, of heaps of at most 1, with `(g, g0)` = (0, 1) or
//! (1, 0); and *firm* ones, with `(g, g0)` = (n, n). In sums, fickle and fickle is fickle, anything else firm, and the
//! numbers add without carry. Call a game tame of a type when
//! 1. it has no option at all, or at least one tame option;
//! 2. the mex over its tame options of `g` and of `g0` (1 if there is none) are the pair of this type; and
//! 3. every other option has in turn a tame option of this type.
//!
//! *Theorem: a sum of tame games has the outcome of its type, lost exactly if `g0` is 0.* Let `X` be such a sum and look
//! at moves to tame options only. If a firm part stays, the misère value is the sum of the `g`, and Nim's argument works
//! with options chosen by `g`. If the only firm part moves, choose its option by `g0`: whether that option is firm or
//! fickle, the new value is its `g0` plus the others' `g`. If all parts are fickle the same sum rules: a part (1, 0) has a
//! fickle option (0, 1), for it has an option with `g` 0 and none with `g0` 0; a part (0, 1) with tame options has an option
//! with `g0` 0 and `g` not 0, which is fickle (1, 0). So the value of `X` is the mex of those of its tame options, and 1 if
//! it has none, when by 1. `X` has no options at all. By induction: if the type says lost, tame moves lead to types that say
//! won, and another move is answered by 3. with a smaller sum of the same type; if it says won, either nobody can move or
//! some tame move leads to a type that says lost. ∎

use std::fmt;

use game::Nimber;

/// A genus: the normal nim-value and the misère values of the game with more and more nim-heaps of two.
///
/// ```
/// use heaps::misere::Genus;
///
/// let zero = Genus::from_options([]);
/// let one = Genus::from_options([&zero]);
/// let two = Genus::from_options([&zero, &one]);
/// assert_eq!(zero.full_text(), "0^120");
/// assert_eq!(two.full_text(), "2^20");
/// assert_eq!(two.to_string(), "2^2");
/// assert_eq!((two.misere(0), two.misere(1), two.misere(1000)), (2, 0, 2));
/// // The game whose only option is the nim-heap of two.
/// assert_eq!(Genus::from_options([&two]).to_string(), "0^0");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Genus {
    normal: Nimber,
    /// At least two values; the last two differ by 2 and repeat for ever. The list is as short as possible.
    misere: Vec<Nimber>,
}

/// How much the genus decides about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// It behaves like this Nim position in sums of tame games.
    Tame(Tame),
    /// Not tame though all its options are, with `g ≥ 2` and `g0 ≤ 1`.
    Restive,
    /// Not tame though all its options are, with `g ≤ 1` and `g0 ≥ 2`.
    Restless,
    /// Not tame, and neither are all its options.
    Wild,
}

/// The type of a tame game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tame {
    /// Like a sum of nim-heaps of at most 1 token, of this nim-value (0 or 1).
    Fickle(Nimber),
    /// Like a Nim position of this nim-value with a heap of at least 2 tokens.
    Firm(Nimber),
}

impl Tame {
    /// The type of the nim-heap of `k` tokens.
    pub fn of_nim_heap(k: Nimber) -> Tame {
        if k < 2 { Tame::Fickle(k) } else { Tame::Firm(k) }
    }

    /// The type with these normal and misère values, if there is one.
    pub fn from_values(normal: Nimber, misere: Nimber) -> Option<Tame> {
        match (normal, misere) {
            (0, 1) | (1, 0) => Some(Tame::Fickle(normal)),
            (g, g0) if g == g0 => Some(Tame::Firm(g)),
            _ => None,
        }
    }

    /// The nim-value in normal play.
    pub fn normal(self) -> Nimber {
        match self {
            Tame::Fickle(value) | Tame::Firm(value) => value,
        }
    }

    /// The nim-value in misère play; it is 0 exactly if the mover loses.
    pub fn misere(self) -> Nimber {
        match self {
            Tame::Fickle(value) => value ^ 1,
            Tame::Firm(value) => value,
        }
    }

    /// The type of the sum.
    pub fn plus(self, other: Tame) -> Tame {
        match (self, other) {
            (Tame::Fickle(a), Tame::Fickle(b)) => Tame::Fickle(a ^ b),
            _ => Tame::Firm(self.normal() ^ other.normal()),
        }
    }

    /// The genus of this type.
    pub fn genus(self) -> Genus {
        let misere = match self {
            Tame::Fickle(value) => vec![value ^ 1, value ^ 2, value],
            Tame::Firm(value) => vec![value, value ^ 2],
        };
        Genus { normal: self.normal(), misere }
    }
}

impl Genus {
    /// The genus of a game from those of all its options.
    pub fn from_options<'a>(options: impl IntoIterator<Item = &'a Genus>) -> Genus {
        let options: Vec<&Genus> = options.into_iter().collect();
        let mut values: Vec<Nimber> = options.iter().map(|option| option.normal).collect();
        let normal = game::mex(&mut values);
        let settled = options.iter().map(|option| option.misere.len() - 2).max().unwrap_or(0);
        let mut misere: Vec<Nimber> = Vec::with_capacity(settled + 4);
        for index in 0..settled + 4 {
            values.clear();
            values.extend(options.iter().map(|option| option.misere(index)));
            if let Some(&last) = misere.last() {
                values.extend([last, last ^ 1]);
            }
            let first_of_nothing = index == 0 && options.is_empty();
            misere.push(if first_of_nothing { 1 } else { game::mex(&mut values) });
        }
        let mut genus = Genus { normal, misere };
        genus.shorten();
        genus
    }

    /// Drops superscripts that the alternation of the last two implies.
    fn shorten(&mut self) {
        let m = &mut self.misere;
        while m.len() > 2 && m[m.len() - 3] == m[m.len() - 1] && m[m.len() - 3] == m[m.len() - 2] ^ 2 {
            m.pop();
        }
    }

    /// The nim-value in normal play.
    pub fn normal(&self) -> Nimber {
        self.normal
    }

    /// The nim-value in misère play of the game with `twos` nim-heaps of two added.
    pub fn misere(&self, twos: usize) -> Nimber {
        let len = self.misere.len();
        if twos < len { self.misere[twos] } else { self.misere[len - 2 + (twos - len) % 2] }
    }

    /// Whether the player to move loses in misère play.
    pub fn is_loss(&self) -> bool {
        self.misere[0] == 0
    }

    /// The type with this genus. A game with the genus of a type need not be tame.
    pub fn tame(&self) -> Option<Tame> {
        Tame::from_values(self.normal, self.misere[0]).filter(|tame| tame.genus() == *self)
    }

    /// The symbol with all superscripts written; values above 9 are in parentheses.
    pub fn full_text(&self) -> String {
        let mut text = format!("{}^", self.normal);
        self.misere.iter().for_each(|&value| push_value(&mut text, value));
        text
    }
}

fn push_value(text: &mut String, value: Nimber) {
    if value < 10 {
        text.push_str(&value.to_string());
    } else {
        text.push_str(&format!("({value})"));
    }
}

impl fmt::Display for Genus {
    /// The usual symbol: one superscript for the genus of a Nim position (`2^2` for `2^2020…`), else all up to the first
    /// two that alternate (`4^146` for `4^1464646…`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tame() {
            Some(tame) => {
                let mut text = format!("{}^", self.normal);
                push_value(&mut text, tame.misere());
                f.write_str(&text)
            }
            None => f.write_str(&self.full_text()),
        }
    }
}

impl Nature {
    /// The type, if the game is tame.
    pub fn tame(self) -> Option<Tame> {
        match self {
            Nature::Tame(tame) => Some(tame),
            _ => None,
        }
    }

    /// The nature of a game with these options. `reverts(i, type)` says whether option `i` has a tame option of the
    /// type.
    pub(super) fn of(options: &[Nature], mut reverts: impl FnMut(usize, Tame) -> bool) -> Nature {
        let tame: Vec<Tame> = options.iter().filter_map(|option| option.tame()).collect();
        let all_tame = tame.len() == options.len();
        let normal = game::mex(&mut tame.iter().map(|option| option.normal()).collect::<Vec<_>>());
        let misere = match tame.is_empty() {
            true => 1,
            false => game::mex(&mut tame.iter().map(|option| option.misere()).collect::<Vec<_>>()),
        };
        if (all_tame || !tame.is_empty())
            && let Some(own) = Tame::from_values(normal, misere)
            && (0..options.len()).all(|i| options[i].tame().is_some() || reverts(i, own))
        {
            return Nature::Tame(own);
        }
        match (all_tame, normal >= 2, misere >= 2) {
            (true, true, false) => Nature::Restive,
            (true, false, true) => Nature::Restless,
            _ => Nature::Wild,
        }
    }
}
