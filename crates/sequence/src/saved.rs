//! A sequence as bytes, so that a long run can go on later.
//!
//! This is no file of crate `table`: a table has a fixed number of pieces of one length, known before the first is written, and
//! is filled in any order. A sequence grows at its end by as many terms as there is time for, in cells whose width follows
//! the values, and is replaced as a whole.
//!
//! ```text
//! perfectplay sequence checkpoint, version 1
//! {"identity":"octal 0.16","from":0,"count":5000,"form":"u16","bytes":10000,"checksum":"…"}
//! …the values…
//! ```
//!
//! The first line says what the file is, the second what is in it; both can be read by people. The identity names the game
//! and everything else that the values depend on. The checksum is over the rest of the second line and the values, so that
//! a file that was cut or changed shows. It says nothing of who wrote the file: values are believed only once some of
//! them were computed again ([`Sequence::restore`]).

use std::fmt;
use std::time::{Duration, Instant};

use game::{LoopyNimber, Outcome, Verdict};
use heaps::HeapSequence;
use heaps::subtraction::{Nimbers, Outcomes, SavedNimbers, Subtraction};
use heaps::take_break::{NimSequence, Values};
use serde_json::{Value, json};

use super::error::SequenceError;
use super::instances::Instances;
use super::source::Source;
use super::term::Term;
use super::terms::Sequence;
use engine::monitor::Monitor;
use solve::value_text::ValueText;

const MAGIC: &str = "perfectplay sequence checkpoint, version ";
const VERSION: &str = "1";
/// Of solved instances so many are solved again, the first ones, which are quick; fewer where they take longer than this.
/// The last would take about as long as all others together, and the checksum tells whether the file is as it was written.
const FIRST_CHECKED: usize = 8;
const CHECKING: Duration = Duration::from_millis(200);

/// Why saved values are not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedError {
    /// The bytes are something else.
    NotACheckpoint,
    /// They were written by another version.
    Version(String),
    /// They are cut or changed; says how that shows.
    Damaged(&'static str),
    /// They are of another game or instance, which is named.
    Other(String),
    /// They start elsewhere.
    Start {
        /// Where they start.
        saved: i64,
        /// Where the sequence starts.
        wanted: i64,
    },
    /// They are not the values of the game; says where that shows.
    Foreign(String),
    /// A value could not be computed again.
    Unchecked(SequenceError),
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SavedError::NotACheckpoint => f.write_str("it is not a checkpoint of a sequence"),
            SavedError::Version(version) => write!(f, "it has version {version}, and only {VERSION} is known here"),
            SavedError::Damaged(how) => write!(f, "it is damaged: {how}"),
            SavedError::Other(identity) => write!(f, "it belongs to another sequence: {identity}"),
            SavedError::Start { saved, wanted } => {
                write!(f, "its values start at {saved}, and the range starts at {wanted}")
            }
            SavedError::Foreign(how) => write!(f, "its values are wrong: {how}"),
            SavedError::Unchecked(error) => write!(f, "its values could not be checked: {error}"),
        }
    }
}

impl std::error::Error for SavedError {}

/// A number that differs for texts that differ, but for chance.
pub fn fingerprint(parts: &[&[u8]]) -> u64 {
    // Each step is one-to-one in the word and in what came before, so that no single change is lost.
    let mix = |state: u64, word: u64| (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let mut state = 0x5045_5246_4543_5421;
    for part in parts {
        let (words, rest) = part.as_chunks::<8>();
        state = words.iter().fold(state, |state, word| mix(state, u64::from_le_bytes(*word)));
        state = rest.iter().fold(state, |state, &byte| mix(state, u64::from(byte)));
        state = mix(state, part.len() as u64);
    }
    mix(state, 1)
}

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Two bytes a value.
    Narrow,
    /// Four.
    Wide,
    /// Rows of binary digits, 64 to a word.
    Digits,
    /// A line of text a term.
    Lines,
    /// Nothing is needed.
    Nothing,
}

impl Form {
    const ALL: [Form; 5] = [Form::Narrow, Form::Wide, Form::Digits, Form::Lines, Form::Nothing];

    fn name(self) -> &'static str {
        match self {
            Form::Narrow => "u16",
            Form::Wide => "u32",
            Form::Digits => "digits",
            Form::Lines => "lines",
            Form::Nothing => "nothing",
        }
    }
}

/// The second line, without the checksum.
fn header(identity: &str, from: i64, count: u64, form: Form, bytes: usize) -> Value {
    json!({ "identity": identity, "from": from, "count": count, "form": form.name(), "bytes": bytes })
}

impl Sequence {
    /// Everything that was computed so far, as the bytes of a checkpoint.
    pub fn save(&self, identity: &str) -> Vec<u8> {
        let (from, count, form, payload) = self.payload();
        let mut header = header(identity, from, count, form, payload.len());
        let checksum = fingerprint(&[header.to_string().as_bytes(), &payload]);
        header["checksum"] = json!(format!("{checksum:016x}"));
        let mut bytes = format!("{MAGIC}{VERSION}\n{header}\n").into_bytes();
        bytes.extend_from_slice(&payload);
        bytes
    }

