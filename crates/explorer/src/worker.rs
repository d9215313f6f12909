//! A worker process, seen from inside: it reads questions from standard input, one a line, and writes answers to standard output.
//!
//! ```text
//! position 300 536870912 0 {"game":"nim"}      which question, milliseconds, bytes, whether progress is told, the question
//! P {"phase":"…"}                              how far it is
//! A 200 0 {"game":"nim", …}                    the status, whether a limit was reached, the answer
//! ```
//!
//! It answers one question at a time. Who asks ends it where it takes too much.
//!
//! A signal ends it: at once where it has nothing to do, else when its question is answered, or after twenty seconds. So a signal to
//! the server and all its workers lets what runs finish.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, SystemTime};

use perfectplay::json::{ErrorObject, usage};

use crate::answers::session::{Work, live};
use crate::answers::{self, Allowed};
use crate::clock;
use crate::question::{Question, QuestionKind, cut};
use crate::reply::Reply;
use crate::say::say;

/// So many games are kept.
pub const MOST_GAMES: usize = 12;
/// As many bytes may be kept by games that nobody asks for just now.
const MOST_BYTES: u64 = 256 << 20;
/// The stack of a session.
const STACK: usize = 16 << 20;

/// A game that is kept.
struct KeptGame {
    key: String,
    work: Sender<Work>,
    bytes: u64,
}

/// Set while a question is being answered.
static BUSY: AtomicBool = AtomicBool::new(false);
/// Set when somebody has asked this process to end.
static LEAVING: AtomicBool = AtomicBool::new(false);
/// How long a question may go on after that.
const FAREWELL: Duration = Duration::from_secs(20);

/// Somebody asks the worker to end.
pub fn leave() {
    if LEAVING.swap(true, Ordering::SeqCst) || !BUSY.load(Ordering::SeqCst) {
        exit(0);
    }
    let waiting = thread::Builder::new().stack_size(1 << 16).spawn(|| {
        thread::sleep(FAREWELL);
        exit(0);
    });
    if waiting.is_err() {
        exit(0);
    }
}

/// Has this process step back behind others by so many steps.
#[cfg(unix)]
fn step_back(nice: i32) {
    // A worker that may not step back only takes more of the processor.
    let _ = rustix::process::nice(nice);
}

#[cfg(not(unix))]
fn step_back(_: i32) {}

/// Answers questions until standard input ends, `nice` steps behind other processes. `tables` are the table files that may be
/// asked for by name.
///
/// Questions are read by a thread of their own, which ends the process when no more can come: a server that was killed leaves no
/// worker behind, however long its last question would take.
pub fn work(tables: &[PathBuf], nice: i32) {
    // Threads that are started later do so too.
    step_back(nice);
    let (send, questions) = channel();
    let reading = thread::Builder::new().spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if send.send(line).is_err() {
                break;
            }
        }
        exit(0);
    });
    if reading.is_err() {
        return;
    }
    let mut kept: Vec<KeptGame> = Vec::new();
    for line in questions {
        BUSY.store(true, Ordering::SeqCst);
        let Reply { status, limited, body } = answer(&line, &mut kept, tables);
        clock::rest();
        say(&format!("A {status} {} {body}", u8::from(limited)));
        BUSY.store(false, Ordering::SeqCst);
        if LEAVING.load(Ordering::SeqCst) {
            exit(0);
        }
    }
}

fn answer(line: &str, kept: &mut Vec<KeptGame>, tables: &[PathBuf]) -> Reply {
    let mut words = line.splitn(5, ' ');
    let mut next = || words.next().unwrap_or_default();
    let (kind, time, memory, telling, body) = (next(), next(), next(), next(), next());
    let allowed = Allowed {
        time: Duration::from_millis(time.parse().unwrap_or(1000)),
        memory: memory.parse().unwrap_or(256 << 20),
        telling: telling == "1",
    };
    clock::begin(allowed.time);
    let Some(kind) = QuestionKind::find(kind) else {
        return Reply::failed(&usage(&format!("there is no question `{}`", cut(kind)), None));
    };
    if kind == QuestionKind::Tables {
        return answers::tables(tables, &allowed);
    }
    let question = match Question::read(body) {
        Ok(question) => question,
        Err(reply) => return reply,
    };
    if kind == QuestionKind::Check {
        return in_thread(move || answers::check(&question, &allowed));
    }
    let table = match question.table.as_deref().map(|name| table(name, tables)).transpose() {
        Ok(table) => table,
        Err(error) => return Reply::failed(&error),
    };
    asked(kind, question, allowed, table, kept)
}

