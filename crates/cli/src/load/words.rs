//! The words behind a game: `rows=3 columns=4`, `3 4`, `5,3,7,10`, `coins = [5, 3]`, or what is in a file.
//!
//! A word is taken where it can mean one thing only. Where it could mean several, the message says what to type.

use std::sync::Arc;

use perfectplay::language::{
    Given, Instance, Param, Program, Type, ValueError, bind, example_instance, parse_given, parse_instance,
};

use super::{pointed, read, standard_input};
use crate::args::GameArgs;
use crate::failure::Failure;
use crate::paste;

/// The instance from the file, standard input and words, in this order; a later value for the same name counts.
pub fn instance(args: &GameArgs, program: &Program) -> Result<Instance, Failure> {
    let mut instance = Instance::default();
    if let Some(path) = &args.instance {
        let text = if path.as_os_str() == "-" { standard_input()? } else { read(&path.to_string_lossy())? };
        merge(&mut instance, whole(&text, &path.to_string_lossy(), program)?);
    }
    let (mut named, mut bare): (Vec<(String, String)>, Vec<String>) = (Vec::new(), Vec::new());
    for word in gathered(joined(&args.words, program), program) {
        let word = bracketed(&word).unwrap_or(word);
        match word.split_once('=') {
            _ if word == "-" => merge(&mut instance, whole(&standard_input()?, "standard input", program)?),
            _ if word.starts_with('{') => merge(&mut instance, whole(&word, "the instance", program)?),
            Some((name, value)) if is_name(name) => named.push((name.to_string(), value.to_string())),
            _ => bare.push(word),
        }
    }
    for (index, (name, _)) in named.iter().enumerate() {
        if !program.params.iter().any(|param| param.name == *name) {
            return Err(unknown(program, name, args));
        }
        if named[..index].iter().any(|(known, _)| known == name) {
            return Err(Failure::usage(format!("`{name}` is given twice")));
        }
    }
    named.extend(placed(&bare, &named, program, args)?);
    for (name, value) in named {
        let given = value_of(&name, &value, program).map_err(|failure| with_example(failure, &name, program, args))?;
        merge(&mut instance, Instance(vec![(name, given)]));
    }
    Ok(instance)
}

/// Words behind a list that belong to it, as in `piles=3 4 5`, where every parameter has its value: they can mean nothing else.
fn gathered(words: Vec<String>, program: &Program) -> Vec<String> {
    let names = |word: &String| word.split_once('=').map(|(name, _)| name.to_string());
    let named: Vec<String> = words.iter().filter_map(names).collect();
    if !program.params.iter().all(|param| named.contains(&param.name)) {
        return words;
    }
    let mut gathered: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        let list = gathered.last_mut().filter(|before| {
            let row = before.split_once('=').and_then(|(name, value)| Some((param(program, name)?, value)));
            row.is_some_and(|(param, value)| is_row(param) && !value.starts_with(['[', '(', '{', '@', '"']))
        });
        match list.filter(|_| word.trim_end_matches(',').parse::<i64>().is_ok()) {
            Some(list) => *list = format!("{},{}", list.trim_end_matches(','), word.trim_end_matches(',')),
            None => gathered.push(word),
        }
    }
    gathered
}

/// The list that somebody wrote as a set, `{3, 4}`: an object has colons.
fn bracketed(word: &str) -> Option<String> {
    let inner = word.trim().strip_prefix('{')?.strip_suffix('}')?;
    let numbers = inner.split([',', ';', ' ']).filter(|item| !item.is_empty());
    let all = numbers.clone().count() > 0 && numbers.clone().all(|item| item.parse::<i64>().is_ok());
    all.then(|| format!("[{}]", numbers.collect::<Vec<_>>().join(", ")))
}

/// Whether this can be the name of a parameter.
pub fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_') && letters.all(|c| c.is_alphanumeric() || c == '_')
}

fn merge(instance: &mut Instance, more: Instance) {
    for (name, given) in more.0 {
        instance.0.retain(|(known, _)| *known != name);
        instance.0.push((name, given));
    }
}

fn param<'p>(program: &'p Program, name: &str) -> Option<&'p Param> {
    program.params.iter().find(|param| param.name == name)
}

