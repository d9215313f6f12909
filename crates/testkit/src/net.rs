//! Nets: random games on a few vertices, written as rules files in many spellings.
//!
//! A token stands on a vertex; a move takes it along an arc. The same net can be written with one rule an arc, with a
//! choice over the arcs or over the vertices, with the arcs as an instance, and with the vertex kept as a number, a pair
//! of numbers, a row of truth values, a set or a named constant.

use crate::explicit::{Aim, Also, Explicit, Field, Finish, Node, Step};
use crate::random::Random;

/// Who is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The player to move.
    Mover,
    /// The other of two.
    Opponent,
    /// A player by number.
    Player(usize),
    /// So many turns after the mover.
    After(usize),
}

impl Whose {
    /// The player.
    pub fn player(self, mover: usize, players: usize) -> usize {
        match self {
            Whose::Mover => mover,
            Whose::Opponent => 1 - mover,
            Whose::Player(player) => player,
            Whose::After(turns) => (mover + turns) % players,
        }
    }

    fn text(self, players: usize) -> String {
        match self {
            Whose::Mover => "mover".to_string(),
            Whose::Opponent => "opponent".to_string(),
            Whose::Player(player @ 0..=2) => ["first", "second", "third"][player].to_string(),
            Whose::Player(player) => player.to_string(),
            Whose::After(turns) => format!("(mover + {turns}) % {players}"),
        }
    }

    fn is_relative(self) -> bool {
        matches!(self, Whose::Mover | Whose::Opponent)
    }
}

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// `win`
    Win,
    /// `lose`
    Lose,
    /// `draw`
    Draw,
    /// `winner PLAYER`
    Winner(Whose),
    /// `score`
    Score(i64),
    /// `payoffs`
    Payoffs(Vec<i64>),
}

impl Label {
    fn text(&self, players: usize) -> String {
        match self {
            Label::Win => "win".to_string(),
            Label::Lose => "lose".to_string(),
            Label::Draw => "draw".to_string(),
            Label::Winner(whose) => format!("winner {}", whose.text(players)),
            Label::Score(score) => format!("score {score}"),
            Label::Payoffs(payoffs) => format!("payoffs {payoffs:?}"),
        }
    }

    /// How play ends so for the mover.
    pub fn finish(&self, mover: usize, players: usize) -> Finish {
        let mut gains = vec![0; players];
        let several = |mine: i64, other: i64| {
            let mut gains = vec![other; players];
            gains[mover] = mine;
            Finish::Gains(gains)
        };
        match self {
            Label::Win if players == 2 => Finish::Outcome(1),
            Label::Lose if players == 2 => Finish::Outcome(-1),
            Label::Draw if players == 2 => Finish::Outcome(0),
            Label::Win => several(1, -1),
            Label::Lose => several(-1, 1),
            Label::Draw => several(0, 0),
            Label::Winner(whose) if players == 2 => {
                Finish::Outcome(if whose.player(mover, players) == mover { 1 } else { -1 })
            }
            Label::Winner(whose) => {
                gains.fill(-1);
                gains[whose.player(mover, players)] = 1;
                Finish::Gains(gains)
            }
            Label::Score(score) => {
                gains[mover] = *score;
                Finish::Gains(gains)
            }
            Label::Payoffs(payoffs) => Finish::Gains(payoffs.clone()),
        }
    }

    fn is_relative(&self) -> bool {
        match self {
            Label::Winner(whose) => whose.is_relative(),
            Label::Payoffs(_) => false,
            _ => true,
        }
    }
}

/// An arc of the net.
#[derive(Clone, Debug)]
pub struct Arc {
    /// Where it leads.
    pub to: usize,
    /// Whose it is; anyone's if absent.
    pub who: Option<usize>,
    /// Who moves next; the next player if absent.
    pub turn: Option<Whose>,
    /// What it earns.
    pub gains: Vec<(i64, Whose)>,
}

impl Arc {
    /// An arc that anyone may take, earns nothing and passes the turn.
    pub fn to(to: usize) -> Arc {
        Arc { to, who: None, turn: None, gains: Vec::new() }
    }
}

/// A game on vertices.
#[derive(Clone, Debug)]
pub struct Net {
    /// How many players.
    pub players: usize,
    /// What they want.
    pub aim: Aim,
    /// Who starts.
    pub starts: usize,
    /// Where.
    pub start: usize,
    /// The arcs that leave each vertex.
    pub arcs: Vec<Vec<Arc>>,
    /// How play ends at each vertex, where it does.
    pub ends: Vec<Option<Label>>,
    /// How play ends without moves; what the language says if absent.
    pub stuck: Option<Label>,
}

