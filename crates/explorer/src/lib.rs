//! The explorer: a server and a page to see a game, play it, and understand it.
//!
//! The server works out nothing about games itself. Solves run in worker processes: the same binary, started with a hidden
//! command, which reads questions from its standard input and writes answers to its standard output (`worker`). A worker that
//! takes too long or too much memory is ended and started anew, so that no rules text can stop the server. Workers stand in lanes
//! (`lane`): quick answers, answers that take a little longer, or some seconds, rules being checked, and jobs. A question begins in
//! the quick lane and is asked again in the next one where it is too much. Slower lanes step back behind quick ones, so a small question never waits for a large one.
//!
//! A question comes to `server`, which gives it to a lane; a worker finds the session of the game (`answers/session.rs`), looks at the
//! position (`perfectplay::view`), has it drawn (`perfectplay::scene`) and put in words (`perfectplay::words`). Its JSON is made in
//! `perfectplay::json::explorer` and described by `openapi.json`; what the command line prints too is described in `docs/schema.json` and
//! added when it is served. Limits are in `settings`.
//!
//! | module | what it is about |
//! |---|---|
//! | `question` | what is asked: a game, an instance, where play stands |
//! | `answers` | one question, one answer, in a worker |
//! | `worker`, `lane` | processes that answer, seen from inside and from outside |
//! | `clock` | how long a question may take |
//! | `budget` | how many workers there are, and how much memory all may take together |
//! | `kept` | answers that are kept, and questions that were found to be heavy |
//! | `sending` | answers on their way out, bounded together |
//! | `jobs` | long work, with progress and a way to cancel it |
//! | `server`, `guard`, `body`, `page` | HTTP: what is routed where, who may ask, bodies of requests, the files of the page |
//! | `export` | one page with one solved game, to keep |

mod answers;
mod body;
mod budget;
mod clock;
mod export;
mod guard;
mod jobs;
mod kept;
mod lane;
mod page;
mod question;
mod reply;
mod say;
mod sending;
mod server;
mod settings;
mod stream;
mod worker;

pub use budget::{Budget, TooMuch, Wishes};
pub use export::{ExportError, MOST_POSITIONS, export};
pub use server::serve;
pub use settings::Settings;
pub use worker::{leave, work};
