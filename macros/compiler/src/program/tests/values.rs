//! Programs compute the values of the expressions from which they are made.

use std::collections::BTreeMap;
use std::path::Path;

use costate_contract::{Argument, Function as Quantity, Group as Kind};

use super::evaluator::Evaluator;
use super::shape::CHAIN;
use crate::mechanics::{AdjointStep, Block, Groups, StepFunctions};
use crate::program::{Array, Function, Local, Program, Statement, build};
use crate::symbolic::{Given, Graph, Id, Lookup, Symbol};
use crate::{Arguments, Compiled, ModelFile, compile_str, compile_str_with};

/// A number that follows from `seed`, between -1 and 1 or, for states in the domain of most functions, between 0.5 and
/// 1.5.
fn number(seed: u64, may_be_negative: bool) -> f64 {
    // the mixing function of SplitMix64
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9_u64), (27, 0x94d0_49bb_1331_11eb)] {
        bits = (bits ^ (bits >> shift)).wrapping_mul(factor);
    }
    let fraction = ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
    if may_be_negative { 2.0 * fraction - 1.0 } else { 0.5 + fraction }
}

/// A smooth table that nothing is known of.
fn table(table: usize, orders: [u8; 2], [x, y]: [f64; 2]) -> f64 {
    let own = 1.0 + table as f64 + 0.3 * f64::from(orders[0]) - 0.7 * f64::from(orders[1]);
    (own * x).sin() + if y.is_nan() { 0.0 } else { (own * y).cos() }
}

/// The arrays that a function reads, and the position of a symbol in them.
fn place(symbol: Symbol) -> (Array, usize) {
    match symbol {
        Symbol::Time => (Array::Time, 0),
        Symbol::Coordinate(i) => (Array::Coordinates, i),
        Symbol::Velocity(i) => (Array::Velocities, i),
        Symbol::Acceleration(i) => (Array::Accelerations, i),
        Symbol::Multiplier(i) => (Array::Multipliers, i),
        Symbol::Input(i) => (Array::Inputs, i),
        Symbol::Parameter(i) => (Array::Parameters, i),
        Symbol::Integrator(weight) => (Array::Weights, weight as usize),
        Symbol::Given(Given::History, i) => (Array::History, i),
        Symbol::Given(Given::Factor, i) => (Array::Factors, i),
        Symbol::Given(Given::RightSide, i) => (Array::Unknowns, i),
        Symbol::Given(Given::AdjointCarry, i) => (Array::CarryRight, i),
        Symbol::Given(Given::Carried, i) => (Array::Carried, i),
        Symbol::Given(Given::OutputGradient, i) => (Array::OutputGradient, i),
        Symbol::Given(Given::AdjointCoefficient, i) => (Array::AdjointCoefficients, i),
        Symbol::Given(Given::Part, _) => unreachable!("no function takes numbers of parts"),
    }
}

fn value(seed: u64, symbol: Symbol) -> f64 {
    let (array, i) = place(symbol);
    entry(seed, array, i)
}

fn entry(seed: u64, array: Array, i: usize) -> f64 {
    let rank = INPUTS.iter().position(|other| *other == array).unwrap();
    number(seed ^ ((rank as u64) << 40) ^ ((i as u64) << 8), seed.is_multiple_of(2))
}

const INPUTS: [Array; 15] = [
    Array::Time,
    Array::Coordinates,
    Array::Velocities,
    Array::Accelerations,
    Array::Multipliers,
    Array::Inputs,
    Array::Parameters,
    Array::Weights,
    Array::History,
    Array::Factors,
    Array::Unknowns,
    Array::CarryRight,
    Array::Carried,
    Array::OutputGradient,
    Array::AdjointCoefficients,
];

/// A model, its program, and the lowered functions of a step.
struct Made {
    compiled: Compiled,
    graph: Graph,
    program: Program,
    functions: Option<StepFunctions>,
}

fn make(compiled: Compiled) -> Made {
    let mut graph = compiled.graph.clone();
    let functions = compiled
        .elimination
        .as_ref()
        .map(|elimination| StepFunctions::new(&compiled.model, &mut graph, &compiled.equations, elimination));
    let (program, _) = build(&compiled.model, &mut graph, &compiled.groups, functions.as_ref()).unwrap();
    let functions = functions.map(|functions| functions.lowered(&mut graph));
    Made { compiled, graph, program, functions }
}

