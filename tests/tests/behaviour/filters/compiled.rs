//! Filters on compiled models: exact derivatives of their steps, parameters as states, and observability.

use costate::filter::{
    Gaussian, ImplicitModel, KalmanFilter, KalmanMethod, RungeKutta, RungeKuttaModel, Sample, StateSpace, Step,
    Storage, observability, run,
};
use costate::simulate::{Scheme, Settings};
use costate::{Model, Simulation};
use nalgebra::DMatrix;

costate::model! {
    #[interpreted]
    /// Two masses with a nonlinear spring between them.
    pub TwoMasses {
        parameters { m: kg = 2, m_off: kg = 0.3, c: N/m = 400, c_3: N/m^3 = 3e4, d: N*s/m = 1.5, k: 1/m = 0.4 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m*(1 + (k*y)^2), y: m, (x, y): m_off }
        let spring = c*(x - y) + c_3*(x - y)^3 + d*(dot(x) - dot(y));
        forces { x: drive - spring - 100[N/m]*x - k*m*dot(x)*dot(y),
        y: spring - c*y*(1 + y^2/1[m^2]) - d*dot(y)*abs(dot(y)/1[m/s]) }
        initial { x = 0.02[m], dot(y) = 0.3[m/s] }
        outputs { acceleration: m/s^2 = ddot(x) + k*dot(y)^2, load: N = spring + d*1[s]*ddot(y) }
    }
}

costate::model! {
    #[interpreted]
    /// Pendulum in redundant coordinates.
    pub Pendulum {
        parameters { m: kg = 2, l: m = 0.5, d: N*s/m = 0.4, g: m/s^2 = 9.81, start: rad = 0.6 }
        inputs { wind: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: wind - d*dot(x), y: -m*g - d*dot(y) }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = l*sin(start), y = -l*cos(start) }
        outputs { tension: N = 2*l*multiplier(rod), position: m = x, acceleration: m/s^2 = ddot(y) }
    }
}

costate::model! {
    #[interpreted]
    /// KE (2.5): one degree of freedom with effective stiffness and damping.
    pub Effective {
        parameters { m: kg = 2, s: N/m = 90, d: N*s/m = 3 }
        inputs { force: N }
        coordinates { z: m }
        mass { z: m }
        forces { z: force - s*z - d*dot(z) }
        initial { z = 0.1[m], dot(z) = 0.7[m/s] }
        outputs {
            displacement: m = z, velocity: m/s = dot(z), acceleration: m/s^2 = ddot(z),
        }
    }
}

pub fn drive(t: f64) -> f64 {
    20.0 * (9.0 * t + 3.0 * t * t).sin()
}

/// The matrix by central differences of fourth order, in steps of the size of each state.
fn differences(mut function: impl FnMut(&[f64], &mut [f64]), x: &[f64], rows: usize, steps: &[f64]) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(rows, x.len());
    for column in 0..x.len() {
        for (times, weight) in [(1.0, 8.0 / 12.0), (-1.0, -8.0 / 12.0), (2.0, -1.0 / 12.0), (-2.0, 1.0 / 12.0)] {
            let mut moved = x.to_vec();
            moved[column] += times * steps[column];
            let mut y = vec![0.0; rows];
            function(&moved, &mut y);
            for row in 0..rows {
                matrix[(row, column)] += weight * y[row] / steps[column];
            }
        }
    }
    matrix
}

fn compare(found: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64, what: &str) {
    for row in 0..found.nrows() {
        let size = expected.row(row).amax();
        for column in 0..found.ncols() {
            let (a, b) = (found[(row, column)], expected[(row, column)]);
            assert!((a - b).abs() <= tolerance * size, "{what} ({row}, {column}): {a} and {b}");
        }
    }
}

