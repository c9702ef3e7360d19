use nalgebra::{DMatrix, DVector};

use super::*;
use costate_numerics::linalg::MatrixFault;

const PI: f64 = std::f64::consts::PI;

/// x'' = -omega^2 x - 2 d x' + u with its sensitivity with respect to c = omega^2 (OB 5.23), h = -1/2 x_c^2.
fn oscillator(omega: f64, damping: f64, end: f64) -> SwitchingProblem {
    let (c, d) = (omega * omega, 2.0 * damping);
    #[rustfmt::skip]
    let a = DMatrix::from_row_slice(4, 4, &[
        0.0, 1.0, 0.0, 0.0,
        -c, -d, 0.0, 0.0,
        0.0, 0.0, 0.0, 1.0,
        -1.0, 0.0, -c, -d,
    ]);
    let b = DVector::from_vec(vec![0.0, 1.0, 0.0, 0.0]);
    let weight = DMatrix::from_diagonal(&DVector::from_vec(vec![0.0, 0.0, 1.0, 0.0]));
    SwitchingProblem::new(a, b, weight, end).unwrap()
}

/// The published system: omega = 1, T = 2 pi.
fn published() -> SwitchingProblem {
    oscillator(1.0, 0.0, 2.0 * PI)
}

/// RK4 of (5.23) with J, for an input that is u before t_1 and -u after it.
fn by_runge_kutta(t1: f64) -> f64 {
    let rate = |y: [f64; 5], u: f64| [y[1], -y[0] + u, y[3], -y[2] - y[0], -0.5 * y[2] * y[2]];
    let mut y = [0.0; 5];
    for (length, u) in [(t1, 1.0), (2.0 * PI - t1, -1.0)] {
        let steps = 2000;
        let h = length / f64::from(steps);
        for _ in 0..steps {
            let along = |k: [f64; 5], part: f64| std::array::from_fn(|i| y[i] + part * h * k[i]);
            let k1 = rate(y, u);
            let k2 = rate(along(k1, 0.5), u);
            let k3 = rate(along(k2, 0.5), u);
            let k4 = rate(along(k3, 1.0), u);
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
    }
    y[4]
}

/// The minimum of a function by golden sections.
fn minimum(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let part = 0.5 * (5.0_f64.sqrt() - 1.0);
    while high - low > 1e-9 {
        let (a, b) = (high - part * (high - low), low + part * (high - low));
        if f(a) < f(b) { high = b } else { low = a }
    }
    0.5 * (low + high)
}

#[test]
fn the_cost_is_that_of_another_integration() {
    for t1 in [0.5, 2.0, 4.5] {
        let cost = published().cost(Bound::Upper, &[t1]).unwrap();
        assert!((cost - by_runge_kutta(t1)).abs() < 1e-10, "{t1}: {cost}");
    }
}

#[test]
fn one_switching_time_of_the_published_system() {
    let problem = published();
    let cost = |t1: f64| problem.cost(Bound::Upper, &[t1]).unwrap();
    // the minimum of J(t_1) on a grid, refined (OB figure 5.4)
    let grid: Vec<f64> = (0..=1000).map(|i| 2.0 * PI * f64::from(i) / 1000.0).collect();
    let best = grid.iter().copied().min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap();
    let refined = minimum(cost, best - 0.01, best + 0.01);
    let extremal = problem.extremal(Bound::Upper, &[best + 0.3]).unwrap();
    let t1 = extremal.switching_times[0];
    // a minimum's place is known to the root of the rounding
    assert!((t1 - refined).abs() < 1e-6, "{t1} {refined}");
    assert!(extremal.is_minimum(), "{extremal}");
    assert!(extremal.cost <= cost(refined) + 1e-12);
    // the curvature is that of J(t_1), the slope that of (5.22)
    let h = 1e-3;
    let second = (cost(t1 + h) - 2.0 * cost(t1) + cost(t1 - h)) / (h * h);
    assert!((extremal.curvature.unwrap() / second - 1.0).abs() < 1e-5);
    let t = 1.3;
    let slope = (cost(t + h) - cost(t - h)) / (2.0 * h);
    let s = problem.switching_conditions(Bound::Upper, &[t], &[]).unwrap()[0];
    assert!((slope - 2.0 * s).abs() < 1e-5 * slope.abs(), "{slope} {s}");
    // the mirrored input is as good
    let mirrored = problem.extremal(Bound::Lower, &[best]).unwrap();
    assert!((mirrored.switching_times[0] - t1).abs() < 1e-12 && (mirrored.cost - extremal.cost).abs() < 1e-12);
}

/// The adjoint equations are (5.25), with H of (5.24) with +p_1 z_2; and H is constant along an extremal.
#[test]
fn the_hamiltonian_is_constant_and_the_adjoint_equations_hold() {
    let problem = published();
    let extremal = problem.extremal(Bound::Upper, &[3.0]).unwrap();
    let h = 1e-4;
    let mut times = Vec::new();
    for i in 1..60 {
        let t = 0.1 * f64::from(i) + 0.05;
        times.extend([t - h, t, t + h]);
    }
    let path = problem.path(extremal.first, &extremal.switching_times, &[], &times).unwrap();
    let first = path[0].hamiltonian;
    for three in path.chunks(3) {
        let [before, at, after] = three else { panic!() };
        if before.input != after.input {
            continue;
        }
        let (z, p) = (&at.state, &at.adjoint);
        let expected = [p[1] + p[3], -p[0], z[2] + p[3], -p[2]];
        for (k, expected) in expected.into_iter().enumerate() {
            let rate = (after.adjoint[k] - before.adjoint[k]) / (2.0 * h);
            assert!((rate - expected).abs() < 1e-6, "{k}: {rate} {expected}");
        }
        let by_hand = -0.5 * z[2] * z[2] + p[0] * z[1] + p[1] * (-z[0] + at.input) + p[2] * z[3] - p[3] * (z[2] + z[0]);
        assert!((at.hamiltonian - by_hand).abs() < 1e-12);
        assert!((at.hamiltonian - first).abs() < 1e-11, "{} {first}", at.hamiltonian);
        assert!(at.switching_function * at.input <= 1e-12, "{at:?}");
    }
}

/// Compares Jacobian and cost of any problem with differences of exact numbers.
fn check_jacobian(problem: &SwitchingProblem, first: Bound, times: &[f64], multipliers: &[f64]) {
    let conditions = |times: &[f64]| problem.switching_conditions(first, times, multipliers).unwrap();
    let path = super::path::Path::new(problem, first, times, multipliers).unwrap();
    for k in 0..times.len() {
        let (_, adjoints) = path.derivative(problem, Some(k), DVector::zeros(problem.states() + 1));
        let moved = |change: f64| {
            let mut times = times.to_vec();
            times[k] += change;
            conditions(&times)
        };
        // fourth order
        let h = 1e-3;
        let difference = ((moved(h) - moved(-h)) * 8.0 - (moved(2.0 * h) - moved(-2.0 * h))) / (12.0 * h);
        for i in 0..times.len() {
            let exact = problem.input.dot(&adjoints[i + 1]);
            assert!((exact - difference[i]).abs() < 1e-9 * difference.amax(), "{i} {k}: {exact} {}", difference[i]);
        }
    }
}

#[test]
fn jacobians_are_exact() {
    check_jacobian(&oscillator(1.3, 0.2, 9.0), Bound::Upper, &[1.0, 3.5, 6.0], &[]);
    let ending = oscillator(1.3, 0.2, 9.0).ending_at_zero([0, 1]).unwrap();
    check_jacobian(&ending, Bound::Lower, &[1.0, 3.5, 6.0], &[0.3, -2.0]);
}

#[test]
fn longer_experiments_switch_more_often() {
    for damping in [0.0, 0.1] {
        let problem = oscillator(1.0, damping, 15.0);
        let found = problem.search(6, 12, 1).unwrap();
        let best = &found[0];
        assert!(best.is_minimum() && best.switching_times.len() >= 3, "{best}");
        // the mirrored one is as good, and nothing else is better
        assert!((found[1].cost - best.cost).abs() < 1e-9 * best.cost.abs());
        assert!(found.iter().all(|other| other.cost >= best.cost * (1.0 + 1e-9)), "{best}");
        // coordinate by coordinate it is a minimum
        for k in 0..best.switching_times.len() {
            let along = |t: f64| {
                let mut times = best.switching_times.clone();
                times[k] = t;
                problem.cost(best.first, &times).unwrap()
            };
            let t = best.switching_times[k];
            assert!((minimum(along, t - 0.05, t + 0.05) - t).abs() < 1e-6, "{k}: {best}");
        }
        // and no other input that switches is better
        for seed in 0..300_u32 {
            let switches = 1 + seed as usize % 6;
            let part = |k: usize| (f64::from(seed) * 0.37 + k as f64 * 2.9).sin().abs();
            let mut times: Vec<f64> = (0..switches).map(|k| 15.0 * part(k)).collect();
            times.sort_by(f64::total_cmp);
            assert!(problem.cost(Bound::Upper, &times).unwrap() >= best.cost);
        }
    }
}

#[test]
fn end_conditions_hold() {
    let problem = oscillator(1.0, 0.05, 12.0).ending_at_zero([0, 1]).unwrap();
    let found = problem.search(6, 30, 3).unwrap();
    let best = &found[0];
    assert!(best.is_minimum(), "{best}");
    let end = problem.path(best.first, &best.switching_times, &best.multipliers, &[12.0]).unwrap();
    assert!(end[0].state.rows(0, 2).amax() < 1e-11, "{}", end[0].state);
    assert_eq!(end[0].adjoint.rows(0, 2).as_slice(), &best.multipliers[..]);
    assert_eq!(end[0].adjoint.rows(2, 2).amax(), 0.0);
    // rest at the end costs information
    let free = oscillator(1.0, 0.05, 12.0).search(6, 12, 1).unwrap();
    assert!(best.cost > free[0].cost, "{best}\n{}", free[0]);
}

/// Rest to rest of a mass with singular A and h = 0: only the end conditions count, and u switches in the middle
/// of the shortest time.
#[test]
fn a_singular_system_matrix_is_no_obstacle() {
    let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]);
    let b = DVector::from_vec(vec![0.0, 1.0]);
    let weight = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 0.0]));
    // h = -x^2/2: farthest away by going one way all the time
    let problem = SwitchingProblem::new(a, b, weight, 2.0).unwrap();
    let found = problem.search(2, 8, 1).unwrap();
    assert!(found[0].switching_times.is_empty() && found[0].is_minimum());
    // x = t^2/2: J = -1/2 int t^4/4 dt = -2^5/40
    assert!((found[0].cost + 32.0 / 40.0).abs() < 1e-14);
    // with x(T) = 0, x'(T) = 0 symmetric: +, -, + with switching times T/4, 3T/4
    let resting = problem.ending_at_zero([0, 1]).unwrap();
    let extremal = resting.extremal(Bound::Upper, &[0.6, 1.4]).unwrap();
    assert!((extremal.switching_times[0] - 0.5).abs() < 1e-12);
    assert!((extremal.switching_times[1] - 1.5).abs() < 1e-12);
    assert_eq!(extremal.curvature, None);
    assert!(extremal.pontryagin.is_satisfied());
    let error = resting.extremal(Bound::Upper, &[0.6]).unwrap_err();
    assert!(matches!(error, SwitchingError::Singular { switches: 1, end_conditions: 2, .. }), "{error}");
}

