//! `layers`: retrograde analysis layer by layer, for games that are too large for memory.
//!
//! The rules show that some numbers only fall, or only rise: stones in hand, stones on the board. Positions with equal numbers are a
//! class, and classes fall into layers that play passes through in one direction ([`formula::layers`]). A class has a code for each
//! arrangement of its stones and none for other boards: Six Men's Morris has 150 million codes instead of 2.2 thousand million. Layers
//! lie in a file beside the table that is built, and otherwise in memory ([`engine::layered`]).

use std::sync::Arc;

use engine::codes::{Codes, Kind as CodeKind};
use engine::layered::{LayeredTable, Layers as EngineLayers, Stream, layered_retrograde};
use engine::monitor::Monitor;
use engine::retrograde::Forever;
use formula::Layering;
use game::{Player, Verdict};
use rules::bind::Position;

use super::compiled::wants_nimbers;
use super::sampling::sampled;
use crate::answers::{Answers, Ordered, Positions, Proof};
use crate::case::{Case, Kind};
use crate::error::{Reason, SolveError};
use crate::facts::Fact;
use crate::methods::{Ability, Code, Cost, Found, GivenUp, Look, Method, Prepared, Prospect, Report};
use crate::numbers::grouped;
use crate::options::MethodName;
use positions::coding::{Coding, Use, dense_places};
use positions::compiled::Codec;
use positions::cost;

/// Its name.
const NAME: MethodName = MethodName::compiled("layers");
/// What a table in memory takes of each code and of each position, about.
const IN_MEMORY: (f64, f64) = (0.25, 8.0);
/// Streams read so many words of marks at a time, at the least.
const LEAST_WORDS: usize = 16;

/// The method.
pub(super) struct Layers;

impl Method for Layers {
    fn name(&self) -> MethodName {
        NAME
    }

    fn about(&self) -> &'static str {
        "Compiled: retrograde analysis layer by layer, from a file where memory is short"
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::EveryPosition)
    }

    fn recognise<'b>(&self, case: &Case<'b>, monitor: &mut Monitor) -> Result<Look<'b>, SolveError> {
        let facts = &case.facts;
        if facts.kind != Kind::Outcome || facts.sum.holds {
            return Ok(Look::no("it is for games of two players that are won, lost or drawn, and for no sums"));
        }
        if case.bound.forever.is_some() {
            return Ok(Look::no("play without end is won by a player"));
        }
        if wants_nimbers(&case.options, facts.nimbers) && case.cycle().is_none() && case.options.method.is_none() {
            return Ok(Look::no("it finds no nimbers"));
        }
        if let Some(reason) = case.gave_up_with(NAME) {
            return Ok(Look::no(reason.to_string()));
        }
        let sampled = sampled(case, monitor)?;
        let study = match case.study_beside(sampled.as_ref()) {
            Ok(study) => study,
            Err(why) => return Ok(Look::no(why)),
        };
        // Where a table of all codes fits in memory, retrograde analysis in memory is quicker.
        let met = sampled.map_or(f64::INFINITY, |sampled| sampled.sample.positions);
        let (code, position) = IN_MEMORY;
        let fits = dense_places(&study).is_some_and(|places| {
            let places = places as f64;
            places < f64::from(u32::MAX) && places * code + met.min(places) * position <= case.memory as f64
        });
        let was_short = case.given_up().any(|(_, reason)| matches!(reason, Reason::OutOfMemory(_)));
        if fits && !was_short && case.options.method.is_none() {
            return Ok(Look::no("memory is large enough to do without layers"));
        }
        let (Some(start), turn) = (case.start.parts.first(), case.start.turn.0) else {
            return Ok(Look::no("a position is no single part"));
        };
        let (coded, layering) = match Layering::new(&study, start, turn) {
            Ok(found) => found,
            Err(why) => return Ok(Look::no(format!("no layers: {}", case.named(&why)))),
        };
        let codes = layering.size().ok_or_else(|| SolveError::internal("layers have more than 2^64 codes"))?;
        let largest = layering.layers().iter().map(|layer| layer.size).max().unwrap_or(0);
        let is_cyclic = layering.layers().iter().any(|layer| layer.is_cyclic);
        let coding = case.coding(study, coded, Use::Layers);
        // Marks of the layer at work; what is in no file is in memory.
        let in_file = monitor.keeping().is_some();
        let kept = if in_file { 0.0 } else { codes as f64 / 8.0 + 2.0 * met.min(codes as f64) };
        let bytes = (largest / 8 * if is_cyclic { 3 } else { 1 }).min(if in_file { case.memory / 2 } else { u64::MAX });
        let cost = sampled
            .map(|sampled| cost::layered(&coding.before(&sampled), codes, is_cyclic, case.options.threads(), &sampled));
        let bytes = Some(bytes.saturating_add(kept as u64));
        let cost = Cost { codes: Some(codes), bytes, ..cost.unwrap_or_default() };
        let why =
            format!("{} of {} codes that play passes through in one direction", plural(&layering), grouped(codes));
        let code = Code::compiled(case, &coding);
        let cyclic = match case.cycle() {
            Some(cycle) => Fact::yes(format!("the search found a cycle: {cycle}")),
            None if is_cyclic => Fact { holds: !facts.acyclic.holds, why: "moves may stay in a layer".to_string() },
            None => Fact::no("every move leads to a lower layer"),
        };
        let prepared = Prepare { coding, layering: Arc::new(layering), cyclic, threads: case.options.threads() };
        Ok(Look::yes(Prospect { cost, is_decisive: false, ..Prospect::new(why, code, prepared) }))
    }
}

