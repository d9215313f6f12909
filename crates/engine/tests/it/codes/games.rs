//! Games written by hand as codes: what compiled rules would give.

use game::codes::{Expanded, Options, Successors};
use testkit::Random;

/// Heaps of at most `size − 1` tokens, of which a move takes 1 to `take`; who cannot move loses.
///
/// The code is of mixed radix, times `key` modulo 2^63: 1 for dense codes, any odd number for scattered ones.
pub struct Heaps {
    pub heaps: u32,
    pub size: u64,
    pub take: u64,
    key: u64,
    back: u64,
}

const LOW: u64 = (1 << 63) - 1;

impl Heaps {
    pub fn new(heaps: u32, size: u64, take: u64, key: u64) -> Heaps {
        let mut back = key;
        for _ in 0..6 {
            back = back.wrapping_mul(2u64.wrapping_sub(key.wrapping_mul(back)));
        }
        Heaps { heaps, size, take, key, back }
    }

    pub fn count(&self) -> u64 {
        self.size.pow(self.heaps)
    }

    pub fn root(&self) -> u64 {
        (self.count() - 1).wrapping_mul(self.key) & LOW
    }

    /// All tokens together.
    pub fn tokens(&self, code: u64) -> u64 {
        let mut rest = code.wrapping_mul(self.back) & LOW;
        let mut sum = 0;
        for _ in 0..self.heaps {
            sum += rest % self.size;
            rest /= self.size;
        }
        sum
    }
}

impl Successors for Heaps {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        out.codes.clear();
        out.same.clear();
        out.gains.clear();
        let mut rest = code.wrapping_mul(self.back) & LOW;
        let mut stride = self.key;
        for _ in 0..self.heaps {
            let heap = rest % self.size;
            rest /= self.size;
            let mut option = code;
            for _ in 0..self.take.min(heap) {
                option = option.wrapping_sub(stride) & LOW;
                out.codes.push(option);
                out.same.push(0);
            }
            stride = stride.wrapping_mul(self.size);
        }
        if out.codes.is_empty() {
            out.gains.push(-1);
            return Expanded::End;
        }
        Expanded::Options
    }
}

/// Heaps as [`Heaps`], but packed into fields of 15 bits, as keys of a hash table are.
pub struct FieldHeaps {
    pub heaps: u32,
    pub take: u64,
}

const FIELD: u32 = 15;

impl FieldHeaps {
    /// All heaps of the same size.
    pub fn root(&self, tokens: u64) -> u64 {
        (0..self.heaps).fold(0, |code, heap| code | tokens << (FIELD * heap))
    }

    /// All tokens together.
    pub fn tokens(code: u64) -> u64 {
        (0..4).map(|heap| code >> (FIELD * heap) & ((1 << FIELD) - 1)).sum()
    }
}

impl Successors for FieldHeaps {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        out.codes.clear();
        out.same.clear();
        out.gains.clear();
        for heap in 0..self.heaps {
            let tokens = code >> (FIELD * heap) & ((1 << FIELD) - 1);
            for taken in 1..=self.take.min(tokens) {
                out.codes.push(code - (taken << (FIELD * heap)));
                out.same.push(0);
            }
        }
        if out.codes.is_empty() {
            out.gains.push(-1);
            return Expanded::End;
        }
        Expanded::Options
    }
}

/// A board of `width × height` on which `row` stones in a row win; the turn follows from the stones.
pub struct Board {
    pub width: usize,
    pub height: usize,
    powers: Vec<u64>,
    /// The cells of every row that wins.
    rows: Vec<u64>,
}

impl Board {
    pub fn new(width: usize, height: usize, row: usize) -> Board {
        let powers = (0..=width * height).map(|cell| 3u64.pow(cell as u32)).collect();
        let mut rows = Vec::new();
        for y in 0..height as i64 {
            for x in 0..width as i64 {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let last = (x + dx * (row as i64 - 1), y + dy * (row as i64 - 1));
                    if last.0 >= width as i64 || last.1 < 0 || last.1 >= height as i64 {
                        continue;
                    }
                    let cell = |i: i64| ((y + dy * i) * width as i64 + x + dx * i) as u32;
                    rows.push((0..row as i64).fold(0u64, |mask, i| mask | 1 << cell(i)));
                }
            }
        }
        Board { width, height, powers, rows }
    }

    pub fn count(&self) -> u64 {
        self.powers[self.width * self.height]
    }
}

