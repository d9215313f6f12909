//! Where a person's lines come from: an editor with history and completion at a terminal, plain lines elsewhere.

use std::borrow::Cow;
use std::io::{BufRead as _, IsTerminal as _};

use rustyline::completion::Completer;
use rustyline::config::{CompletionType, Configurer as _};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};

use crate::output::{self, STRONG, styled};
use crate::watch;

/// What a person did.
pub enum Line {
    /// Typed this.
    Text(String),
    /// Ended the input.
    End,
    /// Pressed Ctrl-C.
    Interrupt,
}

/// What is completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completed {
    /// The whole line.
    Line,
    /// The last word of it.
    Word,
}

pub enum Lines {
    /// A terminal.
    Editor(Box<Editor<Known, MemHistory>>),
    /// A pipe or a file.
    Plain,
}

impl Lines {
    pub fn new(completed: Completed) -> Lines {
        let terminal = std::io::stdin().is_terminal() && output::stdout_is_terminal();
        let editor = terminal.then(|| Editor::with_history(Default::default(), MemHistory::new()).ok()).flatten();
        match editor {
            Some(mut editor) => {
                editor.set_completion_type(CompletionType::List);
                editor.set_auto_add_history(true);
                editor.set_helper(Some(Known { words: Vec::new(), completed }));
                Lines::Editor(Box::new(editor))
            }
            None => Lines::Plain,
        }
    }

    /// Asks for a line, in which these words can be completed.
    pub fn ask(&mut self, prompt: &str, words: impl Iterator<Item = String>) -> Line {
        match self {
            Lines::Editor(editor) => {
                if let Some(known) = editor.helper_mut() {
                    known.words = words.collect();
                }
                match watch::waiting(|| editor.readline(prompt)) {
                    Ok(line) => Line::Text(line.trim().to_string()),
                    Err(ReadlineError::Interrupted) => Line::Interrupt,
                    Err(_) => {
                        output::print("\n");
                        Line::End
                    }
                }
            }
            Lines::Plain => plain(prompt),
        }
    }
}

fn plain(prompt: &str) -> Line {
    output::print(&styled(prompt, STRONG));
    let mut line = String::new();
    match watch::waiting(|| std::io::stdin().lock().read_line(&mut line)) {
        Ok(0) | Err(_) => {
            output::print("\n");
            Line::End
        }
        Ok(_) => {
            // What a pipe says is not on the screen yet.
            if !std::io::stdin().is_terminal() {
                output::print(&format!("{}\n", line.trim()));
            }
            Line::Text(line.trim().to_string())
        }
    }
}

/// The words that can be completed.
pub struct Known {
    words: Vec<String>,
    completed: Completed,
}

impl Completer for Known {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..pos).unwrap_or(line);
        let from = match self.completed {
            Completed::Line => 0,
            Completed::Word => last_word(typed),
        };
        Ok((from, completed(&self.words, &typed[from..])))
    }
}

/// The words that begin like this.
fn completed(words: &[String], typed: &str) -> Vec<String> {
    let typed = typed.trim_start();
    words.iter().filter(|word| word.starts_with(typed)).cloned().collect()
}

/// Where the last word begins.
fn last_word(typed: &str) -> usize {
    typed.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len()
}

impl Highlighter for Known {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        match output::colour_on_stdout() {
            true => Cow::Owned(styled(prompt, STRONG)),
            false => Cow::Borrowed(prompt),
        }
    }
}

impl Hinter for Known {
    type Hint = String;
}

impl Validator for Known {}
impl Helper for Known {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_words_are_completed() {
        let words: Vec<String> = ["take(1) in part 0", "take(2) in part 1", "hint", "hints"].map(String::from).to_vec();
        assert_eq!(completed(&words, "take(2"), ["take(2) in part 1"]);
        assert_eq!(completed(&words, " hi"), ["hint", "hints"]);
        assert!(completed(&words, "x").is_empty());
    }

    #[test]
    fn the_last_word_of_an_expression_is_completed() {
        let line = "{1|-1} + 2*domi";
        assert_eq!(&line[last_word(line)..], "domi");
        assert_eq!(last_word("1 + "), 4);
    }
}
