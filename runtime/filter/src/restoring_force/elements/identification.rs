//! The first step of the method for elements of a model: a filter tracks effective stiffnesses and dampings.

use nalgebra::{DMatrix, DVector};

use costate_kernel::state_space::{ImplicitModel, RungeKuttaModel};
use costate_system::identifiers::{Coordinate, Output, Parameter};
use costate_system::model::Model;
use costate_system::problem::Problem;
use costate_system::state_space::{FilterError, Gaussian, StateSpace};

use crate::{Bounds, KalmanFilter, KalmanMethod, Transformation};

use super::ModelElement;
use crate::restoring_force::convergence::ConvergenceMonitor;
use crate::restoring_force::error::{RestoringForceError, size};
use crate::restoring_force::estimates::TrackedElements;
use crate::restoring_force::monitored_run::{Monitoring, run_monitored};
use crate::restoring_force::result::RestoringForces;
use crate::restoring_force::signals::Prepared;
use crate::restoring_force::tuning::{APriori, Exponents, change};

/// Identification of the forces of elements of a model from a record:
/// [`RestoringForceIdentification`](super::super::RestoringForceIdentification) for any `model!`, with any lever or
/// mechanism between a deformation and the coordinates. Everything else in the model is known.
///
/// A model without constraints whose coordinates all have mass is integrated in explicit steps of third order, any
/// other in implicit ones by the scheme of the problem. Deformations and their variances follow from the estimates by
/// the transformation of the filter: linearised, or by sigma points.
#[derive(Debug, Clone)]
pub struct ElementIdentification<'a, M> {
    model: &'a M,
    filter: ElementFilter<'a>,
}

/// All settings of an [`ElementIdentification`], without the type of its model.
#[derive(Debug, Clone)]
struct ElementFilter<'a> {
    problem: &'a Problem,
    /// The values of all parameters.
    values: Vec<f64>,
    elements: Vec<ModelElement>,
    measured: Vec<Output>,
    coordinates: Vec<(Coordinate, f64)>,
    velocities: Vec<(Coordinate, f64)>,
    exponents: Exponents,
    method: KalmanMethod,
    lowest: Vec<f64>,
    noise: Option<DMatrix<f64>>,
    monitoring: Monitoring,
}

impl<'a, M: Model> ElementIdentification<'a, M> {
    /// Creates an identification of `elements`; the outputs `measured` have samples at every step of `problem`.
    /// Without further settings, the initial state is that of the model, and an extended filter runs with q_s = 3 and
    /// q_d = 1 and, where an element's deformation is not measured, a lower bound of its s of a hundredth of the
    /// model's value.
    ///
    /// # Errors
    /// [`RestoringForceError::Unobservable`] for fewer signals than elements; [`RestoringForceError::OutOfRange`] for
    /// a stiffness that is not positive or a damping of 0; [`RestoringForceError::Element`] for a parameter of two
    /// elements, and for outputs that depend on arguments that are not allowed.
    pub fn new(
        problem: &'a Problem,
        model: &'a M,
        elements: impl IntoIterator<Item = ModelElement<M>>,
        measured: impl IntoIterator<Item = Output<M>>,
    ) -> Result<Self, RestoringForceError> {
        let elements = elements.into_iter().map(ModelElement::erased).collect();
        let measured = measured.into_iter().map(Output::erased).collect();
        let values = model.parameters().as_ref().to_vec();
        Ok(Self { model, filter: ElementFilter::new(problem, values, elements, measured)? })
    }

    /// Filters rows of measurements in the units of the outputs, one per step and one for the start, NaN where nothing
    /// was measured; [`Record::rows`](costate_measure::record::Record::rows) makes them of channels in any unit.
    ///
    /// A filter that diverges is stopped; the result has the estimates until then, and the reason.
    ///
    /// # Errors
    /// [`RestoringForceError`] for data that cannot be used; [`RestoringForceError::Element`] where an element's force
    /// in the model is not s z + d v, with its outputs as z and v, along z.
    pub fn run(&self, measurements: &[f64]) -> Result<RestoringForces, RestoringForceError> {
        self.run_watched(measurements, |_| true)
    }

