//! The functions of a model, which its equations of motion consist of: those that `model!` emits, or those of a model
//! that is loaded while a program runs.

use costate_contract::{Description, Group};
use costate_numerics::scalar::{Numbers, Scalar, Vector};

use crate::system::Differentiable;
use crate::table::Tables;

use super::lengths::Lengths;
use super::point::{AdjointCarry, AdjointUpdate, Point};
use super::selected::SelectedParameters;
use super::weights::Weights;

/// The functions of a multibody model.
///
/// The equations of motion in redundant coordinates (index-3 DAE) are
///
/// ```text
/// M(q,p) a + C_q(q,p,t)^T lambda = f(q,v,p,u,t),   C(q,p,t) = 0,   s = s(q,v,a,lambda,p,u,t)
/// ```
///
/// with n coordinates q, velocities v, accelerations a, m constraints C with multipliers lambda, parameters p,
/// inputs u and outputs s. G = C_q^T lambda - f is called the *force residual*.
///
/// `model!` writes the implementation of a compiled model, whose vectors are arrays; a loaded model has vectors of
/// lengths that its [program](Self::Program) knows. Each function fills a whole vector, the *group*: a sequence of
/// [`Block`](super::Block)s (vectors and the nonzeros of matrices) laid out as [`Description::groups`] says. Shared
/// subexpressions are computed once per group; expressions of parameters alone once per run, in
/// [`constants`](Functions::constants).
pub trait Functions: Clone + std::fmt::Debug + Send + Sync + Sized + 'static {
    /// The parts of a loaded model; `()` for a compiled model, of which the type says everything.
    type Program: Copy + std::fmt::Debug + Send + Sync + 'static;
    /// Names, units, patterns and sizes of a compiled model; `None` for models that are loaded.
    const COMPILED: Option<&'static Description>;

    /// True where [`adjoint`](Functions::adjoint) consists of sums of the entries of
    /// [`linearization`](Functions::linearization), which [`AdjointTerms`](super::AdjointTerms) adds.
    const ADJOINT_IS_SUMS: bool = false;

    /// n coordinates, velocities or accelerations.
    type Coordinates<S: Scalar>: Vector<S>;
    /// m Lagrange multipliers or constraints.
    type Multipliers<S: Scalar>: Vector<S>;
    /// The n + m unknowns of a step: accelerations and multipliers.
    type Unknowns<S: Scalar>: Vector<S>;
    /// All parameters.
    type Parameters<S: Scalar>: Vector<S>;
    /// All inputs.
    type Inputs<S: Scalar>: Vector<S>;
    /// All outputs.
    type Outputs<S: Scalar>: Vector<S>;
    /// Quantities that are constant during a run.
    type Constants<S: Scalar>: Clone + Send + Sync + 'static;
    /// Array of [`Groups::initial`](super::Groups::initial).
    type Initial<S: Scalar>: Vector<S>;
    /// Array of [`Groups::initial_derivatives`](super::Groups::initial_derivatives).
    type InitialDerivatives<S: Scalar>: Vector<S>;
    /// Array of [`Groups::residual`](super::Groups::residual).
    type Residual<S: Scalar>: Vector<S>;
    /// Array of [`Groups::newton`](super::Groups::newton).
    type Newton<S: Scalar>: Vector<S>;
    /// Array of [`Groups::adjoint`](super::Groups::adjoint).
    type Adjoint<S: Scalar>: Vector<S>;
    /// The factors of the Newton matrix that change during a run, see [`Elimination`](super::Elimination).
    type Factors<S: Scalar>: Vector<S>;
    /// The coefficients of [`adjoint_recurrence`](Functions::adjoint_recurrence), besides the factors.
    type AdjointCoefficients<S: Scalar>: Vector<S>;
    /// Array of [`Groups::linearization`](super::Groups::linearization).
    type Linearization<S: Scalar>: Vector<S>;
    /// Array of [`Groups::kinematics`](super::Groups::kinematics).
    type Kinematics<S: Scalar>: Vector<S>;
    /// Array of [`Groups::kinematics_derivatives`](super::Groups::kinematics_derivatives).
    type KinematicsDerivatives<S: Scalar>: Vector<S>;
    /// Array of [`Groups::output_derivatives`](super::Groups::output_derivatives).
    type OutputDerivatives<S: Scalar>: Vector<S>;
    /// Array of [`Groups::input_derivatives`](super::Groups::input_derivatives).
    type InputDerivatives<S: Scalar>: Vector<S>;

    /// Returns names, units, patterns and sizes.
    #[inline(always)]
    fn description(_program: Self::Program) -> &'static Description {
        const {
            match Self::COMPILED {
                Some(description) => description,
                None => &Description::new(""),
            }
        }
    }
    /// Returns the lengths of all vectors.
    #[inline(always)]
    fn lengths(_program: Self::Program) -> Lengths {
        const { Lengths::of_arrays::<Self>() }
    }
    /// Returns the program to which the constants of a run belong.
    fn program<S: Scalar>(constants: &Self::Constants<S>) -> Self::Program;
    /// Returns the model as a value that can be differentiated.
    fn erased(program: Self::Program) -> &'static dyn Differentiable;

    /// Evaluates the numbers of [`Description::scene`]: the positions of joints, elements and points in their
    /// bodies, and the sizes of shapes.
    fn geometry<S: Scalar>(_program: Self::Program, _parameters: &Self::Parameters<S>, _tables: &Tables) -> Vec<S> {
        Vec::new()
    }

    /// Returns the data of the tables that are part of the model; tables that are given to a run have no data
    /// here.
    fn own_tables(program: Self::Program) -> Tables {
        Tables::of(Self::description(program))
    }

    /// Evaluates everything that depends on parameters (and the integrator's weights) alone, and stores the
    /// tables.
    fn constants<S: Scalar>(
        program: Self::Program,
        parameters: &Self::Parameters<S>,
        weights: &Weights,
        tables: &Tables,
    ) -> Self::Constants<S>;
    /// Evaluates the constants for other parameters, weights and tables of the same program.
    fn renew_constants<S: Scalar>(
        constants: &mut Self::Constants<S>,
        parameters: &Self::Parameters<S>,
        weights: &Weights,
        tables: &Tables,
    ) {
        *constants = Self::constants(Self::program(constants), parameters, weights, tables);
    }
    /// Evaluates the initial values that the model specifies: q0(p), v0(p); zero where the model leaves them
    /// open. This and the other functions of groups do nothing where all their results are structurally zero.
    fn initial<S: Scalar>(_constants: &Self::Constants<S>, _out: &mut Self::Initial<S>) {}
    /// Evaluates the derivatives of the initial values with respect to the parameters.
    fn initial_derivatives<S: Scalar>(_constants: &Self::Constants<S>, _out: &mut Self::InitialDerivatives<S>) {}
    /// Evaluates a group at a point where the group has no function of its own: every group of a loaded model, no group
    /// of a compiled one, which leaves out the functions whose results are all structurally zero.
    #[inline(always)]
    fn evaluate<S: Scalar>(_group: Group, _at: &Point<'_, Self, S>, _out: &mut [S]) {}
    /// Evaluates M a, the force residual G, and C.
    #[inline(always)]
    fn residual<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::Residual<S>) {
        Self::evaluate(Group::Residual, at, out.as_mut());
    }
    /// Evaluates the results of [`residual`](Functions::residual), the Newton matrix
    /// `w_a M + w_q (w_a (M a)_q + G_q) + w_v G_v`, and C_q.
    #[inline(always)]
    fn newton<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::Newton<S>) {
        Self::evaluate(Group::Newton, at, out.as_mut());
    }
    /// Computes the correction `-K^-1 r` of a and lambda in an iteration of Newton's method, with
    /// `r = (w_a M a + G - history, C/w_q)` and the Newton matrix K, and the factors of K in the pivot order of
    /// [`Description::elimination`]. This and the following functions do nothing without an
    /// [`Elimination`](super::Elimination).
    fn newton_correction<S: Scalar>(
        _at: &Point<'_, Self, S>,
        _history: &Self::Coordinates<S>,
        _correction: &mut Self::Unknowns<S>,
        _factors: &mut Self::Factors<S>,
    ) {
    }
    /// Computes the [correction](Functions::newton_correction) with given factors, those of an earlier iteration.
    fn chord_correction<S: Scalar>(
        _at: &Point<'_, Self, S>,
        _history: &Self::Coordinates<S>,
        _correction: &mut Self::Unknowns<S>,
        _factors: &Self::Factors<S>,
    ) {
    }
    /// Solves with the Newton matrix; `unknowns` holds the right-hand side (n equations of motion, m constraints)
    /// before and the solution after.
    fn solve<S: Scalar>(
        _constants: &Self::Constants<S>,
        _factors: &Self::Factors<S>,
        _unknowns: &mut Self::Unknowns<S>,
    ) {
    }
    /// Solves with the transposed Newton matrix.
    fn solve_transposed<S: Scalar>(
        _constants: &Self::Constants<S>,
        _factors: &Self::Factors<S>,
        _unknowns: &mut Self::Unknowns<S>,
    ) {
    }
    /// Evaluates the matrices of the discrete adjoint: C_q, (M a)_q, G_q, G_v, (M a)_p, G_p, C_p, and the
    /// factors of the Newton matrix; the Newton matrix itself where there is no
    /// [`Elimination`](super::Elimination).
    fn adjoint<S: Scalar>(_at: &Point<'_, Self, S>, _out: &mut Self::Adjoint<S>, _factors: &mut Self::Factors<S>) {}
    /// Evaluates the data of a step of the discrete adjoint (DA 9 to 20) that do not depend on the step after
    /// it: the factors of the Newton matrix, and the coefficients of
    /// [`adjoint_recurrence`](Functions::adjoint_recurrence) with respect to the `selected` parameters. Models
    /// without [coefficients](Self::AdjointCoefficients), for example large ones of equal parts, have
    /// [`adjoint_step`](Functions::adjoint_step) in one piece.
    fn adjoint_coefficients<S: Scalar>(
        _at: &Point<'_, Self, S>,
        _output_gradient: &Self::Outputs<S>,
        _selected: &SelectedParameters,
        _coefficients: &mut Self::AdjointCoefficients<S>,
        _factors: &mut Self::Factors<S>,
    ) {
    }
    /// Computes the adjoint variables of a step from the contributions that the step after it has passed
    /// on, its history included, and the step's share in dJ/dp; entries of parameters that are not `selected`
    /// keep their values.
    fn adjoint_recurrence<S: Scalar>(
        _constants: &Self::Constants<S>,
        _factors: impl Numbers<S>,
        _coefficients: impl Numbers<S>,
        _selected: &SelectedParameters,
        _carry: &AdjointCarry<Self, S>,
        _update: &mut AdjointUpdate<Self, S>,
        _gradient: &mut Self::Parameters<S>,
    ) {
    }
    /// Adds the effect of `carried` of the step after to the right-hand side that is passed on.
    fn adjoint_history<S: Scalar>(
        _constants: &Self::Constants<S>,
        _factors: impl Numbers<S>,
        _coefficients: impl Numbers<S>,
        _carry: &mut AdjointCarry<Self, S>,
    ) {
    }
    /// Computes one step of the discrete adjoint: coefficients from the state and dJ/ds, then the recurrence.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn adjoint_step<S: Scalar>(
        at: &Point<'_, Self, S>,
        output_gradient: &Self::Outputs<S>,
        selected: &SelectedParameters,
        carry: &mut AdjointCarry<Self, S>,
        update: &mut AdjointUpdate<Self, S>,
        gradient: &mut Self::Parameters<S>,
        coefficients: &mut Self::AdjointCoefficients<S>,
        factors: &mut Self::Factors<S>,
    ) {
        Self::adjoint_coefficients(at, output_gradient, selected, coefficients, factors);
        if carry.has_history {
            Self::adjoint_history(at.constants, &*factors, &*coefficients, carry);
        }
        Self::adjoint_recurrence(at.constants, &*factors, &*coefficients, selected, carry, update, gradient);
    }
    /// Evaluates f and C_q^T lambda, and every first derivative of these two, of M a and of C separately.
    #[inline(always)]
    fn linearization<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::Linearization<S>) {
        Self::evaluate(Group::Linearization, at, out.as_mut());
    }
    /// Evaluates the constraint at velocity level, `C_q v + C_t`, and at acceleration level,
    /// `C_q a + (C_q v)_q v + 2 C_qt v + C_tt`.
    #[inline(always)]
    fn kinematics<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::Kinematics<S>) {
        Self::evaluate(Group::Kinematics, at, out.as_mut());
    }
    /// Evaluates the derivatives of the constraints at both levels with respect to q, v and p (without those
    /// with respect to v and a that equal C_q).
    #[inline(always)]
    fn kinematics_derivatives<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::KinematicsDerivatives<S>) {
        Self::evaluate(Group::KinematicsDerivatives, at, out.as_mut());
    }
    /// Evaluates the outputs s.
    #[inline(always)]
    fn outputs<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::Outputs<S>) {
        Self::evaluate(Group::Outputs, at, out.as_mut());
    }
    /// Evaluates the derivatives of the outputs with respect to q, v, a, lambda, p and u.
    #[inline(always)]
    fn output_derivatives<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::OutputDerivatives<S>) {
        Self::evaluate(Group::OutputDerivatives, at, out.as_mut());
    }
    /// Evaluates the derivatives of G and of the outputs with respect to the inputs.
    #[inline(always)]
    fn input_derivatives<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::InputDerivatives<S>) {
        Self::evaluate(Group::InputDerivatives, at, out.as_mut());
    }
    /// Evaluates the arguments of the [lookups](Description::lookups) in tables that a step and its outputs
    /// make, and the derivatives of M a, G, C and the outputs with respect to the results of these lookups:
    /// the array of [`Groups::lookups`](super::Groups::lookups).
    #[inline(always)]
    fn lookups<S: Scalar>(at: &Point<'_, Self, S>, out: &mut [S]) {
        Self::evaluate(Group::Lookups, at, out);
    }
    /// Evaluates the arguments of all lookups, and the derivatives of the initial values, of every term of
    /// the equations of motion and of the constraints at all levels with respect to the lookups' results: the
    /// array of [`Groups::initial_lookups`](super::Groups::initial_lookups).
    #[inline(always)]
    fn initial_lookups<S: Scalar>(at: &Point<'_, Self, S>, out: &mut [S]) {
        Self::evaluate(Group::InitialLookups, at, out);
    }
}
