//! Line searches whose trials go in lanes against those of one trial after the other.

use std::error::Error;

use costate::identify::{FitSummary, UnknownParameter};
use costate::optimize::{Method, OptimizerSettings, StepSize};
use costate::{Identification, Record, Simulation, model};

model! {
    #[interpreted]
    /// Oscillator with a cubic spring.
    pub Duffing {
        parameters { m: kg = 2, c: N/m = 50, c_3: N/m^3 = 400, d: N*s/m = 0.4, s: 1 = 1 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - c*x - c_3*x^3 - d*sqrt(s)*dot(x) }
        outputs { acceleration: m/s^2 = ddot(x), position: m = x }
    }
}

fn drive(t: f64) -> f64 {
    20.0 * (4.0 * t + t * t).sin()
}

fn record() -> Result<Record, Box<dyn Error>> {
    let run = Simulation::new(&Duffing::default()).input(Duffing::DRIVE, drive).step(1e-2).until(2.0).run()?;
    Ok(Record::new(run.times())?.with_channel("position", Some("m"), run.output(Duffing::POSITION))?)
}

/// With room for lanes, or for one run only.
fn fit(
    record: &Record,
    start: Duffing,
    unknown: &[UnknownParameter<Duffing>],
    settings: &OptimizerSettings,
    in_lanes: bool,
) -> Result<FitSummary, Box<dyn Error>> {
    let mut simulation = Simulation::new(&start).input(Duffing::DRIVE, drive);
    if !in_lanes {
        let model = Duffing::default();
        let measured = Simulation::new(&model).input(Duffing::DRIVE, drive).step(1e-2).until(2.0);
        simulation = simulation.memory_limit(2 * measured.problem()?.memory().total());
    }
    let fit = Identification::new(&simulation)
        .unknown(unknown.iter().cloned())
        .measured(Duffing::POSITION, record)
        .optimizer(settings.clone())
        .run()?;
    Ok(fit.summary().clone())
}

#[test]
fn the_path_is_the_same() -> Result<(), Box<dyn Error>> {
    let record = record()?;
    let start = Duffing { m: 1.2, c: 30.0, d: 1.0, ..Duffing::default() };
    let all = [Duffing::M, Duffing::C, Duffing::D].map(UnknownParameter::from);
    for method in [Method::SteepestDescent, Method::Bfgs, Method::GaussNewton] {
        let settings = OptimizerSettings::default()
            .with_method(method)
            .with_step_size(StepSize::golden_section())
            .with_maximum_iterations(25);
        let fit = |in_lanes| fit(&record, start, &all, &settings, in_lanes);
        let (single, lanes) = (fit(false)?, fit(true)?);
        assert_eq!(lanes.history, single.history, "{method}");
        assert_eq!(lanes.stop, single.stop);
        assert!(single.iterations > 3, "{method}");
        assert_eq!(single.simulations, single.evaluations, "{method}");
        println!("{method}: {} evaluations, {} simulations", lanes.evaluations, lanes.simulations);
        assert!(lanes.simulations < 2 * lanes.evaluations, "{method}");
    }
    Ok(())
}

/// Trials without a simulation: some of the steps are so long that a root has no value.
#[test]
fn trials_may_fail() -> Result<(), Box<dyn Error>> {
    let record = record()?;
    let start = Duffing { s: 4.0, ..Duffing::default() };
    let beyond = Duffing { s: -4.0, ..Duffing::default() };
    assert!(Simulation::new(&beyond).input(Duffing::DRIVE, drive).step(1e-2).until(2.0).run().is_err());
    let unknown = [UnknownParameter::from(Duffing::S).linear(1.0)];
    let settings = OptimizerSettings::default()
        .with_method(Method::SteepestDescent)
        .with_step_size(StepSize::golden_section())
        .with_first_step(50.0)
        .with_largest_step(50.0)
        .with_maximum_iterations(6);
    let fit = |in_lanes| fit(&record, start, &unknown, &settings, in_lanes);
    let (single, lanes) = (fit(false)?, fit(true)?);
    assert_eq!(lanes.history, single.history);
    assert_eq!(lanes.stop, single.stop);
    assert!(single.iterations > 0);
    // the first trial, 50 away, has failed, and the cost was lower nearby
    assert!(single.history[1].step < 5.0 && single.history[1].evaluations > 3);
    Ok(())
}
