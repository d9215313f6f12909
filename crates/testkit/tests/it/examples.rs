//! Every public item of the front crate has an example that is tested.
//!
//! The crate `perfectplay` has the lint `unreachable_pub`, so what is `pub` there is what users see. An item has an example if
//!
//! - its own documentation has one;
//! - or the page of its module or of its type has one that names it, outside of imports;
//! - or it says "See [`other`] for an example" of something that has one. A function must be named there, a type need not be: a
//!   value of it comes back.
//!
//! What the front takes over from other crates has an example where it is defined, or is named on the page that takes it over.
//! Fields and variants are not counted: the example of their type shows those that matter.

use std::collections::BTreeMap;

use testkit::files::workspace;

use crate::layers::sources;

/// A public item as it is documented.
#[derive(Clone, Debug, Default)]
struct Item {
    name: String,
    is_function: bool,
    /// The type whose method it is.
    owner: Option<String>,
    docs: Vec<String>,
}

/// The lines of the tested examples in documentation, without imports.
fn code(docs: &[String]) -> Vec<&str> {
    let (mut code, mut fence, mut importing) = (Vec::new(), None, false);
    for line in docs.iter().map(|line| line.trim()) {
        if let Some(words) = line.strip_prefix("```") {
            fence = if fence.is_none() { Some(matches!(words, "" | "rust")) } else { None };
            continue;
        }
        let bare = line.trim_start_matches("# ");
        importing |= bare.starts_with("use ");
        if fence == Some(true) && !importing {
            code.push(bare);
        }
        importing &= !bare.ends_with(';');
    }
    code
}

/// Whether an example names something.
fn names(docs: &[String], name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    code(docs).iter().any(|line| line.split(|letter| !is_part(letter)).any(|word| word == name))
}

/// What is written after a marker of documentation, where a line is that.
fn documentation<'l>(line: &'l str, marker: &str) -> Option<&'l str> {
    line.trim_start().strip_prefix(marker)
}

/// The public items of a source, outside of its tests.
fn items(source: &str) -> Vec<Item> {
    let (mut items, mut docs, mut owner) = (Vec::new(), Vec::new(), None);
    for line in source.lines().take_while(|line| !line.starts_with("#[cfg(test)]")) {
        if let Some(text) = documentation(line, "///") {
            docs.push(text.to_string());
            continue;
        }
        if line.trim_start().starts_with("#[") {
            continue;
        }
        if let Some(head) = line.strip_prefix("impl") {
            // The last word before the brackets of its parameters: `impl<'b> fmt::Display for Plan<'b> {`.
            let head = head.trim_end_matches(" {").split(" where").next().unwrap_or_default();
            let head = head.rsplit(" for ").next().unwrap_or_default();
            let head = if head.starts_with('<') { head.split_once("> ").map_or("", |(_, rest)| rest) } else { head };
            owner = head.split('<').next().map(|name| name.trim().to_string());
        }
        let mut words = line.trim_start().strip_prefix("pub ").unwrap_or_default().split(' ');
        let kind = words.by_ref().find(|word| !matches!(*word, "const" | "async" | "unsafe"));
        let kind = if line.trim_start().starts_with("pub const ") && kind != Some("fn") { Some("const") } else { kind };
        if let Some(kind @ ("fn" | "struct" | "enum" | "trait" | "type" | "const" | "static")) = kind {
            let rest = line.trim_start().split_once(&format!("{kind} ")).map_or("", |(_, rest)| rest);
            let name =
                rest.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).next().unwrap_or_default();
            let owner = owner.clone().filter(|_| line.starts_with(' '));
            let is_function = kind == "fn";
            items.push(Item { name: name.to_string(), is_function, owner, docs: std::mem::take(&mut docs) });
        }
        docs.clear();
    }
    items
}

/// The first page of a source.
fn page(source: &str) -> Vec<String> {
    source.lines().filter_map(|line| line.strip_prefix("//!")).map(str::to_string).collect()
}

/// What a source takes over from elsewhere: the first word of the path, the name there, and the name here.
fn taken_over(source: &str) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    for statement in code.join(" ").split("pub use ").skip(1).filter_map(|rest| rest.split(';').next()) {
        // `::values` is the crate, where there is a module of that name.
        let path = statement.trim_start_matches("::");
        let first = path.split("::").next().unwrap_or_default();
        let (module, list) = path.split_once('{').unwrap_or(path.rsplit_once("::").unwrap_or(("", path)));
        let module = module.trim_end_matches("::").rsplit("::").next().unwrap_or_default();
        for entry in list.trim_end_matches('}').split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (there, here) = entry.split_once(" as ").unwrap_or((entry, entry));
            let name = |name: &str| if name == "self" { module.to_string() } else { name.to_string() };
            let from = if statement.starts_with("::") { format!("::{first}") } else { first.to_string() };
            found.push((from, name(there), name(here)));
        }
    }
    found
}

