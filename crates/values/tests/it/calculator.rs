//! Expressions: functions, positions, comparisons, loopy games; values of the literature.

use values::expression::{Answer, Calculator, NoPositions, Positions};
use values::{Arena, Error, Named, Result};

fn answer(text: &str) -> String {
    let mut arena = Arena::default();
    let answer = Calculator::new(&mut arena, &mut NoPositions).evaluate(text);
    answer.and_then(|answer| answer.write(&mut arena, 1000)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(answer(text), *expected, "{text}");
    }
}

#[test]
fn words_and_decimals() {
    check(&[
        ("up", "^"),
        ("down + up", "0"),
        ("star", "*"),
        ("3*up + star", "^3*"),
        ("-up", "v"),
        ("{up|down}", "*"),
        ("½", "1/2"),
        ("-¾", "-3/4"),
        ("¼^*", "1/4^*"),
        ("0.75", "3/4"),
        ("-2.5", "-5/2"),
        ("1.0", "1"),
        ("3.000", "3"),
        ("{0.5|0.25}", "{1/2|1/4}"),
        ("up{0|up}", "over"),
    ]);
    for text in [
        "0.3",
        "1.",
        "1.2.3",
        "½½",
        "0.00000000000000000000000000000000000000001",
        "up(2)",
        "up2",
        "9223372036854775807.5",
    ] {
        let mut arena = Arena::default();
        assert!(Calculator::new(&mut arena, &mut NoPositions).evaluate(text).is_err(), "{text}");
    }
}

#[test]
fn arithmetic() {
    check(&[
        ("1 + 1", "2"),
        ("2*3", "2*3"),
        ("2 * 3", "6"),
        ("2*(3)", "6"),
        ("2·3", "6"),
        ("2*{1|-1}", "0"),
        ("3*{1|-1}", "±1"),
        ("3 * ^", "^3"),
        ("^ * 3", "^3"),
        ("2*^", "^^"),
        ("-^", "v"),
        ("-1^", "-1^"),
        ("-(1^)", "-1v"),
        ("2-1^", "1v"),
        ("1 - -1", "2"),
        ("1+-1", "0"),
        ("±1 + ±1", "0"),
        ("1/2 * (1/2)", "1/4"),
        ("^ + ^ + *", "^^*"),
        ("up + up + *", "^^*"),
        ("2*down + up*", "v*"),
        ("{1|*} + up", "{1^|^*}"),
        ("* + *2", "*3"),
        ("1:1", "2"),
        ("1:-1", "1/2"),
        ("1:-1:1", "3/4"),
        ("*:1", "^*"),
        ("*:*", "*2"),
        ("ordinal(*, -1)", "v*"),
        ("{1|-1} = ±1", "true"),
        ("{2|0} < 3", "true"),
        ("{2|0} || 1", "true"),
        ("{2|0} <> 1", "true"),
        ("{2|0} <| 1", "true"),
        ("{2|0} |> 1", "true"),
        ("^<2>", "^<2>"),
        ("^ > ^<2>", "true"),
        ("^<2", "true"),
        ("+_1 < ^", "true"),
        ("1 != 2", "true"),
        ("1 >= 1", "true"),
        ("1 <= 1/2", "false"),
    ]);
}

#[test]
fn functions() {
    check(&[
        ("mean({4|2||-1})", "1"),
        ("temp({4|2||-1})", "2"),
        ("temp(1)", "-1"),
        ("temp(3/4)", "-1/4"),
        ("temp(^)", "0"),
        ("stops({2|0||0})", "0, 0"),
        ("leftstop({2|-1/2})", "2"),
        ("rightstop({2|-1/2})", "-1/2"),
        ("cool({2|-1}, 1)", "{1|0}"),
        ("cool({2|-1}, 3/2)", "1/2*"),
        ("cool({2|-1}, 2)", "1/2"),
        ("freeze({2|-1})", "1/2*"),
        ("heat(*, 1)", "±1"),
        ("heat(^, 1)", "{1||0|-2}"),
        ("overheat(*, 1, 1)", "±1"),
        ("overheat(1/2, 1, 1)", "{1|0}"),
        ("rcf({2|0||0})", "0"),
        ("rcf({1*|-1^})", "±1"),
        ("aw(^3*2)", "3"),
        ("aw({^|v})", "0"),
        ("aw({^^|vv})", "*"),
        ("norton(1/2, ^)", "{^^*|v*}"),
        ("norton(3, ^*2)", "^3*2"),
        ("birthday({2|0||0})", "4"),
        ("incentives(^)", "^*"),
        ("incentives(1/2)", "-1/2"),
        ("farstar(^)", ">"),
        ("farstar(*)", "||"),
        ("remote(*3, 5)", "true"),
        ("remote(*3, *2)", "false"),
        ("outcome(±1)", "N: whoever begins wins"),
        ("outcome(^*)", "N: whoever begins wins"),
        ("outcome(^)", "L: Left wins, whoever begins"),
        ("left({1|-1})", "1"),
        ("right(^*)", "0"),
    ]);
}

