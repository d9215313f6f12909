//! The search behind [`Sums`](super::Sums): outcomes and genera of sums of heaps, remembered.
//!
//! A position is a multiset of heaps. Three exact short cuts keep the multisets few:
//! * **Equal heaps are one.** As long as the limits allow, heaps get their [canonical form](super::form). A heap that
//!   equals a smaller one, or a smaller one plus the nim-heap of one, is written that way, and two nim-heaps of one
//!   vanish.
//! * **Tame heaps add like Nim.** A sum of tame heaps is answered from their types, without a search.
//! * **The first winning move ends the search of a position** if only its outcome is wanted.
//!
//! Decided positions are remembered until the object is dropped, up to [`Limits::positions`]. The search has an
//! explicit stack, so long games are safe.

use std::collections::HashMap;

use super::form::{Form, Forms};
use super::genus::{Genus, Nature, Tame};
use super::rules::{HeapRules, HeapTable};
use super::watch::Watch;
use super::{Error, Limits, Resource};

/// A sum of heaps in simplest terms: letters in ascending order. A letter is a heap that equals no simpler sum. 0
/// stands for the nim-heap of one, and occurs at most once.
pub(super) type Position = Box<[u32]>;

/// The nim-heap of one as a letter.
const ONE: u32 = 0;

/// A search over the sums of the heaps of one game.
#[derive(Clone, Debug)]
pub(super) struct Search {
    limits: Limits,
    pub forms: Forms,
    /// The letters of each heap, in ascending order.
    reduced: Vec<Position>,
    letters: Vec<Letter>,
    /// The letters of the heaps whose form is known, by form.
    by_form: HashMap<Form, Position>,
    losses: HashMap<Position, bool>,
    genera: HashMap<Position, (Genus, Nature)>,
}

/// A heap as a letter.
#[derive(Clone, Debug)]
struct Letter {
    options: Vec<Position>,
    form: Option<Form>,
    tame: Option<Tame>,
}

/// A position in search, with its options and the next one to examine.
struct Frame {
    position: Position,
    options: Vec<Position>,
    next: usize,
}

impl Search {
    /// A search without any position.
    pub fn new(limits: Limits) -> Search {
        let forms = Forms::new(limits);
        Search {
            limits,
            by_form: HashMap::from([(forms.zero(), Position::default())]),
            forms,
            reduced: Vec::new(),
            letters: Vec::new(),
            losses: HashMap::new(),
            genera: HashMap::new(),
        }
    }

    /// How many positions are remembered.
    pub fn positions(&self) -> usize {
        self.losses.len() + self.genera.len()
    }

    /// The canonical form of a heap that was met, if it is within the limits.
    pub fn form(&self, heap: u32) -> Option<Form> {
        self.letters.get(heap as usize).and_then(|letter| letter.form)
    }

    /// Whether the player to move loses a position.
    pub fn is_loss(&mut self, position: Position, watch: &Watch<'_>) -> Result<bool, Error> {
        if let Some(loss) = self.known_loss(&position) {
            return Ok(loss);
        }
        let mut stack = vec![self.frame(position)];
        let mut found = None;
        while let Some(frame) = stack.last_mut() {
            watch.check()?;
            let loss = match (found.take(), frame.options.get(frame.next)) {
                (Some(true), _) => Some(false),
                (_, None) => Some(true),
                (_, Some(option)) => {
                    let option = option.clone();
                    frame.next += 1;
                    match self.known_loss(&option) {
                        Some(loss) => found = Some(loss),
                        None => {
                            let frame = self.frame(option);
                            stack.push(frame);
                        }
                    }
                    None
                }
            };
            if let Some(loss) = loss
                && let Some(frame) = stack.pop()
            {
                self.check_limit()?;
                self.losses.insert(frame.position, loss);
                found = Some(loss);
            }
        }
        Ok(found.unwrap_or(false))
    }

