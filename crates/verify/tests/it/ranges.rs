//! Nimbers of heaps that become any heap of a range, against plain mex.

use testkit::{Random, files};
use verify::heap_rules;
use verify::ranges::Ranges;

/// Whether the range holds from some size on; what it says of larger heaps is compared.
fn agrees(body: &str, options: impl Fn(usize) -> Vec<usize>) -> bool {
    let source = format!("game heaps(n: int = 900) {{ sum of heap(h in 0..=n) from [n]; {body} }}");
    let bound = files::bound(&files::program(&source), "{}");
    let mut nimbers: Vec<u64> = Vec::new();
    for heap in 0..300 {
        let met: Vec<u64> = options(heap).into_iter().map(|option| nimbers[option]).collect();
        nimbers.push((0..).find(|nimber| !met.contains(nimber)).unwrap());
    }
    let mut held = false;
    for alike in [1u64, 2, 4, 8, 16, 32] {
        let Ok(rules) = heap_rules::read(&bound, alike as i64) else { continue };
        let ranges = Ranges { alike };
        let Some(needed) = ranges.needed(&rules) else { continue };
        if ranges.hold(&rules, &nimbers[..needed as usize]).is_err() {
            continue;
        }
        held = true;
        let steps = (needed - alike) as usize;
        for heap in alike as usize..nimbers.len() - steps {
            assert_eq!(nimbers[heap + steps], nimbers[heap] + 1, "{body}, heap {heap} from {alike}");
        }
        // A nimber that is wrong is seen, or is one that nothing depends on.
        assert!(ranges.hold(&rules, &nimbers[..needed as usize - 1]).is_err());
    }
    held
}

#[test]
fn heaps_of_a_range_grow_evenly() {
    assert!(agrees("move take(k in 1..=h) { h -= k; }", |heap| (0..heap).collect()));
    let mut random = Random::new(43);
    let mut held = 0;
    for _ in 0..300 {
        let (taken, least) = (1 + random.below(6usize), random.below(5usize));
        // Small heaps may have moves of their own, which may spoil everything that follows.
        let (from, single) = (least + taken + random.below(6usize), 1 + random.below(4usize));
        let body = format!(
            "move leave(x in {least}..=h - {taken}) when h >= {from} {{ h = x; }} \
             move small when h < {from} and h >= {single} {{ h -= {single}; }}"
        );
        held += agrees(&body, |heap| match heap >= from {
            true => (least..=heap - taken).collect(),
            false => heap.checked_sub(single).into_iter().collect(),
        }) as usize;
    }
    assert!(held > 150, "{held}");
}

#[test]
fn other_rules_are_no_ranges() {
    for body in [
        "move take(k in 1..=3) when k <= h { h -= k; }",
        "move take(k in 1..=h) { h -= k; } move cut(x in 1..=h - 1) { split (x), (h - x); }",
        "move leave(x in 3..=h - 1) { h = x; } move two(x in 0..=h - 5) { h = x; }",
        "move leave(x in 0..=h - 3) { h = x; } move one when h > 0 { h -= 1; }",
    ] {
        let source = format!("game heaps(n: int = 900) {{ sum of heap(h in 0..=n) from [n]; {body} }}");
        let bound = files::bound(&files::program(&source), "{}");
        for alike in [8u64, 16] {
            let rules = heap_rules::read(&bound, alike as i64).unwrap();
            assert_eq!(Ranges { alike }.needed(&rules), None, "{body}");
            assert!(Ranges { alike }.hold(&rules, &[0; 100]).is_err());
        }
    }
}
