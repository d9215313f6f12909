//! `perfectplay build`: every position of an instance into a table file.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

use perfectplay::SolveError;
use perfectplay::answer::Verdict;
use perfectplay::json::{self, BuiltTable};
use perfectplay::language::{Bound, Rules};
use perfectplay::solving::{Monitor, Options};
use perfectplay::tables::{
    self, About, Filling, PieceFile, Snapshots, TableError, TableFile, TableLayout, Unfilled, free_space, part_path,
};

use crate::args::BuildArgs;
use crate::failure::Failure;
use crate::load::{self, Asked, reason};
use crate::output::{self, FAINT, STRONG, bytes_text, plural, seconds_text, styled};
use crate::{files, phrases, progress, stored};

pub fn run(args: &BuildArgs) -> Result<u8, Failure> {
    let began = Instant::now();
    let (rules, bound) = match load::asked(&args.game())? {
        Asked::Game(game) => *game,
        Asked::Sum(_) => {
            let help = "build a table for each of its games";
            return Err(Failure::usage_help("a sum of different games has no table of its own", help));
        }
    };
    files::writable(&args.output)?;
    let options = Options { method: args.method, ..args.size.options() };
    let about = tables::about(&rules, &bound, "");
    let keeping = tables::keeping(&args.output, &about, args.save_every);
    let mut monitor = progress::monitor(&args.size.limits(), args.quiet || args.json).keeping_in(keeping);
    let building = Building { rules: &rules, bound: &bound, path: &args.output };
    // Rows of coins have a way of their own, for tables far larger than the memory.
    let built = match TableLayout::new(&bound, &options, &mut monitor) {
        Ok(layout) if !args.values => building.pieces(layout, &mut monitor),
        Ok(_) | Err(SolveError::NotApplicable(_)) => building.blocks(&about, &options, args.values, &mut monitor),
        Err(error) => Err(Failure::solving(error, &rules)),
    }?;
    drop(monitor);
    let seconds = began.elapsed().as_secs_f64();
    let Built { verdict, layout, positions, bytes, hash, thing } = built;
    if args.json {
        let file = &args.output.to_string_lossy();
        let table = BuiltTable { file, layout: &layout, positions, bytes, hash, seconds };
        output::print_line(&json::built(&bound, verdict.as_ref(), &table));
    } else {
        let name = args.output.display();
        let title = styled(format!("{name}: {}, {}", plural(positions, thing), bytes_text(bytes)), STRONG);
        let standing = phrases::standing(bound.start.turn, verdict.as_ref());
        let how = styled(format!("{layout}; {}", seconds_text(seconds)), FAINT);
        output::print(&format!("{title}\n  {standing}\n  {how}\n"));
    }
    Ok(0)
}

/// A table that is complete.
struct Built {
    verdict: Option<Verdict>,
    layout: String,
    positions: u64,
    bytes: u64,
    hash: Option<u128>,
    /// What is counted.
    thing: &'static str,
}

/// What is built, and where.
struct Building<'b> {
    rules: &'b Rules,
    bound: &'b Bound,
    path: &'b Path,
}

impl<'b> Building<'b> {
    /// A table of blocks.
    fn blocks(&self, about: &About, options: &Options, values: bool, monitor: &mut Monitor) -> Result<Built, Failure> {
        if let Some(built) = self.there(about, values, monitor)? {
            return Ok(built);
        }
        let filling = Filling::new(self.bound, options, values, monitor).map_err(|error| self.failure(error))?;
        let written = filling.fill(self.path, about, monitor).map_err(|unfilled| self.unfilled(unfilled))?;
        let shape = filling.shape();
        Ok(Built {
            verdict: filling.start(),
            layout: shape.to_string(),
            positions: written.entries,
            bytes: written.bytes,
            hash: Some(written.hash),
            thing: if shape.of_parts() { "part" } else { "position" },
        })
    }

    /// What the table says that is there already: it is complete, or damaged and made anew. A file of anything else is not touched.
    fn there(&self, about: &About, values: bool, monitor: &mut Monitor) -> Result<Option<Built>, Failure> {
        if !self.path.exists() {
            return Ok(None);
        }
        let file = match TableFile::open_unchecked(self.path) {
            Ok(file) => file,
            Err(TableError::Damaged(_)) if self.is_same(about) => return Ok(None),
            Err(error) => return Err(self.foreign(&error)),
        };
        self.same(file.about(), about)?;
        let TableFile::Blocks(blocks) = &file else {
            return Err(self.foreign(&TableError::Foreign("it has another form".to_string())));
        };
        let shape = blocks.shape();
        if shape.values != values {
            let what = if values { "without values" } else { "with values" };
            return Err(self.other(&format!("the same game {what}")));
        }
        if blocks.check(|_| Ok::<(), TableError>(())).is_err() {
            return Ok(None);
        }
        let (positions, bytes, hash) = (blocks.entries(), blocks.bytes(), Some(blocks.hash()));
        let (solved, trouble) = stored::solved(self.path, (self.rules, self.bound), file, monitor)?;
        let verdict = solved.verdict(&self.bound.start);
        stored::sound(self.path, &trouble)?;
        let thing = if shape.of_parts() { "part" } else { "position" };
        Ok(Some(Built { verdict, layout: shape.to_string(), positions, bytes, hash, thing }))
    }

