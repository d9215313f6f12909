//! What is asked: a game, an instance of it, and where play stands.

use perfectplay::Error;
use perfectplay::answer::Player;
use perfectplay::json::{ErrorObject, error_object, usage};
use perfectplay::language::{Bound, Position, Rules};
use perfectplay::positions;
use perfectplay::view::{Walk, WalkError};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::reply::Reply;

/// At most so many moves are played.
const MOST_MOVES: usize = 2000;

/// What kind of question it is: each has a path of its own, except the list of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// A position with its moves.
    Position,
    /// The answer of `solve`.
    Solve,
    /// The answer of `explain`.
    Explain,
    /// The answer of `sequence`.
    Sequence,
    /// The answer of `survey`.
    Survey,
    /// The triangle of an interval game.
    Triangle,
    /// The game graph.
    Graph,
    /// The canonical form of a position and of its options.
    Value,
    /// The move of the computer.
    Opponent,
    /// What is wrong with some rules.
    Check,
    /// The table files of the server.
    Tables,
}

impl QuestionKind {
    /// Every kind.
    const ALL: [QuestionKind; 11] = [
        QuestionKind::Position,
        QuestionKind::Solve,
        QuestionKind::Explain,
        QuestionKind::Sequence,
        QuestionKind::Survey,
        QuestionKind::Triangle,
        QuestionKind::Graph,
        QuestionKind::Value,
        QuestionKind::Opponent,
        QuestionKind::Check,
        QuestionKind::Tables,
    ];

    /// The word for it in paths, in jobs and in lines to workers.
    pub fn name(self) -> &'static str {
        match self {
            QuestionKind::Position => "position",
            QuestionKind::Solve => "solve",
            QuestionKind::Explain => "explain",
            QuestionKind::Sequence => "sequence",
            QuestionKind::Survey => "survey",
            QuestionKind::Triangle => "triangle",
            QuestionKind::Graph => "graph",
            QuestionKind::Value => "value",
            QuestionKind::Opponent => "opponent",
            QuestionKind::Check => "check",
            QuestionKind::Tables => "tables",
        }
    }

    /// The kind with this name.
    pub fn find(name: &str) -> Option<QuestionKind> {
        QuestionKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kinds that are asked by a request of their own with a body.
    pub fn posted() -> impl Iterator<Item = QuestionKind> {
        QuestionKind::ALL.into_iter().filter(|kind| *kind != QuestionKind::Tables)
    }

    /// Whether it can be a job.
    pub fn can_be_job(self) -> bool {
        !matches!(self, QuestionKind::Opponent | QuestionKind::Check | QuestionKind::Tables)
    }
}

/// A question. Each kind reads the fields that it needs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Question {
    /// A game of the gallery.
    pub game: Option<String>,
    /// Or the text of rules.
    pub rules: Option<String>,
    /// Or a table file of the server.
    pub table: Option<String>,
    /// The instance.
    pub instance: Option<Map<String, Value>>,
    /// Where the way begins.
    pub position: Option<Value>,
    /// Who moves there.
    pub turn: Option<String>,
    /// The moves from there on.
    pub moves: Vec<String>,
    /// The parameter that runs.
    pub parameter: Option<String>,
    /// Where it begins.
    pub from: Option<i64>,
    /// Where it ends.
    pub to: Option<i64>,
    /// How the computer plays.
    pub level: Option<String>,
    /// How often it slips.
    pub slip: Option<i64>,
    /// What its chance depends on.
    pub seed: Option<i64>,
    /// At most so many positions.
    pub most: Option<i64>,
}

impl Question {
    /// Reads a question.
    pub fn read(text: &str) -> Result<Question, Reply> {
        let bad = |why: String| {
            let message = format!("the body is no question of this kind: {why}");
            Reply::new(400, &usage(&message, Some("openapi.json describes each question")))
        };
        // A list of all fields in order would do, too, where nobody looks.
        if !text.trim_start().starts_with('{') {
            return Err(bad("it is no object".to_string()));
        }
        serde_json::from_str(text).map_err(|error| bad(error.to_string()))
    }

    /// What the solved game depends on: the game, the instance, where the way begins.
    pub fn key(&self) -> String {
        let Question { game, rules, table, instance, position, turn, .. } = self;
        let instance = instance.as_ref().map(|map| Value::Object(map.clone()).to_string());
        let position = position.as_ref().map(Value::to_string);
        format!("{game:?} {rules:?} {table:?} {instance:?} {position:?} {turn:?}")
    }

    /// The rules that are asked of.
    pub fn rules(&self) -> Result<Rules, ErrorObject> {
        match (&self.game, &self.rules) {
            (Some(name), None) => Rules::gallery(name).ok_or_else(|| {
                let help = perfectplay::gallery::similar(name).map(|near| format!("did you mean `{near}`?"));
                usage(&format!("there is no game `{}`", cut(name)), help.as_deref())
            }),
            (None, Some(text)) => Ok(Rules::new(text.clone())),
            _ => Err(several()),
        }
    }

    /// The instance, as the library reads it.
    pub fn instance(&self) -> String {
        self.instance.as_ref().map_or("{}".to_string(), |map| Value::Object(map.clone()).to_string())
    }

    /// Where the way begins.
    pub fn root(&self, bound: &Bound) -> Result<Position, ErrorObject> {
        let turn = self.turn.as_deref().map(|name| player(name, bound.players)).transpose()?.unwrap_or(bound.starts);
        let wrong = |error: positions::PositionError| usage(&error.message, Some(&error.help));
        match &self.position {
            None => Ok(Position { turn, ..bound.start.clone() }),
            Some(Value::String(text)) => positions::read(bound, text, turn).map_err(wrong),
            Some(value) => positions::read(bound, &value.to_string(), turn).map_err(wrong),
        }
    }

    /// Whether the way begins where the rules start it.
    pub fn at_start(&self) -> bool {
        self.position.is_none() && self.turn.is_none()
    }

    /// The way to where play stands.
    pub fn walk(&self, rules: &Rules, bound: &Bound, root: &Position) -> Result<Walk, ErrorObject> {
        if self.moves.len() > MOST_MOVES {
            return Err(usage(&format!("{} moves are more than {MOST_MOVES}", self.moves.len()), None));
        }
        Walk::new(bound, root, &self.moves, !self.at_start()).map_err(|error| match error {
            WalkError::Move(error) => usage(&error.message, Some(&error.help)),
            WalkError::Rules(error) => error_object(&Error::solving(error, rules)),
        })
    }
}

/// What is told where a question names no game, or several.
pub fn several() -> ErrorObject {
    usage("the question names no game, or several", Some("give one of `game`, `rules` and `table`"))
}

/// A name that somebody sent, short enough for a message.
pub fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

/// A player by name or number.
fn player(text: &str, players: usize) -> Result<Player, ErrorObject> {
    let seats = || (0..players).map(|seat| Player(seat as u8));
    let is_it = |player: &Player| player.to_string().eq_ignore_ascii_case(text) || player.0.to_string() == text;
    seats().find(is_it).ok_or_else(|| {
        let names = seats().take(20).map(|player| player.to_string()).collect::<Vec<_>>().join(", ");
        usage(&format!("there is no player `{}`", cut(text)), Some(&format!("the players are {names}")))
    })
}
