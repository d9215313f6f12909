//! A module of functions over formulas, and the lists that these read.

use cranelift_codegen::ir::Type;
use formula::Formulas;

use crate::emit::Emitter;
use crate::error::JitError;
use crate::lists::Lists;
use crate::module::{Code, FunctionId, Module};

/// Functions over formulas in the making.
pub struct Assembly {
    module: Module,
    lists: Lists,
}

impl Assembly {
    /// No functions over these formulas yet.
    pub fn new(formulas: &Formulas) -> Result<Assembly, JitError> {
        Ok(Assembly { module: Module::new()?, lists: Lists::new(formulas) })
    }

    /// Adds a function with the `extern "C"` convention. `body` finds the parameters with [`Emitter::parameter`] and
    /// ends every block; all blocks are then sealed for it.
    pub fn function(
        &mut self,
        formulas: &Formulas,
        parameters: &[Type],
        returns: &[Type],
        body: impl FnOnce(&mut Emitter<'_>) -> Result<(), JitError>,
    ) -> Result<FunctionId, JitError> {
        let id = self.module.declare(parameters, returns)?;
        let lists = &self.lists;
        self.module.define(id, |builder, links| {
            let mut emitter = Emitter::new(builder, formulas, lists);
            body(&mut emitter)?;
            emitter.finish(links.config())
        })?;
        Ok(id)
    }

    /// Makes the functions ready to be called.
    pub fn finish(self) -> Result<Code, JitError> {
        self.module.finish(self.lists)
    }
}