#[test]
fn runge_kutta_steps_have_exact_derivatives() {
    let model = TwoMasses::default();
    let problem = Simulation::new(&model).input(TwoMasses::DRIVE, drive).step(1e-3).until(0.1).problem().unwrap();
    for formula in [RungeKutta::Third, RungeKutta::Fourth] {
        let mut process = RungeKuttaModel::new(&problem, &model)
            .unwrap()
            .estimate([TwoMasses::C_3, TwoMasses::M, TwoMasses::K])
            .formula(formula);
        assert_eq!(process.state_name(3), "dot(y)");
        assert_eq!(process.state_name(4), "c_3");
        let x = [0.02, -0.03, 0.4, 0.3, 3e4, 2.0, 0.4];
        let steps = [1e-5, 1e-5, 1e-3, 1e-3, 10.0, 1e-3, 1e-3];
        let step = Step { time: 0.3, interval: 1e-2, inputs_before: &[5.0], inputs: &[-3.0] };
        let (mut next, mut f) = ([0.0; 7], DMatrix::zeros(7, 7));
        process.advance(&step, &x, &mut next).unwrap();
        process.transition(&step, &x, &next, &mut f).unwrap();
        let expected = differences(|x, y| process.advance(&step, x, y).unwrap(), &x, 7, &steps);
        compare(&f, &expected, 1e-9, "F");
        let mut h = DMatrix::zeros(2, 7);
        let at = Sample { time: 0.3, inputs: &[-3.0] };
        process.measurement_matrix(&at, &x, &mut h);
        let expected = differences(|x, y| process.measure(&at, x, y), &x, 2, &steps);
        compare(&h, &expected, 1e-9, "H");
        let exact = process.exact_derivatives(&step, &x);
        compare(&f, &exact, 1e-13, "F by dual numbers");
    }
}

#[test]
fn schemes_have_their_order() {
    let model = TwoMasses::default();
    let problem = Simulation::new(&model).input(TwoMasses::DRIVE, drive).step(1e-3).until(0.1).problem().unwrap();
    let x = [0.02, -0.03, 0.4, 0.3];
    for (formula, order) in [(RungeKutta::Third, 3), (RungeKutta::Fourth, 4)] {
        let mut process = RungeKuttaModel::new(&problem, &model).unwrap().formula(formula);
        // Over 0.02 s with a constant input, in this many steps.
        let mut end = |steps: usize| {
            let (mut x, mut next) = (x, [0.0; 4]);
            for i in 0..steps {
                let interval = 0.02 / steps as f64;
                let time = i as f64 * interval;
                let step = Step { time, interval, inputs_before: &[5.0], inputs: &[5.0] };
                process.advance(&step, &x, &mut next).unwrap();
                x = next;
            }
            x
        };
        let exact = end(256);
        let mut error = |steps| end(steps).iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let found = f64::log2(error(4) / error(8));
        assert!((found - f64::from(order)).abs() < 0.3, "{formula:?} {found}");
    }
}

#[test]
fn hht_steps_are_those_of_the_simulation_and_have_exact_derivatives() {
    let model = Pendulum::default();
    let problem =
        Simulation::new(&model).input(Pendulum::WIND, drive).step(2e-3).until(0.4).alpha(-0.1).problem().unwrap();
    let run = problem.forward(&model.parameters()).unwrap();
    let mut process = ImplicitModel::new(&problem, &model).estimate([Pendulum::D, Pendulum::L]);
    let inputs = process.input_rows();
    let mut x = process.initial_by_parameters(&[0.0, 0.0]).unwrap().mean.as_slice().to_vec();
    let mut next = vec![0.0; x.len()];
    let mut f = DMatrix::zeros(9, 9);
    for i in 1..=run.steps() {
        let step =
            Step { time: run.time(i - 1), interval: 2e-3, inputs_before: &inputs[i - 1..i], inputs: &inputs[i..=i] };
        process.advance(&step, &x, &mut next).unwrap();
        for j in 0..2 {
            assert!((next[j] - run.coordinates(i)[j]).abs() < 1e-11, "{i}");
            assert!((next[4 + j] - run.accelerations(i)[j]).abs() < 1e-6);
        }
        if i == 50 {
            process.transition(&step, &x, &next, &mut f).unwrap();
            let steps = [1e-6, 1e-6, 1e-4, 1e-4, 1e-2, 1e-2, 1e-2, 1e-4, 1e-6];
            let expected = differences(|x, y| process.advance(&step, x, y).unwrap(), &x, 9, &steps);
            compare(&f, &expected, 1e-7, "F");
        }
        std::mem::swap(&mut x, &mut next);
    }
}

