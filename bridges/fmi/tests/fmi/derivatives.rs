//! Model Exchange: the equations against the runtime's initial states, and their derivatives against differences.

use costate::command::StateVectors;
use costate::model::Input;
use costate::simulate::Simulation;
use costate_fmi::Status;
use costate_fmi::exports::{fmi3GetContinuousStateDerivatives, fmi3SetTime};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::support::{CRANK, Fmu, MOUNT, value};

const RELAXING: &str = "
pub Relaxing {
    parameters { m: kg = 2, c: N/m = 500, c_r: N/m = 300, d_r: N*s/m = 20, a: m = 0.2, b: m = 0.3, m_b: kg = 0.5 }
    inputs { force: N }
    coordinates { x: m, lever: m, end: m, node: m }
    mass { x: m, end: m_b }
    forces {
        x: force - c*x - c_r*(x - node) - 50[N/m]*(x - lever),
        lever: 50[N/m]*(x - lever),
        node: c_r*(x - node) - d_r*dot(node) - 3[N*s^3/m^3]*dot(node)^3,
        end: -200[N/m]*end,
    }
    constraints { arm: lever*a - end*b }
    initial { x = 0.1[m], node = 0.05[m] }
    outputs { spring: N = c_r*(x - node), arm_force: N/m = multiplier(arm), speed: m/s = dot(node) }
}";

/// The references of states, their derivatives, outputs, inputs and parameters.
struct All {
    states: Vec<u32>,
    derivatives: Vec<u32>,
    outputs: Vec<u32>,
    inputs: Vec<u32>,
    parameters: Vec<u32>,
}

impl All {
    fn of(fmu: &Fmu) -> Self {
        let derivatives = fmu.references(" derivative=\"");
        let lines = fmu.description.lines().filter(|line| line.contains(" derivative=\""));
        Self {
            states: lines.map(|line| value(line, " derivative").parse().unwrap()).collect(),
            derivatives,
            outputs: fmu.references("causality=\"output\""),
            inputs: fmu.references("causality=\"input\""),
            parameters: fmu.references("causality=\"parameter\""),
        }
    }
}

#[test]
fn the_equations_are_those_of_the_start() {
    for text in [MOUNT, CRANK, RELAXING] {
        let fmu = Fmu::of_text(text, &[]);
        let all = All::of(&fmu);
        let instance = fmu.model_exchange();
        let force = vec![7.0; all.inputs.len()];
        assert_eq!(instance.set(&all.inputs, &force), Status::Ok);
        let instance = instance.initialized(true);
        let description = fmu.model.description();
        let parameters: Vec<f64> = fmu.model.defaults().iter().map(|value| value.unwrap()).collect();
        let mut simulation = Simulation::of(fmu.model.system(), parameters.clone()).step(1e-3).until(1e-3);
        for input in Input::each_of(description) {
            simulation = simulation.input(input, 7.0);
        }
        let problem = simulation.problem().unwrap();
        let start = fmu.model.system().initial_state(&problem, &parameters).unwrap();
        let start = StateVectors::of_stored(description.coordinates.len(), &start);
        let of = |name: &str| description.coordinates.iter().position(|own| own.name == name).unwrap();
        for (&state, &derivative) in all.states.iter().zip(&all.derivatives) {
            let line = fmu.description.lines().filter(|line| line.contains("<Float64 ")).nth(state as usize).unwrap();
            let name = value(line, "name");
            let (value, rate) = match name.strip_prefix("dot(") {
                Some(rest) => {
                    let index = of(rest.trim_end_matches(')'));
                    (start.velocities[index], start.accelerations[index])
                }
                None => (start.coordinates[of(&name)], start.velocities[of(&name)]),
            };
            let found = instance.get(&[state, derivative]);
            assert_eq!(found[0].to_bits(), value.to_bits(), "{name}");
            assert!((found[1] - rate).abs() <= 1e-11 * (1.0 + rate.abs()), "der({name}): {} for {rate}", found[1]);
        }
        let outputs = instance.get(&all.outputs);
        let expected = simulation.error_limit(None).run().unwrap();
        for (place, output) in outputs.iter().enumerate() {
            let expected = expected.outputs().channel(place).unwrap().next().unwrap();
            assert!((output - expected).abs() <= 1e-10 * (1.0 + expected.abs()), "{output} for {expected}");
        }
    }
}