/// Words that the shell has cut apart, put together: `coins = [1, 2]` and `rows 3`.
fn joined(words: &[String], program: &Program) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let words: Vec<String> = words.iter().flat_map(|word| apart(word, program)).collect();
    let mut rest = words.iter().peekable();
    while let Some(word) = rest.next() {
        let mut word = word.clone();
        if let (Some(param), Some(next)) = (param(program, &word), rest.peek()) {
            let assigned = next.starts_with('=');
            let named = next.split_once('=').is_some_and(|(name, _)| is_name(name));
            if assigned || (!named && param.ty != Type::Text) {
                word = format!("{word}={}", next.trim_start_matches('='));
                rest.next();
            }
        }
        let text = word.strip_suffix('=').and_then(|name| param(program, name)).is_some_and(|p| p.ty == Type::Text);
        let empty = word.ends_with('=') && word.split_once('=').is_some_and(|(name, _)| is_name(name));
        if let (true, Some(next)) = (empty, rest.peek()) {
            let named = next.split_once('=').is_some_and(|(name, _)| is_name(name));
            let stays_empty = text && next.is_empty();
            if !named && !stays_empty {
                word.push_str(next);
                rest.next();
            }
        }
        let value = word.split_once('=').map_or(&*word, |(_, value)| value);
        let mut open = depth(value);
        while open > 0
            && let Some(next) = rest.next()
        {
            word.push(' ');
            word.push_str(next);
            open += depth(next);
        }
        joined.push(word);
    }
    joined
}

/// A word without the blanks around its `=`, as in `'n = 5'`.
fn tight(word: &str) -> String {
    match word.split_once('=') {
        Some((name, value)) if name != name.trim() && is_name(name.trim()) => {
            format!("{}={}", name.trim(), value.trim())
        }
        _ => word.to_string(),
    }
}

/// The words of `rows=3,columns=4`: a comma in front of a parameter's name ends the value before.
fn apart(word: &str, program: &Program) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for piece in word.split(',') {
        let name = piece.split_once('=').map(|(name, _)| name.trim());
        let is_param = name.is_some_and(|name| param(program, name).is_some());
        // A comma in a list or a text belongs to it.
        let is_open = |before: &String| depth(before) > 0 || before.matches('"').count() % 2 == 1;
        match words.last_mut().filter(|before| !is_param || is_open(before)) {
            Some(before) => *before = format!("{before},{piece}"),
            None => words.push(piece.to_string()),
        }
    }
    words.iter().map(|word| tight(word)).collect()
}

/// The numbers of a size such as `3x4`, `3,4` or `[3, 4]`; `None` if it is none.
fn size(word: &str) -> Option<Vec<String>> {
    let word = word.trim();
    let bare = [('[', ']'), ('(', ')')].iter().find_map(|&(open, close)| word.strip_prefix(open)?.strip_suffix(close));
    let sides = bare.unwrap_or(word).split(['x', 'X', '×', '*', ',', ';']);
    let sides: Vec<String> = sides.map(|side| side.trim().to_string()).collect();
    let number = |side: &String| !side.is_empty() && side.chars().all(|c| c.is_ascii_digit());
    (sides.len() > 1 && sides.iter().all(number)).then_some(sides)
}

/// How many brackets a word opens and does not close; none if it does not start with one.
fn depth(word: &str) -> i64 {
    let count = |signs: [char; 2]| word.matches(|c| signs.contains(&c)).count() as i64;
    count(['[', '{']) - count([']', '}'])
}

