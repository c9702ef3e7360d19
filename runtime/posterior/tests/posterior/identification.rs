//! Posteriors of identifications.

use costate::identify::{IdentificationError, Measurement, Prior, SpecificationError, UnknownParameter, Weighting};
use costate::{Identification, Record, Simulation};
use costate_driven_models::PushedOscillator as Driven;
use costate_posterior::{LogDensity, Posterior, PosteriorError, Sampler};

const STEP: f64 = 0.02;

fn run(model: &Driven) -> Vec<f64> {
    let run = Simulation::new(model).step(STEP).until(2.0).error_limit(None).run().unwrap();
    run.output(Driven::POSITION)
}

/// The position with errors that look like noise of a deviation of about 2 mm.
fn record(unit: &str) -> Record {
    let times: Vec<f64> = (0..=100).map(|i| STEP * f64::from(i)).collect();
    let noise = |i: usize| 1e-3 * ((5.3 * i as f64).sin() + (11.9 * i as f64).cos() + (2.1 * i as f64).sin()) * 1.5;
    let position = run(&Driven::default()).iter().enumerate().map(|(i, x)| x + noise(i)).collect();
    Record::new(times).unwrap().with_channel("position", Some(unit), position).unwrap()
}

fn identification(record: &Record) -> Identification<Driven> {
    let simulation = Simulation::new(&Driven { c: 45.0, ..Driven::default() }).error_limit(None).step(STEP);
    Identification::new(&simulation).measured(Driven::POSITION, record)
}

#[test]
fn gradients_are_derivatives_of_densities() {
    let record = record("m");
    let unknowns = [
        UnknownParameter::from(Driven::C),
        UnknownParameter::from(Driven::D).within(0.1, 4.0),
        UnknownParameter::from(Driven::PUSH).linear(1.0),
        UnknownParameter::from(Driven::SWING).within(f64::NEG_INFINITY, 10.0),
    ];
    let with_priors = identification(&record)
        .unknown(unknowns)
        .prior(Driven::C, Prior::LogNormal { median: 40.0, log_deviation: 0.3 })
        .prior(Driven::PUSH, Prior::Normal { mean: 1.0, standard_deviation: 0.4 });
    let posterior = Posterior::of(with_priors).unwrap();
    let uniform = Posterior::of(identification(&record).unknown([Driven::C])).unwrap();
    let told = uniform.doubts().join("");
    assert!(told.contains("`c` have neither a prior"), "{told}");
    let normal = Posterior::of(identification(&record).unknown([Driven::C])).unwrap();
    let normal =
        normal.deviation_prior(Driven::POSITION, Prior::Normal { mean: 1.0, standard_deviation: 0.2 }).unwrap();
    for (posterior, point) in
        [(posterior, vec![3.8, 0.3, 2.5, 2.0, -3.0]), (uniform, vec![3.8, -3.0]), (normal, vec![3.8, -3.0])]
    {
        let mut evaluate = posterior.evaluator();
        let mut gradient = vec![0.0; point.len()];
        evaluate(&point, &mut gradient).unwrap();
        for k in 0..point.len() {
            let mut at = |change: f64| {
                let mut other = point.clone();
                other[k] += change;
                evaluate(&other, &mut vec![0.0; point.len()]).unwrap()
            };
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            let scale = gradient[k].abs().max(1.0);
            assert!((difference - gradient[k]).abs() < 1e-5 * scale, "{k}: {difference}, not {}", gradient[k]);
        }
    }
}

