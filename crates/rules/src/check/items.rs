//! Items: everything that stands directly inside the game's braces, put together into the program.

use crate::check::expressions::{fits, noun};
use crate::check::scope::{Scope, Sight, Symbol};
use crate::check::statements::Body;
use crate::check::{Checker, Progress};
use crate::diagnostic::Diagnostic;
use crate::program::{
    Choice, Claim, ClaimField, Domain, EndRule, Example, Expr, Literal, Move, Objective, Program, Regions, Require,
    SampleItem, Show, ShowPiece, Sum, Symmetry, Variable,
};
use crate::span::Span;
use crate::suggest::nearest;
use crate::syntax::tree::{self, ExprKind, ItemKind};
use crate::types::Type;

/// The fields of a result, as an example may name them.
pub const FIELDS: &[&str] = &[
    "kind",
    "winner",
    "outcome",
    "outcome_class",
    "value",
    "scores",
    "payoffs",
    "unique",
    "nimber",
    "remoteness",
    "best_moves",
    "best_moves_cut",
    "fast_moves",
    "line",
    "line_cut",
    "positions",
    "method",
    "proof",
    "game",
    "instance",
];

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
            stuck: None,
            forever: None,
            objective: None,
            counted: false,
            symmetries: Vec::new(),
            regions: Vec::new(),
            measure: None,
            estimate: None,
            claims: Vec::new(),
            sample: Vec::new(),
            show: None,
            examples: Vec::new(),
            constants: Vec::new(),
        };
        self.only_once();
        for item in &file.items {
            self.item(item, &mut program);
        }
        self.kinds(&program);
        for index in 0..self.lets.len() {
            if self.lets[index].progress == Progress::Todo {
                let span = self.lets[index].name.span;
                self.need_let(index, span);
            }
        }
        for index in 0..self.functions.len() {
            if self.function_progress[index] == Progress::Todo {
                let span = self.function_trees[index].name.span;
                self.need_function(index, span);
            }
        }
        program.counted = self.is_counted();
        program.lets = std::mem::take(&mut self.lets_done);
        if self.diagnostics.is_empty() {
            program.functions = self.functions.iter_mut().filter_map(Option::take).collect();
        }
        program.constants = std::mem::take(&mut self.constants);
        program
    }

    /// Items that a game has at most once.
    fn only_once(&mut self) {
        let file = self.file;
        let mut seen: Vec<(&str, Span)> = Vec::new();
        for item in &file.items {
            let word = match item.kind {
                ItemKind::State(_) | ItemKind::Sum { .. } => "state",
                ItemKind::Players(_) => "players",
                ItemKind::Starts(_) => "starts",
                ItemKind::Stuck(_) => "stuck",
                ItemKind::Forever(_) => "forever",
                ItemKind::Objective(_) => "objective",
                ItemKind::Measure(_) => "measure",
                ItemKind::Estimate(_) => "estimate",
                ItemKind::Sample(_) => "sample",
                ItemKind::ShowGrid { .. } | ItemKind::ShowText(_) => "show",
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
            ItemKind::Let(..) | ItemKind::Function(_) => {}
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
            ItemKind::Starts(value) => program.starts = Some(self.instance_int(value, "who starts")),
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
            ItemKind::Stuck(ending) => {
                let sight = if self.is_sum { Sight::Instance } else { Sight::Position };
                program.stuck = self.ending(ending, sight, "`stuck` of a sum, which has no single part to look at");
            }
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
            program.variables.push(Variable { name, span, domain, ty, start });
        }
    }

    fn move_rule(&mut self, rule: &tree::Move) -> Option<Move> {
        let owner = rule.owner.as_ref().map(|owner| match owner.text.as_str() {
            "first" => 0,
            "second" => 1,
            _ => 2,
        });
        let mut scope = Scope::new(Sight::Position, "a move");
        scope.slots = rule.choices.len();
        let mut choices = Vec::new();
        let mut complete = true;
        for (number, (name, source)) in rule.choices.iter().enumerate() {
            if let Some((first, _)) = rule.choices[..number].iter().find(|(other, _)| other.text == name.text) {
                let title = format!("two choices are called `{}`", name.text);
                self.complain(Diagnostic::at(name.span, title, "again").related(first.span, "here first"));
            }
            let checked = self.choice_source(source, &mut scope);
            complete &= checked.is_some();
            let (source, ty) = checked.unwrap_or((crate::program::Source::Domain(Domain::Bool), Type::Unknown));
            choices.push(Choice { name: name.text.clone(), span: name.span, source, ty: ty.clone() });
            scope.declare_at(number, &name.text, ty, false, "a choice");
        }
        let when = rule.when.as_ref().map(|when| self.expect(when, &mut scope, &Type::Bool, "the condition of a move"));
        let body = self.block(&rule.body, &mut scope, &Body::Move, 0);
        let (name, span) = (rule.name.text.clone(), rule.name.span);
        complete.then_some(Move { name, span, owner, choices, when, locals: scope.slots, body })
    }

    fn array(&mut self, name: &tree::Name, what: &str) -> Option<usize> {
        match self.symbols.get(&name.text) {
            Some(Symbol::Variable(index)) if matches!(self.variable_types[index], Type::List(_)) => Some(index),
            Some(_) => {
                let title = format!("{what} needs an array of the position");
                self.complain(Diagnostic::at(name.span, title, "not an array of the `state`"));
                None
            }
            None => {
                let mut diagnostic =
                    Diagnostic::at(name.span, format!("`{}` is not known", name.text), "not declared").may_follow();
                diagnostic.help =
                    nearest(&name.text, self.symbols.names()).map(|near| format!("did you mean `{near}`?"));
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
            self.complain(Diagnostic::at(array.span, title, format!("its cells are {}", noun(&cell))));
        }
        scope.declare("cell", cell, false, "the cell");
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
                let near = nearest(other, ["difference", "own"]).map(|near| format!("did you mean `{near}`?"));
                diagnostic.help = near.or(Some("it is `difference` or `own`".to_string()));
                self.complain(diagnostic);
                None
            }
        }
    }

    fn claim(
        &mut self,
        field: &tree::Name,
        value: &tree::Expr,
        when: Option<&tree::Expr>,
        span: Span,
        program: &mut Program,
    ) {
        let kind = match field.text.as_str() {
            "winner" => ClaimField::Winner,
            "outcome" => ClaimField::Outcome,
            "value" => ClaimField::Value,
            "nimber" => ClaimField::Nimber,
            other => {
                let mut diagnostic =
                    Diagnostic::at(field.span, format!("nothing can be claimed about `{other}`"), "not a field");
                let near =
                    nearest(other, ["winner", "outcome", "value", "nimber"]).map(|n| format!("did you mean `{n}`?"));
                diagnostic.help =
                    near.or(Some("claims are about `winner`, `outcome`, `value` or `nimber`".to_string()));
                self.complain(diagnostic);
                return;
            }
        };
        let mut scope = Scope::new(Sight::Instance, "a claim");
        let words: &[(&str, i64)] = match kind {
            ClaimField::Winner => &[("draw", -1)],
            ClaimField::Outcome => &[("win", 1), ("draw", 0), ("lose", -1)],
            _ => &[],
        };
        let value = self.expr(&with_words(value, words), &mut scope);
        let text_allowed = matches!(kind, ClaimField::Winner | ClaimField::Outcome);
        if !fits(&value.ty, &Type::Int) && !(text_allowed && value.ty == Type::Text) {
            let wanted = match kind {
                ClaimField::Winner => "a player or `draw`",
                ClaimField::Outcome => "`win`, `lose` or `draw`",
                _ => "a number",
            };
            let title = format!("a claim about `{}` is {wanted}, not {}", field.text, noun(&value.ty));
            self.complain(Diagnostic::at(value.span, title, format!("this is {}", noun(&value.ty))));
        }
        let when = when.map(|when| self.expect(when, &mut scope, &Type::Bool, "the condition of a claim"));
        program.claims.push(Claim { field: kind, value, when, span });
    }

    fn sample(&mut self, lines: &[(tree::Name, tree::Source)], program: &mut Program) {
        let mut known: Vec<usize> = Vec::new();
        for (name, source) in lines {
            let Some(Symbol::Param(param)) = self.symbols.get(&name.text) else {
                self.not_a_param(name);
                continue;
            };
            if known.contains(&param) {
                self.complain(Diagnostic::at(name.span, format!("`{}` is sampled twice", name.text), "again"));
                continue;
            }
            let mut scope = Scope::new(Sight::Params(known.clone()), "a sample");
            let wanted = self.param_types[param].clone();
            if let Some(source) = self.sample_source(source, &mut scope, &wanted, name.span) {
                program.sample.push(SampleItem { param, source, span: name.span });
            }
            known.push(param);
        }
    }

    fn not_a_param(&mut self, name: &tree::Name) {
        let mut diagnostic =
            Diagnostic::at(name.span, format!("the game has no parameter `{}`", name.text), "not a parameter");
        let params: Vec<&str> = self.file.params.iter().map(|p| p.name.text.as_str()).collect();
        diagnostic.help = match nearest(&name.text, params.iter().copied()) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if params.is_empty() => Some("it has none".to_string()),
            None => Some(format!("its parameters are {}", params.join(", "))),
        };
        self.complain(diagnostic);
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
            let title = format!("a grid is drawn from a list of numbers, not {}", noun(&cells.ty));
            self.complain(Diagnostic::at(cells.span, title, format!("this is {}", noun(&cells.ty))));
        }
        let item = item.unwrap_or(Type::Unknown);
        let [rows, columns] = sides.map(|side| self.expect(side, &mut scope, &Type::Int, "the size of a grid"));
        let mut checked = Vec::new();
        for (value, text) in legend {
            let mut scope = Scope::new(Sight::Instance, "a legend");
            checked.push((self.expect(value, &mut scope, &item, "a value of the legend"), text.clone()));
        }
        program.show = Some(Show::Grid { cells, rows, columns, legend: checked });
    }

    fn example(
        &mut self,
        given: &[(tree::Name, tree::Expr)],
        gives: &[(tree::Name, tree::Expr)],
        span: Span,
        program: &mut Program,
    ) {
        let mut example = Example { given: Vec::new(), gives: Vec::new(), span };
        for (name, value) in given {
            let Some(Symbol::Param(param)) = self.symbols.get(&name.text) else {
                self.not_a_param(name);
                continue;
            };
            if example.given.iter().any(|(known, _)| *known == param) {
                self.complain(Diagnostic::at(name.span, format!("`{}` is given twice", name.text), "again"));
                continue;
            }
            let mut scope = Scope::new(Sight::Constants, "an example");
            let wanted = self.param_types[param].clone();
            let value = self.expect(value, &mut scope, &wanted, &format!("`{}`", name.text));
            example.given.push((param, value));
        }
        for param in &self.file.params {
            if param.default.is_none() && !given.iter().any(|(name, _)| name.text == param.name.text) {
                let title = format!("the example gives no `{}`", param.name.text);
                self.diagnostics.push(Diagnostic::at(span, title, "needs every parameter without a default"));
            }
        }
        for (name, value) in gives {
            if !FIELDS.contains(&name.text.as_str()) {
                let mut diagnostic =
                    Diagnostic::at(name.span, format!("a result has no field `{}`", name.text), "not a field");
                let near = nearest(&name.text, FIELDS.iter().copied()).map(|n| format!("did you mean `{n}`?"));
                diagnostic.help = near.or_else(|| Some(format!("the fields are {}", FIELDS.join(", "))));
                self.complain(diagnostic);
                continue;
            }
            match literal(value) {
                Some(literal) => {
                    self.field_value(&name.text, &literal, value.span);
                    example.gives.push((name.text.clone(), literal, value.span));
                }
                None => {
                    let help = "numbers, true, false, words, \"text\" and lists of these; moves stand in quotes";
                    self.complain(Diagnostic::at(value.span, "expected a plain value", "not a plain value").help(help));
                }
            }
        }
        program.examples.push(example);
    }

    /// Fields that hold one of a few words.
    fn field_value(&mut self, field: &str, value: &Literal, span: Span) {
        let words: &[&str] = match field {
            "winner" => &["first", "second", "draw", "third"],
            "outcome" => &["win", "lose", "draw"],
            "outcome_class" => &["L", "R", "N", "P"],
            "kind" => &["outcome", "score", "payoffs", "nimber", "partizan"],
            _ => return,
        };
        let Literal::Text(text) = value else {
            let title = format!("`{field}` is one of {}", words.join(", "));
            self.complain(Diagnostic::at(span, title, "not one of them"));
            return;
        };
        if !words.contains(&text.as_str()) && !(field == "winner" && text.starts_with("player ")) {
            let mut diagnostic = Diagnostic::at(span, format!("`{field}` is never `{text}`"), "not a possible value");
            let near = nearest(text, words.iter().copied()).map(|n| format!("did you mean `{n}`?"));
            diagnostic.help = near.or_else(|| Some(format!("it is one of {}", words.join(", "))));
            self.complain(diagnostic);
        }
    }
}

/// The expression with these words replaced by numbers, where they stand for results.
fn with_words(value: &tree::Expr, words: &[(&str, i64)]) -> tree::Expr {
    let mut value = value.clone();
    let kind = match value.kind {
        ExprKind::Name(ref name) => match words.iter().find(|(word, _)| word == name) {
            Some(&(_, number)) => ExprKind::Int(number),
            None => return value,
        },
        ExprKind::If(condition, yes, no) => {
            ExprKind::If(condition, with_words(&yes, words).into(), with_words(&no, words).into())
        }
        other => other,
    };
    value.kind = kind;
    value
}

fn literal(value: &tree::Expr) -> Option<Literal> {
    Some(match &value.kind {
        ExprKind::Int(value) => Literal::Int(*value),
        ExprKind::Negate(inner) => match inner.kind {
            ExprKind::Int(value) => Literal::Int(-value),
            _ => return None,
        },
        ExprKind::Bool(value) => Literal::Bool(*value),
        ExprKind::Text(text) => Literal::Text(text.clone()),
        ExprKind::Name(name) => Literal::Text(name.clone()),
        ExprKind::List(items) => Literal::List(items.iter().map(literal).collect::<Option<_>>()?),
        _ => return None,
    })
}
