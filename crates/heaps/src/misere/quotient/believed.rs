//! Outcomes by reduction rules that are believed until they are refuted.
//!
//! While a new heap joins a quotient, the outcomes of many sums that contain it are needed. A plain search is hopeless
//! for sums of a dozen heaps. But sums of smaller heaps that are alike usually stay alike next to the new heap. So the
//! relations of the quotient of the smaller heaps are believed: they reduce sums to a normal form, and the outcome of a
//! normal form with some new heaps follows from its options, reduced in turn. Every relation replaces a sum by a
//! smaller one in the order of normal forms, and so does every move; hence the recursion ends.
//!
//! A belief can be wrong. Then the options of some sum give another outcome than its normal form. Somewhere in its
//! reduction there is a relation `u → v` next to a company `c` at which the outcome changes: it is refuted, for good.
//! Then `u` is compared with the other irreducible sums that were alike before, in all companies that have refuted
//! anything so far. If one agrees, it is the new target. If none does, `u` becomes irreducible, and the same is done
//! with `u` and one heap more. So ever more sums are judged by themselves. Verification proves the quotient without any
//! belief.

use std::collections::{HashMap, HashSet, VecDeque};

use super::super::rules::{HeapRules, HeapTable};
use super::super::watch::{Watch, allocated};
use super::super::{Error, Limits, Resource};
use super::monoid::Monoid;
use super::presentation::Presentation;
use super::relation::{Relation, ascending, contains, insert, mask, replace};

/// Marks an unknown reduction.
const UNKNOWN: u32 = u32::MAX;

/// How many sums one refutation may make irreducible.
const MOST_NEW: usize = 200;

/// How many relations may be refuted for one new heap.
const MOST_REFUTED: usize = 2_000;

/// Outcomes of sums of smaller heaps and one new heap.
pub struct Believed<'a, 'w, R> {
    table: &'a HeapTable<R>,
    monoid: &'a Monoid,
    elements: &'a [u32],
    heap: u32,
    limits: Limits,
    watch: &'a Watch<'w>,
    relations: Vec<Relation>,
    /// Sums, and numbers of new heaps, that have refuted a relation.
    contexts: Vec<(Vec<u32>, u32)>,
    /// Relations that have been refuted.
    refuted: HashSet<(Vec<u32>, Vec<u32>)>,
    forms: Vec<Reduced>,
    index: HashMap<Vec<u32>, u32>,
    losses: HashMap<(u32, u32), bool>,
    /// What forms, their index and losses were charged.
    charged: u64,
}

/// What an entry of a table costs beside what it points to: tables grow by doubling, and old and new stand side by side.
const FORM: u64 = 3 * (size_of::<Reduced>() + size_of::<(Vec<u32>, u32)>()) as u64;
const LOSS: u64 = 3 * (size_of::<((u32, u32), bool)>() + 1) as u64;
/// Tables of so many entries keep their room when they are emptied.
const KEPT: usize = 1024;

impl<R> Drop for Believed<'_, '_, R> {
    fn drop(&mut self) {
        self.watch.release(self.charged);
    }
}

/// A sum of smaller heaps to which no relation applies.
struct Reduced {
    heaps: Vec<u32>,
    /// The element in the quotient of the smaller heaps.
    element: u32,
    /// The reduced sums with one more heap, by heap.
    next: Vec<u32>,
    /// The reduced options of this sum; and this sum with each option of the new heap, reduced.
    options: Option<(Vec<u32>, Vec<u32>)>,
}

/// A reduced sum with a number of new heaps whose outcome is wanted, and the next option to examine.
struct Frame {
    at: (u32, u32),
    next: usize,
}

