//! The facts: what kind of game this is, as far as the rules and the instance show it. Nothing is played here.
//!
//! A property is used only if it is shown. Each recogniser returns a [`Fact`]: whether it holds and why, in words that
//! `explain` prints. What the rules do not show may still be found by looking at every position; then the fact says so.
//! [`Facts`] are those that are found for every game.

use rules::bind::Bound;
use rules::diagnostic::Diagnostic;
use rules::program::{
    AssignOp, BinaryOp, EndingKind, Expr, ExprKind, Move, Objective, Place, Program, Root, Stmt, StmtKind,
};
use rules::visit;

use crate::error::SolveError;

/// A property with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Whether it holds.
    pub holds: bool,
    /// The proof, or what speaks against it.
    pub why: String,
}

impl Fact {
    /// It holds, because …
    pub fn yes(why: impl Into<String>) -> Fact {
        Fact { holds: true, why: why.into() }
    }

    /// It does not hold, or cannot be shown, because …
    pub fn no(why: impl Into<String>) -> Fact {
        Fact { holds: false, why: why.into() }
    }
}

/// What kind of answer the game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Won, lost or drawn.
    Outcome,
    /// A score for two, each maximising the difference.
    Score,
    /// One total a player, each maximising their own.
    Payoffs,
    /// More than two players, won by one of them.
    Winners,
}

/// What is known of a bound game before it is solved, each with its reason.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The kind of answer.
    pub kind: Kind,
    /// Both players always have the same moves.
    pub impartial: Fact,
    /// The last mover wins.
    pub last_mover: Fact,
    /// The position is a sum of parts.
    pub sum: Fact,
    /// Positions cannot repeat, as far as the rules show.
    pub acyclic: Fact,
    /// All gains add up to the same total, as far as the rules show. Counted games only.
    pub constant_total: Option<Fact>,
    /// Whether positions must record whose turn it is.
    pub with_turn: bool,
    /// Whether positions have Grundy numbers, if none repeats.
    pub nimbers: bool,
    /// Whether it is asked who wins whoever starts.
    pub partizan: bool,
    /// Whether who cannot move wins, nothing else ends the game and turns alternate: misère play.
    pub misere: bool,
}

impl Facts {
    /// The facts of a game.
    pub fn new(bound: &Bound) -> Result<Facts, SolveError> {
        let program = &*bound.program;
        let kind = kind(bound)?;
        let impartial = impartial(program, bound.players);
        let last_mover = last_mover_wins(program, bound.players);
        let sum = match &program.sum {
            Some(sum) => {
                let (count, part) = (bound.start.parts.len(), &sum.part);
                let parts = if count == 1 { "1 part".to_string() } else { format!("{count} parts") };
                Fact::yes(format!("the rules say `sum of {part}`: {parts}"))
            }
            None => Fact::no("the rules state one position"),
        };
        Ok(Facts {
            kind,
            nimbers: impartial.holds && last_mover.holds,
            partizan: !impartial.holds && last_mover.holds,
            with_turn: !impartial.holds || kind == Kind::Payoffs,
            misere: last_mover_loses(program, bound.players),
            impartial,
            last_mover,
            sum,
            acyclic: acyclic(program),
            constant_total: (kind == Kind::Score || kind == Kind::Payoffs).then(|| constant_total(bound)),
        })
    }

    /// Whether the rules show that all gains add up to the same total.
    pub fn total_is_proved(&self) -> Option<Fact> {
        self.constant_total.clone().filter(|fact| fact.holds)
    }
}

fn kind(bound: &Bound) -> Result<Kind, SolveError> {
    let program = &*bound.program;
    let several = bound.players > 2;
    if several && program.objective == Some(Objective::Difference) {
        let title = format!("`objective difference` is for two players; this game has {}", bound.players);
        let help = "leave it out: with three or more players each maximises their own total";
        return Err(SolveError::Fault(Diagnostic::at(program.name_span, title, "this game").help(help).into()));
    }
    Ok(match (program.counted, several) {
        (false, false) => Kind::Outcome,
        (false, true) => Kind::Winners,
        (true, true) => Kind::Payoffs,
        (true, false) if program.objective == Some(Objective::Own) => Kind::Payoffs,
        (true, false) => Kind::Score,
    })
}