/// How a net is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// One rule for each arc.
    Rules,
    /// One rule, which chooses among the arcs by number.
    Numbers,
    /// One rule, which chooses among the vertices that a list names. Plain nets only.
    Lists,
    /// One rule, which chooses among all vertices and asks whether there is an arc. Plain nets only, arcs ascending.
    Range,
}

/// How the vertex is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// A number from 0.
    Number,
    /// A number from −3.
    Shifted,
    /// Two digits.
    Pair,
    /// A row of truth values.
    Row,
    /// The end of a row of truth values that fills a machine word, just not, or just more.
    LongRow,
    /// A set with one element.
    Set,
    /// A named constant.
    Name,
}

/// All ways of keeping a vertex.
pub const KEEPINGS: [Keeping; 7] =
    [Keeping::Number, Keeping::Shifted, Keeping::Pair, Keeping::Row, Keeping::LongRow, Keeping::Set, Keeping::Name];

impl Net {
    /// Every vertex with every mover, written out.
    pub fn explicit(&self, spelling: Spelling) -> Explicit {
        let mut nodes = Vec::new();
        for vertex in 0..self.arcs.len() {
            for mover in 0..self.players {
                nodes.push(self.node(vertex, mover, spelling));
            }
        }
        Explicit { players: self.players, aim: self.aim, nodes, start: self.start * self.players + self.starts }
    }

    fn node(&self, vertex: usize, mover: usize, spelling: Spelling) -> Node {
        if let Some(label) = &self.ends[vertex] {
            return Node { mover, end: Some(label.finish(mover, self.players)), moves: Vec::new() };
        }
        let mut moves = Vec::new();
        for (number, arc) in self.arcs[vertex].iter().enumerate() {
            if arc.who.is_some_and(|who| who != mover) {
                continue;
            }
            let mut gains = vec![0; self.players];
            for (amount, whose) in &arc.gains {
                gains[whose.player(mover, self.players)] += amount;
            }
            let turn = arc.turn.unwrap_or(Whose::After(1)).player(mover, self.players);
            let label = match spelling {
                Spelling::Rules => format!("m{vertex}_{number}"),
                Spelling::Numbers => format!("go({number})"),
                Spelling::Lists | Spelling::Range => format!("go({})", arc.to),
            };
            moves.push(Step { label, gains, to: arc.to * self.players + turn });
        }
        let default = if self.is_counted() { Label::Score(0) } else { Label::Lose };
        let stuck = self.stuck.as_ref().unwrap_or(&default);
        Node { mover, end: moves.is_empty().then(|| stuck.finish(mover, self.players)), moves }
    }

    fn is_counted(&self) -> bool {
        matches!(self.aim, Aim::Difference | Aim::Own)
    }

    fn all_arcs(&self) -> impl Iterator<Item = &Arc> {
        self.arcs.iter().flatten()
    }

    /// Whether arcs have no owner, no gains and pass the turn.
    pub fn is_plain(&self) -> bool {
        self.all_arcs().all(|arc| arc.who.is_none() && arc.turn.is_none() && arc.gains.is_empty())
    }

    /// What the answer must say of Grundy numbers and classes.
    pub fn also(&self) -> Also {
        let labels = || self.ends.iter().flatten().chain(&self.stuck);
        let last_mover = self.aim == Aim::Outcome(None) || matches!(self.aim, Aim::Outcome(_));
        let last_mover = last_mover
            && labels().all(|label| matches!(label, Label::Lose | Label::Winner(Whose::Opponent)))
            && self.all_arcs().all(|arc| arc.turn.is_none());
        let relative = |arc: &Arc| arc.who.is_none() && arc.turn.is_none_or(Whose::is_relative);
        let impartial = self.all_arcs().all(relative)
            && self.all_arcs().flat_map(|arc| &arc.gains).all(|(_, whose)| whose.is_relative())
            && labels().all(Label::is_relative)
            && !matches!(self.aim, Aim::Outcome(Some(_)));
        let other = self.start * self.players + (self.starts + 1) % self.players;
        Also {
            nimber: if last_mover && impartial { Field::There } else { Field::Absent },
            class: if last_mover && !impartial { Field::There } else { Field::Absent },
            other_start: (self.players == 2).then_some(other),
        }
    }

