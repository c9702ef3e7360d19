//! The tokens of one brace level, which are read one after the other, with arbitrary look-ahead.

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};

use crate::diagnostic::{Diagnostic, Place};

/// The value that was read, or the error at the token where reading ended.
pub type Parsed<T> = Result<T, Diagnostic>;

/// Checks whether `text` is a name in Rust, and no word of the language.
pub fn is_identifier(text: &str) -> bool {
    syn::parse_str::<Ident>(text).is_ok()
}

/// Greatest depth of nesting, so that a model cannot overflow the compiler's stack.
const MAX_DEPTH: usize = 256;

/// The tokens of one level; groups are single tokens until they are entered.
pub struct Tokens {
    trees: Vec<TokenTree>,
    position: usize,
    /// The closing delimiter, at which a missing token is reported.
    end: Span,
    end_text: &'static str,
    depth: usize,
}

impl Tokens {
    /// Starts with the tokens of a whole model.
    pub fn new(stream: TokenStream) -> Tokens {
        let trees: Vec<TokenTree> = stream.into_iter().map(unwrapped).collect();
        let end = trees.last().map_or_else(Span::call_site, |tree| place_of(tree).last);
        Tokens { trees, position: 0, end, end_text: "the end of the model", depth: 0 }
    }

    /// Starts with the tokens between the delimiters of a group.
    pub fn inside(&self, group: &Group) -> Tokens {
        let end_text = match group.delimiter() {
            Delimiter::Parenthesis => "`)`",
            Delimiter::Bracket => "`]`",
            Delimiter::Brace => "`}`",
            Delimiter::None => "the end of this fragment",
        };
        let trees = group.stream().into_iter().map(unwrapped).collect();
        Tokens { trees, position: 0, end: group.span_close(), end_text, depth: self.depth }
    }

    /// Reads one part after the other to the end. Every part takes at least one token, even if `read` takes none, so
    /// that reading ends also after mistakes.
    pub fn parts(&mut self, mut read: impl FnMut(&mut Tokens)) {
        while !self.is_empty() {
            let before = self.position;
            read(self);
            if self.position == before {
                self.position += 1;
            }
        }
    }

