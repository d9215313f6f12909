//! What the methods on compiled rules share: what a table of all codes would take.

use formula::extremes::{has_draws, max_options};
use formula::study::Study;
use jit::Values;

use crate::case::{Case, Kind};
use crate::options::{Detail, Options};

/// No table is made larger than this, whatever the limit.
const MOST_BYTES: u64 = 1 << 38;
/// Searches and retrograde analysis index no table of more codes: few of so many are met, and hashing these is quicker than
/// touching the table.
pub(super) const MOST_SEARCHED: u64 = 1 << 26;

/// Whether a table of so many bytes may be made.
pub(super) fn affords(case: &Case<'_>, bytes: u64) -> bool {
    bytes <= case.memory.min(MOST_BYTES)
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
