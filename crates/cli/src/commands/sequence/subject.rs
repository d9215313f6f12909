//! What runs: the game, its fixed parameters, the parameter that runs, and the sequence that comes of it.

use std::sync::Arc;

use perfectplay::answer::{Shown, Understood};
use perfectplay::json::{self, SequenceHead};
use perfectplay::language::{Given, Instance, Program, Rules, ValueError, nearest};
use perfectplay::sequence::{
    CodeError, HeapSequence, Instances, NimSequence, Runs, Sequence, SequenceError, Source, TakeAndBreak, fingerprint,
};

use super::range::{Range, is_range, mended};
use crate::args::{GameArgs, SequenceArgs};
use crate::failure::Failure;
use crate::load;

/// The built-in game that is given by its code.
const OCTAL: &str = "octal";
/// Where a game by its code ends if nobody says.
const OCTAL_RANGE: &str = "0..10^6";
/// So many instances are tried to find one that the rules admit.
const MOST_TRIED: usize = 1000;

/// A sequence with its names.
pub struct Subject {
    /// The game's name.
    pub game: String,
    /// The parameters that do not run.
    pub fixed: Understood,
    /// The parameter that runs.
    pub parameter: String,
    /// What it runs through.
    pub range: Range,
    /// All parameters, in the order of the rules.
    pub order: Vec<String>,
    /// Everything that the values depend on, for checkpoints.
    pub identity: String,
    /// The rules, if there is a file.
    pub rules: Option<Rules>,
    /// The values.
    pub sequence: Sequence,
}

impl Subject {
    /// What the command line names.
    pub fn new(args: &SequenceArgs) -> Result<Subject, Failure> {
        if is_octal(args) { octal(args) } else { of_rules(args) }
    }

    /// What the sequence is of, for programs.
    pub fn head(&self) -> SequenceHead<'_> {
        SequenceHead { game: &self.game, fixed: &self.fixed, parameter: &self.parameter }
    }

    /// Whether a period that is proved tells every term, however many there are.
    pub fn all_known(&self) -> bool {
        matches!(self.sequence.source(), Source::Heaps(heaps) if heaps.is_proved())
    }

    /// The parameters as words of the command line, in the order of the rules; each may be shortened.
    pub fn words(&self, short: impl Fn(String) -> String) -> Vec<String> {
        let fixed =
            self.fixed.iter().map(|(name, value)| (name.to_string(), short(format!("{name}={}", bare_text(value)))));
        let runs = (self.parameter.clone(), format!("{}={}", self.parameter, self.range));
        let mut words: Vec<(String, String)> = fixed.chain([runs]).collect();
        words.sort_by_key(|(name, _)| self.order.iter().position(|known| known == name));
        words.into_iter().map(|(_, word)| word).collect()
    }

    /// A failure of the sequence as the person is told it.
    pub fn failure(&self, error: SequenceError) -> Failure {
        failure(error, self.rules.as_ref(), &self.parameter)
    }
}

/// A failure of a sequence as the person is told it.
pub fn failure(error: SequenceError, rules: Option<&Rules>, parameter: &str) -> Failure {
    match (error, rules) {
        (SequenceError::Refused { diagnostics, .. }, Some(rules)) => Failure::wrong(rules, diagnostics),
        (SequenceError::Solve { error, .. }, Some(rules)) => Failure::solving(error, rules),
        (SequenceError::Solve { error, .. }, None) => Failure::unsolved(error),
        (error @ SequenceError::Negative { .. }, _) => {
            Failure::usage_help(error.to_string(), format!("start it at 0: {parameter}=0..100"))
        }
        (error, _) => Failure::usage(error.to_string()),
    }
}

/// A text without quotes, as the command line takes it.
pub fn bare_text(value: &Shown) -> String {
    match value {
        Shown::Given(Given::Text(text)) => text.clone(),
        other => json::Spelled(other).to_string(),
    }
}

/// A word of the command line: its name, if it has one, and its value.
pub type Word<'a> = (Option<&'a str>, &'a str);

/// The words that are ranges, and the others.
pub fn sorted(words: &[String]) -> (Vec<Word<'_>>, Vec<Word<'_>>) {
    words.iter().map(|word| split(word)).partition(|(_, value)| is_range(value))
}

/// The ranges of a game of a rules file; a game by its code has one.
pub fn ranges(args: &SequenceArgs) -> Vec<Word<'_>> {
    if is_octal(args) { Vec::new() } else { sorted(&args.words).0 }
}