impl Made {
    /// The results of a function, which are `arrays` one after the other, at made-up values of everything that it
    /// reads.
    fn results(&self, function: &Function, arrays: &[(Array, usize)], seed: u64) -> Vec<f64> {
        let model = &self.compiled.model;
        let (n, m) = (model.coordinates.len(), model.constraints.len());
        let others = model.parameters.len() + model.inputs.len() + model.outputs.len();
        let length = 5 + n + m + others + self.program.factors + self.program.adjoint_coefficients;
        let entries = |array: Array| (0..length).map(|i| entry(seed, array, i)).collect();
        let read: BTreeMap<Array, Vec<f64>> = INPUTS.into_iter().map(|array| (array, entries(array))).collect();
        let selected: Vec<usize> = (0..model.parameters.len()).collect();
        let mut evaluator = Evaluator::new(&self.program, read, &table, &selected);
        evaluator.call(&self.program.constants);
        for (array, length) in arrays.iter().filter(|(array, _)| !INPUTS.contains(array)) {
            evaluator.arrays.insert(*array, vec![0.0; *length]);
        }
        evaluator.call(function);
        arrays.iter().flat_map(|(array, length)| evaluator.arrays[array][..*length].to_vec()).collect()
    }

    fn compare(&self, name: &str, arrays: &[(Array, usize)], expected: &[Id]) {
        let Some(function) = self.program.function(name) else {
            let is_zero = expected.iter().all(|&id| self.graph.is_zero(id));
            assert!(is_zero, "{name} is missing");
            return;
        };
        for seed in 1..4 {
            let results = self.results(function, arrays, seed);
            let lookup = |lookup: Lookup, at: [f64; 2]| table(lookup.table as usize, lookup.orders, at);
            let expected = self.graph.evaluate_with(expected, |symbol| value(seed, symbol), lookup);
            assert_eq!(results.len(), expected.len(), "{name}");
            for (entry, (own, other)) in results.iter().zip(&expected).enumerate() {
                let close = (own - other).abs() <= 1e-13 * other.abs().max(1.0);
                assert!(
                    close || (seed.is_multiple_of(2) && own.is_nan() && other.is_nan()),
                    "{name}[{entry}]: {own}, {other}"
                );
            }
        }
    }

    fn check_groups(&self) {
        for group in &self.compiled.groups.all {
            let factors = group.factors.as_ref().map_or(0, Vec::len);
            let arrays = [(Array::Out, group.length()), (Array::Factors, factors)];
            self.compare(group.kind.name(), &arrays, &group.values());
        }
    }

    /// The expressions of the constraints and of those derivatives that are not constant, and of their rates and
    /// accelerations.
    fn constraints_along_motion(&mut self) -> [Vec<Id>; 3] {
        let groups = &self.compiled.groups.all;
        let blocks = |kind: Kind| groups.iter().filter(move |group| group.kind == kind).flat_map(|group| &group.blocks);
        let of_constraints = |block: &&Block| block.function == Quantity::Constraint;
        let values = blocks(Kind::Newton).filter(of_constraints).find(|block| block.argument.is_none());
        let mut all = values.unwrap().values.clone();
        for argument in [Argument::Coordinates, Argument::Parameters] {
            let derivative =
                blocks(Kind::Linearization).filter(of_constraints).find(|block| block.argument == Some(argument));
            let changes = |place: (usize, usize)| {
                let mut levels = blocks(Kind::KinematicsDerivatives).filter(|block| block.argument == Some(argument));
                levels.any(|block| block.entries.contains(&place))
            };
            let entries = derivative.unwrap().iter().filter(|(row, column, _)| changes((*row, *column)));
            all.extend(entries.map(|(_, _, id)| id));
        }
        let rates: Vec<Id> = all.iter().map(|&id| self.rate(id)).collect();
        let accelerations = rates.iter().map(|&id| self.rate(id)).collect();
        [all, rates, accelerations]
    }

