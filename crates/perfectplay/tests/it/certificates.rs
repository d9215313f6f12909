//! Certificates: what every method writes is verified, and nothing else is.

use std::time::Duration;

use perfectplay::answer::{Solution, solution};
use perfectplay::certificates::{self, Refusal, Scope, Unwritten, Verified, Written};
use perfectplay::gallery::GALLERY;
use perfectplay::language::{Bound, Position, bind, example_instance};
use perfectplay::plan;
use perfectplay::solving::{Limits, Monitor, Options, Question, SolveError, Solved, solve};
use solve::value_text::same;
use testkit::Random;
use testkit::explicit::Aim;
use testkit::files;
use testkit::net::{Keeping, Recipe, Spelling, random_net};
use testkit::writer::{Style, Writer};
use verify::claim::Claim;
use verify::stream::{BLOCK, NAME, Reader, VERSION, checksum};

fn monitor() -> Monitor {
    Monitor::new(&Limits { memory: 512 << 20, time: Some(Duration::from_secs(120)) })
}

/// The certificate of an answer, and what was written.
fn certificate(solved: &Solved<'_>, solution: &Solution, rules: &str) -> Result<(Vec<u8>, Written), SolveError> {
    let mut file = Vec::new();
    match certificates::write(solved, solution, (rules, Scope::Proof), &mut file, &mut monitor()) {
        Ok(written) => Ok((file, written)),
        Err(Unwritten::Solve(error)) => Err(error),
        Err(Unwritten::File(error)) => panic!("{error}"),
    }
}

fn check(file: &[u8]) -> Result<Verified, Refusal> {
    certificates::check(file, &mut monitor())
}

/// Solves, writes and checks; gives the file, unless a limit was reached.
fn round(name: &str, source: &str, bound: &Bound, options: &Options) -> Option<Vec<u8>> {
    let solved = match solve(bound, &bound.start, options, &mut monitor()) {
        Ok(solved) => solved,
        Err(error) if error.is_limit() => return None,
        Err(SolveError::NotApplicable(_) | SolveError::Fault(_) | SolveError::Overflow) => return None,
        Err(error) => panic!("{name}: {error}"),
    };
    let told = match solution(&solved, &mut monitor()) {
        Ok(told) => told,
        // A search that proves moves one by one may meet a position that repeats.
        Err(SolveError::NotApplicable(why)) if why.contains("positions repeat") => return None,
        Err(error) => panic!("{name}: {error}"),
    };
    let (file, written) = match certificate(&solved, &told, source) {
        Ok(written) => written,
        Err(error) if error.is_limit() => {
            println!("{name}: {error}");
            return None;
        }
        // A search in a game that repeats knows which moves keep a win, not which bring it nearer.
        Err(SolveError::NotApplicable(why)) if why.contains("a search does not know how far the end is") => {
            return None;
        }
        Err(error) => panic!("{name}, {}: {error}", told.method),
    };
    let verified = check(&file).unwrap_or_else(|refusal| panic!("{name}, {}: {refusal}", told.method));
    assert_eq!(verified.certificate.claim, written.claim, "{name}");
    assert_eq!(verified.certificate.position, solved.start, "{name}");
    assert_eq!(verified.positions, written.positions, "{name}");
    let claim = &written.claim;
    assert!(claim.payoffs.is_some() || claim.outcome == told.outcome, "{name}: {claim:?}");
    assert!(claim.value == told.value, "{name}: {claim:?}");
    let form = told.canonical.as_ref().and_then(|form| form.name.as_ref());
    let told_why = written.left_out.iter().any(|(field, _)| *field == "value");
    assert!(claim.form.as_ref() == form || (claim.form.is_none() && told_why), "{name}: {claim:?}");
    for (claimed, told) in [(claim.nimber, told.nimber), (claim.remoteness, told.remoteness)] {
        assert!(claimed.is_none() || claimed == told, "{name}: {claim:?}");
    }
    Some(file)
}

