//! Canonical forms: from any options to the one form without dominated and reversible options.
//!
//! A Left option is dominated if another one is at least as good. It is reversible if Right can answer it with a move
//! to a position that is at most the game itself; Left's options from there then stand in its place. The steps,
//! cheapest first:
//! 1. A number between the options is the value, by the simplicity theorem; the stops of the options tell.
//! 2. Dominated options go, since every option left makes the next step dearer.
//! 3. Reversible options are bypassed. The game has no id yet, so comparisons with it are kept in a table of their own.
//! 4. What was put in their place may be dominated again.

use std::cmp::Reverse;

use crate::arena::{Arena, Compact, Value};
use crate::error::{Error, Halt, Result};
use crate::number::simplest;
use crate::order::DEEPEST;
use crate::side::Side;
use crate::stops::{Gathered, Stops};

type Inner<T> = std::result::Result<T, Halt>;

/// A game that has no id yet: its options on the scratch, and its stops.
#[derive(Clone, Copy)]
struct Draft {
    base: usize,
    middle: usize,
    end: usize,
    stops: Stops,
}

impl Draft {
    fn options(&self, side: Side) -> std::ops::Range<usize> {
        match side {
            Side::Left => self.base..self.middle,
            Side::Right => self.middle..self.end,
        }
    }
}

impl Arena {
    /// The value of the game with these options.
    pub fn game(&mut self, left: &[Value], right: &[Value]) -> Result<Value> {
        let base = self.scratch.len();
        self.scratch.extend(left.iter().map(|value| value.0));
        let middle = self.scratch.len();
        self.scratch.extend(right.iter().map(|value| value.0));
        let found = self.canonical(base, middle);
        self.scratch.truncate(base);
        self.surface(found).map(Value)
    }

    /// The value of the game with the options `scratch[base..middle]` and `scratch[middle..]`. Leaves the scratch to
    /// the caller to clear.
    pub(crate) fn canonical(&mut self, base: usize, middle: usize) -> Inner<u32> {
        let mut draft = match self.draft(base, middle)? {
            Ok(draft) => draft,
            Err(number) => return Ok(number),
        };
        self.prune(&mut draft)?;
        if self.bypass(&mut draft)? {
            self.prune(&mut draft)?;
        }
        self.scratch[draft.base..draft.middle].sort_unstable();
        self.scratch[draft.middle..draft.end].sort_unstable();
        self.scratch.truncate(draft.end);
        self.finish(draft.base, draft.middle, draft.stops)
    }

    /// The game with canonical options that are sorted, not dominated and not reversible.
    pub(crate) fn finish(&mut self, base: usize, middle: usize, stops: Stops) -> Inner<u32> {
        match self.recognise(base, middle) {
            Some(Compact { up: i32::MIN, .. }) => {
                self.fail(Error::Overflow("a multiple of up does not fit in 32 bits"))
            }
            Some(compact) => self.intern_compact(compact),
            None => self.intern(base, middle, stops),
        }
    }

    /// The stops of a game with these options, or the number that it is.
    fn draft(&mut self, base: usize, middle: usize) -> Inner<std::result::Result<Draft, u32>> {
        let (mut lower, mut upper) = (Gathered::default(), Gathered::default());
        for &id in &self.scratch[base..middle] {
            lower.take(&self.stops[id as usize], true);
        }
        for &id in &self.scratch[middle..] {
            upper.take(&self.stops[id as usize], false);
        }
        if let Some(stops) = Gathered::game(&lower, &upper) {
            let stops = self.sink(stops)?;
            return Ok(Ok(Draft { base, middle, end: self.scratch.len(), stops }));
        }
        let number = simplest(lower.bound(), upper.bound());
        let number = self.sink(number)?.expect("a number lies between bounds that make no stops");
        self.intern_compact(Compact { number, up: 0, star: 0 }).map(Err)
    }

    /// Takes out dominated options of both players.
    fn prune(&mut self, draft: &mut Draft) -> Inner<()> {
        let left = self.undominated(draft.base, draft.middle, Side::Left)?;
        let right = self.undominated(draft.middle, draft.end, Side::Right)?;
        self.scratch.copy_within(draft.middle..draft.middle + right, draft.base + left);
        draft.middle = draft.base + left;
        draft.end = draft.middle + right;
        Ok(())
    }

