//! A model as the process of a filter, in any numbers: positions and velocities, advanced by Runge-Kutta steps.

use costate_filter::LinearizedProcess;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::Scalar;
use costate_system::model::{Argument, Function, Group};
use costate_system::problem::Problem;
use costate_system::state_space::ModelFailure;
use costate_system::system::{Equations, Instant};

use super::error::PredictionErrorFault;
use super::motion::{Motion, Sizes, motion, project};
use costate_numerics::linalg::small::{congruence, product};

/// The state (q, v) of a model in redundant coordinates. A step is one of the classical Runge-Kutta method, with inputs
/// at both ends and between them, and accelerations that meet the constraints; the result is projected onto positions
/// and velocities that do. Half of the noise of a step acts before it, half after it, so that positions have their
/// share of the noise of velocities.
pub(super) struct ModelProcess<'a, S: Scalar> {
    pub equations: &'a dyn Equations<S>,
    pub problem: &'a Problem,
    /// Inputs at the middle of every step, one row after the other.
    pub middle_inputs: &'a [f64],
    /// q and v at the start.
    pub start: Vec<S>,
    /// Standard deviations of the state at the start (2n).
    pub start_deviations: &'a [f64],
    /// Coordinates whose velocities are random walks, with deviations per root of a second.
    pub velocity_noise: Vec<(usize, S)>,
    /// Inputs with independent errors in every step, with their deviations.
    pub input_noise: Vec<(usize, S)>,
    pub channels: Vec<ProcessChannel<'a, S>>,
}

/// A measured output: gain s + offset with errors of this variance over the square of the sample's root.
pub(super) struct ProcessChannel<'a, S> {
    pub output: usize,
    pub gain: S,
    pub offset: S,
    pub variance: S,
    /// Roots of the precisions of samples; empty where they are 1.
    pub roots: &'a [f64],
}

impl<S: Scalar> ProcessChannel<'_, S> {
    /// Returns the variance of the error of a sample.
    pub fn variance_at(&self, sample: usize) -> S {
        let root = self.roots.get(sample).copied().unwrap_or(1.0);
        self.variance * (1.0 / (root * root))
    }
}

impl<S: Scalar> ModelProcess<'_, S> {
    fn inputs_at(&self, sample: usize) -> Vec<S> {
        self.problem.inputs().row(sample).iter().map(|input| S::constant(*input)).collect()
    }

    fn motion(&self, time: f64, x: &[S], inputs: &[S]) -> Result<Motion<S>, ModelFailure> {
        let undetermined = || ModelFailure::new(PredictionErrorFault::Undetermined { time });
        motion(self.equations, time, x, inputs).ok_or_else(undetermined)
    }

    fn project(&self, sample: usize, x: &mut [S], projection: &mut [S]) -> Result<bool, ModelFailure> {
        if Sizes::of(self.equations).m == 0 {
            return Ok(false);
        }
        let time = self.problem.time(sample);
        match project(self.equations, time, x, &self.inputs_at(sample), projection) {
            true => Ok(true),
            false => Err(ModelFailure::new(PredictionErrorFault::Dependent { time })),
        }
    }

    /// Adds half of the covariance of the noise of a step of length h.
    fn add_noise(&self, sizes: Sizes, h: f64, motion: &Motion<S>, covariance: &mut [S]) {
        let n = sizes.n;
        for (coordinate, deviation) in &self.velocity_noise {
            covariance[(n + coordinate) * 2 * n + n + coordinate] += *deviation * *deviation * (0.5 * h);
        }
        for (input, deviation) in &self.input_noise {
            let by_input = |i: usize| motion.derivatives[i * sizes.columns() + 2 * n + input];
            for i in 0..n {
                for k in 0..n {
                    covariance[(n + i) * 2 * n + n + k] +=
                        by_input(i) * by_input(k) * *deviation * *deviation * (0.5 * h * h);
                }
            }
        }
    }
}

/// Replaces P by T P T^T.
fn project_covariance<S: Scalar>(projection: &[S], covariance: &mut [S], n: usize) {
    let given = covariance.to_vec();
    congruence(projection, &given, (n, n), &mut vec![S::default(); n * n], covariance);
}

