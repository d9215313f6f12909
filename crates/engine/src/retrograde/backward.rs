//! The moves of a game sorted by where they lead.
//!
//! One array holds where each move comes from, another where the run of each position ends: 4 bytes a move, 4 a code.

use std::ops::Range;
use std::sync::Mutex;

use crate::crew::share;
use crate::error::Error;
use crate::hints::prefetch;
use crate::memory::{Lease, Memory};
use crate::monitor::Monitor;
use crate::retrograde::buckets::{Buckets, Division, parts};
use crate::retrograde::found::Found;

/// The moves that lead to each position.
pub(crate) struct Backward {
    division: Division,
    /// Where the moves to a bucket begin.
    starts: Vec<usize>,
    /// Where the run of a code ends, counted from the start of the bucket; it begins where that of the code before
    /// ends.
    ends: Vec<u32>,
    /// Where each move comes from, marked if the same player moves on.
    from: Vec<u32>,
    _leases: [Lease; 2],
}

/// Finds the moves to some buckets once more.
type MovesToBuckets<'a> = &'a mut dyn FnMut(Range<usize>, &mut Monitor) -> Result<Vec<Buckets>, Error>;

/// A bucket to be sorted: where its moves go, and where its runs end.
struct Job<'a> {
    bucket: usize,
    from: &'a mut [u32],
    ends: &'a mut [u32],
}

impl Backward {
    /// Turns the moves of `positions` codes below `size` round, bucket by bucket. `moves_to` finds the moves to some
    /// buckets once more, where they were forgotten.
    pub fn of(
        found: &mut [Found],
        division: Division,
        (size, positions): (u64, u64),
        moves_to: MovesToBuckets,
        monitor: &mut Monitor,
    ) -> Result<Backward, Error> {
        let memory = monitor.memory().clone();
        let mut starts = Vec::with_capacity(division.count + 1);
        starts.push(0);
        for bucket in 0..division.count {
            let count = found.iter().map(|found| found.leading(bucket)).sum::<u64>();
            if count > u64::from(u32::MAX) {
                return Err(Error::too_many(positions));
            }
            starts.push(starts[bucket] + count as usize);
        }
        let arrays = |memory: &Memory| -> Result<_, Error> {
            let ends = memory.zeroed(size)?;
            Ok((ends, memory.zeroed(starts[division.count] as u64)?))
        };
        let ((ends, ends_lease), (from, from_lease)) = match arrays(&memory) {
            Ok(arrays) => arrays,
            Err(_) => {
                found.iter_mut().for_each(|found| _ = found.forget());
                arrays(&memory)?
            }
        };
        let mut backward = Backward { division, starts, ends, from, _leases: [ends_lease, from_lease] };
        let kept: Option<Vec<Buckets>> = found.iter_mut().map(Found::take_moves).collect();
        if let Some(kept) = kept {
            backward.place(&kept, 0..division.count, monitor)?;
            return Ok(backward);
        }
        let mut first = 0;
        while first < division.count {
            let next = backward.as_many_as_fit(first, monitor);
            let moves = moves_to(first..next, monitor)?;
            backward.place(&moves, first..next, monitor)?;
            first = next;
        }
        Ok(backward)
    }

    /// As many buckets from `first` on as there is memory for, but at least one.
    fn as_many_as_fit(&self, first: usize, monitor: &Monitor) -> usize {
        let most = (monitor.memory().free() / 16) as usize;
        let fits = |bucket: &usize| self.starts[bucket + 1] - self.starts[first] <= most;
        first + (first..self.division.count).take_while(fits).count().max(1)
    }

    /// Puts the moves of these buckets into their places.
    fn place(&mut self, moves: &[Buckets], buckets: Range<usize>, monitor: &mut Monitor) -> Result<(), Error> {
        let size = self.ends.len();
        let mut jobs = Vec::with_capacity(buckets.len());
        let mut from = &mut self.from[self.starts[buckets.start]..];
        let mut ends = &mut self.ends[self.division.codes(buckets.start, size).start..];
        for bucket in buckets {
            let (own, rest) = from.split_at_mut(self.starts[bucket + 1] - self.starts[bucket]);
            let (own_ends, rest_ends) = ends.split_at_mut(self.division.codes(bucket, size).len());
            (from, ends) = (rest, rest_ends);
            jobs.push(Mutex::new(Job { bucket, from: own, ends: own_ends }));
        }
        let first_code = |bucket: usize| (bucket << self.division.shift) as u32;
        let work = |chunk: usize, _: &mut ()| {
            let mut job = jobs[chunk].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let base = first_code(job.bucket);
            job.sort(moves, base);
            Ok(())
        };
        let mut states = vec![(); moves.len()];
        share(&mut states, jobs.len(), monitor, &|| (0, 0), &work)
    }

    #[inline(always)]
    fn run(&self, position: u32) -> Range<usize> {
        let start = self.starts[self.division.bucket(position)];
        let first = position & ((1 << self.division.shift) - 1) == 0;
        let begin = if first { 0 } else { self.ends[position as usize - 1] };
        start + begin as usize..start + self.ends[position as usize] as usize
    }

    /// Where the moves that lead to a position come from, marked if the same player moves on.
    #[inline(always)]
    pub fn leading_to(&self, position: u32) -> &[u32] {
        &self.from[self.run(position)]
    }

    /// Asks for what [`Backward::leading_to`] will read first.
    #[inline(always)]
    pub fn prefetch_ends(&self, position: u32) {
        prefetch(&self.ends, position as usize);
    }

    /// Asks for the moves that lead to a position.
    #[inline(always)]
    pub fn prefetch_moves(&self, position: u32) {
        prefetch(&self.from, self.run(position).start);
    }
}

impl Job<'_> {
    /// By counting: how many moves lead to each code, where its run begins, then one by one.
    fn sort(&mut self, moves: &[Buckets], base: u32) {
        let Job { bucket, from, ends } = self;
        let blocks = || moves.iter().flat_map(|moves| moves.blocks(*bucket));
        for block in blocks() {
            for &mv in block {
                ends[(parts(mv).0 - base) as usize] += 1;
            }
        }
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += std::mem::replace(end, sum);
        }
        for block in blocks() {
            for &mv in block {
                let (to, origin) = parts(mv);
                let end = &mut ends[(to - base) as usize];
                from[*end as usize] = origin;
                *end += 1;
            }
        }
    }
}
