//! Short formulas in words, for what has no name of the user's: `minus_c`, `m_times_l_squared`.

use crate::symbolic::{Graph, Id, Node};

/// The precedence of words, as in formulas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Atom,
}

/// The name of an expression in words, where it is made of things that have a name by `known` by so few `operations`.
pub fn in_words(graph: &Graph, id: Id, mut operations: usize, known: &dyn Fn(Id) -> Option<String>) -> Option<String> {
    formula(graph, id, known, &mut operations).map(|(text, _)| text)
}

/// The words of an operation, or of what has a name; `left` counts the operations that are still allowed.
fn formula(graph: &Graph, id: Id, known: &dyn Fn(Id) -> Option<String>, left: &mut usize) -> Option<(String, Binding)> {
    if let Some(name) = known(id) {
        return Some((name.trim_start_matches("r#").to_owned(), Binding::Atom));
    }
    *left = left.checked_sub(1)?;
    let mut operand = |id: Id, least: Binding| {
        let (text, binding) = formula(graph, id, known, left)?;
        (binding >= least).then_some(text)
    };
    Some(match graph.node(id) {
        Node::Negate(a) => (format!("minus_{}", operand(a, Binding::Product)?), Binding::Sum),
        Node::Add(a, b) => {
            let (a, b) = (operand(a, Binding::Sum)?, operand(b, Binding::Product)?);
            (format!("{a}_plus_{b}"), Binding::Sum)
        }
        Node::Subtract(a, b) => {
            let (a, b) = (operand(a, Binding::Sum)?, operand(b, Binding::Product)?);
            (format!("{a}_minus_{b}"), Binding::Sum)
        }
        Node::Multiply(a, b) if a == b => (format!("{}_squared", operand(a, Binding::Atom)?), Binding::Atom),
        Node::Multiply(a, b) => match (graph.as_constant(a), graph.as_constant(b)) {
            (Some(number), None) => (multiple(number, &operand(b, Binding::Atom)?)?, Binding::Product),
            (None, Some(number)) => (multiple(number, &operand(a, Binding::Atom)?)?, Binding::Product),
            _ => {
                let (a, b) = (operand(a, Binding::Product)?, operand(b, Binding::Atom)?);
                (format!("{a}_times_{b}"), Binding::Product)
            }
        },
        Node::Divide(a, b) if graph.as_constant(a) == Some(1.0) => {
            (format!("inverse_{}", operand(b, Binding::Atom)?), Binding::Product)
        }
        Node::Divide(a, b) => {
            let (a, b) = (operand(a, Binding::Product)?, operand(b, Binding::Atom)?);
            (format!("{a}_over_{b}"), Binding::Product)
        }
        Node::PowerInteger(a, 2) => (format!("{}_squared", operand(a, Binding::Atom)?), Binding::Atom),
        Node::PowerInteger(a, 3) => (format!("{}_cubed", operand(a, Binding::Atom)?), Binding::Atom),
        Node::Unary(function, a) => (format!("{}_{}", function.name(), operand(a, Binding::Atom)?), Binding::Atom),
        _ => return None,
    })
}

/// The words for a multiple of something: `half_l`, `minus_twice_c`, `x_times_1000`.
fn multiple(number: f64, of: &str) -> Option<String> {
    let words = [(2.0, "twice"), (0.5, "half"), (0.25, "quarter")];
    let word = words.into_iter().find(|(value, _)| *value == number.abs());
    let text = match word {
        Some((_, word)) => format!("{word}_{of}"),
        None if number.fract() == 0.0 && number.abs() < 1e6 => format!("{of}_times_{}", number.abs()),
        None => return None,
    };
    Some(if number < 0.0 { format!("minus_{text}") } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::{Function, Symbol};

    #[test]
    fn short_formulas_are_told_in_words() {
        let mut graph = Graph::new();
        let [a, b, c] = [0, 1, 2].map(|i| graph.symbol(Symbol::Parameter(i)));
        let known = |id: Id| {
            [(a, "a"), (b, "b_1"), (c, "c")].iter().find_map(|(own, name)| (*own == id).then(|| name.to_string()))
        };
        let (sum, product, square) = (graph.add(a, b), graph.multiply(a, b), graph.multiply(c, c));
        let [two, half] = [2.0, -0.5].map(|number| graph.constant(number));
        let (minus, sum_of_three, difference) = (graph.negate(c), graph.add(sum, c), graph.subtract(a, product));
        let (ratio, twice, root) = (graph.divide(a, square), graph.multiply(two, b), graph.unary(Function::Sqrt, a));
        let minus_half = graph.multiply(half, c);
        for (id, name) in [
            (minus, "minus_c"),
            (sum_of_three, "a_plus_b_1_plus_c"),
            (difference, "a_minus_a_times_b_1"),
            (ratio, "a_over_c_squared"),
            (twice, "twice_b_1"),
            (root, "sqrt_a"),
            (minus_half, "minus_half_c"),
        ] {
            assert_eq!(in_words(&graph, id, 2, &known).as_deref(), Some(name));
        }
    }

    #[test]
    fn what_would_mislead_or_be_long_has_no_words() {
        let mut graph = Graph::new();
        let [a, b, c] = [0, 1, 2].map(|i| graph.symbol(Symbol::Parameter(i)));
        let known = |id: Id| [a, b, c].contains(&id).then(|| "x".to_owned());
        // a product with a sum, and the sine of one, would read as sums
        let sum = graph.add(a, b);
        let (product, sine) = (graph.multiply(sum, c), graph.unary(Function::Sin, sum));
        let (many, third) = (graph.multiply(product, sum), graph.constant(1.0 / 3.0));
        let scaled = graph.multiply(third, a);
        for id in [product, sine, many, scaled] {
            assert_eq!(in_words(&graph, id, 2, &known), None);
        }
    }
}
