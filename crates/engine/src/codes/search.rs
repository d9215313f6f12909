//! Memoised search: every position of a game without cycles is valued after all its options, and expanded once.
//!
//! Depth-first with a stack of its own. The table is indexed by the code where the codes are few enough, else it is a
//! hash table; either way the cell says whether a position was met, so there is no visited set. The cells of all
//! options are asked for before the first is looked at. An option is looked up once: if it has a value, that is folded
//! into the position's; if not, the options not looked at yet wait on the stack and the option's value comes back
//! without a look-up. Options are taken from the last to the first, for rules mostly count up, so that the last option
//! is the one nearest to the end and little waits. Filling a table in the order of a measure is many times as fast, and
//! is done instead where a measure is known and the codes are few enough.

use game::codes::{Expanded, Options};

use crate::codes::cell::{NEW, OPEN};
use crate::codes::frames::{Frames, SAME, Tail};
use crate::codes::hashed::Hashed;
use crate::codes::kind::{Rule, with_hashed_rule, with_rule};
use crate::codes::line::{InLines, Line};
use crate::codes::paged::Paged;
use crate::codes::source::Codes;
use crate::codes::store::{Cells, GROUP, Store};
use crate::codes::table::CodeTable;
use crate::error::Error;
use crate::monitor::Monitor;

/// Values all positions that can be reached from the roots, in a table of `size` cells: all codes are below `size`.
///
/// Positions that repeat are an error that names the codes of a cycle.
pub fn dense_search(codes: &Codes, size: u64, monitor: &mut Monitor) -> Result<CodeTable, Error> {
    with_rule!(codes.kind, Chosen => {
        let (values, lease) = monitor.memory().zeroed::<<Chosen as Rule>::Cell>(size)?;
        let (values, settled) = search::<Chosen, Vec<_>>(codes, values, monitor)?;
        Ok(CodeTable::new(Box::new(values), Chosen::READING, settled, vec![lease], codes.canonical.clone()))
    })
}

/// Values all positions that can be reached from the roots, in a hash table: for codes that are too many to index a table.
///
/// The table is begun with entries that many neighbouring codes share. Where about half of them are met after a while, it is
/// begun again with whole pages of codes; where few of them are, with entries for few, and then with an entry a code.
pub fn hashed_search(codes: &Codes, monitor: &mut Monitor) -> Result<CodeTable, Error> {
    with_hashed_rule!(codes.kind, Chosen => {
        type Cell = <Chosen as Rule>::Cell;
        let blocks = Hashed::<<Cell as InLines>::Block>::new(monitor.memory())?.unless_pages();
        let mut tried = search_in::<Chosen, _>(codes, blocks, monitor)?;
        if tried.as_ref().is_err_and(Hashed::is_left_for_pages) {
            drop(tried);
            if let Ok(table) = search_in::<Chosen, _>(codes, Paged::<Cell>::new(codes.size, monitor.memory())?, monitor)? {
                return Ok(table);
            }
            tried = search_lines::<Chosen, <Cell as InLines>::Block>(codes, monitor)?;
        }
        if let Ok(table) = tried {
            return Ok(table);
        }
        drop(tried);
        let found = match codes.have_short_keys() {
            true => search_lines::<Chosen, <Cell as InLines>::ShortShared>(codes, monitor)?.ok(),
            false => search_lines::<Chosen, <Cell as InLines>::Shared>(codes, monitor)?.ok(),
        };
        if let Some(table) = found {
            return Ok(table);
        }
        let found = match codes.have_short_keys() {
            true => search_lines::<Chosen, <Cell as InLines>::Short>(codes, monitor)?.ok(),
            false => search_lines::<Chosen, <Cell as InLines>::Plain>(codes, monitor)?.ok(),
        };
        found.ok_or_else(|| Error::internal("no form of lines was good enough".to_string()))
    })
}

/// What came of a form of table: all values, or the table that was given up.
type Tried<S> = Result<CodeTable, S>;

/// Values what can be reached in a hash table with lines of one form.
fn search_lines<R: Rule, L: Line>(codes: &Codes, monitor: &mut Monitor) -> Result<Tried<Hashed<L>>, Error> {
    search_in::<R, _>(codes, Hashed::<L>::new(monitor.memory())?, monitor)
}

/// Values what can be reached in a store, unless it shows that another form takes less.
fn search_in<R: Rule, S: Store + Cells + 'static>(
    codes: &Codes,
    store: S,
    monitor: &mut Monitor,
) -> Result<Tried<S>, Error> {
    let (store, settled) = search::<R, _>(codes, store, monitor)?;
    if store.is_given_up(settled) {
        return Ok(Err(store));
    }
    Ok(Ok(CodeTable::new(Box::new(store), R::READING, settled, Vec::new(), codes.canonical.clone())))
}

/// Values what can be reached; also returns how many positions have a value.
fn search<R: Rule, S: Store>(codes: &Codes, store: S, monitor: &mut Monitor) -> Result<(S, u64), Error> {
    monitor.enter_search("memoised search");
    let mut walk = Walk::<R, S> {
        codes,
        store,
        frames: Frames::new(monitor.memory(), R::SCORED),
        options: Options::default(),
        met: 0,
        settled: 0,
        rule: std::marker::PhantomData,
    };
    for &root in codes.roots {
        match walk.from(codes.canonical(root), monitor) {
            Err(_) if walk.store.is_given_up(walk.settled) => break,
            Err(error) => return Err(error.after(walk.met)),
            Ok(()) => {}
        }
    }
    Ok((walk.store, walk.settled))
}

