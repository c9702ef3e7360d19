//! Conditions on parameters alone, and on parameters and the state together.
#![deny(warnings)]

use std::f64::consts::FRAC_PI_2;

use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::differentiate::{RunWithCost, gradient_each};
use costate::model::CompiledModel;
use costate::model::Vector;
use costate::simulate::{Checkpoints, OtherProblem, Problem, ProblemDifference, Series, SimulationError, StoredRun};
use costate::table::{Curve, Extension};
use costate::verify::random_points;
use costate::{Model, Output, Parameter, Simulation, check_derivatives, check_gradient, gradient};
use costate_tests::duals::lifted;

costate::model! {
    /// Chosen by a parameter, everywhere.
    pub Chosen {
        parameters { p: 1 = 1, r: 1 = 0.3, c: N/m = 2, m: kg = 1.5, w: 1 = 0.7 }
        coordinates { x: m, y: m }
        mass { x: if p > 0.4 { m } else { 2*m }, y: m*(1 + w^2) }
        forces {
            x: -c*(if p > 0.4 { x } else { 2*x }) + if x > 0 || p > r { 0.1[N] } else { -0.2[N]*w },
            y: if p > 0.4 && r < 5 { -c*y } else { c*w*sin(y*1[1/m])*1[m] } - if p == r && y > x { c*x } else { 0[N] },
        }
        initial { x = if r > 0.5 { 0.1[m] } else { 0.2[m]*w } }
        outputs {
            chosen: m = if p > 0.4 { x } else { 2[m] },
            either: 1 = if x > 0 || p > r { w } else { 0 },
            nested: 1 = if !(p > 0.4) { if r < w { p } else { r } } else { if y > x { r } else { w } },
        }
    }
}

costate::model! {
    /// Many alike, in loops.
    pub Row(masses: usize = 24) {
        parameters { p: 1 = 1, limits[1..=masses]: m = 0.1, c: N/m = 2, stiff: N/m = 9 }
        coordinates { x[1..=masses]: m }
        mass { for i in 1..=masses { x[i]: if p > 0.5 { 1[kg] } else { 2[kg] } } }
        forces {
            for i in 2..=masses {
                let gap = x[i] - x[i - 1];
                let force = if p > 0.5 { c*gap } else { stiff*gap }
                    + if gap > limits[i] || p > 2 { stiff*gap^3*1[1/m^2] } else { 0[N] };
                x[i]: -force, x[i - 1]: force,
            },
        }
        initial { x[1] = 0.3[m] }
        outputs { end: m = if p > 0.5 { x[masses] } else { x[1] } }
    }
}

costate::model! {
    /// Table and initial state go different ways for different parameters. A point without mass lies in axes that are
    /// turned: what could be pivots of it vanishes at some angles.
    pub Switched {
        parameters { p: 1 = 1, m: kg = 1, c: N/m = 40, d: N*s/m = 0.3, turn: rad = 0.4 }
        tables { start(at: 1): m, spring(x: m): N }
        coordinates { a: m, b: m, y: m }
        mass { y: m }
        let force = if p > 1.5 { spring(y - a) } else { c*(y - a) };
        forces { y: -force - d*dot(y), a: force }
        constraints {
            along: cos(turn)*a - sin(turn)*b - 0.1[m],
            across: sin(turn)*a + cos(turn)*b - 0.2[m],
        }
        initial { y = if p > 0.2 { start(p) } else { 0.1[m] } }
        outputs { position: m = y, load: N = multiplier(along) }
    }
}

/// The outputs at a point.
fn outputs<M: CompiledModel>(model: &M, point: usize) -> (Vec<f64>, Vec<f64>) {
    let point = &random_points(model, point + 1, 7)[point];
    let weights = costate::emitted::Weights {
        accelerations: 1.0,
        coordinates: 0.1,
        velocities: 0.1,
        step: 0.1,
        ..Default::default()
    };
    let constants = M::constants((), &lifted(model.parameters().as_ref()), &weights, &point.tables);
    let at = costate::emitted::Point::<'_, M, f64> {
        time: point.time,
        coordinates: &point.state.coordinates,
        velocities: &point.state.velocities,
        accelerations: &point.state.accelerations,
        multipliers: &point.state.multipliers,
        inputs: &point.inputs,
        constants: &constants,
    };
    let mut out = M::Outputs::<f64>::zeros(M::lengths(()).outputs);
    M::outputs(&at, &mut out);
    (point.state.coordinates.as_ref().to_vec(), out.as_ref().to_vec())
}

