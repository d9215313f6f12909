//! Who wins without values: the same as plain recursion over whole boards, however few parts are valued.

use std::collections::HashMap;

use boards::groups::valuer::{Cut, Grouping};
use boards::motion::Motions;
use boards::valuer::Board;
use boards::{Contest, Owner};
use engine::Error;
use engine::memory::Memory;
use engine::monitor::{Limits, Monitor};
use formula::Readings;
use testkit::counters::counters;
use testkit::explore::{Explored, explore};
use testkit::files::{bound, program};
use testkit::oracle::{self, Worth};
use testkit::{Random, with_room};
use values::Side;

use crate::random_games::{random_game, wins};

#[test]
fn boards_are_won_as_plain_recursion_says() {
    let mut random = Random::new(3);
    let mut searched = 0;
    for number in 0..1500 {
        let game = random_game(&mut random, number % 5 == 0);
        let cells = game.grid.cells();
        let start: Vec<u8> = (0..cells).map(|_| if random.one_in(3) { random.below(game.values) } else { 0 }).collect();
        let mut monitor = Monitor::unlimited();
        let board = Board::new(game.clone(), &Motions::new(&game), &start, &Memory::unlimited()).unwrap();
        let mut contest = Contest::with_effort(board, *random.pick(&[0, 1, 3, 100]), &monitor);
        let mut known = HashMap::new();
        for (mover, side) in [(Owner::Left, Side::Left), (Owner::Right, Side::Right)] {
            let right = wins(&game, &start, mover, &mut known);
            let parts: Vec<_> = contest.source.parts(&start).unwrap().into_iter().map(|(_, part)| part).collect();
            assert_eq!(contest.wins(&parts, side, &mut monitor), Ok(right), "{game:?} {start:?} {mover:?}");
        }
        searched += usize::from(contest.decided() > 2);
    }
    assert!(searched > 60, "{searched}");
}

#[test]
fn groups_are_won_as_plain_recursion_says() {
    with_room(|| {
        let mut random = Random::new(4);
        let mut compared = 0;
        for _ in 0..600 {
            let text = counters(&mut random);
            let bound = bound(&program(&text), "{}");
            let Explored::All(graph, positions, _) = explore(&bound, 1000) else { continue };
            let worths = oracle::worths(&graph).unwrap();
            let readings = Readings::new(&bound, &bound.start);
            let Ok(cut) = Cut::new(readings.listed().unwrap().formulas(), false, &bound.start.parts[0]) else {
                continue;
            };
            let mut monitor = Monitor::unlimited();
            let grouping = Grouping::new(cut, &Memory::unlimited());
            let mut contest = Contest::with_effort(grouping, *random.pick(&[0, 2, 20]), &monitor);
            for index in graph.reachable().into_iter().take(60) {
                let Some(Worth::Outcome(right, _)) = worths[index] else { panic!("{text}") };
                let parts = contest.source.parts(&positions[index].parts[0]).unwrap();
                let side = if positions[index].turn.index() == 0 { Side::Left } else { Side::Right };
                let found = contest.wins(&parts, side, &mut monitor).unwrap();
                assert_eq!(found, right > 0, "{:?}\n{text}", positions[index]);
            }
            compared += 1;
        }
        assert!(compared > 200, "{compared}");
    });
}

/// With little memory states are forgotten and found again; with none at all the limit is told.
#[test]
fn what_does_not_fit_is_forgotten() {
    let mut random = Random::new(5);
    let (mut right, mut limited) = (0, 0);
    for _ in 0..200 {
        let game = random_game(&mut random, false);
        let start = vec![0; game.grid.cells()];
        let memory = 1 << (11 + random.below(6u32));
        let mut monitor = Monitor::new(&Limits { memory, time: None });
        let board = Board::new(game.clone(), &Motions::new(&game), &start, monitor.memory());
        let Ok(board) = board else { continue };
        let mut contest = Contest::with_effort(board, 1, &monitor);
        let expected = wins(&game, &start, Owner::Left, &mut HashMap::new());
        let found = contest.source.parts(&start).and_then(|parts| {
            let parts: Vec<_> = parts.into_iter().map(|(_, part)| part).collect();
            contest.wins(&parts, Side::Left, &mut monitor)
        });
        match found {
            Ok(found) => {
                assert_eq!(found, expected, "{game:?}");
                right += 1;
            }
            Err(Error::Limit { .. }) => limited += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(right > 20 && limited > 5, "{right} {limited}");
}
