//! Names: written, read, and both ways.

use testkit::Random;
use values::{Arena, Error};

use crate::days::{born_by, random_values};

/// Values that are written as they are read.
const NAMES: &[&str] = &[
    "0",
    "7",
    "-3/4",
    "*",
    "*2",
    "^",
    "^^",
    "^3",
    "v",
    "vv",
    "v3",
    "^*",
    "v3*",
    "^3*2",
    "1*",
    "1/2^",
    "-1/2^",
    "-1v3*2",
    "^[2]",
    "^<2>",
    "v[3]",
    "v<3>*",
    "±1",
    "±1/2",
    "±{2|1}",
    "±(1*)",
    "+_2",
    "+_{2|1}",
    "-_{5|1}",
    "+_{3||2|1}",
    "-_2",
    "-_{1/2}",
    "+_{1^}",
    "{1|*}",
    "{3|1||0}",
    "{0||-1|-2}",
    "{2|-1/2}",
    "{3|1}",
    "{{2|0},1|-1}",
    "{4|2||1|||0}",
];

/// Other ways to write a value, and its name.
const FORMS: &[(&str, &str)] = &[
    ("{|}", "0"),
    ("{0|}", "1"),
    ("{|0}", "-1"),
    ("{0|1}", "1/2"),
    ("{0|0}", "*"),
    ("{0|*}", "^"),
    ("{*|0}", "v"),
    ("{0,*|0,*}", "*2"),
    ("{0,*|0}", "^*"),
    ("{0|^*}", "^^"),
    ("{1|-1}", "±1"),
    ("tiny(2)", "+_2"),
    ("miny(1/2)", "-_{1/2}"),
    ("{{2|0}|0}", "-_2"),
    ("+-1", "±1"),
    ("{0||0|-2}", "+_2"),
    ("{3||2|1}", "{3||2|1}"),
    ("{^|*}", "^[2]"),
    ("{0|v*}", "^<2>"),
    ("↑", "^"),
    ("⇓*", "vv*"),
    ("{5|{4|3}}", "{5||4|3}"),
    ("^2", "^^"),
    ("{2|1||-1|-2}", "±{2|1}"),
    ("{100|}", "101"),
    ("{-5|7}", "0"),
    ("3.↑", "^3"),
    ("3.^", "^3"),
    ("-3·↓*", "^3*"),
    ("4⋅↑∗", "^4*"),
    ("2·⇑", "^4"),
    ("3.{1|-1}", "±1"),
    ("2.↑²", "{0||0,v*|vv}"),
    ("↑²", "^<2>"),
    ("↓³*", "v<3>*"),
    ("⋆3", "*3"),
    ("⧾2", "+_2"),
    ("⧾₁₂", "+_12"),
    ("⧿{1/2}", "-_{1/2}"),
    ("{2|0∥0}", "-_2"),
    ("{4|2‖1⦀0}", "{4|2||1|||0}"),
    ("{3∣1}", "{3|1}"),
    ("2.5", "5/2"),
];

/// Texts, where they go wrong, and words of the message.
const MISTAKES: &[(&str, usize, &str)] = &[
    ("", 0, "ends where a game"),
    ("1 +", 3, "ends where a game"),
    ("{1|2", 4, "expected here"),
    ("{1}", 1, "a bar is missing"),
    ("{1|2|3}", 4, "same length"),
    ("1/3", 2, "power of two"),
    ("1/0", 2, "power of two"),
    ("1 2", 2, "operator"),
    ("1)", 1, "nothing is open"),
    ("(1", 2, "`)` is missing"),
    ("mean", 0, "brackets"),
    ("mean(1,2)", 0, "one argument"),
    ("foo(1,2)", 0, "no position or function"),
    ("meen(1)", 0, "no position"),
    ("foo(1,", 3, "never closed"),
    ("99999999999999999999", 0, "63 bits"),
    ("*99999999999", 1, "32 bits"),
    ("^99999999999", 0, "31 bits"),
    ("1 < 2 < 3", 6, "two sides"),
    ("{1<2|3}", 2, "expected here"),
    ("9999999999.↑", 10, "overflow"),
    ("⧾", 3, "number or braces"),
    ("3.", 2, "ends where a game"),
    ("(1<2)+1", 0, "only values"),
    ("cool(^,*)", 7, "a number"),
    ("aw(1)", 0, "all-small"),
    ("norton(1/2,-1)", 0, "above 0"),
    ("{1|2}*{3|4|5}", 10, "same length"),
    ("±1*±1", 0, "whole number"),
    ("+_x", 2, "number or braces"),
    ("1/2/2", 3, "operator"),
    ("§", 0, "a game is expected"),
    ("a{0|b}", 4, "no position"),
];

fn check(text: &str, name: &str) {
    let mut arena = Arena::default();
    let value = arena.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(arena.name(value, 1000).unwrap(), name, "{text}");
    assert_eq!(arena.read(name).unwrap(), value, "{text} as {name}");
}

