//! Identifications from spectra.

use std::error::Error;
use std::f64::consts::TAU;

use costate::cost::{
    Cost, FourierCoefficients, FourierLine, OrderLine, SpectrumCost, SpectrumForm, Window, order_coefficients,
};
use costate::identify::residuals::Judgement;
use costate::identify::{Experiment, IdentificationError, SpecificationError, StateFileError};
use costate::model::Dual;
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::Series;
use costate::{Identification, Record, Simulation};

use super::shaft::{FORMS, STEP, STEPS, Shaft, lines_cost, measured, outputs, start, tracking};

/// With step and end of the costs; the records are runs with these steps, whose errors are 6 % of the twist.
fn simulation() -> Simulation<Shaft> {
    Simulation::new(&start()).step(STEP).until(STEP * STEPS as f64).error_limit(0.1)
}

fn identification() -> Identification<Shaft> {
    identification_of(&simulation())
}

fn identification_of(simulation: &Simulation<Shaft>) -> Identification<Shaft> {
    Identification::new(simulation).unknown([Shaft::C, Shaft::D])
}

/// Returns the exact coefficients with a fixed error pattern.
fn disturbed(cost: &SpectrumCost, relative: f64) -> Vec<FourierCoefficients> {
    let exact = cost.coefficients(&outputs(&Shaft::default())).unwrap();
    let error = |k: usize| relative * if (k * k + k / 3).is_multiple_of(2) { 1.0 } else { -1.0 };
    let value = |(k, [a, b]): (usize, [f64; 2])| FourierCoefficients {
        cosine: a * (1.0 + error(k)),
        sine: b * (1.0 + error(k)),
    };
    exact.into_iter().enumerate().map(value).collect()
}

#[test]
fn identifications_from_spectra() {
    for form in FORMS {
        let cost = tracking(form, Window::Hann);
        let fit = identification().cost(1.0, cost).run().unwrap();
        assert!((fit.model().c / 1500.0 - 1.0).abs() < 1e-7, "{form:?}: {fit}");
        assert!((fit.model().d / 0.3 - 1.0).abs() < 1e-6, "{form:?}: {fit}");
        let summary = fit.summary();
        assert!(summary.parameters.iter().all(|parameter| parameter.relative_deviation < 1e-6), "{fit}");
        assert_eq!(summary.costs.len(), 1);
        assert_eq!(summary.costs[0].residuals, if form == SpectrumForm::Coefficients { 6 } else { 3 });
        assert!(fit.to_string().contains("orders of twist: cost"), "{fit}");
        assert!(!fit.to_string().contains("shift the found values"), "the data are of the same steps: {fit}");
    }
}

#[test]
fn deviations_from_the_residuals_of_a_spectrum() {
    let exact = lines_cost(SpectrumForm::Decibels);
    let lines = FourierLine::band((10.0, 60.0), 0.2, 1.2, Window::Hann).unwrap();
    let fit = |relative| {
        let mut cost = SpectrumCost::new(STEP, STEPS + 1, SpectrumForm::Decibels);
        for (line, value) in lines.iter().zip(disturbed(&exact, relative)) {
            cost = cost.with_line(Shaft::TWIST, *line, value, 1.0).unwrap();
        }
        identification().cost(3.0, cost).run().unwrap()
    };
    let (one, two) = (fit(0.01), fit(0.02));
    let summary = one.summary();
    let decibels = 20.0 * 1.01_f64.log10();
    assert!((summary.costs[0].standard_deviation / decibels - 1.0).abs() < 0.1, "{one}");
    for (parameter, truth) in summary.parameters.iter().zip([1500.0, 0.3]) {
        assert!((parameter.found - truth).abs() < 4.0 * parameter.standard_deviation, "{one}");
    }
    for (k, parameter) in two.summary().parameters.iter().enumerate() {
        let ratio = parameter.standard_deviation / summary.parameters[k].standard_deviation;
        assert!((ratio - 2.0).abs() < 0.1, "{ratio}");
    }
}

