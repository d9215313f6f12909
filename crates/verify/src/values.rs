//! Values of partizan games: each part that can come up has a form that is its value, and so has each sum of two forms that was needed.
//!
//! # Why that proves something
//!
//! Parts are valued after all parts that both players' moves lead to, whoever moved before; a part that comes back is refused. So the
//! options of a part have values already: those of the parts that a move leaves, added up. A sum of two forms is a game as well,
//! whose options are sums in which one form was moved, and is valued in the same way. Each time the entry names a form, and
//! [`Forms::is_value`] shows by comparing options that the game minus the form is lost by whoever moves first, which is what it
//! means to be equal. At last the name that is claimed is read by `notation`, and compared with the sum of the parts of the position.
//!
//! That the name is the shortest there is, or a form without superfluous options, is not shown: it is a name of the value.

use std::collections::HashMap;

use game::{OutcomeClass, Player};
use rules::bind::{Bound, Position};
use rules::stop::Held;

use crate::charged::Charged;
use crate::entries::Entries;
use crate::forms::{Form, Forms, Side, ZERO};
use crate::notation::{self, Algebra};
use crate::parts::{NormalParts, each};
use crate::proved::Proved;
use crate::refusal::Refusal;
use crate::store::Id;

const NEW: Form = Form::MAX;
const OPEN: Form = Form::MAX - 1;

/// Why a game has no such table: one player could move for ever, even if play that alternates ends.
pub const COMES_BACK: &str = "play comes back to this part";

/// What a sum that is remembered takes.
const SUM_BYTES: u64 = 40;

/// What is added up.
#[derive(Clone, Copy)]
enum Term {
    Part(Id),
    Form(Form),
}

/// What is being valued.
#[derive(Clone, Copy)]
enum Task {
    Part(Id),
    Sum(Form, Form),
    /// Nothing but its only option, which is a list of terms.
    Total,
}

struct Frame {
    task: Task,
    /// The options, each as the terms that it is the sum of.
    options: Vec<(Side, Vec<Term>)>,
    /// The option that is valued now, how many of its terms are added, and what they make.
    next: usize,
    added: usize,
    partial: Form,
    /// The values of the options before it.
    found: [Vec<Form>; 2],
}

/// The values of parts and sums.
struct Values<'e, 'b> {
    parts: NormalParts<'b>,
    forms: Forms,
    entries: &'e mut dyn Entries,
    /// The forms of parts by number.
    known: Charged<Form>,
    sums: HashMap<(Form, Form), Form>,
    stack: Vec<Frame>,
    held: Held,
    count: u64,
}

/// Checks the values of all parts that can come up, and the name of the value of a position. Gives what they prove, and how many
/// parts and sums there were.
pub fn check(bound: &Bound, start: &Position, entries: &mut dyn Entries) -> Result<(Proved, u64), Refusal> {
    let parts = NormalParts::new(bound)?;
    let mut values = Values {
        parts,
        forms: Forms::new()?,
        entries,
        known: Charged::new(),
        sums: HashMap::new(),
        stack: Vec::new(),
        held: Held::default(),
        count: 0,
    };
    let mut terms = Vec::with_capacity(start.parts.len());
    for part in &start.parts {
        terms.push(Term::Part(values.parts.enter(part)?));
    }
    let total = values.total(terms)?;
    let name = values.entries.name()?;
    let named = notation::read(&name)?.value(&mut values)?;
    let equal = values.at_most(total, named)? && values.at_most(named, total)?;
    if !equal {
        return Err(Refusal::wrong(format!("the value of the position is not {name}")));
    }
    // Left wins a game above 0 whoever starts, and any game that is not at most 0 if he starts.
    let (above, below) = (values.at_most(ZERO, total)?, values.at_most(total, ZERO)?);
    let class = OutcomeClass::new(!below, above);
    Ok((Proved::Value { name, class }, values.count))
}

impl Algebra for Values<'_, '_> {
    fn enter(&mut self, left: &[Form], right: &[Form]) -> Result<Form, Refusal> {
        self.forms.pay(1 + left.len() + right.len(), &mut || self.entries.nothing())?;
        self.forms.enter(left, right)
    }

    fn negative(&mut self, form: Form) -> Result<Form, Refusal> {
        self.forms.negative(form, &mut || self.entries.nothing())
    }

    fn plus(&mut self, one: Form, other: Form) -> Result<Form, Refusal> {
        self.total(vec![Term::Form(one), Term::Form(other)])
    }

    fn game(&mut self, left: &[Form], right: &[Form]) -> Result<Form, Refusal> {
        let [left, right] = [left, right].map(|options| {
            let mut options = options.to_vec();
            options.sort_unstable();
            options.dedup();
            options
        });
        self.settled([&left, &right])
    }
}

impl Values<'_, '_> {
    fn at_most(&mut self, low: Form, high: Form) -> Result<bool, Refusal> {
        self.forms.at_most(low, high, &mut || self.entries.nothing())
    }

