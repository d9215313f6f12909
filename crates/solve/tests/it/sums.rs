//! Sums of parts against the same sum as one game, whose position is the list of parts as it stands.
//!
//! The solver sorts parts, drops dead ones, adds Grundy numbers; the product here does nothing of the kind. Parts come from
//! random tables (splits into none to three parts, loops, owners, turns, gains, ties), from heaps with random rules, and
//! from rectangles with two variables.

use crate::common::prelude::*;
use testkit::Random;
use testkit::explicit::{Aim, Also, Explicit, Field, Finish};
use testkit::net::{Keeping, Label, Net, Recipe, Spelling, Whose, random_net};
use testkit::oracle;
use testkit::product::{Part, PartStep, Product};

use crate::common::compare::compare;
use crate::common::{answer, bound, program, solved, with_room};

const MOST_POSITIONS: usize = 3000;

/// Solves a sum and compares everything with its product.
fn agree(text: &str, instance: &str, graph: &Explicit, also: &Also) {
    let refused = oracle::worths(graph).is_none();
    let result = match answer(&bound(&program(text), instance)) {
        Ok(_) if refused => Err("solved, though positions repeat".to_string()),
        Ok(solution) => compare(&solution, graph, also),
        Err(SolveError::Fault(fault)) if refused && fault.diagnostic.title.starts_with("positions repeat") => Ok(()),
        Err(error) => Err(error.to_string()),
    };
    if let Err(difference) = result {
        panic!("{difference}\n{text}\n{instance}");
    }
}

/// A part game by table: what each arc of a net, which carries owners, turns and gains, splits its vertex into.
struct Table {
    net: Net,
    into: Vec<Vec<Vec<usize>>>,
    parts: Vec<usize>,
}

fn random_table(random: &mut Random, recipe: Recipe, most: usize) -> Table {
    let mut net = random_net(random, recipe, most);
    net.ends.fill(None);
    // `stuck` of a sum may not say `mover`, so that only `win` and players by number are left.
    if let Some(Label::Winner(whose)) = &mut net.stuck
        && !matches!(whose, Whose::Player(_))
    {
        net.stuck = Some(if *whose == Whose::Mover { Label::Win } else { Label::Winner(Whose::Player(0)) });
    }
    let n = net.arcs.len();
    let mut into = Vec::new();
    for vertex in 0..n {
        let mut row = Vec::new();
        for _ in 0..net.arcs[vertex].len() {
            // Two vertices share a rank; splits go strictly down, single parts may stay in a rank where loops are wanted.
            let below = if recipe.loopy { vertex / 2 * 2 } else { vertex };
            let parts = match random.below(6) {
                0 => 0,
                1 | 2 => 2,
                3 if random.one_in(2) => 3,
                _ => 1,
            };
            row.push(match parts {
                1 if recipe.loopy => vec![random.below((below + 2).min(n))],
                _ if below == 0 => vec![],
                parts => (0..parts).map(|_| random.below(below)).collect(),
            });
        }
        into.push(row);
    }
    let parts = (0..random.below(4)).map(|_| random.below(n)).collect();
    Table { net, into, parts }
}

impl Table {
    fn text(&self, split_always: bool) -> (String, String) {
        let mut parameters = vec!["into: [[[int]]]".to_string(), "parts: [int]".to_string()];
        let mut instance = vec![format!("\"into\": {:?}", self.into), format!("\"parts\": {:?}", self.parts)];
        for (name, ty, value) in self.net.tables(Spelling::Numbers) {
            parameters.push(format!("{name}: {ty}"));
            instance.push(format!("\"{name}\": {value}"));
        }
        let step = self.net.assignment(Keeping::Number, "edges[from][k]");
        let split = if split_always {
            "split into[from][k];"
        } else {
            "if len(into[from][k]) == 1 { at = into[from][k][0]; } else { split into[from][k]; }"
        };
        let rule = self.net.numbered_rule(Keeping::Number, "at").replace(&step, split);
        let settings = self.net.settings().join("\n    ");
        let n = self.net.arcs.len();
        let parameters = parameters.join(", ");
        let text = format!(
            "game table({parameters}) {{\n    {settings}\n    sum of part(at in 0..{n}) from parts;\n    {rule}\n}}\n"
        );
        (text, format!("{{{}}}", instance.join(", ")))
    }

