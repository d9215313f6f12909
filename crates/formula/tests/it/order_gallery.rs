//! What is found of every game of the gallery and of the suite, checked along random plays.
//!
//! `cargo test -p perfectplay-formula order_gallery -- --nocapture` prints it.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use formula::order::with_names;
use formula::study::study_parts;
use formula::{Formulas, Study, specialise, study};
use rules::bind::{Bound, bind};
use rules::instance::{Instance, parse_instance};
use rules::program::Program;
use testkit::files::{gallery, game, program};

use crate::plays::check_study;

fn bound(program: &Arc<Program>, instance: &Instance) -> Option<Bound> {
    bind(program, instance).ok()
}

/// The study of a game as it starts, and the formulas before it.
fn studied(bound: &Bound) -> Option<(Formulas, Study, Duration)> {
    let formulas = specialise(bound).ok()?;
    let copy = formulas.clone();
    let with_turn = formulas.reads_mover;
    let begin = Instant::now();
    let found = match bound.program.sum.is_some() {
        true => {
            let starts: Vec<&[i64]> = bound.start.parts.iter().map(|part| &part[..]).collect();
            study_parts(formulas, &starts, with_turn)
        }
        false => study(formulas, &bound.start.parts[0], bound.start.turn.index() as u8, with_turn),
    };
    Some((copy, found, begin.elapsed()))
}

/// Walks plays from each part.
fn check(name: &str, bound: &Bound, formulas: &Formulas, found: &Study, plays: usize) {
    for (number, part) in bound.start.parts.iter().take(6).enumerate() {
        let start = (part.to_vec(), bound.start.turn.index() as u8);
        if let Err(wrong) = check_study(formulas, found, &start, plays, number as u64 + 1) {
            panic!("{name}: {wrong}\n{:?}", found.facts);
        }
    }
}

fn told(bound: &Bound, found: &Study) -> String {
    let cell = |number: u32| {
        let number = number as usize;
        let slot = bound.layout.variables.iter().find(|slot| number < slot.offset + slot.cells);
        slot.map_or(String::new(), |slot| slot.place((number - slot.offset) / slot.stride.max(1)))
    };
    let rule = |number: usize| format!("`{}`", bound.program.moves[number].name);
    let mut lines: Vec<String> = found.facts.iter().map(|fact| with_names(fact, &cell, &rule)).collect();
    match &found.order {
        Ok(order) => lines.push(format!(
            "loops {:?} strict {} wave {} longest {:?}",
            order.loops.iter().map(|each| cell(each.cell)).collect::<Vec<_>>(),
            order.strict,
            order.wave.is_some(),
            order.longest
        )),
        Err(why) => lines.push(format!("NO ORDER: {}", with_names(why, &cell, &rule))),
    }
    if let Some(potential) = &found.potential {
        lines.push(format!("potential: {}", with_names(&potential.why, &cell, &rule)));
    }
    if let Some(skewed) = &found.skewed {
        lines.push(format!("skewed: {}", with_names(&skewed.facts[0], &cell, &rule)));
    }
    let faults = found.formulas.actions.iter().filter(|each| found.formulas.arena.known(each.fault) != Some(0)).count();
    lines.push(format!(
        "{} actions, {faults} may fault, {} nodes, {} valid, mover {}, derived {}, score {:?}",
        found.formulas.actions.len(),
        found.formulas.arena.len(),
        found.formulas.valid.len(),
        found.mover.is_some(),
        found.derived.len(),
        found.score_bound
    ));
    lines.join("\n    ")
}

#[test]
fn the_gallery() {
    let mut ordered = 0;
    for (name, text) in gallery() {
        let program = program(&text);
        let Some(first) = bound(&program, &Instance::default()) else { continue };
        match studied(&first) {
            None => println!("{name}: no formulas: {}", specialise(&first).err().map_or(String::new(), |why| why.why)),
            Some((_, found, time)) => {
                println!("{name}: {:.2} ms\n    {}", time.as_secs_f64() * 1e3, told(&first, &found));
                ordered += usize::from(found.order.is_ok());
            }
        }
        let mut instances = vec![Instance::default()];
        instances.extend(rules::sample::instances(&program, 12, 5).unwrap_or_default());
        for instance in &instances {
            let Some(bound) = bound(&program, instance) else { continue };
            if let Some((formulas, found, _)) = studied(&bound) {
                check(&format!("{name} {instance}"), &bound, &formulas, &found, 8);
            }
        }
    }
    assert!(ordered > 30, "{ordered}");
}

