//! Sequences: the value of a game as one of its parameters runs, with its period; genus symbols and misère quotients of heaps.
//!
//! The nimbers of kayles, with one row of 0 to 999 pins:
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::language::{Instance, Rules};
//! use perfectplay::sequence::{
//!     Instances, Largest, Misere, PeriodProof, Quotient, Repeats, Runs, SavedError, Sequence, Source, Summary, Term, TermKind,
//!     fingerprint,
//! };
//!
//! let kayles = Rules::gallery("kayles").unwrap().program()?;
//! let solver = Solver::new();
//! // The parameter is a list of rows; it holds one number, which runs.
//! let runs = Runs::of(&kayles.params[0].ty).unwrap();
//! let instances = Instances::new(&kayles, Instance::default(), 0, runs, solver.options()?);
//! let mut sequence = Sequence::of(instances, 0, 1000).unwrap();
//!
//! // A sequence grows in pieces. Between two of them it can be shown, saved, or left.
//! let mut monitor = solver.monitor();
//! while !sequence.extend(&mut monitor).unwrap() {}
//! let first: Vec<Term> = sequence.terms().take(8).collect();
//! assert_eq!(first, [0, 1, 2, 3, 1, 4, 3, 2].map(Term::nimber));
//!
//! let summary = Summary::of(&sequence);
//! assert_eq!(summary.kind, Some(TermKind::Nimber));
//! let Largest { value, .. } = summary.largest.unwrap();
//! assert_eq!(value, 8);
//! let period: Repeats = summary.period.unwrap();
//! assert_eq!((period.start, period.length), (71, 12));
//! assert!(matches!(period.proof, PeriodProof::Theorem(_)));
//!
//! // It is saved as bytes, under a name for all that its values depend on, and restored elsewhere.
//! let name = format!("{:x}", fingerprint(&[b"kayles", b"rows"]));
//! let bytes = sequence.save(&name);
//! let again = Instances::new(&kayles, Instance::default(), 0, runs, solver.options()?);
//! let mut again = Sequence::of(again, 0, 1000).unwrap();
//! again.restore(&bytes, &name, &mut monitor).unwrap();
//! assert_eq!(again.term(7), Some(Term::nimber(2)));
//! assert!(matches!(again.restore(b"?", &name, &mut monitor), Err(SavedError::NotACheckpoint)));
//!
//! // The same heaps where who takes the last one loses.
//! let source: &Source = sequence.source();
//! let misere = Misere::of(source, 8, &mut monitor)?.unwrap();
//! assert_eq!(misere.genus.len(), 9);
//! let quotient: Quotient = misere.quotient.unwrap();
//! assert!(quotient.order > 2);
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! Heap games by their octal codes, without a rules file: kayles is 0.77.
//!
//! ```
//! use perfectplay::sequence::{CodeError, HeapSequence, MOST_TERMS, NimSequence, Rare, Sequence, SequenceError, Source, Summary};
//! use perfectplay::sequence::TakeAndBreak;
//! use perfectplay::solving::Monitor;
//!
//! let kayles: TakeAndBreak = "0.77".parse().unwrap();
//! let mut heaps = NimSequence::new(kayles.clone()).unwrap();
//! heaps.extend(8).unwrap();
//! assert_eq!(heaps.value(7), Some(2));
//! let CodeError { at, .. } = "0.7x".parse::<TakeAndBreak>().unwrap_err();
//! assert_eq!(at, 3);
//!
//! // As a sequence, with all that people want to know of it: which values are rare, and where.
//! let heaps = HeapSequence::Break(Box::new(NimSequence::new(kayles).unwrap()));
//! let mut sequence = Sequence::new(Source::Heaps(heaps), 0, 500).unwrap();
//! while !sequence.extend(&mut Monitor::unlimited()).unwrap() {}
//! let rare: Option<Rare> = Summary::of(&sequence).rare;
//! assert!(rare.is_some());
//!
//! // No heap is negative, and no sequence is longer than this.
//! let negative = Sequence::new(Source::Heaps(HeapSequence::Break(Box::new(heaps_of("0.77")))), -1, MOST_TERMS as i64);
//! assert!(matches!(negative, Err(SequenceError::Negative { from: -1 })));
//! # fn heaps_of(code: &str) -> NimSequence { NimSequence::new(code.parse().unwrap()).unwrap() }
//! ```
//!
//! With two parameters that run, the values are a table:
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::language::{Instance, Rules};
//! use perfectplay::sequence::{Axis, Grid, Runs};
//!
//! let euclid = Rules::gallery("euclid").unwrap().program()?;
//! let axis = |parameter| Axis { parameter, runs: Runs::Number, from: 1, to: 6 };
//! let solver = Solver::new();
//! let mut grid = Grid::new(&euclid, Instance::default(), axis(0), axis(1), solver.options()?);
//! while !grid.extend(&mut solver.monitor()).unwrap() {}
//! assert_eq!((grid.known(), grid.total()), (25, 25));
//! # Ok::<(), perfectplay::Error>(())
//! ```

#[doc(inline)]
pub use ::sequence::saved::{SavedError, fingerprint};
#[doc(inline)]
pub use ::sequence::{
    Axis, Found as Quotient, Grid, Instances, Largest, MOST_TERMS, Misere, Rare, Repeats, Runs, Sequence,
    SequenceError, Source, Summary, Term, TermKind,
};
#[doc(inline)]
pub use heaps::HeapSequence;
#[doc(inline)]
pub use heaps::period::Proof as PeriodProof;
#[doc(inline)]
pub use heaps::take_break::{CodeError, NimSequence, TakeAndBreak};