#[test]
fn every_example_of_the_gallery_has_one() {
    for (name, source) in GALLERY {
        let program = files::program(source);
        for example in &program.examples {
            let instance = example_instance(&program, example).unwrap();
            let Ok(bound) = bind(&program, &instance) else { continue };
            assert!(round(&format!("{name} {instance}"), source, &bound, &Options::default()).is_some());
        }
    }
}

/// A net of one of many kinds, as rules and an instance.
fn net(random: &mut Random) -> (String, String) {
    let aim = *random.pick(&[
        Aim::Outcome(None),
        Aim::Outcome(None),
        Aim::Outcome(Some(0)),
        Aim::Outcome(Some(1)),
        Aim::Difference,
        Aim::Own,
    ]);
    let counted = matches!(aim, Aim::Difference | Aim::Own);
    let players = if aim == Aim::Own && random.one_in(2) { 3 } else { 2 };
    let mut flag = || random.one_in(2);
    let recipe = Recipe {
        players,
        aim,
        loopy: flag() && !counted,
        results: flag(),
        owned: flag(),
        turns: flag(),
        named: flag() || players > 2,
        balanced: flag() && players == 2,
    };
    let net = random_net(random, recipe, 9);
    net.text(Spelling::Numbers, Keeping::Number, true)
}

#[test]
fn random_graphs_have_one_by_every_method() {
    let mut random = Random::new(0x5eed);
    for number in 0..250 {
        let (rules, instance) = net(&mut random);
        let bound = files::bound(&files::program(&rules), &instance);
        let name = format!("net {number}\n{rules}\n{instance}\n");
        round(&name, &rules, &bound, &Options::default());
        for method in plan::methods() {
            round(&name, &rules, &bound, &Options { method: Some(method), ..Options::default() });
        }
    }
}

#[test]
fn random_rules_have_one() {
    let mut random = Random::new(77);
    let mut verified = 0;
    for number in 0..200 {
        let mut style = if random.one_in(2) { Style::won(&mut random) } else { Style::counted(&mut random, 4) };
        style.sum = random.one_in(3);
        style.counter |= style.sum;
        let rules = Writer::new(&mut random, style).file();
        let Ok(bound) = bind(&files::program(&rules), &Default::default()) else { continue };
        verified +=
            usize::from(round(&format!("file {number}\n{rules}\n"), &rules, &bound, &Options::default()).is_some());
    }
    assert!(verified > 60, "{verified}");
}

