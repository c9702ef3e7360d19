//! Reasons why a text does not consist of Rust tokens: brackets, quotes and comments without their other half, and
//! characters that Rust does not have. The tokenizer reports an error without its cause and place.

use std::ops::Range;

/// A mistake, and the bytes that it concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The mistake, and after a semicolon what to write instead.
    pub message: String,
    /// The bytes in the text.
    pub range: Range<usize>,
}

/// An opening bracket, and the indentation of its line.
struct Open {
    bracket: char,
    at: usize,
    indent: usize,
}

/// Characters of Rust's tokens, besides letters, digits, brackets and quotes.
const SIGNS: &str = "~!@#$%^&*-=+|;:,<.>/?_";

/// Finds the first mistake in a text; `None` if there is no mistake of this kind.
pub fn fault(text: &str) -> Option<Fault> {
    let mut scan = Scan::new(text);
    while let Some(character) = scan.peek() {
        if let Err(fault) = scan.step(character) {
            return Some(fault);
        }
    }
    let last = scan.open.pop()?;
    // a brace whose closing brace is indented less was meant to be closed earlier
    let (bracket, at, hint) = match scan.suspect {
        Some(at) if last.bracket == '{' => ('{', at, ", as the indentation of the lines below shows"),
        _ => (last.bracket, last.at, ""),
    };
    Some(one(at, format!("`{bracket}` is not closed{hint}; write `{}`", closing(bracket))))
}

/// Returns the bytes at which lines end outside of strings and comments; `None` if the text has a mistake.
#[cfg(feature = "format")]
pub fn line_ends(text: &str) -> Option<Vec<usize>> {
    let (mut scan, mut ends) = (Scan::new(text), Vec::new());
    while let Some(character) = scan.peek() {
        if character == '\n' {
            ends.push(scan.at);
        }
        scan.step(character).ok()?;
    }
    scan.open.is_empty().then_some(ends)
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open>,
    /// The first brace whose closing brace is indented less than its own line.
    suspect: Option<usize>,
    /// The line of the last query.
    line: Line,
}

/// The indentation of a line, with the position up to which lines have been searched.
#[derive(Default)]
struct Line {
    /// The byte up to which line beginnings have been searched.
    known: usize,
    /// The beginning of the last line before `known`.
    start: usize,
    /// White space at the beginning of the line; `None` until it is counted.
    indent: Option<usize>,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, open: Vec::new(), suspect: None, line: Line::default() }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Continues after the next `end`; returns `false` if there is none.
    fn skip_behind(&mut self, end: &str) -> bool {
        match self.rest().find(end) {
            Some(before) => self.at += before + end.len(),
            None => return false,
        }
        true
    }

    fn step(&mut self, character: char) -> Result<(), Fault> {
        let start = self.at;
        if self.rest().starts_with("//") {
            if !self.skip_behind("\n") {
                self.at = self.text.len();
            }
            return Ok(());
        }
        if self.rest().starts_with("/*") {
            return self.comment(start);
        }
        if let Some((prefix, hashes)) = raw_string(self.rest()) {
            self.at += prefix;
            let end = format!("\"{}", "#".repeat(hashes));
            let found = self.skip_behind(&end);
            return if found { Ok(()) } else { Err(no_end(start..start + prefix, "string", &end)) };
        }
        self.at += character.len_utf8();
        match character {
            '"' => self.quoted(start),
            '\'' => self.quote(start),
            '(' | '[' | '{' => {
                let indent = self.indent(start);
                self.open.push(Open { bracket: character, at: start, indent });
                Ok(())
            }
            ')' | ']' | '}' => self.close(start, character),
            _ if character.is_alphanumeric() || character == '_' => {
                let word = self.rest().find(|next: char| !(next.is_alphanumeric() || next == '_'));
                self.at = word.map_or(self.text.len(), |length| self.at + length);
                // raw strings are recognised by their first letter, and no word contains `'` or `"`
                Ok(())
            }
            _ if character.is_whitespace() || SIGNS.contains(character) || character == '\u{feff}' => Ok(()),
            _ => {
                let message = format!("`{character}` is no sign of Rust; leave it out");
                Err(Fault { message, range: start..self.at })
            }
        }
    }

    /// Skips `/* ... */`, which may be nested.
    fn comment(&mut self, start: usize) -> Result<(), Fault> {
        let mut depth = 0;
        loop {
            if self.rest().starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if self.rest().starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return Ok(());
                }
            } else if let Some(next) = self.peek() {
                self.at += next.len_utf8();
            } else {
                return Err(no_end(start..start + 2, "comment", "*/"));
            }
        }
    }

    /// Skips the rest of a string after `"`.
    fn quoted(&mut self, start: usize) -> Result<(), Fault> {
        while let Some(next) = self.peek() {
            self.at += next.len_utf8();
            match next {
                '"' => return Ok(()),
                '\\' => self.at += self.peek().map_or(0, char::len_utf8),
                _ => {}
            }
        }
        Err(no_end(start..start + 1, "string", "\""))
    }

    /// Skips the rest after `'`: a character or a lifetime. Any other use is reported, since `'` often stands for a
    /// time derivative.
    fn quote(&mut self, start: usize) -> Result<(), Fault> {
        let mut next = self.rest().char_indices();
        let first = next.next().map(|(_, character)| character);
        if first == Some('\\') {
            next.next();
            let end = next.find(|&(_, character)| character == '\'' || character == '\n');
            if let Some((length, '\'')) = end {
                self.at += length + 1;
                return Ok(());
            }
        } else if let (Some(first), Some((length, '\''))) = (first, next.next())
            && !matches!(first, '\'' | '\n')
        {
            self.at += length + 1;
            return Ok(());
        }
        if first.is_some_and(|first| first.is_alphabetic() || first == '_') {
            return Ok(());
        }
        Err(one(start, "stray `'`; write `dot(x)` for the time derivative".to_owned()))
    }

    fn close(&mut self, at: usize, bracket: char) -> Result<(), Fault> {
        let fits = |open: &Open| closing(open.bracket) == bracket;
        match self.open.pop() {
            Some(open) if fits(&open) => {
                if bracket == '}' && self.begins_line(at) && self.indent(at) < open.indent {
                    self.suspect.get_or_insert(open.at);
                }
                Ok(())
            }
            Some(open) if self.open.iter().any(fits) => {
                let message = format!("`{}` is not closed; write `{}`", open.bracket, closing(open.bracket));
                Err(one(open.at, message))
            }
            _ => Err(one(at, format!("`{bracket}` closes nothing; leave it out"))),
        }
    }

    /// Returns the white space at the beginning of the line with this byte. Bytes are given in order, so that every
    /// line is searched once.
    fn indent(&mut self, at: usize) -> usize {
        let text = self.text;
        if let Some(before) = text[self.line.known..at].rfind('\n') {
            self.line = Line { start: self.line.known + before + 1, ..Line::default() };
        }
        self.line.known = at;
        let line = &text[self.line.start..];
        *self.line.indent.get_or_insert_with(|| line.len() - line.trim_start_matches([' ', '\t']).len())
    }

    fn begins_line(&mut self, at: usize) -> bool {
        self.indent(at) == at - self.line.start
    }
}