#[test]
fn densities_have_the_likelihood_and_the_priors() {
    let record = record("m");
    let with_prior = identification(&record)
        .unknown([Driven::PUSH])
        .prior(Driven::PUSH, Prior::LogNormal { median: 2.0, log_deviation: 0.5 });
    let posterior = Posterior::of(with_prior).unwrap();
    let density = |push: f64, sigma: f64| {
        let fitted = run(&Driven { c: 45.0, push, ..Driven::default() });
        let measured = record.samples("position").unwrap().values;
        let residuals = fitted.iter().zip(&measured).map(|(s, y)| (s - y) / sigma);
        let likelihood = residuals.map(|r| -0.5 * r * r - sigma.ln()).sum::<f64>();
        let prior = ((push / 2.0f64).ln() / 0.5).powi(2) * -0.5 - push.ln() - sigma.ln();
        // of the logarithms of both
        likelihood + prior + push.ln() + sigma.ln()
    };
    let mut evaluate = posterior.evaluator();
    let mut at = |push: f64, sigma: f64| evaluate(&[push.ln(), sigma.ln()], &mut [0.0; 2]).unwrap();
    let own = at(3.0, 0.01) - at(2.5, 0.02);
    let expected = density(3.0, 0.01) - density(2.5, 0.02);
    assert!((own - expected).abs() < 1e-9 * expected.abs(), "{own}, not {expected}");
}

#[test]
fn a_linear_model_gives_the_covariance_of_a_closed_form() {
    let record = record("m");
    let sigma = 2e-3;
    let make = || {
        let measurement = Measurement::new(&record).standard_deviation(sigma);
        Identification::new(&Simulation::new(&Driven::default()).error_limit(None).step(STEP))
            .measured(Driven::POSITION, measurement)
            .unknown([
                UnknownParameter::from(Driven::PUSH).linear(1.0),
                UnknownParameter::from(Driven::SWING).linear(1.0),
            ])
            .prior(Driven::SWING, Prior::Normal { mean: 2.1, standard_deviation: 0.02 })
    };
    // positions are linear in both forces
    let rest = run(&Driven { push: 0.0, swing: 0.0, ..Driven::default() });
    let column = |model: Driven| -> Vec<f64> { run(&model).iter().zip(&rest).map(|(x, rest)| x - rest).collect() };
    let columns = [
        column(Driven { push: 1.0, swing: 0.0, ..Driven::default() }),
        column(Driven { push: 0.0, swing: 1.0, ..Driven::default() }),
    ];
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / (sigma * sigma);
    let measured = record.samples("position").unwrap().values;
    let precision = 1.0 / (0.02 * 0.02);
    let [a, b, c] = [
        product(&columns[0], &columns[0]),
        product(&columns[0], &columns[1]),
        product(&columns[1], &columns[1]) + precision,
    ];
    let right = [product(&columns[0], &measured), product(&columns[1], &measured) + 2.1 * precision];
    let determinant = a * c - b * b;
    let mean = [(c * right[0] - b * right[1]) / determinant, (a * right[1] - b * right[0]) / determinant];
    let deviation = [(c / determinant).sqrt(), (a / determinant).sqrt()];
    let covariance = -b / determinant;

    let fit = make().run().unwrap();
    let posterior = Posterior::of(make()).unwrap().from_fit(&fit).unwrap();
    let samples = posterior.sample(&Sampler::new().seed(3)).unwrap();
    let summary = samples.summary();
    let doubts: Vec<_> = summary.warnings.iter().map(ToString::to_string).collect();
    assert!(doubts.len() == 1 && doubts[0].contains("`push` have neither a prior"), "{doubts:?}");
    for (k, row) in summary.rows.iter().enumerate() {
        assert!((row.mean - mean[k]).abs() < 4.0 * row.error_of_mean, "{mean:?}\n{summary}");
        assert!(
            (row.standard_deviation - deviation[k]).abs() < 4.0 * row.error_of_deviation,
            "{deviation:?}\n{summary}"
        );
    }
    let products = samples.draws().map(|draw| (draw[0] - mean[0]) * (draw[1] - mean[1]));
    let found = products.sum::<f64>() / samples.draws().count() as f64;
    let scale = deviation[0] * deviation[1];
    assert!(
        (found - covariance).abs() < 4.0 * scale * (2.0 / summary.rows[0].bulk).sqrt(),
        "{found}, not {covariance}"
    );
}

