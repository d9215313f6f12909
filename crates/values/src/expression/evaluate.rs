//! Works expressions out. The tree is as deep as the parser allows, so plain recursion is safe here.

use std::cmp::Ordering;
use std::ops::Range;

use crate::arena::{Arena, Compact, Value};
use crate::error::{Error, Result};
use crate::expression::answer::Answer;
use crate::expression::functions::FUNCTIONS;
use crate::expression::parser::parse;
use crate::expression::tree::{Expression, Named, Relation, Term};
use crate::loopy::{Graph, Loopy};
use crate::number::Dyadic;
use crate::side::Side;

/// Positions by name, such as `domineering(2,3)`.
pub trait Positions {
    /// The value of a position; None if there is no such name. An [`Error::Undefined`] gets the place of the position,
    /// and the place of an [`Error::Text`] is counted from the beginning of the position.
    fn position(&mut self, arena: &mut Arena, position: &Named) -> Result<Option<Answer>>;
}

/// No positions at all.
pub struct NoPositions;

impl Positions for NoPositions {
    fn position(&mut self, _: &mut Arena, _: &Named) -> Result<Option<Answer>> {
        Ok(None)
    }
}

/// Works expressions out in an arena.
pub struct Calculator<'c> {
    arena: &'c mut Arena,
    positions: &'c mut dyn Positions,
    /// Labels of loopy games that are being read, with their positions.
    labels: Vec<(String, u32)>,
    /// The loopy game that is being read: the options of its positions.
    drafts: [Vec<Vec<u32>>; 2],
}

