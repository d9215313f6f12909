//! Which modules of a crate import which.
//!
//! Modules are files and folders. Beside one another stand the modules of one folder: the top modules of a crate, or the
//! parts of one module. A *reference* is a path in the source (`use crate::…`, `super::…`, `self::…`), followed through
//! imports and re-exports to the module that defines what it names. It counts between the two modules that stand beside one
//! another and hold its two ends. So it never counts between a module and its own parent or its own parts: a parent
//! re-exports its parts, and parts use what the parent declares for all of them.
//!
//! What is not seen: macros by their bare name, and methods of types that are not named.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::tokens::{Token, behind, tokens, without_tests};

/// The path of a module from the root of its crate; the root is empty.
pub type Module = Vec<String>;

/// A path as it is written: its words, the last one `*` for everything.
type Written = Vec<String>;

/// What an import names.
#[derive(Debug)]
struct Import {
    written: Written,
    /// Whether others can see it: `pub use`.
    public: bool,
}

/// One module with a source of its own, or one that stands in braces inside another.
#[derive(Debug, Default)]
struct Source {
    /// Items that it defines.
    items: BTreeSet<String>,
    /// Imports by the name that they have here.
    imports: BTreeMap<String, Import>,
    /// Imports of everything.
    globs: Vec<Import>,
    /// All paths that start with `crate`, `self` or `super`, and all imports.
    paths: Vec<Written>,
    /// Words that may be names brought in by an import of everything: types, and words before `::`, `(` or `!`.
    words: BTreeSet<String>,
}

/// A crate, read.
#[derive(Debug, Default)]
pub struct Crate {
    sources: BTreeMap<Module, Source>,
}

/// Modules that stand beside one another and import one another in a circle.
#[derive(Debug, PartialEq, Eq)]
pub struct Circle {
    /// The modules, each with its whole path.
    pub modules: Vec<String>,
    /// Where they import one another: the importing module, and what it imports.
    pub imports: Vec<(String, String)>,
}

impl Crate {
    /// Reads all files below the folder `src` of a crate.
    pub fn read(folder: &Path) -> Crate {
        let mut files = Vec::new();
        source_files(folder, &mut Vec::new(), &mut files);
        let texts = files.into_iter().map(|(module, path)| (module, std::fs::read_to_string(path).expect("a source")));
        Crate::from_texts(texts)
    }

    /// A crate from its modules with files, and their texts.
    pub fn from_texts(texts: impl IntoIterator<Item = (Module, String)>) -> Crate {
        let mut found = Crate::default();
        for (module, text) in texts {
            found.sources.entry(module.clone()).or_default();
            found.scan(&without_tests(&tokens(&text)), &module);
        }
        found
    }

    /// Reads the tokens of a module; a module in braces is read as one of its own.
    fn scan(&mut self, tokens: &[Token], module: &Module) {
        let (mut at, mut depth) = (0, 0);
        while at < tokens.len() {
            let next = tokens.get(at + 1);
            let source = self.sources.entry(module.clone()).or_default();
            match &tokens[at] {
                // In a type, `use<…>` is no import.
                Token::Word(word) if word == "use" && next != Some(&Token::Sign('<')) => {
                    let end = at + tokens[at..].iter().position(|token| *token == Token::Sign(';')).unwrap_or(0);
                    let public = at > 0 && (tokens[at - 1].is_word("pub") || tokens[at - 1] == Token::Sign(')'));
                    import(&tokens[at + 1..end], &[], public, source);
                    at = end + 1;
                }
                Token::Word(word) if word == "pub" && next == Some(&Token::Sign('(')) => at = behind(tokens, at + 1),
                Token::Word(word) if word == "mod" && tokens.get(at + 2) == Some(&Token::Sign('{')) => {
                    let end = behind(tokens, at + 2);
                    let mut inner = module.clone();
                    inner.push(next.and_then(Token::word).unwrap_or_default().to_string());
                    self.scan(&tokens[at + 3..end - 1], &inner);
                    at = end;
                }
                Token::Word(word) => {
                    let before = at.checked_sub(1).map(|before| &tokens[before]);
                    // What stands in braces is an item of something smaller than the module.
                    source.items.extend(item(&tokens[at..], before).filter(|_| depth == 0));
                    at += path(word, &tokens[at..], before, source);
                }
                sign => {
                    depth += i32::from(*sign == Token::Sign('{')) - i32::from(*sign == Token::Sign('}'));
                    at += 1;
                }
            }
        }
    }