/// Checks that a fit of a spectrum reports as much as one in time: explained part, remaining noise, effect of the
/// steps, and the lines.
#[test]
fn fits_of_spectra_explain_themselves() -> Result<(), Box<dyn Error>> {
    let lines = FourierLine::band((5.0, 80.0), 0.2, 1.2, Window::Rectangular)?;
    let truth = outputs(&Shaft::default());
    let mut exact = SpectrumCost::new(STEP, STEPS + 1, SpectrumForm::Coefficients);
    for line in &lines {
        exact = exact.with_line(Shaft::TWIST, *line, FourierCoefficients::default(), 1.0)?;
    }
    let exact = exact.coefficients(&truth).ok_or("no coefficients")?;
    let largest = exact.iter().map(|[a, b]| a.hypot(*b)).fold(0.0, f64::max);
    let mut state = 5_u64;
    let mut noise = || {
        let mut even = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / 2f64.powi(31)
        };
        (0..12).map(|_| even()).sum::<f64>() - 6.0
    };
    let mut cost = SpectrumCost::new(STEP, STEPS + 1, SpectrumForm::Coefficients);
    for (line, [a, b]) in lines.iter().zip(&exact) {
        let (cosine, sine) = (a + 0.01 * largest * noise(), b + 0.01 * largest * noise());
        cost = cost.with_line(Shaft::TWIST, *line, FourierCoefficients { cosine, sine }, 1.0)?;
    }
    let fit = identification().cost(1.0, cost.clone()).run()?;
    let (summary, text) = (fit.summary(), fit.to_string());
    let of_cost = &summary.costs[0];
    assert_eq!((of_cost.name.as_str(), of_cost.lines.len()), ("spectrum of twist", lines.len()));
    assert!(of_cost.lines.iter().all(|line| line.is_independent && line.unit == "rad"));
    assert!(of_cost.fit_percent.is_some_and(|percent| (70.0..99.9).contains(&percent)), "{text}");
    assert!((of_cost.standard_deviation / (0.01 * largest) - 1.0).abs() < 0.2, "{text}");
    assert!(of_cost.step_error.is_some_and(|error| error > 0.0), "{text}");
    assert_eq!(summary.verdict.as_ref().map(|verdict| verdict.judgement), Some(Judgement::Sufficient), "{text}");
    assert!(text.contains("spectrum of twist: cost") && text.contains(", explained "), "{text}");
    let page = fit.report_html()?;
    assert!(page.contains("spectrum of twist") && page.contains("Fitted minus measured"));
    // other data have another hash, and a deficient model is detected
    let damped = simulation().parameter(Shaft::D, 3.0 * start().d);
    let wrong = Identification::new(&damped).unknown([Shaft::C]).cost(1.0, cost).run()?;
    let verdict = wrong.summary().verdict.as_ref().map(|verdict| verdict.judgement);
    assert_eq!(verdict, Some(Judgement::Insufficient), "{wrong}");
    assert_eq!(wrong.summary().data, summary.data);
    let others = identification().cost(1.0, lines_cost(SpectrumForm::Amplitude)).run()?;
    assert_ne!(others.summary().data, summary.data);
    Ok(())
}

#[test]
fn spectra_beside_measured_signals() -> Result<(), Box<dyn Error>> {
    let (times, _, twist) = measured();
    let record = Record::new(times)?.with_channel("twist", Some("rad"), twist)?;
    let from_record = Simulation::new(&start()).error_limit(0.1);
    let together = || identification_of(&from_record).measured(Shaft::TWIST, &record);
    let fit = together().cost(1e-3, tracking(SpectrumForm::Decibels, Window::Hann)).run()?;
    assert!((fit.model().c / 1500.0 - 1.0).abs() < 1e-7, "{fit}");
    assert_eq!((fit.summary().measurements.len(), fit.summary().costs.len()), (1, 1));
    let report = together().cost(1e-3, lines_cost(SpectrumForm::Amplitude)).check_gradient()?;
    assert!(report.agrees(1e-9), "{report}");
    Ok(())
}

/// A cost that is not a sum of squares.
#[derive(Debug)]
struct Last;

impl Cost for Last {
    fn value(&self, outputs: &Series<f64>) -> f64 {
        (outputs.row(STEPS)[0] / 100.0).powi(4)
    }

    fn value_dual(&self, outputs: &Series<Dual>) -> Dual {
        use costate::model::Scalar;
        (outputs.row(STEPS)[0] / 100.0).powi(4)
    }

    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>) {
        gradient.row_mut(STEPS)[0] += 4.0 * (outputs.row(STEPS)[0] / 100.0).powi(3) / 100.0;
    }
}

#[test]
fn costs_without_residuals_leave_the_deviations_unknown() {
    let fit = identification().cost(1.0, lines_cost(SpectrumForm::Decibels)).cost(1e-6, Last).run().unwrap();
    assert!(fit.summary().parameters.iter().all(|p| p.standard_deviation == f64::INFINITY), "{fit}");
    assert_eq!(fit.summary().costs[1].residuals, 0);
}

