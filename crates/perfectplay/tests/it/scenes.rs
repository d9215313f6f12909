//! How positions are drawn, by the shape of a game and by what its rules show.

use perfectplay::language::{Bound, Position, Rules};
use perfectplay::moves::plays;
use perfectplay::scene::{Owner, Painter, Panel, Scene};

fn bound(rules: &str, instance: &str) -> Bound {
    let rules = Rules::gallery(rules).unwrap_or_else(|| Rules::new(rules.to_string()));
    rules.bind(instance).expect("the instance is a game")
}

fn drawn(bound: &Bound) -> Scene {
    Painter::new(bound).scene(&bound.start)
}

fn after(bound: &Bound, moves: &[&str]) -> Position {
    moves.iter().fold(bound.start.clone(), |position, name| {
        let plays = plays(bound, &position).expect("the rules hold");
        plays.iter().find(|play| play.label == *name).unwrap_or_else(|| panic!("no move {name}")).option(&position)
    })
}

/// What is clicked for each move of a position: panel and item.
fn clicks(bound: &Bound, position: &Position) -> Vec<(String, Vec<(usize, usize)>)> {
    let plays = plays(bound, position).expect("the rules hold");
    let aims = Painter::new(bound).aims(position, &plays.iter().collect::<Vec<_>>());
    let click = |aim: &perfectplay::scene::Aim| {
        aim.clicks.iter().map(|target| (target.panel, target.item.expect("an item"))).collect()
    };
    plays.iter().zip(&aims).map(|(play, aim)| (play.label.clone(), click(aim))).collect()
}

#[test]
fn a_stretch_of_a_list_is_a_row() {
    let bound = bound("rows_and_stacks", "{}");
    let scene = drawn(&bound);
    let texts = |panel: &Panel| match panel {
        Panel::Row { items, upright: false, counts: false, .. } => {
            items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>().join(" ")
        }
        other => panic!("{other:?} is no row"),
    };
    assert_eq!(scene.panels.iter().map(texts).collect::<Vec<_>>(), ["5 3 7 10", "2 6", "4 1 9"]);
    let after = Painter::new(&bound).scene(&after(&bound, &["left in part 0", "right in part 2"]));
    let there = |panel: &Panel| match panel {
        Panel::Row { items, .. } => items.iter().map(|item| item.there).collect::<Vec<_>>(),
        other => panic!("{other:?} is no row"),
    };
    assert_eq!(there(&after.panels[0]), [false, true, true, true]);
    assert_eq!(there(&after.panels[2]), [true, true, false]);
}