#[test]
fn values_have_the_names_of_the_books() {
    for name in NAMES {
        check(name, name);
    }
    for (text, name) in FORMS {
        check(text, name);
    }
}

#[test]
fn reading_undoes_writing() {
    let mut arena = Arena::default();
    let mut values = born_by(&mut arena, 3);
    values.extend(random_values(&mut arena, &mut Random::new(47), 1500));
    let mut other = Arena::default();
    for value in values {
        let name = arena.name(value, 1 << 20).unwrap();
        assert_eq!(arena.read(&name).unwrap(), value, "{name}");
        // Names do not depend on what an arena met before.
        let elsewhere = other.read(&name).unwrap();
        assert_eq!(other.name(elsewhere, 1 << 20).unwrap(), name);
    }
}

#[test]
fn mistakes_are_pointed_at() {
    let mut arena = Arena::default();
    for &(text, start, words) in MISTAKES {
        match arena.read(text) {
            Err(Error::Text { place, message }) => {
                assert!(message.contains(words), "{text}: {message}");
                assert_eq!(place.start, start, "{text}: {message}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let deep = "(".repeat(100_000);
    assert!(matches!(arena.read(&deep), Err(Error::TooDeep { .. })));
    let deep = "-".repeat(100_000);
    assert!(matches!(arena.read(&deep), Err(Error::TooDeep { .. })));
    let deep = "±".repeat(100_000);
    assert!(matches!(arena.read(&deep), Err(Error::TooDeep { .. })));
    let long = format!("0{}", "+1".repeat(100_000));
    assert_eq!(arena.read(&long).map(|value| arena.integer_of(value)), Ok(Some(100_000)));
    let bars = format!("{{0{}0}}", "|".repeat(100_000));
    assert!(arena.read(&bars).is_ok());
    let nested = (1..1000).fold("0".to_string(), |text, bars| format!("{text}{}{bars}", "|".repeat(bars)));
    assert!(matches!(arena.read(&format!("{{{nested}}}")), Err(Error::TooDeep { .. })));
}

#[test]
fn overflow_is_an_error() {
    let mut arena = Arena::default();
    for text in [
        "9223372036854775807 + 1",
        "9223372036854775807 * (3)",
        "1/1152921504606846976 * (1/2)",
        "^2147483647 + ^",
        "{0|^2147483647*}",
        "{v2147483647*|0}",
        "{1/2v2147483647*2|1/2}",
        "^1000000 * (1000000)",
        "{0|1/1152921504606846976}",
        "9223372036854775807^ + 1/2",
    ] {
        assert!(
            matches!(arena.read(text), Err(Error::Overflow(_) | Error::Text { .. })),
            "{text}: {:?}",
            arena.read(text)
        );
    }
}

/// Whatever is typed, there is an answer or an error with a place inside the text.
#[test]
fn any_text_is_answered() {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "|",
        "||",
        "|||",
        ",",
        "(",
        ")",
        "1",
        "2",
        "3/4",
        "-",
        "+",
        "*",
        "^",
        "v",
        "±",
        "+_",
        "-_",
        "on",
        "over",
        "dud",
        "off",
        "a{",
        "a",
        "&",
        ":",
        "<",
        "=",
        "<|",
        " ",
        "^<2>",
        "v[2]",
        "mean(",
        "temp(",
        "cool(",
        "rcf(",
        "aw(",
        "norton(",
        "heat(",
        "overheat(",
        "freeze(",
        "birthday(",
        "incentives(",
        "outcome(",
        "thermograph(",
        "tiny(",
        "9",
        "é",
        "\"",
        "{1|-1}",
        "{0|*}",
        "{2|0||1}",
        "±{2|1}",
        "remote(",
        "farstar(",
        "stops(",
        "left(",
        "onside(",
    ];
    let mut random = Random::new(97);
    let (mut games, mut errors) = (0, 0);
    for _ in 0..30_000 {
        let mut text = String::new();
        for _ in 0..1 + random.below(9usize) {
            text += random.pick::<&str>(PIECES);
        }
        let open = text.matches('(').count().saturating_sub(text.matches(')').count());
        if random.one_in(2) {
            text += &")".repeat(open);
        }
        let mut arena = Arena::new(values::Allowance::new(1 << 18));
        let answer = values::Calculator::new(&mut arena, &mut values::expression::NoPositions).evaluate(&text);
        match answer.and_then(|answer| answer.write(&mut arena, 10_000)) {
            Ok(_) => games += 1,
            Err(Error::Text { place, message }) => {
                assert!(place.start <= place.end && place.end <= text.len() && !message.is_empty(), "{text}");
                assert!(text.is_char_boundary(place.start) && text.is_char_boundary(place.end), "{text}");
                errors += 1;
            }
            Err(_) => errors += 1,
        }
    }
    assert!(games > 1000 && errors > 1000, "{games} {errors}");
}