/// Constant total, seen in the rules: moves earn nothing, and every result pays out the same.
fn constant_total(bound: &Bound) -> Fact {
    let program = &*bound.program;
    if gains_in_moves(program) {
        return Fact::no("not seen in the rules, since moves gain: the totals of all positions are compared");
    }
    match results_total(bound, program) {
        Some(total) => Fact::yes(format!("moves earn nothing, and every result pays out {total} in all")),
        None => Fact::no("not seen in the rules, since results differ: the totals of all positions are compared"),
    }
}

/// What every result pays out in all, if that is one number that the rules show.
fn results_total(bound: &Bound, program: &Program) -> Option<i64> {
    let default = program.stuck_by_default().then_some(None);
    let endings = rules::visit::results(program).map(Some).chain(default);
    let mut known = None;
    for ending in endings {
        let total = match ending.map(|ending| &ending.kind) {
            None => 0,
            Some(EndingKind::Score(value)) => literal(bound, value)?,
            Some(EndingKind::Payoffs(list)) => match &list.kind {
                ExprKind::List(items) => {
                    let totals = items.iter().map(|item| literal(bound, item)).collect::<Option<Vec<i64>>>()?;
                    totals.into_iter().try_fold(0i64, i64::checked_add)?
                }
                _ => return None,
            },
            Some(_) => return None,
        };
        if known.is_some_and(|known| known != total) {
            return None;
        }
        known = Some(total);
    }
    known
}

/// A number that stands in the rules or is a parameter or `let`.
fn literal(bound: &Bound, value: &rules::program::Expr) -> Option<i64> {
    match &value.kind {
        ExprKind::Scalar(value) => Some(*value),
        ExprKind::Global(slot) => bound.globals[*slot].as_int(),
        _ => None,
    }
}

/// Impartial: both players always have the same moves with the same worth, so whose turn it is need not be recorded.
pub fn impartial(program: &Program, players: usize) -> Fact {
    if players != 2 {
        return Fact::no(format!("it has {players} players"));
    }
    if let Some(rule) = program.moves.iter().find(|rule| rule.owner.is_some()) {
        return Fact::no(format!("the move `{}` belongs to one player", rule.name));
    }
    if let Some(EndingKind::Winner(_)) = program.forever.as_ref().map(|ending| &ending.kind) {
        return Fact::no("`forever` names a player");
    }
    for ending in visit::results(program) {
        match &ending.kind {
            EndingKind::Winner(player) if !is_relative(player) => {
                return Fact::no("a result names a player, whoever is to move");
            }
            EndingKind::Payoffs(_) => return Fact::no("`payoffs` are listed by player, whoever is to move"),
            _ => {}
        }
    }
    let mut players_named = None;
    for rule in &program.moves {
        visit::statements(&rule.body, &mut |statement| match &statement.kind {
            StmtKind::Gain { player: Some(player), .. } if !is_relative(player) => {
                players_named = Some(format!("`gain … for` in `{}` names a player", rule.name))
            }
            StmtKind::Turn(player) if !is_relative(player) => {
                players_named = Some(format!("`turn` in `{}` names a player", rule.name))
            }
            _ => {}
        });
    }
    if let Some(why) = players_named {
        return Fact::no(why);
    }
    match reader_of_the_mover(program) {
        Some(reader) => Fact::no(format!("{reader} reads `mover` or `opponent`")),
        None => Fact::yes(
            "no rule reads `mover` or `opponent`, no move belongs to one player, and results are relative to the player to move",
        ),
    }
}

/// `mover` or `opponent` as a whole: a player named by the turn, not by number.
fn is_relative(player: &Expr) -> bool {
    matches!(player.kind, ExprKind::Mover | ExprKind::Opponent)
}

