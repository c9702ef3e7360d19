//! Identifications whose gradient is computed in different ways.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use costate::differentiate::GradientMethod;
use costate::identify::{FitSummary, IdentificationError, StateFileError};
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::{OutOfRange, Scheme, SettingsError, SimulationError};
use costate::{Identification, Record, Simulation, model};

model! {
    /// A rod on a pin with friction and a spring, set free from an angle.
    pub Rod {
        parameters { m: kg = 1.2, l: m = 0.5, c: N*m = 0.8, d: N*m*s = 0.05, g: m/s^2 = 9.81, start: rad = 1 }
        coordinates { x: m, y: m, phi: rad }
        mass { x: m, y: m, phi: m*l^2/12 }
        forces { y: -m*g, phi: -c*phi - d*dot(phi) }
        constraints { across: x - l/2*sin(phi), along: y + l/2*cos(phi) }
        initial { phi = start }
        outputs {
            angle: rad = phi,
            acceleration: rad/s^2 = ddot(phi),
        }
    }
}

const ALL: [GradientMethod; 4] = [
    GradientMethod::DiscreteAdjoint,
    GradientMethod::DirectDifferentiation,
    GradientMethod::ContinuousAdjoint { order: 1 },
    GradientMethod::ContinuousAdjoint { order: 2 },
];

fn record() -> Result<Record, Box<dyn Error>> {
    let run = Simulation::new(&Rod::default()).step(2e-3).until(2.0).scheme(Scheme::Undamped).run()?;
    let (angle, acceleration) = (run.output(Rod::ANGLE), run.output(Rod::ACCELERATION));
    let record = Record::new(run.times())?.with_channel("angle", Some("rad"), angle)?;
    Ok(record.with_channel("acceleration", Some("rad/s^2"), acceleration)?)
}

fn identification(record: &Record) -> Identification<Rod> {
    Identification::new(Rod { c: 1.5, d: 0.02, ..Rod::default() })
        .unknown([Rod::C, Rod::D])
        .measured(Rod::ANGLE, record)
        .scheme(Scheme::Undamped)
}

#[test]
fn every_method_identifies() {
    let record = record().unwrap();
    for method in ALL {
        let fit = identification(&record).gradient_method(method).run().unwrap();
        // At the minimum of an exact measurement dJ/ds vanishes, and with it the error of the continuous adjoint.
        let tolerance = if matches!(method, GradientMethod::ContinuousAdjoint { .. }) { 1e-4 } else { 1e-8 };
        assert!((fit.model().c / 0.8 - 1.0).abs() < tolerance, "{method}: {fit}");
        assert!((fit.model().d / 0.05 - 1.0).abs() < tolerance, "{method}: {fit}");
    }
}

#[test]
fn exact_methods_take_the_same_way() {
    let record = record().unwrap();
    let few = OptimizerSettings::default().with_maximum_iterations(6);
    let run = |method| identification(&record).optimizer(few.clone()).gradient_method(method).run().unwrap();
    let of = |method| -> FitSummary { run(method).summary().clone() };
    let (adjoint, direct) = (of(GradientMethod::DiscreteAdjoint), of(GradientMethod::DirectDifferentiation));
    assert_eq!(adjoint.history.len(), direct.history.len());
    for (a, b) in adjoint.history.iter().zip(&direct.history) {
        assert_eq!(a.evaluations, b.evaluations);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-8 * b.abs();
        assert!(close(a.cost, b.cost), "{a:?} {b:?}");
        assert!(a.parameters.iter().zip(&b.parameters).all(|(a, b)| close(*a, *b)), "{a:?} {b:?}");
    }
    let continuous = of(GradientMethod::ContinuousAdjoint { order: 1 });
    assert_ne!(continuous.history[1].parameters, adjoint.history[1].parameters, "it is another gradient");
}

#[test]
fn the_chosen_gradient_is_checked() {
    let record = record().unwrap();
    let worst = |method| identification(&record).gradient_method(method).check_gradient().unwrap().worst();
    assert!(worst(GradientMethod::DiscreteAdjoint) < 1e-10);
    assert!(worst(GradientMethod::DirectDifferentiation) < 1e-10);
    let difference = worst(GradientMethod::ContinuousAdjoint { order: 2 });
    assert!(difference > 1e-10 && difference < 1e-2, "{difference}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let record = record().unwrap();
    let continuous = GradientMethod::ContinuousAdjoint { order: 2 };
    let acceleration = Identification::new(Rod { c: 1.5, ..Rod::default() })
        .unknown([Rod::C])
        .measured(Rod::ACCELERATION, &record)
        .gradient_method(continuous)
        .run();
    assert!(
        matches!(
            acceleration,
            Err(IdentificationError::Simulation(SimulationError::ContinuousOutput {
                output: "acceleration"
            }))
        ),
        "{acceleration:?}"
    );
    for order in [0, 6] {
        let method = GradientMethod::ContinuousAdjoint { order };
        let error = identification(&record).gradient_method(method).run().unwrap_err();
        let settings = |error: &IdentificationError| match error {
            IdentificationError::Simulation(SimulationError::Settings(error)) => Some(error.clone()),
            _ => None,
        };
        assert!(
            matches!(settings(&error), Some(SettingsError::OutOfRange(OutOfRange { field: "order", .. }))),
            "{error}"
        );
    }
    for method in [Method::GaussNewton, Method::LevenbergMarquardt] {
        let settings = OptimizerSettings::default().with_method(method);
        let id = || identification(&record).optimizer(settings.clone());
        let error = id().gradient_method(continuous).run().unwrap_err();
        assert!(matches!(error, IdentificationError::GradientMethod { .. }), "{error}");
        assert!(error.to_string().contains("the continuous adjoint of order 2 would contradict"), "{error}");
        assert!(id().gradient_method(GradientMethod::DirectDifferentiation).run().is_ok());
    }
}

#[test]
fn a_state_belongs_to_its_gradient_method() {
    let record = record().unwrap();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gradient_method.json");
    let _ = fs::remove_file(&path);
    let few = OptimizerSettings::default().with_maximum_iterations(2);
    identification(&record).optimizer(few).state_file(&path).run().unwrap();
    let other = identification(&record).state_file(&path);
    match other.gradient_method(GradientMethod::ContinuousAdjoint { order: 3 }).run() {
        Err(IdentificationError::StateFile(StateFileError::Differs { differences, .. })) => {
            let [difference] = &differences[..] else { panic!("{differences:?}") };
            assert_eq!(
                difference.to_string(),
                "the gradient method: the discrete adjoint in the file, now the continuous adjoint of order 3"
            );
        }
        other => panic!("{other:?}"),
    }
    let resumed = identification(&record).state_file(&path).run().unwrap();
    let whole = identification(&record).run().unwrap();
    assert_eq!(resumed.summary().history, whole.summary().history);
}
