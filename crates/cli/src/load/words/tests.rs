//! What words mean, and which are unclear.

use super::*;

fn read(header: &str, words: &[&str]) -> Result<String, String> {
    let source = format!("game g({header}) {{ state {{ x in 0..=1 = 0; }} move m when x == 0 {{ x = 1; }} }}");
    let program = perfectplay::language::compile(&source).unwrap();
    let words = words.iter().map(|word| word.to_string()).collect();
    let args = GameArgs { game: "g".to_string(), words, instance: None };
    match instance(&args, &program) {
        Ok(instance) => Ok(instance.to_string()),
        Err(Failure::Usage { message, .. }) => Err(message),
        Err(_) => Err("other".to_string()),
    }
}

#[test]
fn words_that_mean_one_thing_are_taken() {
    let list = "piles: [int]";
    for words in [&["3", "4", "5"][..], &["3,4,5"], &["3,", "4,", "5"], &["3 4 5"], &["[3,", "4,", "5]"], &["(3,4,5)"]]
    {
        assert_eq!(read(list, words), Ok(r#"{"piles": [3, 4, 5]}"#.to_string()), "{words:?}");
    }
    for words in [&["piles=3", "4", "5"][..], &["piles", "3", "4", "5"], &["piles=3,", "4,", "5"], &["{3,4,5}"]] {
        assert_eq!(read(list, words), Ok(r#"{"piles": [3, 4, 5]}"#.to_string()), "{words:?}");
    }
    for words in [&["piles=3,4"][..], &["piles", "=", "[3,4]"], &["piles=", "3,4"], &["piles", "[3,", "4]"]] {
        assert_eq!(read(list, words), Ok(r#"{"piles": [3, 4]}"#.to_string()), "{words:?}");
    }
    assert_eq!(read(list, &["7"]), Ok(r#"{"piles": [7]}"#.to_string()));
    assert_eq!(read(list, &[r#"{"piles": [1]}"#]), Ok(r#"{"piles": [1]}"#.to_string()));
    let two = "rows: int = 3, columns: int = 4";
    assert_eq!(read(two, &["3", "4"]), Ok(r#"{"rows": 3, "columns": 4}"#.to_string()));
    assert_eq!(read(two, &["columns=2", "7"]), Ok(r#"{"columns": 2, "rows": 7}"#.to_string()));
    assert_eq!(read(two, &["rows", "2", "columns", "7"]), Ok(r#"{"rows": 2, "columns": 7}"#.to_string()));
    let mixed = "n: int = 3, moves: [int] = [1]";
    assert_eq!(read(mixed, &["[1,3]"]), Ok(r#"{"moves": [1, 3]}"#.to_string()));
    assert_eq!(read(mixed, &["9", "1,3"]), Ok(r#"{"n": 9, "moves": [1, 3]}"#.to_string()));
    assert_eq!(read(two, &["3x4"]), Ok(r#"{"rows": 3, "columns": 4}"#.to_string()));
    assert_eq!(read(two, &["3,4"]), Ok(r#"{"rows": 3, "columns": 4}"#.to_string()));
    assert_eq!(read(two, &["[3, 4]"]), Ok(r#"{"rows": 3, "columns": 4}"#.to_string()));
    assert_eq!(read(two, &["rows=3,columns=4"]), Ok(r#"{"rows": 3, "columns": 4}"#.to_string()));
    assert_eq!(read(two, &["columns=4, rows = 3"]), Ok(r#"{"columns": 4, "rows": 3}"#.to_string()));
    assert_eq!(read("row: [int], n: int = 1", &["row=3,4,n=2"]), Ok(r#"{"row": [3, 4], "n": 2}"#.to_string()));
    assert_eq!(read("n: int", &["n = 5"]), Ok(r#"{"n": 5}"#.to_string()));
    assert_eq!(read("code: text, n: int", &["0.77", "20"]), Ok(r#"{"code": "0.77", "n": 20}"#.to_string()));
    assert_eq!(read("word: text", &[""]), Ok(r#"{"word": ""}"#.to_string()));
    assert_eq!(read("word: text", &["word="]), Ok(r#"{"word": ""}"#.to_string()));
    assert_eq!(read("words: [text]", &["a,b"]), Ok(r#"{"words": ["a", "b"]}"#.to_string()));
}

#[test]
fn words_that_may_mean_several_things_are_not() {
    let two = "rows: int = 3, columns: int = 4";
    assert!(read(two, &["3"]).unwrap_err().starts_with("which parameter"));
    assert!(read(two, &["3", "4", "5"]).unwrap_err().contains("fewer parameters"));
    assert!(read("n: int, moves: [int]", &["10", "1", "3"]).unwrap_err().starts_with("which parameters"));
    assert!(read("coins: [int] = [1], bonus: int = 0", &["5", "3"]).unwrap_err().starts_with("which parameters"));
    assert!(read("heaps: [int] = [1], moves: [int] = [1]", &["5", "7"]).unwrap_err().starts_with("which parameters"));
    // The last word could be the bonus as well.
    let coins = "coins: [int] = [1], bonus: int = 0";
    assert_eq!(read(coins, &["coins=5", "3"]), Ok(r#"{"coins": [5], "bonus": 3}"#.to_string()));
    assert!(read("n: int, m: int, k: int", &["3x4"]).unwrap_err().starts_with("which parameters"));
    assert!(read("n: int", &["x"]).unwrap_err().contains("cannot be read"));
    assert!(read("n: int", &[""]).unwrap_err().contains("empty word"));
    assert!(read("", &["3"]).unwrap_err().contains("takes no parameters"));
    assert!(read("n: int", &["m=3"]).unwrap_err().contains("has no parameter `m`"));
}
