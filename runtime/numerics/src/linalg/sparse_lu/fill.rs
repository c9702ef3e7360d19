//! Structure of L and U in a given order of pivots.

/// The places of the factors of every step: rows and columns are named by the steps that eliminate them.
#[derive(Debug)]
pub struct Fill {
    /// Later columns with an entry in the row of the pivot, ascending.
    pub upper: Vec<Vec<u32>>,
    /// Later rows with an entry in the column of the pivot, ascending.
    pub lower: Vec<Vec<u32>>,
}

impl Fill {
    /// Finds the fill of a matrix with these entries, (row, column) by the steps that eliminate them.
    pub fn new(size: usize, entries: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut upper: Vec<Vec<u32>> = Vec::with_capacity(size);
        let mut lower: Vec<Vec<u32>> = vec![Vec::new(); size];
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); size];
        entries.for_each(|(row, column)| rows[row as usize].push(column));
        let mut row = Columns::new(size);
        for (k, given) in rows.iter().enumerate() {
            given.iter().for_each(|&column| row.insert(column));
            // smaller columns are eliminated, in order, and leave the rest of their pivot rows
            while let Some(column) = row.take_first_below(k as u32) {
                lower[column as usize].push(k as u32);
                upper[column as usize].iter().for_each(|&other| row.insert(other));
            }
            row.remove(k as u32);
            upper.push(row.take_all());
        }
        Self { upper, lower }
    }
}

/// A set of columns, of which the first one is found quickly.
struct Columns {
    bits: Vec<u64>,
    /// No column is in a word before this one.
    first: usize,
}

impl Columns {
    const BITS: u32 = u64::BITS;

    fn new(size: usize) -> Self {
        Self { bits: vec![0; size.div_ceil(Self::BITS as usize)], first: 0 }
    }

    fn insert(&mut self, column: u32) {
        let word = (column / Self::BITS) as usize;
        self.bits[word] |= 1 << (column % Self::BITS);
        self.first = self.first.min(word);
    }

    fn remove(&mut self, column: u32) {
        self.bits[(column / Self::BITS) as usize] &= !(1 << (column % Self::BITS));
    }

    /// Removes and returns the first column, if it is less than `end`.
    fn take_first_below(&mut self, end: u32) -> Option<u32> {
        while let Some(word) = self.bits.get(self.first) {
            if *word != 0 {
                let column = self.first as u32 * Self::BITS + word.trailing_zeros();
                if column >= end {
                    return None;
                }
                self.remove(column);
                return Some(column);
            }
            self.first += 1;
        }
        None
    }

    /// Removes and returns all columns, ascending.
    fn take_all(&mut self) -> Vec<u32> {
        std::iter::from_fn(|| self.take_first_below(u32::MAX)).collect()
    }
}
