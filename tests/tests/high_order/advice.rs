//! Fits with steps that are too long: what their remarks advise does what they say.

use std::f64::consts::TAU;

use costate::identify::{Fit, IdentificationError, Measurement, StartValuesError};
use costate::simulate::{Remedy, Sampled, SimulationError};
use costate::{Identification, Record, Simulation};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::orders::Cubic;

const END: f64 = 2.0;
const STEP: f64 = 0.01;
const NOTED: &str = "step-size errors shift the found values";

/// A measured motion of an oscillator, and the deviation of its noise.
struct Case {
    start: Cubic,
    /// Amplitude, frequency and phase of every part of the drive.
    waves: [[f64; 3]; 2],
    record: Record,
    deviation: f64,
}

impl Case {
    /// Measures a random motion at samples that are `every` steps apart, with so much noise that steps of `STEP` are
    /// too long by about this factor.
    fn new(seed: u64, every: f64, factor: f64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
        let truth =
            Cubic { d: between(0.5, 1.5), c: between(30.0, 60.0), k: between(300.0, 600.0), ..Cubic::default() };
        let waves = [between(0.6, 1.0), between(1.3, 2.0)].map(|f| [between(2.0, 5.0), f, between(0.0, TAU)]);
        let start = Cubic {
            d: truth.d * between(0.9, 1.1),
            c: truth.c * between(0.95, 1.05),
            k: truth.k * between(0.9, 1.1),
            ..Cubic::default()
        };
        let times: Vec<f64> = (0..(END / (every * STEP)) as usize).map(|j| every * STEP * j as f64).collect();
        let shown = |step: f64| -> Vec<f64> {
            let run = simulation(&truth, waves).step(step).run().unwrap();
            let course = Sampled::new(run.times(), run.output(Cubic::POSITION)).unwrap().cubic().unwrap();
            times.iter().map(|t| course.at(*t).unwrap()).collect()
        };
        let (exact, coarse) = (shown(STEP / 64.0), shown(STEP));
        let squares: f64 = exact.iter().zip(&coarse).map(|(exact, coarse)| (exact - coarse).powi(2)).sum();
        // the error of the steps moves values as so many independent errors of samples do
        let deviation = squares.sqrt() * 0.7 / (0.4 * factor * factor);
        let noise = StandardNormal.sample_iter(&mut random);
        let values = exact.iter().zip(noise).map(|(exact, noise): (&f64, f64)| exact + deviation * noise).collect();
        let record = Record::new(times).unwrap().with_channel("x", Some("m"), values).unwrap();
        Self { start, waves, record, deviation }
    }

    fn simulation(&self) -> Simulation<Cubic> {
        simulation(&self.start, self.waves).step(STEP)
    }

    fn identification(&self, simulation: &Simulation<Cubic>) -> Identification<Cubic> {
        let measured = Measurement::new(&self.record).channel("x").standard_deviation(self.deviation);
        Identification::new(simulation).unknown([Cubic::D, Cubic::C, Cubic::K]).measured(Cubic::POSITION, measured)
    }

    fn fit(&self, simulation: &Simulation<Cubic>) -> Fit<Cubic> {
        self.identification(simulation).run().unwrap()
    }
}

fn simulation(model: &Cubic, waves: [[f64; 3]; 2]) -> Simulation<Cubic> {
    let drive = move |t: f64| waves.iter().map(|[amplitude, f, phase]| amplitude * (TAU * f * t + phase).sin()).sum();
    Simulation::new(model).input(Cubic::DRIVE, drive).until(END)
}

/// Returns the orders and steps that a fit advises, the best ones first; none if its remarks advise nothing.
fn advised(fit: &Fit<Cubic>) -> Vec<(u32, f64)> {
    let Some(remark) = fit.summary().remarks.iter().find(|remark| remark.starts_with(NOTED)) else { return Vec::new() };
    let (_, advice) = remark.split_once("; ").unwrap();
    let one = |text: &str| {
        let (order, steps) = text.strip_prefix("order 4 with ").map_or((2, text), |steps| (4, steps));
        let step = steps.strip_prefix("steps of ").unwrap().strip_suffix(" s").unwrap();
        (order, step.parse().unwrap())
    };
    let (first, other) = advice.split_once(" would keep the shifts within 0.5").unwrap();
    let other = other.strip_prefix(", as ").map(|other| other.strip_suffix(" would").unwrap());
    [Some(first), other].into_iter().flatten().map(one).collect()
}

