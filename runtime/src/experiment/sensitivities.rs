//! The sensitivities of a simulated experiment.

use nalgebra::DMatrix;

use crate::gradient::sensitivities;
use crate::identification::UnknownParameter;
use crate::linalg::triangular_factor;
use crate::model::Model;
use crate::problem::Problem;
use crate::series::Series;

use super::comparison::SensorComparison;
use super::criterion::Criterion;
use super::error::InformationError;
use super::information::{Information, InformedParameter};
use super::noise::Noise;

/// Whitened sensitivities must be smaller, so that their squares do not overflow.
const LARGEST: f64 = 1e150;

/// Rows that are reduced to a triangle at once.
const ROWS: usize = 1024;

/// The derivatives of all outputs with respect to the unknown parameters over one simulated experiment (OB 5.2), from
/// which the information of any set of sensors follows without another run.
///
/// They are those of the computed outputs by direct differentiation, for models with and without constraints, and for
/// parameters in masses, forces, constraints, initial state and outputs.
#[derive(Debug, Clone)]
pub struct Sensitivities<M: Model> {
    parameters: Vec<InformedParameter<M>>,
    outputs: Series<f64>,
    /// One series per unknown parameter.
    derivatives: Vec<Series<f64>>,
    /// Steps between samples.
    every: usize,
}

impl<M: Model> Sensitivities<M> {
    /// Simulates `problem` with the parameters of `model`, of which those in `unknowns` are to be identified:
    /// [`Parameter`](crate::Parameter)s, or [`UnknownParameter`]s whose scaling says what a relative change is.
    ///
    /// All derivatives are kept, (N + 1) x outputs x unknowns numbers; the states are not, and with
    /// [`checkpoints`](crate::Settings::checkpoints) never all at once.
    ///
    /// # Errors
    /// [`InformationError::NoUnknowns`], [`InformationError::RepeatedUnknown`], [`InformationError::Variable`],
    /// [`InformationError::Simulation`].
    pub fn simulate(
        problem: &Problem<M>,
        model: &M,
        unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
    ) -> Result<Self, InformationError> {
        let values = model.parameters();
        let mut parameters: Vec<InformedParameter<M>> = Vec::new();
        for unknown in unknowns {
            let unknown: UnknownParameter<M> = unknown.into();
            let parameter = unknown.parameter();
            if parameters.iter().any(|other| other.parameter == parameter) {
                return Err(InformationError::RepeatedUnknown { name: parameter.name() });
            }
            let value = values.as_ref()[parameter.index()];
            let variable = unknown.variable(value);
            variable.check()?;
            parameters.push(InformedParameter { parameter, value, scale: variable.slope(value).abs() });
        }
        if parameters.is_empty() {
            return Err(InformationError::NoUnknowns { model: M::DESCRIPTION.name });
        }
        let indices: Vec<_> = parameters.iter().map(|known| known.parameter.index()).collect();
        let mut run = problem.run(&values)?;
        let derivatives = sensitivities(problem, &mut run, &indices)?;
        Ok(Self { parameters, outputs: run.into_outputs(), derivatives, every: 1 })
    }

    /// Takes a sample only every so many steps, first at t = 0.
    ///
    /// # Errors
    /// [`InformationError::Sampling`] for 0, and for more steps than the run has.
    pub fn sampled_every(mut self, steps: usize) -> Result<Self, InformationError> {
        let limit = self.outputs.samples().saturating_sub(1);
        if steps == 0 || steps > limit {
            return Err(InformationError::Sampling { every: steps, limit });
        }
        self.every = steps;
        Ok(self)
    }

    /// The unknown parameters, in the order in which they were given.
    pub fn parameters(&self) -> &[InformedParameter<M>] {
        &self.parameters
    }

    /// The outputs of the simulation, at all steps.
    pub fn outputs(&self) -> &Series<f64> {
        &self.outputs
    }

    /// The derivatives of all outputs at all steps with respect to each of the unknown parameters, in the parameters'
    /// units.
    pub fn derivatives(&self) -> &[Series<f64>] {
        &self.derivatives
    }

    /// Number of samples N_s of each sensor.
    pub fn samples(&self) -> usize {
        self.outputs.samples().div_ceil(self.every)
    }

    /// What these sensors learn of the unknown parameters, OB (5.6).
    ///
    /// # Errors
    /// [`InformationError::Sensitivity`].
    pub fn information(&self, noise: &Noise<M>) -> Result<Information<M>, InformationError> {
        let (unknowns, sensors) = (self.parameters.len(), noise.outputs().len());
        let mut root = DMatrix::zeros(unknowns, unknowns);
        let samples: Vec<usize> = (0..self.outputs.samples()).step_by(self.every).collect();
        for some in samples.chunks((ROWS / sensors).max(1)) {
            let mut rows = DMatrix::zeros(unknowns + some.len() * sensors, unknowns);
            rows.rows_mut(0, unknowns).copy_from(&root);
            for (place, &i) in some.iter().enumerate() {
                self.add_rows(noise, i, unknowns + place * sensors, &mut rows)?;
            }
            root = triangular_factor(rows);
        }
        Ok(Information::new(self.parameters.clone(), root))
    }

    /// The same for several named sets of sensors, best first.
    ///
    /// # Errors
    /// As [`information`](Self::information); [`InformationError::NothingToCompare`].
    pub fn compare<'a>(
        &self,
        sets: impl IntoIterator<Item = (&'a str, &'a Noise<M>)>,
        criterion: Criterion,
    ) -> Result<SensorComparison<M>, InformationError>
    where
        M: 'a,
    {
        let sets = sets.into_iter();
        let informed =
            sets.map(|(name, noise)| Ok((name.to_owned(), noise.clone(), self.information(noise)?)));
        SensorComparison::new(informed.collect::<Result<_, InformationError>>()?, criterion)
    }

    /// L^-1 S(t_i) from row `first`.
    fn add_rows(
        &self,
        noise: &Noise<M>,
        i: usize,
        first: usize,
        rows: &mut DMatrix<f64>,
    ) -> Result<(), InformationError> {
        let mut column = vec![0.0; noise.outputs().len()];
        for (k, series) in self.derivatives.iter().enumerate() {
            for (value, output) in column.iter_mut().zip(noise.indices()) {
                *value = series.row(i)[output];
            }
            noise.whiten(&mut column);
            for (j, &value) in column.iter().enumerate() {
                if value.is_nan() || value.abs() >= LARGEST {
                    let (output, parameter) = (noise.outputs()[j].name(), self.parameters[k].name());
                    let time = i as f64 * self.outputs.step();
                    return Err(InformationError::Sensitivity { output, parameter, time, value });
                }
                rows[(first + j, k)] = value;
            }
        }
        Ok(())
    }
}
