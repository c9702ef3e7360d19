//! Parts of runs, which begin with positions and velocities of their own.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail")]

use costate_compiler::{Arguments, ModelFile};
use costate_interpreter::LoadedModel;
use costate_system::gradient::{Columns, PartSensitivities, all_outputs, part_sensitivities};
use costate_system::problem::{GivenStart, Problem, SimulationError};
use costate_system::simulation::Simulation;
use costate_system::step::Scheme;
use costate_system::system::Differentiable;

/// A driven pendulum in redundant coordinates, whose pivot moves, on a spring with a damper in series (a coordinate
/// without mass); `across` and `turn` are its start.
const PENDULUM: &str = "pub Pendulum {
    parameters {
        m: kg = 1.3, l: m = 0.7, g: m/s^2 = 9.81, c: N/m = 40, d: N*s/m = 5, across: m = 0.2, turn: m/s = 0.4,
        u: m = 0.05
    }
    inputs { drive: N }
    coordinates { x: m, y: m, z: m }
    mass { x: m, y: m }
    forces { x: drive - c*(x - z), y: -m*g, z: c*(x - z) - d*dot(z) }
    constraints { rod: (x - 0.02[m]*sin(3[s^-1]*t))^2 + y^2 - l^2 }
    initial { x = across, y ~ -l, dot(x) = turn, z = u }
    outputs { across_now: m = x, height: m = y, a: m/s^2 = ddot(x), inner: m = z, tension: N/m = multiplier(rod) }
}";

fn load() -> LoadedModel {
    let file = ModelFile::from_text("pendulum.model", PENDULUM.to_owned()).unwrap();
    LoadedModel::of_file(&file, None, &Arguments::new()).unwrap_or_else(|error| panic!("{error}"))
}

fn problem(model: LoadedModel, scheme: Scheme, step: f64) -> Problem {
    let drive = model.input("drive").unwrap();
    let simulation: Simulation = model.simulation().unwrap().input(drive, |t: f64| 3.0 * (5.0 * t).sin());
    simulation.scheme(scheme).step(step).until(0.4).problem().unwrap()
}

fn parameters(model: LoadedModel) -> Vec<f64> {
    model.defaults().iter().map(|value| value.unwrap()).collect()
}

fn derivatives(
    model: &dyn Differentiable,
    problem: &Problem,
    (values, by): (&[f64], Columns<'_>),
) -> Result<PartSensitivities, SimulationError> {
    let mut run = problem.run(values)?;
    part_sensitivities(model, problem, (&mut run).into(), (by, &[]), &all_outputs(problem))
}

fn start(state: &[f64]) -> GivenStart {
    GivenStart {
        coordinates: state[..3].to_vec(),
        velocities: state[3..6].to_vec(),
        kept_coordinates: vec![true, false, true],
        kept_velocities: vec![true, false, false],
    }
}

/// The parameters that are the start of the model are numbers of a given start, by another way.
#[test]
fn derivatives_by_the_start_are_those_by_parameters_that_give_it() {
    let model = load();
    for scheme in [Scheme::default(), Scheme::Hht { alpha: -0.1 }] {
        let whole = problem(model, scheme, 1e-3);
        let values = parameters(model);
        let state = whole.initial_state(&values).unwrap();
        let part = whole.part(0..=whole.steps(), Some(start(&state))).unwrap();
        let by_parameters = Columns { parameters: &[5, 6, 7], start: Some(&[]), ..Columns::default() };
        let by_start = Columns { parameters: &[0], start: Some(&[0, 3, 2]), ..Columns::default() };
        let one = derivatives(model.system(), &whole, (&values, by_parameters)).unwrap();
        let other = derivatives(model.system(), &part, (&values, by_start)).unwrap();
        let same = |one: f64, other: f64, scale: f64| {
            assert!((one - other).abs() <= 1e-12 * scale, "{one} {other} of {scale}");
        };
        for k in 0..3 {
            let (one_end, other_end) = (one.end.column(k), other.end.column(1 + k));
            assert!(one_end.amax() > 0.0);
            one_end.iter().zip(&other_end).for_each(|(one, other)| same(*one, *other, one_end.amax()));
            let (one, other) = (&one.outputs[k], &other.outputs[1 + k]);
            for output in 0..one.width() {
                let largest = (0..one.samples()).fold(0.0, |most: f64, i| most.max(one.row(i)[output].abs()));
                (0..one.samples()).for_each(|i| same(one.row(i)[output], other.row(i)[output], largest));
            }
        }
        // the mass at a given start, against central differences
        let changed = |change: f64| {
            let mut values = values.clone();
            values[0] += change;
            part.run(&values).unwrap().end().unwrap()[..6].to_vec()
        };
        let (more, less) = (changed(1e-5), changed(-1e-5));
        for (row, (more, less)) in more.iter().zip(&less).enumerate() {
            assert!((other.end[(row, 0)] - (more - less) / 2e-5).abs() < 1e-7 * other.end.column(0).amax());
        }
    }
}

/// Times, inputs and constraints that move go on: a part follows the whole run to the order of the scheme.
#[test]
fn a_part_goes_on_with_the_whole_run() {
    let model = load();
    let values = parameters(model);
    let difference = |step: f64| {
        let whole = problem(model, Scheme::default(), step);
        let run = whole.run(&values).unwrap();
        let states = run.trajectory().unwrap();
        let first = whole.steps() / 2;
        let state = [states.coordinates(first), states.velocities(first)].concat();
        let part = whole.part(first..=whole.steps(), Some(start(&state))).unwrap();
        let of_part = part.run(&values).unwrap();
        assert_eq!(of_part.trajectory().unwrap().time(3), states.time(first + 3));
        let row = |i: usize| of_part.outputs().row(i)[..2].iter().zip(&run.outputs().row(first + i)[..2]);
        let samples = 0..of_part.outputs().samples();
        samples.flat_map(|i| row(i).map(|(one, other)| (one - other).abs())).fold(0.0, f64::max)
    };
    let (coarse, fine) = (difference(2e-3), difference(1e-3));
    assert!(fine < 1e-6 && fine < 0.3 * coarse, "{coarse} {fine}");
}

#[test]
fn a_run_of_another_part_is_refused() {
    let model = load();
    let values = parameters(model);
    let whole = problem(model, Scheme::default(), 1e-3);
    let state = whole.initial_state(&values).unwrap();
    let (one, other) = (whole.part(0..=50, Some(start(&state))).unwrap(), whole.part(50..=100, None).unwrap());
    let mut run = one.run(&values).unwrap();
    let by = Columns { parameters: &[0], ..Columns::default() };
    let found = part_sensitivities(model.system(), &other, (&mut run).into(), (by, &[]), &[0]);
    assert!(matches!(found, Err(SimulationError::OtherProblem(_))), "{found:?}");
}