    fn moves(&self, part: &[i64], mover: usize) -> Vec<PartStep> {
        let vertex = part[0] as usize;
        let players = self.net.players;
        let mut steps = Vec::new();
        for (number, arc) in self.net.arcs[vertex].iter().enumerate() {
            if arc.who.is_some_and(|who| who != mover) {
                continue;
            }
            let mut gains = vec![0; players];
            for (amount, whose) in &arc.gains {
                gains[whose.player(mover, players)] += amount;
            }
            let into = self.into[vertex][number].iter().map(|&vertex| vec![vertex as i64]).collect();
            let turn = arc.turn.unwrap_or(Whose::After(1)).player(mover, players);
            steps.push(PartStep { label: format!("go({number})"), into, gains, turn });
        }
        steps
    }

    fn explicit(&self) -> Option<Explicit> {
        let counted = matches!(self.net.aim, Aim::Difference | Aim::Own);
        let default = if counted { Label::Score(0) } else { Label::Lose };
        let label = self.net.stuck.clone().unwrap_or(default);
        let product = Product {
            players: self.net.players,
            aim: self.net.aim,
            moves: &|part, mover| self.moves(part, mover),
            stuck: &|mover| label.finish(mover, self.net.players),
        };
        let parts: Vec<Part> = self.parts.iter().map(|&vertex| vec![vertex as i64]).collect();
        product.explicit(&parts, self.net.starts, MOST_POSITIONS)
    }
}

fn tables_agree(seed: u64, count: usize, most: usize, recipe: impl Fn(&mut Random) -> Recipe + Send + 'static) {
    with_room(move || {
        let mut random = Random::new(seed);
        let mut compared = 0;
        for _ in 0..count {
            let recipe = recipe(&mut random);
            let table = random_table(&mut random, recipe, most);
            let Some(graph) = table.explicit() else { continue };
            let (text, instance) = table.text(random.one_in(2));
            let also = Also { other_start: Some(1), ..table.net.also() };
            agree(&text, &instance, &graph, &also);
            compared += 1;
        }
        assert!(compared * 10 >= count * 8, "{compared} of {count}");
    });
}

const NORMAL: Recipe = Recipe {
    players: 2,
    aim: Aim::Outcome(None),
    loopy: false,
    results: false,
    owned: false,
    turns: false,
    named: false,
    balanced: false,
};

#[test]
fn impartial_tables() {
    tables_agree(21, 900, 7, |_| NORMAL);
}

#[test]
fn impartial_tables_with_loops() {
    tables_agree(22, 900, 6, |_| Recipe { loopy: true, ..NORMAL });
}

#[test]
fn tables_with_other_results() {
    tables_agree(23, 900, 6, |random| Recipe {
        results: true,
        loopy: random.one_in(2),
        named: random.one_in(2),
        ..NORMAL
    });
}

#[test]
fn partizan_tables() {
    tables_agree(24, 900, 6, |random| Recipe {
        owned: true,
        results: random.one_in(3),
        loopy: random.one_in(2),
        turns: random.one_in(3),
        aim: Aim::Outcome(random.one_in(3).then(|| random.below(2))),
        ..NORMAL
    });
}

#[test]
fn scored_tables() {
    tables_agree(25, 900, 6, |random| Recipe {
        aim: *random.pick(&[Aim::Difference, Aim::Own]),
        owned: random.one_in(3),
        turns: random.one_in(3),
        named: random.one_in(2),
        balanced: random.one_in(3),
        loopy: random.one_in(8),
        ..NORMAL
    });
}

#[test]
fn tables_of_several_players() {
    tables_agree(26, 900, 6, |random| Recipe {
        players: 3 + random.below(2),
        aim: *random.pick(&[Aim::Own, Aim::Own, Aim::Winners]),
        owned: random.one_in(3),
        turns: random.one_in(3),
        named: true,
        results: true,
        loopy: random.one_in(10),
        ..NORMAL
    });
}

/// Heaps with random rules: which numbers may be taken, how a heap may be cut, what that earns and for whom.
#[derive(Debug)]
struct Heaps {
    aim: Aim,
    players: usize,
    stuck: Option<Label>,
    take: Vec<i64>,
    taker: Option<usize>,
    cut: Option<bool>,
    three: bool,
    twins: bool,
    clear: Option<i64>,
}

