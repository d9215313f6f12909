//! The change of variables that makes a cell cheap, and the bounds that make its numbers small.
//!
//! Write the gains as p(i) + q(j) for the first item and u(i) + v(j) for the last. A cell is odd or even as its length
//! j − i is.
//!
//! *Signs.* H = D in odd cells and −D in even ones: then H = max(gain + H', gain + H'') in odd cells and
//! min(H' − gain, H'' − gain) in even ones, where ' is the interval without its first item, '' without its last.
//!
//! *Crossed terms.* G = H in odd cells and H + q(j) + u(i) in even ones. Then a step that changes i alone adds a number
//! that depends on i alone: in odd cells p(i) − u(i+1), in even ones −(p(i) − u(i)). Likewise for j with v(j) − q(j−1)
//! and −(v(j) − q(j)).
//!
//! *Prefix sums.* K = G − X(i) − Y(j) with X(i) − X(i+1) = p(i) − u(i+1) and Y(j) − Y(j−1) = v(j) − q(j−1). Now
//!
//! - odd cells: K = max(K', K'');
//! - even cells: K = min(K' − λ(i), K'' − ρ(j)), λ(i) = 2p(i) − u(i) − u(i+1), ρ(j) = 2v(j) − q(j) − q(j−1);
//! - empty cells: K(i, i) = q(i) + u(i) − X(i) − Y(i), which is 0 for coins in a row.
//!
//! *Shift and scale.* Each path down from a cell passes as many even cells, so a number s can be taken off all λ and ρ:
//! it comes back as s·⌊(j − i)/2⌋. With s the least of them all λ, ρ ≥ 0. At last everything is divided by its greatest
//! common divisor; coins in a row are at least even.
//!
//! # Neighbours are close
//!
//! Let c be the largest λ or ρ, e the largest |K(i, i) − K(i+1, i+1)|, and h = c + e. Then
//!
//! - odd cells: 0 ≤ K − K' ≤ h and 0 ≤ K − K'' ≤ h;
//! - even cells: −h ≤ K − K' ≤ 0 and −h ≤ K − K'' ≤ 0.
//!
//! The signs are in the definition. For the rest let (i, j) be odd and K(i, j) = K(i, j−1), else K − K' = 0. The even
//! cell (i, j−1) is at most K(i+1, j−1) − λ(i). The even cell (i+1, j) is either K(i+1, j−1) − ρ(j), and
//! K − K' ≤ ρ(j) − λ(i) ≤ c; or K(i+2, j) − λ(i+1) ≥ K(i+2, j−1) − λ(i+1), and K − K' is at most the same difference
//! at (i+1, j−1) plus λ(i+1) − λ(i). The sum of these telescopes on the way to the middle, where the difference in a
//! cell of length 1 is at most e: at most c + e. Let now (i, j) be even and K = K'' − ρ(j), else K − K' = −λ(i). Since
//! K'' ≥ K(i+1, j−1): if K' is that number, K − K' ≥ −ρ(j). Otherwise K' = K(i+2, j) ≤ K(i+2, j−1) − ρ(j), and the
//! difference is at least the one at (i+1, j−1); in length 2 it is at least −ρ(j) − e. The other side is the mirror
//! image.
//!
//! Steps of both kinds alternate along a path that only grows, so m steps change K by at most h·⌈m/2⌉. All that a tile
//! of T × T cells reads, computes or writes is within h·(T + 4) of its corner, and also within the range of all K,
//! which is at most that of the empty cells plus the sum of max(λ(k), ρ(k+1)) over all items. [`Normal::reach`] is the
//! smaller of the two.

use super::Gains;

/// A row of gains in the form above.
#[derive(Clone, Debug)]
pub struct Normal {
    /// λ(i), shifted and scaled, for 0 ≤ i < n.
    pub(super) first: Vec<u128>,
    /// ρ(j), shifted and scaled, for 0 < j ≤ n: entry j − 1.
    pub(super) last: Vec<u128>,
    /// K(i, i) relative to K(0, 0), scaled, for 0 ≤ i ≤ n; empty if all are 0.
    pub(super) empty: Vec<i128>,
    shift: i128,
    scale: i128,
    origin: i128,
    /// X(i) and Y(j).
    x: Vec<i128>,
    y: Vec<i128>,
    /// h.
    step: u128,
    /// The range of all K.
    range: u128,
}

