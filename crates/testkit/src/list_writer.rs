//! Random rules that read and make lists and sets in every way, at places and with lengths that vary.

use crate::Random;

/// Writes expressions; the numbers that can be read besides those of the position.
pub struct ListWriter<'d> {
    random: &'d mut Random,
    names: Vec<String>,
    fresh: usize,
    changing: bool,
}

impl<'d> ListWriter<'d> {
    /// A writer of rules without locals that change.
    pub fn new(random: &'d mut Random) -> ListWriter<'d> {
        ListWriter { random, names: Vec::new(), fresh: 0, changing: false }
    }

    /// Has moves and functions use locals that change: numbers, lists, lists of lists and sets.
    pub fn changing(mut self) -> ListWriter<'d> {
        self.changing = true;
        self
    }

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

    /// A change of one of the locals of `locals`.
    fn change(&mut self) -> String {
        match self.random.below(11) {
            0 => format!("v = ({}) % 7; ", self.int(2)),
            1 => format!("v {} {}; ", self.pick(&["+=", "-="]), self.int(1)),
            2 => format!("l[({}) % 3] = {}; ", self.int(1), self.int(2)),
            3 => format!("l[v] += {}; ", self.int(1)),
            4 => format!("m[({}) % 2] = {}; ", self.int(1), self.list(1)),
            5 => format!("m[({}) % 2][{}] = {}; ", self.int(1), self.int(0), self.int(1)),
            6 => format!("t {} ({}) % 70; ", self.pick(&["+=", "-="]), self.int(1)),
            7 => format!("t = {}; ", self.set(1)),
            8 => format!("w[({}) % 2] {} {}; ", self.int(1), self.pick(&["+=", "-="]), self.int(1)),
            9 => self
                .pick(&["l = m[0]; ", "m[1] = m[0]; ", "m = [l, a]; ", "w[0] = s; ", "w = [t, w[0]]; ", "t = w[1]; "])
                .into(),
            _ => format!("for e in {} {{ l[0] += e; t += e % 9; }} ", self.pick(&["l", "t", "m[0]", "s", "w[1]"])),
        }
    }

    fn locals(&mut self) -> String {
        let mut text = format!("var v = {}; var l = ", self.int(1));
        text += self.pick(&["a; ", "flat; ", "[i, j, 2]; ", "[0; 3]; ", "g[0]; ", "rows[0]; "]);
        text += self.pick(&["var m = g; ", "var m = [a, l]; ", "var m = [[0; 2]; 3]; ", "var m = [x for x in rows]; "]);
        text += self.pick(&["var t = s; ", "var t = {}; t += 1; ", "var t = {v, 2}; "]);
        text += self.pick(&["var w = [s, t]; ", "var w = [{}, {5}]; t += 2; "]);
        text += self.pick(&["", "let kept = l; ", "let kept = m; ", "let kept = t; "]);
        text
    }

    /// What locals hold, put where it is seen.
    fn uses_of_locals(&mut self) -> String {
        let texts = ["i = (v + len(t)) % 5; ", "j = (sum(l) + len(m)) % 5; ", "a[0] = (sum(w[0]) + sum(m[0])) % 6; "];
        let mut text = String::new();
        for _ in 0..2 {
            text += self.pick(&texts);
        }
        text
    }

    fn statement(&mut self, depth: usize) -> String {
        if self.changing && self.random.below(2) == 0 {
            return self.change();
        }
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
        let mut body = if self.changing { self.locals() } else { String::new() };
        for _ in 0..1 + self.random.below(if self.changing { 6 } else { 3u64 }) {
            body += &self.statement(2);
        }
        if self.changing {
            body += &self.uses_of_locals();
        }
        self.names.clear();
        format!("    move m{number}{choices}{when} {{ {body}}}\n")
    }

    /// A file of rules. Some are none: they use a name where there is none.
    pub fn file(&mut self) -> String {
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
