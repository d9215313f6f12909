//! The gallery as it is shipped: it holds the rules files of `games/`, and each passes its own tests.

use std::time::Duration;

use perfectplay::gallery::GALLERY;
use perfectplay::solving::Limits;
use perfectplay::testing::{self, Thoroughness};
use testkit::files;

#[test]
fn every_file_is_there() {
    let shipped: Vec<(String, String)> =
        GALLERY.iter().map(|(name, source)| (name.to_string(), source.to_string())).collect();
    assert_eq!(shipped, files::gallery());
}

#[test]
fn every_file_passes_its_own_tests() {
    let limits = Limits { memory: 256 << 20, time: Some(Duration::from_secs(120)) };
    let thoroughness = Thoroughness { instances: 40, limits, ..Thoroughness::default() };
    for (name, source) in GALLERY {
        let report = testing::test(&files::program(source), &thoroughness);
        let report = report.unwrap_or_else(|error| panic!("{name}: {error}"));
        let failures: Vec<&str> = report.failures.iter().map(|failure| failure.title.as_str()).collect();
        assert!(failures.is_empty(), "{name}: {failures:?}");
    }
}

/// The list of games shows the first line of each description.
#[test]
fn the_first_line_of_a_description_is_whole() {
    for (name, source) in GALLERY {
        let first = files::program(source).doc.first().cloned().unwrap_or_default();
        assert!(first.ends_with(['.', '?', '!']), "{name}: {first}");
    }
}
