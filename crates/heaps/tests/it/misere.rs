//! Misère play against a plain recursion, and against figures from the literature.

use std::collections::HashMap;

use heaps::misere::{Forms, Genus, HeapMove, HeapRules, Limits, Nature, Quotient, Sums, Uniform};
use heaps::{Period, Proof};
use testkit::Random;

/// A game `d0.d1d2d3…`; bit `j` of a digit allows to leave `j` heaps.
#[derive(Clone, Debug)]
struct Code(Vec<u32>);

impl Code {
    fn new(digits: &str) -> Code {
        Code(digits.chars().map(|digit| digit.to_digit(16).unwrap()).collect())
    }
}

impl HeapRules for Code {
    fn options(&self, n: u32) -> Vec<Vec<u32>> {
        let mut options = Vec::new();
        for (&digit, taken) in self.0.iter().zip(0..=n) {
            let rest = n - taken;
            if digit & 1 != 0 && rest == 0 && taken > 0 {
                options.push(vec![]);
            }
            if digit & 2 != 0 && rest > 0 && taken > 0 {
                options.push(vec![rest]);
            }
            for a in 1..rest {
                if digit & 4 != 0 {
                    options.push(vec![a, rest - a]);
                }
                for b in 1..rest - a {
                    if digit & 8 != 0 {
                        options.push(vec![a, b, rest - a - b]);
                    }
                }
            }
        }
        options
    }

    fn uniform(&self) -> Option<Uniform> {
        let parts = if self.0.iter().any(|digit| digit & 8 != 0) { 3 } else { 2 };
        Some(Uniform { taken: self.0.len() as u32 - 1, parts })
    }
}

/// Outcomes by nothing but the definition.
struct Plain {
    options: Vec<Vec<Vec<u32>>>,
    known: HashMap<Vec<u32>, bool>,
}

impl Plain {
    fn new(rules: &impl HeapRules, up_to: u32) -> Plain {
        Plain { options: (0..=up_to).map(|heap| rules.options(heap)).collect(), known: HashMap::new() }
    }

    fn options(&self, heaps: &[u32]) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        for place in 0..heaps.len() {
            for option in &self.options[heaps[place] as usize] {
                let mut after = heaps.to_vec();
                after.swap_remove(place);
                after.extend(option);
                after.retain(|&heap| heap > 0);
                after.sort_unstable();
                all.push(after);
            }
        }
        all
    }

    /// Whether the player to move loses: there are moves, and all of them give the other a lost or no position.
    fn is_loss(&mut self, heaps: &[u32]) -> bool {
        if let Some(&known) = self.known.get(heaps) {
            return known;
        }
        let options = self.options(heaps);
        let loss = !options.is_empty() && !options.iter().any(|option| self.is_loss(option));
        self.known.insert(heaps.to_vec(), loss);
        loss
    }

    /// The genus by definition: the nim-heaps of two, and one of any size, are added in earnest.
    fn genus(&mut self, heaps: &[u32], twos: usize, memo: &mut HashMap<(Vec<u32>, usize), u64>) -> u64 {
        if let Some(&known) = memo.get(&(heaps.to_vec(), twos)) {
            return known;
        }
        let mut values = Vec::new();
        for option in self.options(heaps) {
            values.push(self.genus(&option, twos, memo));
        }
        if twos > 0 {
            let fewer = self.genus(heaps, twos - 1, memo);
            values.extend([fewer, fewer ^ 1]);
        }
        let value = if values.is_empty() { 1 } else { game::mex(&mut values) };
        memo.insert((heaps.to_vec(), twos), value);
        value
    }
}

/// All multisets of at most `count` heaps from 1 to `largest`, ascending.
fn multisets(largest: u32, count: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    let mut from = 0;
    for _ in 0..count {
        let to = all.len();
        for index in from..to {
            let least = all[index].last().copied().unwrap_or(1);
            for heap in least..=largest {
                let longer = [all[index].as_slice(), &[heap]].concat();
                all.push(longer);
            }
        }
        from = to;
    }
    all
}

fn wide(heaps: &[u32]) -> Vec<u64> {
    heaps.iter().map(|&heap| u64::from(heap)).collect()
}