#[test]
fn values_are_those_of_the_branches() {
    for p in [0.2, 0.3, 0.4, 0.9] {
        for point in 0..20 {
            let model = Chosen { p, ..Chosen::default() };
            let (r, w) = (model.r, model.w);
            let (state, found) = outputs(&model, point);
            let (x, y) = (state[0], state[1]);
            let chosen = if p > 0.4 { x } else { 2.0 };
            let either = if x > 0.0 || p > r { w } else { 0.0 };
            let nested = match p > 0.4 {
                false if r < w => p,
                false => r,
                true if y > x => r,
                true => w,
            };
            assert_eq!(found, [chosen, either, nested], "{p} {x} {y}");
        }
    }
}

/// Every emitted derivative against dual numbers, in each branch.
#[test]
fn derivatives() {
    for p in [0.2, 0.9] {
        let chosen = Chosen { p, ..Chosen::default() };
        let report = check_derivatives(&random_points(&chosen, 12, 1), 1e-12);
        assert!(report.mismatches.is_empty(), "{report}");
        let row = Row::from_parameters(&{
            let mut parameters = Row::default().parameters();
            parameters[Row::P.index()] = p;
            parameters
        });
        let report = check_derivatives(&random_points(&row, 4, 1), 1e-12);
        assert!(report.mismatches.is_empty(), "{report}");
    }
}

/// Least squares of all outputs against wavy records.
fn cost<M: CompiledModel>(problem: &Problem) -> LeastSquares {
    let times: Vec<f64> = (0..=problem.steps()).map(|i| i as f64 * problem.settings().step).collect();
    let mut cost = LeastSquares::new(problem.settings().step, times.len(), Quadrature::Rectangle);
    for output in Output::<M>::all() {
        let values: Vec<f64> = times.iter().map(|t| (3.0 * t + output.index() as f64).sin()).collect();
        cost = cost.with_channel(output, &times, &values, 1.0).unwrap();
    }
    cost
}

/// Runs in lanes, where every lane may be in another branch, against runs one by one; gradients of both, and against
/// dual numbers.
fn lanes<M: CompiledModel>(model: &M, values: [f64; 5], varied: Parameter<M>) {
    let problem = Simulation::new(model).step(1e-2).until(0.5).problem().unwrap();
    let cost = cost::<M>(&problem);
    let sets = values.map(|value| {
        let mut parameters = model.parameters();
        parameters.as_mut()[varied.index()] = value;
        parameters
    });
    let unknown: Vec<Parameter<M>> = Parameter::all().collect();
    for (set, run) in sets.iter().zip(problem.run_each(&sets)) {
        let (mut run, single) = (run.unwrap(), problem.run(set.as_ref()).unwrap());
        for i in 0..=problem.steps() {
            for (a, b) in run.outputs().row(i).iter().zip(single.outputs().row(i)) {
                assert!((a - b).abs() <= 1e-9, "{a} {b}");
            }
        }
        let derivatives = cost.output_gradient(run.outputs());
        let alone = gradient(&problem, &mut run, &derivatives, &unknown).unwrap();
        let together =
            gradient_each(&problem, &mut [RunWithCost { run: &mut run, output_gradient: &derivatives }], &unknown);
        for (a, b) in together[0].as_ref().unwrap().iter().zip(&alone) {
            assert!((a - b).abs() <= 1e-9 * b.abs().max(1e-6), "{a} {b}");
        }
        let report = check_gradient(&problem, &M::from_parameters(set), &cost, &unknown).unwrap();
        assert!(report.agrees(1e-9), "{report}");
    }
}

#[test]
fn in_lanes() {
    lanes(&Chosen::default(), [0.1, 0.9, 0.35, 2.0, 0.3], Chosen::P);
    lanes(&Row::default(), [0.1, 0.9, 0.5, 2.5, 3.0], Row::P);
}

