//! Tests that simplification keeps values, that derivatives are right, and that equal expressions are one node.

use proptest::prelude::*;

use super::{Function, Graph, Id, Names, Node, Symbol};

struct Letters;

impl Names for Letters {
    fn table(&self, table: usize) -> String {
        format!("table{table}")
    }

    fn name(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Coordinate(0) => "x".into(),
            Symbol::Coordinate(1) => "y".into(),
            Symbol::Parameter(0) => "p".into(),
            _ => "?".into(),
        }
    }
}

const SYMBOLS: [Symbol; 3] = [Symbol::Coordinate(0), Symbol::Coordinate(1), Symbol::Parameter(0)];

fn value_at(point: [f64; 3]) -> impl Fn(Symbol) -> f64 {
    move |symbol| SYMBOLS.iter().position(|s| *s == symbol).map_or(f64::NAN, |i| point[i])
}

/// A random expression, built twice: simplified in the graph, and as plain arithmetic.
#[derive(Debug, Clone)]
enum Tree {
    Number(f64),
    Symbol(usize),
    Negate(Box<Tree>),
    Binary(u8, Box<Tree>, Box<Tree>),
    Power(Box<Tree>, i32),
    Unary(Function, Box<Tree>),
    Select(Box<Tree>, Box<Tree>, Box<Tree>, Box<Tree>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        prop::sample::select(vec![0.0, 1.0, -1.0, 2.0, 0.5, -3.0, 0.1, 4.0]).prop_map(Tree::Number),
        (0usize..3).prop_map(Tree::Symbol),
    ];
    leaf.prop_recursive(6, 48, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Tree::Negate(a.into())),
            (0u8..4, inner.clone(), inner.clone()).prop_map(|(op, a, b)| Tree::Binary(op, a.into(), b.into())),
            (inner.clone(), prop::sample::select(vec![-2, -1, 2, 3, 4, 5])).prop_map(|(a, n)| Tree::Power(a.into(), n)),
            (prop::sample::select(vec![Function::Sin, Function::Cos, Function::Tanh, Function::Atan]), inner.clone())
                .prop_map(|(f, a)| Tree::Unary(f, a.into())),
            (inner.clone(), inner.clone(), inner.clone(), inner).prop_map(|(a, b, c, d)| Tree::Select(
                a.into(),
                b.into(),
                c.into(),
                d.into()
            )),
        ]
    })
}

/// Generates sums and products, which are exact for whole numbers.
fn sums_and_products() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        prop::sample::select(vec![1.0, -1.0, 2.0, 3.0]).prop_map(Tree::Number),
        (0usize..3).prop_map(Tree::Symbol),
    ];
    leaf.prop_recursive(8, 40, 2, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|a| Tree::Negate(a.into())),
            6 => (0u8..3, inner.clone(), inner).prop_map(|(o, a, b)| Tree::Binary(o, a.into(), b.into())),
        ]
    })
}

impl Tree {
    fn build(&self, graph: &mut Graph) -> Id {
        match self {
            Tree::Number(value) => graph.constant(*value),
            Tree::Symbol(i) => graph.symbol(SYMBOLS[*i]),
            Tree::Negate(a) => {
                let a = a.build(graph);
                graph.negate(a)
            }
            Tree::Binary(operation, a, b) => {
                let (a, b) = (a.build(graph), b.build(graph));
                match operation {
                    0 => graph.add(a, b),
                    1 => graph.subtract(a, b),
                    2 => graph.multiply(a, b),
                    _ => graph.divide(a, b),
                }
            }
            Tree::Power(a, n) => {
                let a = a.build(graph);
                graph.power_integer(a, *n)
            }
            Tree::Unary(function, a) => {
                let a = a.build(graph);
                graph.unary(*function, a)
            }
            Tree::Select(a, b, c, d) => {
                let [a, b, c, d] = [a, b, c, d].map(|tree| tree.build(graph));
                let condition = graph.less(a, b);
                graph.select(condition, c, d)
            }
        }
    }