#[test]
fn items_belong_to_who_alone_may_choose_them() {
    let owners = |game: &str, instance: &str| -> Vec<Option<Owner>> {
        let Panel::Row { items, .. } = &drawn(&bound(game, instance)).panels[0] else { panic!("no row") };
        items.iter().map(|item| item.owner).collect()
    };
    assert_eq!(
        owners("toppling_dominoes", r#"{"rows": ["BRG"]}"#),
        [Some(Owner::First), Some(Owner::Second), Some(Owner::Both)]
    );
    assert_eq!(owners("hackenbush_strings", r#"{"strings": [[1, -1]]}"#), [Some(Owner::First), Some(Owner::Second)]);
    assert_eq!(owners("coins", "{}"), [None; 4], "anybody may take any coin");
    let strings = drawn(&bound("hackenbush_strings", "{}"));
    assert!(matches!(strings.panels[0], Panel::Row { upright: true, .. }), "strings stand");
}

#[test]
fn an_end_of_a_row_is_clicked_where_it_is_taken() {
    let bound = bound("toppling_dominoes", r#"{"rows": ["BGB"]}"#);
    let clicks = clicks(&bound, &bound.start);
    let of = |name: &str| clicks.iter().find(|(label, _)| label == name).map(|(_, clicks)| clicks.clone()).unwrap();
    // All fall in both cases: the domino that is pushed tells which move it is.
    assert_eq!(of("left(2) in part 0"), [(0, 2)]);
    assert_eq!(of("right(0) in part 0"), [(0, 0)]);
    assert_eq!(of("left(1) in part 0"), [(0, 1)]);
}

#[test]
fn pits_are_clicked_on_the_movers_own_side() {
    let bound = bound("kalah", "{}");
    let scene = drawn(&bound);
    let Panel::Row { counts: true, items, head, .. } = &scene.panels[0] else { panic!("{scene:?}") };
    assert_eq!((items.len(), items[0].text.as_str(), head.title.as_deref()), (3, "2", Some("first")));
    assert_eq!(scene.panels.len(), 2, "the pits are shown once");
    let mut position = bound.start.clone();
    for _ in 0..6 {
        let side = usize::from(position.turn.0);
        for (label, clicks) in clicks(&bound, &position) {
            let pit = label.trim_start_matches("sow(").trim_end_matches(')').parse().unwrap();
            assert_eq!(clicks, [(side, pit)], "{label}");
        }
        let Some(play) = plays(&bound, &position).unwrap().into_iter().last() else { break };
        position = play.option(&position);
    }
}

#[test]
fn a_tree_is_drawn_by_the_ways_that_are_walked() {
    let scene = drawn(&bound("payoff_tree", "{}"));
    let Panel::Graph { edges, nodes, directed: true, .. } = &scene.panels[0] else { panic!("{scene:?}") };
    let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    assert_eq!(pairs, [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]);
    assert_eq!(nodes[3].pays.as_deref(), Some("3 : 1"));
    assert_eq!(nodes[1].pays, None, "only where the game ends");
}

#[test]
fn numbers_are_heaps_where_moves_only_take_from_them() {
    let kinds = |game: &str| -> String {
        let sign = |panel: &Panel| match panel {
            Panel::Heap { .. } => 'h',
            Panel::Fields { .. } => 'f',
            Panel::Row { .. } => 'r',
            _ => '?',
        };
        drawn(&bound(game, "{}")).panels.iter().map(sign).collect()
    };
    assert_eq!(kinds("euclid"), "hh");
    assert_eq!(kinds("boxes"), "hhhh");
    assert_eq!(kinds("fibonacci_nim"), "hf", "a bound goes up and down");
    assert_eq!(kinds("gold_coin"), "hhhhf");
    assert_eq!(kinds("coins"), "r");
}

#[test]
fn what_decided_a_game_is_pointed_at() {
    let decisive = |game: &str, moves: &[&str]| -> Vec<usize> {
        let bound = bound(game, "{}");
        match &Painter::new(&bound).scene(&after(&bound, moves)).panels[0] {
            Panel::Grid { decisive, .. } => decisive.clone(),
            other => panic!("{other:?} is no grid"),
        }
    };
    let places = |cells: &[usize]| cells.iter().map(|cell| format!("place({cell})")).collect::<Vec<_>>();
    let played = |game: &str, cells: &[usize]| {
        let places = places(cells);
        decisive(game, &places.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert_eq!(played("tic_tac_toe", &[4, 1, 0, 8, 6, 2, 3]), [0, 3, 6]);
    assert_eq!(played("tic_tac_toe", &[4, 1, 0]), Vec::<usize>::new(), "not over yet");
    // A path from edge to edge; the stone beside it is not needed.
    assert_eq!(played("hex", &[4, 0, 5, 3, 1, 6, 7]), [1, 4, 7]);
    // Drawn: nothing decided it.
    assert_eq!(played("tic_tac_toe", &[0, 1, 2, 4, 3, 5, 7, 6, 8]), Vec::<usize>::new());
}

#[test]
fn pieces_belong_to_who_moves_or_places_them() {
    let pieces = |game: &str| -> String {
        let scene = drawn(&bound(game, "{}"));
        let Panel::Grid { pieces, .. } = &scene.panels[0] else { panic!("{scene:?}") };
        pieces.iter().map(|piece| format!("{}={:?} ", piece.text, piece.owner)).collect()
    };
    assert_eq!(pieces("tic_tac_toe"), "O=Second X=First ");
    assert_eq!(pieces("rook_endgame"), "K=First R=First k=Second ");
    assert_eq!(pieces("fox_and_geese"), "F=Second G=First ");
    assert_eq!(pieces("amazons"), "L=First R=Second ", "arrows are nobody's");
    assert_eq!(pieces("push"), "B=First R=Second ", "a piece that is pushed stays its owner's");
    assert_eq!(pieces("shove"), "B=First R=Second ", "all pieces to the left go along");
    assert_eq!(pieces("l_game"), "1=First 2=Second ");
    assert_eq!(pieces("domineering"), "", "dominoes are nobody's");
}
