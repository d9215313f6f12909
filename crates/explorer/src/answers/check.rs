//! Rules that are being written: what is wrong with them, what is in them.

use perfectplay::Error;
use perfectplay::json::explorer::{Checked, check as object};
use perfectplay::language::{Rules, bind, parse_instance};
use perfectplay::solving::{scope, stopped};

use super::Allowed;
use crate::question::Question;
use crate::reply::Reply;

/// Checks rules and an instance.
pub fn check(question: &Question, allowed: &Allowed) -> Reply {
    let rules = match question.rules() {
        Ok(rules) => rules,
        Err(error) => return Reply::failed(&error),
    };
    let monitor = allowed.monitor();
    let scope = scope(&monitor);
    let (checked, source) = checked(question, &rules);
    if let Some(error) = stopped(&scope) {
        return Reply::failed(&perfectplay::json::error_object(&Error::solving(error, &rules)));
    }
    Reply::good(object(&checked, &source, &rules.source))
}

/// What came of it, and the text that its mistakes point into.
fn checked(question: &Question, rules: &Rules) -> (Checked, String) {
    let mut checked = Checked { program: None, default: None, bound: None, wrong: Vec::new(), in_instance: false };
    let program = match rules.program() {
        Ok(program) => program,
        Err(Error::Mistakes(mistakes)) => {
            checked.wrong = mistakes.diagnostics;
            return (checked, rules.source.clone());
        }
        Err(_) => return (checked, rules.source.clone()),
    };
    checked.program = Some(program.clone());
    let default = bind(&program, &Default::default());
    let given = question.instance();
    match parse_instance(&given) {
        Ok(instance) if instance.0.is_empty() => match default {
            Ok(bound) => (checked.default, checked.bound) = (Some(bound.clone()), Some(bound)),
            Err(wrong) => checked.wrong = wrong,
        },
        Ok(instance) => {
            checked.default = default.ok();
            match bind(&program, &instance) {
                Ok(bound) => checked.bound = Some(bound),
                Err(wrong) => (checked.wrong, checked.in_instance) = (wrong, true),
            }
        }
        Err(error) => {
            checked.default = default.ok();
            checked.in_instance = true;
            checked.wrong = vec![perfectplay::language::Diagnostic::new(error.message)];
        }
    }
    (checked, rules.source.clone())
}
