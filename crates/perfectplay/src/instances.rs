//! Instances to try: those of a rules file's `sample`, and the edges of its ranges.
//!
//! ```
//! use perfectplay::instances::{Sampled, contains, edges, sampled, smaller};
//!
//! let nim = perfectplay::language::Rules::gallery("nim").unwrap().program()?;
//! let few: Sampled = sampled(&nim, 10, 1).unwrap();
//! assert_eq!(few.instances[0].to_string(), r#"{"piles": []}"#);
//! assert!(edges(&nim, 10, 1).unwrap().iter().all(|instance| contains(&nim, instance)));
//! // Lists of at most one pile, and no stone in it.
//! let none = |instance: &perfectplay::language::Instance| !instance.to_string().contains(|c: char| ('1'..='9').contains(&c));
//! assert_eq!(smaller(&nim, 10, 1, &none).unwrap().len(), 2);
//! # Ok::<(), perfectplay::Error>(())
//! ```

#[doc(inline)]
pub use rules::sample::{Sampled, contains, edges, sampled, smaller};
