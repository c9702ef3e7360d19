//! Fits that choose steps and order themselves, where none are given.

use std::f64::consts::TAU;

use costate::identify::{ChosenSteps, Experiment, Fit, IdentificationError, Measurement};
use costate::simulate::{Interrupt, Sampled};
use costate::{Identification, Record, Simulation};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::orders::Cubic;

const NOTED: &str = "step-size errors shift the found values";

/// A measured motion, of which some samples are in a period, and the deviation of its noise.
struct Case {
    truth: Cubic,
    start: Cubic,
    waves: [[f64; 3]; 2],
    record: Record,
    interval: f64,
    deviation: f64,
}

impl Case {
    /// Measures a random motion of some periods with `samples` in a natural one, and noise of a part of the motion.
    fn new(seed: u64, samples: f64, noise: f64) -> Self {
        Self::of((seed, 0.1), 300, samples, noise)
    }

    /// Measures so many samples; the values at the start are wrong by `off` at most.
    fn of((seed, off): (u64, f64), count: usize, samples: f64, noise: f64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
        let truth =
            Cubic { d: between(0.5, 1.5), c: between(30.0, 60.0), k: between(300.0, 600.0), ..Cubic::default() };
        let waves = [between(0.6, 1.0), between(1.3, 2.0)].map(|f| [between(2.0, 5.0), f, between(0.0, TAU)]);
        let start = Cubic {
            d: truth.d * between(1.0 - off, 1.0 + off),
            c: truth.c * between(1.0 - off, 1.0 + 0.5 * off),
            k: truth.k * between(1.0 - off, 1.0 + off),
            ..Cubic::default()
        };
        let interval = TAU / truth.c.sqrt() / samples;
        let interval: f64 = format!("{interval:.2e}").parse().unwrap();
        let times: Vec<f64> = (0..count).map(|j| interval * j as f64).collect();
        let end = interval * count as f64;
        let run = simulation(&truth, waves).until(end).step(interval / 40.0).order(4).run().unwrap();
        let course = Sampled::new(run.times(), run.output(Cubic::POSITION)).unwrap().cubic().unwrap();
        let exact: Vec<f64> = times.iter().map(|t| course.at(*t).unwrap()).collect();
        let deviation = noise * exact.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let values = exact.iter().zip(StandardNormal.sample_iter(&mut random));
        let values = values.map(|(exact, noise): (&f64, f64)| exact + deviation * noise).collect();
        let record = Record::new(times).unwrap().with_channel("x", Some("m"), values).unwrap();
        Self { truth, start, waves, record, interval, deviation }
    }

    /// Returns the simulation without a step.
    fn simulation(&self) -> Simulation<Cubic> {
        simulation(&self.start, self.waves)
    }

    fn identification(&self, simulation: &Simulation<Cubic>, is_known: bool) -> Identification<Cubic> {
        let mut measured = Measurement::new(&self.record).channel("x");
        if is_known {
            measured = measured.standard_deviation(self.deviation);
        }
        Identification::new(simulation)
            .choosing_steps()
            .unknown([Cubic::D, Cubic::C, Cubic::K])
            .measured(Cubic::POSITION, measured)
    }
}

fn simulation(model: &Cubic, waves: [[f64; 3]; 2]) -> Simulation<Cubic> {
    let drive = move |t: f64| waves.iter().map(|[amplitude, f, phase]| amplitude * (TAU * f * t + phase).sin()).sum();
    Simulation::new(model).input(Cubic::DRIVE, drive)
}

fn chosen(fit: &Fit<Cubic>) -> &ChosenSteps {
    fit.summary().chosen_steps.as_ref().unwrap_or_else(|| panic!("{fit}"))
}

/// Asserts that nothing is advised, and that the values are those of a fit with very short steps.
fn assert_accurate(case: &Case, fit: &Fit<Cubic>, is_known: bool) {
    assert!(!fit.summary().remarks.iter().any(|remark| remark.starts_with(NOTED)), "{fit}");
    assert!(!fit.to_string().contains("still shift"), "{fit}");
    let fine = simulation(fit.model(), case.waves).step(case.interval / 10.0).order(4);
    let fine = case.identification(&fine, is_known).run().unwrap();
    for (own, fine) in fit.summary().parameters.iter().zip(&fine.summary().parameters) {
        let shift = (own.found - fine.found) / fine.standard_deviation;
        assert!(shift.abs() < 0.5, "{} {shift}\n{fit}", own.name);
    }
}

