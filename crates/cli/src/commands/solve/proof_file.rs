//! `solve --proof FILE`: a certificate of the answer.

use std::path::Path;

use perfectplay::answer::Solution;
use perfectplay::certificates::{self, Scope, Unwritten, Written};
use perfectplay::json::ProofFile;
use perfectplay::language::Rules;
use perfectplay::plan::Unit;
use perfectplay::solving::{Monitor, SolveError, Solved};

use crate::failure::Failure;
use crate::files::NewFile;
use crate::output::{self, Rows, bytes_text, plural};

/// A certificate that is to be written.
pub struct NewProof {
    file: NewFile,
    name: String,
    scope: Scope,
    quiet: bool,
}

/// Writing is said to take long where a method met so many positions: the interpreter looks at them again, one by one.
const MANY: u64 = 50_000;

/// A certificate that was written.
pub struct Proof {
    name: String,
    written: Written,
}

impl NewProof {
    /// Makes the file, before long work is done for it. Who wants it `quiet` is not told that it takes long.
    pub fn create(path: &Path, sample: Option<u64>, quiet: bool) -> Result<NewProof, Failure> {
        let scope = sample.map_or(Scope::Proof, Scope::Sample);
        Ok(NewProof { file: NewFile::create(path)?, name: path.display().to_string(), scope, quiet })
    }

    /// Says that writing may take far longer than solving did, where that is to be feared.
    fn warn(&self, solved: &Solved<'_>) {
        let met = solved.positions();
        if !self.quiet && self.scope == Scope::Proof && solved.plan.unit() == Unit::Position && met >= MANY {
            output::complain(&format!(
                "Note: {} is written by the interpreter, position by position, and {} were met: that may take far longer \
                 than the answer took. Ctrl-C keeps the answer, and --sample 1000 writes a sample\n",
                self.name,
                plural(met, "position")
            ));
        }
    }

    /// Writes the certificate of an answer.
    pub fn write(
        self,
        solved: &Solved<'_>,
        solution: &Solution,
        rules: &Rules,
        monitor: &mut Monitor,
    ) -> Result<Proof, Failure> {
        self.warn(solved);
        let NewProof { mut file, name, scope, .. } = self;
        let written = certificates::write(solved, solution, (&rules.source, scope), &mut file, monitor);
        let written = written.map_err(|unwritten| match unwritten {
            Unwritten::File(error) => file.failure(&error),
            Unwritten::Solve(error @ (SolveError::Limit { .. } | SolveError::Interrupted { .. })) => {
                Failure::Unfinished { error, what: format!("before {name} was written; the answer stands") }
            }
            Unwritten::Solve(SolveError::NotApplicable(why)) if scope != Scope::Proof => {
                Failure::usage(format!("{name} was not written: {why}"))
            }
            Unwritten::Solve(SolveError::NotApplicable(why)) => Failure::usage_help(
                format!("{name} was not written: {why}"),
                "`--sample 1000` writes a thousand positions instead, which can be checked but prove nothing",
            ),
            Unwritten::Solve(other) => Failure::solving(other, rules),
        })?;
        file.finish()?;
        Ok(Proof { name, written })
    }
}

impl Proof {
    /// The object for it.
    pub fn json(&self) -> ProofFile {
        ProofFile::new(&self.name, &self.written)
    }

    /// What people are told of it.
    pub fn rows(&self, rows: &mut Rows) {
        let Written { left_out, positions, sampled, bytes, .. } = &self.written;
        let size = format!("{}, {}", plural(*positions, "position"), bytes_text(*bytes));
        match sampled {
            None => rows.prose("certificate", &format!("{}: {size}", self.name)),
            Some(_) => rows.prose("sample", &format!("{}: {size}; this is no proof", self.name)),
        }
        for (field, why) in left_out {
            rows.prose("not in it", &format!("{}: {why}", field.replace('_', " ")));
        }
    }
}
