//! Gradient of a criterion of the information with respect to every sample of the inputs: the adjoint of the state
//! and sensitivity system (OB 5.10 to 5.14), of the discrete scheme.
//!
//! With S = ds/dp the derivative of Phi is the sum over parameters j of W_j : dS_j, where W_j follows from dPhi/dM. A
//! run in dual numbers in the direction of p_j has S_j; its adjoint with the weights W_j, in dual numbers too, gives
//! the gradient of W_j : s, and in the derivative part that of W_j : S_j. The work grows with the number of parameters,
//! not with that of samples.

use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use costate_identify::UnknownParameter;
use costate_numerics::scalar::{Dual, Scalar, lift_into};
use costate_system::identifiers::Dynamic;
use costate_system::model::{Description, Model};
use costate_system::problem::{Memory, Problem, RunSizes, SimulationError};
use costate_system::run::StoredRun;
use costate_system::series::Series;
use costate_system::system::{Differentiable, SecondOrder};

use super::accumulation::information;
use super::criterion::Criterion;
use super::error::InformationError;
use super::information::{Fisher, Information};
use super::noise::{Noise, Sensors};
use super::parameters::{InformedParameter, erased, informed};
use super::sensitivities::SampledSensitivities;

/// The information of an experiment and the derivatives of its criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct InformationGradient<M = Dynamic> {
    /// Information of the sensors about the parameters.
    pub information: Information<M>,
    /// Phi of the relative information.
    pub cost: f64,
    /// dPhi/du_i, one row per step, in the reciprocals of the inputs' units.
    pub inputs: Series<f64>,
}

/// Returns the criterion of an experiment and its derivatives with respect to all samples of all inputs, exact for
/// the computed numbers. `unknowns` are those of `model` that are to be identified, as for
/// [`Sensitivities::simulate`](super::Sensitivities::simulate).
///
/// Every parameter takes a run in dual numbers and an adjoint, on all cores; with
/// [`checkpoints`](costate_system::problem::Settings) each within its own budget.
///
/// # Errors
/// As [`Sensitivities::simulate`](super::Sensitivities::simulate),
/// [`Sensitivities::information`](super::Sensitivities::information) and [`Information::criterion`].
pub fn information_gradient<M: Model>(
    problem: &Problem,
    model: &M,
    unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
    noise: &Noise<M>,
    criterion: Criterion,
) -> Result<InformationGradient<M>, InformationError> {
    let model = SecondOrderModel::of(model);
    let parameters = model.informed(&erased(unknowns))?;
    let sensors = noise.sensors().clone();
    let experiment = Experiment { model, parameters, sensors, criterion, known: None };
    let Differentiated { fisher, cost, inputs } =
        experiment.differentiate(problem, &|_, _, _| FirstOrder::none(problem.description()))?;
    Ok(InformationGradient { information: Information::of(fisher), cost, inputs })
}

/// A model without its type, whose runs have second derivatives, with the values of its parameters.
#[derive(Clone)]
pub(super) struct SecondOrderModel {
    pub system: &'static dyn Differentiable,
    pub second_order: &'static dyn SecondOrder,
    pub parameters: Vec<f64>,
}

impl SecondOrderModel {
    pub fn of<M: Model>(model: &M) -> Self {
        Self::with::<M>(model.parameters().as_ref().to_vec())
    }

    /// Takes a model with these values of its parameters.
    pub fn with<M: Model>(parameters: Vec<f64>) -> Self {
        Self { system: M::differentiable(), second_order: M::second_order(), parameters }
    }

    /// Returns names, units and sizes.
    #[doc(hidden)]
    pub fn description(&self) -> &'static Description {
        self.system.description()
    }

    /// Returns the unknown parameters with their values and scales.
    pub fn informed(&self, unknowns: &[UnknownParameter]) -> Result<Vec<InformedParameter>, InformationError> {
        informed(self.description(), &self.parameters, unknowns)
    }
}

/// An experiment with its unknown parameters, sensors and criterion.
#[derive(Clone)]
pub(super) struct Experiment {
    pub model: SecondOrderModel,
    pub parameters: Vec<InformedParameter>,
    pub sensors: Sensors,
    pub criterion: Criterion,
    /// Information of other experiments that is added; `None` if there are none.
    pub known: Option<Fisher>,
}

/// A simulated experiment.
pub(super) struct Evaluated {
    pub fisher: Fisher,
    /// Phi
    pub cost: f64,
    pub outputs: Series<f64>,
    /// x_N (3n + m)
    pub end: Vec<f64>,
}

/// An [`InformationGradient`] without the type of its model.
pub(super) struct Differentiated {
    pub fisher: Fisher,
    /// Phi
    pub cost: f64,
    /// dPhi/du_i
    pub inputs: Series<f64>,
}

/// A function of Phi, x_N and s_N that returns the derivatives of a further cost of the end.
pub(super) type Further<'a> = &'a dyn Fn(f64, &[f64], &[f64]) -> FirstOrder;

/// Derivatives of a further cost of the last state and of the outputs at the end.
pub(super) struct FirstOrder {
    /// With respect to x_N (3n + m).
    pub state: Vec<f64>,
    /// With respect to s_N.
    pub outputs: Vec<f64>,
}

impl FirstOrder {
    /// Returns the derivatives of no further cost.
    pub fn none(description: &Description) -> Self {
        let (n, m) = (description.coordinates.len(), description.constraints.len());
        Self { state: vec![0.0; 3 * n + m], outputs: vec![0.0; description.outputs.len()] }
    }
}

