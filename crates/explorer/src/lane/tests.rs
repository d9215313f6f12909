//! Lanes of workers that are small shell scripts.

use std::future::Future;

use super::*;

/// Answers at once, except where it is told to sleep, to work, to grow, or to die.
const SCRIPT: &str = r#"
while read -r kind time memory telling body; do
  case "$body" in
    sleep) sleep 30 ;;
    spin) while :; do :; done ;;
    grow) x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done ;;
    die) exit 1 ;;
    tell) echo 'P {"one":1}'; echo 'P {"two":2}' ;;
  esac
  echo "A 200 0 {\"process\":$$,\"time\":$time,\"memory\":$memory}"
done"#;

fn lane(workers: usize, most: usize, patience: Duration) -> Arc<Lane> {
    let start = Start { program: "/bin/sh".into(), words: vec!["-c".to_string(), SCRIPT.to_string()] };
    Arc::new(Lane::new(start, workers, Queue { most, patience }))
}

fn task(body: &'static str) -> Task {
    Task { kind: QuestionKind::Position, body: body.into(), key: 7, time: Duration::from_secs(3600), memory: 64 << 20 }
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test);
}

fn process(done: TaskEnd) -> u32 {
    let TaskEnd::Answer(reply) = done else { panic!("no answer: {done:?}") };
    reply.body.split([':', ',']).nth(1).unwrap().parse().unwrap()
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn who_knows_a_game_is_asked_again() {
    run(async {
        let lane = lane(3, 10, LONG);
        let first = process(lane.ask(&task("good")).await);
        assert!(lane.holds(7) && !lane.holds(8));
        for key in [8, 9] {
            assert_ne!(process(lane.ask(&Task { key, ..task("good") }).await), first);
        }
        assert_eq!(process(lane.ask(&task("good")).await), first);
    });
}

#[test]
fn too_much_of_the_processor_or_of_memory_ends_a_worker_and_starts_another() {
    run(async {
        let lane = lane(1, 10, LONG);
        let first = process(lane.ask(&task("good")).await);
        let done = lane.ask(&Task { time: Duration::from_millis(20), ..task("spin") }).await;
        assert!(matches!(done, TaskEnd::Late), "{done:?}");
        let second = process(lane.ask(&task("good")).await);
        let done = lane.ask(&Task { memory: 1 << 20, ..task("grow") }).await;
        assert!(matches!(done, TaskEnd::Large), "{done:?}");
        let third = process(lane.ask(&task("good")).await);
        assert!(first != second && second != third && first != third);
    });
}

#[test]
fn a_worker_that_died_is_replaced_and_nobody_notices() {
    run(async {
        let lane = lane(1, 10, LONG);
        let first = process(lane.ask(&task("good")).await);
        assert!(std::process::Command::new("kill").args(["-KILL", &first.to_string()]).status().unwrap().success());
        assert_ne!(process(lane.ask(&task("good")).await), first);
        // A question that ends every worker is told so, and the next one is answered.
        let done = lane.ask(&task("die")).await;
        assert!(matches!(done, TaskEnd::Died), "{done:?}");
        process(lane.ask(&task("good")).await);
    });
}

#[test]
fn who_waits_too_long_or_finds_too_many_waiting_is_sent_away() {
    run(async {
        let lane = lane(1, 1, Duration::from_millis(200));
        let busy = tokio::spawn({
            let lane = Arc::clone(&lane);
            async move { lane.ask(&task("sleep")).await }
        });
        while lane.free.available_permits() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let waiting = tokio::spawn({
            let lane = Arc::clone(&lane);
            async move { lane.ask(&task("good")).await }
        });
        while lane.waiting.load(Ordering::Relaxed) == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // Another one finds the queue full, the one in it loses patience.
        assert!(matches!(lane.ask(&task("good")).await, TaskEnd::Busy));
        assert!(matches!(waiting.await.unwrap(), TaskEnd::Busy));
        // Who is not waited for any more makes room: its worker is ended.
        busy.abort();
        let _ = busy.await;
        process(lane.ask(&task("good")).await);
        assert_eq!(lane.waiting.load(Ordering::Relaxed), 0);
    });
}

#[test]
fn small_work_is_finished_though_nobody_waits_for_it() {
    run(async {
        let lane = lane(1, 10, LONG);
        let first = process(lane.ask(&task("good")).await);
        for _ in 0..20 {
            let lane = Arc::clone(&lane);
            let asking = tokio::spawn(async move { lane.ask_through(&task("good")).await });
            tokio::task::yield_now().await;
            asking.abort();
            let _ = asking.await;
        }
        assert_eq!(process(lane.ask_through(&task("good")).await), first);
    });
}

#[test]
fn jobs_tell_how_far_they_are() {
    run(async {
        let lane = lane(1, 10, LONG);
        let told = Mutex::new(Vec::new());
        let (mut began, tell) = (false, |line: &str| told.lock().unwrap().push(line.to_string()));
        process(lane.job(&task("tell"), || began = true, &tell).await);
        assert!(began);
        assert_eq!(*told.lock().unwrap(), [r#"{"one":1}"#, r#"{"two":2}"#]);
    });
}