struct Doubled;

impl Positions for Doubled {
    fn position(&mut self, arena: &mut Arena, position: &Named) -> Result<Option<Answer>> {
        let arguments = &position.arguments;
        match position.name.as_str() {
            "double" => {
                let n: i64 = arguments.parse().map_err(|_| Error::Undefined(format!("`{arguments}` is no number")))?;
                arena.integer(2 * n).map(|value| Some(Answer::Game(value)))
            }
            "row" => arena.integer(arguments.len() as i64).map(|value| Some(Answer::Game(value))),
            _ => Ok(None),
        }
    }
}

#[test]
fn positions_come_from_the_callback() {
    let mut arena = Arena::default();
    let mut calculate = |text: &str| Calculator::new(&mut arena, &mut Doubled).evaluate(text);
    let mut number = |text: &str| match calculate(text) {
        Ok(Answer::Game(value)) => value,
        other => panic!("{text}: {other:?}"),
    };
    let (seven, also) = (number("double(3) + 1"), number("row(\"a)b\", [1])"));
    assert_eq!((arena.integer_of(seven), arena.integer_of(also)), (Some(7), Some(10)));
    let error = Calculator::new(&mut arena, &mut Doubled).evaluate("1 + double(x)").unwrap_err();
    assert_eq!(error.to_string(), "at byte 4: `x` is no number");
}

#[test]
fn thermographs_are_drawn() {
    let text = answer("thermograph({4|2||-1})");
    assert!(text.starts_with("mean 1, temperature 2\n"), "{text}");
    let mut arena = Arena::default();
    let value = arena.read("{4|2||-1}").unwrap();
    let svg = arena.thermograph(value).unwrap().to_svg("{4|2||-1} <&>");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("&lt;&amp;&gt;"), "{svg}");
    for text in ["5", "1/2", "^", "-1000000", "1/2*", "{1000000|-1000000}"] {
        let drawn = answer(&format!("thermograph({text})"));
        assert!(drawn.lines().count() > 10 && drawn.lines().all(|line| line.len() < 200), "{drawn}");
        let value = arena.read(text).unwrap();
        assert!(!arena.thermograph(value).unwrap().to_svg(text).contains("NaN"));
    }
}

#[test]
fn loopy_values() {
    check(&[
        ("on", "on"),
        ("-on", "off"),
        ("on + on", "on"),
        ("on + off", "dud"),
        ("on - on", "dud"),
        ("dud + 5", "dud"),
        ("dud + on", "dud"),
        ("over + over", "over"),
        ("over - over", "over & under"),
        ("on + over", "on"),
        ("on + 3", "on"),
        ("2*off", "off"),
        ("off*2", "off"),
        ("-3*over", "under"),
        ("0*on", "0"),
        ("off + {3|-3}", "off"),
        ("over > 0", "true"),
        ("over < 1/1024", "true"),
        ("over > ^1000", "true"),
        ("on > 1000", "true"),
        ("under < v5", "true"),
        ("dud || 0", "true"),
        ("on > over", "true"),
        ("a{0|a}", "over"),
        ("a{a|0}", "under"),
        ("a{a|}", "on"),
        ("a{a|a}", "dud"),
        ("a{a|*} > 0", "true"),
        ("a{a|*}", "a{a|*}"),
        ("{on|off}", "{on|off}"),
        ("{0|on}", "1"),
        ("{off|on}", "0"),
        ("{on|0} - {on|0}", "{on|{0|off}} & {{on|0}|off}"),
        ("outcome(dud)", "Left, who begins, draws; Right, who begins, draws"),
        ("outcome(over)", "Left, who begins, wins; Right, who begins, loses"),
        ("on & off", "dud"),
        ("over & under", "over & under"),
        ("{on|{0|off}} & {{on|0}|off}", "{on|{0|off}} & {{on|0}|off}"),
        ("over - over = over & under", "true"),
        ("onside(dud)", "on"),
        ("offside(dud)", "off"),
        ("over + * > 0", "true"),
    ]);
}

