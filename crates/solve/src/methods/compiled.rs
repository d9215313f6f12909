//! What the methods on compiled rules share: what a table of all codes would take, and the loop nests that fill one.

use std::cell::OnceCell;
use std::sync::Arc;

use engine::Error;
use engine::memory::{Lease, Memory};
use engine::monitor::Monitor;
use formula::TurnPlace;
use formula::extremes::{has_draws, max_options};
use formula::study::Study;
use game::{Nimber, Outcome, Remoteness};
use jit::{Filler, Halt, Outline, Values};
use memmap2::{MmapMut, MmapOptions};
use rules::bind::Position;

use crate::case::{Case, Kind};
use crate::error::Reason;
use crate::methods::{Cost, GivenUp};
use crate::options::{Detail, Options};
use positions::coding::{Coding, dense_places};
use positions::compiled::Codec;
use positions::cost;
use positions::error::Stuck;
use positions::names::cell_name;

/// No table is made larger than this, whatever the limit.
const MOST_BYTES: u64 = 1 << 38;
/// Searches and retrograde analysis index no table of more codes: few of so many are met, and hashing these is quicker than
/// touching the table.
pub(super) const MOST_SEARCHED: u64 = 1 << 26;

/// Whether a table of so many bytes may be made. Where the method is asked for, it is tried: then the limit is told as a limit.
pub(super) fn affords(case: &Case<'_>, bytes: u64) -> bool {
    case.options.method.is_some() || bytes <= case.memory.min(MOST_BYTES)
}

/// The values of a loop nest and their bytes, or why there is none.
pub(super) fn nest_values(
    case: &Case<'_>,
    study: &Study,
    places: u64,
) -> Result<(Values, Option<Values>, u64), String> {
    let order = study.order.as_ref().map_err(Clone::clone)?;
    let (values, more) = match case.facts.kind {
        _ if case.facts.sum.holds => (nimber_values(study)?, None),
        Kind::Score => (score_values(study), None),
        _ if case.options.detail == Detail::Outcome => {
            (if has_draws(&study.formulas) { Values::Outcome } else { Values::Win }, None)
        }
        _ => {
            let longest = order.longest.ok_or("no bound on the length of a play is known")?;
            let width = match longest {
                0..=62 => 1,
                63..=16_382 => 2,
                16_383..=1_073_741_822 => 4,
                _ => return Err("plays may be too long to count their moves".to_string()),
            };
            let nimbers = wants_nimbers(&case.options, case.facts.nimbers).then(|| nimber_values(study)).transpose()?;
            (Values::Remoteness { width }, nimbers)
        }
    };
    // Vectors may read a little past the last entry.
    let bytes_for = |values: Values| places.saturating_mul(values.width() as u64).saturating_add(8);
    let bytes = bytes_for(values).saturating_add(more.map_or(0, bytes_for));
    match affords(case, bytes) {
        true => Ok((values, more, bytes)),
        false => Err(format!("a table of {places} places would take {bytes} bytes")),
    }
}

/// Whether Grundy numbers are worked out, where the game has them.
pub(super) fn wants_nimbers(options: &Options, nimbers: bool) -> bool {
    nimbers && options.detail == Detail::Full
}

fn nimber_values(study: &Study) -> Result<Values, String> {
    let width = match max_options(&study.formulas) {
        0..=255 => 1,
        256..=65_535 => 2,
        65_536..=0xffff_fffe => 4,
        _ => return Err("no bound on the number of moves is known".to_string()),
    };
    Ok(Values::Nimber { width })
}

fn score_values(study: &Study) -> Values {
    let bound = study.score_bound.map(i64::unsigned_abs);
    let width = match bound {
        Some(0..=126) => 1,
        Some(127..=32_766) => 2,
        Some(32_767..=2_147_483_646) => 4,
        _ => 8,
    };
    Values::Score { width, checked: bound.is_none_or(|bound| bound >= i64::MAX as u64) }
}

/// What a loop nest would fill.
pub(super) struct Filling {
    pub study: Arc<Study>,
    pub values: Values,
    pub more: Option<Values>,
    pub bytes: u64,
}

