//! How an instance is written for a program, and which fields of the answer it prints.
//!
//! The rules file says so with `input` and `output`. What it does not say, the format of a judge says.

use perfectplay::answer::{AnswerKind, Solution};
use perfectplay::json;
use perfectplay::language::judge::{input_text, write_items};
use perfectplay::language::{AnswerField, Bound, Fault, Type};

/// The formats of the usual judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// A line with the lengths of lists and the numbers, then a line for each list. Answers are words.
    AtCoder,
    /// That, with the number of tests before it, which is 1. Answers are words in any case.
    Codeforces,
    /// A line of JSON for each parameter. Answers are JSON, and who wins is `true` or `false`.
    LeetCode,
    /// The instance as one JSON object. Answers are JSON.
    Json,
}

/// How a program reads and writes.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The judge, whose format is used where the rules do not say another.
    pub judge: Judge,
    /// Whether the `input` of the rules counts.
    pub own_input: bool,
    /// Whether the `output` of the rules counts.
    pub own_output: bool,
}

/// A field that a program prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Which.
    pub field: AnswerField,
    /// The words for its values.
    pub words: Vec<String>,
}

impl Format {
    /// What a program reads for an instance.
    pub fn input(&self, bound: &Bound) -> Result<String, Fault> {
        if let Some(text) = input_text(bound).filter(|_| self.own_input) {
            return text;
        }
        Ok(match self.judge {
            Judge::AtCoder => lines(bound),
            Judge::Codeforces => format!("1\n{}", lines(bound)),
            Judge::LeetCode => {
                let params = 0..bound.program.params.len();
                params.map(|index| format!("{}\n", bound.given(index))).collect()
            }
            Judge::Json => format!("{}\n", json::instance_text(bound)),
        })
    }

    /// What a program prints: as the rules say, or the value of a counted game and the winner of another.
    pub fn printed(&self, bound: &Bound, solution: &Solution) -> Vec<Printed> {
        if let Some(fields) = bound.program.output.as_ref().filter(|_| self.own_output) {
            let printed = |field: &perfectplay::language::OutputField| {
                let words = if field.words.is_empty() { self.words(field.field) } else { field.words.clone() };
                Printed { field: field.field, words }
            };
            return fields.iter().map(printed).collect();
        }
        let field = match solution.kind {
            AnswerKind::Score => AnswerField::Value,
            AnswerKind::Payoffs => AnswerField::Payoffs,
            _ if self.judge == Judge::LeetCode => AnswerField::Outcome,
            _ => AnswerField::Winner,
        };
        vec![Printed { field, words: self.words(field) }]
    }

    /// The words of the judge for a field.
    fn words(&self, field: AnswerField) -> Vec<String> {
        let words: &[&str] = match (field, self.judge) {
            (AnswerField::Winner, Judge::AtCoder | Judge::Codeforces) => &["First", "Second", "Draw"],
            (AnswerField::Winner, _) => &["first", "second", "draw"],
            (AnswerField::Outcome, Judge::LeetCode) => &["true", "false", "false"],
            (AnswerField::Outcome, _) => &["win", "lose", "draw"],
            _ => &[],
        };
        words.iter().map(|word| word.to_string()).collect()
    }

    /// Whether `YES` is `Yes`.
    pub fn ignores_case(&self) -> bool {
        matches!(self.judge, Judge::Codeforces | Judge::LeetCode)
    }

    /// Whether brackets, commas and quotes only set words apart.
    pub fn is_json(&self) -> bool {
        matches!(self.judge, Judge::LeetCode | Judge::Json)
    }
}

/// The lengths of lists and the numbers on a line, then a line for each list and text.
fn lines(bound: &Bound) -> String {
    let params = || bound.program.params.iter().zip(&bound.globals);
    let is_list = |ty: &Type| matches!(ty, Type::List(_));
    let lengths =
        params().filter(|(param, _)| is_list(&param.ty)).map(|(_, value)| value.len().unwrap_or(0).to_string());
    let is_number = |ty: &Type| matches!(ty, Type::Int | Type::Bool);
    let numbers =
        params().filter(|(param, _)| is_number(&param.ty)).map(|(_, value)| value.as_int().unwrap_or(0).to_string());
    let head: Vec<String> = lengths.chain(numbers).collect();
    let mut text = head.join(" ");
    if !head.is_empty() {
        text.push('\n');
    }
    for (param, value) in params().filter(|(param, _)| !is_number(&param.ty)) {
        let nested = matches!(&param.ty, Type::List(item) if is_list(item));
        if nested {
            // Each row has its length before it, since rows may differ.
            for row in (0..value.len().unwrap_or(0)).filter_map(|index| value.get(index)) {
                text.push_str(&row.len().unwrap_or(0).to_string());
                let ty = param.ty.item().unwrap_or(Type::Unknown);
                if !row.is_empty() {
                    text.push(if ty.item() == Some(Type::Text) { '\n' } else { ' ' });
                }
                write_items(&mut text, &row, &ty, &[]);
                text.push('\n');
            }
        } else {
            write_items(&mut text, value, &param.ty, &[]);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfectplay::language::Rules;

    fn written(judge: Judge, head: &str, instance: &str) -> String {
        let source =
            format!("game g({head}) {{ state {{ left in 0..=9 = 3; }} move take when left > 0 {{ left -= 1; }} }}");
        let bound = Rules::new(source).bind(instance).unwrap();
        Format { judge, own_input: true, own_output: true }.input(&bound).unwrap()
    }

    #[test]
    fn judges_have_their_formats() {
        let head = "k: int, row: [int]";
        let instance = r#"{"k": 7, "row": [2, 3]}"#;
        assert_eq!(written(Judge::AtCoder, head, instance), "2 7\n2 3\n");
        assert_eq!(written(Judge::Codeforces, head, instance), "1\n2 7\n2 3\n");
        assert_eq!(written(Judge::LeetCode, head, instance), "7\n[2, 3]\n");
        assert_eq!(written(Judge::Json, head, instance), "{\"k\":7,\"row\":[2,3]}\n");
        assert_eq!(written(Judge::AtCoder, "s: text", r#"{"s": "ab"}"#), "ab\n");
        assert_eq!(written(Judge::AtCoder, "rows: [text]", r#"{"rows": ["ab", "c"]}"#), "2\nab\nc\n");
        assert_eq!(written(Judge::AtCoder, "next: [[int]]", r#"{"next": [[1, 2], []]}"#), "2\n2 1 2\n0\n");
        assert_eq!(written(Judge::AtCoder, "row: [int]", r#"{"row": []}"#), "0\n\n");
    }
}