impl Experiment {
    /// Simulates, with the sensitivities by direct differentiation.
    pub fn evaluate(&self, problem: &Problem) -> Result<Evaluated, InformationError> {
        let mut run = problem.run(&self.model.parameters)?;
        let end = run.end().unwrap_or_default().to_vec();
        let measured = (&self.parameters[..], &self.sensors);
        let fisher = self.with_known(information(self.model.system, problem, &mut run, measured)?)?;
        let cost = fisher.criterion(self.criterion)?;
        Ok(Evaluated { fisher, cost, outputs: run.into_outputs(), end })
    }

    /// Adds the information of other experiments.
    fn with_known(&self, fisher: Fisher) -> Result<Fisher, InformationError> {
        match &self.known {
            Some(known) => fisher.combined(known),
            None => Ok(fisher),
        }
    }

    /// Returns Phi with dPhi/du. The gradient includes a further cost of the end, whose derivatives `further` returns
    /// for Phi, x_N and s_N.
    pub fn differentiate(&self, problem: &Problem, further: Further<'_>) -> Result<Differentiated, InformationError> {
        let runs = self.directed_runs(problem)?;
        let Some(first) = runs.first() else {
            return Err(InformationError::NoUnknowns { model: self.model.description().name });
        };
        let end: Vec<f64> = first.end().unwrap_or_default().iter().map(|number| number.real()).collect();
        let outputs = part(first.outputs(), |number| number.value);
        let derivatives = runs.iter().map(|run| part(run.outputs(), |number| number.derivative)).collect();
        let sensitivities = SampledSensitivities::of(self.parameters.clone(), outputs, derivatives);
        let fisher = self.with_known(sensitivities.information(&self.sensors)?)?;
        let (cost, of_matrix) = self.criterion.evaluate(&fisher.relative_matrix())?;
        let outputs = &sensitivities.outputs;
        let further = further(cost, &end, outputs.row(outputs.samples() - 1));
        let weights = self.weights(&sensitivities, &of_matrix);
        drop(sensitivities);
        let numbered: Vec<_> = runs.into_iter().zip(weights).enumerate().collect();
        let gradients = numbered.into_par_iter().map(|(j, (mut run, mut weights))| {
            let mut end = None;
            if j == 0 {
                // of first order, therefore in the derivative part
                let last = weights.samples() - 1;
                for (weight, further) in weights.row_mut(last).iter_mut().zip(&further.outputs) {
                    weight.derivative += further;
                }
                let state = further.state.iter();
                end = Some(state.map(|&derivative| Dual { value: 0.0, derivative }).collect::<Vec<_>>());
            }
            let system = self.model.second_order;
            system.input_gradient_dual(problem, (&mut run).into(), &weights, end.as_deref())
        });
        let gradients = gradients.collect::<Result<Vec<_>, SimulationError>>()?;
        let mut inputs = part(&gradients[0], |number| number.derivative);
        for gradient in &gradients[1..] {
            for i in 0..inputs.samples() {
                for (sum, number) in inputs.row_mut(i).iter_mut().zip(gradient.row(i)) {
                    *sum += number.derivative;
                }
            }
        }
        Ok(Differentiated { fisher, cost, inputs })
    }

    /// Simulates once for each parameter, in dual numbers in its direction.
    fn directed_runs(&self, problem: &Problem) -> Result<Vec<StoredRun<Dual>>, SimulationError> {
        let run = |index: usize| {
            let mut directed = vec![Dual::constant(0.0); self.model.parameters.len()];
            lift_into(&self.model.parameters, &mut directed);
            directed[index].derivative = 1.0;
            self.model.second_order.run_dual(problem, &directed)
        };
        let sizes = RunSizes { number: size_of::<Dual>(), ..RunSizes::of(problem.system()) };
        let memory = Memory::of_all(problem.steps(), &sizes);
        if !problem.has_checkpoints() {
            memory.check_runs(problem.steps(), self.parameters.len())?;
        }
        self.parameters.par_iter().map(|known| run(known.parameter.index())).collect()
    }

    /// Returns the derivatives W_j of Phi with respect to the sensitivities S_j of all outputs: at a sample 2 R^-1 S
    /// D G D, with the parameters' scales D and G = dPhi/dM.
    fn weights(&self, sensitivities: &SampledSensitivities, of_matrix: &nalgebra::DMatrix<f64>) -> Vec<Series<Dual>> {
        let outputs = &sensitivities.outputs;
        let zeros = || Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        let mut weights: Vec<Series<Dual>> = self.parameters.iter().map(|_| zeros()).collect();
        let mut weighed = vec![0.0; self.sensors.outputs.len()];
        for i in sensitivities.steps() {
            for (k, known) in self.parameters.iter().enumerate() {
                let row = sensitivities.derivatives[k].row(i);
                for (value, output) in weighed.iter_mut().zip(self.sensors.indices()) {
                    *value = row[output];
                }
                self.sensors.weigh(&mut weighed);
                for (j, weights) in weights.iter_mut().enumerate() {
                    let factor = 2.0 * known.scale * of_matrix[(k, j)] * self.parameters[j].scale;
                    let row = weights.row_mut(i);
                    for (value, output) in weighed.iter().zip(self.sensors.indices()) {
                        row[output].value += factor * value;
                    }
                }
            }
        }
        weights
    }
}

/// Returns one part of all dual numbers, chosen by `of`.
fn part(series: &Series<Dual>, of: impl Fn(Dual) -> f64) -> Series<f64> {
    let mut parts = Series::zeros(series.step(), series.width(), series.samples());
    for i in 0..series.samples() {
        for (to, from) in parts.row_mut(i).iter_mut().zip(series.row(i)) {
            *to = of(*from);
        }
    }
    parts
}
