//! Derivatives of a computed run: the discrete adjoint, direct differentiation and the continuous adjoint.
//!
//! The first two differentiate the discrete scheme itself, DA (12) to (15), so that the gradient is that of the
//! computed number and agrees with dual numbers to rounding.

mod accuracy;
mod adjoint;
mod adjoint_history;
mod belongs;
mod continuous;
mod continuous_step;
mod cost_sweep;
mod direct;
mod displaced;
mod four_steps;
mod full;
mod initial_share;
mod inputs;
mod lanes;
mod method;
mod sensitivity;
mod tables;
mod terms;
mod touched;
mod value;

pub use accuracy::{Accuracy, Differences, ErrorEstimate, Own};
pub use adjoint::{gradient, gradients};
pub use adjoint_history::{AdjointHistory, adjoint_history};
pub use cost_sweep::FullGradient;
pub use direct::{Columns, InputChange};
pub use inputs::input_gradient;
pub use lanes::{LaneGradients, RunAndCost};
pub use method::GradientMethod;
pub use sensitivity::{sensitivities, sensitivities_by_sample};
pub use tables::{TableGradient, TableSensitivities, UnknownTables, table_gradient, table_sensitivities};
pub use terms::CostTerms;

pub(crate) use accuracy::{accuracy, check_accuracy, differences, measured_accuracy, round_step};
pub(crate) use adjoint::adjoint_gradients;
pub(crate) use adjoint_history::history_of_adjoint;
pub(crate) use belongs::check_derivatives;
pub(crate) use direct::by_sample;
pub(crate) use full::full_gradient;
pub(crate) use lanes::gradient_lanes;
pub(crate) use sensitivity::{all_outputs, each_sample, full_sensitivities};
pub(crate) use touched::lookup_arguments;
pub(crate) use value::check_cost;
