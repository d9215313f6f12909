//! Fills a table with the values of all positions: a loop nest in machine code, fused with the rules.
//!
//! No graph, no stack, no visited bits: the order was proved beforehand, so when a position's turn comes, its options are
//! filled. How the code looks is chosen from the formulas, see [`Strategy`]; whatever is chosen, the table is the same.

mod bits;
mod lanes;
mod nest;
mod plan;
mod rows;
mod run;
mod scalar;
mod values;

use formula::{Coded, Order};

pub use run::Halt;
pub use values::Values;

use crate::error::JitError;
use crate::module::{Code, Effort, FunctionId, Module};
use lanes::Narrow;
use nest::{Nest, PARAMETERS};
use plan::Plan;
use rows::Rows;

/// How the code looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Whatever seems fastest.
    #[default]
    Best,
    /// One position after the other.
    Scalar,
    /// Rows: positions that differ in the last variable side by side.
    Rows,
}

/// Compiled code that fills a table.
#[derive(Debug)]
pub struct Filler {
    code: Code,
    function: FunctionId,
    shape: run::Shape,
    description: String,
    /// The code reads these where they lie.
    _narrow: Narrow,
}

impl Filler {
    /// Compiles the fill of a table of `values` in this order.
    pub fn compile(coded: &Coded, order: &Order, values: Values) -> Result<Filler, JitError> {
        Filler::with_strategy(coded, order, values, Strategy::Best)
    }

    /// As [`Filler::compile`], with a strategy of the caller's choice; an error if it does not apply.
    pub fn with_strategy(coded: &Coded, order: &Order, values: Values, strategy: Strategy) -> Result<Filler, JitError> {
        let mut plan = Plan::new(coded, order, values)?;
        let rows = match strategy {
            Strategy::Best | Strategy::Rows => Rows::new(&mut plan),
            Strategy::Scalar => None,
        };
        if strategy == Strategy::Rows && rows.is_none() {
            return Err(JitError::Unsupported("rows of these rules cannot be filled side by side"));
        }
        let shape = run::Shape::new(&plan);
        let mut module = Module::new(&plan.formulas, Effort::Full)?;
        let split = shape.split;
        let mut narrow = Narrow::default();
        let function = module.function(&plan.formulas, &PARAMETERS, &PARAMETERS[..1], |em| {
            let mut nest = Nest::new(em, &plan, split);
            match &rows {
                Some(rows) => nest.rows(split, rows, &mut narrow),
                None => nest.scalar(split),
            }
            Ok(())
        })?;
        let description = describe(&plan, rows.as_ref());
        Ok(Filler { code: module.finish()?, function, shape, description, _narrow: narrow })
    }

    /// What was generated, in a few words.
    pub fn describe(&self) -> &str {
        &self.description
    }
}

fn describe(plan: &Plan, rows: Option<&Rows>) -> String {
    let loops: Vec<String> =
        plan.vars.iter().map(|var| format!("{} ({})", var.name, if var.ascending { "up" } else { "down" })).collect();
    let loops = if loops.is_empty() { "one position".to_owned() } else { format!("loops over {}", loops.join(", ")) };
    let many = match rows {
        Some(rows) if rows.bits => "; lost positions push along rows, 64 positions a word".to_owned(),
        Some(_) => format!("; lanes of {} along rows", 16 / plan.values.width()),
        None => String::new(),
    };
    format!("{loops}; {} moves unrolled{many}", plan.moves.len())
}