    /// Makes a heap a letter, or spells it with smaller letters. Heaps come in order.
    fn add_heap(&mut self, options: &[Box<[u32]>], watch: &Watch<'_>) -> Result<(), Error> {
        let next = self.letters.len() as u32;
        let reduced = |parts: &[u32]| sum(parts.iter().map(|&part| &self.reduced[part as usize]));
        let mut options: Vec<Position> = options.iter().map(|parts| reduced(parts)).collect();
        options.sort_unstable();
        options.dedup();
        // Without a form the heap is its own letter, which is always correct.
        let form = within(self.form_of_options(&options, watch))?;
        let own: Position = if options.is_empty() { Position::default() } else { Box::new([next]) };
        let reduced = match form {
            Some(form) => self.name(form, own, watch)?,
            None => own,
        };
        let tame = match form {
            Some(form) => self.forms.nature(form).tame(),
            None => self.tame_by_types(&options),
        };
        self.letters.push(Letter { options, form, tame });
        self.reduced.push(reduced);
        Ok(())
    }

    /// The position for a form; `own` if it is new.
    fn name(&mut self, form: Form, own: Position, watch: &Watch<'_>) -> Result<Position, Error> {
        if let Some(position) = self.by_form.get(&form) {
            return Ok(position.clone());
        }
        let Ok(one) = self.forms.nim_heap(1) else { return Ok(own) };
        let own = if form == one { Box::new([ONE]) } else { own };
        let other = within(self.forms.sum_watched(form, one, watch))?;
        self.by_form.insert(form, own.clone());
        if let Some(other) = other {
            self.by_form.entry(other).or_insert_with(|| sum([&own, &Position::from([ONE])]));
        }
        Ok(own)
    }

    fn form_of_options(&mut self, options: &[Position], watch: &Watch<'_>) -> Result<Form, Error> {
        let mut forms = Vec::with_capacity(options.len());
        for option in options {
            let mut total = self.forms.zero();
            for &letter in option {
                let form = match letter {
                    ONE => Some(self.forms.nim_heap(1)?),
                    _ => self.letters[letter as usize].form,
                };
                let form = form.ok_or(Error::Limit { what: Resource::Forms, limit: self.limits.forms })?;
                total = self.forms.sum_watched(total, form, watch)?;
            }
            forms.push(total);
        }
        self.forms.of_options(forms)
    }

    /// The type of a heap, if it follows from tame options and their options without a search.
    fn tame_by_types(&self, options: &[Position]) -> Option<Tame> {
        let natures: Vec<Nature> =
            options.iter().map(|option| self.tame(option).map_or(Nature::Wild, Nature::Tame)).collect();
        Nature::of(&natures, |i, tame| self.options(&options[i]).iter().any(|second| self.tame(second) == Some(tame)))
            .tame()
    }

    /// The letters of a sum of heaps, all of which are in the table.
    pub fn position<R: HeapRules>(
        &mut self,
        table: &HeapTable<R>,
        heaps: &[u32],
        watch: &Watch<'_>,
    ) -> Result<Position, Error> {
        if let Some(&largest) = heaps.iter().max() {
            while self.letters.len() <= largest as usize {
                watch.check()?;
                self.add_heap(table.options(self.letters.len() as u32), watch)?;
            }
        }
        Ok(sum(heaps.iter().map(|&heap| &self.reduced[heap as usize])))
    }

    /// The type of a position all of whose letters are tame.
    fn tame(&self, position: &[u32]) -> Option<Tame> {
        position.iter().try_fold(Tame::Fickle(0), |total, &letter| match letter {
            ONE => Some(total.plus(Tame::Fickle(1))),
            _ => self.letters[letter as usize].tame.map(|tame| total.plus(tame)),
        })
    }

    /// The options of a position, without repeats.
    fn options(&self, position: &[u32]) -> Vec<Position> {
        let mut options = Vec::new();
        for (place, &letter) in position.iter().enumerate() {
            if place > 0 && position[place - 1] == letter {
                continue;
            }
            let mut rest = position.to_vec();
            rest.remove(place);
            match letter {
                ONE => options.push(rest.into_boxed_slice()),
                _ => {
                    let rest = rest.into_boxed_slice();
                    options.extend(self.letters[letter as usize].options.iter().map(|option| sum([&rest, option])));
                }
            }
        }
        options.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        options.dedup();
        options
    }

