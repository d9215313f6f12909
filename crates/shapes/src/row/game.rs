//! Rows and stacks found in rules: where their items lie, and which moves take them.

use std::sync::Arc;

use rows::taking;

/// A move of the rules that takes an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// The rule.
    pub rule: usize,
    /// What each choice of the rule is; `None` for sets and lists.
    pub choices: Vec<Option<i64>>,
    /// Its place in the order of moves.
    pub place: usize,
}

/// Which ends of a list are open.
#[derive(Clone, Debug)]
pub enum Ends {
    /// Both.
    Both {
        /// The move that takes the first item.
        left: Hand,
        /// The move that takes the last item.
        right: Hand,
        /// The end that alone takes the last item, where the rules say so.
        last: Option<taking::End>,
    },
    /// The last item only.
    Top(Hand),
}

/// A list of items.
#[derive(Clone, Debug)]
pub struct List {
    /// The part of the position that it belongs to.
    pub part: usize,
    /// Which list of numbers its items lie in.
    pub numbers: Numbers,
    /// Where in that list they begin.
    pub from: u64,
    /// How many items there are.
    pub length: u64,
    /// Which ends are open.
    pub ends: Ends,
    /// The cells of its part at the start.
    pub start: Box<[i64]>,
    /// For each cell that its moves change, what a move at the left and one at the right add.
    pub steps: Vec<(u32, i64, i64)>,
}

/// Where the items of a list lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// In a list of the instance.
    Given(u32),
    /// Worked out.
    Made,
}

/// What is gained whatever is taken: it depends on how many items are gone.
#[derive(Clone, Debug, Default)]
pub struct Extra {
    /// Runs of equal gains, each with the count of items gone at which it begins.
    runs: Vec<(u64, i64)>,
    /// How many items there are.
    length: u64,
}

impl Extra {
    /// Gains in runs, each with the count of items gone at which it begins, of so many items in all.
    pub fn new(runs: Vec<(u64, i64)>, length: u64) -> Extra {
        Extra { runs, length }
    }

    /// What the player to move gains by it, less what the other does, and what both gain, once `gone` items are gone.
    fn from(&self, gone: u64) -> (i128, i128) {
        let (mut difference, mut total) = (0i128, 0i128);
        for (index, &(begin, gain)) in self.runs.iter().enumerate() {
            let end = self.runs.get(index + 1).map_or(self.length, |next| next.0);
            let begin = begin.max(gone);
            if begin >= end {
                continue;
            }
            let (count, gain) = (end - begin, i128::from(gain));
            total += i128::from(count) * gain;
            if count % 2 == 1 {
                difference += if (begin - gone).is_multiple_of(2) { gain } else { -gain };
            }
        }
        (difference, total)
    }
}

/// A game of rows and stacks.
#[derive(Clone, Debug)]
pub struct RowGame {
    /// The rows and stacks.
    pub lists: Vec<List>,
    /// The lists of the instance that items are read from.
    pub given: Arc<Vec<Vec<i64>>>,
    /// Items that were worked out.
    pub made: Vec<i64>,
    /// What is gained whatever is taken.
    pub extra: Extra,
    /// What is paid at the end to the player who would have to move, and to the other.
    pub paid: (i64, i64),
    /// Whether a move may give something to the other player, too. Then an item is the own gain less that of the other, and
    /// what both get together is not known.
    pub gives: bool,
    /// Cells that no move changes, each with its part and its value, by parts. Moves and gains may read them, so that a position with
    /// another value there is none of this game.
    pub fixed: Vec<(usize, u32, i64)>,
    /// How it is known, in words.
    pub why: String,
}

/// How many items are gone from the left and from the right of a list.
pub type Gone = (u64, u64);

impl RowGame {
    /// How many items there are in all.
    pub fn items(&self) -> u64 {
        self.lists.iter().map(|list| list.length).sum()
    }

    /// What it takes.
    pub fn bytes(&self) -> u64 {
        let numbers: usize = self.given.iter().map(Vec::len).sum::<usize>() + self.made.len();
        let list = size_of::<List>() as u64 + 2 * 56;
        numbers as u64 * 8 + self.lists.len() as u64 * list + self.extra.runs.len() as u64 * 16
    }

