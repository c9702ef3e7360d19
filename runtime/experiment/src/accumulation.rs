//! The information of samples, accumulated one after another without keeping them.

use nalgebra::DMatrix;

use costate_identify::UnknownParameter;
use costate_numerics::linalg::triangular_factor;
use costate_system::gradient::each_sample;
use costate_system::model::Model;
use costate_system::problem::Problem;
use costate_system::run::StoredRun;
use costate_system::system::{Differentiable, ModelValue};

use super::error::InformationError;
use super::information::{Fisher, Information};
use super::noise::{Noise, Sensors};
use super::parameters::{InformedParameter, erased, indices, informed};

impl<M: Model> Information<M> {
    /// Computes the information of the sensors with this noise from a simulation of `problem`, to the last bit as
    /// [`Sensitivities::simulate`](super::Sensitivities::simulate) and
    /// [`information`](super::Sensitivities::information) do; but the sensitivities of a step are dropped after it,
    /// so that with [`checkpoints`](costate_system::problem::Settings::checkpoints) the memory is that of the
    /// checkpoints and outputs, whatever the number of unknowns.
    ///
    /// # Errors
    /// As those of these two.
    pub fn simulate(
        problem: &Problem,
        model: &M,
        unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
        noise: &Noise<M>,
    ) -> Result<Self, InformationError> {
        let fisher = simulated(problem, &ModelValue::of(model), &erased(unknowns), noise.sensors())?;
        Ok(Self::of(fisher))
    }
}

/// Computes the information of a simulation.
fn simulated(
    problem: &Problem,
    model: &ModelValue,
    unknowns: &[UnknownParameter],
    sensors: &Sensors,
) -> Result<Fisher, InformationError> {
    let parameters = informed(model.description(), &model.parameters, unknowns)?;
    let mut run = problem.run(&model.parameters)?;
    information(model.system, problem, &mut run, (&parameters, sensors))
}

/// Computes the information of all samples of a run.
pub(super) fn information(
    model: &dyn Differentiable,
    problem: &Problem,
    run: &mut StoredRun,
    (parameters, sensors): (&[InformedParameter], &Sensors),
) -> Result<Fisher, InformationError> {
    let mut sum = Accumulation::new(parameters, sensors);
    let step = problem.settings().step;
    each_sample(model, problem, run.into(), &indices(parameters), |i, sensitivities| {
        sum.add(i as f64 * step, |k| &sensitivities[k])
    })?;
    Ok(sum.finish())
}

/// The information of the samples so far.
pub(super) struct Accumulation<'a> {
    parameters: &'a [InformedParameter],
    sensors: &'a Sensors,
    /// The triangular factor of the samples that have been reduced, and below it L^-1 S(t_i) of those after them.
    rows: DMatrix<f64>,
    /// Number of rows with numbers.
    filled: usize,
    whitened: Vec<f64>,
}

impl<'a> Accumulation<'a> {
    pub fn new(parameters: &'a [InformedParameter], sensors: &'a Sensors) -> Self {
        /// Number of rows that are reduced to a triangle at once.
        const ROWS: usize = 1024;
        let (unknowns, count) = (parameters.len(), sensors.outputs.len());
        let room = (ROWS / count.max(1)).max(1) * count;
        Self {
            parameters,
            sensors,
            rows: DMatrix::zeros(unknowns + room, unknowns),
            filled: unknowns,
            whitened: vec![0.0; count],
        }
    }

    /// Adds the sample at `time`; `derivatives` returns ds/dp of all outputs for the parameter with an index.
    pub fn add<'b>(&mut self, time: f64, derivatives: impl Fn(usize) -> &'b [f64]) -> Result<(), InformationError> {
        /// Limit of whitened sensitivities, so that their squares do not overflow.
        const MAX_VALUE: f64 = 1e150;
        if self.filled == self.rows.nrows() {
            self.reduce();
        }
        for (k, parameter) in self.parameters.iter().enumerate() {
            let row = derivatives(k);
            for (value, output) in self.whitened.iter_mut().zip(self.sensors.indices()) {
                *value = row[output];
            }
            self.sensors.whiten(&mut self.whitened);
            for (j, &value) in self.whitened.iter().enumerate() {
                if value.is_nan() || value.abs() >= MAX_VALUE {
                    let (output, parameter) = (self.sensors.outputs[j].name(), parameter.name());
                    return Err(InformationError::Sensitivity { output, parameter, time, value });
                }
                self.rows[(self.filled + j, k)] = value;
            }
        }
        self.filled += self.whitened.len();
        Ok(())
    }

    /// Replaces all rows by their triangular factor.
    fn reduce(&mut self) {
        let unknowns = self.parameters.len();
        let root = triangular_factor(self.rows.rows(0, self.filled).into_owned());
        self.rows.rows_mut(0, unknowns).copy_from(&root);
        self.filled = unknowns;
    }

    pub fn finish(mut self) -> Fisher {
        let unknowns = self.parameters.len();
        if self.filled > unknowns {
            self.reduce();
        }
        Fisher::new(self.parameters.to_vec(), self.rows.rows(0, unknowns).into_owned())
    }
}
