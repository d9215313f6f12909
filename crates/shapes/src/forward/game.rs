//! A game that goes forward through one list, as it was found in rules.

use std::collections::HashMap;
use std::ops::Range;

use rows::ahead::{AheadError, DoublingGame, Gains, WindowGame, Windows};

/// The share of the memory that is set aside for bounds that are computed once more: one part in so many.
const BESIDE: u128 = 2;
/// Games of growing bounds with more places are not looked through for their total.
const FEW_PLACES: usize = 200;

/// Which positions a move leads to.
#[derive(Clone, Debug)]
pub enum Reach {
    /// A fixed number of places on.
    Fixed {
        /// At least so many.
        least: usize,
        /// At most so many; to the end of the list where there is no limit.
        most: Option<usize>,
    },
    /// Between two places that depend on where the move begins; there is no move where they cross.
    Each {
        /// The nearest place, for every beginning.
        from: Vec<usize>,
        /// The farthest place, for every beginning.
        to: Vec<usize>,
    },
    /// As many places on as the limit for a bound allows, which becomes the number of places if that is larger.
    Doubling {
        /// The cell that is the bound.
        cell: usize,
        /// The bound at the start.
        bound: usize,
        /// How many places a bound allows.
        limits: Vec<usize>,
    },
}

/// What the number chosen by a move says.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// How many places the move passes: so much less than the number.
    Steps(i64),
    /// What the cell is after the move: so much less than the number.
    Target(i64),
}

/// A game that goes forward through one list: a position is a place in it, counted from the start.
#[derive(Clone, Debug)]
pub struct ForwardGame {
    /// The cell that is the place.
    pub cell: usize,
    /// What the cell holds at the start.
    pub start: i64,
    /// Whether moves raise it.
    pub rises: bool,
    /// What the number chosen by a move says.
    pub choice: Choice,
    /// The rule of the move.
    pub rule: usize,
    /// Where moves lead.
    pub reach: Reach,
    /// What reaching a place is worth.
    pub arrive: Vec<i64>,
    /// What leaving a place costs.
    pub leave: Vec<i64>,
    /// What the player to move gets, less what the other gets, where the game ends.
    pub stuck: Vec<i64>,
    /// What both get there.
    pub paid: Vec<i64>,
    /// Whether a move may give something to the other player, too: then what moves gain is the own gain less that one.
    pub gives: bool,
}

/// The bands of bounds of which the first and any one of the others are kept within a limit of memory; `None` if that is too
/// little.
pub fn bands(doubling: &DoublingGame<'_>, memory: u64) -> Option<Vec<Range<usize>>> {
    let memory = u128::from(memory);
    match doubling.bytes() <= memory {
        true => doubling.bands(memory, 0),
        false => doubling.bands(memory - memory / BESIDE, memory / BESIDE),
    }
}

