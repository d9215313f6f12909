//! Sets as bits: membership is one load, an element is added in place while there is room.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable;
use rules::program::{Expr, Loop};

use super::frame;
use super::shape::{Num, Range, Shape, Val};
use super::tables::nothing;
use super::writer::{Writer, Written};

/// The registers of a set that is being changed.
#[derive(Clone, Copy, Debug)]
pub struct SetRegisters {
    pub address: Variable,
    pub low: Variable,
    pub words: Variable,
}

/// A set of numbers in a range of at most so many is made with room for all of them.
const ROOMY: i128 = 1 << 12;

impl Writer<'_, '_, '_, '_> {
    /// Whether an element is in a set.
    pub fn has(&mut self, set: &Val, element: Num) -> Num {
        let [address, low, words] = set.words;
        let bit = self.builder.ins().isub(element.value, low);
        let size = self.builder.ins().ishl_imm_u(words, 6);
        let inside = self.compare(IntCC::UnsignedLessThan, bit, size);
        let zero = self.constant(0);
        let bit = self.builder.ins().select(inside, bit, zero);
        let (place, _) = self.bit_place(address, bit);
        let word = self.load(place, 0);
        let word = self.builder.ins().ushr(word, bit);
        let inside = self.widened(inside);
        let value = self.builder.ins().band(word, inside.value);
        Num { value, range: Range::TRUTH }
    }

    /// The address of the word with a bit, and the bit alone.
    fn bit_place(&mut self, address: Value, bit: Value) -> (Value, Value) {
        let word = self.builder.ins().ushr_imm_u(bit, 6);
        let offset = self.builder.ins().ishl_imm_u(word, 3);
        let place = self.builder.ins().iadd(address, offset);
        let one = self.constant(1);
        // Shifts look at the last six bits only.
        (place, self.builder.ins().ishl(one, bit))
    }

    /// Puts an element into a set whose memory is its own.
    pub fn add(&mut self, set: SetRegisters, element: Num) {
        let low = self.read(set.low);
        let words = self.read(set.words);
        let bit = self.builder.ins().isub(element.value, low);
        let size = self.builder.ins().ishl_imm_u(words, 6);
        let inside = self.compare(IntCC::UnsignedLessThan, bit, size);
        let (on, grow) = (self.block(), self.block());
        self.builder.set_cold_block(grow);
        self.builder.ins().brif(inside, on, &[], grow, &[]);
        self.go(grow);
        let address = self.read(set.address);
        let arguments = [self.frame, address, low, words, element.value];
        let wider = self.host_checked(frame::widen as *const u8, &arguments, Shape::Set(Range::ANY));
        self.set(set.address, wider.words[0]);
        self.set(set.low, wider.words[1]);
        self.set(set.words, wider.words[2]);
        self.jump(on);
        self.go(on);
        let (address, low) = (self.read(set.address), self.read(set.low));
        let bit = self.builder.ins().isub(element.value, low);
        let (place, mask) = self.bit_place(address, bit);
        let word = self.load(place, 0);
        let word = self.builder.ins().bor(word, mask);
        self.store(word, place, 0);
    }

    /// Takes an element out of a set whose memory is its own.
    pub fn remove(&mut self, address: Value, low: Value, size: Value, element: Num) {
        let bit = self.builder.ins().isub(element.value, low);
        let inside = self.compare(IntCC::UnsignedLessThan, bit, size);
        let (take, on) = (self.block(), self.block());
        self.builder.ins().brif(inside, take, &[], on, &[]);
        self.go(take);
        let (place, mask) = self.bit_place(address, bit);
        let word = self.load(place, 0);
        let word = self.builder.ins().band_not(word, mask);
        self.store(word, place, 0);
        self.jump(on);
        self.go(on);
    }

