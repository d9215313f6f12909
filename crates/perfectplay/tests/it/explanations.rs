//! What explanations say of a game is so.

use perfectplay::language::Rules;
use perfectplay::plan::{LOOK, explain, method};
use perfectplay::solving::{Limits, Monitor, Options};

/// A win at once, and beside it two positions that lead to one another for ever.
const BESIDE: &str = "game beside() {
    state { at in 0..=3 = 0; }
    move win_now when at == 0 { at = 1; }
    move go when at == 0 { at = 2; }
    move there when at == 2 { at = 3; }
    move back when at == 3 { at = 2; }
    move out when at == 3 { at = 1; }
}";

/// A search leaves positions out: that it met no repetition says nothing of the game.
#[test]
fn a_search_does_not_say_that_no_position_repeats() {
    let game = Rules::new(BESIDE).bind("{}").unwrap();
    for name in ["alpha_beta", "proof_number"] {
        let options = Options { method: method(name), ..Options::default() };
        let explanation = explain(&game, &options, &Limits::default(), Some(&LOOK), &Monitor::new).unwrap();
        let known = explanation.properties();
        let acyclic = known.iter().find(|property| property.name == "acyclic").unwrap();
        assert_eq!(acyclic.holds, None, "{name}: {}", acyclic.why);
    }
}
