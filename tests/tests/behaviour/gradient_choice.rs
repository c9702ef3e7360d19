//! Identifications whose gradient is computed in different ways.

use std::error::Error;

use costate::differentiate::GradientMethod;
use costate::identify::{FitSummary, IdentificationError, StateFileError};
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::Scheme;
use costate::{Identification, Record, Simulation, model};

use crate::file;

model! {
    #[interpreted]
    /// A rod on a pin with friction and a spring, set free from an angle.
    pub Rod {
        parameters { m: kg = 1.2, l: m = 0.5, c: N*m = 0.8, d: N*m*s = 0.05, g: m/s^2 = 9.81, start: rad = 1 }
        coordinates { x: m, y: m, phi: rad }
        mass { x: m, y: m, phi: m*l^2/12 }
        forces { y: -m*g, phi: -c*phi - d*dot(phi) }
        constraints { across: x - l/2*sin(phi), along: y + l/2*cos(phi) }
        initial { phi = start }
        outputs { angle: rad = phi }
    }
}

const BOTH: [GradientMethod; 2] = [GradientMethod::DiscreteAdjoint, GradientMethod::DirectDifferentiation];

fn record() -> Result<Record, Box<dyn Error>> {
    let run = Simulation::new(&Rod::default()).step(2e-3).until(2.0).scheme(Scheme::Undamped).run()?;
    Ok(Record::new(run.times())?.with_channel("angle", Some("rad"), run.output(Rod::ANGLE))?)
}

fn identification(record: &Record) -> Identification<Rod> {
    Identification::new(&Simulation::new(&Rod { c: 1.5, d: 0.02, ..Rod::default() }).scheme(Scheme::Undamped))
        .unknown([Rod::C, Rod::D])
        .measured(Rod::ANGLE, record)
}

#[test]
fn every_method_identifies() {
    let record = record().unwrap();
    for method in BOTH {
        let fit = identification(&record).gradient_method(method).run().unwrap();
        assert!((fit.model().c / 0.8 - 1.0).abs() < 1e-8, "{method}: {fit}");
        assert!((fit.model().d / 0.05 - 1.0).abs() < 1e-8, "{method}: {fit}");
    }
}

#[test]
fn both_methods_take_the_same_way() {
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
}

#[test]
fn the_chosen_gradient_is_checked() {
    let record = record().unwrap();
    for method in BOTH {
        let report = identification(&record).gradient_method(method).check_gradient().unwrap();
        assert!(report.worst() < 1e-10, "{report}");
    }
}

#[test]
fn methods_of_least_squares_take_any_gradient() {
    let record = record().unwrap();
    for method in [Method::GaussNewton, Method::LevenbergMarquardt] {
        let settings = OptimizerSettings::default().with_method(method);
        let identification = identification(&record).optimizer(settings);
        assert!(identification.gradient_method(GradientMethod::DirectDifferentiation).run().is_ok());
    }
}

#[test]
fn a_state_belongs_to_its_gradient_method() {
    let record = record().unwrap();
    let path = file("gradient_method.json");
    let few = OptimizerSettings::default().with_maximum_iterations(2);
    identification(&record).optimizer(few).state_file(&path).run().unwrap();
    let other = identification(&record).state_file(&path);
    match other.gradient_method(GradientMethod::DirectDifferentiation).run() {
        Err(IdentificationError::StateFile(StateFileError::Differs { differences, .. })) => {
            let [difference] = &differences[..] else { panic!("{differences:?}") };
            assert_eq!(
                difference.to_string(),
                "the gradient method: the discrete adjoint in the file, now direct differentiation"
            );
        }
        other => panic!("{other:?}"),
    }
    let resumed = identification(&record).state_file(&path).run().unwrap();
    let whole = identification(&record).run().unwrap();
    assert_eq!(resumed.summary().history, whole.summary().history);
}
