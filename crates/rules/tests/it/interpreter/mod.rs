//! The meaning of the language: rules texts, positions, and what the interpreter says of them.

mod expressions;
mod games;
mod moves;
mod stops;

use std::sync::Arc;

use game::{End, Outcome, Player};
use rules::bind::{Bound, Position, bind};
use rules::fault::Fault;
use rules::instance::parse_instance;
use rules::interpreter::Interpreter;
use rules::show;

/// A bound game from text; a mistake ends the test with the message.
fn game(source: &str, instance: &str) -> Bound {
    match try_game(source, instance) {
        Ok(bound) => bound,
        Err(text) => panic!("{text}"),
    }
}

/// A bound game from text, or the titles, notes and help of what is wrong.
fn try_game(source: &str, instance: &str) -> Result<Bound, String> {
    let program = rules::compile(source)
        .unwrap_or_else(|wrong| panic!("{}", rules::report::report("test", source, &wrong, false)));
    let instance = parse_instance(instance).unwrap_or_else(|error| panic!("{error}"));
    bind(&Arc::new(program), &instance).map_err(|wrong| wrong.iter().map(text_of).collect::<Vec<_>>().join("\n"))
}

fn text_of(diagnostic: &rules::diagnostic::Diagnostic) -> String {
    let mut text = diagnostic.title.clone();
    for note in &diagnostic.notes {
        text.push_str(&format!("\n  {note}"));
    }
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("\n  help: {help}"));
    }
    text
}

/// Every move of the position as `label: position after` with gains and turn where they say something.
fn moves_of(bound: &Bound, position: &Position) -> Result<Vec<(String, Position, Vec<i64>)>, Fault> {
    let mut interpreter = Interpreter::new(bound);
    let mut found = Vec::new();
    for (number, part) in position.parts.iter().enumerate() {
        interpreter.moves(part, position.turn, &mut |effect| {
            let label = show::move_label_of(bound, effect.rule, effect.choices, number);
            found.push((label, effect.option(position, number), effect.gains.to_vec()));
            Ok(())
        })?;
    }
    Ok(found)
}

fn labels(bound: &Bound) -> Vec<String> {
    moves_of(bound, &bound.start).unwrap().into_iter().map(|(label, _, _)| label).collect()
}

/// `label -> position` for every move at the start.
fn options(bound: &Bound) -> Vec<String> {
    let moves = moves_of(bound, &bound.start).unwrap_or_else(|fault| panic!("{}", text_of(&fault.diagnostic)));
    moves.into_iter().map(|(label, option, _)| format!("{label} -> {}", show::position_text(bound, &option))).collect()
}

fn fault(bound: &Bound) -> String {
    text_of(&moves_of(bound, &bound.start).unwrap_err().diagnostic)
}