    /// Whether this is a module that has files or braces of its own.
    fn is_module(&self, module: &[String]) -> bool {
        self.sources.contains_key(module)
    }

    /// The module that defines what a path names, if it is of this crate.
    ///
    /// `seen` holds the imports that are being followed, since two modules may import everything of one another.
    fn resolve(&self, from: &Module, written: &[String], seen: &mut Vec<(Module, String)>) -> Option<Module> {
        let mut here = from.clone();
        let mut rest = written;
        match rest.first()?.as_str() {
            "crate" => {
                here.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {}
            // A bare name: a part of this module, or an import. Everything else is another crate or an item.
            name => {
                let mut part = here.clone();
                part.push(name.to_string());
                if !self.is_module(&part) && !self.sources.get(&here)?.imports.contains_key(name) {
                    return None;
                }
            }
        }
        while let Some(("super", behind)) = rest.split_first().map(|(word, behind)| (word.as_str(), behind)) {
            here.pop()?;
            rest = behind;
        }
        for (number, name) in rest.iter().enumerate() {
            if name == "*" || name == "self" {
                break;
            }
            here.push(name.clone());
            if self.is_module(&here) {
                continue;
            }
            here.pop();
            let Some(target) = self.imported(&here, name, true, seen) else { break };
            // Behind an imported module the path goes on. Behind an imported item it leads nowhere else.
            let mut written: Written = vec!["crate".to_string()];
            written.extend(target.iter().chain(&rest[number + 1..]).cloned());
            return self.resolve(&target, &written, seen).or(Some(target));
        }
        Some(here)
    }

    /// Where a module has a name from, if it imports it. With `inside`, imports count that others cannot see.
    fn imported(&self, module: &Module, name: &str, inside: bool, seen: &mut Vec<(Module, String)>) -> Option<Module> {
        let source = self.sources.get(module)?;
        if source.items.contains(name) || seen.contains(&(module.clone(), name.to_string())) {
            return None;
        }
        seen.push((module.clone(), name.to_string()));
        if let Some(import) = source.imports.get(name).filter(|import| inside || import.public) {
            return self.resolve_import(module, &import.written, seen);
        }
        source.globs.iter().filter(|glob| inside || glob.public).find_map(|glob| self.in_all(module, glob, name, seen))
    }

    /// Where a name is from that a module has by an import of everything, if it has it so.
    fn in_all(&self, module: &Module, glob: &Import, name: &str, seen: &mut Vec<(Module, String)>) -> Option<Module> {
        let all = self.resolve_import(module, &glob.written, seen)?;
        let mut part = all.clone();
        part.push(name.to_string());
        if self.is_module(&part) {
            return Some(part);
        }
        if self.sources.get(&all)?.items.contains(name) {
            return Some(all);
        }
        self.imported(&all, name, module.starts_with(&all), seen)
    }

    /// An import, whose name may be the one that it brings in: `use player::Player` with a module and a crate `player`.
    fn resolve_import(&self, module: &Module, written: &[String], seen: &mut Vec<(Module, String)>) -> Option<Module> {
        let first = written.first()?;
        let mut part = module.clone();
        part.push(first.clone());
        if !matches!(first.as_str(), "crate" | "self" | "super") && !self.is_module(&part) {
            return None;
        }
        self.resolve(module, written, seen)
    }

    /// Every reference: the module where it stands, and the module that it leads to.
    fn references(&self) -> BTreeSet<(Module, Module)> {
        let mut found = BTreeSet::new();
        for (module, source) in &self.sources {
            for written in &source.paths {
                found.extend(self.resolve(module, written, &mut Vec::new()).map(|to| (module.clone(), to)));
            }
            // Names that came with everything of a module stand for themselves.
            for glob in &source.globs {
                for word in source.words.iter().filter(|word| !source.items.contains(*word)) {
                    found.extend(self.in_all(module, glob, word, &mut Vec::new()).map(|to| (module.clone(), to)));
                }
            }
        }
        found
    }

    /// The circles, folder by folder.
    pub fn circles(&self) -> Vec<Circle> {
        // By folder: which of its modules refers to which, and from where to where.
        type Between = BTreeMap<(Module, Module), BTreeSet<(String, String)>>;
        let mut folders: BTreeMap<Module, Between> = BTreeMap::new();
        for (from, to) in self.references() {
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if common == from.len() || common == to.len() {
                continue;
            }
            let ends = (from[..=common].to_vec(), to[..=common].to_vec());
            let between = folders.entry(from[..common].to_vec()).or_default();
            between.entry(ends).or_default().insert((from.join("::"), to.join("::")));
        }
        let mut circles = Vec::new();
        for between in folders.values() {
            for modules in groups(&between.keys().cloned().collect()) {
                let inside = between.iter().filter(|((from, to), _)| modules.contains(from) && modules.contains(to));
                circles.push(Circle {
                    imports: inside.flat_map(|(_, places)| places.iter().cloned()).collect(),
                    modules: modules.iter().map(|module| module.join("::")).collect(),
                });
            }
        }
        circles
    }
}

/// Finds the files of a folder of sources, each with its module.
fn source_files(folder: &Path, module: &mut Module, files: &mut Vec<(Module, std::path::PathBuf)>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            module.push(name);
            source_files(&path, module, files);
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let own = matches!(name.as_str(), "lib" | "main" if module.is_empty()) || name == "mod";
            let inner = if own { None } else { Some(name) };
            files.push((module.iter().cloned().chain(inner).collect(), path));
        }
    }
}

