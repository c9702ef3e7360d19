//! Samples of the outputs at the steps of a run.

use costate_contract::machine::{OutOfMemory, Room};
use costate_numerics::scalar::Scalar;

use crate::identifiers::{Input, Output};

/// The outputs s_i at the equidistant times t_i = i h, i = 0..=N.
#[derive(Debug, Clone, PartialEq)]
pub struct Series<S> {
    step: f64,
    width: usize,
    samples: usize,
    values: Vec<S>,
}

impl<S: Scalar> Series<S> {
    /// Creates zeros for `samples` = N + 1 samples of `width` outputs, `step` = h in s.
    pub fn zeros(step: f64, width: usize, samples: usize) -> Self {
        Self { step, width, samples, values: vec![S::default(); width * samples] }
    }

    /// Creates zeros for a run of this many steps, if the machine has the memory.
    #[doc(hidden)]
    pub fn of_run(step: f64, width: usize, steps: usize) -> Result<Self, OutOfMemory> {
        let samples = steps.saturating_add(1);
        let numbers = samples.saturating_mul(width);
        let mut values = Room::of_steps("the outputs", steps).take(numbers)?;
        values.resize(numbers, S::default());
        Ok(Self { step, width, samples, values })
    }

    /// Returns the step size h in s.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Returns the number of outputs.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of samples, N + 1.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Returns all outputs at sample `i`; empty if there is no such sample.
    #[inline]
    pub fn row(&self, i: usize) -> &[S] {
        let end = i.saturating_add(1).saturating_mul(self.width);
        self.values.get(end.saturating_sub(self.width)..end).unwrap_or_default()
    }

    /// Returns all outputs at sample `i`, which exists: for sweeps over the steps of the run to which the
    /// outputs belong.
    #[inline(always)]
    #[doc(hidden)]
    pub fn of_step(&self, i: usize) -> &[S] {
        &self.values[i * self.width..(i + 1) * self.width]
    }

    /// Returns all outputs at sample `i`, to be written; empty if there is no such sample.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [S] {
        let end = i.saturating_add(1).saturating_mul(self.width);
        self.values.get_mut(end.saturating_sub(self.width)..end).unwrap_or_default()
    }

    /// Returns one output of the model over all samples; `None` if the rows are not outputs of this model.
    pub fn output<M>(&self, output: Output<M>) -> Option<impl ExactSizeIterator<Item = S> + '_> {
        let outputs = output.description().outputs.len();
        self.channel(output.index()).filter(|_| self.width == outputs)
    }

    /// Returns one input of the model over all samples, from a series of inputs such as an `input_gradient`;
    /// `None` if the rows are not inputs of this model.
    pub fn input<M>(&self, input: Input<M>) -> Option<impl ExactSizeIterator<Item = S> + '_> {
        let inputs = input.description().inputs.len();
        self.channel(input.index()).filter(|_| self.width == inputs)
    }

    /// Returns the entries at this position of every [row](Self::row), over all samples; `None` if rows are
    /// shorter. The method is for code that knows no model: [`output`](Self::output) takes a name.
    pub fn channel(&self, position: usize) -> Option<impl ExactSizeIterator<Item = S> + '_> {
        (position < self.width).then(|| self.values.chunks_exact(self.width).map(move |row| row[position]))
    }
}