fn random_code(random: &mut Random) -> Code {
    let length = 2 + random.below(3) as usize;
    let mut digits: Vec<u32> = (0..length).map(|_| random.below(8) as u32).collect();
    digits[0] = if random.below(5) == 0 { 4 } else { 0 };
    if random.below(8) == 0 {
        digits[1] |= 8;
    }
    Code(digits)
}

/// A game without system: random options, each a random sum of smaller heaps.
fn random_table(random: &mut Random, up_to: u32) -> Vec<Vec<Vec<u32>>> {
    let mut table = vec![vec![]];
    for heap in 1..=up_to {
        let count = random.below(5);
        let part = |random: &mut Random| random.below(u64::from(heap)) as u32;
        table.push((0..count).map(|_| (0..random.below(3)).map(|_| part(random)).collect()).collect());
    }
    table
}

fn check_outcomes(rules: impl HeapRules + Clone, name: &str, sums_of: &[Vec<u32>], largest: u32) -> bool {
    let limits = Limits { order: 120, transitions: 20_000, positions: 200_000, forms: 5_000, ..Limits::default() };
    let mut plain = Plain::new(&rules, largest);
    let mut sums = Sums::new(rules.clone(), limits);
    let mut no_forms = Sums::new(rules.clone(), Limits { forms: 1, ..limits });
    let mut quotient = Quotient::new(rules, limits);
    let _ = quotient.extend(largest);
    let mut decided = 0;
    for heaps in sums_of {
        let expected = plain.is_loss(heaps);
        assert_eq!(sums.is_loss(heaps), Ok(expected), "{name}: {heaps:?}");
        assert_eq!(no_forms.is_loss(heaps), Ok(expected), "{name} without forms: {heaps:?}");
        if let Some(loss) = quotient.is_loss(&wide(heaps)) {
            assert_eq!(loss, expected, "{name} by its quotient: {heaps:?}");
            decided += 1;
        }
    }
    decided == sums_of.len()
}

#[test]
fn outcomes_agree_with_plain_recursion_for_random_codes() {
    let mut random = Random::new(1);
    let sums = multisets(8, 4);
    let finite = (0..60).filter(|_| {
        let code = random_code(&mut random);
        check_outcomes(code.clone(), &format!("{code:?}"), &sums, 8)
    });
    assert!(finite.count() > 40);
}

#[test]
fn outcomes_agree_with_plain_recursion_for_subtraction_sets() {
    let mut random = Random::new(2);
    let sums = multisets(12, 3);
    for _ in 0..40 {
        let mask = 1 + random.below(255);
        let rules = move |n: u32| (1..=n.min(8)).filter(|t| mask >> (t - 1) & 1 == 1).map(|t| vec![n - t]).collect();
        check_outcomes(rules, &format!("mask {mask}"), &sums, 12);
    }
}

#[test]
fn outcomes_agree_with_plain_recursion_for_random_tables() {
    let mut random = Random::new(3);
    let sums = multisets(7, 4);
    for round in 0..80 {
        let table = random_table(&mut random, 7);
        let rules = |heap: u32| table[heap as usize].clone();
        check_outcomes(&rules, &format!("round {round}: {table:?}"), &sums, 7);
    }
}

#[test]
fn genera_agree_with_their_definition() {
    let mut random = Random::new(4);
    let sums_of = multisets(7, 3);
    for _ in 0..25 {
        let code = random_code(&mut random);
        let mut plain = Plain::new(&code, 7);
        let mut memo = HashMap::new();
        let mut sums = Sums::new(code.clone(), Limits::default());
        let mut no_forms = Sums::new(code.clone(), Limits { forms: 1, ..Limits::default() });
        for heaps in &sums_of {
            let genus = sums.genus(heaps).unwrap();
            assert_eq!(no_forms.genus(heaps).unwrap(), genus, "{code:?}: {heaps:?}");
            for twos in 0..6 {
                let expected = plain.genus(heaps, twos, &mut memo);
                assert_eq!(genus.misere(twos), expected, "{code:?}: {heaps:?} with {twos} twos, {}", genus.full_text());
            }
            if let Nature::Tame(tame) = sums.nature(heaps).unwrap() {
                assert_eq!(tame.genus(), genus, "{code:?}: {heaps:?}");
            }
        }
    }
}