/// Returns the length of `r#"` and the number of its `#`, if a raw string starts here.
fn raw_string(text: &str) -> Option<(usize, usize)> {
    let behind = ["r", "br", "cr"].iter().find_map(|prefix| text.strip_prefix(prefix))?;
    let hashes = behind.len() - behind.trim_start_matches('#').len();
    behind[hashes..].starts_with('"').then(|| (text.len() - behind.len() + hashes + 1, hashes))
}

fn closing(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

fn one(at: usize, message: String) -> Fault {
    Fault { message, range: at..at + 1 }
}

fn no_end(range: Range<usize>, what: &str, end: &str) -> Fault {
    Fault { message: format!("this {what} has no end; write `{end}` behind it"), range }
}

/// Returns line and column of a byte, both counted from 1.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    use super::*;

    /// Returns the message, and the text from the marked bytes on.
    fn said(text: &str) -> Option<(String, &str)> {
        fault(text).map(|fault| (fault.message, &text[fault.range.start..]))
    }

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
            ("R { t = \"a.csv }", "this string has no end; write `\"` behind it", "\"a.csv }"),
            ("R { r#\"a\" }", "this string has no end; write `\"#` behind it", "r#\"a\" }"),
            ("R { /* a /* b */ }", "this comment has no end; write `*/` behind it", "/* a /* b */ }"),
            ("R { x: 3·x }", "`·` is no sign of Rust; leave it out", "·x }"),
            ("R { x: `a` }", "``` is no sign of Rust; leave it out", "`a` }"),
        ] {
            assert_eq!(said(text), Some((message.to_owned(), rest)), "{text}");
            assert!(text.parse::<TokenStream>().is_err(), "{text}");
        }
    }

    #[test]
    fn indentation_tells_which_brace_is_open() {
        let text = "model! {\n    R {\n        mass { x: 1 }\n        forces {\n            x: 1\n        outputs { y \
             }\n    }\n}\n";
        let message = "`{` is not closed, as the indentation of the lines below shows; write `}`";
        let rest = &text[text.find("forces {").unwrap() + 7..];
        assert_eq!(said(text), Some((message.to_owned(), rest)));
    }

    #[test]
    fn what_rust_takes_is_no_fault() {
        for text in [
            "",
            "R { x: 'a', y: '\\'', z: '\\u{41}', t: '\"', u: '{' }",
            "fn f<'a>(x: &'a str) -> &'static str { \"(\\\"[{\" }",
            "// ( [ { ' \"\nR { /* ( /* [ */ { */ }",
            "r\"(\" r#\"\"(\"# br\"{\" b\"(\" c\"[\" b'(' r#type radius\"a\"",
            "#[doc = \"(\"] R { a: 1e-3, b: 'x'..='z', c: x ^ 2 ~ 3, ä: 1 }",
        ] {
            assert_eq!(said(text), None, "{text}");
            assert!(text.parse::<TokenStream>().is_ok(), "{text}");
        }
    }

    /// Tests the time: one look at every byte takes far less than the limit, one look per byte and bracket far more.
    #[test]
    fn long_lines_take_no_quadratic_time() {
        let begin = std::time::Instant::now();
        for text in
            ["(".repeat(400_000), format!("{}{}", " ".repeat(400_000), "{".repeat(400_000)), "{}".repeat(200_000)]
        {
            let _ = fault(&text);
        }
        assert!(begin.elapsed() < std::time::Duration::from_secs(3), "{:?}", begin.elapsed());
    }

    /// Tests that no text causes a panic, and that mistakes are found only in texts without tokens.
    #[test]
    fn faults_are_those_of_the_tokens() {
        let model = include_str!("../tests/fixtures/engine_mount.model");
        for (at, character) in model.char_indices().step_by(7) {
            let (before, after) = (&model[..at], &model[at + character.len_utf8()..]);
            for put in ["", "'", "\"", "(", "}", "]", "/*", "//", "\\", "r#\""] {
                let text = format!("{before}{put}{after}");
                assert!(fault(&text).is_none() || text.parse::<TokenStream>().is_err(), "{text}");
            }
        }
        assert_eq!(position("a\nbä(", 5), (2, 3));
    }
}
