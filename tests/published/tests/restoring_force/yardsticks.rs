//! The surface method and the Hilbert transform beside the filter: exact where everything is measured without noise,
//! and with integrated accelerations closer than the filter where inertia and base are known; not so from
//! displacements.

use costate::restoring_force::{CurveSettings, Exponents, RestoringForceModel, SeriesError, SurfaceSettings};
use costate_models::restoring_force::{INTERVAL, MASS, Motion as Record, cases};
use costate_publications::classical::{Band, Motion, SurfaceMethod, VibrationSettings, forced_vibration};

use crate::measure::{curve_error, error, noisy, surface_error};
use crate::oscillators::identification;

const BAND: Band = Band { low: 80.0, high: 2500.0 };

fn relative(motion: &Record, accelerations: &[f64]) -> Vec<f64> {
    accelerations.iter().zip(&motion.base).map(|(y, u)| y - u).collect()
}

#[test]
fn the_surface_method_is_exact_where_all_is_measured() {
    let case = &cases::ADDITIVE;
    let motion = (case.simulate)(case.sweep).unwrap();
    let method = SurfaceMethod::new(RestoringForceModel::on_moving_base(MASS).unwrap()).unwrap();
    let settings = SurfaceSettings::default();
    let (z, v) = (motion.deformations.clone(), motion.rates.clone());
    let measured = Motion::measured(INTERVAL, z, v, relative(&motion, &motion.accelerations)).unwrap();
    let exact = method.run(&[measured], &motion.base).unwrap();
    for [z, v, f] in exact.points(0) {
        assert!((f - (case.force)(*z, *v)).abs() < 1e-6 * (1.0 + f.abs()), "{z} {v} {f}");
    }
    let surface = surface_error(&exact.surface(0, &settings).unwrap(), case, &motion);
    // integrated, with noise
    let mut errors = Vec::new();
    for part in [0.0, 0.05, 0.2] {
        let y = noisy(&motion.accelerations, 1, part, 1);
        let integrated = Motion::from_accelerations(INTERVAL, &relative(&motion, &y), BAND).unwrap();
        let found = method.run(&[integrated], &motion.base).unwrap();
        let (elastic, dissipative) = found.curves(0, &settings).unwrap();
        let of_elastic = curve_error(&elastic, |z| case.elastic(z), &motion.deformations);
        let of_dissipative = curve_error(&dissipative, |v| case.dissipative(v), &motion.rates);
        errors.push([of_elastic, of_dissipative]);
    }
    let y = noisy(&motion.accelerations, 1, 0.05, 1);
    let filter = identification(case).exponents(Exponents::new(3.0, 1.0)).run(&motion.base, &y).unwrap();
    let curve = filter.elastic_curve(0, &CurveSettings::default()).unwrap();
    let by_filter = curve_error(&curve, |z| case.elastic(z), &motion.deformations);
    println!("surface {surface:.2} %, integrated {errors:.1?}, filter {by_filter:.2}");
    assert!(surface < 3.0, "{surface}");
    // the mean of many points, of a motion that integrals have freed of noise
    assert!(errors[1][0] < 1.5 && errors[1][1] < 1.5 && errors[1][0] < by_filter, "{errors:?}");
    assert!(errors[2][0] > 2.0 * errors[1][0] && errors[2][0] < 10.0, "{errors:?}");
}

#[test]
fn a_sweep_has_a_describing_function() {
    let case = &cases::ADDITIVE;
    let motion = (case.simulate)(case.sweep).unwrap();
    let model = RestoringForceModel::on_moving_base(MASS).unwrap();
    let (z, v) = (motion.deformations.clone(), motion.rates.clone());
    let measured = Motion::measured(INTERVAL, z, v, relative(&motion, &motion.accelerations)).unwrap();
    let found = forced_vibration(&model, &measured, &motion.base, &VibrationSettings::default()).unwrap();
    // 1/(pi A) times the integral of c_E(A cos x) cos x over a period is the stiffness that is found
    let describing = |amplitude: f64| {
        let steps = 400;
        let sum: f64 = (0..steps)
            .map(|k| {
                let cosine = (std::f64::consts::TAU * (f64::from(k) + 0.5) / f64::from(steps)).cos();
                case.elastic(amplitude * cosine) * cosine
            })
            .sum();
        2.0 * sum / f64::from(steps)
    };
    let curve = found.elastic_curve(30).unwrap();
    let coordinates = curve.points.iter().map(|point| point.coordinate);
    let exact: Vec<f64> = coordinates.map(describing).collect();
    let forces: Vec<f64> = curve.points.iter().map(|point| point.force).collect();
    let of_describing = SeriesError::new(&forces, &exact).unwrap().percent();
    assert!((of_describing - error(&forces, &exact)).abs() < 1e-9);
    let of_spring = curve_error(&curve, |z| case.elastic(z), &motion.deformations);
    println!("describing function {of_describing:.2} %, spring {of_spring:.2} %");
    assert!(of_describing < 5.0, "{of_describing}");
}
