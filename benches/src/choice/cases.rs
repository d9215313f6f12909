//! Instances over the gallery and over rules files written as people write them.

/// A game by its name in the gallery, or by its source, and an instance as JSON.
pub struct Case {
    pub game: &'static str,
    pub source: Option<&'static str>,
    pub instance: &'static str,
}

const fn gallery(game: &'static str, instance: &'static str) -> Case {
    Case { game, source: None, instance }
}

const KALAH: &str = include_str!("../../../crates/testkit/games/kalah_var.game");
const L_GAME: &str = include_str!("../../../crates/testkit/games/l_game.game");
const ROOK: &str = include_str!("../../../crates/testkit/games/rook_mate.game");
const ROUNDS: &str = include_str!("../../../crates/testkit/games/hex_rounds.game");
const STEPS: &str = include_str!("../../games/steps.game");
const PUSH: &str = include_str!("../../games/push.game");

const fn ours(game: &'static str, source: &'static str, instance: &'static str) -> Case {
    Case { game, source: Some(source), instance }
}

/// Those that predictions were fitted to.
pub const TUNED: &[Case] = &[
    gallery("m_n_k", r#"{"rows":3,"columns":3,"k":3}"#),
    gallery("m_n_k", r#"{"rows":3,"columns":4,"k":3}"#),
    gallery("m_n_k", r#"{"rows":3,"columns":5,"k":3}"#),
    gallery("m_n_k", r#"{"rows":4,"columns":4,"k":3}"#),
    gallery("m_n_k", r#"{"rows":4,"columns":4,"k":4}"#),
    gallery("tic_tac_toe", "{}"),
    gallery("connect_k", r#"{"rows":3,"columns":4,"k":3}"#),
    gallery("connect_k", r#"{"rows":4,"columns":4,"k":3}"#),
    gallery("connect_k", r#"{"rows":4,"columns":4,"k":4}"#),
    gallery("connect_k", r#"{"rows":5,"columns":4,"k":4}"#),
    gallery("connect_k", r#"{"rows":4,"columns":5,"k":4}"#),
    gallery("connect_k", r#"{"rows":3,"columns":6,"k":3}"#),
    gallery("hex", r#"{"size":2}"#),
    gallery("hex", r#"{"size":3}"#),
    gallery("domineering", r#"{"rows":4,"columns":4}"#),
    gallery("domineering", r#"{"rows":3,"columns":6}"#),
    gallery("domineering", r#"{"rows":4,"columns":5}"#),
    gallery("domineering", r#"{"rows":5,"columns":5}"#),
    gallery("clobber", r#"{"rows":3,"columns":4}"#),
    gallery("clobber", r#"{"rows":3,"columns":5}"#),
    gallery("clobber", r#"{"rows":4,"columns":4}"#),
    gallery("dots_and_boxes", r#"{"rows":2,"columns":2}"#),
    gallery("dots_and_boxes", r#"{"rows":2,"columns":3}"#),
    gallery("dots_and_boxes", r#"{"rows":3,"columns":3}"#),
    gallery("kalah", r#"{"pits":3,"seeds":2}"#),
    gallery("kalah", r#"{"pits":3,"seeds":3}"#),
    gallery("kalah", r#"{"pits":4,"seeds":2}"#),
    gallery("kalah", r#"{"pits":4,"seeds":3}"#),
    gallery("toads_and_frogs", r#"{"toads":4,"gap":3,"frogs":4}"#),
    gallery("toads_and_frogs", r#"{"toads":5,"gap":3,"frogs":5}"#),
    gallery("toads_and_frogs", r#"{"toads":6,"gap":4,"frogs":6}"#),
    gallery("chomp", r#"{"rows":4,"columns":8}"#),
    gallery("chomp", r#"{"rows":6,"columns":8}"#),
    gallery("chomp", r#"{"rows":8,"columns":10}"#),
    gallery("cram", r#"{"rows":4,"columns":4}"#),
    gallery("cram", r#"{"rows":4,"columns":5}"#),
    gallery("col", r#"{"n":12,"borders":[[0,1],[1,2],[2,3],[3,4],[4,5],[5,6],[6,7],[7,8],[8,9],[9,10],[10,11]]}"#),
    gallery(
        "snort",
        r#"{"n":14,"fences":[[0,1],[1,2],[2,3],[3,4],[4,5],[5,6],[6,7],[7,8],[8,9],[9,10],[10,11],[11,12],[12,13]]}"#,
    ),
    gallery("three_player_row", r#"{"coins":[5,3,7,10,2,6,8,1,9,4,5,3,7,10,2,6,8,1,9,4,5,3,7,10,2,6,8,1,9,4]}"#),
    gallery("can_i_win", r#"{"most":14,"desired":60}"#),
    gallery("can_i_win", r#"{"most":20,"desired":110}"#),
    gallery("cat_and_mouse_2", "{}"),
    gallery("cat_and_mouse", "{}"),
    gallery("treblecross", r#"{"n":20}"#),
    gallery("wythoff", r#"{"a":100,"b":100}"#),
    gallery("wythoff", r#"{"a":400,"b":300}"#),
    gallery("euclid", r#"{"a":3000,"b":2000}"#),
    gallery("fibonacci_nim", r#"{"n":1000}"#),
    gallery("gold_coin", r#"{"gaps":[3,2,4,3,5,4],"gold":3}"#),
    gallery("stone_game_2", r#"{"piles":[2,7,9,4,4,3,8,5,2,7,9,4,4,3,8,5,2,7,9,4,4,3,8,5]}"#),
    gallery("hackenbush_tree", r#"{"parents":[0,1,1,0,4,4,5,6,6,2,3,8,9,9]}"#),
    gallery("staircase_nim", r#"{"steps":[4,5,6,7,5]}"#),
    gallery(
        "turning_turtles",
        r#"{"feet":[true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true]}"#,
    ),
    gallery("nim", r#"{"piles":[100,120,140]}"#),
    gallery("lasker_nim", r#"{"heaps":[200,300]}"#),
    gallery("boxes", r#"{"boxes":[[20,30],[15,40]]}"#),
    gallery("moore_nim", r#"{"piles":[9,10,11],"k":2}"#),
    gallery("race", r#"{"goal":100000,"most":9}"#),
    gallery("stones", r#"{"n":100000,"moves":[2,3,7]}"#),
    gallery("rook_endgame", "{}"),
    gallery("l_game", "{}"),
    ours("kalah_var", KALAH, r#"{"pits":3,"seeds":3}"#),
    ours("kalah_var", KALAH, r#"{"pits":4,"seeds":3}"#),
    ours("l_game as one move", L_GAME, "{}"),
    ours("rook_mate", ROOK, "{}"),
    ours("hex_rounds", ROUNDS, "{}"),
    ours("steps", STEPS, r#"{"n":40}"#),
    ours("steps", STEPS, r#"{"n":300}"#),
    ours("push", PUSH, r#"{"n":8}"#),
    ours("push", PUSH, r#"{"n":11}"#),
];
