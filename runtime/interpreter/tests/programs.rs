//! Programs that are written by hand: loops, conditions, tables, selected parameters, and what is not valid.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

use std::sync::Arc;

use costate_compiler::program::{
    Array, Expression, Function, Index, Local, LocalArray, Place, Program, Statement, Variable,
};
use costate_compiler::symbolic::Function as Elementary;
use costate_contract::{Description, Quantity};
use costate_interpreter::{ArrayLengths, ExecutionError, Given, Results, Tape, TranslationError, Workspace};
use costate_numerics::scalar::{Dual, Lanes, Scalar};
use costate_system::model::SelectedParameters;
use costate_system::table::{AnyTable, Curve, Extension, Surface};

fn number(value: f64) -> Expression {
    Expression::Number(value)
}

fn variable(i: usize) -> Expression {
    Expression::Variable(Variable(i))
}

fn at(array: Array, index: Index) -> Expression {
    Expression::Entry(Place { array, index })
}

fn q(i: usize) -> Expression {
    at(Array::Coordinates, Index::At(i))
}

fn store(array: Array, index: Index, value: Expression) -> Statement {
    Statement::Store { to: Place { array, index }, value }
}

fn bind(i: usize, value: Expression) -> Statement {
    Statement::Let { to: Variable(i), value }
}

fn two(a: Expression, b: Expression) -> Box<[Expression; 2]> {
    Box::new([a, b])
}

const RISING: Index = Index::Rising { offset: 0, stride: 1 };

/// A function with four variables and one local array of 5 entries.
fn function(body: Vec<Statement>) -> Function {
    Function {
        name: "residual",
        variables: (0..4).map(|i| format!("e{i}")).collect(),
        locals: vec![LocalArray { name: "e".to_owned(), length: 5 }],
        positions: vec![vec![3, 0, 4, 1, 2]],
        numbers: vec![vec![1.0, 10.0, 100.0, 1000.0, 1e4]],
        body,
        ..Function::default()
    }
}

fn lengths() -> ArrayLengths {
    ArrayLengths { coordinates: 5, parameters: 3, out: 5, tables: vec![1, 2], ..ArrayLengths::default() }
}

fn tape(body: Vec<Statement>) -> Result<Tape, TranslationError> {
    Tape::new(&Program::default(), &function(body), &lengths())
}

fn tables() -> Vec<AnyTable> {
    let x: Vec<f64> = (0..8).map(f64::from).collect();
    let values = x.iter().map(|x| x.sin()).collect();
    let curve = Curve::new(x.clone(), values, Extension::Linear).unwrap();
    let values = x.iter().flat_map(|x| (0..8).map(move |y| (x * f64::from(y)).cos())).collect();
    let surface = Surface::new(x.clone(), x, values, [Extension::Linear; 2]).unwrap();
    vec![AnyTable::Curve(Arc::new(curve)), AnyTable::Surface(Arc::new(surface))]
}

/// Executes a tape with these coordinates, and results that are 7 before.
fn run<S: Scalar>(tape: &Tape, coordinates: &[S]) -> Vec<S> {
    let mut out = vec![S::constant(7.0); 5];
    let mut workspace = Workspace::new(tape, &[]);
    // a second time, with registers that are used
    for _ in 0..2 {
        out.fill(S::constant(7.0));
        let mut results = Results { out: &mut out, ..Results::default() };
        let given = Given { coordinates, ..Given::default() };
        tape.execute(&mut workspace, &given, &mut results, &tables(), &SelectedParameters::default()).unwrap();
    }
    out
}

const Q: [f64; 5] = [0.5, -1.5, 2.0, 0.25, 3.0];

#[test]
fn loops_read_and_store_by_formulas_and_tables() {
    // out[i] = q[position[i]] * number[i] + sum of those before, kept in a local array
    let body = vec![
        store(Array::Local(Local(0)), Index::At(0), number(0.5)),
        Statement::Loop {
            count: 5,
            body: vec![
                bind(0, Expression::Multiply(two(at(Array::Coordinates, Index::Table(0)), Expression::NumberOf(0)))),
                Statement::Add { to: Place { array: Array::Local(Local(0)), index: Index::At(0) }, value: variable(0) },
                store(Array::Out, Index::Falling { offset: 4, stride: 1 }, at(Array::Local(Local(0)), Index::At(0))),
            ],
        },
    ];
    let out = run(&tape(body).unwrap(), &Q);
    let mut sum = 0.5;
    for (i, position) in [3, 0, 4, 1, 2].into_iter().enumerate() {
        sum += Q[position] * 10f64.powi(i as i32);
        assert_eq!(out[4 - i], sum);
    }
}

