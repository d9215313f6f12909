//! `perfectplay solve`: who wins, by how much, every best first move, one line of best play.
//!
//! And on demand ([`more`]): the whole line in a file ([`line_file`]), how [`greedy`] play fares, a picture of all intervals
//! ([`triangle`]), a certificate ([`proof_file`]).

mod batch;
mod greedy;
mod line_file;
mod more;
mod proof_file;
mod triangle;

use perfectplay::answer::compare::Compare;
use perfectplay::answer::{
    AnswerKind, Canonical, Claim, Outcome, OutcomeClass, Player, Solution, Verdict, Winner, answer, contradicted,
};
use perfectplay::json::{self, LineFile, Standing};
use perfectplay::language::{Bound, Rules};
use perfectplay::moves::Play;
use perfectplay::solving::{Monitor, Options, SolveError};

use crate::args::SolveArgs;
use crate::board::Board;
use crate::failure::Failure;
use crate::load::{self, Asked};
use crate::output::{self, BAD, EVEN, GOOD, Rows, STRONG, bytes_text, count, plural, seconds_text, styled};
use crate::phrases::{in_moves, player, standing as standing_of, sum_title, title, totals};
use crate::progress;
use crate::start::{self, Way};
use proof_file::Proof;

/// Where the right column starts.
const INDENT: usize = 14;
/// How many moves of a list are shown; `--json` has more.
const SHOWN: usize = 40;

pub fn run(args: &SolveArgs) -> Result<u8, Failure> {
    if let Some(file) = &args.batch {
        return batch::run(args, file);
    }
    let mut asked = load::asked(&args.game)?;
    let way = start::stand(&mut asked, &args.at)?;
    let mut monitor = progress::monitor(&args.common.limits.limits(), args.common.quiet || args.common.json);
    let options = args.options();
    let answered = match &asked {
        Asked::Game(game) => {
            let (rules, bound) = &**game;
            match args.wants_more() {
                true => more::answer_and_more(args, rules, bound, &way, &options, &mut monitor),
                false => {
                    let answered = answer_at(bound, &way, &options, &mut monitor);
                    answered.map(Answered::new).map_err(|error| unanswered(error, rules, bound, &way))
                }
            }
        }
        Asked::Sum(_) if args.wants_more() => {
            let message = "--line, --compare, --svg, --thermograph and --proof are for one game, not for a sum of different games";
            return Err(Failure::usage_help(message, "solve the summands one by one"));
        }
        Asked::Sum(sum) => sum.answer(&options, &mut monitor).map(Answered::new).map_err(Failure::from),
    };
    drop(monitor);
    let answered = answered?;
    let standing = way.elsewhere.then(|| start::standing(&asked, &way));
    match args.common.json {
        true => answered.print_json(standing),
        false => output::print(&text(&answered, &Board::of(&asked), &way)),
    }
    Ok(answered.unfinished.map_or(0, |failure| failure.tell(false)))
}

/// The answer from where play stands.
pub fn answer_at(bound: &Bound, way: &Way, options: &Options, monitor: &mut Monitor) -> Result<Solution, SolveError> {
    let mut solution = answer(bound, options, monitor)?;
    compare_with_claims(&mut solution, bound, way);
    Ok(solution)
}

/// Compares an answer with what the file claims, of its start alone.
fn compare_with_claims(solution: &mut Solution, bound: &Bound, way: &Way) {
    if !way.elsewhere {
        solution.contradicted = contradicted(bound, solution);
    }
}

/// An answer, what else was asked for, and why some of that is missing.
struct Answered {
    solution: Solution,
    line_file: Option<LineFile>,
    compare: Option<Compare>,
    picture: Option<String>,
    proof: Option<Proof>,
    thermograph: Option<String>,
    unfinished: Option<Failure>,
}

impl Answered {
    /// An answer, when nothing else was asked for.
    fn new(solution: Solution) -> Answered {
        Answered {
            solution,
            line_file: None,
            compare: None,
            picture: None,
            thermograph: None,
            proof: None,
            unfinished: None,
        }
    }

