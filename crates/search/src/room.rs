//! Room for the path of a search: its positions, their options and the set of the positions grow together, and are charged to
//! the memory budget before they do.

use engine::Error;
use engine::memory::Lease;
use rustc_hash::FxHashSet;

/// Room for the first positions and options.
const FIRST_FRAMES: usize = 64;
const FIRST_OPTIONS: usize = 256;
/// A hash set has at most so many places for a key: a power of two, of which seven eighths are used.
const PLACES: usize = 3;

/// Positions on a path that may not repeat.
pub(crate) type Path<const W: usize> = Option<FxHashSet<[u64; W]>>;

/// Makes room for one more position with so many options.
#[inline]
pub(crate) fn make_room<F, C, const W: usize>(
    frames: &mut Vec<F>,
    arena: &mut Vec<C>,
    path: &mut Path<W>,
    options: usize,
    lease: &mut Lease,
) -> Result<(), Error> {
    if arena.len() + options > arena.capacity() || frames.len() == frames.capacity() {
        return grow(frames, arena, path, options, lease);
    }
    Ok(())
}

#[cold]
fn grow<F, C, const W: usize>(
    frames: &mut Vec<F>,
    arena: &mut Vec<C>,
    path: &mut Path<W>,
    options: usize,
    lease: &mut Lease,
) -> Result<(), Error> {
    let (mut deep, mut wide) = (frames.capacity(), arena.capacity());
    if frames.len() == deep {
        deep = (2 * deep).max(FIRST_FRAMES);
    }
    if arena.len() + options > wide {
        wide = (arena.len() + options).max(2 * wide).max(FIRST_OPTIONS);
    }
    let key = if path.is_some() { PLACES * (size_of::<[u64; W]>() + 1) } else { 0 };
    lease.resize((deep * (size_of::<F>() + key) + wide * size_of::<C>()) as u64)?;
    frames.reserve_exact(deep - frames.len());
    arena.reserve_exact(wide - arena.len());
    if let Some(path) = path {
        path.reserve(deep - path.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use engine::memory::Memory;

    use super::*;

    #[test]
    fn what_grows_is_charged() {
        let memory = Memory::unlimited();
        let mut lease = memory.lease();
        let (mut frames, mut arena, mut path) =
            (Vec::<[u64; 9]>::new(), Vec::<[u64; 3]>::new(), Some(FxHashSet::default()));
        for round in 0..10_000u64 {
            make_room::<_, _, 2>(&mut frames, &mut arena, &mut path, round as usize % 5, &mut lease).unwrap();
            let (deep, wide) = (frames.capacity(), arena.capacity());
            frames.push([round; 9]);
            arena.extend((0..round % 5).map(|option| [option; 3]));
            path.as_mut().unwrap().insert([round, 0]);
            assert_eq!((frames.capacity(), arena.capacity()), (deep, wide), "both grow in one place only");
            let keys = path.as_ref().unwrap().capacity() * 17;
            assert!(lease.bytes() as usize >= deep * 72 + wide * 24 + keys, "round {round}");
        }
        let small = Memory::new(1000);
        assert!(make_room::<_, _, 2>(&mut frames, &mut arena, &mut path, 1 << 20, &mut small.lease()).is_err());
    }
}
