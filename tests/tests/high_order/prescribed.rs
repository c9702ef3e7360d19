//! Motions that constraints prescribe: accelerations and forces of long steps, beside closed forms, and their
//! derivatives.

use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::differentiate::{UnknownTables, input_gradient, table_gradient, table_sensitivities};
use costate::simulate::{Problem, Scheme, SimulationError};
use costate::stepper::StepChange;
use costate::table::{Curve, Extension, Interpolation};
use costate::verify::check_table_gradient;
use costate::{Model, Output, Simulation, Stepper};

use crate::derivatives::check;

costate::model! {
    #[interpreted]
    /// A press: a crank whose speed varies moves a slider against a spring and a force. All motion is prescribed.
    pub Press {
        parameters {
            m: kg = 2, j: kg*m^2 = 0.05, r: m = 0.1, l: m = 0.3, w: rad/s = 30, e: 1 = 0.3, c: N/m = 50,
        }
        inputs { load: N }
        coordinates { phi: rad, x: m }
        mass { phi: j, x: m }
        forces { x: load - c*x }
        constraints { drive: phi - w*t - e*sin(2*w*t), rod: (x - r*cos(phi))^2 + (r*sin(phi))^2 - l^2 }
        initial { x ~ r + l, phi ~ 0 }
        outputs { torque: N*m = -multiplier(drive), acceleration: m/s^2 = ddot(x), speed: m/s = dot(x) }
    }
}

/// Force on the slider in N.
fn load(time: f64) -> f64 {
    20.0 * (7.0 * time).cos()
}

/// Torque, acceleration and speed at a time: derivatives of the slider's place by the angle, and virtual work.
fn exact(model: &Press, time: f64) -> [f64; 3] {
    let Press { m, j, r, l, w, e, c, .. } = *model;
    let phi = w * time + e * (2.0 * w * time).sin();
    let rate = w + 2.0 * e * w * (2.0 * w * time).cos();
    let change = -4.0 * e * w * w * (2.0 * w * time).sin();
    let (sin, cos) = phi.sin_cos();
    let root = (l * l - r * r * sin * sin).sqrt();
    let x = r * cos + root;
    let by_angle = -r * sin - r * r * sin * cos / root;
    let twice = -r * cos - r * r * (cos * cos - sin * sin) / root - (r * r * sin * cos).powi(2) / root.powi(3);
    let acceleration = twice * rate * rate + by_angle * change;
    [j * change + by_angle * (m * acceleration + c * x - load(time)), acceleration, by_angle * rate]
}

costate::model! {
    #[interpreted]
    /// A cam that turns evenly lifts a follower by a table or by a polynomial of one rise, against a spring.
    pub Cam {
        parameters { m: kg = 0.5, c: N/m = 200, w: rad/s = 20, lift_2: m = 0.01 }
        tables { lift(angle: rad): m, path(at: s): m }
        coordinates { phi: rad, x: m, y: m, z: m }
        mass { phi: 0.01[kg*m^2], x: m, y: m, z: m }
        forces { x: -c*x, y: -c*y }
        let s = phi/6.283185307179586;
        constraints {
            drive: phi - w*t,
            cam: x - lift(phi),
            second: y - lift_2*(10*s^3 - 15*s^4 + 6*s^5),
            third: z - path(t),
        }
        initial { phi ~ 0 }
        outputs { force: N = -multiplier(cam), force_2: N = -multiplier(second), force_3: N = -multiplier(third) }
    }
}

costate::model! {
    #[interpreted]
    /// A mass whose drive turns round at once.
    pub Bent {
        parameters { m: kg = 2, speed: m/s = 3, turn: s = 0.3 }
        coordinates { x: m }
        mass { x: m }
        constraints { drive: x - speed*abs(t - turn) }
        initial { x ~ 0 }
        outputs { force: N = -multiplier(drive) }
    }
}

fn press(model: &Press) -> Simulation<Press> {
    Simulation::new(model).input(Press::LOAD, load)
}

fn lift() -> Curve {
    let angles = (0..=12).map(|k| std::f64::consts::TAU * f64::from(k) / 12.0).collect();
    let values = (0..=12).map(|k| 0.01 * (f64::from(k % 12) * 0.7).sin()).collect();
    Curve::new(angles, values, Extension::Periodic).unwrap()
}

