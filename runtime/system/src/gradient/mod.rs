//! Derivatives of a computed run: the discrete adjoint and direct differentiation.
//!
//! Both differentiate the discrete scheme itself, DA (12) to (15), so that the gradient is that of the
//! computed number and agrees with dual numbers to rounding.

mod accuracy;
mod adjoint;
mod adjoint_history;
mod columns;
mod consistency;
mod method;
mod results;
mod sensitivity;
mod tables;
mod value;

pub use accuracy::{
    Accuracy, Differences, ErrorEstimate, MotionKink, Own, ScaleKind, accuracy, check_accuracy, judged,
    measured_accuracy, round_step, shows_motion,
};
pub use adjoint::{gradient, gradients};
pub use adjoint_history::{AdjointHistory, adjoint_history};
pub use columns::{Columns, InputChange};
pub use consistency::{check_derivatives, check_end};
pub use method::GradientMethod;
pub use results::{CostTerms, FullGradient, LaneGradients, RunAndCost};
pub use sensitivity::{
    PartSensitivities, all_outputs, each_sample, full_sensitivities, part_sensitivities, sensitivities,
    sensitivities_by_sample,
};
pub use tables::{TableGradient, TableSensitivities, UnknownTables, table_gradient, table_sensitivities};
pub(crate) use value::check_cost;
