//! The smoother on the runs of a particle filter.

use costate::Simulation;
use costate::filter::{
    DivergenceReason, Gaussian, ImplicitModel, KalmanFilter, KalmanMethod, LinearSystem, ModelFailure, ParticleFilter,
    RungeKuttaModel, Sample, StateSpace, Step, Storage, run, smooth,
};
use costate_tests::noise::normal;
use nalgebra::DMatrix;

use super::constrained::{Crane, covariance, crane, record, rope};

/// A body with position and velocity, a course of it, and its measured positions; some are missing.
fn body(process_deviation: f64) -> (LinearSystem, Vec<[f64; 2]>, Vec<f64>) {
    let system = LinearSystem::new(dmatrix![1.0, 0.1; 0.0, 1.0], dmatrix![1.0, 0.0]).unwrap();
    let (mut normal, mut x) = (normal(2), [0.2, 0.3]);
    let (mut truth, mut y) = (vec![x], vec![f64::NAN]);
    for i in 1..80 {
        x = [x[0] + 0.1 * x[1] + 0.01 * normal(), x[1] + process_deviation * normal()];
        truth.push(x);
        let measured = x[0] + 0.2 * normal();
        y.push(if i % 9 == 4 { f64::NAN } else { measured });
    }
    (system, truth, y)
}

