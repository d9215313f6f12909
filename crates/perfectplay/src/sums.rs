//! Sums of different games, from text: `kayles(7) + nim([3, 5]) + grundy(12)`.
//!
//! [`Sum::read`] finds the games, gives their parameters the arguments, and binds them; [`Sum::answer`] solves the whole. Where
//! rules files and values come from is up to the caller ([`Files`]), so that nothing here reads a disk.
//!
//! ```
//! use perfectplay::sums::{Gallery, Sum};
//! use perfectplay::solving::{Monitor, Options};
//!
//! let sum = Sum::read("kayles(7) + nim([3, 5]) + grundy(12)", &Gallery).unwrap();
//! let answer = sum.answer(&Options::default(), &mut Monitor::unlimited()).unwrap();
//! assert_eq!(answer.summands.iter().map(|summand| summand.value.nimber().unwrap()).collect::<Vec<_>>(), [2, 6, 1]);
//! assert_eq!(answer.nimber, Some(5));
//! assert_eq!(answer.best_moves.unwrap()[0].label, "take(5) in part 1 of nim([3, 5])");
//! ```
//!
//! A solved sum answers for its positions, as a solved game does:
//!
//! ```
//! use perfectplay::language::Bound;
//! use perfectplay::solving::{Monitor, Options};
//! use perfectplay::sums::{Compound, Gallery, SolvedSum, Sum, SumError, SumPosition, Summand, unfit};
//!
//! let sum = Sum::read("kayles(7) + *5", &Gallery)?;
//! let solved: SolvedSum<'_> = sum.solve(&Options::default(), &mut Monitor::unlimited()).unwrap();
//! let compound: &Compound<'_> = &solved.compound;
//! let start: SumPosition = compound.start();
//! let best = solved.moves(&start).unwrap().into_iter().find(|mv| mv.best).unwrap();
//! let after: SumPosition = start.after(&best.play);
//! assert_eq!(solved.verdict(&after).unwrap().nimber(), Some(0));
//!
//! // Each summand is the start of a game. Some games cannot be added: the error names the summand to blame.
//! let summand: &Summand<'_> = &compound.summands()[0];
//! let kayles: &Bound = summand.bound;
//! assert_eq!((&*summand.name, unfit(kayles)), ("kayles(7)", None));
//! let coins = Sum::read("kayles(7) + coins([1, 2])", &Gallery)?;
//! let SumError { summand, .. } = coins.solve(&Options::default(), &mut Monitor::unlimited()).err().unwrap();
//! assert_eq!(summand, 1);
//! # Ok::<(), perfectplay::Error>(())
//! ```
//!
//! A summand is `NAME(arguments)`. Bare arguments are for the parameters in their order, `name=value` names one; values are
//! spelled as on the command line, and one bare number or text for a parameter that is a list of such means a list of one. `*5` is
//! a Nim heap of five, `3*kayles(7)` are three equal summands.

use std::sync::Arc;

use engine::monitor::Monitor;
use game::Player;
use rules::bind::{Bound, Position, bind};
use rules::diagnostic::Diagnostic;
use rules::instance::{Given, Instance, parse_given};
use rules::program::{Param, Program};
use rules::span::Span;
use rules::sum_text::{self, Argument, Head, Term};
use rules::types::Type;
use solve::answer::solution::Solution;
use solve::error::SolveError;
use solve::options::Options;

#[doc(inline)]
pub use solve::compound::{Compound, SolvedSum, SumError, SumPosition, Summand, unfit};

use solve::compound::{solve_sum, sum_answer};

use crate::error::Error;
use crate::gallery;
use crate::language::Rules;

