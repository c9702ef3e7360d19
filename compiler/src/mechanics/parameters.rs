//! Signs of parameters that follow from where they stand in a model.

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
