//! Densities whose moments are known.

use costate_posterior::{Fault, LogDensity, Sampler, SamplingError, Warning};

/// A normal distribution with this mean and precision.
pub struct Normal {
    pub mean: [f64; 3],
    pub precision: [[f64; 3]; 3],
}

/// Coordinates of quite different scales that depend on each other.
pub const SKEWED: Normal =
    Normal { mean: [1.0, -200.0, 0.03], precision: [[2.0, 0.01, 30.0], [0.01, 4e-4, 0.2], [30.0, 0.2, 1600.0]] };

impl LogDensity for Normal {
    fn names(&self) -> Vec<String> {
        ["a", "b", "c"].map(str::to_owned).to_vec()
    }

    fn evaluator(&self) -> impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault> + '_ {
        |point, gradient| {
            let apart: Vec<f64> = point.iter().zip(self.mean).map(|(x, mean)| x - mean).collect();
            for (row, derivative) in self.precision.iter().zip(gradient.iter_mut()) {
                *derivative = -row.iter().zip(&apart).map(|(entry, x)| entry * x).sum::<f64>();
            }
            Ok(0.5 * apart.iter().zip(gradient).map(|(x, derivative)| x * *derivative).sum::<f64>())
        }
    }
}

/// The inverse of a symmetric matrix, by its adjugate.
fn inverse(m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let minor = |i: usize, j: usize| {
        let (a, b) = ((i + 1) % 3, (i + 2) % 3);
        let (c, d) = ((j + 1) % 3, (j + 2) % 3);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let determinant: f64 = (0..3).map(|j| m[0][j] * minor(0, j)).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| minor(j, i) / determinant))
}

#[test]
fn a_normal_density_gives_its_covariance() {
    let covariance = inverse(SKEWED.precision);
    let samples = Sampler::new().draws(4000).seed(11).sample(&SKEWED).unwrap();
    let summary = samples.summary();
    assert!(summary.warnings.is_empty(), "{samples}");
    for (k, row) in summary.rows.iter().enumerate() {
        assert!((row.mean - SKEWED.mean[k]).abs() < 4.0 * row.error_of_mean, "{samples}");
        let deviation = covariance[k][k].sqrt();
        assert!((row.standard_deviation - deviation).abs() < 4.0 * row.error_of_deviation, "{samples}");
        assert!(row.error_of_mean < 0.03 * deviation, "{samples}");
    }
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let products = samples.draws().map(|draw| (draw[i] - SKEWED.mean[i]) * (draw[j] - SKEWED.mean[j]));
        let found = products.sum::<f64>() / 16_000.0;
        let scale = (covariance[i][i] * covariance[j][j]).sqrt();
        // some 4 errors of a correlation by as many effective draws
        let error = 4.0 * (1.0 / summary.rows.iter().map(|row| row.bulk).fold(f64::INFINITY, f64::min)).sqrt();
        assert!((found - covariance[i][j]).abs() < error * scale, "{found}, not {}", covariance[i][j]);
    }
}

#[test]
fn a_known_covariance_makes_trajectories_short() {
    let precision = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 501.0 } else { 500.0 }));
    let narrow = Normal { mean: [1.0, 2.0, 3.0], precision };
    let covariance = inverse(precision).map(|row| row.to_vec()).to_vec();
    let gradients = |sampler: Sampler<'_>| sampler.chains(2).seed(3).sample(&narrow).unwrap().summary().gradients;
    let (known, unknown) =
        (gradients(Sampler::new().around(vec![1.0, 2.0, 3.0], covariance)), gradients(Sampler::new()));
    assert!(known < unknown / 3, "{known}, {unknown}");
}

/// Neal's funnel: a width that is drawn as well.
struct Funnel;

impl LogDensity for Funnel {
    fn names(&self) -> Vec<String> {
        (0..6).map(|k| if k == 0 { "width".to_owned() } else { format!("x[{k}]") }).collect()
    }

    fn evaluator(&self) -> impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault> + '_ {
        |point, gradient| {
            let (width, others) = (point[0], &point[1..]);
            let precision = (-width).exp();
            let squares: f64 = others.iter().map(|x| x * x).sum();
            gradient[0] = -width / 9.0 + 0.5 * precision * squares - 0.5 * others.len() as f64;
            gradient[1..].iter_mut().zip(others).for_each(|(to, x)| *to = -precision * x);
            Ok(-width * width / 18.0 - 0.5 * precision * squares - 0.5 * others.len() as f64 * width)
        }
    }
}

