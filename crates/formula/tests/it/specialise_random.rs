//! Random rules that read and make lists and sets in every way, at places and with lengths that vary: formulas against the
//! interpreter, faults included. (What whole generated games do is compared in `specialise_programs.rs`.)

use std::collections::BTreeMap;
use std::sync::Arc;

use formula::specialise::{Limits, specialise_scoped, specialise_within};
use rules::bind::bind;
use rules::instance::Instance;
use testkit::Random;

use crate::{alike, judge};

/// Writes expressions; the numbers that can be read besides those of the position.
struct Writer<'d> {
    random: &'d mut Random,
    names: Vec<String>,
    fresh: usize,
}

impl Writer<'_> {
    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.random.below(texts.len() as u64) as usize]
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            if !self.names.is_empty() && self.random.below(2) == 0 {
                return self.names[self.random.below(self.names.len() as u64) as usize].clone();
            }
            return self.pick(&["i", "j", "i", "j", "0", "1", "2", "3", "-1", "mover", "a[2]", "len(s)"]).to_string();
        }
        let depth = depth - 1;
        match self.random.below(20) {
            0 => format!("({} + {})", self.int(depth), self.int(depth)),
            1 => format!("({} - {})", self.int(depth), self.int(depth)),
            2 => format!("({} * {})", self.int(depth), self.int(depth)),
            3 => format!("({} / {})", self.int(depth), self.int(depth)),
            4 => format!("({} % {})", self.int(depth), self.int(depth)),
            5 => format!("a[({}) % 4]", self.int(depth)),
            6 => format!("a[{}]", self.int(depth)),
            7 => format!("g[({}) % 2][({}) % 3]", self.int(depth), self.int(depth)),
            8 => format!("rows[{}][{}]", self.int(depth), self.int(depth)),
            9 => format!("flat[({}) % 6]", self.int(depth)),
            10 => format!("deep[({}) % 2][({}) % 2][0]", self.int(depth), self.int(depth)),
            11 => format!("len({})", self.list(depth)),
            12 => format!("sum({})", self.list(depth)),
            13 => format!("{}({}, {})", self.pick(&["min", "max", "xor", "gcd"]), self.list(depth), self.int(depth)),
            14 => format!("(if {} then {} else {})", self.truth(depth), self.int(depth), self.int(depth)),
            15 => {
                let (over, name) = (self.list(depth), self.open());
                let (item, when) = (self.int(depth), self.truth(depth));
                self.names.pop();
                let fold = self.pick(&["sum", "count", "xor", "max"]);
                format!("{fold}({item} for {name} in {over} when {when})")
            }
            16 => format!("{}({})", self.pick(&["abs", "isqrt", "popcount"]), self.int(depth)),
            17 => format!("{}({}, ({}) % 5)", self.pick(&["pow", "shl", "shr"]), self.int(depth), self.int(depth)),
            18 => format!("{}({})", self.pick(&["sum", "len", "max"]), self.set(depth)),
            _ => format!("f({}, {})", self.int(depth), self.list(depth)),
        }
    }

    fn open(&mut self) -> String {
        self.fresh += 1;
        let name = format!("k{}", self.fresh);
        self.names.push(name.clone());
        name
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth == 0 {
            return format!("{} {} {}", self.int(0), self.pick(&["<", "<=", "==", "!="]), self.int(0));
        }
        let depth = depth - 1;
        match self.random.below(9) {
            0 => format!("({} and {})", self.truth(depth), self.truth(depth)),
            1 => format!("({} or {})", self.truth(depth), self.truth(depth)),
            2 => format!("not ({})", self.truth(depth)),
            3 => format!("({}) in {}", self.int(depth), self.list(depth)),
            4 => format!("({}) in {}", self.int(depth), self.set(depth)),
            5 => format!("({} == {})", self.list(depth), self.list(depth)),
            6 => format!("({} {} {})", self.set(depth), self.pick(&["==", "!="]), self.set(depth)),
            7 => {
                let (over, name) = (self.list(depth), self.open());
                let item = self.truth(depth);
                self.names.pop();
                format!("{}({item} for {name} in {over})", self.pick(&["any", "all"]))
            }
            _ => format!("({} {} {})", self.int(depth), self.pick(&["<", "<=", "==", "!="]), self.int(depth)),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["a", "flat", "rows[1]", "[i, j]", "g[0]", "rows[i]"]).to_string();
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0 => format!("g[{}]", self.int(depth)),
            1 => format!("rows[{}]", self.int(depth)),
            2 => format!("flat[{}..{}]", self.int(depth), self.int(depth)),
            3 => format!("a[{}..={}]", self.int(depth), self.int(depth)),
            4 => format!("[{}, {}]", self.int(depth), self.int(depth)),
            5 | 6 => {
                let (over, name) = (self.list(depth), self.open());
                let (item, when) = (self.int(depth), self.truth(depth));
                self.names.pop();
                format!("[{item} for {name} in {over} when {when}]")
            }
            7 => format!("reverse({})", self.list(depth)),
            8 => format!("(if {} then {} else {})", self.truth(depth), self.list(depth), self.list(depth)),
            9 => format!("sort([{}, {}, {}])", self.int(depth), self.int(depth), self.int(depth)),
            10 => format!("deep[({}) % 2][{}]", self.int(depth), self.int(depth)),
            _ => format!("[{}; ({}) % 3]", self.int(depth), self.int(depth)),
        }
    }

    fn set(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["s", "s", "{1, 4}", "{i, 2}"]).to_string();
        }
        let depth = depth - 1;
        match self.random.below(4) {
            0 => format!("{{({}) % 9, ({}) % 7}}", self.int(depth), self.int(depth)),
            1 => {
                let (over, name) = (self.list(depth), self.open());
                let (item, when) = (self.int(depth), self.truth(depth));
                self.names.pop();
                format!("{{({item}) % 8 for {name} in {over} when {when}}}")
            }
            2 => format!("(if {} then {} else {})", self.truth(depth), self.set(depth), self.set(depth)),
            _ => "s".to_string(),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 7 } else { 11 }) {
            0 => format!("i = ({}) % 5; ", self.int(2)),
            1 => format!("j += {}; ", self.int(1)),
            2 => format!("a[({}) % 4] = ({}) % 6; ", self.int(2), self.int(2)),
            3 => format!("a[{}] += {}; ", self.int(1), self.int(1)),
            4 => format!("g[({}) % 2][{}] = ({}) % 4; ", self.int(1), self.int(1), self.int(2)),
            5 => format!("s {} {}; ", self.pick(&["+=", "-="]), self.int(1)),
            6 => format!("s = {}; ", self.set(1)),
            7 => format!(
                "if {} {{ {}}} else {{ {}}} ",
                self.truth(2),
                self.statement(depth - 1),
                self.statement(depth - 1)
            ),
            8 => {
                let over = self.list(1);
                let name = self.open();
                let leave = match self.random.below(3) {
                    0 => format!("if {} {{ {}; }} ", self.truth(1), self.pick(&["break", "continue"])),
                    _ => String::new(),
                };
                let body = self.statement(depth - 1);
                self.names.pop();
                format!("for {name} in {over} {{ {leave}{body}}} ")
            }
            9 => format!("a = sort([{}, {}, 1, j]); ", self.int(1), self.int(1)),
            _ => format!("turn = ({}) % 2; ", self.int(1)),
        }
    }

    fn rule(&mut self, number: usize) -> String {
        let mut choices = Vec::new();
        for _ in 0..self.random.below(3) {
            let source = match self.random.below(4) {
                0 => format!("{}..=({}) % 4", self.pick(&["0", "i", "-1"]), self.int(1)),
                1 => self.list(1),
                2 => self.set(1),
                _ => self.pick(&["0..=2", "flat", "bool_", "rows[i]"]).replace("bool_", "{3, 1}"),
            };
            let name = self.open();
            choices.push(format!("{name} in {source}"));
        }
        let choices = if choices.is_empty() { String::new() } else { format!("({})", choices.join(", ")) };
        let when = if self.random.below(2) == 0 { format!(" when {}", self.truth(2)) } else { String::new() };
        let mut body = String::new();
        for _ in 0..1 + self.random.below(3) {
            body += &self.statement(2);
        }
        self.names.clear();
        format!("    move m{number}{choices}{when} {{ {body}}}\n")
    }

    fn file(&mut self) -> String {
        let mut text = "game made(
    rows: [[int]] = [[3, 1, 1], [], [2, 4], [0]],
    flat: [int] = [2, 0, 3, 3, 1, -1],
    deep: [[[int]]] = [[[1], [2, 3]], [[4, 5, 6], [7, 7]]]
) {
    state {
        i in -1..=4 = 0; j in -1..=4 = 1; a in [0..=5; 4] = [1, 0, 2, 5];
        g in [[0..=3; 3]; 2] = [[0, 1, 2], [3, 0, 1]]; s in set of 0..=6 = {0, 3, 6};
    }\n"
        .to_string();
        self.names = vec!["p".to_string()];
        text += &format!(
            "    fn f(p: int, q: [int]) -> int {{ if p in q {{ return len(q); }} {} }}\n",
            self.int(1).replace("f(", "abs(")
        );
        self.names.clear();
        for _ in 0..self.random.below(2) {
            text +=
                &format!("    end when {} and {} => {};\n", self.truth(2), self.truth(1), self.pick(&["win", "lose"]));
        }
        for number in 0..1 + self.random.below(3) {
            text += &self.rule(number as usize);
        }
        text + "}\n"
    }
}

