//! `perfectplay play`: a game at the terminal, against perfect play or between people.
//!
//! [`words`] understands what a person types, [`adviser`] knows the best moves. Between people nothing is solved before
//! somebody asks for a hint, so that games far too large to solve can be played.

mod adviser;
mod words;

use std::io::{BufRead as _, IsTerminal as _};

use perfectplay::{Bound, Player, Position, RatedMove, SolveError};
use rules::show;
use solve::play::{Play, plays};

use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::load::{self, Rules};
use crate::output::{self, FAINT, GOOD, STRONG, styled};
use crate::{phrases, watch};
use adviser::Adviser;
use words::Said;

/// How many moves are listed at once.
const LISTED: usize = 60;

const HELP: &str = "  a move by its name or its number plays it
  moves   lists the legal moves (`moves all`: every one of them)
  hint    shows a best move;  hints  rates them all
  undo    takes back your last move
  show    draws the position again
  quit    ends the game
";

pub fn run(args: &PlayArgs) -> Result<u8, Failure> {
    let (rules, bound) = load::game(&args.game)?;
    let people = people(args, &bound)?;
    let mut adviser = Adviser::new(&bound, &args.limits, args.quiet);
    if people.contains(&false) {
        adviser.prepare(&bound.start).map_err(|error| too_large(error, &rules))?;
    }
    let history = Vec::new();
    let mut table = Table { bound: &bound, rules: &rules, adviser, people, history, position: bound.start.clone() };
    table.greet();
    table.play()
}

/// The computer cannot play a game that it cannot solve; people can.
fn too_large(error: SolveError, rules: &Rules) -> Failure {
    if error.is_limit() {
        output::complain("The computer plays perfectly or not at all; `play --people` needs no solution.\n");
    }
    Failure::solving(error, rules)
}

/// Which players are people.
fn people(args: &PlayArgs, bound: &Bound) -> Result<Vec<bool>, Failure> {
    if args.people {
        return Ok(vec![true; bound.players]);
    }
    let players = || (0..bound.players).map(|n| Player(n as u8));
    let seat = match args.seat.as_deref() {
        None => bound.starts,
        Some(text) => players().find(|p| p.to_string() == text || p.0.to_string() == text).ok_or_else(|| {
            let names = players().map(|player| player.to_string()).collect::<Vec<_>>().join(", ");
            Failure::usage_help(format!("there is no player `{text}`"), format!("the players are {names}"))
        })?,
    };
    Ok(players().map(|player| player == seat).collect())
}

/// A game in progress.
struct Table<'t> {
    bound: &'t Bound,
    rules: &'t Rules,
    adviser: Adviser<'t>,
    /// Which players are people.
    people: Vec<bool>,
    /// Earlier positions, each with the move that left it and what it gained.
    history: Vec<(Position, String, Vec<i64>)>,
    position: Position,
}

