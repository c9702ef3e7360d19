//! Repeated identifications beside the Cramer-Rao bound (OB 5.1.2).

use std::sync::atomic::{AtomicUsize, Ordering};

use costate::cost::Quadrature;
use costate::ensemble::{Ensemble, EnsembleError};
use costate::experiment::{Noise, RepetitionSettings, Repetitions, RepetitionsError, Sensitivities};
use costate::identify::UnknownParameter;
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::{Interrupt, InterruptedWork};
use costate::{Identification, Record, Simulation};

costate::model! {
    #[interpreted]
    /// A pushed oscillator.
    pub Pushed {
        parameters { m: kg = 1, c: N/m = 40, d: N*s/m = 0.8 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x - d*dot(x) }
        initial { x = 0.1[m] }
        outputs { position: m = x, speed: m/s = dot(x) }
    }
}

const STEP: f64 = 5e-3;

fn known() -> Sensitivities<Pushed> {
    let truth = Pushed::default();
    let problem = Simulation::new(&truth).step(STEP).until(2.0).problem().unwrap();
    Sensitivities::simulate(&problem, &truth, [Pushed::C, Pushed::D]).unwrap()
}

fn noise() -> Noise<Pushed> {
    Noise::independent([(Pushed::POSITION, 2e-3), (Pushed::SPEED, 5e-2)]).unwrap()
}

fn identification(record: &Record) -> Identification<Pushed> {
    let with = |deviation: f64| costate::identify::Measurement::new(record).weight(deviation.powi(-2));
    Identification::new(&Simulation::new(&Pushed { c: 42.0, d: 0.7, ..Pushed::default() }))
        .unknown([Pushed::D, Pushed::C])
        .measured(Pushed::POSITION, with(2e-3))
        .measured(Pushed::SPEED, with(5e-2))
        .quadrature(Quadrature::Sum)
        .optimizer(OptimizerSettings::default().with_method(Method::GaussNewton))
}

fn on_threads(threads: usize, settings: &RepetitionSettings<'_>) -> Repetitions<Pushed> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| known().repeat(&noise(), settings, identification, |_| ()).unwrap())
}

#[test]
fn estimates_scatter_as_the_bound_says() {
    let ended = AtomicUsize::new(0);
    let settings = RepetitionSettings::new(200, 5);
    let repeated = known()
        .repeat(&noise(), &settings, identification, |report| {
            assert_eq!(report.ended, ended.fetch_add(1, Ordering::Relaxed) + 1);
            assert!(report.succeeded && report.repetitions == 200);
        })
        .unwrap();
    assert_eq!(ended.load(Ordering::Relaxed), 200);
    assert_eq!((repeated.estimates().count(), repeated.failures().count()), (200, 0));
    let bounds = repeated.information().standard_deviations();
    let truth = Pushed::default();
    assert!((repeated.uncertainty_of_deviations() - (2.0_f64 * 199.0).sqrt().recip()).abs() < 1e-15);
    for (k, value) in [truth.c, truth.d].into_iter().enumerate() {
        let ratio = repeated.standard_deviations()[k] / bounds[k];
        assert!((ratio - 1.0).abs() < 0.15, "{repeated}");
        // the mean of 200 is within four of its deviations
        assert!((repeated.means()[k] - value).abs() < 4.0 * bounds[k] / 200_f64.sqrt(), "{repeated}");
    }
    let correlation = repeated.covariance()[(0, 1)] / (bounds[0] * bounds[1]);
    assert!((correlation - repeated.information().correlation()[(0, 1)]).abs() < 0.2);
    assert!(repeated.to_string().contains("200 repetitions with a result, 0 without"), "{repeated}");
}

#[test]
fn threads_change_nothing() {
    let settings = RepetitionSettings::new(7, 11);
    let bits = |repeated: &Repetitions<Pushed>| -> Vec<Vec<u64>> {
        repeated.estimates().map(|estimate| estimate.iter().map(|value| value.to_bits()).collect()).collect()
    };
    let (one, two) = (on_threads(1, &settings), on_threads(2, &settings));
    assert_eq!(bits(&one), bits(&two));
    assert_ne!(bits(&one), bits(&on_threads(2, &RepetitionSettings::new(7, 12))));
    // more repetitions begin with the same ones
    assert_eq!(bits(&on_threads(2, &RepetitionSettings::new(9, 11)))[..7], bits(&one));
}

