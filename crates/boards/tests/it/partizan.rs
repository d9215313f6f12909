//! Partizan games: the outcome of the sum of canonical forms is that of the whole board, whoever starts.

use std::collections::HashMap;

use boards::motion::Motions;
use boards::{CanonicalForms, Owner, Valuer};
use engine::memory::Memory;
use engine::monitor::Monitor;
use game::OutcomeClass;
use testkit::Random;

use crate::random_games::{random_game, wins};

#[test]
fn outcomes_are_those_of_whole_boards() {
    let mut random = Random::new(2);
    let mut exchanged = 0;
    for _ in 0..2000 {
        let game = random_game(&mut random, false);
        let cells = game.grid.cells();
        let start: Vec<u8> = (0..cells).map(|_| if random.one_in(3) { random.below(game.values) } else { 0 }).collect();
        let mut monitor = Monitor::unlimited();
        let algebra = CanonicalForms::new(&monitor);
        let mut valuer = Valuer::new(game.clone(), Motions::new(&game), &start, algebra, &Memory::unlimited()).unwrap();
        valuer.value(&start, &mut monitor).unwrap();
        let mut known = HashMap::new();
        wins(&game, &start, Owner::Left, &mut known);
        wins(&game, &start, Owner::Right, &mut known);
        let mut positions: Vec<&Vec<u8>> = known.keys().map(|(position, _)| position).collect();
        positions.sort();
        positions.dedup();
        for position in positions.into_iter().take(40) {
            let value = valuer.value(position, &mut monitor).unwrap();
            let outcome = valuer.algebra.arena.outcome(value).unwrap();
            let mut known = HashMap::new();
            let right =
                match (wins(&game, position, Owner::Left, &mut known), wins(&game, position, Owner::Right, &mut known))
                {
                    (true, true) => OutcomeClass::N,
                    (true, false) => OutcomeClass::L,
                    (false, true) => OutcomeClass::R,
                    (false, false) => OutcomeClass::P,
                };
            assert_eq!(outcome, right, "{game:?} {position:?}");
        }
        exchanged += usize::from(valuer.motions().turns.iter().any(|turn| turn.exchange));
    }
    assert!(exchanged > 50, "{exchanged}");
}