impl<'c> Calculator<'c> {
    /// A calculator for an arena, with positions from a callback.
    pub fn new(arena: &'c mut Arena, positions: &'c mut dyn Positions) -> Calculator<'c> {
        Calculator { arena, positions, labels: Vec::new(), drafts: [Vec::new(), Vec::new()] }
    }

    /// What a text gives.
    pub fn evaluate(&mut self, text: &str) -> Result<Answer> {
        let expression = parse(text)?;
        self.answer(&expression)
    }

    /// What an expression gives.
    pub fn answer(&mut self, expression: &Expression) -> Result<Answer> {
        let place = &expression.place;
        let found = self.term(expression);
        // What is not defined is not defined at some place of the text.
        found.map_err(|error| match error {
            Error::Undefined(why) => Error::at(place.clone(), why),
            error => error,
        })
    }

    fn term(&mut self, expression: &Expression) -> Result<Answer> {
        match &expression.term {
            Term::Compact(compact) => self.arena.compact(*compact).map(Answer::Game),
            Term::Uptimal { power, all, down, star } => {
                let up = if *all { self.arena.up_powers(*power)? } else { self.arena.up_power(*power)? };
                let arrow = if *down { self.arena.negative(up)? } else { up };
                let star = self.arena.nimber(*star)?;
                self.arena.plus(arrow, star).map(Answer::Game)
            }
            Term::Braces(left, right) => self.braces(left, right),
            Term::Labelled { .. } => self.labelled(expression),
            Term::PlusMinus(options) => {
                let options = self.games(options)?;
                self.arena.plus_minus(&options).map(Answer::Game)
            }
            Term::Tiny { x, miny } => {
                let x = self.game(x)?;
                let tiny = self.arena.tiny(x)?;
                if *miny { self.arena.negative(tiny).map(Answer::Game) } else { Ok(Answer::Game(tiny)) }
            }
            Term::Sum(terms) => self.sum(terms),
            Term::Product(a, b) => self.product(a, b),
            Term::Ordinal(all) => {
                let games = self.games(all)?;
                let (&last, bases) = games.split_last().expect("an ordinal sum has parts");
                let mut sum = last;
                for &base in bases.iter().rev() {
                    sum = self.arena.ordinal_sum(base, sum)?;
                }
                Ok(Answer::Game(sum))
            }
            Term::Sides(high, low) => {
                let loopy = Loopy::of_sides(&self.loopy(high)?, &self.loopy(low)?)?;
                self.settled(loopy)
            }
            Term::Compare(relation, a, b) => self.compare(*relation, a, b),
            Term::Function(name, arguments) => self.function(name, arguments),
            Term::Position(named) => self.position(named, &expression.place),
        }
    }

    /// An expression that must give a value without loops.
    fn game(&mut self, expression: &Expression) -> Result<Value> {
        match self.answer(expression)? {
            Answer::Game(value) => Ok(value),
            other => {
                let message = format!("a value without loops is expected here, not {}", other.kind());
                Err(Error::at(expression.place.clone(), message))
            }
        }
    }

    fn games(&mut self, expressions: &[Expression]) -> Result<Vec<Value>> {
        expressions.iter().map(|expression| self.game(expression)).collect()
    }

    fn number(&mut self, expression: &Expression) -> Result<Dyadic> {
        let value = self.game(expression)?;
        let number = self.arena.number_of(value);
        number.ok_or_else(|| Error::at(expression.place.clone(), "a number is expected here"))
    }

    /// An expression that may give a loopy value.
    fn loopy(&mut self, expression: &Expression) -> Result<Loopy> {
        match self.answer(expression)? {
            Answer::Game(value) => Loopy::of_value(self.arena, value),
            Answer::Loopy(loopy) => Ok(loopy),
            other => {
                let message = format!("a value is expected here, not {}", other.kind());
                Err(Error::at(expression.place.clone(), message))
            }
        }
    }

    fn settled(&mut self, loopy: Loopy) -> Result<Answer> {
        Ok(match loopy.to_value(self.arena)? {
            Some(value) => Answer::Game(value),
            None => Answer::Loopy(loopy),
        })
    }

    fn braces(&mut self, left: &[Expression], right: &[Expression]) -> Result<Answer> {
        let mut sides = [Vec::new(), Vec::new()];
        for (side, expressions) in sides.iter_mut().zip([left, right]) {
            for expression in expressions {
                match self.answer(expression)? {
                    Answer::Game(value) => side.push(value),
                    Answer::Loopy(_) => {
                        // A loopy option makes a loopy game.
                        let term = Term::Braces(left.to_vec(), right.to_vec());
                        let place = expression.place.clone();
                        return self.labelled(&Expression { term, place });
                    }
                    other => {
                        let message = format!("an option must be a value, not {}", other.kind());
                        return Err(Error::at(expression.place.clone(), message));
                    }
                }
            }
        }
        self.arena.game(&sides[0], &sides[1]).map(Answer::Game)
    }

    fn sum(&mut self, terms: &[(bool, Expression)]) -> Result<Answer> {
        let mut sum = Value::ZERO;
        let mut loops: Option<Loopy> = None;
        for (negated, expression) in terms {
            match self.answer(expression)? {
                Answer::Game(value) if *negated => sum = self.arena.minus(sum, value)?,
                Answer::Game(value) => sum = self.arena.plus(sum, value)?,
                Answer::Loopy(loopy) => {
                    let loopy = if *negated { loopy.negative() } else { loopy };
                    loops = Some(match loops {
                        Some(before) => before.plus(&loopy)?,
                        None => loopy,
                    });
                }
                other => {
                    let message = format!("only values can be added, not {}", other.kind());
                    return Err(Error::at(expression.place.clone(), message));
                }
            }
        }
        match loops {
            None => Ok(Answer::Game(sum)),
            Some(loopy) if sum == Value::ZERO => self.settled(loopy),
            Some(loopy) => {
                let finite = Loopy::of_value(self.arena, sum)?;
                self.settled(loopy.plus(&finite)?)
            }
        }
    }

    fn product(&mut self, a: &Expression, b: &Expression) -> Result<Answer> {
        let (x, y) = match (self.answer(a)?, self.answer(b)?) {
            (Answer::Loopy(loopy), Answer::Game(n)) => return self.multiple(n, &loopy, a),
            (Answer::Game(n), Answer::Loopy(loopy)) => return self.multiple(n, &loopy, b),
            (Answer::Game(x), Answer::Game(y)) => (x, y),
            _ => (self.game(a)?, self.game(b)?),
        };
        if let Some(n) = self.arena.integer_of(x) {
            return self.arena.times(n, y).map(Answer::Game);
        }
        if let Some(n) = self.arena.integer_of(y) {
            return self.arena.times(n, x).map(Answer::Game);
        }
        if let (Some(x), Some(y)) = (self.arena.number_of(x), self.arena.number_of(y)) {
            return self.arena.number(x.times(y)?).map(Answer::Game);
        }
        let place = a.place.start..b.place.end;
        Err(Error::at(place, "one factor must be a whole number; Norton products are written `norton(x, u)`"))
    }

    /// A multiple of a loopy value.
    fn multiple(&mut self, n: Value, loopy: &Loopy, place: &Expression) -> Result<Answer> {
        match self.arena.integer_of(n) {
            Some(n) => self.settled(loopy.times(n)?),
            None => Err(Error::at(place.place.clone(), "a loopy value can only be multiplied by a whole number")),
        }
    }

    fn compare(&mut self, relation: Relation, a: &Expression, b: &Expression) -> Result<Answer> {
        let order = match (self.answer(a)?, self.answer(b)?) {
            (Answer::Game(a), Answer::Game(b)) => self.arena.compare(a, b)?,
            _ => self.loopy(a)?.compare(&self.loopy(b)?)?,
        };
        Ok(Answer::Truth(match relation {
            Relation::Equal => order == Some(Ordering::Equal),
            Relation::Unequal => order != Some(Ordering::Equal),
            Relation::Less => order == Some(Ordering::Less),
            Relation::AtMost => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Relation::Greater => order == Some(Ordering::Greater),
            Relation::AtLeast => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            Relation::Confused => order.is_none(),
            Relation::LessOrConfused => matches!(order, None | Some(Ordering::Less)),
            Relation::GreaterOrConfused => matches!(order, None | Some(Ordering::Greater)),
        }))
    }

    fn function(&mut self, name: &str, arguments: &[Expression]) -> Result<Answer> {
        if matches!(name, "outcome" | "onside" | "offside") {
            return self.loopy_function(name, &arguments[0]);
        }
        let x = self.game(&arguments[0])?;
        let arena = &mut *self.arena;
        Ok(Answer::Game(match name {
            "aw" => arena.atomic_weight(x)?,
            "birthday" => {
                let day = i64::try_from(arena.birthday(x)?).map_err(|_| Error::Overflow("a birthday is too late"))?;
                arena.integer(day)?
            }
            "cool" => {
                let t = self.number(&arguments[1])?;
                self.arena.cool(x, t)?
            }
            "farstar" => return arena.compare_far_star(x).map(Answer::Order),
            "freeze" => arena.freeze(x)?,
            "heat" => {
                let t = self.game(&arguments[1])?;
                self.arena.heat(x, t)?
            }
            "incentives" => return arena.incentives(x).map(Answer::List),
            "left" => return arena.options(x, Side::Left).map(Answer::List),
            "right" => return arena.options(x, Side::Right).map(Answer::List),
            "leftstop" => arena.number(arena.left_stop(x))?,
            "rightstop" => arena.number(arena.right_stop(x))?,
            "stops" => return Ok(Answer::Stops(arena.left_stop(x), arena.right_stop(x))),
            "mean" => {
                let mean = arena.mean(x)?;
                arena.number(mean)?
            }
            "temp" => {
                let temperature = arena.temperature(x)?;
                arena.number(temperature)?
            }
            "thermograph" => return arena.thermograph(x).map(Answer::Thermograph),
            "tiny" => arena.tiny(x)?,
            "miny" => {
                let tiny = arena.tiny(x)?;
                arena.negative(tiny)?
            }
            "norton" => {
                let unit = self.game(&arguments[1])?;
                self.arena.norton(x, unit)?
            }
            "ordinal" => {
                let top = self.game(&arguments[1])?;
                self.arena.ordinal_sum(x, top)?
            }
            "overheat" => {
                let (s, t) = (self.game(&arguments[1])?, self.game(&arguments[2])?);
                self.arena.overheat(x, s, t)?
            }
            "rcf" => arena.reduced(x)?,
            "remote" => return self.remote(x, &arguments[1]),
            _ => return Err(Error::Undefined(format!("the function `{name}` is not known"))),
        }))
    }

    fn remote(&mut self, x: Value, size: &Expression) -> Result<Answer> {
        let n = self.game(size)?;
        let size_of = self.arena.integer_of(n).and_then(|n| u32::try_from(n).ok()).or(self.arena.nimber_of(n));
        let Some(star) = size_of else {
            return Err(Error::at(size.place.clone(), "the size of a nimber is expected here, such as 3 or *3"));
        };
        self.arena.is_remote(x, star).map(Answer::Truth)
    }

    fn loopy_function(&mut self, name: &str, argument: &Expression) -> Result<Answer> {
        let answer = self.answer(argument)?;
        if name == "outcome"
            && let Answer::Game(value) = answer
        {
            return self.arena.outcome(value).map(Answer::Outcome);
        }
        let loopy = match answer {
            Answer::Game(value) => return Ok(Answer::Game(value)),
            Answer::Loopy(loopy) => loopy,
            other => {
                let message = format!("a value is expected here, not {}", other.kind());
                return Err(Error::at(argument.place.clone(), message));
            }
        };
        match name {
            "outcome" => Ok(Answer::Reach(loopy.reach(Side::Left)?, loopy.reach(Side::Right)?)),
            "onside" => self.settled(Loopy::of_graph(loopy.onside())?),
            _ => self.settled(Loopy::of_graph(loopy.offside())?),
        }
    }

    fn position(&mut self, named: &Named, place: &Range<usize>) -> Result<Answer> {
        let name = named.name.as_str();
        if named.arguments.is_empty()
            && let Some(loopy) = Loopy::named(name)
        {
            return Ok(Answer::Loopy(loopy));
        }
        if named.arguments.is_empty() && named.written == name {
            let (up, star) = match name {
                "up" => (1, 0),
                "down" => (-1, 0),
                "star" => (0, 1),
                _ => (0, 0),
            };
            if (up, star) != (0, 0) {
                return self.arena.compact(Compact { number: Dyadic::ZERO, up, star }).map(Answer::Game);
            }
        }
        let found = self.positions.position(self.arena, named).map_err(|error| match error {
            Error::Text { place: within, message } => {
                Error::at(place.start + within.start..place.start + within.end, message)
            }
            error => error,
        });
        if let Some(answer) = found? {
            return Ok(answer);
        }
        let near = FUNCTIONS.iter().find(|function| function.name.starts_with(name) || name.starts_with(function.name));
        let hint = near.map(|function| format!("; did you mean `{}`?", function.usage)).unwrap_or_default();
        Err(Error::at(place.clone(), format!("there is no position or function called `{name}`{hint}")))
    }
}

