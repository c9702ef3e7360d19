//! The emitted functions, compiled once for every number type: they are long, and inlined wherever a model is called
//! itself, so that lanes can have them in a loop that is compiled for a processor with vectors.

use costate_numerics::scalar::Scalar;
use costate_system::model::{Functions, Point, Weights};
use costate_system::table::Tables;

/// [`Functions::constants`].
#[inline(never)]
pub(crate) fn constants<M: Functions, S: Scalar>(
    program: M::Program,
    parameters: &M::Parameters<S>,
    weights: &Weights,
    tables: &Tables,
) -> M::Constants<S> {
    M::constants(program, parameters, weights, tables)
}

/// [`Functions::renew_constants`].
#[inline(never)]
pub(crate) fn renew_constants<M: Functions, S: Scalar>(
    constants: &mut M::Constants<S>,
    parameters: &M::Parameters<S>,
    weights: &Weights,
    tables: &Tables,
) {
    M::renew_constants(constants, parameters, weights, tables);
}

/// [`Functions::residual`].
#[inline(never)]
pub(crate) fn residual<M: Functions, S: Scalar>(at: &Point<'_, M, S>, out: &mut M::Residual<S>) {
    M::residual(at, out);
}

/// [`Functions::newton`].
#[inline(never)]
pub(crate) fn newton<M: Functions, S: Scalar>(at: &Point<'_, M, S>, out: &mut M::Newton<S>) {
    M::newton(at, out);
}

/// [`Functions::adjoint`].
#[inline(never)]
pub(crate) fn adjoint<M: Functions, S: Scalar>(
    at: &Point<'_, M, S>,
    out: &mut M::Adjoint<S>,
    factors: &mut M::Factors<S>,
) {
    M::adjoint(at, out, factors);
}

/// [`Functions::linearization`].
#[inline(never)]
pub fn linearization<M: Functions, S: Scalar>(at: &Point<'_, M, S>, out: &mut M::Linearization<S>) {
    M::linearization(at, out);
}

/// [`Functions::kinematics`].
#[inline(never)]
pub fn kinematics<M: Functions, S: Scalar>(at: &Point<'_, M, S>, out: &mut M::Kinematics<S>) {
    M::kinematics(at, out);
}
