//! The table on the screen.

use crate::cases::Line;
use crate::counter::Counter;
use crate::cpp::Ran;
use crate::ours::Measured;

/// The first line.
pub fn head() {
    println!(
        "{:<14} {:<46} {:<10} {:<10} {:>11} {:>10} {:>9} {:>10} {:>7} {:>7} {:>8} {:>9} {:>6}  method",
        "case",
        "instance",
        "ours finds",
        "C++",
        "positions",
        "ours ms",
        "compile",
        "C++ ms",
        "ratio",
        "needed",
        "ns/pos",
        "Mpos/s",
        "B/pos"
    );
}

/// One comparison.
pub fn row(name: &str, what: &str, line: &Line, ours: Option<&Measured>, theirs: Option<&Ran>) {
    let milliseconds = |ns: u64| format!("{:.3}", ns as f64 / 1e6);
    let missing = || "-".to_string();
    let ratio = ours.zip(theirs).map(|(ours, theirs)| theirs.solve as f64 / ours.solve.max(1) as f64);
    let needed = match (line.needed, ratio) {
        (Some(needed), Some(ratio)) if ratio < needed => format!("{needed} !"),
        (Some(needed), _) => needed.to_string(),
        (None, _) => String::new(),
    };
    let a_position = |amount: u64, positions: u64| amount as f64 / positions.max(1) as f64;
    let pace = ours.map(|ours| a_position(ours.solve, ours.positions));
    let mut method = ours.map_or_else(missing, |ours| ours.method.clone());
    if let Some((bytes, positions)) = theirs.and_then(|theirs| theirs.bytes.zip(theirs.found.positions)) {
        let (time, size) = (theirs.map_or(0, |theirs| theirs.solve), a_position(bytes, positions));
        method += &format!("; C++ {:.0} ns/pos, {size:.1} B/pos", a_position(time, positions));
    }
    println!(
        "{:<14} {:<46} {:<10} {:<10} {:>11} {:>10} {:>9} {:>10} {:>7} {:>7} {:>8} {:>9} {:>6}  {}",
        name,
        what,
        line.ask.name(),
        line.variant,
        ours.map_or_else(missing, |ours| ours.positions.to_string()),
        ours.map_or_else(missing, |ours| milliseconds(ours.solve)),
        ours.map_or_else(missing, |ours| milliseconds(ours.compile)),
        theirs.map_or_else(missing, |theirs| milliseconds(theirs.solve)),
        ratio.map_or_else(missing, |ratio| format!("{ratio:.2}")),
        needed,
        pace.map_or_else(missing, |pace| format!("{pace:.2}")),
        pace.map_or_else(missing, |pace| format!("{:.2}", 1e3 / pace)),
        ours.map_or_else(missing, |ours| format!("{:.1}", a_position(ours.bytes, ours.positions))),
        method
    );
}

/// C++ by itself.
pub fn theirs(name: &str, what: &str, variant: &str, ran: &Ran) {
    let pace = ran.found.positions.map(|positions| ran.solve as f64 / positions.max(1) as f64);
    println!(
        "{:<14} {:<46} {:<10} {:>10.3} ms {:>9} ns/pos  {}",
        name,
        what,
        variant,
        ran.solve as f64 / 1e6,
        pace.map_or_else(|| "-".to_string(), |pace| format!("{pace:.2}")),
        ran.found
            .counts
            .map_or_else(String::new, |[won, lost, drawn]| format!("{won} won, {lost} lost, {drawn} drawn"))
    );
}

/// The instructions of one solve.
pub fn instructions(counter: Counter, who: &str, count: Option<u64>, positions: Option<u64>) {
    let Some(count) = count else {
        println!("    {who}: the instructions could not be counted with {counter:?}");
        return;
    };
    match positions {
        Some(positions) if positions > 0 => {
            println!("    {who}: {count} instructions, {:.1} a position", count as f64 / positions as f64);
        }
        _ => println!("    {who}: {count} instructions"),
    }
}
