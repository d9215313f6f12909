//! `perfectplay value`: the algebra of games, from the command line, from standard input, or at a prompt.

mod prompt;
mod text;

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::Arc;

use perfectplay::json;
use perfectplay::values::{Calculator, Found, Thermograph};

use crate::args::ValueArgs;
use crate::failure::Failure;
use crate::files::NewFile;
use crate::load::{Disk, is_name};
use crate::{output, paste, progress};

pub fn run(args: &ValueArgs) -> Result<u8, Failure> {
    let alone = args.expressions.is_empty();
    if alone && std::io::stdin().is_terminal() && output::stdout_is_terminal() && !args.json {
        return Ok(prompt::run(args));
    }
    if args.thermograph.is_some() && (args.expressions.len() != 1 || args.is_each()) {
        let message = "--thermograph draws one expression";
        return Err(Failure::usage_help(message, "give one expression, as in value '{2|-1}' --thermograph hot.svg"));
    }
    if alone {
        return lines(args);
    }
    if let Some(failure) = instance_outside(&args.expressions) {
        return Err(failure);
    }
    let mut calculator = calculator(args);
    let several = args.expressions.len() > 1;
    let mut worst = 0;
    for expression in &args.expressions {
        if expression == "-" {
            worst = worse(worst, lines(args)?);
            continue;
        }
        if let Err(failure) = tell(args, &mut calculator, expression.trim(), several) {
            if !several {
                return Err(failure);
            }
            let code = failure.tell(args.json);
            if code == 130 {
                return Ok(code);
            }
            // What stopped one must not stop the next.
            (worst, calculator) = (worse(worst, code), self::calculator(args));
        }
    }
    Ok(worst)
}

/// What to type where an instance follows a game as on other commands: each word is an expression of its own here.
fn instance_outside(expressions: &[String]) -> Option<Failure> {
    let is_game = |word: &String| {
        let is_file = word.ends_with(".game") && Path::new(word).is_file();
        is_file || perfectplay::gallery::find(word).is_some()
    };
    let is_given = |word: &&String| {
        let value =
            word.split_once('=').map_or(word.as_str(), |(name, value)| if is_name(name) { value } else { name });
        let is_list = value.starts_with('[') && value.ends_with(']');
        is_list || value.parse::<i64>().is_ok() || matches!(value, "true" | "false")
    };
    let at = expressions.iter().position(is_game)?;
    let given: Vec<&str> = expressions[at + 1..].iter().take_while(is_given).map(String::as_str).collect();
    if given.is_empty() {
        return None;
    }
    let game = &expressions[at];
    let mut words = vec!["value".to_string()];
    words.extend_from_slice(&expressions[..at]);
    words.push(format!("{game}({})", given.join(", ")));
    words.extend_from_slice(&expressions[at + 1 + given.len()..]);
    let message = format!("`{}` behind `{game}` is an expression of its own here, and no instance", given.join(" "));
    Some(Failure::usage_help(message, format!("an instance stands in brackets; type: {}", paste::command(&words))))
}

/// A calculator with the limits of the command line.
fn calculator(args: &ValueArgs) -> Calculator<'static> {
    Calculator::new(&Disk, progress::monitor(&args.limits(), args.quiet || args.json))
}

/// Expressions from standard input, one a line. One that is wrong does not keep the others from being answered.
fn lines(args: &ValueArgs) -> Result<u8, Failure> {
    let mut worst = 0;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| Failure::usage(format!("cannot read standard input: {error}")))?;
        let line = String::from_utf8(line).map_err(|_| {
            Failure::usage_help("standard input is not UTF-8 text", "save it as UTF-8; one expression a line")
        })?;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Err(failure) = tell(args, &mut calculator(args), line, true) {
            let code = failure.tell(args.json);
            if code == 130 {
                return Ok(code);
            }
            worst = worse(worst, code);
        }
    }
    Ok(worst)
}

/// A mistake outweighs a limit.
fn worse(one: u8, other: u8) -> u8 {
    match (one, other) {
        (2, 3) | (3, 2) => 2,
        (one, other) => one.max(other),
    }
}

/// What to say of `10^18`, which is no power: a number and ups are added up.
fn remark(expression: &str) -> Option<String> {
    let (number, ups) = expression.split_once('^')?;
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    (digits(number.trim()) && digits(ups.trim()) && number != "0")
        .then(|| format!("{expression} is {} + ^{}: a number and ups, not a power", number.trim(), ups.trim()))
}

/// Works an expression out and prints it.
fn tell(args: &ValueArgs, calculator: &mut Calculator<'_>, expression: &str, named: bool) -> Result<(), Failure> {
    let found = calculator.evaluate(expression)?;
    let is_drawing = matches!(found.answer, perfectplay::values::Answer::Thermograph(_));
    let wanted = args.draw || args.thermograph.is_some() || is_drawing;
    let graph = if wanted { calculator.thermograph(&found)? } else { None };
    if wanted && graph.is_none() {
        let message = format!("there is no thermograph of {}", found.answer.kind());
        return Err(Failure::usage_help(message, "draw a value without loops, such as '{2|-1}'"));
    }
    let shown = graph.as_deref().filter(|_| args.draw || is_drawing);
    match args.json {
        true => output::print_json(&json::value(&found, shown)),
        false => {
            output::print(&text::found(&found, shown, named));
            if let Some(remark) = remark(expression) {
                output::print(&format!("remark       {remark}\n"));
            }
        }
    }
    if let Some((path, graph)) = args.thermograph.as_deref().zip(graph) {
        draw(path, &found, &graph)?;
    }
    Ok(())
}

fn draw(path: &Path, found: &Found, graph: &Arc<Thermograph>) -> Result<(), Failure> {
    let mut file = NewFile::create(path)?;
    file.write_all(graph.to_svg(&found.expression).as_bytes()).map_err(|error| file.failure(&error))?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::remark;

    #[test]
    fn a_number_with_ups_is_told_from_a_power() {
        assert_eq!(remark("10^18").unwrap(), "10^18 is 10 + ^18: a number and ups, not a power");
        assert!(["^18", "1 + ^2", "10^", "0^2", "n^2"].iter().all(|text| remark(text).is_none()));
    }
}