/// Tells what it was handed, as an error at the last byte of the position.
struct Told;

impl Positions for Told {
    fn position(&mut self, _: &mut Arena, position: &Named) -> Result<Option<Answer>> {
        let end = position.written.len();
        let message = format!("{} {}", position.name, position.arguments);
        Err(Error::Text { place: end - 1..end, message })
    }
}

#[test]
fn paths_and_quoted_names_are_positions_and_their_errors_have_places() {
    let cases = [
        ("1 + games/my-own.game(2, 3)", "games/my-own.game 2, 3", 26..27),
        ("1 + \"a b.game\"( [1] )", "a b.game [1]", 20..21),
        ("-./x.game", "./x.game ", 8..9),
        ("± nim(3)", "nim 3", 8..9),
    ];
    for (text, message, place) in cases {
        let mut arena = Arena::default();
        let error = Calculator::new(&mut arena, &mut Told).evaluate(text).unwrap_err();
        assert_eq!(error, Error::Text { place, message: message.to_string() }, "{text}");
    }
    let mut arena = Arena::default();
    assert!(Calculator::new(&mut arena, &mut Told).evaluate("1 + \"open").is_err());
}

/// A source of positions that notes what it is asked for.
struct Noted(Vec<(String, String)>);

impl Positions for Noted {
    fn position(&mut self, arena: &mut Arena, position: &Named) -> Result<Option<Answer>> {
        self.0.push((position.name.clone(), position.arguments.clone()));
        arena.integer(5).map(|value| Some(Answer::Game(value)))
    }
}

#[test]
fn paths_are_read_wherever_a_game_may_stand() {
    let read = |text: &str| {
        let (mut arena, mut noted) = (Arena::default(), Noted(Vec::new()));
        match Calculator::new(&mut arena, &mut noted).evaluate(text) {
            Ok(Answer::Game(value)) => (arena.integer_of(value), noted.0),
            other => panic!("{text}: {other:?}"),
        }
    };
    for (text, path, value) in [
        ("/a/b.game(1)", "/a/b.game", 5),
        ("2*/a/b.game(1)", "/a/b.game", 10),
        ("2 * /a/b.game(1)", "/a/b.game", 10),
        ("2*./b.game(1)", "./b.game", 10),
        ("2*../c/b.game(1)", "../c/b.game", 10),
        ("2*~/b.game(1)", "~/b.game", 10),
        ("2*b.game(1)", "b.game", 10),
        ("2*\\a\\b.game(1)", "\\a\\b.game", 10),
        ("2*\"/my games/b.game\"(1)", "/my games/b.game", 10),
        ("2*'/my games/b.game'(1)", "/my games/b.game", 10),
        ("1-'it \"is\".game'(1)", "it \"is\".game", -4),
        ("2*3*/a/b.game(1) - 2*3*5", "/a/b.game", 0),
    ] {
        assert_eq!(read(text), (Some(value), vec![(path.to_string(), "1".to_string())]), "{text}");
    }
    // A star behind a number is a nimber as before.
    assert_eq!(answer("2*"), "2*");
    assert_eq!(answer("2*3"), "2*3");
    for text in ["/my games/b.game", "2*/tmp", "./b"] {
        let error = Calculator::new(&mut Arena::default(), &mut Doubled).evaluate(text).unwrap_err();
        assert!(error.to_string().contains("the path of a rules file ends in `.game`, or stands in quotes"), "{error}");
    }
}
