//! The prompt: one expression a line, with history and completion.

use perfectplay::gallery::GALLERY;
use perfectplay::values::FUNCTIONS;

use crate::args::ValueArgs;
use crate::lines::{Completed, Line, Lines};
use crate::output::{self, FAINT, styled};

const HELP: &str = "  {1|*} + ^               sums and differences of values
  3*domineering(2,3)      positions: a game or a rules file with its parameters
  {2|-1} || 0             comparisons: = != < <= > >= || (confused) <| |>
  1/2  *3  ^*  v2  ±1     numbers, nimbers, ups and downs, switches
  on  off  over  a{0|a}   loopy values
  quit                    ends
";

/// Asks for expressions until there are no more.
pub fn run(args: &ValueArgs) -> u8 {
    output::print(&format!("{}\n", styled("an expression, `help`, or `quit`; Tab completes names", FAINT)));
    let mut lines = Lines::new(Completed::Word);
    loop {
        let functions = FUNCTIONS.iter().map(|function| format!("{}(", function.name));
        let games = GALLERY.iter().map(|(name, _)| format!("{name}("));
        let words = functions.chain(games).chain(["help", "quit"].map(String::from));
        let line = match lines.ask("value> ", words) {
            Line::Text(line) => line,
            Line::End => return 0,
            Line::Interrupt => return 130,
        };
        match line.as_str() {
            "" => {}
            "quit" | "exit" | "q" => return 0,
            "help" | "?" => output::print(&help()),
            // Each line has limits of its own. What is wrong is told, and the next line may be better.
            line => {
                if let Err(failure) = super::tell(args, &mut super::calculator(args), line, false) {
                    failure.tell(false);
                }
            }
        }
    }
}

fn help() -> String {
    let mut text = HELP.to_string();
    for function in FUNCTIONS {
        text.push_str(&format!("  {:<23} {}\n", function.usage, function.gives));
    }
    text
}
