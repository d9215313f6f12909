//! One number a player: each maximises their own total and does not care about the others'.
//!
//! Two or more players; the mover takes the first option in rule order that has the largest own total. Which of several
//! equally good options is taken can matter to the others, and through them to everybody, so beside the one
//! vector that rule order leads to, the set V(S) of *all* vectors is followed that S can come to if ties are broken in any
//! way: for an end the one vector of its gains, else the union over the options m of
//!
//! ```text
//! { gains(m) + v  :  v in V(m),  own(gains(m) + v) ≥ max over options m' of min own(gains(m') + V(m')) }
//! ```
//!
//! since m may be chosen exactly if every other option can turn out no better. The totals are unique where V(S) has one
//! element. Ties may be broken differently each time the same position is met. Sets are kept only where they
//! have more than one element; to keep one for each position would make every game pay for the few that need it.

use rustc_hash::FxHashMap;

use game::{Player, Verdict};

use crate::error::Error;
use crate::graph::{Edge, Ending, Expansion, Id};
use crate::memory::{Lease, Memory};
use crate::segmented::Segmented;
use crate::valuation::reach::{Gathering, Reach, checked, sum};
use crate::valuation::settle::{Valuation, dead_end, wrong_end};

/// The payoffs of all positions, from player 0 on.
#[derive(Debug)]
pub struct Payoffs {
    players: usize,
    values: Segmented<i64>,
    ambiguous: FxHashMap<Id, Reach>,
    lease: Lease,
}

impl Payoffs {
    /// An empty table for so many players.
    pub fn new(players: usize, memory: &Memory) -> Payoffs {
        assert!(players > 0, "a game without players");
        Payoffs { players, values: Segmented::new(memory), ambiguous: FxHashMap::default(), lease: memory.lease() }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The further totals from a position that was settled, ties broken by rule order; `None` beyond the last that was.
    pub fn get(&self, position: Id) -> Option<Box<[i64]>> {
        let start = position as usize * self.players;
        if start + self.players > self.values.len() {
            return None;
        }
        let mut vector = vec![0; self.players];
        self.values.read(start, &mut vector);
        Some(vector.into())
    }

    /// What a position is worth, and whether other ways of breaking ties leave it so; `None` if it was not settled.
    pub fn verdict(&self, position: Id) -> Option<Verdict> {
        let unique = self.unique(position);
        self.get(position).map(|totals| Verdict::Payoffs { totals, unique })
    }

    /// The further total of one player.
    ///
    /// # Panics
    /// If the position was not settled.
    #[inline]
    pub fn own(&self, position: Id, player: Player) -> i64 {
        self.values.get(position as usize * self.players + player.index())
    }

    /// What all players total after a move with these gains.
    pub fn of_option(&self, edge: &Edge, gains: &[i64]) -> Result<Box<[i64]>, Error> {
        let further = self.get(edge.to).ok_or_else(|| Error::Internal("an option without payoffs".into()))?;
        sum(&further, gains)
    }

    /// Whether no way of breaking ties, here or later, changes a total; `None` where there are too many ways to tell.
    pub fn unique(&self, position: Id) -> Option<bool> {
        match self.ambiguous.get(&position) {
            None => Some(true),
            Some(reach) => reach.is_several().then_some(false),
        }
    }

    /// The least and the largest further total of a player, over all ways of breaking ties.
    ///
    /// # Panics
    /// If the position was not settled.
    pub fn range(&self, position: Id, player: Player) -> (i64, i64) {
        match self.ambiguous.get(&position) {
            Some(reach) => (reach.least(player.index()), reach.largest(player.index())),
            None => (self.own(position, player), self.own(position, player)),
        }
    }

    /// The edge that rule order takes, and what comes of it.
    fn choose(&self, position: Id, expansion: &Expansion) -> Result<(i64, Box<[i64]>), Error> {
        let mover = expansion.mover;
        let mut best: Option<(i64, &Edge, &[i64])> = None;
        for (edge, gains) in self.options(expansion) {
            let own = checked(self.own(edge.to, mover), gains[mover.index()])?;
            if best.is_none_or(|(held, ..)| own > held) {
                best = Some((own, edge, gains));
            }
        }
        let (own, edge, gains) = best.ok_or_else(|| dead_end(position))?;
        Ok((own, self.of_option(edge, gains)?))
    }

    /// Everything the position can come to, if that is more than `chosen`, in which the mover totals `best`.
    fn gather(&self, expansion: &Expansion, best: i64, chosen: &[i64]) -> Result<Option<Reach>, Error> {
        let mover = expansion.mover;
        let known = self.options(expansion).all(|(edge, _)| !self.ambiguous.contains_key(&edge.to));
        let mut threshold = best;
        if !known {
            threshold = i64::MIN;
            for (edge, gains) in self.options(expansion) {
                threshold = threshold.max(checked(self.range(edge.to, mover).0, gains[mover.index()])?);
            }
        }
        let mut gathering = Gathering::default();
        let mut differs = false;
        for (edge, gains) in self.options(expansion) {
            if let Some(reach) = self.ambiguous.get(&edge.to) {
                differs = true;
                gathering.add_option(reach, gains, mover.index(), threshold)?;
                continue;
            }
            let eligible = checked(self.own(edge.to, mover), gains[mover.index()])? >= threshold;
            if eligible && !self.comes_to(edge, gains, chosen)? {
                differs = true;
                gathering.add(self.of_option(edge, gains)?);
            }
        }
        if !differs {
            return Ok(None);
        }
        gathering.add(chosen.into());
        Ok(gathering.finish())
    }

    /// Whether an option comes to just this, without writing it down.
    fn comes_to(&self, edge: &Edge, gains: &[i64], vector: &[i64]) -> Result<bool, Error> {
        let start = edge.to as usize * self.players;
        for (player, (&gain, &expected)) in gains.iter().zip(vector).enumerate() {
            if checked(self.values.get(start + player), gain)? != expected {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The edges, each with its gains.
    fn options<'e>(&self, expansion: &'e Expansion) -> impl Iterator<Item = (&'e Edge, &'e [i64])> {
        expansion.edges.iter().zip(expansion.gains.chunks_exact(self.players))
    }

    fn store(&mut self, position: Id, vector: &[i64]) -> Result<(), Error> {
        let start = position as usize * self.players;
        self.values.grow_to(start + self.players, 0)?;
        for (player, &total) in vector.iter().enumerate() {
            self.values.set(start + player, total);
        }
        Ok(())
    }
}

impl Valuation for Payoffs {
    fn settle(&mut self, position: Id, expansion: &Expansion) -> Result<(), Error> {
        let rows = if expansion.end.is_some() { 1 } else { expansion.edges.len() };
        if expansion.gains.len() != rows * self.players || expansion.mover.index() >= self.players {
            return Err(Error::Internal(format!("position {position} does not say what each player gains")));
        }
        match expansion.end {
            Some(Ending::Outcome(_)) => Err(wrong_end(position, "one gain a player")),
            Some(_) => self.store(position, &expansion.gains),
            None => {
                let (best, chosen) = self.choose(position, expansion)?;
                if let Some(reach) = self.gather(expansion, best, &chosen)? {
                    self.lease.grow(reach.bytes())?;
                    self.ambiguous.insert(position, reach);
                }
                self.store(position, &chosen)
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.values.bytes() + self.lease.bytes()
    }
}
