//! A consistent initial covariance of a model with constraints.

use nalgebra::{DMatrix, DVector};

use costate_system::identifiers::Coordinate;
use costate_system::model::{Functions, NameOf, Point};
use costate_system::problem::SimulationError;
use costate_system::state_space::{FilterError, Gaussian, check_size};

use super::implicit::ImplicitModel;
use super::manifold::Manifold;
use super::unsuitable;
use crate::initial::{consistent_state, initial_derivatives, initial_displacement};
use crate::run::constants_of;

impl<M: Functions> ImplicitModel<M> {
    /// The consistent initial state of the model, and the covariance that standard deviations of coordinates,
    /// velocities and estimated parameters mean there: each is moved along the constraints, and velocities,
    /// accelerations, auxiliary accelerations and multipliers follow.
    ///
    /// # Errors
    /// [`FilterError::Model`]; [`FilterError::Unsuitable`] where the equations do not determine accelerations and
    /// multipliers; [`FilterError::Length`] for other than one deviation per estimated parameter.
    pub fn initial<N: NameOf<M>>(
        &self,
        coordinates: &[(Coordinate<N>, f64)],
        velocities: &[(Coordinate<N>, f64)],
        parameters: &[f64],
    ) -> Result<Gaussian, FilterError> {
        let described = M::description(self.selected.program);
        let indices = |named: &[(Coordinate<N>, f64)]| {
            let each = named.iter().map(|(coordinate, deviation)| {
                coordinate.check_model(described).map_err(FilterError::of_model)?;
                Ok((coordinate.index(), *deviation))
            });
            each.collect::<Result<Vec<_>, FilterError>>()
        };
        initial(self, &indices(coordinates)?, &indices(velocities)?, parameters)
    }

    /// The state and covariance of [`initial`](Self::initial), of standard deviations of estimated parameters alone.
    ///
    /// # Errors
    /// As [`initial`](Self::initial).
    pub fn initial_by_parameters(&self, parameters: &[f64]) -> Result<Gaussian, FilterError> {
        initial(self, &[], &[], parameters)
    }
}

/// See [`ImplicitModel::initial`].
fn initial<M: Functions>(
    model: &ImplicitModel<M>,
    coordinates: &[(usize, f64)],
    velocities: &[(usize, f64)],
    parameters: &[f64],
) -> Result<Gaussian, FilterError> {
    let (selected, layout) = (&model.selected, model.layout);
    check_size("standard deviations of parameters", parameters.len(), selected.estimated.len())?;
    let problem = &selected.problem;
    let program = selected.program;
    let n = M::lengths(program).coordinates;
    let consistent = consistent_state::<M, _>(program, problem, &selected.parameters)
        .map_err(|error| FilterError::of_model(SimulationError::from(error)))?;
    let (start, auxiliary) = consistent.start::<M>();
    let mut mean = Vec::new();
    start.store(&mut mean);
    mean.extend_from_slice(&auxiliary.as_ref()[..layout.auxiliaries().len()]);
    mean.extend(selected.estimated.iter().map(|&index| selected.parameters.as_ref()[index]));
    let states = mean.len();
    let constants = constants_of::<M, _>(program, problem, &selected.parameters);
    let mut manifold = linearized(&start.point(0.0, &problem.moment(0).plain_inputs(), &constants))?;
    let displacement = initial_displacement::<M>(program, problem, &selected.parameters, &start);
    let mut columns: Vec<DVector<f64>> = Vec::new();
    for (list, first) in [(coordinates, 0), (velocities, n)] {
        for &(coordinate, deviation) in list {
            let mut column = DVector::zeros(states);
            column[first + coordinate] = deviation;
            manifold.tangent(column.as_mut_slice(), layout, &selected.estimated, false);
            if let Some(displacement) = &displacement {
                let (state, auxiliary) = column.as_mut_slice().split_at_mut(layout.state());
                let [q, v, a] = [0, n, 2 * n].map(|start| &state[start..start + n]);
                auxiliary[..n].copy_from_slice(&displacement.tangent([q, v, a], None));
            }
            columns.push(column);
        }
    }
    let derivatives =
        initial_derivatives::<M>(program, problem, &selected.parameters, Some(&consistent), &selected.estimated)
            .map_err(|error| FilterError::of_model(SimulationError::from(error)))?;
    for (k, deviation) in parameters.iter().enumerate() {
        let derivative = derivatives.column(k).rows(0, layout.fixed()).into_owned();
        let mut column = derivative.resize_vertically(states, 0.0) * *deviation;
        column[layout.fixed() + k] = *deviation;
        columns.push(column);
    }
    let mut covariance = DMatrix::zeros(states, states);
    for column in &columns {
        covariance.ger(1.0, column, column, 1.0);
    }
    Gaussian::new(DVector::from_vec(mean), covariance)
}

/// The directions at a point.
fn linearized<M: Functions>(point: &Point<'_, M, f64>) -> Result<Manifold<M>, FilterError> {
    let program = M::program(point.constants);
    let mut manifold = Manifold::new(program);
    if manifold.linearize(point) {
        return Ok(manifold);
    }
    Err(unsuitable::<M>(
        program,
        "has accelerations or multipliers that nothing determines",
        "give each coordinate a mass or a constraint, and remove redundant constraints",
    ))
}
