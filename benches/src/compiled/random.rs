//! Random instances, the same in every run.

use perfectplay::numbers::Random as Source;

/// A source of random instances.
pub struct Random(Source);

impl Random {
    /// A source that always starts alike for the same seed.
    pub fn new(seed: u64) -> Random {
        Random(Source::new(seed))
    }

    /// A number from 0 to `bound` − 1.
    pub fn below(&mut self, bound: i64) -> i64 {
        (self.0.next() % bound.unsigned_abs()) as i64
    }

    /// So many numbers from a range, ends included.
    pub fn list(&mut self, count: usize, low: i64, high: i64) -> Vec<i64> {
        (0..count).map(|_| low + self.below(high - low + 1)).collect()
    }

    /// So many different numbers from a range, ends included, in order.
    pub fn distinct(&mut self, count: usize, low: i64, high: i64) -> Vec<i64> {
        let mut all: Vec<i64> = (low..=high).collect();
        let mut chosen: Vec<i64> = (0..count.min(all.len()))
            .map(|_| {
                let at = self.below(all.len() as i64) as usize;
                all.swap_remove(at)
            })
            .collect();
        chosen.sort_unstable();
        chosen
    }

    /// A connected undirected graph as lists of neighbours, about `degree` each, at least one of them other than 0.
    pub fn graph(&mut self, vertices: i64, degree: i64) -> Vec<Vec<i64>> {
        let mut neighbours: Vec<Vec<i64>> = vec![Vec::new(); vertices as usize];
        let mut join = |a: i64, b: i64| {
            if a != b && !neighbours[a as usize].contains(&b) {
                neighbours[a as usize].push(b);
                neighbours[b as usize].push(a);
            }
        };
        for vertex in 1..vertices {
            join(vertex, self.below(vertex));
            for _ in 1..degree / 2 {
                join(vertex, self.below(vertices));
            }
        }
        for vertex in 0..vertices {
            if neighbours[vertex as usize].iter().all(|&other| other == 0) {
                let other = 1 + vertex % (vertices - 1);
                neighbours[vertex as usize].push(other);
                neighbours[other as usize].push(vertex);
            }
        }
        neighbours
    }

    /// A directed graph as lists of arrows; `degree` draws how many a node has, their ends are anywhere.
    pub fn digraph(&mut self, nodes: i64, mut degree: impl FnMut(&mut Random) -> i64) -> Vec<Vec<i64>> {
        (0..nodes)
            .map(|_| {
                let arrows = degree(self);
                (0..arrows).map(|_| self.below(nodes)).collect()
            })
            .collect()
    }

    /// A directed graph with so many arrows, both ends of each anywhere.
    pub fn arrows(&mut self, nodes: i64, arrows: i64) -> Vec<Vec<i64>> {
        let mut lists = vec![Vec::new(); nodes as usize];
        for _ in 0..arrows {
            let from = self.below(nodes) as usize;
            lists[from].push(self.below(nodes));
        }
        lists
    }
}
