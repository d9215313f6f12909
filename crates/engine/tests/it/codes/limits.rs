//! Limits and the stop button.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use engine::Error;
use engine::codes::{CodeTable, Codes, Kind, always_layered_search, dense_retrograde, dense_search, hashed_search};
use engine::monitor::{Limits, Monitor};
use engine::retrograde::Forever;

use super::games::Heaps;

type Engine = fn(&Codes, &Heaps, &mut Monitor) -> Result<CodeTable, Error>;

const ENGINES: &[(&str, Engine)] = &[
    ("dense", |codes, heaps, monitor| dense_search(codes, heaps.count(), monitor)),
    ("hashed", |codes, _, monitor| hashed_search(codes, monitor)),
    ("layered", |codes, heaps, monitor| {
        let (heaps, size) = (heaps.heaps, heaps.size);
        always_layered_search(codes, Arc::new(move |code| Heaps::new(heaps, size, 3, 1).tokens(code)), monitor)
    }),
    ("retrograde", |codes, heaps, monitor| dense_retrograde(codes, heaps.count(), Forever::Draw, None, monitor)),
];

const KIND: Kind = Kind::Outcome { longest: None };

#[test]
fn memory_is_never_exceeded_and_given_back() {
    let heaps = Heaps::new(3, 20, 3, 1);
    let root = [heaps.root()];
    for (name, engine) in ENGINES {
        for threads in 1..=2 {
            let codes = Codes { threads, ..Codes::new(&heaps, &root, KIND) };
            let mut free = Monitor::unlimited();
            let table = engine(&codes, &heaps, &mut free).unwrap();
            assert_eq!(free.memory().used(), table.bytes(), "{name}");
            drop(table);
            assert_eq!(free.memory().used(), 0, "{name}");
            let mut limit = 100;
            while limit < free.memory().peak() {
                let mut monitor = Monitor::new(&Limits { memory: limit, time: None });
                match engine(&codes, &heaps, &mut monitor) {
                    Ok(table) => assert_eq!(table.positions(), heaps.count(), "{name}"),
                    Err(error) => assert!(error.is_limit(), "{name}: {error}"),
                }
                assert!(monitor.memory().peak() <= limit && monitor.memory().used() == 0, "{name}");
                limit += limit / 5;
            }
        }
    }
}

#[test]
fn a_set_flag_stops_every_engine() {
    let heaps = Heaps::new(4, 12, 3, 1);
    let root = [heaps.root()];
    for (name, engine) in ENGINES {
        for threads in 1..=3 {
            let codes = Codes { threads, ..Codes::new(&heaps, &root, KIND) };
            let mut monitor = Monitor::unlimited().cancelled_by(Arc::new(AtomicBool::new(true)));
            let error = engine(&codes, &heaps, &mut monitor).unwrap_err();
            assert!(matches!(error, Error::Interrupted { .. }), "{name}: {error}");
        }
    }
}
