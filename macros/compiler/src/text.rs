//! The tokens of a text, or the reason why it has none: brackets, quotes and comments without their other half, and
//! characters that Rust does not have. The tokenizer reports an error without its cause.

use std::iter::successors;
use std::ops::Range;

use proc_macro2::{LexError, Span, TokenStream};

/// Largest number of brackets around a closing one that are compared with it: each costs one reading of the text.
const MAX_BRACKETS: usize = 64;

/// A mistake, and the bytes that it concerns.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The mistake, and after a semicolon what to write instead.
    pub message: String,
    /// The bytes in the text.
    pub range: Range<usize>,
    /// The place at which the tokenizer stopped.
    pub span: Span,
}

/// Splits a text into tokens.
pub fn tokens(text: &str) -> Result<TokenStream, Fault> {
    text.parse().map_err(|error: LexError| {
        let (message, range) = mistake(text, error.span().byte_range().start);
        Fault { message, range, span: error.span() }
    })
}

/// Returns line and column of a byte, both counted from 1.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    (line, column)
}

/// Describes the mistake at which the tokenizer stopped, and returns its bytes.
fn mistake(text: &str, at: usize) -> (String, Range<usize>) {
    let rest = text.get(at..).unwrap_or_default();
    let not_closed =
        |(at, bracket): (usize, char)| (format!("`{bracket}` is not closed; write `{}`", closing(bracket)), at..at + 1);
    let Some(first) = rest.chars().next() else { return ("the text ends too early".to_owned(), at..at) };
    match first {
        '(' | '[' | '{' => not_closed((at, first)),
        ')' | ']' | '}' => {
            let around = successors(innermost(text, at), |(outer, _)| innermost(text, *outer)).take(MAX_BRACKETS);
            let mut around = around.peekable();
            match around.peek().copied() {
                Some(inner) if around.any(|(_, open)| closing(open) == first) => not_closed(inner),
                _ => (format!("`{first}` closes nothing; leave it out"), at..at + 1),
            }
        }
        '\'' => ("stray `'`; write `dot(x)` for the time derivative".to_owned(), at..at + 1),
        '/' => ("this comment has no end; write `*/` after it".to_owned(), at..at + 2),
        _ => {
            let quoted = rest.trim_start_matches(['b', 'c', 'r']);
            let from_quote = quoted.trim_start_matches('#');
            if from_quote.starts_with('"') {
                let end = format!("\"{}", "#".repeat(quoted.len() - from_quote.len()));
                let message = format!("this string has no end or an unknown escape; write `{end}` after it");
                return (message, at..at + rest.len() - from_quote.len() + 1);
            }
            let word = rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len());
            match rest[word..].chars().next().filter(|sign| !sign.is_ascii() || *sign == '`' || *sign == '\\') {
                Some(sign) => {
                    let range = at + word..at + word + sign.len_utf8();
                    (format!("`{sign}` is no sign of Rust; leave it out"), range)
                }
                None => (format!("`{}` is neither a number nor a name", &rest[..word]), at..at + word),
            }
        }
    }
}

/// Returns the place of the innermost bracket that is open before a byte, and the bracket.
fn innermost(text: &str, before: usize) -> Option<(usize, char)> {
    let error = text.get(..before)?.parse::<TokenStream>().err()?;
    let at = error.span().byte_range().start;
    Some((at, text.get(at..)?.chars().next()?))
}

fn closing(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_half_that_is_left_is_found() {
        for (text, message, rest) in [
            ("R { forces { x: -c*(x - 1 } }", "`(` is not closed; write `)`", "(x - 1 } }"),
            ("R { forces { x: -c*x) } }", "`)` closes nothing; leave it out", ") } }"),
            ("R { x[1..=3 }", "`[` is not closed; write `]`", "[1..=3 }"),
            ("R { f { x: 1 }", "`{` is not closed; write `}`", "{ f { x: 1 }"),
            ("R { f { x: 1 } } }", "`}` closes nothing; leave it out", "}"),
            ("R { x: x' }", "stray `'`; write `dot(x)` for the time derivative", "' }"),
            ("R { x: x'*y' }", "stray `'`; write `dot(x)` for the time derivative", "'*y' }"),
            ("R { t = \"a.csv }", "this string has no end or an unknown escape; write `\"` after it", "\"a.csv }"),
            ("R { r#\"a\" }", "this string has no end or an unknown escape; write `\"#` after it", "r#\"a\" }"),
            ("R { /* a /* b */ }", "this comment has no end; write `*/` after it", "/* a /* b */ }"),
            ("R { x: 3·x }", "`·` is no sign of Rust; leave it out", "·x }"),
            ("R { x: `a` }", "``` is no sign of Rust; leave it out", "`a` }"),
            ("R { x: 0b12 }", "`0b12` is neither a number nor a name", "0b12 }"),
        ] {
            let fault = tokens(text).unwrap_err();
            assert_eq!((&*fault.message, &text[fault.range.start..]), (message, rest), "{text}");
        }
        assert_eq!(position("a\nbä(", 5), (2, 3));
    }

    /// Tests that no text causes a panic, and the time of long ones.
    #[test]
    fn any_text_is_read() {
        let begin = std::time::Instant::now();
        for text in ["(".repeat(200_000), "{}".repeat(200_000), format!("{}]", "(".repeat(20_000))] {
            let _ = tokens(&text);
        }
        assert!(begin.elapsed() < std::time::Duration::from_secs(3), "{:?}", begin.elapsed());
        let model = include_str!("../tests/fixtures/engine_mount.model");
        for (at, character) in model.char_indices().step_by(7) {
            let (before, after) = (&model[..at], &model[at + character.len_utf8()..]);
            for put in ["", "'", "\"", "(", "}", "]", "/*", "//", "\\", "r#\"", "ä"] {
                let text = format!("{before}{put}{after}");
                if let Err(fault) = tokens(&text) {
                    assert!(text.get(fault.range).is_some(), "{text}");
                }
            }
        }
    }
}