/// The parameters that bare words are for.
fn placed(
    bare: &[String],
    named: &[(String, String)],
    program: &Program,
    args: &GameArgs,
) -> Result<Vec<(String, String)>, Failure> {
    if bare.is_empty() {
        return Ok(Vec::new());
    }
    let free: Vec<&Param> =
        program.params.iter().filter(|param| !named.iter().any(|(name, _)| *name == param.name)).collect();
    let needed: Vec<&Param> = free.iter().copied().filter(|param| param.default.is_none()).collect();
    if let [word] = bare
        && let Some(sides) = size(word)
        && !free.iter().any(|param| fits(param, word))
    {
        return placed(&sides, named, program, args);
    }
    if let Some(empty) = bare.iter().position(|word| word.trim().is_empty()) {
        let text = |params: &[&Param]| matches!(params, [only] if only.ty == Type::Text);
        if bare.len() > 1 || !(text(&free) || text(&needed)) {
            return Err(empty_word(empty, program, args));
        }
    }
    // A bare number for a list could as well be one of several in it.
    let clear = |param: &Param, word: &str| fits(param, word) && (bare.len() == 1 || !is_row(param) || is_listed(word));
    let in_order = |params: &[&Param]| {
        let fit = params.len() == bare.len() && params.iter().zip(bare).all(|(param, word)| clear(param, word));
        fit.then(|| params.iter().zip(bare).map(|(param, word)| (param.name.clone(), word.clone())).collect())
    };
    match (&free[..], &needed[..]) {
        ([], _) => return Err(too_many(bare, named, program, args)),
        ([only], _) | (_, [only]) if bare.len() == 1 => return Ok(vec![(only.name.clone(), bare[0].clone())]),
        ([only], _) | (_, [only]) if is_row(only) && free.len() != bare.len() => {
            return Ok(vec![(only.name.clone(), row(bare))]);
        }
        _ => {}
    }
    if let Some(placed) = in_order(&free).or_else(|| in_order(&needed)) {
        return Ok(placed);
    }
    if let [word] = bare {
        let fitting: Vec<&&Param> = free.iter().filter(|param| fits(param, word)).collect();
        if let [only] = fitting[..] {
            return Ok(vec![(only.name.clone(), word.clone())]);
        }
    }
    if bare.len() > free.len() && !free.iter().any(|param| is_row(param)) {
        return Err(too_many(bare, named, program, args));
    }
    Err(unclear(bare, &free, program, args))
}

/// Whether a parameter is a list of numbers or texts.
fn is_row(param: &Param) -> bool {
    param.ty == Type::list(Type::Int) || param.ty == Type::list(Type::Text)
}

/// Whether a word says itself that it is a list: by brackets or commas, or as a file.
fn is_listed(word: &str) -> bool {
    let word = word.trim();
    word.starts_with(['[', '(', '{', '@']) || word.contains([',', ';', ' '])
}

/// Several words as one list.
fn row(words: &[String]) -> String {
    let items: Vec<&str> = words.iter().map(|word| word.trim().trim_end_matches(',')).collect();
    items.join(",")
}

/// Whether a word can be the value of a parameter, without a look at files.
fn fits(param: &Param, word: &str) -> bool {
    if word.starts_with('@') || param.ty == Type::Text {
        return true;
    }
    let bracketed = word.trim_start().starts_with(['[', '"']) || word.contains(',');
    match &param.ty {
        Type::List(_) if !bracketed => is_row(param) && scalar(param, word),
        _ => read_value(param, word).is_ok_and(|given| has_type(&given, &param.ty)),
    }
}

fn scalar(param: &Param, word: &str) -> bool {
    param.ty == Type::list(Type::Text) || matches!(parse_given(word), Ok(Given::Int(_)))
}

fn has_type(given: &Given, ty: &Type) -> bool {
    match (given, ty) {
        (Given::Int(_), Type::Int) | (Given::Bool(_), Type::Bool) | (Given::Text(_), Type::Text) => true,
        (Given::Ints(items), Type::List(item)) => items.is_empty() || **item == Type::Int,
        (Given::List(items), Type::List(item)) => items.iter().all(|given| has_type(given, item)),
        _ => false,
    }
}

/// The text of a value, spelled in any of the ways that people try.
fn read_value(param: &Param, value: &str) -> Result<Given, ValueError> {
    let trimmed = value.trim();
    if param.ty == Type::Text && !value.starts_with('"') {
        return Ok(Given::Text(value.to_string()));
    }
    if !is_row(param) || trimmed.starts_with('[') || trimmed.is_empty() {
        return parse_given(value);
    }
    let inner = trimmed.strip_prefix(['(', '{']).and_then(|inner| inner.strip_suffix([')', '}'])).unwrap_or(trimmed);
    let items: Vec<&str> = match param.ty == Type::list(Type::Text) {
        true if inner.starts_with('"') => return parse_given(&format!("[{inner}]")),
        true => inner.split(',').map(str::trim).collect(),
        false => inner.split([',', ' ', ';']).map(str::trim).filter(|item| !item.is_empty()).collect(),
    };
    if param.ty == Type::list(Type::Text) {
        return Ok(Given::List(items.into_iter().map(|item| Given::Text(item.to_string())).collect()));
    }
    let mut numbers = Vec::with_capacity(items.len());
    for item in items {
        match parse_given(item) {
            Ok(Given::Int(number)) => numbers.push(number),
            // Something else than a list of numbers may be meant.
            _ if !value.contains([',', ' ', ';']) => return parse_given(value),
            _ => {
                // Both are parts of one text.
                let at = item.as_ptr().addr() - value.as_ptr().addr();
                return Err(ValueError { message: format!("`{item}` is no whole number"), at });
            }
        }
    }
    Ok(Given::Ints(numbers))
}

