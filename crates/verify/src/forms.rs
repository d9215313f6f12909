//! Forms: partizan games written out as their options, each once, under a number.
//!
//! A form has Left's options and Right's, which are forms of lower numbers; so forms are finite, whatever a file says. Two forms are
//! compared by the definition: x ≤ y unless Left has an option of x that is at least y, or Right an option of y that is at most
//! x. Each pair is compared once.
//!
//! All of it has a price in entries of the argument, so that a short file cannot ask for long work: one for each pair that is compared,
//! and one for every [`STEPS`] steps. A step is an answer looked up, or an option read of a form that was not written out for the purpose.

use std::collections::HashMap;

use rules::stop::Held;

use crate::charged::Charged;
use crate::refusal::Refusal;
use crate::store::{Id, Store};

/// The number of a form.
pub type Form = Id;

/// The form without options.
pub const ZERO: Form = 0;

/// So many steps have the price of an entry.
pub const STEPS: usize = 64;

/// No form.
const NONE: Form = Form::MAX;

/// What a comparison that is remembered takes.
const PAIR_BYTES: u64 = 40;

/// Left's or Right's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first player.
    Left,
    /// The second player.
    Right,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The other one.
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// Is called for every entry that the work costs. May refuse to go on.
pub type Price<'p> = &'p mut dyn FnMut() -> Result<(), Refusal>;

/// Whether the first of two forms is at most the second.
type Question = (Form, Form);

/// A question that is open, and how many of its obstacles were looked at.
struct Open {
    question: Question,
    next: usize,
}

/// All forms that came up.
pub struct Forms {
    /// The key of a form is how many options Left has, then these, then Right's.
    store: Store,
    answers: HashMap<Question, bool>,
    /// The negatives that are known, by number.
    negatives: Charged<Form>,
    /// Steps that were not paid for yet.
    steps: usize,
    held: Held,
}

impl Forms {
    /// The form without options alone.
    pub fn new() -> Result<Forms, Refusal> {
        let mut forms = Forms {
            store: Store::new(),
            answers: HashMap::new(),
            negatives: Charged::new(),
            steps: 0,
            held: Held::default(),
        };
        forms.enter(&[], &[])?;
        Ok(forms)
    }

    /// How many forms there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// There is always one.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The form with these options, which must be there.
    pub fn enter(&mut self, left: &[Form], right: &[Form]) -> Result<Form, Refusal> {
        let mut key = Vec::with_capacity(1 + left.len() + right.len());
        key.push(0);
        for options in [left, right] {
            let first = key.len();
            key.extend_from_slice(options);
            key[first..].sort_unstable();
            if key[first..].iter().any(|option| *option as usize >= self.len()) {
                return Err(Refusal::wrong("a form has an option that is not there"));
            }
        }
        key[0] = left.len() as u32;
        Ok(self.store.enter(&key)?)
    }

    /// The options of one player.
    pub fn options(&self, form: Form, side: Side) -> &[Form] {
        let key = self.store.key(form);
        let (left, right) = key[1..].split_at(key[0] as usize);
        if side == Side::Left { left } else { right }
    }

    /// Has steps paid for.
    pub fn pay(&mut self, steps: usize, price: Price<'_>) -> Result<(), Refusal> {
        self.steps += steps;
        while self.steps >= STEPS {
            self.steps -= STEPS;
            price()?;
        }
        Ok(())
    }

    /// How many options a form has in all.
    fn width(&self, form: Form) -> usize {
        self.store.key(form).len() - 1
    }

    fn known_negative(&self, form: Form) -> Option<Form> {
        self.negatives.get(form as usize).copied().filter(|negative| *negative != NONE)
    }

    /// The form with the players exchanged. Each is worked out once, after those of its options.
    pub fn negative(&mut self, form: Form, price: Price<'_>) -> Result<Form, Refusal> {
        let mut open = Charged::new();
        open.push(form)?;
        while let Some(&id) = open.last() {
            if self.known_negative(id).is_some() {
                open.pop();
                continue;
            }
            self.pay(1 + self.width(id), price)?;
            let before = open.len();
            for option in Side::BOTH.into_iter().flat_map(|side| self.options(id, side)) {
                if self.known_negative(*option).is_none() {
                    open.push(*option)?;
                }
            }
            if open.len() > before {
                continue;
            }
            let [left, right] = Side::BOTH.map(|side| {
                let options = self.options(id, side).iter();
                options.filter_map(|option| self.known_negative(*option)).collect::<Vec<Form>>()
            });
            let negative = self.enter(&right, &left)?;
            let count = self.len();
            self.negatives.fill_to(count, NONE)?;
            self.negatives[id as usize] = negative;
            open.pop();
        }
        self.known_negative(form).ok_or_else(|| Refusal::wrong("a form has no negative"))
    }

