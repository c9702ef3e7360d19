//! The sensitivities of a simulated experiment.

use costate_identify::UnknownParameter;
use costate_system::gradient::{all_outputs, full_sensitivities};
use costate_system::identifiers::Dynamic;
use costate_system::model::Model;
use costate_system::problem::Problem;
use costate_system::series::Series;
use costate_system::system::ModelValue;

use super::accumulation::Accumulation;
use super::comparison::SensorComparison;
use super::criterion::Criterion;
use super::error::InformationError;
use super::information::{Fisher, Information};
use super::noise::{Noise, Sensors};
use super::parameters::{InformedParameter, erased, indices, informed, tagged};

/// The derivatives of all outputs with respect to the unknown parameters over one simulated experiment (OB 5.2), from
/// which the information of any set of sensors follows without another run.
///
/// These derivatives are those of the computed outputs by direct differentiation, for models with and without
/// constraints, and for parameters in masses, forces, constraints, initial state and outputs.
#[derive(Debug, Clone)]
pub struct Sensitivities<M = Dynamic> {
    parameters: Vec<InformedParameter<M>>,
    sampled: SampledSensitivities,
}

/// [`Sensitivities`] without the type of their model.
#[derive(Debug, Clone)]
pub(super) struct SampledSensitivities {
    pub parameters: Vec<InformedParameter>,
    pub outputs: Series<f64>,
    /// One series per unknown parameter.
    pub derivatives: Vec<Series<f64>>,
    /// Steps between samples.
    every: usize,
}

impl<M: Model> Sensitivities<M> {
    /// Simulates `problem` with the parameters of `model`; those in `unknowns` are to be identified: `Parameter`s, or
    /// [`UnknownParameter`]s whose scaling defines a relative change.
    ///
    /// All derivatives are kept, (N + 1) x outputs x unknowns numbers; the states are not, and with
    /// [`checkpoints`](costate_system::problem::Settings::checkpoints) never all at once. [`Information::simulate`]
    /// keeps neither.
    ///
    /// # Errors
    /// [`InformationError::NoUnknowns`], [`InformationError::Selection`], [`InformationError::Variable`],
    /// [`InformationError::Simulation`].
    pub fn simulate(
        problem: &Problem,
        model: &M,
        unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
    ) -> Result<Self, InformationError> {
        let sampled = SampledSensitivities::simulate(problem, &ModelValue::of(model), &erased(unknowns))?;
        Ok(Self { parameters: tagged(&sampled.parameters), sampled })
    }
}

impl<M> Sensitivities<M> {
    /// Returns the sensitivities without the type of the model.
    pub(super) fn sampled(&self) -> &SampledSensitivities {
        &self.sampled
    }

    /// Takes a sample only every `steps` steps, first at t = 0.
    ///
    /// # Errors
    /// [`InformationError::Sampling`] for 0, and for more steps than the run has.
    pub fn sampled_every(mut self, steps: usize) -> Result<Self, InformationError> {
        self.sampled.sample_every(steps)?;
        Ok(self)
    }

    /// Returns the unknown parameters, in the order in which they were given.
    pub fn parameters(&self) -> &[InformedParameter<M>] {
        &self.parameters
    }

    /// Returns the outputs of the simulation, at all steps.
    pub fn outputs(&self) -> &Series<f64> {
        &self.sampled.outputs
    }

    /// Returns the derivatives of all outputs at all steps with respect to each of the unknown parameters, in the
    /// parameters' units.
    pub fn derivatives(&self) -> &[Series<f64>] {
        &self.sampled.derivatives
    }

    /// Returns the number of samples N_s of each sensor.
    pub fn samples(&self) -> usize {
        self.sampled.samples()
    }

    /// Computes the information of these sensors about the unknown parameters, OB (5.6).
    ///
    /// # Errors
    /// [`InformationError::Sensitivity`].
    pub fn information(&self, noise: &Noise<M>) -> Result<Information<M>, InformationError> {
        Ok(Information::of(self.sampled.information(noise.sensors())?))
    }

    /// Compares several named sets of sensors by their information about the unknown parameters, best first.
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
        let sets: Vec<_> = sets.into_iter().map(|(name, noise)| (name, noise.sensors())).collect();
        Ok(self.sampled.compare(&sets, criterion)?.tagged())
    }
}

impl SampledSensitivities {
    fn simulate(
        problem: &Problem,
        model: &ModelValue,
        unknowns: &[UnknownParameter],
    ) -> Result<Self, InformationError> {
        let parameters = informed(model.description(), &model.parameters, unknowns)?;
        let mut run = problem.run(&model.parameters)?;
        let (of, outputs) = (indices(&parameters), all_outputs(problem));
        let others = (&[][..], &[][..]);
        let (derivatives, _) = full_sensitivities(model.system, problem, (&mut run).into(), &of, others, &outputs)?;
        Ok(Self::of(parameters, run.into_outputs(), derivatives))
    }

    /// Creates the sensitivities of a run that is known already, with one series of derivatives for each parameter.
    #[doc(hidden)]
    pub fn of(parameters: Vec<InformedParameter>, outputs: Series<f64>, derivatives: Vec<Series<f64>>) -> Self {
        Self { parameters, outputs, derivatives, every: 1 }
    }

    fn sample_every(&mut self, steps: usize) -> Result<(), InformationError> {
        let limit = self.outputs.samples().saturating_sub(1);
        if steps == 0 || steps > limit {
            return Err(InformationError::Sampling { every: steps, limit });
        }
        self.every = steps;
        Ok(())
    }

    /// Returns the steps at which there are samples.
    pub fn steps(&self) -> impl Iterator<Item = usize> {
        (0..self.outputs.samples()).step_by(self.every)
    }

    fn samples(&self) -> usize {
        self.outputs.samples().div_ceil(self.every)
    }

    /// See [`Sensitivities::information`].
    pub fn information(&self, sensors: &Sensors) -> Result<Fisher, InformationError> {
        let mut sum = Accumulation::new(&self.parameters, sensors);
        for i in self.steps() {
            sum.add(i as f64 * self.outputs.step(), |k| self.derivatives[k].row(i))?;
        }
        Ok(sum.finish())
    }

    fn compare(&self, sets: &[(&str, &Sensors)], criterion: Criterion) -> Result<SensorComparison, InformationError> {
        let informed = sets.iter().map(|&(name, sensors)| Ok((name, sensors, self.information(sensors)?)));
        SensorComparison::new(informed.collect::<Result<_, InformationError>>()?, criterion)
    }
}
