//! "Did you mean …?": the known name that is nearest to a misspelt one.

/// Letters of a name that are compared.
const LONGEST: usize = 64;

/// The nearest of `known`, if it is near enough to be a misspelling.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let length = |name: &str| name.chars().take(LONGEST).count();
    let (own, allowed) = (length(name), ((name.chars().count() + 1) / 3).max(1));
    // A file of many mistakes asks often, and names of another length need not be compared.
    let is_near = |k: &&str| *k != name && !k.is_empty() && length(k).abs_diff(own) <= allowed;
    let distance_to = |candidate: &'k str| (distance(&name.to_lowercase(), &candidate.to_lowercase()), candidate);
    let best = known.into_iter().filter(is_near).map(distance_to).min()?;
    (best.0 <= allowed && best.0 < best.1.chars().count().min(name.chars().count())).then_some(best.1)
}

/// How many letters must be changed, added, dropped, or swapped with a neighbour to get from one to the other.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(LONGEST).collect();
    let b: Vec<char> = b.chars().take(LONGEST).collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substitute = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitute.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_and_no_more() {
        let known = ["coins", "board", "size"];
        assert_eq!(nearest("coin", known), Some("coins"));
        assert_eq!(nearest("baord", known), Some("board"));
        assert_eq!(nearest("zebra", known), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("rest", ["left"]), None);
    }
}