#[test]
fn conditions_select_in_every_lane() {
    // q0 < q1 or not (q2 <= q3 and q2 = q2) ? sin q0 : -q4
    let condition = Expression::Or(two(
        Expression::Less(two(q(0), q(1))),
        Expression::Not(Box::new(Expression::And(two(
            Expression::LessEqual(two(q(2), q(3))),
            Expression::Equal(two(q(2), q(2))),
        )))),
    ));
    let sine = Expression::Elementary(Elementary::Sin, Box::new(q(0)));
    let body = vec![
        // conditions are values of variables as well
        bind(1, condition),
        bind(2, Expression::Select(Box::new([variable(1), sine, Expression::Negate(Box::new(q(4)))]))),
        store(Array::Out, Index::At(0), variable(2)),
    ];
    let tape = tape(body).unwrap();
    let points: [[f64; 5]; 4] =
        [[0.1, 0.2, 0.0, 1.0, 3.0], [0.3, 0.2, 0.0, 1.0, 3.0], [0.3, 0.2, 2.0, 1.0, 3.0], [0.3, 0.2, 1.0, 1.0, -3.0]];
    let expected = points.map(|q| if q[0] < q[1] || q[2] > q[3] { q[0].sin() } else { -q[4] });
    for (point, expected) in points.iter().zip(expected) {
        assert_eq!(run(&tape, point)[0], expected);
        let duals = point.map(Dual::variable);
        let slope = if expected == point[0].sin() { point[0].cos() } else { -1.0 };
        assert_eq!(run(&tape, &duals)[0], Dual { value: expected, derivative: slope });
    }
    let lanes: Vec<Lanes> = (0..5).map(|i| Lanes::of(points.map(|point| point[i]))).collect();
    let found = run(&tape, &lanes)[0].array();
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-15, "{found} {expected}");
    }
}

#[test]
fn tables_are_looked_up_with_any_number_of_orders() {
    let results = |first: usize, count: usize| (first..first + count).map(|i| Some(Variable(i))).collect();
    let orders: Vec<[u8; 2]> = (0..9).map(|order| [order % 4, 0]).collect();
    let mut body =
        vec![Statement::Lookup { values: results(0, 9), table: 0, arguments: vec![q(2)], orders: orders.clone() }];
    let both = vec![[0, 0], [1, 0], [0, 1], [1, 1], [2, 1]];
    body.push(Statement::Lookup { values: results(9, 5), table: 1, arguments: vec![q(3), q(4)], orders: both.clone() });
    // a sum with digits of its own for every result
    let mut sums = [0, 9].map(|_| number(0.0));
    for i in 0..14 {
        let sum = &mut sums[usize::from(i >= 9)];
        let term = Expression::Multiply(two(variable(i), number(1.0 + i as f64)));
        *sum = Expression::Add(two(std::mem::replace(sum, number(0.0)), term));
    }
    for (i, sum) in sums.into_iter().enumerate() {
        body.push(store(Array::Out, Index::At(i), sum));
    }
    let function = Function { variables: vec![String::new(); 14], ..function(body) };
    let tape = Tape::new(&Program::default(), &function, &lengths()).unwrap();
    let [AnyTable::Curve(curve), AnyTable::Surface(surface)] = &tables()[..] else { panic!() };
    let point = Q.map(Dual::variable);
    let found = run(&tape, &point);
    let mut sums = [Dual::constant(0.0); 2];
    for (i, order) in orders.iter().enumerate() {
        let [value]: [Dual; 1] = curve.derivatives(point[2], [order[0].into()]);
        sums[0] += value * (1.0 + i as f64);
    }
    for (i, order) in both.iter().enumerate() {
        let [value]: [Dual; 1] = surface.derivatives(point[3], point[4], [order.map(usize::from)]);
        sums[1] += value * (10.0 + i as f64);
    }
    assert_eq!(&found[..2], &sums);
}

#[test]
fn sines_of_many_arguments_wait_for_each_other() {
    // the second call takes a sine of the first one as its argument, and both have other company
    let each = |first: usize, arguments: Vec<Expression>| Statement::SinCosEach {
        sines: (0..arguments.len()).map(|i| Some(Variable(first + i))).collect(),
        cosines: vec![None; arguments.len()],
        arguments,
    };
    let mut body = vec![each(0, (0..5).map(q).collect()), each(5, (0..5).map(variable).collect())];
    body.push(Statement::ExpEach {
        values: (0..5).map(|i| Some(Variable(10 + i))).collect(),
        arguments: (5..10).map(variable).collect(),
    });
    body.extend((0..5).map(|i| store(Array::Out, Index::At(i), variable(10 + i))));
    let function = Function { variables: vec![String::new(); 15], ..function(body) };
    let tape = Tape::new(&Program::default(), &function, &lengths()).unwrap();
    for (found, q) in run(&tape, &Q).into_iter().zip(Q) {
        let exact = q.sin().sin().exp();
        assert!((found - exact).abs() < 4e-16 * exact, "{found} {exact}");
    }
}