#[test]
fn the_suite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../solve/tests/suite");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    paths.sort();
    let (mut all, mut ordered, mut potentials, mut movers, mut derived) = (0, 0, 0, 0, 0);
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let program = program(&fs::read_to_string(path.with_extension("game")).unwrap());
        let lines = fs::read_to_string(&path).unwrap();
        for line in lines.lines().take(3) {
            let Some(instance) = instance_of(line) else { continue };
            let Some(bound) = bound(&program, &instance) else { continue };
            if let Some((formulas, found, _)) = studied(&bound) {
                check(&format!("{name} {instance}"), &bound, &formulas, &found, 4);
                all += 1;
                ordered += usize::from(found.order.is_ok());
                potentials += usize::from(found.order.is_err() && found.potential.is_some());
                movers += usize::from(found.mover.is_some());
                derived += found.derived.len();
            }
        }
    }
    println!(
        "{all} instances, {ordered} with an order, {potentials} with a potential only, {movers} movers told, {derived} cells derived"
    );
    assert!(ordered * 3 > all);
}

/// The instance of a line of the suite: the object behind `"instance":`, or behind the first brace within the line.
fn instance_of(line: &str) -> Option<Instance> {
    let from = line.find("\"instance\"")?;
    let rest = &line[from..];
    let open = rest.find('{')?;
    let mut depth = 0;
    for (place, sign) in rest[open..].char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return parse_instance(&rest[open..=open + place]).ok();
        }
    }
    None
}

/// Rules in which something follows from something else: how many cells need no digit, and whether the turn does.
const FOLLOWING: [(&str, &str, usize, bool); 7] = [
    (
        "the total of the numbers picked",
        "state { left in set of 1..=8 = {k for k in 1..=8}; total in 0..=60 = 0; }
         end when total >= 20 => lose;
         move pick(k in left) { left -= k; total += k; }",
        1,
        true,
    ),
    (
        "how many squares are empty",
        "state { board in [{empty, x, o}; 6] = [empty; 6]; free in 0..=6 = 6; }
         end when board[0] == 1 + opponent and board[3] == 1 + opponent => lose;
         move place(at in 0..6) when board[at] == empty { board[at] = 1 + mover; free -= 1; }",
        1,
        true,
    ),
    (
        "stones taken and stones left",
        "state { left in 0..=40 = 33; taken in 0..=80 = 0; }
         move take(k in 1..=3) when k <= left { left -= k; taken += 2 * k; }
         stuck => score taken;",
        1,
        false,
    ),
    (
        "a sum of three heaps",
        "state { a in 0..=9 = 9; b in 0..=9 = 7; c in 0..=9 = 4; all in 0..=30 = 20; }
         move first_heap(k in 1..=a) { a -= k; all -= k; }
         move second_heap(k in 1..=b) { b -= k; all -= k; }
         move third_heap(k in 1..=c) { c -= k; all -= k; }",
        1,
        false,
    ),
    (
        "a clock that counts moves",
        "state { n in 0..=20 = 20; clock in 0..=50 = 0; }
         end when clock == 9 => draw;
         move one when n >= 1 { n -= 1; clock += 1; }
         move two when n >= 2 { n -= 2; clock += 1; }",
        0,
        true,
    ),
    (
        "elements that change sides",
        "state { here in set of 0..=5 = {0, 1, 2, 3, 4, 5}; there in set of 0..=5 = {}; weight in 0..=99 = 0; }
         move carry(k in here) { here -= k; there += k; weight += k * k; }",
        1,
        true,
    ),
    (
        "a piece of each kind",
        "state { strip in [{empty, toad, frog}; 5] = [toad, toad, empty, frog, frog]; steps in 0..=30 = 0; }
         move first go(at in 0..4) when strip[at] == toad and strip[at + 1] == empty
             { strip[at] = empty; strip[at + 1] = toad; steps += 1; }
         move second come(at in 1..5) when strip[at] == frog and strip[at - 1] == empty
             { strip[at] = empty; strip[at - 1] = frog; steps += 1; }",
        0, // without the steps there would be no order
        true,
    ),
];

#[test]
fn what_follows_needs_no_digit() {
    for (name, rules, derived, mover) in FOLLOWING {
        let program = program(&format!("game made() {{ {rules} }}"));
        let bound = bound(&program, &Instance::default()).unwrap();
        let formulas = specialise(&bound).unwrap();
        let found = study(formulas.clone(), &bound.start.parts[0], 0, true);
        println!("{name}\n    {}", told(&bound, &found));
        check(name, &bound, &formulas, &found, 30);
        assert_eq!((found.derived.len(), found.mover.is_some()), (derived, mover), "{name}: {:?}", found.facts);
    }
}