/// With a spring of this stiffness at small deflections.
fn switched(model: &Switched, stiffness: f64) -> Simulation<Switched> {
    let curve = |y: [f64; 4]| Curve::new(vec![-1.0, 0.0, 1.0, 3.0], y.to_vec(), Extension::Linear).unwrap();
    Simulation::new(model)
        .table(Switched::START, curve([0.0, 0.1, 0.3, 0.2]))
        .table(Switched::SPRING, curve([-2.0 * stiffness, 0.0, stiffness, 5.0 * stiffness]))
        .step(1e-2)
        .until(0.5)
}

/// Gradients of these runs on one thread, so that four go in lanes.
fn in_fours(
    problem: &Problem,
    runs: &mut [StoredRun],
    derivatives: &[Series<f64>],
) -> Vec<Result<Vec<f64>, SimulationError>> {
    let mut runs: Vec<_> =
        runs.iter_mut().zip(derivatives).map(|(run, output_gradient)| RunWithCost { run, output_gradient }).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| gradient_each(problem, &mut runs, &Parameter::<Switched>::all().take(4).collect::<Vec<_>>()))
}

/// Numbers bit by bit, `NaN` included.
fn bits(gradient: &Result<Vec<f64>, SimulationError>) -> Vec<u64> {
    gradient.as_ref().unwrap().iter().map(|value| value.to_bits()).collect()
}

#[test]
fn gradients_in_lanes_do_not_depend_on_the_branches_beside_them() {
    let model = Switched::default();
    let problem = switched(&model, 30.0).problem().unwrap();
    let cost = cost::<Switched>(&problem);
    let sets = [(0.1, 0.4), (0.9, FRAC_PI_2), (2.0, 0.4), (0.4, 0.0), (1.2, 0.7), (1.8, 1.1)]
        .map(|(p, turn)| Switched { p, turn, ..Switched::default() }.parameters());
    let runs = || -> Vec<_> { problem.run_each(&sets).into_iter().map(Result::unwrap).collect() };
    let mut of_all = runs();
    let derivatives: Vec<_> = of_all.iter().map(|run| cost.output_gradient(run.outputs())).collect();
    let together = in_fours(&problem, &mut of_all, &derivatives);
    let mut pivoted = 0;
    let unknown: Vec<Parameter<Switched>> = Parameter::all().collect();
    for (i, set) in sets.iter().enumerate() {
        // alone in the lanes
        let alone = in_fours(&problem, &mut of_all[i..=i], &derivatives[i..=i]);
        assert_eq!(bits(&together[i]), bits(&alone[0]), "set {i}");
        let single = gradient(&problem, &mut of_all[i], &derivatives[i], &unknown[..4]);
        if of_all[i].statistics().pivoted > 0 {
            pivoted += 1;
            assert_eq!(bits(&together[i]), bits(&single), "set {i}");
        }
        for (a, b) in together[i].as_ref().unwrap().iter().zip(&single.unwrap()) {
            assert!((a - b).abs() <= 3e-11 * b.abs().max(1e-6), "set {i}: {a} {b}");
        }
        let report = check_gradient(&problem, &Switched::from_parameters(set), &cost, &unknown).unwrap();
        assert!(report.agrees(1e-9), "{report}");
    }

    assert!(pivoted > 0 && pivoted < 3, "{pivoted}");

    // a run with another table, and a cost without a number
    let (mut some, mut wrong) = (runs(), derivatives.clone());
    some[1] = switched(&model, 31.0).problem().unwrap().run(&sets[1]).unwrap();
    wrong[4].row_mut(7)[0] = f64::NAN;
    let found = in_fours(&problem, &mut some, &wrong);
    let difference = ProblemDifference::Tables;
    assert_eq!(found[1], Err(OtherProblem { difference }.into()));
    assert!(found[4].as_ref().unwrap()[2].is_nan(), "{:?}", found[4]);
    for i in [0, 2, 3, 5] {
        assert_eq!(bits(&found[i]), bits(&together[i]), "set {i}");
    }

    // where one has checkpoints all go by themselves
    let few = Checkpoints::Within(problem.memory().total() / 2);
    some[1] = switched(&model, 30.0).checkpoints(few).problem().unwrap().run(&sets[1]).unwrap();
    let found = in_fours(&problem, &mut some, &derivatives);
    for i in 0..4 {
        let single = gradient(&problem, &mut some[i], &derivatives[i], &unknown[..4]);
        assert_eq!(bits(&found[i]), bits(&single), "set {i}");
    }
}
