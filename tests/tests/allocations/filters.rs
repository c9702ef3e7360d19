//! A filter that runs on a stream does not allocate.

use costate::Simulation;
use costate::filter::{
    Bounds, Gaussian, ImplicitModel, KalmanFilter, KalmanMethod, ParticleFilter, RungeKuttaModel, SigmaPoints,
    StateSpace, Storage, run,
};
use costate::restoring_force::RestoringForceModel;
use costate::simulate::Scheme;
use nalgebra::{DMatrix, DVector};

costate::model! {
    /// Pendulum in redundant coordinates.
    pub Pendulum {
        parameters { m: kg = 2, l: m = 0.5, d: N*s/m = 0.4, g: m/s^2 = 9.81, start: rad = 0.6 }
        inputs { wind: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: wind - d*dot(x), y: -m*g - d*dot(y) }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = l*sin(start), y = -l*cos(start) }
        outputs { tension: N = 2*l*multiplier(rod), position: m = x }
    }
}

costate::model! {
    /// Oscillator with a cubic spring.
    pub Duffing {
        parameters { m: kg = 2, c: N/m = 50, c_3: N/m^3 = 100, d: N*s/m = 0.4 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
        outputs { acceleration: m/s^2 = ddot(x), position: m = x }
    }
}

const POINTS: SigmaPoints = SigmaPoints { alpha: 1.0, beta: 2.0, kappa: 0.0 };
const METHODS: [KalmanMethod; 3] =
    [KalmanMethod::Extended, KalmanMethod::Unscented(POINTS), KalmanMethod::SquareRootUnscented(POINTS)];

/// Allocations of 200 samples after the first ones, some of them with gaps.
fn allocations<P: StateSpace>(filter: &mut KalmanFilter<P>, inputs: &[f64], y: &[f64]) -> u64 {
    let gap = vec![f64::NAN; y.len()];
    for _ in 0..10 {
        filter.step(inputs, y).unwrap();
    }
    let noise = DMatrix::identity(y.len(), y.len()) * 0.3;
    let counted = allocation_counter::measure(|| {
        for i in 0..200 {
            if i == 50 {
                filter.set_measurement_noise(&noise).unwrap();
            }
            filter.step(inputs, if i % 7 == 3 { &gap } else { y }).unwrap();
        }
    });
    assert!(filter.mean().iter().all(|x| x.is_finite()));
    counted.count_total
}

#[test]
fn filters_on_a_stream_do_not_allocate() {
    for method in METHODS {
        let model = RestoringForceModel::on_moving_base(4.0).unwrap().with_scale(5e6).unwrap();
        let initial = Gaussian::independent(&[0.0, 0.0, 2.0, 4e-4], &[1e-6, 4e-3, 2.0, 4e-4]).unwrap();
        let q = DMatrix::from_diagonal(&DVector::from_vec(vec![0.0, 0.0, 0.4, 1.6e-10]));
        let mut lower = vec![f64::NEG_INFINITY; 4];
        // A bound that is at work.
        lower[2] = 1.9;
        let mut filter = KalmanFilter::new(model, method, 1e-4, &initial, &q, &DMatrix::identity(1, 1))
            .unwrap()
            .with_bounds(Bounds::new(lower, vec![f64::INFINITY; 4]).unwrap())
            .unwrap();
        assert_eq!(allocations(&mut filter, &[0.5], &[0.3]), 0, "{method:?}");

        let model = Duffing::default();
        let problem = Simulation::new(&model).input(Duffing::DRIVE, 1.0).step(1e-2).until(1.0).problem().unwrap();
        let process = RungeKuttaModel::new(&problem, &model).unwrap().estimate([Duffing::C, Duffing::D]);
        let initial = Gaussian::independent(&[0.0, 0.0, 50.0, 0.4], &[0.1, 0.1, 5.0, 0.1]).unwrap();
        let r = DMatrix::identity(2, 2) * 0.01;
        let mut filter = KalmanFilter::new(process, method, 1e-2, &initial, &DMatrix::zeros(4, 4), &r).unwrap();
        assert_eq!(allocations(&mut filter, &[1.0], &[0.3, 0.02]), 0, "{method:?}");

        for scheme in [Scheme::Hht { alpha: -0.1 }, Scheme::default()] {
            let model = Pendulum::default();
            let simulation = Simulation::new(&model).input(Pendulum::WIND, 1.0).step(5e-3).until(1.0);
            let problem = simulation.scheme(scheme).problem().unwrap();
            let process = ImplicitModel::new(&problem, &model).estimate([Pendulum::D]);
            let initial = process.initial(&[(Pendulum::X, 0.02)], &[(Pendulum::X, 0.1)], &[0.1]).unwrap();
            let (r, n) = (DMatrix::identity(2, 2), initial.mean.len());
            // Noise on the velocities, which the constraint couples.
            let q = DMatrix::from_fn(n, n, |i, j| if i == j && (2..4).contains(&i) { 1e-10 } else { 0.0 });
            let mut filter = KalmanFilter::new(process, method, 5e-3, &initial, &q, &r).unwrap();
            assert_eq!(allocations(&mut filter, &[1.0], &[20.0, 0.1]), 0, "{method:?} {scheme:?}");
        }
    }
}

#[test]
fn particles_do_not_allocate() {
    let model = RestoringForceModel::on_moving_base(4.0).unwrap();
    let initial = Gaussian::independent(&[0.0, 0.0, 4e3, 4.0], &[1e-3, 1e-2, 1e2, 0.1]).unwrap();
    let q = DMatrix::from_diagonal(&DVector::from_vec(vec![1e-10, 1e-8, 1.0, 1e-4]));
    let r = DMatrix::identity(1, 1);
    let mut filter = ParticleFilter::new(model, 500, 1e-3, &initial, &q, &r, 1).unwrap();
    let counted = allocation_counter::measure(|| {
        for i in 0..50 {
            filter.step(&[0.1], &[if i % 5 == 0 { f64::NAN } else { 0.1 }]).unwrap();
        }
    });
    assert_eq!(counted.count_total, 0);
    // What a run allocates does not depend on its length.
    for keep in [Storage::Means, Storage::Covariances, Storage::Gains] {
        let counts = [20, 60].map(|samples| {
            let (u, y) = (vec![0.1; samples], vec![0.1; samples]);
            let counted = allocation_counter::measure(|| {
                assert_eq!(run(&mut filter, &u, &y, keep).unwrap().samples(), samples);
            });
            counted.count_total
        });
        assert_eq!(counts[0], counts[1], "{keep:?}");
    }
}
