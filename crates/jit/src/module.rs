//! Memory with machine code in it: made function by function, then sealed and called.
//!
//! [`Module`] collects functions; [`Code`] holds the result and frees it. What the code reads besides (lists of formulas,
//! tables of an instance) lies beside it as plain numbers, and the code contains the addresses: no relocations.

use std::any::Any;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, FuncRef, Signature, Type, UserFuncName, types};
use cranelift_codegen::isa::{OwnedTargetIsa, TargetFrontendConfig};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _, ModuleReloc, default_libcall_names};
use rules::stop::{Held, Stopped, look};

use crate::error::JitError;

/// Longer functions are compiled by a thread of their own: these take more than a few hundredths of a second.
const LONG: usize = 2000;
/// The stack of that thread.
const STACK: usize = 16 << 20;
/// How often it is asked whether to stop meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// What a compiler takes for each instruction of a function, about.
const INSTRUCTION_BYTES: u64 = 1500;

/// Functions in the making.
pub struct Module {
    jit: JITModule,
    isa: OwnedTargetIsa,
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
        let jit = JITModule::new(JITBuilder::with_isa(Arc::clone(&isa), default_libcall_names()));
        Ok(Module { jit, isa, functions: Vec::new(), defined: Vec::new() })
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
        look().map_err(|_| JitError::Stopped)?;
        // What a compiler takes for a function grows with its instructions.
        let mut held = Held::default();
        let instructions = context.func.dfg.num_insts();
        held.try_grow(INSTRUCTION_BYTES * instructions as u64).map_err(|stopped| match stopped {
            Stopped::Memory { limit, needed } => JitError::Memory { limit, needed },
            _ => JitError::Stopped,
        })?;
        match instructions > LONG {
            true => self.define_apart(id, context)?,
            false => self.jit.define_function(id, &mut context).map_err(codegen)?,
        }
        self.defined[function.0] = true;
        Ok(())
    }

    /// Has a thread of its own compile a long function. Cranelift cannot be interrupted, so that where somebody stops it, the
    /// thread is left behind; it ends by itself a little later.
    fn define_apart(&mut self, id: FuncId, mut context: Context) -> Result<(), JitError> {
        let isa = Arc::clone(&self.isa);
        let (done, wait) = mpsc::channel();
        let compile = move || {
            let compiled = context.compile(&*isa, &mut ControlPlane::default());
            let compiled = compiled.map(drop).map_err(|error| format!("{:?}", error.inner));
            // Nobody waits any more if it was stopped.
            let _ = done.send(compiled.map(|()| context));
        };
        let thread = std::thread::Builder::new().name("compiler".to_string()).stack_size(STACK);
        thread.spawn(compile).map_err(|error| JitError::Host(error.to_string()))?;
        let context = loop {
            match wait.recv_timeout(LOOK_EVERY) {
                Ok(compiled) => break compiled.map_err(JitError::Codegen)?,
                Err(RecvTimeoutError::Timeout) => look().map_err(|_| JitError::Stopped)?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(JitError::Codegen("the compiler went away".to_string()));
                }
            }
        };
        let Some(code) = context.compiled_code() else {
            return Err(JitError::Codegen("the compiler made no code".to_string()));
        };
        let relocs = code.buffer.relocs().iter();
        let relocs: Vec<ModuleReloc> =
            relocs.map(|reloc| ModuleReloc::from_mach_reloc(reloc, &context.func, id)).collect();
        let alignment = u64::from(code.buffer.alignment);
        self.jit.define_function_bytes(id, alignment, code.code_buffer(), &relocs).map_err(codegen)
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