    /// The rules file, and its instance as JSON.
    pub fn text(&self, spelling: Spelling, keeping: Keeping, given: bool) -> (String, String) {
        let mut parameters = Vec::new();
        let mut items = Vec::new();
        let mut instance = Vec::new();
        for (name, ty, value) in self.tables(spelling) {
            // An empty list says nothing of its items, so that it can only be given.
            if given || value.contains("[]") {
                parameters.push(format!("{name}: {ty}"));
                instance.push(format!("\"{name}\": {value}"));
            } else {
                items.push(format!("let {name} = {value};"));
            }
        }
        items.extend(self.settings());
        let (state, vertex) = self.state(keeping);
        items.extend(state);
        for (at, label) in self.ends.iter().enumerate() {
            if let Some(label) = label {
                items.push(format!("end when {vertex} == {at} => {};", label.text(self.players)));
            }
        }
        items.extend(self.moves(spelling, keeping, &vertex));
        let text = format!("game net({}) {{\n    {}\n}}\n", parameters.join(", "), items.join("\n    "));
        (text, format!("{{{}}}", instance.join(", ")))
    }

    /// Players, starter, results and objective.
    pub fn settings(&self) -> Vec<String> {
        let mut items = Vec::new();
        if self.players != 2 {
            items.push(format!("players {};", self.players));
        }
        if self.starts != 0 {
            items.push(format!("starts {};", Whose::Player(self.starts).text(self.players)));
        }
        if let Some(stuck) = &self.stuck {
            items.push(format!("stuck => {};", stuck.text(self.players)));
        }
        match self.aim {
            Aim::Outcome(Some(player)) => items.push(format!("forever => winner {player};")),
            Aim::Own => items.push("objective own;".to_string()),
            _ => {}
        }
        let results = self.ends.iter().flatten().chain(&self.stuck).next().is_some();
        if self.is_counted() && !results && self.all_arcs().all(|arc| arc.gains.is_empty()) {
            // Makes the game a counted one, though nothing is ever gained.
            items.push("move never when false { gain 0; }".to_string());
        }
        items
    }

    /// The state, and the expression of the vertex.
    fn state(&self, keeping: Keeping) -> (Vec<String>, String) {
        let (n, start) = (self.arcs.len(), self.start);
        let names: Vec<String> = (0..n).map(|vertex| format!("v{vertex}")).collect();
        let (variables, vertex) = match keeping {
            Keeping::Number => (format!("at in 0..{n} = {start};"), "at"),
            Keeping::Shifted => (format!("at in -3..={} = {};", n as i64 - 4, start as i64 - 3), "(at + 3)"),
            Keeping::Pair => {
                let high = (n - 1) / 2;
                (format!("high in 0..={high} = {}; low in bool = {};", start / 2, start % 2 == 1), "vertex()")
            }
            Keeping::Row => (format!("on in [bool; {n}] = [v == {start} for v in 0..{n}];"), "vertex()"),
            Keeping::LongRow => {
                let (all, before) = (long_row(n), long_row(n) - n);
                (format!("on in [bool; {all}] = [v == {} for v in 0..{all}];", before + start), "vertex()")
            }
            Keeping::Set => (format!("here in set of 0..{n} = {{{start}}};"), "min(here)"),
            Keeping::Name => (format!("at in {{{}}} = v{start};", names.join(", ")), "at"),
        };
        let mut items = vec![format!("state {{ {variables} }}")];
        match keeping {
            Keeping::Pair => items.push("fn vertex() -> int { high * 2 + (if low then 1 else 0) }".to_string()),
            Keeping::Row => items.push(format!("fn vertex() -> int {{ min(v for v in 0..{n} when on[v]) }}")),
            Keeping::LongRow => {
                let before = long_row(n) - n;
                items.push(format!("fn vertex() -> int {{ min(v for v in 0..{n} when on[{before} + v]) }}"));
            }
            _ => {}
        }
        (items, vertex.to_string())
    }

    /// The statements that take the token to a vertex.
    pub fn assignment(&self, keeping: Keeping, to: &str) -> String {
        match keeping {
            Keeping::Number | Keeping::Name => format!("at = {to};"),
            Keeping::Shifted => format!("at = {to} - 3;"),
            Keeping::Pair => format!("let target = {to}; high = target / 2; low = target % 2 == 1;"),
            Keeping::Row => format!("let target = {to}; for v in 0..{} {{ on[v] = v == target; }}", self.arcs.len()),
            Keeping::LongRow => {
                let n = self.arcs.len();
                format!("let target = {to}; for v in 0..{n} {{ on[{} + v] = v == target; }}", long_row(n) - n)
            }
            Keeping::Set => format!("here = {{{to}}};"),
        }
    }

