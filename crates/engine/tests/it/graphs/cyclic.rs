//! Retrograde analysis against sweeps over all positions and against the enumeration of strategies.

use engine::graph::{Edge, Ending, Id};
use engine::monitor::Monitor;
use engine::retrograde::{Forever, retrograde};
use game::{Outcome, Player, Remoteness};

use super::explicit::{Explicit, end, random_outcomes};
use testkit::Random;

fn ending(game: &Explicit, node: usize) -> Option<Outcome> {
    match game.nodes[node].end {
        Some(Ending::Outcome(outcome)) => Some(outcome),
        _ => None,
    }
}

/// Who wins by force and in how many moves, by sweeping: in round k, the positions settled in k moves.
fn forced(game: &Explicit) -> Vec<Option<(Outcome, Remoteness)>> {
    let count = game.nodes.len();
    let mut known: Vec<Option<(Outcome, Remoteness)>> = vec![None; count];
    for moves in 0..=count as u32 {
        let before = known.clone();
        for node in 0..count {
            if before[node].is_some() {
                continue;
            }
            if let Some(outcome) = ending(game, node) {
                if outcome != Outcome::Draw {
                    known[node] = Some((outcome, Some(0)));
                }
                continue;
            }
            let seen =
                |edge: &Edge| before[edge.to as usize].map(|(outcome, _)| if edge.same { outcome } else { -outcome });
            let options: Vec<Option<Outcome>> = game.nodes[node].edges.iter().map(seen).collect();
            if options.contains(&Some(Outcome::Win)) {
                known[node] = Some((Outcome::Win, Some(moves)));
            } else if options.iter().all(|option| *option == Some(Outcome::Loss)) {
                known[node] = Some((Outcome::Loss, Some(moves)));
            }
        }
    }
    known
}

/// Gives drawn positions their distance from a declared draw, by relaxing edges as often as there are positions.
fn measure_draws(game: &Explicit, values: &mut [(Outcome, Remoteness)]) {
    for (node, value) in values.iter_mut().enumerate() {
        if ending(game, node) == Some(Outcome::Draw) {
            value.1 = Some(0);
        }
    }
    for _ in 0..values.len() {
        for node in 0..values.len() {
            for edge in &game.nodes[node].edges {
                let option = values[edge.to as usize];
                if let (Outcome::Draw, (Outcome::Draw, Some(moves))) = (values[node].0, option) {
                    let held = values[node].1.unwrap_or(u32::MAX);
                    values[node].1 = Some(held.min(moves + 1));
                }
            }
        }
    }
}

/// The worst that can come of a position for `player`, who moves as `choice` says while the other goes anywhere. Play
/// without end counts as `endless`.
fn worst(game: &Explicit, node: usize, player: Player, choice: &[usize], endless: Outcome) -> Outcome {
    let count = game.nodes.len();
    let next = |node: usize| -> Vec<usize> {
        let edges = &game.nodes[node].edges;
        if game.nodes[node].mover == player && !edges.is_empty() {
            vec![edges[choice[node]].to as usize]
        } else {
            edges.iter().map(|edge| edge.to as usize).collect()
        }
    };
    let reach = |from: Vec<usize>| {
        let mut seen = vec![false; count];
        let mut open = from;
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(next(node));
            }
        }
        seen
    };
    let mut worst = Outcome::Win;
    for (node, seen) in reach(vec![node]).into_iter().enumerate() {
        if !seen {
            continue;
        }
        if let Some(outcome) = ending(game, node) {
            worst = worst.min(if game.nodes[node].mover == player { outcome } else { -outcome });
        } else if reach(next(node))[node] {
            worst = worst.min(endless);
        }
    }
    worst
}

/// The value of every node for a player: the best, over all the player's strategies, of the worst that can come of it.
fn by_strategies(game: &Explicit, player: Player, endless: Outcome) -> Vec<Outcome> {
    let count = game.nodes.len();
    let mut best = vec![Outcome::Loss; count];
    let mut choice = vec![0; count];
    loop {
        for (node, best) in best.iter_mut().enumerate() {
            *best = (*best).max(worst(game, node, player, &choice, endless));
        }
        let mut node = 0;
        loop {
            if node == count {
                return best;
            }
            if game.nodes[node].mover == player && choice[node] + 1 < game.nodes[node].edges.len() {
                choice[node] += 1;
                break;
            }
            choice[node] = 0;
            node += 1;
        }
    }
}

fn solved(game: &mut Explicit, forever: Forever) -> Vec<(Outcome, Remoteness)> {
    let count = game.nodes.len();
    // Numbers in another order than the nodes'.
    for node in (0..count).rev() {
        game.number((node * 7 + 3) % count);
        game.number(node);
    }
    let outcomes = retrograde(game, forever, &mut Monitor::unlimited()).unwrap();
    (0..count).map(|node| outcomes.get(game.known(node).unwrap()).unwrap()).collect()
}

#[test]
fn endless_play_is_a_draw() {
    let mut random = Random::new(11);
    let mut seen = [0; 5];
    for case in 0..6000 {
        let mut game = random_outcomes(&mut random, 1 + case % 16, true);
        let forced = forced(&game);
        let mut expected: Vec<_> = forced.iter().map(|known| known.unwrap_or((Outcome::Draw, None))).collect();
        measure_draws(&game, &mut expected);
        assert_eq!(solved(&mut game, Forever::Draw), expected, "case {case}");
        for value in expected {
            seen[match value {
                (Outcome::Loss, _) => 0,
                (Outcome::Draw, Some(0)) => 1,
                (Outcome::Draw, Some(_)) => 2,
                (Outcome::Draw, None) => 3,
                (Outcome::Win, _) => 4,
            }] += 1;
        }
        assert!(game.expanded.iter().all(|&times| times == 1));
    }
    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}

