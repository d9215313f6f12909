//! Canonical forms of misère games.
//!
//! Two impartial games are equal in misère play when they have the same outcome in every sum. An option `R` of `G` is
//! *reversible through `H`* when `H` is an option of `R`. Conway's theorem: let the options of `G` be those of `H` and some
//! more, all reversible through `H`; then `G = H`, provided that, where `H` has no options, the mover wins `G` (some option
//! of `G` is lost by its mover). For in any sum with `G` the extra moves are answered by returning to `H`, and the proviso
//! makes the end come out alike. And two games that allow no such step, themselves or anywhere below, are equal only if they
//! are identical. So a game has one simplest form, and equality of games is identity of forms.
//!
//! Unlike in normal play, a reversible option cannot be replaced by what it reverses to; it can only be left out, and
//! only if `H` is then what remains. The test is therefore simple: an option of `G` of the greatest depth cannot be an option of
//! `H` (which is below all the reversible options), so it must be reversible, and every possible `H` is among its options.
//!
//! Forms live in an arena that stores equal sets of options once. Sums are remembered. They are computed with an
//! explicit stack, so deep games are safe.

use std::collections::HashMap;

use super::genus::{Genus, Nature};
use super::watch::Watch;
use super::{Error, Limits, Resource};

/// A canonical form in [`Forms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(u32);

/// An arena of canonical forms of misère games.
///
/// ```
/// use heaps::misere::{Forms, Limits};
///
/// let mut forms = Forms::new(Limits::default());
/// let one = forms.nim_heap(1).unwrap();
/// let two = forms.nim_heap(2).unwrap();
/// assert_eq!(forms.sum(one, one).unwrap(), forms.zero());
/// assert_eq!(forms.sum(one, two).unwrap(), forms.nim_heap(3).unwrap());
/// // Unlike in normal play, two equal heaps need not cancel.
/// assert_ne!(forms.sum(two, two).unwrap(), forms.zero());
/// ```
#[derive(Clone, Debug)]
pub struct Forms {
    limit: usize,
    index: HashMap<Box<[Form]>, Form>,
    nodes: Vec<Node>,
    sums: HashMap<(Form, Form), Form>,
}

#[derive(Clone, Debug)]
struct Node {
    options: Box<[Form]>,
    depth: u32,
    genus: Genus,
    nature: Nature,
    nim_heap: Option<u32>,
}

impl Forms {
    /// An arena with the game without options.
    pub fn new(limits: Limits) -> Forms {
        let genus = Genus::from_options([]);
        let nature = Nature::of(&[], |_, _| false);
        let zero = Node { options: Box::new([]), depth: 0, genus, nature, nim_heap: Some(0) };
        let index = HashMap::from([(zero.options.clone(), Form(0))]);
        Forms { limit: limits.forms, index, nodes: vec![zero], sums: HashMap::new() }
    }

    /// The game without options.
    pub fn zero(&self) -> Form {
        Form(0)
    }

    /// How many forms are stored.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The options of a form, in the order of the arena.
    pub fn options(&self, form: Form) -> &[Form] {
        &self.nodes[form.0 as usize].options
    }

    /// The genus of a form.
    pub fn genus(&self, form: Form) -> &Genus {
        &self.nodes[form.0 as usize].genus
    }

    /// The nature of a form.
    pub fn nature(&self, form: Form) -> Nature {
        self.nodes[form.0 as usize].nature
    }

    /// The longest play from a form.
    pub fn depth(&self, form: Form) -> u32 {
        self.nodes[form.0 as usize].depth
    }

    /// Whether the player to move loses in misère play.
    pub fn is_loss(&self, form: Form) -> bool {
        self.genus(form).is_loss()
    }