/// A rule whose meaning depends on who is to move, beyond naming the mover or opponent in a gain, turn or result.
fn reader_of_the_mover(program: &Program) -> Option<String> {
    let reads = |root: &Expr| reads_mover(program, root);
    for rule in &program.moves {
        let mut found = visit::expressions_of_head(rule).into_iter().any(reads);
        visit::statements(&rule.body, &mut |statement| {
            let whole_player = |e: &&Expr| match &statement.kind {
                StmtKind::Turn(player) => !std::ptr::eq(*e, player) || !is_relative(player),
                StmtKind::Gain { player: Some(player), .. } => !std::ptr::eq(*e, player) || !is_relative(player),
                _ => true,
            };
            found |= visit::expressions_of(statement).into_iter().filter(whole_player).any(reads);
        });
        if found {
            return Some(format!("the move `{}`", rule.name));
        }
    }
    for (rules, word) in [(&program.ends, "an `end`"), (&program.stuck, "a `stuck`")] {
        if rules.iter().any(|rule| reads(&rule.when)) {
            return Some(format!("the condition of {word}"));
        }
    }
    for ending in visit::results(program) {
        let names_the_winner = |value: &Expr| matches!(ending.kind, EndingKind::Winner(_)) && is_relative(value);
        if let Some(value) = visit::expression_of_ending(&ending.kind)
            && !names_the_winner(value)
            && reads(value)
        {
            return Some("a result".to_string());
        }
    }
    program.measure.as_ref().filter(|measure| reads(measure)).map(|_| "the `measure`".to_string())
}

/// Whether an expression, or a function it calls, reads `mover` or `opponent`.
fn reads_mover(program: &Program, root: &Expr) -> bool {
    let mut found = false;
    let mut called = Vec::new();
    let mut look = |e: &Expr, called: &mut Vec<usize>| {
        visit::expr(e, &mut |e| match &e.kind {
            ExprKind::Mover | ExprKind::Opponent => found = true,
            ExprKind::Call(function, _) if !called.contains(function) => called.push(*function),
            _ => {}
        });
    };
    look(root, &mut called);
    let mut next = 0;
    while next < called.len() {
        let function = &program.functions[called[next]];
        visit::statements(&function.body, &mut |statement| {
            visit::expressions_of(statement).into_iter().for_each(|e| look(e, &mut called));
        });
        next += 1;
    }
    found
}

/// Whether a move can keep or set the turn.
pub fn changes_turn(program: &Program) -> bool {
    any_statement(program, |statement| matches!(statement.kind, StmtKind::Turn(_)))
}

/// Whether a move gains anything.
pub fn gains_in_moves(program: &Program) -> bool {
    any_statement(program, |statement| matches!(statement.kind, StmtKind::Gain { .. }))
}

impl Facts {
    /// No more positions than these have so many parts: the product of the domains of each part, for every player to move where
    /// that matters. A game that is no sum has one part.
    pub fn most_positions(&self, bound: &Bound, parts: usize) -> Option<u64> {
        let turns = if self.with_turn { bound.players as u64 } else { 1 };
        bound.layout.size()?.checked_pow(u32::try_from(parts).ok()?)?.checked_mul(turns)
    }
}

/// Whether a move splits a part.
pub fn splits(program: &Program) -> bool {
    any_statement(program, |statement| matches!(statement.kind, StmtKind::Split(_)))
}

fn any_statement(program: &Program, is: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    for rule in &program.moves {
        visit::statements(&rule.body, &mut |statement| found |= is(statement));
    }
    found
}

/// Normal play: who cannot move loses, every other end is lost by the player to move, and turns alternate. So the
/// last mover wins.
pub fn last_mover_wins(program: &Program, players: usize) -> Fact {
    if players != 2 {
        return Fact::no(format!("it has {players} players"));
    }
    if program.counted {
        return Fact::no("it is counted");
    }
    if program.stuck.iter().any(|stuck| !is_loss(&stuck.result.kind)) {
        return Fact::no("`stuck` is not `lose`");
    }
    if program.ends.iter().any(|end| !is_loss(&end.result.kind)) {
        return Fact::no("an `end` is not `lose`");
    }
    if changes_turn(program) {
        return Fact::no("a move can change the turn");
    }
    Fact::yes("who cannot move loses, and turns alternate")
}

/// Misère play: who cannot move wins, nothing else ends the game, and turns alternate. So the last mover loses.
pub fn last_mover_loses(program: &Program, players: usize) -> bool {
    let stuck_wins = !program.stuck_by_default() && program.stuck.iter().all(|stuck| is_win(&stuck.result.kind));
    players == 2 && !program.counted && stuck_wins && program.ends.is_empty() && !changes_turn(program)
}

/// `win`, also in the words `winner mover`.
fn is_win(kind: &EndingKind) -> bool {
    let EndingKind::Winner(player) = kind else { return matches!(kind, EndingKind::Win) };
    matches!(player.kind, ExprKind::Mover)
}