/// Reads one import tree behind `use`, with the words before it.
fn import(tokens: &[Token], before: &[String], public: bool, source: &mut Source) {
    let mut written = before.to_vec();
    let mut at = 0;
    // A path that starts with `::` is one of another crate.
    if tokens.first() == Some(&Token::Colons) {
        return;
    }
    while at < tokens.len() {
        match &tokens[at] {
            Token::Word(word) if word == "as" => {
                let name = tokens.get(at + 1).and_then(Token::word).unwrap_or("_");
                return keep_import(name.to_string(), written, public, source);
            }
            Token::Word(word) => written.push(word.clone()),
            Token::Sign('*') => {
                written.push("*".to_string());
                source.paths.push(written.clone());
                source.globs.push(Import { written, public });
                return;
            }
            Token::Sign('{') => {
                let inner = &tokens[at + 1..behind(tokens, at) - 1];
                let mut start = 0;
                while start < inner.len() {
                    let mut end = start;
                    while end < inner.len() && inner[end] != Token::Sign(',') {
                        end = if inner[end] == Token::Sign('{') { behind(inner, end) } else { end + 1 };
                    }
                    import(&inner[start..end], &written, public, source);
                    start = end + 1;
                }
                return;
            }
            _ => {}
        }
        at += 1;
    }
    let last = written.iter().rev().find(|word| *word != "self").cloned().unwrap_or_default();
    keep_import(last, written, public, source);
}

fn keep_import(name: String, written: Written, public: bool, source: &mut Source) {
    source.paths.push(written.clone());
    source.imports.insert(name, Import { written, public });
}

/// The name of the item that starts here, if one does.
fn item(tokens: &[Token], before: Option<&Token>) -> Option<String> {
    let name = match (tokens[0].word()?, tokens.get(1)?) {
        // `*const T` is a type.
        ("const", _) if before == Some(&Token::Sign('*')) => None,
        ("static", Token::Word(word)) if word == "mut" => tokens.get(2)?.word(),
        ("macro_rules", Token::Sign('!')) => tokens.get(2)?.word(),
        ("fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union", name) => name.word(),
        _ => None,
    };
    name.map(str::to_string)
}