fn path() -> Curve {
    let times = (0..=10).map(|k| 0.037 * f64::from(k)).collect();
    let values = (0..=10).map(|k| 0.05 * (f64::from(k) * 0.9).cos()).collect();
    Curve::new(times, values, Extension::Linear).unwrap()
}

fn cam(model: &Cam, path: Curve) -> Simulation<Cam> {
    Simulation::new(model).table(Cam::LIFT, lift()).table(Cam::PATH, path)
}

/// The largest distance of two series, as a part of the largest number of the first.
fn distance(truth: &[f64], found: &[f64]) -> f64 {
    let range = truth.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let error = truth.iter().zip(found).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    error / range
}

#[test]
fn forces_of_a_prescribed_motion_are_exact_at_long_steps() {
    // 21 to 39 steps to a turn of the crank, with which the scheme alone is up to 0.3 off
    for k in 0..20 {
        let model = Press { w: 16.0 + 0.7 * f64::from(k), e: 0.015 * f64::from(k), ..Press::default() };
        for simulation in [
            press(&model),
            press(&model).scheme(Scheme::Undamped),
            press(&model).order(4),
            press(&model).adaptive(1e-4),
        ] {
            let run = simulation.step(1e-2).until(1.0).run().unwrap();
            for (index, output) in [Press::TORQUE, Press::ACCELERATION, Press::SPEED].into_iter().enumerate() {
                let truth: Vec<f64> = run.times().into_iter().map(|time| exact(&model, time)[index]).collect();
                let error = distance(&truth, &run.output(output));
                assert!(error < 1e-9, "{k}, {index}: {error:e}");
            }
            let accuracy = run.accuracy().unwrap();
            assert!(accuracy.outputs.iter().all(|error| error.relative() < 1e-9), "{accuracy}");
        }
    }
}

#[test]
fn cams_by_tables_and_polynomials_are_exact() {
    for k in 0..20 {
        let model = Cam { w: 15.0 + 0.1 * f64::from(k), ..Cam::default() };
        let run = cam(&model, path()).step(1e-2).until(0.4).run().unwrap();
        let Cam { m, c, w, lift_2, .. } = model;
        let by_polynomial = |time: f64| {
            let (s, rate) = (w * time / std::f64::consts::TAU, w / std::f64::consts::TAU);
            let acceleration = lift_2 * (60.0 * s - 180.0 * s.powi(2) + 120.0 * s.powi(3)) * rate * rate;
            m * acceleration + c * lift_2 * (10.0 * s.powi(3) - 15.0 * s.powi(4) + 6.0 * s.powi(5))
        };
        let by_table = |time: f64| {
            let [value, curvature]: [f64; 2] = lift().derivatives(w * time, [0, 2]);
            m * curvature * w * w + c * value
        };
        let by_path = |time: f64| {
            let [acceleration]: [f64; 1] = path().derivatives(time, [2]);
            m * acceleration
        };
        let times = run.times();
        let of = |force: &dyn Fn(f64) -> f64| -> Vec<f64> { times.iter().map(|time| force(*time)).collect() };
        let truths = [(Cam::FORCE, of(&by_table)), (Cam::FORCE_2, of(&by_polynomial)), (Cam::FORCE_3, of(&by_path))];
        for (output, truth) in truths {
            let error = distance(&truth, &run.output(output));
            assert!(error < 1e-9, "{k}, {}: {error:e}", output.name());
        }
    }
}

#[test]
fn a_drive_that_turns_at_once_keeps_its_impulse() {
    for k in 0..20 {
        // at and between the ends of steps; the scheme swings out over some tens of them
        let model = Bent { turn: 0.3 + 1e-3 * f64::from(k), ..Bent::default() };
        let run = Simulation::new(&model).step(1e-2).until(1.5).error_limit(None).run().unwrap();
        let impulse: f64 = run.output(Bent::FORCE).iter().map(|force| force * 1e-2).sum();
        assert!((impulse / (2.0 * model.m * model.speed) - 1.0).abs() < 0.02, "{k}: {impulse}");
    }
    let model = Cam::default();
    let bent = path().interpolated(Interpolation::Straight);
    let run = cam(&model, bent.clone()).step(1e-3).until(0.5).error_limit(None).run().unwrap();
    let impulse: f64 = run.output(Cam::FORCE_3).iter().map(|force| force * 1e-3).sum();
    let [before, after] = [0.0, 0.5].map(|time| bent.derivatives::<f64, 1>(time, [1])[0]);
    let expected = model.m * (after - before);
    assert!((impulse - expected).abs() < 0.02 * expected.abs(), "{impulse} {expected}");
}

