//! Finding the quotient: classes of sums, distinguished by tests.
//!
//! Two sums are in one class of the quotient if no third sum, added to both, distinguishes them. The classes are found
//! as one learns a finite automaton from questions. There is a list of *words* (sums, one for each class found) and a
//! list of *tests* (sums to add). Every word has a row: its outcomes with each of the tests. If a word plus one more
//! heap has a new row, it becomes a new word. When no more come up, heaps act on words, and if these actions commute
//! there is a monoid. It is verified; a sum for which it is wrong gives a new test, which splits a class. A finite
//! quotient is found after finitely many tests; an infinite one reaches the limit on the order.
//!
//! All rows come from an *oracle* for outcomes. A wrong oracle does no harm, because verification does not ask it: it
//! leads to a sum at which the oracle contradicts itself, and then the oracle is corrected.

use std::collections::HashMap;

use super::super::watch::{Watch, allocated};
use super::super::{Error, Resource};

/// Says whether the player to move loses a sum of heaps.
pub type Oracle<'a> = dyn FnMut(&[u32]) -> Result<bool, Error> + 'a;

/// Outcomes with all tests, as bits.
type Row = Vec<u64>;

/// Words, tests and rows.
#[derive(Clone, Debug)]
pub struct Learner {
    pub letters: Vec<u32>,
    pub words: Vec<Vec<u32>>,
    tests: Vec<Vec<u32>>,
    /// The row of each word.
    rows: Vec<Row>,
    /// The row of each word with one more letter, by letter.
    successors: Vec<Vec<Row>>,
    /// For how many tests the rows are filled.
    filled: usize,
    limit: usize,
    /// What the watch was told of it.
    pub charged: u64,
}

/// The action of letters on words: the automaton.
#[derive(Clone, Debug)]
pub struct Action {
    /// `next[letter][word]`.
    pub next: Vec<Vec<u32>>,
    pub loss: Vec<bool>,
}

impl Learner {
    /// Starts from words and tests that are known to be right. The first word and the first test are the empty sum.
    pub fn new(letters: Vec<u32>, words: Vec<Vec<u32>>, tests: Vec<Vec<u32>>, limit: usize) -> Learner {
        let rows = vec![Row::new(); words.len()];
        let successors = vec![vec![Row::new(); words.len()]; letters.len()];
        Learner { letters, words, tests, rows, successors, filled: 0, limit, charged: 0 }
    }

    /// Tells the watch what it takes in memory, about: rows stand in lists that may have room for as many again, and once more
    /// in the index of rows.
    fn charge(&mut self, watch: &Watch<'_>) -> Result<(), Error> {
        let row = 48 + allocated(8 * self.tests.len().div_ceil(64));
        let list = |heaps: &Vec<u32>| 48 + allocated(4 * heaps.len());
        // Words have about the length of the latest.
        let words = self.words.len() as u64 * (self.words.last().map_or(0, list) + 16 * self.letters.len() as u64);
        let tests = self.tests.len() as u64 * self.tests.last().map_or(0, list);
        let bytes = words + tests + (self.words.len() * (self.letters.len() + 2)) as u64 * row;
        let more = bytes.saturating_sub(self.charged);
        self.charged += more;
        watch.charge(more)
    }

    pub fn add_test(&mut self, test: Vec<u32>) {
        self.tests.push(test);
    }

    /// Adds a heap as a letter.
    pub fn add_letter(&mut self, heap: u32) {
        let place = self.letters.partition_point(|&letter| letter < heap);
        self.letters.insert(place, heap);
        self.successors.insert(place, vec![Row::new(); self.words.len()]);
        self.filled = 0;
        self.rows.iter_mut().chain(self.successors.iter_mut().flatten()).for_each(Row::clear);
    }

    /// A commuting action that agrees with the oracle on all rows.
    pub fn action(&mut self, oracle: &mut Oracle<'_>, watch: &Watch<'_>) -> Result<Action, Error> {
        loop {
            self.charge(watch)?;
            let action = self.close(oracle, watch)?;
            match self.clash(&action, oracle)? {
                Some(test) => self.add_test(test),
                None => return Ok(action),
            }
        }
    }

