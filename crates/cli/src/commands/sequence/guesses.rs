//! Closed forms of the values, proposed as claims.

use perfectplay::SolveError;
use perfectplay::answer::Understood;
use perfectplay::gallery;
use perfectplay::guess::{self, Guess, Setting};
use perfectplay::language::Rules;
use perfectplay::sequence::Grid;
use perfectplay::solving::Monitor;

use super::subject::Subject;
use super::table::INDENT;
use crate::args::SequenceArgs;
use crate::failure::Failure;
use crate::load;
use crate::output::{FAINT, GOOD, Rows, plural, styled};

/// Forms of the values as one parameter runs.
pub fn of_line(args: &SequenceArgs, subject: &Subject, monitor: &mut Monitor) -> Result<Vec<Guess>, Failure> {
    // A game by its code is a game of the gallery too.
    let own =
        subject.rules.clone().or_else(|| gallery::find(&subject.game).and_then(|_| Rules::gallery(&subject.game)));
    let Some(rules) = own else { return Ok(Vec::new()) };
    let program = load::program(&rules)?;
    let running = [&*subject.parameter];
    let setting = Setting::new(&rules, &program, &subject.fixed, &running, args.common.limits.options());
    guess::line(&setting, &subject.sequence, monitor).or_else(|error| unfinished(error, &rules))
}

/// Forms of the values as two parameters run.
pub fn of_plane(
    args: &SequenceArgs,
    (rules, fixed, names): (&Rules, &Understood, [&str; 2]),
    grid: &Grid,
    monitor: &mut Monitor,
) -> Result<Vec<Guess>, Failure> {
    let program = load::program(rules)?;
    let setting = Setting::new(rules, &program, fixed, &names, args.common.limits.options());
    guess::plane(&setting, grid, monitor).or_else(|error| unfinished(error, rules))
}

/// A limit ends the search for forms, and the values are still told.
fn unfinished(error: SolveError, rules: &Rules) -> Result<Vec<Guess>, Failure> {
    match error {
        error if error.is_limit() => Ok(Vec::new()),
        error => Err(Failure::solving(error, rules)),
    }
}

/// The forms for people.
pub fn text(guesses: &[Guess]) -> String {
    let mut rows = Rows::new(INDENT);
    if guesses.is_empty() {
        rows.prose("guess", "none: no closed form fits these values and more of them");
        return format!("\n{}", rows.text());
    }
    let mut text = "\n".to_string();
    for Guess { claim, values, tested, proof } in guesses {
        let (mark, why) = match proof {
            Some(proof) => (styled("proved", GOOD), proof.clone()),
            None => ("guess".to_string(), "not proved".to_string()),
        };
        let fits =
            format!("{why}; it fits {}, and {} that it was not made from", plural(*values as u64, "value"), tested);
        text.push_str(&format!("{claim}\n    {mark}: {}\n", styled(fits, FAINT)));
    }
    text
}