    /// The derivative with respect to time along a motion.
    fn rate(&mut self, id: Id) -> Id {
        let mut sum = self.graph.constant(0.0);
        for symbol in self.graph.symbols(id).to_vec() {
            let rate = match symbol {
                Symbol::Coordinate(i) => Symbol::Velocity(i),
                Symbol::Velocity(i) => Symbol::Acceleration(i),
                _ => continue,
            };
            let (slope, rate) = (self.graph.differentiate(id, symbol), self.graph.symbol(rate));
            let product = self.graph.multiply(slope, rate);
            sum = self.graph.add(sum, product);
        }
        sum
    }

    fn check_along_motion(&mut self) {
        let along = self.program.along_motion.clone().unwrap();
        let [values, rates, accelerations] = self.constraints_along_motion();
        assert_eq!(values.len(), along.length);
        let near = |own: f64, other: f64| (own - other).abs() <= 1e-12 * other.abs().max(1.0);
        for seed in [1, 3] {
            let of = |ids: &[Id]| self.graph.evaluate(ids, |symbol| value(seed, symbol));
            let own = self.results(&along.constraints, &[(Array::Out, along.length)], seed);
            let expected = of(&values);
            assert!(own.iter().zip(&expected).all(|(own, other)| near(*own, *other)), "{own:?} {expected:?}");
            let locals = [(0, of(&rates)), (1, of(&accelerations))];
            let read: BTreeMap<_, _> =
                locals.into_iter().map(|(i, numbers)| (Array::Local(Local(i)), numbers)).collect();
            assert_eq!(along.levels.len(), 2);
            for level in &along.levels {
                let group = self.compiled.groups.all.iter().find(|group| group.kind.name() == level.name).unwrap();
                let mut evaluator = Evaluator::new(&self.program, read.clone(), &table, &[]);
                evaluator.call_with_locals(level);
                let (own, expected) = (&evaluator.arrays[&Array::Out], of(&group.values()));
                assert_eq!(own.len(), expected.len());
                assert!(own.iter().zip(&expected).all(|(own, other)| near(*own, *other)), "{}", level.name);
            }
        }
    }

    fn check_steps(&mut self) {
        let Some(functions) = self.functions.clone() else { panic!("the matrix is not eliminated") };
        let (n, m) = (self.compiled.model.coordinates.len(), self.compiled.model.constraints.len());
        let parameters = self.compiled.model.parameters.len();
        let factors = functions.factors.len();
        let roots = [&functions.factors[..], &functions.correction].concat();
        let correction = (Array::Correction, n + m);
        self.compare("newton_correction", &[(Array::Factors, factors), correction], &roots);
        self.compare("chord_correction", &[correction], &functions.correction_by_factors);
        self.compare("solve", &[(Array::Unknowns, n + m)], &functions.solution);
        self.compare("solve_transposed", &[(Array::Unknowns, n + m)], &functions.transposed_solution);
        let step = [
            (Array::UpdateCoordinates, n),
            (Array::UpdateVelocities, n),
            (Array::UpdateUnknowns, m + n),
            (Array::Gradient, parameters),
        ];
        let of_step = |AdjointStep { variables, gradient }: &AdjointStep| [&variables[..], gradient].concat();
        if self.program.function("adjoint_step").is_some() {
            let roots = [&functions.adjoint_factors[..], &of_step(&functions.adjoint)].concat();
            let arrays = [&[(Array::Factors, factors)], &step[..]].concat();
            self.compare("adjoint_step", &arrays, &roots);
            return;
        }
        let parts = functions.adjoint_parts.as_ref().unwrap();
        let coefficients = parts.coefficients.len();
        let arrays = [(Array::Factors, factors), (Array::AdjointCoefficients, coefficients)];
        let roots = [&parts.factors[..], &parts.coefficients].concat();
        self.compare("adjoint_coefficients", &arrays, &roots);
        self.compare("adjoint_recurrence", &step, &of_step(&parts.recurrence));
        let carry = self.graph.given(Given::AdjointCarry, n + m);
        let sums = carry.into_iter().zip(&parts.history);
        let sums: Vec<Id> = sums.map(|(carry, &history)| self.graph.add(carry, history)).collect();
        if self.program.function("adjoint_history").is_some() {
            self.compare("adjoint_history", &[(Array::CarryRight, n + m)], &sums);
        } else {
            assert!(parts.history.iter().all(|&id| self.graph.is_zero(id)));
        }
    }
}

