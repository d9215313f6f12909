//! What an operation on nimbers costs: `cargo run --release -p perfectplay-game --example nim_speed`.

use std::hint::black_box;
use std::time::Instant;

use game::Nim64;

fn main() {
    let nimbers: Vec<Nim64> =
        (1..=1024u64).map(|n| Nim64(n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17) | 1)).collect();
    let measure = |name: &str, operation: &dyn Fn(Nim64, Nim64) -> Nim64| {
        let mut best = f64::INFINITY;
        for _ in 0..20 {
            let clock = Instant::now();
            for pair in nimbers.windows(2) {
                black_box(operation(black_box(pair[0]), black_box(pair[1])));
            }
            best = best.min(clock.elapsed().as_secs_f64() / (nimbers.len() - 1) as f64);
        }
        println!("{name:24} {:8.1} ns", best * 1e9);
    };
    measure("nothing", &|a, _| a);
    measure("product", &|a, b| a * b);
    measure("square", &|a, _| a.square());
    measure("square root", &|a, _| a.square_root());
    measure("inverse", &|a, _| a.inverse().unwrap_or_default());
    measure("x² ⊕ x = a", &|a, _| Nim64(a.0 >> 1).artin_schreier_root().unwrap_or_default());
    measure("power", &|a, b| a.power(b.0));
}
