//! Errors of runs and gradients over the step size, against a reference that is extrapolated to h = 0.

use anyhow::{Result, bail};
use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::simulate::Scheme;
use costate::{Model, Output, Parameter, Run, Simulation, gradient};
use costate_examples::differences;
use serde::Serialize;

/// Numbers of halvings for the runs that the reference comes from. Finer runs would have less of the extrapolated
/// errors and more rounding: the rounding of accelerations and multipliers is some hundred times eps q/h^2, since
/// generalized alpha forgets the rounding of a constraint with n^2 rho_inf^n.
const REFERENCE: [u32; 3] = [2, 3, 4];

/// The schemes that are compared, by their names in the JSON file. The first one gives the reference.
pub const SCHEMES: [(&str, Scheme); 2] =
    [("generalized_alpha", Scheme::GeneralizedAlpha { rho_inf: 0.8 }), ("hht", Scheme::Hht { alpha: -0.1 })];

/// A model and its run.
pub struct Study<M: Model> {
    /// The model.
    pub model: M,
    /// End of the run in s.
    pub end: f64,
    /// Number of steps of the coarsest run.
    pub steps: usize,
    /// The output s of the cost J = 1/2 integral of s^2, by the trapezoidal rule over the steps.
    pub output: Output<M>,
}

/// A number for every kind of result: its error relative to the largest value of the kind, or the order with which the
/// error decreases.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Kinds {
    /// Value for the coordinates.
    pub q: f64,
    /// Value for the velocities.
    pub v: f64,
    /// Value for the accelerations.
    pub a: f64,
    /// Value for the multipliers; `None` without constraints.
    pub lambda: Option<f64>,
    /// Value for the gradient with respect to all parameters; `None` for whole runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gradient: Option<f64>,
}

impl Kinds {
    /// Computes a number of two of every kind.
    pub fn with(&self, other: &Self, number: impl Fn(f64, f64) -> f64) -> Self {
        let optional = |one: Option<f64>, other: Option<f64>| one.zip(other).map(|(a, b)| number(a, b));
        Self {
            q: number(self.q, other.q),
            v: number(self.v, other.v),
            a: number(self.a, other.a),
            lambda: optional(self.lambda, other.lambda),
            gradient: optional(self.gradient, other.gradient),
        }
    }
}

/// The errors of a run.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Errors {
    /// Step size in s.
    pub h: f64,
    /// Errors relative to the largest value of the kind.
    #[serde(flatten)]
    pub of: Kinds,
}

/// Results for a model with a scheme.
#[derive(Debug, Clone, Serialize)]
pub struct Accuracy {
    /// Orders by the last halving.
    pub order: Kinds,
    /// Errors from the longest step to the shortest one.
    pub error: Vec<Errors>,
    /// The error estimate of the run with the longest step.
    pub estimate: Estimate,
}

/// The error of a run by its own estimate and by a run with finer steps.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Estimate {
    /// The coordinate that is least accurate relative to its range.
    pub coordinate: &'static str,
    /// Unit of the coordinate.
    pub unit: &'static str,
    /// The largest error over the run, by [`Run::accuracy`](costate::Run::accuracy).
    pub estimated: f64,
    /// The largest difference to a run with finer steps.
    pub found: f64,
}

/// The state at the end and the gradient: q, v, a, lambda, and p dJ/dp for every parameter p.
pub type Results = [Vec<f64>; 5];

impl<M: Model> Study<M> {
    /// Computes the accuracy of each of [`SCHEMES`], with steps that are halved `halved` times before anything is
    /// compared.
    pub fn run(&self, halved: u32) -> Result<Vec<(&'static str, Accuracy)>> {
        let (_, precise) = SCHEMES[0];
        let [coarse, middle, fine] = REFERENCE.map(|halvings| self.results(precise, halved + halvings));
        let reference = extrapolated(&coarse?, &middle?, &fine?);
        SCHEMES
            .into_iter()
            .map(|(name, scheme)| {
                let error = (halved..=halved + 3)
                    .map(|halvings| {
                        let of = errors(&self.results(scheme, halvings)?, &reference);
                        Ok(Errors { h: self.step(halvings), of })
                    })
                    .collect::<Result<Vec<_>>>()?;
                let [.., long, short] = &error[..] else { bail!("there are no two runs to compare") };
                let order = long.of.with(&short.of, |long, short| (long / short).log2());
                Ok((name, Accuracy { order, error, estimate: self.estimate(scheme, halved)? }))
            })
            .collect()
    }

