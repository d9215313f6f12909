//! Sequences: the value of a game as one of its parameters runs, with its period; genus symbols and misère quotients of heaps.
//!
//! The nimbers of kayles, with one row of 0 to 999 pins:
//!
//! ```
//! use perfectplay::Solver;
//! use perfectplay::language::{Instance, Rules};
//! use perfectplay::sequence::{Instances, Misere, PeriodProof, Runs, Sequence, Summary, Term};
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
//! let period = Summary::of(&sequence).period.unwrap();
//! assert_eq!((period.start, period.length), (71, 12));
//! assert!(matches!(period.proof, PeriodProof::Theorem(_)));
//!
//! // It is saved as bytes, under a name for all that its values depend on, and restored elsewhere.
//! let bytes = sequence.save("kayles");
//! let again = Instances::new(&kayles, Instance::default(), 0, runs, solver.options()?);
//! let mut again = Sequence::of(again, 0, 1000).unwrap();
//! again.restore(&bytes, "kayles", &mut monitor).unwrap();
//! assert_eq!(again.term(7), Some(Term::nimber(2)));
//!
//! // The same heaps where who takes the last one loses.
//! let misere = Misere::of(sequence.source(), 8, &mut monitor)?.unwrap();
//! assert_eq!(misere.genus.len(), 9);
//! assert!(misere.quotient.unwrap().order > 2);
//! # Ok::<(), perfectplay::Error>(())
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
