//! The `model!` blocks among the tokens of a Rust file.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

/// The blocks of a file, in its order.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The content of every block that is a model.
    pub models: Vec<TokenStream>,
    /// Those in definitions by `macro_rules!`, which are no models before the macro is called.
    pub in_macros: Vec<InMacro>,
}

/// A block in the definition of a macro.
#[derive(Debug)]
pub struct InMacro {
    /// The name of the macro.
    pub macro_name: String,
    /// The word `model` in front of the block.
    pub word: Ident,
}

/// All blocks.
pub fn blocks(tokens: TokenStream) -> Blocks {
    let mut found = Blocks::default();
    collect(tokens, None, &mut found);
    found
}

/// Those in `tokens`, which stand in the definition of the macro `within`.
fn collect(tokens: TokenStream, within: Option<&str>, found: &mut Blocks) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut position = 0;
    while position < trees.len() {
        if let Some(Invocation { word, own_name, group, behind }) = invocation(&trees, position) {
            match within {
                Some(macro_name) if word == "model" && is_ours(&trees[..position]) => {
                    found.in_macros.push(InMacro { macro_name: macro_name.to_owned(), word: word.clone() });
                }
                None if word == "model" && is_ours(&trees[..position]) => found.models.push(group.stream()),
                None if word == "macro_rules" => {
                    let name = own_name.map(Ident::to_string).unwrap_or_default();
                    collect(group.stream(), Some(&name), found);
                }
                _ => collect(group.stream(), within, found),
            }
            position = behind;
            continue;
        }
        if let TokenTree::Group(group) = &trees[position] {
            collect(group.stream(), within, found);
        }
        position += 1;
    }
}

/// `word! { ... }` or `macro_rules! own_name { ... }`.
struct Invocation<'a> {
    word: &'a Ident,
    own_name: Option<&'a Ident>,
    group: &'a Group,
    /// The position behind it.
    behind: usize,
}

fn invocation(trees: &[TokenTree], position: usize) -> Option<Invocation<'_>> {
    let TokenTree::Ident(word) = trees.get(position)? else { return None };
    match trees.get(position + 1)? {
        TokenTree::Punct(punct) if punct.as_char() == '!' => {}
        _ => return None,
    }
    let own_name = match trees.get(position + 2)? {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    };
    let at = position + 2 + usize::from(own_name.is_some());
    let TokenTree::Group(group) = trees.get(at)? else { return None };
    Some(Invocation { word, own_name, group, behind: at + 1 })
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