#[test]
fn fits_choose_steps_and_order() {
    let mut orders = Vec::new();
    for seed in 0..24 {
        let part = f64::from(seed as u32) / 23.0;
        let case = Case::new(seed, 40.0 * 0.25f64.powf(part), 0.1 * 1e-4f64.powf((7 * seed % 24) as f64 / 23.0));
        let is_known = seed % 3 != 0;
        let fit = case.identification(&case.simulation(), is_known).run().unwrap();
        assert_accurate(&case, &fit, is_known);
        let own = chosen(&fit);
        assert!(fit.to_string().contains(&format!("\n{own}")), "{fit}");
        let run = &fit.summary().settings.runs[0];
        assert_eq!((Some(run.step), run.order), (own.step, own.order), "{fit}");
        orders.push(own.order);
        if own.order == 2 {
            continue;
        }
        // as many steps of second order have larger errors
        let end = run.end;
        let parts = (own.steps as f64 * case.interval / end).round();
        let shown = |step: f64, order: u32| {
            let run = simulation(fit.model(), case.waves).until(end).step(step).order(order).run().unwrap();
            run.output(Cubic::POSITION).to_vec()
        };
        // at the samples of the record
        let at_samples = |parts: f64, order: u32| {
            shown(case.interval / parts, order).into_iter().step_by(parts as usize).collect::<Vec<f64>>()
        };
        let fine = at_samples(64.0, 4);
        let error = |own: Vec<f64>| own.iter().zip(&fine).map(|(own, fine)| (own - fine).abs()).fold(0.0, f64::max);
        let (of_own, of_second) = (error(at_samples(own.parts as f64, own.order)), error(at_samples(parts, 2)));
        assert!(of_own < of_second, "{seed}: {of_own:e} {of_second:e}\n{fit}");
        assert!(own.of_second_order.is_some_and(|steps| steps > own.steps), "{fit}");
    }
    let high = orders.iter().filter(|order| **order > 2).count();
    assert!((12..=22).contains(&high), "{orders:?}");
}

#[test]
fn a_given_step_or_order_stays() {
    let case = Case::new(2, 12.0, 1e-4);
    let fit = |simulation: Simulation<Cubic>| case.identification(&simulation, true).run().unwrap();
    let given = fit(case.simulation().step(case.interval));
    assert_eq!(given.summary().chosen_steps, None);
    assert!(given.summary().remarks.iter().any(|remark| remark.starts_with(NOTED)), "{given}");
    let third = fit(case.simulation().order(3));
    assert_eq!(third.summary().settings.runs[0].order, 3, "{third}");
    assert_accurate(&case, &third, true);
    // one of two experiments has a step
    let measured = || Measurement::new(&case.record).channel("x").standard_deviation(case.deviation);
    let mixed = Identification::new(&case.simulation())
        .choosing_steps()
        .unknown([Cubic::D, Cubic::C, Cubic::K])
        .experiment(Experiment::new("a").measured(Cubic::POSITION, measured()))
        .experiment(
            Experiment::new("b")
                .simulation(&case.simulation().step(case.interval))
                .measured(Cubic::POSITION, measured()),
        );
    assert_eq!(mixed.run().unwrap().summary().chosen_steps, None);
    let check = case.identification(&case.simulation(), true).check().unwrap();
    assert!(check.remarks.iter().any(|remark| remark.starts_with("chosen steps: order ")), "{check}");
    assert!(!check.to_string().contains("short enough"), "{check}");
}

/// Interrupts fits after each of their first iterations.
#[test]
fn an_interrupted_fit_keeps_its_choice_to_the_last_bit() {
    let folder = std::env::temp_dir().join(format!("costate_chosen_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for seed in 0..6 {
        // without a given deviation, steps are chosen again
        let case = Case::new(seed, 10.0 + seed as f64, 1e-5);
        let whole = case.identification(&case.simulation(), seed % 2 == 0).run().unwrap();
        let path = folder.join(format!("{seed}.state"));
        let (mut left, mut told) = (2, Vec::new());
        let fit = loop {
            let (flag, heard) = (Interrupt::new(), std::sync::Arc::new(std::sync::Mutex::new(Vec::new())));
            let simulation = case.simulation().interrupt(flag.clone());
            let listened = heard.clone();
            let identification = case
                .identification(&simulation, seed % 2 == 0)
                .state_file(&path)
                .on_steps(move |chosen| listened.lock().unwrap().push(chosen.clone()));
            let mut seen = 0;
            let found = identification.run_observed(|_| {
                seen += 1;
                if seen == left {
                    flag.trigger();
                }
            });
            told.append(&mut heard.lock().unwrap());
            match found {
                Err(IdentificationError::Interrupted(_)) => left += 1,
                found => break found.unwrap(),
            }
        };
        assert!(told.len() > 1 && told.last() == Some(chosen(&fit)), "{told:?}");
        assert_eq!(chosen(&whole), chosen(&fit));
        for (one, other) in whole.summary().parameters.iter().zip(&fit.summary().parameters) {
            assert_eq!(one.found.to_bits(), other.found.to_bits(), "{whole}\n{fit}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn fits_that_lose_the_phase_go_on_in_pieces() {
    let case = Case::of((5, 0.1), 600, 14.0, 1e-3);
    let Cubic { d, c, k, .. } = case.truth;
    let wrong = Cubic { d: 0.1 * d, c: 6.0 * c, k: 6.0 * k, ..case.start };
    let simulation = simulation(&wrong, case.waves);
    let fit = case.identification(&simulation, true).run().unwrap();
    assert!(chosen(&fit).order > 2 && fit.summary().grown.as_ref().is_some_and(|grown| grown.pieces > 0), "{fit}");
    assert_accurate(&case, &fit, true);
}
