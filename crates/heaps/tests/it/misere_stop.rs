//! Misère work that is stopped: it says so, keeps what it had, and goes on later as if nothing had been.

use heaps::misere::{Error, HeapRules, Limits, Quotient, Sums};
use heaps::take_break::TakeAndBreak;

fn game(code: &str) -> TakeAndBreak {
    code.parse().unwrap()
}

/// A hook that says yes `times` times, and then no.
fn patience(times: u64) -> impl FnMut(u64) -> bool {
    let mut left = times;
    move |_| {
        let more = left > 0;
        left = left.saturating_sub(1);
        more
    }
}

/// What can be seen of a quotient.
fn state<R: HeapRules>(quotient: &Quotient<R>) -> (usize, usize, Vec<usize>, String) {
    let elements = (0..=u64::from(quotient.largest())).map(|heap| quotient.element(heap).unwrap().index());
    (quotient.order(), quotient.p_types(), elements.collect(), quotient.presentation().to_string())
}

/// Small numbers one by one, then ever larger steps, below `end`.
fn stops(end: u64) -> impl Iterator<Item = u64> {
    let next = |&k: &u64| Some(k + 1 + k / 16);
    std::iter::successors(Some(0), next).take_while(move |&k| k < end)
}

#[test]
fn a_quotient_stopped_anywhere_stays_good_and_goes_on() {
    for (code, upto) in [("0.77", 28), ("0.123", 20), ("0.007", 20), ("0.06", 9)] {
        // The states that a quotient that is never stopped goes through, and how often it asks.
        let mut asked = 0u64;
        let mut whole = Quotient::new(game(code), Limits::default());
        let mut states = vec![state(&whole)];
        while whole.largest() < upto && whole.period().is_none() {
            whole
                .extend_while(whole.largest() + 1, &mut |_| {
                    asked += 1;
                    true
                })
                .unwrap();
            states.push(state(&whole));
        }
        assert!(asked > 100, "{code} asked {asked} times");
        for k in stops(asked) {
            let mut quotient = Quotient::new(game(code), Limits::default());
            assert_eq!(quotient.extend_while(upto, &mut patience(k)), Err(Error::Stopped), "{code} after {k}");
            assert_eq!(state(&quotient), states[quotient.largest() as usize], "{code} after {k}");
            // A second stop, then to the end.
            let _ = quotient.extend_while(upto, &mut patience(k / 3));
            assert_eq!(state(&quotient), states[quotient.largest() as usize], "{code} after {k}");
            if k % 16 == 0 {
                quotient.extend(upto).unwrap();
                assert_eq!((state(&quotient), quotient.period()), (state(&whole), whole.period()), "{code} after {k}");
            }
        }
        let mut quotient = Quotient::new(game(code), Limits::default());
        assert_eq!(quotient.extend_while(upto, &mut patience(asked)), Ok(()), "{code}");
    }
}

#[test]
fn genus_symbols_stopped_anywhere_are_found_later() {
    for (code, upto) in [("0.77", 13), ("0.06", 16), ("4.3", 10)] {
        let symbols = |sums: &mut Sums<TakeAndBreak>, go_on: &mut dyn FnMut(u64) -> bool| {
            (0..=upto).map(|heap| sums.heap_symbol_while(heap, go_on)).collect::<Result<Vec<_>, _>>()
        };
        for forms in [Limits::default().forms, 1] {
            let limits = Limits { forms, ..Limits::default() };
            let mut asked = 0u64;
            let expected = symbols(&mut Sums::new(game(code), limits), &mut |_| {
                asked += 1;
                true
            })
            .unwrap();
            for k in stops(asked) {
                let mut sums = Sums::new(game(code), limits);
                assert_eq!(symbols(&mut sums, &mut patience(k)), Err(Error::Stopped), "{code} after {k}");
                assert_eq!(symbols(&mut sums, &mut |_| true).as_ref(), Ok(&expected), "{code} after {k}");
            }
        }
    }
}

#[test]
fn outcomes_stopped_anywhere_are_found_later() {
    let heaps = [9, 12, 5, 5];
    let mut asked = 0u64;
    let expected = Sums::new(game("0.77"), Limits::default())
        .is_loss_while(&heaps, &mut |_| {
            asked += 1;
            true
        })
        .unwrap();
    for k in stops(asked) {
        let mut sums = Sums::new(game("0.77"), Limits::default());
        assert_eq!(sums.is_loss_while(&heaps, &mut patience(k)), Err(Error::Stopped), "after {k}");
        assert_eq!(sums.is_loss(&heaps), Ok(expected), "after {k}");
    }
}

/// What is told while heaps are added is at least what the quotient takes in the end, and what tables that come and go take.
#[test]
fn a_quotient_tells_what_it_holds() {
    for (code, upto) in [("0.77", 28), ("0.123", 20), ("0.06", 9)] {
        let mut most = 0;
        let mut quotient = Quotient::new(game(code), Limits::default());
        let count = &mut |bytes: u64| {
            most = most.max(bytes);
            true
        };
        quotient.extend_while(upto, count).unwrap();
        assert!(quotient.bytes() > 0 && most >= quotient.bytes() / 2, "{code}: {most} for {}", quotient.bytes());
        // A budget that is too small stops it, and one that is large enough does not.
        let mut small = Quotient::new(game(code), Limits::default());
        assert_eq!(small.extend_while(upto, &mut |bytes| bytes < most), Err(Error::Stopped), "{code}");
        let mut large = Quotient::new(game(code), Limits::default());
        assert_eq!(large.extend_while(upto, &mut |bytes| bytes <= most), Ok(()), "{code}");
    }
}
