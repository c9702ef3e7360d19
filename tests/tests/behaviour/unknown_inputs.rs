//! Inputs that were not measured, or are delayed relative to their records, identified together with the parameters.

use std::error::Error;
use std::f64::consts::TAU;

use costate::differentiate::GradientMethod;
use costate::identify::{
    Correction, Experiment, Fit, IdentificationError, Measurement, UnknownInput, UnknownParameter,
};
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::{Sampled, Scheme};
use costate::{Identification, Record, Simulation, model};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

model! {
    #[interpreted]
    /// A mass on a spring that hardens, on a base that moves, and a pendulum of two coordinates at it.
    pub Carrier {
        parameters {
            m: kg = 2.0,
            d: N*s/m = 6.0,
            c: N/m = 400.0,
            c_3: N/m^3 = 2e4,
            length: m = 0.4,
            m_p: kg = 0.5,
            g: m/s^2 = 9.81,
        }
        inputs { force: N, base: m }
        coordinates { x: m, x_p: m, y_p: m }
        mass { x: m, x_p: m_p, y_p: m_p }
        forces {
            x: force - d*dot(x) - c*(x - base) - c_3*(x - base)^3,
            x_p: -d/20*dot(x_p),
            y_p: -m_p*g - d/20*dot(y_p),
        }
        constraints { rod: (x_p - x)^2 + y_p^2 - length^2 }
        initial { y_p = -length }
        outputs { position: m = x, acceleration: m/s^2 = ddot(x), deflection: m = x_p - x, travel: m = x - base }
    }
}

type Tested = Result<(), Box<dyn Error>>;

const END: f64 = 1.5;
const STEP: f64 = 2.5e-3;
const DELAY: f64 = 7.3e-3;

/// Time span in s in which the carrier is pushed.
const PUSH: (f64, f64) = (0.2, 0.5);

fn force(t: f64) -> f64 {
    let part = ((t - PUSH.0) / (PUSH.1 - PUSH.0)).clamp(0.0, 1.0);
    40.0 * (TAU / 2.0 * part).sin().powi(4) + 10.0 * (TAU * part).sin().powi(3)
}

fn base(t: f64) -> f64 {
    0.02 * (14.0 * t).sin() + 0.01 * (31.0 * t).cos()
}

/// Makes the record of the base's own logger, from before the run until after it.
fn base_record() -> Result<Record, Box<dyn Error>> {
    let times: Vec<f64> = (0..700).map(|i| -0.1 + 2.5e-3 * f64::from(i)).collect();
    let values = times.iter().map(|t| 1e3 * base(*t)).collect();
    Ok(Record::new(times)?.named("logger").with_channel("road", Some("mm"), values)?)
}

/// Simulates position and acceleration, with noise of these deviations.
fn measured(seed: u64, deviations: [f64; 2]) -> Result<Record, Box<dyn Error>> {
    let run = Simulation::new(&Carrier::default())
        .input(Carrier::FORCE, force)
        .input(Carrier::BASE, |t: f64| base(t - DELAY))
        .step(STEP)
        .until(END)
        .error_limit(None)
        .run()?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut noisy = |output, deviation: f64| -> Vec<f64> {
        let values = run.output(output);
        values
            .iter()
            .map(|value| {
                let noise: f64 = StandardNormal.sample(&mut random);
                value + deviation * noise
            })
            .collect()
    };
    let (position, acceleration) =
        (noisy(Carrier::POSITION, deviations[0]), noisy(Carrier::ACCELERATION, deviations[1]));
    let record = Record::new(run.times())?.named("bench");
    Ok(record.with_channel("position", Some("m"), position)?.with_channel(
        "acceleration",
        Some("m/s^2"),
        acceleration,
    )?)
}

fn settings(method: Method) -> OptimizerSettings {
    OptimizerSettings::default().with_method(method).with_maximum_iterations(60)
}

/// From the start values, with the base of its logger.
fn simulation() -> Result<Simulation<Carrier>, Box<dyn Error>> {
    Ok(Simulation::new(&Carrier { c: 350.0, d: 8.0, ..Carrier::default() })
        .input(Carrier::BASE, Sampled::from_record(&base_record()?, "road")?.cubic()?)
        .step(STEP)
        .until(END)
        .error_limit(None))
}

fn identification(record: &Record, deviations: [f64; 2]) -> Result<Identification<Carrier>, Box<dyn Error>> {
    Ok(identification_of(&simulation()?, record, deviations))
}