    /// Computes the error of the least accurate coordinate.
    fn estimate(&self, scheme: Scheme, halvings: u32) -> Result<Estimate> {
        let run = |halvings: u32| {
            let simulation = Simulation::new(&self.model).step(self.step(halvings)).until(self.end);
            simulation.scheme(scheme).error_limit(None).run()
        };
        let finer = 3;
        let (coarse, fine) = (run(halvings)?, run(halvings + finer)?);
        let accuracy = coarse.accuracy()?;
        let relative = |k: usize| accuracy.coordinates[k].relative();
        let worst = (0..accuracy.coordinates.len()).max_by(|&a, &b| relative(a).total_cmp(&relative(b)));
        let worst = worst.unwrap_or_default();
        let at = |run: &Run<M>, i: usize| run.trajectory().coordinates(i)[worst];
        let differences = (0..=coarse.trajectory().steps()).map(|i| (at(&coarse, i) - at(&fine, i << finer)).abs());
        let found = differences.fold(0.0, f64::max);
        let quantity = accuracy.coordinates[worst].quantity;
        let estimated = accuracy.coordinates[worst].error;
        Ok(Estimate { coordinate: quantity.name, unit: quantity.unit, estimated, found })
    }

    fn step(&self, halvings: u32) -> f64 {
        self.end / (self.steps << halvings) as f64
    }

    fn results(&self, scheme: Scheme, halvings: u32) -> Result<Results> {
        let problem =
            Simulation::new(&self.model).step(self.step(halvings)).until(self.end).scheme(scheme).problem()?;
        let parameters = self.model.parameters();
        let run = problem.forward(parameters.as_ref())?;
        let end = run.steps();
        let times: Vec<f64> = (0..=end).map(|i| run.time(i)).collect();
        let cost = LeastSquares::new(run.step(), end + 1, Quadrature::Trapezoid).with_channel(
            self.output,
            &times,
            &vec![0.0; end + 1],
            1.0,
        )?;
        let outputs = run.outputs();
        let output_gradient = cost.output_gradient(&outputs);
        let unknown: Vec<Parameter<M>> = Parameter::all().collect();
        let gradient = gradient(&problem, &run, &output_gradient, &unknown)?;
        let scaled = gradient.iter().zip(parameters.as_ref()).map(|(derivative, p)| derivative * p).collect();
        let [q, v, a, lambda] =
            [run.coordinates(end), run.velocities(end), run.accelerations(end), run.multipliers(end)]
                .map(<[f64]>::to_vec);
        Ok([q, v, a, lambda, scaled])
    }
}

/// Extrapolates results with errors of the orders h^2 and h^3 to h = 0, from runs with 4h, 2h and h.
fn extrapolated(coarse: &Results, middle: &Results, fine: &Results) -> Results {
    let limit = |coarse: f64, middle: f64, fine: f64| {
        let without_square = |long: f64, short: f64| short + (short - long) / 3.0;
        let (long, short) = (without_square(coarse, middle), without_square(middle, fine));
        short + (short - long) / 7.0
    };
    std::array::from_fn(|kind| {
        let values = coarse[kind].iter().zip(&middle[kind]).zip(&fine[kind]);
        values.map(|((&coarse, &middle), &fine)| limit(coarse, middle, fine)).collect()
    })
}

/// Computes the largest difference of each kind, relative to the largest value of the reference.
pub fn errors(results: &Results, reference: &Results) -> Kinds {
    let [q, v, a, lambda, gradient] = std::array::from_fn(|kind| {
        let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        largest(&differences(&results[kind], &reference[kind])) / largest(&reference[kind])
    });
    Kinds { q, v, a, lambda: (!reference[3].is_empty()).then_some(lambda), gradient: Some(gradient) }
}