/// Limits near those that are used.
fn limits(dice: &mut Random) -> Limits {
    let mut pick = |limits: [usize; 4]| limits[dice.below(4usize)];
    Limits {
        known_choices: pick([1, 3, 64, 4096]),
        board_choices: pick([1, 3, 400, 4096]),
        varying_choices: pick([1, 2, 6, 24]),
        actions: pick([1, 8, 1500, 4096]),
        nodes: pick([100, 1000, 300_000, 300_000]),
    }
}

/// Limits within the scope of others make the same formulas, or are refused for the same reason.
#[test]
fn scopes() {
    let mut dice = Random::new(5);
    let (mut inside, mut outside) = (0, 0);
    while inside < 1500 {
        let text = Writer { random: &mut dice, names: Vec::new(), fresh: 0 }.file();
        let Ok(program) = rules::compile(&text) else { continue };
        let bound = bind(&Arc::new(program), &Instance::default()).expect("an instance");
        for _ in 0..4 {
            let (first, second) = (limits(&mut dice), limits(&mut dice));
            let (made, scope) = specialise_scoped(&bound, first);
            assert!(scope.contains(first), "{first:?}\n{text}");
            if !scope.contains(second) {
                outside += 1;
                continue;
            }
            inside += 1;
            let (other, same) = specialise_scoped(&bound, second);
            assert_eq!(scope, same, "{first:?} {second:?}\n{text}");
            alike::assert_alike(made.as_ref(), other.as_ref(), &|| format!("{first:?} {second:?}\n{text}"));
        }
    }
    println!("{inside} pairs of limits within one scope, {outside} not");
    assert!(outside > 1500);
}

#[test]
fn lists_and_sets() {
    let mut random = Random::new(77);
    let counted = Limits { known_choices: 1, board_choices: 1, varying_choices: 1, ..Limits::default() };
    let (mut files, mut made, mut positions, mut rejected) = (0, 0, 0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    while files < 1500 {
        let text = Writer { random: &mut random, names: Vec::new(), fresh: 0 }.file();
        let Ok(program) = rules::compile(&text) else {
            rejected += 1;
            assert!(rejected < 20_000, "{text}");
            continue;
        };
        let bound = bind(&Arc::new(program), &Instance::default()).expect("an instance");
        files += 1;
        for limits in [Limits::default(), counted] {
            match specialise_within(&bound, limits) {
                Err(why) => *refused.entry(why.to_string()).or_default() += 1,
                Ok(formulas) => match judge::walk(&bound, &formulas, &mut random, 3, 25) {
                    Ok(count) => {
                        made += 1;
                        positions += count;
                    }
                    Err(difference) => panic!("{difference}\n{text}\n{limits:?}"),
                },
            }
        }
    }
    println!(
        "{made} of 2 times {files} files ({rejected} were no rules), {positions} positions; refused: {refused:#?}"
    );
    assert!(made > 2500);
}
