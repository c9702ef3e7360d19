//! Broken texts: words and signs deleted, doubled, swapped, moved and put in.

use rand::Rng;
use rand::seq::IndexedRandom;

/// Words of Rust and of the language, signs and numbers that stand where nobody would write them.
const WORDS: [&str; 66] = [
    "for",
    "in",
    "if",
    "else",
    "let",
    "fn",
    "pub",
    "self",
    "Self",
    "type",
    "match",
    "true",
    "false",
    "component",
    "components",
    "connections",
    "parameters",
    "inputs",
    "tables",
    "coordinates",
    "mass",
    "forces",
    "constraints",
    "initial",
    "outputs",
    "kinetic",
    "potential",
    "dissipation",
    "bodies",
    "joints",
    "elements",
    "gravity",
    "dot",
    "ddot",
    "multiplier",
    "value",
    "smooth_step",
    "min",
    "atan2",
    "t",
    "pi",
    "usize",
    "bool",
    "planar",
    "0",
    "1",
    "2.5",
    "1e400",
    "1_0",
    "64",
    "-3",
    "^",
    "..",
    "..=",
    ".",
    ",",
    ";",
    ":",
    "=",
    "~",
    "&&",
    "!",
    "[mm]",
    "{ }",
    "(",
    "\"a.csv\"",
];

/// Start and end of every word and sign.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut tokens: Vec<(usize, usize)> = Vec::new();
    let mut word = false;
    for (start, letter) in text.char_indices() {
        let end = start + letter.len_utf8();
        let belongs = letter.is_alphanumeric() || letter == '_';
        match tokens.last_mut() {
            Some(last) if belongs && word && last.1 == start => last.1 = end,
            _ if !letter.is_whitespace() => tokens.push((start, end)),
            _ => {}
        }
        word = belongs;
    }
    tokens
}

/// The text with one to three changes.
pub fn mutant(text: &str, random: &mut impl Rng) -> String {
    let mut mutant = text.to_owned();
    for _ in 0..random.random_range(1..4) {
        mutant = changed(&mutant, random);
    }
    mutant
}

fn changed(text: &str, random: &mut impl Rng) -> String {
    let tokens = tokens(text);
    let (Some(&(start, end)), Some(&(other, other_end))) = (tokens.choose(random), tokens.choose(random)) else {
        return text.to_owned();
    };
    let word = WORDS.choose(random).copied().unwrap_or_default();
    let (before, token, after) = (&text[..start], &text[start..end], &text[end..]);
    match random.random_range(0..7) {
        0 => format!("{before}{after}"),
        1 => format!("{before}{token} {token}{after}"),
        2 => format!("{before}{word}{after}"),
        3 => format!("{before}{word} {token}{after}"),
        4 => format!("{before}{}{after}", &text[other..other_end]),
        // a piece left out
        5 => format!("{}{}", &text[..start.min(other)], &text[end.max(other_end)..]),
        _ if end <= other => {
            format!("{before}{}{}{token}{}", &text[other..other_end], &text[end..other], &text[other_end..])
        }
        _ => format!("{before}{}{after}", token.to_uppercase()),
    }
}

/// Bytes flipped, cut off, put in, doubled.
pub fn damaged(bytes: &[u8], random: &mut impl Rng) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    for _ in 0..random.random_range(1..4) {
        let place = random.random_range(0..damaged.len().max(1)).min(damaged.len().saturating_sub(1));
        if damaged.is_empty() {
            break;
        }
        match random.random_range(0..5) {
            0 => damaged[place] ^= 1 << random.random_range(0..8),
            1 => damaged.truncate(place),
            2 => damaged.insert(place, random.random()),
            3 => drop(damaged.remove(place)),
            _ => damaged[place] = *b"0123456789.,;-+eE\n\t \"naif[]{}:".choose(random).unwrap_or(&b'0'),
        }
    }
    damaged
}