#[test]
fn many_sines_of_a_loop_are_computed_together() {
    let length = |name: &str| LocalArray { name: name.to_owned(), length: 5 };
    let body = vec![
        Statement::SinCosLoop {
            count: 5,
            before: vec![bind(0, Expression::Multiply(two(at(Array::Coordinates, RISING), number(2.0))))],
            argument: variable(0),
            arguments: Local(0),
            sines: Local(1),
            cosines: Local(2),
        },
        Statement::Loop {
            count: 5,
            body: vec![store(
                Array::Out,
                RISING,
                Expression::Divide(two(at(Array::Local(Local(1)), RISING), at(Array::Local(Local(2)), RISING))),
            )],
        },
    ];
    let locals = vec![length("arguments"), length("sines"), length("cosines")];
    let function = Function { locals, ..function(body) };
    let tape = Tape::new(&Program::default(), &function, &lengths()).unwrap();
    for (found, q) in run(&tape, &Q).into_iter().zip(Q) {
        assert!((found - (2.0 * q).tan()).abs() < 1e-14 * (2.0 * q).tan().abs());
    }
}

fn selected(indices: &[usize]) -> SelectedParameters {
    static DESCRIPTION: Description = Description { parameters: &[Quantity::NONE; 3], ..Description::new("Model") };
    SelectedParameters::of(&DESCRIPTION, indices).unwrap()
}

#[test]
fn only_selected_parameters_have_shares() {
    let if_selected = |parameter: usize, value: Expression| Statement::IfSelected {
        parameter,
        body: vec![
            bind(0, Expression::Elementary(Elementary::Exp, Box::new(value))),
            store(Array::Gradient, Index::At(parameter), variable(0)),
            store(Array::Local(Local(0)), Index::At(parameter), variable(0)),
            // within another one
            Statement::IfSelected {
                parameter: 2,
                body: vec![Statement::Add {
                    to: Place { array: Array::Gradient, index: Index::At(0) },
                    value: number(100.0),
                }],
            },
        ],
    };
    let mut body = vec![store(Array::Local(Local(0)), Index::At(1), number(-1.0))];
    body.extend([if_selected(0, q(0)), if_selected(1, q(1))]);
    // what a selection has changed is read afterwards
    body.push(store(Array::Out, Index::At(0), at(Array::Local(Local(0)), Index::At(1))));
    let tape = tape(body).unwrap();
    let exp = [Q[0].exp(), Q[1].exp()];
    for (indices, gradient, out) in [
        (&[][..], [5.0; 3], -1.0),
        (&[0][..], [exp[0], 5.0, 5.0], -1.0),
        (&[1][..], [5.0, exp[1], 5.0], exp[1]),
        (&[1, 2][..], [105.0, exp[1], 5.0], exp[1]),
        (&[0, 1, 2][..], [exp[0] + 200.0, exp[1], 5.0], exp[1]),
    ] {
        let (mut found, mut first) = ([5.0; 3], [0.0; 1]);
        let mut results = Results { gradient: &mut found, out: &mut first, ..Results::default() };
        let given = Given { coordinates: &Q, ..Given::default() };
        tape.execute(&mut Workspace::new(&tape, &[]), &given, &mut results, &[], &selected(indices)).unwrap();
        assert_eq!((found, first[0]), (gradient, out), "{indices:?}");
    }
}

#[test]
fn stores_of_selected_parameters_leave_the_others() {
    let local = |name: &str| LocalArray { name: name.to_owned(), length: 3 };
    let body = vec![
        Statement::Loop { count: 3, body: vec![store(Array::Local(Local(0)), RISING, at(Array::Coordinates, RISING))] },
        Statement::StoreSelected { from: Local(0), to: Array::Gradient },
        Statement::Copy { from: Array::Gradient, to: Local(1) },
        Statement::AddAll { from: Local(1), to: Array::Gradient },
    ];
    let function = Function { locals: vec![local("shares"), local("copy")], ..function(body) };
    let tape = Tape::new(&Program::default(), &function, &lengths()).unwrap();
    let mut gradient = [5.0; 3];
    let mut results = Results { gradient: &mut gradient, ..Results::default() };
    let given = Given { coordinates: &Q, ..Given::default() };
    tape.execute(&mut Workspace::new(&tape, &[]), &given, &mut results, &[], &selected(&[1])).unwrap();
    assert_eq!(gradient, [10.0, 2.0 * Q[1], 10.0]);
}

