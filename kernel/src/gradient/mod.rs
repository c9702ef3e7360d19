//! Sweeps through a run of a model: the discrete adjoint backward, direct differentiation forward.

mod adjoint;
mod adjoint_history;
mod cost_sweep;
mod differences;
mod direct;
mod displaced;
mod four_steps;
mod full;
mod initial_share;
mod inputs;
mod lanes;
mod terms;
mod touched;

pub use costate_system::gradient::*;

pub use adjoint::adjoint_gradients;
pub use adjoint_history::history_of_adjoint;
pub use differences::differences;
pub use direct::by_sample;
pub use full::full_gradient;
pub use inputs::input_gradient;
pub use lanes::gradient_lanes;
pub use terms::cost_terms;
pub use touched::lookup_arguments;
