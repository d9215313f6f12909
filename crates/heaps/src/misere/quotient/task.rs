//! One step of the construction: a heap that is like no sum of smaller ones joins the quotient.

use super::super::Limits;
use super::super::rules::{HeapRules, HeapTable};
use super::learn::{Action, LearnError, Learner, Oracle};
use super::monoid::Monoid;
use super::options_in;
use super::oracle::Extended;
use super::transition::{Failure, HeapTransition, Transitions};

/// The quotient of the heaps below `heap`, which is to join.
pub struct Task<'a, R> {
    pub table: &'a HeapTable<R>,
    pub limits: Limits,
    pub monoid: &'a Monoid,
    pub elements: &'a [u32],
    pub heap: u32,
}

/// A verified quotient.
pub struct Found {
    pub monoid: Monoid,
    pub elements: Vec<u32>,
    pub transitions: Transitions,
    pub tests: Vec<Vec<u32>>,
}

impl<'a, R: HeapRules> Task<'a, R> {
    /// The oracle that supposes that sums which are alike stay so.
    pub fn extended(&self) -> Result<Extended<'a>, LearnError> {
        let options_of = |heap| options_in(self.table, self.monoid, self.elements, heap);
        Extended::new(self.monoid, self.elements, self.heap, options_of)
    }

    /// Learns and verifies until both agree.
    pub fn learn(&self, mut learner: Learner, oracle: &mut dyn Oracle) -> Result<Found, LearnError> {
        loop {
            let action = learner.action(oracle)?;
            let (monoid, number) = Monoid::build(&learner.letters, &action.next, &action.loss, self.limits.order)?;
            let elements = (0..=self.heap).map(|heap| number[self.word(&learner, &action, heap) as usize]).collect();
            match self.verify(&monoid, &elements) {
                Ok(transitions) => {
                    // Words were told apart by the oracle; here by outcomes that are now proved.
                    if !monoid.is_reduced() {
                        return Err(LearnError::Oracle);
                    }
                    let tests = learner.tests().to_vec();
                    return Ok(Found { monoid, elements, transitions, tests });
                }
                Err(Failure::Limit(error)) => return Err(error.into()),
                Err(Failure::Sum(sum)) => self.correct(&mut learner, &action, &monoid, &elements, &sum, oracle)?,
            }
        }
    }

    /// The word of the learner that a heap leads to.
    fn word(&self, learner: &Learner, action: &Action, heap: u32) -> u32 {
        self.spelled(learner, heap).iter().fold(0, |word, letter| match learner.letters.binary_search(letter) {
            Ok(letter) => action.next[letter][word as usize],
            Err(_) => word,
        })
    }

    /// A heap in letters: itself, or what it was in the quotient of the smaller heaps.
    fn spelled(&self, learner: &Learner, heap: u32) -> Vec<u32> {
        match learner.letters.binary_search(&heap) {
            Ok(_) => vec![heap],
            Err(_) => self.monoid.normal[self.elements[heap as usize] as usize].clone(),
        }
    }

    fn verify(&self, monoid: &Monoid, elements: &Vec<u32>) -> Result<Transitions, Failure> {
        let mut transitions = Transitions::new(monoid.order(), self.limits.transitions);
        for heap in 1..=self.heap {
            if !self.table.options(heap).is_empty() {
                let options = options_in(self.table, monoid, elements, heap);
                transitions.add(monoid, HeapTransition::new(monoid, heap, elements[heap as usize], &options))?;
            }
        }
        Ok(transitions)
    }

    /// Gives the learner a new test or letter. Either the sum or one of its options does not have the outcome that the
    /// monoid says.
    fn correct(
        &self,
        learner: &mut Learner,
        action: &Action,
        monoid: &Monoid,
        elements: &[u32],
        sum: &[u32],
        oracle: &mut dyn Oracle,
    ) -> Result<(), LearnError> {
        for suspect in self.with_options(sum) {
            let element = suspect.iter().fold(0, |total, &heap| monoid.product(total, elements[heap as usize]));
            let truth = oracle.is_loss(&suspect)?;
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
                if oracle.is_loss(&spelled)? != truth {
                    learner.add_letter(heap);
                    return Ok(());
                }
            }
            let test = learner.test_from(action, &spelled, oracle)?.ok_or(LearnError::Oracle)?;
            learner.add_test(test);
            return Ok(());
        }
        Err(LearnError::Oracle)
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

impl From<Failure> for LearnError {
    fn from(failure: Failure) -> LearnError {
        match failure {
            Failure::Sum(_) => LearnError::Oracle,
            Failure::Limit(error) => LearnError::Stopped(error),
        }
    }
}
