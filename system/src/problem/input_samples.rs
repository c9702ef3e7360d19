//! The inputs at the ends of all steps.

/// The inputs u_i at the start and at the ends of all steps, i = 0..=N, a row for each in the order of declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct InputSamples {
    width: usize,
    count: usize,
    numbers: Vec<f64>,
}

impl InputSamples {
    /// No row yet, of so many inputs, in this memory.
    pub(crate) fn empty(width: usize, numbers: Vec<f64>) -> Self {
        Self { width, count: 0, numbers }
    }

    /// So many rows of zeros.
    #[doc(hidden)]
    pub fn zeros(width: usize, count: usize) -> Self {
        Self { width, count, numbers: vec![0.0; width * count] }
    }

    /// Adds a row, which has as many numbers as there are inputs.
    pub(crate) fn push(&mut self, row: &[f64]) {
        self.numbers.extend_from_slice(row);
        self.count += 1;
    }

    /// Number of rows, N + 1.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Number of inputs.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All inputs at step i; nothing where there is no such step.
    #[inline(always)]
    pub fn row(&self, i: usize) -> &[f64] {
        let start = i.saturating_mul(self.width);
        self.numbers.get(start..start.saturating_add(self.width)).unwrap_or_default()
    }

    /// All inputs at step i, to be written; nothing where there is no such step.
    #[doc(hidden)]
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let start = i.saturating_mul(self.width);
        self.numbers.get_mut(start..start.saturating_add(self.width)).unwrap_or_default()
    }

    /// All rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        (0..self.count).map(|i| self.row(i))
    }

    /// All numbers, row after row.
    #[doc(hidden)]
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }
}
