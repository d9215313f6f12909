//! `perfectplay play`: a game at the terminal, against perfect play or weaker players, or between people.
//!
//! [`crate::board`] is what is played, [`crate::lines`] is where a person types, [`words`] understands it, [`adviser`] knows the best
//! moves, [`opponent`] chooses those of the computer.
//!
//! Between people nothing is solved before somebody asks for a hint, so that games far too large to solve can be played. So
//! can positions with more moves than can be listed: a move that is typed is put to the rules.

mod adviser;
mod opponent;
mod words;

use perfectplay::SolveError;
use perfectplay::answer::Player;
use perfectplay::moves::{Play, RatedMove};
use perfectplay::sums::{SumError, SumPosition};

use crate::args::PlayArgs;
use crate::board::{self, Board, seats};
use crate::failure::Failure;
use crate::lines::{Completed, Line, Lines};
use crate::listing::{Extent, aligned};
use crate::load;
use crate::meant::{self, Meant};
use crate::output::{self, FAINT, GOOD, STRONG, styled};
use crate::stored::{self, Stored};
use crate::{phrases, progress, squares, start};
use adviser::Adviser;
use opponent::{Found, Opponent};
use words::Said;

/// How many legal moves have numbers and can be listed.
const NUMBERED: usize = 10_000;

/// How many moves are listed at once.
const LISTED: usize = 60;

/// What is said where values do not tell how a win is brought nearer.
const GOES_ROUND: &str = "Positions repeat here, and values do not tell how a win is brought nearer: the computer gives nothing \
                          away, but its best moves may go round for ever.";

const HELP: &str = "  a move by its name, its number in the list (#3), its square or its numbers plays it
  moves   lists the legal moves (`moves all`: every one of them)
  hint    shows a best move;  hints  rates them all
  undo    takes back your last move
  show    draws the position again;  position  prints it for the command line
  quit    ends the game
";

pub fn run(args: &PlayArgs) -> Result<u8, Failure> {
    let (mut asked, stored) = match &args.game.table {
        None => (load::asked(&args.game.game())?, None),
        Some(path) => {
            let (asked, file) = Stored::open(path)?.into_asked();
            (asked, Some((path.as_path(), file)))
        }
    };
    let way = start::stand(&mut asked, &args.at)?;
    let board = Board::of(&asked);
    let people = people(args, &board)?;
    let mut adviser = Adviser::new(&board, &args.limits, args.quiet);
    if let (Some((path, file)), Board::Game { rules, bound }) = (stored, &board) {
        adviser
            .read(stored::solved(path, (rules, bound), file, &mut progress::monitor(&args.limits.limits(), true))?.0);
    }
    let mut opponent = Opponent::new(args.opponent, args.seed.unwrap_or_else(now));
    if people.contains(&false) && opponent.is_exact() {
        match adviser.prepare(&board.start()) {
            Ok(()) => {}
            Err(error) if error.error.is_limit() => opponent.too_large(),
            Err(error) => return Err(board.failure(error)),
        }
    }
    let mut table = Table {
        board: &board,
        adviser,
        opponent,
        people,
        history: Vec::new(),
        position: board.start(),
        gained: way.totals.unwrap_or_default(),
        lines: Lines::new(Completed::Line),
    };
    table.greet();
    table.play()
}

/// A seed that is another one each time.
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

/// Which players are people.
fn people(args: &PlayArgs, board: &Board<'_>) -> Result<Vec<bool>, Failure> {
    if args.people {
        return Ok(vec![true; board.players()]);
    }
    let seat = match args.seat.as_deref() {
        None => board.start().turn,
        Some(text) => start::player(text, board.players())?,
    };
    Ok(seats(board.players()).map(|player| player == seat).collect())
}

/// A game in progress.
struct Table<'t> {
    board: &'t Board<'t>,
    adviser: Adviser<'t>,
    opponent: Opponent,
    /// Which players are people.
    people: Vec<bool>,
    /// Earlier positions, each with the move that left it and what it gained.
    history: Vec<(SumPosition, String, Vec<i64>)>,
    position: SumPosition,
    /// What everyone had gained before.
    gained: Vec<i64>,
    lines: Lines,
}