/// Where the games of a sum and the values of their parameters come from.
///
/// ```
/// use perfectplay::language::Rules;
/// use perfectplay::sums::{Files, Gallery, Sum};
///
/// /// One game under another name.
/// struct Renamed;
///
/// impl Files for Renamed {
///     fn rules(&self, game: &str) -> Result<Rules, (String, String)> {
///         Gallery.rules(if game == "pins" { "kayles" } else { game })
///     }
///     fn value(&self, path: &str) -> Result<String, String> {
///         Err(format!("`{path}` is not read"))
///     }
/// }
///
/// assert_eq!(Sum::read("pins(7) + *5", &Renamed)?.len(), 2);
/// # Ok::<(), perfectplay::Error>(())
/// ```
pub trait Files {
    /// The rules of a game of that name or path; or what is wrong, and how to mend it.
    fn rules(&self, game: &str) -> Result<Rules, (String, String)>;

    /// The text of a file that holds a value; or what is wrong.
    fn value(&self, path: &str) -> Result<String, String>;
}

/// The games of the gallery, and no files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gallery;

impl Files for Gallery {
    fn rules(&self, game: &str) -> Result<Rules, (String, String)> {
        let found = gallery::find(game).map(|source| Rules { name: game.to_string(), source: source.to_string() });
        found.ok_or_else(|| {
            let help = match gallery::similar(game) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`nim` and `kayles` are games of the gallery".to_string(),
            };
            (format!("there is no game `{game}`"), help)
        })
    }

    fn value(&self, path: &str) -> Result<String, String> {
        Err(format!("`{path}` is not read: only the gallery is at hand here"))
    }
}

/// A sum whose games are bound.
#[derive(Debug)]
pub struct Sum {
    text: String,
    games: Vec<(Rules, Bound)>,
    summands: Vec<Place>,
}

/// What is wrong with a summand.
enum Mistake {
    /// The text is; places are places in it.
    Text(Vec<Diagnostic>),
    /// A rules file is, or what it was given; places are places in the file.
    Rules(Rules, Vec<Diagnostic>),
}

/// One summand of a sum.
#[derive(Clone, Debug)]
struct Place {
    name: String,
    span: Span,
    game: usize,
}

impl Sum {
    /// Reads a sum, finds its games, and binds them to their arguments.
    ///
    /// ```
    /// # use perfectplay::sums::{Gallery, Sum};
    /// let sum = Sum::read("2*kayles(7) + *5", &Gallery)?;
    /// assert!(Sum::read("kayles(7) + chess(1)", &Gallery).is_err());
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn read(text: &str, files: &dyn Files) -> Result<Sum, Error> {
        let here = text_rules(text);
        let terms = sum_text::parse(text).map_err(|diagnostic| Error::mistakes(&here, vec![*diagnostic]))?;
        let mut sum = Sum { text: text.to_string(), games: Vec::new(), summands: Vec::new() };
        let mut mistakes = Vec::new();
        for term in &terms {
            match sum.game(term, files) {
                Ok(game) => {
                    let place = Place { name: term.name.clone(), span: term.span, game };
                    sum.summands.extend(std::iter::repeat_n(place, term.times));
                }
                Err(Mistake::Text(wrong)) => mistakes.extend(wrong),
                Err(Mistake::Rules(rules, wrong)) if mistakes.is_empty() => return Err(Error::mistakes(&rules, wrong)),
                Err(Mistake::Rules(..)) => {}
            }
        }
        if sum.summands.len() > 1 {
            // Whoever starts in a game alone, in a sum the first player does.
            for (_, bound) in &mut sum.games {
                bound.starts = Player::FIRST;
                bound.start.turn = Player::FIRST;
            }
        }
        if mistakes.is_empty() { Ok(sum) } else { Err(Error::mistakes(&here, mistakes)) }
    }

