//! Sorts the entries of all workers by the keys of the table: each worker gets a range of keys, and writes it as a part of the table.
//!
//! Parts are ranges and not those of the hash, so that a table in parts is read as one: the first entry of a part follows the last one
//! of the part before.

use std::path::{Path, PathBuf};

use engine::memory::Lease;
use engine::monitor::Monitor;
use game::Verdict;
use table::{About, BlockWriter, Entry, Keys, Listed, Shape, Written, part_path};

use crate::column::Column;
use crate::error::Trouble;
use crate::game::{SharedRules, Sought};
use crate::holding::{Holding, cell};
use crate::packing::Packer;
use crate::post::Post;
use crate::whole::{self, Share};
use solve::error::SolveError;

/// So many keys of each worker tell how the ranges are cut.
const SAMPLE: usize = 512;

/// The shape of the table.
pub fn shape(game: &SharedRules<'_>, holding: &Holding) -> Shape {
    let kind = match game.game.sought {
        Sought::Scores => table::Kind::Scores,
        _ => table::Kind::Outcomes { nimbers: holding.nimbers.is_some() },
    };
    Shape { kind, turn: game.game.with_turn, ordered: false, values: false }
}

/// What is told of a position: one number, and the nimber where there is one.
fn told(holding: &Holding, number: usize) -> [u64; 2] {
    let value = match holding.sought {
        Sought::Scores => holding.scores.get(number) as u64,
        _ => u64::from(holding.cells.get(number)),
    };
    [value, holding.nimbers.as_ref().map_or(0, |nimbers| u64::from(nimbers.get(number)))]
}

/// The verdict of what was told.
fn heard(shape: &Shape, [value, nimber]: [u64; 2]) -> Result<Verdict, Trouble> {
    Ok(match shape.kind {
        table::Kind::Scores => Verdict::Score(value as i64),
        kind => {
            let read = cell::read(value as u32);
            let (outcome, remoteness) = read.ok_or_else(|| SolveError::internal("a position has no value"))?;
            let nimber = (kind == table::Kind::Outcomes { nimbers: true }).then_some(nimber);
            Verdict::Outcome { outcome, remoteness, nimber }
        }
    })
}

/// A key as words that are compared as its bytes are.
fn words_of(key: &[u8], into: &mut Vec<u64>) {
    for bytes in key.chunks(8) {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        into.push(u64::from_be_bytes(word));
    }
}

/// A part of a table that a worker has written.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its file.
    pub path: PathBuf,
    /// How large it is; nothing where no key falls into it.
    pub written: Option<Written>,
}

/// Sorts, and writes the part of this worker into a folder. Returns the part, and what the start is worth.
pub fn write(
    game: &SharedRules<'_>,
    mut holding: Holding,
    (folder, about): (&Path, &About),
    post: &mut Post<'_>,
    monitor: &mut Monitor,
) -> Result<(Part, Verdict), Trouble> {
    let memory = monitor.memory().clone();
    holding.arrows = crate::arrows::Arrows::new(false, &memory);
    let shape = shape(game, &holding);
    let start = holding.table.find(&game.start()?).map(|number| told(&holding, number as usize));
    let mut sorting = Sorting { game, keys: Keys::new(&game.game.bound, shape), key: vec![0; game.words()] };
    let width = sorting.width()?;
    let cuts = sorting.cuts(&holding, width, post)?;
    let mut range = Range { words: Column::new(&memory), stride: width + 2 };
    let (all, mut next) = (holding.len(), 0);
    loop {
        let mut letters = post.letters();
        while next < all && !post.is_full(&letters) {
            monitor.tick(all as u64, next as u64)?;
            sorting.send(&holding, next, &cuts, &mut letters)?;
            next += 1;
        }
        monitor.look(all as u64, next as u64)?;
        let [left, ..] = post.turn(letters, [(all - next) as u64, 0, 0, 0], |mut letter| {
            for _ in 0..letter.records * range.stride as u64 {
                range.words.push(letter.packed.take(64))?;
            }
            Ok(())
        })?;
        if left == 0 {
            break;
        }
    }
    drop(holding);
    let path = folder.join(whole::part_name(post.index()));
    let order = range.order(width, monitor)?;
    // What is left there is of other ranges.
    let _ = std::fs::remove_file(part_path(&path));
    let bytes = sorting.bytes()?;
    let written = range.write(&order, bytes, (&path, about, shape, game.game.bound.players), post, monitor)?;
    let start = list(&Share { written, start }, (folder, about, shape), post)?;
    Ok((Part { path, written }, start))
}

/// Tells all others of the part of this worker, and writes the list of all parts. Returns what the start is worth.
fn list(
    share: &Share,
    (folder, about, shape): (&Path, &About, Shape),
    post: &mut Post<'_>,
) -> Result<Verdict, Trouble> {
    let mut letters = post.letters();
    letters.iter_mut().for_each(|letter| share.words().iter().for_each(|&word| letter.put(word, 64)));
    let (mut parts, mut start) = (Vec::new(), None);
    post.turn(letters, [0; 4], |mut letter| {
        let (listed, known) = Share::read(letter.from, std::array::from_fn(|_| letter.packed.take(64)));
        parts.extend(listed.map(|listed| (letter.from, listed)));
        start = start.or(known);
        Ok(())
    })?;
    parts.sort_by_key(|part| part.0);
    let parts: Vec<Listed> = parts.into_iter().map(|part| part.1).collect();
    // Workers of one process would write the same list.
    if post.is_first_of_process() {
        whole::write(folder, about, shape, &parts)?;
    }
    heard(&shape, start.ok_or_else(|| SolveError::internal("nobody has the start"))?)
}

