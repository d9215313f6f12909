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
    for (name, instance) in [
        ("teeko", r#"{"side": 5, "men": 4}"#),
        ("six_mens_morris", r#"{"men": 3}"#),
        ("six_mens_morris", r#"{}"#),
        ("three_mens_morris", "{}"),
        ("tic_tac_toe", "{}"),
        ("dao", "{}"),
        ("quixo", "{}"),
        ("hexapawn", "{}"),
        ("dodgem", "{}"),
        ("fox_and_geese", "{}"),
        ("tigers_and_goats", "{}"),
        ("surakarta", "{}"),
        ("asalto", "{}"),
        ("breakthrough", "{}"),
        ("connect_k", "{}"),
        ("rook_endgame", "{}"),
        ("pawn_endgame", "{}"),
        ("mu_torere", "{}"),
        ("othello", "{}"),
        ("clobber_board", "{}"),
        ("lines_of_action", "{}"),
        ("nogo", "{}"),
        ("konane", "{}"),
        ("kalah", "{}"),
        ("l_game", "{}"),
        ("y", "{}"),
        ("hex", "{}"),
    ] {
        println!("{name} {instance}: {:?}", layered(name, instance));
    }
}
