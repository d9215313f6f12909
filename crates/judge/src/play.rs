//! A program plays against perfect play, through its standard input and output.
//!
//! It reads the instance as for an answer, then a line that says its seat, `first` or `second`, and from then on a line for each move
//! of the other players. It writes a line for each move of its own. When the game is over its input is closed.
//!
//! Perfect play never gives anything away. Among equally good moves it takes any, so that a program sees more than one line of play.

use std::io::Write as _;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use perfectplay::SolveError;
use perfectplay::answer::{Outcome, Player, Solution, Verdict};
use perfectplay::language::{Bound, Instance, Position};
use perfectplay::moves::{Play, end};
use perfectplay::numbers::Random;

use crate::expected::Difference;
use crate::failure::{Failure, FailureKind, Game, Stop};
use crate::oracle::Oracle;
use crate::run::{Ended, PROCESSES, Ran, Running};
use crate::spelled;
use crate::subject::{Judged, Seats, Subject, how_it_failed, unsolved};

/// Longer games are not played: nobody has given anything away until then.
const MOST_MOVES: usize = 10_000;
/// Among so many best moves one is taken.
const MOST_BEST: usize = 100;
/// Where perfect play is winning it comes to an end after so many moves of its own, whatever else is as good.
const WANDERING: usize = 30;
/// How often it is looked whether a program is still there.
const PAUSE: Duration = Duration::from_millis(5);

/// Has a program play on one instance, from each seat.
pub(crate) fn judge(
    subject: &Subject,
    instance: &Instance,
    bound: &Bound,
    solution: Solution,
    input: &str,
    seats: &Seats,
) -> Result<Judged, Stop> {
    let all: Vec<Player> = match seats.seats.is_empty() {
        true => (0..bound.players).map(|seat| Player(seat as u8)).collect(),
        false => seats.seats.iter().copied().filter(|seat| seat.index() < bound.players).collect(),
    };
    let mut slowest = 0.0f64;
    for seat in all {
        let input = format!("{input}{seat}\n");
        let played = match Table::new(subject, bound, seat, seats.seed).and_then(|mut table| table.play(&input)) {
            Ok(played) => played,
            Err(Trouble::Stop(stop)) => return Err(stop),
            Err(Trouble::Solve(error)) => {
                unsolved(instance, error)?;
                return Ok(Judged::TooLarge);
            }
        };
        slowest = slowest.max(played.ran.seconds);
        if let Some(Difference { kind, message }) = played.wrong {
            return Ok(Judged::Wrong(Box::new(Failure {
                instance: instance.clone(),
                kind,
                message,
                input,
                ran: played.ran,
                expected: None,
                solution: Box::new(solution),
                game: Some(Game { seat, moves: played.moves, better: played.better }),
            })));
        }
    }
    Ok(Judged::Right(slowest))
}

/// Why a game was not played to its end.
enum Trouble {
    Stop(Stop),
    Solve(SolveError),
}

impl From<SolveError> for Trouble {
    fn from(error: SolveError) -> Trouble {
        Trouble::Solve(error)
    }
}

impl From<perfectplay::language::Fault> for Trouble {
    fn from(fault: perfectplay::language::Fault) -> Trouble {
        Trouble::Solve(fault.into())
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Trouble {
        Trouble::Stop(Stop::Unrunnable(error.to_string()))
    }
}

/// A game between a program and perfect play.
struct Table<'t> {
    subject: &'t Subject,
    bound: &'t Bound,
    oracle: Oracle<'t>,
    seat: Player,
    chance: Random,
    moves: Vec<String>,
    better: Vec<String>,
}

/// A game that was played.
struct Played {
    ran: Ran,
    wrong: Option<Difference>,
    moves: Vec<String>,
    better: Vec<String>,
}

