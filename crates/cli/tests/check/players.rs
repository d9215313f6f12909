//! Programs that play Nim, well and badly.

use std::io::{BufRead as _, Write as _};

/// Piles in play.
struct Nim {
    piles: Vec<u64>,
}

impl Nim {
    /// A move that leaves nothing to the other, else one stone of any pile.
    fn best(&self) -> Option<(usize, u64)> {
        let sum = self.piles.iter().fold(0, |sum, pile| sum ^ pile);
        let good = self.piles.iter().position(|pile| pile ^ sum < *pile);
        match good {
            Some(index) => Some((index, self.piles[index] - (self.piles[index] ^ sum))),
            None => self.first(1),
        }
    }

    /// So many stones of the first pile that is not empty.
    fn first(&self, take: u64) -> Option<(usize, u64)> {
        self.piles.iter().position(|pile| *pile > 0).map(|index| (index, take.min(self.piles[index])))
    }

    /// All of the largest pile.
    fn largest(&self) -> Option<(usize, u64)> {
        let (index, pile) = self.piles.iter().enumerate().max_by_key(|(_, pile)| **pile)?;
        (*pile > 0).then_some((index, *pile))
    }
}

pub fn run(name: &str) {
    let mut lines = std::io::stdin().lock().lines().map(|line| line.unwrap());
    let _count = lines.next();
    let piles = lines.next().unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect();
    let mut nim = Nim { piles };
    let mut own_turn = lines.next().unwrap() == "first";
    let mut moves = 0;
    loop {
        if own_turn {
            let mv = match name {
                "nim_player" | "nim_words" | "nim_mute" => nim.best(),
                "nim_greedy" => nim.largest(),
                "nim_one" => nim.first(1),
                "nim_illegal" if moves >= 1 => Some((0, 1000)),
                "nim_leaves" if moves >= 1 => return,
                "nim_illegal" | "nim_leaves" => nim.best(),
                "nim_floods" => loop {
                    println!("{}", " ".repeat(10_000));
                },
                other => panic!("there is no program {other}"),
            };
            let Some((pile, take)) = mv else { return };
            if name == "nim_mute" {
                std::thread::sleep(std::time::Duration::from_secs(1000));
            }
            match name {
                "nim_words" => println!("take({take}) in part {pile}"),
                _ => println!("{pile} {take}"),
            }
            std::io::stdout().flush().unwrap();
            nim.piles[pile] -= take.min(nim.piles[pile]);
            moves += 1;
        } else {
            let Some(line) = lines.next() else { return };
            let numbers: Vec<usize> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
            nim.piles[numbers[0]] -= numbers[1] as u64;
        }
        own_turn = !own_turn;
    }
}
