//! One step in time: the scheme and its coefficients, prediction, Newton's iteration, and the data that a
//! step leaves for the next one.
//!
//! This module knows only models; the loops over steps, their storage and backward sweeps are built on top of
//! it.

mod acceleration_matrix;
mod adjoint;
mod adjoint_variables;
mod column_scalar;
mod correct;
mod correction;
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
mod selection;
mod single;
mod sizes;
mod snapshot;
mod step_constants;
mod tangent;

pub use costate_system::step::*;

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
pub(crate) use matrix::{Limits, StepMatrix};
pub(crate) use single::Before;
pub(crate) use snapshot::Snapshot;
pub use step_constants::StepConstants;
pub(crate) use tangent::{Solver, Tangent, With};
