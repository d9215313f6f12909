//! Play of one player alone. The value of a position is that of a summand, in which a player may move again and again; positions may
//! repeat there although they never do where moves alternate.

use game::Random;
use rules::bind::{Bound, Position};
use rules::play;

/// So many moves of each player are tried.
const MOVES: usize = 32;

/// Whether a player who moves on and on came back to a position, at random.
pub(crate) fn comes_back(bound: &Bound, start: &Position) -> bool {
    let mut random = Random::new(1);
    [start.turn, start.turn.other()].into_iter().any(|player| {
        let mut seen = vec![Position { turn: player, ..start.clone() }];
        while seen.len() <= MOVES {
            let last = &seen[seen.len() - 1];
            let Ok(plays) = play::plays(bound, last) else { return false };
            if plays.is_empty() {
                return false;
            }
            let play = &plays[random.below(plays.len() as u64) as usize];
            let next = Position { turn: player, ..play.option(last) };
            if seen.contains(&next) {
                return true;
            }
            seen.push(next);
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::instance::Instance;
    use std::sync::Arc;

    fn bound(rules: &str) -> Bound {
        rules::bind::bind(&Arc::new(rules::compile(rules).unwrap()), &Instance::default()).unwrap()
    }

    #[test]
    fn a_walk_to_and_fro_comes_back_and_a_walk_on_does_not() {
        let to_and_fro = bound(
            "game walk() { state { at in [0..=9; 2] = [4, 5]; }
             move step(d in {-1, 1}) when at[mover] + d in 0..=9 { at[mover] += d; } }",
        );
        assert!(comes_back(&to_and_fro, &to_and_fro.start));
        let on = bound(
            "game walk() { state { at in [0..=9; 2] = [4, 5]; }
             move step when at[mover] < 9 { at[mover] += 1; } }",
        );
        assert!(!comes_back(&on, &on.start));
    }
}
