//! Layers of games with stones: every position of a play has a class, every move goes down or stays, and numbers are dense.

use std::collections::HashSet;

use formula::{Layering, specialise, study};
use rules::play;
use testkit::Random;
use testkit::files::{bound, game, program};

/// The layers of a game of the gallery, checked along random plays; how many there are, how many are cyclic, and all codes.
fn layered(name: &str, instance: &str) -> Result<(usize, usize, u64), String> {
    let program = program(&game(name));
    let bound = bound(&program, instance);
    let formulas = specialise(&bound).unwrap();
    let with_turn = formulas.reads_mover;
    let start = &bound.start.parts[0];
    let study = study(formulas, start, bound.start.turn.0, with_turn);
    let (coded, layers) = Layering::new(&study, start, bound.start.turn.0)?;
    let mut random = Random::new(7);
    for _ in 0..20 {
        let mut position = bound.start.clone();
        let mut before = u32::MAX;
        for _ in 0..200 {
            let code = coded.code(&position.parts[0], position.turn.0);
            let (layer, number) = layers.place(code).expect("a position of a play has a place");
            assert!(layer < before || layer == before && layers.layers()[layer as usize].is_cyclic);
            assert!(before == u32::MAX || layer == before || layers.layers()[before as usize].below.contains(&layer));
            let class = layers.class_at(layer, number);
            assert_eq!(layers.code(class, number - layers.classes()[class as usize].first), code);
            before = layer;
            let Ok(plays) = play::plays(&bound, &position) else { panic!("a fault") };
            if plays.is_empty() {
                break;
            }
            position = plays[random.below(plays.len())].option(&position);
        }
    }
    // All numbers of a few classes, in the order of the positions.
    for class in layers.classes().iter().zip(0..).filter(|(class, _)| class.size < 5000).map(|(_, number)| number) {
        let codes: Vec<u64> = (0..layers.classes()[class as usize].size).map(|at| layers.code(class, at)).collect();
        assert!(codes.is_sorted() && codes.iter().collect::<HashSet<_>>().len() == codes.len());
        let first = layers.classes()[class as usize].first;
        let layer = layers.classes()[class as usize].layer;
        assert!((first..).zip(&codes).all(|(number, code)| layers.place(*code) == Some((layer, number))));
    }
    let cyclic = layers.layers().iter().filter(|layer| layer.is_cyclic).count();
    Ok((layers.layers().len(), cyclic, layers.size().unwrap()))
}

#[test]
fn games_of_stones_fall_into_layers() {
    // One layer for each number of stones that were placed; moves go on in the last. All boards with such stones, and no others:
    // with k stones placed, n! / (b! r! (n − k)!), and twice as many for both turns in the end.
    assert_eq!(layered("teeko", "{}"), Ok((7, 1, 5710)));
    assert_eq!(layered("teeko", r#"{"side": 5, "men": 4}"#), Ok((9, 1, 172_401_726)));
    assert_eq!(layered("three_mens_morris", "{}"), Ok((7, 1, 5710)));
    assert_eq!(layered("tic_tac_toe", "{}"), Ok((10, 0, 6046)));
    // Stones are taken, too; a mill gives another turn.
    assert_eq!(layered("six_mens_morris", r#"{"men": 3}"#), Ok((85, 16, 1_277_309)));
    assert_eq!(layered("six_mens_morris", "{}"), Ok((435, 49, 147_646_497)));
    // Stones only move: one layer, without boards with other numbers of stones.
    assert_eq!(layered("mu_torere", "{}"), Ok((1, 1, 1260)));
    for name in
        ["dodgem", "hexapawn", "tigers_and_goats", "surakarta", "asalto", "breakthrough", "konane", "nogo", "quixo"]
    {
        let (layers, _, _) = layered(name, "{}").unwrap();
        assert!(layers > 1, "{name}");
    }
}

#[test]
fn games_without_stones_to_count_have_no_layers() {
    assert!(layered("l_game", "{}").unwrap_err().contains("no array of cells"));
    assert!(layered("othello", "{}").unwrap_err().contains("not known beforehand"));
}
