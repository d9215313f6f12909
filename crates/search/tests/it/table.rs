//! The table of transpositions under many writers.

use engine::memory::Memory;
use search::table::{Rule, Table};

/// Newer data are taken; the low bits tell the work.
struct Newest;

impl Rule for Newest {
    fn work(&self, data: u64) -> u64 {
        data & 15
    }
    fn merge(&self, _: u64, new: u64) -> u64 {
        new
    }
}

/// Data that belong to a key, so that a mixture of two entries shows.
fn data(key: [u64; 2], round: u64) -> u64 {
    (key[0].wrapping_mul(31) ^ key[1].wrapping_mul(0x9e37_79b9) ^ 0x55) << 16 | (round & 0xfff) << 4 | 8 | key[0] & 7
}

#[test]
fn no_reader_sees_a_mixture() {
    let table = Table::<2>::new(16 * 64, 16 * 64, &Memory::unlimited()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let table = &table;
            scope.spawn(move || {
                let mut random = testkit::Random::new(thread + 1);
                for round in 0..60_000u64 {
                    let state = random.next();
                    let key = [state >> 58, state >> 20 & 63];
                    let hash = key[0].wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key[1] << 60;
                    if let Some(found) = table.get(hash, &key, 0, 0) {
                        assert_eq!(found >> 16, data(key, 0) >> 16);
                    }
                    table.put(hash, &key, data(key, round), 0xffff_ffff_ffff_0000, &Newest);
                }
            });
        }
    });
}

#[test]
fn what_was_dear_stays() {
    let table = Table::<1>::new(0, 0, &Memory::unlimited()).unwrap();
    let dear = [12345];
    table.put(0, &dear, 1 << 10 | 15, 0, &Newest);
    for key in 0..1000 {
        table.put(0, &[key], 1 << 10 | 1, 0, &Newest);
    }
    assert_eq!(table.get(0, &dear, 0, 0), Some(1 << 10 | 15));
    assert_eq!(table.get(0, &[999], 0, 0), Some(1 << 10 | 1));
    assert_eq!(table.get(0, &[3], 0, 0), None);
}