#[test]
fn endless_play_is_a_draw_by_strategies() {
    let mut random = Random::new(12);
    for case in 0..1500 {
        let mut game = random_outcomes(&mut random, 1 + case % 6, true);
        let solved = solved(&mut game, Forever::Draw);
        for player in [Player::FIRST, Player::SECOND] {
            let values = by_strategies(&game, player, Outcome::Draw);
            for (node, value) in values.into_iter().enumerate() {
                let ours = if game.nodes[node].mover == player { solved[node].0 } else { -solved[node].0 };
                assert_eq!(ours, value, "case {case} node {node}");
            }
        }
    }
}

#[test]
fn endless_play_is_won() {
    let mut random = Random::new(13);
    let mut seen = [0; 6];
    for case in 0..2500 {
        let game = random_outcomes(&mut random, 1 + case % 6, true);
        for winner in [Player::FIRST, Player::SECOND] {
            let solved = solved(&mut game.clone(), Forever::Win(winner));
            // Outcomes: both players' strategies give the same value.
            for player in [Player::FIRST, Player::SECOND] {
                let endless = if player == winner { Outcome::Win } else { Outcome::Loss };
                for (node, value) in by_strategies(&game, player, endless).into_iter().enumerate() {
                    let ours = if game.nodes[node].mover == player { solved[node].0 } else { -solved[node].0 };
                    assert_eq!(ours, value, "case {case} node {node} forever {winner}");
                }
            }
            // Remoteness: that of the forced wins, none for the others, the nearest declared draw for draws.
            let forced = forced(&game);
            let mut expected: Vec<_> = (0..solved.len()).map(|n| forced[n].unwrap_or((solved[n].0, None))).collect();
            measure_draws(&game, &mut expected);
            assert_eq!(solved, expected, "case {case} forever {winner}");
            for (node, value) in expected.iter().enumerate() {
                let winning = (value.0 == Outcome::Win) == (game.nodes[node].mover == winner);
                seen[match value {
                    (Outcome::Draw, Some(0)) => 0,
                    (Outcome::Draw, Some(_)) => 1,
                    (Outcome::Draw, None) => panic!("a draw that is never declared"),
                    (_, None) if winning => 2,
                    (_, None) => panic!("endless play was won by the wrong player"),
                    (_, Some(_)) if winning => 3,
                    (_, Some(0)) => 4,
                    (_, Some(_)) => 5,
                }] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}

/// In larger games strategies are too many: attractors are found by sweeping.
#[test]
fn endless_play_is_won_in_larger_games() {
    let mut random = Random::new(14);
    for case in 0..2000 {
        let game = random_outcomes(&mut random, 7 + case % 24, true);
        let count = game.nodes.len();
        for winner in [Player::FIRST, Player::SECOND] {
            let other = winner.other();
            let attracted = |targets: &dyn Fn(Outcome) -> bool| {
                let seen_by_other = |node: usize, outcome: Outcome| {
                    if game.nodes[node].mover == other { outcome } else { -outcome }
                };
                let mut inside: Vec<bool> =
                    (0..count).map(|n| ending(&game, n).is_some_and(|o| targets(seen_by_other(n, o)))).collect();
                for _ in 0..count {
                    for node in 0..count {
                        let edges = &game.nodes[node].edges;
                        let mut options = edges.iter().map(|edge| inside[edge.to as usize]);
                        inside[node] |= !edges.is_empty()
                            && if game.nodes[node].mover == other { options.any(|x| x) } else { options.all(|x| x) };
                    }
                }
                inside
            };
            let wins = attracted(&|outcome| outcome == Outcome::Win);
            let saved = attracted(&|outcome| outcome != Outcome::Loss);
            for (node, value) in solved(&mut game.clone(), Forever::Win(winner)).into_iter().enumerate() {
                let expected = if wins[node] {
                    Outcome::Win
                } else if saved[node] {
                    Outcome::Draw
                } else {
                    Outcome::Loss
                };
                let ours = if game.nodes[node].mover == other { value.0 } else { -value.0 };
                assert_eq!(ours, expected, "case {case} node {node} forever {winner}");
            }
        }
    }
}

#[test]
fn a_loop_of_one_and_double_edges() {
    let same = |to: Id| Edge { same: true, ..Edge::to(to) };
    let inner = |edges: &[Edge]| engine::graph::Expansion { edges: edges.to_vec(), ..Default::default() };
    let nodes = vec![
        end(Outcome::Loss),
        inner(&[Edge::to(1)]),
        inner(&[Edge::to(0), Edge::to(0)]),
        inner(&[Edge::to(2), Edge::to(2)]),
        inner(&[same(4), same(3)]),
        inner(&[same(3), same(3), Edge::to(2)]),
    ];
    let values = solved(&mut Explicit::new(nodes), Forever::Draw);
    let expected = [
        (Outcome::Loss, Some(0)),
        (Outcome::Draw, None),
        (Outcome::Win, Some(1)),
        (Outcome::Loss, Some(2)),
        (Outcome::Draw, None),
        (Outcome::Loss, Some(3)),
    ];
    assert_eq!(values, expected);
}
