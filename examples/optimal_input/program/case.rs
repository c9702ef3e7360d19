//! An experiment whose input is optimised.

use costate::cost::Quadrature;
use costate::experiment::{
    Criterion, DesignedInput, EndCondition, Noise, NoiseError, OptimalInput, RepetitionSettings, Repetitions,
    RepetitionsError, Sensitivities,
};
use costate::identify::UnknownParameter;
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::{InputSignal, Interrupt, Problem, Sampled, Scheme};
use costate::{Identification, Input, Model, Output, Parameter, Record, Simulation};

use super::Options;

/// A signal over time in s.
pub type Signal = fn(f64) -> f64;

/// An experiment: its sensor, its unknowns and the permitted input.
pub struct Case<M: Model> {
    /// Heading of the report.
    pub heading: &'static str,
    /// The model with the true parameters.
    pub model: M,
    /// The input to be found, its largest magnitude in its unit, and its start.
    pub input: Input<M>,
    pub largest: f64,
    pub start: Signal,
    /// Another input to compare with, and its name.
    pub other: Option<(&'static str, Signal)>,
    /// The parameters that are to be identified.
    pub unknown: Vec<Parameter<M>>,
    /// The sensor, and standard deviations of its noise in its unit; the search uses the first one.
    pub output: Output<M>,
    pub noise: Vec<f64>,
    pub criterion: Criterion,
    /// True if (5.8) is minimised in addition, as it is printed: minus the trace of the information about the
    /// parameters in their units, where `criterion` is another measure.
    pub as_printed: bool,
    /// End conditions of the experiment.
    pub ends: Vec<EndCondition<M>>,
    /// Coordinates whose velocities are drawn.
    pub shown: Vec<costate::Coordinate<M>>,
    /// Step size and length of the experiment in s.
    pub step: f64,
    pub end: f64,
    pub scheme: Scheme,
}

impl<M: Model> Case<M> {
    /// Returns the noise of the sensor with this standard deviation.
    pub fn noise(&self, deviation: f64) -> Result<Noise<M>, NoiseError> {
        Noise::independent([(self.output, deviation)])
    }

    /// Sets up the search.
    pub fn search(&self, interrupt: &Interrupt) -> Result<OptimalInput<M>, NoiseError> {
        let unknown = self.unknown.iter().map(|&parameter| UnknownParameter::from(parameter));
        self.search_for(unknown.collect(), self.criterion, interrupt)
    }

    /// Sets up the search with (5.8) as it is printed, where parameters count in their units.
    pub fn search_as_printed(&self, interrupt: &Interrupt) -> Result<OptimalInput<M>, NoiseError> {
        let unknown = self.unknown.iter().map(|&parameter| UnknownParameter::from(parameter).linear(1.0));
        self.search_for(unknown.collect(), Criterion::Trace, interrupt)
    }

    fn search_for(
        &self,
        unknown: Vec<UnknownParameter<M>>,
        criterion: Criterion,
        interrupt: &Interrupt,
    ) -> Result<OptimalInput<M>, NoiseError> {
        let design = DesignedInput::samples(self.input, InputSignal::function(self.start));
        let search = OptimalInput::new(&self.simulation().interrupt(interrupt.clone()))
            .unknown(unknown)
            .sensors(self.noise(self.noise[0])?)
            .criterion(criterion)
            .design(design.within(-self.largest, self.largest));
        Ok(self.ends.iter().fold(search, |search, end| search.end_condition(end.clone())))
    }

    /// Repeats identifications from measurements with this input and different noise.
    pub fn repeat(
        &self,
        problem: &Problem,
        deviation: f64,
        options: &Options,
        interrupt: &Interrupt,
    ) -> Result<Repetitions<M>, RepetitionsError> {
        let known = Sensitivities::simulate(problem, &self.model, self.unknown.iter().copied())?;
        let noise = self.noise(deviation).map_err(costate::experiment::InformationError::from)?;
        let settings = RepetitionSettings::new(options.repetitions, options.seed).with_interrupt(interrupt.clone());
        let signal = signal(problem, self.input);
        known.repeat(&noise, &settings, |record| self.identification(record, signal.clone()), |_| ())
    }

    fn identification(&self, record: &Record, signal: Sampled) -> Identification<M> {
        // estimates may lie anywhere around the true values
        let parameters = self.model.parameters();
        let unknown = self.unknown.iter().map(|&parameter| {
            let typical = parameters.as_ref()[parameter.index()].abs();
            UnknownParameter::from(parameter).linear(typical)
        });
        Identification::new(&self.simulation().input(self.input, signal))
            .unknown(unknown)
            .measured(self.output, record)
            .quadrature(Quadrature::Sum)
            .optimizer(OptimizerSettings::default().with_method(Method::GaussNewton).with_cost_tolerance(1e-9))
    }

    /// Sets up the run, without its input.
    fn simulation(&self) -> Simulation<M> {
        Simulation::new(&self.model).step(self.step).until(self.end).scheme(self.scheme)
    }
}

/// Returns the input of a problem as a signal.
pub fn signal<M: Model>(problem: &Problem, input: Input<M>) -> Sampled {
    let step = problem.settings().step;
    let values = problem.inputs().rows().map(|row| row[input.index()]).collect();
    Sampled::equidistant(step, values)
}
