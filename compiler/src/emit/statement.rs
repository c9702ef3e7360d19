//! `let`s of a function, of which there may be very many.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A statement of a function.
pub enum Statement {
    /// `let pattern = value;`
    Let {
        pattern: TokenStream,
        /// The names in the pattern.
        names: Vec<Ident>,
        value: TokenStream,
    },
    /// One that declares nothing which others use.
    Act(TokenStream),
}

impl Statement {
    fn names(&self) -> &[Ident] {
        match self {
            Statement::Let { names, .. } => names,
            Statement::Act(_) => &[],
        }
    }
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
        let write = |statement: &Statement| match statement {
            Statement::Let { pattern, value, .. } => quote!(let #pattern = #value;),
            Statement::Act(tokens) => tokens.clone(),
        };
        return statements.iter().map(write).collect();
    }
    let mut written = Vec::new();
    for group in statements.chunks(NAMES_PER_SCOPE) {
        let names: Vec<&Ident> = group.iter().flat_map(Statement::names).collect();
        if !names.is_empty() {
            written.push(quote!(let (#(#names,)*);));
        }
        written.extend(group.iter().map(|statement| match statement {
            Statement::Let { pattern, value, .. } => quote!(#pattern = #value;),
            Statement::Act(tokens) => tokens.clone(),
        }));
    }
    written
}

#[cfg(test)]
mod tests {
    use quote::format_ident;

    use super::*;

    fn chain(length: usize) -> Vec<Statement> {
        let statement = |i: usize| {
            let (name, before) = (format_ident!("e{i}"), format_ident!("e{}", i.max(1) - 1));
            Statement::Let { pattern: quote!(#name), names: vec![name], value: quote!(2.0 * #before) }
        };
        (0..length).map(statement).collect()
    }

    #[test]
    fn scopes_do_not_nest_deeply() {
        for length in [10, 1000, 1001, 20_000] {
            let written = statements(&chain(length));
            let text: Vec<String> = written.iter().map(ToString::to_string).collect();
            assert!(text.iter().filter(|text| text.starts_with("let")).count() <= 1000);
            // every value is computed once, in order, and every name is declared above it
            let mut declared = 0;
            let mut assigned = 0;
            for text in &text {
                match text.strip_prefix("let (") {
                    Some(names) => declared += names.matches('e').count(),
                    None => {
                        assert!(text.contains(&format!("e{assigned} =")), "{text}");
                        assigned += 1;
                        assert!(declared >= assigned || length <= 1000);
                    }
                }
            }
            assert_eq!(assigned, length);
        }
    }
}
