//! The post between workers: letters, in epochs.
//!
//! ```text
//! worker 0 ──letters of epoch t──▶ exchange by receiver ──▶ inbox of each worker
//!     ▲                                                        │
//!     └───────────── the frontier has passed t ────────────────┘
//! ```
//!
//! Work is cut into epochs. In each of them every worker sends one letter to every worker, which may be short, and then waits until
//! timely's frontier says that no letter of the epoch is under way any more. So all workers know the same at the end of an epoch, and
//! go on in the same way. A letter has at most [`Post::room`] words: since nobody sends a second one before the first was received
//! everywhere, what is in flight is bounded, which timely leaves to its users.
//!
//! Each letter begins with a few numbers about its sender, which are added up: how much is left to do, for one. Whoever cannot go
//! on says so in his letters, and everybody ends with the same reason.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::error::Trouble;
use crate::packing::{Packer, Unpacker};
use crate::pulse::Pulse;

/// A letter: who gets it, who sent it, and its words.
type Letter = (u64, u64, Vec<u64>);
/// Letters with the epochs in which they were sent.
type Inbox = Rc<RefCell<Vec<(u64, Letter)>>>;

/// Numbers that are added up over all workers.
pub const COUNTS: usize = 4;
/// Words at the front of a letter: whether its sender goes on, how many records it has, and its numbers.
const HEAD: usize = 2 + COUNTS;
/// In place of the first word: the sender cannot go on.
const FAILED: u64 = 1;
/// How long a worker sleeps where nothing comes.
const NAP: Duration = Duration::from_millis(20);

/// A letter that is read.
pub struct Read<'l> {
    /// Who wrote it.
    pub from: usize,
    /// How many records it has.
    pub records: u64,
    /// The records.
    pub packed: Unpacker<'l>,
}

/// The post office of a worker.
pub struct Post<'w> {
    worker: &'w mut Worker,
    input: InputHandle<u64, CapacityContainerBuilder<Vec<Letter>>>,
    probe: ProbeHandle<u64>,
    inbox: Inbox,
    epoch: u64,
    room: usize,
    /// How many workers a process has.
    beside: usize,
    pulse: Arc<Pulse>,
}

impl<'w> Post<'w> {
    /// Opens the post office of a worker, whose letters have at most so many words, in a process of so many workers.
    pub fn new(worker: &'w mut Worker, room: usize, beside: usize, pulse: &Arc<Pulse>) -> Post<'w> {
        let mut input = InputHandle::new();
        let probe = ProbeHandle::new();
        let inbox = Inbox::default();
        let into = Rc::clone(&inbox);
        worker.dataflow::<u64, _, _>(|scope| {
            scope
                .input_from(&mut input)
                .container::<Vec<Letter>>()
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                    Exchange::new(|letter: &Letter| letter.0),
                    "post",
                    |_, _| {
                        move |letters, _| {
                            letters.for_each_time(|time, batches| {
                                let epoch = *time.time();
                                let mut into = into.borrow_mut();
                                batches.for_each(|batch| into.extend(batch.drain(..).map(|letter| (epoch, letter))));
                            });
                        }
                    },
                )
                .probe_with(&probe);
        });
        Post { worker, input, probe, inbox, epoch: 0, room, beside, pulse: Arc::clone(pulse) }
    }

    /// The number of this worker.
    pub fn index(&self) -> usize {
        self.worker.index()
    }

    /// How many workers there are.
    pub fn peers(&self) -> usize {
        self.worker.peers()
    }

    /// Whether it is the first worker of its process.
    pub fn is_first_of_process(&self) -> bool {
        self.index().is_multiple_of(self.beside)
    }

    /// The number of the epoch that comes next.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// How many words a letter may have.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Who watches.
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// An empty letter for each worker.
    pub fn letters(&self) -> Vec<Packer> {
        (0..self.peers()).map(|_| Packer::after(Vec::with_capacity(HEAD)).begun()).collect()
    }

    /// Whether one of these letters is full.
    pub fn is_full(&self, letters: &[Packer]) -> bool {
        letters.iter().any(|letter| letter.len() >= self.room)
    }

    /// Sends letters and numbers, waits for those of the others, and reads them. Returns the sums of the numbers.
    pub fn turn(
        &mut self,
        letters: Vec<Packer>,
        counts: [u64; COUNTS],
        mut read: impl FnMut(Read<'_>) -> Result<(), Trouble>,
    ) -> Result<[u64; COUNTS], Trouble> {
        let letters = letters.into_iter().map(|letter| {
            let records = letter.records;
            let mut words = letter.into_words();
            words[1] = records;
            words[2..HEAD].copy_from_slice(&counts);
            words
        });
        let mut sums = [0_u64; COUNTS];
        let (mut own, mut theirs) = (None, None);
        self.exchange(letters.collect(), |from, words| {
            let Some((head, rest)) = words.split_at_checked(HEAD) else { return };
            if head[0] == FAILED {
                theirs.get_or_insert_with(|| Trouble::elsewhere(from, rest));
                return;
            }
            sums.iter_mut().zip(&head[2..]).for_each(|(sum, count)| *sum = sum.saturating_add(*count));
            if own.is_none() && theirs.is_none() {
                own = read(Read { from, records: head[1], packed: Unpacker::new(rest) }).err();
            }
        });
        // What another one says was said to all: everybody ends with this epoch.
        match (theirs, own) {
            (Some(theirs), _) => Err(theirs),
            (None, Some(own)) => Err(own),
            (None, None) => Ok(sums),
        }
    }

    /// Tells all others why this worker cannot go on.
    pub fn fail(&mut self, trouble: &Trouble) {
        let mut words = vec![0; HEAD];
        words[0] = FAILED;
        words.extend(trouble.words());
        let letters = vec![words; self.peers()];
        self.exchange(letters, |_, _| {});
    }

    fn exchange(&mut self, letters: Vec<Vec<u64>>, mut read: impl FnMut(usize, &[u64])) {
        let from = self.index() as u64;
        for (to, words) in letters.into_iter().enumerate() {
            if to as u64 != from {
                self.pulse.send(words.len());
            }
            self.input.send((to as u64, from, words));
        }
        let epoch = self.epoch;
        self.epoch += 1;
        self.input.advance_to(self.epoch);
        loop {
            let is_open = self.probe.less_than(&self.epoch);
            let arrived = std::mem::take(&mut *self.inbox.borrow_mut());
            let is_any = !arrived.is_empty();
            for (sent, letter) in arrived {
                // Who was quicker may be an epoch ahead.
                if sent == epoch {
                    read(letter.1 as usize, &letter.2);
                } else {
                    self.inbox.borrow_mut().push((sent, letter));
                }
            }
            if !is_open {
                break;
            }
            self.worker.step_or_park(Some(if is_any { Duration::ZERO } else { NAP }));
        }
        self.pulse.beat();
    }

    /// Closes the post office once everybody has.
    pub fn close(self) {
        let Post { worker, input, pulse, .. } = self;
        pulse.close();
        input.close();
        while worker.has_dataflows() {
            worker.step_or_park(Some(NAP));
        }
    }
}

impl Packer {
    /// With the head of a letter.
    fn begun(self) -> Packer {
        let mut words = self.into_words();
        words.resize(HEAD, 0);
        Packer::after(words)
    }
}