#[test]
fn kinks_of_drives_are_named_with_their_times() {
    for k in 0..20 {
        let model = Bent { turn: 0.3 + 1.37e-2 * f64::from(k), ..Bent::default() };
        let simulation = || Simulation::new(&model).until(1.5);
        let runs = [simulation().step(1e-2), simulation().step(2.5e-4), simulation().step(1e-2).order(4)];
        for simulation in runs {
            let error = simulation.run().unwrap_err();
            let SimulationError::Inaccurate(found) = &error else { panic!("{error}") };
            let kink = found.kink.unwrap_or_else(|| panic!("{error}"));
            assert!(kink.constraint == "drive" && (kink.time - model.turn).abs() < 1e-6, "{k}: {error}");
            assert!(error.to_string().contains("no step resolves: smooth the motion"), "{error}");
        }
        let refused = simulation().step(1e-2).adaptive(1e-4).run();
        assert!(matches!(refused, Err(SimulationError::Inaccurate(_))), "{k}");
        let adaptive = simulation().step(1e-2).adaptive(1e-4).error_limit(None).run().unwrap().accuracy().unwrap();
        // many short steps may follow a kink
        assert!(adaptive.relative() > 0.05, "{adaptive}");
        assert!(adaptive.kink.is_none_or(|kink| (kink.time - model.turn).abs() < 1e-6), "{adaptive}");
        let error = simulation().step_for(1e-3).unwrap_err();
        assert!(matches!(&error, SimulationError::Inaccurate(found) if found.kink.is_some()), "{error}");
    }
    // a straight table bends at its knots, every 0.037 s
    let model = Cam::default();
    let error = cam(&model, path().interpolated(Interpolation::Straight)).step(1e-3).until(0.3).run().unwrap_err();
    let SimulationError::Inaccurate(found) = &error else { panic!("{error}") };
    let knots = found.kink.unwrap().time / 0.037;
    assert!(found.kink.unwrap().constraint == "third" && (knots - knots.round()).abs() < 1e-4, "{error}");
}

#[test]
fn gradients_of_prescribed_motions_are_exact() {
    let model = Press { w: 9.0, ..Press::default() };
    for simulation in [press(&model), press(&model).scheme(Scheme::Undamped), press(&model).order(4)] {
        check(&simulation, &model, &["torque", "acceleration", "speed"]);
    }
    // the torque is linear in the force on the slider
    let problem = press(&model).step(0.02).until(1.0).problem().unwrap();
    let of_outputs = |problem: &Problem| problem.outputs(&model.parameters()).unwrap();
    let mut weights = of_outputs(&problem);
    (0..weights.samples()).for_each(|i| weights.row_mut(i).copy_from_slice(&[(i as f64).cos(), 0.0, 0.0]));
    let value = |problem: &Problem| -> f64 {
        let outputs = of_outputs(problem);
        (0..weights.samples()).map(|i| weights.row(i)[0] * outputs.row(i)[0]).sum()
    };
    let mut run = problem.run(&model.parameters()).unwrap();
    let gradient = input_gradient::<Press, f64>(&problem, &mut run, &weights, None).unwrap();
    for i in 0..problem.samples() {
        let rows = (0..problem.samples()).map(|k| [problem.inputs().row(k)[0] + f64::from(k == i)]);
        let change = value(&problem.clone().with_inputs(rows).unwrap()) - value(&problem);
        assert!((gradient.row(i)[0] - change).abs() < 1e-9, "{i}: {} {change}", gradient.row(i)[0]);
    }
}