    fn value(&self, point: [f64; 3]) -> f64 {
        match self {
            Tree::Number(value) => *value,
            Tree::Symbol(i) => point[*i],
            Tree::Negate(a) => -a.value(point),
            Tree::Binary(0, a, b) => a.value(point) + b.value(point),
            Tree::Binary(1, a, b) => a.value(point) - b.value(point),
            Tree::Binary(2, a, b) => a.value(point) * b.value(point),
            Tree::Binary(_, a, b) => a.value(point) / b.value(point),
            Tree::Power(a, n) => super::build::integer_power(a.value(point), *n),
            Tree::Unary(Function::Sin, a) => a.value(point).sin(),
            Tree::Unary(Function::Cos, a) => a.value(point).cos(),
            Tree::Unary(Function::Tanh, a) => a.value(point).tanh(),
            Tree::Unary(_, a) => a.value(point).atan(),
            Tree::Select(a, b, c, d) => {
                if a.value(point) < b.value(point) {
                    c.value(point)
                } else {
                    d.value(point)
                }
            }
        }
    }

    /// Checks whether every subexpression is finite and of moderate size: simplification guarantees nothing
    /// elsewhere.
    fn is_finite(&self, point: [f64; 3]) -> bool {
        let below = match self {
            Tree::Number(_) | Tree::Symbol(_) => true,
            Tree::Negate(a) | Tree::Power(a, _) | Tree::Unary(_, a) => a.is_finite(point),
            Tree::Binary(_, a, b) => a.is_finite(point) && b.is_finite(point),
            Tree::Select(a, b, c, d) => [a, b, c, d].iter().all(|tree| tree.is_finite(point)),
        };
        let value = self.value(point);
        below && value.is_finite() && (value == 0.0 || value.abs() > 1e-150) && value.abs() < 1e150
    }
}

proptest! {
    #[test]
    fn balancing_keeps_what_is_exact(tree in sums_and_products(), point in prop::array::uniform3(-3i8..4)) {
        let mut graph = Graph::new();
        let (id, point) = (tree.build(&mut graph), point.map(f64::from));
        // a second use of a part of the expression
        let (first, _) = graph.without_sign(id);
        let balanced = graph.balance(&[id, first]);
        let values = graph.evaluate(&[id, first], value_at(point));
        prop_assume!(values.iter().all(|value| value.abs() < 1e15));
        prop_assert_eq!(graph.evaluate(&balanced, value_at(point)), values);
    }

    #[test]
    fn simplification_keeps_every_bit(tree in tree(), x in -2.0..2.0f64, y in -2.0..2.0f64, p in 0.1..2.0f64) {
        let point = [x, y, p];
        prop_assume!(tree.is_finite(point));
        let mut graph = Graph::new();
        let id = tree.build(&mut graph);
        let simplified = graph.evaluate(&[id], value_at(point))[0];
        let plain = tree.value(point);
        prop_assert!(simplified == plain, "{} instead of {}: {}", simplified, plain, graph.print(id, &Letters));
        let lowered = graph.lower_powers(&[id]);
        prop_assert_eq!(graph.evaluate(&lowered, value_at(point))[0], simplified);
    }

    #[test]
    fn building_twice_gives_the_same_node(tree in tree()) {
        let mut graph = Graph::new();
        let first = tree.build(&mut graph);
        let size = graph.len();
        prop_assert_eq!(tree.build(&mut graph), first);
        prop_assert_eq!(graph.len(), size);
    }
}

fn text(build: impl FnOnce(&mut Graph, [Id; 3]) -> Id) -> String {
    let mut graph = Graph::new();
    let symbols = SYMBOLS.map(|symbol| graph.symbol(symbol));
    let id = build(&mut graph, symbols);
    graph.print(id, &Letters)
}

#[test]
fn printed_as_the_user_would_write_it() {
    assert_eq!(
        text(|g, [x, y, p]| {
            let s = g.subtract(x, y);
            g.subtract(p, s)
        }),
        "p - (x - y)"
    );
    assert_eq!(
        text(|g, [x, y, p]| {
            let s = g.add(x, y);
            let n = g.negate(s);
            g.multiply(n, p)
        }),
        "-((x + y)*p)"
    );
    assert_eq!(
        text(|g, [x, y, _]| {
            let n = g.negate(x);
            let n = g.power_integer(n, 3);
            g.divide(n, y)
        }),
        "-(x^3/y)"
    );
    assert_eq!(
        text(|g, [x, y, p]| {
            let s = g.divide(x, y);
            g.divide(p, s)
        }),
        "p/(x/y)"
    );
    assert_eq!(
        text(|g, [x, y, _]| {
            let c = g.less(x, y);
            g.select(c, x, y)
        }),
        "if x < y { x } else { y }"
    );
}