#[test]
fn bounds_are_kept_and_deviations_are_found() {
    let record = record("m");
    let bounded = || identification(&record).unknown([UnknownParameter::from(Driven::C).within(40.0, 49.9)]);
    let fit = bounded().run().unwrap();
    let posterior = Posterior::of(bounded()).unwrap().from_fit(&fit).unwrap();
    let samples = posterior.sample(&Sampler::new().chains(2).warmup(300).draws(300)).unwrap();
    assert_eq!(samples.names(), ["c", "deviation of position"]);
    assert!(samples.draws().all(|draw| draw[0] > 40.0 && draw[0] < 49.9 && draw[1] > 0.0));
    let deviation = samples.summary().row("deviation of position").unwrap().mean;
    let squares = record
        .samples("position")
        .unwrap()
        .values
        .iter()
        .zip(run(&Driven::default()))
        .map(|(y, x)| (y - x) * (y - x))
        .sum::<f64>();
    assert!((deviation / (squares / 101.0).sqrt() - 1.0).abs() < 0.1, "{samples}");
}

#[test]
fn posteriors_do_not_depend_on_threads_and_logs_belong_to_data() {
    let (record, other) = (record("m"), record("mm"));
    let folder = tempfile::tempdir().unwrap();
    let sampler = || Sampler::new().chains(2).warmup(50).draws(20);
    let of = |record| Posterior::of(identification(record).unknown([Driven::C, Driven::D])).unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| of(&record).sample(&sampler())).unwrap()
    };
    let (one, two) = (on(1), on(2));
    assert_eq!(one.chains(), two.chains());
    let kept = || sampler().ensemble(costate::ensemble::Ensemble::new().folder(folder.path()));
    assert_eq!(of(&record).sample(&kept()).unwrap().chains(), one.chains());
    assert_eq!(of(&record).sample(&kept()).unwrap().chains(), one.chains());
    let Err(PosteriorError::Sampling(error)) = of(&other).sample(&kept()) else { panic!("another record") };
    assert!(format!("{error}").contains("position"), "{error}");
}

#[test]
fn what_has_no_probability_is_refused() {
    let record = record("m");
    let own = || identification(&record).unknown([Driven::C]);
    let refused = |identification: Identification<Driven>, remedy: &str| match Posterior::of(identification) {
        Err(PosteriorError::Identification(IdentificationError::Specification(SpecificationError::NoPosterior {
            remedy: own,
            ..
        }))) => {
            assert!(own.contains(remedy), "{own}");
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("{remedy}: not refused"),
    };
    refused(own().weighting(Weighting::Given), "Weighting::Likelihood");
    let start = Simulation::new(&Driven::default()).error_limit(None);
    let of_start = |output, measurement| Identification::new(&start).unknown([Driven::C]).measured(output, measurement);
    let weighted = Measurement::new(&record).channel("position").weight(2.0);
    let weighted = of_start(Driven::VELOCITY, weighted);
    refused(weighted, "Weighting::Likelihood");
    let loss = costate::identify::residuals::Loss::Huber { threshold: 1.345 };
    refused(own().loss(loss), ".loss(..)");
    refused(own().state_file("state.json"), ".state_file(..)");
    let order = costate::identify::residuals::AutoregressionOrder::Given(1);
    let coloured = of_start(Driven::POSITION, Measurement::new(&record).coloured_noise(order));
    refused(coloured, "give the noise model");
    let known = of_start(Driven::POSITION, Measurement::new(&record).standard_deviation(1e-3));
    let known = Posterior::of(known).unwrap();
    let prior = Prior::LogNormal { median: 1e-3, log_deviation: 1.0 };
    let Err(error) = known.deviation_prior(Driven::POSITION, prior) else { panic!("a known deviation") };
    assert!(error.to_string().contains("standard_deviation"), "{error}");
    let fit = identification(&record).unknown([Driven::D]).run().unwrap();
    let Err(error) = Posterior::of(own()).unwrap().from_fit(&fit) else { panic!("another fit") };
    assert!(matches!(&error, PosteriorError::OtherFit { unknown } if unknown == "c"), "{error}");
}
