//! Retrograde analysis without stored moves: compiled code finds the positions before a position from the rules.
//!
//! The same values as [`super::dense_retrograde`] finds. All codes that are positions are valued, whether they can be reached
//! or not: to find those that can be would cost more than to value the rest. For 5000 positions, the whole takes less time
//! than storing their moves. It pays where most codes are positions that can be reached, and is cheap where codes are few.
//!
//! One thread: what is left to do is mostly waiting for memory, and the small games for which this is the difference are
//! over before another thread is awake.

use jit::reverse::{Analysis, Retrograde};

use crate::codes::error::CodeError;
use crate::codes::kind::Reading;
use crate::codes::store::zeroed;
use crate::codes::table::CodeTable;
use crate::error::SolveError;
use crate::monitor::Monitor;
use crate::retrograde::Forever;

/// Codes worked on between two looks at the limits.
const STRETCH: u64 = 1 << 16;

/// Values all positions by outcome and remoteness. Not applicable where play without end is won by a player, or where there
/// are declared draws: [`super::dense_retrograde`] does these.
pub fn implicit_retrograde(code: &Retrograde, forever: Forever, monitor: &mut Monitor) -> Result<CodeTable, CodeError> {
    if forever != Forever::Draw {
        let why = "play without end is won by a player: that needs stored moves".to_string();
        return Err(SolveError::NotApplicable(why).into());
    }
    monitor.enter("counting options");
    let [cells, counters, queue, scratch] = code.needs();
    let memory = monitor.memory();
    let ((cells, lease), (counters, _counted)) = (zeroed(cells, memory)?, zeroed(counters, memory)?);
    let ((queue, _queued), (scratch, _scratch)) = (zeroed(queue, memory)?, zeroed(scratch, memory)?);
    let Some(mut analysis) = Analysis::new(code, [cells, counters, queue, scratch]) else {
        return Err(CodeError::internal("the analysis was given too little memory".to_string()));
    };
    while analysis.prepare(STRETCH) {
        monitor.tick(code.size(), 0)?;
    }
    if analysis.draws() > 0 {
        return Err(SolveError::NotApplicable("there are declared draws: these need stored moves".to_string()).into());
    }
    monitor.enter("retrograde analysis");
    while analysis.carry(STRETCH) {
        monitor.tick(code.size(), analysis.settled())?;
    }
    let (cells, positions) = analysis.finish();
    Ok(CodeTable::new(Box::new(cells), Reading::Outcome(32), positions, vec![lease], None))
}
