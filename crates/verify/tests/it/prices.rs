//! Work on forms is paid for with entries: a short argument cannot ask for long work.

use verify::Refusal;
use verify::forms::{Form, Forms, STEPS, Side, ZERO};
use verify::notation::{self, Algebra, LARGEST_STAR};

/// Works names out as they stand, and counts what that costs.
struct Counting {
    forms: Forms,
    entries: usize,
}

impl Counting {
    fn new() -> Counting {
        Counting { forms: Forms::new().unwrap(), entries: 0 }
    }

    fn negative_of(&mut self, form: Form) -> Form {
        self.negative(form).unwrap()
    }
}

impl Algebra for Counting {
    fn enter(&mut self, left: &[Form], right: &[Form]) -> Result<Form, Refusal> {
        self.forms.enter(left, right)
    }

    fn negative(&mut self, form: Form) -> Result<Form, Refusal> {
        let entries = &mut self.entries;
        self.forms.negative(form, &mut || {
            *entries += 1;
            Ok(())
        })
    }

    fn plus(&mut self, one: Form, other: Form) -> Result<Form, Refusal> {
        Ok(if one == ZERO { other } else { one })
    }

    fn game(&mut self, left: &[Form], right: &[Form]) -> Result<Form, Refusal> {
        self.forms.enter(left, right)
    }
}

#[test]
fn names_of_large_nimbers_are_refused() {
    assert!(notation::read(&format!("*{LARGEST_STAR}")).is_ok());
    for name in ["*1001", "*65536", "3^*65536", "±*65536", "-_{*9999}"] {
        assert!(notation::read(name).is_err(), "{name}");
    }
}

#[test]
fn a_negative_is_worked_out_once() {
    let mut counting = Counting::new();
    let number = notation::read("5000").unwrap().value(&mut counting).unwrap();
    let negative = counting.negative_of(number);
    let paid = counting.entries;
    // Each of the 5000 forms is looked at at most twice, and has one option.
    assert!((2 * 5000 / STEPS..=4 * 5000 / STEPS + 1).contains(&paid), "{paid}");
    for _ in 0..1000 {
        assert_eq!(counting.negative_of(number), negative);
    }
    assert_eq!(counting.entries, paid);
    assert_eq!(counting.negative_of(negative), number);
    assert_eq!(counting.forms.options(negative, Side::Left), &[] as &[Form]);
    let star = notation::read("*7").unwrap().value(&mut counting).unwrap();
    assert_eq!(counting.negative_of(star), star);
}

/// Answers that are known are looked up for a price as well: here every option of the game is compared with all of the form.
#[test]
fn known_answers_have_their_price() {
    const OPTIONS: i64 = 40;
    let mut forms = Forms::new().unwrap();
    let mut numbers = vec![ZERO];
    for number in 0..2 * OPTIONS as usize {
        numbers.push(forms.enter(&[numbers[number]], &[]).unwrap());
    }
    let (low, high) = numbers.split_at(OPTIONS as usize);
    let form = forms.enter(low, &[]).unwrap();
    let compare = |forms: &mut Forms| {
        let mut entries = 0;
        let answer = forms.is_value([high, &[]], form, &mut || {
            entries += 1;
            Ok(())
        });
        assert!(!answer.unwrap());
        entries
    };
    compare(&mut forms);
    let again: u64 = (0..100).map(|_| compare(&mut forms)).sum();
    // The least of the game's options is larger than all of the form's: so many answers are looked up each time.
    assert!(again >= 100 * OPTIONS as u64 / STEPS as u64, "{again}");
}