/// The study, values and bytes of a table that a loop nest can fill, or why there is none.
pub(super) fn filling(case: &Case<'_>, study: Arc<Study>) -> Result<Filling, String> {
    if let Some(skewed) = &study.skewed
        && let Some(numbering) = skewed.numbering(true, TurnPlace::First)
        && let Ok((values, more, bytes)) = nest_values(case, skewed, numbering.size)
    {
        return Ok(Filling { study: Arc::new((**skewed).clone()), values, more, bytes });
    }
    let places = dense_places(&study).ok_or("no loop nest: too many codes for a dense table")?;
    let found = nest_values(case, &study, places).map_err(|why| format!("no loop nest: {}", case.named(&why)));
    let (values, more, bytes) = found?;
    Ok(Filling { study, values, more, bytes })
}

/// What filling the tables of a case takes.
pub(super) fn nest_cost(
    case: &Case<'_>,
    coding: &Coding<'_>,
    values: Values,
    more: Option<Values>,
    bytes: u64,
) -> Cost {
    let mut code = 0;
    let seconds = [Some(values), more].into_iter().flatten().map(|values| {
        let outline = outline(case, coding, values).ok()?;
        code = code.max(cost::code_bytes(&coding.weight, values, outline));
        Some(cost::fill(&coding.weight, coding.places, values, outline, case.options.threads()))
    });
    let seconds = seconds.sum();
    // Code is made before the table.
    let bytes = Some(bytes.max(code));
    let places = Some(coding.places);
    Cost { positions: places, codes: places, bytes, seconds, ..Cost::default() }
}

/// What the loop nest for a table would look like, or why none would be made.
fn outline(case: &Case<'_>, coding: &Coding<'_>, values: Values) -> Result<Outline, String> {
    let known = &case.proved_once.outlines;
    if let Some((_, outline)) = known.borrow().iter().find(|(known, _)| *known == values) {
        return outline.clone();
    }
    let order = coding.study.order.as_ref().map_err(Clone::clone)?;
    let outline = Filler::outline(coding.codec.coded(), order, values).map_err(|error| error.to_string());
    known.borrow_mut().push((values, outline.clone()));
    outline
}

/// Why no loop nest fills a table.
pub(super) fn no_filling(case: &Case<'_>, study: Arc<Study>) -> Option<String> {
    filling(case, study).err()
}

/// A loop nest for each table, compiled once.
pub(super) struct Nests {
    pub values: Values,
    pub more: Option<Values>,
    pub code: OnceCell<Vec<(Filler, Values)>>,
}

impl Nests {
    /// The code.
    pub fn compiled(&self, coding: &Coding<'_>) -> Result<&[(Filler, Values)], GivenUp> {
        if let Some(code) = self.code.get() {
            return Ok(code);
        }
        let no = |why: String| GivenUp::Because(Reason::Code(why));
        let order = coding.study.order.as_ref().map_err(|why| no(why.clone()))?;
        let nest = |values| Filler::compile(coding.codec.coded(), order, values).map(|filler| (filler, values));
        let nests: Result<Vec<_>, _> = [Some(self.values), self.more].into_iter().flatten().map(nest).collect();
        let nests = nests.map_err(Stuck::uncompiled)?;
        Ok(self.code.get_or_init(|| nests))
    }

    /// The filled tables.
    pub fn fill(&self, coding: &Coding<'_>, threads: usize, monitor: &mut Monitor) -> Result<Vec<Filled>, GivenUp> {
        monitor.enter("compiling");
        let nests = self.compiled(coding)?;
        let mut tables = Vec::with_capacity(nests.len());
        for (filler, values) in nests {
            monitor.enter_expecting("loop nest", coding.places);
            let filled = Filled::fill(filler, *values, coding.places, threads, monitor);
            tables.push(filled.map_err(|unfilled| match unfilled {
                Unfilled::Stopped(error) => error.into(),
                // Somewhere the rules go wrong: only what can be reached counts.
                Unfilled::Fault => GivenUp::Because(Reason::Unreached),
            })?);
        }
        Ok(tables)
    }