#[test]
fn tame_parts_add_like_nim() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let table = random_table(&mut random, 7);
        let rules = |heap: u32| table[heap as usize].clone();
        let mut plain = Plain::new(&rules, 7);
        let mut sums = Sums::new(&rules, Limits::default());
        let tame: Vec<u32> = (1..=7).filter(|&heap| sums.nature(&[heap]).unwrap().tame().is_some()).collect();
        for heaps in multisets(7, 3).iter().filter(|heaps| heaps.iter().all(|heap| tame.contains(heap))) {
            let types = heaps.iter().filter_map(|&heap| sums.nature(&[heap]).unwrap().tame());
            let total = types.reduce(|a, b| a.plus(b));
            let loss = total.is_some_and(|total| total.misere() == 0);
            assert_eq!(plain.is_loss(heaps), loss, "{table:?}: {heaps:?}");
        }
    }
}

#[test]
fn equal_forms_replace_each_other_and_others_do_not() {
    // All games of depth at most 3 are built from their options without reduction, and told apart by adding each other.
    let mut trees: Vec<Vec<usize>> = vec![vec![]];
    for bound in [1usize, 2, 4] {
        let before = trees.len().min(bound);
        for mask in 0..1usize << before {
            let tree: Vec<usize> = (0..before).filter(|bit| mask >> bit & 1 == 1).collect();
            if !trees.contains(&tree) {
                trees.push(tree);
            }
        }
    }
    // Further games on top of these, some of them reducible.
    let mut random = Random::new(6);
    for _ in 0..24 {
        let mut tree: Vec<usize> = (0..trees.len()).filter(|_| random.below(4) == 0).collect();
        tree.dedup();
        trees.push(tree);
    }
    let mut forms = Forms::new(Limits::default());
    let mut form_of = Vec::new();
    for tree in &trees {
        let form = forms.of_options(tree.iter().map(|&option| form_of[option]).collect()).unwrap();
        form_of.push(form);
    }
    let rules = |heap: u32| match heap {
        0 => vec![],
        _ => trees[heap as usize - 1].iter().map(|&option| vec![option as u32 + 1]).collect(),
    };
    let mut plain = Plain::new(&rules, trees.len() as u32);
    for a in 0..trees.len() {
        for b in 0..a {
            let (x, y) = (a as u32 + 1, b as u32 + 1);
            let sum = forms.sum(form_of[a], form_of[b]).unwrap();
            assert_eq!(forms.is_loss(sum), plain.is_loss(&[y, x]), "{a} + {b}");
            if form_of[a] == form_of[b] {
                for third in 1..=trees.len() as u32 {
                    let mut pair = [vec![x, third], vec![y, third]];
                    pair.iter_mut().for_each(|sum| sum.sort_unstable());
                    assert_eq!(plain.is_loss(&pair[0]), plain.is_loss(&pair[1]), "{a}, {b} with {third}");
                }
            }
        }
    }
    // The numbers of misère games of depth at most 0, 1, 2, 3 up to equality are 1, 2, 3, 5.
    let mut small: Vec<_> = form_of.iter().filter(|&&form| forms.depth(form) <= 3).collect();
    small.sort_unstable();
    small.dedup();
    assert_eq!(small.len(), 5);
}

#[test]
fn there_are_22_games_of_depth_four_at_most() {
    // Conway's count of misère games by depth: 1, 2, 3, 5, 22, 4171780.
    let mut forms = Forms::new(Limits::default());
    let mut known = vec![forms.zero()];
    for expected in [2, 3, 5, 22] {
        let mut next = Vec::new();
        for mask in 0..1u32 << known.len() {
            let options = (0..known.len()).filter(|bit| mask >> bit & 1 == 1).map(|bit| known[bit]).collect();
            next.push(forms.of_options(options).unwrap());
        }
        next.sort_unstable();
        next.dedup();
        assert_eq!(next.len(), expected);
        known = next;
    }
}

fn symbols(code: &str, up_to: u32) -> String {
    let mut sums = Sums::new(Code::new(code), Limits::default());
    (0..=up_to).map(|heap| sums.heap_symbol(heap).unwrap()).collect::<Vec<_>>().join(",")
}