    /// What else was asked for.
    fn more_rows(&self, rows: &mut Rows) {
        if let Some(file) = &self.line_file {
            let repeats = match (file.repeats, file.repeats_from) {
                (false, _) => String::new(),
                (true, Some(number)) => format!(", and then for ever from move {} on again", count(number)),
                (true, None) => ", and then positions repeat for ever".to_string(),
            };
            rows.prose("whole line", &format!("{} in {}{repeats}", plural(file.moves, "move"), file.file));
        }
        if let Some(compare) = &self.compare {
            greedy::rows(rows, &self.solution, compare, self.solution.starter);
        }
        if let Some(file) = &self.picture {
            rows.prose("picture", file);
        }
        if let Some(proof) = &self.proof {
            proof.rows(rows);
        }
        if let Some(file) = &self.thermograph {
            rows.prose("thermograph", file);
        }
    }

    fn print_json(&self, standing: Option<Standing>) {
        let mut object = json::solution(&self.solution);
        object.standing = standing;
        object.line_file = self.line_file.clone();
        object.picture = self.picture.clone();
        object.proof_file = self.proof.as_ref().map(Proof::json);
        object.thermograph = self.thermograph.clone();
        object.error = self.unfinished.as_ref().map(Failure::json);
        if let Some(compare) = &self.compare {
            object.compare(compare);
        }
        output::print_json(&object);
    }
}

/// Why there is no answer. Claims are about the start of the game only.
fn unanswered(error: SolveError, rules: &Rules, bound: &Bound, way: &Way) -> Failure {
    match way.elsewhere {
        true => Failure::solving(error, rules),
        false => Failure::answering(error, rules, bound),
    }
}

/// The answer for people.
fn text(answered: &Answered, board: &Board<'_>, way: &Way) -> String {
    let solution = &answered.solution;
    let title = match solution.summands.is_empty() {
        true => title(&solution.game, &solution.instance),
        false => sum_title(&solution.game),
    };
    let mut rows = Rows::new(INDENT);
    so_far(&mut rows, solution, way);
    for (name, list, more) in lists(solution) {
        rows.list(name, &shown(&list, more));
    }
    if solution.best_moves.is_none() && solution.summands.is_empty() {
        rows.prose(
            "best moves",
            "not known: --depth proves the result alone; leave it out to have moves proved one by one",
        );
    }
    if let Some(line) = line_shown(solution) {
        rows.list("line of play", &line);
    }
    if let Some(why) = &solution.line_missing {
        rows.prose("line of play", &format!("none: {why}"));
    }
    answered.more_rows(&mut rows);
    value_rows(&mut rows, solution);
    rows.prose("proof", &proof_text(solution));
    let forever = board.forever();
    match way.elsewhere {
        true => format!(
            "{title}\n{}\n\n{}\n\n{}",
            board.draw(&board.start()).trim_end(),
            output::prose(&standing_text(solution, forever), 0, output::width()),
            rows.text()
        ),
        false => format!("{title}{}\n\n{}", headline(solution, forever, false), rows.text()),
    }
}

/// What is known of the value, and what is not.
fn value_rows(rows: &mut Rows, solution: &Solution) {
    if !solution.summands.is_empty() {
        let values: Vec<String> =
            solution.summands.iter().map(|summand| format!("{}: {}", summand.name, summand.value)).collect();
        let name = if solution.kind == AnswerKind::Partizan { "values" } else { "nimbers" };
        rows.list(name, &shown(&values, false));
    }
    if let Some(nimber) = solution.nimber {
        rows.prose("nimber", &format!("{nimber}{}", sum_of(solution, " ⊕ ")));
    }
    if let Some(loopy) = &solution.loopy {
        rows.prose("loopy nimber", &format!("∞{loopy}{}", sum_of(solution, " + ")));
    }
    if let Some(class) = solution.outcome_class {
        rows.prose("class", &format!("{class}: {}", class_text(class)));
    }
    if let Some(Canonical { name, mean, temperature }) = &solution.canonical {
        rows.prose("value", name.as_deref().unwrap_or("too long to be written out"));
        if let (Some(mean), Some(temperature)) = (mean, temperature) {
            rows.prose("mean", &format!("{mean}, temperature {temperature}"));
        }
    }
    if let Some(why) = &solution.value_missing {
        rows.prose("value", &format!("not known: {why}"));
    }
    if let Some(why) = &solution.outcome_class_missing {
        rows.prose("class", &format!("not known: {why}"));
    }
    if solution.proof == perfectplay::answer::Proof::Search && solution.value.is_none() && solution.remoteness.is_none()
    {
        rows.prose("length", "not known: a search proves who wins; --strong values all positions and tells it");
    }
    if solution.unique == Some(false) {
        rows.prose("ties", "a player who does not care could change another's result; the first best move was taken");
    }
    for Claim { field, value } in &solution.contradicted {
        rows.prose("claim", &format!("wrong: the rules file claims {field} = {value}"));
    }
}

