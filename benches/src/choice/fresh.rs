//! Rules files of other kinds, to which nothing was fitted: they show how predictions hold for games that nobody has seen yet.

use crate::cases::Case;

const REVERSI: &str = include_str!("../../games/fresh/reversi.game");
const MORRIS: &str = include_str!("../../games/fresh/morris.game");
const LAST_PIN: &str = include_str!("../../games/fresh/last_pin.game");
const HOUNDS: &str = include_str!("../../games/fresh/hounds.game");
const LAST_OF_THREE: &str = include_str!("../../games/fresh/last_of_three.game");
const FUEL: &str = include_str!("../../games/fresh/fuel.game");
const PAIRS: &str = include_str!("../../games/fresh/pairs.game");
const CAKES: &str = include_str!("../../games/fresh/cakes.game");
const MISERE_PILES: &str = include_str!("../../games/fresh/misere_piles.game");
const CARTS: &str = include_str!("../../games/fresh/carts.game");
const WALKERS: &str = include_str!("../../games/fresh/walkers.game");
const SQUARE_TAKES: &str = include_str!("../../games/fresh/square_takes.game");
const THREE_LESS: &str = include_str!("../../games/fresh/three_less.game");
const PASS_ONCE: &str = include_str!("../../games/fresh/pass_once.game");
const CORNERS: &str = include_str!("../../games/fresh/corners.game");
const BREAKTHROUGH: &str = include_str!("../../games/fresh/breakthrough.game");
const ISOLATION: &str = include_str!("../../games/fresh/isolation.game");
const AUCTION: &str = include_str!("../../games/fresh/auction.game");

const fn fresh(game: &'static str, source: &'static str, instance: &'static str) -> Case {
    Case { game, source: Some(source), instance }
}

const fn gallery(game: &'static str, instance: &'static str) -> Case {
    Case { game, source: None, instance }
}

/// All of them.
pub const FRESH: &[Case] = &[
    fresh("reversi", REVERSI, r#"{"rows":4,"columns":4}"#),
    fresh("morris", MORRIS, r#"{"men":3}"#),
    fresh("last_pin", LAST_PIN, r#"{"n":14}"#),
    fresh("hounds", HOUNDS, r#"{"side":6,"pack":3}"#),
    fresh("last_of_three", LAST_OF_THREE, r#"{"heaps":[9,10,11],"most":3}"#),
    fresh("fuel", FUEL, r#"{"miles":60,"tank":12,"time":20}"#),
    fresh("pairs", PAIRS, r#"{"n":14}"#),
    fresh("cakes", CAKES, r#"{"cakes":[[4,5],[3,6]]}"#),
    fresh("misere_piles", MISERE_PILES, r#"{"piles":[7,8,9]}"#),
    fresh("carts", CARTS, r#"{"rows":5,"columns":5}"#),
    fresh("walkers", WALKERS, r#"{"n":40,"starts_at":[1,7,20]}"#),
    fresh("square_takes", SQUARE_TAKES, r#"{"n":2500}"#),
    fresh("three_less", THREE_LESS, r#"{"n":3000}"#),
    fresh("pass_once", PASS_ONCE, r#"{"heaps":[12,13,14]}"#),
    fresh("corners", CORNERS, r#"{"rows":4,"columns":5}"#),
    fresh("breakthrough", BREAKTHROUGH, r#"{"rows":4,"columns":4}"#),
    fresh("isolation", ISOLATION, r#"{"rows":3,"columns":4}"#),
    fresh("isolation", ISOLATION, r#"{"rows":4,"columns":4}"#),
    fresh("auction", AUCTION, r#"{"lots":[5,3,8,2,7,6,4],"purse":20}"#),
    fresh("hounds", HOUNDS, r#"{"side":8,"pack":2}"#),
    gallery("misere_nim", r#"{"piles":[20,21,22]}"#),
    gallery("kayles", r#"{"rows":[300,200]}"#),
    gallery("divisor_game", r#"{"n":700}"#),
    gallery("stones", r#"{"n":2000,"moves":[2,3,7]}"#),
];
