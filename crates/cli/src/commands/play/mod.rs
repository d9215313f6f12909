//! `perfectplay play`: a game at the terminal, against perfect play or between people.
//!
//! [`board`] is what is played, [`words`] understands what a person types, [`adviser`] knows the best moves. Between people
//! nothing is solved before somebody asks for a hint, so that games far too large to solve can be played. Positions with more
//! moves than can be listed can be played, too: a move that is typed is put to the rules.

mod adviser;
mod board;
mod words;

use std::io::{BufRead as _, IsTerminal as _};

use perfectplay::SolveError;
use perfectplay::answer::Player;
use perfectplay::sums::{SumError, SumMove, SumPlay, SumPosition};

use crate::args::PlayArgs;
use crate::commands::moves::Extent;
use crate::failure::Failure;
use crate::load::{self, Asked};
use crate::output::{self, FAINT, GOOD, STRONG, styled};
use crate::{phrases, watch};
use adviser::Adviser;
use board::{Board, seats};
use words::Said;

/// How many legal moves have numbers and can be listed.
const NUMBERED: usize = 10_000;

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
    let asked = load::asked(&args.game)?;
    let board = match &asked {
        Asked::Game(game) => Board::Game { rules: &game.0, bound: &game.1 },
        Asked::Sum(sum) => Board::sum(sum),
    };
    let people = people(args, &board)?;
    let mut adviser = Adviser::new(&board, &args.limits, args.quiet);
    if people.contains(&false) {
        adviser.prepare(&board.start()).map_err(|error| too_large(error, &board))?;
    }
    let mut table = Table { board: &board, adviser, people, history: Vec::new(), position: board.start() };
    table.greet();
    table.play()
}

/// The computer cannot play a game that it cannot solve; people can.
fn too_large(error: SumError, board: &Board<'_>) -> Failure {
    if error.error.is_limit() {
        output::complain("The computer plays perfectly or not at all; `play --people` needs no solution.\n");
    }
    board.failure(error)
}

/// Which players are people.
fn people(args: &PlayArgs, board: &Board<'_>) -> Result<Vec<bool>, Failure> {
    if args.people {
        return Ok(vec![true; board.players()]);
    }
    let players = || seats(board.players());
    let seat = match args.seat.as_deref() {
        None => board.start().turn,
        Some(text) => players().find(|p| p.to_string() == text || p.0.to_string() == text).ok_or_else(|| {
            let names = players().map(|player| player.to_string()).collect::<Vec<_>>().join(", ");
            Failure::usage_help(format!("there is no player `{text}`"), format!("the players are {names}"))
        })?,
    };
    Ok(players().map(|player| player == seat).collect())
}

/// A game in progress.
struct Table<'t> {
    board: &'t Board<'t>,
    adviser: Adviser<'t>,
    /// Which players are people.
    people: Vec<bool>,
    /// Earlier positions, each with the move that left it and what it gained.
    history: Vec<(SumPosition, String, Vec<i64>)>,
    position: SumPosition,
}

