//! Rules files of other kinds, to which nothing was fitted: they show how predictions hold for games that nobody has seen yet.

use crate::cases::Case;

macro_rules! fresh {
    ($game:literal, $instance:expr) => {
        Case {
            game: $game,
            source: Some(include_str!(concat!("../../games/fresh/", $game, ".game"))),
            instance: $instance,
        }
    };
}

const fn gallery(game: &'static str, instance: &'static str) -> Case {
    Case { game, source: None, instance }
}

/// All of them.
pub const FRESH: &[Case] = &[
    fresh!("reversi", r#"{"rows":4,"columns":4}"#),
    fresh!("morris", r#"{"men":3}"#),
    fresh!("last_pin", r#"{"n":14}"#),
    fresh!("hounds", r#"{"side":6,"pack":3}"#),
    fresh!("last_of_three", r#"{"heaps":[9,10,11],"most":3}"#),
    fresh!("fuel", r#"{"miles":60,"tank":12,"time":20}"#),
    fresh!("pairs", r#"{"n":14}"#),
    fresh!("cakes", r#"{"cakes":[[4,5],[3,6]]}"#),
    fresh!("misere_piles", r#"{"piles":[7,8,9]}"#),
    fresh!("carts", r#"{"rows":5,"columns":5}"#),
    fresh!("walkers", r#"{"n":40,"starts_at":[1,7,20]}"#),
    fresh!("square_takes", r#"{"n":2500}"#),
    fresh!("three_less", r#"{"n":3000}"#),
    fresh!("pass_once", r#"{"heaps":[12,13,14]}"#),
    fresh!("corners", r#"{"rows":4,"columns":5}"#),
    fresh!("breakthrough", r#"{"rows":4,"columns":4}"#),
    fresh!("isolation", r#"{"rows":3,"columns":4}"#),
    fresh!("isolation", r#"{"rows":4,"columns":4}"#),
    fresh!("auction", r#"{"lots":[5,3,8,2,7,6,4],"purse":20}"#),
    fresh!("hounds", r#"{"side":8,"pack":2}"#),
    gallery("misere_nim", r#"{"piles":[20,21,22]}"#),
    gallery("kayles", r#"{"rows":[300,200]}"#),
    gallery("divisor_game", r#"{"n":700}"#),
    gallery("stones", r#"{"n":2000,"moves":[2,3,7]}"#),
    fresh!("grid_walk", r#"{"rows":6,"columns":7}"#),
    fresh!("grid_walk", r#"{"rows":300,"columns":300,"seed":5}"#),
    fresh!("queens", r#"{"n":4}"#),
    fresh!("queens", r#"{"n":6}"#),
    fresh!("node_kayles", r#"{"n":9}"#),
    fresh!("node_kayles", r#"{"n":18,"chords":[[0,9],[3,12],[5,15]]}"#),
    fresh!("hexapawn", r#"{"rows":3,"columns":3}"#),
    fresh!("hexapawn", r#"{"rows":4,"columns":4}"#),
    fresh!("hexapawn", r#"{"rows":5,"columns":4}"#),
    fresh!("ring_chase", r#"{"n":12}"#),
    fresh!("ring_chase", r#"{"n":60,"bridge":7}"#),
    fresh!("sim", r#"{"points":4}"#),
    fresh!("sim", r#"{"points":5}"#),
    fresh!("scored_piles", r#"{"piles":[4,5,6]}"#),
    fresh!("scored_piles", r#"{"piles":[20,21,22,23]}"#),
    fresh!("two_takes", r#"{"piles":[5,6,7]}"#),
    fresh!("two_takes", r#"{"piles":[30,31,32,33,34]}"#),
    fresh!("misere_lines", r#"{"rows":3,"columns":3}"#),
    fresh!("misere_lines", r#"{"rows":3,"columns":4}"#),
    fresh!("tricks", r#"{"mine":[1,4,6,7],"yours":[2,3,5,8]}"#),
    fresh!("tricks", r#"{"mine":[1,4,6,7,10,12],"yours":[2,3,5,8,9,11]}"#),
    fresh!("product", r#"{"goal":1000}"#),
    fresh!("product", r#"{"goal":1000000000000}"#),
    fresh!("ghost", "{}"),
    fresh!("thieves", r#"{"bags":[5,3,8,2,7,6]}"#),
    fresh!("thieves", r#"{"bags":[5,3,8,2,7,6,4,9,1,5,3,8,2,7,6,4,9,1,5,3,8,2,7,6,4,9,1,5,5,3,8,2,7,6,4,9,1]}"#),
    fresh!("sowing", r#"{"bowls":2,"seeds":2,"rounds":8}"#),
    fresh!("sowing", r#"{"bowls":3,"seeds":3,"rounds":14}"#),
    fresh!("ruler", r#"{"n":8}"#),
    fresh!("ruler", r#"{"n":17,"longest":4}"#),
    fresh!("islands", r#"{"n":10,"tokens":[3,8]}"#),
    fresh!("islands", r#"{"n":2000,"tokens":[1503,1998,777]}"#),
    fresh!("duel", r#"{"n":5,"limit":18}"#),
    fresh!("duel", r#"{"n":10,"limit":45}"#),
    fresh!("tower", r#"{"n":30}"#),
    fresh!("tower", r#"{"n":50000}"#),
    fresh!("slide", r#"{"side":4}"#),
    fresh!("slide", r#"{"side":6}"#),
    fresh!("ladders", r#"{"height":3}"#),
    fresh!("ladders", r#"{"height":7}"#),
    gallery("misere_nim", r#"{"piles":[3,4,5]}"#),
    gallery("misere_nim", r#"{"piles":[60,61,62,63]}"#),
    gallery("staircase_nim", r#"{"steps":[2,3,2]}"#),
    gallery("chomp", r#"{"rows":3,"columns":4}"#),
    gallery("connect_k", r#"{"rows":3,"columns":3,"k":3}"#),
    gallery("domineering", r#"{"rows":3,"columns":3}"#),
    gallery("clobber", r#"{"rows":3,"columns":3}"#),
];
