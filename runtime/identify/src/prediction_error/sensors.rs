//! Sensors that are not perfect: offsets that drift, and channels behind their outputs, as further states of a filter.

use costate_cost::SmoothStencil;
use costate_filter::LinearizedProcess;
use costate_numerics::scalar::Scalar;
use costate_system::state_space::ModelFailure;

use super::process::ModelProcess;
use costate_numerics::linalg::small::{add_product_transposed, product};

/// Rows of a delayed channel in the measurements of a filter. Its samples stand so many rows after their own steps that
/// all outputs of which they can be made are known there, within the bounds of the delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lag {
    /// Number of the row of a sample minus that of its step.
    pub ahead: isize,
    /// Number of outputs that are kept, from the last step back.
    pub depth: usize,
}

/// A delay with the outputs that are kept for it.
pub(super) struct Delayed<S> {
    pub channel: usize,
    pub delay: S,
    pub lag: Lag,
}

/// An offset that is a random walk of this deviation after a second, and zero at the beginning.
pub(super) struct Drift<S> {
    pub channel: usize,
    pub deviation: S,
    /// Number of the row of a sample minus that of its step.
    pub ahead: isize,
}

/// A model with imperfect sensors. The state is (q, v), then the drifts, then for each delayed channel its output at
/// the last steps, the latest first. After the last step rows follow in which only drifts change, for delayed samples.
pub(super) struct SensedProcess<'a, S: Scalar> {
    pub model: ModelProcess<'a, S>,
    pub drifts: Vec<Drift<S>>,
    pub delays: Vec<Delayed<S>>,
}

impl<S: Scalar> SensedProcess<'_, S> {
    /// Returns the number of states of the model.
    fn own(&self) -> usize {
        self.model.states()
    }

    fn last_step(&self) -> usize {
        self.model.problem.steps()
    }

    /// Returns the delays, each with the place of its first state.
    fn places(&self) -> impl Iterator<Item = (usize, &Delayed<S>)> {
        self.delays.iter().scan(self.own() + self.drifts.len(), |next, one| {
            let place = *next;
            *next += one.lag.depth;
            Some((place, one))
        })
    }

    /// Writes the outputs of delayed channels at a step into their first states, and returns their derivatives by the
    /// states of the model, row by row.
    fn sense(&mut self, step: usize, mean: &mut [S]) -> Result<Vec<S>, ModelFailure> {
        let (own, m) = (self.own(), self.model.measurements());
        let zeros = |length: usize| vec![S::default(); length];
        let (mut outputs, mut matrix, mut variances) = (zeros(m), zeros(m * own), zeros(m));
        self.model.measure(step, &mean[..own], &mut outputs, &mut matrix, &mut variances)?;
        let places: Vec<(usize, usize)> = self.places().map(|(place, one)| (place, one.channel)).collect();
        let mut rows = Vec::with_capacity(places.len() * own);
        for (place, channel) in places {
            mean[place] = outputs[channel];
            rows.extend_from_slice(&matrix[channel * own..(channel + 1) * own]);
        }
        Ok(rows)
    }

    /// Writes the covariance of (q, v) and of outputs with these derivatives by them.
    fn spread(&self, of_model: &[S], rows: &[S], covariance: &mut [S]) {
        let (own, states) = (self.own(), self.states());
        let places: Vec<usize> = (0..own).chain(self.places().map(|(place, _)| place)).collect();
        let mut all: Vec<S> = (0..own * own).map(|place| identity(place, own)).collect();
        all.extend_from_slice(rows);
        let half = product(&all, of_model, (places.len(), own, own));
        let mut result = vec![S::default(); places.len() * places.len()];
        add_product_transposed(&half, &all, (places.len(), own, places.len()), &mut result);
        for (i, row) in places.iter().enumerate() {
            for (k, column) in places.iter().enumerate() {
                covariance[row * states + column] = result[i * places.len() + k];
            }
        }
    }
}

/// Returns an entry of the unit matrix.
fn identity<S: Scalar>(place: usize, size: usize) -> S {
    S::constant(f64::from(u8::from(place.is_multiple_of(size + 1))))
}