impl<'t> Table<'t> {
    fn new(subject: &'t Subject, bound: &'t Bound, seat: Player, seed: u64) -> Result<Table<'t>, Trouble> {
        let oracle = Oracle::new(bound, &subject.work)?;
        let chance = Random::new(seed ^ u64::from(seat.0));
        Ok(Table { subject, bound, oracle, seat, chance, moves: Vec::new(), better: Vec::new() })
    }

    fn play(&mut self, input: &str) -> Result<Played, Trouble> {
        let start = Instant::now();
        let mut running = Running::start(&self.subject.program, &self.subject.run)?;
        let speaker = speaker(&mut running);
        let wrong = self.whole_game(&mut running, &speaker, input)?;
        drop(speaker);
        let (ended, output) = match wrong {
            // It has time to end by itself, once the game is over.
            None => (self.goodbye(&mut running)?, running.output.text()),
            Some(_) => {
                running.stop()?;
                (Ended::Exit(0), running.output.text())
            }
        };
        let ran = Ran { output, errors: running.errors(), ended, seconds: start.elapsed().as_secs_f64() };
        let wrong = wrong.or_else(|| how_it_failed(&ran, &self.subject.run));
        Ok(Played { ran, wrong, moves: std::mem::take(&mut self.moves), better: std::mem::take(&mut self.better) })
    }

    /// Waits for the end of a program, whose input is closed.
    fn goodbye(&self, running: &mut Running) -> Result<Ended, Trouble> {
        let end = Instant::now() + self.subject.run.time;
        while !running.has_ended()? {
            if self.subject.work.cancel.load(Ordering::Relaxed) {
                return Err(Trouble::Stop(Stop::Interrupted));
            }
            if running.output.is_over() {
                running.stop()?;
                return Ok(Ended::TooMuchOutput);
            }
            if running.has_too_many_processes() {
                running.stop()?;
                return Ok(Ended::TooManyProcesses);
            }
            if Instant::now() >= end {
                running.stop()?;
                return Ok(Ended::TooSlow);
            }
            thread::sleep(PAUSE);
        }
        let status = running.stop()?;
        Ok(status.code().map_or(Ended::Signal(0), Ended::Exit))
    }

    /// Plays until the game is over, or the program does something wrong.
    fn whole_game(
        &mut self,
        running: &mut Running,
        speaker: &Sender<String>,
        input: &str,
    ) -> Result<Option<Difference>, Trouble> {
        // Who has gone away is found out by its silence.
        let _ = speaker.send(input.to_string());
        let mut position = self.bound.start.clone();
        while self.moves.len() < MOST_MOVES && end(self.bound, &position)?.is_none() {
            let play = match position.turn == self.seat {
                true => match self.program_moves(running, &position)? {
                    Ok(play) => play,
                    Err(difference) => return Ok(Some(difference)),
                },
                false => {
                    let Some(play) = self.perfect(&position)? else { return Ok(None) };
                    let _ = speaker.send(format!("{}\n", spelled::write(self.bound, &play)));
                    self.moves.push(play.label.clone());
                    play
                }
            };
            play.apply(&mut position);
        }
        Ok(None)
    }

    /// A move of perfect play: any of the best ones, and after a while one that brings the game to its end.
    fn perfect(&mut self, position: &Position) -> Result<Option<Play>, Trouble> {
        if self.moves.len() >= WANDERING {
            return Ok(self.oracle.choice(position)?);
        }
        let mut best = self.oracle.best(position, MOST_BEST)?;
        if best.is_empty() {
            return Ok(self.oracle.choice(position)?);
        }
        let index = self.chance.below(best.len() as u64) as usize;
        Ok(Some(best.swap_remove(index)))
    }

    /// Waits for a move of the program, and judges it.
    fn program_moves(
        &mut self,
        running: &mut Running,
        position: &Position,
    ) -> Result<Result<Play, Difference>, Trouble> {
        let line = match self.line(running)? {
            Ok(line) => line,
            Err(difference) => return Ok(Err(difference)),
        };
        let wrong = |kind: FailureKind, message: String| Ok(Err(Difference { kind, message }));
        let number = self.moves.len() + 1;
        let Some(play) = spelled::read(self.bound, position, &line) else {
            let line = perfectplay::language::show::cut(60, &line);
            self.better = self.best_labels(position)?;
            return wrong(
                FailureKind::IllegalMove,
                format!("at move {number} it wrote `{line}`, which is no legal move"),
            );
        };
        let judged = self.oracle.judge(position, &play)?;
        self.moves.push(play.label.clone());
        if judged.keeps {
            return Ok(Ok(play));
        }
        self.better = self.best_labels(position)?;
        let lost = lost(&judged.before, &judged.after, self.seat);
        wrong(FailureKind::GaveAway, format!("at move {number} it played {}, which {lost}", play.label))
    }

    fn best_labels(&mut self, position: &Position) -> Result<Vec<String>, Trouble> {
        Ok(self.oracle.best(position, MOST_BEST)?.into_iter().map(|play| play.label).collect())
    }

    /// The next line of the program that is not empty.
    fn line(&mut self, running: &mut Running) -> Result<Result<String, Difference>, Trouble> {
        let end = Instant::now() + self.subject.run.time;
        let number = self.moves.len() + 1;
        let wrong = |kind: FailureKind, message: String| Ok(Err(Difference { kind, message }));
        loop {
            match running.output.line() {
                Some(line) if line.is_empty() => continue,
                Some(line) => return Ok(Ok(line)),
                None => {}
            }
            if self.subject.work.cancel.load(Ordering::Relaxed) {
                return Err(Trouble::Stop(Stop::Interrupted));
            }
            if running.output.is_over() {
                let most = self.subject.run.output;
                return wrong(
                    FailureKind::TooMuchOutput,
                    format!("at move {number} it had printed more than {most} bytes"),
                );
            }
            if running.has_too_many_processes() {
                return wrong(
                    FailureKind::TooManyProcesses,
                    format!("at move {number} it had more than {PROCESSES} processes at once"),
                );
            }
            if running.output.is_closed() {
                return wrong(FailureKind::Crash, format!("it ended before move {number}, which was its own"));
            }
            if Instant::now() >= end {
                let time = self.subject.run.time;
                let flushed = "; does it flush what it prints, and end the line?";
                return wrong(FailureKind::TooSlow, format!("it made no move {number} within {time:?}{flushed}"));
            }
            let _ = running.events.recv_timeout(PAUSE);
        }
    }
}

/// Writes what it is sent to a program, which may listen late or never: nobody waits for that.
fn speaker(running: &mut Running) -> Sender<String> {
    let (send, texts) = mpsc::channel::<String>();
    if let Some(mut pipe) = running.input.take() {
        thread::spawn(move || {
            for text in texts {
                if pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush()).is_err() {
                    break;
                }
            }
        });
    }
    send
}

/// What a move has lost.
fn lost(before: &Verdict, after: &Verdict, seat: Player) -> String {
    let number = |verdict: &Verdict| match verdict {
        Verdict::Score(value) => Some(*value),
        Verdict::Payoffs { totals, .. } => totals.get(seat.index()).copied(),
        _ => None,
    };
    if let (Some(before), Some(after)) = (number(before), number(after)) {
        return format!("costs {}", before.abs_diff(after));
    }
    let words = |verdict: &Verdict| match verdict.outcome() {
        Some(Outcome::Win) => "a win",
        Some(Outcome::Loss) => "a loss",
        _ => "a draw",
    };
    format!("makes {} of {}", words(after), words(before))
}
