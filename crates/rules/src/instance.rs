//! Instances as people give them: names with values, not yet compared with a rules file.
//!
//! [`parse_given`] reads the text of one value and [`parse_instance`] a whole object. Both read a superset of JSON:
//! `1e18`, `10^18`, `2.5e3` and `1_000` are whole numbers too. The reader is a byte loop of our own rather than a JSON
//! library because rows of ten million numbers are ordinary here: a flat list of numbers becomes one `Vec<i64>`
//! without a value per item in between.

mod reader;

use std::fmt;

use reader::Reader;

use crate::types::Type;
use crate::value::Value;

/// A value as it was given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Given {
    /// A number.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A text.
    Text(String),
    /// A list of numbers; also the empty list.
    Ints(Vec<i64>),
    /// Any other list.
    List(Vec<Given>),
}

impl Given {
    /// A value of a type, in the form in which an instance gives it.
    pub fn of(value: &Value, ty: &Type) -> Given {
        match (value, ty) {
            (Value::Int(number), Type::Bool) => Given::Bool(*number != 0),
            (Value::Int(number), _) => Given::Int(*number),
            (value, Type::Text) => Given::Text(value.characters()),
            (Value::Ints(list), ty) if ty.item() == Some(Type::Bool) && !list.is_empty() => {
                Given::List(list.as_slice().iter().map(|number| Given::Bool(*number != 0)).collect())
            }
            (Value::Ints(list), _) => Given::Ints(list.as_slice().to_vec()),
            (Value::List(list), _) if list.is_empty() => Given::Ints(Vec::new()),
            (Value::List(list), ty) => {
                let item = ty.item().unwrap_or(Type::Unknown);
                Given::List(list.as_slice().iter().map(|value| Given::of(value, &item)).collect())
            }
            (Value::Set(items), _) => Given::Ints(items.to_vec()),
        }
    }
}

/// Values for parameters, in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Instance(pub Vec<(String, Given)>);

/// What is wrong with the text of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// What was expected, in one line.
    pub message: String,
    /// The byte of the text where reading stopped.
    pub at: usize,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.at)
    }
}

impl std::error::Error for ValueError {}

/// As JSON text.
impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Int(number) => write!(f, "{number}"),
            Given::Bool(truth) => write!(f, "{truth}"),
            Given::Text(text) => write_text(f, text),
            Given::Ints(items) => write_list(f, items),
            Given::List(items) => write_list(f, items),
        }
    }
}

fn write_list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    f.write_str("[")?;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    f.write_str("]")
}

/// Writes a text in quotes with JSON's escapes.
pub(crate) fn write_text(f: &mut dyn fmt::Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c if u32::from(c) < 0x20 => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// As a JSON object.
impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, (name, value)) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write_text(f, name)?;
            write!(f, ": {value}")?;
        }
        f.write_str("}")
    }
}

/// Reads the text of one value.
pub fn parse_given(text: &str) -> Result<Given, ValueError> {
    let mut reader = Reader::new(text);
    let value = reader.value(0)?;
    reader.finish()?;
    Ok(value)
}

