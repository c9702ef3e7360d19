//! Names of local variables in emitted functions: the user's own where possible, never two the same.

use proc_macro2::{Ident, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The local names in use.
#[derive(Debug, Clone, Default)]
pub struct LocalNames {
    used: FxHashSet<String>,
    /// By wanted name, with how many underscores it was given last: those with fewer are used.
    underscores: FxHashMap<String, usize>,
    counter: usize,
}

/// Names that emitted functions use themselves.
const TAKEN: [&str; 7] = ["at", "out", "k", "t", "S", "weights", "self"];

impl LocalNames {
    pub fn new() -> Self {
        LocalNames {
            used: TAKEN.into_iter().map(String::from).collect(),
            underscores: FxHashMap::default(),
            counter: 0,
        }
    }

    /// `wanted`, with underscores appended until nobody else has it. A name that begins with a capital or has no small
    /// letter always gets one: `None`, or a constant of that name in the user's module, would be what a pattern compares
    /// with.
    pub fn unique(&mut self, wanted: &str) -> Ident {
        let known = self.underscores.get(wanted).copied();
        let mut name = wanted.to_owned();
        match known {
            Some(underscores) => name.extend(std::iter::repeat_n('_', underscores)),
            None if wanted.starts_with(char::is_uppercase) || !wanted.contains(char::is_lowercase) => {
                name.push('_')
            }
            None => {}
        }
        while !self.used.insert(name.clone()) || syn::parse_str::<Ident>(&name).is_err() {
            name.push('_');
        }
        self.underscores.insert(wanted.to_owned(), name.len() - wanted.len());
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