    /// Reads an item that may contain others of its kind, one level deeper.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Tokens) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(format!("nested deeper than {MAX_DEPTH} levels; name a part of it with `let`")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub fn is_empty(&self) -> bool {
        self.position >= self.trees.len()
    }

    pub fn peek(&self) -> Option<&TokenTree> {
        self.peek_ahead(0)
    }

    pub fn peek_ahead(&self, ahead: usize) -> Option<&TokenTree> {
        self.trees.get(self.position + ahead)
    }

    pub fn take(&mut self) -> Option<TokenTree> {
        let tree = self.peek().cloned();
        self.position += usize::from(tree.is_some());
        tree
    }

    /// Returns the place of the next token, or of the closing delimiter after the last token.
    pub fn place(&self) -> Place {
        self.peek().map_or(Place::from(self.end), place_of)
    }

    /// Returns the place of the next `count` tokens.
    pub fn place_of_next(&self, count: usize) -> Place {
        let last = self.peek_ahead(count.saturating_sub(1)).map_or(Place::from(self.end), place_of);
        self.place().to(last)
    }

    /// Returns the next token in quotes, as messages write it.
    pub fn found(&self) -> String {
        self.peek().map_or_else(|| self.end_text.to_owned(), quoted)
    }

    /// Creates an error at the next token. Braces, which may contain many lines, are marked at the opening brace
    /// only.
    pub fn error(&self, message: impl Into<String>) -> Diagnostic {
        let place = match self.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => Place::from(group.span_open()),
            _ => self.place(),
        };
        Diagnostic { message: message.into(), place }
    }

    /// Checks whether the next tokens are the characters of `operator` without spaces between them. A longer operator
    /// may begin with them: `=` is also found at the start of `==`.
    pub fn at(&self, operator: &str) -> bool {
        self.at_ahead(0, operator)
    }

    pub fn at_ahead(&self, ahead: usize, operator: &str) -> bool {
        let length = operator.chars().count();
        operator.chars().enumerate().all(|(i, character)| match self.peek_ahead(ahead + i) {
            Some(TokenTree::Punct(punct)) => {
                punct.as_char() == character && (i + 1 == length || punct.spacing() == Spacing::Joint)
            }
            _ => false,
        })
    }

    /// Takes an operator if it is next.
    pub fn take_operator(&mut self, operator: &str) -> Option<Place> {
        self.at(operator).then(|| self.skip(operator.chars().count()))
    }

    /// Takes `count` tokens, and returns their place.
    pub fn skip(&mut self, count: usize) -> Place {
        let place = self.place_of_next(count);
        self.position = (self.position + count).min(self.trees.len());
        place
    }

    pub fn at_word(&self, word: &str) -> bool {
        self.at_word_ahead(0, word)
    }

    pub fn at_word_ahead(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek_ahead(ahead), Some(TokenTree::Ident(ident)) if ident == word)
    }

    /// Returns the next token if it is an identifier or a keyword.
    pub fn ident(&self) -> Option<&Ident> {
        match self.peek() {
            Some(TokenTree::Ident(ident)) => Some(ident),
            _ => None,
        }
    }

    pub fn at_group(&self, delimiter: Delimiter) -> bool {
        self.at_group_ahead(0, delimiter)
    }

    pub fn at_group_ahead(&self, ahead: usize, delimiter: Delimiter) -> bool {
        matches!(self.peek_ahead(ahead), Some(TokenTree::Group(group)) if group.delimiter() == delimiter)
    }

    pub fn take_group(&mut self, delimiter: Delimiter) -> Option<Group> {
        match self.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => {
                let group = group.clone();
                self.position += 1;
                Some(group)
            }
            _ => None,
        }
    }

    /// Checks whether an entry seems to start here: `x:`, `x[i]:`, `rod.x:`, `x =`, `dot(x) =`, `(x, y):`, `let`,
    /// `for` or a doc comment. This distinguishes a missing comma from a missing operator.
    pub fn at_entry(&self) -> bool {
        let separated = |ahead| {
            let colon = self.at_ahead(ahead, ":") && !self.at_ahead(ahead, "::");
            colon || self.at_ahead(ahead, "=") && !self.at_ahead(ahead, "==")
        };
        match self.peek() {
            Some(TokenTree::Ident(ident)) if ident == "let" || ident == "for" => true,
            Some(TokenTree::Ident(_)) => {
                let grouped = |ahead| usize::from(matches!(self.peek_ahead(ahead), Some(TokenTree::Group(_))));
                let mut end = 1 + grouped(1);
                while self.at_ahead(end, ".") && matches!(self.peek_ahead(end + 1), Some(TokenTree::Ident(_))) {
                    end += 2 + grouped(end + 2);
                }
                separated(1) || separated(end)
            }
            Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis && separated(1),
            Some(TokenTree::Punct(punct)) => punct.as_char() == '#',
            _ => false,
        }
    }

    /// Skips to the end.
    pub fn skip_all(&mut self) {
        self.position = self.trees.len();
    }

    /// Continues, after an error, after the next `end` or at the end of the tokens.
    pub fn skip_behind(&mut self, end: &str) {
        while !self.is_empty() && self.take_operator(end).is_none() {
            self.position += 1;
        }
    }

    /// Continues, after an error, after the next `,` or `;`, or before the next `let`, `for` or token that `stop`
    /// accepts.
    pub fn recover(&mut self, stop: impl Fn(&Tokens) -> bool) {
        while !self.is_empty() {
            if self.take_operator(",").is_some() || self.take_operator(";").is_some() {
                return;
            }
            if self.at_word("let") || self.at_word("for") || stop(self) {
                return;
            }
            self.take();
        }
    }
}

/// Removes the invisible delimiters that a macro puts around an inserted token; around a single token they have no
/// meaning.
pub fn unwrapped(mut tree: TokenTree) -> TokenTree {
    while let TokenTree::Group(group) = &tree {
        let mut inner = group.stream().into_iter();
        match (group.delimiter(), inner.next(), inner.next()) {
            (Delimiter::None, Some(only), None) => tree = only,
            _ => break,
        }
    }
    tree
}

/// Returns the place from the opening to the closing delimiter of a group.
pub fn place_of_group(group: &Group) -> Place {
    Place { first: group.span_open(), last: group.span_close() }
}

fn place_of(tree: &TokenTree) -> Place {
    match tree {
        TokenTree::Group(group) => place_of_group(group),
        other => Place::from(other.span()),
    }
}

fn quoted(tree: &TokenTree) -> String {
    match tree {
        TokenTree::Group(group) => match group.delimiter() {
            Delimiter::Parenthesis => "`(`".to_owned(),
            Delimiter::Bracket => "`[`".to_owned(),
            Delimiter::Brace => "`{`".to_owned(),
            Delimiter::None => format!("`{group}`"),
        },
        other => format!("`{other}`"),
    }
}