/// The value of a parameter, or what is wrong with it.
pub fn value_of(name: &str, value: &str, program: &Program) -> Result<Given, Failure> {
    let Some(param) = param(program, name) else {
        return parse_given(value).map_err(|error| unreadable(name, value, &error));
    };
    let Some(path) = value.strip_prefix('@') else {
        return read_value(param, value).map_err(|error| {
            // Quotes would not mend a word where a number is wanted.
            let word = value.trim().chars().all(|c| c.is_alphabetic());
            let message = format!("`{}` is no value of this parameter, which is {}", value.trim(), kind(&param.ty));
            unreadable(name, value, &if word { ValueError { message, at: error.at } } else { error })
        });
    };
    let text = read(path)?;
    if param.ty == Type::Text && !text.trim_start().starts_with('"') {
        return Ok(Given::Text(text.trim_end_matches(['\n', '\r']).to_string()));
    }
    parse_given(&text).map_err(|error| unreadable(path, &text, &error))
}

/// A type in words.
fn kind(ty: &Type) -> String {
    match ty {
        Type::Int => "a whole number".to_string(),
        Type::Bool => "true or false".to_string(),
        Type::Text => "a text".to_string(),
        other => format!("of the type {other}"),
    }
}

/// The parameter that a bare value is for.
pub fn only_parameter(program: &Program, word: &str) -> Result<String, Failure> {
    let names: Vec<&str> = program.params.iter().map(|param| param.name.as_str()).collect();
    let needed: Vec<&str> = program.params.iter().filter(|p| p.default.is_none()).map(|p| p.name.as_str()).collect();
    match (&names[..], &needed[..]) {
        ([only], _) | (_, [only]) => Ok(only.to_string()),
        ([], _) => Err(Failure::usage(format!("`{}` takes no parameters, but `{word}` was given", program.name))),
        _ => {
            let choices = names.iter().map(|name| format!("{name}={word}")).collect::<Vec<_>>().join(" or ");
            Err(Failure::usage_help(format!("which parameter is `{word}` for?"), format!("write {choices}")))
        }
    }
}

/// An instance as a JSON object; for a game with one parameter also its bare value.
pub fn whole(text: &str, origin: &str, program: &Program) -> Result<Instance, Failure> {
    let trimmed = text.trim_start();
    if !trimmed.starts_with('{') && program.params.len() == 1 {
        let name = program.params[0].name.clone();
        let given = parse_given(text).map_err(|error| unreadable(origin, text, &error))?;
        return Ok(Instance(vec![(name, given)]));
    }
    parse_instance(text).map_err(|error| unreadable(origin, text, &error))
}

/// A value that cannot be read, with the place marked.
fn unreadable(origin: &str, text: &str, error: &ValueError) -> Failure {
    if text.trim().is_empty() {
        let help = match is_name(origin) {
            true => format!("a value is expected behind {origin}="),
            false => "an instance is JSON, such as {\"n\": 5}".to_string(),
        };
        return Failure::usage_help(format!("{origin} is empty"), help);
    }
    let help = "values are JSON, such as 5, true, \"text\" or [1, 2, 3]; 10^18 and 1e18 are numbers too";
    pointed(&format!("the value of {origin} cannot be read"), text, error, help)
}

/// The words of a working instance: those of the first example of the file, else its defaults.
fn example(program: &Program, only: Option<&str>) -> Vec<String> {
    let instance = program.examples.iter().find_map(|example| {
        let instance = example_instance(program, example).ok()?;
        only.is_none_or(|only| instance.0.iter().any(|(name, _)| name == only)).then_some(instance)
    });
    let known = instance.unwrap_or_default().0.into_iter();
    known.filter(|(name, _)| only.is_none_or(|only| name == only)).map(|(name, value)| spelled(&name, &value)).collect()
}

/// A parameter as a word of the command line.
fn spelled(name: &str, value: &Given) -> String {
    match value {
        Given::Text(text) if !text.is_empty() && !text.starts_with(['"', '@']) => format!("{name}={text}"),
        value => format!("{name}={}", value.to_string().replace(", ", ",")),
    }
}

