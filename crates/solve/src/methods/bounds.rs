//! The values of a game that goes forward by bounds that grow, in as much memory as there is.
//!
//! Where not all of them can be kept, the bounds are cut into bands. The band of the start is kept; of the others one at a
//! time, which is computed when it is asked for. A line of play goes through them once, for bounds never fall.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use engine::monitor::Monitor;
use rows::ahead::{AheadError, DoublingValues};
use shapes::forward::{ForwardGame, Reach, bands};

/// The values of all places with all bounds.
#[derive(Debug)]
pub(super) struct Bounds {
    bands: Vec<Range<usize>>,
    /// The first band.
    kept: DoublingValues,
    /// Another band, by its number.
    beside: Mutex<Option<(usize, DoublingValues)>>,
    stops: Stops,
}

/// When to stop computing: when the person says so, or when the time is over.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    cancel: Arc<AtomicBool>,
    until: Option<Instant>,
}

impl Stops {
    /// As a monitor has it.
    pub(super) fn of(monitor: &Monitor) -> Stops {
        let until = monitor.time_left().and_then(|left| Instant::now().checked_add(left));
        Stops { cancel: monitor.cancel().clone(), until }
    }

    fn not_yet(&self) -> bool {
        !self.cancel.load(Ordering::Relaxed) && self.until.is_none_or(|until| Instant::now() < until)
    }
}

impl Bounds {
    /// Values the first band.
    pub(super) fn new(
        game: &ForwardGame,
        memory: u64,
        stops: Stops,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Option<Result<Bounds, AheadError>> {
        game.doubling().map(|doubling| {
            let doubling = doubling?;
            let bands = bands(&doubling, memory).ok_or_else(|| AheadError::Memory { bytes: doubling.bytes() })?;
            let kept = doubling.solve_band(&bands[0], keep_going)?;
            Ok(Bounds { bands, kept, beside: Mutex::new(None), stops })
        })
    }

    /// Whether the values of a bound are kept.
    pub(super) fn keeps(&self, bound: usize) -> bool {
        !self.bands[1..].iter().any(|band| band.contains(&bound))
    }

    /// The value of a place with a bound; `None` if play does not reach it, or if there is no time to compute it.
    pub(super) fn value(&self, game: &ForwardGame, position: (usize, usize)) -> Option<i64> {
        let Reach::Doubling { limits, .. } = &game.reach else { return None };
        let found = self.kept.value(limits, &game.arrive, position);
        let band = self.bands[1..].iter().position(|band| band.contains(&position.1));
        let (None, Some(band)) = (found, band) else { return found };
        let mut beside = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        if beside.as_ref().is_none_or(|(number, _)| *number != band) {
            *beside = None;
            let doubling = game.doubling()?.ok()?;
            let values = doubling.solve_band(&self.bands[band + 1], &mut || self.stops.not_yet()).ok()?;
            *beside = Some((band, values));
        }
        beside.as_ref().and_then(|(_, values)| values.value(limits, &game.arrive, position))
    }
}