impl Normal {
    /// Transforms the gains.
    pub fn new(gains: &Gains) -> Self {
        let n = gains.len();
        let mut x = vec![0; n + 1];
        let mut y = vec![0; n + 1];
        for k in 0..n {
            x[k + 1] = x[k] - (gains.p(k) - gains.u(k + 1));
            y[k + 1] = y[k] + gains.v(k + 1) - gains.q(k);
        }
        let first = |i: usize| 2 * gains.p(i) - gains.u(i) - gains.u(i + 1);
        let last = |j: usize| 2 * gains.v(j) - gains.q(j) - gains.q(j - 1);
        let corner = |i: usize| gains.q(i) + gains.u(i) - x[i] - y[i];
        let shift = (0..n).flat_map(|k| [first(k), last(k + 1)]).min().unwrap_or(0);
        let origin = corner(0);
        let mut scale = 0;
        for k in 0..n {
            for number in [first(k) - shift, last(k + 1) - shift, corner(k + 1) - origin] {
                scale = divisor(scale, number.unsigned_abs());
            }
        }
        let scale = scale.max(1) as i128;
        let first: Vec<u128> = (0..n).map(|i| ((first(i) - shift) / scale) as u128).collect();
        let last: Vec<u128> = (1..=n).map(|j| ((last(j) - shift) / scale) as u128).collect();
        let mut empty: Vec<i128> = (0..=n).map(|i| (corner(i) - origin) / scale).collect();
        let most = first.iter().chain(&last).max().copied().unwrap_or(0);
        let apart = empty.windows(2).map(|pair| pair[0].abs_diff(pair[1])).max().unwrap_or(0);
        let spread = empty.iter().max().zip(empty.iter().min()).map_or(0, |(most, least)| most.abs_diff(*least));
        let range = spread + first.iter().zip(&last).map(|(first, last)| first.max(last)).sum::<u128>();
        if spread == 0 {
            empty = Vec::new();
        }
        Self { first, last, empty, shift, scale, origin, x, y, step: most + apart, range }
    }

    /// How far numbers in a tile of this side can be from the number in its corner.
    pub fn reach(&self, tile: usize) -> u128 {
        self.step.saturating_mul(tile as u128 + 4).min(self.range)
    }

    /// A bound on |K| in all cells, including the padding.
    pub fn bound(&self) -> u128 {
        2 * self.range
    }

    /// Its size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        16 * (self.first.len() + self.last.len() + self.empty.len() + self.x.len() + self.y.len()) as u64
    }

    /// The lead D(i, j) from the number in the cell.
    pub(super) fn lead(&self, gains: &Gains, i: usize, j: usize, cell: i128) -> i128 {
        let length = j - i;
        let k = cell * self.scale + self.origin - self.shift * (length / 2) as i128;
        let g = k + self.x[i] + self.y[j];
        if length % 2 == 1 { g } else { gains.q(j) + gains.u(i) - g }
    }
}

fn divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All K by their definition, and what the text above says of them.
    fn check(gains: &Gains) {
        let normal = Normal::new(gains);
        let n = gains.len();
        let step = normal.step as i128;
        let empty = |i: usize| normal.empty.get(i).copied().unwrap_or(0);
        let mut lead = vec![vec![0; n + 1]; n + 1];
        let mut k = vec![vec![0; n + 1]; n + 1];
        for i in (0..=n).rev() {
            k[i][i] = empty(i);
            for j in i + 1..=n {
                lead[i][j] = (gains.first(i, j) - lead[i + 1][j]).max(gains.last(i, j) - lead[i][j - 1]);
                let (below, left) = (k[i + 1][j], k[i][j - 1]);
                let odd = (j - i) % 2 == 1;
                k[i][j] = match odd {
                    true => below.max(left),
                    false => (below - normal.first[i] as i128).min(left - normal.last[j - 1] as i128),
                };
                assert_eq!(normal.lead(gains, i, j, k[i][j]), lead[i][j]);
                assert!(k[i][j].unsigned_abs() <= normal.bound());
                for neighbour in [below, left] {
                    let difference = if odd { k[i][j] - neighbour } else { neighbour - k[i][j] };
                    assert!((0..=step).contains(&difference), "{difference} in {i}..{j}, {gains:?}");
                }
            }
        }
        let all = || (0..=n).flat_map(|i| k[i][i..].iter());
        let range = all().max().zip(all().min()).map_or(0, |(most, least)| most.abs_diff(*least));
        assert!(range <= normal.range);
    }

    #[test]
    fn leads_and_distances_of_all_small_rows() {
        // All lists of up to four gains of each kind out of three numbers.
        for n in 0..=4 {
            let lists: Vec<Vec<i64>> = (0..3_usize.pow(n))
                .map(|code| (0..n).map(|k| [-3, 0, 5][code / 3_usize.pow(k) % 3]).collect())
                .collect();
            for first in &lists {
                check(&Gains::row(first));
                for last in &lists {
                    check(&Gains::ends(first, last).unwrap());
                    check(&Gains::sums([first, last], [last, first]).unwrap());
                    check(&Gains::sums([first, first], [last, first]).unwrap());
                }
            }
        }
    }

    #[test]
    fn leads_and_distances_of_longer_rows() {
        let mut random = testkit::Random::new(1);
        let mut list = |n: usize, most: i64| random.list(n, -(most / 3), most - most / 3 - 1);
        for round in 0..600 {
            let (n, most) = (round % 30, [2, 3, 10, 1000][round % 4]);
            let lists: [Vec<i64>; 4] = std::array::from_fn(|_| list(n, most));
            check(&Gains::row(&lists[0]));
            check(&Gains::ends(&lists[0], &lists[1]).unwrap());
            check(&Gains::sums([&lists[0], &lists[1]], [&lists[2], &lists[3]]).unwrap());
        }
    }
}
