//! The server: what is routed where. Every question goes to a lane of workers; nothing about a game is worked out here.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use perfectplay::json::explorer::{About, gallery};
use perfectplay::json::{self, ErrorObject, LimitKind, Refusal, RefusalUnit, refused_request, usage};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::body::Room;
use crate::jobs::{self, Jobs};
use crate::kept::{AnswerCache, RecentNumbers, hash};
use crate::lane::{Lane, Queue, Start, Task, TaskEnd};
use crate::question::{Question, QuestionKind};
use crate::reply::Reply;
use crate::sending::{Sending, shared};
use crate::settings::{CONNECTIONS, HEAD_TIME, Settings, WRITE_TIME, wall};
use crate::stream::Stream;
use crate::{guard, page};

/// A quick answer takes no more of the processor than this, else it is for the next lane. Questions about small games take up to
/// 20 ms, so that a machine may be four times as slow. Who asks for more keeps the others waiting for no longer than this.
const QUICK: Duration = Duration::from_millis(80);
/// How much of the processor the next lane has, before a question is for the slow one.
const MIDDLE: Duration = Duration::from_millis(300);
/// How long rules may be checked.
const CHECK: Duration = Duration::from_millis(400);
/// How long jobs may go on after somebody asked the server to end, and then how long requests may.
const FAREWELL: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(20)];

/// How far the workers of a lane step back behind others, in steps of `nice`. Work that takes long gets the processor when small
/// questions leave it.
struct Nice;

impl Nice {
    const QUICK: i32 = 0;
    const CHECKING: i32 = 3;
    const MIDDLE: i32 = 1;
    const SLOW: i32 = 6;
    const JOBS: i32 = 15;
}

/// All that the server has.
struct Server {
    settings: Settings,
    games: Bytes,
    about: Bytes,
    quick: Arc<Lane>,
    middle: Arc<Lane>,
    slow: Arc<Lane>,
    checking: Arc<Lane>,
    working: Arc<Lane>,
    jobs: Jobs,
    cache: AnswerCache,
    /// Questions that were no quick work.
    heavy: RecentNumbers,
    room: Room,
    sending: Sending,
    /// Set when somebody has asked the server to end.
    ending: AtomicBool,
}

impl Server {
    fn new(settings: Settings) -> Server {
        let start = |nice: i32| {
            let mut words = settings.command.clone();
            words.extend(["--nice".to_string(), nice.to_string(), "--".to_string()]);
            words.extend(settings.tables.iter().map(|path| path.to_string_lossy().into_owned()));
            Start { program: settings.program.clone(), words }
        };
        let lane = |nice: i32, workers: usize, most: usize, patience: u64| {
            let queue = Queue { most, patience: Duration::from_secs(patience) };
            Arc::new(Lane::new(start(nice), workers, queue))
        };
        let budget = settings.budget;
        Server {
            quick: lane(Nice::QUICK, budget.quick.workers, 1000, 20),
            middle: lane(Nice::MIDDLE, budget.middle.workers, 1000, 20),
            slow: lane(Nice::SLOW, budget.slow.workers, 32, 6),
            checking: lane(Nice::CHECKING, budget.checking.workers, 100, 4),
            working: lane(Nice::JOBS, budget.jobs.workers, jobs::MOST, 24 * 3600),
            games: gallery().into(),
            about: json::text(&About::new(settings.limits())).into(),
            jobs: Jobs::default(),
            cache: AnswerCache::default(),
            heavy: RecentNumbers::default(),
            room: Room::default(),
            sending: Sending::default(),
            ending: AtomicBool::new(false),
            settings,
        }
    }
}

/// Answers until somebody asks it to end. `ready` is told the address at which it listens.
pub fn serve(settings: Settings, ready: impl FnOnce(std::net::SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(settings.listen).await?;
        let at = listener.local_addr()?;
        let server = Arc::new(Server::new(settings));
        let asked = ended();
        ready(at);
        listen(listener, &server, asked).await;
        Ok(())
    });
    // What still runs is dropped, and its workers are ended with it.
    runtime.shutdown_timeout(Duration::from_secs(2));
    served
}