    /// The number of the game of a term, which may be there already.
    fn game(&mut self, term: &Term, files: &dyn Files) -> Result<usize, Mistake> {
        let (rules, place) = match &term.head {
            Head::Game(name, place) => (files.rules(name), *place),
            Head::Heap(_) => (Gallery.rules("nim"), term.span),
        };
        let rules =
            rules.map_err(|(title, help)| Mistake::Text(vec![Diagnostic::at(place, title, "not found").help(help)]))?;
        let program = match self.games.iter().find(|(known, _)| *known == rules) {
            Some((_, bound)) => Arc::clone(&bound.program),
            None => Arc::new(rules::compile(&rules.source).map_err(|wrong| Mistake::Rules(rules.clone(), wrong))?),
        };
        let instance = match &term.head {
            Head::Heap(size) => Instance(vec![("piles".to_string(), Given::Ints(vec![*size]))]),
            Head::Game(..) => instance(&program, term, files).map_err(Mistake::Text)?,
        };
        let bound = bind(&program, &instance).map_err(|wrong| misbound(&rules, term, wrong))?;
        let same = |(known, other): &(Rules, Bound)| *known == rules && other.globals == bound.globals;
        Ok(self.games.iter().position(same).unwrap_or_else(|| {
            self.games.push((rules, bound));
            self.games.len() - 1
        }))
    }

    /// The text that was read.
    ///
    /// ```
    /// # use perfectplay::sums::{Gallery, Sum};
    /// let sum = Sum::read("2*kayles(7) + *5", &Gallery)?;
    /// assert_eq!(sum.text(), "2*kayles(7) + *5");
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many summands there are.
    ///
    /// ```
    /// # use perfectplay::sums::{Gallery, Sum};
    /// let sum = Sum::read("2*kayles(7) + *5", &Gallery)?;
    /// assert_eq!(sum.len(), 3);
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.summands.len()
    }

    /// Never: a sum has a summand.
    ///
    /// ```
    /// # use perfectplay::sums::{Gallery, Sum};
    /// let sum = Sum::read("2*kayles(7) + *5", &Gallery)?;
    /// assert!(!sum.is_empty());
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.summands.is_empty()
    }

    /// The only game, where the sum is just one position.
    ///
    /// ```
    /// # use perfectplay::sums::{Gallery, Sum};
    /// let sum = Sum::read("2*kayles(7) + *5", &Gallery)?;
    /// assert!(sum.into_single().is_err() && Sum::read("nim(5)", &Gallery)?.into_single().is_ok());
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn into_single(mut self) -> Result<(Rules, Bound), Sum> {
        match (self.summands.len(), self.games.len()) {
            (1, 1) => Ok(self.games.swap_remove(0)),
            _ => Err(self),
        }
    }

    /// An error of the sum with the summand to blame: mistakes in rules are shown over these, others over the sum.
    ///
    /// ```
    /// use perfectplay::solving::{Monitor, Options};
    /// use perfectplay::sums::{Gallery, Sum};
    ///
    /// let sum = Sum::read("kayles(7) + coins([5, 3])", &Gallery)?;
    /// let error = sum.answer(&Options::default(), &mut Monitor::unlimited()).unwrap_err();
    /// assert!(error.report(false).contains("this summand"));
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn error(&self, SumError { summand, error }: SumError) -> Error {
        let Place { span, game, .. } = self.summands[summand];
        match error {
            SolveError::Fault(mut fault) => {
                fault.diagnostic.notes.push(format!("in the summand `{}`", &self.text[span.range()]));
                Error::solving(SolveError::Fault(fault), &self.games[game].0)
            }
            SolveError::NotApplicable(why) => {
                Error::mistakes(&text_rules(&self.text), vec![Diagnostic::at(span, why, "this summand")])
            }
            other => Error::Solve(other),
        }
    }

    /// The summands, to be solved.
    ///
    /// ```
    /// # use perfectplay::sums::{Gallery, Sum};
    /// let sum = Sum::read("2*kayles(7) + *5", &Gallery)?;
    /// assert_eq!(sum.summands()[2].name, "*5");
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn summands(&self) -> Vec<Summand<'_>> {
        let summand = |place: &Place| Summand { name: place.name.clone(), bound: &self.games[place.game].1 };
        self.summands.iter().map(summand).collect()
    }

    /// Has play start elsewhere: the position of each summand, in order, and who moves.
    ///
    /// ```
    /// # use perfectplay::sums::{Compound, Gallery, Sum};
    /// let mut sum = Sum::read("2*nim(7) + *5", &Gallery)?;
    /// let mut position = Compound::new(sum.summands()).start();
    /// position.summands[0].parts[0][0] = 5;
    /// sum.start_at(&position);
    /// assert_eq!(sum.answer(&Default::default(), &mut perfectplay::Solver::new().monitor())?.nimber, Some(7));
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn start_at(&mut self, position: &SumPosition) {
        let mut games: Vec<(usize, Rules, Bound)> = Vec::new();
        for (place, start) in self.summands.iter_mut().zip(&position.summands) {
            let start = Position { turn: position.turn, ..start.clone() };
            let known = games.iter().position(|(game, _, bound)| *game == place.game && bound.start == start);
            let (rules, bound) = &self.games[place.game];
            let game = place.game;
            place.game = known.unwrap_or_else(|| {
                let bound = Bound { start, starts: position.turn, ..bound.clone() };
                games.push((game, rules.clone(), bound));
                games.len() - 1
            });
        }
        self.games = games.into_iter().map(|(_, rules, bound)| (rules, bound)).collect();
    }

    /// Solves the sum.
    ///
    /// ```
    /// # use perfectplay::sums::{Gallery, Sum};
    /// let sum = Sum::read("2*kayles(7) + *5", &Gallery)?;
    /// assert_eq!(sum.solve(&Default::default(), &mut perfectplay::Solver::new().monitor()).unwrap().different(), 2);
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn solve(&self, options: &Options, monitor: &mut Monitor) -> Result<SolvedSum<'_>, SumError> {
        solve_sum(self.summands(), options, monitor)
    }

    /// Solves the sum and puts the answer together.
    ///
    /// ```
    /// # use perfectplay::sums::{Gallery, Sum};
    /// let sum = Sum::read("2*kayles(7) + *5", &Gallery)?;
    /// assert_eq!(sum.answer(&Default::default(), &mut perfectplay::Solver::new().monitor())?.nimber, Some(5));
    /// # Ok::<(), perfectplay::Error>(())
    /// ```
    pub fn answer(&self, options: &Options, monitor: &mut Monitor) -> Result<Solution, Error> {
        sum_answer(self.summands(), options, monitor).map_err(|error| self.error(error))
    }
}

