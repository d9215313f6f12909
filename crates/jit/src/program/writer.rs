//! Writes one function of machine code: registers, memory and blocks, without knowing rules.
//!
//! The files beside this one add what the language has: numbers, lists, sets, folds, statements, moves.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, SigRef, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use rules::bind::Bound;
use rules::program::{Function, Stmt};
use rustc_hash::FxHashMap;

use super::fields::Fields;
use super::frame::Place;
use super::shape::{Num, Range, Shape, Val};
use super::tables::{Constant, Tables};
use crate::error::JitError;
use crate::module::{FunctionId, Links};
use game::codes::Gains;

/// The result of writing something.
pub type Written<T> = Result<T, JitError>;

/// Memory that is written, too.
pub const MEMORY: MemFlagsData = MemFlagsData::trusted();

/// What all functions of one game share.
pub struct Shared<'b> {
    pub bound: &'b Bound,
    pub tables: Tables,
    pub fields: Fields,
    pub gains: Gains,
    /// Functions of the file that have code of their own, once they were called.
    pub functions: FxHashMap<usize, FunctionId>,
    /// How large each function of the file is, with all that it calls.
    pub weights: Vec<usize>,
    /// Functions of the file whose code is still to be written.
    pub wanted: Vec<usize>,
    /// Functions of the file whose code was asked for.
    pub written: Vec<usize>,
    /// Where the fields of cells lie as a table.
    pub field_table: Option<i64>,
}

/// A local of the rules in registers.
#[derive(Clone, Debug)]
pub struct Local {
    pub shape: Shape,
    pub variables: Vec<Variable>,
}

/// The locals of one body, and where it goes when it ends.
pub struct Scope {
    pub locals: FxHashMap<usize, Local>,
    /// Locals that are assigned to after they were made.
    pub changed: Vec<usize>,
    /// Where `return` goes, and the registers that take the value.
    pub returns: Option<(Block, Vec<Variable>)>,
    /// Where `continue` and `break` go, innermost last.
    pub loops: Vec<(Block, Block)>,
    /// Whether it may change the position: the body of a move.
    pub is_move: bool,
}

/// One function in the making.
pub struct Writer<'w, 'b, 'f, 'l> {
    pub builder: FunctionBuilder<'f>,
    pub shared: &'w mut Shared<'b>,
    pub links: &'w mut Links<'l>,
    pub frame: Value,
    pub mover: Value,
    pub cells: Value,
    /// Where everything goes that goes wrong.
    pub fault: Block,
    pub scope: Scope,
    /// How many times memory was asked for so far, to see whether it must be given back.
    pub allocations: usize,
    /// How many turns of loops one turn of the loop in the making takes, at the most, without a look at the clock.
    pub turns: i64,
    /// The size of all functions that were written in place.
    pub inlined: usize,
    pub signatures: FxHashMap<(usize, usize), SigRef>,
    /// The move in the making, if one is.
    pub play: Option<super::changes::Play>,
    /// Whether cells may be outside their domains whatever is played: in functions that moves call.
    pub loose: bool,
}

impl Shared<'_> {
    /// The address of a table with two words for each cell, and for the cell of no position that each variable has: the
    /// bytes before the word of its field, and what one more in the cell adds to that word.
    pub fn field_table(&mut self) -> i64 {
        if let Some(address) = self.field_table {
            return address;
        }
        let cells = self.fields.cells.iter().map(|field| [i64::from(field.word) * 8, field.factor.cast_signed()]);
        let spare = self.bound.layout.variables.iter().map(|_| [0, 0]);
        let words: Vec<i64> = cells.chain(spare).flatten().collect();
        let address = self.tables.numbers(&words);
        self.field_table = Some(address);
        address
    }
}

impl Scope {
    /// The scope of a body without locals yet.
    pub fn new(body: &[Stmt], is_move: bool) -> Scope {
        let changed = super::reads::changed_locals(body);
        Scope { locals: FxHashMap::default(), changed, returns: None, loops: Vec::new(), is_move }
    }

    /// The scope of a function of the file.
    pub fn of(function: &Function) -> Scope {
        Scope::new(&function.body, false)
    }
}