#[test]
fn genus_symbols_of_kayles_and_nim() {
    assert_eq!(symbols("077", 11), "0,1,2,3,1,4^146,3,2^2,1^1,4^046,2^2,6^46");
    assert_eq!(symbols("0333", 8), "0,1,2,3,0,1,2,3,0");
    let zero = Genus::from_options([]);
    assert_eq!((zero.full_text(), zero.to_string()), ("0^120".into(), "0^1".into()));
}

#[test]
fn quotients_of_the_literature() {
    let cases = [
        ("0123", 20, 5),
        ("034", 12, 3),
        ("053", 16, 3),
        ("071", 36, 9),
        ("075", 8, 2),
        ("0351", 22, 6),
        ("031", 6, 2),
        ("077", 40, 9),
    ];
    for (code, order, p_types) in cases {
        let quotient = Quotient::of(Code::new(code), 200, Limits::default()).unwrap();
        assert_eq!((quotient.order(), quotient.p_types()), (order, p_types), "{code}");
        assert!(matches!(quotient.proof(), Proof::Theorem(_)), "{code}");
    }
}

#[test]
fn dawsons_kayles_has_the_known_partial_quotients() {
    let mut quotient = Quotient::new(Code::new("007"), Limits::default());
    for (heap, order) in [(14, 24), (24, 24), (26, 144), (29, 176)] {
        quotient.extend(heap).unwrap();
        assert_eq!(quotient.order(), order, "heap {heap}");
    }
}

#[test]
fn kayles_has_its_period_and_answers_for_huge_heaps() {
    let quotient = Quotient::of(Code::new("077"), 200, Limits::default()).unwrap();
    assert_eq!(quotient.period(), Some(Period { start: 71, length: 12, saltus: 0 }));
    assert_eq!(quotient.presentation().generators, [1, 2, 5, 9, 12, 25, 27]);
    let huge = 10u64.pow(18);
    assert_eq!(quotient.element(huge), quotient.element(huge - 12));
    assert_eq!(quotient.is_loss(&[huge, huge + 12]), quotient.is_loss(&[100, 112]));
    assert!(quotient.winning_moves(&[huge], 10).is_err());
    let moves = quotient.winning_moves(&[9, 5, 2], usize::MAX).unwrap().unwrap();
    let mut plain = Plain::new(&Code::new("077"), 9);
    assert_eq!(moves.is_empty(), plain.is_loss(&[2, 5, 9]));
    for HeapMove { place, parts } in moves {
        let mut after = vec![9, 5, 2];
        after.swap_remove(place);
        after.extend(parts);
        after.sort_unstable();
        assert!(plain.is_loss(&after));
    }
}

#[test]
fn proved_periods_hold_when_the_window_is_ignored() {
    // The same game without a promise of shape goes on heap by heap; the two must agree far beyond the window.
    for code in ["0123", "034", "071", "0351", "0231", "0152"] {
        let proved = Quotient::of(Code::new(code), 200, Limits::default()).unwrap();
        let period = proved.period().unwrap();
        let rules = |heap: u32| Code::new(code).options(heap);
        let plain = Quotient::of(rules, 90.max(2 * proved.largest()), Limits::default()).unwrap();
        assert_eq!(plain.order(), proved.order(), "{code} {period:?}");
        for heap in 0..=u64::from(plain.largest()) {
            assert_eq!(plain.element(heap), proved.element(heap), "{code}: heap {heap}, {period:?}");
        }
    }
}

#[test]
fn limits_and_bad_rules_are_errors() {
    let growing = |heap: u32| vec![vec![heap]];
    assert!(Quotient::of(growing, 3, Limits::default()).err().unwrap().to_string().contains("not smaller"));
    let tight = Limits { order: 10, ..Limits::default() };
    let mut quotient = Quotient::new(Code::new("077"), tight);
    assert!(quotient.extend(50).unwrap_err().to_string().contains("10 elements"));
    assert_eq!((quotient.largest(), quotient.order()), (4, 6));
    let mut sums = Sums::new(Code::new("077"), Limits { positions: 5, forms: 1, ..Limits::default() });
    assert!(sums.is_loss(&[20, 21]).unwrap_err().to_string().contains("limit of 5 positions"));
}