fn plural(layering: &Layering) -> String {
    match layering.layers().len() {
        1 => "one layer".to_string(),
        count => format!("{} layers", grouped(count as u64)),
    }
}

struct Prepare<'b> {
    coding: Coding<'b>,
    layering: Arc<Layering>,
    cyclic: Fact,
    threads: usize,
}

/// Layers as the engine sees them.
struct Numbered<'l>(&'l Layering);

impl EngineLayers for Numbered<'_> {
    fn count(&self) -> u32 {
        self.0.layers().len() as u32
    }

    fn size(&self, layer: u32) -> u64 {
        self.0.layers()[layer as usize].size
    }

    fn below(&self, layer: u32) -> &[u32] {
        &self.0.layers()[layer as usize].below
    }

    fn is_cyclic(&self, layer: u32) -> bool {
        self.0.layers()[layer as usize].is_cyclic
    }

    #[inline]
    fn place(&self, code: u64) -> Option<(u32, u64)> {
        self.0.place(code)
    }

    #[inline]
    fn code(&self, layer: u32, number: u64) -> u64 {
        let class = self.0.class_at(layer, number);
        self.0.code(class, number - self.0.classes()[class as usize].first)
    }
}

impl<'b> Prepared<'b> for Prepare<'b> {
    fn run(&self, monitor: &mut Monitor) -> Result<Found<'b>, GivenUp> {
        let coding = &self.coding;
        let declared = coding.check_declared(monitor)?;
        monitor.enter("compiling");
        let expander = coding.expander()?;
        let root = &coding.roots()?[..1];
        let mut codes = Codes::new(&expander, root, CodeKind::Outcome { longest: None });
        codes.threads = self.threads;
        codes.identity = format!("{:?}, {:?}", coding.codec.coded().numbering, self.layering.followed());
        let table = layered_retrograde(&codes, &Numbered(&self.layering), Forever::Draw, monitor);
        let table = table.map_err(|error| coding.placed(error))?;
        let mut report = Report::new(self.cyclic.clone());
        report.declared = declared;
        report.class_missing = coding.partizan.then(|| "layers are those of play from the start".to_string());
        report.code = "the options of one position".to_string();
        let (codec, layering) = (coding.codec.clone(), Arc::clone(&self.layering));
        Ok(Found { answers: Box::new(LayeredAnswers { codec, layering, table, repeats: self.cyclic.holds }), report })
    }
}

/// The values of all positions, by layer.
struct LayeredAnswers {
    codec: Codec,
    layering: Arc<Layering>,
    table: LayeredTable,
    repeats: bool,
}

impl LayeredAnswers {
    /// The position of a number in a class.
    fn position(&self, class: u32, number: u64) -> Option<Position> {
        self.codec.position(self.layering.code(class, number))
    }

    /// The positions of a class with their values, so many words of marks at a time.
    fn class(&self, class: u32, words: usize) -> Result<ClassStream<'_>, SolveError> {
        let own = &self.layering.classes()[class as usize];
        let stream = self.table.stream(own.layer, own.first..own.first + own.size, words)?;
        Ok(ClassStream { answers: self, class, stream, next: None })
    }
}

