//! A consistent initial covariance of a model with constraints.

use nalgebra::{DMatrix, DVector};

use super::hht::HhtModel;
use super::unsuitable;
use crate::block::find;
use crate::filter::checks::check_size;
use crate::filter::error::FilterError;
use crate::filter::transformation::Gaussian;
use crate::identifiers::Coordinate;
use crate::integrator::{SimulationError, State};
use crate::linalg::{DenseLu, dense};
use crate::model::{Argument, Function, Model};
use crate::scalar::Vector;

/// See [`HhtModel::initial`].
pub(super) fn initial<M: Model>(
    model: &HhtModel<M>,
    coordinates: &[(Coordinate<M>, f64)],
    velocities: &[(Coordinate<M>, f64)],
    parameters: &[f64],
) -> Result<Gaussian, FilterError> {
    let selected = &model.selected;
    check_size("standard deviations of parameters", parameters.len(), selected.estimated.len())?;
    let problem = &selected.problem;
    let start: State<M, f64> = problem.initial_state(&selected.parameters).map_err(SimulationError::from)?;
    let mut mean = Vec::new();
    start.store(&mut mean);
    mean.extend(selected.estimated.iter().map(|&index| selected.parameters.as_ref()[index]));
    let states = mean.len();
    let tangent = Tangent::at(model, &start)?;
    let mut columns: Vec<DVector<f64>> = Vec::new();
    let n = HhtModel::<M>::N;
    for (list, is_velocity) in [(coordinates, false), (velocities, true)] {
        for &(coordinate, deviation) in list {
            let unit = DVector::from_fn(n, |j, _| if j == coordinate.index() { deviation } else { 0.0 });
            let (dq, dv) = if is_velocity { (DVector::zeros(n), unit) } else { (unit, DVector::zeros(n)) };
            let fixed = tangent.complete(dq, dv);
            columns.push(fixed.resize_vertically(states, 0.0));
        }
    }
    let derivatives = problem
        .initial_derivatives(&selected.parameters, &selected.estimated)
        .map_err(SimulationError::from)?;
    for (k, deviation) in parameters.iter().enumerate() {
        let mut column = derivatives.column(k).into_owned().resize_vertically(states, 0.0) * *deviation;
        column[derivatives.nrows() + k] = *deviation;
        columns.push(column);
    }
    let mut covariance = DMatrix::zeros(states, states);
    for column in &columns {
        covariance.ger(1.0, column, column, 1.0);
    }
    Gaussian::new(DVector::from_vec(mean), covariance)
}

/// The linearised constraints and equations of motion at a state.
struct Tangent {
    jacobian: DMatrix<f64>,
    /// C_q^+.
    inverse: DMatrix<f64>,
    velocity_q: DMatrix<f64>,
    acceleration_q: DMatrix<f64>,
    acceleration_v: DMatrix<f64>,
    /// Derivatives of f - M a - C_q^T lambda.
    force_q: DMatrix<f64>,
    force_v: DMatrix<f64>,
    kkt: DenseLu,
}

impl Tangent {
    fn at<M: Model>(model: &HhtModel<M>, state: &State<M, f64>) -> Result<Self, FilterError> {
        let (n, m) = (HhtModel::<M>::N, HhtModel::<M>::M);
        let inputs = &model.selected.problem.inputs()[0];
        let constants = model.selected.problem.constants(&model.selected.parameters);
        let point = state.point(0.0, inputs, &constants);
        let mut group = M::Linearization::<f64>::zeros();
        M::linearization(&point, &mut group);
        let mut kinematics = M::KinematicsDerivatives::<f64>::zeros();
        M::kinematics_derivatives(&point, &mut kinematics);
        let groups = M::DESCRIPTION.groups;
        let of = |function, argument, rows| {
            dense(find(groups.linearization, function, Some(argument)), group.as_ref(), rows, n)
        };
        let level = |function, argument| {
            dense(find(groups.kinematics_derivatives, function, Some(argument)), kinematics.as_ref(), m, n)
        };
        let jacobian = of(Function::Constraint, Argument::Coordinates, m);
        let mut kkt = DMatrix::zeros(n + m, n + m);
        kkt.view_mut((0, 0), (n, n)).copy_from(&of(Function::Inertia, Argument::Accelerations, n));
        kkt.view_mut((n, 0), (m, n)).copy_from(&jacobian);
        kkt.view_mut((0, n), (n, m)).copy_from(&jacobian.transpose());
        let kkt = DenseLu::new(&kkt).map_err(|_| {
            unsuitable::<M>(
                "has accelerations or multipliers that nothing determines",
                "give each coordinate a mass or a constraint, and remove redundant constraints",
            )
        })?;
        let inverse = if m == 0 {
            DMatrix::zeros(n, 0)
        } else {
            jacobian.clone().pseudo_inverse(1e-12 * jacobian.amax()).map_err(|_| {
                unsuitable::<M>("has a constraint Jacobian without inverse", "look at its constraints")
            })?
        };
        Ok(Self {
            inverse,
            velocity_q: level(Function::ConstraintVelocity, Argument::Coordinates),
            acceleration_q: level(Function::ConstraintAcceleration, Argument::Coordinates),
            acceleration_v: level(Function::ConstraintAcceleration, Argument::Velocities),
            force_q: of(Function::Force, Argument::Coordinates, n)
                - of(Function::Inertia, Argument::Coordinates, n)
                - of(Function::ConstraintForce, Argument::Coordinates, n),
            force_v: of(Function::Force, Argument::Velocities, n),
            jacobian,
            kkt,
        })
    }

    /// (dq, dv, da, dlambda) that satisfy the linearised equations, closest to what is given for dq and dv.
    fn complete(&self, dq: DVector<f64>, dv: DVector<f64>) -> DVector<f64> {
        let (n, m) = (dq.len(), self.jacobian.nrows());
        let dq = &dq - &self.inverse * (&self.jacobian * &dq);
        let dv = &dv - &self.inverse * (&self.jacobian * &dv + &self.velocity_q * &dq);
        let mut right = DMatrix::zeros(n + m, 1);
        right.view_mut((0, 0), (n, 1)).copy_from(&(&self.force_q * &dq + &self.force_v * &dv));
        right.view_mut((n, 0), (m, 1)).copy_from(&-(&self.acceleration_q * &dq + &self.acceleration_v * &dv));
        let unknowns = self.kkt.solve(&right);
        let all = dq.iter().chain(dv.iter()).chain(unknowns.iter()).copied();
        DVector::from_iterator(3 * n + m, all)
    }
}
