//! Tables of a cluster, merged, are those that one machine builds: byte for byte, for games of every kind that it takes.

use std::fs;
use std::path::{Path, PathBuf};

use cluster::{Cluster, Job, LIST, SharedGame, Trouble};
use engine::monitor::{Limits, Monitor};
use game::Verdict;
use rules::bind::Bound;
use solve::error::SolveError;
use solve::options::{Engine, Options};
use solve::stored::Filling;
use table::{About, BlockReader, TableError};
use testkit::Random;
use testkit::explicit::Aim;
use testkit::files::{bound, game, program};
use testkit::net::{Keeping, Recipe, Spelling, random_net};
use testkit::writer::{Style, Writer};

/// A folder that is gone again at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("perfectplay-cluster-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn about(text: &str, instance: &str) -> About {
    About { name: "game".to_string(), rules: text.to_string(), instance: instance.to_string(), layout: String::new() }
}

fn monitor() -> Monitor {
    Monitor::new(&Limits::default())
}

/// The table of one machine.
fn built(bound: &Bound, about: &About, to: &Path) -> Result<Option<Verdict>, SolveError> {
    let mut monitor = monitor();
    let filling = Filling::new(bound, &Options { threads: 1, ..Options::default() }, false, &mut monitor)?;
    filling.fill(to, about, &mut monitor).unwrap();
    Ok(filling.start())
}

/// Solves a game by so many workers, merges the parts, and says what the start is worth.
fn merged(
    bound: Bound,
    about: &About,
    options: &Options,
    workers: usize,
    (folder, to): (&Path, &Path),
) -> Result<Option<Verdict>, Trouble> {
    let mut monitor = monitor();
    let players = bound.players;
    let game = SharedGame::new(bound, options, monitor.memory().free())?;
    let job = Job { folder: folder.to_path_buf(), about: about.clone(), save_every: None };
    let solved = cluster::solve(game, job, &Cluster::here(workers), &mut monitor, &mut |_| {})?;
    let parts = BlockReader::open(&folder.join(LIST)).unwrap();
    assert_eq!(parts.entries(), solved.positions);
    parts.check(|_| Ok::<(), TableError>(())).unwrap();
    table::merge(&parts, players, to, |_| Ok::<(), TableError>(())).unwrap();
    Ok(solved.start)
}

/// Compares the tables of a game; whether there is one.
fn compare(text: &str, instance: &str, round: usize, scratch: &Scratch) -> bool {
    let program = program(text);
    let bound = || bound(&program, instance);
    let about = about(text, instance);
    let (one, many) = (scratch.0.join("one.table"), scratch.0.join("many.table"));
    let _ = (fs::remove_file(&one), fs::remove_file(&many));
    let expected = built(&bound(), &about, &one);
    let engine = if round.is_multiple_of(2) { Engine::Auto } else { Engine::Interpreted };
    let workers = 1 + round % 5;
    let found = merged(bound(), &about, &Options { engine, ..Options::default() }, workers, (&scratch.0, &many));
    match (expected, found) {
        (Ok(start), Ok(found)) => {
            assert_eq!(found, start, "{workers} workers\n{instance}\n{text}");
            assert!(fs::read(&one).unwrap() == fs::read(&many).unwrap(), "{workers} workers\n{instance}\n{text}");
            true
        }
        (Err(_), Err(_)) => false,
        (Ok(_), Err(Trouble::Solve(SolveError::NotApplicable(_)))) => false,
        (expected, found) => panic!("{expected:?}, and {found:?}\n{instance}\n{text}"),
    }
}

const RECIPE: Recipe = Recipe {
    players: 2,
    aim: Aim::Outcome(None),
    loopy: false,
    results: true,
    owned: false,
    turns: false,
    named: false,
    balanced: false,
};

fn nets(name: &str, count: usize, recipe: impl Fn(&mut Random) -> Recipe) {
    let scratch = Scratch::new(name);
    let mut random = Random::new(7);
    let mut same = 0;
    for round in 0..count {
        let recipe = recipe(&mut random);
        let net = random_net(&mut random, recipe, 24);
        let spelling = if random.one_in(2) { Spelling::Rules } else { Spelling::Numbers };
        let (text, instance) = net.text(spelling, Keeping::Number, true);
        same += usize::from(compare(&text, &instance, round, &scratch));
    }
    assert!(same > count / 3, "{same} of {count}");
}

#[test]
fn outcomes_of_games_that_end() {
    nets("ends", 30, |_| RECIPE);
}

#[test]
fn outcomes_of_games_whose_positions_repeat() {
    nets("repeats", 60, |random| Recipe { loopy: true, owned: random.one_in(2), turns: random.one_in(2), ..RECIPE });
}

#[test]
fn outcomes_where_endless_play_is_won() {
    nets("forever", 60, |random| {
        let aim = Aim::Outcome(Some(random.below(2)));
        Recipe { loopy: true, owned: random.one_in(2), turns: random.one_in(2), aim, ..RECIPE }
    });
}

#[test]
fn nimbers() {
    nets("nimbers", 30, |_| Recipe { results: false, ..RECIPE });
}

#[test]
fn impartial_games_whose_positions_may_repeat() {
    nets("loopy", 30, |_| Recipe { results: false, loopy: true, ..RECIPE });
}

#[test]
fn scores() {
    nets("scores", 30, |random| Recipe { aim: Aim::Difference, turns: random.one_in(2), ..RECIPE });
}

#[test]
fn random_rules_files() {
    let scratch = Scratch::new("random");
    let mut random = Random::new(11);
    let mut same = 0;
    for round in 0..40 {
        let style = if random.one_in(2) { Style::won(&mut random) } else { Style::counted(&mut random, 9) };
        let text = Writer::new(&mut random, style).file();
        same += usize::from(compare(&text, "{}", round, &scratch));
    }
    assert!(same > 15, "{same}");
}

#[test]
fn games_of_the_gallery() {
    let scratch = Scratch::new("gallery");
    let games = ["tic_tac_toe", "chomp", "cat_and_mouse_2", "digraph_token", "toads_and_frogs", "kalah"];
    for (round, name) in games.into_iter().enumerate() {
        assert!(compare(&game(name), "{}", 2 * round + 4, &scratch), "{name}");
    }
}