/// What was gained before, and with what is still to come.
fn so_far(rows: &mut Rows, solution: &Solution, way: &Way) {
    let Some(so_far) = way.so_far() else { return };
    rows.prose("so far", &totals(so_far));
    let payoffs = solution.payoffs.as_deref().filter(|_| solution.kind == AnswerKind::Payoffs);
    let all = solution.scores.as_deref().or(payoffs);
    let all: Option<Vec<i64>> = all.and_then(|all| all.iter().zip(so_far).map(|(a, b)| a.checked_add(*b)).collect());
    if let Some(all) = all {
        rows.prose("in all", &totals(&all));
    }
}

/// Who is to move in the position that was asked about, and what comes of it.
fn standing_text(solution: &Solution, forever: Option<Player>) -> String {
    match (solution.value, &solution.payoffs) {
        (Some(value), _) => standing_of(solution.starter, Some(&Verdict::Score(value))),
        (_, Some(payoffs)) if solution.kind == AnswerKind::Payoffs => {
            let verdict = Verdict::Payoffs { totals: payoffs.clone().into(), unique: solution.unique };
            standing_of(solution.starter, Some(&verdict))
        }
        _ => {
            let result = headline(solution, forever, true);
            format!("{} is to move; {result}", player(&solution.starter.to_string()))
        }
    }
}

/// How the value of a sum of different games is made up: ` = 2 ⊕ 6`.
fn sum_of(solution: &Solution, sign: &str) -> String {
    if solution.summands.len() < 2 || solution.summands.len() > SHOWN {
        return String::new();
    }
    let values: Vec<String> = solution.summands.iter().map(|summand| summand.value.to_string()).collect();
    format!(" = {}", values.join(sign))
}

/// The lists of moves with their names, and whether there are more.
fn lists(solution: &Solution) -> Vec<(&'static str, Vec<String>, bool)> {
    let labels = |plays: &[Play]| plays.iter().map(|play| play.label.clone()).collect();
    let lost = solution.outcome == Some(Outcome::Loss) && solution.value.is_none();
    let mut lists = Vec::new();
    if let Some(best) = &solution.best_moves {
        lists.push((
            if lost && !best.is_empty() { "all lose" } else { "best moves" },
            labels(best),
            solution.best_moves_cut,
        ));
        if let Some(fast) = solution.fast_moves.as_ref().filter(|fast| fast.len() < best.len()) {
            lists.push((if lost { "longest" } else { "fastest" }, labels(fast), false));
        }
    }
    lists
}

/// The start of the line of play. A line that is cut has no known length, unless the result says in how many moves it comes.
fn line_shown(solution: &Solution) -> Option<Vec<String>> {
    let line = solution.line.as_ref().filter(|line| !line.is_empty())?;
    let labels: Vec<String> = line.iter().map(|play| play.label.clone()).collect();
    if !solution.line_cut || labels.len() <= SHOWN {
        return Some(shown(&labels, solution.line_cut));
    }
    let mut start: Vec<String> = labels.into_iter().take(SHOWN).collect();
    let left = solution.remoteness.and_then(|all| all.checked_sub(start.len() as u64));
    start.push(match left {
        Some(left) => format!("… {} more", count(left)),
        None if solution.summands.is_empty() => "… and so on: --line FILE writes all of it".to_string(),
        None => "… and so on".to_string(),
    });
    Some(start)
}

/// The start of a list, and how many more there are.
fn shown(moves: &[String], more: bool) -> Vec<String> {
    if moves.is_empty() {
        return vec!["none: the game is over".to_string()];
    }
    let mut shown: Vec<String> = moves.iter().take(SHOWN).cloned().collect();
    match (moves.len() - shown.len(), more) {
        (0, false) => {}
        (0, true) => shown.push("…".to_string()),
        (rest, false) => shown.push(format!("… {} more", count(rest as u64))),
        (rest, true) => shown.push(format!("… over {} more", count(rest as u64))),
    }
    shown
}

