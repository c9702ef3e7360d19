//! Names of local variables in functions: the user's own where possible, never two the same.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::tokens::is_identifier;

/// The local names in use.
#[derive(Debug, Clone, Default)]
pub struct LocalNames {
    used: FxHashSet<String>,
    /// By wanted name, how many have been tried: what comes before is used.
    counts: FxHashMap<String, usize>,
    /// By prefix, the last number.
    numbers: FxHashMap<String, usize>,
}

/// Names that back ends use themselves.
const TAKEN: [&str; 17] = [
    "at",
    "out",
    "k",
    "t",
    "S",
    "T",
    "weights",
    "self",
    "put",
    "take",
    "coordinates",
    "velocities",
    "accelerations",
    "multipliers",
    "inputs",
    "shared",
    "results",
];

impl LocalNames {
    pub fn new() -> Self {
        LocalNames {
            used: TAKEN.into_iter().map(String::from).collect(),
            counts: FxHashMap::default(),
            numbers: FxHashMap::default(),
        }
    }

    /// `wanted`, with underscores appended until nobody else has it, or a number where many have it. A name that begins
    /// with a capital or has no small letter always gets one: `None`, or a constant of that name in the user's module,
    /// would be what a pattern compares with.
    pub fn unique(&mut self, wanted: &str) -> String {
        // More would be hard to count.
        const MAX_UNDERSCORES: usize = 8;
        let may_be_constant = wanted.starts_with(char::is_uppercase) || !wanted.contains(char::is_lowercase);
        let mut count = self.counts.get(wanted).copied().unwrap_or(usize::from(may_be_constant));
        let name = loop {
            let name = match count {
                0..=MAX_UNDERSCORES => format!("{wanted}{}", "_".repeat(count)),
                _ => format!("{wanted}_{count}"),
            };
            count += 1;
            if self.used.insert(name.clone()) && is_identifier(&name) {
                break name;
            }
        };
        self.counts.insert(wanted.to_owned(), count);
        name
    }

    /// The next of `prefix1`, `prefix2`, ...
    pub fn numbered(&mut self, prefix: &str) -> String {
        let number = self.numbers.entry(prefix.to_owned()).or_default();
        loop {
            *number += 1;
            let name = format!("{prefix}{number}");
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_the_same() {
        let mut names = LocalNames::new();
        let mut all: Vec<String> = Vec::new();
        for wanted in ["f", "None", "PI", "k", "f_9", "fn", "_"] {
            all.extend((0..12).map(|_| names.unique(wanted)));
        }
        assert_eq!(all[..3], ["f", "f_", "f__"]);
        assert_eq!((all[9].as_str(), all[12].as_str(), all[24].as_str()), ("f_9", "None_", "PI_"));
        assert_eq!((all[36].as_str(), all[48].as_str(), all[60].as_str()), ("k_", "f_9_", "fn_"));
        let distinct: FxHashSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
    }
}
