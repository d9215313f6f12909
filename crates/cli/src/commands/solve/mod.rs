//! `perfectplay solve`: who wins, by how much, every best first move, one line of best play.
//!
//! And on demand: the whole line in a file ([`line_file`]), how [`greedy`] play fares, a picture of all intervals
//! ([`triangle`]), a certificate ([`proof_file`]).

mod batch;
mod greedy;
mod line_file;
mod proof_file;
mod triangle;

use std::io::Write as _;

use perfectplay::answer::compare::{self, Compare};
use perfectplay::answer::{
    AnswerKind, Canonical, Claim, Outcome, OutcomeClass, Player, Solution, Verdict, Winner, answer, check,
    contradicted, picture, solution,
};
use perfectplay::json::{self, LineFile, Standing};
use perfectplay::language::{Bound, Rules};
use perfectplay::moves::Play;
use perfectplay::solving::{Monitor, Options, SolveError, solve};
use perfectplay::values::{Thermograph, position_thermograph};

use crate::args::SolveArgs;
use crate::board::Board;
use crate::failure::Failure;
use crate::files::NewFile;
use crate::load::{self, Asked};
use crate::output::{self, BAD, EVEN, GOOD, Rows, STRONG, bytes_text, count, plural, seconds_text, styled};
use crate::phrases::{in_moves, player, standing as standing_of, sum_title, title, totals};
use crate::progress;
use crate::start::{self, Way};
use line_file::LineFile as NewLine;
use proof_file::{NewProof, Proof};

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
                true => answer_and_more(args, rules, bound, &way, &options, &mut monitor),
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