#[test]
fn gradients_by_the_tables_of_cams_are_exact() {
    let model = Cam::default();
    check(&cam(&model, path()), &model, &["force", "force_2", "force_3"]);
    let problem = cam(&model, path()).step(0.02).until(0.4).problem().unwrap();
    let times: Vec<f64> = (0..problem.samples()).map(|i| i as f64 * 0.02).collect();
    let mut cost = LeastSquares::new(0.02, problem.samples(), Quadrature::Rectangle);
    for output in Output::<Cam>::all() {
        let values: Vec<f64> = times.iter().map(|time| (5.0 * time + output.index() as f64).sin()).collect();
        cost = cost.with_channel(output, &times, &values, 1.0).unwrap();
    }
    let tables = UnknownTables::all();
    let report = check_table_gradient(&problem, &model, &cost, &tables).unwrap();
    assert!(report.agrees(1e-10) && report.entries.iter().all(|entry| entry.dual != 0.0), "{report}");
    let mut run = problem.run(&model.parameters()).unwrap();
    let by_outputs = cost.output_gradient(run.outputs());
    let (_, by_tables) = table_gradient(&problem, &mut run, &by_outputs, &[], &tables).unwrap();
    let (_, direct) = table_sensitivities(&problem, &mut run, &[], &tables).unwrap();
    for (table, found) in [(Cam::LIFT, by_tables.of(Cam::LIFT)), (Cam::PATH, by_tables.of(Cam::PATH))] {
        for (series, found) in direct.of(table).iter().zip(found) {
            let rows = (0..problem.samples()).flat_map(|i| by_outputs.row(i).iter().zip(series.row(i)));
            let total: f64 = rows.map(|(derivative, sensitivity)| derivative * sensitivity).sum();
            assert!((total - found).abs() < 1e-10 * found.abs().max(1.0), "{total} {found}");
        }
    }
}

#[test]
fn steps_of_prescribed_motions_have_exact_derivatives() {
    let model = Press { w: 9.0, ..Press::default() };
    let mut stepper: Stepper<Press> = costate::stepper::start(&press(&model).step(0.02)).unwrap();
    let run = press(&model).step(0.02).until(0.2).problem().unwrap().forward(&model.parameters()).unwrap();
    for i in 1..=10 {
        stepper.set_input(Press::LOAD, load(0.02 * f64::from(i)));
        stepper.step().unwrap();
    }
    let state = stepper.state();
    let parts: [&[f64]; 4] = [&state.coordinates, &state.velocities, &state.accelerations, &state.multipliers];
    assert_eq!(parts.concat(), run.stored(10));
    let of = stepper.derivatives().unwrap();
    // of the state, s alone depends on the one before
    assert_eq!(of.state.rows(0, 8).amax(), 0.0);
    for row in 0..of.state.nrows() {
        let unit: Vec<f64> = (0..of.state.nrows()).map(|k| f64::from(k == row)).collect();
        let adjoint = stepper.adjoint(&unit).unwrap();
        for (found, matrix) in
            [(&adjoint.state, &of.state), (&adjoint.inputs, &of.inputs), (&adjoint.parameters, &of.parameters)]
        {
            for (column, found) in found.iter().enumerate() {
                let (expected, scale) = (matrix[(row, column)], matrix.row(row).amax());
                assert!((found - expected).abs() <= 1e-11 * scale, "{row} {column}: {found:e} {expected:e}");
            }
        }
    }
    let parameters: Vec<f64> = (0..of.parameters.ncols()).map(|k| (k as f64).cos()).collect();
    let change = StepChange { state: &[0.0; 10], inputs: &[2.0], inputs_before: &[0.0], parameters: &parameters };
    for (row, found) in stepper.tangent(change).unwrap().into_iter().enumerate() {
        let by_parameters: f64 = (0..parameters.len()).map(|k| of.parameters[(row, k)] * parameters[k]).sum();
        let expected = by_parameters + 2.0 * of.inputs[(row, 0)];
        assert!((found - expected).abs() <= 1e-11 * expected.abs().max(1.0), "{row}: {found:e} {expected:e}");
    }
}

#[test]
fn steps_that_are_found_show_the_motion() {
    // a turn takes 0.21 to 0.42 s, of which the cubic through every other sample shows 0.1 % with some 80 samples
    for k in 0..20 {
        let model = Press { w: 15.0 + 0.75 * f64::from(k), ..Press::default() };
        for end in [1.0, 7.0] {
            let step = press(&model).until(end).step_for(1e-3).unwrap();
            let samples = std::f64::consts::TAU / model.w / step;
            assert!((60.0..800.0).contains(&samples), "{k}, {end} s: {samples}");
        }
    }
}