impl Heaps {
    fn random(random: &mut Random) -> Heaps {
        let (aim, players) = *random.pick(&[
            (Aim::Outcome(None), 2),
            (Aim::Outcome(None), 2),
            (Aim::Difference, 2),
            (Aim::Own, 2),
            (Aim::Own, 3),
        ]);
        let counted = aim != Aim::Outcome(None);
        let stuck = match (counted, random.below(4)) {
            (false, 0) => Some(Label::Win),
            (false, 1) => Some(Label::Draw),
            (true, 0) => Some(Label::Score(random.between(-1, 1))),
            (true, 1) => Some(Label::Payoffs((0..players).map(|_| random.between(0, 2)).collect())),
            _ => None,
        };
        Heaps {
            aim,
            players,
            stuck,
            take: (1..=4).filter(|_| random.one_in(2)).collect(),
            taker: random.one_in(4).then(|| random.below(2)),
            cut: random.one_in(2).then(|| random.one_in(2)),
            three: random.one_in(4),
            twins: random.one_in(4),
            clear: random.one_in(3).then(|| random.between(1, 5)),
        }
    }

    fn counted(&self) -> bool {
        self.aim != Aim::Outcome(None)
    }

    fn text(&self) -> String {
        let mut items = vec!["sum of heap(n in 0..=max(heaps, 0)) from heaps;".to_string()];
        let gain = |text: &'static str| if self.counted() { text } else { "" };
        if self.players > 2 {
            items.push(format!("players {};", self.players));
        } else if self.aim == Aim::Own {
            items.push("objective own;".to_string());
        }
        match &self.stuck {
            None => {}
            Some(Label::Win) => items.push("stuck => win;".to_string()),
            Some(Label::Draw) => items.push("stuck => draw;".to_string()),
            Some(Label::Score(score)) => items.push(format!("stuck => score {score};")),
            Some(Label::Payoffs(payoffs)) => items.push(format!("stuck => payoffs {payoffs:?};")),
            Some(_) => panic!("not used"),
        }
        if !self.take.is_empty() {
            let owner = self.taker.map_or("", |taker| ["first ", "second "][taker]);
            let body = gain("gain k % 2;");
            items.push(format!("move {owner}take(k in {:?}) when k <= n {{ {body} n -= k; }}", self.take));
        }
        if let Some(unequal) = self.cut {
            let guard = if unequal { "2 * a < n" } else { "2 * a <= n" };
            items.push(format!("move cut(a in 1..n) when {guard} {{ {} split (a), (n - a); }}", gain("gain a % 3;")));
        }
        if self.three {
            let body = gain("gain 1 for (mover + 1) % 2;");
            items.push(format!(
                "move three(a in 1..n, b in a..n) when a + b < n {{ {body} split (a), (b), (n - a - b); }}"
            ));
        }
        if self.twins {
            items.push("move twins when n > 2 { split [n / 2 - 1; 2]; }".to_string());
        }
        if let Some(clear) = self.clear {
            items.push(format!("move clear when n == {clear} {{ {} split; }}", gain("gain -1;")));
        }
        if self.counted() {
            items.push("move never when false { gain 0; }".to_string());
        } else if items.iter().all(|item| !item.starts_with("move")) {
            items.push("move never when false { }".to_string());
        }
        format!("game heaps(heaps: [int]) {{\n    {}\n}}\n", items.join("\n    "))
    }

    fn moves(&self, n: i64, mover: usize) -> Vec<PartStep> {
        let mut steps = Vec::new();
        let turn = (mover + 1) % self.players;
        let mut step = |label: String, into: &[i64], amount: i64, player: usize| {
            let mut gains = vec![0; self.players];
            if self.counted() {
                gains[player] += amount;
            }
            steps.push(PartStep { label, into: into.iter().map(|&n| vec![n]).collect(), gains, turn });
        };
        for &k in self.take.iter().filter(|&&k| k <= n && self.taker.is_none_or(|taker| taker == mover)) {
            step(format!("take({k})"), &[n - k], k % 2, mover);
        }
        if let Some(unequal) = self.cut {
            for a in (1..n).filter(|a| 2 * a < n || (!unequal && 2 * a == n)) {
                step(format!("cut({a})"), &[a, n - a], a % 3, mover);
            }
        }
        if self.three {
            for a in 1..n {
                for b in (a..n).filter(|b| a + b < n) {
                    step(format!("three({a}, {b})"), &[a, b, n - a - b], 1, (mover + 1) % 2);
                }
            }
        }
        if self.twins && n > 2 {
            step("twins".to_string(), &[n / 2 - 1, n / 2 - 1], 0, mover);
        }
        if self.clear == Some(n) {
            step("clear".to_string(), &[], -1, mover);
        }
        steps
    }
}

