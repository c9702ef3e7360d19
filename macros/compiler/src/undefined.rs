//! Parts of outputs that have no value at a point of a motion.

use costate_contract::shown::Shown;

use crate::model::Model;
use crate::symbolic::{Graph, Id, Node, Symbol};

/// Operations and operands up to which a part is written out.
const MAX_WRITTEN: usize = 40;

/// Returns the operation of an output that has no finite value though its operands have, in words. The point has a
/// time, and the values of coordinates, velocities, accelerations, multipliers, parameters and inputs.
pub fn part(model: &Model, graph: &Graph, output: usize, (time, values): (f64, [&[f64]; 6])) -> Option<String> {
    let [coordinates, velocities, accelerations, multipliers, parameters, inputs] = values;
    let value = |symbol: Symbol| {
        let (values, index) = match symbol {
            Symbol::Time => return time,
            Symbol::Coordinate(index) => (coordinates, index),
            Symbol::Velocity(index) => (velocities, index),
            Symbol::Acceleration(index) => (accelerations, index),
            Symbol::Multiplier(index) => (multipliers, index),
            Symbol::Parameter(index) => (parameters, index),
            Symbol::Input(index) => (inputs, index),
            Symbol::Integrator(_) | Symbol::Given(..) => return f64::NAN,
        };
        values.get(index).copied().unwrap_or(f64::NAN)
    };
    let (found, values) = graph.undefined(*model.output.get(output)?, value)?;
    let written = |id: Id| (!graph.is_written_longer(id, MAX_WRITTEN)).then(|| graph.print(id, model));
    let of = |name: &str, argument: Id| {
        let number = Shown(values[argument.index()]);
        match written(argument) {
            Some(text) => format!("{name} of `{text}`, which is {number}"),
            None => format!("{name} of {number}"),
        }
    };
    Some(match graph.node(found) {
        Node::Unary(function, argument) => of(&format!("`{}`", function.name()), argument),
        Node::Divide(_, divisor) => of("a quotient with the divisor", divisor).replace(" divisor of ", " divisor "),
        Node::Power(base, _) | Node::PowerInteger(base, _) => of("a power", base),
        _ => format!("`{}`", written(found)?),
    })
}
