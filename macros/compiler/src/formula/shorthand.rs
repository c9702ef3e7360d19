//! Shorthand of expressions outside of models: functions of time that jump or sweep, and names of several words.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::diagnostic::Diagnostic;
use crate::model::Quantity;

/// The most tokens of an expression with all functions written out.
const MOST_TOKENS: usize = 4096;

/// The deepest nesting that is written out; the parser refuses what is below.
const DEEPEST: usize = 200;

/// The names and arguments of the functions.
const FUNCTIONS: [(&str, &[&str]); 3] =
    [("step", &["x"]), ("pulse", &["x", "length"]), ("chirp", &["x", "from", "to", "length"])];

/// The name of a quantity as tokens, and the word that stands for it in an expression.
pub struct Word {
    parts: Vec<String>,
    pub word: String,
}

/// Returns words for the names of quantities: the names themselves, and others for `x[2]` and `front.load`.
pub fn words(quantities: &[Quantity]) -> Vec<Word> {
    let word = |(k, quantity): (usize, &Quantity)| {
        let tokens: TokenStream = quantity.name.parse().unwrap_or_default();
        let parts: Vec<String> = tokens.into_iter().map(|tree| tree.to_string()).collect();
        let word = match &*parts {
            [only] => only.clone(),
            _ => format!("{}_{k}", quantity.field),
        };
        Word { parts, word }
    };
    quantities.iter().enumerate().map(word).collect()
}

/// Checks whether a number is followed by a unit in brackets.
pub fn has_units(tokens: &TokenStream) -> bool {
    let mut open = vec![tokens.clone()];
    while let Some(tokens) = open.pop() {
        let mut after_number = false;
        for tree in tokens {
            match &tree {
                TokenTree::Group(group) if after_number && group.delimiter() == Delimiter::Bracket => {
                    return true;
                }
                TokenTree::Group(group) => open.push(group.stream()),
                _ => {}
            }
            after_number = matches!(tree, TokenTree::Literal(_));
        }
    }
    false
}

/// Replaces names by their words, and functions by what they stand for.
pub fn written_out(tokens: TokenStream, words: &[Word]) -> Result<TokenStream, Diagnostic> {
    Ok(rewritten(tokens, words, 0)?.0)
}

/// Tokens, and their number.
type Counted = (TokenStream, usize);

fn rewritten(tokens: TokenStream, words: &[Word], depth: usize) -> Result<Counted, Diagnostic> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    if depth > DEEPEST {
        return Ok((trees.into_iter().collect(), 1));
    }
    let (mut written, mut count, mut at) = (TokenStream::new(), 0, 0);
    while let Some(tree) = trees.get(at) {
        let rest = &trees[at..];
        if let Some((word, length)) = longest(rest, words) {
            written.extend([TokenTree::from(Ident::new(word, tree.span()))]);
            (count, at) = (count + 1, at + length);
            continue;
        }
        if let Some((name, parameters, group)) = function(rest) {
            let (call, tokens) = call(name, parameters, group, words, depth)?;
            written.extend(call);
            (count, at) = (count + tokens, at + 2);
        } else if let TokenTree::Group(group) = tree {
            let (inner, tokens) = rewritten(group.stream(), words, depth + 1)?;
            let mut inner = Group::new(group.delimiter(), inner);
            inner.set_span(group.span());
            written.extend([TokenTree::from(inner)]);
            (count, at) = (count + tokens + 1, at + 1);
        } else {
            written.extend([tree.clone()]);
            (count, at) = (count + 1, at + 1);
        }
        if count > MOST_TOKENS {
            let message = format!("the expression comes to more than {MOST_TOKENS} words; write a shorter one");
            return Err(Diagnostic { message, place: tree.span().into() });
        }
    }
    Ok((written, count))
}

/// Finds the longest name of several tokens at the start.
fn longest<'w>(trees: &[TokenTree], words: &'w [Word]) -> Option<(&'w str, usize)> {
    let fits = |word: &&Word| {
        word.parts.len() > 1
            && word.parts.len() <= trees.len()
            && word.parts.iter().zip(trees).all(|(part, tree)| *part == tree.to_string())
    };
    if !matches!(trees.first(), Some(TokenTree::Ident(_))) {
        return None;
    }
    let found = words.iter().filter(fits).max_by_key(|word| word.parts.len())?;
    Some((&found.word, found.parts.len()))
}

/// Finds a call of one of the functions at the start.
fn function(trees: &[TokenTree]) -> Option<(&Ident, &'static [&'static str], &Group)> {
    let [TokenTree::Ident(name), TokenTree::Group(group), ..] = trees else { return None };
    let known = FUNCTIONS.iter().find(|(known, _)| name == known)?;
    (group.delimiter() == Delimiter::Parenthesis).then_some((name, known.1, group))
}

fn call(name: &Ident, parameters: &[&str], group: &Group, words: &[Word], depth: usize) -> Result<Counted, Diagnostic> {
    let mut arguments = vec![TokenStream::new()];
    for tree in group.stream() {
        match (&tree, arguments.last_mut()) {
            (TokenTree::Punct(comma), _) if comma.as_char() == ',' => arguments.push(TokenStream::new()),
            (_, Some(last)) => last.extend([tree]),
            _ => {}
        }
    }
    if arguments.len() != parameters.len() || arguments.iter().any(TokenStream::is_empty) {
        let message = format!("write `{name}({})`", parameters.join(", "));
        return Err(Diagnostic { message, place: crate::diagnostic::Place::from(name.span()) });
    }
    let counted =
        arguments.into_iter().map(|argument| rewritten(argument, words, depth + 1)).collect::<Result<Vec<_>, _>>()?;
    let span = name.span();
    let at = |k: usize| inside(counted.get(k), span);
    let count = |k: usize| counted.get(k).map_or(0, |(_, count)| *count);
    let written = match parameters.len() {
        1 => {
            let x = at(0);
            (quote_spanned!(span=> (if #x >= 0 { 1 } else { 0 })), count(0) + 10)
        }
        2 => {
            let (x, length) = (at(0), at(1));
            (quote_spanned!(span=> (if abs(#x/#length - 0.5) <= 0.5 { 1 } else { 0 })), count(0) + count(1) + 18)
        }
        _ => {
            let total = 2 * (count(0) + count(1)) + count(2) + count(3) + 30;
            if total > MOST_TOKENS {
                (TokenStream::new(), total)
            } else {
                let (x, from, to, length) = (at(0), at(1), at(2), at(3));
                (quote!(sin(2*pi*#x*(#from + (#to - #from)*#x/(2*#length)))), total)
            }
        }
    };
    Ok(written)
}

/// Returns an argument in parentheses.
fn inside(argument: Option<&Counted>, span: Span) -> TokenTree {
    let stream = argument.map(|(tokens, _)| tokens.clone()).unwrap_or_default();
    let mut group = Group::new(Delimiter::Parenthesis, stream);
    group.set_span(span);
    group.into()
}
