//! Whole numbers as differences, in blocks: decoded to check what the decoder of the crate takes for granted.

use super::levels::number;

/// Checks whether bytes begin with `count` numbers as differences.
pub(super) fn has_numbers(bytes: &[u8], count: usize) -> bool {
    numbers(bytes, count, false).is_some()
}

/// Checks whether bytes hold `count` texts by their lengths, of which none is longer than `most`.
pub(super) fn has_texts(bytes: &[u8], count: usize, most: i64) -> bool {
    let Some((lengths, behind)) = numbers(bytes, count, true) else { return false };
    let total = lengths.iter().try_fold(0_usize, |total, length| total.checked_add(usize::try_from(*length).ok()?));
    total.is_some_and(|total| total <= behind.len()) && lengths.iter().all(|length| *length <= most)
}

/// Checks whether bytes hold `count` texts by what each has in common with the one before it, of which none is longer
/// than `most`.
pub(super) fn has_fronts(bytes: &[u8], count: usize, most: i64) -> bool {
    let Some((fronts, behind)) = numbers(bytes, count, true) else { return false };
    fronts.iter().all(|front| (0..=most).contains(front)) && has_texts(behind, count, most)
}

/// The numbers, if they are wanted, and the bytes after them.
fn numbers(bytes: &[u8], count: usize, are_wanted: bool) -> Option<(Vec<i64>, &[u8])> {
    /// Largest sensible number of values of a block; writers have 128.
    const MAX_BLOCK: u64 = 1 << 16;
    let mut rest = bytes;
    let [block, parts, total] = [number(&mut rest)?, number(&mut rest)?, number(&mut rest)?];
    let first = signed(number(&mut rest)?);
    let is_sensible = block <= MAX_BLOCK && parts > 0 && block.is_multiple_of(128) && block.is_multiple_of(parts);
    let each = block.checked_div(parts)?;
    if !is_sensible || each == 0 || !each.is_multiple_of(32) || total != count as u64 {
        return None;
    }
    let mut found = Vec::new();
    if are_wanted && count > 0 {
        found.push(first);
    }
    let (mut left, mut last) = (total.saturating_sub(1), first);
    while left > 0 {
        let least = signed(number(&mut rest)?);
        let (widths, behind) = rest.split_at_checked(parts as usize)?;
        rest = behind;
        for width in widths.iter().map(|width| u64::from(*width)) {
            // the widths after the last number say nothing
            if left == 0 {
                break;
            }
            if width > 64 {
                return None;
            }
            let taken = each.min(left);
            // the last part may be cut after its last number
            let size = (width * each / 8).min(rest.len() as u64);
            if size < (width * taken).div_ceil(8) {
                return None;
            }
            let (packed, behind) = rest.split_at_checked(size as usize)?;
            rest = behind;
            left -= taken;
            for index in (0..taken).filter(|_| are_wanted) {
                last = last.wrapping_add(least).wrapping_add(bits(packed, index * width, width) as i64);
                found.push(last);
            }
        }
    }
    Some((found, rest))
}

fn bits(packed: &[u8], begin: u64, width: u64) -> u64 {
    let bit = |at: u64| packed.get((at / 8) as usize).map_or(0, |byte| u64::from(byte >> (at % 8) & 1));
    (0..width).fold(0, |value, k| value | bit(begin + k) << k)
}

/// A number with its sign in the last bit.
fn signed(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}