/// How long studies take: `cargo test --release -p perfectplay-formula order_gallery -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn times() {
    let row = |n: usize, most: usize| -> String {
        let items: Vec<String> = (0..n).map(|i| (i * 7919 % most + 1).to_string()).collect();
        format!("[{}]", items.join(", "))
    };
    let graph = |n: usize, degree: usize| -> String {
        let rows: Vec<String> = (0..n)
            .map(|i| {
                format!(
                    "[{}]",
                    (0..degree).map(|d| ((i * 31 + d * 977 + 1) % n).to_string()).collect::<Vec<_>>().join(",")
                )
            })
            .collect();
        format!("[{}]", rows.join(","))
    };
    let instances: Vec<(&str, String)> = vec![
        ("stones", format!(r#"{{"n": 10000000, "moves": {}}}"#, row(20, 1000))),
        ("stone_game_2", format!(r#"{{"piles": {}}}"#, row(1000, 100))),
        ("m_n_k", r#"{"rows": 4, "columns": 4, "k": 4}"#.to_owned()),
        ("m_n_k", r#"{"rows": 6, "columns": 6, "k": 4}"#.to_owned()),
        ("connect_k", r#"{"rows": 4, "columns": 4, "k": 4}"#.to_owned()),
        ("connect_k", r#"{"rows": 6, "columns": 7, "k": 4}"#.to_owned()),
        ("coins", format!(r#"{{"coins": {}}}"#, row(8000, 1000))),
        ("can_i_win", r#"{"most": 22, "desired": 150}"#.to_owned()),
        ("cat_and_mouse", format!(r#"{{"graph": {}}}"#, graph(50, 4))),
        ("digraph_token", format!(r#"{{"arrows": {}, "start": 5}}"#, graph(20000, 10))),
        ("chomp", r#"{"rows": 8, "columns": 10}"#.to_owned()),
        ("kalah", r#"{"pits": 4, "seeds": 3}"#.to_owned()),
        ("clobber", r#"{"rows": 5, "columns": 5}"#.to_owned()),
        ("domineering", r#"{"rows": 6, "columns": 6}"#.to_owned()),
        ("dots_and_boxes", r#"{"rows": 3, "columns": 3}"#.to_owned()),
        ("hex", r#"{"size": 4}"#.to_owned()),
        ("fibonacci_nim", r#"{"n": 1000}"#.to_owned()),
        ("wythoff", r#"{"a": 300, "b": 300}"#.to_owned()),
        ("moore_nim", r#"{"piles": [6, 6, 6, 6, 6], "k": 2}"#.to_owned()),
        ("m_n_k", r#"{"rows": 15, "columns": 15, "k": 5}"#.to_owned()),
        ("domineering", r#"{"rows": 30, "columns": 30}"#.to_owned()),
        ("clobber", r#"{"rows": 15, "columns": 15}"#.to_owned()),
        ("staircase_nim", r#"{"steps": [9, 9, 9, 9, 9, 9]}"#.to_owned()),
        ("chomp", r#"{"rows": 12, "columns": 30}"#.to_owned()),
        (
            "turning_turtles",
            r#"{"feet": [true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true]}"#
                .to_owned(),
        ),
    ];
    for (name, instance) in instances {
        let text = game(name);
        let program = program(&text);
        let short: String = instance.chars().take(40).collect();
        let Ok(parsed) = parse_instance(&instance) else { panic!("{short}") };
        let begin = Instant::now();
        let Some(bound) = bound(&program, &parsed) else {
            println!("{name} {short}: not bound");
            continue;
        };
        let bind_time = begin.elapsed();
        let begin = Instant::now();
        if let Err(why) = specialise(&bound) {
            println!("{name} {short}: {why}");
            continue;
        }
        let made = begin.elapsed();
        let least = (0..3).filter_map(|_| studied(&bound).map(|(_, _, time)| time)).min().unwrap_or_default();
        let (before, found, _) = studied(&bound).unwrap();
        println!(
            "{name} {short}: bind {:.1} specialise {:.1} study {:.2} ms, {} nodes before\n    {}",
            bind_time.as_secs_f64() * 1e3,
            made.as_secs_f64() * 1e3,
            least.as_secs_f64() * 1e3,
            before.arena.len(),
            told(&bound, &found)
        );
    }
}