/// The text of a sum, as that of which mistakes are told.
fn text_rules(text: &str) -> Rules {
    Rules { name: "the sum".to_string(), source: text.to_string() }
}

/// Mistakes in an instance: told over the rules where they have a place there, else over the text of the sum.
fn misbound(rules: &Rules, term: &Term, wrong: Vec<Diagnostic>) -> Mistake {
    let (placed, others): (Vec<_>, Vec<_>) = wrong.into_iter().partition(|wrong| wrong.label.is_some());
    if others.is_empty() {
        let note = |wrong: Diagnostic| wrong.note(format!("in the summand `{}`", term.name));
        return Mistake::Rules(rules.clone(), placed.into_iter().map(note).collect());
    }
    let here = |wrong: Diagnostic| Diagnostic { label: Some((term.span, "in this summand".to_string())), ..wrong };
    Mistake::Text(others.into_iter().map(here).collect())
}

/// The arguments of a term as an instance.
fn instance(program: &Program, term: &Term, files: &dyn Files) -> Result<Instance, Vec<Diagnostic>> {
    let mut instance = Instance::default();
    let mut wrong = Vec::new();
    let mut bare = 0;
    if let Some(row) = row(program, term) {
        return Ok(Instance(vec![row]));
    }
    for argument in &term.arguments {
        let found = match &argument.name {
            Some((name, span)) => named(program, name, *span),
            None => {
                bare += 1;
                program.params.get(bare - 1).ok_or_else(|| Box::new(too_many(program, argument)))
            }
        };
        let given = found.and_then(|param| {
            if instance.0.iter().any(|(known, _)| *known == param.name) {
                let title = format!("`{}` is given twice", param.name);
                return Err(Box::new(Diagnostic::at(argument.span, title, "the second value")));
            }
            Ok((param.name.clone(), value(param, argument, files)?))
        });
        match given {
            Ok(given) => instance.0.push(given),
            Err(mistake) => wrong.push(*mistake),
        }
    }
    if wrong.is_empty() { Ok(instance) } else { Err(wrong) }
}

