//! The places of the values of a matrix in an array that holds more.

use std::ops::Range;

/// Ranges of an array that hold the values of the entries of a matrix, one after the other. A matrix that lies in the
/// results of a function need not be copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pieces(pub [Range<usize>; 3]);

impl Pieces {
    /// Creates the only piece of an array that holds nothing but this number of values.
    pub fn whole(count: usize) -> Self {
        Self([0..count, 0..0, 0..0])
    }

    /// Lists the values of each piece; nothing of a piece for which the array is too short.
    #[inline(always)]
    pub fn of<'a>(&self, array: &'a [f64]) -> [&'a [f64]; 3] {
        self.0.each_ref().map(|piece| array.get(piece.clone()).unwrap_or_default())
    }

    /// Lists the values of all entries.
    pub fn values(&self, array: &[f64]) -> Vec<f64> {
        self.of(array).concat()
    }

    /// Lists the places of all entries in the array.
    pub fn places(&self) -> Vec<u32> {
        self.0.iter().cloned().flatten().map(|place| place as u32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_follow_each_other() {
        let array = [10.0, 11.0, 12.0, 13.0, 14.0];
        let pieces = Pieces([3..5, 0..1, 0..1]);
        assert_eq!(pieces.values(&array), [13.0, 14.0, 10.0, 10.0]);
        assert_eq!(pieces.places(), [3, 4, 0, 0]);
        assert_eq!(pieces.of(&array[..4]), [&[][..], &[10.0], &[10.0]]);
        assert_eq!(Pieces::whole(2).values(&array), [10.0, 11.0]);
    }
}