#[test]
fn constants_linear_weights_and_other_bounds() {
    // x' = u - 1, h = -(x^2/2 + 2 x + 3/2) = -(x + 2)^2/2 + 1/2, u in [0, 3]; y = x + 2 has y' = u - 1, y(0) = 2.5.
    let one = |value: f64| DVector::from_element(1, value);
    let matrix = |value: f64| DMatrix::from_element(1, 1, value);
    let problem = SwitchingProblem::new(matrix(0.0), one(1.0), matrix(1.0), 2.0)
        .unwrap()
        .starting_at(&one(0.5))
        .unwrap()
        .with_constant(&one(-1.0))
        .unwrap()
        .with_linear_weight(&one(2.0))
        .unwrap()
        .with_constant_weight(3.0)
        .unwrap()
        .within(0.0, 3.0)
        .unwrap();
    let y = |t: f64, t1: f64| if t < t1 { 2.5 + 2.0 * t } else { 2.5 + 2.0 * t1 - (t - t1) };
    let t1 = 0.7;
    let steps = 20_000;
    let integral: f64 = (0..steps)
        .map(|i| {
            let t = (f64::from(i) + 0.5) * 2.0 / f64::from(steps);
            (0.5 - 0.5 * y(t, t1).powi(2)) * 2.0 / f64::from(steps)
        })
        .sum();
    let cost = problem.cost(Bound::Upper, &[t1]).unwrap();
    assert!((cost - integral).abs() < 1e-7, "{cost} {integral}");
    check_jacobian(&problem, Bound::Upper, &[0.4, 1.1], &[]);
    assert!(problem.search(1, 4, 1).unwrap()[0].switching_times.is_empty());
}