/// Root mean square of a state's errors.
fn error(found: impl Iterator<Item = f64>, truth: impl Iterator<Item = f64>) -> f64 {
    let squares: Vec<f64> = found.zip(truth).map(|(a, b)| (a - b).powi(2)).collect();
    (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
}

#[test]
fn the_smoother_of_particles_is_that_of_rauch_tung_and_striebel() {
    let (system, truth, y) = body(0.1);
    let initial = Gaussian::independent(&[0.0, 0.5], &[0.3, 0.3]).unwrap();
    let (q, r) = (dmatrix![1e-4, 0.0; 0.0, 1e-2], dmatrix![0.04]);
    let mut filter = KalmanFilter::new(system.clone(), KalmanMethod::Extended, 0.1, &initial, &q, &r).unwrap();
    let exact = smooth(&run(&mut filter, &[], &y, Storage::Gains).unwrap()).unwrap();
    let (count, seeds) = (20_000, 8);
    let runs: Vec<_> = (0..seeds)
        .map(|seed| {
            let system = system.clone();
            let mut filter = ParticleFilter::new(system, count, 0.1, &initial, &q, &r, seed).unwrap();
            let filtered = run(&mut filter, &[], &y, Storage::Gains).unwrap();
            let smoothed = smooth(&filtered).unwrap();
            (filtered, smoothed)
        })
        .collect();
    // Errors of the means in units of the exact deviation, and of the deviations relative to it; all of one seed in a
    // row. Their standard error is what the seeds scatter by at the worst sample.
    let errors: Vec<[Vec<f64>; 2]> = runs
        .iter()
        .map(|(_, found)| {
            let each = || (0..y.len()).flat_map(|i| [(i, 0), (i, 1)]);
            let deviation = |p: DMatrix<f64>, k: usize| p[(k, k)].sqrt();
            let exact_deviation = |i: usize, k: usize| deviation(exact.covariance(i), k);
            let of_mean = each().map(|(i, k)| (found.mean(i)[k] - exact.mean(i)[k]) / exact_deviation(i, k)).collect();
            let of_deviation =
                each().map(|(i, k)| deviation(found.covariance(i), k) / exact_deviation(i, k) - 1.0).collect();
            [of_mean, of_deviation]
        })
        .collect();
    // That of the mean of independent samples. Particles that have been drawn anew share ancestors: 5.7 times that of
    // the means and 3.2 times that of the deviations were measured (4.0 % and 2.3 % of the exact deviation).
    let independent = 1.0 / (count as f64).sqrt();
    for (what, limit) in [8.0, 5.0].into_iter().enumerate() {
        let (mut standard, mut of_average, mut of_one) = (0.0_f64, 0.0_f64, 0.0_f64);
        for place in 0..2 * y.len() {
            let of_seeds = || errors.iter().map(|errors| errors[what][place]);
            let average = of_seeds().sum::<f64>() / seeds as f64;
            let square = of_seeds().map(|e| (e - average).powi(2)).sum::<f64>() / (seeds - 1) as f64;
            standard = standard.max(square.sqrt());
            of_average = of_average.max(average.abs());
            of_one = of_seeds().fold(of_one, |most, e| most.max(e.abs()));
        }
        let (of_one, of_average) = (of_one / standard, of_average * (seeds as f64).sqrt() / standard);
        let standard = standard / independent;
        assert!(standard < limit, "{standard}");
        assert!(of_average < 3.0 && of_one < 3.0, "standard errors of the average {of_average}, of one {of_one}");
    }
    let (filtered, found) = &runs[0];
    for k in 0..2 {
        let course = || truth.iter().map(|x| x[k]);
        let [before, after] = [error(filtered.state(k), course()), error(found.state(k), course())];
        assert!(after < before, "state {k}: {before} {after}");
    }
}

#[test]
fn constant_states_are_constant_in_the_smoothed_course() {
    // Drawing anew moves the mean of the particles; the smoother follows the particles.
    let (system, _, y) = body(0.0);
    let initial = Gaussian::independent(&[0.0, 0.5], &[0.3, 0.3]).unwrap();
    let (q, r) = (dmatrix![1e-4, 0.0; 0.0, 0.0], dmatrix![0.04]);
    let mut filter = ParticleFilter::new(system, 2000, 0.1, &initial, &q, &r, 3).unwrap();
    let filtered = run(&mut filter, &[], &y, Storage::Gains).unwrap();
    let last = filtered.mean(y.len() - 1)[1];
    let smoothed = smooth(&filtered).unwrap();
    let deviation = smoothed.covariance(y.len() - 1)[(1, 1)].sqrt();
    assert!(deviation > 0.0 && filtered.state(1).any(|v| (v - last).abs() > deviation));
    for i in 0..y.len() {
        assert!((smoothed.mean(i)[1] - last).abs() < 1e-12, "{i}: {} {last}", smoothed.mean(i)[1]);
        assert!((smoothed.covariance(i)[(1, 1)].sqrt() / deviation - 1.0).abs() < 1e-9, "{i}");
    }
}

costate::model! {
    #[interpreted]
    /// Van der Pol's oscillator.
    pub VanDerPol {
        parameters { m: kg = 1, mu: N*s/m = 2, c: N/m = 1 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive + mu*(1 - x^2/1[m^2])*dot(x) - c*x }
        initial { x = 1[m] }
        outputs { position: m = x }
    }
}

#[test]
fn van_der_pol_is_smoothed() {
    let model = VanDerPol::default();
    let (h, samples, deviations) = (0.1, 400, [0.02, 0.1]);
    let until = h * f64::from(samples as u32);
    let problem = Simulation::new(&model).input(VanDerPol::DRIVE, 0.0).step(h).until(until).problem().unwrap();
    let mut process = RungeKuttaModel::new(&problem, &model).unwrap();
    let (mut normal, mut x) = (normal(7), vec![1.0, 0.0]);
    let (mut truth, mut y) = (vec![x.clone()], vec![f64::NAN]);
    for i in 1..samples {
        let mut next = vec![0.0; 2];
        let time = h * f64::from(i as u32 - 1);
        let step = Step { time, interval: h, inputs_before: &[0.0], inputs: &[0.0] };
        process.advance(&step, &x, &mut next).unwrap();
        next.iter_mut().zip(deviations).for_each(|(x, deviation)| *x += deviation * normal());
        x = next;
        let measured = x[0] + 0.5 * normal();
        y.push(if i % 3 == 0 { measured } else { f64::NAN });
        truth.push(x.clone());
    }
    let initial = Gaussian::independent(&[1.0, 0.0], &[0.5, 0.5]).unwrap();
    let mut filter =
        ParticleFilter::new(process, 4000, h, &initial, &covariance(&deviations), &dmatrix![0.25], 1).unwrap();
    let filtered = run(&mut filter, &vec![0.0; samples], &y, Storage::Gains).unwrap();
    assert_eq!(filtered.stopped(), None);
    let smoothed = smooth(&filtered).unwrap();
    for k in 0..2 {
        let course = || truth.iter().map(|x| x[k]);
        let [before, after] = [error(filtered.state(k), course()), error(smoothed.state(k), course())];
        assert!(after < 0.8 * before, "state {k}: {before} {after}");
    }
}

#[test]
fn constraints_do_not_break_the_smoother() {
    // Gaps in the record, noise on velocities that the rope couples, and the wrong load to start with.
    let truth = Crane::default();
    let mut y = record(&crane(&truth), &truth, &[0.05, 0.5], 2);
    let samples = 400;
    y.truncate(2 * samples);
    y.chunks_mut(2).skip(5).step_by(11).for_each(|row| row.fill(f64::NAN));
    let guess = Crane { load: 1.2, ..truth };
    let process = ImplicitModel::new(&crane(&guess), &guess).estimate([Crane::LOAD]);
    let (place, states, inputs) = (process.place(Crane::LOAD).unwrap(), process.states(), process.input_rows());
    let initial = process.initial(&[(Crane::X, 0.05)], &[(Crane::X, 0.1)], &[0.3]).unwrap();
    let mut q = DMatrix::zeros(states, states);
    (3..6).for_each(|k| q[(k, k)] = 1e-6);
    q[(place, place)] = 1e-6;
    let r = covariance(&[0.05, 0.5]);
    let mut filter = ParticleFilter::new(process, 2000, 4e-3, &initial, &q, &r, 4).unwrap();
    let filtered = run(&mut filter, &inputs[..samples], &y, Storage::Gains).unwrap();
    assert_eq!(filtered.stopped(), None);
    let smoothed = smooth(&filtered).unwrap();
    for i in 0..samples {
        let (x, p) = (smoothed.mean(i), smoothed.covariance(i));
        assert!(x.iter().chain(p.iter()).all(|x| x.is_finite()), "{i}");
        // A mean leaves the circle by its curvature.
        let (position, across) = (rope(x, truth.l)[0].abs(), p[(1, 1)] + p[(2, 2)] + p[(0, 0)]);
        assert!(position < 4.0 * across / truth.l, "{i} {position} {across}");
    }
    // The load is known from the start on.
    let deviation = smoothed.covariance(0)[(place, place)].sqrt();
    let found = smoothed.mean(0)[place];
    assert!((found - truth.load).abs() < 4.0 * deviation && deviation < 0.02, "{found} +- {deviation}");
}

/// x_i = x_{i-1}^(1/2), which is no number for a part of the particles.
struct Root;

impl StateSpace for Root {
    fn states(&self) -> usize {
        1
    }
    fn inputs(&self) -> usize {
        0
    }
    fn measurements(&self) -> usize {
        1
    }
    fn state_name(&self, _: usize) -> String {
        "x".into()
    }
    fn advance(&mut self, _: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        next[0] = x[0].sqrt();
        Ok(())
    }
    fn transition(
        &mut self,
        _: &Step<'_>,
        _: &[f64],
        next: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), ModelFailure> {
        matrix[(0, 0)] = 0.5 / next[0];
        Ok(())
    }
    fn measure(&mut self, _: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        y[0] = x[0];
    }
    fn measurement_matrix(&mut self, _: &Sample<'_>, _: &[f64], matrix: &mut DMatrix<f64>) {
        matrix[(0, 0)] = 1.0;
    }
}

#[test]
fn particles_that_are_no_numbers_do_not_count() {
    let y: Vec<f64> = (0..30).map(|i| if i % 4 == 1 { f64::NAN } else { 1.0 }).collect();
    let start = |mean: f64| Gaussian::independent(&[mean], &[0.5]).unwrap();
    let (q, r) = (dmatrix![0.01], dmatrix![0.04]);
    let mut filter = ParticleFilter::new(Root, 1000, 0.1, &start(0.5), &q, &r, 1).unwrap();
    let filtered = run(&mut filter, &[], &y, Storage::Gains).unwrap();
    assert_eq!(filtered.stopped(), None);
    let smoothed = smooth(&filtered).unwrap();
    for i in 0..30 {
        assert!((filtered.covariance(i).unwrap()[(0, 0)]).is_finite() && filter.estimate().covariance[0] > 0.0);
        let (x, p) = (smoothed.mean(i)[0], smoothed.covariance(i)[(0, 0)]);
        assert!((x - 1.0).abs() < 0.5 && p > 0.0 && p < 0.25, "{i}: {x} {p}");
    }
    // None is a number.
    let mut filter = ParticleFilter::new(Root, 100, 0.1, &start(-9.0), &q, &r, 1).unwrap();
    let stopped = run(&mut filter, &[], &y, Storage::Gains).unwrap().stopped().cloned().unwrap();
    assert_eq!((stopped.sample, stopped.reason), (1, DivergenceReason::NoParticle));
}