impl Table<'_> {
    fn greet(&self) {
        let width = output::width();
        let mut text = format!("{}\n", styled(self.board.name(), STRONG));
        for paragraph in self.board.doc().iter().filter(|text| !text.is_empty()) {
            text.push_str(&format!("{}\n", output::prose(paragraph, 0, width)));
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
            let moves = self.board.first_plays(&self.position, NUMBERED).map_err(|error| self.board.failure(error))?;
            if moves.0.is_empty() {
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
                let chosen = self.adviser.choice(&self.position).map_err(|error| self.board.failure(error))?;
                let Some(chosen) = chosen else {
                    return Err(Failure::unsolved(SolveError::Internal("no move is best".to_string())));
                };
                output::print(&format!("{mover} plays {}\n", styled(&chosen.play.label, STRONG)));
                self.make(&chosen);
            }
        }
    }

    /// Whether the position came back without a move by a person.
    fn circling(&self) -> bool {
        let mut alone = self.history.iter().rev().take_while(|(before, ..)| !self.people[before.turn.index()]);
        alone.any(|(before, ..)| *before == self.position)
    }

    /// Does what a person said, given the first legal moves and whether there are more; whether that ends the game.
    fn answer(&mut self, line: &str, (moves, more): (Vec<SumPlay>, bool)) -> Result<bool, Failure> {
        match words::said(line, &moves) {
            Said::Move(index) => self.make(&moves[index]),
            Said::Moves { all } => list(&moves, all, more),
            Said::Hint => self.hint(false)?,
            Said::Hints => self.hint(true)?,
            Said::Undo => self.undo(),
            Said::Show => self.show(),
            Said::Help => output::print(HELP),
            Said::Quit => return Ok(true),
            Said::Unclear(text) => output::print(&text),
            Said::Other => {
                let named = self.board.named(&self.position, line).map_err(|error| self.board.failure(error))?;
                match &named[..] {
                    [] => output::print(&words::unclear(line, &moves)),
                    [only] => self.make(only),
                    several => output::print(&words::several(line, several)),
                }
            }
        }
        Ok(false)
    }

    fn make(&mut self, mv: &SumPlay) {
        let option = self.position.after(mv);
        let before = std::mem::replace(&mut self.position, option);
        self.history.push((before, mv.play.label.clone(), mv.play.gains.clone()));
        self.show();
        if self.history.iter().any(|(earlier, ..)| *earlier == self.position) {
            output::print(&styled("this position was here before; `quit` leaves a game that goes in circles\n", FAINT));
        }
    }

    /// A best move, or all of them rated; or why there is none.
    fn hint(&mut self, all: bool) -> Result<(), Failure> {
        let told = if all { self.ratings() } else { self.best() };
        match told {
            Ok(text) => output::print(&text),
            Err(SumError { error, .. }) if error.is_limit() => {
                output::print(
                    "no hints here: the game is too large to solve from this position; try again later in the game\n",
                );
            }
            Err(SumError { error: SolveError::Interrupted { .. }, .. }) => output::print("stopped\n"),
            Err(error) => return Err(self.board.failure(error)),
        }
        Ok(())
    }

    /// The move that perfect play makes, and what it is worth.
    fn best(&mut self) -> Result<String, SumError> {
        let chosen = self.adviser.choice(&self.position)?;
        let moves = self.adviser.moves(&self.position)?.moves;
        let is_it = |mv: &&SumMove| chosen.as_ref().is_some_and(|chosen| mv.play() == *chosen);
        let best = moves.iter().find(is_it).or_else(|| moves.iter().find(|mv| mv.rated.best));
        Ok(best.map_or(String::new(), |SumMove { rated, .. }| {
            format!("{}  {}\n", styled(&rated.play.label, STRONG), phrases::worth(rated))
        }))
    }

    /// Every move with its number and what it is worth, or the best ones where there are too many.
    fn ratings(&mut self) -> Result<String, SumError> {
        let listed = self.adviser.moves(&self.position)?;
        let width = listed.moves.iter().map(|mv| mv.rated.play.label.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for (index, SumMove { rated, .. }) in listed.moves.iter().enumerate() {
            let number = if listed.cut { String::new() } else { (index + 1).to_string() };
            let mark = if rated.best { "*" } else { " " };
            text.push_str(&format!("{number:>4} {mark} {:width$}  {}\n", rated.play.label, phrases::worth(rated)));
        }
        text.push_str(&Extent { cut: listed.cut, best_cut: listed.best_cut, count: listed.count }.text());
        Ok(text)
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
        let drawing = self.board.draw(&self.position);
        let score = match self.gained() {
            Some(Ok(gained)) => format!("  {}", styled(format!("score {}", phrases::totals(&gained)), FAINT)),
            _ => String::new(),
        };
        output::print(&format!("\n{}{score}\n", drawing.trim_end()));
    }

    /// What everyone has gained so far, in a counted game.
    fn gained(&self) -> Option<Result<Vec<i64>, SolveError>> {
        if !self.board.counted() {
            return None;
        }
        let mut totals = vec![0i64; self.board.players()];
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
        let gained = self.gained().transpose().map_err(board::alone);
        let told = gained.and_then(|gained| self.board.ending(&self.position, gained.as_deref()));
        let mut text = told.map_err(|error| self.board.failure(error))?;
        if let Some(you) = self.you() {
            text = text.replacen(&format!("{} wins", phrases::player(&you.to_string())), "you win", 1);
        }
        output::print(&format!("{}\n", styled(text, GOOD.bold())));
        Ok(())
    }
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

/// The first legal moves with their numbers, in columns.
fn list(moves: &[SumPlay], all: bool, more: bool) {
    let most = if all { moves.len() } else { LISTED.min(moves.len()) };
    let digits = moves.len().to_string().len();
    let numbered = moves.iter().take(most).enumerate();
    let items: Vec<String> = numbered.map(|(index, mv)| format!("{:digits$} {}", index + 1, mv.play.label)).collect();
    let mut text = output::columns(&items, output::width());
    if more {
        text.push_str("… and too many more to list: any legal move can be typed\n");
    } else if moves.len() > most {
        text.push_str(&format!("… and {} more; `moves all` lists them\n", output::count((moves.len() - most) as u64)));
    }
    output::print(&text);
}