fn is_octal(args: &SequenceArgs) -> bool {
    args.game == OCTAL
}

/// The parameters that have one value.
pub fn fixed(args: &SequenceArgs, program: &Program) -> Result<Instance, Failure> {
    let words = args.words.iter().filter(|word| !is_range(split(word).1)).cloned().collect();
    let game = GameArgs { game: args.game.clone(), words, instance: args.instance.clone() };
    load::instance(&game, program)
}

/// The name and the value of a word.
fn split(word: &str) -> Word<'_> {
    match word.split_once('=') {
        Some((name, value)) if load::is_name(name.trim()) && name != name.trim() => (Some(name.trim()), value.trim()),
        Some((name, value)) if load::is_name(name) => (Some(name), value),
        _ => (None, word),
    }
}

/// The one range among those given.
fn the_range<'a>(ranges: &[Word<'a>], help: &str) -> Result<Word<'a>, Failure> {
    let shown = |&(name, value): &Word<'_>| name.map_or(value.to_string(), |name| format!("{name}={value}"));
    match ranges {
        [] => Err(Failure::usage_help("no parameter is given as a range", help)),
        [one] => Ok(*one),
        all => {
            let all: Vec<String> = all.iter().map(shown).collect();
            let message = format!("{} ranges are given: {}", all.len(), all.join(", "));
            Err(Failure::usage_help(message, "at most two parameters run; give each of the others one value"))
        }
    }
}

/// A take-and-break game by its code.
fn octal(args: &SequenceArgs) -> Result<Subject, Failure> {
    let limits = &args.common.limits;
    if limits.method.is_some() || limits.engine.is_some() {
        return Err(Failure::usage("--method and --engine do not apply to a game that is given by its code"));
    }
    if args.instance.is_some() {
        return Err(Failure::usage_help("`octal` reads no file", "write its code as a word: code=0.77"));
    }
    let (ranges, others) = sorted(&args.words);
    let (name, text) = if ranges.is_empty() { (None, OCTAL_RANGE) } else { the_range(&ranges, "")? };
    let unknown = |name: &str| {
        let message = format!("`octal` has no parameter `{name}`");
        Err(Failure::usage_help(message, "it has code and n: perfectplay sequence octal code=0.77 n=0..100"))
    };
    match name {
        None | Some("n") => {}
        Some("code") => {
            let help = "a code is written 0.77, and the heaps run: code=0.77 n=0..100";
            return Err(Failure::usage_help("a code cannot be a range", help));
        }
        Some(name) => return unknown(name),
    }
    let mut code = None;
    for (name, value) in others {
        match name {
            None | Some("code") if code.is_some() => return Err(Failure::usage("`code` is given twice")),
            None | Some("code") => code = Some(value.trim_matches('"')),
            Some("n") => {
                // What is no number is told as such.
                Range::read("n", &format!("{value}..={value}"))?;
                let help = format!("write n=0..={value}, or n={value}..={value} for this one");
                return Err(Failure::usage_help(format!("`n={value}` is one heap, not a range"), help));
            }
            Some(name) => return unknown(name),
        }
    }
    let Some(code) = code else {
        return Err(Failure::usage_help("`octal` needs a code", "Kayles, for instance, is code=0.77"));
    };
    let game: TakeAndBreak = code.parse().map_err(|error: CodeError| {
        let error = ValueError { message: error.message, at: error.at };
        let help = "a code has a digit for each number of tokens that a move takes, such as 0.77 or 0.(3)";
        load::pointed("the code cannot be read", code, &error, help)
    })?;
    let code = game.to_string();
    let range = Range::read("n", text)?;
    let sequence = NimSequence::new(game).map_err(|error| Failure::usage(error.to_string()))?;
    let sequence = Sequence::new(Source::Heaps(HeapSequence::Break(Box::new(sequence))), range.from, range.to)
        .map_err(|error| failure(error, None, "n"))?;
    let fixed = [("code".to_string(), Shown::Given(Given::Text(code.clone())))].into_iter().collect();
    let (game, parameter, identity) = (OCTAL.to_string(), "n".to_string(), format!("{OCTAL} {code}"));
    let order = vec!["code".to_string(), "n".to_string()];
    Ok(Subject { game, fixed, parameter, range, order, identity, rules: None, sequence })
}