#[test]
fn advised_steps_and_orders_serve() {
    let mut of_order_four = 0;
    for seed in 0..20 {
        // samples on the steps, and between them
        let every = if seed % 2 == 0 { 1.0 } else { 1.37 };
        let case = Case::new(seed, every, 3.0 * (20.0f64 / 3.0).powf(seed as f64 / 19.0));
        let fit = case.fit(&case.simulation());
        let all = advised(&fit);
        assert!(!all.is_empty(), "{seed}: {fit}");
        let fine = case.fit(&simulation(fit.model(), case.waves).step(STEP / 40.0));
        for (order, step) in all {
            let served = case.fit(&case.simulation().step(step).order(order));
            assert!(advised(&served).is_empty(), "{seed}: {fit}\n{served}");
            for (served, fine) in served.summary().parameters.iter().zip(&fine.summary().parameters) {
                let shift = (served.found - fine.found) / fine.standard_deviation;
                assert!(shift.abs() < 0.5, "{seed}: {} {shift}\n{fit}", served.name);
            }
            of_order_four += u32::from(order == 4);
        }
    }
    assert!((5..=17).contains(&of_order_four), "{of_order_four}");
}

#[test]
fn where_order_four_cannot_help_other_steps_are_advised() {
    let case = Case::new(1, 1.0, 15.0);
    let remark = |identification: Identification<Cubic>| {
        let fit = identification.run().unwrap();
        let remark = fit.summary().remarks.iter().find(|remark| remark.starts_with(NOTED)).cloned();
        remark.unwrap_or_else(|| panic!("{fit}"))
    };
    let of = |simulation: Simulation<Cubic>| remark(case.identification(&simulation));
    assert!(of(case.simulation()).contains("; order 4 with steps of "));
    assert!(of(case.simulation().adaptive(3e-4)).contains("; a tolerance of "));
    for simulation in [case.simulation().alpha(-0.1), case.simulation().order(3).step(5.0 * STEP)] {
        assert!(of(simulation).contains("; steps of "));
    }
    let in_pieces = remark(case.identification(&case.simulation()).pieces(4));
    assert!(in_pieces.contains("; steps of "), "{in_pieces}");
    let refused = case.identification(&case.simulation().order(4)).pieces(4).run().unwrap_err().to_string();
    assert!(refused.contains("high orders, which need whole runs"), "{refused}");
    let strict = case.simulation().order(4).step(0.25).error_limit(1e-6);
    let refused = case.identification(&strict).run().unwrap_err();
    assert!(matches!(refused, IdentificationError::StartValues(StartValuesError::Start { .. })), "{refused:?}");
}

/// Compares the errors at the start values with those that the check before a fit advises.
#[test]
fn the_check_before_a_fit_advises_what_is_accurate_enough() {
    let mut of_order_four = 0;
    for seed in 0..20 {
        let case = Case::new(seed, 1.0, 6.0 + 1.5 * seed as f64);
        let check = case.identification(&case.simulation()).check().unwrap();
        let said =
            check.remarks.iter().find_map(|remark| remark.split_once(" m; ")).unwrap_or_else(|| panic!("{check}"));
        let (order, step) = match said.1.strip_prefix("order 4 with steps of ") {
            Some(steps) => (4, steps.split_once(" s is accurate enough, as steps of ").unwrap().0),
            None => (2, said.1.strip_prefix("steps of ").unwrap().strip_suffix(" s are short enough").unwrap()),
        };
        let step: f64 = step.parse().unwrap();
        let simulation = case.simulation().until(step * (END / step).floor());
        let shown = |order: u32, step: f64| simulation.clone().order(order).step(step).run().unwrap();
        let (own, fine) = (shown(order, step).output(Cubic::POSITION), shown(4, 0.1 * step).output(Cubic::POSITION));
        let errors = own.iter().zip(fine.iter().step_by(10)).map(|(own, fine)| (own - fine).abs());
        let error = errors.fold(0.0, f64::max);
        assert!(error < 0.35 * case.deviation, "{seed}: {error:e} {:e}\n{check}", case.deviation);
        of_order_four += u32::from(order == 4);
    }
    assert!((5..20).contains(&of_order_four), "{of_order_four}");
}

/// Asks for errors that order 4 reaches with the same steps, and for others that a few more steps reach.
#[test]
fn refused_runs_name_order_four_where_it_takes_fewer_steps() {
    let mut named = 0;
    for seed in 0..20 {
        let case = Case::new(seed, 1.0, 6.0);
        let simulation = case.simulation().error_limit(None);
        let error = simulation.run().unwrap().accuracy().unwrap().relative();
        let limit = error / if seed % 2 == 0 { 200.0 } else { 4.0 };
        let refused = simulation.clone().error_limit(Some(limit)).run().unwrap_err();
        let SimulationError::Inaccurate(inaccuracy) = &refused else { panic!("{refused}") };
        let Remedy::Step { order_four, step, advised } = inaccuracy.remedy else { panic!("{refused}") };
        let said = refused.to_string();
        assert_eq!(said.contains("take order 4 (`.order(4)`) with the same steps, or steps of"), order_four, "{said}");
        if order_four {
            assert!(step / advised > 7.0, "{said}");
            simulation.order(4).error_limit(Some(limit)).run().unwrap();
            named += 1;
        } else {
            assert!(step / advised <= 7.0 || simulation.order(4).error_limit(Some(limit)).run().is_err(), "{said}");
        }
    }
    assert!((5..=10).contains(&named), "{named}");
}
