//! Samples of the outputs at the steps of a run.

use crate::scalar::Scalar;

/// The outputs s_i at the equidistant times t_i = i h, i = 0..=N.
#[derive(Debug, Clone, PartialEq)]
pub struct Series<S> {
    step: f64,
    width: usize,
    values: Vec<S>,
}

impl<S: Scalar> Series<S> {
    /// Zeros for `samples` = N + 1 samples of `width` outputs, `step` = h in s.
    pub fn zeros(step: f64, width: usize, samples: usize) -> Self {
        Self { step, width, values: vec![S::default(); width * samples] }
    }

    /// Step size h in s.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Number of outputs.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of samples, N + 1.
    pub fn samples(&self) -> usize {
        self.values.len().checked_div(self.width).unwrap_or(0)
    }

    /// All outputs at sample `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[S] {
        &self.values[i * self.width..(i + 1) * self.width]
    }

    /// All outputs at sample `i`, to be written.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [S] {
        &mut self.values[i * self.width..(i + 1) * self.width]
    }

    /// One output over all samples.
    pub fn channel(&self, output: usize) -> impl ExactSizeIterator<Item = S> + '_ {
        (0..self.samples()).map(move |i| self.row(i)[output])
    }
}
