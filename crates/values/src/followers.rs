//! The followers of a value: everything that play can reach, options before the games that have them.
//!
//! Operations that are defined from options up (thermographs, cooling, birthdays, products) walk this list, so that
//! none of them recurses.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Arena, Value};
use crate::error::Result;

impl Arena {
    /// The followers of a value and the value itself, each once, options first. The options of a `leaf` are left out,
    /// unless they are reached otherwise.
    pub(crate) fn followers_to(&mut self, root: Value, leaf: impl Fn(&Arena, Value) -> bool) -> Result<Vec<Value>> {
        let mut order = Vec::new();
        let mut met = FxHashSet::default();
        let mut stack = vec![(root.0, false)];
        while let Some((id, ready)) = stack.pop() {
            if ready {
                order.push(Value(id));
                continue;
            }
            if !met.insert(id) {
                continue;
            }
            let ticked = self.tick();
            self.surface(ticked)?;
            if leaf(self, Value(id)) {
                order.push(Value(id));
                continue;
            }
            stack.push((id, true));
            let expanded = self.expand(id);
            self.surface(expanded)?;
            let (start, _, end) = self.range(id);
            stack.extend(self.pool[start..end].iter().filter(|&id| !met.contains(id)).map(|&id| (id, false)));
        }
        Ok(order)
    }

    /// All followers of a value and the value itself, each once, options first.
    pub fn followers(&mut self, root: Value) -> Result<Vec<Value>> {
        self.followers_to(root, |_, _| false)
    }

    /// Builds something for a value from what was built for its options: `leaf` gives it for values whose options are
    /// not looked at, `join` for all others from the mapped Left and Right options.
    pub(crate) fn build<T: Clone>(
        &mut self,
        root: Value,
        leaf: impl Fn(&mut Arena, Value) -> Result<Option<T>>,
        mut join: impl FnMut(&mut Arena, Value, Vec<T>, Vec<T>) -> Result<T>,
    ) -> Result<T> {
        let mut built: FxHashMap<u32, T> = FxHashMap::default();
        let mut stack = vec![root.0];
        while let Some(&id) = stack.last() {
            if built.contains_key(&id) {
                stack.pop();
                continue;
            }
            let ticked = self.tick();
            self.surface(ticked)?;
            if let Some(made) = leaf(self, Value(id))? {
                built.insert(id, made);
                continue;
            }
            let expanded = self.expand(id);
            self.surface(expanded)?;
            let (start, middle, end) = self.range(id);
            let before = stack.len();
            stack.extend(self.pool[start..end].iter().filter(|id| !built.contains_key(id)));
            if stack.len() > before {
                continue;
            }
            let of = |range: std::ops::Range<usize>| self.pool[range].iter().map(|id| built[id].clone()).collect();
            let (left, right) = (of(start..middle), of(middle..end));
            let made = join(self, Value(id), left, right)?;
            built.insert(id, made);
        }
        Ok(built[&root.0].clone())
    }

    /// Adds a value to each of these.
    pub(crate) fn shifted(&mut self, values: &[Value], by: Value) -> Result<Vec<Value>> {
        values.iter().map(|&value| self.plus(value, by)).collect()
    }
}