    /// Moves the options of `scratch[from..to]` that no other one dominates to the front, and gives their number.
    fn undominated(&mut self, from: usize, to: usize, side: Side) -> Inner<usize> {
        // The best first: what is dominated meets its better soon. (5 × 6 Domineering: 40 % fewer orders are kept.)
        let stops = &self.stops;
        match side {
            Side::Left => self.scratch[from..to].sort_unstable_by_key(|&id| (Reverse(stops[id as usize].level()), id)),
            Side::Right => self.scratch[from..to].sort_unstable_by_key(|&id| (stops[id as usize].level(), id)),
        }
        let mut kept = from;
        'options: for at in from..to {
            let option = self.scratch[at];
            let mut other = from;
            while other < kept {
                let rival = self.scratch[other];
                if self.prefers(side, rival, option)? {
                    continue 'options;
                }
                if self.prefers(side, option, rival)? {
                    kept -= 1;
                    self.scratch[other] = self.scratch[kept];
                } else {
                    other += 1;
                }
            }
            self.scratch[kept] = option;
            kept += 1;
        }
        Ok(kept - from)
    }

    /// Whether a player likes `a` at least as much as `b`.
    #[inline]
    fn prefers(&mut self, side: Side, a: u32, b: u32) -> Inner<bool> {
        match side {
            Side::Left => self.le(b, a),
            Side::Right => self.le(a, b),
        }
    }

    /// Bypasses reversible options of both players. True if there were any. The old options stay below the new ones.
    fn bypass(&mut self, draft: &mut Draft) -> Inner<bool> {
        self.answers.clear();
        let (base, end) = (draft.base, draft.end);
        let mut changed = false;
        let start = self.scratch.len();
        let mut middle = start;
        for side in Side::BOTH {
            let from = self.scratch.len();
            self.scratch.extend_from_within(draft.options(side));
            let mut at = from;
            while at < self.scratch.len() {
                let option = self.scratch[at];
                let Some(through) = self.reversal(draft, option, side)? else {
                    at += 1;
                    continue;
                };
                changed = true;
                self.scratch.swap_remove(at);
                self.expand(through)?;
                let (first, half, last) = self.range(through);
                let replacement = if side == Side::Left { first..half } else { half..last };
                for pick in replacement {
                    let option = self.pool[pick];
                    if !self.scratch[from..].contains(&option) {
                        self.scratch.push(option);
                    }
                }
            }
            if side == Side::Left {
                middle = self.scratch.len();
            }
        }
        if changed {
            let (left, right) = (middle - start, self.scratch.len() - middle);
            self.scratch.copy_within(start.., base);
            draft.middle = base + left;
            draft.end = draft.middle + right;
            self.scratch.truncate(draft.end);
        } else {
            self.scratch.truncate(end);
        }
        Ok(changed)
    }

    /// The answer of the opponent through which an option reverses, if it does.
    fn reversal(&mut self, draft: &Draft, option: u32, side: Side) -> Inner<Option<u32>> {
        self.expand(option)?;
        let (start, middle, end) = self.range(option);
        let answers = if side == Side::Left { middle..end } else { start..middle };
        for at in answers {
            let answer = self.pool[at];
            // Left's move reverses through an answer that is at most the game, Right's through one that is at least it.
            if self.against(draft, answer, side)? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Whether `game` is at most the draft (for Left), or at least it (for Right).
    fn against(&mut self, draft: &Draft, game: u32, side: Side) -> Inner<bool> {
        match self.against_within(draft, game, side, 0) {
            Err(Halt::Deep) => {}
            found => return found,
        }
        let mut stack = vec![(game, side)];
        loop {
            let &(game, side) = stack.last().expect("the first question stays until it is answered");
            match self.against_within(draft, game, side, 0) {
                Err(Halt::Deep) => {
                    let side = if self.pending.1 == 0 { Side::Left } else { Side::Right };
                    stack.push((self.pending.0, side));
                }
                Err(halt) => return Err(halt),
                Ok(answer) if stack.len() == 1 => return Ok(answer),
                Ok(_) => {
                    stack.pop();
                }
            }
        }
    }

    fn against_within(&mut self, draft: &Draft, game: u32, side: Side, depth: u32) -> Inner<bool> {
        let stops = &self.stops[game as usize];
        let quick = match side {
            Side::Left => stops.at_most(&draft.stops),
            Side::Right => draft.stops.at_most(stops),
        };
        if let Some(answer) = quick {
            return Ok(answer);
        }
        let key = game << 1 | side as u32;
        if let Some(answer) = self.answers.get(key) {
            return Ok(answer);
        }
        if depth == DEEPEST {
            self.pending = (game, side as u32);
            return Err(Halt::Deep);
        }
        let answer = self.stands(draft, game, side, depth + 1)?;
        self.answers.put(key, answer);
        Ok(answer)
    }

    /// Whether nothing refutes that `game` is at most the draft (Left), or at least it (Right).
    fn stands(&mut self, draft: &Draft, game: u32, side: Side, depth: u32) -> Inner<bool> {
        // For Left: a Right option of the draft that is at most the game refutes it, and so does a Left option of the
        // game that is at least the draft.
        for at in draft.options(side.opponent()) {
            if self.prefers(side.opponent(), self.scratch[at], game)? {
                return Ok(false);
            }
        }
        self.expand(game)?;
        let (start, middle, end) = self.range(game);
        let own = if side == Side::Left { start..middle } else { middle..end };
        for at in own {
            if self.against_within(draft, self.pool[at], side.opponent(), depth)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
