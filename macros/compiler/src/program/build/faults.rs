//! Faults of programs, such as expressions that a function does not know. They are mistakes of this compiler and
//! become errors of the model: a program never contains a number in place of an unknown expression.

use std::cell::RefCell;

use crate::model::Model;
use crate::program::Expression;
use crate::symbolic::{Graph, Id, Node, Symbol};

/// The faults found so far.
#[derive(Debug, Default)]
pub struct Faults(RefCell<Vec<String>>);

impl Faults {
    /// Records a fault, and returns what stands in its place: no number, which back ends do not accept.
    pub fn note(&self, what: impl Into<String>) -> Expression {
        let what = what.into();
        let mut faults = self.0.borrow_mut();
        if !faults.contains(&what) {
            faults.push(what);
        }
        Expression::Number(f64::NAN)
    }

    /// Succeeds without faults; otherwise returns their messages.
    pub fn result(&self) -> Result<(), Vec<String>> {
        let faults = self.0.borrow();
        if faults.is_empty() { Ok(()) } else { Err(faults.iter().map(|fault| message(fault)).collect()) }
    }
}

/// Writes the message for the user.
fn message(fault: &str) -> String {
    format!("a mistake of the compiler: {fault}; please report it with this model")
}

/// Checks that `roots` consist of the model's own quantities and finite numbers; otherwise returns the messages.
pub fn sound(model: &Model, graph: &Graph, roots: &[Vec<Id>]) -> Result<(), Vec<String>> {
    let faults = Faults::default();
    for id in graph.reachable(&roots.concat()) {
        let (what, index, length) = match graph.node(id) {
            Node::Constant(bits) if !f64::from_bits(bits).is_finite() => {
                let message = "a number of the model is not finite: numbers in it are too large for their products and \
                               sums; write smaller ones, or other units";
                return Err(vec![message.to_owned()]);
            }
            Node::Symbol(Symbol::Coordinate(i) | Symbol::Velocity(i) | Symbol::Acceleration(i)) => {
                ("coordinate", i, model.coordinates.len())
            }
            Node::Symbol(Symbol::Multiplier(i)) => ("constraint", i, model.constraints.len()),
            Node::Symbol(Symbol::Parameter(i)) => ("parameter", i, model.parameters.len()),
            Node::Symbol(Symbol::Input(i)) => ("input", i, model.inputs.len()),
            Node::Curve(lookup, _) | Node::Surface(lookup, ..) => ("table", lookup.table as usize, model.tables.len()),
            _ => continue,
        };
        if index >= length {
            faults.note(format!("an expression has {what} {index} of {length}"));
        }
    }
    faults.result()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::build;
    use crate::symbolic::{Given, Lookup};
    use crate::{Compiled, compile_str};

    /// Returns the messages of the program after `broken` has been applied to every value of every function.
    fn said(source: &str, broken: impl Fn(&mut Graph, Id) -> Id) -> Vec<String> {
        let compiled = compile_str(source).unwrap();
        let Compiled { model, mut graph, mut groups, .. } = compiled;
        assert!(build(&model, &mut graph, &groups, None).is_ok());
        for values in groups.all.iter_mut().flat_map(|group| &mut group.blocks).map(|block| &mut block.values) {
            values.iter_mut().for_each(|value| *value = broken(&mut graph, *value));
        }
        build(&model, &mut graph, &groups, None).err().unwrap_or_default()
    }

    const PENDULUM: &str = "P {
        parameters { g: 1/s^2 = 9 }
        coordinates { x: 1 }
        mass { x: 1 }
        forces { x: -g*sin(x) }
        outputs { y: 1 = x }
    }";

    const ROW: &str = "R {
        parameters { c: 1/s^2 = 9 }
        coordinates { x[1..=200]: 1 }
        mass { for i in 1..=200 { x[i]: 1 } }
        forces { for i in 2..=200 { x[i]: -c*sin(x[i] - x[i - 1]) } }
    }";

    #[test]
    fn what_is_not_known_is_an_error_and_no_number() {
        for (source, count) in [(PENDULUM, 1), (ROW, 200)] {
            let unknown = |graph: &mut Graph, id: Id| {
                let symbol = graph.symbol(Symbol::Coordinate(1000));
                graph.add(id, symbol)
            };
            let expected = format!("an expression has coordinate 1000 of {count}");
            assert_eq!(said(source, unknown), [message(&expected)]);
            let table = |graph: &mut Graph, id: Id| {
                let value = graph.curve(Lookup { table: 2, orders: [0, 0] }, id);
                graph.add(id, value)
            };
            assert_eq!(said(source, table), [message("an expression has table 2 of 0")]);
        }
    }

    #[test]
    fn what_belongs_to_other_functions_is_an_error() {
        let foreign = |graph: &mut Graph, id: Id| {
            let symbol = graph.symbol(Symbol::Given(Given::RightSide, 0));
            graph.multiply(id, symbol)
        };
        let expected = message("a function does not know Given(RightSide, 0)");
        assert_eq!(said(PENDULUM, foreign), [expected]);
    }

    #[test]
    fn numbers_are_finite() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let said = said(PENDULUM, |graph, id| {
                let number = graph.constant(number);
                graph.add(id, number)
            });
            assert!(said.len() == 1 && said[0].starts_with("a number of the model is not finite"), "{said:?}");
        }
        for number in ["1e308*10", "-1e308*10", "1e308*10 - 1e308*10"] {
            let source = PENDULUM.replace("-g*sin(x)", &format!("-g*({number})*sin(x)"));
            let errors = compile_str(&source).err().unwrap();
            assert!(errors.len() == 1 && errors[0].message.starts_with("a number of the model is not finite"));
        }
    }

    /// Tests that nothing computes on with a fault.
    #[test]
    fn nothing_stands_in_for_a_fault() {
        let faults = Faults::default();
        assert!(faults.result().is_ok());
        assert!(matches!(faults.note("x"), Expression::Number(number) if number.is_nan()));
        faults.note("x");
        faults.note("y");
        assert_eq!(faults.result(), Err(vec![message("x"), message("y")]));
    }
}
