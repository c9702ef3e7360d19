//! Changes of inputs.

use rand::Rng;
use rand::rngs::SmallRng;

/// Words that readers may handle wrongly.
const WORDS: [&str; 32] = [
    "0",
    "-1",
    "1e308",
    "1e-308",
    "1e999",
    "-0.0",
    "nan",
    "inf",
    "18446744073709551616",
    "99999999999999999999",
    "\0",
    "\r",
    "\r\n",
    "\n",
    "\t",
    "\u{feff}",
    "\u{202e}",
    "\u{1b}[2J",
    "ä",
    "\"",
    "'",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<!--",
    "</script>",
    ",",
    ";",
];

/// Length of the longest input.
const LONGEST: usize = 1 << 16;

/// Returns one of the inputs with one to eight changes.
pub fn mutated(inputs: &[Vec<u8>], words: &[&str], random: &mut SmallRng) -> Vec<u8> {
    let mut input = inputs[random.random_range(0..inputs.len())].clone();
    for _ in 0..[1, 1, 1, 2, 3, 8][random.random_range(0..6)] {
        change(&mut input, inputs, words, random);
        input.truncate(LONGEST);
    }
    input
}

fn change(input: &mut Vec<u8>, inputs: &[Vec<u8>], words: &[&str], random: &mut SmallRng) {
    let at = random.random_range(0..=input.len());
    // mostly short pieces, sometimes long ones
    let most = if random.random_bool(0.9) { 16 } else { input.len() };
    let end = (at + random.random_range(0..=most)).min(input.len());
    let piece = input[at..end].to_vec();
    match random.random_range(0..9) {
        0 => {
            input.drain(at..end);
        }
        1 => input.truncate(at),
        2 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.random_range(0..8);
            }
        }
        3 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = random.random();
            }
        }
        4 => {
            // the piece again, sometimes many times
            let count = if random.random_bool(0.9) { 1 } else { random.random_range(2..300) };
            input.splice(at..at, piece.repeat(count));
        }
        5 => {
            // the piece at another place
            let to = random.random_range(0..=input.len());
            input.splice(to..to, piece);
        }
        6 => {
            // a part of another input
            let other = &inputs[random.random_range(0..inputs.len())];
            let from = random.random_range(0..=other.len());
            let to = (from + random.random_range(0..=200)).min(other.len());
            input.splice(at..end, other[from..to].to_vec());
        }
        7 => {
            // another number in the place of a number
            let is_digit = |byte: &u8| byte.is_ascii_digit();
            let Some(first) = input[at..].iter().position(is_digit).map(|first| at + first) else { return };
            let length = input[first..].iter().take_while(|byte| is_digit(byte)).count();
            let word = WORDS[random.random_range(0..10)];
            input.splice(first..first + length, word.bytes());
        }
        _ => {
            let count = WORDS.len() + words.len();
            let chosen = random.random_range(0..count);
            let word = words.get(chosen).copied().unwrap_or_else(|| WORDS[chosen - words.len()]);
            input.splice(at..end.min(at + 4), word.bytes());
        }
    }
}
