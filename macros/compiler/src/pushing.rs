//! Terms of forces that push a coordinate away from rest, as a spring with the wrong sign does.

use crate::model::Model;
use crate::symbolic::{Graph, Id, Node, Symbol};

/// Operations and operands up to which a term is written out.
const MAX_WRITTEN: usize = 40;

/// Returns the terms of forces that are linear in the coordinate on which they act, and grow with it.
pub fn terms(model: &Model, graph: &mut Graph, parameters: &[f64]) -> Vec<String> {
    let mut found = Vec::new();
    for (index, (force, coordinate)) in model.force.iter().zip(&model.coordinates).enumerate() {
        for term in summands(graph, *force) {
            let slope = graph.differentiate(term, Symbol::Coordinate(index));
            let value = |symbol: Symbol| match symbol {
                Symbol::Parameter(index) => parameters.get(index).copied().unwrap_or(f64::NAN),
                _ => f64::NAN,
            };
            let grows =
                graph.is_run_constant(slope) && graph.evaluate(&[slope], value).iter().all(|slope| *slope > 0.0);
            if grows {
                let written = (!graph.is_written_longer(term, MAX_WRITTEN)).then(|| graph.print(term, model));
                let term = written.map_or("a term".to_owned(), |text| format!("`{text}`"));
                found.push(format!("{term} in the force on `{}`", coordinate.name));
            }
        }
    }
    found
}

/// Returns the terms of a sum, with their signs.
fn summands(graph: &mut Graph, sum: Id) -> Vec<Id> {
    let (mut terms, mut open) = (Vec::new(), vec![(sum, false)]);
    while let Some((id, is_negative)) = open.pop() {
        match graph.node(id) {
            Node::Add(a, b) => open.extend([(b, is_negative), (a, is_negative)]),
            Node::Subtract(a, b) => open.extend([(b, !is_negative), (a, is_negative)]),
            Node::Negate(a) => open.push((a, !is_negative)),
            _ => terms.push(if is_negative { graph.negate(id) } else { id }),
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    #[test]
    fn terms_that_grow_with_their_coordinate_are_found() {
        let of = |forces: &str| {
            let text = format!(
                "Chain {{ parameters {{ k: N/m = 5 }} coordinates {{ x: m, y: m }} mass {{ x: 1[kg], y: 1[kg] }}
                forces {{ {forces} }} }}"
            );
            let compiled = crate::compile_str(&text).expect("a valid model");
            compiled.pushing_terms(&[5.0])
        };
        assert!(of("x: -k*x - k*(x - y), y: k*(x - y) - 3[N/m]*y - 1[N]*sin(x/1[m])").is_empty());
        assert_eq!(of("x: k*(y - x) + 2[N/m]*x, y: -k*y"), ["`2*x` in the force on `x`"]);
        assert_eq!(of("x: -k*x - k*(x - y), y: -(k*(x - y) - k*x)"), ["`-(k*(x - y))` in the force on `y`"]);
        // what bends away may hold elsewhere
        assert!(of("x: 9[N]*sin(x/1[m]) - k*x, y: k*y^2/1[m] - 6[N/m]*y").is_empty());
    }
}
