//! The server: what is routed where. Every question goes to a lane of workers; nothing is worked out here.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
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

use crate::jobs::{self, Jobs};
use crate::kept::{AnswerCache, RecentNumbers, hash};
use crate::lane::{Lane, Start, Task, TaskEnd};
use crate::question::{Question, QuestionKind};
use crate::reply::Reply;
use crate::settings::{BODY, BODY_TIME, CONNECTIONS, HEAD_TIME, Settings};
use crate::stream::Stream;
use crate::{guard, page};

/// A quick answer takes no longer than this, else it is for the slower lane.
const QUICK: Duration = Duration::from_millis(300);
/// How much memory a quick answer may take.
const QUICK_MEMORY: u64 = 128 << 20;
/// How long rules may be checked.
const CHECK: Duration = Duration::from_millis(400);
/// How long what runs may go on after somebody asked the server to end.
const FAREWELL: Duration = Duration::from_secs(10);

/// All that the server has.
struct Server {
    settings: Settings,
    games: Bytes,
    about: Bytes,
    quick: Lane,
    slow: Lane,
    checking: Lane,
    working: Lane,
    jobs: Jobs,
    cache: AnswerCache,
    /// Questions that were no quick work.
    heavy: RecentNumbers,
}

impl Server {
    fn new(settings: Settings) -> Server {
        let mut words = settings.command.clone();
        words.extend(settings.tables.iter().map(|path| path.to_string_lossy().into_owned()));
        let start = || Start { program: settings.program.clone(), words: words.clone() };
        let patience = Duration::from_secs(10);
        let long = Duration::from_secs(24 * 3600);
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        Server {
            quick: Lane::new(start(), cores.max(2) + 1, 0, 400, patience),
            slow: Lane::new(start(), 1, 5, 32, Duration::from_secs(6)),
            checking: Lane::new(start(), 2, 2, 100, Duration::from_secs(4)),
            working: Lane::new(start(), settings.jobs.max(1), 10, jobs::MOST, long),
            games: gallery().into(),
            about: json::text(&About::new(settings.limits())).into(),
            jobs: Jobs::default(),
            cache: AnswerCache::default(),
            heavy: RecentNumbers::default(),
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
        listen(&listener, &server, asked).await;
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

/// Takes connections until it is asked to end; then what runs may finish.
async fn listen(listener: &TcpListener, server: &Arc<Server>, asked: impl Future<Output = ()>) {
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
            let connection = graceful.watch(http.serve_connection(TokioIo::new(Stream::new(stream)), service));
            tokio::spawn(async move {
                // A connection that breaks is no harm.
                let _ = connection.await;
                drop(free);
            });
        }
    };
    either(Box::pin(taking), Box::pin(asked)).await;
    let jobs_end = async {
        while server.jobs.open() > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    // Jobs that take longer than that are cancelled, and told so to who asks.
    let _ = timeout(FAREWELL, jobs_end).await;
    server.jobs.cancel_all();
    let _ = timeout(FAREWELL, graceful.shutdown()).await;
    for lane in [&server.quick, &server.slow, &server.checking, &server.working] {
        lane.close();
    }
}

fn routes(server: &Arc<Server>) -> axum::Router {
    let mut routes = axum::Router::new()
        .route(
            "/api/v1/openapi.json",
            get(async |headers: HeaderMap| page::answer("openapi.json", page::OPENAPI, &headers)),
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
        .method_not_allowed_fallback(async || reply(&Reply::new(405, &usage("this path has no such method", None))))
        .layer(from_fn_with_state(Arc::clone(server), guarded))
        .with_state(Arc::clone(server))
}

/// Lets requests through that may come, and has every answer protect who gets it.
async fn guarded(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut response = match guard::refused(request.method(), request.headers(), &server.settings.hosts) {
        Some(refused) => reply(&refused),
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

async fn file(request: Request) -> Response {
    let name = match request.uri().path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    match page::file(name) {
        Some(text) if request.method() == axum::http::Method::GET => page::answer(name, text, request.headers()),
        _ => reply(&Reply::new(404, &usage("there is nothing of this name", None))),
    }
}

async fn rules(Path(name): Path<String>) -> Response {
    match perfectplay::gallery::find(&name) {
        Some(source) => json_answer(200, json::text(&json::game(&name, source))),
        None => {
            let near = perfectplay::gallery::similar(&name).map(|near| format!("did you mean `{near}`?"));
            reply(&Reply::new(404, &usage("there is no game of this name", near.as_deref())))
        }
    }
}

async fn tables(State(server): State<Arc<Server>>) -> Response {
    let limits = (server.settings.seconds, server.settings.memory);
    let found = on_lane(&server.slow, QuestionKind::Tables, "{}", 0, limits).await;
    reply(&found)
}

/// The body of a request as text on one line.
async fn body(request: Request) -> Result<String, Reply> {
    if let Some(refused) = guard::is_not_json(request.headers()) {
        return Err(refused);
    }
    let too_large = |asked: Option<u64>| {
        let size = Refusal { asked, allowed: BODY as u64, unit: RefusalUnit::Bytes };
        let message = format!("the body is larger than the {BODY} bytes that are allowed");
        Reply::new(413, &refused_request(&message, None, Some(size)))
    };
    let announced = request.body().size_hint().lower();
    if announced > BODY as u64 {
        return Err(too_large(Some(announced)));
    }
    let bytes = match timeout(BODY_TIME, to_bytes(request.into_body(), BODY)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return Err(too_large(None)),
        Err(_) => {
            let size = Refusal { asked: None, allowed: BODY_TIME.as_secs(), unit: RefusalUnit::Seconds };
            return Err(Reply::new(408, &refused_request("the body came too slowly", None, Some(size))));
        }
    };
    let text = String::from_utf8(bytes.into()).map_err(|_| Reply::new(400, &usage("the body is no UTF-8", None)))?;
    // A line break stands for a blank in JSON, except in texts, where it is not allowed.
    Ok(if text.contains(['\n', '\r']) { text.replace(['\n', '\r'], " ") } else { text })
}

/// Has a lane answer.
async fn on_lane(lane: &Lane, kind: QuestionKind, body: &str, key: u64, (time, memory): (Duration, u64)) -> Reply {
    let task = Task { kind, body, key, time, memory };
    reply_to(lane.run(&task, || {}, None).await, time, memory)
}

/// The reply to whoever asked for a task, also where its worker had to be ended.
fn reply_to(end: TaskEnd, time: Duration, memory: u64) -> Reply {
    let unsolved = |message: String, limit| Reply::new(422, &ErrorObject::limit(message, limit, None));
    match end {
        TaskEnd::Answer(reply) => reply,
        TaskEnd::Late => {
            unsolved(format!("it took longer than the {} s that are allowed", time.as_secs_f64()), LimitKind::Time)
        }
        TaskEnd::Large => {
            unsolved(format!("it took more than the {memory} bytes of memory that are allowed"), LimitKind::Memory)
        }
        TaskEnd::Busy => {
            let error = refused_request("too much is going on", Some("try again in some seconds"), None);
            Reply::new(503, &error)
        }
        TaskEnd::Died => Reply::new(500, &ErrorObject::internal("the work ended without an answer".to_string())),
    }
}

/// One question, one answer.
async fn asked(server: &Server, kind: QuestionKind, request: Request) -> Response {
    let body = match body(request).await {
        Ok(body) => body,
        Err(refused) => return reply(&refused),
    };
    let settings = &server.settings;
    let question = format!("{} {body}", kind.name());
    if kind == QuestionKind::Check {
        let found = match server.cache.get(&question) {
            Some(kept) => return reply(&kept),
            None => on_lane(&server.checking, kind, &body, 0, (CHECK, settings.memory)).await,
        };
        server.cache.keep(&question, &Arc::new(found.clone()));
        return reply(&found);
    }
    let key = match Question::read(&body) {
        Ok(question) => hash(&question.key()),
        Err(refused) => return reply(&refused),
    };
    let limits = (settings.seconds, settings.memory);
    // A job may have solved the game.
    if server.working.holds(key) {
        let found = on_lane(&server.working, kind, &body, key, limits).await;
        return reply(&found);
    }
    if let Some(kept) = server.cache.get(&question) {
        return reply(&kept);
    }
    let mut found = None;
    let heavy = hash(&format!("{} {key}", kind.name()));
    if !server.heavy.has(heavy) {
        let quick = on_lane(&server.quick, kind, &body, key, (QUICK.min(limits.0), QUICK_MEMORY.min(limits.1))).await;
        match quick.limited {
            true => server.heavy.add(heavy),
            false => found = Some(quick),
        }
    }
    let found = match found {
        Some(found) => found,
        None => on_lane(&server.slow, kind, &body, key, limits).await,
    };
    server.cache.keep(&question, &Arc::new(found.clone()));
    reply(&found)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JobQuestion {
    #[serde(rename = "do")]
    what: String,
    with: Map<String, Value>,
}

async fn start_job(State(server): State<Arc<Server>>, request: Request) -> Response {
    let body = match body(request).await {
        Ok(body) => body,
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
    let object = server.jobs.object(&job);
    tokio::spawn(async move {
        let limits = (server.settings.job_seconds, server.settings.job_memory);
        let task = Task { kind, body: &inner, key, time: limits.0, memory: limits.1 };
        let tell = |object: &str| job.progress(object);
        let begin = || job.begin();
        let run = async {
            let end = server.working.run(&task, begin, Some(&tell)).await;
            job.finish(&reply_to(end, limits.0, limits.1));
        };
        // A job that is cancelled is dropped, and its worker with it.
        either(Box::pin(run), Box::pin(job.cancel.notified())).await;
        server.working.refill_to(server.settings.jobs.max(1));
    });
    json_answer(202, object)
}

async fn job(State(server): State<Arc<Server>>, Path(name): Path<String>) -> Response {
    match server.jobs.find(&name) {
        Some(job) => json_answer(200, server.jobs.object(&job)),
        None => reply(&Reply::new(404, &usage("there is no such job", Some("jobs are forgotten after ten minutes")))),
    }
}

async fn cancel_job(State(server): State<Arc<Server>>, Path(name): Path<String>) -> Response {
    let Some(job) = server.jobs.find(&name) else {
        return reply(&Reply::new(404, &usage("there is no such job", Some("jobs are forgotten after ten minutes"))));
    };
    if job.is_open() {
        job.cancelled();
    }
    json_answer(200, server.jobs.object(&job))
}
