//! The rules language: what is read, what is refused and with which words, and what it means.

mod binding;
mod diagnostics;
mod interpreter;
mod language;
mod robustness;
mod samples;
mod syntax;
