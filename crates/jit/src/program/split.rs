//! Moves of a part of a sum that replace it by other parts: `split`.
//!
//! Code works out the variables of each new part, and a function of ours checks them against their domains and keeps the
//! part's key. An option that splits has a key like any other, which means nothing.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use rules::program::{Expr, Parts};

use super::fields::Split;
use super::frame::{self, Place, Scratch};
use super::shape::{Num, Range, Shape, Val};
use super::writer::{Writer, Written};
use crate::error::JitError;

/// More words of new parts than this in one position are left to the interpreter.
const MOST_WORDS: usize = 1 << 24;
/// Before the keys of new parts fill more words, it is asked whether to stop.
const WATCHED: usize = 1 << 14;

impl Writer<'_, '_, '_, '_> {
    /// Keeps the parts that the option in the making leaves. A second `split` in a move is a fault.
    pub fn split(&mut self, parts: &Parts) -> Written<()> {
        let again = self.host(begin as *const u8, &[self.frame]);
        self.fault_if(again);
        match parts {
            Parts::Listed(rows) => rows.iter().try_for_each(|row| self.row(row)),
            Parts::Made { values, loops } => self.nest(loops, &mut |this, _| this.row(values)),
            Parts::List { list, nested } => {
                let items = self.kept(list, false)?;
                self.each_of(&items, &mut |this, item, _| {
                    match nested {
                        true => this.numbers_of_part(&item)?,
                        false => this.variable_of_part(0, &item)?,
                    }
                    this.end_part();
                    Ok(())
                })
            }
        }
    }

    /// One part, given by an expression for each variable.
    fn row(&mut self, values: &[Expr]) -> Written<()> {
        for (variable, value) in values.iter().enumerate() {
            let value = self.value(value)?;
            self.variable_of_part(variable, &value)?;
        }
        self.end_part();
        Ok(())
    }

    fn variable_of_part(&mut self, variable: usize, value: &Val) -> Written<()> {
        let slots = &self.bound().layout.variables;
        let slot = slots.get(variable).ok_or(JitError::Unsupported("a part of more values than variables"))?;
        let part = self.get(Place::Part);
        let address = self.builder.ins().iadd_imm_s(part, slot.offset as i64 * 8);
        self.write_cells(variable, 0, address, value)
    }

    /// One part, given by a list with a number for each variable.
    fn numbers_of_part(&mut self, list: &Val) -> Written<()> {
        let Shape::List { item, .. } = &list.shape else {
            return Err(JitError::Unsupported("a part that is no list"));
        };
        let variables = self.bound().layout.variables.len();
        let wrong = self.compare_to(IntCC::NotEqual, list.words[1], variables as i64);
        self.fault_if(wrong);
        for variable in 0..variables {
            let index = Num { value: list.words[1], range: Range::one(variable as i64) };
            let place = self.address(list.words[0], index, item.width() as i64 * 8);
            let value = self.load_value(place, item);
            self.variable_of_part(variable, &value)?;
        }
        Ok(())
    }

    fn end_part(&mut self) {
        let failed = self.host(keep as *const u8, &[self.frame]);
        self.fault_if(failed);
    }
}

/// Begins the parts of the option in the making. 0 if it has none yet.
///
/// # Safety
///
/// The address must be that of the scratch memory that compiled code was called with.
unsafe extern "C" fn begin(address: *mut Scratch) -> i64 {
    // SAFETY: promised by the caller.
    let scratch = unsafe { frame::scratch(address) };
    let option = scratch.frame.get(Place::Count) as usize;
    let end = match scratch.splits.last() {
        Some(last) if last.option == option => return 1,
        last => last.map_or(0, |last| last.end),
    };
    scratch.splits.push(Split { option, end });
    0
}

/// Keeps the key of the part whose cells were written. 0 if they are within their domains and there is room.
///
/// # Safety
///
/// The address must be that of the scratch memory that compiled code was called with.
unsafe extern "C" fn keep(address: *mut Scratch) -> i64 {
    // SAFETY: promised by the caller.
    let scratch = unsafe { frame::scratch(address) };
    let Some(fields) = &scratch.fields else { return 1 };
    let (used, words) = (scratch.parts.len(), fields.words);
    if used + words > scratch.parts.capacity() && used >= WATCHED {
        let bytes = 16 * used as u64;
        if used >= MOST_WORDS || scratch.scope.allows(bytes).is_err() {
            // The interpreter is asked next, and stopped, too.
            return 1;
        }
    }
    scratch.parts.resize(used + words, 0);
    let inside = fields.pack_within(&scratch.part, &mut scratch.parts[used..]);
    if let Some(last) = scratch.splits.last_mut() {
        last.end += 1;
    }
    i64::from(!inside)
}
