//! The `model!` blocks among the tokens of a Rust file.

use proc_macro2::{Group, TokenStream, TokenTree};

/// The content of every block, in the order of the file; none of those in `macro_rules!`, which are no models yet.
pub fn blocks(tokens: TokenStream) -> Vec<TokenStream> {
    let mut found = Vec::new();
    collect(tokens, &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<TokenStream>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut position = 0;
    while position < trees.len() {
        if let Some((name, group, behind)) = invocation(&trees, position) {
            if name == "model" && is_ours(&trees[..position]) {
                found.push(group.stream());
            } else if name != "macro_rules" {
                collect(group.stream(), found);
            }
            position = behind;
            continue;
        }
        if let TokenTree::Group(group) = &trees[position] {
            collect(group.stream(), found);
        }
        position += 1;
    }
}

/// `name! { ... }` or `macro_rules! name { ... }`: its name, the group, and the position behind it.
fn invocation(trees: &[TokenTree], position: usize) -> Option<(String, &Group, usize)> {
    let TokenTree::Ident(name) = trees.get(position)? else { return None };
    match trees.get(position + 1)? {
        TokenTree::Punct(punct) if punct.as_char() == '!' => {}
        _ => return None,
    }
    let own_name = usize::from(matches!(trees.get(position + 2)?, TokenTree::Ident(_)));
    let TokenTree::Group(group) = trees.get(position + 2 + own_name)? else { return None };
    Some((name.to_string(), group, position + 3 + own_name))
}

/// Whether the path in front of `model!` is empty or `costate::`.
fn is_ours(before: &[TokenTree]) -> bool {
    let colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ':');
    match before {
        [.., TokenTree::Ident(path), first, second] if colon(first) && colon(second) => path == "costate",
        [.., last] => !colon(last),
        [] => true,
    }
}