/// Whether words are an instance that the rules admit.
fn work(program: &Program, words: &[String]) -> bool {
    let mut instance = Instance::default();
    for word in words {
        let Some((name, value)) = word.split_once('=') else { return false };
        if value.starts_with('@') || instance.0.iter().any(|(known, _)| known == name) {
            return false;
        }
        match param(program, name).map(|param| (param, read_value(param, value))) {
            Some((param, Ok(given))) if has_type(&given, &param.ty) => instance.0.push((name.to_string(), given)),
            _ => return false,
        }
    }
    bind(&Arc::new(program.clone()), &instance).is_ok()
}

/// Whether a word can be the value of a parameter.
pub fn suits(program: &Program, name: &str, value: &str) -> bool {
    param(program, name).is_some_and(|param| fits(param, value))
}

/// Whether a parameter is a list of numbers.
pub fn is_numbers(program: &Program, name: &str) -> bool {
    param(program, name).is_some_and(|param| param.ty == Type::list(Type::Int))
}

/// Commands with these words instead, of those that work; else one with an example of the file.
fn offered(candidates: Vec<Vec<String>>, program: &Program, args: &GameArgs) -> Vec<String> {
    let good: Vec<&Vec<String>> = candidates.iter().filter(|words| work(program, words)).collect();
    if good.is_empty() {
        let example = Some(example(program, None)).filter(|words| work(program, words));
        return vec![paste::with_words(args, &example.unwrap_or_default())];
    }
    good.into_iter().map(|words| paste::with_words(args, words)).collect()
}

/// A failure to read a value, with a command that works.
fn with_example(failure: Failure, name: &str, program: &Program, args: &GameArgs) -> Failure {
    let Failure::Usage { message, help } = failure else { return failure };
    let mine = |word: &&String| word.split_once('=').is_some_and(|(known, _)| known != name && is_name(known));
    let others: Vec<String> = joined(&args.words, program).iter().filter(mine).cloned().collect();
    let words = example(program, Some(name));
    if message.starts_with("cannot read") {
        return Failure::Usage { message, help };
    }
    let typed = offered(vec![[others, words].concat()], program, args).concat();
    let help = help.map_or(String::new(), |help| format!("{help}\n        "));
    Failure::usage_help(message, format!("{help}for example, type: {typed}"))
}

fn unknown(program: &Program, name: &str, args: &GameArgs) -> Failure {
    let names: Vec<&str> = program.params.iter().map(|param| param.name.as_str()).collect();
    let message = format!("`{}` has no parameter `{name}`", program.name);
    let rename = |to: &str| {
        let word = |word: String| match word.split_once('=') {
            Some((known, value)) if known == name => format!("{to}={value}"),
            _ => word,
        };
        let words: Vec<String> = joined(&args.words, program).into_iter().map(word).collect();
        offered(vec![words], program, args).concat()
    };
    let value = |to: &str| {
        let joined = joined(&args.words, program);
        let found = joined.iter().find_map(|word| word.split_once('=').filter(|(known, _)| *known == name));
        found.is_some_and(|(_, value)| param(program, to).is_some_and(|param| read_value(param, value).is_ok()))
    };
    let in_order = renamed(&joined(&args.words, program), program).unwrap_or_default();
    match (perfectplay::language::nearest(name, names.iter().copied()), &names[..]) {
        (Some(near), _) => Failure::usage_help(message, format!("did you mean `{near}`? Type: {}", rename(near))),
        (None, []) => Failure::usage_help(message, "this game has no parameters"),
        (None, [only]) if value(only) => {
            Failure::usage_help(message, format!("its parameter is `{only}`; type: {}", rename(only)))
        }
        (None, _) if in_order.iter().any(|word| !args.words.contains(word)) => {
            let parameters: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let typed = offered(vec![in_order], program, args).concat();
            Failure::usage_help(
                message,
                format!("its parameters are {}; in this order, type: {typed}", parameters.join(", ")),
            )
        }
        (None, _) => {
            let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let are = if program.params.len() == 1 { "its parameter is" } else { "its parameters are" };
            let typed = offered(Vec::new(), program, args).concat();
            Failure::usage_help(message, format!("{are} {names}; for example, type: {typed}"))
        }
    }
}

