//! Small limits on memory: they are reached by one instance and told of it; the program goes on.

use serde_json::Value;

use crate::support::{run, run_with};

#[test]
fn a_game_that_a_search_solves_in_little_memory_is_solved_by_default() {
    // Othello is tried by a search first, then by a table that does not fit. What the table leaves must not count for the last search.
    for words in ["solve connect_k 5 5 4 --memory 30M", "solve othello 4 5 --memory 60M"] {
        let ran = run(&format!("{words} --json"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words}");
        let found: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(found["method"], "alpha_beta", "{words}");
    }
}

#[test]
fn what_is_known_is_explained_in_little_memory() {
    for game in ["othello 4 5", "hex 4", "y 5", "connect_k 5 5 4", "domineering 6 6", "nogo", "l_game"] {
        for memory in ["20M", "40M"] {
            let ran = run(&format!("explain {game} --memory {memory}"));
            assert_eq!(ran.code, 0, "{game} {memory}: {}", ran.err);
            assert!(ran.out.contains("\nkind ") && ran.out.contains("\nmethod "), "{game} {memory}: {}", ran.out);
        }
    }
}

#[test]
fn one_large_line_does_not_end_the_others() {
    let large = r#"{"rows": 6, "columns": 7, "k": 4}"#;
    let small = r#"{"rows": 3, "columns": 3, "k": 3}"#;
    let ran =
        run_with("solve connect_k --batch - --strong --memory 40M", &format!("{small}\n{large}\n{small}\n{small}\n"));
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((ran.code, lines.len()), (3, 4), "{}{}", ran.out, ran.err);
    assert_eq!(lines[1]["error"]["limit"], "memory", "{}", lines[1]);
    for small in [0, 2, 3] {
        assert_eq!(lines[small]["outcome"], "draw", "{}", lines[small]);
    }
}

#[test]
fn rules_that_unfold_to_much_end_their_own_line_only() {
    for (game, sizes, memory) in [("hex", [6, 2], "60M"), ("hex", [6, 2], "30M"), ("lines_of_action", [5, 3], "60M")] {
        let input: String = sizes.iter().map(|size| format!("{{\"size\": {size}}}\n")).collect();
        let ran = run_with(&format!("solve {game} --batch - --memory {memory} --time 3s"), &input);
        let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((ran.code, lines.len()), (3, 2), "{game} {memory}: {}{}", ran.out, ran.err);
        assert_eq!(lines[0]["error"]["kind"], "limit", "{game} {memory}: {}", lines[0]);
        assert!(lines[1]["winner"].is_string(), "{game} {memory}: {}", lines[1]);
    }
}

#[test]
fn a_sample_goes_on_behind_an_instance_that_is_too_large() {
    let ran = run("test connect_k hex --memory 20M --time 2s");
    assert!(ran.code <= 1 && ran.out.lines().count() == 3, "{}{}", ran.out, ran.err);
}
