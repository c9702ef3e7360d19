//! Properties of parameters and forces that the runtime needs apart from the equations: parameters that must be
//! positive because of their role in a model, and functions that jump.

use costate_contract::units::conversion;

use crate::model::{Model, Quantity};
use crate::symbolic::{Function, Graph, Id, Node, Symbol};

/// Marks the parameters that must be positive: masses and moments of inertia, recognised by their units, and
/// parameters that are the mass of a coordinate up to a positive factor.
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

/// Returns the parameter that an expression is equal to up to a positive factor; `None` if there is none.
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

/// Lists the functions of velocities that jump, `sign` and `if`, on which forces depend: with such a jump, sticking
/// has no solution.
pub fn jumps(model: &Model, graph: &Graph) -> Vec<&'static str> {
    let of_velocities = |id: Id| graph.symbols(id).iter().any(|symbol| matches!(symbol, Symbol::Velocity(_)));
    let candidates = model.kinks.iter().filter(|kink| matches!(kink.function, "sign" | "if") && of_velocities(kink.id));
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

/// Checks whether forces depend on the time by themselves.
pub fn has_timed_forces(model: &Model, graph: &Graph) -> bool {
    graph.symbols_of(&model.force).contains(&Symbol::Time)
}

/// Checks whether the constraints determine the motion, without an impulse: they are as many as coordinates, and have
/// no function with a kink or a jump at some argument that changes with the motion.
pub fn determined(model: &Model, graph: &Graph) -> bool {
    let is_square = !model.constraint.is_empty() && model.constraint.len() == model.coordinates.len();
    if !is_square {
        return false;
    }
    let all = graph.reachable(&model.constraint);
    let is_parameter = |symbol: &Symbol| matches!(symbol, Symbol::Parameter(_));
    let may_bend = |id: Id| match graph.node(id) {
        Node::Power(..) | Node::Atan2(..) => true,
        Node::Unary(function, _) => {
            matches!(function, Function::Tan | Function::Asin | Function::Acos | Function::Atan | Function::Sqrt)
        }
        _ => false,
    };
    !model.kinks.iter().any(|kink| all.contains(&kink.id))
        && !all.iter().any(|&id| may_bend(id) && !graph.symbols(id).iter().all(is_parameter))
}

#[cfg(test)]
mod tests {
    use super::determined;

    #[test]
    fn drives_that_may_bend_determine_no_motion() {
        let is_determined = |drive: &str| {
            let source = format!(
                "Driven {{ parameters {{ m: kg = 2, w: 1/s = 10, a: m = 0.1 }} coordinates {{ x: m }} mass {{ x: m }} \
                 constraints {{ drive: x - a*({drive}) }} initial {{ x ~ 0 }} outputs {{ place: m = x }} }}"
            );
            let compiled = crate::compile_str(&source).expect("a valid model");
            determined(&compiled.model, &compiled.graph)
        };
        for smooth in
            ["sin(w*t)", "(w*t)^3 - w*t", "exp(-w*t)*tanh(w*t)", "t*w*sqrt(w/2[1/s])", "smooth_step(w*t, 0, 1)"]
        {
            assert!(is_determined(smooth), "{smooth}");
        }
        for bent in [
            "abs(w*t - 1)",
            "asin(sin(w*t))",
            "acos(cos(w*t + 0.3))",
            "atan2(sin(w*t), cos(w*t))",
            "atan(tan(w*t))",
            "sqrt((w*t - 1)^2)",
            "((w*t - 1)^2)^0.5",
            "if w*t > 1 { 1 } else { 0 }",
        ] {
            assert!(!is_determined(bent), "{bent}");
        }
    }
}