/// Words of which no name is a parameter's, with the names of the parameters in their order, where the values fit.
fn renamed(words: &[String], program: &Program) -> Option<Vec<String>> {
    let values: Vec<(&str, &str)> = words.iter().map(|word| word.split_once('=')).collect::<Option<_>>()?;
    let strange = values.iter().all(|(name, _)| param(program, name).is_none());
    let mended = values.iter().zip(&program.params).map(|((_, value), param)| {
        let fits = read_value(param, value).is_ok_and(|given| has_type(&given, &param.ty));
        fits.then(|| format!("{}={value}", param.name))
    });
    (strange && values.len() == program.params.len()).then(|| mended.collect::<Option<_>>()).flatten()
}

fn empty_word(at: usize, program: &Program, args: &GameArgs) -> Failure {
    let nth = if at == 0 { String::new() } else { format!(" (word {})", at + 1) };
    let typed = offered(Vec::new(), program, args).concat();
    Failure::usage_help(format!("an empty word{nth} is no value"), format!("leave it out, or type: {typed}"))
}

fn too_many(bare: &[String], named: &[(String, String)], program: &Program, args: &GameArgs) -> Failure {
    if program.params.is_empty() {
        let message = format!("`{}` takes no parameters, but `{}` was given", program.name, bare[0]);
        return Failure::usage_help(message, format!("type: {}", paste::with_words(args, &[])));
    }
    if let ([(name, _)], [_], [word]) = (named, &program.params[..], bare) {
        let message = format!("`{name}` is given twice");
        return Failure::usage_help(message, format!("leave out `{word}` or `{name}=…`"));
    }
    let names = program.params.iter().map(|param| format!("{}: {}", param.name, param.ty)).collect::<Vec<_>>();
    let message = format!("`{}` has fewer parameters than values were given: ({})", program.name, names.join(", "));
    // The first of them may be right.
    let free = program.params.iter().filter(|param| !named.iter().any(|(name, _)| *name == param.name));
    let first = free.zip(bare).map(|(param, word)| format!("{}={word}", param.name));
    let words = named.iter().map(|(name, value)| format!("{name}={value}")).chain(first).collect();
    let typed = offered(vec![words], program, args).concat();
    Failure::usage_help(message, format!("for example, type: {typed}"))
}

/// Words that could be for several parameters: every reading in their order, as a command.
fn unclear(bare: &[String], free: &[&Param], program: &Program, args: &GameArgs) -> Failure {
    let spelled = |param: &Param, word: &str| match is_row(param) && !word.starts_with(['[', '@']) {
        true => format!("{}=[{}]", param.name, word.trim_end_matches(',')),
        false => format!("{}={word}", param.name),
    };
    let is_other = |word: &&String| !bare.contains(word) && size(word).is_none_or(|sides| sides != bare);
    let others: Vec<String> = args.words.iter().filter(is_other).cloned().collect();
    let with_others = |words: Vec<String>| [others.clone(), words].concat();
    if let [word] = bare {
        let fitting: Vec<&&Param> = free.iter().filter(|param| fits(param, word)).collect();
        let choices = if fitting.is_empty() { free.iter().collect() } else { fitting };
        let choices = choices.iter().map(|param| with_others(vec![spelled(param, word)])).collect();
        let choices = offered(choices, program, args);
        let message = format!("which parameter is `{word}` for?");
        return Failure::usage_help(message, format!("type: {}", choices.join("\n    or: ")));
    }
    // In the order of the rules; what is left over goes into a list at the end.
    let mut words = Vec::new();
    let mut rest = bare;
    for (index, param) in free.iter().enumerate() {
        let last = index + 1 == free.len() || rest.len() <= 1;
        let many = is_row(param) && (last || free.len() - index < rest.len());
        let take = if many { rest.len() - (free.len() - index - 1).min(rest.len() - 1) } else { 1 };
        let (these, more) = rest.split_at(take.min(rest.len()));
        if !these.is_empty() {
            words.push(spelled(param, &row(these)));
        }
        rest = more;
    }
    let message = format!("which parameters are `{}` for?", bare.join(" "));
    // Or all of them are the items of one list.
    let whole = free.iter().filter(|param| is_row(param)).map(|param| vec![spelled(param, &row(bare))]);
    let candidates: Vec<Vec<String>> = std::iter::once(words).chain(whole).map(with_others).collect();
    let typed = offered(candidates, program, args).join("\n    or: ");
    Failure::usage_help(message, format!("with names it is clear; type: {typed}"))
}

#[cfg(test)]
mod tests;