#[test]
fn repetitions_go_on_from_their_logs() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("repetitions");
    let _ = std::fs::remove_dir_all(&folder);
    let repeat = |repetitions, ensemble: Ensemble<'_>, deviation| {
        let settings = RepetitionSettings::new(repetitions, 11).with_ensemble(ensemble.folder(&folder));
        let noise = Noise::independent([(Pushed::POSITION, deviation), (Pushed::SPEED, 5e-2)]).unwrap();
        known().repeat(&noise, &settings, identification, |_| ())
    };
    let shard = repeat(6, Ensemble::new().shard("2/2".parse().unwrap()), 2e-3);
    assert!(matches!(shard, Err(RepetitionsError::Ensemble(EnsembleError::Unfinished { done: 3, .. }))));
    let bits = |repeated: &Repetitions<Pushed>| -> Vec<Vec<u64>> {
        repeated.estimates().map(|estimate| estimate.iter().map(|value| value.to_bits()).collect()).collect()
    };
    let all = repeat(6, Ensemble::new(), 2e-3).unwrap();
    let more = repeat(9, Ensemble::new(), 2e-3).unwrap();
    let plain = on_threads(2, &RepetitionSettings::new(9, 11));
    assert_eq!((bits(&all), bits(&more)), (bits(&plain)[..6].to_vec(), bits(&plain)));
    let other = repeat(6, Ensemble::new(), 1e-3).unwrap_err().to_string();
    assert!(other.contains("the values of measurement 1 (output `position`)"), "{other}");
}

#[test]
fn a_failure_is_a_member() {
    let settings = RepetitionSettings::new(6, 1);
    let seen = std::sync::Mutex::new(Vec::new());
    // bounds that exclude the start in some of the repetitions: told by the first noisy sample
    let fails = |record: &Record| record.channels()[0].values()[0] > 0.1;
    let sometimes = |record: &Record| {
        seen.lock().unwrap().push(fails(record));
        fails(record)
    };
    fn with_bounds(record: &Record, fails: bool) -> Identification<Pushed> {
        let identification = identification(record);
        if fails {
            Identification::new(&Simulation::new(&Pushed { c: -1.0, ..Pushed::default() }))
                .unknown([UnknownParameter::from(Pushed::C).logarithmic()])
                .measured(Pushed::POSITION, record)
        } else {
            identification
        }
    }
    let repeated =
        known().repeat(&noise(), &settings, |record| with_bounds(record, sometimes(record)), |_| ()).unwrap();
    let failed = seen.lock().unwrap().iter().filter(|failed| **failed).count();
    assert!(failed > 0 && failed < 6, "{failed}");
    assert_eq!((repeated.failures().count(), repeated.estimates().count()), (failed, 6 - failed));
    assert_eq!(repeated.members().len(), 6);
    for (number, error) in repeated.failures() {
        assert_eq!(repeated.members()[number].number, number);
        assert!(error.to_string().contains("cannot be scaled logarithmically"), "{error}");
    }
    assert!(repeated.to_string().contains("failed: "), "{repeated}");

    let every = known().repeat(&noise(), &settings, |record| with_bounds(record, true), |_| ()).unwrap_err();
    assert!(matches!(every, RepetitionsError::EveryRepetition { repetitions: 6, .. }), "{every}");
    fn without_damping(record: &Record) -> Identification<Pushed> {
        Identification::new(&Simulation::new(&Pushed::default()))
            .unknown([Pushed::C])
            .measured(Pushed::POSITION, record)
    }
    let missing = known().repeat(&noise(), &settings, without_damping, |_| ()).unwrap_err();
    assert!(matches!(missing, RepetitionsError::NotIdentified { name: "d" }), "{missing}");
    let none = known().repeat(&noise(), &RepetitionSettings::new(0, 1), identification, |_| ()).unwrap_err();
    assert!(matches!(none, RepetitionsError::NoRepetitions));
}

#[test]
fn an_interrupt_stops_them() {
    let interrupt = Interrupt::new();
    let settings = RepetitionSettings::new(50, 1).with_interrupt(interrupt.clone());
    let error = known().repeat(&noise(), &settings, identification, |_| interrupt.trigger()).unwrap_err();
    match error {
        RepetitionsError::Interrupted(stopped) => assert!(
            matches!(stopped.work, InterruptedWork::Repetitions { succeeded, repetitions: 50 } if succeeded < 50),
            "{stopped}"
        ),
        other => panic!("{other}"),
    }
}
