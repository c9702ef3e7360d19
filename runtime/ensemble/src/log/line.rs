//! Lines with checksums.

use crate::fingerprint::Fingerprint;

/// A line of a log: the checksum of the content, the content, which has no line breaks, and a line break.
pub(super) fn line(content: &str) -> String {
    format!("{} {content}\n", checksum(content))
}

/// The content of a line without its line break; `None` if it is damaged.
pub(super) fn content(line: &[u8]) -> Option<&str> {
    let (stored, content) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    (stored == checksum(content)).then_some(content)
}

fn checksum(content: &str) -> String {
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(content.as_bytes());
    fingerprint.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_damage_of_a_line_is_seen() {
        let whole = line(r#"{"task":3,"result":[1.5,"ü"]}"#);
        let bytes = whole.trim_end().as_bytes();
        assert_eq!(content(bytes), Some(r#"{"task":3,"result":[1.5,"ü"]}"#));
        for end in 0..bytes.len() {
            assert_eq!(content(&bytes[..end]), None, "cut at {end}");
        }
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.to_vec();
                damaged[place] ^= 1 << bit;
                assert_eq!(content(&damaged), None, "bit {bit} of byte {place}");
            }
        }
    }
}
