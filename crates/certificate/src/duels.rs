//! Finds the answers in duels of loopy games, for all pairs of positions at once.
//!
//! A pair is kept if the player who answers has an answer to every move, again among kept pairs. In a duel that must be steady, a move
//! in the second game is answered in the first, or by a pair of lower rank: ranks are found round by round, and pairs without
//! one are dropped, until nothing changes.

use rules::stop;
use verify::Refusal;
use verify::stoppers::{Duel, Pair, Step};

/// More pairs of positions are not compared.
pub const MOST_PAIRS: usize = 1 << 23;

/// The answers in one duel.
pub struct Answers {
    width: usize,
    /// The rank of each pair that is kept.
    ranks: Vec<Option<u32>>,
    /// The number of the move that answers: after a move in the second game, and in the first.
    answers: [Vec<u32>; 2],
}

const NONE: u32 = u32::MAX;

impl Answers {
    /// Finds the answers; none if there are too many pairs.
    pub fn new(duel: &Duel<'_>) -> Result<Option<Answers>, Refusal> {
        let width = duel.second.0.len();
        let Some(count) = duel.first.0.len().checked_mul(width).filter(|count| *count <= MOST_PAIRS) else {
            return Ok(None);
        };
        stop::fits(20 * count as u64)?;
        let mut found = Answers { width, ranks: vec![Some(0); count], answers: [vec![NONE; count], vec![NONE; count]] };
        while found.drop_unanswered(duel)? {}
        for (number, in_first) in [false, true].into_iter().enumerate() {
            for place in 0..count {
                let step = Step { to: found.pair(place), in_first };
                let best = found.replies(duel, step).min_by_key(|(rank, _)| *rank);
                found.answers[number][place] = best.map_or(NONE, |(_, answer)| answer);
            }
        }
        Ok(Some(found))
    }

    fn pair(&self, place: usize) -> Pair {
        ((place / self.width) as u32, (place % self.width) as u32)
    }

    fn kept(&self, (one, other): Pair) -> Option<u32> {
        self.ranks[one as usize * self.width + other as usize]
    }

    /// The answers to a move that keep, each with what it costs: 0, or one more than the rank that has to fall.
    fn replies<'a>(&'a self, duel: &'a Duel<'_>, step: Step) -> impl Iterator<Item = (u32, u32)> + 'a {
        let replies = duel.moves(step.to, duel.answering).enumerate();
        replies.filter_map(move |(number, reply)| {
            let rank = self.kept(reply.to)?;
            let free = !duel.steady || step.in_first || reply.in_first;
            Some((if free { 0 } else { rank + 1 }, number as u32))
        })
    }

    /// Ranks the pairs that are kept anew, and drops those that have no rank. Whether there were any.
    fn drop_unanswered(&mut self, duel: &Duel<'_>) -> Result<bool, Refusal> {
        let asking = duel.answering.other();
        let before: Vec<usize> = (0..self.ranks.len()).filter(|place| self.ranks[*place].is_some()).collect();
        // While ranks are found, a pair that is kept and has none yet counts as one of the highest rank.
        let mut open = before.clone();
        open.iter().for_each(|place| self.ranks[*place] = Some(NONE - 1));
        let mut round = 0;
        loop {
            let (mut next, mut settled) = (Vec::new(), Vec::new());
            for &place in &open {
                let cost = |step: Step| self.replies(duel, step).map(|(cost, _)| cost).min();
                let answered =
                    duel.moves(self.pair(place), asking).all(|step| cost(step).is_some_and(|cost| cost <= round));
                if answered { &mut settled } else { &mut next }.push(place);
            }
            stop::look()?;
            if settled.is_empty() {
                next.iter().for_each(|place| self.ranks[*place] = None);
                return Ok(!next.is_empty());
            }
            settled.iter().for_each(|place| self.ranks[*place] = Some(round));
            (open, round) = (next, round + 1);
        }
    }

    /// The rank of a pair, if it is kept.
    pub fn rank(&self, pair: Pair) -> Option<u32> {
        self.kept(pair)
    }

    /// The number of the move that answers one, if there is one.
    pub fn answer(&self, step: Step) -> Option<u32> {
        let place = step.to.0 as usize * self.width + step.to.1 as usize;
        Some(self.answers[usize::from(step.in_first)][place]).filter(|answer| *answer != NONE)
    }
}
