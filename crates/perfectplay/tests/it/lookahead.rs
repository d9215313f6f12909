//! Looking ahead: where it sees to the end it plays as well as the solution, and it uses the estimate where it does not.

use std::time::Duration;

use perfectplay::Solver;
use perfectplay::language::Rules;
use perfectplay::lookahead::look_ahead;
use perfectplay::moves::plays;
use testkit::random::Random;

const LONG: Duration = Duration::from_secs(20);

#[test]
fn near_the_end_its_moves_are_best() {
    let mut random = Random::new(5);
    for name in ["tic_tac_toe", "connect_k", "coins", "nim", "chomp", "stone_game_7", "kalah", "domineering"] {
        let game = Rules::gallery(name).unwrap().bind("{}").unwrap();
        let solved = Solver::new().solved(&game).unwrap();
        for _ in 0..6 {
            // A random line, and the position five moves before its end.
            let mut line = vec![game.start.clone()];
            while let Some(last) = line.last()
                && line.len() < 200
            {
                let moves = plays(&game, last).unwrap();
                if moves.is_empty() {
                    break;
                }
                line.push(random.pick(&moves).option(last));
            }
            let position = &line[line.len().saturating_sub(5)];
            let Some(ahead) = look_ahead(&game, position, LONG).unwrap() else { continue };
            let best = solved.best_moves(position, 1000).unwrap().best;
            assert!(best.contains(&ahead.play), "{name} {position:?}: {} of {best:?}", ahead.play.label);
        }
    }
}

#[test]
fn the_estimate_decides_where_the_end_is_far() {
    let rules = "game far(n: int = 1000000) {
        state { at in 0..=n = 500000; }
        move up when at < n { at += 1; }
        move down when at > 0 { at -= 1; }
        end when at == 0 => lose;
        estimate if mover == first then 0 - at else at;
    }";
    let rules = Rules { name: "far".to_string(), source: rules.to_string() };
    let far = rules.bind("{}").unwrap();
    let ahead = look_ahead(&far, &far.start, Duration::from_millis(300)).unwrap().unwrap();
    assert_eq!(ahead.play.label, "down");
    assert!(ahead.depth >= 2, "{}", ahead.depth);
}
