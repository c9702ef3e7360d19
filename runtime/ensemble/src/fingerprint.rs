//! Fingerprints of long data, by FNV-1a with 64 bits: every change of a single byte is seen, and of others all but one
//! in 2^64. They distinguish data that changed by accident, not by intent.

/// The fingerprint of what was added so far.
#[derive(Debug, Clone)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Takes more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// In hexadecimal digits.
    pub fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

/// The fingerprint of numbers by their bits.
pub fn fingerprint<'n>(numbers: impl Iterator<Item = &'n [f64]>) -> String {
    let mut fingerprint = Fingerprint::default();
    numbers.flatten().for_each(|value| fingerprint.add(&value.to_bits().to_le_bytes()));
    fingerprint.text()
}
