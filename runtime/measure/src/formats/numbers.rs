//! Numbers in the bytes of a file.

/// Largest whole number up to which all are floating-point numbers.
pub(crate) const MAX_EXACT: u64 = 1 << 53;

/// A kind of numbers, of up to 8 bytes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberKind {
    Signed,
    Unsigned,
    /// Floating point, in 2, 4 or 8 bytes.
    Float,
}

impl NumberKind {
    /// Returns the number in these bytes, and whether it is exact: whole numbers beyond 2^53 are rounded.
    pub fn value(self, bytes: &[u8], is_little_endian: bool) -> (f64, bool) {
        let bits = bits(bytes, is_little_endian);
        match self {
            Self::Float if bytes.len() == 2 => (half(bits as u16), true),
            Self::Float if bytes.len() == 4 => (f64::from(f32::from_bits(bits as u32)), true),
            Self::Float => (f64::from_bits(bits), true),
            Self::Unsigned => (bits as f64, bits <= MAX_EXACT),
            Self::Signed => {
                let value = signed(bytes, is_little_endian);
                (value as f64, value.unsigned_abs() <= MAX_EXACT)
            }
        }
    }
}

/// Returns the bits of up to 8 bytes.
pub(crate) fn bits(bytes: &[u8], is_little_endian: bool) -> u64 {
    let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    if is_little_endian { bytes.iter().rev().fold(0, fold) } else { bytes.iter().fold(0, fold) }
}

/// Returns the whole number in up to 8 bytes, with its sign.
pub(crate) fn signed(bytes: &[u8], is_little_endian: bool) -> i64 {
    let unused = 64 - 8 * bytes.len().clamp(1, 8) as u32;
    ((bits(bytes, is_little_endian) << unused) as i64) >> unused
}

/// The number whose bits are these, in the format binary16 of IEEE 754.
pub(crate) fn half(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => mantissa * 2_f64.powi(-24),
        0x1f if mantissa == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + mantissa) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::half;

    /// Values by `numpy.float16`.
    #[test]
    fn known_numbers() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333251953125),
            (0x7bff, 65504.0),
            (0x0400, 6.103515625e-5),
            (0x0001, 5.960464477539063e-8),
            (0x83ff, -6.097555160522461e-5),
            (0x7c00, f64::INFINITY),
            (0xfc00, f64::NEG_INFINITY),
            (0x0000, 0.0),
        ] {
            assert_eq!(half(bits), value, "{bits:x}");
        }
        assert!(half(0x7e00).is_nan() && half(0x8000).is_sign_negative());
    }
}
