//! Messages of the library in the words of those who write no Rust: the command, and the bridge to Python.

use std::borrow::Cow;
use std::ops::Range;

/// Stands in a fragment for any text without a backtick.
const ANY: char = '…';

/// Replaces fragments of a message, each wherever it stands, by the words beside them. In a fragment, `…` stands for
/// any text without a backtick.
pub fn reworded<'t>(text: &'t str, words: &[(&str, &str)]) -> Cow<'t, str> {
    let mut text = Cow::Borrowed(text);
    for (fragment, words) in words {
        // words may have the fragment
        let mut after = 0;
        while let Some(range) = text.get(after..).and_then(|rest| find(rest, fragment)) {
            text.to_mut().replace_range(after + range.start..after + range.end, words);
            after += range.start + words.len();
        }
    }
    text
}

/// Finds a fragment in a text.
fn find(text: &str, fragment: &str) -> Option<Range<usize>> {
    let mut parts = fragment.split(ANY);
    let first = parts.next()?;
    let from = text.find(first)?;
    let mut to = from + first.len();
    for part in parts {
        let rest = text.get(to..)?;
        let gap = rest.find(part).filter(|gap| !rest.get(..*gap).unwrap_or_default().contains('`'))?;
        to += gap + part.len();
    }
    Some(from..to)
}
