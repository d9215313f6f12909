//! The positions that were looked at before a method was chosen, with what was worked out for them.
//!
//! A method on graphs goes on from there. Any other method has no use for them, and they are dropped before it runs.

use std::cell::RefCell;
use std::rc::Rc;

use crate::positions::Keeps;
use crate::positions::remembered::Remembered;

/// The graph that was looked at, as long as nobody has taken it. Copies share it.
#[derive(Clone, Default)]
pub(crate) struct Explored<'b> {
    graph: Rc<RefCell<Option<Remembered<'b>>>>,
}

impl<'b> Explored<'b> {
    /// Keeps a graph.
    pub fn put(&self, graph: Remembered<'b>) {
        *self.graph.borrow_mut() = Some(graph);
    }

    /// Whether a graph of this kind is here, with the options of all positions.
    pub fn is_complete(&self, keeps: Keeps, compiled: bool) -> bool {
        self.graph.borrow().as_ref().is_some_and(|graph| fits(graph, keeps, compiled) && graph.is_complete())
    }

    /// Takes the graph, if it keeps this of gains and its rules are compiled or not.
    pub fn take(&self, keeps: Keeps, compiled: bool) -> Option<Remembered<'b>> {
        let mut graph = self.graph.borrow_mut().take_if(|graph| fits(graph, keeps, compiled))?;
        graph.take_up();
        Some(graph)
    }

    /// Drops the graph.
    pub fn forget(&self) {
        *self.graph.borrow_mut() = None;
    }
}

fn fits(graph: &Remembered<'_>, keeps: Keeps, compiled: bool) -> bool {
    graph.keeps == keeps && graph.compiled == compiled
}