    /// What the code looks like, in words.
    pub fn describe(&self, coding: &Coding<'_>) -> String {
        let first = self.code.get().and_then(|nests| nests.first());
        first.map(|(filler, _)| filler.describe_with(&|cell| cell_name(coding.bound, cell))).unwrap_or_default()
    }
}

/// How often a code is drawn until one is met that can be reached.
const MOST_TRIES: usize = 100_000;

/// The position of a random code.
pub(super) fn random_position(codec: &Codec, random: &mut dyn FnMut() -> u64) -> Option<Position> {
    (0..MOST_TRIES).find_map(|_| {
        let code = (u128::from(random()) * u128::from(codec.coded().numbering.size)) >> 64;
        codec.position(code as u64)
    })
}

/// A limit with what was valued by then, and not with all that there is.
fn after_valuing(positions: u64, error: Error) -> Error {
    match error {
        Error::Limit { limit, .. } => Error::Limit { limit, positions },
        Error::Interrupted { .. } => Error::Interrupted { positions },
        Error::Dear { .. } => Error::Dear { positions },
        error => error,
    }
}

/// A filled table.
#[derive(Debug)]
pub(super) struct Filled {
    values: Values,
    bytes: MmapMut,
    _lease: Lease,
}

/// Tables of at least so many bytes ask for large pages: what a fill of a large table costs is mostly the first touch of each
/// page, and large ones are touched 512 times less often.
const LARGE: usize = 4 << 20;

/// Why a table was not filled.
#[derive(Debug)]
pub(super) enum Unfilled {
    /// The rules go wrong at this code, which play may never reach.
    Fault,
    /// A limit or a stop.
    Stopped(Error),
}

impl Filled {
    /// Fills a table, in slices, so that limits and a stop are seen.
    pub fn fill(
        filler: &Filler,
        values: Values,
        places: u64,
        threads: usize,
        monitor: &mut Monitor,
    ) -> Result<Filled, Unfilled> {
        let mut filled = Filled::empty(values, filler.bytes(), monitor.memory()).map_err(Unfilled::Stopped)?;
        let mut stopped = None;
        let bytes = filler.bytes();
        let result =
            filler.run(&mut filled.bytes[..bytes], threads, &mut |done| match monitor.look(places, done.min(places)) {
                Ok(()) => true,
                Err(error) => {
                    stopped = Some(after_valuing(done.min(places), error));
                    false
                }
            });
        match (result, stopped) {
            (_, Some(error)) => Err(Unfilled::Stopped(error)),
            (Err(Halt::Fault(_)), _) => Err(Unfilled::Fault),
            (Err(Halt::Stopped), None) => Err(Unfilled::Stopped(Error::Internal("a fill stopped".to_string()))),
            (Ok(()), None) => Ok(filled),
        }
    }

    fn empty(values: Values, bytes: usize, memory: &Memory) -> Result<Filled, Error> {
        let mut lease = memory.lease();
        lease.grow(bytes as u64)?;
        let mapped = MmapOptions::new().len(bytes.max(1)).map_anon();
        let mapped = mapped.map_err(|_| memory.exceeded(memory.used()))?;
        #[cfg(target_os = "linux")]
        if bytes >= LARGE {
            // Only a wish: where the system has no large pages, small ones do.
            let _ = mapped.advise(memmap2::Advice::HugePage);
        }
        Ok(Filled { values, bytes: mapped, _lease: lease })
    }

    /// Won, drawn or lost, with remoteness where the table has it.
    pub fn outcome(&self, code: u64) -> Option<(Outcome, Remoteness)> {
        self.values.outcome(self.values.read(&self.bytes, code)?)
    }

    /// The mover's score.
    pub fn score(&self, code: u64) -> Option<i64> {
        self.values.score(self.values.read(&self.bytes, code)?)
    }

    /// The Grundy number.
    pub fn nimber(&self, code: u64) -> Option<Nimber> {
        self.values.nimber(self.values.read(&self.bytes, code)?)
    }
}