impl<S: Scalar> LinearizedProcess<S> for SensedProcess<'_, S> {
    fn states(&self) -> usize {
        self.own() + self.drifts.len() + self.delays.iter().map(|one| one.lag.depth).sum::<usize>()
    }

    fn measurements(&self) -> usize {
        self.model.measurements()
    }

    fn time(&self, sample: usize) -> f64 {
        self.model.time(sample.min(self.last_step()))
    }

    fn start(&mut self, mean: &mut [S], covariance: &mut [S]) -> Result<(), ModelFailure> {
        let (own, states) = (self.own(), self.states());
        let mut of_model = vec![S::default(); own * own];
        self.model.start(&mut mean[..own], &mut of_model)?;
        let rows = self.sense(0, mean)?;
        self.spread(&of_model, &rows, covariance);
        let step = self.model.problem.settings().step;
        for (k, drift) in self.drifts.iter().enumerate() {
            // of the samples before the first row
            let before = (-drift.ahead).max(0) as f64 * step;
            covariance[(own + k) * (states + 1)] = drift.deviation * drift.deviation * before;
        }
        Ok(())
    }

    fn predict(
        &mut self,
        sample: usize,
        mean: &mut [S],
        transition: &mut [S],
        [before, after]: [&mut [S]; 2],
    ) -> Result<(), ModelFailure> {
        let (own, states) = (self.own(), self.states());
        transition.iter_mut().enumerate().for_each(|(place, entry)| *entry = identity(place, states));
        before.fill(S::default());
        after.fill(S::default());
        if sample <= self.last_step() {
            let zeros = || vec![S::default(); own * own];
            let (mut step, mut ahead_of, mut behind) = (zeros(), zeros(), zeros());
            self.model.predict(sample, &mut mean[..own], &mut step, [&mut ahead_of, &mut behind])?;
            let places: Vec<(usize, usize)> = self.places().map(|(place, one)| (place, one.lag.depth)).collect();
            for &(place, depth) in &places {
                mean.copy_within(place..place + depth - 1, place + 1);
                for row in place..place + depth {
                    transition[row * states + row] = S::default();
                    if row > place {
                        transition[row * states + row - 1] = S::constant(1.0);
                    }
                }
            }
            let rows = self.sense(sample, mean)?;
            let of_outputs = product(&rows, &step, (places.len(), own, own));
            let model = (0..own).zip(step.chunks_exact(own));
            let outputs = places.iter().map(|&(place, _)| place).zip(of_outputs.chunks_exact(own));
            for (row, entries) in model.chain(outputs) {
                transition[row * states..row * states + own].copy_from_slice(entries);
            }
            for row in 0..own {
                before[row * states..row * states + own].copy_from_slice(&ahead_of[row * own..(row + 1) * own]);
            }
            self.spread(&behind, &rows, after);
        }
        let step = self.model.problem.settings().step;
        for (k, drift) in self.drifts.iter().enumerate() {
            if sample as isize > drift.ahead {
                after[(own + k) * (states + 1)] = drift.deviation * drift.deviation * step;
            }
        }
        Ok(())
    }

    fn measure(
        &mut self,
        sample: usize,
        mean: &[S],
        measured: &mut [S],
        matrix: &mut [S],
        variances: &mut [S],
    ) -> Result<(), ModelFailure> {
        let (own, states, last) = (self.own(), self.states(), self.last_step());
        let mut of_model = vec![S::default(); self.measurements() * own];
        self.model.measure(sample.min(last), &mean[..own], measured, &mut of_model, variances)?;
        matrix.fill(S::default());
        for (c, row) in of_model.chunks_exact(own).enumerate() {
            matrix[c * states..c * states + own].copy_from_slice(row);
            variances[c] = self.model.channels[c].variance_at(sample);
        }
        let problem = self.model.problem;
        for (place, Delayed { channel, delay, lag }) in self.places() {
            let row = &mut matrix[channel * states..(channel + 1) * states];
            row.fill(S::default());
            measured[*channel] = S::default();
            let Some(step) = sample.checked_add_signed(-lag.ahead) else { continue };
            let time = S::constant(problem.settings().step * step as f64) - *delay;
            let stencil = SmoothStencil::at(time, problem.settings().step, problem.samples());
            let Some(stencil) = stencil else {
                measured[*channel] = S::constant(f64::NAN);
                continue;
            };
            for (of_step, weight) in stencil.weights() {
                match sample.min(last).checked_sub(of_step).filter(|back| *back < lag.depth) {
                    Some(back) => {
                        row[place + back] += weight;
                        measured[*channel] += mean[place + back] * weight;
                    }
                    None => measured[*channel] = S::constant(f64::NAN),
                }
            }
        }
        for (k, drift) in self.drifts.iter().enumerate() {
            matrix[drift.channel * states + own + k] = S::constant(1.0);
            measured[drift.channel] += mean[own + k];
        }
        Ok(())
    }

    fn admit(&mut self, sample: usize, mean: &mut [S], projection: &mut [S]) -> Result<bool, ModelFailure> {
        let (own, states) = (self.own(), self.states());
        let mut of_model = vec![S::default(); own * own];
        if sample > self.last_step() || !self.model.admit(sample, &mut mean[..own], &mut of_model)? {
            return Ok(false);
        }
        projection.iter_mut().enumerate().for_each(|(place, entry)| *entry = identity(place, states));
        for (row, entries) in of_model.chunks_exact(own).enumerate() {
            projection[row * states..row * states + own].copy_from_slice(entries);
        }
        Ok(true)
    }
}