/// Loopy games with labels.
impl Calculator<'_> {
    /// A game in braces whose labels stand for positions around them.
    fn labelled(&mut self, expression: &Expression) -> Result<Answer> {
        let outer = std::mem::take(&mut self.drafts);
        let labels = std::mem::take(&mut self.labels);
        let start = self.draft(expression);
        let drafts = std::mem::replace(&mut self.drafts, outer);
        self.labels = labels;
        let graph = Graph::new(&drafts[0], &drafts[1], start?)?;
        let loopy = Loopy::of_graph(&graph)?;
        self.settled(loopy)
    }

    /// The position of an expression in the loopy game that is being read.
    fn draft(&mut self, expression: &Expression) -> Result<u32> {
        let (label, left, right) = match &expression.term {
            Term::Position(Named { name, arguments, .. }) if arguments.is_empty() => {
                if let Some(found) = self.labels.iter().rev().find(|(label, _)| label == name) {
                    return Ok(found.1);
                }
                return self.embed(expression);
            }
            Term::Braces(left, right) => (None, left, right),
            Term::Labelled { label, game } => match &game.term {
                Term::Braces(left, right) => (Some(label), left, right),
                _ => return Err(Error::at(game.place.clone(), "braces are expected behind a label")),
            },
            _ => return self.embed(expression),
        };
        let position = self.drafts[0].len() as u32;
        self.drafts[0].push(Vec::new());
        self.drafts[1].push(Vec::new());
        let known = self.labels.len();
        self.labels.extend(label.map(|label| (label.clone(), position)));
        for (side, options) in [left, right].into_iter().enumerate() {
            for option in options {
                let option = self.draft(option)?;
                self.drafts[side][position as usize].push(option);
            }
        }
        self.labels.truncate(known);
        Ok(position)
    }

    /// Any other value as a part of the loopy game.
    fn embed(&mut self, expression: &Expression) -> Result<u32> {
        let loopy = self.loopy(expression)?;
        if !loopy.is_stopper()? {
            let message = "an option of a loopy game must be a stopper here";
            return Err(Error::at(expression.place.clone(), message));
        }
        let graph = loopy.onside();
        let base = self.drafts[0].len() as u32;
        for position in 0..graph.len() {
            for side in Side::BOTH {
                let moved = graph.options(position, side).iter().map(|&option| option + base).collect();
                self.drafts[side as usize].push(moved);
            }
        }
        Ok(base)
    }
}
