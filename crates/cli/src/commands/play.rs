//! `perfectplay play`: a game at the terminal, against perfect play or between people.

use std::io::{BufRead as _, Write as _};

use perfectplay::{Bound, End, Options, Outcome, Player, Position, RatedMove, SolveError, Solved};
use rules::show;
use rules::suggest::nearest;

use crate::args::PlayArgs;
use crate::commands::moves::worth_text;
use crate::failure::Failure;
use crate::load::{self, Rules};
use crate::output::{self, FAINT, GOOD, STRONG, styled};
use crate::progress;

/// How many moves are listed at once.
const LISTED: usize = 30;

const HELP: &str = "\
  a move by its name or its number plays it
  moves   lists every legal move
  hint    shows a best move;  hints  rates them all
  undo    takes back your last move
  show    draws the position again
  quit    ends the game
";

pub fn run(args: &PlayArgs) -> Result<u8, Failure> {
    let (rules, bound) = load::game(&args.game)?;
    let people = people(args, &bound)?;
    let mut monitor = progress::monitor(&args.limits.limits(), args.quiet);
    let options = Options { method: args.limits.method(), ..Options::default() };
    let solved = perfectplay::solve(&bound, &bound.start, &options, &mut monitor);
    drop(monitor);
    let solved = solved.map_err(|error| Failure::solving(error, &rules))?;
    let mut table =
        Table { solved: &solved, rules: &rules, people, history: Vec::new(), position: bound.start.clone() };
    table.greet();
    table.play()
}

/// Which players are people.
fn people(args: &PlayArgs, bound: &Bound) -> Result<Vec<bool>, Failure> {
    if args.people {
        return Ok(vec![true; bound.players]);
    }
    let seat = match args.seat.as_deref() {
        None => bound.starts,
        Some(text) => {
            let named =
                (0..bound.players).map(|n| Player(n as u8)).find(|p| p.to_string() == text || p.0.to_string() == text);
            named.ok_or_else(|| {
                Failure::usage(format!("there is no player `{text}`; there are {} players", bound.players))
            })?
        }
    };
    Ok((0..bound.players).map(|player| player == seat.index()).collect())
}

/// A game in progress.
struct Table<'t> {
    solved: &'t Solved<'t>,
    rules: &'t Rules,
    /// Which players are people.
    people: Vec<bool>,
    /// Earlier positions, each with the move that left it and what it gained.
    history: Vec<(Position, String, Vec<i64>)>,
    position: Position,
}

/// What a person typed.
enum Said {
    Move(usize),
    Moves,
    Hint,
    Hints,
    Undo,
    Show,
    Help,
    Quit,
    Unclear(String),
}

impl Table<'_> {
    fn bound(&self) -> &Bound {
        self.solved.bound
    }

    fn greet(&self) {
        let program = &self.bound().program;
        let mut text = format!("{}\n", styled(&program.name, STRONG));
        for line in &program.doc {
            text.push_str(&format!("{line}\n"));
        }
        text.push_str(&styled("type `help` for what you can do\n", FAINT));
        output::print(&text);
    }

    fn play(&mut self) -> Result<u8, Failure> {
        self.show();
        loop {
            let moves = self.moves()?;
            if moves.is_empty() {
                self.farewell()?;
                return Ok(0);
            }
            let mover = self.position.turn;
            if !self.people[mover.index()] {
                let best = best_of(&moves);
                output::print(&format!("{mover} plays {}\n", styled(&best.label, STRONG)));
                self.make(best.clone());
                self.show();
                continue;
            }
            let Some(line) = ask(&format!("{mover} to move> ")) else { return Ok(0) };
            match said(&line, &moves) {
                Said::Move(index) => {
                    self.make(moves[index].clone());
                    self.show();
                }
                Said::Moves => list(&moves, false),
                Said::Hints => list(&moves, true),
                Said::Hint => {
                    let best = best_of(&moves);
                    output::print(&format!("{} {}\n", styled(&best.label, STRONG), worth_text(best)));
                }
                Said::Undo => self.undo(),
                Said::Show => self.show(),
                Said::Help => output::print(HELP),
                Said::Quit => return Ok(0),
                Said::Unclear(text) => output::print(&text),
            }
        }
    }

    fn moves(&self) -> Result<Vec<RatedMove>, Failure> {
        self.solved.moves(&self.position).map_err(|error| Failure::solving(error, self.rules))
    }

    fn make(&mut self, mv: RatedMove) {
        let before = std::mem::replace(&mut self.position, mv.option);
        self.history.push((before, mv.label, mv.gains));
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
        let drawing = match show::draw(self.bound(), &self.position) {
            Ok(drawing) => drawing,
            Err(_) => show::position_text(self.bound(), &self.position),
        };
        let totals =
            self.totals().map_or(String::new(), |totals| format!("  {}", styled(format!("score {totals}"), FAINT)));
        output::print(&format!("\n{}{totals}\n", drawing.trim_end()));
    }

    /// What everyone has gained so far.
    fn totals(&self) -> Option<String> {
        if !self.bound().program.counted {
            return None;
        }
        let sum = |player: usize| {
            self.history.iter().filter_map(|(_, _, gains)| gains.get(player)).fold(0i64, |a, b| a.saturating_add(*b))
        };
        let totals: Vec<String> = (0..self.bound().players).map(|player| sum(player).to_string()).collect();
        Some(totals.join(" : "))
    }

    fn farewell(&self) -> Result<(), Failure> {
        let end = self.solved.end(&self.position).map_err(|error| Failure::solving(error, self.rules))?;
        let mover = self.position.turn;
        let text = match end {
            Some(End::Outcome(Outcome::Win)) => format!("{mover} wins"),
            Some(End::Outcome(Outcome::Loss)) => format!("{} wins", mover.other()),
            Some(End::Outcome(Outcome::Draw)) => "a draw".to_string(),
            Some(End::Gains(gains)) if self.bound().program.counted => self.final_score(&gains)?,
            Some(End::Gains(gains)) => match solve::solution::single_winner(&gains) {
                Some(winner) => format!("{winner} wins"),
                None => "nobody wins alone".to_string(),
            },
            None => "the game is over".to_string(),
        };
        output::print(&format!("{}\n", styled(text, GOOD.bold())));
        Ok(())
    }

    fn final_score(&self, last: &[i64]) -> Result<String, Failure> {
        let mut totals = last.to_vec();
        for (_, _, gains) in &self.history {
            for (total, gain) in totals.iter_mut().zip(gains) {
                *total = total.checked_add(*gain).ok_or(Failure::Unsolved(SolveError::Overflow))?;
            }
        }
        let text = totals.iter().map(i64::to_string).collect::<Vec<_>>().join(" : ");
        Ok(match solve::solution::single_winner(&totals) {
            Some(winner) => format!("{winner} wins, {text}"),
            None => format!("equal scores, {text}"),
        })
    }
}

