//! The sensitivities of a simulated experiment.

use crate::gradient::sensitivities;
use crate::identification::UnknownParameter;
use crate::model::Model;
use crate::problem::Problem;
use crate::series::Series;

use super::accumulation::Accumulation;
use super::comparison::SensorComparison;
use super::criterion::Criterion;
use super::error::InformationError;
use super::information::Information;
use super::informed::{InformedParameter, alone, informed};
use super::noise::Noise;

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
    /// [`checkpoints`](crate::simulate::Settings::checkpoints) never all at once. [`Information::simulate`] keeps neither.
    ///
    /// # Errors
    /// [`InformationError::NoUnknowns`], [`InformationError::Selection`], [`InformationError::Variable`],
    /// [`InformationError::Simulation`].
    pub fn simulate(
        problem: &Problem<M>,
        model: &M,
        unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
    ) -> Result<Self, InformationError> {
        let parameters = informed(model, unknowns)?;
        let mut run = problem.run(&model.parameters())?;
        let derivatives = sensitivities(problem, &mut run, &alone(&parameters))?;
        Ok(Self::of(parameters, run.into_outputs(), derivatives))
    }

    /// Those of a run that is known already, one series of derivatives for each parameter.
    pub(super) fn of(
        parameters: Vec<InformedParameter<M>>,
        outputs: Series<f64>,
        derivatives: Vec<Series<f64>>,
    ) -> Self {
        Self { parameters, outputs, derivatives, every: 1 }
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

    /// The steps at which there are samples.
    pub(super) fn steps(&self) -> impl Iterator<Item = usize> {
        (0..self.outputs.samples()).step_by(self.every)
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
        let mut sum = Accumulation::new(&self.parameters, noise);
        for i in self.steps() {
            sum.add(i as f64 * self.outputs.step(), |k| self.derivatives[k].row(i))?;
        }
        Ok(sum.finish())
    }

    /// What each of several named sets of sensors learns of the unknown parameters, best first.
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
}
