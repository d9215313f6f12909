//! Questions made at random from the schema, and then broken: never a mistake of ours, always an answer that is described.

use serde_json::{Map, Value, json};

use super::client::Server;

/// Small, and good enough.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize].clone()
    }
}

const GAMES: [&str; 14] = [
    "nim",
    "coins",
    "kayles",
    "tic_tac_toe",
    "domineering",
    "cat_and_mouse",
    "three_player_row",
    "stones",
    "payoff_tree",
    "hex",
    "hackenbush_graph",
    "chomp",
    "token",
    "fibonacci_nim",
];

fn value(chance: &mut Chance, depth: u32) -> Value {
    match chance.below(if depth > 3 { 6 } else { 9 }) {
        0 => json!(chance.below(6)),
        1 => json!(-(chance.below(4) as i64)),
        2 => json!(chance.of(&[i64::MAX, i64::MIN, 1 << 40, 1000])),
        3 => json!(chance.of(&["first", "second", "x", "", "take(1)", "left", "…", "@/etc/passwd", "a1"])),
        4 => json!(chance.below(2) == 1),
        5 => json!(1.5e300),
        6 | 7 => (0..chance.below(5)).map(|_| value(chance, depth + 1)).collect(),
        _ => {
            let names = ["n", "piles", "coins", "rows", "columns", "left", "i", "j", "board", "drawing"];
            Value::Object(
                (0..chance.below(4)).map(|_| (chance.of(&names).to_string(), value(chance, depth + 1))).collect(),
            )
        }
    }
}

/// A value that a definition asks for, most of the time.
fn like(schema: &Value, name: &str, chance: &mut Chance) -> Value {
    if chance.below(8) == 0 {
        return value(chance, 0);
    }
    match name {
        "game" => json!(chance.of(&GAMES)),
        "rules" => {
            let rules = "game g(n: int = 4) { state { left in 0..=n = n; } move take(k in 1..=2) when k <= left { left -= k; } }";
            let (from, to) = (chance.below(rules.len() as u64) as usize, chance.below(rules.len() as u64) as usize);
            let broken = format!("{}{}", &rules[..from], &rules[to..]);
            json!(chance.of(&[rules.to_string(), broken]))
        }
        "instance" => match chance.below(3) {
            0 => json!({"piles": [chance.below(5), chance.below(5)], "n": chance.below(9)}),
            1 => json!({"coins": [chance.below(9), 3, 4]}),
            _ => value(chance, 0),
        },
        "moves" => {
            let labels = ["left", "right", "take(1)", "place(4)", "take(1) in part 0", "go(0)", "nonsense"];
            (0..chance.below(4)).map(|_| json!(chance.of(&labels))).collect()
        }
        _ => match schema.get("enum").and_then(Value::as_array) {
            Some(words) => chance.of(words),
            None if schema["type"] == "integer" => json!(chance.of(&[-1, 0, 1, 2, 7, 100])),
            None => value(chance, 0),
        },
    }
}

fn question(server: &Server, definition: &str, chance: &mut Chance) -> Value {
    let properties = server.schema.definitions()[definition]["properties"].as_object().unwrap();
    let mut body = Map::new();
    for (name, schema) in properties {
        let wanted = match name.as_str() {
            "game" => chance.below(10) < 9,
            "rules" | "table" => chance.below(10) == 0,
            _ => chance.below(3) == 0,
        };
        if wanted {
            body.insert(name.clone(), like(schema, name, chance));
        }
    }
    Value::Object(body)
}

#[test]
fn random_questions_never_meet_a_mistake_of_ours() {
    let server = Server::start("--time 500ms --job-time 1s");
    let mut chance = Chance(20_261_118);
    let rounds: u32 = std::env::var("EXPLORER_FUZZ").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(40);
    let paths: Vec<(String, String)> = server.schema.all["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter_map(|(path, operations)| {
            let schema = operations["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str()?;
            let name = schema.rsplit('/').next()?.to_string();
            Some((path.trim_start_matches("/api/v1/").to_string(), name))
        })
        .filter(|(path, _)| path != "jobs")
        .collect();
    for _ in 0..rounds {
        for (path, definition) in &paths {
            let body = question(&server, definition, &mut chance);
            let (status, answer) = server.ask(path, &body.to_string());
            assert!(matches!(status, 200 | 400 | 422), "{path} {body}: {status} {answer}");
        }
    }
}
