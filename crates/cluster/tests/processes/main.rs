//! Clusters of processes on this machine: this test is also the processes that it starts, so that it needs nothing but Rust.
//!
//! `CLUSTER_LONG=1 cargo test -p perfectplay-cluster --test processes` kills more of them.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

use cluster::{Cluster, Hosts, Job, LIST, SharedGame, TroubleKind};
use engine::monitor::{Limits, Monitor};
use rules::bind::Bound;
use solve::options::Options;
use solve::stored::Filling;
use table::{About, BlockReader, TableError};
use testkit::Random;
use testkit::files::{bound, game, program};

/// The first argument of a process.
const PROCESS: &str = "process";
/// The exit codes of a process, besides 0.
const LIMIT: u8 = 3;
const LOST: u8 = 4;
const OTHER: u8 = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == PROCESS) {
        return process(&words[1..]);
    }
    // What `cargo test NAME` asks for.
    let wanted = words.iter().find(|word| !word.starts_with('-'));
    type Test = (&'static str, fn());
    let tests: [Test; 5] = [
        ("processes_find_what_one_machine_finds", processes_find_what_one_machine_finds),
        ("a_process_that_is_killed_ends_the_run", a_process_that_is_killed_ends_the_run),
        ("a_process_without_memory_ends_the_run", a_process_without_memory_ends_the_run),
        ("another_game_is_refused", another_game_is_refused),
        ("who_does_not_come_is_named", who_does_not_come_is_named),
    ];
    for (name, test) in tests {
        if wanted.is_none_or(|wanted| name.contains(wanted.as_str())) {
            let began = Instant::now();
            test();
            println!("test {name} ... ok ({:.1} s)", began.elapsed().as_secs_f64());
        }
    }
    ExitCode::SUCCESS
}

fn load(name: &str, instance: &str) -> (Bound, About) {
    let text = game(name);
    let bound = bound(&program(&text), instance);
    let text_of = |text: &str| text.to_string();
    (bound, About { name: text_of(name), rules: text, instance: text_of(instance), layout: String::new() })
}

/// Is a process: hosts, number, workers, memory, patience in seconds, folder, game, instance.
fn process(words: &[String]) -> ExitCode {
    let [hosts, number, workers, memory, patience, folder, name, instance] = words else { panic!("{words:?}") };
    let (bound, about) = load(name, instance);
    let mut monitor = Monitor::new(&Limits { memory: memory.parse().unwrap(), time: None });
    let game = SharedGame::new(bound, &Options::default(), monitor.memory().free()).unwrap();
    let cluster = Cluster {
        hosts: Some(Hosts::read(hosts).unwrap()),
        process: number.parse().unwrap(),
        workers: workers.parse().unwrap(),
        patience: Duration::from_secs(patience.parse().unwrap()),
    };
    let job = Job {
        folder: PathBuf::from(folder),
        about,
        save_every: std::env::var_os("CLUSTER_UNSAVED").is_none().then_some(Duration::ZERO),
    };
    match cluster::solve(game, job, &cluster, &mut monitor, &mut |said| eprintln!("{said}")) {
        Ok(_) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::from(match trouble.kind() {
                TroubleKind::Limit => LIMIT,
                TroubleKind::Lost => LOST,
                _ => OTHER,
            })
        }
    }
}

/// A folder that is gone again at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("perfectplay-processes-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// So many free ports here.
fn hosts(count: usize) -> String {
    let listeners: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    listeners.iter().map(|listener| format!("{}\n", listener.local_addr().unwrap())).collect()
}

/// What a process is told beside its number.
#[derive(Clone, Copy)]
struct Told<'t> {
    workers: usize,
    memory: u64,
    patience: u64,
    game: (&'t str, &'t str),
}

const TOLD: Told<'static> = Told { workers: 1, memory: 1 << 28, patience: 60, game: ("tic_tac_toe", "{}") };

