//! A generator of rules files whose variables may fall into groups: counters that moves take from, alone or together.

use crate::random::Random;

/// A random game of counters: moves take from one, from two, move stones, look at walls and at other counters.
pub fn counters(random: &mut Random) -> String {
    let n = 2 + random.below(4usize);
    let most = if n > 3 { 2 + random.below(3i64) } else { 3 + random.below(18i64 / n as i64 + 1) };
    let starts: Vec<String> = (0..n).map(|_| random.between(0, most).to_string()).collect();
    let walls: Vec<String> = (0..n).map(|_| random.below(2u8).to_string()).collect();
    let partizan = random.one_in(2);
    let mut moves = String::new();
    for number in 0..1 + random.below(4) {
        let owner = if partizan { *random.pick(&["first ", "second ", ""]) } else { "" };
        moves.push_str(&format!("    move {owner}{}\n", mv(random, number, n, partizan)));
    }
    let end = match random.below(8) {
        0 => "    end when all(c[i] == 0 for i in 0..n) => lose;\n".to_string(),
        1 => "    end when sum(c) == 0 => lose;\n".to_string(),
        2 => "    end when not any(c[i] > 0 for i in 0..n) => lose;\n".to_string(),
        3 => format!("    end when c[{}] == 0 => lose;\n", random.below(n)),
        4 => "    stuck => lose;\n".to_string(),
        _ => String::new(),
    };
    format!(
        "game counters() {{\n    let n = {n};\n    let walls = [{}];\n    state {{ c in [0..={most}; n] = [{}]; w in [0..=1; n] = walls; }}\n{moves}{end}}}\n",
        walls.join(", "),
        starts.join(", ")
    )
}

fn mv(random: &mut Random, number: u32, n: usize, partizan: bool) -> String {
    let (i, j) = (random.below(n), random.below(n));
    let few: Vec<String> = (0..n).filter(|_| random.one_in(2)).map(|i| i.to_string()).collect();
    let which = if few.is_empty() || random.one_in(2) { "0..n".to_string() } else { format!("[{}]", few.join(", ")) };
    let k = 1 + random.below(3);
    let also = match random.below(8) {
        0 => " and w[i] == 0".to_string(),
        1 => format!(" and c[{j}] <= {k}"),
        2 => " and (c[i] + i) % 2 == 0".to_string(),
        3 if partizan => " and (i + mover) % 2 == 0".to_string(),
        _ => String::new(),
    };
    match random.below(9) {
        0 | 1 => format!("take{number}(i in {which}, k in 1..={k}) when c[i] >= k{also} {{ c[i] -= k; }}"),
        2 => format!("any{number}(i in {which}, k in 1..=c[i]) when k % {k} == 0{also} {{ c[i] -= k; }}"),
        3 => format!("half{number}(i in {which}) when c[i] > 0{also} {{ c[i] = c[i] / 2; }}"),
        4 => {
            format!("pair{number}(i in 0..n - 1) when c[i] > 0 and c[i + 1] > 0{also} {{ c[i] -= 1; c[i + 1] -= 1; }}")
        }
        5 if i != j => {
            format!("push{number}(k in 1..=c[{i}]) when k > 1 {{ c[{i}] -= k; c[{j}] = min(c[{j}] + k - 1, c[{j}]); }}")
        }
        6 => format!("near{number}(i in {which}) when c[i] > 0 and c[(i + 1) % n] == 0{also} {{ c[i] -= 1; }}"),
        7 => format!(
            "two{number}(i in {which}, k in 0..=c[i], l in 0..=k) when k + l > 0 and k + l <= c[i] {{ c[i] -= k + l; }}"
        ),
        _ => format!(
            "clear{number}(i in {which}) when c[i] >= {k}{also} {{ c[i] = 0; if w[i] == 1 {{ c[{j}] = min(c[{j}], {k}); }} }}"
        ),
    }
}
