//! temporary
mod cases;
mod fresh;
use perfectplay::Solver;
use perfectplay::language::Rules;
use std::collections::HashMap;
use std::time::{Duration, Instant};
fn main() {
    let cache = "/tmp/bl/positions.txt";
    let mut known: HashMap<String, u64> = std::fs::read_to_string(cache).unwrap_or_default().lines().filter_map(|l| { let (a, b) = l.rsplit_once('\t')?; Some((a.to_string(), b.parse().ok()?)) }).collect();
    let which = std::env::args().nth(1).unwrap_or_default();
    let set: Vec<&cases::Case> = match which.as_str() { "fresh" => fresh::FRESH.iter().collect(), _ => cases::TUNED.iter().collect() };
    let filter = std::env::args().nth(2).unwrap_or_default();
    for case in set.into_iter().filter(|c| c.game.contains(&filter)) {
        let rules = case.source.map(Rules::new).or_else(|| Rules::gallery(case.game)).unwrap();
        let Ok(bound) = rules.bind(case.instance) else { continue };
        let solver = || Solver::new().threads(1).memory(3 << 30).time(Duration::from_secs(30));
        let key = format!("{} {}", case.game, case.instance);
        let actual = match known.get(&key) { Some(n) => *n, None => {
            let mut n = 0;
            for m in ["induction", "retrograde"] { if let Ok(s) = solver().method(m).answer(&bound) { n = s.positions; break; } }
            known.insert(key.clone(), n);
            let text: String = known.iter().map(|(a, b)| format!("{a}\t{b}\n")).collect();
            std::fs::write(cache, text).unwrap();
            n } };
        let start = Instant::now();
        let cost = solver().method("induction").plan(&bound).ok().map(|p| p.cost);
        let took = start.elapsed().as_secs_f64();
        let predicted = cost.and_then(|c| c.positions).unwrap_or(0);
        println!("{:8.3} {:>10} {:>10} {:.4}s {}", predicted as f64 / actual.max(1) as f64, predicted, actual, took, &key[..key.len().min(60)]);
    }
}
