//! How many workers each lane has, and how much memory all of them may take together.
//!
//! Every worker may be busy at once, so the sum of what all may take has to fit the total. Where the usual limits are too much for
//! the machine they are lowered, all by the same share. Limits that a person has set are not lowered: they fit, or the server
//! does not start.

use std::fmt;

/// A worker takes as much beside what its question is charged for.
const PROGRAM: u64 = 64 << 20;
/// What the server itself takes: answers that are kept, bodies of requests.
const SERVER: u64 = 256 << 20;
/// The usual memory of a small answer and of a check, of an answer, and of a job.
const USUAL: [u64; 3] = [128 << 20, 512 << 20, 2 << 30];
/// The usual limits are lowered to this share at most.
const LEAST_SHARE: u64 = 32;
/// So many answer questions that are not quite small, and so many check rules.
const PAIR: usize = 2;

/// What a person wants.
#[derive(Clone, Copy, Debug)]
pub struct Wishes {
    /// The most that all may take.
    pub total: u64,
    /// The most of an answer.
    pub memory: Option<u64>,
    /// The most of a job.
    pub job_memory: Option<u64>,
    /// How many jobs run at a time.
    pub jobs: usize,
    /// How many processors there are.
    pub cores: usize,
}

/// How many workers a lane has, and how much memory a question may take there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Workers.
    pub workers: usize,
    /// Bytes.
    pub memory: u64,
}

impl Share {
    fn most(self) -> u64 {
        ceiling(self.memory).saturating_mul(self.workers as u64)
    }
}

/// The lanes and what they may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Small questions.
    pub quick: Share,
    /// Questions that are not quite small.
    pub middle: Share,
    /// Rules that are being written.
    pub checking: Share,
    /// Questions that take some seconds.
    pub slow: Share,
    /// Jobs.
    pub jobs: Share,
    /// The most that all may take together.
    pub total: u64,
}

/// The limits do not fit the total.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooMuch {
    /// What all may take together.
    pub total: u64,
    /// What they would need.
    pub needed: u64,
}

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mega = |bytes: u64| bytes.div_ceil(1 << 20);
        let (needed, total) = (mega(self.needed), mega(self.total));
        write!(f, "all answers and jobs at a time may take {needed} MB of memory; the total is {total} MB")
    }
}

/// A process whose question may take so much memory is ended when it holds more than this.
pub fn ceiling(memory: u64) -> u64 {
    memory.saturating_add(memory / 4).saturating_add(PROGRAM)
}

impl Budget {
    /// Shares the memory out.
    pub fn new(wishes: &Wishes) -> Result<Budget, TooMuch> {
        let usual = Budget::lowered(wishes, 1 << 20);
        if usual.most() <= wishes.total {
            return Ok(usual);
        }
        // What is charged grows with the share, what each program takes does not: the largest share that fits is searched for.
        let (mut fits, mut too_much) = ((1 << 20) / LEAST_SHARE, 1 << 20);
        let least = Budget::lowered(wishes, fits).most();
        if least > wishes.total {
            return Err(TooMuch { total: wishes.total, needed: least });
        }
        while too_much - fits > 1 {
            let middle = fits.midpoint(too_much);
            match Budget::lowered(wishes, middle).most() <= wishes.total {
                true => fits = middle,
                false => too_much = middle,
            }
        }
        Ok(Budget::lowered(wishes, fits))
    }

    /// The usual limits, or so many millionths (of 2 to the 20th) of them.
    fn lowered(wishes: &Wishes, share: u64) -> Budget {
        let of = |usual: u64| (usual >> 20) * share;
        let (quick, memory, job_memory) = (of(USUAL[0]), of(USUAL[1]), of(USUAL[2]));
        let memory = wishes.memory.unwrap_or(memory);
        // One more than processors, so that one worker that has to be ended stops nobody.
        let workers = wishes.cores.clamp(2, 16) + 1;
        Budget {
            quick: Share { workers, memory: quick.min(memory) },
            middle: Share { workers: PAIR, memory: quick.min(memory) },
            checking: Share { workers: PAIR, memory: quick.min(memory) },
            slow: Share { workers: (wishes.cores / 2).clamp(1, 4), memory },
            jobs: Share { workers: wishes.jobs.max(1), memory: wishes.job_memory.unwrap_or(job_memory) },
            total: wishes.total,
        }
    }

    /// What all may take together.
    fn most(&self) -> u64 {
        let lanes = [self.quick, self.middle, self.checking, self.slow, self.jobs];
        lanes.iter().fold(SERVER, |sum, lane| sum.saturating_add(lane.most()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WISHES: Wishes = Wishes { total: 64 << 30, memory: None, job_memory: None, jobs: 2, cores: 2 };

    #[test]
    fn a_large_machine_gives_the_usual_limits() {
        let budget = Budget::new(&WISHES).unwrap();
        assert_eq!((budget.quick.memory, budget.slow.memory, budget.jobs.memory), (128 << 20, 512 << 20, 2 << 30));
        assert_eq!((budget.quick.workers, budget.checking.workers, budget.slow.workers), (3, 2, 1));
    }

    #[test]
    fn all_lanes_together_fit_whatever_the_machine_has() {
        for mega in [1000, 1500, 2000, 3000, 4000, 7000, 8000, 16_000, 100_000] {
            for (cores, jobs) in [(1, 1), (2, 2), (4, 3), (64, 8)] {
                let wishes = Wishes { total: mega << 20, cores, jobs, ..WISHES };
                match Budget::new(&wishes) {
                    Ok(budget) => {
                        assert!(budget.most() <= wishes.total, "{wishes:?}: {budget:?}");
                        assert!(budget.quick.memory >= 4 << 20 && budget.jobs.memory >= 64 << 20, "{budget:?}");
                        assert!(
                            budget.quick.memory == 128 << 20 || budget.most() + (1 << 20) > wishes.total,
                            "{budget:?}"
                        );
                    }
                    Err(error) => assert!(error.needed > error.total, "{wishes:?}: {error}"),
                }
            }
        }
        assert!(Budget::new(&Wishes { total: 1500 << 20, ..WISHES }).is_ok(), "a machine with 2 GB will do");
    }

    #[test]
    fn what_a_person_has_set_is_not_lowered() {
        let wishes = Wishes { total: 4 << 30, job_memory: Some(1 << 30), ..WISHES };
        let budget = Budget::new(&wishes).unwrap();
        assert_eq!(budget.jobs.memory, 1 << 30);
        assert!(budget.slow.memory < 512 << 20);
        let error = Budget::new(&Wishes { job_memory: Some(20 << 30), ..wishes }).unwrap_err();
        assert!(error.needed > 40 << 30 && error.to_string().ends_with("the total is 4096 MB"), "{error}");
        assert!(Budget::new(&Wishes { memory: Some(u64::MAX), ..wishes }).is_err());
    }
}
