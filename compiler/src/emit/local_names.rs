//! Names of local variables in emitted functions: the user's own where possible, never two the same.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};

/// The local names in use.
#[derive(Debug, Clone, Default)]
pub struct LocalNames {
    used: HashSet<String>,
    counter: usize,
}

/// Names that emitted functions use themselves.
const TAKEN: [&str; 7] = ["at", "out", "k", "t", "S", "weights", "self"];

impl LocalNames {
    pub fn new() -> Self {
        LocalNames { used: TAKEN.map(String::from).into(), counter: 0 }
    }

    /// `wanted`, with underscores appended until nobody else has it. A name in capitals always gets one: the user's
    /// module may have a constant of that name, which a pattern would compare with.
    pub fn unique(&mut self, wanted: &str) -> Ident {
        let mut name = wanted.to_owned();
        if !name.contains(char::is_lowercase) {
            name.push('_');
        }
        while !self.used.insert(name.clone()) || syn::parse_str::<Ident>(&name).is_err() {
            name.push('_');
        }
        Ident::new(&name, Span::call_site())
    }

    /// The next of `prefix1`, `prefix2`, ...
    pub fn numbered(&mut self, prefix: &str) -> Ident {
        loop {
            self.counter += 1;
            let name = format!("{prefix}{}", self.counter);
            if self.used.insert(name.clone()) {
                return Ident::new(&name, Span::call_site());
            }
        }
    }
}