/// Folds of so many words need no memory of their own.
const FEW: usize = 4;

/// What comes after a position was looked at.
enum Next {
    /// It has this cell now.
    Valued(u64),
    /// First this option is to be valued.
    Enter(u64),
}

struct Walk<'c, 'g, R, S> {
    codes: &'c Codes<'g>,
    store: S,
    frames: Frames,
    options: Options,
    met: u64,
    settled: u64,
    rule: std::marker::PhantomData<R>,
}

impl<R: Rule, S: Store> Walk<'_, '_, R, S> {
    fn from(&mut self, root: u64, monitor: &mut Monitor) -> Result<(), Error> {
        if self.store.cell(root, self.store.place(root))? != NEW {
            return Ok(());
        }
        let mut next = self.enter(root, monitor)?;
        loop {
            next = match next {
                Next::Enter(option) => self.enter(option, monitor)?,
                Next::Valued(cell) => match self.frames.tail() {
                    Some(tail) => self.resume(tail, cell)?,
                    None => return Ok(()),
                },
            }
        }
    }

    /// Expands a new position and takes in options, the last first, up to one that was not met.
    fn enter(&mut self, code: u64, monitor: &mut Monitor) -> Result<Next, Error> {
        monitor.tick(self.met, self.settled)?;
        self.met += 1;
        match self.codes.game.expand(code, &mut self.options) {
            Expanded::Options => {}
            Expanded::End => {
                let gain = self.options.gains.first().copied().unwrap_or(0);
                let cell = R::end(gain).map_err(|error| error.at(code, self.met))?;
                return self.settle(code, cell);
            }
            Expanded::Fault => return Err(Error::Fault(code)),
        }
        self.codes.canonical_options(&mut self.options);
        let count = self.options.codes.len();
        let words = R::words(count);
        let mut few = [0; FEW];
        let mut many = if words > FEW { vec![0; words] } else { Vec::new() };
        let fold = if words > FEW { many.as_mut_slice() } else { &mut few[..words] };
        let Options { codes, same, gains } = &self.options;
        let mut cells = [0; GROUP];
        let mut first = count;
        while first > 0 {
            let last = first;
            first = first.saturating_sub(GROUP);
            let cells = &mut cells[..last - first];
            self.store.cells(&codes[first..last], cells)?;
            let unvalued = cells.iter().rposition(|&cell| !R::is_settled(cell));
            let valued = unvalued.map_or(0, |index| index + 1);
            let gains = if R::SCORED { &gains[first + valued..last] } else { &[] };
            R::fold_all(fold, &cells[valued..], &same[first + valued..last], gains)
                .map_err(|error| error.at(code, self.met))?;
            if let Some(index) = unvalued {
                let (option, cell) = (codes[first + index], cells[index]);
                self.store.put(code, OPEN)?;
                self.frames.push(code, fold, &self.options, first + index + 1)?;
                return self.next(option, cell, code);
            }
        }
        let cell = R::finish(fold).map_err(|error| error.at(code, self.met))?;
        self.settle(code, cell)
    }

    /// The last pending option of the topmost position was valued: takes it in, and the options before it, up to one
    /// that was not met.
    fn resume(&mut self, tail: Tail, cell: u64) -> Result<Next, Error> {
        let step = if R::SCORED { 2 } else { 1 };
        let met = self.met;
        let (fold, pending) = self.frames.parts(tail);
        let mut cell = cell;
        for left in (0..tail.pending).rev() {
            let option = pending[left * step];
            let gain = if R::SCORED { pending[left * step + 1] as i64 } else { 0 };
            if left + 1 < tail.pending {
                let code = option & !SAME;
                cell = self.store.cell(code, self.store.place(code))?;
                if !R::is_settled(cell) {
                    self.frames.keep(tail, left + 1);
                    return self.next(code, cell, tail.code);
                }
            }
            R::fold(fold, cell, option & SAME != 0, gain).map_err(|error| error.at(tail.code, met))?;
        }
        let cell = R::finish(fold).map_err(|error| error.at(tail.code, met))?;
        let start = self.frames.start_of(tail);
        self.frames.drop_from(start);
        self.settle(tail.code, cell)
    }

    /// What to do with an option that has no value: it is new, or it waits on the stack for what it leads to.
    #[inline(always)]
    fn next(&self, option: u64, cell: u64, from: u64) -> Result<Next, Error> {
        // The position itself was marked after its options were looked up.
        if cell == NEW && option != from {
            return Ok(Next::Enter(option));
        }
        Err(Error::Cycle(self.frames.path_from(option)))
    }

    #[inline(always)]
    fn settle(&mut self, code: u64, cell: u64) -> Result<Next, Error> {
        self.settled += 1;
        self.store.put(code, cell)?;
        if self.settled & (self.settled - 1) == 0 && self.store.is_given_up(self.settled) {
            return Err(Error::internal("the table is of the wrong form".to_string()));
        }
        Ok(Next::Valued(cell))
    }
}
