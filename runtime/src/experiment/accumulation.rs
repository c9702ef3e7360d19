//! The information of samples, one after another: none of them is kept.

use nalgebra::DMatrix;

use crate::gradient::sensitivities_by_sample;
use crate::identification::UnknownParameter;
use crate::linalg::triangular_factor;
use crate::model::Model;
use crate::problem::Problem;
use crate::run::StoredRun;

use super::error::InformationError;
use super::information::Information;
use super::informed::{InformedParameter, alone, informed};
use super::noise::Noise;

/// Whitened sensitivities must be smaller, so that their squares do not overflow.
const LARGEST: f64 = 1e150;

/// Rows that are reduced to a triangle at once.
const ROWS: usize = 1024;

impl<M: Model> Information<M> {
    /// What the sensors with this noise learn from a simulation of `problem`, as
    /// [`Sensitivities::simulate`](super::Sensitivities::simulate) and
    /// [`information`](super::Sensitivities::information) give it, to the last bit; but the sensitivities of a step are forgotten
    /// behind it, so that with [`checkpoints`](crate::simulate::Settings::checkpoints) the memory is that of the checkpoints and outputs,
    /// whatever the number of unknowns.
    ///
    /// # Errors
    /// As those two.
    pub fn simulate(
        problem: &Problem<M>,
        model: &M,
        unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
        noise: &Noise<M>,
    ) -> Result<Self, InformationError> {
        let parameters = informed(model, unknowns)?;
        let mut run = problem.run(&model.parameters())?;
        information(problem, &mut run, &parameters, noise)
    }
}

/// The information of all samples of a run.
pub(super) fn information<M: Model>(
    problem: &Problem<M>,
    run: &mut StoredRun<M>,
    parameters: &[InformedParameter<M>],
    noise: &Noise<M>,
) -> Result<Information<M>, InformationError> {
    let mut sum = Accumulation::new(parameters, noise);
    let step = problem.settings().step;
    sensitivities_by_sample(problem, run, &alone(parameters), |i, sensitivities| {
        sum.add(i as f64 * step, |k| &sensitivities[k])
    })?;
    Ok(sum.finish())
}

/// What the samples so far say.
pub(super) struct Accumulation<'a, M: Model> {
    parameters: &'a [InformedParameter<M>],
    noise: &'a Noise<M>,
    /// The triangular factor of the samples that have been reduced, and below it L^-1 S(t_i) of those after them.
    rows: DMatrix<f64>,
    /// Number of rows with numbers.
    filled: usize,
    whitened: Vec<f64>,
}

impl<'a, M: Model> Accumulation<'a, M> {
    pub fn new(parameters: &'a [InformedParameter<M>], noise: &'a Noise<M>) -> Self {
        let (unknowns, sensors) = (parameters.len(), noise.outputs().len());
        let room = (ROWS / sensors.max(1)).max(1) * sensors;
        Self {
            parameters,
            noise,
            rows: DMatrix::zeros(unknowns + room, unknowns),
            filled: unknowns,
            whitened: vec![0.0; sensors],
        }
    }

    /// Adds the sample at `time`; `derivatives` gives ds/dp of all outputs for the parameter with this place.
    pub fn add<'b>(
        &mut self,
        time: f64,
        derivatives: impl Fn(usize) -> &'b [f64],
    ) -> Result<(), InformationError> {
        if self.filled == self.rows.nrows() {
            self.reduce();
        }
        for (k, parameter) in self.parameters.iter().enumerate() {
            let row = derivatives(k);
            for (value, output) in self.whitened.iter_mut().zip(self.noise.indices()) {
                *value = row[output];
            }
            self.noise.whiten(&mut self.whitened);
            for (j, &value) in self.whitened.iter().enumerate() {
                if value.is_nan() || value.abs() >= LARGEST {
                    let (output, parameter) = (self.noise.outputs()[j].name(), parameter.name());
                    return Err(InformationError::Sensitivity { output, parameter, time, value });
                }
                self.rows[(self.filled + j, k)] = value;
            }
        }
        self.filled += self.whitened.len();
        Ok(())
    }

    /// The factor of all rows in place of them.
    fn reduce(&mut self) {
        let unknowns = self.parameters.len();
        let root = triangular_factor(self.rows.rows(0, self.filled).into_owned());
        self.rows.rows_mut(0, unknowns).copy_from(&root);
        self.filled = unknowns;
    }

    pub fn finish(mut self) -> Information<M> {
        let unknowns = self.parameters.len();
        if self.filled > unknowns {
            self.reduce();
        }
        Information::new(self.parameters.to_vec(), self.rows.rows(0, unknowns).into_owned())
    }
}