    /// A list with some of its items gone.
    pub fn rest(&self, list: usize, gone: Gone) -> Option<taking::List<'_>> {
        let list = &self.lists[list];
        let numbers = match list.numbers {
            Numbers::Given(number) => &self.given[number as usize],
            Numbers::Made => &self.made,
        };
        let (from, to) = (list.from.checked_add(gone.0)?, (list.from + list.length).checked_sub(gone.1)?);
        let items = numbers.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)?;
        match list.ends {
            Ends::Both { .. } => Some(taking::List::row(items)),
            Ends::Top(_) if gone.0 == 0 => Some(taking::List::stack(items)),
            Ends::Top(_) => None,
        }
    }

    /// How many items of a list are gone in a part; `None` where play cannot come to it.
    pub fn gone(&self, list: usize, part: &[i64]) -> Option<Gone> {
        let list = &self.lists[list];
        let first = self.fixed.partition_point(|(of, ..)| *of < list.part);
        let mut fixed = self.fixed[first..].iter().take_while(|(of, ..)| *of == list.part);
        if !fixed.all(|&(_, cell, value)| part.get(cell as usize) == Some(&value)) {
            return None;
        }
        let mut equations = list.steps.iter().filter_map(|&(cell, left, right)| {
            let by = i128::from(*part.get(cell as usize)?) - i128::from(list.start[cell as usize]);
            Some((i128::from(left), i128::from(right), by))
        });
        let (a, b, first) = equations.next()?;
        let mut gone = None;
        if matches!(list.ends, Ends::Top(_)) {
            gone = Some((0, first.checked_div(b)?));
        }
        for (c, d, second) in equations {
            let cross = a * d - b * c;
            if gone.is_none() && cross != 0 {
                gone = Some(((first * d - b * second) / cross, (a * second - first * c) / cross));
            }
        }
        let (left, right) = gone?;
        let fits = list.steps.iter().all(|&(cell, near, far)| {
            let by = i128::from(near) * left + i128::from(far) * right;
            part.get(cell as usize).is_some_and(|&at| i128::from(at) == i128::from(list.start[cell as usize]) + by)
        });
        let (left, right) = (u64::try_from(left).ok()?, u64::try_from(right).ok()?);
        (fits && left.checked_add(right)? <= list.length).then_some((left, right))
    }

    /// Notes which cells no move changes. The lists are in the order of their parts.
    pub fn fix(&mut self, starts: &[Box<[i64]>]) {
        let mut lists = self.lists.iter().peekable();
        for (part, start) in starts.iter().enumerate() {
            let mut changes = vec![false; start.len()];
            while let Some(list) = lists.next_if(|list| list.part == part) {
                list.steps.iter().for_each(|step| changes[step.0 as usize] = true);
            }
            let fixed = start.iter().enumerate().filter(|(cell, _)| !changes[*cell]);
            self.fixed.extend(fixed.map(|(cell, value)| (part, cell as u32, *value)));
        }
    }

    /// The cells of a part after so many items of a list are gone; those of other lists stay.
    pub fn without(&self, list: usize, gone: Gone, part: &mut [i64]) {
        let list = &self.lists[list];
        for &(cell, left, right) in &list.steps {
            let by = left.wrapping_mul(gone.0 as i64).wrapping_add(right.wrapping_mul(gone.1 as i64));
            part[cell as usize] = list.start[cell as usize].wrapping_add(by);
        }
    }

    /// What is gained beside the items once `gone` are gone: the difference for the player to move, and the total.
    pub fn beside(&self, gone: u64) -> (i128, i128) {
        let (extra, total) = self.extra.from(gone);
        let (own, other) = (i128::from(self.paid.0), i128::from(self.paid.1));
        let left = self.items() - gone;
        let paid = if left.is_multiple_of(2) { own - other } else { other - own };
        (extra + paid, total + own + other)
    }

    /// How it is solved, in words.
    pub fn method(&self) -> String {
        match &self.lists[..] {
            [List { ends: Ends::Both { .. }, .. }] => {
                "in a row x ≤ y ≥ z can be replaced by x - y + z: what is left is a valley, whose larger end is taken; \
                 time and memory grow as n"
            }
            _ => {
                "x ≤ y ≥ z within a list can be replaced by x - y + z, and pairs at the bottom of a stack settle by \
                 themselves: what is left is taken from the largest down; time grows as n log n, memory as n"
            }
        }
        .to_string()
    }

    /// What was recognised, in words.
    pub fn description(&self) -> String {
        let stacks = self.lists.iter().filter(|list| matches!(list.ends, Ends::Top(_))).count();
        let rows = self.lists.len() - stacks;
        let count = |count: usize, one: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {one}s"),
        };
        let lists = match (rows, stacks) {
            (1, 0) => "a row, open at both ends".to_string(),
            (0, 1) => "a stack, open at one end".to_string(),
            (_, 0) => format!("{}, open at both ends", count(rows, "row")),
            (0, _) => format!("{}, open at one end", count(stacks, "stack")),
            _ => format!("{} and {}", count(rows, "row"), count(stacks, "stack")),
        };
        let beside = match self.extra.runs.is_empty() && self.paid == (0, 0) {
            true => "",
            false => "; what is gained beside it depends on how many are gone, not on which",
        };
        let items = self.items();
        let gained = if self.gives { "gains its number in advance of the other player" } else { "gains its number" };
        format!("{lists}: a move takes one item and {gained}, {items} in all{beside}")
    }
}