#[test]
fn steps_between_samples_reach_the_solution() {
    // A filter that measures next to nothing is a simulation.
    let model = TwoMasses::default();
    let problem = Simulation::new(&model).input(TwoMasses::DRIVE, 3.0).step(1e-3).until(0.5).problem().unwrap();
    let process = RungeKuttaModel::new(&problem, &model).unwrap().formula(RungeKutta::Fourth);
    let inputs = process.input_rows();
    let mean = process.initial_mean().unwrap();
    let initial = Gaussian::independent(&mean, &[1e-9; 4]).unwrap();
    let r = DMatrix::identity(2, 2) * 1e12;
    let mut filter =
        KalmanFilter::new(process, KalmanMethod::Extended, 1e-3, &initial, &DMatrix::zeros(4, 4), &r).unwrap();
    let result = run(&mut filter, &inputs, &vec![0.0; 2 * 501], Storage::Means).unwrap();
    let fine = Settings { scheme: Scheme::Undamped, ..Settings::new(1e-5, 0.5) };
    let exact = costate::simulate::Problem::new(fine, &[(TwoMasses::DRIVE, 3.0.into())]).unwrap();
    let exact = exact.forward(&model.parameters()).unwrap();
    let end = exact.coordinates(exact.steps());
    for (mean, end) in result.mean(500).iter().zip(end).take(2) {
        assert!((mean - end).abs() < 1e-7, "{mean} {end}");
    }
}

#[test]
fn observability_is_that_of_the_published_determinants() {
    let model = Effective::default();
    let (m, s, d, force) = (2.0, 90.0, 3.0, 4.0);
    let (z, v) = (0.1, 0.7);
    let problem =
        Simulation::new(&model).input(Effective::FORCE, move |_: f64| force).step(1e-3).until(1.0).problem().unwrap();
    let state = costate::simulate::initial_state_in::<Effective, f64>(&problem, &model.parameters()).unwrap();
    // KE (2.14) to (2.16), with m b u = force.
    let bracket = (force - s * z).powi(2) + m * s * v * v + s * z * d * v - d * v * force;
    for (output, determinant) in [
        (Effective::DISPLACEMENT, -(s * z * z + m * v * v + d * z * v - z * force) / m.powi(3)),
        (Effective::VELOCITY, -s * bracket / m.powi(5)),
        (Effective::ACCELERATION, -s.powi(3) * bracket / m.powi(7)),
    ] {
        let report =
            observability(&problem, &model, &state, 0.0, &[force], &[output], &[Effective::S, Effective::D]).unwrap();
        assert_eq!(report.matrix.shape(), (4, 4));
        let found = report.matrix.determinant();
        assert!((found / determinant - 1.0).abs() < 1e-10, "{output:?}: {found} {determinant}");
        assert_eq!((report.rank, report.unobservable.len()), (4, 0));
    }
    // Without stiffness, an acceleration does not show the position (KE 2.1.2).
    let soft = Effective { s: 0.0, ..model };
    let report =
        observability(&problem, &soft, &state, 0.0, &[force], &[Effective::ACCELERATION], &[Effective::D]).unwrap();
    assert_eq!(report.rank, 2);
    assert_eq!(report.unobservable, ["z"]);
    // Mass, stiffness and damping together leave a factor open.
    let all = [Effective::S, Effective::D, Effective::M];
    let free = costate::simulate::Problem::new(Settings::new(1e-3, 1.0), &[(Effective::FORCE, 0.0.into())]).unwrap();
    let state = costate::simulate::initial_state_in::<Effective, f64>(&free, &model.parameters()).unwrap();
    let report = observability(&free, &model, &state, 0.0, &[0.0], &[Effective::DISPLACEMENT], &all).unwrap();
    assert_eq!((report.rank, report.states), (4, 5));
    assert_eq!(report.unobservable, ["s", "d", "m"]);
}

#[test]
fn observability_of_a_mechanism() {
    let model = Pendulum::default();
    let problem =
        Simulation::new(&model).input(Pendulum::WIND, 1.0).step(1e-3).until(1.0).alpha(-0.1).problem().unwrap();
    let mut state = costate::simulate::initial_state_in::<Pendulum, f64>(&problem, &model.parameters()).unwrap();
    // moving
    state.velocities = vec![0.4 * 0.6_f64.cos(), 0.4 * 0.6_f64.sin()];
    let report =
        observability(&problem, &model, &state, 0.0, &[1.0], &[Pendulum::POSITION], &[Pendulum::D, Pendulum::M])
            .unwrap();
    // One degree of freedom: position, velocity and two parameters.
    assert_eq!((report.states, report.rank), (4, 4));
    let report =
        observability(&problem, &model, &state, 0.0, &[0.0], &[Pendulum::POSITION], &[Pendulum::D, Pendulum::M])
            .unwrap();
    // Without wind the motion depends on d/m alone.
    assert_eq!((report.states, report.rank), (4, 3));
    assert_eq!(report.unobservable, ["d", "m"]);
}
