//! Grundy numbers: the value of an impartial position, where sums are XORs and the maximum becomes the [`mex`].

/// The size of the Nim heap that a position is equal to.
pub type Nimber = u32;

/// The least nimber that is not among `values`. The slice is used as scratch space and its order is lost.
///
/// The answer is at most `values.len()`, so larger values can never matter.
///
/// ```
/// assert_eq!(game::mex(&mut [0, 1, 3, 1]), 2);
/// assert_eq!(game::mex(&mut []), 0);
/// ```
pub fn mex(values: &mut [Nimber]) -> Nimber {
    values.sort_unstable();
    let mut least = 0;
    for &value in values.iter() {
        if value > least {
            break;
        }
        if value == least {
            least += 1;
        }
    }
    least
}
