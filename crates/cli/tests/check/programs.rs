//! Solutions of known problems, right ones and wrong ones. Each reads standard input and prints its answer.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{hostile, players, problems};

/// The numbers of standard input.
fn numbers() -> Vec<i64> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// Stones: how many of them, and how many may be taken.
fn stones() -> (usize, Vec<usize>) {
    let numbers = numbers();
    let takes = numbers[2..2 + numbers[0] as usize].iter().map(|take| *take as usize).collect();
    (numbers[1] as usize, takes)
}

/// Who wins by a table, whose entry 0 is `empty`, filled up to `last`.
fn table(last: usize, takes: &[usize], empty: bool) -> Vec<bool> {
    let mut wins = vec![empty];
    for left in 1..=last {
        wins.push(takes.iter().any(|take| *take <= left && !wins[left - take]));
    }
    wins
}

fn say(wins: bool) {
    println!("{}", if wins { "First" } else { "Second" });
}

fn recursion(left: usize, takes: &[usize]) -> bool {
    takes.iter().any(|take| *take <= left && !recursion(left - take, takes))
}

/// The largest number is always taken.
fn greedy(mut left: usize, takes: &[usize]) -> bool {
    let mut first = true;
    while let Some(take) = takes.iter().filter(|take| **take <= left).max() {
        left -= take;
        first = !first;
    }
    !first
}

/// What is best of a row of coins for the player to move, minus what the other gets.
fn coins(row: &[i64]) -> i64 {
    let n = row.len();
    let mut best = vec![vec![0i64; n + 1]; n + 1];
    for length in 1..=n {
        for i in 0..=n - length {
            let j = i + length;
            best[i][j] = (row[i] - best[i + 1][j]).max(row[j - 1] - best[i][j - 1]);
        }
    }
    best[0][n]
}

/// The larger end is always taken.
fn greedy_coins(row: &[i64]) -> i64 {
    let (mut i, mut j, mut sign, mut total) = (0, row.len(), 1, 0);
    while i < j {
        let left = row[i] >= row[j - 1];
        total += sign * if left { row[i] } else { row[j - 1] };
        if left {
            i += 1
        } else {
            j -= 1
        }
        sign = -sign;
    }
    total
}

/// Piles from the front of a row, one to three at a time: the lead of the player to move.
fn stone_game(values: &[i64]) -> i64 {
    let n = values.len();
    let mut lead = vec![0; n + 1];
    for i in (0..n).rev() {
        let takes = 1..=3.min(n - i);
        lead[i] = takes.map(|k| values[i..i + k].iter().sum::<i64>() - lead[i + k]).max().unwrap_or(0);
    }
    lead[0]
}

/// The numbers of JSON on standard input.
fn json_numbers() -> Vec<i64> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let plain = text.replace(['[', ']', ','], " ");
    plain.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// Starts another program that sleeps for long and holds the pipes.
fn leave_a_sleeper() -> std::process::Child {
    let own = std::env::current_exe().unwrap();
    Command::new(own).args(["program", "sleep"]).stdin(Stdio::null()).spawn().unwrap()
}

pub fn run(name: &str) {
    match name {
        "stones" => {
            let (k, takes) = stones();
            say(table(k, &takes, false)[k]);
        }
        "off_by_one" => {
            let (k, takes) = stones();
            let wins = table(k, &takes, false);
            say(wins[k.saturating_sub(1)]);
        }
        "wrong_base" => {
            let (k, takes) = stones();
            say(table(k, &takes, true)[k]);
        }
        "greedy" => {
            let (k, takes) = stones();
            say(greedy(k, &takes));
        }
        "too_slow" => {
            let (k, takes) = stones();
            say(recursion(k, &takes));
        }
        "crash" => {
            let (k, takes) = stones();
            let wins = table(k, &takes, false);
            // Wrong where a number is larger than the heap.
            for take in &takes {
                std::hint::black_box(wins[k - take]);
            }
            say(wins[k]);
        }
        "abort" => {
            let (k, takes) = stones();
            if k >= 9 {
                std::process::abort();
            }
            say(table(k, &takes, false)[k]);
        }
        "endless" => {
            let (k, takes) = stones();
            if k == 7 {
                loop {
                    std::hint::spin_loop();
                }
            }
            say(table(k, &takes, false)[k]);
        }
        "silent" => {
            let (k, takes) = stones();
            if takes.len() < 3 {
                say(table(k, &takes, false)[k]);
            }
        }
        "other_words" => {
            let (k, takes) = stones();
            println!("{}", if table(k, &takes, false)[k] { "Alice" } else { "Bob" });
        }
        "chatty" => {
            let (k, takes) = stones();
            say(table(k, &takes, false)[k]);
            println!("done");
        }
        "garbage" => {
            let (k, takes) = stones();
            say(table(k, &takes, false)[k]);
            if k >= 5 {
                loop {
                    println!("{}", "x".repeat(1000));
                }
            }
        }
        "deaf" => say(true),
        "leaves_a_child" => {
            let (k, takes) = stones();
            // Nobody waits for it: that is the mistake.
            std::mem::forget(leave_a_sleeper());
            say(table(k, &takes, false)[k]);
        }
        "waits_for_a_child" => {
            let _ = numbers();
            let _ = leave_a_sleeper().wait();
        }
        "sleep" => std::thread::sleep(Duration::from_secs(1000)),
        "memory" => {
            let (k, takes) = stones();
            let large: Vec<u8> = if k >= 3 { vec![1; 3 << 30] } else { Vec::new() };
            say(table(k, &takes, false)[k] ^ (large.iter().step_by(1 << 20).any(|byte| *byte == 2)));
        }
        "coins" => println!("{}", coins(&numbers()[1..])),
        "greedy_coins" => println!("{}", greedy_coins(&numbers()[1..])),
        "coins_without_the_last" => {
            let row = &numbers()[1..];
            println!("{}", coins(&row[..row.len().saturating_sub(1)]));
        }
        "stone_game" | "wrong_tie" => {
            let lead = stone_game(&numbers()[1..]);
            let tie = if name == "wrong_tie" { "Bob" } else { "Tie" };
            println!(
                "{}",
                [tie, "Alice", "Bob"][if lead == 0 {
                    0
                } else if lead > 0 {
                    1
                } else {
                    2
                }]
            );
        }
        "json_coins" => println!("{}", coins(&json_numbers()) >= 0),
        "json_coins_python" => println!("{}", if coins(&json_numbers()) >= 0 { "True" } else { "False" }),
        "json_coins_strict" => println!("{}", coins(&json_numbers()) > 0),
        "nim_move" | "nim_any_move" => {
            let piles = &numbers()[1..];
            let sum = piles.iter().fold(0, |sum, pile| sum ^ pile);
            println!("{}", if sum == 0 { "Second" } else { "First" });
            let any = piles.iter().position(|pile| *pile > 0).map(|index| (index, 1));
            let best = piles
                .iter()
                .position(|pile| pile ^ sum < *pile)
                .map(|index| (index, piles[index] - (piles[index] ^ sum)));
            let mv = if name == "nim_move" { best } else { any };
            if let (Some((index, take)), true) = (mv, sum != 0) {
                println!("{index} {take}");
            }
        }
        other if problems::run(other) || hostile::run(other) => {}
        other => players::run(other),
    }
}
