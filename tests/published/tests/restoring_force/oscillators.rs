//! One degree of freedom (KE 3.1, 3.2), five records each with 5 % noise.

use costate::Simulation;
use costate::filter::{KalmanMethod, SigmaPoints};
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceIdentification, RestoringForceModel, RestoringForces, Sensor,
    SurfaceSettings, Warning,
};
use costate::simulate::Scheme;
use costate::table::{Curve, Extension};
use costate_models::restoring_force::{Case, CoupledOscillator, INTERVAL, MASS, Motion, cases};

use crate::measure::{
    Errors, coupled_response_error, curve_error, cycle, noisy, record, response_error, surface_error,
};

const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

pub fn identification(case: &Case) -> RestoringForceIdentification {
    let model = RestoringForceModel::on_moving_base(MASS).unwrap().with_scale(cases::SCALE).unwrap();
    let (stiffness, damping) = case.a_priori;
    RestoringForceIdentification::new(model, INTERVAL, vec![APriori { stiffness, damping }])
        .unwrap()
        .lowest_stiffness(&[case.lowest_stiffness])
        .unwrap()
}

fn straight(slope: f64) -> Curve {
    Curve::new(vec![-1e-4, 1e-4], vec![-1e-4 * slope, 1e-4 * slope], Extension::Linear).unwrap()
}

/// The response of the a priori model.
fn unadapted(case: &Case, motion: &Motion) -> f64 {
    let (s, d) = case.a_priori;
    response_error(case, straight(s * cases::SCALE), straight(d * cases::SCALE), motion)
}

fn unscented() -> KalmanMethod {
    KalmanMethod::SquareRootUnscented(SigmaPoints::default())
}

fn run(case: &Case, motion: &Motion, method: KalmanMethod, exponents: (f64, f64), seed: u64) -> RestoringForces {
    let identification = identification(case).method(method).exponents(Exponents::new(exponents.0, exponents.1));
    let found = identification.run(&motion.base, &record(motion, seed)).unwrap();
    assert_eq!(found.run().stopped(), None, "{} seed {seed}", case.name);
    // in the gap of a backlash there is no stiffness, and accelerations do not show the deformation
    let is_right = |warning: &Warning| case.name == "backlash" && matches!(warning, Warning::AtBound { .. });
    assert!(found.warnings().iter().all(is_right), "{}, seed {seed}: {:?}", case.name, found.warnings());
    found
}

struct Found {
    elastic: Errors,
    dissipative: Errors,
    slices: Errors,
    surface: Errors,
    response: Errors,
    coupled_response: Errors,
}

fn identify(case: &Case, motion: &Motion, method: KalmanMethod, exponents: (f64, f64)) -> Found {
    identify_surface(case, motion, method, exponents, &SurfaceSettings::default())
}

fn identify_surface(
    case: &Case,
    motion: &Motion,
    method: KalmanMethod,
    exponents: (f64, f64),
    settings: &SurfaceSettings,
) -> Found {
    let mut errors: [Vec<f64>; 6] = Default::default();
    for seed in SEEDS {
        let found = run(case, motion, method, exponents, seed);
        let [elastic, dissipative] = found.curves(0, &CurveSettings::default()).unwrap();
        let surface = found.surface(0, settings).unwrap();
        let slices = surface.averaged_dissipative_slice().unwrap();
        let (table, damper) = (elastic.table().unwrap(), dissipative.table().unwrap());
        let values = [
            curve_error(&elastic, |z| case.elastic(z), &motion.deformations),
            curve_error(&dissipative, |v| case.dissipative(v), &motion.rates),
            curve_error(&slices, |v| case.dissipative(v), &motion.rates),
            surface_error(&surface, case, motion),
            response_error(case, table, damper, motion),
            coupled_response_error(case, surface.table().unwrap(), motion),
        ];
        errors.iter_mut().zip(values).for_each(|(errors, value)| errors.push(value));
    }
    let [elastic, dissipative, slices, surface, response, coupled_response] = errors.map(Errors::of);
    let found = Found { elastic, dissipative, slices, surface, response, coupled_response };
    println!(
        "{} {exponents:?}: c_E {} c_D {} slices {} surface {} response {} coupled {}",
        case.name,
        found.elastic,
        found.dissipative,
        found.slices,
        found.surface,
        found.response,
        found.coupled_response
    );
    found
}

#[test]
fn additive_force() {
    let case = &cases::ADDITIVE;
    let motion = (case.simulate)(case.sweep).unwrap();
    let start = unadapted(case, &motion);
    assert!((start - 45.0).abs() < 2.0, "{start}");
    let found = identify(case, &motion, KalmanMethod::Extended, (3.0, 1.0));
    found.elastic.check(4.0, 5.0);
    found.surface.check(4.0, 5.0);
    found.slices.check(8.0, 10.0);
    found.response.check(20.0, 25.0);
    found.coupled_response.check(12.0, 16.0);
    found.dissipative.check(12.0, 16.0);
    let found = identify(case, &motion, unscented(), (2.0, 1.0));
    found.elastic.check(5.0, 6.0);
    found.surface.check(6.0, 7.5);
}

