//! What the runtime is told of parameters and forces beside the equations: signs that follow from where parameters stand in a model, and
//! functions that jump.

use costate_contract::units::conversion;

use crate::model::{Model, Quantity};
use crate::symbolic::{Graph, Id, Node, Symbol};

/// Says of every parameter whether it has to be positive: masses and moments of inertia, by their units, and what is the mass of a coordinate
/// but for a positive factor.
pub fn positive(model: &Model, graph: &Graph) -> Vec<bool> {
    let diagonal = model.mass.iter().filter(|((row, column), _)| row == column).map(|(_, mass)| *mass);
    let masses: Vec<Id> = diagonal.chain(model.body_masses.iter().map(|mass| mass.value)).collect();
    let of_masses = graph.symbols_of(&masses);
    let is_mass = |(number, parameter): (usize, &Quantity)| {
        of_masses.contains(&Symbol::Parameter(number))
            && ["kg", "kg*m^2"].iter().any(|unit| conversion(&parameter.unit, unit).is_ok())
    };
    let mut positive: Vec<bool> = model.parameters.iter().enumerate().map(is_mass).collect();
    for mass in masses {
        if let Some(parameter) = scaled_parameter(graph, mass) {
            positive[parameter] = true;
        }
    }
    positive
}

/// The parameter that an expression is, but for a positive factor.
fn scaled_parameter(graph: &Graph, id: Id) -> Option<usize> {
    let is_positive = |id: Id| graph.as_constant(id).is_some_and(|constant| constant > 0.0);
    match graph.node(id) {
        Node::Symbol(Symbol::Parameter(parameter)) => Some(parameter),
        Node::Multiply(factor, other) | Node::Multiply(other, factor) if is_positive(factor) => {
            scaled_parameter(graph, other)
        }
        Node::Divide(other, divisor) if is_positive(divisor) => scaled_parameter(graph, other),
        _ => None,
    }
}

/// The functions of velocities that jump, `sign` and `if`, on which forces depend: where one does, motion that sticks has no solution.
pub fn jumps(model: &Model, graph: &Graph) -> Vec<&'static str> {
    let of_velocities = |id: Id| graph.symbols(id).iter().any(|symbol| matches!(symbol, Symbol::Velocity(_)));
    let candidates =
        model.kinks.iter().filter(|kink| matches!(kink.function, "sign" | "if") && of_velocities(kink.id));
    let candidates: Vec<_> = candidates.collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let forces = graph.reachable(&model.force);
    let mut found: Vec<_> =
        candidates.iter().filter(|kink| forces.contains(&kink.id)).map(|kink| kink.function).collect();
    found.sort_unstable();
    found.dedup();
    found
}