impl Table<'_> {
    fn greet(&self) {
        let program = &self.bound.program;
        let width = output::width();
        let mut text = format!("{}\n", styled(&program.name, STRONG));
        if let Some((first, rest)) = program.doc.split_first() {
            for paragraph in [first.clone(), rest.join(" ")].iter().filter(|text| !text.is_empty()) {
                text.push_str(&format!("{}\n", output::prose(paragraph, 0, width)));
            }
        }
        if let (Some(you), true) = (self.you(), self.people.contains(&false)) {
            text.push_str(&format!("You are {}; the computer plays perfectly.\n", phrases::player(&you.to_string())));
        }
        let hint = output::prose("Type a move, `moves` to list them, `hint`, `undo`, `help` or `quit`.", 0, width);
        output::print(&format!("{text}{}\n", styled(hint, FAINT)));
    }

    /// The only person at the table.
    fn you(&self) -> Option<Player> {
        let mut seats = (0..self.people.len()).filter(|&seat| self.people[seat]);
        seats.next().filter(|_| seats.next().is_none()).map(|seat| Player(seat as u8))
    }

    fn play(&mut self) -> Result<u8, Failure> {
        self.show();
        loop {
            let moves = plays(self.bound, &self.position).map_err(|error| Failure::solving(error, self.rules))?;
            if moves.is_empty() {
                self.farewell()?;
                return Ok(0);
            }
            let mover = self.position.turn;
            if self.people[mover.index()] {
                let Some(line) = ask(&format!("{mover} to move> ")) else { return Ok(0) };
                if self.answer(&line, moves)? {
                    return Ok(0);
                }
            } else if self.circling() {
                output::print("the computer goes in circles: this game never ends\n");
                return Ok(0);
            } else {
                let rated = self.adviser.moves(&self.position).map_err(|error| Failure::solving(error, self.rules))?;
                let best = best_of(rated);
                output::print(&format!("{mover} plays {}\n", styled(&best.play.label, STRONG)));
                self.make(best.play);
            }
        }
    }

    /// Whether the position came back without a move by a person.
    fn circling(&self) -> bool {
        let mut alone = self.history.iter().rev().take_while(|(before, ..)| !self.people[before.turn.index()]);
        alone.any(|(before, ..)| *before == self.position)
    }

    /// Does what a person said; whether that ends the game.
    fn answer(&mut self, line: &str, mut moves: Vec<Play>) -> Result<bool, Failure> {
        match words::said(line, &moves) {
            Said::Move(index) => self.make(moves.swap_remove(index)),
            Said::Moves { all } => list(&moves, all),
            Said::Hint => self.hint(false)?,
            Said::Hints => self.hint(true)?,
            Said::Undo => self.undo(),
            Said::Show => self.show(),
            Said::Help => output::print(HELP),
            Said::Quit => return Ok(true),
            Said::Unclear(text) => output::print(&text),
        }
        Ok(false)
    }

    fn make(&mut self, play: Play) {
        let option = play.option(&self.position);
        let before = std::mem::replace(&mut self.position, option);
        self.history.push((before, play.label, play.gains));
        self.show();
        if self.history.iter().any(|(earlier, ..)| *earlier == self.position) {
            output::print(&styled("this position was here before; `quit` leaves a game that goes in circles\n", FAINT));
        }
    }

    /// A best move, or all of them rated; or why there is none.
    fn hint(&mut self, all: bool) -> Result<(), Failure> {
        match self.adviser.moves(&self.position) {
            Ok(rated) if all => {
                let width = rated.iter().map(|mv| mv.play.label.chars().count()).max().unwrap_or(0);
                for (index, mv) in rated.iter().enumerate() {
                    let mark = if mv.best { "*" } else { " " };
                    output::print(&format!(
                        "{:4} {mark} {:width$}  {}\n",
                        index + 1,
                        mv.play.label,
                        phrases::worth(mv)
                    ));
                }
            }
            Ok(rated) => {
                let best = best_of(rated);
                output::print(&format!("{}  {}\n", styled(&best.play.label, STRONG), phrases::worth(&best)));
            }
            Err(error) if error.is_limit() => {
                output::print(
                    "no hints here: the game is too large to solve from this position; try again later in the game\n",
                );
            }
            Err(SolveError::Interrupted { .. }) => output::print("stopped\n"),
            Err(error) => return Err(Failure::solving(error, self.rules)),
        }
        Ok(())
    }

    /// Takes back moves up to and including the last one by a person.
    fn undo(&mut self) {
        if !self.history.iter().any(|(before, ..)| self.people[before.turn.index()]) {
            output::print("there is nothing to take back\n");
            return;
        }
        while let Some((before, label, _)) = self.history.pop() {
            let person = self.people[before.turn.index()];
            output::print(&format!("{} takes back {label}\n", before.turn));
            self.position = before;
            if person {
                break;
            }
        }
        self.show();
    }

    fn show(&self) {
        let drawing = match show::draw(self.bound, &self.position) {
            Ok(drawing) => drawing,
            Err(_) => show::position_text(self.bound, &self.position),
        };
        let score = match self.gained() {
            Some(Ok(gained)) => format!("  {}", styled(format!("score {}", phrases::totals(&gained)), FAINT)),
            _ => String::new(),
        };
        output::print(&format!("\n{}{score}\n", drawing.trim_end()));
    }

    /// What everyone has gained so far, in a counted game.
    fn gained(&self) -> Option<Result<Vec<i64>, SolveError>> {
        if !self.bound.program.counted {
            return None;
        }
        let mut totals = vec![0i64; self.bound.players];
        for (_, _, gains) in &self.history {
            for (total, gain) in totals.iter_mut().zip(gains) {
                match total.checked_add(*gain) {
                    Some(sum) => *total = sum,
                    None => return Some(Err(SolveError::Overflow)),
                }
            }
        }
        Some(Ok(totals))
    }

    fn farewell(&self) -> Result<(), Failure> {
        let told =
            self.gained().transpose().and_then(|gained| phrases::ending(self.bound, &self.position, gained.as_deref()));
        let mut text = told.map_err(|error| Failure::solving(error, self.rules))?;
        if let Some(you) = self.you() {
            text = text.replacen(&format!("{} wins", phrases::player(&you.to_string())), "you win", 1);
        }
        output::print(&format!("{}\n", styled(text, GOOD.bold())));
        Ok(())
    }
}

/// The move that perfect play makes: a fast one, else a best one.
fn best_of(mut moves: Vec<RatedMove>) -> RatedMove {
    let best = moves.iter().position(|mv| mv.fast).or_else(|| moves.iter().position(|mv| mv.best));
    moves.swap_remove(best.unwrap_or(0))
}

/// One line of input; `None` at its end.
fn ask(prompt: &str) -> Option<String> {
    output::print(&styled(prompt, STRONG));
    let mut line = String::new();
    match watch::waiting(|| std::io::stdin().lock().read_line(&mut line)) {
        Ok(0) | Err(_) => {
            output::print("\n");
            None
        }
        Ok(_) => {
            // What a pipe says is not on the screen yet.
            if !std::io::stdin().is_terminal() {
                output::print(&format!("{}\n", line.trim()));
            }
            Some(line.trim().to_string())
        }
    }
}

/// The legal moves with their numbers, in columns.
fn list(moves: &[Play], all: bool) {
    let most = if all { moves.len() } else { LISTED };
    let digits = moves.len().to_string().len();
    let items: Vec<String> = moves
        .iter()
        .take(most)
        .enumerate()
        .map(|(index, play)| format!("{:digits$} {}", index + 1, play.label))
        .collect();
    let mut text = output::columns(&items, output::width());
    if moves.len() > most {
        text.push_str(&format!("… and {} more; `moves all` lists them\n", output::count((moves.len() - most) as u64)));
    }
    output::print(&text);
}
