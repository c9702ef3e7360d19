//! How a criterion of the information changes with every sample of the inputs: the adjoint of the state and sensitivity
//! system (OB 5.10 to 5.14), of the discrete scheme.
//!
//! With S = ds/dp the derivative of Phi is the sum over parameters j of W_j : dS_j, where W_j follows from dPhi/dM. A run in
//! dual numbers in the direction of p_j has S_j; its adjoint with the weights W_j, in dual numbers too, gives the gradient
//! of W_j : s, and in the derivative part that of W_j : S_j. The work grows with the number of parameters, not with that of
//! samples.

use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::dual::Dual;
use crate::gradient::input_gradient;
use crate::identification::UnknownParameter;
use crate::model::Model;
use crate::problem::{Memory, Problem, SimulationError};
use crate::run::StoredRun;
use crate::scalar::{Scalar, Vector, lift_into};
use crate::series::Series;

use super::accumulation::information;
use super::criterion::Criterion;
use super::error::InformationError;
use super::information::Information;
use super::informed::{InformedParameter, informed};
use super::noise::Noise;
use super::sensitivities::Sensitivities;

/// The information of an experiment and the derivatives of its criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct InformationGradient<M: Model> {
    /// What the sensors learn.
    pub information: Information<M>,
    /// Phi of the relative information.
    pub cost: f64,
    /// dPhi/du_i, one row per step, in the reciprocals of the inputs' units.
    pub inputs: Series<f64>,
}

/// The criterion of an experiment and its derivatives with respect to all samples of all inputs, exact for the computed
/// numbers. `unknowns` are those of `model` that are to be identified, as for
/// [`Sensitivities::simulate`].
///
/// Every parameter takes a run in dual numbers and an adjoint, on all cores; with [`checkpoints`](crate::simulate::Settings) each
/// within its own budget.
///
/// # Errors
/// As [`Sensitivities::simulate`], [`Sensitivities::information`] and [`Information::criterion`].
pub fn information_gradient<M: Model>(
    problem: &Problem<M>,
    model: &M,
    unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
    noise: &Noise<M>,
    criterion: Criterion,
) -> Result<InformationGradient<M>, InformationError> {
    let parameters = informed(model, unknowns)?;
    let experiment =
        Experiment { values: model.parameters(), parameters, noise: noise.clone(), criterion, known: None };
    experiment.differentiate(problem, |_, _, _| FirstOrder::none::<M>())
}

/// Which parameters are looked for, with which sensors, and what counts.
#[derive(Debug, Clone)]
pub(super) struct Experiment<M: Model> {
    pub values: M::Parameters<f64>,
    pub parameters: Vec<InformedParameter<M>>,
    pub noise: Noise<M>,
    pub criterion: Criterion,
    /// Information of other experiments, which counts too.
    pub known: Option<Information<M>>,
}

/// A simulated experiment.
pub(super) struct Evaluated<M: Model> {
    pub information: Information<M>,
    /// Phi
    pub cost: f64,
    pub outputs: Series<f64>,
    /// x_N (3n + m)
    pub end: Vec<f64>,
}

/// Derivatives of a further cost of the last state and of the outputs at the end.
pub(super) struct FirstOrder {
    /// With respect to x_N (3n + m).
    pub state: Vec<f64>,
    /// With respect to s_N.
    pub outputs: Vec<f64>,
}

impl FirstOrder {
    /// No further cost.
    pub fn none<M: Model>() -> Self {
        let (n, m) =
            (<M::Coordinates<f64> as Vector<f64>>::LENGTH, <M::Multipliers<f64> as Vector<f64>>::LENGTH);
        Self { state: vec![0.0; 3 * n + m], outputs: vec![0.0; <M::Outputs<f64> as Vector<f64>>::LENGTH] }
    }
}

impl<M: Model> Experiment<M> {
    /// Simulates, with the sensitivities by direct differentiation.
    #[inline(never)]
    pub fn evaluate(&self, problem: &Problem<M>) -> Result<Evaluated<M>, InformationError> {
        let mut run = problem.run(&self.values)?;
        let end = run.end().unwrap_or_default().to_vec();
        let information = self.with_known(information(problem, &mut run, &self.parameters, &self.noise)?)?;
        let cost = information.criterion(self.criterion)?;
        Ok(Evaluated { information, cost, outputs: run.into_outputs(), end })
    }

    /// Together with what other experiments say.
    fn with_known(&self, information: Information<M>) -> Result<Information<M>, InformationError> {
        match &self.known {
            Some(known) => information.combined(known),
            None => Ok(information),
        }
    }