    /// What is known of a question.
    fn known(&self, question: Question) -> Option<bool> {
        if question.0 == question.1 { Some(true) } else { self.answers.get(&question).copied() }
    }

    fn answer(&mut self, question: Question, answer: bool) -> Result<(), Refusal> {
        self.held.grow(PAIR_BYTES)?;
        self.answers.insert(question, answer);
        Ok(())
    }

    /// The question whose answer must be no, if that of the given one is to be yes.
    fn obstacle(&self, (low, high): Question, number: usize) -> Option<Question> {
        let left = self.options(low, Side::Left);
        match left.get(number) {
            Some(option) => Some((high, *option)),
            None => self.options(high, Side::Right).get(number - left.len()).map(|option| (*option, low)),
        }
    }

    /// Whether a form is at most another one.
    pub fn at_most(&mut self, low: Form, high: Form, price: Price<'_>) -> Result<bool, Refusal> {
        let asked = (low, high);
        self.pay(1, price)?;
        if let Some(answer) = self.known(asked) {
            return Ok(answer);
        }
        let mut stack = Charged::new();
        price()?;
        stack.push(Open { question: asked, next: 0 })?;
        while let Some(open) = stack.last_mut() {
            let question = open.question;
            let answer = match self.obstacle(question, open.next) {
                None => true,
                Some(obstacle) => match self.known(obstacle) {
                    Some(true) => false,
                    Some(false) => {
                        open.next += 1;
                        self.pay(1, price)?;
                        continue;
                    }
                    None => {
                        price()?;
                        stack.push(Open { question: obstacle, next: 0 })?;
                        continue;
                    }
                },
            };
            self.answer(question, answer)?;
            stack.pop();
        }
        Ok(self.known(asked) == Some(true))
    }

    /// Whether a form is the value of the game with these options.
    ///
    /// The game minus the form must be lost by whoever moves first. A move to an option x of Left in the game is answered by an
    /// option of Left in the form that is at least x, or by an option of Right in x that is at most the form. A move to an option
    /// of Right in the form is answered by an option of Right in the game that is at most that. With the sides exchanged likewise.
    pub fn is_value(&mut self, game: [&[Form]; 2], form: Form, price: Price<'_>) -> Result<bool, Refusal> {
        for (side, [own, other]) in [(Side::Left, game), (Side::Right, [game[1], game[0]])] {
            for &option in own {
                if !self.is_answered(option, form, side, price)? {
                    return Ok(false);
                }
            }
            let mut number = 0;
            while let Some(&option) = self.options(form, side.other()).get(number) {
                if !self.any_at_most(other, option, side, price)? {
                    return Ok(false);
                }
                number += 1;
            }
        }
        Ok(true)
    }

    /// Whether a move of `side` to an option is answered: by one in the form that is no worse, or by turning it back.
    fn is_answered(&mut self, option: Form, form: Form, side: Side, price: Price<'_>) -> Result<bool, Refusal> {
        // Most often the form has the option itself.
        if self.options(form, side).binary_search(&option).is_ok() {
            return Ok(true);
        }
        let mut number = 0;
        while let Some(&better) = self.options(form, side).get(number) {
            if self.no_better(option, better, side, price)? {
                return Ok(true);
            }
            number += 1;
        }
        number = 0;
        while let Some(&back) = self.options(option, side.other()).get(number) {
            if self.no_better(back, form, side, price)? {
                return Ok(true);
            }
            number += 1;
        }
        Ok(false)
    }

    /// Whether one of some forms is, for `side`, no better than a form. Where they ascend, the form itself is found at once.
    fn any_at_most(&mut self, some: &[Form], form: Form, side: Side, price: Price<'_>) -> Result<bool, Refusal> {
        if some.binary_search(&form).is_ok() {
            return Ok(true);
        }
        for &one in some {
            if self.no_better(one, form, side, price)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a form is, for `side`, no better than another.
    fn no_better(&mut self, one: Form, other: Form, side: Side, price: Price<'_>) -> Result<bool, Refusal> {
        match side {
            Side::Left => self.at_most(one, other, price),
            Side::Right => self.at_most(other, one, price),
        }
    }
}