#[test]
fn what_is_public_is_read() {
    let source = "//! ```\n//! use a::b;\n//! assert!(b(1));\n//! ```\n\n/// One.\n///\n/// ```text\n/// two\n/// ```\npub fn one() {}\n\n\
                  impl<'a> Tall<'a> {\n    /// Two.\n    #[inline]\n    pub const fn two(&self) {}\n    pub(crate) fn no() {}\n}\n\
                  pub const MOST: u8 = 1;\npub use other::deep::{self, Three, four as five};\npub use some::Six;\n";
    let found: Vec<_> = items(source).into_iter().map(|item| (item.name, item.owner, item.docs.len())).collect();
    let owned = |name: &str, owner: Option<&str>, docs| (name.to_string(), owner.map(str::to_string), docs);
    assert_eq!(found, [owned("one", None, 5), owned("two", Some("Tall"), 1), owned("MOST", None, 0)]);
    assert_eq!(code(&page(source)), ["assert!(b(1));"]);
    assert!(names(&page(source), "b") && !names(&page(source), "a") && code(&items(source)[0].docs).is_empty());
    let names: Vec<_> =
        taken_over(source).into_iter().map(|(from, there, here)| format!("{from} {there} {here}")).collect();
    assert_eq!(names, ["other deep deep", "other Three Three", "other four five", "some Six Six"]);
}

/// Whether an item points at something that has an example.
fn points(item: &Item, all: &[Item], pages: &BTreeMap<String, Vec<String>>) -> bool {
    let text = item.docs.join(" ");
    let Some(before) = text.split(" for an example").next().filter(|before| before.len() < text.len()) else {
        return false;
    };
    let link = before.rsplit("[`").next().and_then(|link| link.split('`').next()).unwrap_or_default();
    let name = link.rsplit("::").next().unwrap_or_default().trim_end_matches("()");
    let own = all.iter().filter(|other| other.name == name && !code(&other.docs).is_empty()).map(|other| &other.docs);
    let page = pages.iter().filter(|(path, _)| path.trim_end_matches(".rs").trim_end_matches("/mod").ends_with(name));
    let mut examples = own.chain(page.map(|(_, page)| page));
    examples.any(|docs| !code(docs).is_empty() && (!item.is_function || names(docs, &item.name)))
}

/// The page above that of a source: that of the folder it is in.
fn above(path: &str) -> String {
    let path = path.trim_end_matches("/mod.rs");
    path.rsplit_once('/').map_or("lib.rs".to_string(), |(folder, _)| format!("{folder}/mod.rs"))
}

#[test]
fn every_public_item_of_the_front_has_an_example() {
    let front = sources(&workspace("crates/perfectplay/src"));
    let pages: BTreeMap<String, Vec<String>> =
        front.iter().map(|(path, source)| (path.clone(), page(source))).collect();
    let all: Vec<Item> = front.iter().flat_map(|(_, source)| items(source)).collect();
    let mut elsewhere: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    for name in [
        "certificate",
        "engine",
        "game",
        "heaps",
        "positions",
        "rules",
        "sequence",
        "solve",
        "table",
        "values",
        "verify",
    ] {
        let found = sources(&workspace("crates").join(name).join("src"));
        elsewhere.insert(name.to_string(), found.iter().flat_map(|(_, source)| items(source)).collect());
    }
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (path, source) in &front {
        let page = &pages[path];
        let higher = pages.get(&above(path)).filter(|_| path != "lib.rs");
        let on_page = |name: &str| names(page, name) || higher.is_some_and(|page| names(page, name));
        for item in items(source) {
            seen += 1;
            let is_type = |other: &&Item| other.owner.is_none() && Some(&other.name) == item.owner.as_ref();
            let on_type = all.iter().filter(is_type).any(|other| names(&other.docs, &item.name));
            if code(&item.docs).is_empty() && !on_page(&item.name) && !on_type && !points(&item, &all, &pages) {
                let owner = item.owner.map_or(String::new(), |owner| format!("{owner}::"));
                wrong.push(format!("{path}: {owner}{}", item.name));
            }
        }
        for (from, there, here) in taken_over(source) {
            // A module of the same name is nearer than a crate.
            let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
            let is_own = [format!("{folder}{from}.rs"), format!("{folder}{from}/mod.rs")]
                .iter()
                .any(|own| pages.contains_key(own));
            let Some(known) = elsewhere.get(from.trim_start_matches("::")).filter(|_| !is_own) else { continue };
            seen += 1;
            let known = known.iter().chain(elsewhere.values().flatten());
            let is_shown = |item: &Item| item.name == there && item.owner.is_none() && !code(&item.docs).is_empty();
            if !on_page(&here) && !known.clone().any(is_shown) {
                wrong.push(format!("{path}: {here} (from `{from}`)"));
            }
        }
    }
    assert!(seen > 350, "{seen} items");
    assert!(wrong.is_empty(), "{} of {seen} without an example:\n{}\n", wrong.len(), wrong.join("\n"));
}
