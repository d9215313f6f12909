//! Fills a table with the values of all positions: a loop nest in machine code, fused with the rules.
//!
//! No graph, no stack, no visited bits: the order was proved beforehand, so when a position's turn comes, its options are
//! filled. How the code looks is chosen from the formulas, see [`Strategy`]; whatever is chosen, the table is the same.

mod bits;
mod block;
mod blocks;
mod chain;
mod known;
mod lanes;
mod nest;
mod passes;
mod passing;
mod plan;
mod rows;
mod run;
mod scalar;
mod tiles;
mod values;

use formula::{Coded, Order};

pub use run::Halt;
pub use values::Values;

use crate::error::JitError;
use crate::module::{Code, Effort, FunctionId, Module};
use block::Block;
use lanes::Narrow;
use nest::{Nest, PARAMETERS};
use passes::Passes;
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
    /// Rows move by move, counted choices outside.
    Passes,
    /// The last digits unrolled.
    Block,
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
            _ => None,
        };
        let passes = match strategy {
            Strategy::Best | Strategy::Passes if rows.is_none() => Passes::new(&mut plan),
            _ => None,
        };
        let block = match strategy {
            Strategy::Best | Strategy::Block if rows.is_none() && passes.is_none() => Block::new(&mut plan),
            _ => None,
        };
        let many = rows.is_some() || passes.is_some() || block.is_some();
        if !many && !matches!(strategy, Strategy::Best | Strategy::Scalar) {
            return Err(JitError::Unsupported("rows of these rules cannot be filled side by side"));
        }
        let shape = run::Shape::new(&plan, block.as_ref().map_or(1, |block| block.size as u64));
        let mut module = Module::new(&plan.formulas, Effort::Full)?;
        let split = shape.split;
        let mut narrow = Narrow::default();
        let function = module.function(&plan.formulas, &PARAMETERS, &PARAMETERS[..1], |em| {
            let mut nest = Nest::new(em, &plan, split);
            match (&rows, &passes, &block) {
                (Some(rows), ..) => nest.rows(split, rows, &mut narrow),
                (_, Some(passes), _) => nest.passes(split, passes, &mut narrow),
                (.., Some(block)) => nest.blocks(split, block),
                _ => nest.scalar(split),
            }
            Ok(())
        })?;
        let description = describe(&plan, rows.as_ref(), passes.is_some(), block.as_ref());
        Ok(Filler { code: module.finish()?, function, shape, description, _narrow: narrow })
    }

    /// What was generated, in a few words.
    pub fn describe(&self) -> &str {
        &self.description
    }
}

fn describe(plan: &Plan, rows: Option<&Rows>, passes: bool, block: Option<&Block>) -> String {
    let loops: Vec<String> =
        plan.vars.iter().map(|var| format!("{} ({})", var.name, if var.ascending { "up" } else { "down" })).collect();
    let loops = if loops.is_empty() { "one position".to_owned() } else { format!("loops over {}", loops.join(", ")) };
    let many = match rows {
        Some(rows) if rows.bits => "; lost positions push along rows, 64 positions a word".to_owned(),
        Some(_) => format!("; lanes of {} along rows", 16 / plan.values.width()),
        None if passes => format!("; lanes of {} along rows, move by move", 16 / plan.values.width()),
        None => String::new(),
    };
    let many = match block {
        Some(block) => {
            format!("; {}: blocks of {} positions in lanes of {}", block.name, block.size, 16 / plan.values.width())
        }
        None => many,
    };
    format!("{loops}; {} moves unrolled{many}", plan.moves.len())
}