    fn payload(&self) -> (i64, u64, Form, Vec<u8>) {
        match &self.source {
            Source::Heaps(HeapSequence::Break(sequence)) => {
                let (form, payload) = match sequence.values() {
                    Values::Narrow(values) => (Form::Narrow, values.iter().flat_map(|v| v.to_le_bytes()).collect()),
                    Values::Wide(values) => (Form::Wide, values.iter().flat_map(|v| v.to_le_bytes()).collect()),
                };
                (0, sequence.len() as u64, form, payload)
            }
            Source::Heaps(HeapSequence::Shift(nimbers)) => {
                let (form, count, payload) = match nimbers.saved() {
                    SavedNimbers::Nothing => (Form::Nothing, 0, Vec::new()),
                    SavedNimbers::Digits(rows) => {
                        let words = rows.iter().flat_map(|row| row.iter());
                        (Form::Digits, rows.len() as u64, words.flat_map(|word| word.to_le_bytes()).collect())
                    }
                    SavedNimbers::Values(values) => {
                        let payload = values.iter().flat_map(|v| v.to_le_bytes()).collect();
                        (Form::Wide, values.len() as u64, payload)
                    }
                };
                (0, count, form, payload)
            }
            Source::Heaps(HeapSequence::Misere(_, outcomes)) => {
                let payload = outcomes.words().iter().flat_map(|word| word.to_le_bytes()).collect();
                (0, 1, Form::Digits, payload)
            }
            Source::Instances(instances) => {
                let text: String = instances.terms.iter().map(|term| format!("{}\n", line(term))).collect();
                (self.from(), instances.terms.len() as u64, Form::Lines, text.into_bytes())
            }
        }
    }

    /// Goes on from a checkpoint. Some of its values are computed again, and must be the same.
    pub fn restore(&mut self, bytes: &[u8], identity: &str, monitor: &mut Monitor) -> Result<(), SavedError> {
        let saved = Saved::read(bytes)?;
        if saved.identity != identity {
            return Err(SavedError::Other(saved.identity));
        }
        let from = self.from();
        match &mut self.source {
            Source::Heaps(HeapSequence::Break(sequence)) => {
                let values = saved.values()?;
                let resumed = NimSequence::resume(sequence.game().clone(), values.into_iter().collect());
                **sequence = resumed.map_err(|error| SavedError::Foreign(error.to_string()))?;
            }
            Source::Heaps(HeapSequence::Shift(nimbers)) => saved.resume_shift(nimbers)?,
            Source::Heaps(HeapSequence::Misere(game, outcomes)) => {
                if saved.form != Form::Digits {
                    return Err(SavedError::Damaged("its values have another form"));
                }
                let resumed = Outcomes::resume(game, &saved.words());
                **outcomes = resumed.map_err(|error| SavedError::Foreign(error.to_string()))?;
            }
            Source::Instances(instances) => {
                if saved.from != from {
                    return Err(SavedError::Start { saved: saved.from, wanted: from });
                }
                check_instances(instances, saved.terms()?, from, monitor)?;
            }
        }
        Ok(())
    }
}

/// Solves some instances again, and believes the terms of the others.
fn check_instances(
    instances: &mut Instances,
    terms: Vec<Term>,
    from: i64,
    monitor: &mut Monitor,
) -> Result<(), SavedError> {
    let started = Instant::now();
    for (index, term) in terms.iter().enumerate().take(FIRST_CHECKED) {
        if index > 0 && started.elapsed() > CHECKING {
            break;
        }
        let at = from.saturating_add_unsigned(index as u64);
        let own = instances.solve(at, monitor).map_err(SavedError::Unchecked)?;
        if own != *term {
            return Err(SavedError::Foreign(format!("at {at} the value is {own}, not {term}")));
        }
    }
    terms.into_iter().for_each(|term| instances.push(term));
    Ok(())
}

/// A checkpoint that was read and is whole.
struct Saved<'b> {
    identity: String,
    from: i64,
    count: u64,
    form: Form,
    payload: &'b [u8],
}