fn identification_of(
    simulation: &Simulation<Carrier>,
    record: &Record,
    [of_position, of_acceleration]: [f64; 2],
) -> Identification<Carrier> {
    Identification::new(simulation)
        .unknown([
            UnknownParameter::from(Carrier::C).within(100.0, 1000.0),
            UnknownParameter::from(Carrier::D).within(0.5, 50.0),
        ])
        .measured(Carrier::POSITION, Measurement::new(record).standard_deviation(of_position))
        .measured(Carrier::ACCELERATION, Measurement::new(record).standard_deviation(of_acceleration))
        .weighting(costate::identify::Weighting::Likelihood)
        .optimizer(settings(Method::LevenbergMarquardt))
}

/// Sets up an identification with everything unknown at once: parameters, a force of both shapes, a correction of
/// a measured base, its delay.
fn everything(
    record: &Record,
    scheme: Scheme,
    method: GradientMethod,
) -> Result<Identification<Carrier>, Box<dyn Error>> {
    Ok(identification_of(&simulation()?.scheme(scheme), record, [1e-3, 0.2])
        .gradient_method(method)
        .optimizer(settings(Method::Bfgs))
        .input_delay(Carrier::BASE, Correction::unknown(5.1e-3).within(0.0, 0.02))
        .unknown_input(UnknownInput::smooth(Carrier::FORCE, 0.037, 10.0).smoothness(1e4).deviation(50.0))
        .unknown_input(UnknownInput::straight(Carrier::BASE, 0.11, 0.01).within(-0.05, 0.05)))
}

#[test]
fn the_gradient_with_respect_to_inputs_and_delays_is_that_of_dual_numbers() -> Tested {
    let record = measured(1, [1e-3, 0.2])?;
    for scheme in [Scheme::default(), Scheme::Hht { alpha: -0.1 }] {
        for method in [GradientMethod::DiscreteAdjoint, GradientMethod::DirectDifferentiation] {
            let report = everything(&record, scheme, method)?.check_gradient()?;
            assert!(report.entries.len() > 50);
            assert!(report.agrees(1e-10), "{scheme:?} {method}\n{report}");
        }
    }
    Ok(())
}

/// Deviations of the measured values, small enough to determine the force.
const FINE: [f64; 2] = [2e-5, 0.02];

fn with_force(record: &Record) -> Result<Fit<Carrier>, Box<dyn Error>> {
    Ok(identification(record, FINE)?
        .input_delay(Carrier::BASE, DELAY)
        .unknown_input(UnknownInput::smooth(Carrier::FORCE, 4.0 * STEP, 10.0).during(PUSH.0, PUSH.1).smoothness(2e4))
        .run()?)
}

#[test]
fn a_blow_that_nobody_measured_is_found_with_the_parameters() -> Tested {
    let record = measured(3, FINE)?;
    let fit = with_force(&record)?;
    for (parameter, truth) in [(Carrier::C, 400.0), (Carrier::D, 6.0)] {
        let fitted = fit.parameter(parameter).ok_or("not fitted")?;
        assert!(((fitted.found - truth) / fitted.standard_deviation).abs() < 3.5, "{fit}");
        assert!(fitted.relative_deviation < 0.1, "{fit}");
    }
    let [of_force] = &fit.summary().inputs[..] else { return Err("one input is unknown".into()) };
    assert_eq!((of_force.input, of_force.unit, of_force.times.len()), ("force", "N", 31));
    // the found values scatter about the truth as their deviations say
    let mut normalised = Vec::new();
    for ((time, value), deviation) in of_force.times.iter().zip(&of_force.values).zip(&of_force.standard_deviations) {
        normalised.push((value - force(*time)) / deviation);
    }
    let scatter = (normalised.iter().map(|x| x * x).sum::<f64>() / normalised.len() as f64).sqrt();
    assert!((0.6..1.3).contains(&scatter), "{scatter}\n{fit}");
    let run = fit.experiments()[0].inputs()?;
    let found = run.channel("force")?.values();
    let worst = run.times().iter().zip(found).map(|(t, value)| (value - force(*t)).abs()).fold(0.0, f64::max);
    assert!(worst < 1.0, "{worst}\n{fit}");
    assert!(fit.to_string().contains("force at 31 knots: "), "{fit}");
    Ok(())
}

#[test]
fn the_delay_of_an_input_is_found() -> Tested {
    let record = measured(5, [1e-4, 0.05])?;
    let simulation = simulation()?.input(Carrier::FORCE, force);
    let fit = identification_of(&simulation, &record, [1e-4, 0.05])
        .input_delay(Carrier::BASE, Correction::unknown(0.0).within(0.0, 0.02))
        .run()?;
    let fitted = fit.summary().parameters.iter().find(|fitted| fitted.name == "delay of base").ok_or("no delay")?;
    assert!(fitted.standard_deviation < 2e-4, "{fit}");
    assert!(((fitted.found - DELAY) / fitted.standard_deviation).abs() < 3.5, "{fit}");
    let stated = fit.parameter(Carrier::C).ok_or("c")?;
    assert!(((stated.found - 400.0) / stated.standard_deviation).abs() < 3.5, "{fit}");
    Ok(())
}