/// A game of a rules file.
fn of_rules(args: &SequenceArgs) -> Result<Subject, Failure> {
    let rules = load::rules(&args.game)?;
    let program = load::program(&rules)?;
    let (ranges, others) = sorted(&args.words);
    let help = match program.params.iter().find(|param| Runs::of(&param.ty).is_some()) {
        Some(param) => format!("let one run, such as {}=0..100", param.name),
        None => format!("`{}` has no parameter that could run", program.name),
    };
    let meant = others.iter().find_map(|(name, value)| {
        let range = mended(value)?;
        Some(format!(
            "a range is written with two dots: {}",
            name.map_or(range.clone(), |name| format!("{name}={range}"))
        ))
    });
    let (name, text) = the_range(&ranges, &meant.unwrap_or(help))?;
    let (parameter, runs) = parameter(&program, name, text, &others)?;
    let name = program.params[parameter].name.clone();
    if others.iter().any(|(other, _)| *other == Some(&name)) {
        return Err(Failure::usage(format!("`{name}` is given twice")));
    }
    let range = Range::read(&name, text)?;
    let mut fixed = fixed(args, &program)?;
    fixed.0.retain(|(other, _)| *other != name);

    let options = args.common.limits.options();
    let instances = Instances::new(&program, fixed, parameter, runs, options);
    let first = instances.bind(range.from).map_err(|mut diagnostics| {
        // Where the rules admit a later one, the range can start there.
        let later = (range.from..range.to).take(MOST_TRIED).find(|at| instances.bind(*at).is_ok());
        if let (Some(at), Some(first)) = (later, diagnostics.first_mut()) {
            let range = Range { from: at, ..range };
            first.help = Some(format!("the first that the rules admit is {name}={at}: write {name}={range}"));
        }
        Failure::wrong(&rules, diagnostics)
    })?;
    let shown = Understood::new(&first).without(|name| instances.runs_along(name));
    let sequence =
        Sequence::of(instances, range.from, range.to).map_err(|error| failure(error, Some(&rules), &name))?;
    let print = fingerprint(&[rules.source.as_bytes()]);
    let identity = format!("{} with rules {print:016x}, {name} runs, {}", program.name, json::understood_text(&shown));
    let game = program.name.clone();
    let order = program.params.iter().map(|param| param.name.clone()).collect();
    Ok(Subject { game, fixed: shown, parameter: name, range, order, identity, rules: Some(rules), sequence })
}

/// The parameter that a range is for, and how it runs.
pub fn parameter(
    program: &Arc<Program>,
    name: Option<&str>,
    text: &str,
    others: &[Word<'_>],
) -> Result<(usize, Runs), Failure> {
    let names = || program.params.iter().map(|param| param.name.as_str());
    let found = match name {
        Some(name) => names().position(|known| known == name).ok_or_else(|| {
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if program.params.len() == 1 => format!("its parameter is {}", names().collect::<String>()),
                None => format!("its parameters are {}", names().collect::<Vec<_>>().join(", ")),
            };
            Failure::usage_help(format!("`{}` has no parameter `{name}`", program.name), help)
        })?,
        None => bare(program, text, others)?,
    };
    let param = &program.params[found];
    match Runs::of(&param.ty) {
        Some(runs) => Ok((found, runs)),
        None => {
            let message = format!("`{}` is {}, and a range runs over numbers", param.name, param.ty);
            Err(Failure::usage_help(message, "a parameter that runs is a number, or a list of numbers"))
        }
    }
}

/// The parameter that a range without a name is for: the only number, or the only one at all, that is not given.
fn bare(program: &Arc<Program>, text: &str, others: &[Word<'_>]) -> Result<usize, Failure> {
    let open = |wanted: &dyn Fn(Runs) -> bool| {
        let params = program.params.iter().enumerate();
        let mut open = params.filter(|(_, param)| {
            !others.iter().any(|(name, _)| *name == Some(&param.name)) && Runs::of(&param.ty).is_some_and(wanted)
        });
        let first = open.next().map(|(index, _)| index);
        first.filter(|_| open.next().is_none())
    };
    if let Some(found) = open(&|_| true).or_else(|| open(&|runs| runs == Runs::Number)) {
        return Ok(found);
    }
    let name = load::only_parameter(program, text)?;
    let found = program.params.iter().position(|param| param.name == name);
    found.ok_or_else(|| Failure::usage(format!("`{}` has no parameter that could run", program.name)))
}