/// The answer from where play stands. What a file claims it claims of its start alone.
pub fn answer_at(bound: &Bound, way: &Way, options: &Options, monitor: &mut Monitor) -> Result<Solution, SolveError> {
    let mut solution = answer(bound, options, monitor)?;
    if !way.elsewhere {
        solution.contradicted = contradicted(bound, &solution);
    }
    Ok(solution)
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

/// The answer with what else was asked for. What cannot be done is told before long work; once the answer is known it is given,
/// whatever becomes of the rest.
fn answer_and_more(
    args: &SolveArgs,
    rules: &Rules,
    bound: &Bound,
    way: &Way,
    options: &Options,
    monitor: &mut Monitor,
) -> Result<Answered, Failure> {
    let failure = |error| unanswered(error, rules, bound, way);
    if args.compare.is_some() {
        compare::applies(bound).map_err(not_compared)?;
    }
    let mut line = args.line.as_deref().map(NewLine::create).transpose()?;
    let proof = args.proof.as_deref().map(|path| NewProof::create(path, args.sample)).transpose()?;
    let mut drawing = None;
    if let Some(path) = &args.svg {
        let file = NewFile::create(path)?;
        let intervals = picture::recognise(bound, &bound.start, monitor).map_err(|error| not_drawn(error, rules))?;
        drawing = Some((file, intervals, path.display().to_string()));
    }
    let graph = args.thermograph.as_deref().map(NewFile::create).transpose()?;
    let solved = solve(bound, &bound.start, options, monitor).map_err(failure)?;
    let mut answered = Answered::new(solution(&solved, monitor).map_err(failure)?);
    if let (Some(file), Some(path)) = (graph, &args.thermograph) {
        let drawn = position_thermograph(&solved, &bound.start, monitor).map_err(failure)?;
        let written = match drawn {
            Some(drawn) => write_thermograph(file, &answered.solution.game, &drawn),
            None => Err(undrawn(&answered.solution)),
        };
        match written {
            Ok(()) => answered.thermograph = Some(path.display().to_string()),
            Err(failure) => answered.unfinished = Some(failure),
        }
    }
    if !way.elsewhere {
        answered.solution.contradicted = contradicted(bound, &answered.solution);
    }
    if let Some(amount) = options.check {
        answered.solution.checked = Some(check(&solved, amount, monitor).map_err(failure)?.positions);
    }
    if args.compare.is_some() {
        let compared = compare::compare(&solved, monitor);
        answered.compare = Some(compared.map_err(|error| match error {
            SolveError::NotApplicable(_) => not_compared(error),
            other => failure(other),
        })?);
    }
    if let Some(line) = line.take() {
        match line.write(&solved, monitor) {
            Ok(written) => answered.line_file = Some(written),
            Err(failure) => answered.unfinished = Some(failure),
        }
    }
    if let Some(proof) = proof {
        match proof.write(&solved, &answered.solution, rules, monitor) {
            Ok(written) => answered.proof = Some(written),
            Err(failure) => answered.unfinished = answered.unfinished.or(Some(failure)),
        }
    }
    if let Some((mut file, intervals, name)) = drawing {
        let triangle = intervals.triangle(&solved, monitor).map_err(|error| match error {
            SolveError::Limit { .. } | SolveError::Interrupted { .. } => {
                Failure::Unfinished { error, what: format!("before {name} was written; the answer stands") }
            }
            other => not_drawn(other, rules),
        });
        let drawn = triangle.and_then(|triangle| {
            let text = triangle::picture(&answered.solution, &triangle);
            file.write_all(text.as_bytes()).map_err(|error| file.failure(&error))?;
            file.finish()
        });
        match drawn {
            Ok(()) => answered.picture = Some(name),
            Err(failure) => answered.unfinished = answered.unfinished.or(Some(failure)),
        }
    }
    Ok(answered)
}

/// Why there is no thermograph.
fn undrawn(solution: &Solution) -> Failure {
    let why = match (&solution.value_missing, &solution.canonical) {
        (Some(why), _) => why.clone(),
        (None, Some(_)) => "the value is loopy, and only values without loops have one".to_string(),
        (None, None) => "it has no value that was found".to_string(),
    };
    let help =
        "thermographs are for games that the last mover wins, whose moves belong to players, such as `domineering`";
    Failure::usage_help(format!("there is no thermograph of `{}`: {why}", solution.game), help)
}

fn write_thermograph(mut file: NewFile, title: &str, graph: &Thermograph) -> Result<(), Failure> {
    file.write_all(graph.to_svg(title).as_bytes()).map_err(|error| file.failure(&error))?;
    file.finish()
}

fn not_compared(error: SolveError) -> Failure {
    Failure::usage_help(error.to_string(), "--compare greedy is for two players who gain something, such as in `coins`")
}

/// A game that has no triangle of intervals, or an error on the way to it.
fn not_drawn(error: SolveError, rules: &Rules) -> Failure {
    match error {
        SolveError::NotApplicable(why) => Failure::usage_help(
            why,
            "--svg draws the values of interval games: counted, for two, with two indices that close in, such as `coins`",
        ),
        other => Failure::solving(other, rules),
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
    if let Some(line) = line_shown(solution) {
        rows.list("line of play", &line);
    }
    if let Some(why) = &solution.line_missing {
        rows.prose("line of play", &format!("none: {why}"));
    }
    if let Some(file) = &answered.line_file {
        let repeats = match (file.repeats, file.repeats_from) {
            (false, _) => String::new(),
            (true, Some(number)) => format!(", and then for ever from move {} on again", count(number)),
            (true, None) => ", and then positions repeat for ever".to_string(),
        };
        rows.prose("whole line", &format!("{} in {}{repeats}", plural(file.moves, "move"), file.file));
    }
    if let Some(compare) = &answered.compare {
        greedy::rows(&mut rows, solution, compare, solution.starter);
    }
    if let Some(file) = &answered.picture {
        rows.prose("picture", file);
    }
    if let Some(proof) = &answered.proof {
        proof.rows(&mut rows);
    }
    if let Some(file) = &answered.thermograph {
        rows.prose("thermograph", file);
    }
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
        plural(solution.positions, if solution.noun == "item" { "item" } else { "position" }),
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
    let told = |players: &[String], one: &str, many: &str| match players {
        [] => None,
        [only] => Some(format!("{only} {one}")),
        [rest @ .., last] => Some(format!("{} and {last} {many}", rest.join(", "))),
    };
    let (won, even, lost) = (those(1), those(0), those(-1));
    let parts =
        [told(&won, "wins", "win"), told(&even, "draws", "draw"), told(&lost, "loses", "lose")].into_iter().flatten();
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