/// The move that perfect play makes.
fn best_of(moves: &[RatedMove]) -> &RatedMove {
    let best = moves.iter().find(|mv| mv.fast).or_else(|| moves.iter().find(|mv| mv.best));
    best.unwrap_or(&moves[0])
}

/// One line of input; `None` at its end.
fn ask(prompt: &str) -> Option<String> {
    output::print(&styled(prompt, STRONG));
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    match read {
        Ok(0) | Err(_) => {
            let _ = writeln!(std::io::stdout());
            None
        }
        Ok(_) => Some(line.trim().to_string()),
    }
}

fn said(line: &str, moves: &[RatedMove]) -> Said {
    let squeeze = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let wanted = squeeze(line);
    if let Some(index) = moves.iter().position(|mv| squeeze(&mv.label) == wanted) {
        return Said::Move(index);
    }
    if let Ok(number) = wanted.parse::<usize>() {
        if (1..=moves.len()).contains(&number) {
            return Said::Move(number - 1);
        }
        return Said::Unclear(format!("there is no move {number}; `moves` lists them\n"));
    }
    match line {
        "" | "moves" | "m" => Said::Moves,
        "hint" | "h" => Said::Hint,
        "hints" => Said::Hints,
        "undo" | "u" => Said::Undo,
        "show" | "s" => Said::Show,
        "help" | "?" => Said::Help,
        "quit" | "q" | "exit" => Said::Quit,
        _ => {
            // A move of a sum may leave out its part where only one part has it.
            let short: Vec<usize> = (0..moves.len())
                .filter(|&i| squeeze(&moves[i].label).starts_with(&format!("{wanted}inpart")))
                .collect();
            if let [only] = short[..] {
                return Said::Move(only);
            }
            let near = nearest(
                line,
                moves.iter().map(|mv| mv.label.as_str()).chain(["hint", "undo", "moves", "quit", "help"]),
            );
            let help = near.map_or("`moves` lists the legal moves, `help` the rest".to_string(), |near| {
                format!("did you mean `{near}`?")
            });
            Said::Unclear(format!("`{line}` is not a legal move: {help}\n"))
        }
    }
}

fn list(moves: &[RatedMove], rated: bool) {
    let mut text = String::new();
    for (index, mv) in moves.iter().take(LISTED).enumerate() {
        let worth =
            if rated { format!("  {}{}", worth_text(mv), if mv.best { " *" } else { "" }) } else { String::new() };
        text.push_str(&format!("{:4}  {}{worth}\n", index + 1, mv.label));
    }
    if moves.len() > LISTED {
        text.push_str(&format!("      … and {} more\n", moves.len() - LISTED));
    }
    output::print(&text);
}