struct Sorting<'s, 'b> {
    game: &'s SharedRules<'b>,
    keys: Keys<'b>,
    key: Vec<u64>,
}

impl Sorting<'_, '_> {
    /// Bytes of a key.
    fn bytes(&self) -> Result<usize, Trouble> {
        Ok(self.bytes_of(&self.game.game.bound.start)?.len())
    }

    /// Words of a key.
    fn width(&self) -> Result<usize, Trouble> {
        Ok(self.bytes()?.div_ceil(8))
    }

    fn bytes_of(&self, position: &rules::bind::Position) -> Result<Vec<u8>, Trouble> {
        let key = self.keys.key(position).map_err(SolveError::from)?;
        Ok(key.ok_or_else(|| SolveError::internal("a position has no key"))?)
    }

    /// The key of a position of this worker.
    fn key_of(&mut self, holding: &Holding, number: usize, into: &mut Vec<u64>) -> Result<(), Trouble> {
        holding.table.key(number as u32, &mut self.key);
        let position = self.game.position(&self.key)?;
        words_of(&self.bytes_of(&position)?, into);
        Ok(())
    }

    /// The least key of each range but the first: the same for all workers.
    fn cuts(&mut self, holding: &Holding, width: usize, post: &mut Post<'_>) -> Result<Vec<Vec<u64>>, Trouble> {
        let mut letters = post.letters();
        let count = holding.len().min(SAMPLE);
        let mut words = Vec::new();
        for place in 0..count {
            words.clear();
            self.key_of(holding, place * holding.len() / count, &mut words)?;
            for letter in &mut letters {
                words.iter().for_each(|&word| letter.put(word, 64));
                letter.records += 1;
            }
        }
        let mut sample: Vec<Vec<u64>> = Vec::new();
        post.turn(letters, [0; 4], |mut letter| {
            let keys = (0..letter.records).map(|_| (0..width).map(|_| letter.packed.take(64)).collect());
            sample.extend(keys);
            Ok(())
        })?;
        sample.sort_unstable();
        let peers = post.peers();
        Ok((1..peers).filter_map(|part| sample.get(part * sample.len() / peers).cloned()).collect())
    }

    /// Writes to the owner of its range of a position.
    fn send(
        &mut self,
        holding: &Holding,
        number: usize,
        cuts: &[Vec<u64>],
        letters: &mut [Packer],
    ) -> Result<(), Trouble> {
        let mut words = Vec::with_capacity(4);
        self.key_of(holding, number, &mut words)?;
        let letter = &mut letters[cuts.partition_point(|cut| *cut <= words)];
        words.iter().chain(&told(holding, number)).for_each(|&word| letter.put(word, 64));
        letter.records += 1;
        Ok(())
    }
}

/// The entries of a range, each of so many words.
struct Range {
    words: Column<u64>,
    stride: usize,
}

/// Where the entries of a range stand, in the order of their keys.
struct Order {
    places: Vec<(u64, u32)>,
    _lease: Lease,
}

impl Range {
    fn order(&self, width: usize, monitor: &mut Monitor) -> Result<Order, Trouble> {
        let count = self.words.len() / self.stride;
        let mut lease = monitor.memory().lease();
        lease.grow(16 * count as u64)?;
        let key = |place: u32| (0..width).map(move |word| self.words.get(place as usize * self.stride + word));
        let mut places: Vec<(u64, u32)> =
            (0..count as u32).map(|place| (self.words.get(place as usize * self.stride), place)).collect();
        match width {
            1 => places.sort_unstable(),
            _ => places.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| key(a.1).cmp(key(b.1)))),
        }
        Ok(Order { places, _lease: lease })
    }

    fn write(
        &self,
        order: &Order,
        bytes: usize,
        (path, about, shape, players): (&Path, &About, Shape, usize),
        post: &Post<'_>,
        monitor: &mut Monitor,
    ) -> Result<Option<Written>, Trouble> {
        if order.places.is_empty() {
            return Ok(None);
        }
        let file = |error: table::TableError| Trouble::File(format!("cannot write {}: {error}", path.display()));
        let mut writer = BlockWriter::begin(path, about, shape, players).map_err(file)?;
        let width = bytes.div_ceil(8);
        monitor.enter_expecting("writing", order.places.len() as u64);
        for (done, &(_, place)) in order.places.iter().enumerate() {
            monitor.tick(order.places.len() as u64, done as u64)?;
            if done % 4096 == 0 {
                post.pulse().beat();
            }
            let begin = place as usize * self.stride;
            let mut key: Vec<u8> = (0..width).flat_map(|word| self.words.get(begin + word).to_be_bytes()).collect();
            key.truncate(bytes);
            let value = [self.words.get(begin + width), self.words.get(begin + width + 1)];
            writer.push(key, &Entry::new(heard(&shape, value)?)).map_err(file)?;
        }
        Ok(Some(writer.finish().map_err(file)?))
    }
}