impl<S: Scalar> LinearizedProcess<S> for ModelProcess<'_, S> {
    fn states(&self) -> usize {
        self.start.len()
    }

    fn measurements(&self) -> usize {
        self.channels.len()
    }

    fn time(&self, sample: usize) -> f64 {
        self.problem.time(sample)
    }

    fn start(&mut self, mean: &mut [S], covariance: &mut [S]) -> Result<(), ModelFailure> {
        let states = self.start.len();
        mean.copy_from_slice(&self.start);
        for (k, deviation) in self.start_deviations.iter().enumerate() {
            covariance[k * states + k] = S::constant(deviation * deviation);
        }
        let mut projection = vec![S::default(); states * states];
        if self.start_deviations.iter().any(|deviation| *deviation > 0.0)
            && self.project(0, &mut mean.to_vec(), &mut projection)?
        {
            project_covariance(&projection, covariance, states);
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
        /// Weights and places of the stages of the classical Runge-Kutta method.
        const STAGES: [(f64, f64); 4] = [(1.0 / 6.0, 0.0), (1.0 / 3.0, 0.5), (1.0 / 3.0, 0.5), (1.0 / 6.0, 1.0)];
        let sizes = Sizes::of(self.equations);
        let (n, states) = (sizes.n, 2 * sizes.n);
        let [from, to] = [sample - 1, sample].map(|end| self.problem.time(end));
        let h = to - from;
        let middle = &self.middle_inputs[(sample - 1) * sizes.inputs..sample * sizes.inputs];
        let middle: Vec<S> = middle.iter().map(|input| S::constant(*input)).collect();
        let inputs = [self.inputs_at(sample - 1), middle, self.inputs_at(sample)];
        before.fill(S::default());
        after.fill(S::default());
        let identity = |place: usize| S::constant(f64::from(u8::from(place.is_multiple_of(states + 1))));
        let mut end = mean.to_vec();
        transition.iter_mut().enumerate().for_each(|(place, entry)| *entry = identity(place));
        let (mut slope, mut tangent) = (vec![S::default(); states], vec![S::default(); states * states]);
        for (stage, (weight, place)) in STAGES.into_iter().enumerate() {
            let x: Vec<S> = mean.iter().zip(&slope).map(|(x, slope)| *x + *slope * (place * h)).collect();
            let dx: Vec<S> =
                tangent.iter().enumerate().map(|(at, tangent)| identity(at) + *tangent * (place * h)).collect();
            let motion = self.motion(from + place * h, &x, &inputs[(2.0 * place) as usize])?;
            slope[..n].copy_from_slice(&x[n..]);
            slope[n..].copy_from_slice(&motion.state.accelerations);
            tangent[..n * states].copy_from_slice(&dx[n * states..]);
            let by_state: Vec<S> = (0..n)
                .flat_map(|i| &motion.derivatives[i * sizes.columns()..i * sizes.columns() + states])
                .copied()
                .collect();
            tangent[n * states..].copy_from_slice(&product(&by_state, &dx, (n, states, states)));
            end.iter_mut().zip(&slope).for_each(|(x, slope)| *x += *slope * (weight * h));
            transition.iter_mut().zip(&tangent).for_each(|(entry, tangent)| *entry += *tangent * (weight * h));
            if stage == 0 {
                self.add_noise(sizes, h, &motion, before);
            }
            if stage + 1 == STAGES.len() {
                self.add_noise(sizes, h, &motion, after);
            }
        }
        mean.copy_from_slice(&end);
        let mut projection = vec![S::default(); states * states];
        if self.project(sample, mean, &mut projection)? {
            let admitted = product(&projection, transition, (states, states, states));
            transition.copy_from_slice(&admitted);
            project_covariance(&projection, after, states);
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
        let sizes = Sizes::of(self.equations);
        let (n, states) = (sizes.n, 2 * sizes.n);
        let groups = self.equations.description().groups;
        let (time, inputs) = (self.problem.time(sample), self.inputs_at(sample));
        let by = |argument| find(groups.output_derivatives, Function::Output, Some(argument));
        let depends = |argument| !by(argument).entries.is_empty();
        let Motion { state, derivatives } = match depends(Argument::Accelerations) || depends(Argument::Multipliers) {
            true => self.motion(time, mean, &inputs)?,
            false => Motion::without_accelerations(sizes, mean),
        };
        let at = Instant { time, state: &state, inputs: &inputs };
        let outputs = self.equations.group(Group::Outputs, at);
        let values = find(groups.outputs, Function::Output, None).values(&outputs);
        let group = self.equations.group(Group::OutputDerivatives, at);
        matrix.fill(S::default());
        for (c, channel) in self.channels.iter().enumerate() {
            measured[c] = channel.gain * values[channel.output] + channel.offset;
            variances[c] = channel.variance_at(sample);
            let row = &mut matrix[c * states..(c + 1) * states];
            for (argument, offset) in [(Argument::Coordinates, 0), (Argument::Velocities, n)] {
                let own = by(argument).iter(&group).filter(|(i, ..)| *i == channel.output);
                own.for_each(|(_, j, value)| row[offset + j] += value * channel.gain);
            }
            for (argument, offset) in [(Argument::Accelerations, 0), (Argument::Multipliers, n)] {
                for (_, j, value) in by(argument).iter(&group).filter(|(i, ..)| *i == channel.output) {
                    let first = (offset + j) * sizes.columns();
                    row.iter_mut()
                        .zip(&derivatives[first..first + states])
                        .for_each(|(entry, by)| *entry += *by * value * channel.gain);
                }
            }
        }
        Ok(())
    }

    fn admit(&mut self, sample: usize, mean: &mut [S], projection: &mut [S]) -> Result<bool, ModelFailure> {
        self.project(sample, mean, projection)
    }
}
