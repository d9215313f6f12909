//! One page with one solved game, to keep: the page without its server, with every position of the game in it.

use std::collections::HashMap;
use std::fmt;

use perfectplay::json::explorer::Export;
use perfectplay::language::{Bound, Position, Rules};
use perfectplay::moves::{RatedMove, plays};
use perfectplay::scene::Painter;
use perfectplay::solving::{Monitor, Options, solve};
use perfectplay::view::{View, Walk};
use perfectplay::{SolveError, json};

use crate::page;

/// A game with more positions than this is not exported.
pub const MOST_POSITIONS: usize = 40_000;
/// The positions may take so many bytes before they are packed: a browser has to hold them all.
const MOST_BYTES: usize = 48 << 20;
/// How hard the positions are packed, from 0 to 10.
const PACKED: u8 = 8;

/// Why there is no page.
#[derive(Debug)]
pub enum ExportError {
    /// The game has more positions than are allowed, or they take more bytes.
    TooLarge(String),
    /// The game was not solved.
    Solve(SolveError),
    /// The program was built without its page.
    NoPage,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::TooLarge(why) => f.write_str(why),
            ExportError::Solve(error) => error.fmt(f),
            ExportError::NoPage => f.write_str("the page is missing in this program"),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<SolveError> for ExportError {
    fn from(error: SolveError) -> ExportError {
        ExportError::Solve(error)
    }
}

/// The page of a game, from its start on.
pub fn export(rules: &Rules, bound: &Bound, options: &Options, monitor: &mut Monitor) -> Result<String, ExportError> {
    let positions = positions(bound, monitor)?;
    let numbers: HashMap<&Position, usize> = positions.iter().zip(0..).collect();
    let solved = solve(bound, &bound.start, options, monitor)?;
    let painter = Painter::new(bound);
    let mut export = Export::new(bound, &rules.source);
    let mut bytes = 0;
    for (number, position) in positions.iter().enumerate() {
        monitor.tick(positions.len() as u64, number as u64).map_err(SolveError::from)?;
        let walk = Walk { positions: vec![position.clone()], plays: Vec::new(), totals: None };
        let view = View::solved(&solved, &painter, &walk, None)?;
        let number = |mv: &RatedMove| {
            let number = numbers.get(&mv.play.option(position)).copied();
            number.ok_or_else(|| SolveError::internal("a move leads to a position that was not met"))
        };
        let to = view.rated.iter().map(number).collect::<Result<Vec<usize>, _>>()?;
        bytes += export.add(&view, &to);
        if bytes > MOST_BYTES {
            let (name, most) = (&bound.program.name, MOST_BYTES >> 20);
            let message = format!("the positions of `{name}` take more than {most} MB here, too many for one page");
            return Err(ExportError::TooLarge(message));
        }
    }
    put_together(&export.text()).ok_or(ExportError::NoPage)
}

/// Every position that play can come to, the start first.
fn positions(bound: &Bound, monitor: &mut Monitor) -> Result<Vec<Position>, ExportError> {
    let mut found = vec![bound.start.clone()];
    let mut known: std::collections::HashSet<Position> = found.iter().cloned().collect();
    let mut at = 0;
    while at < found.len() {
        monitor.tick(found.len() as u64, at as u64).map_err(SolveError::from)?;
        for play in plays(bound, &found[at]).map_err(SolveError::from)? {
            let option = play.option(&found[at]);
            if known.insert(option.clone()) {
                found.push(option);
            }
        }
        if found.len() > MOST_POSITIONS {
            let name = &bound.program.name;
            let message = format!("`{name}` has more than {MOST_POSITIONS} positions here, too many for one page");
            return Err(ExportError::TooLarge(message));
        }
        at += 1;
    }
    Ok(found)
}

/// The page with its style sheets, its modules and the data in it. Lines that need a server are left out.
fn put_together(data: &str) -> Option<String> {
    let needs_server = |line: &&str| !line.contains(" data-server>");
    let mut html: String =
        page::file("index.html")?.lines().filter(needs_server).map(|line| format!("{line}\n")).collect();
    let mut modules: Vec<&str> = Vec::new();
    while let Some((tag, name)) = link(&html, "<link rel=\"stylesheet\" href=\"", ">") {
        html = html.replace(&tag, &format!("<style>\n{}</style>", page::file(&name)?));
    }
    let (tag, _) = link(&html, "<script type=\"module\" src=\"", "</script>")?;
    let (main, _) = page::FILES.iter().find(|(name, _)| *name == "offline.js")?;
    reach(main, &mut modules);
    let imports: HashMap<&str, String> = modules
        .iter()
        .filter(|name| *name != main)
        .map(|name| {
            (*name, format!("data:text/javascript;charset=utf-8,{}", encoded(&bare(page::file(name).unwrap_or("")))))
        })
        .collect();
    let map = format!("{{\"imports\":{}}}", json::text(&imports));
    let packed = base64(&miniz_oxide::deflate::compress_to_vec(data.as_bytes(), PACKED));
    let script = format!(
        "<script type=\"text/plain\" id=\"offline\">{packed}</script>\n\
         <script type=\"importmap\">{}</script>\n<script type=\"module\">\n{}</script>",
        safe(&map),
        bare(page::file(main)?).replace("</script", "<\\/script")
    );
    Some(html.replace(&tag, &script))
}

/// Bytes as text (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for sign in 0..4 {
            match sign <= chunk.len() {
                true => out.push(char::from(SIGNS[(bits >> (18 - 6 * sign) & 63) as usize])),
                false => out.push('='),
            }
        }
    }
    out
}

/// JSON that can stand in a page: nothing in it ends an element.
fn safe(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// The first tag that begins like this, and the name of the file in it.
fn link(html: &str, begins: &str, ends: &str) -> Option<(String, String)> {
    let at = html.find(begins)?;
    let rest = &html[at + begins.len()..];
    let name = rest.split('"').next()?;
    let end = rest.find(ends)? + ends.len();
    Some((html[at..at + begins.len() + end].to_string(), name.trim_start_matches("./").to_string()))
}

/// Adds a module and the modules that it needs.
fn reach<'p>(name: &'p str, found: &mut Vec<&'p str>) {
    if found.contains(&name) {
        return;
    }
    found.push(name);
    let text = page::file(name).unwrap_or("");
    for line in text
        .lines()
        .filter(|line| line.starts_with("import ") || line.starts_with("} from ") || line.starts_with("export "))
    {
        let needed = line.split_once("\"./").and_then(|(_, rest)| rest.split('"').next());
        if let Some((known, _)) = page::FILES.iter().find(|(known, _)| Some(*known) == needed) {
            reach(known, found);
        }
    }
}

/// A module whose imports are names of an import map.
fn bare(text: &str) -> String {
    let line =
        |line: &str| match line.starts_with("import ") || line.starts_with("} from ") || line.starts_with("export ") {
            true => line.replace("\"./", "\""),
            false => line.to_string(),
        };
    text.lines().map(|text| line(text) + "\n").collect()
}

/// A text as part of a URL.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b'('
            | b')'
            | b';'
            | b','
            | b'='
            | b'*' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}