#[test]
fn violations_and_singular_arcs_are_reported() {
    // a constant input is wrong from some time on
    let problem = oscillator(1.0, 0.0, 15.0);
    let constant = problem.extremal(Bound::Upper, &[]).unwrap();
    let Pontryagin::Violated { time, switching_function } = constant.pontryagin else { panic!("{constant}") };
    let at = problem.path(Bound::Upper, &[], &[], &[time]).unwrap();
    assert!(at[0].switching_function > 0.0 && (at[0].switching_function - switching_function).abs() < 1e-9);
    // without weight s is zero all the time
    let zero = SwitchingProblem::new(
        DMatrix::from_element(1, 1, -1.0),
        DVector::from_element(1, 1.0),
        DMatrix::zeros(1, 1),
        1.0,
    )
    .unwrap();
    let constant = zero.extremal(Bound::Upper, &[]).unwrap();
    assert!(matches!(constant.pontryagin, Pontryagin::Undecided { .. }), "{constant}");
    assert!(matches!(zero.extremal(Bound::Upper, &[0.5]), Err(SwitchingError::Singular { .. })));
}

/// s = p^T b with a root between two samples of any grid of the check's first pieces.
#[test]
fn roots_between_samples_are_found() {
    // x'' = -w^2 x + u, h = -r^T z: p does not depend on u, s = r_1 sin(w (T - t))/w + r_2 cos(w (T - t)): roots far
    // apart compared with their distance to a double one
    let omega: f64 = 1.0;
    let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -omega * omega, 0.0]);
    let b = DVector::from_vec(vec![0.0, 1.0]);
    let problem = |end: f64| {
        SwitchingProblem::new(a.clone(), b.clone(), DMatrix::zeros(2, 2), end)
            .unwrap()
            .with_linear_weight(&DVector::from_vec(vec![1.0, 0.0]))
            .unwrap()
    };
    // s(t) = -(1 - cos(T - t)) touches zero at T - t = 2 pi: p_2' = -p_1, p_1' = 1 + p_2
    let end = 2.0 * PI + 1.234_567;
    let touching = problem(end).extremal(Bound::Upper, &[]).unwrap();
    let Pontryagin::Undecided { time, .. } = touching.pontryagin else { panic!("{touching}") };
    assert!((time - 1.234_567).abs() < 1e-4, "{touching}");
    // with a little of the velocity there is an interval of length 2e-4 where the sign is wrong
    let tilted = problem(end).with_linear_weight(&DVector::from_vec(vec![1.0, 1e-4])).unwrap();
    let violated = tilted.extremal(Bound::Upper, &[]).unwrap();
    let Pontryagin::Violated { time, .. } = violated.pontryagin else { panic!("{violated}") };
    assert!((time - 1.234_567).abs() < 1e-3, "{violated}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (a, b, w) = (DMatrix::zeros(2, 2), DVector::from_vec(vec![0.0, 1.0]), DMatrix::zeros(2, 2));
    let new = |a: DMatrix<f64>, w: DMatrix<f64>, end: f64| SwitchingProblem::new(a, b.clone(), w, end).unwrap_err();
    assert!(matches!(
        new(DMatrix::zeros(2, 3), w.clone(), 1.0),
        SwitchingError::Matrix { field: "system", fault: MatrixFault::Size { .. } }
    ));
    assert!(matches!(
        new(a.clone(), DMatrix::zeros(1, 1), 1.0),
        SwitchingError::Matrix { field: "weight", fault: MatrixFault::Size { .. } }
    ));
    let wrong = DMatrix::from_element(2, 2, f64::NAN);
    assert!(matches!(
        new(wrong, w.clone(), 1.0),
        SwitchingError::Matrix { field: "system", fault: MatrixFault::NotFinite { .. } }
    ));
    let skew = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -1.0, 0.0]);
    assert!(matches!(
        new(a.clone(), skew, 1.0),
        SwitchingError::Matrix { field: "weight", fault: MatrixFault::NotSymmetric { row: 1, column: 0, .. } }
    ));
    for end in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(new(a.clone(), w.clone(), end), SwitchingError::End { end });
    }
    assert!(SwitchingProblem::new(DMatrix::zeros(0, 0), DVector::zeros(0), DMatrix::zeros(0, 0), 1.0).is_err());
    let problem = SwitchingProblem::new(a, b, w, 1.0).unwrap();
    assert!(matches!(problem.clone().within(1.0, 1.0), Err(SwitchingError::Bounds { .. })));
    assert!(matches!(problem.clone().within(f64::NEG_INFINITY, 1.0), Err(SwitchingError::Bounds { .. })));
    assert_eq!(problem.clone().ending_at_zero([2]), Err(SwitchingError::EndCondition { state: 2, limit: 1 }));
    assert!(problem.clone().ending_at_zero([0, 0]).is_err());
    assert!(problem.clone().starting_at(&DVector::zeros(3)).is_err());
    assert!(matches!(problem.cost(Bound::Upper, &[0.5, 0.4]), Err(SwitchingError::Order { index: 1, .. })));
    assert!(matches!(problem.extremal(Bound::Upper, &[1.5]), Err(SwitchingError::Order { index: 0, .. })));
    assert!(problem.path(Bound::Upper, &[], &[], &[1.1]).is_err());
    assert!(problem.switching_conditions(Bound::Upper, &[0.5], &[1.0]).is_err());
    let unstable = DMatrix::from_diagonal(&DVector::from_vec(vec![1e3, 1e3]));
    let unstable = SwitchingProblem::new(unstable, DVector::from_vec(vec![0.0, 1.0]), DMatrix::identity(2, 2), 1e3);
    assert_eq!(unstable.unwrap().cost(Bound::Upper, &[]), Err(SwitchingError::Overflow));
}
