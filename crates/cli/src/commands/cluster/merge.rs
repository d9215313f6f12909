//! `perfectplay cluster merge`: one file of a table in parts.

use std::time::Instant;

use cluster::merge;
use perfectplay::SolveError;
use perfectplay::solving::Limits;
use perfectplay::tables::{BlockReader, TableError, TableFile, part_path};

use super::{Told, tell};
use crate::args::MergeArgs;
use crate::failure::Failure;
use crate::stored::{self, Stored, unreadable};
use crate::{files, progress};

/// Why a merge ended before its time.
enum Ended {
    Table(TableError),
    Stopped(SolveError),
}

impl From<TableError> for Ended {
    fn from(error: TableError) -> Ended {
        Ended::Table(error)
    }
}

pub fn run(args: &MergeArgs) -> Result<u8, Failure> {
    let began = Instant::now();
    let Stored { rules, bound, file } = Stored::open_unchecked(&args.file)?;
    drop(file);
    let table = BlockReader::open(&args.file).map_err(|error| unreadable(&args.file, &error))?;
    if args.output.exists() {
        let message = format!("{} is there already", args.output.display());
        return Err(Failure::usage_help(message, "choose another name, or remove that file"));
    }
    files::writable(&args.output)?;
    let mut monitor = progress::monitor(&Limits::default(), args.quiet || args.json);
    let entries = table.entries();
    monitor.enter_expecting("writing", entries);
    let merged = merge(&table, bound.players, &args.output, |written| {
        monitor.look(entries, written).map_err(|error| Ended::Stopped(error.into()))
    });
    let written = merged.map_err(|ended| match ended {
        Ended::Stopped(error) => {
            let part = part_path(&args.output);
            let what = format!("what is written stays in {}, and the same command goes on", part.display());
            Failure::Unfinished { error, what }
        }
        Ended::Table(TableError::Damaged(why)) => stored::damaged(&args.file, &why),
        Ended::Table(error) => Failure::usage(format!("cannot write {}: {error}", args.output.display())),
    })?;
    let file = TableFile::open_unchecked(&args.output).map_err(|error| unreadable(&args.output, &error))?;
    let (solved, trouble) = stored::solved(&args.output, (&rules, &bound), file, &mut monitor)?;
    let verdict = solved.verdict(&bound.start);
    stored::sound(&args.output, &trouble)?;
    drop(monitor);
    let told = Told {
        path: &args.output,
        verdict,
        layout: table.shape().to_string(),
        positions: written.entries,
        bytes: written.bytes,
        hash: Some(written.hash),
        seconds: began.elapsed().as_secs_f64(),
        how: format!("from {} parts", table.files()),
    };
    tell(&bound, &told, args.json);
    Ok(0)
}
