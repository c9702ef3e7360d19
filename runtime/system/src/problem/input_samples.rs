//! The inputs at the ends of all steps.

/// The inputs u_i at the start and at the ends of all steps, i = 0..=N, a row for each in the order of declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct InputSamples {
    width: usize,
    count: usize,
    numbers: Vec<f64>,
}

impl InputSamples {
    /// Creates samples of `width` inputs without rows, in the memory of `numbers`.
    pub(crate) fn empty(width: usize, numbers: Vec<f64>) -> Self {
        Self { width, count: 0, numbers }
    }

    /// Creates `count` rows of zeros.
    #[doc(hidden)]
    pub fn zeros(width: usize, count: usize) -> Self {
        Self { width, count, numbers: vec![0.0; width * count] }
    }

    /// Adds a row, which has as many numbers as there are inputs.
    pub(crate) fn push(&mut self, row: &[f64]) {
        self.numbers.extend_from_slice(row);
        self.count += 1;
    }

    /// Returns the number of rows, N + 1.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if there is no row.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of inputs.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns all inputs at step i; empty if there is no such step.
    #[inline(always)]
    pub fn row(&self, i: usize) -> &[f64] {
        let start = i.saturating_mul(self.width);
        self.numbers.get(start..start.saturating_add(self.width)).unwrap_or_default()
    }

    /// Returns all inputs at step i, to be written; empty if there is no such step.
    #[doc(hidden)]
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let start = i.saturating_mul(self.width);
        self.numbers.get_mut(start..start.saturating_add(self.width)).unwrap_or_default()
    }

    /// Returns all rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        (0..self.count).map(|i| self.row(i))
    }

    /// Returns all numbers, row after row.
    #[doc(hidden)]
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }
}