impl Successors for Board {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        out.codes.clear();
        out.same.clear();
        out.gains.clear();
        let cells = self.width * self.height;
        let (mut first, mut second) = (0u64, 0u64);
        let mut rest = code;
        for cell in 0..cells {
            match rest % 3 {
                1 => first |= 1 << cell,
                2 => second |= 1 << cell,
                _ => {}
            }
            rest /= 3;
        }
        let second_moves = first.count_ones() > second.count_ones();
        let last = if second_moves { first } else { second };
        if self.rows.iter().any(|row| last & row == *row) {
            out.gains.push(-1);
            return Expanded::End;
        }
        let stone = if second_moves { 2 } else { 1 };
        for cell in (0..cells).filter(|cell| (first | second) >> cell & 1 == 0) {
            out.codes.push(code + stone * self.powers[cell]);
            out.same.push(0);
        }
        if out.codes.is_empty() {
            out.gains.push(0);
            return Expanded::End;
        }
        Expanded::Options
    }
}

/// A digraph on which a token is moved; who cannot move loses.
pub struct Digraph {
    pub starts: Vec<u32>,
    pub to: Vec<u32>,
}

impl Digraph {
    /// Random edges; vertices below `sinks` have none.
    pub fn random(vertices: u32, edges: u32, sinks: u32, random: &mut Random) -> Digraph {
        let mut pairs: Vec<(u32, u32)> = (0..edges)
            .map(|_| {
                let from = sinks + random.below(u64::from(vertices - sinks)) as u32;
                (from, random.below(u64::from(vertices)) as u32)
            })
            .collect();
        pairs.sort_by_key(|pair| pair.0);
        let mut starts = vec![0; vertices as usize + 1];
        for pair in &pairs {
            starts[pair.0 as usize + 1] += 1;
        }
        for vertex in 0..vertices as usize {
            starts[vertex + 1] += starts[vertex];
        }
        Digraph { starts, to: pairs.into_iter().map(|pair| pair.1).collect() }
    }
}

impl Successors for Digraph {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        out.codes.clear();
        out.same.clear();
        out.gains.clear();
        let run = self.starts[code as usize] as usize..self.starts[code as usize + 1] as usize;
        if run.is_empty() {
            out.gains.push(-1);
            return Expanded::End;
        }
        out.codes.extend(self.to[run.clone()].iter().map(|&to| u64::from(to)));
        out.same.resize(run.len(), 0);
        Expanded::Options
    }
}

/// Cat and Mouse (LeetCode 913): the mouse starts at 1, the cat at 2, the hole is 0; the mouse moves first. Draw for
/// ever.
///
/// code = ((mouse · n) + cat) · 2 + turn, turn 0 the mouse's.
pub struct CatMouse {
    pub graph: Vec<Vec<u32>>,
}

impl CatMouse {
    pub fn random(vertices: u32, degree: u32, random: &mut Random) -> CatMouse {
        let mut graph = vec![Vec::new(); vertices as usize];
        for a in 0..vertices {
            while graph[a as usize].len() < degree as usize {
                let b = random.below(u64::from(vertices)) as u32;
                if b != a && !graph[a as usize].contains(&b) {
                    graph[a as usize].push(b);
                    if !graph[b as usize].contains(&a) {
                        graph[b as usize].push(a);
                    }
                }
            }
        }
        CatMouse { graph }
    }
}

impl Successors for CatMouse {
    fn expand(&self, code: u64, out: &mut Options) -> Expanded {
        out.codes.clear();
        out.same.clear();
        out.gains.clear();
        let n = self.graph.len() as u64;
        let (turn, cat, mouse) = (code & 1, code / 2 % n, code / 2 / n);
        if mouse == 0 || mouse == cat {
            // Won by the mouse in the hole, by the cat on the same vertex; seen by the mover.
            let mouse_wins = mouse == 0;
            out.gains.push(if mouse_wins == (turn == 0) { 1 } else { -1 });
            return Expanded::End;
        }
        if turn == 0 {
            for &to in &self.graph[mouse as usize] {
                out.codes.push((u64::from(to) * n + cat) * 2 + 1);
            }
        } else {
            for &to in self.graph[cat as usize].iter().filter(|&&to| to != 0) {
                out.codes.push((mouse * n + u64::from(to)) * 2);
            }
        }
        out.same.resize(out.codes.len(), 0);
        if out.codes.is_empty() {
            out.gains.push(0);
            return Expanded::End;
        }
        Expanded::Options
    }
}