impl ForwardGame {
    /// What moves gain.
    pub fn gains(&self) -> Gains<'_> {
        Gains { arrive: &self.arrive, leave: Some(&self.leave), stuck: Some(&self.stuck) }
    }

    /// The game of windows.
    pub fn windows(&self) -> Option<Result<WindowGame<'_>, AheadError>> {
        let windows = match &self.reach {
            Reach::Fixed { least, most } => Windows::Fixed { least: *least, most: *most },
            Reach::Each { from, to } => Windows::Each { from, to },
            Reach::Doubling { .. } => return None,
        };
        Some(WindowGame::new(self.gains(), windows))
    }

    /// The game of growing bounds.
    pub fn doubling(&self) -> Option<Result<DoublingGame<'_>, AheadError>> {
        let Reach::Doubling { bound, limits, .. } = &self.reach else { return None };
        Some(DoublingGame::new(self.gains(), limits, (0, *bound)))
    }

    /// What valuing all places takes in bytes, and how many positions are valued. With growing bounds less is kept where the
    /// memory is short.
    pub fn cost(&self, memory: u64) -> Result<(u64, u64), AheadError> {
        let (bytes, positions) = match (self.windows(), self.doubling()) {
            (Some(windows), _) => (windows?.bytes(), self.arrive.len() as u128),
            (None, Some(doubling)) => {
                let doubling = doubling?;
                let bytes = doubling.bytes();
                let bands = if bytes <= memory.into() { None } else { bands(&doubling, memory) };
                let kept = bands.map(|bands| {
                    let others = bands[1..].iter().map(|band| doubling.band_bytes(band)).max().unwrap_or(0);
                    doubling.band_bytes(&bands[0]) + others
                });
                (kept.unwrap_or(bytes), doubling.pairs())
            }
            (None, None) => (0, 0),
        };
        let fit = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
        Ok((fit(bytes), fit(positions)))
    }

    /// How it is solved, in words.
    pub fn method(&self) -> String {
        match (self.windows(), self.doubling()) {
            (Some(Ok(windows)), _) => windows.method().statement().to_string(),
            (None, Some(Ok(doubling))) => doubling.statement().to_string(),
            _ => String::new(),
        }
    }

    /// The number that is chosen to go from one place to another.
    pub fn chosen(&self, from: usize, to: usize) -> i64 {
        match self.choice {
            Choice::Steps(more) => more + (to - from) as i64,
            Choice::Target(more) => more + self.start + if self.rises { to as i64 } else { -(to as i64) },
        }
    }

    /// Whether larger numbers lead less far.
    pub fn is_backwards(&self) -> bool {
        matches!(self.choice, Choice::Target(_)) && !self.rises
    }

    /// What the move from one place to another gains.
    pub fn gain(&self, from: usize, to: usize) -> i128 {
        i128::from(self.arrive[to]) - i128::from(self.leave[from])
    }

    /// Whether all gains add up to the same total; `None` where that is too much work, or where the gains are not known one by
    /// one.
    pub fn total_is_constant(&self) -> Option<bool> {
        if self.gives {
            return None;
        }
        let Reach::Doubling { bound, .. } = &self.reach else { return Some(self.windows_are_constant()) };
        // Bounds only narrow the moves: if places alone show it, it is so.
        let (mut totals, last) = (HashMap::new(), self.last());
        if last > FEW_PLACES {
            return self.places_are_constant().then_some(true);
        }
        let mut wanted = vec![(0, *bound)];
        while let Some(&(place, bound)) = wanted.last() {
            let before = wanted.len();
            let after = |to: usize| (to, bound.max(to - place));
            let targets = self.targets(place, bound);
            wanted.extend(targets.clone().map(after).filter(|next| !totals.contains_key(next)));
            if wanted.len() > before {
                continue;
            }
            let mut sums = targets.map(|to| self.gain(place, to) + totals[&after(to)]);
            let total = sums.next().unwrap_or(i128::from(self.paid[place]));
            if sums.any(|sum| sum != total) {
                return Some(false);
            }
            totals.insert((place, bound), total);
            wanted.pop();
        }
        Some(true)
    }

    /// Whether the total from a place on depends on the place alone, if moves may lead to any place ahead.
    fn places_are_constant(&self) -> bool {
        self.arrive == self.leave && self.paid.iter().all(|paid| *paid == self.paid[self.last()])
    }

    /// Whether the total from a window on depends on its place alone: what a place and all behind it are worth is one number
    /// in every window.
    fn windows_are_constant(&self) -> bool {
        let last = self.last();
        let reached = self.reached();
        let mut worth = vec![0i128; last + 1];
        // The first place ahead that is worth something else.
        let mut change = vec![last + 1; last + 2];
        for place in (0..=last).rev() {
            let targets = self.targets(place, 0);
            let total = match targets.is_empty() {
                true => i128::from(self.paid[place]),
                false => worth[*targets.start()] - i128::from(self.leave[place]),
            };
            if reached[place] && !targets.is_empty() && change[*targets.start()] <= *targets.end() {
                return false;
            }
            worth[place] = total + i128::from(self.arrive[place]);
            change[place] = match place < last && worth[place] == worth[place + 1] {
                true => change[place + 1],
                false => place + 1,
            };
        }
        true
    }

    /// The places that play can reach.
    fn reached(&self) -> Vec<bool> {
        let last = self.last();
        let (mut reached, mut open) = (vec![false; last + 1], vec![0i64; last + 2]);
        let mut now = 0;
        for place in 0..=last {
            now += open[place];
            reached[place] = place == 0 || now > 0;
            let targets = self.targets(place, 0);
            if reached[place] && !targets.is_empty() {
                open[*targets.start()] += 1;
                open[*targets.end() + 1] -= 1;
            }
        }
        reached
    }

    /// The last place.
    pub fn last(&self) -> usize {
        self.arrive.len() - 1
    }

    /// The places that a move can lead to, with a bound where there is one.
    pub fn targets(&self, place: usize, bound: usize) -> std::ops::RangeInclusive<usize> {
        let last = self.last();
        match &self.reach {
            Reach::Fixed { least, most } => {
                let to = most.map_or(last, |most| place.saturating_add(most).min(last));
                place + least..=to
            }
            Reach::Each { from, to } => from[place]..=to[place],
            Reach::Doubling { limits, .. } => {
                let limit = limits.get(bound).copied().unwrap_or(0);
                place + 1..=place.saturating_add(limit).min(last)
            }
        }
    }

    /// What it takes.
    pub fn bytes(&self) -> u64 {
        let windows = match &self.reach {
            Reach::Fixed { .. } => 0,
            Reach::Each { from, to } => from.len() + to.len(),
            Reach::Doubling { limits, .. } => limits.len(),
        };
        8 * (3 * self.arrive.len() + windows) as u64
    }

    /// What was recognised, in words.
    pub fn description(&self) -> String {
        let steps = match &self.reach {
            Reach::Fixed { least, most: None } => format!("at least {least}"),
            Reach::Fixed { least, most: Some(most) } => format!("{least} to {most}"),
            Reach::Each { .. } => "as many as the place allows".to_string(),
            Reach::Doubling { .. } => "as many as a bound allows that grows with what was passed".to_string(),
        };
        format!(
            "a move goes forward through a list of {} places, by {steps}, and gains a difference of what the two places are \
             worth",
            self.arrive.len()
        )
    }
}