#[test]
fn experiments_share_the_delay_of_a_logger_and_have_forces_of_their_own() -> Tested {
    let records = [measured(7, FINE)?, measured(8, FINE)?];
    let base = base_record()?;
    let start = Carrier { c: 350.0, ..Carrier::default() };
    let common = Simulation::new(&start).step(STEP).until(0.9).error_limit(None);
    let mut id = Identification::new(&common)
        .unknown([UnknownParameter::from(Carrier::C).within(100.0, 1000.0)])
        .optimizer(settings(Method::LevenbergMarquardt));
    for (name, record) in ["first", "second"].into_iter().zip(&records) {
        let delay = Correction::unknown(2e-3).within(0.0, 0.02).common("delay of the logger");
        let driven = common.clone().input(Carrier::BASE, Sampled::from_record(&base, "road")?.cubic()?);
        let measured = |deviation| Measurement::new(record).standard_deviation(deviation).window(0.0, 0.9);
        id = id.experiment(
            Experiment::new(name)
                .simulation(&driven)
                .measured(Carrier::POSITION, measured(FINE[0]))
                .measured(Carrier::ACCELERATION, measured(FINE[1]))
                .input_delay(Carrier::BASE, delay)
                .unknown_input(UnknownInput::smooth(Carrier::FORCE, 0.01, 10.0).during(PUSH.0, PUSH.1).smoothness(2e4)),
        );
    }
    let fit = id.run()?;
    let names: Vec<_> =
        fit.summary().parameters.iter().filter(|p| p.part_of.is_none()).map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["c", "delay of the logger"]);
    let delay = &fit.summary().parameters[1];
    assert!(((delay.found - DELAY) / delay.standard_deviation).abs() < 3.5, "{fit}");
    let owners: Vec<_> = fit.summary().inputs.iter().map(|input| input.experiment.as_deref()).collect();
    assert_eq!(owners, [Some("first"), Some("second")]);
    Ok(())
}

#[test]
fn without_given_deviations_noise_is_told_from_the_force() -> Tested {
    let record = measured(11, FINE)?;
    let simulation =
        Simulation::new(&Carrier::default()).input(Carrier::BASE, |t: f64| base(t - DELAY)).error_limit(None);
    let fit = Identification::new(&simulation)
        .unknown([UnknownParameter::from(Carrier::C).within(100.0, 1000.0)])
        .measured(Carrier::POSITION, &record)
        .measured(Carrier::ACCELERATION, &record)
        .unknown_input(UnknownInput::smooth(Carrier::FORCE, 0.01, 10.0).during(PUSH.0, PUSH.1).smoothness(2e4))
        .optimizer(settings(Method::LevenbergMarquardt))
        .run()?;
    for (measured, truth) in fit.summary().measurements.iter().zip(FINE) {
        assert!((0.7..1.3).contains(&(measured.standard_deviation / truth)), "{fit}");
    }
    Ok(())
}

