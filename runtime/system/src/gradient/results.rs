//! The results of sweeps.

use costate_numerics::scalar::LANES;

use crate::problem::SimulationError;
use crate::run::Trajectory;
use crate::series::Series;

/// A run and the derivatives dJ/ds_i of its cost.
pub type RunAndCost<'a> = (&'a Trajectory, &'a Series<f64>);

/// A gradient per lane; `None` for a run that does not go in lanes.
pub type LaneGradients = [Option<Result<Vec<f64>, SimulationError>>; LANES];

/// The gradient of a cost.
#[derive(Debug, Default)]
pub struct FullGradient {
    /// Derivatives with respect to the unknown parameters.
    pub by_parameters: Vec<f64>,
    /// Derivatives with respect to the values of every table; `None` for tables that are not wanted.
    pub by_tables: Vec<Option<Vec<f64>>>,
    /// Derivatives with respect to all inputs at all steps; `None` if they are not wanted.
    pub by_inputs: Option<Series<f64>>,
}

/// The sizes of the terms of a cost that may cancel.
#[derive(Debug, Clone, Copy, Default)]
pub struct CostTerms {
    /// The sum of |dJ/ds| |ds/dx| |x| over all samples and outputs, where every number of q, v, a, lambda
    /// counts as much as the largest of its kind: numbers that happen to be near zero are computed from
    /// others that are not.
    pub size: f64,
    /// The change of J if the states are rounded: positions by their last digits, velocities and
    /// accelerations by the corresponding change over a step, multipliers as accelerations.
    pub rounding: f64,
}
