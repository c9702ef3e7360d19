//! Samples of the outputs at the steps of a run.

use crate::identifiers::{Input, Output};
use crate::machine::{OutOfMemory, Room};
use crate::scalar::Scalar;

/// The outputs s_i at the equidistant times t_i = i h, i = 0..=N.
#[derive(Debug, Clone, PartialEq)]
pub struct Series<S> {
    step: f64,
    width: usize,
    samples: usize,
    values: Vec<S>,
}

impl<S: Scalar> Series<S> {
    /// Zeros for `samples` = N + 1 samples of `width` outputs, `step` = h in s.
    pub fn zeros(step: f64, width: usize, samples: usize) -> Self {
        Self { step, width, samples, values: vec![S::default(); width * samples] }
    }

    /// Zeros for a run of so many steps, if the machine has the memory.
    #[doc(hidden)]
    pub fn of_run(step: f64, width: usize, steps: usize) -> Result<Self, OutOfMemory> {
        let samples = steps.saturating_add(1);
        let numbers = samples.saturating_mul(width);
        let mut values = Room::of_steps("the outputs", steps).take(numbers)?;
        values.resize(numbers, S::default());
        Ok(Self { step, width, samples, values })
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
        self.samples
    }

    /// All outputs at sample `i`; nothing where there is no such sample.
    #[inline]
    pub fn row(&self, i: usize) -> &[S] {
        let end = i.saturating_add(1).saturating_mul(self.width);
        self.values.get(end.saturating_sub(self.width)..end).unwrap_or_default()
    }

    /// All outputs at sample `i`, which exists: for sweeps over the steps of the run that they belong to.
    #[inline(always)]
    #[doc(hidden)]
    pub fn of_step(&self, i: usize) -> &[S] {
        &self.values[i * self.width..(i + 1) * self.width]
    }

    /// All outputs at sample `i`, to be written; nothing where there is no such sample.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [S] {
        let end = i.saturating_add(1).saturating_mul(self.width);
        self.values.get_mut(end.saturating_sub(self.width)..end).unwrap_or_default()
    }

    /// One output of the model over all samples; `None` where the rows are not those of its outputs.
    pub fn output<M>(&self, output: Output<M>) -> Option<impl ExactSizeIterator<Item = S> + '_> {
        let outputs = output.description().outputs.len();
        self.channel(output.index()).filter(|_| self.width == outputs)
    }

    /// One input of the model over all samples, of a series of inputs such as an
    /// `input_gradient`; `None` where the rows are not those of its inputs.
    pub fn input<M>(&self, input: Input<M>) -> Option<impl ExactSizeIterator<Item = S> + '_> {
        let inputs = input.description().inputs.len();
        self.channel(input.index()).filter(|_| self.width == inputs)
    }

    /// What is at this position of every [row](Self::row), over all samples; `None` where rows are shorter. It serves
    /// where no model is known: [`output`](Self::output) takes a name.
    pub fn channel(&self, position: usize) -> Option<impl ExactSizeIterator<Item = S> + '_> {
        (position < self.width).then(|| self.values.chunks_exact(self.width).map(move |row| row[position]))
    }
}