#[test]
fn backlash() {
    let case = &cases::BACKLASH;
    let motion = (case.simulate)(case.sweep).unwrap();
    let found = identify(case, &motion, KalmanMethod::Extended, (2.5, 0.0));
    found.elastic.check(7.0, 9.0);
    found.dissipative.check(25.0, 30.0);
    found.response.check(50.0, 60.0);
    let found = identify(case, &motion, unscented(), (2.0, 1.0));
    found.elastic.check(6.0, 7.5);
    found.dissipative.check(16.0, 20.0);
}

#[test]
fn backlash_from_displacements_needs_no_bound() {
    let case = &cases::BACKLASH;
    let motion = (case.simulate)(case.sweep).unwrap();
    let mut errors = Vec::new();
    for seed in SEEDS {
        let model = RestoringForceModel::on_moving_base(MASS).unwrap().with_scale(cases::SCALE).unwrap();
        let model = model.with_sensors(vec![Sensor::displacement(0)]).unwrap();
        let (stiffness, damping) = case.a_priori;
        let expected = vec![APriori { stiffness, damping }];
        let identification =
            RestoringForceIdentification::new(model, INTERVAL, expected).unwrap().exponents(Exponents::new(3.0, 1.0));
        let y = noisy(&motion.deformations, 1, 0.05, seed);
        let found = identification.run(&motion.base, &y).unwrap();
        assert_eq!((found.run().stopped(), found.run().truncations()), (None, 0));
        let curve = found.elastic_curve(0, &CurveSettings::default()).unwrap();
        errors.push(curve_error(&curve, |z| case.elastic(z), &motion.deformations));
    }
    let errors = Errors::of(errors);
    println!("displacements: c_E {errors}");
    errors.check(25.0, 35.0);
}

#[test]
fn friction() {
    let case = &cases::FRICTION;
    let motion = (case.simulate)(case.sweep).unwrap();
    let start = unadapted(case, &motion);
    assert!((start - 92.0).abs() < 2.0, "{start}");
    let found = identify(case, &motion, KalmanMethod::Extended, (3.0, 1.0));
    found.elastic.check(6.0, 7.5);
    found.dissipative.check(55.0, 65.0);
    found.response.check(75.0, 85.0);
}

#[test]
fn van_der_pol() {
    let case = &cases::VAN_DER_POL_FREE;
    let free = (case.simulate)(case.sweep).unwrap();
    // The limit cycle fills its cells again and again.
    let settings = SurfaceSettings { fewest: 20, ..SurfaceSettings::default() };
    identify_surface(case, &free, KalmanMethod::Extended, (0.0, 4.0), &settings).surface.check(15.0, 15.0);
    let (frequency, amplitude) = cycle(&free.deformations[15_000..], INTERVAL).unwrap();

    let case = &cases::VAN_DER_POL_FORCED;
    let forced = (case.simulate)(case.sweep).unwrap();
    identify(case, &forced, KalmanMethod::Extended, (0.0, 4.0)).surface.check(14.0, 14.0);
    // The free oscillation of the model that was identified from the forced one.
    let oscillator = CoupledOscillator { z_0: 1e-6, v_0: 1e-3, ..CoupledOscillator::default() };
    let (mut frequencies, mut amplitudes) = (Vec::new(), Vec::new());
    for seed in SEEDS {
        let found = run(case, &forced, KalmanMethod::Extended, (0.0, 4.0), seed);
        let surface = found.surface(0, &SurfaceSettings::default()).unwrap().table().unwrap();
        let run = Simulation::new(&oscillator)
            .table(CoupledOscillator::RESTORING, surface)
            .input(CoupledOscillator::BASE, 0.0)
            .step(2e-5)
            .until(1.0)
            .scheme(Scheme::Undamped)
            .error_limit(None)
            .run()
            .unwrap();
        let cycle = cycle(&run.coordinate(CoupledOscillator::Z)[25_000..], 2e-5).unwrap();
        frequencies.push(100.0 * (cycle.0 / frequency - 1.0).abs());
        amplitudes.push(100.0 * (cycle.1 / amplitude - 1.0).abs());
    }
    let (frequencies, amplitudes) = (Errors::of(frequencies), Errors::of(amplitudes));
    println!("limit cycle: frequency {frequencies} amplitude {amplitudes}");
    frequencies.check(2.5, 2.5);
    amplitudes.check(20.0, 20.0);
}
