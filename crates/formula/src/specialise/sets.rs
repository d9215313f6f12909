//! Sets as masks or as one truth value for each possible element.

use rules::value::Value;

use super::symbols::{Form, Set, Stray, Sym};
use super::{Made, SET_SIZE, Specialiser, unsupported};
use crate::node::{Node, Range};
use crate::rewrite::Rewrite;

impl Specialiser<'_> {
    /// A value as a set.
    pub(super) fn as_set(&mut self, sym: &Sym) -> Made<Set> {
        match sym {
            Sym::Set(set) => self.gathered(set),
            Sym::Known(Value::Set(elements)) => {
                let (Some(&low), Some(&high)) = (elements.first(), elements.last()) else {
                    return Ok(Set::of_bits(0, Vec::new()));
                };
                let size = set_size(low, high)?;
                let mut bits = vec![self.arena.number(0); size];
                for element in elements.iter() {
                    bits[(element - low) as usize] = self.arena.number(1);
                }
                Ok(Set::of_bits(low, bits))
            }
            _ => unsupported("a set was expected"),
        }
    }

    /// Whether an element, given by its place from `low` on, is in a set.
    pub(super) fn bit(&mut self, set: &Set, place: usize) -> Node {
        match &set.form {
            Form::Bits(bits) => bits[place],
            Form::Mask(mask) => {
                let (place, one) = (self.arena.number(place as i64), self.arena.number(1));
                let shifted = self.arena.shr(*mask, place);
                self.arena.and(shifted, one)
            }
        }
    }

    /// The mask of a set: bit `k` is element `low + k`.
    pub(super) fn mask(&mut self, set: &Set) -> Node {
        match &set.form {
            Form::Mask(mask) => *mask,
            Form::Bits(bits) => {
                let terms: Vec<(Node, i64)> = bits.iter().enumerate().map(|(k, bit)| (*bit, 1i64 << k)).collect();
                self.arena.combine(&terms, 0)
            }
        }
    }

    /// The truth values of the elements `low..low + size`.
    fn bits(&mut self, set: &Set, low: i64, size: usize) -> Vec<Node> {
        (0..size)
            .map(|place| {
                let own = i128::from(low) + place as i128 - i128::from(set.low);
                match usize::try_from(own).ok().filter(|own| *own < set.size) {
                    Some(own) => self.bit(set, own),
                    None => self.arena.number(0),
                }
            })
            .collect()
    }

    /// Bounds that cover the possible elements of both.
    fn hull(&self, a: &Set, b: &Set) -> Made<(i64, usize)> {
        match (a.size, b.size) {
            (_, 0) => Ok((a.low, a.size)),
            (0, _) => Ok((b.low, b.size)),
            _ => {
                let low = a.low.min(b.low);
                let high = (a.low + (a.size as i64 - 1)).max(b.low + (b.size as i64 - 1));
                Ok((low, set_size(low, high)?))
            }
        }
    }

    pub(super) fn merge_sets(&mut self, condition: Node, a: &Set, b: &Set) -> Made<Sym> {
        if a.strays.is_empty() && b.strays.is_empty() {
            return self.merge_bounded(condition, a, b);
        }
        if (a.low, a.size) != (b.low, b.size) {
            let (a, b) = (self.gathered(a)?, self.gathered(b)?);
            return self.merge_bounded(condition, &a, &b);
        }
        let Sym::Set(merged) = self.merge_bounded(condition, a, b)? else { return unsupported("a set was expected") };
        if std::rc::Rc::ptr_eq(&a.strays, &b.strays) {
            return Ok(Sym::Set(Set { strays: std::rc::Rc::clone(&a.strays), ..merged }));
        }
        let not = self.arena.not(condition);
        let mut strays = Vec::with_capacity(a.strays.len() + b.strays.len());
        for (condition, of) in [(condition, a), (not, b)] {
            for stray in of.strays.iter() {
                let when = self.arena.and(condition, stray.when);
                if !self.is_never(when) {
                    strays.push(Stray { when, ..*stray });
                }
            }
        }
        Ok(Sym::Set(merged.with_strays(strays)))
    }

    /// Merges the elements within the bounds.
    fn merge_bounded(&mut self, condition: Node, a: &Set, b: &Set) -> Made<Sym> {
        if let (Form::Mask(x), Form::Mask(y)) = (&a.form, &b.form)
            && (a.low, a.size) == (b.low, b.size)
        {
            let mask = self.arena.select(condition, *x, *y);
            return Ok(Sym::Set(Set::of_mask(a.low, a.size, mask)));
        }
        let (low, size) = self.hull(a, b)?;
        let (x, y) = (self.bits(a, low, size), self.bits(b, low, size));
        let bits = x.into_iter().zip(y).map(|(x, y)| self.arena.select(condition, x, y)).collect();
        Ok(Sym::Set(Set::of_bits(low, bits)))
    }

    pub(super) fn sets_equal(&mut self, a: &Set, b: &Set) -> Node {
        if (a.low, a.size) == (b.low, b.size) {
            let (a, b) = (self.mask(a), self.mask(b));
            return self.arena.eq(a, b);
        }
        let mut equal = self.arena.number(1);
        for (set, other) in [(a, b), (b, a)] {
            for place in 0..set.size {
                let own = self.bit(set, place);
                let others = self.bits(other, set.low.wrapping_add(place as i64), 1)[0];
                let same = self.arena.eq(own, others);
                equal = self.arena.and(equal, same);
            }
        }
        equal
    }

    /// Whether a number is in a set.
    pub(super) fn set_contains(&mut self, set: &Set, number: Node) -> Node {
        let mut found = self.bounded_contains(set, number);
        for stray in set.strays.iter() {
            let same = self.arena.eq(stray.element, number);
            let here = self.arena.and(stray.when, same);
            found = self.arena.or(found, here);
        }
        found
    }

    /// How many strays a set has.
    pub(super) fn count_strays(&mut self, set: &Set) -> Node {
        let mut terms = Vec::with_capacity(set.strays.len());
        for (place, stray) in set.strays.iter().enumerate() {
            let mut counts = stray.when;
            for earlier in &set.strays[..place] {
                let same = self.arena.eq(earlier.element, stray.element);
                let repeats = self.arena.and(earlier.when, same);
                let new = self.arena.not(repeats);
                counts = self.arena.and(counts, new);
            }
            terms.push((counts, 1));
        }
        self.arena.combine(&terms, 0)
    }

    /// A set whose bounds cover its strays.
    pub(super) fn gathered(&mut self, set: &Set) -> Made<Set> {
        if set.strays.is_empty() {
            return Ok(set.clone());
        }
        let strays = std::rc::Rc::clone(&set.strays);
        let mut wide = set.clone().with_strays(Vec::new());
        for stray in strays.iter() {
            let (when, element) = (stray.when, stray.element);
            let range = self.range(element);
            wide = self.widen(&wide, range.low, range.high)?;
            let added = self.under(when, |this| Ok(this.change_set(&wide, element, true)))?;
            let Sym::Set(merged) = self.merge_bounded(when, &added, &wide)? else {
                return unsupported("a set was expected");
            };
            wide = merged;
        }
        Ok(wide)
    }

    /// A set of the position with one more element, or one less. An element outside its bounds becomes a stray.
    pub(super) fn change_variable(&mut self, set: &Set, element: Node, adds: bool) -> Made<Set> {
        let bounds = Range { low: set.low, high: set.low.saturating_add(set.size as i64 - 1) };
        let range = self.range(element);
        if set.strays.is_empty() && (!adds || (set.size > 0 && bounds.covers(range))) {
            return Ok(self.change_set(set, element, adds));
        }
        let mut strays = Vec::with_capacity(set.strays.len() + 1);
        for stray in set.strays.iter() {
            let differs = self.arena.ne(stray.element, element);
            let when = self.arena.and(stray.when, differs);
            if !self.is_never(when) {
                strays.push(Stray { when, ..*stray });
            }
        }
        let plain = set.clone().with_strays(Vec::new());
        if !adds {
            return Ok(self.change_set(&plain, element, false).with_strays(strays));
        }
        let (low, high) = (self.arena.number(bounds.low), self.arena.number(bounds.high));
        let (above, below) = (self.arena.le(low, element), self.arena.le(element, high));
        let inside = self.arena.and(above, below);
        let inside = if set.size == 0 { self.arena.number(0) } else { self.settle(inside) };
        let when = self.arena.not(inside);
        if !self.is_never(when) {
            strays.push(Stray { when, element, inside });
        }
        if self.is_never(inside) {
            return Ok(plain.with_strays(strays));
        }
        let added = self.under(inside, |this| Ok(this.change_set(&plain, element, true)))?;
        match self.merge_bounded(inside, &added, &plain)? {
            Sym::Set(set) => Ok(set.with_strays(strays)),
            _ => unsupported("a set was expected"),
        }
    }

    /// The mask of a set of the position when the move is complete. Strays that are left are faults.
    pub(super) fn settled_mask(&mut self, set: &Set) -> Node {
        let mut mask = self.mask(set);
        for stray in set.strays.iter() {
            self.fault_if(stray.when);
            // Where the element is surely added, there is a fault unless it lies within the bounds. So the rest of the
            // formula may take that for granted.
            if self.arena.known(stray.inside).is_none() && self.arena.not(stray.inside) == stray.when {
                let one = self.arena.number(1);
                mask = Rewrite::new(&[(stray.inside, one)]).node(&mut self.arena, &self.lists, mask);
            }
        }
        mask
    }

    /// Whether a number is one of the elements of a set within its bounds.
    fn bounded_contains(&mut self, set: &Set, number: Node) -> Node {
        let range = self.range(number);
        let high = set.low.saturating_add(set.size as i64 - 1);
        if set.size == 0 || range.low > high || range.high < set.low {
            return self.arena.number(0);
        }
        if let Some(number) = range.single() {
            return self.bit(set, (number - set.low) as usize);
        }
        let (low, last) = (self.arena.number(set.low), self.arena.number(high));
        let (from, to) = (self.arena.le(low, number), self.arena.le(number, last));
        let inside = self.arena.and(from, to);
        let inside = self.settle(inside);
        let mask = self.mask(set);
        let (place, one) = (self.arena.sub(number, low), self.arena.number(1));
        let shifted = self.arena.shr(mask, place);
        let bit = self.arena.and(shifted, one);
        self.arena.and(inside, bit)
    }

    /// A set with one more element, or one less. An added element must be a possible one.
    pub(super) fn change_set(&mut self, set: &Set, element: Node, adds: bool) -> Set {
        let present = self.bounded_contains(set, element);
        let now = self.range(present).single();
        if now == Some(i64::from(adds)) {
            return set.clone();
        }
        let known = self.range(element).single();
        match (&set.form, known) {
            (Form::Bits(bits), Some(number)) => {
                let mut bits = bits.to_vec();
                if let Some(bit) = number
                    .checked_sub(set.low)
                    .and_then(|place| usize::try_from(place).ok())
                    .and_then(|place| bits.get_mut(place))
                {
                    *bit = self.arena.truth(adds);
                }
                Set::of_bits(set.low, bits)
            }
            (Form::Bits(bits), None) => {
                let mut changed = Vec::with_capacity(bits.len());
                for (place, bit) in bits.iter().enumerate() {
                    let number = self.arena.number(set.low + place as i64);
                    let this = self.arena.eq(element, number);
                    changed.push(if adds {
                        self.arena.or(*bit, this)
                    } else {
                        let other = self.arena.not(this);
                        self.arena.and(*bit, other)
                    });
                }
                Set::of_bits(set.low, changed)
            }
            (Form::Mask(mask), _) => {
                let (one, low) = (self.arena.number(1), self.arena.number(set.low));
                let place = self.arena.sub(element, low);
                let place = self.settle(place);
                let bit = self.arena.shl(one, place);
                let inside = self.range(place);
                let mask = match now {
                    // A shift, which later stages look for.
                    Some(0) if adds => self.arena.add(*mask, bit),
                    Some(1) if !adds => self.arena.sub(*mask, bit),
                    _ if adds => self.arena.or(*mask, bit),
                    _ if inside.low >= 0 && inside.high < set.size as i64 => {
                        let rest = self.arena.and(*mask, bit);
                        self.arena.sub(*mask, rest)
                    }
                    // Outside of the possible elements, nothing is removed.
                    _ => {
                        let taken = self.arena.sub(*mask, bit);
                        self.arena.select(present, taken, *mask)
                    }
                };
                Set::of_mask(set.low, set.size, mask)
            }
        }
    }

    /// A set with room for more possible elements.
    pub(super) fn widen(&mut self, set: &Set, low: i64, high: i64) -> Made<Set> {
        let other = Set { size: set_size(low, high)?, ..Set::of_bits(low, Vec::new()) };
        let (low, size) = self.hull(set, &other)?;
        if (low, size) == (set.low, set.size) {
            return Ok(set.clone());
        }
        Ok(Set::of_bits(low, self.bits(set, low, size)))
    }

    /// The set of these elements, each included where its condition holds.
    pub(super) fn set_of(&mut self, elements: &[(Node, Node)]) -> Made<Sym> {
        let mut bounds: Option<(i64, i64)> = None;
        for (_, element) in elements {
            let range = self.range(*element);
            let (low, high) = bounds.unwrap_or((range.low, range.high));
            bounds = Some((low.min(range.low), high.max(range.high)));
        }
        let Some((low, high)) = bounds else { return Ok(Sym::Known(Value::set(Vec::new()))) };
        if elements.iter().all(|(when, element)| self.is_always(*when) && self.arena.known(*element).is_some()) {
            let numbers = elements.iter().filter_map(|(_, element)| self.arena.known(*element)).collect();
            return Ok(Sym::Known(Value::set(numbers)));
        }
        let mut bits = vec![self.arena.number(0); set_size(low, high)?];
        for (when, element) in elements {
            let range = self.range(*element);
            for place in range.low - low..=range.high - low {
                let number = self.arena.number(low + place);
                let there = self.arena.eq(*element, number);
                let there = self.arena.and(*when, there);
                bits[place as usize] = self.arena.or(bits[place as usize], there);
            }
        }
        Ok(Sym::Set(Set::of_bits(low, bits)))
    }
}

/// How many numbers there are from `low` to `high`, if a set can hold that many.
fn set_size(low: i64, high: i64) -> Made<usize> {
    match high.checked_sub(low) {
        Some(size) if (0..SET_SIZE as i64).contains(&size) => Ok(size as usize + 1),
        _ => unsupported(format!("a set may hold numbers from {low} to {high}, more than {SET_SIZE}")),
    }
}
