//! One step of the construction: a heap that is not alike to any sum of smaller ones joins the quotient.

use super::super::rules::{HeapRules, HeapTable};
use super::super::watch::Watch;
use super::super::{Error, Limits, Resource};
use super::believed::Believed;
use super::learn::{Action, Learner, Oracle};
use super::monoid::Monoid;
use super::options_in;
use super::transition::{Failure, HeapTransition, Transitions};

/// The quotient of the heaps below `heap`, and `heap`, which is to join.
pub struct Task<'a, 'w, R> {
    pub table: &'a HeapTable<R>,
    pub limits: Limits,
    pub monoid: &'a Monoid,
    pub elements: &'a [u32],
    pub heap: u32,
    pub watch: &'a Watch<'w>,
}

/// A verified quotient.
pub struct Found {
    pub monoid: Monoid,
    pub elements: Vec<u32>,
    pub transitions: Transitions,
}

/// The result of one round of learning.
enum Round {
    Found(Box<Found>),
    /// The monoid is wrong about this sum or an option of it, and the oracle does not notice.
    Contradiction(Vec<u32>),
}

impl<R: HeapRules> Task<'_, '_, R> {
    /// Learns and verifies, correcting beliefs, until nothing contradicts.
    pub fn run(&self) -> Result<Found, Error> {
        let Limits { positions, order, .. } = self.limits;
        let mut believed = Believed::new(self.table, self.monoid, self.elements, self.heap, self.limits, self.watch)?;
        let letters = [self.monoid.letters.as_slice(), &[self.heap]].concat();
        // Wrong beliefs can make a finite quotient look infinite, so the bound rises only when no wrong belief is
        // found.
        let mut bound = order.min(4 * self.monoid.order() + 64);
        loop {
            believed.settle()?;
            let mut tests = self.monoid.tests();
            tests.extend(believed.contexts());
            let mut learner = Learner::new(letters.clone(), self.monoid.normal.clone(), tests, bound);
            let learned = self.learn(&mut learner, &mut |heaps| believed.is_loss(heaps));
            self.watch.release(learner.charged);
            match learned {
                Ok(Round::Found(found)) => return Ok(*found),
                Ok(Round::Contradiction(sum)) => {
                    if !believed.refute(&sum)? {
                        return Err(Error::Limit { what: Resource::Positions, limit: positions });
                    }
                }
                Err(Error::Limit { what: Resource::Order, .. }) => {
                    if self.refute_any(&learner, &mut believed)? {
                        continue;
                    }
                    if bound >= order {
                        return Err(Error::Limit { what: Resource::Order, limit: order });
                    }
                    bound = order.min(2 * bound);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Looks for a sum that refutes a belief, among those that the learner has met.
    fn refute_any(&self, learner: &Learner, believed: &mut Believed<'_, '_, R>) -> Result<bool, Error> {
        for word in &learner.words {
            for &letter in &learner.letters {
                let sum = [word.as_slice(), &[letter]].concat();
                if believed.refute(&sum)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Learns until nothing contradicts the oracle.
    fn learn(&self, learner: &mut Learner, oracle: &mut Oracle<'_>) -> Result<Round, Error> {
        loop {
            self.watch.check()?;
            let action = learner.action(oracle, self.watch)?;
            // The table of products.
            let products = 4 * (action.loss.len() as u64).pow(2);
            self.watch.charge(products)?;
            let (monoid, number) = Monoid::build(&learner.letters, &action.next, &action.loss, self.limits.order)?;
            let number_of = |heap| number[self.word(learner, &action, heap) as usize];
            let elements: Vec<u32> = (0..=self.heap).map(number_of).collect();
            match self.verify(&monoid, &elements) {
                Ok(transitions) => {
                    return self
                        .reduced(Found { monoid, elements, transitions })
                        .map(|found| Round::Found(Box::new(found)));
                }
                Err(Failure::Limit(error)) => return Err(error),
                Err(Failure::Sum(sum)) => {
                    if !self.correct(learner, &action, &monoid, &elements, &sum, oracle)? {
                        self.watch.release(products);
                        return Ok(Round::Contradiction(sum));
                    }
                    self.watch.release(products);
                }
            }
        }
    }

    /// Unites elements that beliefs distinguished but proved outcomes do not.
    fn reduced(&self, found: Found) -> Result<Found, Error> {
        let Some((monoid, number)) = found.monoid.reduced(self.limits.order)? else { return Ok(found) };
        let elements: Vec<u32> = found.elements.iter().map(|&element| number[element as usize]).collect();
        match self.verify(&monoid, &elements) {
            Ok(transitions) => Ok(Found { monoid, elements, transitions }),
            Err(Failure::Limit(error)) => Err(error),
            // Uniting alike elements changes no prediction, so this does not occur.
            Err(Failure::Sum(_)) => Ok(found),
        }
    }

    /// The word of the learner that a heap leads to.
    fn word(&self, learner: &Learner, action: &Action, heap: u32) -> u32 {
        self.spelled(learner, heap).iter().fold(0, |word, letter| match learner.letters.binary_search(letter) {
            Ok(letter) => action.next[letter][word as usize],
            Err(_) => word,
        })
    }

    /// A heap in letters: itself, or its element in the quotient of the smaller heaps.
    fn spelled(&self, learner: &Learner, heap: u32) -> Vec<u32> {
        match learner.letters.binary_search(&heap) {
            Ok(_) => vec![heap],
            Err(_) => self.monoid.normal[self.elements[heap as usize] as usize].clone(),
        }
    }

    fn verify(&self, monoid: &Monoid, elements: &[u32]) -> Result<Transitions, Failure> {
        let held = self.watch.bytes();
        let verified = self.transitions(monoid, elements);
        if matches!(verified, Err(Failure::Sum(_))) {
            self.watch.hold(held);
        }
        verified
    }

    /// The minimal transitions of all sums, if they contradict nothing.
    fn transitions(&self, monoid: &Monoid, elements: &[u32]) -> Result<Transitions, Failure> {
        let mut transitions = Transitions::new(monoid.order(), self.limits.transitions);
        for heap in 1..=self.heap {
            if !self.table.options(heap).is_empty() {
                let options = options_in(self.table, monoid, elements, heap);
                transitions.add(
                    monoid,
                    HeapTransition::new(monoid, heap, elements[heap as usize], &options),
                    self.watch,
                )?;
            }
        }
        Ok(transitions)
    }

    /// Gives the learner a new test or letter, if the oracle contradicts the monoid about the sum or one of its
    /// options. (One of the two is wrong.)
    fn correct(
        &self,
        learner: &mut Learner,
        action: &Action,
        monoid: &Monoid,
        elements: &[u32],
        sum: &[u32],
        oracle: &mut Oracle<'_>,
    ) -> Result<bool, Error> {
        for suspect in self.with_options(sum) {
            let element = suspect.iter().fold(0, |total, &heap| monoid.product(total, elements[heap as usize]));
            let truth = oracle(&suspect)?;
            if truth == monoid.loss[element as usize] {
                continue;
            }
            // Spell the heaps that are not letters one by one: where the outcome changes, the spelling was wrong.
            let mut spelled = suspect.clone();
            for &heap in suspect.iter().filter(|heap| learner.letters.binary_search(heap).is_err()) {
                if let Some(place) = spelled.iter().position(|&other| other == heap) {
                    spelled.swap_remove(place);
                }
                spelled.extend(self.spelled(learner, heap));
                if oracle(&spelled)? != truth {
                    learner.add_letter(heap);
                    return Ok(true);
                }
            }
            let test = learner.test_from(action, &spelled, oracle)?;
            let found = test.is_some();
            test.into_iter().for_each(|test| learner.add_test(test));
            return Ok(found);
        }
        Ok(false)
    }

    /// The options of a sum, and the sum.
    fn with_options(&self, sum: &[u32]) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        for (place, &heap) in sum.iter().enumerate() {
            let mut rest = sum.to_vec();
            rest.swap_remove(place);
            all.extend(self.table.options(heap).iter().map(|parts| [rest.as_slice(), parts].concat()));
        }
        all.push(sum.to_vec());
        all
    }
}
