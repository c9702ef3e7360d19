//! Names in messages.

use crate::model::Quantity;

/// `a`, `b` and `c`
pub fn names(quantities: &[Quantity], positions: &[usize]) -> String {
    // More names than this are not read.
    const MAX_NAMES: usize = 8;
    let names: Vec<String> =
        positions.iter().filter_map(|i| quantities.get(*i)).map(|quantity| format!("`{}`", quantity.name)).collect();
    match names.as_slice() {
        [] => String::new(),
        [single] => single.clone(),
        [first @ .., last] if names.len() <= MAX_NAMES => format!("{} and {last}", first.join(", ")),
        all => {
            let (shown, rest) = all.split_at(MAX_NAMES.min(all.len()));
            format!("{} and {} more", shown.join(", "), rest.len())
        }
    }
}

/// `1 coordinate`, `2 coordinates`
pub fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}
