//! What a move gains in advance of the other player.

use formula::{Arena, Node};

/// The own gain less that of the other player; an error if that may not fit in a number.
pub fn lead(arena: &mut Arena, own: Node, other: Node) -> Result<Node, String> {
    if arena.known(other) == Some(0) {
        return Ok(own);
    }
    let (of, by) = (arena.range(own), arena.range(other));
    let fits = |number: i128| i64::try_from(number).is_ok();
    if !fits(i128::from(of.low) - i128::from(by.high)) || !fits(i128::from(of.high) - i128::from(by.low)) {
        return Err("what a move gains, less what it gives to the other player, may be too large".to_string());
    }
    Ok(arena.combine(&[(own, 1), (other, -1)], 0))
}