    /// Identifies as [`run`](Self::run) does; `watch` is called with the errors of every sample, and stops the run by
    /// returning `false`.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_watched(
        &self,
        measurements: &[f64],
        mut watch: impl FnMut(&ConvergenceMonitor) -> bool,
    ) -> Result<RestoringForces, RestoringForceError> {
        let Self { model, filter } = self;
        let (parameters, deformations) = (|| filter.parameters(), || filter.deformations());
        let measured = || filter.measured.iter().copied();
        match RungeKuttaModel::new(filter.problem, *model) {
            Ok(process) => {
                let process = process.estimate(parameters());
                let places = filter.places(|parameter| process.place(parameter));
                let initial = filter.explicit_start(process.initial_mean()?)?;
                let functions = process.clone().outputs(deformations());
                let process = process.outputs(measured());
                filter.run([process, functions], &places, &initial, measurements, &mut watch)
            }
            Err(FilterError::Unsuitable { .. }) => {
                let process = || ImplicitModel::new(filter.problem, *model).estimate(parameters());
                let functions = process().outputs(deformations());
                let process = process().outputs(measured());
                let places = filter.places(|parameter| process.place(parameter));
                let initial = process.initial(&filter.coordinates, &filter.velocities, &filter.deviations())?;
                filter.run([process, functions], &places, &initial, measurements, &mut watch)
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl<M> ElementIdentification<'_, M> {
    /// Sets the uncertainty of coordinates and velocities relative to the model's initial values, as standard
    /// deviations. Coordinates and velocities that are not named have the initial values of the model, except for
    /// changes by constraints.
    #[must_use]
    pub fn start(mut self, coordinates: &[(Coordinate<M>, f64)], velocities: &[(Coordinate<M>, f64)]) -> Self {
        let erased =
            |list: &[(Coordinate<M>, f64)]| list.iter().map(|(at, deviation)| (at.erased(), *deviation)).collect();
        self.filter.coordinates = erased(coordinates);
        self.filter.velocities = erased(velocities);
        self
    }

    /// Sets the exponents q_s and q_d.
    #[must_use]
    pub fn exponents(mut self, exponents: Exponents) -> Self {
        self.filter.exponents = exponents;
        self
    }

    /// Sets the filter.
    #[must_use]
    pub fn method(mut self, method: KalmanMethod) -> Self {
        self.filter.method = method;
        self
    }

    /// Sets lower bounds s_L of the effective stiffnesses, one per element; minus infinity for none.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`].
    pub fn lowest_stiffness(mut self, lowest: &[f64]) -> Result<Self, RestoringForceError> {
        size("lowest_stiffness", lowest.len(), self.filter.elements.len())?;
        self.filter.lowest = lowest.to_vec();
        Ok(self)
    }

    /// Sets the covariance R of the measurement noise, instead of its estimate from the record.
    #[must_use]
    pub fn measurement_noise(mut self, noise: DMatrix<f64>) -> Self {
        self.filter.noise = Some(noise);
        self
    }

    /// Sets the number of samples in the window of the moving errors e_p and e_s; 500 by default.
    #[must_use]
    pub fn window(mut self, samples: usize) -> Self {
        self.filter.monitoring.window = samples;
        self
    }
}

impl<'a> ElementFilter<'a> {
    /// See [`ElementIdentification::new`].
    fn new(
        problem: &'a Problem,
        values: Vec<f64>,
        elements: Vec<ModelElement>,
        measured: Vec<Output>,
    ) -> Result<Self, RestoringForceError> {
        if elements.len() > measured.len() || elements.is_empty() {
            let missing = |k: &ModelElement| format!("a signal beside those of others for `{}`", k.deformation.name());
            return Err(RestoringForceError::Unobservable {
                states: elements
                    .iter()
                    .flat_map(|k| [k.stiffness.name(), k.damping.name()])
                    .map(str::to_owned)
                    .collect(),
                elements: elements.iter().skip(measured.len()).map(missing).collect(),
            });
        }
        let mut seen: Vec<Parameter> = Vec::new();
        for (k, element) in elements.iter().enumerate() {
            element.check_outputs(k + 1)?;
            for (role, parameter) in [("stiffness", element.stiffness), ("damping", element.damping)] {
                if seen.contains(&parameter) {
                    let why = "it stands twice: give each element a stiffness and a damping of its own".to_owned();
                    let output = parameter.name();
                    return Err(RestoringForceError::Element { element: k + 1, role, output, why });
                }
                seen.push(parameter);
            }
        }
        let mut this = Self {
            problem,
            values,
            lowest: Vec::new(),
            elements,
            measured,
            coordinates: Vec::new(),
            velocities: Vec::new(),
            exponents: Exponents::new(3.0, 1.0),
            method: KalmanMethod::Extended,
            noise: None,
            monitoring: Monitoring { window: 500, largest_error: 100.0 },
        };
        for (element, expected) in this.elements.iter().zip(this.expected()) {
            expected.check()?;
            let shown = this.measured.contains(&element.deformation);
            this.lowest.push(if shown { f64::NEG_INFINITY } else { 0.01 * expected.stiffness });
        }
        Ok(this)
    }

    fn run<P: StateSpace>(
        &self,
        [process, mut functions]: [P; 2],
        places: &[[usize; 2]],
        initial: &Gaussian,
        measurements: &[f64],
        watch: &mut dyn FnMut(&ConvergenceMonitor) -> bool,
    ) -> Result<RestoringForces, RestoringForceError> {
        let (interval, states) = (self.problem.settings().step, process.states());
        let inputs = self.problem.inputs().numbers().to_vec();
        size("samples of the record", measurements.len() / self.measured.len(), self.problem.inputs().len())?;
        let widths = (process.inputs(), process.measurements());
        let signals = Prepared::new(widths, self.noise.as_ref(), &inputs, measurements)?;
        let mut noise = DMatrix::zeros(states, states);
        let mut lower = vec![f64::NEG_INFINITY; states];
        for ((&[s, d], expected), lowest) in places.iter().zip(self.expected()).zip(&self.lowest) {
            noise[(s, s)] = change(interval, self.exponents.stiffness, expected.stiffness);
            noise[(d, d)] = change(interval, self.exponents.damping, expected.damping);
            lower[s] = *lowest;
        }
        let filter = KalmanFilter::new(process, self.method, interval, initial, &noise, &signals.noise)?;
        let mut filter = filter.with_bounds(Bounds::new(lower, vec![f64::INFINITY; states])?)?;
        let record = (&inputs[..], measurements);
        let (run, convergence) = run_monitored(&mut filter, record, signals.measurement_error, self.monitoring, watch)?;
        for (k, (element, place)) in self.elements.iter().zip(places).enumerate() {
            element.check_force(k + 1, self.problem, &self.values, &run, *place)?;
        }
        let transformation = match self.method {
            KalmanMethod::Extended => Transformation::Linearized,
            KalmanMethod::Unscented(points) | KalmanMethod::SquareRootUnscented(points) => {
                Transformation::Unscented(points)
            }
        };
        let tracked = TrackedElements::of_functions(&run, &inputs, &mut functions, places, transformation)?;
        Ok(RestoringForces::new(tracked, self.exponents, run, convergence, signals, self.expected()))
    }

    /// Returns the start of explicit steps, whose state has no accelerations.
    fn explicit_start(&self, mean: Vec<f64>) -> Result<Gaussian, RestoringForceError> {
        let n = self.problem.description().coordinates.len();
        let mut deviations = vec![0.0; mean.len()];
        for (list, first) in [(&self.coordinates, 0), (&self.velocities, n)] {
            for (coordinate, deviation) in list {
                deviations[first + coordinate.index()] = *deviation;
            }
        }
        deviations[2 * n..].copy_from_slice(&self.deviations());
        let variances = DVector::from_vec(deviations).map(|deviation| deviation * deviation);
        Ok(Gaussian::new(DVector::from_vec(mean), DMatrix::from_diagonal(&variances))?)
    }

    /// Returns the stiffnesses and dampings in the model.
    fn expected(&self) -> Vec<APriori> {
        let value = |parameter: Parameter| self.values[parameter.index()];
        let expected =
            |element: &ModelElement| APriori { stiffness: value(element.stiffness), damping: value(element.damping) };
        self.elements.iter().map(expected).collect()
    }

    /// Returns the standard deviations of all expected values, which are 100 % (KE 2.50).
    fn deviations(&self) -> Vec<f64> {
        self.expected().iter().flat_map(|expected| [expected.stiffness.abs(), expected.damping.abs()]).collect()
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.elements.iter().flat_map(|element| [element.stiffness, element.damping]).collect()
    }

    fn deformations(&self) -> Vec<Output> {
        self.elements.iter().flat_map(|element| [element.deformation, element.rate]).collect()
    }

    /// Returns the indices of stiffnesses and dampings in the state.
    fn places(&self, place: impl Fn(Parameter) -> Option<usize>) -> Vec<[usize; 2]> {
        let at = |parameter| place(parameter).unwrap_or(usize::MAX);
        self.elements.iter().map(|element| [at(element.stiffness), at(element.damping)]).collect()
    }
}
