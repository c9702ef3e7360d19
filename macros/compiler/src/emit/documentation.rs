//! Documentation of generated items.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Model, Quantity};

/// Writes `#[doc = ...]` for every line of `text`. A carriage return also begins a line, since Rust's comments cannot
/// contain one.
pub fn doc(text: &str) -> TokenStream {
    let lines = text.lines().flat_map(|line| line.split('\r')).map(|line| {
        let line = format!(" {line}");
        quote!(#[doc = #line])
    });
    quote!(#(#lines)*)
}

/// Writes the documentation of a parameter, input or output: the user's text, and the unit.
pub fn quantity(kind: &str, quantity: &Quantity, default: Option<f64>) -> String {
    let own = if quantity.documentation.is_empty() {
        format!("{kind} `{}`.", quantity.name)
    } else {
        quantity.documentation.clone()
    };
    let unit = if quantity.unit.is_empty() { String::new() } else { format!("\n\nUnit: `{}`.", quantity.unit) };
    let default = default.map(|value| format!(" Default: {value}.")).unwrap_or_default();
    format!("{own}{unit}{default}")
}

/// Lists the functions of a model that are not smooth, each kind once.
pub fn kinks(model: &Model) -> String {
    let mut functions: Vec<&str> = model.kinks.iter().map(|kink| kink.function).collect();
    functions.sort_unstable();
    functions.dedup();
    let list: Vec<String> = functions
        .into_iter()
        .map(|function| {
            let count = model.kinks.iter().filter(|kink| kink.function == function).count();
            if count == 1 { format!("`{function}`") } else { format!("`{function}` ({count} times)") }
        })
        .collect();
    list.join(", ")
}
