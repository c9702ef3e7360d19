//! What sweeps find.

use crate::problem::SimulationError;
use crate::run::Trajectory;
use crate::scalar::LANES;
use crate::series::Series;

/// A run and the derivatives dJ/ds_i of its cost.
pub type RunAndCost<'a> = (&'a Trajectory, &'a Series<f64>);

/// A gradient per lane; `None` for one that does not go in lanes.
pub type LaneGradients = [Option<Result<Vec<f64>, SimulationError>>; LANES];

/// The gradient of a cost.
#[derive(Debug, Default)]
pub struct FullGradient {
    /// With respect to the unknown parameters.
    pub by_parameters: Vec<f64>,
    /// With respect to the values of every table that was asked for.
    pub by_tables: Vec<Option<Vec<f64>>>,
    /// With respect to all inputs at all steps, if they were asked for.
    pub by_inputs: Option<Series<f64>>,
}

/// How large the terms of a cost are that may cancel.
#[derive(Debug, Clone, Copy, Default)]
pub struct CostTerms {
    /// The sum of |dJ/ds| |ds/dx| |x| over all samples and outputs, where every number of q, v, a, lambda counts as much
    /// as the largest of its kind: those that happen to be near zero come from others that are not.
    pub size: f64,
    /// The change of J if the states are rounded: positions by their last digits, velocities and accelerations by what this
    /// makes of them in a step, multipliers as accelerations.
    pub rounding: f64,
}