impl<'a, 'w, R: HeapRules> Believed<'a, 'w, R> {
    /// Starts from the relations of `monoid`; `elements` are the elements of all heaps below `heap`.
    pub fn new(
        table: &'a HeapTable<R>,
        monoid: &'a Monoid,
        elements: &'a [u32],
        heap: u32,
        limits: Limits,
        watch: &'a Watch<'w>,
    ) -> Result<Believed<'a, 'w, R>, Error> {
        let mut relations = Vec::new();
        for heap in (1..heap).filter(|heap| monoid.letters.binary_search(heap).is_err()) {
            let to = ascending(monoid.normal[elements[heap as usize] as usize].clone());
            relations.push(Relation::new(vec![heap], to));
        }
        let known = Presentation::new(monoid).relations.into_iter();
        relations.extend(known.map(|(from, to)| Relation::new(from, to)));
        let (forms, index, losses) = (Vec::new(), HashMap::new(), HashMap::new());
        let mut believed = Believed {
            table,
            monoid,
            elements,
            heap,
            limits,
            watch,
            relations,
            contexts: Vec::new(),
            refuted: HashSet::new(),
            forms,
            index,
            losses,
            charged: 0,
        };
        believed.intern(Vec::new())?;
        Ok(believed)
    }

    fn charge(&mut self, bytes: u64) -> Result<(), Error> {
        self.charged += bytes;
        self.watch.charge(bytes)
    }

    /// Whether the player to move loses the sum, by the current beliefs.
    pub fn is_loss(&mut self, heaps: &[u32]) -> Result<bool, Error> {
        self.watch.check()?;
        let (rest, count) = self.split(heaps);
        let form = self.fold(0, &rest)?;
        self.loss(form, count)
    }

    /// Refutes a relation with a sum whose options give another outcome than its reduced form. Returns whether the sum
    /// is one.
    pub fn refute(&mut self, heaps: &[u32]) -> Result<bool, Error> {
        let (rest, count) = self.split(heaps);
        let mut outcome = self.loss_by_options(&rest, count)?;
        let mut sum = Vec::new();
        for place in 0..rest.len() {
            insert(&mut sum, rest[place]);
            while let Some(relation) = self.applicable(&sum) {
                let Relation { from, to, .. } = self.relations[relation].clone();
                let before = sum.clone();
                replace(&mut sum, &from, &to);
                let total = ascending([sum.as_slice(), &rest[place + 1..]].concat());
                let after = self.loss_by_options(&total, count)?;
                if after != outcome {
                    let mut company = ascending([before.as_slice(), &rest[place + 1..]].concat());
                    replace(&mut company, &from, &[]);
                    self.weaken(relation, company, count)?;
                    return Ok(true);
                }
                outcome = after;
            }
        }
        Ok(false)
    }

    /// Refutes relations by short sums: an irreducible sum, one more heap, and one or two new heaps.
    pub fn settle(&mut self) -> Result<(), Error> {
        loop {
            let mut settled = true;
            let sums = self.irreducible_below(&[self.heap])?;
            if sums.len() >= self.limits.order {
                return Err(Error::Limit { what: Resource::Order, limit: self.limits.order });
            }
            for sum in sums {
                for heap in 1..self.heap {
                    for count in 1..=2 {
                        let new = vec![self.heap; count];
                        settled &= !self.refute(&[sum.as_slice(), &[heap], &new].concat())?;
                    }
                }
            }
            if settled {
                return Ok(());
            }
        }
    }

    /// Replaces a relation, refuted next to `company` and `count` new heaps.
    fn weaken(&mut self, relation: usize, company: Vec<u32>, count: u32) -> Result<(), Error> {
        let Relation { from, to, .. } = self.relations.swap_remove(relation);
        if !self.contexts.contains(&(company.clone(), count)) {
            self.contexts.push((company, count));
        }
        self.refuted.insert((from.clone(), to));
        if self.refuted.len() > MOST_REFUTED {
            return Err(Error::Limit { what: Resource::Refutations, limit: MOST_REFUTED });
        }
        let mut queue = VecDeque::from([from]);
        let mut added = 0;
        while let Some(sum) = queue.pop_front() {
            if self.applicable(&sum).is_some() {
                continue;
            }
            self.forget()?;
            match self.equal(&sum)? {
                Some(to) => self.relations.push(Relation::new(sum, to)),
                None if added < MOST_NEW => {
                    added += 1;
                    let letters = (1..self.heap).filter(|&heap| self.applicable(&[heap]).is_none());
                    queue.extend(letters.map(|heap| ascending([sum.as_slice(), &[heap]].concat())));
                }
                None => {}
            }
        }
        self.forget()?;
        Ok(())
    }

