//! The objects of the gallery, of rules that were checked, and of tables.

use rules::bind::{Bound, bind};
use rules::instance::{Given, Instance as Parameters};
use rules::program::{Domain, Program, Source, Variable};
use rules::span::Span;
use serde::Serialize;
use solve::answer::solution::{AnswerKind, Shown, Understood};
use std::sync::Arc;

use super::super::errors::{DiagnosticObject, diagnostic_to, line_and_column};
use super::super::{Instance, Spelled, Text, Value, is_false};
use crate::language::{Diagnostic, example_instance};
use crate::scene::{Painter, Scene};
use crate::source::Rules;
use crate::view;

/// At most so many instances of a file are offered.
const MOST_INSTANCES: usize = 12;
/// Instances that are longer are not offered.
const LONGEST_INSTANCE: usize = 2000;

#[derive(Serialize)]
struct ParameterObject {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<i64>,
}

#[derive(Serialize)]
struct InstanceObject {
    instance: serde_json::Value,
    words: String,
}

#[derive(Serialize)]
struct GameObject {
    name: String,
    about: String,
    parameters: Vec<ParameterObject>,
    instances: Vec<InstanceObject>,
    players: usize,
    kind: Text<AnswerKind>,
    scene: Scene,
}

#[derive(Serialize)]
struct GamesObject {
    games: Vec<GameObject>,
}

fn plain(given: &Given) -> serde_json::Value {
    serde_json::to_value(Value(given)).unwrap_or_default()
}

/// The numbers that a sample runs over, where these are plain.
fn sampled(program: &Program, param: usize) -> Option<(i64, i64)> {
    use rules::program::ExprKind;
    let item = program.sample.iter().find(|item| item.param == param)?;
    let Source::Domain(Domain::Range { low, high, inclusive, .. }) = &item.source else { return None };
    match (&low.kind, &high.kind) {
        (ExprKind::Scalar(low), ExprKind::Scalar(high)) => Some((*low, if *inclusive { *high } else { high - 1 })),
        _ => None,
    }
}

fn parameters(program: &Program, default: Option<&Bound>) -> Vec<ParameterObject> {
    let one = |(index, param): (usize, &rules::program::Param)| {
        let range = sampled(program, index);
        ParameterObject {
            name: param.name.clone(),
            ty: param.ty.to_string(),
            default: default.filter(|_| param.default.is_some()).map(|bound| plain(&bound.given(index))),
            least: range.map(|range| range.0),
            most: range.map(|range| range.1),
        }
    };
    program.params.iter().enumerate().map(one).collect()
}

fn instance(bound: &Bound) -> InstanceObject {
    let understood = Understood::new(bound);
    let word = |(name, value): (&str, &Shown)| format!("{name}={}", Spelled(value));
    InstanceObject {
        instance: serde_json::to_value(Instance(&understood)).unwrap_or_default(),
        words: understood.iter().map(|(name, value)| word((name, value))).collect::<Vec<_>>().join(" "),
    }
}

/// The default instance and those of the examples, each once.
fn instances(program: &Arc<Program>, default: Option<&Bound>) -> Vec<InstanceObject> {
    let mut found: Vec<InstanceObject> = default.map(instance).into_iter().collect();
    for example in &program.examples {
        if found.len() == MOST_INSTANCES {
            break;
        }
        let Ok(given) = example_instance(program, example) else { continue };
        let Ok(bound) = bind(program, &given) else { continue };
        let next = instance(&bound);
        if next.words.len() <= LONGEST_INSTANCE && !found.iter().any(|known| known.words == next.words) {
            found.push(next);
        }
    }
    found
}

/// The object of the gallery, as text.
pub fn gallery() -> String {
    let one = |(name, source): &(&str, &str)| {
        let rules = Rules { name: name.to_string(), source: source.to_string() };
        let program = rules.program().ok()?;
        let bound = bind(&program, &Parameters::default()).ok()?;
        Some(GameObject {
            name: name.to_string(),
            about: program.doc.join(" "),
            parameters: parameters(&program, Some(&bound)),
            instances: instances(&program, Some(&bound)),
            players: bound.players,
            kind: Text(view::kind(&bound)),
            scene: Painter::new(&bound).scene(&bound.start),
        })
    };
    super::super::text(&GamesObject { games: crate::gallery::GALLERY.iter().filter_map(one).collect() })
}