    /// Adds words until every word with one more letter has the row of a word.
    fn close(&mut self, oracle: &mut Oracle<'_>, watch: &Watch<'_>) -> Result<Action, Error> {
        let from = self.filled;
        for word in 0..self.words.len() {
            fill(&mut self.rows[word], &self.words[word], None, &self.tests, from, oracle)?;
            for (letter, rows) in self.letters.iter().zip(&mut self.successors) {
                fill(&mut rows[word], &self.words[word], Some(*letter), &self.tests, from, oracle)?;
            }
        }
        self.filled = self.tests.len();
        let mut index: HashMap<Row, u32> = HashMap::new();
        for (word, row) in self.rows.iter().enumerate() {
            index.entry(row.clone()).or_insert(word as u32);
        }
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); self.letters.len()];
        let mut word = 0;
        while word < self.words.len() {
            for (letter, reached_by) in next.iter_mut().enumerate() {
                let row = &self.successors[letter][word];
                let reached = match index.get(row) {
                    Some(&reached) => reached,
                    None => {
                        if self.words.len() >= self.limit {
                            return Err(Error::Limit { what: Resource::Order, limit: self.limit });
                        }
                        let reached = self.words.len() as u32;
                        let row = row.clone();
                        index.insert(row.clone(), reached);
                        self.rows.push(row);
                        let longer = with(&self.words[word], self.letters[letter]);
                        for (letter, rows) in self.letters.iter().zip(&mut self.successors) {
                            let mut row = Row::new();
                            fill(&mut row, &longer, Some(*letter), &self.tests, 0, oracle)?;
                            rows.push(row);
                        }
                        self.words.push(longer);
                        self.charge(watch)?;
                        reached
                    }
                };
                reached_by.push(reached);
            }
            word += 1;
        }
        let loss = self.rows.iter().map(|row| row[0] & 1 == 1).collect();
        Ok(Action { next, loss })
    }

    /// A test that resolves the first place where two letters do not commute.
    fn clash(&self, action: &Action, oracle: &mut Oracle<'_>) -> Result<Option<Vec<u32>>, Error> {
        for word in 0..self.words.len() {
            for a in 0..self.letters.len() {
                for b in 0..a {
                    let (via_a, via_b) = (action.next[a][word] as usize, action.next[b][word] as usize);
                    let (one, two) = (action.next[b][via_a], action.next[a][via_b]);
                    if one == two {
                        continue;
                    }
                    // The two words differ on some test; with it, one of the two orders is wrong about the sum.
                    let (one, two) = (&self.rows[one as usize], &self.rows[two as usize]);
                    let Some(test) = (0..self.tests.len()).find(|&t| bit(one, t) != bit(two, t)) else {
                        continue;
                    };
                    let test = &self.tests[test];
                    let whole = with(&with(&union(&self.words[word], test), self.letters[a]), self.letters[b]);
                    let truth = oracle(&whole)?;
                    for (via, rest) in [(via_a, self.letters[b]), (via_b, self.letters[a])] {
                        let longer = with(test, rest);
                        if oracle(&union(&self.words[via], &longer))? != truth {
                            return Ok(Some(longer));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// A test that splits a class, from a sum of letters that the action is wrong about.
    pub fn test_from(&self, action: &Action, sum: &[u32], oracle: &mut Oracle<'_>) -> Result<Option<Vec<u32>>, Error> {
        let mut word = 0;
        let mut before = oracle(sum)?;
        for place in 0..sum.len() {
            let Ok(letter) = self.letters.binary_search(&sum[place]) else { continue };
            word = action.next[letter][word as usize];
            let rest = &sum[place + 1..];
            let after = oracle(&union(&self.words[word as usize], rest))?;
            if before != after {
                return Ok(Some(rest.to_vec()));
            }
            before = after;
        }
        Ok(None)
    }
}

fn bit(row: &Row, place: usize) -> bool {
    row[place / 64] >> (place % 64) & 1 == 1
}

/// Fills the row of a word, with a letter if given, for the tests from `from` on.
fn fill(
    row: &mut Row,
    word: &[u32],
    letter: Option<u32>,
    tests: &[Vec<u32>],
    from: usize,
    oracle: &mut Oracle<'_>,
) -> Result<(), Error> {
    row.resize(tests.len().div_ceil(64), 0);
    let mut sum = Vec::new();
    for (place, test) in tests.iter().enumerate().skip(from) {
        sum.clear();
        sum.extend_from_slice(word);
        sum.extend(letter);
        sum.extend_from_slice(test);
        row[place / 64] |= u64::from(oracle(&sum)?) << (place % 64);
    }
    Ok(())
}

fn with(sum: &[u32], heap: u32) -> Vec<u32> {
    union(sum, &[heap])
}

fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    [a, b].concat()
}