/// `lose`, also in the words `winner opponent` or `winner 1 - mover`.
fn is_loss(kind: &EndingKind) -> bool {
    let EndingKind::Winner(player) = kind else { return matches!(kind, EndingKind::Lose) };
    match &player.kind {
        ExprKind::Opponent => true,
        ExprKind::Binary(BinaryOp::Subtract, one, mover) => {
            matches!((&one.kind, &mover.kind), (ExprKind::Scalar(1), ExprKind::Mover))
        }
        _ => false,
    }
}

/// Without cycles, seen in the rules: some number variables only ever go one way, and every move moves one of them.
pub fn acyclic(program: &Program) -> Fact {
    if splits(program) {
        return Fact::no("not seen in the rules, since parts split: the search looks for cycles");
    }
    let directions: Vec<Option<Direction>> = (0..program.variables.len()).map(|v| direction(program, v)).collect();
    let strict = |rule: &Move| {
        let body = rule.body.iter();
        body.filter_map(|statement| step(rule, statement))
            .find(|step| step.strict && directions[step.variable] == Some(step.direction))
    };
    let steps: Vec<Option<Step>> = program.moves.iter().map(strict).collect();
    if let Some(index) = steps.iter().position(Option::is_none) {
        let name = &program.moves[index].name;
        return Fact::no(format!(
            "not seen in the rules (no variable that `{name}` always moves one way): the search looks for cycles"
        ));
    }
    let mut named: Vec<String> = Vec::new();
    for step in steps.into_iter().flatten() {
        let name = &program.variables[step.variable].name;
        let way = if step.direction == Direction::Up { "rises" } else { "falls" };
        let text = format!("`{name}` only {way}");
        if !named.contains(&text) {
            named.push(text);
        }
    }
    Fact::yes(format!("{}, and every move changes one of these", named.join(", ")))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// One assignment that moves a variable one way.
#[derive(Clone, Copy, Debug)]
struct Step {
    variable: usize,
    direction: Direction,
    strict: bool,
}

/// The way in which all assignments of all moves change a variable, if there is one.
fn direction(program: &Program, variable: usize) -> Option<Direction> {
    let mut found: Option<Direction> = None;
    let mut consistent = true;
    for rule in &program.moves {
        visit::statements(&rule.body, &mut |statement| {
            let StmtKind::Assign { place: Place { root: Root::Variable(assigned), .. }, .. } = &statement.kind else {
                return;
            };
            if *assigned != variable {
                return;
            }
            match step(rule, statement) {
                Some(step) if found.is_none_or(|known| known == step.direction) => found = Some(step.direction),
                _ => consistent = false,
            }
        });
    }
    found.filter(|_| consistent)
}

/// An assignment `v += e` or `v -= e` to a number variable, where the sign of `e` is known.
fn step(rule: &Move, statement: &Stmt) -> Option<Step> {
    let StmtKind::Assign { place, op, value } = &statement.kind else { return None };
    let Root::Variable(variable) = place.root else { return None };
    if !place.indices.is_empty() || place.ty != rules::types::Type::Int {
        return None;
    }
    let least = least_value(rule, value)?;
    let direction = match op {
        AssignOp::Set => return None,
        AssignOp::Add => Direction::Up,
        AssignOp::Subtract => Direction::Down,
    };
    (least >= 0).then_some(Step { variable, direction, strict: least > 0 })
}

/// A lower bound of a number that is a literal, or a choice from a range that starts at a literal.
fn least_value(rule: &Move, value: &Expr) -> Option<i64> {
    match &value.kind {
        ExprKind::Scalar(value) => Some(*value),
        ExprKind::Local(local) => match &rule.choices.get(*local)?.source {
            rules::program::Source::Domain(rules::program::Domain::Range { low, .. }) => match low.kind {
                ExprKind::Scalar(low) => Some(low),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Why a theorem is not enough for some files.
pub const DECLARED: &str = "what the file declares is to be checked at every position";

/// Whether a file declares something that must be checked at every position.
pub fn declares(bound: &rules::bind::Bound) -> bool {
    bound.program.measure.is_some() || !bound.symmetries.is_empty() || !bound.regions.is_empty()
}