#[test]
fn a_funnel_is_told_from_a_density_that_was_sampled() {
    let samples = Sampler::new().seed(5).sample(&Funnel).unwrap();
    let warnings = samples.summary().warnings;
    assert!(warnings.iter().any(|warning| matches!(warning, Warning::Divergences { .. })), "{samples}");
    assert!(warnings.iter().any(|warning| matches!(warning, Warning::FewEffective { .. })), "{samples}");
}

/// Two normal distributions far apart.
struct Twins;

impl LogDensity for Twins {
    fn names(&self) -> Vec<String> {
        vec!["x".to_owned()]
    }

    fn evaluator(&self) -> impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault> + '_ {
        |point, gradient| {
            let centre = 20.0f64.copysign(point[0]);
            gradient[0] = centre - point[0];
            Ok(-0.5 * gradient[0] * gradient[0])
        }
    }
}

#[test]
fn chains_in_two_maxima_do_not_agree() {
    let samples = Sampler::new().seed(2).dispersion(20.0).sample(&Twins).unwrap();
    let warnings = samples.summary().warnings;
    assert!(warnings.iter().any(|warning| matches!(warning, Warning::Disagreement { .. })), "{samples}");
}

/// An exponential distribution that ends at 0, or that is nowhere.
struct Half {
    stops: bool,
}

impl LogDensity for Half {
    fn names(&self) -> Vec<String> {
        vec!["x".to_owned()]
    }

    fn evaluator(&self) -> impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault> + '_ {
        |point, gradient| {
            gradient[0] = -1.0;
            match (point[0] > 0.0, self.stops) {
                (_, true) => Err(Fault::Stop("nothing works".to_owned())),
                (true, _) => Ok(-point[0]),
                (false, _) => Err(Fault::Here("x is not positive".to_owned())),
            }
        }
    }
}

#[test]
fn points_without_a_density_are_divergences_and_told() {
    let samples = Sampler::new().seed(4).sample(&Half { stops: false }).unwrap();
    let summary = samples.summary();
    assert!(summary.divergences > 0);
    let failed = samples.failed().unwrap();
    assert!(failed.count >= summary.divergences);
    assert_eq!(failed.last, "x is not positive");
    assert!(samples.draws().all(|draw| draw[0] > 0.0));
    assert!(summary.warnings.iter().any(|warning| matches!(warning, Warning::Divergences { .. })));
    assert!(format!("{samples}").contains("x is not positive"));
    let error = Sampler::new().sample(&Half { stops: true }).unwrap_err();
    assert!(matches!(&error, SamplingError::EveryChain { chains: 4, first } if first == "nothing works"), "{error}");
}

#[test]
fn settings_out_of_range_are_refused() {
    let refused = |sampler: Sampler<'_>, field: &str| match sampler.sample(&SKEWED) {
        Err(SamplingError::Setting { field: own, .. }) => assert_eq!(own, field),
        other => panic!("{field}: {other:?}"),
    };
    refused(Sampler::new().chains(0), "chains");
    refused(Sampler::new().draws(3), "draws");
    refused(Sampler::new().warmup(0), "warmup");
    refused(Sampler::new().target_acceptance(1.0), "target_acceptance");
    refused(Sampler::new().target_acceptance(f64::NAN), "target_acceptance");
    refused(Sampler::new().maximum_depth(0), "maximum_depth");
    refused(Sampler::new().dispersion(-1.0), "dispersion");
    let unit = |entry: f64| vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0, entry], vec![0.0, entry, 1.0]];
    let around = |mean, covariance| Sampler::new().around(mean, covariance).sample(&SKEWED);
    assert!(matches!(around(vec![0.0; 2], unit(0.0)), Err(SamplingError::Around { given: 2, coordinates: 3, .. })));
    assert!(matches!(around(vec![0.0; 3], unit(2.0)), Err(SamplingError::Covariance)));
    assert!(matches!(around(vec![0.0; 3], unit(f64::INFINITY)), Err(SamplingError::Covariance)));
}
