//! Memory with machine code in it: made function by function, then sealed and called.
//!
//! [`Module`] collects functions; [`Code`] holds the result and frees it. What the code reads besides (lists of formulas,
//! tables of an instance) lies beside it as plain numbers, and the code contains the addresses: no relocations.

use std::any::Any;
use std::mem::ManuallyDrop;

use cranelift_codegen::ir::{AbiParam, FuncRef, Signature, Type, UserFuncName, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _, default_libcall_names};

use crate::error::JitError;

/// Functions in the making.
pub struct Module {
    jit: JITModule,
    functions: Vec<(FuncId, Signature)>,
    defined: Vec<bool>,
}

/// A function of a [`Module`], and of the [`Code`] it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionId(usize);

impl Module {
    /// An empty module.
    pub fn new() -> Result<Module, JitError> {
        let mut flags = settings::builder();
        let check = if cfg!(debug_assertions) { "true" } else { "false" };
        let set = [
            ("opt_level", "speed"),
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
        Ok(Module { jit, functions: Vec::new(), defined: Vec::new() })
    }

    /// Announces a function with the `extern "C"` convention, so that others can call it before it is written.
    pub fn declare(&mut self, parameters: &[Type], returns: &[Type]) -> Result<FunctionId, JitError> {
        let mut signature = self.jit.make_signature();
        signature.params.extend(parameters.iter().copied().map(AbiParam::new));
        signature.returns.extend(returns.iter().copied().map(AbiParam::new));
        let id = self.jit.declare_anonymous_function(&signature).map_err(codegen)?;
        self.functions.push((id, signature));
        self.defined.push(false);
        Ok(FunctionId(self.functions.len() - 1))
    }

    /// Writes an announced function. `body` gets its builder, which it must finalize, and the means to call others.
    pub fn define(
        &mut self,
        function: FunctionId,
        body: impl FnOnce(FunctionBuilder<'_>, &mut Links<'_>) -> Result<(), JitError>,
    ) -> Result<(), JitError> {
        let (id, signature) = &self.functions[function.0];
        let id = *id;
        let mut context = self.jit.make_context();
        context.func.signature = signature.clone();
        context.func.name = UserFuncName::user(0, id.as_u32());
        let mut frontend = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        body(builder, &mut Links { jit: &mut self.jit, functions: &self.functions })?;
        self.jit.define_function(id, &mut context).map_err(codegen)?;
        self.defined[function.0] = true;
        Ok(())
    }

    /// Makes the functions ready to be called. `data` is what the code reads at its address: it lives as long as the code.
    pub fn finish(mut self, data: impl Any + Send + Sync) -> Result<Code, JitError> {
        self.jit.finalize_definitions().map_err(codegen)?;
        let of = |((id, _), defined): (&(FuncId, Signature), &bool)| match defined {
            true => self.jit.get_finalized_function(*id) as usize,
            false => 0,
        };
        let addresses = self.functions.iter().zip(&self.defined).map(of).collect();
        Ok(Code { addresses, jit: ManuallyDrop::new(self.jit), _data: Box::new(data) })
    }
}

/// What a function in the making needs of its module.
pub struct Links<'m> {
    jit: &'m mut JITModule,
    functions: &'m [(FuncId, Signature)],
}

impl Links<'_> {
    /// A function of the module, to be called by the one that is written.
    pub fn reference(&mut self, function: FunctionId, builder: &mut FunctionBuilder<'_>) -> FuncRef {
        self.jit.declare_func_in_func(self.functions[function.0].0, builder.func)
    }

    /// A signature of the `extern "C"` convention.
    pub fn signature(&self, parameters: usize, returns: usize) -> Signature {
        let mut signature = self.jit.make_signature();
        signature.params.extend((0..parameters).map(|_| AbiParam::new(types::I64)));
        signature.returns.extend((0..returns).map(|_| AbiParam::new(types::I64)));
        signature
    }

    /// What builders ask for when they are finalized.
    pub fn config(&self) -> TargetFrontendConfig {
        self.jit.target_config()
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
    /// The code reads this at its address.
    _data: Box<dyn Any + Send + Sync>,
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
// read-only and executable, its data is never written, and addresses are plain numbers.
unsafe impl Send for Code {}
// SAFETY: as above, and `&Code` only gives out addresses.
unsafe impl Sync for Code {}