    fn forget(&mut self) -> Result<(), Error> {
        self.forms.clear();
        self.index.clear();
        self.losses.clear();
        self.forms.shrink_to(KEPT);
        self.index.shrink_to(KEPT);
        self.losses.shrink_to(KEPT);
        self.watch.release(self.charged);
        self.charged = 0;
        self.intern(Vec::new()).map(|_| ())
    }

    /// A smaller irreducible sum that was alike before and that no context so far distinguishes from this one.
    fn equal(&mut self, sum: &[u32]) -> Result<Option<Vec<u32>>, Error> {
        let element = self.element(sum);
        let mut wanted: Vec<Option<bool>> = vec![None; self.contexts.len()];
        for candidate in self.irreducible_below(sum)? {
            if self.element(&candidate) != element || self.refuted.contains(&(sum.to_vec(), candidate.clone())) {
                continue;
            }
            let mut agrees = true;
            for place in (0..self.contexts.len()).rev() {
                let (company, count) = self.contexts[place].clone();
                let loss = match wanted[place] {
                    Some(loss) => loss,
                    None => {
                        let total = ascending([sum, &company].concat());
                        let loss = self.loss_by_options(&total, count)?;
                        *wanted[place].insert(loss)
                    }
                };
                let total = ascending([candidate.as_slice(), &company].concat());
                if self.loss_by_options(&total, count)? != loss {
                    agrees = false;
                    break;
                }
            }
            if agrees {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }

    /// Irreducible sums below a sum in the order of normal forms, the least first.
    fn irreducible_below(&self, sum: &[u32]) -> Result<Vec<Vec<u32>>, Error> {
        let letters: Vec<u32> = (1..self.heap).filter(|&heap| self.applicable(&[heap]).is_none()).collect();
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        let mut place = 0;
        while place < all.len() && all.len() < self.limits.order {
            self.watch.check()?;
            let least = all[place].last().copied().unwrap_or(0);
            for &letter in letters.iter().filter(|&&letter| letter >= least) {
                let longer = [all[place].as_slice(), &[letter]].concat();
                if longer.iter().rev().lt(sum.iter().rev()) && self.applicable(&longer).is_none() {
                    all.push(longer);
                }
            }
            place += 1;
        }
        all.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
        Ok(all)
    }

    fn element(&self, heaps: &[u32]) -> u32 {
        heaps.iter().fold(0, |total, &heap| self.monoid.product(total, self.elements[heap as usize]))
    }

    /// The contexts that have refuted relations.
    pub fn contexts(&self) -> impl Iterator<Item = Vec<u32>> {
        self.contexts.iter().map(|(company, count)| [company.clone(), vec![self.heap; *count as usize]].concat())
    }

    /// The smaller heaps of a sum, ascending, and the number of new heaps.
    fn split(&self, heaps: &[u32]) -> (Vec<u32>, u32) {
        let rest: Vec<u32> = heaps.iter().copied().filter(|&heap| heap != self.heap).collect();
        let count = heaps.len() - rest.len();
        (ascending(rest), count as u32)
    }

    fn applicable(&self, sum: &[u32]) -> Option<usize> {
        let outside = !mask(sum);
        self.relations.iter().position(|relation| relation.mask & outside == 0 && contains(sum, &relation.from))
    }

    fn reduce(&self, sum: &mut Vec<u32>) {
        while let Some(relation) = self.applicable(sum) {
            let Relation { from, to, .. } = &self.relations[relation];
            replace(sum, from, to);
        }
    }

    fn intern(&mut self, heaps: Vec<u32>) -> Result<u32, Error> {
        if let Some(&form) = self.index.get(&heaps) {
            return Ok(form);
        }
        self.charge(FORM + 2 * allocated(4 * heaps.len()) + allocated(4 * self.heap as usize))?;
        let form = self.forms.len() as u32;
        let element = heaps.iter().fold(0, |total, &heap| self.monoid.product(total, self.elements[heap as usize]));
        self.index.insert(heaps.clone(), form);
        self.forms.push(Reduced { heaps, element, next: vec![UNKNOWN; self.heap as usize], options: None });
        Ok(form)
    }

    /// Reduces a form with more heaps, added in order.
    fn fold(&mut self, form: u32, heaps: &[u32]) -> Result<u32, Error> {
        heaps.iter().try_fold(form, |form, &heap| {
            let known = self.forms[form as usize].next[heap as usize];
            if known != UNKNOWN {
                return Ok(known);
            }
            let mut sum = self.forms[form as usize].heaps.clone();
            insert(&mut sum, heap);
            self.reduce(&mut sum);
            let reached = self.intern(sum)?;
            self.forms[form as usize].next[heap as usize] = reached;
            Ok(reached)
        })
    }

    /// The options of a sum of smaller heaps, reduced.
    fn options_of(&mut self, heaps: &[u32]) -> Result<Vec<u32>, Error> {
        let table = self.table;
        let mut options = Vec::new();
        for (place, &heap) in heaps.iter().enumerate() {
            if place > 0 && heaps[place - 1] == heap {
                continue;
            }
            let rest = [&heaps[..place], &heaps[place + 1..]].concat();
            for parts in table.options(heap) {
                let sum = ascending([rest.as_slice(), parts].concat());
                options.push(self.fold(0, &sum)?);
            }
        }
        options.sort_unstable();
        options.dedup();
        Ok(options)
    }

    /// A sum of smaller heaps with each option of the new heap, reduced.
    fn options_of_new(&mut self, heaps: &[u32]) -> Result<Vec<u32>, Error> {
        let table = self.table;
        let options = table.options(self.heap).iter();
        let reduced = options.map(|parts| self.fold(0, &ascending([heaps, parts].concat())));
        let mut options = reduced.collect::<Result<Vec<u32>, Error>>()?;
        options.sort_unstable();
        options.dedup();
        Ok(options)
    }

    /// The outcome of a sum, computed from its options.
    fn loss_by_options(&mut self, heaps: &[u32], count: u32) -> Result<bool, Error> {
        self.watch.check()?;
        if count == 0 {
            let element = heaps.iter().fold(0, |total, &heap| self.monoid.product(total, self.elements[heap as usize]));
            return Ok(self.monoid.loss[element as usize]);
        }
        for option in self.options_of(heaps)? {
            if self.loss(option, count)? {
                return Ok(false);
            }
        }
        for option in self.options_of_new(heaps)? {
            if self.loss(option, count - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The outcome of a reduced sum with `count` new heaps, if known.
    fn known(&self, (form, count): (u32, u32)) -> Option<bool> {
        match count {
            0 => Some(self.monoid.loss[self.forms[form as usize].element as usize]),
            _ => self.losses.get(&(form, count)).copied(),
        }
    }

    fn loss(&mut self, form: u32, count: u32) -> Result<bool, Error> {
        if let Some(loss) = self.known((form, count)) {
            return Ok(loss);
        }
        let mut stack = vec![Frame { at: (form, count), next: 0 }];
        let mut found = None;
        while let Some(frame) = stack.last_mut() {
            self.watch.check()?;
            let (form, count) = frame.at;
            let option =
                if found.take() == Some(true) { Err(false) } else { self.option(frame.at, frame.next)?.ok_or(true) };
            match option {
                Ok(option) => {
                    frame.next += 1;
                    found = self.known(option);
                    if found.is_none() {
                        stack.push(Frame { at: option, next: 0 });
                    }
                }
                Err(loss) => {
                    if self.losses.len() >= self.limits.positions {
                        return Err(Error::Limit { what: Resource::Positions, limit: self.limits.positions });
                    }
                    self.charge(LOSS)?;
                    self.losses.insert((form, count), loss);
                    found = Some(loss);
                    stack.pop();
                }
            }
        }
        Ok(found.unwrap_or(false))
    }

    /// An option of a reduced sum with new heaps, by number.
    fn option(&mut self, (form, count): (u32, u32), place: usize) -> Result<Option<(u32, u32)>, Error> {
        if self.forms[form as usize].options.is_none() {
            let heaps = self.forms[form as usize].heaps.clone();
            let options = (self.options_of(&heaps)?, self.options_of_new(&heaps)?);
            self.charge(8 * (options.0.len() + options.1.len()) as u64 + 64)?;
            self.forms[form as usize].options = Some(options);
        }
        let Some((old, new)) = &self.forms[form as usize].options else { return Ok(None) };
        Ok(match old.get(place) {
            Some(&option) => Some((option, count)),
            None => new.get(place - old.len()).map(|&option| (option, count - 1)),
        })
    }
}