    /// The value of a sum of terms.
    fn total(&mut self, terms: Vec<Term>) -> Result<Form, Refusal> {
        self.push(Task::Total, vec![(Side::Left, terms)])?;
        loop {
            let Some(frame) = self.stack.last_mut() else { return Err(Refusal::wrong("nothing to value")) };
            let Some((side, terms)) = frame.options.get(frame.next) else {
                if let Some(total) = self.close()? {
                    return Ok(total);
                }
                continue;
            };
            let Some(&term) = terms.get(frame.added) else {
                let side = if *side == Side::Left { 0 } else { 1 };
                frame.found[side].push(frame.partial);
                (frame.next, frame.added, frame.partial) = (frame.next + 1, 0, ZERO);
                continue;
            };
            let partial = frame.partial;
            let form = match term {
                Term::Form(form) => form,
                Term::Part(part) => match self.state(part) {
                    NEW => {
                        self.open_part(part)?;
                        continue;
                    }
                    OPEN => return Err(self.at(part, Refusal::wrong(COMES_BACK))),
                    form => form,
                },
            };
            match self.sum(partial, form) {
                None => self.open_sum(partial, form)?,
                Some(sum) => {
                    if let Some(frame) = self.stack.last_mut() {
                        (frame.added, frame.partial) = (frame.added + 1, sum);
                    }
                }
            }
        }
    }

    fn state(&self, part: Id) -> Form {
        self.known.get(part as usize).copied().unwrap_or(NEW)
    }

    fn set(&mut self, part: Id, form: Form) -> Result<(), Refusal> {
        self.known.fill_to(part as usize + 1, NEW)?;
        self.known[part as usize] = form;
        Ok(())
    }

    fn at(&mut self, part: Id, refusal: Refusal) -> Refusal {
        let parts = &mut self.parts;
        refusal.at(self.count + 1, || parts.text(part))
    }

    /// The sum of two forms, if it is known.
    fn sum(&self, one: Form, other: Form) -> Option<Form> {
        match (one, other) {
            (ZERO, form) | (form, ZERO) => Some(form),
            _ => self.sums.get(&(one.min(other), one.max(other))).copied(),
        }
    }

    fn push(&mut self, task: Task, options: Vec<(Side, Vec<Term>)>) -> Result<(), Refusal> {
        let terms: usize = options.iter().map(|(_, terms)| 4 + terms.len()).sum();
        // Handed back with the whole argument; frames are as many as options are deep.
        self.held.grow(128 + 8 * terms as u64)?;
        self.stack.push(Frame { task, options, next: 0, added: 0, partial: ZERO, found: [Vec::new(), Vec::new()] });
        Ok(())
    }

    fn open_part(&mut self, part: Id) -> Result<(), Refusal> {
        let mut options = Vec::new();
        for (side, player) in [(Side::Left, Player::FIRST), (Side::Right, Player::SECOND)] {
            let own = self.parts.options_for(part, player).map_err(|refusal| self.at(part, refusal))?;
            options.extend(each(&own).map(|into| (side, into.iter().map(|part| Term::Part(*part)).collect())));
        }
        self.set(part, OPEN)?;
        self.push(Task::Part(part), options)
    }

    fn open_sum(&mut self, one: Form, other: Form) -> Result<(), Refusal> {
        let mut options = Vec::new();
        for side in Side::BOTH {
            let moved = self.forms.options(one, side).iter().map(|option| [*option, other]);
            let others = self.forms.options(other, side).iter().map(|option| [one, *option]);
            options.extend(moved.chain(others).map(|terms| (side, terms.map(Term::Form).to_vec())));
        }
        self.forms.pay(options.len(), &mut || self.entries.nothing())?;
        self.push(Task::Sum(one, other), options)
    }

    /// Settles what is on top, all of whose options have values. Gives the total that was asked for.
    fn close(&mut self) -> Result<Option<Form>, Refusal> {
        let Some(Frame { task, found: [mut left, mut right], .. }) = self.stack.pop() else { return Ok(None) };
        if let Task::Total = task {
            return Ok(left.pop());
        }
        for options in [&mut left, &mut right] {
            options.sort_unstable();
            options.dedup();
        }
        self.count += 1;
        self.entries.passed(self.count)?;
        let form = self.settled([&left, &right]);
        match task {
            Task::Part(part) => {
                let form = form.map_err(|refusal| self.at(part, refusal))?;
                self.set(part, form)?;
            }
            Task::Sum(one, other) => {
                self.held.grow(SUM_BYTES)?;
                self.sums.insert((one.min(other), one.max(other)), form?);
            }
            Task::Total => {}
        }
        Ok(None)
    }

    /// The form that is named as the value of the game with these options, if it is that.
    fn settled(&mut self, options: [&[Form]; 2]) -> Result<Form, Refusal> {
        let form = self.entries.form(options, &mut self.forms)?;
        if form as usize >= self.forms.len() {
            return Err(Refusal::wrong("there is no such form"));
        }
        match self.forms.is_value(options, form, &mut || self.entries.nothing())? {
            true => Ok(form),
            false => Err(Refusal::wrong("the form that is named is not the value of the options")),
        }
    }
}
