//! `let`s of a function, of which there may be very many.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// `let pattern = value;`
pub struct Statement {
    pub pattern: TokenStream,
    /// The names in the pattern.
    pub names: Vec<Ident>,
    pub value: TokenStream,
}

/// Number of `let`s, each in the scope of all before it, that rustc takes without an effort: it goes through nested
/// scopes by recursion when it writes debug information, and some thousands of them exceed its stack.
const MOST_SCOPES: usize = 1000;

/// Names that one `let` declares where there are more.
const NAMES_PER_SCOPE: usize = 256;

/// The statements as they are written: `let`s, or where there are too many of them names that are declared together and
/// then assigned.
pub fn statements(statements: &[Statement]) -> Vec<TokenStream> {
    if statements.len() <= MOST_SCOPES {
        return statements
            .iter()
            .map(|Statement { pattern, value, .. }| quote!(let #pattern = #value;))
            .collect();
    }
    let mut written = Vec::new();
    for group in statements.chunks(NAMES_PER_SCOPE) {
        let names = group.iter().flat_map(|statement| &statement.names);
        written.push(quote!(let (#(#names,)*);));
        written.extend(group.iter().map(|Statement { pattern, value, .. }| quote!(#pattern = #value;)));
    }
    written
}
