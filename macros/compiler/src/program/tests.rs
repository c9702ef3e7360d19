//! The data of functions of small models. The interpreter compares the values of all functions of every model of the
//! repository with their expressions.

use super::build;
use super::{Array, Expression, Index, Place, Program, Statement, Variable};
use crate::mechanics::Groups;
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
const CHAIN: &str = "Chain(links: usize = 10) {
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

#[test]
fn loops_over_bodies_and_joints_are_fused() {
    const LINKS: usize = 40;
    let chain = compile_str_with(CHAIN, &Arguments::new().with("links", LINKS as i64)).unwrap().program;
    let repeats = |name: &str| chain.function(name).unwrap().uses().repeats;
    assert!(repeats("linearization") && repeats("newton_correction") && repeats("adjoint_recurrence"));
    let function = chain.function("adjoint_coefficients").unwrap();
    // bodies, and their joints with the next ones: the first and the last ones may be outside of the loop
    let repeated = function.body.iter().filter_map(|statement| match statement {
        Statement::Loop { count, body } => Some((*count, body.len())),
        _ => None,
    });
    let (count, longest) = repeated.max_by_key(|&(_, length)| length).unwrap();
    assert!((LINKS - 4..LINKS).contains(&count) && longest > 500, "{count} times {longest} statements");
    // what repetitions compute is in variables, but for what later ones and the elimination read
    let stored: usize = function.locals.iter().map(|local| local.length).sum();
    assert!(stored < 10 * LINKS, "{stored} values of {LINKS} bodies");
}

/// A plate on three legs, which have other names, numbers and signs, and other parameters.
const LEGS: &str = "Table {
    parameters {
        m: kg = 3, m_left: kg = 1, m_right: kg = 1.5, m_rear: kg = 2, j: kg*m^2 = 0.2,
        c: N/m = 1e4, c_rear: N/m = 3e4, d: N*s/m = 50, free: m = 0.5,
    }
    inputs { floor_a: m, floor_b: m, floor_c: m }
    gravity { (0, 0, -9.81[m/s^2]) }
    bodies {
        plate: spatial { mass: m, inertia: (j, 2*j, j) },
        left: spatial { mass: m_left, inertia: (0.1[kg*m^2], 0.2[kg*m^2], 0.3[kg*m^2]) },
        right: spatial { mass: m_right, inertia: (0.1[kg*m^2], 0.2[kg*m^2], 0.3[kg*m^2]) },
        rear: spatial { mass: m_rear, inertia: (0.2[kg*m^2], 0.3[kg*m^2], 0.1[kg*m^2]) },
    }
    joints {
        pin_left: revolute(plate.at(0.3[m], 0.5[m], -0.1[m]), left.at(0, 0.2[m], 0), axis = (1, 0, 0)),
        pin_right: revolute(plate.at(0.3[m], -0.5[m], -0.1[m]), right.at(0, -0.2[m], 0), axis = (1, 0, 0)),
        pin_rear: revolute(plate.at(-0.3[m], 0.2[m], -0.3[m]), rear.at(0, 0.4[m], 0), axis = (1, 0, 0)),
    }
    elements {
        strut_left: spring(plate.at(0.1[m], 0.2[m], 0.3[m]), left.at(0, 0.1[m], 0.02[m]), stiffness = c,
            damping = d, length = free),
        strut_right: spring(plate.at(0.1[m], -0.2[m], 0.3[m]), right.at(0, -0.1[m], 0.02[m]), stiffness = c,
            damping = d, length = free),
        strut_rear: spring(plate.at(-0.1[m], 0.4[m], 0.1[m]), rear.at(0, 0.3[m], -0.2[m]), stiffness = c_rear,
            damping = d, length = free),
        foot_left: force(left, (0, 0, max(c*(floor_a - left.z), 0))),
        foot_right: force(right, (0, 0, max(c*(floor_b - right.z), 0))),
        foot_rear: force(rear, (0, 0, max(c_rear*(floor_c - rear.z), 0))),
    }
    outputs { height: m = plate.z }
}";

#[test]
fn parts_of_equal_structure_are_written_once() {
    let compiled = compile_str(LEGS).unwrap();
    let mut graph = compiled.graph.clone();
    let groups = Groups::new(&compiled.model, &mut graph, &compiled.equations, None);
    let (program, _) = build(&compiled.model, &mut graph, &groups, None).unwrap();
    let adjoint = &program.function("adjoint").unwrap().body;
    assert!(matches!(adjoint[0], Statement::Evaluate { function: "linearization", .. }));
    assert!(adjoint[1..].iter().all(|statement| matches!(statement, Statement::Loop { .. })));
    for name in ["newton", "linearization", "kinematics", "kinematics_derivatives"] {
        let body = &program.function(name).unwrap().body;
        // before the loop, there is what is the plate's own
        let Some(Statement::Loop { body: repeated, count: 3 }) = body.last() else { panic!("{name}") };
        assert!(3 * repeated.len() > 2 * body.len(), "{name}: {} {}", repeated.len(), body.len());
    }
}