/// Reads an object: `{"name": value, …}`.
pub fn parse_instance(text: &str) -> Result<Instance, ValueError> {
    let mut reader = Reader::new(text);
    let instance = reader.object()?;
    reader.finish()?;
    Ok(instance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Result<i64, String> {
        match parse_given(text) {
            Ok(Given::Int(n)) => Ok(n),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.message),
        }
    }

    #[test]
    fn numbers_of_every_spelling() {
        let good = [
            ("0", 0),
            ("-7", -7),
            ("1e18", 1_000_000_000_000_000_000),
            ("10^18", 1_000_000_000_000_000_000),
            ("2.5e3", 2500),
            ("1_000", 1000),
            ("007", 7),
            ("1E+3", 1000),
            ("1000e-3", 1),
            ("2.0", 2),
            ("-0", 0),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("-2^63", i64::MIN),
            ("0e999999999999999999999", 0),
            ("1^99999999999999999999", 1),
            ("0^0", 1),
            ("+5", 5),
            (".5e1", 5),
            ("0.000000000000000000000001e24", 1),
            ("  12 ", 12),
            ("-10^18", -1_000_000_000_000_000_000),
        ];
        for (text, number) in good {
            assert_eq!(int(text), Ok(number), "{text}");
        }
        for text in [
            "9223372036854775808",
            "-9223372036854775809",
            "1e19",
            "2^63",
            "10^1000000",
            "1e999999999999",
            "99999999999999999999999",
        ] {
            assert!(int(text).unwrap_err().contains("overflow"), "{text}");
        }
        for text in ["2.5", "1e-3", "0.1e0", "-1.5"] {
            assert!(int(text).unwrap_err().contains("whole numbers"), "{text}");
        }
        for text in ["", "-", "1__0", "_1", "1_", "1e", "2^", "2^-1", "12x", "1.2.3", "--1", "1 2", "0x10", "1_e3"] {
            assert!(int(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lists_texts_and_truth_values() {
        assert_eq!(parse_given("[5, 3,7 ,10]"), Ok(Given::Ints(vec![5, 3, 7, 10])));
        assert_eq!(parse_given("[]"), Ok(Given::Ints(vec![])));
        let nested = Given::List(vec![Given::Ints(vec![1]), Given::Ints(vec![])]);
        assert_eq!(parse_given("[[1], []]"), Ok(nested));
        assert_eq!(parse_given("true"), Ok(Given::Bool(true)));
        assert_eq!(parse_given(r#""a\"\\\n\u00e9\ud83d\ude00é""#), Ok(Given::Text("a\"\\\né😀é".to_string())));
        assert_eq!(parse_given("[1, true]"), Ok(Given::List(vec![Given::Int(1), Given::Bool(true)])));
        for text in
            ["[1,]", "[1 2]", "[", "[1", "\"a", "\"\\x\"", "\"\\ud83d\"", "null", "{}", "[{}]", "'a'", "\"\\u12\""]
        {
            assert!(parse_given(text).is_err(), "{text}");
        }
    }

    #[test]
    fn objects_name_each_parameter_once() {
        let instance = parse_instance(r#" {"n": 3, "coins": [1, 2]} "#).unwrap();
        assert_eq!(instance.to_string(), r#"{"n": 3, "coins": [1, 2]}"#);
        assert_eq!(parse_instance("{}"), Ok(Instance::default()));
        let error = parse_instance(r#"{"n": 3, "n": 4}"#).unwrap_err();
        assert_eq!(error, ValueError { message: "`n` is given twice".to_string(), at: 9 });
        for text in ["", "[1]", r#"{"n" 3}"#, r#"{n: 3}"#, r#"{"n": 3,}"#, r#"{"n": {}}"#] {
            assert!(parse_instance(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_shown_reads_back() {
        for text in ["[1, -2]", "[[1], [2, 3]]", "[true, false]", r#""a\"b\\c\u0001""#, "[\"x\", \"y\"]", "[]", "-5"] {
            let value = parse_given(text).unwrap();
            assert_eq!(value.to_string(), text);
            assert_eq!(parse_given(&value.to_string()), Ok(value));
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = "[".repeat(100_000);
        assert!(parse_given(&deep).unwrap_err().message.contains("nested"));
    }

    #[test]
    fn ten_million_numbers_are_read_quickly() {
        let mut text = String::from("[");
        for n in 0..10_000_000u64 {
            if n > 0 {
                text.push(',');
            }
            text.push_str(&(n % 1000).to_string());
        }
        text.push(']');
        let start = std::time::Instant::now();
        let Given::Ints(items) = parse_given(&text).unwrap() else { panic!() };
        assert_eq!(items.len(), 10_000_000);
        assert!(start.elapsed().as_secs_f64() < 3.0, "{:?}", start.elapsed());
    }
}
