//! One step in time: the scheme and its coefficients, prediction, Newton's iteration, and the data that a
//! step leaves for the next one.
//!
//! This module knows only models; the loops over steps, their storage and backward sweeps are built on top of
//! it.
//!
//! A scheme is a set of weights. A step carries an auxiliary acceleration in addition to the state, so that one set of
//! emitted functions is that of generalized alpha and of HHT. `integrator` predicts, iterates and keeps what the next
//! step needs (`history`, `snapshot`), for any type of numbers with one real factorisation; `lanes` does so for four
//! runs side by side. `newton` ends the iteration; where updates stall, `correct` decides whether the residuals are the
//! rounding of their terms. `matrix` accepts emitted factors where they solve well, and monitors every factor from then
//! on; where these fail, or a large model has none, `costate_numerics::linalg::SparseLu` factorises in the order of the
//! description, and searches pivots where that order fails.
//!
//! `linear` has the matrices of a step at its state. The `tangent` and the `adjoint` of a step use them;
//! `adjoint_variables` has the part of the adjoint that belongs to the scheme alone. `displacement` is for steps that
//! restart, the first one and those of another length than the step before, which have weights of their own.
//! `determined` is for models without a degree of freedom, whose states follow from their constraints alone.
//! `single` makes steps from any state for filters, of one point or of four in lanes.
//!
//! # Speed
//!
//! Functions in loops are `#[inline(always)]`, and closures are avoided: a function that is not inlined is not compiled
//! with the vectors of the processor (`entrywise`, `sizes`). Emitted functions of a step write sums with products as
//! `plus_product` and `minus_product`, which builds for processors with fused operations fuse. Other emitted functions
//! are compiled once ([`evaluate`](crate::evaluate)).

mod acceleration_matrix;
mod adjoint;
mod adjoint_variables;
mod column_scalar;
mod correct;
mod correction;
mod determined;
mod displacement;
mod entries;
mod entrywise;
mod history;
mod integrator;
mod lanes;
mod linear;
mod lookups;
mod mass;
mod matrix;
mod newton;
mod rows;
mod scratch;
mod selection;
mod single;
mod sizes;
mod snapshot;
mod step_constants;
mod tangent;

pub use costate_system::step::*;

/// Largest number of matrices or steps for which factors that have failed are not tried again: the pause doubles with
/// every failure, 1, 2, 4 and so on, so that a long run loses no more than one step in 64 by them.
const MAX_PAUSE: u32 = 64;

pub(crate) use acceleration_matrix::AccelerationMatrix;
pub(crate) use adjoint::{ParameterBlocks, StepAdjoint};
pub(crate) use adjoint_variables::AdjointVariables;
pub(crate) use column_scalar::ColumnScalar;
pub(crate) use displacement::{DisplacedLookups, Displacement, Worth};
pub(crate) use integrator::{Integrator, Start};
pub(crate) use lanes::LaneIntegrator;
pub use linear::{AdjointStep, LinearStep};
pub(crate) use lookups::LookupAdjoint;
pub(crate) use matrix::LaneLimits;
pub(crate) use matrix::{Limits, StepMatrix, order_of_library};
pub(crate) use scratch::Scratch;
pub(crate) use single::Before;
pub(crate) use snapshot::Snapshot;
pub use step_constants::StepConstants;
pub(crate) use tangent::{Solver, Tangent, With};