    /// Phi with dPhi/du. A further cost of the end, whose derivatives `further` gives from Phi, x_N and s_N, goes into the
    /// gradient too.
    #[inline(never)]
    pub fn differentiate(
        &self,
        problem: &Problem<M>,
        further: impl FnOnce(f64, &[f64], &[f64]) -> FirstOrder,
    ) -> Result<InformationGradient<M>, InformationError> {
        let runs = self.directed_runs(problem)?;
        let Some(first) = runs.first() else {
            return Err(InformationError::NoUnknowns { model: M::DESCRIPTION.name });
        };
        let end: Vec<f64> = first.end().unwrap_or_default().iter().map(|number| number.real()).collect();
        let outputs = part(first.outputs(), |number| number.value);
        let derivatives = runs.iter().map(|run| part(run.outputs(), |number| number.derivative)).collect();
        let sensitivities = Sensitivities::of(self.parameters.clone(), outputs, derivatives);
        let information = self.with_known(sensitivities.information(&self.noise)?)?;
        let (cost, of_matrix) = self.criterion.evaluate(&information.relative_matrix())?;
        let outputs = sensitivities.outputs();
        let further = further(cost, &end, outputs.row(outputs.samples() - 1));
        let weights = self.weights(&sensitivities, &of_matrix);
        drop(sensitivities);
        let numbered: Vec<_> = runs.into_iter().zip(weights).enumerate().collect();
        let gradients = numbered.into_par_iter().map(|(j, (mut run, mut weights))| {
            let mut end = None;
            if j == 0 {
                // of first order, hence in the derivative's place
                let last = weights.samples() - 1;
                for (weight, further) in weights.row_mut(last).iter_mut().zip(&further.outputs) {
                    weight.derivative += further;
                }
                let state = further.state.iter();
                end = Some(state.map(|&derivative| Dual { value: 0.0, derivative }).collect::<Vec<_>>());
            }
            input_gradient(problem, &mut run, &weights, end.as_deref())
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
        Ok(InformationGradient { information, cost, inputs })
    }

    /// One run for each parameter, in its direction.
    fn directed_runs(&self, problem: &Problem<M>) -> Result<Vec<StoredRun<M, Dual>>, SimulationError> {
        let run = |index: usize| {
            let mut directed = M::Parameters::<Dual>::zeros();
            lift_into(self.values.as_ref(), directed.as_mut());
            directed.as_mut()[index].derivative = 1.0;
            problem.run_in(&directed)
        };
        let memory = Memory::of_all::<M, Dual>(problem.steps());
        if !problem.has_checkpoints() {
            memory.check_runs(problem.steps(), self.parameters.len())?;
        }
        self.parameters.par_iter().map(|known| run(known.parameter.index())).collect()
    }

    /// The derivatives W_j of Phi with respect to the sensitivities S_j of all outputs: at a sample 2 R^-1 S D G D, with the
    /// parameters' scales D and G = dPhi/dM.
    fn weights(
        &self,
        sensitivities: &Sensitivities<M>,
        of_matrix: &nalgebra::DMatrix<f64>,
    ) -> Vec<Series<Dual>> {
        let outputs = sensitivities.outputs();
        let zeros = || Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        let mut weights: Vec<Series<Dual>> = self.parameters.iter().map(|_| zeros()).collect();
        let mut weighed = vec![0.0; self.noise.outputs().len()];
        for i in sensitivities.steps() {
            for (k, known) in self.parameters.iter().enumerate() {
                let row = sensitivities.derivatives()[k].row(i);
                for (value, output) in weighed.iter_mut().zip(self.noise.indices()) {
                    *value = row[output];
                }
                self.noise.weigh(&mut weighed);
                for (j, weights) in weights.iter_mut().enumerate() {
                    let factor = 2.0 * known.scale * of_matrix[(k, j)] * self.parameters[j].scale;
                    let row = weights.row_mut(i);
                    for (value, output) in weighed.iter().zip(self.noise.indices()) {
                        row[output].value += factor * value;
                    }
                }
            }
        }
        weights
    }
}

/// One part of all numbers.
fn part(series: &Series<Dual>, of: impl Fn(Dual) -> f64) -> Series<f64> {
    let mut parts = Series::zeros(series.step(), series.width(), series.samples());
    for i in 0..series.samples() {
        for (to, from) in parts.row_mut(i).iter_mut().zip(series.row(i)) {
            *to = of(*from);
        }
    }
    parts
}