#[test]
fn derivatives_share_the_subexpressions_of_what_they_derive() {
    let mut graph = Graph::new();
    let [x, y, _] = SYMBOLS.map(|symbol| graph.symbol(symbol));
    let product = graph.multiply(x, y);
    let exponential = graph.unary(Function::Exp, product);
    let derivative = graph.differentiate(exponential, SYMBOLS[0]);
    assert_eq!(graph.node(derivative), Node::Multiply(exponential, y));
    let quotient = graph.divide(x, exponential);
    let derivative = graph.differentiate(quotient, SYMBOLS[0]);
    assert!(graph.reachable(&[derivative]).contains(&quotient));
}

/// Tests where 1 - tanh^2 has no digits left, from x = 19 on, and where derivatives of 1/cosh^2 overflow, from x =
/// 240 on.
#[test]
fn derivatives_of_tanh_are_exact_where_it_saturates() {
    let mut graph = Graph::new();
    let x = graph.symbol(SYMBOLS[0]);
    let tanh = graph.unary(Function::Tanh, x);
    let mut derivatives = [tanh; 3];
    for order in 0..3 {
        derivatives[order] = graph.differentiate(derivatives[order.max(1) - 1], SYMBOLS[0]);
    }
    for x in [0.1, 5.0, 12.0, 18.0, 300.0, 1000.0] {
        for x in [x, -x] {
            let slope = 4.0 / (f64::exp(x) + f64::exp(-x)).powi(2);
            let exact = [slope, -2.0 * x.tanh() * slope, slope * (4.0 - 6.0 * slope)];
            for (found, exact) in graph.evaluate(&derivatives, value_at([x, 0.0, 0.0])).into_iter().zip(exact) {
                assert!((found - exact).abs() <= 1e-14 * exact.abs(), "at {x}: {found:e} {exact:e}");
            }
        }
    }
}

#[test]
fn non_smooth_functions_have_their_documented_derivatives() {
    let mut graph = Graph::new();
    let [x, y, _] = SYMBOLS.map(|symbol| graph.symbol(symbol));
    let [abs, sign] = [Function::Abs, Function::Sign].map(|function| graph.unary(function, x));
    let (least, most) = (graph.min(x, y), graph.max(x, y));
    let [abs, sign, least, most] = [abs, sign, least, most].map(|id| graph.differentiate(id, SYMBOLS[0]));
    let at = |id, x, y| graph.evaluate(&[id], value_at([x, y, 0.0]))[0];
    assert_eq!([at(abs, -2.0, 0.0), at(abs, 0.0, 0.0), at(abs, 3.0, 0.0)], [-1.0, 0.0, 1.0]);
    assert_eq!([at(sign, -2.0, 0.0), at(sign, 0.0, 0.0)], [0.0, 0.0]);
    assert_eq!([at(least, 1.0, 2.0), at(least, 2.0, 2.0), at(least, 3.0, 2.0)], [1.0, 1.0, 0.0]);
    assert_eq!([at(most, 1.0, 2.0), at(most, 2.0, 2.0), at(most, 3.0, 2.0)], [0.0, 1.0, 1.0]);
}

#[test]
fn smooth_step_is_flat_outside_and_twice_differentiable_at_its_ends() {
    let mut graph = Graph::new();
    let x = graph.symbol(SYMBOLS[0]);
    let (from, to) = (graph.constant(1.0), graph.constant(3.0));
    let step = graph.smooth_step(x, from, to);
    let first = graph.differentiate(step, SYMBOLS[0]);
    let second = graph.differentiate(first, SYMBOLS[0]);
    let at = |id, x| graph.evaluate(&[id], value_at([x, 0.0, 0.0]))[0];
    assert_eq!([at(step, 0.0), at(step, 1.0), at(step, 2.0), at(step, 3.0), at(step, 9.0)], [0.0, 0.0, 0.5, 1.0, 1.0]);
    for end in [1.0, 3.0] {
        assert_eq!((at(first, end), at(second, end)), (0.0, 0.0));
    }
    assert_eq!(at(first, 2.0), 0.9375);
}

