//! Spelling of names, and names with a meaning of their own.

use crate::lower::functions;

/// Names with a meaning of their own.
pub const RESERVED: [&str; 2] = ["t", "pi"];

/// Writes `x` or `x[2]`.
pub fn written_name(name: &str, index: Option<i64>) -> String {
    match index {
        None => name.to_owned(),
        Some(index) => format!("{name}[{index}]"),
    }
}

/// Writes `x` or `x_2`; negative indices as `x_m2`.
pub fn rust_name(name: &str, index: Option<i64>) -> String {
    match index {
        None => name.to_owned(),
        Some(index) if index < 0 => format!("{name}_m{}", index.unsigned_abs()),
        Some(index) => format!("{name}_{index}"),
    }
}

/// Returns the meaning that `name` has in the language; `None` if it has none.
pub fn meaning(name: &str) -> Option<&'static str> {
    match name {
        "t" => Some("time"),
        "pi" => Some("the number pi"),
        _ if functions::is_function(name) => Some("a function"),
        _ => None,
    }
}

/// Returns the reason why `name` cannot be declared; `None` if it can.
pub fn reserved(name: &str) -> Option<String> {
    meaning(name).map(|meaning| format!("`{name}` is {meaning}; choose another name"))
}
