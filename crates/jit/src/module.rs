//! Memory with machine code in it: made function by function, then sealed and called.
//!
//! [`Module`] collects functions; [`Code`] holds the result and frees it. The lists that formulas read lie beside the
//! code as plain numbers, and the code contains their addresses: no relocations, and all functions share the memory.

use std::mem::ManuallyDrop;

use cranelift_codegen::ir::{AbiParam, Type, UserFuncName};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _, default_libcall_names};
use formula::{Formulas, Node, Op};

use crate::emit::Emitter;
use crate::error::JitError;

/// How many zeros are stored beyond a list's ends, so that indices slightly outside need no comparison.
const PADDING: i64 = 64;

/// How much effort compiling may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Optimised.
    Full,
    /// Straight translation, for code that runs seldom or is very long.
    Little,
}

/// The lists of the formulas in memory, with zeros around them.
#[derive(Debug)]
pub struct Lists {
    lists: Vec<List>,
}

#[derive(Debug)]
struct List {
    /// Zeros, the items, zeros. Boxed, so its address is fixed.
    items: Box<[i64]>,
    before: usize,
    length: usize,
}

impl Lists {
    /// The lists of these formulas, padded as far as their indices may reach.
    pub fn new(formulas: &Formulas) -> Lists {
        // At least one zero after each list, which clamped indices read.
        let mut padding = vec![(0usize, 1usize); formulas.lists.len()];
        for node in 0..formulas.arena.len() as u32 {
            let Op::Load(list, index) = formulas.arena.op(Node(node)) else { continue };
            let at = formulas.arena.range(*index);
            let length = formulas.lists[*list as usize].len() as i64;
            if at.low >= -PADDING && at.high < length.saturating_add(PADDING) {
                let (before, after) = &mut padding[*list as usize];
                *before = (*before).max((-at.low).max(0) as usize);
                *after = (*after).max((at.high - length + 1).max(1) as usize);
            }
        }
        let pad = |(items, &(before, after)): (&Vec<i64>, &(usize, usize))| {
            let mut padded = vec![0; before + items.len() + after];
            padded[before..before + items.len()].copy_from_slice(items);
            List { items: padded.into(), before, length: items.len() }
        };
        Lists { lists: formulas.lists.iter().zip(&padding).map(pad).collect() }
    }

    /// The address of item 0 of a list.
    pub fn address(&self, list: u32) -> i64 {
        let List { items, before, .. } = &self.lists[list as usize];
        items.as_ptr().wrapping_add(*before) as i64
    }

    /// How many items a list has.
    pub fn length(&self, list: u32) -> i64 {
        self.lists[list as usize].length as i64
    }

    /// Whether items `low` to `high` can be read, including zeros outside the list.
    pub fn holds(&self, list: u32, low: i64, high: i64) -> bool {
        let List { items, before, .. } = &self.lists[list as usize];
        low >= -(*before as i64) && high < (items.len() - before) as i64
    }
}

/// Functions in the making.
pub struct Module {
    jit: JITModule,
    lists: Lists,
    functions: Vec<FuncId>,
}

/// A function of a [`Module`], and of the [`Code`] it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionId(usize);

impl Module {
    /// An empty module for functions over these formulas.
    pub fn new(formulas: &Formulas, effort: Effort) -> Result<Module, JitError> {
        let mut flags = settings::builder();
        let optimise = if effort == Effort::Full { "speed" } else { "none" };
        let check = if cfg!(debug_assertions) { "true" } else { "false" };
        let set = [
            ("opt_level", optimise),
            ("enable_verifier", check),
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
            // Nothing unwinds through compiled code.
            ("unwind_info", "false"),
        ];
        for (name, value) in set {
            flags.set(name, value).map_err(|error| JitError::Host(error.to_string()))?;
        }
        let isa = cranelift_native::builder()
            .map_err(|error| JitError::Host(error.to_string()))?
            .finish(settings::Flags::new(flags))
            .map_err(|error| JitError::Host(error.to_string()))?;
        let jit = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        Ok(Module { jit, lists: Lists::new(formulas), functions: Vec::new() })
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
        let mut signature = self.jit.make_signature();
        signature.params.extend(parameters.iter().copied().map(AbiParam::new));
        signature.returns.extend(returns.iter().copied().map(AbiParam::new));
        let id = self.jit.declare_anonymous_function(&signature).map_err(codegen)?;
        let mut context = self.jit.make_context();
        context.func.signature = signature;
        context.func.name = UserFuncName::user(0, id.as_u32());
        let mut frontend = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        let mut emitter = Emitter::new(builder, formulas, &self.lists);
        body(&mut emitter)?;
        emitter.finish(self.jit.target_config())?;
        self.jit.define_function(id, &mut context).map_err(codegen)?;
        self.functions.push(id);
        Ok(FunctionId(self.functions.len() - 1))
    }

    /// Makes the functions ready to be called.
    pub fn finish(mut self) -> Result<Code, JitError> {
        self.jit.finalize_definitions().map_err(codegen)?;
        let addresses = self.functions.iter().map(|&id| self.jit.get_finalized_function(id) as usize).collect();
        Ok(Code { addresses, jit: ManuallyDrop::new(self.jit), _lists: self.lists })
    }
}

fn codegen(error: cranelift_module::ModuleError) -> JitError {
    match error {
        cranelift_module::ModuleError::Compilation(error) => JitError::Codegen(format!("{error:?}")),
        error => JitError::Codegen(error.to_string()),
    }
}

/// Machine code that can be called as long as this lives.
pub struct Code {
    addresses: Vec<usize>,
    jit: ManuallyDrop<JITModule>,
    /// The code reads these lists at their addresses.
    _lists: Lists,
}

impl Code {
    /// The address of a function. It must not be called once this `Code` is dropped.
    pub fn address(&self, function: FunctionId) -> *const u8 {
        self.addresses[function.0] as *const u8
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("functions", &self.addresses.len()).finish()
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: `jit` is taken here and nowhere else, and `self` is not used afterwards. Whoever holds an address of
        // the code has promised not to call it after this.
        unsafe { ManuallyDrop::take(&mut self.jit).free_memory() }
    }
}

// SAFETY: after `finish` the module is only touched again to free its memory, with exclusive access. The code is
// read-only and executable, the lists are never written, and addresses are plain numbers.
unsafe impl Send for Code {}
// SAFETY: as above, and `&Code` only gives out addresses.
unsafe impl Sync for Code {}
