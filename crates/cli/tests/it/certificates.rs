//! `solve --proof` and `verify`: exit codes, limits, and files that are no certificates.

use std::fs;

use crate::support::{Folder, run};

#[test]
fn the_exit_code_tells_what_became_of_a_certificate() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.join(name).display().to_string();
    let proof = path("ttt.proof");
    assert_eq!(run(&format!("solve tic_tac_toe --proof {proof}")).code, 0);
    let ran = run(&format!("verify {proof}"));
    assert_eq!((ran.code, ran.out.contains(": verified\n")), (0, true), "{}", ran.out);
    assert_eq!(run(&format!("verify {proof} tic_tac_toe size=3")).code, 0);
    for words in ["nim", "tic_tac_toe size=2"] {
        let ran = run(&format!("verify {proof} {words}"));
        assert_eq!((ran.code, ran.out.contains("refused")), (1, true), "{}", ran.out);
    }
    let mut bytes = fs::read(&proof).unwrap();
    let last = bytes.len() - 40;
    bytes[last] ^= 1;
    fs::write(path("damaged.proof"), &bytes).unwrap();
    fs::write(path("text.proof"), "not a certificate").unwrap();
    for name in ["damaged.proof", "text.proof", "nowhere.proof"] {
        let ran = run(&format!("verify {}", path(name)));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{name}: {}", ran.err);
        assert!(ran.err.contains("cannot read the certificate"), "{}", ran.err);
    }
    let ran = run(&format!("verify {proof} --memory 10K"));
    assert_eq!(ran.code, 3, "{}", ran.err);
}

#[test]
fn a_sample_is_not_called_a_proof() {
    let folder = Folder::new();
    let proof = folder.0.join("stones.proof").display().to_string();
    // A proof for a long row is as long as the table of all its positions.
    let coins: Vec<String> = (0..10_000).map(|at| (at * 7919 % 101).to_string()).collect();
    let row = folder.0.join("row.json").display().to_string();
    fs::write(&row, format!("[{}]", coins.join(","))).unwrap();
    let ran = run(&format!("solve coins coins=@{row} --proof {proof}"));
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.out.contains("wins") && ran.err.contains("--sample"), "{}", ran.err);
    assert!(!folder.0.join("stones.proof").exists());
    assert_eq!(run(&format!("solve stones n=10^18 --proof {proof} --sample 50")).code, 0);
    let ran = run(&format!("verify {proof}"));
    assert_eq!(ran.code, 3);
    assert!(ran.out.contains("nothing is proved") && !ran.out.contains("verified"), "{}", ran.out);
}

#[test]
fn a_limit_leaves_no_certificate_and_the_answer_stands() {
    let folder = Folder::new();
    let proof = folder.0.join("large.proof").display().to_string();
    let ran = run(&format!("solve connect_k rows=4 columns=4 k=3 --memory 3M --proof {proof}"));
    if ran.code == 3 && ran.out.contains("wins") {
        assert!(ran.err.contains("the answer stands"), "{}", ran.err);
    }
    assert!(ran.code != 0 || folder.0.join("large.proof").exists());
    assert!(ran.code == 0 || !folder.0.join("large.proof").exists());
}

/// Rules that are legal and odd: the answer is given, whatever becomes of the certificate, and the reason is told.
#[test]
fn odd_rules_leave_the_answer_standing() {
    let folder = Folder::new();
    let proof = folder.0.join("odd.proof").display().to_string();
    let wide = "k in (0 - 5)..=9223372036854775807) when k < 0 - 10";
    let slow = "j in 1..=400, k in 1..=60) when j + k + max(s) < 0";
    for (number, (heap, list, odd, limits)) in
        [(200_000, 1, wide, ""), (200_000, 20_000, slow, "--time 2s"), (5000, 1_000_000, slow, "")]
            .into_iter()
            .enumerate()
    {
        let rules = folder.0.join(format!("odd{number}.game"));
        let text = format!(
            "/// Odd.\ngame odd(heaps: [int] = [{heap}], s: [int] = [0 for i in 0..{list}]) {{\n    \
             sum of heap(n in 0..=max(heaps, 0)) from heaps;\n    \
             move take(k in 1..=2) when k <= n {{ n -= k; }}\n    move odd({odd} {{ n -= 1; }}\n}}\n"
        );
        fs::write(&rules, text).unwrap();
        let ran = run(&format!("solve {} --proof {proof} {limits}", rules.display()));
        assert!(ran.out.contains("the first player wins"), "{odd}: {} {}", ran.out, ran.err);
        let told = match ran.code {
            0 => true,
            2 => ran.err.contains("odd.proof was not written: "),
            3 => ran.err.contains("before") && ran.err.contains("odd.proof was written; the answer stands"),
            _ => false,
        };
        assert!(told, "{odd}: {} {}", ran.code, ran.err);
    }
}

/// Where there are more ways of breaking ties than the checker follows, that is left out of the claim.
#[test]
fn many_ties_are_left_out() {
    let folder = Folder::new();
    let (rules, proof) = (folder.0.join("ties.game"), folder.0.join("ties.proof").display().to_string());
    let text = "/// Many ties.\ngame ties(n: int) {\n    state { left in 0..=n = n; }\n    \
                move a(k in [1, 5]) when k <= left { left -= k; gain k; }\n    \
                move b(k in 1..left + 1) { left -= k; gain 1; }\n    \
                move c(k in 1..left + 1) { left -= k; gain 2; }\n    objective own;\n}\n";
    fs::write(&rules, text).unwrap();
    for n in 1..=12 {
        let ran = run(&format!("solve {} n={n} --proof {proof}", rules.display()));
        assert_eq!(ran.code, 0, "{n}: {}", ran.err);
        assert_eq!(run(&format!("verify {proof}")).code, 0, "{n}");
    }
}

#[test]
fn a_limit_while_parts_are_searched_is_no_mistake_of_ours() {
    let folder = Folder::new();
    let (rules, proof) = (folder.0.join("heaps.game"), folder.0.join("heaps.proof"));
    // Who wins sums of these is searched as the certificate asks for it.
    let text = "/// Partizan heaps.\ngame heaps(heaps: [int] = [5, 6, 7]) {\n    \
                sum of heap(n in 0..=max(heaps, 0)) from heaps;\n    \
                move first a(k in {1, 4}) when k <= n { n -= k; }\n    \
                move second b(k in {2, 3}) when k <= n { n -= k; }\n    \
                move cut(k in 1..n) when n >= 6 and k * 2 == n { split (k), (k); }\n}\n";
    fs::write(&rules, text).unwrap();
    let (rules, proof) = (rules.display(), proof.display());
    let ran = run(&format!("solve {rules} [30,31,32] --method values --proof {proof} --time 4s"));
    assert!(ran.code == 3 && ran.err.contains("the answer stands"), "{} {}", ran.code, ran.err);
    assert!(ran.out.contains("player wins"), "{}", ran.out);
}
