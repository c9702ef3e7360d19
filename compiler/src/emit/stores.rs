//! Results that are written as soon as they are known.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use rustc_hash::FxHashMap;

/// `statements`, `let pattern = value;` or `pattern = value;`, each followed by the stores `target = name;` of the names in its
/// pattern, and then the stores of all other values: a result that waited for the last one would wait in memory, and be
/// copied from there.
pub fn with_stores(
    statements: Vec<TokenStream>,
    stores: impl IntoIterator<Item = (TokenStream, TokenStream)>,
) -> Vec<TokenStream> {
    let mut targets: FxHashMap<String, Vec<TokenStream>> = FxHashMap::default();
    let mut values: Vec<(String, TokenStream)> = Vec::new();
    for (target, value) in stores {
        let text = value.to_string();
        if !targets.contains_key(&text) {
            values.push((text.clone(), value));
        }
        targets.entry(text).or_default().push(target);
    }
    let mut written = Vec::new();
    let mut write = |name: &str, value: TokenStream, written: &mut Vec<TokenStream>| {
        for target in targets.remove(name).unwrap_or_default() {
            written.push(quote!(#target = #value;));
        }
    };
    for statement in statements {
        let names = bound_names(statement.clone());
        written.push(statement);
        for name in names {
            write(&name.to_string(), quote!(#name), &mut written);
        }
    }
    for (name, value) in values {
        write(&name, value, &mut written);
    }
    written
}

/// The names in front of `=`; none where names are declared without a value.
fn bound_names(statement: TokenStream) -> Vec<Ident> {
    let is_equals = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '=');
    let tokens: Vec<TokenTree> = statement.into_iter().collect();
    let Some(end) = tokens.iter().position(is_equals) else { return Vec::new() };
    let mut names = Vec::new();
    collect_names(tokens.into_iter().take(end), &mut names);
    names
}

fn collect_names(tokens: impl Iterator<Item = TokenTree>, names: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if ident != "let" && ident != "_" => names.push(ident),
            TokenTree::Group(group) => collect_names(group.stream().into_iter(), names),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(statements: &[TokenStream]) -> Vec<String> {
        statements.iter().map(|statement| statement.to_string().replace(' ', "")).collect()
    }

    #[test]
    fn results_are_stored_where_they_become_known() {
        let statements = vec![
            quote!(let e1 = a + b;),
            quote!(let (sin, cos) = e1.sin_cos();),
            quote!(let (e2, e3);),
            quote!(e2 = cos * e1;),
        ];
        let stores = [
            (quote!(out[0]), quote!(e2)),
            (quote!(out[1]), quote!(sin)),
            (quote!(out[2]), quote!(e1 * e2)),
            (quote!(out[3]), quote!(sin)),
            (quote!(out[4]), quote!(a)),
        ];
        assert_eq!(
            text(&with_stores(statements, stores)),
            [
                "lete1=a+b;",
                "let(sin,cos)=e1.sin_cos();",
                "out[1]=sin;",
                "out[3]=sin;",
                "let(e2,e3);",
                "e2=cos*e1;",
                "out[0]=e2;",
                "out[2]=e1*e2;",
                "out[4]=a;",
            ]
        );
    }
}
