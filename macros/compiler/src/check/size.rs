//! The message about a model that is too large.

use crate::diagnostic::{Diagnostic, Place};
use crate::limits::Limit;
use crate::mechanics::Equations;
use crate::model::Model;
use crate::symbolic::Graph;

/// Refuses equations, or expressions derived from them, that exceed a limit.
pub fn check(model: &Model, graph: &Graph, equations: &Equations) -> Result<(), Vec<Diagnostic>> {
    graph.exceeded().map_or(Ok(()), |limit| Err(vec![too_large(limit, model, equations)]))
}

/// Returns the error, at the coordinate that is coupled with most others.
fn too_large(limit: Limit, model: &Model, equations: &Equations) -> Diagnostic {
    // Fewest coordinates on which a force depends for the message to name it as the reason.
    const MIN_NAMED_COUPLINGS: usize = 50;
    let mut coupled = vec![0usize; model.coordinates.len()];
    for block in [&equations.mass, &equations.inertia_q, &equations.residual_q, &equations.residual_v] {
        let mut own = vec![0usize; coupled.len()];
        block.entries.iter().for_each(|&(row, _)| own[row] += 1);
        coupled.iter_mut().zip(own).for_each(|(most, own)| *most = own.max(*most));
    }
    let largest = coupled.iter().enumerate().max_by_key(|&(i, count)| (*count, std::cmp::Reverse(i)));
    let largest = largest.and_then(|(i, count)| Some((model.coordinates.get(i)?, *count)));
    let start = format!("the functions of the model come to more than {limit}");
    match largest.filter(|&(_, count)| count >= MIN_NAMED_COUPLINGS) {
        Some((coordinate, count)) => Diagnostic {
            message: format!(
                "{start}; the force on `{}` depends on {count} coordinates: let it depend on fewer, or write a \
                     smaller model",
                coordinate.name
            ),
            place: Place::from(coordinate.field.span()),
        },
        None => {
            Diagnostic { message: format!("{start}; write a smaller model"), place: Place::from(model.name.span()) }
        }
    }
}