/// Reads a path or a word. Gives how many tokens it took.
fn path(word: &str, tokens: &[Token], before: Option<&Token>, source: &mut Source) -> usize {
    if before != Some(&Token::Colons) && matches!(word, "crate" | "self" | "super") {
        let mut written = vec![word.to_string()];
        let mut at = 1;
        while let (Some(Token::Colons), Some(Token::Word(next))) = (tokens.get(at), tokens.get(at + 1)) {
            written.push(next.clone());
            at += 2;
        }
        if written.len() > 1 {
            source.paths.push(written);
        }
        return at;
    }
    let named =
        word.starts_with(char::is_uppercase) || matches!(tokens.get(1), Some(Token::Colons | Token::Sign('(' | '!')));
    let method = matches!(before, Some(Token::Sign('.') | Token::Colons));
    if named && !method {
        source.words.insert(word.to_string());
    }
    1
}

/// Groups of two and more that lead to one another.
fn groups(edges: &BTreeSet<(Module, Module)>) -> Vec<Vec<Module>> {
    let reach = |from: &Module| {
        let mut found: BTreeSet<&Module> = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            for (_, to) in edges.iter().filter(|(start, _)| start == module) {
                if found.insert(to) {
                    open.push(to);
                }
            }
        }
        found
    };
    let all: BTreeMap<&Module, BTreeSet<&Module>> = edges.iter().map(|(from, _)| (from, reach(from))).collect();
    let mut groups: BTreeSet<Vec<Module>> = BTreeSet::new();
    for (module, reached) in &all {
        let group = reached.iter().filter(|other| all.get(**other).is_some_and(|back| back.contains(module)));
        let group: Vec<Module> = group.map(|other| (*other).clone()).collect();
        if group.len() > 1 {
            groups.insert(group);
        }
    }
    groups.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles of a crate given as modules and texts; the root is "".
    fn circles(texts: &[(&str, &str)]) -> Vec<Vec<String>> {
        let split = |name: &str| name.split("::").filter(|word| !word.is_empty()).map(str::to_string).collect();
        let made = Crate::from_texts(texts.iter().map(|(name, text)| (split(name), (*text).to_string())));
        made.circles().into_iter().map(|circle| circle.modules).collect()
    }

    #[test]
    fn one_direction_is_no_circle() {
        assert!(circles(&[("a", "use crate::b::B;"), ("b", "use crate::c;"), ("c", "")]).is_empty());
    }

    #[test]
    fn two_modules_in_a_circle() {
        assert_eq!(circles(&[("a", "use crate::b::B;"), ("b", "use super::a::A;")]), [["a", "b"]]);
    }

    #[test]
    fn a_long_circle() {
        let texts = [
            ("a", "use crate::b;"),
            ("b", "fn f() { crate::c::g() }"),
            ("c", "type T = super::a::A;"),
            ("d", "use crate::a;"),
        ];
        assert_eq!(circles(&texts), [["a", "b", "c"]]);
    }

    #[test]
    fn groups_of_imports_are_read() {
        assert_eq!(
            circles(&[("a", "use crate::{c::C, b::{self, B as X}};"), ("b", "use crate::{a};"), ("c", "")]),
            [["a", "b"]]
        );
        assert_eq!(
            circles(&[("a", "use super::{c::{D, E}, b::*};"), ("b", "pub use crate::a::*;"), ("c", "")]),
            [["a", "b"]]
        );
    }

    #[test]
    fn comments_strings_and_tests_do_not_count() {
        let b = "// use crate::a;\n/// [`crate::a`]\nconst S: &str = \"crate::a::A\"; #[cfg(test)] mod tests { use crate::a; }";
        assert!(circles(&[("a", "use crate::b;"), ("b", b)]).is_empty());
    }

    #[test]
    fn re_exports_are_followed() {
        let root = "mod a; mod b; pub use crate::a::A; pub use b::B;";
        assert_eq!(
            circles(&[("", root), ("a", "pub struct A; use crate::B;"), ("b", "pub struct B; use crate::A;")]),
            [["a", "b"]]
        );
        assert!(circles(&[("", root), ("a", "pub struct A;"), ("b", "pub struct B; use crate::A;")]).is_empty());
    }

    #[test]
    fn re_exports_of_everything_are_followed() {
        let root = "mod a; mod b; pub use a::*; pub use b::*;";
        assert_eq!(
            circles(&[
                ("", root),
                ("a", "pub struct A; use crate::B;"),
                ("b", "pub fn f() -> crate::A {} pub enum B {}")
            ]),
            [["a", "b"]]
        );
        assert!(circles(&[("", root), ("a", "pub struct A;"), ("b", "use crate::A;")]).is_empty());
    }

    #[test]
    fn names_that_came_with_everything_count() {
        let root = "mod a; mod b; use a::A; use b::B;";
        assert_eq!(
            circles(&[("", root), ("a", "use super::*; struct A(B);"), ("b", "use super::*; struct B(A);")]),
            [["a", "b"]]
        );
        assert_eq!(
            circles(&[("", root), ("a", "use super::*; fn f() { b::g() }"), ("b", "use super::a;")]),
            [["a", "b"]]
        );
        assert!(
            circles(&[("", root), ("a", "use super::*; struct A;"), ("b", "use super::*; struct B(A);")]).is_empty()
        );
    }

    #[test]
    fn a_parent_and_its_parts_are_no_circle() {
        let texts = [
            ("a", "mod x; pub use x::X; pub struct A;"),
            ("a::x", "use super::A; use crate::a::A as B; pub struct X;"),
        ];
        assert!(circles(&texts).is_empty());
    }

    #[test]
    fn parts_of_one_module_may_not_import_one_another_in_a_circle() {
        let texts = [("a", "mod x; mod y;"), ("a::x", "use super::y::Y;"), ("a::y", "use crate::a::x;")];
        assert_eq!(circles(&texts), [["a::x", "a::y"]]);
    }

    #[test]
    fn parts_count_as_their_module() {
        let texts = [("a", ""), ("a::x", "use crate::b::B;"), ("b", ""), ("b::y", "use super::super::a::x::X;")];
        assert_eq!(circles(&texts), [["a", "b"]]);
    }

    #[test]
    fn modules_in_braces_count_as_parts() {
        assert_eq!(circles(&[("a", "mod x { use super::super::b; }"), ("b", "use crate::a;")]), [["a", "b"]]);
        assert!(circles(&[("a", "mod x { use super::b; } mod b {}"), ("b", "use crate::a;")]).is_empty());
    }

    #[test]
    fn where_a_thing_can_be_seen_is_no_import() {
        assert!(circles(&[("a", "pub(in crate::b) struct A;"), ("b", "use crate::a::A;")]).is_empty());
    }

    #[test]
    fn other_crates_do_not_count() {
        assert!(circles(&[("a", "use b::B; use ::b::C; std::b::f();"), ("b", "use crate::a::A;")]).is_empty());
    }

    #[test]
    fn imports_in_a_circle_end() {
        let texts =
            [("a", "pub use super::b::*;"), ("b", "pub use super::a::*;"), ("c", "use crate::a::X; use crate::b::Y;")];
        assert_eq!(circles(&texts), [["a", "b"]]);
    }

    #[test]
    fn a_circle_says_where_it_is() {
        let split = |name: &str| vec![name.to_string()];
        let made =
            Crate::from_texts([(split("a"), "use crate::b;".to_string()), (split("b"), "use crate::a;".to_string())]);
        let text = |from: &str, to: &str| (from.to_string(), to.to_string());
        assert_eq!(made.circles()[0].imports, [text("a", "b"), text("b", "a")]);
    }
}
