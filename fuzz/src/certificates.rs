//! Certificates out of bytes: any file, or a gallery game with a head and arguments that the bytes spell.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use engine::monitor::{Limits, Monitor};
use miniz_oxide::deflate::compress_to_vec;
use rules::stop::{Scope, Watch};
use solve::answer::solution;
use solve::options::Options;
use verify::stream::{BLOCK, NAME, VERSION, checksum};

const TIME: Duration = Duration::from_secs(5);

/// Feeds the checker. The first byte says what the others are.
pub fn check(bytes: &[u8]) {
    let Some((&kind, rest)) = bytes.split_first() else { return };
    if kind == 0 {
        look(rest);
        return;
    }
    static GALLERY: OnceLock<Vec<(String, String)>> = OnceLock::new();
    let games = GALLERY.get_or_init(testkit::files::gallery);
    let (_, game) = &games[usize::from(kind) % games.len()];
    let mut unpacked = Vec::new();
    for text in [game.as_str(), "{}"] {
        number(&mut unpacked, text.len() as u64);
        unpacked.extend(text.bytes());
    }
    unpacked.extend(rest);
    look(&packed(&unpacked));
}

fn number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A certificate of these bytes, with checksums that are right.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut file = NAME.to_vec();
    file.extend(VERSION.to_le_bytes());
    let mut before = 0;
    for block in bytes.chunks(BLOCK).chain([&[][..]]) {
        let packed = if block.is_empty() { Vec::new() } else { compress_to_vec(block, 1) };
        before = checksum(before, block.len() as u32, &packed);
        file.extend((block.len() as u32).to_le_bytes());
        file.extend((packed.len() as u32).to_le_bytes());
        file.extend(before.to_le_bytes());
        file.extend(packed);
    }
    file
}

/// Checks a file. What it proves must be what the solver says.
fn look(file: &[u8]) {
    let scope = Scope::new(Watch { deadline: Some((Instant::now() + TIME, TIME)), ..Watch::default() });
    let Ok(verified) = verify::verify(file, &mut |_, _| {}) else { return };
    drop(scope);
    if verified.sampled.is_some() {
        return;
    }
    let about = &verified.certificate;
    let mut monitor = Monitor::new(&Limits { memory: 256 << 20, time: Some(TIME) });
    let Ok(solved) = solve::solved::solve(&about.bound, &about.position, &Options::default(), &mut monitor) else { return };
    let Ok(told) = solution(&solved, &mut monitor) else { return };
    let claim = &about.claim;
    assert!(claim.outcome.is_none() || told.outcome.is_none() || claim.outcome == told.outcome, "{claim:?}");
    assert!(claim.value.is_none() || told.value.is_none() || claim.value == told.value, "{claim:?}");
    assert!(claim.nimber.is_none() || told.nimber.is_none() || claim.nimber == told.nimber, "{claim:?}");
    if let (Some(claimed), Some(form)) = (&claim.form, told.canonical.as_ref().and_then(|form| form.name.as_ref())) {
        assert!(solve::value_text::same(claimed, form), "{claim:?}");
    }
    assert!(claim.remoteness.is_none() || told.remoteness.is_none() || claim.remoteness == told.remoteness, "{claim:?}");
}
