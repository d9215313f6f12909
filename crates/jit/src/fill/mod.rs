//! Fills a table with the values of all positions: a loop nest in machine code, fused with the rules.
//!
//! There is no graph, no stack and no visited bit. The order was proved beforehand, so the options of a position are
//! always filled before it. The shape of the code is chosen from the formulas, see [`Strategy`]; every choice gives the
//! same table.

mod bits;
mod block;
mod blocks;
mod chain;
mod halt;
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

use formula::order::with_names;
use formula::{Coded, Order};

pub use halt::Halt;
pub use values::Values;

use crate::assembly::Assembly;
use crate::decode::weight;
use crate::error::JitError;
use crate::module::{Code, FunctionId};
use block::Block;
use lanes::Narrow;
use nest::{Nest, PARAMETERS};
use passes::Passes;
use plan::{Plan, Var};
use rows::Rows;

/// The shape of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// The one that seems fastest.
    #[default]
    Best,
    /// One position after the other.
    Scalar,
    /// Rows: positions that differ in the last variable, side by side.
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
    /// The description, with cells as [`with_names`] takes them.
    description: String,
    /// The code reads these lists at their addresses.
    _narrow: Narrow,
}

/// What code that fills a table would look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    /// How places are filled.
    pub strategy: Strategy,
    /// How many nodes are written: a block has the rules once for each of its positions.
    pub written: usize,
}

/// Formulas with more nodes are not filled: a search that runs the rules as they stand is done sooner.
const MOST_NODES: usize = 2500;
/// The positions of a block and the nodes of each may be so many together.
const MOST_IN_BLOCK: usize = 40_000;

impl Filler {
    /// Compiles the fill of a table of `values` in this order.
    pub fn compile(coded: &Coded, order: &Order, values: Values) -> Result<Filler, JitError> {
        Filler::with_strategy(coded, order, values, Strategy::Best)
    }

    /// The shape that the code would have; nothing is compiled. An error where no code would be made.
    pub fn outline(coded: &Coded, order: &Order, values: Values) -> Result<Outline, JitError> {
        let nodes = small_enough(coded)?;
        let mut plan = Plan::new(coded, order, values)?;
        let (strategy, written) = match Shapes::new(&mut plan, nodes, Strategy::Best) {
            Shapes { rows: Some(_), .. } => (Strategy::Rows, nodes),
            Shapes { passes: Some(_), .. } => (Strategy::Passes, nodes),
            Shapes { block: Some(block), .. } => (Strategy::Block, block.size * nodes),
            _ => (Strategy::Scalar, nodes),
        };
        Ok(Outline { strategy, written })
    }

    /// Like [`Filler::compile`], with a given strategy; an error if it does not apply.
    pub fn with_strategy(coded: &Coded, order: &Order, values: Values, strategy: Strategy) -> Result<Filler, JitError> {
        let nodes = small_enough(coded)?;
        let mut plan = Plan::new(coded, order, values)?;
        let Shapes { rows, passes, block } = Shapes::new(&mut plan, nodes, strategy);
        let many = rows.is_some() || passes.is_some() || block.is_some();
        if !many && !matches!(strategy, Strategy::Best | Strategy::Scalar) {
            return Err(JitError::Unsupported("rows of these rules cannot be filled side by side"));
        }
        let shape = run::Shape::new(&plan, block.as_ref().map_or(1, |block| block.size as u64));
        let mut module = Assembly::new(&plan.formulas)?;
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

    /// A short description of the code, with cells by number.
    pub fn describe(&self) -> String {
        self.describe_with(&|cell| format!("cell {cell}"))
    }

    /// A short description of the code, with cells named by `name`.
    pub fn describe_with(&self, name: &dyn Fn(u32) -> String) -> String {
        with_names(&self.description, name, &|rule| format!("move {rule}"))
    }
}

/// How many nodes the formulas of a position have, if they are not too many.
fn small_enough(coded: &Coded) -> Result<usize, JitError> {
    let nodes = weight(coded);
    if nodes > MOST_NODES { Err(JitError::TooLarge(nodes)) } else { Ok(nodes) }
}

/// How places are filled side by side: at most one of these ways.
struct Shapes {
    rows: Option<Rows>,
    passes: Option<Passes>,
    block: Option<Block>,
}

impl Shapes {
    fn new(plan: &mut Plan, nodes: usize, strategy: Strategy) -> Shapes {
        let rows = match strategy {
            Strategy::Best | Strategy::Rows => Rows::new(plan),
            _ => None,
        };
        let passes = match strategy {
            Strategy::Best | Strategy::Passes if rows.is_none() => Passes::new(plan),
            _ => None,
        };
        let block = match strategy {
            Strategy::Best | Strategy::Block if rows.is_none() && passes.is_none() => Block::new(plan),
            _ => None,
        };
        // A block writes the rules once for each of its positions.
        let block = block.filter(|block| strategy == Strategy::Block || block.size * nodes <= MOST_IN_BLOCK);
        Shapes { rows, passes, block }
    }
}

fn describe(plan: &Plan, rows: Option<&Rows>, passes: bool, block: Option<&Block>) -> String {
    let way = |var: &Var| format!("{} ({})", var.name, if var.ascending { "up" } else { "down" });
    let loops = match &plan.vars[..] {
        [] => "one position".to_owned(),
        [first, .., last] if plan.vars.len() > 4 => {
            format!("{} loops, from {} to {}", plan.vars.len(), way(first), way(last))
        }
        few => format!("loops over {}", few.iter().map(way).collect::<Vec<_>>().join(", ")),
    };
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
    let counted = plan.moves.iter().filter(|step| !step.counts.is_empty()).count();
    let moves = match (plan.moves.len() - counted, counted) {
        (0, counted) => format!("{counted} moves counted through"),
        (unrolled, 0) => format!("{unrolled} moves unrolled"),
        (unrolled, counted) => format!("{unrolled} moves unrolled, {counted} counted through"),
    };
    format!("{loops}; {moves}{many}")
}
