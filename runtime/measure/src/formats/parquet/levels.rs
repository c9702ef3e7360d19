//! Levels of a page, which say where values are missing: runs of equal levels, and packed ones.

use crate::formats::numbers::bits;

/// Number of the first `count` levels that are the largest, which are those of values that are there; `None` for bytes
/// that hold fewer.
pub(super) fn present(bytes: &[u8], largest: u64, count: usize) -> Option<usize> {
    let width = 64 - largest.leading_zeros() as usize;
    let (mut rest, mut left, mut found) = (bytes, count, 0);
    while left > 0 {
        let head = number(&mut rest)?;
        let length = usize::try_from(head >> 1).ok()?;
        if head & 1 == 0 {
            let (run, behind) = rest.split_at_checked(width.div_ceil(8))?;
            let level = bits(run, true);
            let run = length.min(left);
            found += if level == largest { run } else { 0 };
            (rest, left) = (behind, left - run);
        } else {
            // groups of eight, of which the last one may be filled up
            let (packed, behind) = rest.split_at_checked(length.checked_mul(width)?.min(rest.len()))?;
            let levels = (packed.len() * 8).checked_div(width)?.min(left);
            let bit = |at: usize| packed.get(at / 8).map_or(0, |byte| u64::from(byte >> (at % 8) & 1));
            let level = |index: usize| (0..width).fold(0, |level, k| level | bit(index * width + k) << k);
            found += (0..levels).filter(|index| level(*index) == largest).count();
            if levels == 0 {
                return None;
            }
            (rest, left) = (behind, left - levels);
        }
        if length == 0 {
            return None;
        }
    }
    Some(found)
}

/// A number of seven bits in each byte, the smallest first.
pub(super) fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_counted() {
        // a run of 300 ones, eight packed ones, a run of zeros
        let bytes = [0xd8, 0x04, 1, 3, 0b1011_0001, 200, 1, 0];
        assert_eq!(present(&bytes, 1, 300), Some(300));
        assert_eq!(present(&bytes, 1, 304), Some(301));
        assert_eq!(present(&bytes, 1, 308), Some(304));
        assert_eq!(present(&bytes, 1, 400), Some(304));
        assert_eq!(present(&bytes, 1, 1000), None);
        // levels of two bits
        assert_eq!(present(&[3, 0b1010_0110, 0b0000_0010], 2, 8), Some(4));
        assert_eq!(present(&[], 1, 1), None);
        assert_eq!(present(&[0, 1, 0, 1], 1, 4), None);
    }
}