impl Table<'_> {
    fn greet(&self) {
        let width = output::width();
        let mut text = format!("{}\n", styled(self.board.name(), STRONG));
        for paragraph in self.board.doc().iter().filter(|text| !text.is_empty()) {
            text.push_str(&format!("{}\n", output::prose(paragraph, 0, width)));
        }
        if let (Some(you), true) = (self.you(), self.people.contains(&false)) {
            let introduction = format!("You are {}; {}.", phrases::player(&you.to_string()), self.opponent.describe());
            text.push_str(&format!("{}\n", output::prose(&introduction, 0, width)));
        }
        if self.adviser.goes_round() {
            text.push_str(&format!("{}\n", output::prose(GOES_ROUND, 0, width)));
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
                let labels = moves.0.iter().map(|mv| mv.label.clone());
                let words = labels.chain(words::COMMANDS.iter().map(|word| word.to_string()));
                match self.lines.ask(&format!("{mover} to move> "), words) {
                    Line::Text(line) => {
                        if self.answer(&line, moves)? {
                            self.way_back();
                            return Ok(0);
                        }
                    }
                    Line::End => {
                        self.way_back();
                        return Ok(0);
                    }
                    Line::Interrupt => return Ok(130),
                }
            } else if self.circling() {
                output::print("the computer goes in circles: this game never ends\n");
                return Ok(0);
            } else {
                let chosen = self.opponent.choose(self.board, &mut self.adviser, &self.position);
                let Some((chosen, found)) = chosen.map_err(|error| self.board.failure(error))? else {
                    return Err(Failure::unsolved(SolveError::Internal("no move is best".to_string())));
                };
                let how = match found {
                    Found::Asked => String::new(),
                    Found::Ahead(depth) => format!(" (it looked {} ahead)", output::plural(depth as u64, "move")),
                    Found::Guess => " (a guess)".to_string(),
                    Found::SolvedNow => {
                        " (it has solved the rest of the game, and plays perfectly from here on)".to_string()
                    }
                };
                let square = squares::beside(self.board, &self.position, &[&chosen]).concat();
                let square = if square.is_empty() { square } else { format!(" {square}") };
                let label = styled(&chosen.label, STRONG);
                output::print(&format!("{mover} plays {label}{square}{}\n", styled(how, FAINT)));
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
    fn answer(&mut self, line: &str, (moves, more): (Vec<Play>, bool)) -> Result<bool, Failure> {
        match words::said(line, &moves) {
            Said::Move(index) => self.make(&moves[index]),
            Said::Number(number) => self.numbered(line, number, &moves)?,
            Said::Moves { all } => list(self.board, &self.position, (&moves, more), all),
            Said::Hint => self.hint(false)?,
            Said::Hints => self.hint(true)?,
            Said::Undo => self.undo(),
            Said::Show => self.show(),
            Said::Position => self.way_back(),
            Said::Help => output::print(HELP),
            Said::Quit => return Ok(true),
            Said::Unclear(text) => output::print(&text),
            Said::Other => match self.meant(line)? {
                Meant::Move(mv) => self.make(&mv),
                Meant::Several(several) => output::print(&words::several(line, &several)),
                Meant::Nothing => output::print(&words::unclear(line, &moves)),
            },
        }
        Ok(false)
    }

    fn meant(&self, line: &str) -> Result<Meant, Failure> {
        meant::meant(self.board, &self.position, line).map_err(|error| self.board.failure(error))
    }

    /// A number: that of a move in the list, or what a move has in parentheses. Where these differ nobody can tell.
    fn numbered(&mut self, line: &str, number: i64, moves: &[Play]) -> Result<(), Failure> {
        let listed = usize::try_from(number).ok().and_then(|number| moves.get(number.checked_sub(1)?));
        match (listed, self.meant(line)?) {
            (Some(listed), Meant::Move(mv)) if *listed != mv => {
                let (listed, meant) = (&listed.label, &mv.label);
                output::print(&format!(
                    "`{line}` can be move number {line}, `{listed}`, or `{meant}`: type #{line} or {meant}\n"
                ));
            }
            (Some(listed), Meant::Several(several)) if !several.contains(listed) => {
                let labels: Vec<&str> = several.iter().map(|mv| mv.label.as_str()).collect();
                output::print(&format!(
                    "`{line}` can be move number {line}, `{}`, or one of {}: type #{line}, or the whole move\n",
                    listed.label,
                    meant::listed(&labels)
                ));
            }
            (Some(listed), _) => self.make(listed),
            (None, Meant::Move(mv)) => self.make(&mv),
            (None, Meant::Several(several)) => output::print(&words::several(line, &several)),
            (None, Meant::Nothing) => output::print(&words::unclear(line, moves)),
        }
        Ok(())
    }

    /// The options that bring this position back.
    fn way_back(&self) {
        output::print(&format!(
            "{}\n",
            styled(format!("position: {}", start::options(self.board, &self.position)), FAINT)
        ));
    }

    fn make(&mut self, mv: &Play) {
        let option = self.position.after(mv);
        let before = std::mem::replace(&mut self.position, option);
        self.history.push((before, mv.label.clone(), mv.gains.clone()));
        self.show();
        if self.history.iter().any(|(earlier, ..)| *earlier == self.position) {
            output::print(&styled("this position was here before; `quit` leaves a game that goes in circles\n", FAINT));
        }
    }

    /// A best move, or all of them rated; or why there is none.
    fn hint(&mut self, all: bool) -> Result<(), Failure> {
        let advice = if all { self.ratings() } else { self.best() };
        match advice {
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
        let is_it = |mv: &&RatedMove| chosen.as_ref().is_some_and(|chosen| mv.play == *chosen);
        let best = moves.iter().find(is_it).or_else(|| moves.iter().find(|mv| mv.best));
        Ok(best.map_or(String::new(), |rated| {
            format!("{}  {}\n", styled(&rated.play.label, STRONG), phrases::worth(rated))
        }))
    }

    /// Every move with its number and what it is worth, or the best ones where there are too many.
    fn ratings(&mut self) -> Result<String, SumError> {
        let listed = self.adviser.moves(&self.position)?;
        let width = listed.moves.iter().map(|mv| mv.play.label.chars().count()).max().unwrap_or(0);
        let plays: Vec<&Play> = listed.moves.iter().map(|mv| &mv.play).collect();
        let squares = aligned(&squares::beside(self.board, &self.position, &plays));
        let mut text = String::new();
        for (index, rated) in listed.moves.iter().enumerate() {
            let number = if listed.cut { String::new() } else { (index + 1).to_string() };
            let mark = if rated.best { "*" } else { " " };
            let (label, worth, square) = (&rated.play.label, phrases::worth(rated), &squares[index]);
            text.push_str(&format!("{number:>4} {mark} {label:width$}{square}  {worth}\n"));
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
        let mut totals = self.gained.clone();
        totals.resize(self.board.players(), 0);
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
        let gained = self.gained().transpose().map_err(board::of_one_game);
        let ending = gained.and_then(|gained| self.board.ending(&self.position, gained.as_deref()));
        let mut text = ending.map_err(|error| self.board.failure(error))?;
        if let Some(you) = self.you() {
            text = text.replacen(&format!("{} wins", phrases::player(&you.to_string())), "you win", 1);
        }
        output::print(&format!("{}\n", styled(text, GOOD.bold())));
        Ok(())
    }
}

/// The first legal moves with their numbers, in columns.
fn list(board: &Board<'_>, position: &SumPosition, (moves, more): (&[Play], bool), all: bool) {
    let most = if all { moves.len() } else { LISTED.min(moves.len()) };
    let digits = moves.len().to_string().len();
    let plays: Vec<&Play> = moves.iter().take(most).collect();
    let squares = squares::beside(board, position, &plays);
    let numbered = moves.iter().take(most).zip(squares).enumerate();
    let item = |(index, (mv, square)): (usize, (&Play, String))| {
        format!("{:digits$} {} {square}", index + 1, mv.label).trim_end().to_string()
    };
    let items: Vec<String> = numbered.map(item).collect();
    let mut text = output::columns(&items, output::width());
    if more {
        text.push_str("… and too many more to list: any legal move can be typed\n");
    } else if moves.len() > most {
        text.push_str(&format!("… and {} more; `moves all` lists them\n", output::count((moves.len() - most) as u64)));
    }
    output::print(&text);
}