#[derive(Serialize)]
struct PlaceObject {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ItemKind {
    Parameter,
    Let,
    Function,
    Variable,
    Move,
    End,
}

#[derive(Serialize)]
struct OutlineItem {
    kind: ItemKind,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    place: PlaceObject,
}

#[derive(Serialize)]
struct OutlineObject {
    name: String,
    about: String,
    items: Vec<OutlineItem>,
}

#[derive(Serialize)]
struct CheckObject {
    good: bool,
    diagnostics: Vec<DiagnosticObject>,
    #[serde(skip_serializing_if = "is_false")]
    in_instance: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    outline: Option<OutlineObject>,
    parameters: Vec<ParameterObject>,
    instances: Vec<InstanceObject>,
    words: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<Scene>,
}

/// What came of checking rules.
pub struct Checked {
    /// What they mean, if they can be read.
    pub program: Option<Arc<Program>>,
    /// The game with its default instance, where it has one.
    pub default: Option<Bound>,
    /// The game with the instance that was given.
    pub bound: Option<Bound>,
    /// What is wrong.
    pub wrong: Vec<Diagnostic>,
    /// Whether that is in the text of the instance.
    pub in_instance: bool,
}

fn outline(program: &Program, source: &str) -> OutlineObject {
    let place = |span: Span| {
        let (line, column) = line_and_column(source, span.range().start);
        let (end_line, end_column) = line_and_column(source, span.range().end);
        PlaceObject { line, column, end_line, end_column }
    };
    let item = |kind, name: &str, text: Option<String>, span| OutlineItem {
        kind,
        name: name.to_string(),
        text,
        place: place(span),
    };
    let variable = |it: &Variable| item(ItemKind::Variable, &it.name, Some(it.ty.to_string()), it.span);
    let choices = |choices: &[rules::program::Choice]| {
        let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let params = program.params.iter().map(|it| item(ItemKind::Parameter, &it.name, Some(it.ty.to_string()), it.span));
    let lets = program.lets.iter().map(|it| item(ItemKind::Let, &it.name, Some(it.value.ty.to_string()), it.span));
    let functions =
        program.functions.iter().map(|it| item(ItemKind::Function, &it.name, Some(it.result.to_string()), it.span));
    let moves = program.moves.iter().map(|it| item(ItemKind::Move, &it.name, choices(&it.choices), it.span));
    let ends = program.ends.iter().map(|it| item(ItemKind::End, "end", None, it.span));
    let variables = program.variables.iter().map(variable);
    let items = params.chain(lets).chain(functions).chain(variables).chain(moves).chain(ends).collect();
    OutlineObject { name: program.name.clone(), about: program.doc.join(" "), items }
}

/// Names that a person may want to complete, in the order of the alphabet.
fn names(program: &Program) -> Vec<String> {
    let mut all: Vec<String> = program.params.iter().map(|it| it.name.clone()).collect();
    all.extend(program.lets.iter().map(|it| it.name.clone()));
    all.extend(program.functions.iter().map(|it| it.name.clone()));
    all.extend(program.variables.iter().map(|it| it.name.clone()));
    all.extend(program.moves.iter().flat_map(|it| it.choices.iter().map(|choice| choice.name.clone())));
    all.extend(program.constants.iter().map(|it| it.0.clone()));
    all.sort();
    all.dedup();
    all
}

/// The object of rules that were checked, as text. `source` is the text that the mistakes point into: that of the rules, or that
/// of the instance.
pub fn check(checked: &Checked, source: &str, rules: &str) -> String {
    let Checked { program, default, bound, wrong, in_instance } = checked;
    let program = program.as_ref();
    let painted = bound.as_ref().map(|bound| Painter::new(bound).scene(&bound.start));
    super::super::text(&CheckObject {
        good: wrong.is_empty() && bound.is_some(),
        diagnostics: wrong.iter().map(|found| diagnostic_to(found, source)).collect(),
        in_instance: *in_instance,
        outline: program.map(|program| outline(program, rules)),
        parameters: program.map(|program| parameters(program, default.as_ref())).unwrap_or_default(),
        instances: program.map(|program| instances(program, default.as_ref())).unwrap_or_default(),
        words: program.map(|program| names(program)).unwrap_or_default(),
        instance: bound.as_ref().map(|bound| instance(bound).instance),
        scene: painted,
    })
}

#[derive(Serialize)]
struct TableObject {
    name: String,
    game: String,
    instance: serde_json::Value,
    positions: u64,
}

#[derive(Serialize)]
struct TablesObject {
    tables: Vec<TableObject>,
}

/// The object of table files, each with its name, its game and how many positions it holds, as text.
pub fn tables<'t>(tables: impl Iterator<Item = (&'t str, &'t Bound, u64)>) -> String {
    let one = |(name, bound, positions): (&str, &Bound, u64)| TableObject {
        name: name.to_string(),
        game: bound.program.name.clone(),
        instance: instance(bound).instance,
        positions,
    };
    super::super::text(&TablesObject { tables: tables.map(one).collect() })
}
