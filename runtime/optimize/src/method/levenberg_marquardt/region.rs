//! The state of the method between two iterations.

use serde::{Deserialize, Serialize};

use super::super::super::linearized::Linearized;
use super::super::super::objective::LinearResiduals;
use super::super::super::state::{OptimizerState, physical};
use super::super::super::variables::{Scaling, Variable};
use super::flat_directions::SavedState;
use super::secant::Secant;
use super::second_order::Tangent;
use super::subproblem::Subproblem;

/// The linear residuals and the region in which they are trusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in super::super::super) struct TrustRegion {
    pub(super) residuals: Linearized,
    /// The diagonal of D.
    pub(super) scales: Vec<f64>,
    pub(super) radius: f64,
    /// The decrease that the previous step predicted without a radius; huge before the first step.
    pub(super) full_decrease: f64,
    /// The result unless something better is found; `None` unless steps go along all directions.
    pub(super) saved: Option<Box<SavedState>>,
    /// Second derivatives of the residuals, learned from the steps.
    #[serde(default)]
    pub(super) secant: Secant,
    /// The uncompressed residuals, which are evaluated once more for a stored state.
    #[serde(skip)]
    pub(super) tangent: Tangent,
}

impl TrustRegion {
    /// Returns the region before the first step.
    pub fn begin(residuals: LinearResiduals, linearized: Linearized, state: &OptimizerState) -> Self {
        /// The radius at the start, relative to the length of the start values, which mostly have the right order of
        /// magnitude. More 1978 has 100.
        const FIRST_RADIUS: f64 = 1.0;
        let norms = linearized.norms();
        // a variable without influence at the start is scaled as the most influential one
        let largest = norms.iter().fold(0.0_f64, |most, norm| most.max(*norm));
        let other = if largest > 0.0 { largest } else { 1.0 };
        let scales: Vec<f64> = norms.iter().map(|norm| if *norm > 0.0 { *norm } else { other }).collect();
        let length = norm(&scales, &sizes(state, 1.0));
        let radius = FIRST_RADIUS * if length > 0.0 { length } else { 1.0 };
        let tangent = Tangent::of(residuals);
        Self {
            residuals: linearized,
            scales,
            radius,
            full_decrease: f64::MAX,
            saved: None,
            secant: Secant::default(),
            tangent,
        }
    }

    /// Returns the region after a step `change` that lowered the cost by `decrease`, with the residuals at its end.
    pub(super) fn next(
        mut self,
        (residuals, linearized): (LinearResiduals, Linearized),
        radius: f64,
        (change, decrease): (&[f64], f64),
    ) -> Self {
        let between = (&self.residuals, &linearized);
        self.secant = self.secant.next(between, &self.scales, (change, decrease));
        for (scale, norm) in self.scales.iter_mut().zip(linearized.norms()) {
            *scale = scale.max(norm);
        }
        Self { residuals: linearized, radius: radius.min(f64::MAX), tangent: Tangent::of(residuals), ..self }
    }

    /// The residuals whose damped equations the next step solves.
    pub(super) fn model(&self) -> Linearized {
        self.secant.model(&self.residuals, &self.scales).unwrap_or_else(|| self.residuals.clone())
    }

    pub(super) fn subproblem<'a>(
        &'a self,
        model: &'a Linearized,
        state: &OptimizerState,
        sizes: &'a [f64],
    ) -> Subproblem<'a> {
        let deviation = self.residuals.variance(state.cost).sqrt();
        Subproblem { residuals: model, scales: &self.scales, sizes, box_: changes(state), deviation }
    }

    /// Checks whether this belongs to n variables.
    pub fn fits(&self, n: usize) -> bool {
        let own = self.residuals.fits(n) && self.scales.len() == n && self.radius > 0.0;
        own && self.secant.fits(n) && self.saved.as_deref().is_none_or(|saved| saved.fits(n))
    }
}

/// |D x|.
pub(super) fn norm(scales: &[f64], x: &[f64]) -> f64 {
    scales.iter().zip(x).map(|(scale, x)| (scale * x).powi(2)).sum::<f64>().sqrt()
}

/// Returns, per scaled variable, the change that equals the size of its parameter; `unknown` where the parameter
/// is 0 and started at 0.
pub(super) fn sizes(state: &OptimizerState, unknown: f64) -> Vec<f64> {
    let parameters = physical(&state.variables, &state.position);
    let size = |(variable, p): (&Variable, f64)| match variable.scaling() {
        Scaling::Logarithmic => 1.0,
        Scaling::Linear { .. } if variable.inertia().is_some() => 1.0,
        Scaling::Linear { typical } => {
            let size = p.abs().max(variable.start().abs()) / typical;
            if size > 0.0 { size } else { unknown }
        }
    };
    state.variables.iter().zip(parameters).map(size).collect()
}

/// Returns, per scaled variable, the change beyond which its parameter is not determined; infinite where the
/// start value was 0, which says nothing about the size of the parameter, even if it has come close to 0 since then.
pub(super) fn sizes_without_flat(state: &OptimizerState) -> Vec<f64> {
    let sizes = sizes(state, f64::INFINITY);
    let is_known = state.variables.iter().map(|variable| variable.start() != 0.0 || variable.inertia().is_some());
    sizes.into_iter().zip(is_known).map(|(size, is_known)| if is_known { size } else { f64::INFINITY }).collect()
}

/// Returns the least and the largest change of every variable in one iteration: within its bounds, and not so far that
/// linear residuals say nothing there, whatever the radius is. Where one variable is far better determined than the
/// others, a radius of its size allows the others changes of many times theirs.
pub(super) fn changes(state: &OptimizerState) -> (Vec<f64>, Vec<f64>) {
    /// The largest change of a linearly scaled variable in one iteration, relative to its size. Below 1, so that a
    /// variable does not end at 0 exactly, where many residuals depend on nothing else. With 0.9, the problems of NIST
    /// and of More, Garbow and Hillstrom take 12 % fewer evaluations than without a limit; with 1 or 1.5, some of them
    /// fail.
    const MAX_CHANGE: f64 = 0.9;
    let largest = state.settings.largest_step;
    let range = |((variable, x), size): ((&Variable, &f64), f64)| {
        let (lower, upper) = variable.scaled_bounds();
        let largest = match variable.scaling() {
            Scaling::Logarithmic => largest,
            Scaling::Linear { .. } => MAX_CHANGE * size,
        };
        ((lower - x).max(-largest), (upper - x).min(largest))
    };
    let sizes = sizes_without_flat(state);
    state.variables.iter().zip(&state.position).zip(sizes).map(range).unzip()
}
