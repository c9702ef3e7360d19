//! A consistent initial covariance of a model with constraints.

use nalgebra::{DMatrix, DVector};

use super::implicit::ImplicitModel;
use super::manifold::Manifold;
use super::unsuitable;
use crate::filter::checks::check_size;
use crate::filter::error::FilterError;
use crate::filter::transformation::Gaussian;
use crate::identifiers::Coordinate;
use crate::model::Model;
use crate::problem::SimulationError;
use crate::step::State;

/// See [`ImplicitModel::initial`].
pub(super) fn initial<M: Model>(
    model: &ImplicitModel<M>,
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
    let mut manifold = Manifold::new();
    let constants = problem.constants(&selected.parameters);
    if !manifold.linearize(&start.point(0.0, &problem.inputs()[0], &constants)) {
        return Err(unsuitable::<M>(
            "has accelerations or multipliers that nothing determines",
            "give each coordinate a mass or a constraint, and remove redundant constraints",
        ));
    }
    let mut columns: Vec<DVector<f64>> = Vec::new();
    for (list, first) in [(coordinates, 0), (velocities, ImplicitModel::<M>::N)] {
        for &(coordinate, deviation) in list {
            let mut column = DVector::zeros(states);
            column[first + coordinate.index()] = deviation;
            manifold.tangent(column.as_mut_slice(), &selected.estimated);
            columns.push(column);
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
