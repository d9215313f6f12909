//! Tables of random games of every kind: what is read is what brute force finds, and the checker finds every wrong value.

use std::fs;
use std::path::{Path, PathBuf};

use perfectplay::answer::Verdict;
use perfectplay::language::{Bound, Position, Rules};
use perfectplay::solving::{Engine, Limits, Monitor, Options};
use perfectplay::tables::{self, BlockReader, Extent, Filling, TableFile};
use table::{BlockWriter, Entry, Kind};
use testkit::Random;
use testkit::explicit::Aim;
use testkit::explore::{Explored, explore};
use testkit::net::{Keeping, Recipe, Spelling, random_net};
use testkit::oracle::{Worth, worths};

/// A path that is free again at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("perfectplay-tables-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_file(tables::part_path(&self.0));
    }
}

fn build(rules: &Rules, bound: &Bound, path: &Path, options: &Options) -> Option<u128> {
    let mut monitor = Monitor::new(&Limits::default());
    let filling = Filling::new(bound, options, false, &mut monitor).ok()?;
    let written = filling.fill(path, &tables::about(rules, bound, ""), &mut monitor).unwrap();
    Some(written.hash)
}

/// Compares what a table says of all positions with brute force.
fn compare(bound: &Bound, path: &Path) {
    let Explored::All(graph, positions, _) = explore(bound, 10_000) else { panic!("small games") };
    let truth = worths(&graph).expect("a game that was solved");
    let file = TableFile::open(path).unwrap();
    let (solved, trouble) =
        tables::read(bound, file, &Options::default(), &mut Monitor::new(&Limits::default())).unwrap();
    // Also from the other start, which a table need not have.
    let reached = graph.reachable();
    for node in reached {
        let position = &positions[node];
        let said = solved.verdict(position).unwrap_or_else(|| panic!("no entry for {position:?}"));
        let same = match (&said, truth[node].as_ref().unwrap()) {
            (Verdict::Outcome { outcome, remoteness, .. }, Worth::Outcome(value, moves)) => {
                outcome.sign() == i64::from(*value) && remoteness == moves
            }
            (Verdict::Nimber(_) | Verdict::Loopy(_), Worth::Outcome(value, _)) => {
                said.outcome().unwrap().sign() == i64::from(*value)
            }
            (Verdict::Score(score), Worth::Score(value)) => score == value,
            (Verdict::Payoffs { totals, .. }, Worth::Totals(own, _)) => totals[..] == own[..],
            _ => false,
        };
        assert!(same, "{position:?}: {said:?}, and {:?}", truth[node]);
        moves_agree(&solved, position);
    }
    assert_eq!(trouble.text(), None);
}

/// Every move is rated, and a best one is worth what the position is.
fn moves_agree(solved: &perfectplay::solving::Solved<'_>, position: &Position) {
    let moves = solved.moves(position).unwrap();
    if !moves.is_empty() {
        assert!(moves.iter().any(|mv| mv.best), "{position:?}");
    }
}

fn checked(path: &Path) -> Result<tables::Checked, String> {
    let file = TableFile::open(path).unwrap();
    tables::check(&file, Extent::Whole, &mut Monitor::new(&Limits::default())).map_err(|refusal| refusal.to_string())
}

/// The table with one entry changed by a function; `None` if that changed nothing.
fn spoil(path: &Path, to: &Path, wanted: u64, change: impl Fn(&Verdict) -> Verdict, players: usize) -> Option<()> {
    let file = BlockReader::open(path).unwrap();
    let mut writer = BlockWriter::begin(to, file.about(), file.shape(), players).unwrap();
    let mut changed = None;
    for number in 0..file.entries() {
        let (key, mut entry) = file.nth(number).unwrap().unwrap();
        if number == wanted {
            let verdict = change(&entry.verdict);
            changed = (verdict != entry.verdict).then_some(());
            entry = Entry { verdict, ..entry };
        }
        writer.push(key, &entry).unwrap();
    }
    writer.finish().unwrap();
    changed
}