fn start(hosts: &str, number: usize, told: Told<'_>, folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(PROCESS).arg(hosts).arg(number.to_string()).arg(told.workers.to_string()).arg(told.memory.to_string());
    command.arg(told.patience.to_string()).arg(folder).arg(told.game.0).arg(told.game.1);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn outputs(children: Vec<Child>) -> Vec<Output> {
    children.into_iter().map(|child| child.wait_with_output().unwrap()).collect()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Builds the table of one machine, and compares it with the parts in a folder.
fn compare(told: Told<'_>, folder: &Path) {
    let (bound, about) = load(told.game.0, told.game.1);
    let mut monitor = Monitor::new(&Limits::default());
    let (one, many) = (folder.join("one.table"), folder.join("many.table"));
    let filling = Filling::new(&bound, &Options { threads: 1, ..Options::default() }, false, &mut monitor).unwrap();
    filling.fill(&one, &about, &mut monitor).unwrap();
    let parts = BlockReader::open(&folder.join(LIST)).unwrap();
    table::merge(&parts, bound.players, &many, |_| Ok::<(), TableError>(())).unwrap();
    assert!(fs::read(&one).unwrap() == fs::read(&many).unwrap());
}

fn processes_find_what_one_machine_finds() {
    let games = [("tic_tac_toe", "{}"), ("cat_and_mouse_2", "{}"), ("chomp", "{}")];
    for (round, (processes, workers)) in [(2, 1), (3, 1), (2, 2), (8, 1)].into_iter().enumerate() {
        let scratch = Scratch::new(&format!("alike-{processes}-{workers}"));
        let told = Told { workers, game: games[round % games.len()], ..TOLD };
        let hosts = hosts(processes);
        let children = (0..processes).map(|number| start(&hosts, number, told, &scratch.0)).collect();
        for output in outputs(children) {
            assert!(output.status.success(), "{}", text(&output));
        }
        compare(told, &scratch.0);
    }
}

fn a_process_that_is_killed_ends_the_run() {
    let rounds = if std::env::var_os("CLUSTER_LONG").is_some() { 30 } else { 3 };
    let mut random = Random::new(u64::from(std::process::id()));
    for round in 0..rounds {
        let scratch = Scratch::new(&format!("killed-{round}"));
        let told = Told { game: ("m_n_k", r#"{"rows": 3, "columns": 4, "k": 3}"#), patience: 15, ..TOLD };
        let hosts = hosts(3);
        let mut children: Vec<Child> = (0..3).map(|number| start(&hosts, number, told, &scratch.0)).collect();
        std::thread::sleep(Duration::from_millis(200 + random.below(2000_u64)));
        let mut victim = children.remove(random.below(3_usize));
        let _ = victim.kill();
        let ended = !victim.wait().unwrap().success();
        let began = Instant::now();
        for output in outputs(children) {
            // One that was never met is waited for; one that had what it needed is not missed.
            let code = output.status.code().unwrap_or(-1);
            assert!(code == i32::from(LOST) || code == 0, "{code}: {}", text(&output));
            assert!(
                !ended || code == 0 || text(&output).contains("is gone") || text(&output).contains("did not answer")
            );
        }
        assert!(began.elapsed() < Duration::from_secs(told.patience + 20), "{:?}", began.elapsed());
        if scratch.0.join(LIST).exists() {
            compare(told, &scratch.0);
            continue;
        }
        if random.one_in(2) {
            cut_a_snapshot(&mut random, &scratch.0);
        }
        // The same processes go on.
        let hosts = self::hosts(3);
        for output in outputs((0..3).map(|number| start(&hosts, number, told, &scratch.0)).collect()) {
            assert!(output.status.success(), "{}", text(&output));
        }
        compare(told, &scratch.0);
        assert!(snapshots(&scratch.0).is_empty());
    }
}

/// The snapshots in a folder.
fn snapshots(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.to_string_lossy().contains(".table.part.")).collect()
}

/// Cuts one of the snapshots in a folder short.
fn cut_a_snapshot(random: &mut Random, folder: &Path) {
    let all = snapshots(folder);
    if let Some(path) = all.get(random.below(all.len().max(1))) {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..random.below(bytes.len().max(1))]).unwrap();
    }
}

fn a_process_without_memory_ends_the_run() {
    let scratch = Scratch::new("memory");
    let told = Told { game: ("m_n_k", r#"{"rows": 3, "columns": 4, "k": 3}"#), ..TOLD };
    let hosts = hosts(2);
    let small = Told { memory: 1 << 20, ..told };
    let children = vec![start(&hosts, 0, told, &scratch.0), start(&hosts, 1, small, &scratch.0)];
    for output in outputs(children) {
        assert_eq!(output.status.code(), Some(i32::from(LIMIT)), "{}", text(&output));
    }
    assert!(!scratch.0.join(LIST).exists());
}

fn another_game_is_refused() {
    let scratch = Scratch::new("other");
    let hosts = hosts(2);
    let other = Told { game: ("chomp", "{}"), ..TOLD };
    let children = vec![start(&hosts, 0, TOLD, &scratch.0), start(&hosts, 1, other, &scratch.0)];
    let outputs = outputs(children);
    assert!(outputs.iter().any(|output| text(output).contains("solves another game")), "{outputs:?}");
    assert!(outputs.iter().all(|output| !output.status.success()), "{outputs:?}");
}

fn who_does_not_come_is_named() {
    let scratch = Scratch::new("missing");
    let hosts = hosts(2);
    let told = Told { patience: 1, ..TOLD };
    let output = start(&hosts, 0, told, &scratch.0).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(i32::from(LOST)));
    assert!(text(&output).contains("process 1 at 127.0.0.1"), "{}", text(&output));
}
