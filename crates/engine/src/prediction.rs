//! What was predicted of a run, and when the run is so far from it that another method is taken.

/// No run is given up for another one before it took so many seconds.
const MOST_IMPATIENT: f64 = 0.05;
/// Nor for what was counted, before that is believed to take so many seconds: less is hardly noticed.
const NOTICED: f64 = 0.25;
/// What a position takes is believed to be what was predicted, unless the clock shows so many times as much. So a run is given up for
/// what was counted, and a busy machine comes to the same end as a calm one.
const BELIEVED: f64 = 4.0;
/// Nor for one that tells less, before it is seen to take so many seconds.
const LONG: f64 = 2.0;
/// No run is late before it took this share of what is left of the time.
const EARLY: f64 = 0.1;
/// A run is late if the rest would take so many times what is left of the time.
const LATE: f64 = 1.3;

/// What was predicted of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prediction {
    /// About how many positions are met.
    pub positions: Option<u64>,
    /// Seconds of the run.
    pub own: Option<f64>,
    /// Seconds of another method that would be taken instead.
    pub rival: Option<f64>,
    /// Seconds of a method that tells less: it is taken where this one would not be done in time, or takes far longer than was
    /// thought.
    pub resort: Option<f64>,
}

impl Prediction {
    /// Seconds that so many positions of about `total` take at the pace that was predicted; what they took, where that is far more or
    /// nothing was predicted.
    pub(crate) fn believed(&self, taken: f64, settled: u64, total: u64) -> f64 {
        let predicted = self.own.map_or(0.0, |own| own * settled as f64 / total.max(1) as f64);
        if taken > BELIEVED * predicted { taken } else { predicted }
    }

    /// Seconds that the rest of a phase takes at the pace so far, once that can be told.
    fn rest(taken: f64, settled: u64, total: u64) -> Option<f64> {
        (settled > total / 64).then(|| taken / settled as f64 * total.saturating_sub(settled) as f64)
    }

    /// Whether a phase that has taken so many seconds for `settled` of about `total` positions would not be done in the time
    /// that is left, so that a method is taken that tells less.
    pub(crate) fn is_late(&self, taken: f64, settled: u64, total: u64, left: f64) -> bool {
        // What a moment took on a busy machine tells nothing.
        let Some(resort) = self.resort.filter(|_| taken > MOST_IMPATIENT.max(EARLY * left)) else { return false };
        match Self::rest(taken, settled, total) {
            Some(rest) if settled < total => rest > LATE * left,
            // Nobody knows how long it takes; half of the time is for it.
            _ => taken > left && resort < left,
        }
    }

    /// Whether such a phase takes so much longer than was thought that a method is taken that tells less.
    pub(crate) fn is_far_off(&self, taken: f64, settled: u64, total: u64) -> bool {
        let (Some(own), Some(resort)) = (self.own, self.resort) else { return false };
        let all = taken + Self::rest(taken, settled, total).unwrap_or(0.0);
        // The other one is dearer too where there are more positions than were thought.
        let resort = resort * (settled as f64 / total.max(1) as f64).max(1.0);
        taken > NOTICED && all > LONG && all > 4.0 * own && all > 4.0 * resort
    }

    /// Whether a phase that has taken so many seconds for `settled` of about `total` positions is given up.
    pub(crate) fn is_lost(&self, taken: f64, settled: u64, total: u64) -> bool {
        let (Some(own), Some(rival)) = (self.own, self.rival) else { return false };
        if taken < NOTICED.max(0.1 * rival) {
            return false;
        }
        match settled < total {
            // Early positions may be dearer than late ones, and what was done is lost.
            true => settled > total / 64 && taken / settled as f64 * (total - settled) as f64 > 3.0 * rival,
            // There are more than was thought, and nobody knows how many; but time was predicted on a machine with less to do.
            false => taken > 4.0 * own && taken > 2.0 * rival,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_would_be_late_is_given_up_for_one_that_tells_less() {
        let prediction = Prediction { own: Some(8.0), resort: Some(1.0), ..Prediction::default() };
        // A tenth in two seconds: the rest takes 18.
        assert!(prediction.is_late(2.0, 10, 100, 10.0) && !prediction.is_late(2.0, 10, 100, 17.0));
        // More positions than were thought: half of the time is over, and the other one would still be done.
        assert!(prediction.is_late(6.0, 101, 100, 5.0) && !prediction.is_late(6.0, 101, 100, 0.5));
        assert!(!prediction.is_late(0.3, 2, 100, 8.0) && prediction.is_late(0.9, 2, 100, 8.0));
        assert!(prediction.is_far_off(5.0, 10, 100) && !prediction.is_far_off(3.0, 10, 100));
        let alone = Prediction { own: Some(8.0), ..Prediction::default() };
        assert!(!alone.is_late(2.0, 10, 100, 10.0) && !alone.is_far_off(500.0, 10, 100));
    }
}
