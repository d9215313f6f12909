//! Impartial games: nimbers by parts are the nimbers of whole boards.

use std::collections::HashMap;

use boards::motion::Motions;
use boards::{LocalGame, Nimbers, Owner, Valuer};
use engine::memory::Memory;
use engine::monitor::Monitor;
use testkit::Random;

use crate::random_games::{options, random_game};

fn nimber(game: &LocalGame, position: &[u8], known: &mut HashMap<Vec<u8>, u32>) -> u32 {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let values: Vec<u32> =
        options(game, position, Owner::Left).iter().map(|option| nimber(game, option, known)).collect();
    let mex = (0..).find(|value| !values.contains(value)).unwrap();
    known.insert(position.to_vec(), mex);
    mex
}

#[test]
fn parts_add_up_to_the_whole() {
    let mut random = Random::new(1);
    let (mut apart, mut turned, mut shifted) = (0, 0, 0);
    for _ in 0..2000 {
        let game = random_game(&mut random, true);
        let cells = game.grid.cells();
        let start: Vec<u8> = (0..cells).map(|_| if random.one_in(3) { random.below(game.values) } else { 0 }).collect();
        let mut valuer = Valuer::new(game.clone(), Motions::new(&game), &start, Nimbers, &Memory::unlimited()).unwrap();
        let mut known = HashMap::new();
        let right = nimber(&game, &start, &mut known);
        assert_eq!(valuer.value(&start, &mut Monitor::unlimited()), Ok(right), "{game:?} {start:?}");
        for (position, &right) in known.iter().take(50) {
            assert_eq!(valuer.known(position), Ok(Some(right)), "{game:?} {start:?} {position:?}");
        }
        apart += usize::from(boards::fall::parts(&game, &start).len() > 1);
        turned += usize::from(!valuer.motions().turns.is_empty());
        shifted += usize::from(valuer.motions().shift_columns);
    }
    assert!(apart > 300 && turned > 300 && shifted > 300, "{apart} {turned} {shifted}");
}
