//! Verdicts on fits: right models pass, wrong ones are distinguished from noise, and without noise there is no verdict.

use std::error::Error;

use costate::identify::FitSummary;
use costate::identify::residuals::Judgement;
use costate::{Identification, Parameter, Record, Simulation, model};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

model! {
    #[interpreted]
    /// A mass on a spring that hardens.
    pub Hardening {
        parameters { c: N/m = 150.0, c_3: N/m^3 = 1500.0, d: N*s/m = 0.8 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: 2[kg] }
        forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
        outputs { position: m = x }
    }
}

fn drive(t: f64) -> f64 {
    6.0 * (4.0 * t + 1.2 * t * t).sin()
}

/// Simulates a measurement with white noise of this deviation in m.
fn record(deviation: f64, seed: u64) -> Result<Record, Box<dyn Error>> {
    let truth = Hardening::default();
    let run = Simulation::new(&truth).input(Hardening::DRIVE, drive).step(2.5e-3).until(5.0).run()?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
    let position = run.output(Hardening::POSITION).into_iter().map(|x| x + deviation * noise()).collect();
    Ok(Record::new(run.times())?.with_channel("position", Some("m"), position)?)
}

fn fit(record: &Record, c_3: f64, unknown: &[Parameter<Hardening>]) -> Result<(FitSummary, String), Box<dyn Error>> {
    let start = Hardening { c: 140.0, c_3, ..Hardening::default() };
    let simulation = Simulation::new(&start).input(Hardening::DRIVE, drive);
    let identification = Identification::new(&simulation).unknown(unknown.iter().copied());
    let fit = identification.measured(Hardening::POSITION, record).run()?;
    Ok((fit.summary().clone(), fit.to_string()))
}

#[test]
fn a_right_model_leaves_noise() -> Result<(), Box<dyn Error>> {
    for seed in 0..5 {
        let (summary, text) = fit(&record(2e-3, seed)?, 1500.0, &[Hardening::C, Hardening::D])?;
        let verdict = summary.verdict.ok_or("no verdict")?;
        assert_eq!(verdict.judgement, Judgement::Sufficient, "{text}");
        assert_eq!(verdict.tests, 2, "whiteness, and one input");
        assert!(text.contains("the model is sufficient: no test contradicts it"), "{text}");
        let percent = summary.measurements[0].fit_percent.ok_or("no percentage")?;
        assert!((90.0..99.9).contains(&percent), "{percent}");
    }
    Ok(())
}

#[test]
fn what_a_model_lacks_is_not_taken_for_noise() -> Result<(), Box<dyn Error>> {
    for seed in 0..5 {
        let (summary, text) = fit(&record(2e-3, seed)?, 0.0, &[Hardening::C, Hardening::D])?;
        let verdict = summary.verdict.ok_or("no verdict")?;
        assert_eq!(verdict.judgement, Judgement::Insufficient, "{text}");
        assert!(text.contains("residuals of `position` are not white"), "{text}");
    }
    Ok(())
}

#[test]
fn deviations_mean_nothing_where_little_is_explained() -> Result<(), Box<dyn Error>> {
    let mut lost = 0;
    for k in 0..12_u32 {
        let delay = 0.03 + 0.02 * f64::from(k);
        let late = move |t| drive(t - delay);
        let run = Simulation::new(&Hardening::default()).input(Hardening::DRIVE, late).step(2.5e-3).until(5.0).run()?;
        let mut random = ChaCha8Rng::seed_from_u64(k.into());
        let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
        let position = run.output(Hardening::POSITION).into_iter().map(|x| x + 2e-3 * noise()).collect();
        let record = Record::new(run.times())?.with_channel("position", Some("m"), position)?;
        let (summary, text) = fit(&record, 1500.0, &[Hardening::C, Hardening::D])?;
        if summary.measurements[0].fit_percent.is_none_or(|percent| percent < 50.0) {
            assert!(!summary.deviations_valid && text.contains("mean nothing here"), "{delay}: {text}");
            lost += 1;
        }
    }
    assert!(lost > 2, "{lost}");
    Ok(())
}

/// Checks time stamps of a clock that jitters, and of samples in pairs: the tests take the samples in their
/// order, and report that.
#[test]
fn clocks_that_jitter_leave_a_verdict() -> Result<(), Box<dyn Error>> {
    let truth = Hardening::default();
    let run = Simulation::new(&truth).input(Hardening::DRIVE, drive).step(1.25e-4).until(5.0).run()?;
    let fine = run.output(Hardening::POSITION);
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let places: [Vec<usize>; 2] = [
        (0..1000).map(|i| 40 * i + (i * 7919 % 25)).collect(),
        (0..1000).map(|i| 40 * i + if i % 2 == 1 { 24 } else { 0 }).collect(),
    ];
    for places in places {
        let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
        let times = places.iter().map(|place| 1.25e-4 * *place as f64).collect();
        let values = places.iter().map(|place| fine[*place] + 2e-3 * noise()).collect();
        let record = Record::new(times)?.with_channel("position", Some("m"), values)?;
        for (c_3, expected) in [(1500.0, Judgement::Sufficient), (0.0, Judgement::Insufficient)] {
            let start = Hardening { c: 140.0, c_3, ..truth };
            let simulation = Simulation::new(&start).input(Hardening::DRIVE, drive).step(2.5e-3).until(5.0);
            let id = Identification::new(&simulation).unknown([Hardening::C, Hardening::D]);
            let fit = id.measured(Hardening::POSITION, &record).run()?;
            let verdict = fit.summary().verdict.as_ref().ok_or("no verdict")?;
            assert_eq!(verdict.judgement, expected, "{fit}");
            assert_eq!(fit.assessments()[0].samples, 1000);
            assert!(fit.to_string().contains("times of position deviate by up to"), "{fit}");
        }
    }
    Ok(())
}

#[test]
fn without_noise_there_is_nothing_to_judge() -> Result<(), Box<dyn Error>> {
    let (summary, text) = fit(&record(0.0, 0)?, 1500.0, &[Hardening::C, Hardening::D])?;
    assert!(summary.verdict.is_none() && !text.contains("the model is"), "{text}");
    assert!(summary.measurements[0].fit_percent.is_some_and(|percent| percent > 99.9), "{text}");
    Ok(())
}