    /// Puts an element into a set of the position, whose size is fixed. An impossible element, which a set may hold for a moment,
    /// is left to the interpreter.
    pub fn add_within(&mut self, address: Value, low: Value, size: Value, element: Num) {
        let bit = self.builder.ins().isub(element.value, low);
        let outside = self.compare(IntCC::UnsignedGreaterThanOrEqual, bit, size);
        self.fault_if(outside);
        let (place, mask) = self.bit_place(address, bit);
        let word = self.load(place, 0);
        let word = self.builder.ins().bor(word, mask);
        self.store(word, place, 0);
    }

    /// The set that holds nothing.
    fn no_elements(&mut self) -> Val {
        let (address, zero) = (self.constant(nothing()), self.constant(0));
        Val { shape: Shape::Set(Range::one(0)), words: [address, zero, zero] }
    }

    pub fn set_of(&mut self, items: &[Expr]) -> Written<Val> {
        if items.is_empty() {
            return Ok(self.no_elements());
        }
        self.collected(&mut |this, add| {
            let mut elements = Vec::with_capacity(items.len());
            for item in items {
                elements.push(this.scalar(item)?);
            }
            elements.into_iter().for_each(|element| add(this, element));
            Ok(())
        })
    }

    pub fn set_comprehension(&mut self, item: &Expr, loops: &[Loop]) -> Written<Val> {
        self.collected(&mut |this, add| {
            this.nest(loops, &mut |this, _| {
                let element = this.scalar(item)?;
                add(this, element);
                Ok(())
            })
        })
    }

    /// A set of the elements that `fill` adds. Room is made first, as much as the elements turn out to need: that code is
    /// written last, into a block left open for it.
    fn collected(&mut self, fill: Collect<'_, Self>) -> Written<Val> {
        let none = self.no_elements();
        let [address, low, words] = none.words.map(|word| self.variable(word));
        let set = SetRegisters { address, low, words };
        let (room, start, done) = (self.block(), self.block(), self.block());
        self.jump(room);
        self.go(start);
        let mut range: Option<Range> = None;
        fill(self, &mut |this: &mut Self, element: Num| {
            range = Some(range.map_or(element.range, |range| range.join(element.range)));
            this.add(set, element);
        })?;
        self.jump(done);
        self.go(room);
        let range = range.unwrap_or(Range::one(0));
        if i128::from(range.high) - i128::from(range.low) < ROOMY {
            let base = range.low & !63;
            let count = (range.high - base) / 64 + 1;
            let size = self.num(count);
            let memory = self.allocate(size);
            let zero = self.constant(0);
            if count <= 4 {
                (0..count).for_each(|word| self.store(zero, memory, word as i32 * 8));
            } else {
                let end = self.builder.ins().iadd_imm_s(memory, count * 8);
                self.steps(memory, end, 8, &mut |this, place| {
                    this.store(zero, place, 0);
                    Ok(())
                })?;
            }
            let base = self.constant(base);
            self.set(address, memory);
            self.set(low, base);
            self.set(words, size.value);
        }
        self.jump(start);
        self.go(done);
        let all = [self.read(address), self.read(low), self.read(words)];
        Ok(Val { shape: Shape::Set(range), words: all })
    }

    /// How many elements a set has.
    pub fn size_of_set(&mut self, set: &Val) -> Written<Num> {
        let zero = self.constant(0);
        let total = self.variable(zero);
        let bytes = self.builder.ins().ishl_imm_u(set.words[2], 3);
        let end = self.builder.ins().iadd(set.words[0], bytes);
        self.steps(set.words[0], end, 8, &mut |this, place| {
            let word = this.load(place, 0);
            let ones = this.builder.ins().popcnt(word);
            let before = this.read(total);
            let after = this.builder.ins().iadd(before, ones);
            this.set(total, after);
            Ok(())
        })?;
        Ok(Num { value: self.read(total), range: Range::new(0, 1 << 32) })
    }
}

/// Adds elements with the function that it is given.
type Collect<'c, W> = &'c mut dyn FnMut(&mut W, &mut dyn FnMut(&mut W, Num)) -> Written<()>;