/// Comes when somebody asks the program to end.
#[cfg(unix)]
fn ended() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (terminated, interrupted) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    async move {
        let (Ok(mut terminated), Ok(mut interrupted)) = (terminated, interrupted) else {
            return std::future::pending().await;
        };
        let first = std::pin::pin!(terminated.recv());
        let second = std::pin::pin!(interrupted.recv());
        either(first, second).await;
    }
}

#[cfg(not(unix))]
fn ended() -> impl Future<Output = ()> {
    async {
        // Without a handler Ctrl-C simply ends the program.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}

/// Comes when one of two does.
async fn either<A, B>(mut first: impl Future<Output = A> + Unpin, mut second: impl Future<Output = B> + Unpin) {
    use std::pin::Pin;
    use std::task::Poll;
    std::future::poll_fn(|context| {
        let ready = Pin::new(&mut first).poll(context).is_ready() || Pin::new(&mut second).poll(context).is_ready();
        if ready { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Takes connections until it is asked to end; then what runs may finish. Connections that are there may still ask how far a job is.
async fn listen(listener: TcpListener, server: &Arc<Server>, asked: impl Future<Output = ()>) {
    let routes = routes(server);
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(64 << 10);
    let taking = async {
        loop {
            let Ok(free) = Arc::clone(&room).acquire_owned().await else { return };
            let Ok((stream, _)) = listener.accept().await else {
                // Too many files are open, or the other side is gone.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            // Answers are small: they go out at once.
            let _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(routes.clone());
            let connection =
                graceful.watch(http.serve_connection(TokioIo::new(Stream::new(stream, WRITE_TIME)), service));
            tokio::spawn(async move {
                // A connection that breaks is no harm.
                let _ = connection.await;
                drop(free);
            });
        }
    };
    either(Box::pin(taking), Box::pin(asked)).await;
    server.ending.store(true, Ordering::SeqCst);
    drop(listener);
    let jobs_end = async {
        while server.jobs.open() > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    // Jobs that take longer than that are cancelled, and told so to who asks.
    let _ = timeout(FAREWELL[0], jobs_end).await;
    server.jobs.cancel_all();
    let _ = timeout(FAREWELL[1], graceful.shutdown()).await;
    for lane in [&server.quick, &server.middle, &server.slow, &server.checking, &server.working] {
        lane.close();
    }
}

fn routes(server: &Arc<Server>) -> axum::Router {
    let mut routes = axum::Router::new()
        .route(
            "/api/v1/openapi.json",
            get(async |headers: HeaderMap| page::answer("openapi.json", &page::OPENAPI, &headers)),
        )
        .route("/api/v1/about", get(async |State(server): State<Arc<Server>>| json_answer(200, server.about.clone())))
        .route("/api/v1/games", get(async |State(server): State<Arc<Server>>| json_answer(200, server.games.clone())))
        .route("/api/v1/games/{name}", get(rules))
        .route("/api/v1/tables", get(tables))
        .route("/api/v1/jobs", post(start_job))
        .route("/api/v1/jobs/{job}", get(job).delete(cancel_job));
    for kind in QuestionKind::posted() {
        let asked =
            async move |State(server): State<Arc<Server>>, request: Request| asked(&server, kind, request).await;
        routes = routes.route(&format!("/api/v1/{}", kind.name()), post(asked));
    }
    routes
        .fallback(file)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(Arc::clone(server), guarded))
        .with_state(Arc::clone(server))
}

/// Lets requests through that may come, and has every answer protect who gets it.
async fn guarded(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut response = match guard::refused(request.method(), request.headers(), &server.settings.hosts) {
        Some(refused) => reply(&refused),
        None if request.method() == Method::POST && server.ending.load(Ordering::SeqCst) => {
            reply(&Reply::new(503, &refused_request("the server is ending", None, None)))
        }
        None => next.run(request).await,
    };
    guard::protect(response.headers_mut());
    response
}

fn json_answer(status: u16, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if status == 503 || status == 429 {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    }
    response
}

fn reply(reply: &Reply) -> Response {
    json_answer(reply.status, reply.body.clone())
}

/// An answer that may be large, in parts.
fn send(server: &Server, status: u16, parts: impl IntoIterator<Item = Bytes>) -> Response {
    match server.sending.body(parts) {
        Some(body) => json_answer(status, body),
        None => reply(&busy()),
    }
}

fn busy() -> Reply {
    Reply::new(503, &refused_request("too much is going on", Some("try again in some seconds"), None))
}

async fn file(request: Request) -> Response {
    let name = match request.uri().path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    match page::file(name) {
        Some(text) if matches!(*request.method(), Method::GET | Method::HEAD) => {
            page::answer(name, text, request.headers())
        }
        Some(_) => wrong_method().await,
        None => reply(&Reply::new(404, &usage("there is nothing of this name", None))),
    }
}

async fn wrong_method() -> Response {
    reply(&Reply::new(405, &usage("this path has no such method", None)))
}

/// A part of a path, which has to be text.
type Name = Result<Path<String>, PathRejection>;

fn no_text() -> Response {
    reply(&Reply::new(400, &usage("the path is no UTF-8", None)))
}

async fn rules(name: Name) -> Response {
    let Ok(Path(name)) = name else { return no_text() };
    match perfectplay::gallery::find(&name) {
        Some(source) => json_answer(200, json::text(&json::game(&name, source))),
        None => {
            let near = perfectplay::gallery::similar(&name).map(|near| format!("did you mean `{near}`?"));
            reply(&Reply::new(404, &usage("there is no game of this name", near.as_deref())))
        }
    }
}

async fn tables(State(server): State<Arc<Server>>) -> Response {
    let answer = async { Arc::new(answered(&server, QuestionKind::Tables, "{}".into(), hash("tables")).await) };
    let found = in_time(&server, answer).await;
    send(&server, found.status, [shared(&found)])
}

/// The reply to whoever asked for a task, also where its worker had to be ended.
fn reply_to(end: TaskEnd, task: &Task) -> Reply {
    let unsolved =
        |message: String, limit| Reply { limited: true, ..Reply::new(422, &ErrorObject::limit(message, limit, None)) };
    let time = task.time.as_secs_f64();
    match end {
        TaskEnd::Answer(reply) => reply,
        TaskEnd::Late => unsolved(format!("it took longer than the {time} s that are allowed"), LimitKind::Time),
        TaskEnd::Slow => too_slow(wall(task.time)),
        TaskEnd::Large => unsolved(
            format!("it took more than the {} bytes of memory that are allowed", task.memory),
            LimitKind::Memory,
        ),
        TaskEnd::Long => unsolved("the answer is too long for the server".to_string(), LimitKind::Memory),
        TaskEnd::Busy => busy(),
        TaskEnd::Died => Reply::new(500, &ErrorObject::internal("the work ended without an answer".to_string())),
    }
}

/// The reply where the clock on the wall ran out before the one of the processor did.
fn too_slow(longest: Duration) -> Reply {
    let size = Refusal { asked: None, allowed: longest.as_secs(), unit: RefusalUnit::Seconds };
    let message = "the machine has too much else to do: no answer came in time";
    Reply::new(503, &refused_request(message, Some("try again later"), Some(size)))
}

/// Has an answer come in time by the clock on the wall, or not at all.
async fn in_time(server: &Server, answer: impl Future<Output = Arc<Reply>>) -> Arc<Reply> {
    let longest = wall(server.settings.seconds);
    timeout(longest, answer).await.unwrap_or_else(|_| Arc::new(too_slow(longest)))
}

/// One question, one answer.
async fn asked(server: &Server, kind: QuestionKind, request: Request) -> Response {
    let body = match server.room.read(request).await {
        Ok(body) => body,
        Err(refused) => return reply(&refused),
    };
    let found = in_time(server, known_or_answered(server, kind, &body.text)).await;
    send(server, found.status, [shared(&found)])
}

/// The answer to a question, which may be known.
async fn known_or_answered(server: &Server, kind: QuestionKind, body: &str) -> Arc<Reply> {
    let question = format!("{} {body}", kind.name());
    // A table file may be mended or replaced at any time.
    let (key, is_kept) = match Question::read(body) {
        Ok(question) => (hash(&question.key()), question.table.is_none()),
        Err(refused) => return Arc::new(refused),
    };
    // A job may have brought more since.
    if let Some(kept) = server.cache.get(&question).filter(|kept| !kept.limited || !server.working.holds(key)) {
        return kept;
    }
    let found = Arc::new(answered(server, kind, body.into(), key).await);
    if is_kept {
        server.cache.keep(&question, &found);
    }
    found
}

/// Has workers answer: those for small questions first, and those of the next lane where it is too much for these. What was too
/// much lately is not tried again.
async fn answered(server: &Server, kind: QuestionKind, body: Arc<str>, key: u64) -> Reply {
    let (budget, seconds) = (server.settings.budget, server.settings.seconds);
    let task = Task { kind, body, key, time: CHECK, memory: budget.checking.memory };
    if kind == QuestionKind::Check {
        return reply_to(server.checking.ask_through(&task).await, &task);
    }
    let steps = [(&server.quick, QUICK, budget.quick.memory), (&server.middle, MIDDLE, budget.middle.memory)];
    for (step, (lane, time, memory)) in steps.into_iter().enumerate().filter(|(_, (_, time, _))| *time < seconds) {
        let heavy = hash(&format!("{step} {} {key}", kind.name()));
        if !server.heavy.has(heavy) {
            let task = Task { time, memory, ..task.clone() };
            let found = reply_to(lane.ask_through(&task).await, &task);
            if !found.limited {
                return found;
            }
        }
        server.heavy.add(heavy);
    }
    let task = Task { time: seconds, memory: budget.slow.memory, ..task };
    // A job may have solved the game.
    if server.working.holds(key) {
        let done = server.working.ask_through(&task).await;
        if !matches!(done, TaskEnd::Busy) {
            return reply_to(done, &task);
        }
    }
    reply_to(server.slow.ask(&task).await, &task)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JobQuestion {
    #[serde(rename = "do")]
    what: String,
    with: Map<String, Value>,
}

async fn start_job(State(server): State<Arc<Server>>, request: Request) -> Response {
    let body = match server.room.read(request).await {
        Ok(body) => body.text,
        Err(refused) => return reply(&refused),
    };
    let bad = |message: String| reply(&Reply::new(400, &usage(&message, Some("openapi.json describes jobs"))));
    if !body.trim_start().starts_with('{') {
        return bad("the body is no object".to_string());
    }
    let question: JobQuestion = match serde_json::from_str(&body) {
        Ok(question) => question,
        Err(error) => return bad(format!("the body is no job: {error}")),
    };
    let Some(kind) = QuestionKind::find(&question.what).filter(|kind| kind.can_be_job()) else {
        return bad(format!("there is no job `{}`", crate::question::cut(&question.what)));
    };
    let inner = Value::Object(question.with).to_string();
    let key = match Question::read(&inner) {
        Ok(question) => hash(&question.key()),
        Err(refused) => return reply(&refused),
    };
    let Some(job) = server.jobs.add(kind) else {
        let size = Refusal { asked: None, allowed: jobs::MOST as u64, unit: RefusalUnit::Jobs };
        let error = refused_request("too many jobs are waiting", Some("cancel one, or wait"), Some(size));
        return reply(&Reply::new(429, &error));
    };
    let (object, served) = (server.jobs.object(&job), Arc::clone(&server));
    tokio::spawn(async move {
        let (time, memory) = (server.settings.job_seconds, server.settings.budget.jobs.memory);
        let task = Task { kind, body: inner.into(), key, time, memory };
        let tell = |object: &str| job.progress(object);
        let begin = || job.begin();
        let run = async {
            let done = server.working.job(&task, begin, &tell).await;
            server.jobs.finish(&job, reply_to(done, &task));
        };
        // A job that is cancelled is dropped, and its worker with it.
        either(Box::pin(run), Box::pin(job.cancel.notified())).await;
        server.working.refill_to(server.settings.budget.jobs.workers);
    });
    send(&served, 202, object)
}

async fn job(State(server): State<Arc<Server>>, name: Name) -> Response {
    let Ok(Path(name)) = name else { return no_text() };
    match server.jobs.find(&name) {
        Some(job) => send(&server, 200, server.jobs.object(&job)),
        None => reply(&Reply::new(404, &usage("there is no such job", Some("jobs are forgotten after ten minutes")))),
    }
}

async fn cancel_job(State(server): State<Arc<Server>>, name: Name) -> Response {
    let Ok(Path(name)) = name else { return no_text() };
    let Some(job) = server.jobs.find(&name) else {
        return reply(&Reply::new(404, &usage("there is no such job", Some("jobs are forgotten after ten minutes"))));
    };
    if job.is_open() {
        job.cancelled();
    }
    send(&server, 200, server.jobs.object(&job))
}