/// Another value of the same kind.
fn another(verdict: &Verdict, random: u64) -> Verdict {
    match verdict {
        Verdict::Outcome { outcome, remoteness, nimber } => match random % 3 {
            0 => Verdict::Outcome { outcome: -*outcome, remoteness: *remoteness, nimber: *nimber },
            1 => Verdict::Outcome { outcome: *outcome, remoteness: remoteness.map(|moves| moves + 2), nimber: *nimber },
            _ => Verdict::Outcome { outcome: *outcome, remoteness: *remoteness, nimber: nimber.map(|n| n + 1) },
        },
        Verdict::Score(score) => Verdict::Score(score + 1),
        Verdict::Payoffs { totals, unique } => {
            let totals = totals.iter().enumerate().map(|(place, total)| total + i64::from(place == 0)).collect();
            Verdict::Payoffs { totals, unique: *unique }
        }
        Verdict::Nimber(nimber) => Verdict::Nimber(nimber + 1),
        other => other.clone(),
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

/// Builds, reads and checks tables of random nets, and spoils them.
fn nets(name: &str, count: usize, recipe: impl Fn(&mut Random) -> Recipe) {
    let mut random = Random::new(42);
    let (path, other, bad) =
        (Scratch::new(name), Scratch::new(&format!("{name}-other")), Scratch::new(&format!("{name}-bad")));
    let mut built = 0;
    for round in 0..count {
        let recipe = recipe(&mut random);
        let net = random_net(&mut random, recipe, 14);
        let spelling = if random.one_in(2) { Spelling::Rules } else { Spelling::Numbers };
        let (text, instance) = net.text(spelling, Keeping::Number, true);
        let rules = Rules { name: "net".to_string(), source: text };
        let Ok(bound) = rules.bind(&instance) else { continue };
        let Some(hash) = build(&rules, &bound, &path.0, &Options::default()) else { continue };
        built += 1;
        compare(&bound, &path.0);
        let checked = checked(&path.0);
        assert!(checked.as_ref().is_ok_and(|checked| checked.whole), "{checked:?}\n{}", rules.source);
        // Another engine, one thread: the same file.
        let options = Options { engine: Engine::Interpreted, threads: 1, ..Options::default() };
        assert_eq!(build(&rules, &bound, &other.0, &options), Some(hash));
        assert!(fs::read(&path.0).unwrap() == fs::read(&other.0).unwrap());
        let entries = BlockReader::open(&path.0).unwrap().entries();
        let (wanted, how) = (random.below(entries as usize) as u64, round as u64);
        if spoil(&path.0, &bad.0, wanted, |verdict| another(verdict, how), bound.players).is_some() {
            assert!(self::checked(&bad.0).is_err(), "a wrong value at {wanted}\n{}", rules.source);
        }
    }
    assert!(built > count / 3, "{built} of {count}");
}

#[test]
fn outcomes_of_games_that_end() {
    nets("ends", 60, |_| RECIPE);
}

#[test]
fn outcomes_of_games_whose_positions_repeat() {
    nets("repeats", 80, |random| Recipe { loopy: true, owned: random.one_in(2), ..RECIPE });
}

#[test]
fn outcomes_where_endless_play_is_won() {
    nets("forever", 80, |random| {
        let aim = Aim::Outcome(Some(random.below(2)));
        Recipe { loopy: true, owned: random.one_in(2), turns: random.one_in(2), aim, ..RECIPE }
    });
}

#[test]
fn nimbers() {
    nets("nimbers", 60, |_| Recipe { results: false, ..RECIPE });
}

#[test]
fn partizan_games() {
    nets("partizan", 60, |_| Recipe { owned: true, results: false, ..RECIPE });
}

#[test]
fn scores() {
    nets("scores", 60, |random| Recipe { aim: Aim::Difference, turns: random.one_in(2), ..RECIPE });
}

#[test]
fn payoffs_of_several_players() {
    nets("payoffs", 60, |random| Recipe {
        aim: if random.one_in(2) { Aim::Own } else { Aim::Winners },
        players: 3,
        named: true,
        ..RECIPE
    });
}

/// Every gallery game that is small enough, with sums and boards among them.
#[test]
fn games_of_the_gallery() {
    let path = Scratch::new("gallery");
    let games =
        ["nim", "kayles", "misere_nim", "toads_and_frogs", "clobber_board", "hackenbush_strings", "rows_and_stacks"];
    for name in games.into_iter().chain(["digraph_tokens", "digraph_token", "cat_and_mouse_2", "centipede", "kalah"]) {
        let rules = Rules::gallery(name).unwrap();
        let bound = rules.bind("{}").unwrap();
        let _ = fs::remove_file(&path.0);
        build(&rules, &bound, &path.0, &Options::default()).unwrap_or_else(|| panic!("{name} is not built"));
        if let Explored::All(..) = explore(&bound, 10_000) {
            compare(&bound, &path.0);
        }
        let checked = checked(&path.0);
        assert!(checked.is_ok(), "{name}: {checked:?}");
    }
}

/// A game of which only a share is compared says so.
#[test]
fn a_share_proves_nothing() {
    let path = Scratch::new("share");
    let rules = Rules::gallery("tic_tac_toe").unwrap();
    let bound = rules.bind("{}").unwrap();
    build(&rules, &bound, &path.0, &Options::default()).unwrap();
    let file = TableFile::open(&path.0).unwrap();
    let share = Extent::Share { share: 0.1, seed: 3 };
    let checked = tables::check(&file, share, &mut Monitor::new(&Limits::default())).unwrap();
    assert_eq!((checked.compared, checked.whole), (548, false));
}

/// An option that is missing, or a start, shows.
#[test]
fn positions_that_are_missing_show() {
    let (path, bad) = (Scratch::new("whole"), Scratch::new("missing"));
    let rules = Rules::gallery("chomp").unwrap();
    let bound = rules.bind("{}").unwrap();
    build(&rules, &bound, &path.0, &Options::default()).unwrap();
    let file = BlockReader::open(&path.0).unwrap();
    assert!(matches!(file.shape().kind, Kind::Outcomes { nimbers: true }));
    for missing in 0..file.entries() {
        let mut writer = BlockWriter::begin(&bad.0, file.about(), file.shape(), 2).unwrap();
        for number in (0..file.entries()).filter(|number| *number != missing) {
            let (key, entry) = file.nth(number).unwrap().unwrap();
            writer.push(key, &entry).unwrap();
        }
        writer.finish().unwrap();
        let refusal = checked(&bad.0).unwrap_err();
        assert!(refusal.contains("has no entry"), "{refusal}");
    }
}