#[test]
fn adjoint_and_directional_derivatives_agree_and_are_exact() {
    for (text, seed) in [(MOUNT, 1), (CRANK, 2), (RELAXING, 3)] {
        let fmu = Fmu::of_text(text, &[]);
        let all = All::of(&fmu);
        let instance = fmu.model_exchange().initialized(true);
        let mut random = SmallRng::seed_from_u64(seed);
        let unknowns = [&all.derivatives[..], &all.outputs].concat();
        let knowns = [&all.states[..], &all.inputs, &all.parameters].concat();
        for _ in 0..5 {
            let moved: Vec<f64> =
                instance.get(&all.states).iter().map(|state| state + random.random_range(-0.02..0.02)).collect();
            assert_eq!(instance.set(&all.states, &moved), Status::Ok);
            assert_eq!(fmi3SetTime(instance.pointer(), random.random_range(0.0..1.0)), Status::Ok);
            let mut direction =
                |length: usize| -> Vec<f64> { (0..length).map(|_| random.random_range(-1.0..1.0)).collect() };
            let (v, w) = (direction(knowns.len()), direction(unknowns.len()));
            let forward = instance.derivative(&unknowns, &knowns, &v, false);
            let backward = instance.derivative(&unknowns, &knowns, &w, true);
            let terms = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).collect::<Vec<f64>>();
            let (one, other) = (terms(&w, &forward), terms(&v, &backward));
            let size: f64 = one.iter().chain(&other).map(|term| term.abs()).sum();
            let difference = one.iter().sum::<f64>() - other.iter().sum::<f64>();
            assert!(difference.abs() <= 1e-13 * size, "{difference:e} of {size:e}");

            // each column by central differences
            for (column, &known) in knowns.iter().enumerate() {
                let unit: Vec<f64> = (0..knowns.len()).map(|other| f64::from(other == column)).collect();
                let exact = instance.derivative(&unknowns, &knowns, &unit, false);
                let at = instance.get(&[known])[0];
                let step = 1e-5 * at.abs().max(1e-2);
                let mut sides = [1.0, -1.0].map(|side| {
                    assert_eq!(instance.set(&[known], &[at + side * step]), Status::Ok);
                    instance.get(&unknowns)
                });
                assert_eq!(instance.set(&[known], &[at]), Status::Ok);
                let [plus, minus] = &mut sides;
                for (row, exact) in exact.iter().enumerate() {
                    let difference = (plus[row] - minus[row]) / (2.0 * step);
                    let scale = 1e-6 * (exact.abs() + plus[row].abs() / step * 1e-5 + 1e-3);
                    assert!(
                        (difference - exact).abs() <= scale,
                        "row {row}, known {known}: {exact:e} for {difference:e}"
                    );
                }
            }
        }
    }
}

#[test]
fn coordinates_that_no_longer_determine_the_others_are_refused() {
    let fmu = Fmu::of_text(CRANK, &[]);
    let all = All::of(&fmu);
    let instance = fmu.model_exchange().initialized(true);
    // a rod of another length than any that the crank allows
    let long = fmu.references("name=\"l\"");
    assert_eq!(instance.set(&long, &[0.01]), Status::Ok);
    let mut derivatives = vec![0.0; all.states.len()];
    // SAFETY: the array has this length.
    let status =
        unsafe { fmi3GetContinuousStateDerivatives(instance.pointer(), derivatives.as_mut_ptr(), derivatives.len()) };
    assert_eq!(status, Status::Discard);
    // and continues where it is possible again
    assert_eq!(instance.set(&long, &[0.35]), Status::Ok);
    assert!(instance.get(&all.derivatives).iter().all(|value| value.is_finite()));
}
