//! Bytes in messages.

use std::fmt;

/// A number of bytes with a prefix of its unit.
///
/// ```
/// use costate_contract::machine::Bytes;
/// assert_eq!(Bytes(1_234_567).to_string(), "1.23 MB");
/// assert_eq!(Bytes(999).to_string(), "999 bytes");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PREFIXES: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
        if self.0 < 1000 {
            return write!(f, "{} bytes", self.0);
        }
        let mut value = self.0 as f64 / 1e3;
        let mut prefixes = PREFIXES.iter();
        let mut prefix = prefixes.next().unwrap_or(&"kB");
        while value >= 999.5 {
            let Some(next) = prefixes.next() else { break };
            (value, prefix) = (value / 1e3, next);
        }
        let decimals = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
        write!(f, "{value:.decimals$} {prefix}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_a_prefix() {
        for (bytes, text) in
            [(0, "0 bytes"), (1000, "1.00 kB"), (99_960, "100 kB"), (999_600, "1.00 MB"), (u64::MAX, "18.4 EB")]
        {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }
}