#[test]
fn heaps_with_random_rules() {
    with_room(|| {
        let mut random = Random::new(31);
        let mut compared = 0;
        for _ in 0..900 {
            let game = Heaps::random(&mut random);
            let heaps: Vec<i64> = (0..random.below(4)).map(|_| random.between(0, 6)).collect();
            let default = if game.counted() { Label::Score(0) } else { Label::Lose };
            let stuck = game.stuck.clone().unwrap_or(default);
            let product = Product {
                players: game.players,
                aim: game.aim,
                moves: &|part, mover| game.moves(part[0], mover),
                stuck: &|mover| stuck.finish(mover, game.players),
            };
            let parts: Vec<Part> = heaps.iter().map(|&n| vec![n]).collect();
            let Some(graph) = product.explicit(&parts, 0, MOST_POSITIONS) else { continue };
            let normal = game.aim == Aim::Outcome(None) && game.stuck.is_none();
            let owned = game.taker.is_some() && !game.take.is_empty();
            let field = |there: bool| if there { Field::There } else { Field::Absent };
            let also = Also { nimber: field(normal && !owned), class: field(normal && owned), other_start: Some(1) };
            agree(&game.text(), &format!("{{\"heaps\": {heaps:?}}}"), &graph, &also);
            compared += 1;
        }
        assert!(compared > 800, "{compared}");
    });
}

#[test]
fn rectangles_with_two_variables() {
    with_room(|| {
        let mut random = Random::new(32);
        let mut compared = 0;
        for round in 0..400 {
            let (counted, misere) = (round % 2 == 1, round % 3 == 0);
            let gain = if counted { "gain a * b;" } else { "" };
            let stuck = if misere && !counted { "stuck => win;" } else { "" };
            let text = format!(
                "game rectangles(list: [[int]]) {{
                    sum of rectangle(a in 0..=4, b in -1..=3) from list;
                    {stuck}
                    move shorten(k in 1..=a) {{ a -= k; {gain} }}
                    move lower(k in 1..=b) when a > 0 {{ {gain} b -= k; }}
                    move burst(x in 0..a) when b > 0 {{ {gain} split (x, b), (a - 1 - x, b - 1); a = 77; }}
                }}"
            );
            let moves = |part: &[i64], mover: usize| {
                let (a, b) = (part[0], part[1]);
                let mut steps = Vec::new();
                let mut step = |label: String, into: Vec<Part>, amount: i64| {
                    let mut gains = vec![0, 0];
                    gains[mover] = if counted { amount } else { 0 };
                    steps.push(PartStep { label, into, gains, turn: 1 - mover });
                };
                (1..=a).for_each(|k| step(format!("shorten({k})"), vec![vec![a - k, b]], (a - k) * b));
                (1..=b).filter(|_| a > 0).for_each(|k| step(format!("lower({k})"), vec![vec![a, b - k]], a * b));
                let burst = |x: i64| vec![vec![x, b], vec![a - 1 - x, b - 1]];
                (0..a).filter(|_| b > 0).for_each(|x| step(format!("burst({x})"), burst(x), a * b));
                steps
            };
            let end = |_| match counted {
                true => Finish::Gains(vec![0, 0]),
                false => Finish::Outcome(if misere { 1 } else { -1 }),
            };
            let aim = if counted { Aim::Difference } else { Aim::Outcome(None) };
            let product = Product { players: 2, aim, moves: &moves, stuck: &end };
            let parts: Vec<Part> =
                (0..random.below(3)).map(|_| vec![random.between(0, 4), random.between(-1, 3)]).collect();
            let Some(graph) = product.explicit(&parts, 0, MOST_POSITIONS) else { continue };
            let nimber = if counted || misere { Field::Absent } else { Field::There };
            agree(&text, &format!("{{\"list\": {parts:?}}}"), &graph, &Also { nimber, ..Also::default() });
            compared += 1;
        }
        assert!(compared > 200, "{compared}");
    });
}

/// The winner of a sum that cannot repeat takes the first best move, also where another one leaves fewer parts.
#[test]
fn a_line_takes_the_first_best_move() {
    let text = "game heaps(heaps: [int]) {
        sum of heap(n in 0..=max(heaps, 0)) from heaps;
        move cut(a in 1..n) when 2 * a == n { split (a), (n - a); }
        move clear when n > 1 { split; }
        move take when n == 1 { n -= 1; }
    }";
    let solution = solved(text, "{\"heaps\": [4]}");
    assert_eq!(best(&solution), ["cut(2) in part 0", "clear in part 0"]);
    assert_eq!(labels(&solution.line.unwrap())[0], "cut(2) in part 0");
}
