//! Items: everything directly inside the game's braces, put together into the program.

use crate::check::Checker;
use crate::check::scope::{LocalKind, Scope, Sight, Symbol, did_you_mean};
use crate::check::statements::Body;
use crate::diagnostic::Diagnostic;
use crate::program::{
    Choice, Domain, EndRule, Expr, ExprKind, Move, MoveLet, Objective, Program, Regions, Require, Show, ShowPiece, Sum,
    Symmetry, Variable,
};
use crate::span::Span;
use crate::syntax::tree::{self, ItemKind};
use crate::types::Type;

impl Checker<'_> {
    /// Checks every item and puts the program together.
    pub(super) fn program(&mut self) -> Program {
        let file = self.file;
        let mut program = Program {
            name: file.name.text.clone(),
            name_span: file.name.span,
            doc: file.doc.clone(),
            params: self.params(),
            lets: Vec::new(),
            requires: Vec::new(),
            functions: Vec::new(),
            variables: Vec::new(),
            sum: None,
            players: None,
            starts: None,
            moves: Vec::new(),
            ends: Vec::new(),
            stuck: Vec::new(),
            forever: None,
            objective: None,
            counted: false,
            symmetries: Vec::new(),
            regions: Vec::new(),
            measure: None,
            estimate: None,
            claims: Vec::new(),
            sample: Vec::new(),
            namings: Vec::new(),
            show: None,
            input: None,
            output: None,
            examples: Vec::new(),
            constants: Vec::new(),
        };
        self.only_once();
        self.definitions();
        for item in &file.items {
            self.item(item, &mut program);
        }
        self.name_items(&mut program);
        self.kinds(&program);
        program.counted = self.is_counted();
        program.lets = std::mem::take(&mut self.lets_done);
        if self.diagnostics.is_empty() {
            program.functions = self.functions.iter_mut().filter_map(Option::take).collect();
        }
        program.constants = std::mem::take(&mut self.constants);
        program
    }

    /// Reports items that stand twice although a game has one of them at most.
    fn only_once(&mut self) {
        let file = self.file;
        let mut seen: Vec<(&str, Span)> = Vec::new();
        for item in &file.items {
            let word = match item.kind {
                ItemKind::State(_) | ItemKind::Sum { .. } => "state",
                ItemKind::Players(_) => "players",
                ItemKind::Starts(_) => "starts",
                ItemKind::Stuck(None, _) => "stuck",
                ItemKind::Forever(_) => "forever",
                ItemKind::Objective(_) => "objective",
                ItemKind::Measure(_) => "measure",
                ItemKind::Estimate(_) => "estimate",
                ItemKind::Sample(_) => "sample",
                ItemKind::ShowGrid { .. } | ItemKind::ShowText(_) => "show",
                ItemKind::Input(_) => "input",
                ItemKind::Output(_) => "output",
                _ => continue,
            };
            match seen.iter().find(|(known, _)| *known == word) {
                Some(&(_, first)) => {
                    let title = match word {
                        "state" => "a game has one `state`, or one `sum of`".to_string(),
                        _ => format!("`{word}` stands twice"),
                    };
                    self.complain(Diagnostic::at(item.span, title, "again").related(first, "here first"));
                }
                None => seen.push((word, item.span)),
            }
        }
        if !seen.iter().any(|(word, _)| *word == "state") {
            let help = "add `state { NAME in DOMAIN = START; … }` or `sum of PART(…) from LIST;`";
            self.complain(
                Diagnostic::at(file.name.span, "the game does not say what a position is", "this game")
                    .help(help)
                    .may_follow(),
            );
        }
        if !file.items.iter().any(|item| matches!(item.kind, ItemKind::Move(_))) {
            let help = "add `move NAME when COND { … }`";
            self.complain(Diagnostic::at(file.name.span, "the game has no move", "this game").help(help).may_follow());
        }
    }

    fn item(&mut self, item: &tree::Item, program: &mut Program) {
        let span = item.span;
        match &item.kind {
            ItemKind::Let(..) | ItemKind::Function(_) | ItemKind::Names(..) => {}
            ItemKind::Require(condition, message) => {
                let mut scope = Scope::new(Sight::Instance, "a `require`");
                let condition = self.expect(condition, &mut scope, &Type::Bool, "what is required");
                scope.reads.sort_unstable();
                scope.reads.dedup();
                program.requires.push(Require { condition, message: message.clone(), reads: scope.reads });
            }
            ItemKind::State(variables) => self.variables(variables, program, true),
            ItemKind::Sum { part, variables, from } => {
                self.variables(variables, program, false);
                if variables.is_empty() {
                    let title = "a part needs at least one variable";
                    self.complain(
                        Diagnostic::at(part.span, title, "no variable").help("write `sum of heap(n in 0..=9) from …`"),
                    );
                }
                let mut scope = Scope::new(Sight::Instance, "the list of parts");
                if let Some(from) = self.parts_of_list(from, &mut scope, "the list of parts") {
                    program.sum = Some(Sum { part: part.text.clone(), span, from });
                }
            }
            ItemKind::Players(value) => program.players = Some(self.instance_int(value, "the number of players")),
            ItemKind::Starts(value) => {
                let mut scope = Scope::new(Sight::Instance, "who starts");
                program.starts = Some(self.player(value, &mut scope, "who starts"));
            }
            ItemKind::Move(rule) => {
                if let Some(rule) = self.move_rule(rule) {
                    program.moves.push(rule);
                }
            }
            ItemKind::End(condition, ending) => {
                let mut scope = Scope::new(Sight::Position, "an `end`");
                let when = self.expect(condition, &mut scope, &Type::Bool, "the condition of `end`");
                if let Some(result) = self.ending(ending, Sight::Position, "an `end`") {
                    program.ends.push(EndRule { when, result, span });
                }
            }
            ItemKind::Stuck(condition, ending) => self.stuck(condition.as_ref(), ending, span, program),
            ItemKind::Forever(ending) => program.forever = self.forever(ending),
            ItemKind::Objective(word) => program.objective = self.objective(word),
            ItemKind::Symmetry(array, permutation) => self.symmetry(array, permutation, span, program),
            ItemKind::Regions { array, rows, columns, condition } => {
                self.regions(array, [rows, columns], condition, span, program);
            }
            ItemKind::Measure(value) => program.measure = Some(self.position_int(value, "a measure")),
            ItemKind::Estimate(value) => program.estimate = Some(self.position_int(value, "an estimate")),
            ItemKind::Claim(field, value, when) => self.claim(field, value, when.as_ref(), span, program),
            ItemKind::Sample(lines) => self.sample(lines, program),
            ItemKind::ShowGrid { cells, rows, columns, legend } => {
                self.show_grid(cells, [rows, columns], legend, program)
            }
            ItemKind::ShowText(pieces) => {
                let mut scope = Scope::new(Sight::Position, "`show`");
                let check = |piece: &tree::ShowPiece| match piece {
                    tree::ShowPiece::Text(text) => ShowPiece::Text(text.clone()),
                    tree::ShowPiece::Value(value) => ShowPiece::Value(self.expr(value, &mut scope)),
                };
                program.show = Some(Show::Text(pieces.iter().map(check).collect()));
            }
            ItemKind::Input(pieces) => program.input = Some(self.input(pieces)),
            ItemKind::Output(fields) => program.output = Some(self.output(fields)),
            ItemKind::Example { given, gives } => self.example(given, gives, span, program),
        }
    }

    fn instance_int(&mut self, value: &tree::Expr, what: &'static str) -> Expr {
        self.expect(value, &mut Scope::new(Sight::Instance, what), &Type::Int, what)
    }

    fn position_int(&mut self, value: &tree::Expr, what: &'static str) -> Expr {
        self.expect(value, &mut Scope::new(Sight::Position, what), &Type::Int, what)
    }

    fn variables(&mut self, variables: &[tree::Variable], program: &mut Program, with_start: bool) {
        for variable in variables {
            let index = program.variables.len();
            let mut scope = Scope::new(Sight::Instance, "a domain");
            let domain = self.domain(&variable.domain, &mut scope, false).unwrap_or(Domain::Bool);
            let ty = self.variable_types.get(index).cloned().unwrap_or(Type::Unknown);
            let mut scope = Scope::new(Sight::Instance, "the start of a variable");
            let what = format!("the start of `{}`", variable.name.text);
            let start = variable.start.as_ref().map(|start| self.expect(start, &mut scope, &ty, &what));
            if with_start && start.is_none() {
                let title = format!("`{}` has no start", variable.name.text);
                let help = format!("write `{} in … = START;`", variable.name.text);
                self.complain(Diagnostic::at(variable.name.span, title, "where does it start?").help(help));
            }
            let (name, span) = (variable.name.text.clone(), variable.name.span);
            program.variables.push(Variable { name, span, domain, ty, start, naming: None });
        }
    }

    fn move_rule(&mut self, rule: &tree::Move) -> Option<Move> {
        let owner = rule.owner.as_ref().map(|owner| match owner.text.as_str() {
            "first" => 0,
            "second" => 1,
            _ => 2,
        });
        if let (Some(owner), Some(number)) = (&rule.owner, owner) {
            self.player_exists(i64::from(number), owner.span);
        }
        let mut scope = Scope::new(Sight::Position, "a move");
        scope.slots = rule.choices.len();
        let mut choices = Vec::new();
        let mut complete = true;
        let mut lets = self.head_lets(rule, 0, &mut scope);
        for (number, (name, source)) in rule.choices.iter().enumerate() {
            if let Some((first, _)) = rule.choices[..number].iter().find(|(other, _)| other.text == name.text) {
                let title = format!("two choices are called `{}`", name.text);
                self.complain(Diagnostic::at(name.span, title, "again").related(first.span, "here first"));
            }
            let checked = self.choice_source(source, &mut scope);
            complete &= checked.is_some();
            let (source, ty) = checked.unwrap_or((crate::program::Source::Domain(Domain::Bool), Type::Unknown));
            let names = self.names_of(&rule.choices[number].1, &source, &scope);
            choices.push(Choice {
                name: name.text.clone(),
                span: name.span,
                source,
                ty: ty.clone(),
                names,
                naming: None,
            });
            scope.declare_at(number, &name.text, ty, LocalKind::Choice);
            lets.extend(self.head_lets(rule, number + 1, &mut scope));
        }
        let when = rule.when.as_ref().map(|when| self.expect(when, &mut scope, &Type::Bool, "the condition of a move"));
        let body = self.block(&rule.body, &mut scope, &Body::Move, 0);
        self.split_once(&rule.body);
        let (name, span) = (rule.name.text.clone(), rule.name.span);
        complete.then_some(Move { name, span, owner, choices, lets, when, locals: scope.slots, body })
    }

    /// Checks the `let`s of a move that stand behind this many choices.
    fn head_lets(&mut self, rule: &tree::Move, after: usize, scope: &mut Scope) -> Vec<MoveLet> {
        let mut lets = Vec::new();
        for (number, (place, name, value)) in rule.lets.iter().enumerate() {
            if *place != after {
                continue;
            }
            if let Some(choice) = rule.choices.iter().find(|(choice, _)| choice.text == name.text) {
                let title = format!("a choice and a `let` of this move are both called `{}`", name.text);
                let help = "give one of them another name";
                let diagnostic = Diagnostic::at(name.span, title, "the `let`").related(choice.0.span, "the choice");
                self.complain(diagnostic.help(help));
            }
            let later: Vec<&tree::Expr> = rule.lets[number + 1..].iter().map(|(.., e)| e).chain(&rule.when).collect();
            if after == rule.choices.len() {
                self.local_instead_of_change((name, value, name.span), &later, &rule.body, scope);
            }
            let value = self.expr(value, scope);
            let local = scope.declare(&name.text, value.ty.clone(), LocalKind::Let);
            lets.push(MoveLet { after, local, value });
        }
        lets
    }

    /// Checks a `stuck` rule. One without a condition is the last that can count.
    fn stuck(&mut self, condition: Option<&tree::Expr>, ending: &tree::Ending, span: Span, program: &mut Program) {
        let sight = if self.is_sum { Sight::Turn } else { Sight::Position };
        let place = "`stuck` of a sum, which has no single part to look at";
        let mut scope = Scope::new(sight.clone(), if self.is_sum { place } else { "a `stuck`" });
        let when = match condition {
            Some(condition) => self.expect(condition, &mut scope, &Type::Bool, "the condition of `stuck`"),
            None => Expr { kind: ExprKind::Scalar(1), ty: Type::Bool, span },
        };
        let result = self.ending(ending, sight, place);
        if let (Some(last), true) = (self.stuck_always, condition.is_some()) {
            let help = "the rules are tried in order: put the `stuck` without `when` last";
            let diagnostic = Diagnostic::at(span, "this `stuck` never counts", "never reached");
            self.complain(diagnostic.related(last, "this one always holds").help(help));
        }
        if condition.is_none() {
            self.stuck_always.get_or_insert(span);
        }
        program.stuck.extend(result.map(|result| EndRule { when, result, span }));
    }

    fn array(&mut self, name: &tree::Name, what: &str) -> Option<usize> {
        match self.symbols.get(&name.text) {
            Some(Symbol::Variable(index)) if matches!(self.variable_types[index], Type::List(_)) => Some(index),
            Some(_) => {
                let title = format!("{what} needs an array of the position");
                let help = "an array is declared in the `state`, as in `board in [{empty, x}; 9] = [empty; 9];`";
                self.complain(Diagnostic::at(name.span, title, "not an array of the `state`").help(help));
                None
            }
            None => {
                let mut diagnostic =
                    Diagnostic::at(name.span, format!("`{}` is not known", name.text), "not declared").may_follow();
                diagnostic.help = did_you_mean(&name.text, self.symbols.names());
                self.complain(diagnostic);
                None
            }
        }
    }

    fn symmetry(&mut self, array: &tree::Name, permutation: &tree::Expr, span: Span, program: &mut Program) {
        let variable = self.array(array, "a symmetry");
        let mut scope = Scope::new(Sight::Instance, "a permutation");
        let permutation = self.expect(permutation, &mut scope, &Type::list(Type::Int), "a permutation");
        if let Some(variable) = variable {
            program.symmetries.push(Symmetry { variable, permutation, span });
        }
    }

    fn regions(
        &mut self,
        array: &tree::Name,
        sides: [&tree::Expr; 2],
        condition: &tree::Expr,
        span: Span,
        program: &mut Program,
    ) {
        let variable = self.array(array, "`regions`");
        let [rows, columns] = sides.map(|side| self.instance_int(side, "the size of a grid"));
        let mut scope = Scope::new(Sight::Instance, "the condition of `regions`");
        let cell = variable.and_then(|v| self.variable_types[v].item()).unwrap_or(Type::Unknown);
        if !matches!(cell, Type::Int | Type::Bool | Type::Unknown) {
            let title = "`regions` needs an array of numbers or truth values";
            self.complain(Diagnostic::at(array.span, title, format!("its cells are {}", cell.noun())));
        }
        scope.declare("cell", cell, LocalKind::Cell);
        let condition = self.expect(condition, &mut scope, &Type::Bool, "the condition of `regions`");
        if let Some(variable) = variable {
            program.regions.push(Regions { variable, rows, columns, condition, span });
        }
    }

    fn objective(&mut self, word: &tree::Name) -> Option<Objective> {
        match word.text.as_str() {
            "difference" => Some(Objective::Difference),
            "own" => Some(Objective::Own),
            other => {
                let mut diagnostic = Diagnostic::at(word.span, format!("there is no objective `{other}`"), "not known");
                let near = did_you_mean(other, ["difference", "own"]);
                let all = "write `objective difference;` (own total minus the other's) or `objective own;`";
                diagnostic.help = near.or(Some(all.to_string()));
                self.complain(diagnostic);
                None
            }
        }
    }

    fn show_grid(
        &mut self,
        cells: &tree::Expr,
        sides: [&tree::Expr; 2],
        legend: &[(tree::Expr, String)],
        program: &mut Program,
    ) {
        let mut scope = Scope::new(Sight::Position, "`show`");
        let cells = self.expr(cells, &mut scope);
        let item = cells.ty.item().filter(|_| cells.ty != Type::Set);
        let item = match item {
            Some(Type::List(inner)) => Some(*inner),
            other => other,
        };
        if !item.as_ref().is_some_and(|ty| ty.is_scalar() || *ty == Type::Unknown) {
            let title = format!("a grid is drawn from a list of numbers, not {}", cells.ty.noun());
            self.complain(Diagnostic::at(cells.span, title, format!("this is {}", cells.ty.noun())));
        }
        let item = item.unwrap_or(Type::Unknown);
        let [rows, columns] = sides.map(|side| self.expect(side, &mut scope, &Type::Int, "the size of a grid"));
        let mut checked = Vec::new();
        for (value, text) in legend {
            let mut scope = Scope::new(Sight::Instance, "a legend");
            let reported = self.diagnostics.len();
            checked.push((self.expect(value, &mut scope, &item, "a value of the legend"), text.clone()));
            if let (Some(last), Type::Bool) = (self.diagnostics.get_mut(reported), &item) {
                last.help = Some("write `false: \".\", true: \"#\"`".to_string());
            }
        }
        program.show = Some(Show::Grid { cells, rows, columns, legend: checked });
    }
}
