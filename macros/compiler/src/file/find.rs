//! The `model!` blocks among the tokens of a Rust file.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

/// The blocks of a file, in the order of the file.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The content of every block that is a model.
    pub models: Vec<TokenStream>,
    /// The blocks in definitions by `macro_rules!`, which are not models before the macro is called.
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

/// Finds all blocks. Groups that have to be searched are kept on a list, so that the depth of nesting is not limited.
pub fn blocks(tokens: TokenStream) -> Blocks {
    let mut found = Blocks::default();
    let mut levels = vec![Level::new(tokens, None)];
    while let Some(level) = levels.last_mut() {
        match level.next(&mut found) {
            Some(inner) => levels.push(inner),
            None => {
                levels.pop();
            }
        }
    }
    found
}

/// The tokens of one brace level, and the number of those that have been read.
struct Level {
    trees: Vec<TokenTree>,
    position: usize,
    /// The name of the macro whose definition contains the tokens.
    within: Option<String>,
}

impl Level {
    fn new(tokens: TokenStream, within: Option<String>) -> Self {
        Self { trees: tokens.into_iter().collect(), position: 0, within }
    }

    /// Continues to the next group that has to be searched; `None` at the end.
    fn next(&mut self, found: &mut Blocks) -> Option<Self> {
        while self.position < self.trees.len() {
            let Some(Invocation { word, own_name, group, behind }) = invocation(&self.trees, self.position) else {
                self.position += 1;
                if let TokenTree::Group(group) = &self.trees[self.position - 1] {
                    return Some(Self::new(group.stream(), self.within.clone()));
                }
                continue;
            };
            let is_model = word == "model" && is_ours(&self.trees[..self.position]);
            self.position = behind;
            match &self.within {
                Some(macro_name) if is_model => {
                    found.in_macros.push(InMacro { macro_name: macro_name.clone(), word: word.clone() });
                }
                None if is_model => found.models.push(group.stream()),
                None if word == "macro_rules" => {
                    let name = own_name.map(Ident::to_string).unwrap_or_default();
                    return Some(Self::new(group.stream(), Some(name)));
                }
                within => return Some(Self::new(group.stream(), within.clone())),
            }
        }
        None
    }
}

/// `word! { ... }` or `macro_rules! own_name { ... }`.
struct Invocation<'a> {
    word: &'a Ident,
    own_name: Option<&'a Ident>,
    group: &'a Group,
    /// The position after the invocation.
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

/// Checks whether the path before `model!` is empty or `costate::`.
fn is_ours(before: &[TokenTree]) -> bool {
    let colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ':');
    match before {
        [.., TokenTree::Ident(path), first, second] if colon(first) && colon(second) => path == "costate",
        [.., last] => !colon(last),
        [] => true,
    }
}