#[test]
fn samples_agree_and_are_no_proofs() {
    let mut sampled = 0;
    for (name, instance) in [
        ("coins", r#"{"coins": [5, 3, 7, 10, 2]}"#),
        ("stones", r#"{"n": 1000000000000000000}"#),
        ("misere_nim", r#"{"piles": [1000000000000000000, 1000000000000000000, 5]}"#),
        ("tic_tac_toe", "{}"),
        ("chomp", "{}"),
        ("three_player_row", "{}"),
        ("kayles", r#"{"rows": [7, 4]}"#),
        ("rook_endgame", r#"{"side": 3, "king": 0, "rook": 2, "lone": 6}"#),
    ] {
        let source = files::gallery_text(name);
        let bound = files::bound(&files::program(&source), instance);
        let solved = solve(&bound, &bound.start, &Options::default(), &mut monitor()).unwrap();
        let told = solution(&solved, &mut monitor()).unwrap();
        let mut file = Vec::new();
        let scope = (source.as_str(), Scope::Sample(40));
        let written = certificates::write(&solved, &told, scope, &mut file, &mut monitor());
        let written = written.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let verified = check(&file).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        assert_eq!((verified.sampled, verified.summary.proved.len()), (written.sampled, 0), "{name}");
        sampled += verified.positions;
    }
    assert!(sampled > 150, "{sampled}");
}

/// The second player draws by the long way only: on the short one the first turns round for ever, and wins by that.
#[test]
fn a_draw_is_forced_where_endless_play_is_won() {
    let rules = "game forced(next: [[int]] = [[1, 2], [0, 5], [3], [4], [5], []]) {
        starts second;
        state { at in 0..6 = 0; }
        end when at == 5 => draw;
        move go(to in next[at]) { at = to; }
        forever => winner first;
    }";
    let bound = files::bound(&files::program(rules), "{}");
    let file = round("forced", rules, &bound, &Options::default()).unwrap();
    let claim = check(&file).unwrap().certificate.claim;
    assert_eq!(claim.outcome.map(|outcome| outcome.to_string()).as_deref(), Some("draw"));
}

/// Sums of very many positions whose last mover loses, of listed parts and of heaps of any size.
#[test]
fn misere_sums_have_one() {
    let rules = "game g(heaps: [int]) {
        sum of heap(h in 0..=max(heaps, 0)) from heaps;
        move take(k in [1, 2, 5]) when k <= h { h -= k; }
        stuck => win;
    }";
    let nim = files::gallery_text("misere_nim");
    for (rules, instance) in [
        (rules, r#"{"heaps": [1000000000000000003, 1000000000000000002, 5]}"#),
        (rules, r#"{"heaps": [40, 41, 42, 43, 44, 45, 46, 47]}"#),
        (&nim, r#"{"piles": [9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 4]}"#),
    ] {
        let bound = files::bound(&files::program(rules), instance);
        let file = round(instance, rules, &bound, &Options::default()).unwrap();
        let arguments = check(&file).unwrap().arguments;
        assert!(matches!(arguments[..], [verify::argument::Argument::Quotient(_)]), "{instance}: {arguments:?}");
    }
}

/// Positions that repeat, with values of many kinds: each certificate claims the value.
#[test]
fn loopy_values_have_one() {
    let rules = "game g(left: [[int]], right: [[int]], tokens: [int] = [0]) {
        sum of token(at in 0..len(left)) from tokens;
        move first go(to in left[at]) { at = to; }
        move second go(to in right[at]) { at = to; }
    }";
    for (left, right, tokens, value) in [
        ("[[0]]", "[[]]", "[0]", "on"),
        ("[[1],[]]", "[[0],[]]", "[0]", "over"),
        ("[[0]]", "[[0]]", "[0]", "dud"),
        ("[[1],[]]", "[[0],[]]", "[0,0]", "over"),
        ("[[1,2],[],[1]]", "[[0],[],[1]]", "[0]", ""),
        ("[[1],[0],[]]", "[[1],[2],[]]", "[0,1]", ""),
    ] {
        let instance = format!(r#"{{"left": {left}, "right": {right}, "tokens": {tokens}}}"#);
        let bound = files::bound(&files::program(rules), &instance);
        let file = round(&instance, rules, &bound, &Options::default()).unwrap();
        let form = check(&file).unwrap().certificate.claim.form;
        println!("{instance}: {form:?}");
        assert!(value.is_empty() || form.as_deref() == Some(value), "{instance}: {form:?}");
    }
}

/// The bytes of a certificate, unpacked.
fn unpacked(file: &[u8]) -> Vec<u8> {
    let mut reader = Reader::new(file).unwrap();
    let mut bytes = Vec::new();
    while let Ok(byte) = reader.byte() {
        bytes.push(byte);
    }
    bytes
}

/// A certificate of these bytes, with checksums that are right.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut file = NAME.to_vec();
    file.extend(VERSION.to_le_bytes());
    let mut before = 0;
    for block in bytes.chunks(BLOCK).chain([&[][..]]) {
        let packed = if block.is_empty() { Vec::new() } else { miniz_oxide::deflate::compress_to_vec(block, 1) };
        before = checksum(before, block.len() as u32, &packed);
        file.extend((block.len() as u32).to_le_bytes());
        file.extend((packed.len() as u32).to_le_bytes());
        file.extend(before.to_le_bytes());
        file.extend(packed);
    }
    file
}

/// Small certificates of every kind of argument.
fn small() -> Vec<(String, Vec<u8>)> {
    let wanted = [
        ("coins", r#"{"coins": [5, 3, 7]}"#),
        ("tic_tac_toe", r#"{"size": 2}"#),
        ("nim", r#"{"piles": [2, 3]}"#),
        ("digraph_tokens", r#"{"tokens": [4, 2]}"#),
        ("cat_and_mouse", r#"{"graph": [[1, 3], [0], [3], [0, 2]]}"#),
        ("three_player_row", r#"{"coins": [1, 2, 9]}"#),
        ("domineering", r#"{"rows": 2, "columns": 2}"#),
        ("hackenbush_strings", r#"{"strings": [[1, -1, 0], [-1]]}"#),
        ("stones", r#"{"n": 1000000000000000000, "moves": [1, 3]}"#),
        ("misere_nim", r#"{"piles": [1, 2]}"#),
        ("nim", r#"{"piles": [1000000000000000000, 6]}"#),
    ];
    wanted
        .iter()
        .map(|(name, instance)| {
            let source = files::gallery_text(name);
            let bound = files::bound(&files::program(&source), instance);
            (name.to_string(), round(name, &source, &bound, &Options::default()).unwrap())
        })
        .collect()
}

#[test]
fn a_changed_byte_is_refused() {
    for (name, file) in small() {
        for at in 0..file.len() {
            for change in [1, 0x80, 0xff] {
                let mut changed = file.clone();
                changed[at] ^= change;
                assert!(check(&changed).is_err(), "{name}: byte {at} changed by {change}");
            }
        }
        for length in 0..file.len() {
            assert!(check(&file[..length]).is_err(), "{name}: cut at {length}");
        }
        let longer: Vec<u8> = file.iter().copied().chain([0]).collect();
        assert!(check(&longer).is_err(), "{name}: something follows");
    }
}

/// What the solver says of a position, as a claim would.
fn truth(bound: &Bound, position: &Position) -> Option<Claim> {
    let mut monitor = Monitor::new(&Limits { memory: 64 << 20, time: Some(Duration::from_secs(2)) });
    // A search would not tell how long play lasts; on a busy machine one may seem to be quicker.
    let options = Options { check_total: true, question: Question::Strong, ..Options::default() };
    let solved = solve(bound, position, &options, &mut monitor).ok()?;
    let told = solution(&solved, &mut monitor).ok()?;
    let payoffs = match solved.verdict(position)? {
        game::Verdict::Payoffs { totals, .. } => Some(totals.to_vec()),
        _ => None,
    };
    Some(Claim {
        outcome: told.outcome,
        remoteness: told.remoteness,
        class: told.outcome_class,
        value: told.value,
        payoffs,
        unique: told.unique,
        nimber: told.nimber,
        loopy: told.loopy,
        form: told.canonical.and_then(|form| form.name),
    })
}

/// Whether every field that is claimed is so in truth.
fn agrees(claim: &Claim, truth: &Claim) -> bool {
    fn one<T: PartialEq>(claimed: &Option<T>, truth: &Option<T>) -> bool {
        claimed.is_none() || claimed == truth
    }
    one(&claim.outcome, &truth.outcome)
        && one(&claim.remoteness, &truth.remoteness)
        && (truth.class.is_none() || one(&claim.class, &truth.class)) // Impartial games have one, which nobody asks for.
        && one(&claim.value, &truth.value)
        && one(&claim.payoffs, &truth.payoffs)
        && one(&claim.unique, &truth.unique)
        && one(&claim.nimber, &truth.nimber)
        && one(&claim.loopy, &truth.loopy)
        && match (&claim.form, &truth.form) {
            (Some(claimed), Some(truth)) => same(claimed, truth),
            // Values are told only where that is cheap, and impartial games have nimbers.
            _ => true,
        }
}

/// Whoever changes a certificate and mends its checksums may still only claim what is true.
#[test]
fn no_change_proves_what_is_false() {
    let mut random = Random::new(4);
    let (mut refused, mut accepted) = (0, 0);
    for (name, file) in small() {
        let bytes = unpacked(&file);
        assert!(check(&packed(&bytes)).is_ok(), "{name}");
        // The text of the rules comes first; what follows it is looked at byte by byte.
        let source = files::gallery_text(&name).len();
        let mut place = |at: usize| [1u8, 0xff, *random.pick(&[2, 3, 0xfe, 0x80])].map(|by| (at, by));
        let places: Vec<(usize, u8)> = (source..bytes.len()).flat_map(&mut place).collect();
        let somewhere: Vec<(usize, u8)> =
            (0..200).map(|_| (random.below(bytes.len()), 1 + random.below(255usize) as u8)).collect();
        for (at, by) in places.into_iter().chain(somewhere) {
            let mut changed = bytes.clone();
            changed[at] = changed[at].wrapping_add(by);
            let Ok(verified) = check(&packed(&changed)) else {
                refused += 1;
                continue;
            };
            accepted += 1;
            let about = &verified.certificate;
            let Some(truth) = truth(&about.bound, &about.position) else { continue };
            assert!(agrees(&about.claim, &truth), "{name}: byte {at} by {by}: {:?}, {truth:?}", about.claim);
        }
    }
    assert!(refused > 1000 && accepted > 0, "{refused}, {accepted}");
}

/// Files that are cut, or put together out of two, with checksums that are right.
#[test]
fn spliced_files_prove_nothing_false() {
    let mut random = Random::new(5);
    let files: Vec<(String, Vec<u8>)> = small().into_iter().map(|(name, file)| (name, unpacked(&file))).collect();
    let mut refused = 0;
    for _ in 0..3000 {
        let ((one_name, one), (other_name, other)) = (random.pick(&files).clone(), random.pick(&files).clone());
        // Half of the time the head stays whole, so that more than the reader of rules is met.
        let head = if random.one_in(2) { files::gallery_text(&one_name).len() + 40 } else { 0 }.min(one.len() - 1);
        let cut = head + random.below(one.len() - head);
        let mut changed = one[..cut].to_vec();
        if !random.one_in(4) {
            changed.extend(&other[random.below(other.len())..]);
        }
        let Ok(verified) = check(&packed(&changed)) else {
            refused += 1;
            continue;
        };
        let about = &verified.certificate;
        let Some(truth) = truth(&about.bound, &about.position) else { continue };
        assert!(agrees(&about.claim, &truth), "{one_name}, {other_name}: {:?}, {truth:?}", about.claim);
    }
    assert!(refused > 2000, "{refused}");
}

/// Heaps too large to list are proved by a period.
#[test]
fn periods_prove_large_heaps() {
    for (name, instance) in [
        ("stones", r#"{"n": 1000000000000000000, "moves": [1, 3, 4]}"#),
        ("stones", r#"{"n": 999999999999999999, "moves": [2, 5, 11]}"#),
        ("subtraction", r#"{"heaps": [1000000000000000000, 7, 123456789], "moves": [1, 4, 9]}"#),
        ("kayles", r#"{"rows": [1000000000000000000]}"#),
        ("dawson_kayles", r#"{"rows": [123456789012345, 5]}"#),
        ("octal", r#"{"code": "0.77", "n": 1000000000000000003}"#),
        ("octal", r#"{"code": "0.137", "n": 1000000000000}"#),
        ("remove_134", r#"{"n": 1000000000000000000}"#),
        ("nim", r#"{"piles": [1000000000000000000, 5]}"#),
        ("nim", r#"{"piles": [100000, 99999, 3]}"#),
        ("subtraction", r#"{"heaps": [1000000000000000], "moves": [1000, 4001]}"#),
        ("octal", r#"{"code": "0.156", "n": 1000000000000}"#),
        ("grundy", r#"{"heaps": [30000, 7]}"#),
    ] {
        let source = files::gallery_text(name);
        let bound = files::bound(&files::program(&source), instance);
        let file = round(name, &source, &bound, &Options::default());
        let claim = check(&file.unwrap_or_else(|| panic!("{name} {instance}"))).unwrap().certificate.claim;
        let told = solve(&bound, &bound.start, &Options::default(), &mut monitor()).unwrap();
        let truth = told.verdict(&bound.start).and_then(|verdict| verdict.nimber());
        assert_eq!(claim.nimber, truth, "{name} {instance}");
        let single = told.start.parts.len() == 1 && ["stones", "remove_134"].contains(&name);
        assert_eq!(claim.remoteness, if single { told.answers.remoteness(&told.start) } else { None });
    }
}
