//! The gallery: the rules files of `games/`, embedded.

use rules::suggest::nearest;

/// Every game of the gallery, by name: its rules file.
pub const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// The rules file of a game of the gallery.
pub fn find(name: &str) -> Option<&'static str> {
    GALLERY.iter().find(|(known, _)| *known == name).map(|(_, source)| *source)
}

/// The name of a game of the gallery that is spelled almost like this.
pub fn similar(name: &str) -> Option<&'static str> {
    nearest(name, GALLERY.iter().map(|(known, _)| *known))
}
