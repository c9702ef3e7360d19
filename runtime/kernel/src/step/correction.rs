//! The working data of a correction of a and lambda.

use costate_numerics::scalar::{Scalar, Vector};
use costate_system::model::{Functions, Group};

use super::matrix::StepMatrix;
use super::rows::Rows;
use crate::step::State;

/// The working data of a correction.
pub(super) struct Correction<M: Functions, S: Scalar> {
    pub matrix: StepMatrix<M>,
    /// The varying factors of every component, where there are several.
    pub factors: M::Factors<S>,
    /// The correction of a and lambda (n + m), where it was found by components or has failed.
    pub values: M::Unknowns<S>,
    pub residual: M::Residual<S>,
    pub residual_rows: Rows,
    /// One component of the residual, then of the correction.
    pub component: M::Unknowns<f64>,
    pub real: State<M, f64>,
    /// The constraints at velocity and acceleration level, where these determine the state.
    pub kinematics: M::Kinematics<S>,
}

impl<M: Functions, S: Scalar> Correction<M, S> {
    pub fn new(program: M::Program) -> Self {
        let lengths = M::lengths(program);
        let groups = M::description(program).groups;
        Self {
            matrix: StepMatrix::new(program, groups.newton),
            factors: Vector::zeros(lengths.factors),
            values: Vector::zeros(lengths.unknowns),
            residual: Vector::zeros(lengths.group(Group::Residual)),
            residual_rows: Rows::of(groups.residual),
            component: Vector::zeros(lengths.unknowns),
            real: State::zeros_of(program),
            kinematics: Vector::zeros(lengths.group(Group::Kinematics)),
        }
    }
}
