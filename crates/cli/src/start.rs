//! Where play stands: the start, a position that is given, or one that moves lead to.

use perfectplay::answer::Player;
use perfectplay::json::Standing;
use perfectplay::language::{Bound, Position};
use perfectplay::positions::{self, PositionError};
use perfectplay::sums::{Compound, SumPosition};

use crate::args::PositionArgs;
use crate::board::{Board, seats};
use crate::failure::Failure;
use crate::load::{self, Asked};
use crate::meant::{self, Played};
use crate::paste;

/// How play came to where it stands.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// The moves that were played, each by its whole name.
    pub after: Vec<String>,
    /// What everyone has gained with them, where something is counted.
    pub totals: Option<Vec<i64>>,
    /// Whether play stands elsewhere than the rules start it.
    pub elsewhere: bool,
    /// Whether it began in a position that was given, so that nobody knows what was gained before.
    pub from_position: bool,
}

impl Way {
    /// What everyone has gained since the start, where that is known.
    pub fn known_totals(&self) -> Option<&[i64]> {
        self.totals.as_deref().filter(|_| !self.from_position)
    }

    /// What everyone has gained with the moves that were played, if there are any.
    pub fn so_far(&self) -> Option<&[i64]> {
        self.totals.as_deref().filter(|_| !self.after.is_empty())
    }
}

/// Has play stand where the command line says; every command then looks at that as the start.
pub fn stand(asked: &mut Asked, args: &PositionArgs) -> Result<Way, Failure> {
    if args.is_empty() {
        let totals = match asked {
            Asked::Game(game) => game.1.program.counted.then(|| vec![0; game.1.players]),
            Asked::Sum(_) => None,
        };
        return Ok(Way { totals, ..Way::default() });
    }
    let given = args.position.as_deref().map(text_of).transpose()?;
    let (position, way) = {
        let board = Board::of(asked);
        let players = board.players();
        let turn = args.turn.as_deref().map(|name| player(name, players)).transpose()?;
        let start = board.start();
        let turn = turn.unwrap_or(start.turn);
        let stood = match &given {
            None => SumPosition { turn, summands: start.summands },
            Some(text) => read(asked, text, turn)?,
        };
        let summands = stood.summands.into_iter().map(|position| Position { turn, ..position }).collect();
        let stood = SumPosition { summands, turn };
        let Played { position, labels, totals } = meant::after(&board, &stood, args.after.as_deref().unwrap_or(""))?;
        let totals = board.counted().then_some(totals);
        (position, Way { after: labels, totals, elsewhere: true, from_position: given.is_some() })
    };
    match asked {
        Asked::Game(game) => {
            game.1.starts = position.turn;
            if let Some(only) = position.summands.into_iter().next() {
                game.1.start = only;
            }
        }
        Asked::Sum(sum) => sum.start_at(&position),
    }
    Ok(way)
}

/// Where play stands, for programs.
pub fn standing(asked: &Asked, way: &Way) -> Standing {
    let start = Board::of(asked).start();
    let board = Board::of(asked);
    let here: Vec<(&Bound, &Position)> =
        start.summands.iter().enumerate().map(|(summand, position)| (board.bound(summand), position)).collect();
    Standing::new(&here, start.turn, &way.after, way.totals.as_deref())
}

/// The position of a table file's game that the command line says.
pub fn position(board: &Board<'_>, bound: &Bound, args: &PositionArgs) -> Result<(Position, Way), Failure> {
    let turn = args.turn.as_deref().map(|name| player(name, bound.players)).transpose()?.unwrap_or(bound.starts);
    let start = match args.position.as_deref().map(text_of).transpose()? {
        Some(text) => positions::read(bound, &text, turn).map_err(unreadable)?,
        None => Position { turn, ..bound.start.clone() },
    };
    let start = SumPosition { summands: vec![start], turn };
    let Played { mut position, labels, totals } = meant::after(board, &start, args.after.as_deref().unwrap_or(""))?;
    let totals = bound.program.counted.then_some(totals);
    let from_position = args.position.is_some();
    Ok((position.summands.swap_remove(0), Way { after: labels, totals, elsewhere: !args.is_empty(), from_position }))
}

/// The text of a position, which may be in a file.
fn text_of(text: &str) -> Result<String, Failure> {
    match text.strip_prefix('@') {
        Some(path) => load::read(path),
        None => Ok(text.to_string()),
    }
}

fn read(asked: &Asked, text: &str, turn: Player) -> Result<SumPosition, Failure> {
    let summands = match asked {
        Asked::Game(game) => vec![positions::read(&game.1, text, turn).map_err(unreadable)?],
        Asked::Sum(sum) => {
            let compound = Compound::new(sum.summands());
            let games: Vec<&Bound> = compound.summands().iter().map(|summand| summand.bound).collect();
            positions::read_sum(&games, text, turn).map_err(unreadable)?
        }
    };
    Ok(SumPosition { summands, turn })
}

fn unreadable(PositionError { message, help }: PositionError) -> Failure {
    Failure::usage_help(message, help)
}

/// A player by name or number; the books on partizan games call the first player Left and the second one Right.
pub fn player(text: &str, players: usize) -> Result<Player, Failure> {
    let wanted = match text.trim() {
        left if players == 2 && left.eq_ignore_ascii_case("left") => "first",
        right if players == 2 && right.eq_ignore_ascii_case("right") => "second",
        other => other,
    };
    let is_it = |player: &Player| player.to_string().eq_ignore_ascii_case(wanted) || player.0.to_string() == wanted;
    seats(players).find(is_it).ok_or_else(|| {
        let names = seats(players).map(|player| player.to_string()).collect::<Vec<_>>().join(", ");
        Failure::usage_help(format!("there is no player `{text}`"), format!("the players are {names}"))
    })
}

/// The options that bring play back to a position.
pub fn options(board: &Board<'_>, position: &SumPosition) -> String {
    format!(
        "--position {} --turn {}",
        paste::quoted(&board.position_text(position)),
        paste::quoted(&position.turn.to_string())
    )
}