#[test]
fn substitution_rebuilds_and_simplifies() {
    let mut graph = Graph::new();
    let [x, y, p] = SYMBOLS.map(|symbol| graph.symbol(symbol));
    let difference = graph.subtract(x, y);
    let id = graph.multiply(difference, p);
    let replaced = graph.substitute(id, &|_, symbol| (symbol == SYMBOLS[1]).then_some(x));
    assert!(graph.is_zero(replaced));
}

#[test]
fn the_time_derivative_follows_the_motion() {
    let mut graph = Graph::new();
    let x = graph.symbol(SYMBOLS[0]);
    let time = graph.symbol(Symbol::Time);
    let id = graph.multiply(x, time);
    let rate = graph.time_derivative(id);
    assert_eq!(graph.print(rate, &Letters), "x + t*dot(x)");
    let rate = graph.time_derivative(rate);
    assert_eq!(graph.print(rate, &Letters), "2*dot(x) + t*ddot(x)");
}

/// Returns the length of the longest chain of operations.
fn depth(graph: &Graph, id: Id) -> usize {
    graph.node(id).operands().map(|operand| depth(graph, operand) + 1).max().unwrap_or(0)
}

#[test]
fn long_sums_and_products_are_balanced() {
    let mut graph = Graph::new();
    let symbols: Vec<Id> = (0..16).map(|i| graph.symbol(Symbol::Coordinate(i))).collect();
    let (mut sum, mut product) = (symbols[0], symbols[0]);
    for (i, &symbol) in symbols.iter().enumerate().skip(1) {
        sum = if i % 3 == 0 { graph.subtract(sum, symbol) } else { graph.add(symbol, sum) };
        let factor = if i % 2 == 0 { symbol } else { graph.negate(symbol) };
        product = graph.multiply(product, factor);
    }
    assert_eq!(depth(&graph, sum), 15);
    let balanced = graph.balance(&[sum, product]);
    assert_eq!(depth(&graph, balanced[0]), 4);
    assert!(depth(&graph, balanced[1]) <= 5, "one more for the sign");
    let value = |symbol| match symbol {
        Symbol::Coordinate(i) => 1.0 + i as f64,
        _ => f64::NAN,
    };
    assert_eq!(graph.evaluate(&balanced, value), graph.evaluate(&[sum, product], value));
}

#[test]
fn very_long_sums_are_added_in_groups() {
    for length in [64, 65, 150] {
        let mut graph = Graph::new();
        let symbols: Vec<Id> = (0..length).map(|i| graph.symbol(Symbol::Coordinate(i))).collect();
        let mut sum = symbols[0];
        for (i, &symbol) in symbols.iter().enumerate().skip(1) {
            sum = if i % 7 > 3 { graph.subtract(sum, symbol) } else { graph.add(sum, symbol) };
        }
        let grouped = graph.group_long_sums(&[sum])[0];
        let longest = if length > 64 { length.div_ceil(4) + 2 } else { length - 1 };
        assert_eq!(depth(&graph, grouped), longest);
        // whole numbers are added without rounding
        let value = |symbol| match symbol {
            Symbol::Coordinate(i) => 1.0 + (i * i) as f64,
            _ => f64::NAN,
        };
        assert_eq!(graph.evaluate(&[grouped], value), graph.evaluate(&[sum], value));
    }
}

#[test]
fn what_is_known_last_is_added_last() {
    let mut graph = Graph::new();
    let [x, y, p] = SYMBOLS.map(|symbol| graph.symbol(symbol));
    let late = graph.unary(Function::Sin, x);
    let (square, other) = (graph.multiply(y, y), graph.multiply(x, y));
    let (first, constant) = (graph.add(late, square), graph.multiply(p, p));
    let (first, second) = (graph.add(first, p), graph.add(other, constant));
    let sum = graph.add(first, second);
    let balanced = graph.balance(&[sum])[0];
    let Node::Add(sine, rest) = graph.node(balanced) else { panic!("{:?}", graph.node(balanced)) };
    assert_eq!((sine, graph.print(rest, &Letters).as_str()), (late, "y^2 + p + p^2 + x*y"));
    let together = [Node::Add(p, constant), Node::Add(constant, p)];
    assert!(together.iter().any(|&node| graph.find(node).is_some()), "what stays the same is one term");
    // an expression that is used twice stays one expression
    let both = graph.balance(&[sum, first]);
    assert!(graph.reachable(&both[..1]).contains(&both[1]));
    assert!(graph.reachable(&both).len() <= graph.reachable(&[sum, first]).len());
}