    fn moves(&self, spelling: Spelling, keeping: Keeping, vertex: &str) -> Vec<String> {
        let mut rules = Vec::new();
        match spelling {
            Spelling::Rules => {
                for (from, arcs) in self.arcs.iter().enumerate() {
                    for (number, arc) in arcs.iter().enumerate() {
                        rules.push(self.rule(from, number, arc, keeping, vertex));
                    }
                }
                if rules.is_empty() {
                    rules.push("move none when false { }".to_string());
                }
            }
            Spelling::Numbers => rules.push(self.numbered_rule(keeping, vertex)),
            Spelling::Lists => {
                rules.push(format!("move go(to in edges[{vertex}]) {{ {} }}", self.assignment(keeping, "to")));
            }
            Spelling::Range => {
                let n = self.arcs.len();
                let body = self.assignment(keeping, "to");
                rules.push(format!("move go(to in 0..{n}) when to in edges[{vertex}] {{ {body} }}"));
            }
        }
        rules
    }

    fn rule(&self, from: usize, number: usize, arc: &Arc, keeping: Keeping, vertex: &str) -> String {
        let owner = arc.who.map_or("", |who| ["first ", "second "][who]);
        let mut body = String::new();
        for (amount, whose) in &arc.gains {
            match whose {
                Whose::Mover if number.is_multiple_of(2) => body += &format!("gain {amount}; "),
                whose => body += &format!("gain {amount} for {}; ", whose.text(self.players)),
            }
        }
        match arc.turn {
            None => {}
            Some(Whose::Mover) if number.is_multiple_of(2) => body += "again; ",
            Some(whose) => body += &format!("turn = {}; ", whose.text(self.players)),
        }
        body += &self.assignment(keeping, &arc.to.to_string());
        format!("move {owner}m{from}_{number} when {vertex} == {from} {{ {body} }}")
    }

    /// The tables that the spelling reads: name, type, value.
    pub fn tables(&self, spelling: Spelling) -> Vec<(&'static str, &'static str, String)> {
        let rows = |number: &dyn Fn(&Arc) -> String| {
            let row = |arcs: &Vec<Arc>| format!("[{}]", arcs.iter().map(number).collect::<Vec<_>>().join(", "));
            format!("[{}]", self.arcs.iter().map(row).collect::<Vec<_>>().join(", "))
        };
        let mut tables = Vec::new();
        if spelling != Spelling::Rules {
            tables.push(("edges", "[[int]]", rows(&|arc| arc.to.to_string())));
        }
        if spelling == Spelling::Numbers {
            if self.all_arcs().any(|arc| arc.who.is_some()) {
                tables.push(("who", "[[int]]", rows(&|arc| arc.who.map_or(0, |who| who + 1).to_string())));
            }
            if self.all_arcs().any(|arc| arc.turn.is_some()) {
                // 0 passes the turn, 1 keeps it, 2 gives it to the other, 3 and more player 0 and more, −1 and less so many turns after the mover less one.
                let turn = |arc: &Arc| match arc.turn {
                    None => 0,
                    Some(Whose::Mover) => 1,
                    Some(Whose::Opponent) => 2,
                    Some(Whose::Player(player)) => 3 + player as i64,
                    Some(Whose::After(turns)) => -1 - (turns as i64),
                };
                tables.push(("turns", "[[int]]", rows(&|arc| turn(arc).to_string())));
            }
            for player in self.gainers() {
                let amount = |arc: &Arc| arc.gains.iter().filter(|(_, w)| *w == player).map(|(a, _)| a).sum::<i64>();
                tables.push((gain_table(player), "[[int]]", rows(&|arc| amount(arc).to_string())));
            }
        }
        tables
    }

    fn gainers(&self) -> Vec<Whose> {
        let mut found = Vec::new();
        for (_, whose) in self.all_arcs().flat_map(|arc| &arc.gains) {
            if !found.contains(whose) {
                found.push(*whose);
            }
        }
        found
    }

    /// One rule that chooses among the arcs by number.
    pub fn numbered_rule(&self, keeping: Keeping, vertex: &str) -> String {
        let owned = self.all_arcs().any(|arc| arc.who.is_some());
        let when =
            if owned { format!(" when who[{vertex}][k] == 0 or who[{vertex}][k] == mover + 1") } else { String::new() };
        let mut body = format!("let from = {vertex}; ");
        for whose in self.gainers() {
            body += &format!("gain {}[from][k] for {}; ", gain_table(whose), whose.text(self.players));
        }
        let turns: Vec<Whose> = self.all_arcs().filter_map(|arc| arc.turn).collect();
        if turns.contains(&Whose::Mover) {
            body += "if turns[from][k] == 1 { again; } ";
        }
        if turns.contains(&Whose::Opponent) {
            body += "if turns[from][k] == 2 { turn = opponent; } ";
        }
        if turns.iter().any(|whose| matches!(whose, Whose::Player(_))) {
            body += "if turns[from][k] > 2 { turn = turns[from][k] - 3; } ";
        }
        if turns.iter().any(|whose| matches!(whose, Whose::After(_))) {
            body += &format!("if turns[from][k] < 0 {{ turn = (mover - turns[from][k] - 1) % {}; }} ", self.players);
        }
        body += &self.assignment(keeping, "edges[from][k]");
        format!("move go(k in 0..len(edges[{vertex}])){when} {{ {body} }}")
    }
}

