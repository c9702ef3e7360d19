//! New names: of models and of what they are made of.

use proc_macro2::Ident;

use crate::diagnostic::Diagnostic;
use crate::tokens::{Parsed, Tokens};

/// A new name. It becomes a name of the emitted Rust code too, so that Rust's keywords are refused.
pub fn new_name(tokens: &mut Tokens, what: &str) -> Parsed<Ident> {
    let Some(ident) = tokens.ident() else {
        return Err(tokens.error(format!("expected {what}, found {}", tokens.found())));
    };
    let text = ident.to_string();
    if text == "_" {
        return Err(tokens.error(format!("expected {what}, found `_`; everything in a model has a name")));
    }
    // `gen` is a keyword since edition 2024.
    if text == "gen" || syn::parse_str::<syn::Ident>(&text).is_err() || text.starts_with("r#") {
        return Err(tokens.error(format!("`{text}` is a word of the Rust language; choose another name")));
    }
    let ident = ident.clone();
    tokens.take();
    Ok(ident)
}

/// Types that Rust has by itself, which emitted code uses by their names.
const TYPES: [&str; 19] = [
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    "f16", "f32", "f64", "f128",
];

/// Crates whose paths a module with a model uses.
const CRATES: [&str; 4] = ["alloc", "core", "costate", "std"];

/// The name of a model, which becomes a type of the user's module: no type that stands there already, and no crate.
pub fn model_name(tokens: &mut Tokens, what: &str) -> Parsed<Ident> {
    let place = tokens.place();
    let name = new_name(tokens, what)?;
    let taken = |words: &[&str]| words.iter().any(|word| name == word);
    let meaning = if taken(&TYPES) {
        "a type of the Rust language"
    } else if taken(&CRATES) {
        "the name of a crate that the module of a model uses"
    } else {
        return Ok(name);
    };
    Err(Diagnostic { message: format!("`{name}` is {meaning}; choose another name for the model"), place })
}