fn refused(result: Result<Fit<Carrier>, IdentificationError>) -> String {
    match result {
        Ok(fit) => format!("no error: {fit}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_cannot_be_unknown_of_an_input_is_refused() -> Tested {
    let record = measured(1, FINE)?;
    let of_force = |interval, typical| UnknownInput::straight(Carrier::FORCE, interval, typical);
    let id = || identification(&record, FINE);
    let pushed = simulation()?.input(Carrier::FORCE, force);
    let pushed = || identification_of(&pushed, &record, FINE);
    let adaptive = identification_of(&simulation()?.adaptive(1e-4), &record, FINE);
    let cases = [
        (
            refused(id()?.unknown_input(of_force(0.0, 1.0)).run()),
            "the unknown input `force` has interval = 0; it must be a finite time above 0 s",
        ),
        (refused(id()?.unknown_input(of_force(1e-6, 1.0)).run()), "no more than 20000 knots"),
        (refused(id()?.unknown_input(of_force(0.1, -1.0)).run()), "typical = -1"),
        (
            refused(id()?.unknown_input(of_force(0.1, 1.0).during(2.0, 3.0)).run()),
            "from = 2; it must be within the run",
        ),
        (refused(id()?.unknown_input(of_force(0.1, 1.0).during(1.0, 0.5)).run()), "to = 0.5"),
        (refused(id()?.unknown_input(of_force(0.1, 1.0).smoothness(f64::NAN)).run()), "smoothness = NaN"),
        (
            refused(id()?.unknown_input(of_force(0.1, 1.0)).unknown_input(of_force(0.2, 1.0)).run()),
            "the input `force` is unknown twice",
        ),
        (refused(id()?.unknown_input(of_force(STEP / 4.0, 1.0)).run()), "1202 samples cannot determine 2403 unknowns"),
        (
            refused(pushed().input_delay(Carrier::FORCE, 1e-3).run()),
            "the input `force` has a delay, and its signal is not sampled",
        ),
        (
            refused(pushed().input_delay(Carrier::BASE, Correction::unknown(0.0)).run()),
            "the delay 0 of `base` is not possible; give bounds",
        ),
        (refused(pushed().input_delay(Carrier::BASE, 0.2).run()), "the run needs it from -0.2 s"),
        (refused(adaptive.unknown_input(of_force(0.1, 1.0)).run()), "adaptive"),
    ];
    for (message, expected) in cases {
        assert!(message.contains(expected), "{message}");
    }
    Ok(())
}

/// Checks that a channel with the name of an unknown input needs a declaration: it may be the input, or the
/// signal of a faulty sensor.
#[test]
fn an_unknown_input_that_is_measured_needs_a_word() -> Tested {
    let record = measured(13, FINE)?;
    let pushed: Vec<f64> = record.times().iter().map(|t| 0.8 * force(*t)).collect();
    let record = record.with_channel("force", Some("N"), pushed)?;
    let of_force = UnknownInput::smooth(Carrier::FORCE, 0.01, 10.0).during(PUSH.0, PUSH.1).smoothness(2e4);
    let run = |simulation: Simulation<Carrier>| {
        identification_of(&simulation, &record, FINE).unknown_input(of_force.clone()).run()
    };
    let message = refused(run(simulation()?));
    assert!(
        message.contains("`force` is unknown, and a record has a channel of its name; write `.input("),
        "{message}"
    );
    let added = run(simulation()?.input(Carrier::FORCE, Sampled::from_record(&record, "force")?))?;
    let all = run(simulation()?.input(Carrier::FORCE, 0.0))?;
    let most =
        |fit: &Fit<Carrier>| fit.summary().inputs[0].values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    assert!(most(&added) < 0.4 * most(&all), "{added}{all}");
    Ok(())
}

/// Checks that the assumed unit is reported for a delayed channel without unit, too.
#[test]
fn an_assumed_unit_of_a_delayed_input_is_told() -> Tested {
    let record = measured(5, FINE)?;
    let times: Vec<f64> = (0..700).map(|i| -0.1 + 2.5e-3 * f64::from(i)).collect();
    let values = times.iter().map(|t| base(*t)).collect();
    let logger = Record::new(times)?.named("logger").with_channel("road", None, values)?;
    let simulation =
        simulation()?.input(Carrier::FORCE, force).input(Carrier::BASE, Sampled::from_record(&logger, "road")?);
    let fit = identification_of(&simulation, &record, FINE).input_delay(Carrier::BASE, DELAY).run()?;
    assert!(fit.to_string().contains("`road` of `logger` in m"), "{fit}");
    Ok(())
}

/// Checks that a delay of a logger that two experiments share is a common unknown, even if it is the only one.
#[test]
fn a_common_delay_is_in_common() -> Tested {
    let records = [measured(7, FINE)?, measured(8, FINE)?];
    let base = base_record()?;
    let common = Simulation::new(&Carrier::default()).step(STEP).error_limit(None);
    let mut id = Identification::new(&common)
        .unknown_per_experiment([Carrier::C])
        .optimizer(settings(Method::LevenbergMarquardt));
    for (name, record) in ["first", "second"].into_iter().zip(&records) {
        let delay = Correction::unknown(2e-3).within(0.0, 0.02).common("delay of the logger");
        let driven = common
            .clone()
            .input(Carrier::FORCE, force)
            .input(Carrier::BASE, Sampled::from_record(&base, "road")?.cubic()?);
        let experiment = Experiment::new(name)
            .simulation(&driven)
            .measured(Carrier::POSITION, record)
            .input_delay(Carrier::BASE, delay);
        id = id.experiment(experiment);
    }
    let fit = id.run()?;
    let delay = fit.summary().parameters.iter().find(|p| p.name == "delay of the logger").ok_or("delay")?;
    assert!(((delay.found - DELAY) / delay.standard_deviation).abs() < 3.5, "{fit}");
    Ok(())
}
