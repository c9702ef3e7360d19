//! How names are written, and those that mean something by themselves.

use crate::lower::functions;

/// Names that mean something by themselves.
pub const RESERVED: [&str; 2] = ["t", "pi"];

/// `x` or `x[2]`.
pub fn written_name(name: &str, index: Option<i64>) -> String {
    match index {
        None => name.to_owned(),
        Some(index) => format!("{name}[{index}]"),
    }
}

/// `x` or `x_2`; negative indices as `x_m2`.
pub fn rust_name(name: &str, index: Option<i64>) -> String {
    match index {
        None => name.to_owned(),
        Some(index) if index < 0 => format!("{name}_m{}", index.unsigned_abs()),
        Some(index) => format!("{name}_{index}"),
    }
}

/// What `name` means by itself, if it does.
pub fn meaning(name: &str) -> Option<&'static str> {
    match name {
        "t" => Some("time"),
        "pi" => Some("the number pi"),
        _ if functions::is_function(name) => Some("a function"),
        _ => None,
    }
}

/// Why `name` can't be declared, if it can't.
pub fn reserved(name: &str) -> Option<String> {
    meaning(name).map(|meaning| format!("`{name}` is {meaning}; choose another name"))
}