fn golden(name: &str) -> Made {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let file = ModelFile::read(folder.join(name).with_extension("model")).unwrap();
    make(file.compile(None, &Arguments::new()).unwrap())
}

fn all() -> impl Iterator<Item = Made> {
    let golden = ["discrete_oscillator", "cam_follower", "four_bar", "chain"].into_iter().map(golden);
    golden.chain([make(compile_str(FUNCTIONS).unwrap())])
}

/// Conditions, surfaces, exponential functions together, and powers.
const FUNCTIONS: &str = "M {
    parameters { m: kg = 1, c: N/m = 9, l: m = 2 }
    tables { pull(x: m, v: m/s): N }
    inputs { u: N }
    coordinates { x[1..=3]: m }
    mass { for i in 1..=3 { x[i]: m } }
    forces {
        for i in 1..=3 {
            let s = x[i]/l;
            x[i]: -c*x[i]*exp(-s) - pull(x[i], dot(x[i])) + if s < 0.2 { u } else { c*l*s^3 + c*l*abs(s)^2.5 }
        }
        x[2]: if (l > x[3] && x[1] <= l) || !(x[3] < x[2]) { u*atan2(x[1], l) } else { u }
    }
    outputs { y: m = max(x[1], x[2]) }
}";

#[test]
fn groups_have_the_values_of_their_expressions() {
    all().for_each(|made| made.check_groups());
}

#[test]
fn functions_of_a_step_have_the_values_of_their_expressions() {
    all().for_each(|mut made| made.check_steps());
}

#[test]
fn loops_are_among_the_functions() {
    let chain = golden("chain");
    let repeats = |name: &str| chain.program.function(name).unwrap().uses().repeats;
    assert!(repeats("linearization") && repeats("newton_correction") && repeats("adjoint_recurrence"));
}

#[test]
fn loops_over_bodies_and_joints_are_fused() {
    const LINKS: usize = 40;
    let arguments = Arguments::new().with("links", LINKS as i64);
    let mut chain = make(compile_str_with(CHAIN, &arguments).unwrap());
    chain.check_groups();
    chain.check_steps();
    let function = chain.program.function("adjoint_coefficients").unwrap();
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

/// A mechanism of the examples.
fn mechanism(name: &str) -> Made {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mechanisms").join(format!("{name}.rs"));
    make(ModelFile::read(path).unwrap().compile(None, &Arguments::new()).unwrap())
}

#[test]
fn constraints_along_a_motion_are_those_of_both_levels() {
    // corners that are written once, and constraints that depend on parameters
    ["car", "delta_robot"].map(mechanism).iter_mut().for_each(Made::check_along_motion);
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
        strut_left: spring(plate.at(0.1[m], 0.2[m], 0.3[m]), left.at(0, 0.1[m], 0.02[m]), stiffness = c, damping = d, length = free),
        strut_right: spring(plate.at(0.1[m], -0.2[m], 0.3[m]), right.at(0, -0.1[m], 0.02[m]), stiffness = c, damping = d, length = free),
        strut_rear: spring(plate.at(-0.1[m], 0.4[m], 0.1[m]), rear.at(0, 0.3[m], -0.2[m]), stiffness = c_rear, damping = d, length = free),
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
    let made = Made { compiled: Compiled { groups, ..compiled }, graph, program, functions: None };
    made.check_groups();
    let adjoint = &made.program.function("adjoint").unwrap().body;
    assert!(matches!(adjoint[0], Statement::Evaluate { function: "linearization", .. }));
    assert!(adjoint[1..].iter().all(|statement| matches!(statement, Statement::Loop { .. })));
    for name in ["newton", "linearization", "kinematics", "kinematics_derivatives"] {
        let body = &made.program.function(name).unwrap().body;
        // before the loop, there is what is the plate's own
        let Some(Statement::Loop { body: repeated, count: 3 }) = body.last() else { panic!("{name}") };
        assert!(3 * repeated.len() > 2 * body.len(), "{name}: {} {}", repeated.len(), body.len());
    }
}