#[test]
fn identifications_name_what_is_missing() {
    let cost = || lines_cost(SpectrumForm::Amplitude);
    let error = |identification: Identification<Shaft>| identification.run().unwrap_err();
    let endless = Simulation::new(&start());
    assert!(matches!(
        error(identification_of(&endless)),
        IdentificationError::Specification(SpecificationError::NoMeasurement { .. })
    ));
    let missing = error(identification_of(&endless).cost(1.0, cost()));
    assert!(
        matches!(missing, IdentificationError::Specification(SpecificationError::NoRecord { what: "step size", .. })),
        "{missing}"
    );
    let missing = error(identification_of(&endless.step(STEP)).cost(1.0, cost()));
    assert!(
        matches!(missing, IdentificationError::Specification(SpecificationError::NoRecord { what: "end", .. })),
        "{missing}"
    );
    let other = error(identification_of(&simulation().until(1.0)).cost(1.0, cost()));
    assert!(
        matches!(
            other,
            IdentificationError::Specification(SpecificationError::CostRun { index: 0, samples: 1001, .. })
        ),
        "{other}"
    );
    let weight = error(identification().cost(-1.0, cost()));
    assert!(matches!(weight, IdentificationError::Specification(SpecificationError::CostWeight(_))), "{weight}");
}

#[test]
fn state_files_tell_costs_apart() {
    let path = crate::file("spectrum.state");
    let run = |weight, form| identification().cost(weight, lines_cost(form)).state_file(&path).run();
    let first = run(1.0, SpectrumForm::Amplitude).unwrap();
    let again = run(1.0, SpectrumForm::Amplitude).unwrap();
    assert_eq!(first.summary().history, again.summary().history);
    for (other, expected) in [
        (run(2.0, SpectrumForm::Amplitude), "the weight of further cost 1: 1.0 in the file, now 2.0"),
        (run(1.0, SpectrumForm::Decibels), "further cost 1: not as in the file, though both are SpectrumCost"),
    ] {
        match other {
            Err(IdentificationError::StateFile(StateFileError::Differs { differences, .. })) => {
                let texts: Vec<_> = differences.iter().map(ToString::to_string).collect();
                assert_eq!(texts, [expected]);
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Checks that orders of two run-ups with different torques are fitted together, with a ripple of its own for
/// each run-up.
#[test]
fn orders_of_several_run_ups_are_one_fit() {
    let run_ups = [("slow", 9.0, 3.0), ("fast", 14.0, 5.0)];
    let tracked = |drive: f64, ripple: f64| {
        let truth = Shaft { drive, ripple, ..Shaft::default() };
        let outputs = outputs(&truth);
        let channel = |output| -> Vec<f64> { outputs.output(output).unwrap().collect() };
        let lines = [(2.0, 55.0), (2.0, 80.0), (4.0, 60.0), (4.0, 75.0)]
            .map(|(order, centre)| OrderLine::around(order, centre, 3, 2.0 * TAU, Window::Hann).unwrap());
        let values = order_coefficients(&channel(Shaft::ANGLE), &channel(Shaft::TWIST), &lines).unwrap();
        let mut cost = SpectrumCost::new(STEP, STEPS + 1, SpectrumForm::Coefficients);
        for (line, value) in lines.into_iter().zip(values) {
            cost = cost.with_order(Shaft::TWIST, Shaft::ANGLE, line, value, 1.0).unwrap();
        }
        cost
    };
    let mut id = identification()
        .unknown_per_experiment([Shaft::RIPPLE])
        .optimizer(OptimizerSettings::default().with_method(Method::GaussNewton));
    for (name, drive, ripple) in run_ups {
        let own = simulation().parameter(Shaft::DRIVE, drive);
        id = id.experiment(Experiment::new(name).simulation(&own).cost(1.0, tracked(drive, ripple)));
    }
    let fit = id.run().unwrap();
    assert!((fit.model().c / 1500.0 - 1.0).abs() < 1e-7 && (fit.model().d / 0.3 - 1.0).abs() < 1e-6, "{fit}");
    for (name, _, ripple) in run_ups {
        let found = fit.parameter_of(Shaft::RIPPLE, name).unwrap();
        assert!((found.found / ripple - 1.0).abs() < 1e-7, "{fit}");
    }
    let costs: Vec<_> = fit.summary().costs.iter().map(|cost| (cost.experiment.as_deref(), cost.residuals)).collect();
    assert_eq!(costs, [(Some("slow"), 8), (Some("fast"), 8)]);
}
