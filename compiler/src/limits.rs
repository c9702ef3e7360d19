//! How large a model may be. What is counted is what the model is made of, never time: a model that compiles on one
//! machine compiles on all. The limits are far above the largest mechanisms, and are looked at while the compiler works.

use std::fmt;

use crate::diagnostic::{Diagnostic, Place};
use crate::mechanics::Equations;
use crate::model::Model;

/// Most coordinates, constraints, parameters, inputs or outputs.
pub const MOST_QUANTITIES: usize = 5000;

/// Most components in use: a few that contain each other several times are quickly too many.
pub const MOST_COMPONENTS: usize = 20_000;

/// Most operations in all functions of a model together, those on the way to them included.
pub const MOST_OPERATIONS: usize = 1_500_000;

/// Most entries of a matrix that are not zero.
pub const MOST_ENTRIES: usize = 40_000;

/// Fewest coordinates that the force on one depends on to be the reason for a limit.
const MANY: usize = 50;

/// A limit that has been passed while expressions were built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// [`MOST_OPERATIONS`].
    Operations,
    /// [`MOST_ENTRIES`].
    Entries,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Operations => write!(f, "{MOST_OPERATIONS} operations"),
            Limit::Entries => write!(f, "{MOST_ENTRIES} entries of a matrix"),
        }
    }
}

/// What is said where the equations of a model, or what is made of them, are too large: at the coordinate that is coupled
/// with most others.
pub fn too_large(limit: Limit, model: &Model, equations: &Equations) -> Diagnostic {
    let mut coupled = vec![0usize; model.coordinates.len()];
    for block in [&equations.mass, &equations.inertia_q, &equations.residual_q, &equations.residual_v] {
        let mut own = vec![0usize; coupled.len()];
        block.entries.iter().for_each(|&(row, _)| own[row] += 1);
        coupled.iter_mut().zip(own).for_each(|(most, own)| *most = own.max(*most));
    }
    let largest = coupled.iter().enumerate().max_by_key(|&(i, count)| (*count, std::cmp::Reverse(i)));
    let largest = largest.and_then(|(i, count)| Some((model.coordinates.get(i)?, *count)));
    let start = format!("the functions of the model come to more than {limit}");
    match largest.filter(|&(_, count)| count >= MANY) {
        Some((coordinate, count)) => Diagnostic {
            message: format!(
                "{start}; the force on `{}` depends on {count} coordinates: let it depend on fewer, or write a smaller model",
                coordinate.name
            ),
            place: Place::from(coordinate.field.span()),
        },
        None => Diagnostic {
            message: format!("{start}; write a smaller model"),
            place: Place::from(model.name.span()),
        },
    }
}
