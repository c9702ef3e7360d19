//! The mechanism of a model with its defaults, and its position at the start of a run.

use costate::animate::{Animation, Mechanism, Motion};
use costate_compiler::Compiled;
use costate_compiler::symbolic::{Id, Symbol};
use nalgebra::{DMatrix, DVector};

/// Largest number of linearizations of the constraints in the search for the start.
const MAX_ITERATIONS: usize = 60;

/// Largest residual of a constraint of a mechanism that is assembled.
const MAX_RESIDUAL: f64 = 1e-9;

/// Regularization added to the diagonal, relative to its largest entry, because constraints may be redundant.
const REGULARIZATION: f64 = 1e-12;

/// Largest number of constraints that are solved for: their matrix is dense.
const MAX_CONSTRAINTS: usize = 1500;

/// The values of a model's expressions at its defaults.
pub struct Start<'a> {
    compiled: &'a Compiled,
}

impl<'a> Start<'a> {
    /// Prepares the evaluation of a model.
    pub fn of(compiled: &'a Compiled) -> Self {
        Self { compiled }
    }

    /// Evaluates expressions at t = 0 with these coordinates. Parameters and coordinates are in their units; all
    /// other symbols are 0.
    fn evaluate(&self, ids: &[Id], coordinates: &[f64]) -> Vec<f64> {
        let model = &self.compiled.model;
        let value = |symbol| match symbol {
            Symbol::Parameter(i) => model.defaults.get(i).copied().flatten().unwrap_or(f64::NAN),
            Symbol::Coordinate(i) => coordinates.get(i).copied().unwrap_or(0.0),
            _ => 0.0,
        };
        self.compiled.graph.evaluate(ids, value)
    }

    /// Returns the bodies with the joints and elements between them.
    pub fn mechanism(&self) -> Mechanism {
        let model = &self.compiled.model;
        Mechanism::new(&model.scene, &self.evaluate(&model.geometry, &[]))
    }

    /// Returns the coordinates at the start: the given initial values, and for the other coordinates values nearby
    /// with which the constraints hold. `None` if the mechanism cannot be assembled with its defaults, or has more
    /// than `MAX_CONSTRAINTS`.
    pub fn coordinates(&self) -> Option<Vec<f64>> {
        let (model, equations) = (&self.compiled.model, &self.compiled.equations);
        let given = |values: &[Option<Id>]| -> Option<Vec<Option<f64>>> {
            let ids: Vec<Id> = values.iter().copied().flatten().collect();
            let mut found = self.evaluate(&ids, &[]).into_iter();
            values
                .iter()
                .map(|id| id.map_or(Some(None), |_| found.next().filter(|x| x.is_finite()).map(Some)))
                .collect()
        };
        let (initial, near) = (given(&model.initial_coordinates)?, given(&model.near_coordinates)?);
        let start = initial.iter().zip(&near);
        let mut coordinates: Vec<f64> = start.map(|(initial, near)| initial.or(*near).unwrap_or(0.0)).collect();
        let constraints = model.constraint.len();
        if constraints == 0 {
            return Some(coordinates);
        }
        if constraints > MAX_CONSTRAINTS {
            return None;
        }
        let slopes: Vec<(usize, usize, Id)> = equations.constraint_q.iter().collect();
        let ids: Vec<Id> = model.constraint.iter().copied().chain(slopes.iter().map(|&(.., id)| id)).collect();
        for _ in 0..MAX_ITERATIONS {
            let values = self.evaluate(&ids, &coordinates);
            let (residual, entries) = values.split_at_checked(constraints)?;
            let residual = DVector::from_column_slice(residual);
            if residual.amax() < MAX_RESIDUAL {
                return Some(coordinates);
            }
            let mut jacobian = DMatrix::<f64>::zeros(constraints, coordinates.len());
            for (&(row, column, _), value) in slopes.iter().zip(entries) {
                // given coordinates stay fixed
                if initial[column].is_none() {
                    jacobian[(row, column)] += *value;
                }
            }
            let mut normal: DMatrix<f64> = &jacobian * jacobian.transpose();
            let small = REGULARIZATION * normal.diagonal().amax();
            (0..constraints).for_each(|i| normal[(i, i)] += small);
            let change = jacobian.transpose() * normal.cholesky()?.solve(&residual);
            if !change.iter().all(|x| x.is_finite()) {
                return None;
            }
            coordinates.iter_mut().zip(&change).for_each(|(q, change)| *q -= change);
        }
        None
    }

    /// Draws the start; `None` for a model without bodies, or one that cannot be assembled.
    pub fn still(&self) -> Option<String> {
        let model = &self.compiled.model;
        if model.scene.bodies.is_empty() {
            return None;
        }
        let coordinates = self.coordinates()?;
        let motion = Motion::new(self.mechanism(), 0.0, 1, |_| coordinates.clone(), Vec::new());
        Some(Animation::new(model.name.to_string(), "", motion).still(0.0))
    }
}