/// How long a long row for so many vertices is: 62 to 65, or one of the lengths around the next word.
fn long_row(n: usize) -> usize {
    62 + n % 4 + 64 * (n / 4 % 2)
}

fn gain_table(whose: Whose) -> &'static str {
    match whose {
        Whose::Mover => "mine",
        Whose::Opponent => "others",
        Whose::Player(player) => ["of_0", "of_1", "of_2", "of_3"][player],
        Whose::After(turns) => ["after_0", "after_1", "after_2", "after_3"][turns],
    }
}

/// What kind of net to make.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// How many players.
    pub players: usize,
    /// What they want.
    pub aim: Aim,
    /// Whether positions can repeat.
    pub loopy: bool,
    /// Whether results differ, or all are `lose`.
    pub results: bool,
    /// Whether arcs have owners.
    pub owned: bool,
    /// Whether moves change the turn.
    pub turns: bool,
    /// Whether players are named by number.
    pub named: bool,
    /// Whether gains and results of two players add up to nothing.
    pub balanced: bool,
}

/// A random net with at most `most` vertices.
pub fn random_net(random: &mut Random, recipe: Recipe, most: usize) -> Net {
    let n = 1 + random.below(most);
    let hidden = random.permutation(n);
    let density = 1 + random.below(3);
    let mut arcs = vec![Vec::new(); n];
    for from in 0..n {
        for _ in 0..random.below(density + 2) {
            let to = if recipe.loopy {
                random.below(n)
            } else if from + 1 < n {
                from + 1 + random.below(n - from - 1)
            } else {
                continue;
            };
            let who = (recipe.owned && !random.one_in(3)).then(|| random.below(2));
            let turn = (recipe.turns && random.one_in(3)).then(|| whose(random, &recipe));
            arcs[hidden[from]].push(Arc { to: hidden[to], who, turn, gains: random_gains(random, &recipe) });
        }
    }
    let ends = (0..n).map(|_| random.one_in(4).then(|| label(random, &recipe))).collect();
    let stuck = random.one_in(2).then(|| label(random, &recipe));
    let start = if random.one_in(3) { random.below(n) } else { hidden[0] };
    Net { players: recipe.players, aim: recipe.aim, starts: random.below(recipe.players), start, arcs, ends, stuck }
}

fn whose(random: &mut Random, recipe: &Recipe) -> Whose {
    match (recipe.players, recipe.named) {
        (2, false) => *random.pick(&[Whose::Mover, Whose::Opponent]),
        (players, _) => match random.below(3) {
            0 => Whose::Mover,
            1 => Whose::Player(random.below(players)),
            _ => Whose::After(random.below(players)),
        },
    }
}

fn random_gains(random: &mut Random, recipe: &Recipe) -> Vec<(i64, Whose)> {
    if !matches!(recipe.aim, Aim::Difference | Aim::Own) {
        return Vec::new();
    }
    if recipe.balanced {
        let amount = random.between(-2, 3);
        return vec![(amount, Whose::Mover), (-amount, Whose::Opponent)];
    }
    let mut gains: Vec<(i64, Whose)> = Vec::new();
    for _ in 0..random.below(3) {
        let whose = whose(random, recipe);
        if gains.iter().all(|(_, known)| *known != whose) {
            gains.push((random.between(-1, 2), whose));
        }
    }
    gains
}

fn label(random: &mut Random, recipe: &Recipe) -> Label {
    if matches!(recipe.aim, Aim::Difference | Aim::Own) {
        if recipe.balanced {
            let amount = random.between(-2, 2);
            return if recipe.named { Label::Payoffs(vec![amount, -amount]) } else { Label::Score(0) };
        }
        return match random.below(if recipe.named { 2 } else { 1 }) {
            0 => Label::Score(random.between(-2, 2)),
            _ => Label::Payoffs((0..recipe.players).map(|_| random.between(0, 2)).collect()),
        };
    }
    if !recipe.results {
        return Label::Lose;
    }
    match random.below(5) {
        0 => Label::Win,
        1 => Label::Lose,
        2 => Label::Draw,
        _ => Label::Winner(whose(random, recipe)),
    }
}