impl<'w, 'b, 'f, 'l> Writer<'w, 'b, 'f, 'l> {
    /// A writer at the start of a function whose first parameters are the frame and the mover.
    pub fn new(
        mut builder: FunctionBuilder<'f>,
        links: &'w mut Links<'l>,
        shared: &'w mut Shared<'b>,
        scope: Scope,
    ) -> Writer<'w, 'b, 'f, 'l> {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let (frame, mover) = (builder.block_params(entry)[0], builder.block_params(entry)[1]);
        let fault = builder.create_block();
        builder.set_cold_block(fault);
        let cells = builder.ins().load(types::I64, MEMORY, frame, Place::Cells.offset());
        Writer {
            builder,
            shared,
            links,
            frame,
            mover,
            cells,
            fault,
            scope,
            allocations: 0,
            turns: 1,
            inlined: 0,
            signatures: FxHashMap::default(),
            play: None,
            loose: false,
        }
    }

    /// Ends the function.
    pub fn finish(mut self) {
        self.builder.seal_all_blocks();
        let config = self.links.config();
        self.builder.finalize(config);
    }

    pub fn bound(&self) -> &'b Bound {
        self.shared.bound
    }

    pub fn constant(&mut self, number: i64) -> Value {
        self.builder.ins().iconst(types::I64, number)
    }

    pub fn num(&mut self, number: i64) -> Num {
        Num { value: self.constant(number), range: Range::one(number) }
    }

    /// A value that lies in memory for good.
    pub fn laid(&mut self, constant: &Constant) -> Val {
        let words = constant.words.map(|word| self.builder.ins().iconst(types::I64, word));
        Val { shape: constant.shape.clone(), words }
    }

    /// A truth value, as comparisons make it, as a number.
    pub fn widened(&mut self, truth: Value) -> Num {
        Num { value: self.builder.ins().uextend(types::I64, truth), range: Range::TRUTH }
    }

    pub fn compare(&mut self, how: IntCC, a: Value, b: Value) -> Value {
        self.builder.ins().icmp(how, a, b)
    }

    pub fn compare_to(&mut self, how: IntCC, a: Value, number: i64) -> Value {
        self.builder.ins().icmp_imm_s(how, a, number)
    }

    /// A fault if this holds.
    pub fn fault_if(&mut self, truth: Value) {
        let on = self.builder.create_block();
        self.builder.ins().brif(truth, self.fault, &[], on, &[]);
        self.builder.switch_to_block(on);
    }

    /// Goes to a block; what follows is written elsewhere.
    pub fn jump(&mut self, to: Block) {
        self.builder.ins().jump(to, &[]);
    }

    pub fn go(&mut self, to: Block) {
        self.builder.switch_to_block(to);
    }

    pub fn block(&mut self) -> Block {
        self.builder.create_block()
    }

    pub fn load(&mut self, address: Value, offset: i32) -> Value {
        self.builder.ins().load(types::I64, MEMORY, address, offset)
    }

    pub fn store(&mut self, value: Value, address: Value, offset: i32) {
        self.builder.ins().store(MEMORY, value, address, offset);
    }

    pub fn get(&mut self, place: Place) -> Value {
        self.load(self.frame, place.offset())
    }

    pub fn put(&mut self, place: Place, value: Value) {
        self.store(value, self.frame, place.offset());
    }

    /// `base + index * scale`, as an address.
    pub fn address(&mut self, base: Value, index: Num, scale: i64) -> Value {
        if let Some(index) = index.range.single()
            && let Some(offset) = index.checked_mul(scale)
        {
            return self.builder.ins().iadd_imm_s(base, offset);
        }
        let offset = match scale {
            8 => self.builder.ins().ishl_imm_u(index.value, 3),
            16 => self.builder.ins().ishl_imm_u(index.value, 4),
            _ => self.builder.ins().imul_imm_s(index.value, scale),
        };
        self.builder.ins().iadd(base, offset)
    }

    pub fn variable(&mut self, value: Value) -> Variable {
        let variable = self.builder.declare_var(types::I64);
        self.builder.def_var(variable, value);
        variable
    }

    pub fn set(&mut self, variable: Variable, value: Value) {
        self.builder.def_var(variable, value);
    }

    pub fn read(&mut self, variable: Variable) -> Value {
        self.builder.use_var(variable)
    }

    /// Calls one of our own functions.
    pub fn host(&mut self, function: *const u8, arguments: &[Value]) -> Value {
        let key = (arguments.len(), 1);
        let signature = match self.signatures.get(&key) {
            Some(signature) => *signature,
            None => {
                let signature = self.links.signature(key.0, key.1);
                let signature = self.builder.import_signature(signature);
                self.signatures.insert(key, signature);
                signature
            }
        };
        let address = self.constant(function as i64);
        let call = self.builder.ins().call_indirect(signature, address, arguments);
        self.builder.inst_results(call)[0]
    }

    /// Calls one of our own functions that reports success with 0 and leaves its result in the frame.
    pub fn host_checked(&mut self, function: *const u8, arguments: &[Value], shape: Shape) -> Val {
        self.allocations += 1;
        let failed = self.host(function, arguments);
        self.fault_if(failed);
        self.result(shape)
    }

    /// What a function left in the frame.
    pub fn result(&mut self, shape: Shape) -> Val {
        let places = [Place::Result, Place::ResultSecond, Place::ResultThird];
        let first = self.get(places[0]);
        let mut words = [first; 3];
        for index in 1..shape.width() {
            words[index] = self.get(places[index]);
        }
        Val { shape, words }
    }

    /// New memory of so many words, which is a number that is at least 0.
    pub fn allocate(&mut self, words: Num) -> Value {
        self.allocations += 1;
        let (top, limit) = (self.get(Place::Top), self.get(Place::Limit));
        let room = self.builder.ins().isub(limit, top);
        let room = self.builder.ins().ushr_imm_u(room, 3);
        let full = self.compare(IntCC::UnsignedGreaterThan, words.value, room);
        self.fault_if(full);
        let next = self.address(top, words, 8);
        self.put(Place::Top, next);
        top
    }

    /// Gives back what was allocated since `mark`, if the code since then allocates at all.
    pub fn release(&mut self, (mark, allocations): (Value, usize)) {
        if self.allocations > allocations {
            self.put(Place::Top, mark);
        }
    }

    /// Where memory stands now.
    pub fn mark(&mut self) -> (Value, usize) {
        (self.get(Place::Top), self.allocations)
    }

    /// Counts a turn of a loop, and looks at the clock now and then.
    pub fn watch(&mut self) {
        let fuel = self.get(Place::Fuel);
        let less = self.builder.ins().iadd_imm_s(fuel, -1);
        self.put(Place::Fuel, less);
        let (look, on) = (self.block(), self.block());
        self.builder.set_cold_block(look);
        self.builder.ins().brif(less, on, &[], look, &[]);
        self.go(look);
        let stop = self.host(super::frame::look as *const u8, &[self.frame]);
        self.builder.ins().brif(stop, self.fault, &[], on, &[]);
        self.go(on);
    }

    /// Reads a value of this shape from memory.
    pub fn load_value(&mut self, address: Value, shape: &Shape) -> Val {
        let first = self.load(address, 0);
        let mut words = [first; 3];
        for (index, word) in words.iter_mut().enumerate().take(shape.width()).skip(1) {
            *word = self.load(address, index as i32 * 8);
        }
        Val { shape: shape.clone(), words }
    }

    /// Writes a value to memory.
    pub fn store_value(&mut self, value: &Val, address: Value) {
        for (index, &word) in value.parts().iter().enumerate() {
            self.store(word, address, index as i32 * 8);
        }
    }

    /// Makes a local hold a value, which is its own to change if the body changes it.
    pub fn bind(&mut self, local: usize, value: &Val) {
        let changes = self.scope.changed.contains(&local);
        // What is known of a value holds for all that a changing local may hold only if it is its type.
        let shape = if changes { loosened(&value.shape) } else { value.shape.clone() };
        let known = self.scope.locals.get(&local).filter(|known| known.shape.width() == shape.width());
        let variables = match known {
            Some(known) => known.variables.clone(),
            None => (0..shape.width()).map(|_| self.builder.declare_var(types::I64)).collect(),
        };
        for (variable, word) in variables.iter().zip(value.parts()) {
            self.builder.def_var(*variable, *word);
        }
        self.scope.locals.insert(local, Local { shape, variables });
    }

    /// The value of a local.
    pub fn local(&mut self, local: usize) -> Written<Val> {
        let missing = JitError::Unsupported("a local without a value");
        let Local { shape, variables } = self.scope.locals.get(&local).cloned().ok_or(missing)?;
        let first = self.read(variables[0]);
        let mut words = [first; 3];
        for (word, variable) in words.iter_mut().zip(&variables).skip(1) {
            *word = self.builder.use_var(*variable);
        }
        Ok(Val { shape, words })
    }
}

/// The shape of which nothing is known but how it lies in memory. A list that is changed keeps its length.
pub fn loosened(shape: &Shape) -> Shape {
    match shape {
        Shape::Number(_) => Shape::Number(Range::ANY),
        Shape::Set(_) => Shape::Set(Range::ANY),
        Shape::List { item, .. } => Shape::list(0, i64::MAX, loosened(item)),
    }
}