#[test]
fn arrays_keep_what_was_read_before_it_is_replaced() {
    // a system that is solved in place, by another function; the results exchange their places
    let unknown = |i| at(Array::Unknowns, Index::At(i));
    let solve = Function {
        name: "solve",
        body: vec![Statement::StoreAll {
            array: Array::Unknowns,
            first: 0,
            is_whole: true,
            name: None,
            values: vec![unknown(1), unknown(0), number(2.5), Expression::Negate(Box::new(unknown(3))), unknown(1)],
        }],
        ..Function::default()
    };
    let transposed = Function { name: "solve_transposed", body: vec![Statement::Call("solve")], ..Function::default() };
    let program = Program { functions: vec![solve, transposed.clone()], ..Program::default() };
    let tape = Tape::new(&program, &transposed, &lengths()).unwrap();
    let mut unknowns = Q;
    let mut results = Results { unknowns: &mut unknowns, ..Results::default() };
    tape.execute(&mut Workspace::new(&tape, &[]), &Given::default(), &mut results, &[], &selected(&[])).unwrap();
    assert_eq!(unknowns, [Q[1], Q[0], 2.5, -Q[3], Q[1]]);
}

#[test]
fn signs_of_zero_and_infinities_stay() {
    let operations: [(Expression, f64); 5] = [
        (Expression::Negate(Box::new(q(0))), -0.0),
        (Expression::Multiply(two(q(0), q(1))), -0.0),
        (Expression::Add(two(q(2), q(3))), f64::INFINITY),
        (Expression::Subtract(two(q(0), q(0))), 0.0),
        (Expression::Add(two(Expression::Negate(Box::new(q(0))), q(4))), -0.0),
    ];
    let expected = operations.clone().map(|(_, value)| value);
    let body = operations.into_iter().enumerate();
    let body = body.map(|(i, (operation, _))| store(Array::Out, Index::At(i), operation)).collect();
    let out = run(&tape(body).unwrap(), &[0.0, -3.0, f64::INFINITY, 4.0, -0.0]);
    for (found, expected) in out.into_iter().zip(expected) {
        assert_eq!(found.to_bits(), expected.to_bits(), "{found} {expected}");
    }
}

#[test]
fn what_is_not_valid_is_an_error() {
    let error = |body| tape(body).map(|_| ()).unwrap_err();
    let name = "residual";
    let out = |index, value| vec![store(Array::Out, index, value)];
    assert_eq!(
        error(out(Index::At(5), number(1.0))),
        TranslationError::OutsideArray { function: name, array: Array::Out, index: 5, length: 5 }
    );
    assert_eq!(
        error(out(Index::At(0), at(Array::Inputs, Index::At(0)))),
        TranslationError::OutsideArray { function: name, array: Array::Inputs, index: 0, length: 0 }
    );
    assert_eq!(error(out(Index::At(0), variable(1))), TranslationError::NoValue { function: name, variable: 1 });
    assert_eq!(error(vec![bind(9, number(1.0))]), TranslationError::NoValue { function: name, variable: 9 });
    assert_eq!(error(out(RISING, number(1.0))), TranslationError::NotInLoop { function: name });
    assert_eq!(
        error(vec![store(Array::Local(Local(1)), Index::At(0), number(1.0))]),
        TranslationError::NoLocal { function: name, local: 1, count: 1 }
    );
    assert_eq!(
        error(vec![store(Array::Coordinates, Index::At(0), number(1.0))]),
        TranslationError::ReadOnly { function: name, array: Array::Coordinates }
    );
    let falling = Index::Falling { offset: 1, stride: 1 };
    assert_eq!(
        error(vec![Statement::Loop { count: 3, body: out(falling, number(1.0)) }]),
        TranslationError::BeforeArray { function: name, array: Array::Out, repetition: 2 }
    );
    assert_eq!(
        error(vec![Statement::Loop { count: 6, body: out(Index::At(0), Expression::NumberOf(0)) }]),
        TranslationError::NoTableEntry { function: name, table: 0, repetition: 5 }
    );
    // a variable of a loop is unknown outside
    let body =
        vec![Statement::Loop { count: 3, body: vec![bind(0, q(0))] }, store(Array::Out, Index::At(0), variable(0))];
    assert_eq!(error(body), TranslationError::NoValue { function: name, variable: 0 });
    assert_eq!(
        error(out(Index::At(0), Expression::Less(two(q(0), q(1))))),
        TranslationError::Kind { function: name, is_condition: true }
    );
    assert_eq!(
        error(out(Index::At(0), Expression::Select(Box::new([q(0), q(1), q(2)])))),
        TranslationError::Kind { function: name, is_condition: false }
    );
    assert_eq!(
        error(vec![Statement::SinCosEach { sines: vec![None], cosines: vec![None; 2], arguments: vec![q(0), q(1)] }]),
        TranslationError::Count { function: name, what: "sines", found: 1, expected: 2 }
    );
    let lookup = |table, arguments| Statement::Lookup { values: vec![None], table, arguments, orders: vec![[0, 0]] };
    assert_eq!(error(vec![lookup(2, vec![q(0)])]), TranslationError::NoTable { function: name, table: 2, count: 2 });
    assert_eq!(
        error(vec![lookup(1, vec![q(0)])]),
        TranslationError::Count { function: name, what: "arguments of a table", found: 1, expected: 2 }
    );
    assert_eq!(error(vec![Statement::Call("solve")]), TranslationError::NoFunction { name: "solve".to_owned() });
    let itself = Function { body: vec![Statement::Call("residual")], ..function(Vec::new()) };
    let program = Program { functions: vec![itself.clone()], ..Program::default() };
    assert_eq!(
        Tape::new(&program, &itself, &lengths()).map(|_| ()),
        Err(TranslationError::Recursion { function: name })
    );
    assert!(matches!(
        error(vec![Statement::Loop { count: usize::MAX, body: Vec::new() }]),
        TranslationError::TooLong { .. }
    ));
    let deep = (0..1000).fold(q(0), |inner, _| Expression::Negate(Box::new(inner)));
    assert!(matches!(error(out(Index::At(0), deep)), TranslationError::TooDeep { .. }));
}