    /// Whether a damaged file is about the same game, as far as it can be read.
    fn is_same(&self, about: &About) -> bool {
        TableFile::about_of(self.path).is_ok_and(|found| self.same(&found, about).is_ok())
    }

    /// A table of pieces.
    fn pieces(&self, layout: TableLayout<'b>, monitor: &mut Monitor) -> Result<Built, Failure> {
        let about = tables::about(self.rules, self.bound, &layout.text());
        let mut file = self.made(&layout, &about)?;
        layout.fill(&file, monitor).map_err(|unfilled| self.unfilled(unfilled))?;
        file.finish().map_err(|error| self.unwritten(&error))?;
        let (positions, bytes, text) = (layout.positions(), file.size(), layout.text());
        let (solved, trouble) = layout.read(file, monitor).map_err(|error| self.failure(error))?;
        let verdict = solved.verdict(&self.bound.start);
        stored::sound(self.path, &trouble)?;
        Ok(Built { verdict, layout: text, positions, bytes, hash: None, thing: "position" })
    }

    /// The file of pieces to be filled: a new one, or one of the same table.
    fn made(&self, layout: &TableLayout<'b>, about: &About) -> Result<PieceFile, Failure> {
        if !self.path.exists() {
            let needed = layout.bytes();
            if let Some(free) = free_space(self.path).filter(|free| *free < needed) {
                return Err(self.unfilled(Unfilled::Room { needed, free }));
            }
        }
        match PieceFile::create(self.path, about, layout.pieces()) {
            Err(TableError::System(error)) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map_err(|error| self.foreign(&error)),
        }
        let file = PieceFile::resume(self.path).map_err(|error| self.foreign(&error))?;
        self.same(file.about(), about)?;
        match file.about().layout == about.layout && file.pieces() == layout.pieces() {
            true => Ok(file),
            false => Err(self.other(&format!("the same game in another layout ({})", file.about().layout))),
        }
    }

    /// Refuses the file of another game.
    fn same(&self, found: &About, wanted: &About) -> Result<(), Failure> {
        match found {
            found if found.rules != wanted.rules => Err(self.other(&format!("other rules ({})", found.name))),
            found if found.instance != wanted.instance => Err(self.other("another instance of these rules")),
            _ => Ok(()),
        }
    }

    fn other(&self, what: &str) -> Failure {
        Failure::usage_help(
            format!("{} is there already: a table of {what}", self.path.display()),
            "choose another name, or remove that file",
        )
    }

    fn foreign(&self, error: &TableError) -> Failure {
        let name = self.path.display();
        match error {
            TableError::System(error) => self.unwritten(error),
            TableError::Busy => Failure::usage(format!("{name} is in use by another run")),
            TableError::TooLarge => Failure::usage(format!("cannot write {name}: {error}")),
            TableError::Unfinished => Failure::usage_help(
                format!("{name} is there already, and is not complete"),
                "choose another name, or remove that file",
            ),
            other => Failure::usage_help(
                format!("{name} is there already, and cannot be gone on with: {other}"),
                "choose another name, or remove that file",
            ),
        }
    }

    fn failure(&self, error: SolveError) -> Failure {
        match error {
            SolveError::NotApplicable(why) => {
                let message = format!("the table of {} cannot be stored: {why}", self.bound.program.name);
                Failure::usage_help(message, "`perfectplay moves` answers for any position of any game")
            }
            error if error.is_limit() => self.unfinished(error),
            SolveError::Files { kind, why } => self.unwritten(&io::Error::new(kind, why)),
            SolveError::Room { needed, free } => self.short(needed, free, "what it has found stays there"),
            other => Failure::solving(other, self.rules),
        }
    }

    fn unfinished(&self, error: SolveError) -> Failure {
        let name = self.path.display();
        let files = [part_path(self.path), self.path.to_path_buf()];
        let stays = Snapshots::beside(self.path).is_any() || files.iter().any(|path| fs::metadata(path).is_ok());
        let what = match stays {
            true => format!("before {name} was complete; what is done stays there, and the same command goes on"),
            false => format!("before anything was written to {name}"),
        };
        Failure::Unfinished { error, what }
    }

    fn unfilled(&self, unfilled: Unfilled) -> Failure {
        match unfilled {
            Unfilled::Solve(error) => self.failure(error),
            Unfilled::File(error) => self.unwritten(&error),
            Unfilled::Table(error) => self.foreign(&error),
            Unfilled::Room { needed, free } => self.short(needed, free, "nothing was written"),
        }
    }

    fn short(&self, needed: u64, free: u64, stands: &str) -> Failure {
        let (needed, free) = (bytes_text(needed), bytes_text(free));
        let message = format!("{} would take about {needed}, and {free} are free there", self.path.display());
        Failure::usage_help(message, format!("{stands}; name a file on a larger disk"))
    }

    fn unwritten(&self, error: &io::Error) -> Failure {
        let message = format!("cannot write {}: {}", self.path.display(), reason(error));
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Failure::usage_help(message, "what is done stays there: with more room, the same command goes on")
            }
            _ => Failure::usage(message),
        }
    }
}
