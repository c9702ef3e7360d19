//! Sweeps through a run of a model: the discrete adjoint backward, direct differentiation forward.
//!
//! `adjoint` goes backward with one emitted function per step, or with the blocks of its matrices; `cost_sweep` has one
//! of the costs of a sweep, `full` the gradient with respect to parameters, inputs and tables together. `four_steps`
//! computes everything that depends on known states alone for four steps in lanes, `four_blocks` the matrices of models
//! without emitted factors. `direct` takes four columns of derivatives side by side. A gradient with respect to the
//! values of tables adds up the shares of all lookups (`step/lookups.rs`). `displaced` has the effect of displaced
//! velocities between two steps. `differences` compares a run with a run of other steps.

mod adjoint;
mod adjoint_history;
mod cost_rounding;
mod cost_sweep;
mod differences;
mod direct;
mod displaced;
mod four_blocks;
mod four_states;
mod four_steps;
mod full;
mod initial_share;
mod inputs;
mod lanes;
mod lookup_arguments;

pub use costate_system::gradient::*;

pub use adjoint::adjoint_gradients;
pub use adjoint_history::history_of_adjoint;
pub use cost_rounding::cost_terms;
pub use differences::differences;
pub use direct::by_sample;
pub use full::full_gradient;
pub use inputs::input_gradient;
pub(crate) use inputs::input_gradient_with;
pub use lanes::gradient_lanes;
pub use lookup_arguments::lookup_arguments;
