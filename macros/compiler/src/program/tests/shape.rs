//! The data of functions of small models.

use crate::program::{Array, Expression, Index, Place, Program, Statement, Variable};
use crate::symbolic;
use crate::{Arguments, compile_str, compile_str_with};

fn program(source: &str) -> Program {
    compile_str(source).unwrap().program
}

fn at(array: Array, position: usize) -> Expression {
    Expression::Entry(Place { array, index: Index::At(position) })
}

fn variable(number: usize) -> Expression {
    Expression::Variable(Variable(number))
}

#[test]
fn a_function_takes_what_it_needs_and_stores_its_results() {
    let program = program(
        "P {
            parameters { g: 1/s^2 = 9, l: m = 1 }
            coordinates { phi: 1, x: 1 }
            mass { phi: 1, x: 1 }
            forces { phi: -g*sin(phi), x: -g*x }
            outputs { height: m = l - l*cos(phi), side: m = 2*l*sin(phi) }
        }",
    );
    let outputs = program.function("outputs").unwrap();
    assert_eq!(outputs.variables, ["phi"]);
    let of_phi = |function| Expression::Elementary(function, Box::new(variable(0)));
    let l = program.run_constants.iter().position(|constant| constant.name == "l").unwrap();
    let twice = program.run_constants.iter().position(|constant| constant.name == "twice_l").unwrap();
    let product = Expression::Multiply(Box::new([at(Array::Constants, l), of_phi(symbolic::Function::Cos)]));
    let values = vec![
        Expression::Subtract(Box::new([at(Array::Constants, l), product])),
        Expression::Multiply(Box::new([at(Array::Constants, twice), of_phi(symbolic::Function::Sin)])),
    ];
    assert_eq!(
        outputs.body,
        [
            Statement::Unpack { array: Array::Coordinates, entries: vec![Some(Variable(0)), None] },
            Statement::StoreAll {
                array: Array::Out,
                first: 0,
                is_whole: true,
                name: Some("output".to_owned()),
                values,
            },
        ]
    );
    let constants = &program.constants;
    assert_eq!(
        constants.body[0],
        Statement::Unpack { array: Array::Parameters, entries: vec![Some(Variable(0)), Some(Variable(1))] }
    );
    let Some(Statement::StoreAll { array: Array::Constants, values, .. }) = constants.body.last() else {
        panic!("{:?}", constants.body)
    };
    assert_eq!(values.len(), program.run_constants.len());
}

#[test]
fn like_parts_are_a_loop_over_positions() {
    let program = program(
        "R {
            parameters { c: 1/s^2 = 9 }
            coordinates { x[1..=200]: 1 }
            mass { for i in 1..=200 { x[i]: 1 } }
            forces { for i in 2..=200 { x[i]: -c*sin(x[i] - x[i - 1]) } }
        }",
    );
    let residual = program.function("residual").unwrap();
    let loops = residual.body.iter().filter_map(|statement| match statement {
        Statement::Loop { count, body } => Some((*count, body)),
        _ => None,
    });
    let loops: Vec<_> = loops.collect();
    assert!(!loops.is_empty() && loops.iter().all(|(count, _)| *count >= 199), "{loops:?}");
    let uses = residual.uses();
    assert!(uses.repeats && uses.arrays.contains(&Array::Coordinates) && uses.arrays.contains(&Array::Out));
    assert!(!uses.arrays.contains(&Array::Velocities));
}

#[test]
fn what_a_function_does_not_need_is_not_there() {
    let program = program("F { coordinates { x: m } mass { x: 2[kg] } forces { x: 0 } outputs { y: m = x } }");
    assert!(program.function("input_derivatives").is_none() && program.geometry.is_none());
    assert!(program.run_constants.iter().all(|constant| constant.name != "x"));
    assert_eq!((program.factors, program.tables.len()), (0, 0));
}

#[test]
fn operands_are_those_of_the_operation() {
    let (a, b) = (variable(0), variable(1));
    let power = Expression::PowerInteger(Box::new(a.clone()), 3);
    assert_eq!(power.operands(), std::slice::from_ref(&a));
    let sine = Expression::Elementary(symbolic::Function::Sin, Box::new(b.clone()));
    assert_eq!(sine.operands(), std::slice::from_ref(&b));
    assert_eq!(Expression::Divide(Box::new([a.clone(), b.clone()])).operands(), [a, b]);
    assert!(Expression::NumberOf(0).operands().is_empty());
}

/// Bodies in space that hang on each other, with balls between them.
pub const CHAIN: &str = "Chain(links: usize = 10) {
    parameters { m: kg = 0.5, j: kg*m^2 = 0.04, l: m = 1, d: N*m*s = 0.02, g: m/s^2 = 9.81 }
    gravity { (0, 0, -g) }
    bodies { for i in 1..=links { rod[i]: spatial { mass: m, inertia: (j, j, j/10) } } }
    joints {
        ball[1]: spherical(ground, rod[1].at(0, 0, l/2)),
        for i in 2..=links { ball[i]: spherical(rod[i - 1].at(0, 0, -l/2), rod[i].at(0, 0, l/2)) },
    }
    elements { for i in 1..=links { drag[i]: torque(rod[i], -d*rod[i].angular_velocity) } }
    initial { for i in 1..=links { rod[i].orientation = rotation((1, 0, 0), 0.4/links*i) } }
}";

#[test]
fn the_adjoint_of_chains_has_two_parts() {
    // the recurrence of the shorter one has no loops
    for links in [10, 14] {
        let chain = compile_str_with(CHAIN, &Arguments::new().with("links", links)).unwrap().program;
        assert!(chain.function("adjoint_recurrence").is_some(), "{links} links");
        assert!(chain.function("adjoint_step").is_none() && chain.adjoint_coefficients > 0);
    }
}