    /// The form of the game with these options.
    pub fn of_options(&mut self, mut options: Vec<Form>) -> Result<Form, Error> {
        options.sort_unstable();
        options.dedup();
        if let Some(&form) = self.index.get(options.as_slice()) {
            return Ok(form);
        }
        if let Some(simpler) = self.simpler(&options) {
            return Ok(simpler);
        }
        if self.nodes.len() >= self.limit {
            return Err(Error::Limit { what: Resource::Forms, limit: self.limit });
        }
        let depth = options.iter().map(|&option| self.depth(option)).max().map_or(0, |depth| depth + 1);
        let genus = Genus::from_options(options.iter().map(|&option| self.genus(option)));
        let natures: Vec<Nature> = options.iter().map(|&option| self.nature(option)).collect();
        let nature = Nature::of(&natures, |i, tame| {
            self.options(options[i]).iter().any(|&second| self.nature(second).tame() == Some(tame))
        });
        // Distinct nim-heaps, as many as the largest of them: exactly the options of a nim-heap.
        let heaps: Option<Vec<u32>> = options.iter().map(|&option| self.as_nim_heap(option)).collect();
        let nim_heap = heaps.filter(|heaps| heaps.iter().max().map_or(0, |max| max + 1) as usize == heaps.len());
        let nim_heap = nim_heap.map(|heaps| heaps.len() as u32);
        let form = Form(self.nodes.len() as u32);
        let options = options.into_boxed_slice();
        self.index.insert(options.clone(), form);
        self.nodes.push(Node { options, depth, genus, nature, nim_heap });
        Ok(form)
    }

    /// The form to which the game with these (sorted) options reduces, if it is not canonical itself.
    fn simpler(&self, options: &[Form]) -> Option<Form> {
        let deepest = options.iter().copied().max_by_key(|&option| self.depth(option))?;
        self.options(deepest).iter().copied().find(|&target| {
            let kept = self.options(target);
            kept.iter().all(|option| options.binary_search(option).is_ok())
                && options.iter().all(|&option| kept.binary_search(&option).is_ok() || self.has_option(option, target))
                && (!kept.is_empty() || options.iter().any(|&option| self.is_loss(option)))
        })
    }

    fn has_option(&self, form: Form, option: Form) -> bool {
        self.options(form).binary_search(&option).is_ok()
    }

    /// The form of the nim-heap of `size` tokens.
    pub fn nim_heap(&mut self, size: u32) -> Result<Form, Error> {
        let mut smaller = Vec::new();
        for _ in 0..size {
            let heap = self.of_options(smaller.clone())?;
            smaller.push(heap);
        }
        self.of_options(smaller)
    }

    /// The size of the nim-heap that a form is, if it is one.
    pub fn as_nim_heap(&self, form: Form) -> Option<u32> {
        self.nodes[form.0 as usize].nim_heap
    }

    /// The form of the sum of two forms.
    pub fn sum(&mut self, a: Form, b: Form) -> Result<Form, Error> {
        self.sum_watched(a, b, &Watch::new(&mut |_| true))
    }

    /// The form of the sum of two forms, unless `watch` stops the work.
    pub(super) fn sum_watched(&mut self, a: Form, b: Form, watch: &Watch<'_>) -> Result<Form, Error> {
        let mut stack = vec![(a, b)];
        while let Some(&(a, b)) = stack.last() {
            watch.check()?;
            if self.known_sum(a, b).is_some() {
                stack.pop();
                continue;
            }
            let mut options = Vec::with_capacity(self.options(a).len() + self.options(b).len());
            let before = stack.len();
            let pairs = self.options(a).iter().map(|&option| (option, b));
            for (x, y) in pairs.chain(self.options(b).iter().map(|&option| (a, option))) {
                match self.known_sum(x, y) {
                    Some(sum) => options.push(sum),
                    None => stack.push((x, y)),
                }
            }
            if stack.len() == before {
                if self.sums.len() >= self.limit {
                    return Err(Error::Limit { what: Resource::Forms, limit: self.limit });
                }
                let sum = self.of_options(options)?;
                self.sums.insert((a.min(b), a.max(b)), sum);
                stack.pop();
            }
        }
        // The stack is empty only once the sum of its first pair is known.
        Ok(self.known_sum(a, b).unwrap_or(self.zero()))
    }

    fn known_sum(&self, a: Form, b: Form) -> Option<Form> {
        match (a.min(b), a.max(b)) {
            (Form(0), other) => Some(other),
            pair => self.sums.get(&pair).copied(),
        }
    }
}
