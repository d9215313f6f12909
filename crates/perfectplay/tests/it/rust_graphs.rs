//! Games written in Rust: explicit graphs behind the trait `Game`, solved and compared position by position.

use perfectplay::rust_games::{End, Forever, Game, Objective, Outcome, Play, Player, Verdict};
use perfectplay::{SolveError, Solver};
use testkit::explicit::{Aim, Explicit, Finish};
use testkit::net::{Recipe, Spelling, random_net};
use testkit::oracle::{self, Worth};
use testkit::{Random, with_room};

/// An explicit graph as a game.
struct Written<'g>(&'g Explicit);

impl Game for Written<'_> {
    type Position = usize;
    type Move = usize;

    fn players(&self) -> usize {
        self.0.players
    }

    fn start(&self) -> usize {
        self.0.start
    }

    fn mover(&self, position: &usize) -> Player {
        Player(self.0.nodes[*position].mover as u8)
    }

    fn end(&self, position: &usize) -> Option<End> {
        self.0.nodes[*position].end.as_ref().map(|end| match end {
            Finish::Outcome(value) => End::Outcome(outcome(*value)),
            Finish::Gains(gains) => End::Gains(gains.clone()),
        })
    }

    fn moves(&self, position: &usize) -> Vec<Play<usize, usize>> {
        let counted = !matches!(self.0.aim, Aim::Outcome(_));
        let gains = |gains: &Vec<i64>| if counted { gains.clone() } else { Vec::new() };
        let steps = self.0.nodes[*position].moves.iter().enumerate();
        steps.map(|(mv, step)| Play { mv, gains: gains(&step.gains), option: step.to }).collect()
    }
}

fn outcome(value: i8) -> Outcome {
    [Outcome::Loss, Outcome::Draw, Outcome::Win][(value + 1) as usize]
}

#[test]
fn graphs_behind_the_trait() {
    with_room(|| {
        let mut random = Random::new(71);
        let (mut solved, mut refused) = (0, 0);
        for _ in 0..10_000 {
            let (aim, players) = *random.pick(&[
                (Aim::Outcome(None), 2),
                (Aim::Outcome(Some(0)), 2),
                (Aim::Outcome(Some(1)), 2),
                (Aim::Difference, 2),
                (Aim::Own, 2),
                (Aim::Own, 3),
                (Aim::Own, 4),
            ]);
            let won = matches!(aim, Aim::Outcome(_));
            let recipe = Recipe {
                players,
                aim,
                loopy: random.one_in(if won { 2 } else { 6 }),
                results: true,
                owned: random.one_in(3),
                turns: random.one_in(3),
                named: true,
                balanced: false,
            };
            let graph = random_net(&mut random, recipe, 8).explicit(Spelling::Rules);
            match (agrees(&graph), oracle::worths(&graph)) {
                (Ok(()), Some(_)) => solved += 1,
                (Err(text), None) if text.contains("repeat") => refused += 1,
                (result, _) => panic!("{result:?}\n{graph:?}"),
            }
        }
        assert!(solved > 7000 && refused > 100, "{solved} solved, {refused} refused");
    });
}

/// What a search says of the start is what plain recursion says, by every search and with any number of threads; where play comes back to a
/// position it may have no answer.
#[test]
fn searches_of_graphs_behind_the_trait() {
    with_room(|| {
        let mut random = Random::new(72);
        let (mut searched, mut refused) = (0, 0);
        for round in 0..3000 {
            let aim = *random.pick(&[Aim::Outcome(None), Aim::Difference]);
            let recipe = Recipe {
                players: 2,
                aim,
                loopy: random.one_in(8),
                results: true,
                owned: random.one_in(3),
                turns: random.one_in(3),
                named: true,
                balanced: false,
            };
            let graph = random_net(&mut random, recipe, 8).explicit(Spelling::Rules);
            let worths = oracle::worths(&graph);
            let game = Written(&graph);
            for method in ["alpha_beta", "proof_number"] {
                let solver = Solver::new().method(method).threads(1 + round % 3).memory(1 << 20);
                let search = match solver.search_game(&game) {
                    Ok(search) => search,
                    Err(SolveError::NotApplicable(why))
                        if why.contains("repeat") || why.contains("won, lost or drawn") =>
                    {
                        refused += 1;
                        continue;
                    }
                    Err(error) => panic!("{method}: {error}\n{graph:?}"),
                };
                // Play could go round elsewhere: each player has a way to the value that does not.
                let Some(worths) = &worths else { continue };
                let same = match (search.value(), worths[graph.start].as_ref().unwrap()) {
                    (Verdict::Outcome { outcome: found, .. }, Worth::Outcome(value, _)) => found == outcome(*value),
                    (Verdict::Score(found), Worth::Score(value)) => found == *value,
                    _ => false,
                };
                assert!(same, "{method}: {:?}, expected {:?}\n{graph:?}", search.value(), worths[graph.start]);
                // What is asked later may be a position from which play goes round.
                if let Ok(best) = search.best_moves(&graph.start) {
                    assert_eq!(best, oracle::best_moves(&graph, graph.start, worths).0, "{method}\n{graph:?}");
                }
                searched += 1;
            }
        }
        assert!(searched > 2000 && refused > 300, "{searched} searched, {refused} refused");
    });
}

fn agrees(graph: &Explicit) -> Result<(), String> {
    let forever = match graph.aim {
        Aim::Outcome(Some(player)) => Forever::Win(Player(player as u8)),
        _ => Forever::Draw,
    };
    let objective = if graph.aim == Aim::Own { Objective::Own } else { Objective::Difference };
    let game = Written(graph);
    let solution =
        Solver::new().solve_game_with(&game, forever, objective).map_err(|error: SolveError| error.to_string())?;
    let worths = oracle::worths(graph).ok_or("solved, though it must not be")?;
    for (index, worth) in worths.iter().enumerate() {
        // Positions that cannot be reached have no value.
        let (Some(value), Some(worth)) = (solution.value_of(&index), worth) else { continue };
        let same = match (&value, worth) {
            (Verdict::Outcome { outcome: found, remoteness, .. }, Worth::Outcome(value, moves)) => {
                *found == outcome(*value) && remoteness == moves
            }
            (Verdict::Score(found), Worth::Score(value)) => found == value,
            (Verdict::Payoffs { totals, unique }, Worth::Totals(first, all)) => {
                totals[..] == first[..] && *unique == Some(all.len() == 1)
            }
            _ => false,
        };
        let best = solution.best_moves(&index).map_err(|error| error.to_string())?;
        let (expected, _) = oracle::best_moves(graph, index, &worths);
        if !same || best != expected {
            return Err(format!("{index}: {value:?} {best:?}, expected {worth:?} {expected:?}"));
        }
    }
    if solution.value_of(&graph.start).is_none() {
        return Err("the start has no value".to_string());
    }
    Ok(())
}