#[test]
fn arguments_that_do_not_fit_are_errors() {
    let body = vec![
        Statement::Lookup { values: vec![Some(Variable(0))], table: 0, arguments: vec![q(2)], orders: vec![[0, 0]] },
        store(Array::Out, Index::At(3), variable(0)),
    ];
    let (tape, selected) = (tape(body).unwrap(), selected(&[]));
    let mut out = [0.0; 5];
    let mut call = |workspace: &mut Workspace<f64>, coordinates: &[f64], length: usize, tables: &[AnyTable]| {
        let mut results = Results { out: &mut out[..length], ..Results::default() };
        let given = Given { coordinates, ..Given::default() };
        tape.execute(workspace, &given, &mut results, tables, &selected)
    };
    let (mut own, tables) = (Workspace::new(&tape, &[]), tables());
    let function = "residual";
    assert_eq!(call(&mut own, &Q, 5, &tables), Ok(()));
    let short = |array, found, needed| Err(ExecutionError::TooShort { function, array, found, needed });
    assert_eq!(call(&mut own, &Q[..2], 5, &tables), short(Array::Coordinates, 2, 3));
    assert_eq!(call(&mut own, &Q, 3, &tables), short(Array::Out, 3, 4));
    let missing = Err(ExecutionError::NoTable { function, table: 0, arguments: 1 });
    assert_eq!(call(&mut own, &Q, 5, &[]), missing);
    assert_eq!(call(&mut own, &Q, 5, &tables[1..]), missing);
    let other = Tape::new(&Program::default(), &Function::default(), &ArrayLengths::default()).unwrap();
    assert_eq!(
        call(&mut Workspace::new(&other, &[]), &Q, 5, &tables),
        Err(ExecutionError::OtherWorkspace { function })
    );
}

#[test]
fn constants_of_a_run_are_in_their_registers_from_the_beginning() {
    let k = |i| at(Array::Constants, Index::At(i));
    let body = vec![store(Array::Out, Index::At(0), Expression::Subtract(two(k(7), k(2))))];
    let lengths = ArrayLengths { constants: 8, ..lengths() };
    let tape = Tape::new(&Program::default(), &function(body), &lengths).unwrap();
    let constants: Vec<f64> = (0..8).map(|i| f64::from(i * i)).collect();
    let mut out = [0.0; 1];
    let mut call = |constants: &[f64]| {
        let mut results = Results { out: &mut out, ..Results::default() };
        tape.execute(&mut Workspace::new(&tape, constants), &Given::default(), &mut results, &[], &selected(&[]))
    };
    let array = Array::Constants;
    let short = ExecutionError::TooShort { function: "residual", array, found: 7, needed: 8 };
    assert_eq!((call(&constants[..7]), call(&constants)), (Err(short), Ok(())));
    assert_eq!(out, [45.0]);
}