fn proof_text(solution: &Solution) -> String {
    let checked = match solution.checked {
        Some(checked) => format!("; {} valued again by the interpreter", plural(checked, "position")),
        None => String::new(),
    };
    format!(
        "{}; {}, {}, {}, {}{checked}",
        solution.proof,
        plural(solution.positions, solution.unit),
        solution.method,
        bytes_text(solution.bytes),
        seconds_text(solution.seconds)
    )
}

fn headline(solution: &Solution, forever: Option<Player>, elsewhere: bool) -> String {
    let remoteness = in_moves(solution.remoteness);
    let starter = player(&solution.starter.to_string());
    let starts = match solution.starter {
        Player::FIRST => String::new(),
        _ if elsewhere => String::new(),
        _ => format!(" ({starter} starts)"),
    };
    let named = |winner: Player| player(&winner.to_string());
    if let (AnswerKind::Outcome, Some(results)) = (solution.kind, &solution.payoffs) {
        return format!("{}{starts}", several(results));
    }
    if let Some(payoffs) = &solution.payoffs {
        let totals = totals(payoffs);
        return match solution.winner {
            Some(Winner::Player(winner)) => {
                format!("{}: {totals}{starts}", styled(format!("{} gets the most", named(winner)), STRONG))
            }
            _ => format!("the totals are {totals}{starts}"),
        };
    }
    let style = match solution.outcome {
        Some(Outcome::Win) => GOOD.bold(),
        Some(Outcome::Loss) => BAD.bold(),
        _ => EVEN.bold(),
    };
    let scores = match solution.scores.as_deref() {
        Some([first, second]) => format!(" ({first} : {second})"),
        _ => String::new(),
    };
    let (result, rest) = match (solution.value, solution.winner) {
        (Some(_), Some(Winner::Draw)) => ("the scores are equal".to_string(), scores),
        (Some(value), Some(Winner::Player(winner))) => {
            (format!("{} wins by {}", named(winner), value.unsigned_abs()), scores)
        }
        (_, Some(Winner::Draw)) if endless(solution) => ("an endless draw".to_string(), ENDLESS.to_string()),
        (_, Some(Winner::Draw)) => ("a draw".to_string(), remoteness),
        (_, Some(Winner::Player(winner))) if forever == Some(winner) && solution.remoteness.is_none() => {
            (format!("{} wins", named(winner)), " by playing for ever".to_string())
        }
        (_, Some(Winner::Player(winner))) => (format!("{} wins", named(winner)), remoteness),
        (_, None) => match solution.outcome {
            Some(Outcome::Draw) if endless(solution) => ("an endless draw".to_string(), ENDLESS.to_string()),
            Some(Outcome::Draw) => ("a draw".to_string(), remoteness),
            Some(outcome) => (format!("{starter} {outcome}s"), remoteness),
            None => ("no single winner".to_string(), remoteness),
        },
    };
    format!("{}{rest}{starts}", styled(result, style))
}

/// What everyone gets where several players win: `the second and the third player win, the first loses`.
fn several(results: &[i64]) -> String {
    let those = |wanted: i64| {
        let players = results.iter().enumerate().filter(|(_, result)| result.signum() == wanted);
        players.map(|(seat, _)| player(&Player(seat as u8).to_string())).collect::<Vec<_>>()
    };
    let said_of = |players: &[String], one: &str, many: &str| match players {
        [] => None,
        [only] => Some(format!("{only} {one}")),
        [rest @ .., last] => Some(format!("{} and {last} {many}", rest.join(", "))),
    };
    let (won, even, lost) = (those(1), those(0), those(-1));
    let parts = [said_of(&won, "wins", "win"), said_of(&even, "draws", "draw"), said_of(&lost, "loses", "lose")]
        .into_iter()
        .flatten();
    let parts: Vec<String> = parts.collect();
    format!("{} ({})", styled(parts.join("; "), STRONG), totals(results))
}

/// What follows an endless draw.
const ENDLESS: &str = ": with best play the game never ends";

/// Whether both players keep the game going for ever: in a draw that is declared, the moves to it are counted.
fn endless(solution: &Solution) -> bool {
    solution.outcome == Some(Outcome::Draw) && solution.remoteness.is_none() && solution.line_cut
}

fn class_text(class: OutcomeClass) -> &'static str {
    match class {
        OutcomeClass::L => "first (Left) wins whoever starts",
        OutcomeClass::R => "second (Right) wins whoever starts",
        OutcomeClass::N => "the player who starts wins",
        OutcomeClass::P => "the player who does not start wins",
    }
}
