//! The processor time of this process.
//!
//! Not the clock on the wall: the benchmark runs on machines that do other things too, and one thread that computes
//! takes the same processor time either way. Work done by helper threads counts as well.

/// Nanoseconds so far.
#[cfg(unix)]
pub fn now() -> u64 {
    let time = nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("a Unix has this clock");
    time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64
}

/// Nanoseconds so far; elsewhere the wall has to do.
#[cfg(not(unix))]
pub fn now() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
