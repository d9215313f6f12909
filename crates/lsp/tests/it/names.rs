//! Names in every file of the gallery: where they lead, and what a new name changes.

use perfectplay::gallery::GALLERY;
use perfectplay::language::compile;
use perfectplay::language::syntax::parser::parse;
use perfectplay_lsp::document::{Document, replaced};
use perfectplay_lsp::names::Names;

/// A name that no file has.
const FRESH: &str = "fresh_name_7";

#[test]
fn every_use_leads_to_a_declaration_of_its_name() {
    for (file, source) in GALLERY {
        let document = Document::new(source.to_string());
        let names = Names::of(&parse(source).0.unwrap());
        assert!(names.uses.len() >= names.definitions.len(), "{file}");
        for (span, definition) in &names.uses {
            let declared = &names.definitions[*definition];
            assert_eq!(&source[span.range()], declared.name, "{file}: {span:?}");
            assert_eq!(document.definition(span.start as usize), Some(declared.span), "{file}: {}", declared.name);
            assert!(document.hover(span.start as usize).is_some(), "{file}: {}", declared.name);
        }
    }
}

#[test]
fn a_fresh_name_takes_the_place_of_any_other() {
    for (file, source) in GALLERY {
        let document = Document::new(source.to_string());
        for definition in Names::of(&parse(source).0.unwrap()).definitions {
            let at = definition.span.start as usize;
            let places = document.rename(at, FRESH).unwrap_or_else(|why| panic!("{file}: {}: {why}", definition.name));
            let renamed = replaced(source, &places, FRESH);
            if let Err(mistakes) = compile(&renamed) {
                panic!("{file}: {}: {mistakes:?}", definition.name);
            }
            // The new name can be renamed back, and nothing else has changed.
            let first = places.iter().filter(|place| (place.start as usize) < at).count();
            let at = at + first * FRESH.len() - first * definition.name.len();
            let back = Document::new(renamed.clone()).rename(at, &definition.name);
            let back = back.unwrap_or_else(|why| panic!("{file}: back to {}: {why}", definition.name));
            assert_eq!(replaced(&renamed, &back, &definition.name), *source, "{file}: {}", definition.name);
        }
    }
}

#[test]
fn a_name_of_another_thing_is_refused_or_changes_nothing_else() {
    for (file, source) in GALLERY {
        let document = Document::new(source.to_string());
        let definitions = Names::of(&parse(source).0.unwrap()).definitions;
        for pair in definitions.windows(2) {
            let Ok(places) = document.rename(pair[0].span.start as usize, &pair[1].name) else { continue };
            let renamed = replaced(source, &places, &pair[1].name);
            assert!(compile(&renamed).is_ok(), "{file}: {} to {}", pair[0].name, pair[1].name);
        }
    }
}
