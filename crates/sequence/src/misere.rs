//! A heap game under misère play, where who takes the last loses: genus symbols and the misère quotient.

use heaps::misere::{HeapRules, Limits, Quotient, Sums};
use heaps::{HeapSequence, Period};

use super::source::Source;
use engine::monitor::Monitor;
use solve::error::SolveError;

use solve::stopping::charged;

/// Positions that genus symbols may look at: a second or two.
const GENUS_POSITIONS: usize = 30_000;

/// What is known of the heaps up to one of them under misère play.
#[derive(Clone, Debug, Default)]
pub struct Misere {
    /// The genus symbols of the heaps 0, 1, …, as far as the limits allow.
    pub genus: Vec<String>,
    /// The quotient of the game cut after so many heaps, or of all heaps where there is a period.
    pub quotient: Option<Found>,
    /// Which limit ended the genus symbols, and the quotient, early.
    pub stopped: [Option<String>; 2],
}

/// A misère quotient.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many elements it has.
    pub order: usize,
    /// How many of them are lost by the player to move.
    pub lost: usize,
    /// Generators, relations and the elements that are lost; only the elements, where there is no generator.
    pub presentation: String,
    /// The heaps that are the generators, in order.
    pub generators: Vec<u32>,
    /// The elements of the heaps 0, 1, …
    pub elements: Vec<String>,
    /// The largest heap taken in.
    pub largest: u32,
    /// From where on the elements of the heaps repeat, which is proved for all heaps.
    pub period: Option<Period>,
}

impl Misere {
    /// The heaps up to `upto`; `None` if the source is no heap game.
    pub fn of(source: &Source, upto: u32, monitor: &mut Monitor) -> Result<Option<Misere>, SolveError> {
        Ok(Some(match source {
            Source::Heaps(HeapSequence::Break(sequence)) => heaps(sequence.game(), upto, monitor)?,
            Source::Heaps(HeapSequence::Shift(nimbers)) => heaps(nimbers.game(), upto, monitor)?,
            Source::Heaps(HeapSequence::Misere(game, _)) => heaps(&**game, upto, monitor)?,
            Source::Instances(_) => return Ok(None),
        }))
    }
}

fn heaps<R: HeapRules + Clone>(game: &R, upto: u32, monitor: &mut Monitor) -> Result<Misere, SolveError> {
    let mut found = Misere::default();
    let mut lease = monitor.memory().lease();
    monitor.enter("misère quotient");
    let mut quotient = Quotient::new(game.clone(), Limits::default());
    while quotient.period().is_none() && quotient.largest() < upto {
        let known = quotient.largest();
        monitor.look(upto.into(), known.into())?;
        let extend = |go_on: &mut dyn FnMut(u64) -> bool| quotient.extend_while(known + 1, go_on);
        let taken = charged(monitor, upto.into(), known.into(), &mut lease, extend)?;
        if let Err(error) = taken {
            found.stopped[1] = Some(error.to_string());
            break;
        }
    }
    if quotient.largest() > 0 || upto == 0 {
        found.quotient = Some(of_quotient(&quotient, upto));
    }
    monitor.enter("genus symbols");
    let mut sums = Sums::new(game.clone(), Limits { positions: GENUS_POSITIONS, ..Limits::default() });
    for heap in 0..=upto {
        monitor.look(upto.into(), heap.into())?;
        let symbol = |go_on: &mut dyn FnMut(u64) -> bool| sums.heap_symbol_while(heap, go_on);
        match charged(monitor, upto.into(), heap.into(), &mut lease, symbol)? {
            Ok(symbol) => found.genus.push(symbol),
            Err(error) => {
                found.stopped[0] = Some(error.to_string());
                break;
            }
        }
    }
    Ok(found)
}

fn of_quotient<R: HeapRules>(quotient: &Quotient<R>, upto: u32) -> Found {
    let presentation = quotient.presentation();
    let word = |heap: u32| {
        let element = quotient.element(heap.into())?;
        let mut normal = quotient.normal_form(element).to_vec();
        normal.reverse();
        Some(presentation.word(&normal).to_string())
    };
    Found {
        order: quotient.order(),
        lost: quotient.p_types(),
        generators: presentation.generators.clone(),
        elements: (0..=upto).map_while(word).collect(),
        presentation: match presentation.generators.is_empty() {
            // No heap has a move.
            true => "{1}, P = {}".to_string(),
            false => presentation.to_string(),
        },
        largest: quotient.largest(),
        period: quotient.period(),
    }
}