/// The positions of a class in order.
struct ClassStream<'a> {
    answers: &'a LayeredAnswers,
    class: u32,
    stream: Stream<'a>,
    /// The code of the next position, and its value.
    next: Option<(u64, Verdict)>,
}

impl ClassStream<'_> {
    fn advance(&mut self) -> Result<(), SolveError> {
        let layering = &self.answers.layering;
        let first = layering.classes()[self.class as usize].first;
        let next = self.stream.advance()?;
        self.next = next.map(|(number, value)| (layering.code(self.class, number - first), value));
        Ok(())
    }
}

/// The positions of all classes in the order of their codes, which is that of their cells.
struct Merged<'a> {
    streams: Vec<ClassStream<'a>>,
    /// The next code of each stream, the least first.
    heap: std::collections::BinaryHeap<std::cmp::Reverse<(u64, usize)>>,
    failed: Option<SolveError>,
}

impl Iterator for Merged<'_> {
    type Item = Result<(Position, Verdict), SolveError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.failed.take() {
            return Some(Err(error));
        }
        let std::cmp::Reverse((code, place)) = self.heap.pop()?;
        let stream = &mut self.streams[place];
        let (_, value) = stream.next.take()?;
        if let Err(error) = stream.advance() {
            self.failed = Some(error);
        }
        if let Some((next, _)) = &stream.next {
            self.heap.push(std::cmp::Reverse((*next, place)));
        }
        let position = stream.answers.codec.position(code);
        Some(position.map(|position| (position, value)).ok_or_else(|| SolveError::internal("a code has no position")))
    }
}

impl Answers for LayeredAnswers {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        let (layer, number) = self.layering.place(self.codec.code_of(position)?)?;
        self.table.get(layer, number).ok()?
    }

    fn positions(&self) -> u64 {
        self.table.positions()
    }

    fn proof(&self, _: &Position) -> Proof {
        Proof::Table
    }

    fn may_repeat(&self) -> bool {
        self.repeats
    }

    fn number(&self, position: &Position) -> u64 {
        self.codec.code_of(position).unwrap_or(u64::MAX)
    }

    fn each(&self, _: Player) -> Positions<'_> {
        let classes = 0..self.layering.classes().len() as u32;
        Box::new(classes.flat_map(move |class| {
            let mut stream = self.class(class, usize::MAX).ok();
            std::iter::from_fn(move || {
                let stream = stream.as_mut()?;
                stream.advance().ok()?;
                self.codec.position(stream.next.as_ref()?.0)
            })
        }))
    }

    fn random(&self, _: Player, random: &mut dyn FnMut() -> u64) -> Option<Position> {
        let place = ((u128::from(random()) * u128::from(self.positions())) >> 64) as u64;
        let mut before = 0;
        let layers = 0..self.layering.layers().len() as u32;
        let layer = layers.into_iter().find(|layer| {
            before += self.table.positions_of(*layer);
            before > place
        })?;
        let size = self.layering.layers()[layer as usize].size;
        let number = ((u128::from(random()) * u128::from(size)) >> 64) as u64;
        let next = |numbers| self.table.stream(layer, numbers, LEAST_WORDS).ok()?.advance().ok()?;
        let (number, _) = next(number..size).or_else(|| next(0..size))?;
        let class = self.layering.class_at(layer, number);
        self.position(class, number - self.layering.classes()[class as usize].first)
    }

    fn ordered(&self, room: u64) -> Option<Ordered<'_>> {
        let classes = self.layering.classes();
        let used = |class: &u32| self.table.positions_of(classes[*class as usize].layer) > 0;
        let used: Vec<u32> = (0..classes.len() as u32).filter(used).collect();
        let mut words = usize::MAX;
        while words > LEAST_WORDS && Stream::bytes(words).saturating_mul(used.len() as u64) > room {
            words = (words / 2).clamp(LEAST_WORDS, 1 << 10);
        }
        let mut merged = Merged { streams: Vec::with_capacity(used.len()), heap: Default::default(), failed: None };
        for class in used {
            let stream = self.class(class, words).and_then(|mut stream| stream.advance().map(|()| stream));
            match stream {
                Ok(stream) => {
                    if let Some((code, _)) = &stream.next {
                        merged.heap.push(std::cmp::Reverse((*code, merged.streams.len())));
                        merged.streams.push(stream);
                    }
                }
                Err(error) => {
                    merged.failed = Some(error);
                    break;
                }
            }
        }
        Some(Box::new(merged))
    }
}