/// Several bare numbers for the one parameter of a game, which is a list: `nim(3, 5)`.
fn row(program: &Program, term: &Term) -> Option<(String, Given)> {
    let [param] = &program.params[..] else { return None };
    if param.ty != Type::list(Type::Int) || term.arguments.len() < 2 {
        return None;
    }
    let number = |argument: &Argument| match (&argument.name, parse_given(&argument.value)) {
        (None, Ok(Given::Int(number))) => Some(number),
        _ => None,
    };
    let numbers: Option<Vec<i64>> = term.arguments.iter().map(number).collect();
    numbers.map(|numbers| (param.name.clone(), Given::Ints(numbers)))
}

fn named<'p>(program: &'p Program, name: &str, span: Span) -> Result<&'p Param, Box<Diagnostic>> {
    program.params.iter().find(|param| param.name == name).ok_or_else(|| {
        let title = format!("`{}` has no parameter `{name}`", program.name);
        Box::new(Diagnostic::at(span, title, "no such parameter").help(parameters(program)))
    })
}

fn too_many(program: &Program, argument: &Argument) -> Diagnostic {
    let title = format!(
        "`{}` takes {}",
        program.name,
        match program.params.len() {
            0 => "no parameters".to_string(),
            1 => "one parameter".to_string(),
            several => format!("{several} parameters"),
        }
    );
    Diagnostic::at(argument.span, title, "one value too many").help(parameters(program))
}

fn parameters(program: &Program) -> String {
    let names: Vec<String> = program.params.iter().map(|param| format!("`{}: {}`", param.name, param.ty)).collect();
    match &names[..] {
        [] => "write the name alone: this game has no parameters".to_string(),
        [only] => format!("its parameter is {only}"),
        names => format!("its parameters are {}", names.join(", ")),
    }
}

/// The value of a parameter: JSON, `10^18`, `@file`, a text without quotes, a list of one without brackets.
fn value(param: &Param, argument: &Argument, files: &dyn Files) -> Result<Given, Box<Diagnostic>> {
    let here = |title: String| Box::new(Diagnostic::at(argument.span, title, "this file"));
    let text = &argument.value;
    let plain = matches!(&param.ty, Type::Text) || param.ty == Type::list(Type::Text);
    let given = if let Some(path) = text.strip_prefix('@') {
        let content = files.value(path.trim()).map_err(here)?;
        match content.trim_start().starts_with(['"', '[']) || !plain {
            true => {
                parse_given(&content).map_err(|error| here(format!("the value in the file cannot be read: {error}")))?
            }
            false => Given::Text(content.trim_end_matches(['\n', '\r']).to_string()),
        }
    } else if plain && !text.starts_with(['"', '[']) {
        Given::Text(text.clone())
    } else {
        parse_given(text).map_err(|error| {
            let from = argument.span.range().start;
            let at = text.floor_char_boundary(error.at.min(text.len()));
            let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
            let title = format!("the value of `{}` cannot be read: {}", param.name, error.message);
            Box::new(Diagnostic::at(Span::new(from + at, from + end), title, "here"))
        })?
    };
    Ok(match (&param.ty, given) {
        (Type::List(item), Given::Int(number)) if **item == Type::Int => Given::Ints(vec![number]),
        (Type::List(item), Given::Text(word)) if **item == Type::Text => Given::List(vec![Given::Text(word)]),
        (_, given) => given,
    })
}
