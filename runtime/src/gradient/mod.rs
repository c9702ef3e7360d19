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

pub use accuracy::{Accuracy, ErrorEstimate};
pub use adjoint::{gradient, gradients};
pub use adjoint_history::{AdjointHistory, adjoint_history};
pub use inputs::input_gradient;
pub use method::GradientMethod;
pub use sensitivity::{sensitivities, sensitivities_by_sample};
pub use tables::{TableGradient, TableSensitivities, UnknownTables, table_gradient, table_sensitivities};

pub(crate) use accuracy::{accuracy, check_accuracy, measured_accuracy, round_step};
pub(crate) use belongs::check_derivatives;
pub(crate) use direct::InputChange;
pub(crate) use full::full_gradient;
pub(crate) use lanes::gradient_lanes;
pub(crate) use sensitivity::{all_outputs, full_sensitivities};
pub(crate) use terms::CostTerms;
pub(crate) use touched::touched;
pub(crate) use value::check_cost;
