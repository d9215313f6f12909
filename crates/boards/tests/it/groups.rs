//! Groups of variables: their values add up to what plain recursion over whole positions finds.

use boards::groups::Groups;
use boards::groups::valuer::Cut;
use boards::{CanonicalForms, Nimbers};
use engine::memory::Memory;
use engine::monitor::Monitor;
use formula::Readings;
use game::OutcomeClass;
use rules::bind::Bound;
use testkit::counters::counters;
use testkit::explore::{Explored, explore};
use testkit::files::{bound, program};
use testkit::oracle::{self, Worth};
use testkit::{Random, with_room};

fn cut(bound: &Bound, impartial: bool) -> Result<Cut, String> {
    let readings = Readings::new(bound, &bound.start);
    let reading = readings.listed().map_err(|unsupported| unsupported.to_string())?;
    Cut::new(reading.formulas(), impartial, &bound.start.parts[0])
}

/// What came of a comparison.
#[derive(Default)]
struct Tally {
    compared: usize,
    apart: usize,
    shared: usize,
    fewer: usize,
}

fn compare(text: &str, tally: &mut Tally) {
    let bound = bound(&program(text), "{}");
    let Explored::All(graph, positions, _) = explore(&bound, 3000) else { return };
    let worths = oracle::worths(&graph).unwrap();
    let impartial = !["first ", "second ", "mover"].iter().any(|word| text.contains(word));
    let Ok(cut) = cut(&bound, impartial) else { return };
    let (groups, sorts) = (cut.groups, cut.sorts);
    let start = &bound.start.parts[0];
    let mut monitor = Monitor::unlimited();
    let met = if impartial {
        let mut valued = Groups::new(cut, Nimbers, &Memory::unlimited());
        valued.groups(start, &mut monitor).unwrap();
        for index in graph.reachable() {
            let right = oracle::nimber(&graph, index).unwrap();
            let found = valued.value(&positions[index].parts[0], &mut monitor).unwrap();
            assert_eq!(u64::from(found), right, "{:?}\n{text}", positions[index]);
        }
        valued.distinct()
    } else {
        let forms = CanonicalForms::new(&monitor);
        let mut valued = Groups::new(cut, forms, &Memory::unlimited());
        valued.groups(start, &mut monitor).unwrap();
        for index in graph.reachable() {
            let Some(Worth::Outcome(right, _)) = worths[index] else { panic!("{text}") };
            let found = valued.value(&positions[index].parts[0], &mut monitor).unwrap();
            let outcome = valued.algebra.arena.outcome(found).unwrap();
            let wins = match outcome {
                OutcomeClass::N => true,
                OutcomeClass::P => false,
                OutcomeClass::L => positions[index].turn.index() == 0,
                OutcomeClass::R => positions[index].turn.index() == 1,
            };
            assert_eq!(wins, right > 0, "{:?}\n{text}", positions[index]);
        }
        valued.distinct()
    };
    tally.compared += 1;
    tally.apart += usize::from(groups > 1);
    tally.shared += usize::from(groups > sorts);
    tally.fewer += usize::from((met as usize) < graph.nodes.len());
}

fn games_agree(seed: u64, games: usize) {
    with_room(move || {
        let mut random = Random::new(seed);
        let mut tally = Tally::default();
        for _ in 0..games {
            compare(&counters(&mut random), &mut tally);
        }
        let Tally { compared, apart, shared, fewer } = tally;
        assert!(compared > games / 3 && apart > games / 10 && shared > games / 20, "{compared} {apart} {shared}");
        assert!(fewer > games / 4, "{fewer}");
    });
}

#[test]
fn groups_add_up_to_the_whole() {
    games_agree(1, 1500);
}

#[test]
fn groups_add_up_to_the_whole_again() {
    games_agree(2, 1500);
}

/// What the start falls into.
fn seen(text: &str) -> (usize, usize, usize) {
    let bound = bound(&program(text), "{}");
    let cut = cut(&bound, true).unwrap_or_else(|why| panic!("{why}\n{text}"));
    (cut.groups, cut.sorts, cut.widest)
}

#[test]
fn variables_that_belong_together_stay_together() {
    let pairs = "game pairs() { state { x in [0..=50; 20] = [i for i in 0..20]; y in [0..=50; 20] = [9; 20]; }
        move left(i in 0..20, k in 1..=2) when x[i] >= k { x[i] -= k; }
        move both(i in 0..20) when x[i] > 0 and y[i] > 0 { x[i] -= 1; y[i] -= 1; } }";
    // With nothing in `x[0]` no move is left there.
    assert_eq!(seen(pairs), (19, 1, 2));
    let ring = "game ring() { state { c in [0..=50; 6] = [5; 6]; }
        move both(i in 0..6) when c[i] > 0 and c[(i + 1) % 6] > 0 { c[i] -= 1; c[(i + 1) % 6] -= 1; } }";
    assert_eq!(seen(ring), (1, 1, 6));
    let cut_ring = ring.replace("[5; 6]", "[5, 5, 0, 5, 5, 0]");
    assert_eq!(seen(&cut_ring), (2, 1, 2));
    let edges = "game edges() { let edges = [[0, 1], [1, 2], [3, 4], [5, 6], [6, 7]];
        state { left in [0..=9; 8] = [9; 8]; }
        move take(e in edges) when left[e[0]] > 0 and left[e[1]] > 0 { left[e[0]] -= 1; left[e[1]] -= 1; } }";
    assert_eq!(seen(edges), (3, 2, 3));
}