    /// The outcome of a position, if it needs no search.
    fn known_loss(&self, position: &[u32]) -> Option<bool> {
        if let Some(tame) = self.tame(position) {
            return Some(tame.misere() == 0);
        }
        self.losses.get(position).copied().or_else(|| self.genera.get(position).map(|(genus, _)| genus.is_loss()))
    }

    fn frame(&self, position: Position) -> Frame {
        let mut options = self.options(&position);
        // One option that is known to be lost decides; no other is examined.
        if let Some(place) = options.iter().position(|option| self.known_loss(option) == Some(true)) {
            options.swap(0, place);
        }
        Frame { position, options, next: 0 }
    }

    fn check_limit(&self) -> Result<(), Error> {
        if self.positions() >= self.limits.positions {
            return Err(Error::Limit { what: Resource::Positions, limit: self.limits.positions });
        }
        Ok(())
    }

    /// The genus and the nature of a position.
    pub fn genus(&mut self, position: Position, watch: &Watch<'_>) -> Result<(Genus, Nature), Error> {
        let mut stack = vec![self.plain_frame(position.clone())];
        while let Some(frame) = stack.last_mut() {
            watch.check()?;
            if let Some(option) = frame.options.get(frame.next) {
                frame.next += 1;
                if self.known_genus(option).is_none() {
                    let frame = self.plain_frame(option.clone());
                    stack.push(frame);
                }
                continue;
            }
            let Some(frame) = stack.pop() else { break };
            if self.known_genus(&frame.position).is_some() {
                continue;
            }
            self.check_limit()?;
            let known: Vec<(Genus, Nature)> =
                frame.options.iter().filter_map(|option| self.known_genus(option)).collect();
            let genus = Genus::from_options(known.iter().map(|(genus, _)| genus));
            let natures: Vec<Nature> = known.iter().map(|&(_, nature)| nature).collect();
            let nature = Nature::of(&natures, |i, tame| self.has_tame_option(&frame.options[i], tame));
            self.genera.insert(frame.position, (genus, nature));
        }
        Ok(self.known_genus(&position).unwrap_or((Genus::from_options([]), Nature::Wild)))
    }

    /// Whether a position whose genus is known has a tame option of this type.
    fn has_tame_option(&self, position: &[u32], tame: Tame) -> bool {
        if let &[letter] = position
            && let Some(form) = self.letters[letter as usize].form
        {
            return self.forms.options(form).iter().any(|&option| self.forms.nature(option).tame() == Some(tame));
        }
        let natures = self.options(position).into_iter().filter_map(|option| self.known_genus(&option));
        natures.into_iter().any(|(_, nature)| nature.tame() == Some(tame))
    }

    fn plain_frame(&self, position: Position) -> Frame {
        let options = if self.tame(&position).is_some() { Vec::new() } else { self.options(&position) };
        Frame { position, options, next: 0 }
    }

    fn known_genus(&self, position: &[u32]) -> Option<(Genus, Nature)> {
        if let Some(tame) = self.tame(position) {
            return Some((tame.genus(), Nature::Tame(tame)));
        }
        if let [letter] = position
            && let Some(form) = self.letters[*letter as usize].form
        {
            return Some((self.forms.genus(form).clone(), self.forms.nature(form)));
        }
        self.genera.get(position).cloned()
    }
}

/// Turns a limit into `None`; being stopped stays an error.
fn within<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(Error::Stopped) => Err(Error::Stopped),
        Err(_) => Ok(None),
    }
}

/// The sum of positions: letters in order, and pairs of nim-heaps of one removed.
fn sum<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Position {
    let mut letters: Vec<u32> = positions.into_iter().flat_map(|position| position.iter().copied()).collect();
    letters.sort_unstable();
    let ones = letters.iter().take_while(|&&letter| letter == ONE).count();
    letters.drain(..ones - ones % 2);
    letters.into_boxed_slice()
}