/// The path of a table file by its name.
fn table(name: &str, tables: &[PathBuf]) -> Result<PathBuf, ErrorObject> {
    let is_it = |path: &&PathBuf| path.file_name().is_some_and(|known| known.to_string_lossy() == name);
    tables.iter().find(is_it).cloned().ok_or_else(|| {
        let help = "`perfectplay serve --table FILE` opens table files";
        usage(&format!("there is no table `{}` here", cut(name)), Some(help))
    })
}

/// Does something with a large stack.
fn in_thread(work: impl FnOnce() -> Reply + Send + 'static) -> Reply {
    let thread = thread::Builder::new().stack_size(STACK).spawn(work);
    thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(broken)
}

/// A mistake of ours.
fn broken() -> Reply {
    let message = "a mistake in perfectplay itself: the work ended without an answer".to_string();
    Reply::failed(&ErrorObject::internal(message))
}

/// When a file was written, and how long it is: another one has another session.
fn written(path: &Path) -> Option<(SystemTime, u64)> {
    let about = path.metadata().ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// Asks the session of a game, which is begun where there is none.
fn asked(
    kind: QuestionKind,
    question: Question,
    allowed: Allowed,
    table: Option<PathBuf>,
    kept: &mut Vec<KeptGame>,
) -> Reply {
    let key = format!("{} {:?}", question.key(), table.as_deref().and_then(written));
    let known = kept.iter().position(|known| known.key == key).map(|known| kept.remove(known));
    make_room(kept, allowed.memory);
    // What others keep counts.
    let others: u64 = kept.iter().map(|known| known.bytes).sum();
    let (send, receive) = channel();
    let mut work = Work { kind, question, allowed, reply: send };
    if let Some(known) = known {
        match known.work.send(work) {
            Ok(()) => return heard(Some(known), &receive, kept, others),
            Err(back) => work = back.0,
        }
    }
    let (begin, works) = channel();
    let begun = thread::Builder::new().stack_size(STACK).spawn(move || live(&works, table.as_deref()));
    let asked = begun.is_ok() && begin.send(work).is_ok();
    heard(asked.then_some(KeptGame { key, work: begin, bytes: 0 }), &receive, kept, others)
}

/// The reply of a session, which is kept where it has a game.
fn heard(
    session: Option<KeptGame>,
    receive: &Receiver<(Reply, Option<u64>)>,
    kept: &mut Vec<KeptGame>,
    others: u64,
) -> Reply {
    match (session, receive.recv()) {
        (Some(mut session), Ok((reply, Some(bytes)))) => {
            session.bytes = bytes;
            kept.push(session);
            forget(kept, others);
            reply
        }
        // There is no game to be kept.
        (Some(_), Ok((reply, None))) => reply,
        _ => broken(),
    }
}

/// Forgets games for which a question with such a limit leaves no room: the whole process is measured.
fn make_room(kept: &mut Vec<KeptGame>, memory: u64) {
    let mut held = kept.iter().fold(0, |all: u64, known| all.saturating_add(known.bytes));
    while !kept.is_empty() && held > memory / 8 {
        held = held.saturating_sub(kept.remove(0).bytes);
    }
}

/// Forgets games that nobody has asked for lately.
fn forget(kept: &mut Vec<KeptGame>, others: u64) {
    let mut left = others;
    while kept.len() > 1 && (kept.len() > MOST_GAMES || left > MOST_BYTES) {
        left = left.saturating_sub(kept.remove(0).bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(bytes: &[u64]) -> Vec<KeptGame> {
        bytes
            .iter()
            .enumerate()
            .map(|(at, bytes)| KeptGame { key: at.to_string(), work: channel().0, bytes: *bytes })
            .collect()
    }

    fn keys(kept: &[KeptGame]) -> String {
        kept.iter().map(|game| game.key.as_str()).collect()
    }

    #[test]
    fn games_make_room_for_a_question_of_little_memory() {
        for (memory, left) in [(8000, "012"), (800, "012"), (799, "12"), (480, "12"), (479, "2"), (8, "")] {
            let mut kept = games(&[40, 20, 40]);
            make_room(&mut kept, memory);
            assert_eq!(keys(&kept), left, "{memory}");
        }
    }

    #[test]
    fn the_games_that_were_asked_for_last_are_kept() {
        let mut kept = games(&[1; MOST_GAMES + 2]);
        forget(&mut kept, MOST_GAMES as u64);
        assert_eq!((kept.len(), kept[0].key.as_str()), (MOST_GAMES, "2"));
        let mut kept = games(&[MOST_BYTES, 1, 5]);
        forget(&mut kept, MOST_BYTES + 1);
        assert_eq!(keys(&kept), "12");
        // The game that was just asked for stays, however large it is.
        let mut kept = games(&[u64::MAX]);
        forget(&mut kept, u64::MAX);
        assert_eq!(keys(&kept), "0");
    }
}