impl Saved<'_> {
    fn read(bytes: &[u8]) -> Result<Saved<'_>, SavedError> {
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(SavedError::NotACheckpoint)?;
        let (version, rest) = cut_line(rest).ok_or(SavedError::Damaged("its first line has no end"))?;
        if version != VERSION.as_bytes() {
            return Err(SavedError::Version(String::from_utf8_lossy(version).chars().take(20).collect()));
        }
        let (line, payload) = cut_line(rest).ok_or(SavedError::Damaged("its second line has no end"))?;
        let unreadable = SavedError::Damaged("its second line cannot be read");
        let Ok(given) = serde_json::from_slice::<Value>(line) else { return Err(unreadable) };
        let text = |name: &str| given[name].as_str();
        let (Some(identity), Some(from), Some(count)) =
            (text("identity"), given["from"].as_i64(), given["count"].as_u64())
        else {
            return Err(unreadable);
        };
        let form = Form::ALL.into_iter().find(|form| text("form") == Some(form.name()));
        let (Some(form), Some(length), Some(checksum)) = (form, given["bytes"].as_u64(), text("checksum")) else {
            return Err(unreadable);
        };
        if length != payload.len() as u64 {
            return Err(SavedError::Damaged("it was cut, or something was added"));
        }
        let header = header(identity, from, count, form, payload.len());
        if checksum != format!("{:016x}", fingerprint(&[header.to_string().as_bytes(), payload])) {
            return Err(SavedError::Damaged("its checksum is wrong"));
        }
        Ok(Saved { identity: identity.to_string(), from, count, form, payload })
    }

    /// The values of heaps.
    fn values(&self) -> Result<Vec<u32>, SavedError> {
        let values: Vec<u32> = match self.form {
            Form::Narrow => self.payload.as_chunks::<2>().0.iter().map(|&v| u32::from(u16::from_le_bytes(v))).collect(),
            Form::Wide => self.payload.as_chunks::<4>().0.iter().map(|&v| u32::from_le_bytes(v)).collect(),
            _ => return Err(SavedError::Damaged("its values have another form")),
        };
        if values.len() as u64 != self.count {
            return Err(SavedError::Damaged("the number of its values is wrong"));
        }
        Ok(values)
    }

    /// Rows of binary digits, one after the other.
    fn words(&self) -> Vec<u64> {
        self.payload.as_chunks::<8>().0.iter().map(|&word| u64::from_le_bytes(word)).collect()
    }

    fn resume_shift(&self, nimbers: &mut Nimbers) -> Result<(), SavedError> {
        let game: Subtraction = nimbers.game().clone();
        let (values, words);
        let saved = match self.form {
            Form::Nothing => SavedNimbers::Nothing,
            Form::Digits => {
                words = self.words();
                let rows = usize::try_from(self.count).unwrap_or(usize::MAX);
                match words.len().checked_div(rows) {
                    Some(length) if length > 0 => SavedNimbers::Digits(words.chunks(length).collect()),
                    _ => SavedNimbers::Digits(vec![&[]; rows.min(64)]),
                }
            }
            _ => {
                values = self.values()?;
                SavedNimbers::Values(&values)
            }
        };
        *nimbers = Nimbers::resume(&game, &saved).map_err(|error| SavedError::Foreign(error.to_string()))?;
        Ok(())
    }

    /// The terms of instances.
    fn terms(&self) -> Result<Vec<Term>, SavedError> {
        let text = std::str::from_utf8(self.payload).ok().filter(|_| self.form == Form::Lines);
        let terms: Option<Vec<Term>> = text.and_then(|text| text.lines().map(term).collect());
        let terms = terms.ok_or(SavedError::Damaged("its values have another form"))?;
        if terms.len() as u64 != self.count {
            return Err(SavedError::Damaged("the number of its values is wrong"));
        }
        Ok(terms)
    }
}

fn cut_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// A term as a line: a letter for its kind, and the value.
fn line(term: &Term) -> String {
    if let Some(ValueText { name, mean, temperature }) = &term.form {
        let field = |field: &Option<String>| field.clone().unwrap_or_default();
        let outcome = Term::from(term.verdict.clone()).number().unwrap_or(0);
        return format!("v{outcome}\t{}\t{}\t{}", field(name), field(mean), field(temperature));
    }
    match &term.verdict {
        Verdict::Nimber(nimber) => format!("n{nimber}"),
        Verdict::Loopy(value) => format!("l{value}"),
        Verdict::Score(value) => format!("s{value}"),
        Verdict::Outcome { .. } => format!("o{}", term.number().unwrap_or(0)),
        Verdict::Payoffs { totals, .. } => {
            format!("p{}", totals.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
        }
    }
}

fn term(line: &str) -> Option<Term> {
    let (kind, rest) = line.split_at_checked(1)?;
    Some(match kind {
        "n" => Term::nimber(rest.parse().ok()?),
        "l" => {
            let set = rest.strip_prefix("∞{")?.strip_suffix('}')?;
            let nimbers = set.split(',').filter(|nimber| !nimber.is_empty()).map(|nimber| nimber.parse().ok());
            Verdict::Loopy(LoopyNimber::infinite(nimbers.collect::<Option<Vec<u64>>>()?)).into()
        }
        "s" => Verdict::Score(rest.parse().ok()?).into(),
        "v" => {
            let (outcome, form) = rest.split_once('\t')?;
            let mut fields = form.split('\t').map(|field| Some(field.to_string()).filter(|field| !field.is_empty()));
            let form = ValueText { name: fields.next()?, mean: fields.next()?, temperature: fields.next()? };
            Term { form: Some(form), ..Term::outcome(read_outcome(outcome)?) }
        }
        "p" => {
            let totals = rest.split(',').map(|total| total.parse().ok()).collect::<Option<_>>()?;
            Verdict::Payoffs { totals, unique: None }.into()
        }
        "o" => Term::outcome(read_outcome(rest)?),
        _ => return None,
    })
}

fn read_outcome(text: &str) -> Option<Outcome> {
    match text {
        "1" => Some(Outcome::Win),
        "0" => Some(Outcome::Draw),
        "-1" => Some(Outcome::Loss),
        _ => None,
    }
}
