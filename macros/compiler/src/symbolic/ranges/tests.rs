//! Ranges contain every value.

use proptest::prelude::*;

use super::{Interval, Ranges};
use crate::symbolic::{Function, Graph, Id, Symbol};

#[derive(Debug, Clone)]
enum Tree {
    Constant(f64),
    Coordinate(usize),
    Parameter(usize),
    Negate(Box<Tree>),
    Binary(u8, Box<Tree>, Box<Tree>),
    Power(Box<Tree>, i32),
    Function(usize, Box<Tree>),
    Select(Box<Tree>, Box<Tree>, Box<Tree>),
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        prop_oneof![Just(0.0), Just(1.0), Just(-2.0), -3.0f64..3.0].prop_map(Tree::Constant),
        (0usize..3).prop_map(Tree::Coordinate),
        (0usize..2).prop_map(Tree::Parameter),
    ];
    leaf.prop_recursive(6, 40, 3, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed().prop_map(Tree::Negate),
            (0u8..6, boxed(), boxed()).prop_map(|(operator, a, b)| Tree::Binary(operator, a, b)),
            (boxed(), -4i32..6).prop_map(|(base, n)| Tree::Power(base, n)),
            (0..Function::ALL.len(), boxed()).prop_map(|(function, a)| Tree::Function(function, a)),
            (boxed(), boxed(), boxed()).prop_map(|(a, b, c)| Tree::Select(a, b, c)),
        ]
    })
}

fn build(graph: &mut Graph, tree: &Tree) -> Id {
    match tree {
        Tree::Constant(value) => graph.constant(*value),
        Tree::Coordinate(i) => graph.symbol(Symbol::Coordinate(*i)),
        Tree::Parameter(i) => graph.symbol(Symbol::Parameter(*i)),
        Tree::Negate(a) => {
            let a = build(graph, a);
            graph.negate(a)
        }
        Tree::Binary(operator, a, b) => {
            let (a, b) = (build(graph, a), build(graph, b));
            match operator {
                0 => graph.add(a, b),
                1 => graph.subtract(a, b),
                2 => graph.multiply(a, b),
                3 => graph.divide(a, b),
                4 => graph.power(a, b),
                _ => graph.atan2(a, b),
            }
        }
        Tree::Power(base, n) => {
            let base = build(graph, base);
            graph.power_integer(base, *n)
        }
        Tree::Function(function, a) => {
            let a = build(graph, a);
            graph.unary(Function::ALL[*function], a)
        }
        Tree::Select(a, b, c) => {
            let (a, b, c) = (build(graph, a), build(graph, b), build(graph, c));
            let condition = graph.less(a, b);
            graph.select(condition, c, a)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn ranges_contain_every_value(
        tree in trees(),
        coordinates in prop::collection::vec(-5.0f64..5.0, 3),
        parameters in prop::collection::vec(-5.0f64..5.0, 2),
    ) {
        let mut graph = Graph::new();
        let id = build(&mut graph, &tree);
        let value = graph.evaluate(&[id], |symbol| match symbol {
            Symbol::Coordinate(i) => coordinates[i],
            Symbol::Parameter(i) => parameters[i],
            _ => f64::NAN,
        })[0];
        if value.is_finite() {
            let any = Ranges::default().of(&graph, id);
            prop_assert!(any.contains(value), "{value} in {any:?}");
            let known = Ranges::with_parameters(parameters.into_iter().map(Some).collect()).of(&graph, id);
            prop_assert!(known.contains(value), "{value} in {known:?}");
        }
    }
}

#[test]
fn ranges_are_narrow_enough_to_prove_something() {
    let x = Interval::ALL;
    assert_eq!(x.power_integer(2).low, 0.0);
    assert!(x.power_integer(2).add(Interval::point(1.0)).low > 0.999);
    assert!(x.function(Function::Exp).low >= 0.0);
    assert_eq!(x.function(Function::SechSquared), Interval { low: 0.0, high: 1.0f64.next_up() });
    assert!(x.function(Function::Cosh).add(Interval::point(1.0)).low > 1.0);
    assert!(Interval::point(2.0).subtract(x.function(Function::Sin)).low > 0.999);
    assert!(Interval::point(-2.0).function(Function::Abs) == Interval::point(2.0));
    assert_eq!(x.divide(x), Interval::ALL);
}
