//! Effect of the number of samples, per period and in total (KE 3.4.2, figure 3.23), on an oscillator with a
//! cubic spring.

use anyhow::{Context, Result, ensure};
use costate::restoring_force::{
    APriori, CurveSample, Exponents, RestoringForceIdentification, RestoringForceModel, SurfaceSample, SurfaceSettings,
    fit_curve, fit_surface,
};
use costate_examples::{add_noise, rms};
use costate_models::restoring_force::{CubicOscillator, INTERVAL, MASS, Motion, NOISE, Sampling, Sweep, cases::SCALE};
use nalgebra::{DMatrix, DVector};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, Normal};
use serde::Serialize;

use crate::force::{FILTERS, Filter, curve_settings, inside, known, median, nodes, percent, sum_of_curves};

/// The vibration that is sampled at different rates.
const HARMONIC: Sweep = Sweep { amplitude: 5.0, from: 250.0, to: 250.0 };
/// Sweep of the records of different lengths, which fills the plane of z and v.
const SWEEP: Sweep = Sweep { amplitude: 5.0, from: 100.0, to: 400.0 };

/// The error of a filter at a rate.
#[derive(Debug, Clone, Serialize)]
pub struct Rate {
    pub filter: &'static str,
    pub samples_per_period: f64,
    /// e_RMS% of the sum of both curves along the motion; `None` if the filter has lost it.
    pub additive_percent: Option<f64>,
    /// Part of the samples that the convergence plot accepts.
    pub good_part: f64,
}

/// The errors of fits to a number of samples.
#[derive(Debug, Clone, Serialize)]
pub struct Count {
    pub samples: usize,
    /// e_RMS% of the sum of both curves, of the surface, and of polynomials of the third degree.
    pub additive_percent: Option<f64>,
    pub coupled_percent: Option<f64>,
    pub polynomial_percent: Option<f64>,
}

/// Evaluates every filter at every rate.
pub fn rates(rates: &[f64], seeds: u64) -> Result<Vec<Rate>> {
    let oscillator = CubicOscillator::default();
    let truth = |z: f64, v: f64| oscillator.elastic(z) + oscillator.dissipative(v);
    let mut points = Vec::new();
    for filter in FILTERS {
        for &samples_per_period in rates {
            let interval = 1.0 / (HARMONIC.from * samples_per_period);
            let motion = oscillator.motion(HARMONIC, Sampling { interval, samples: 10_000 })?;
            let visited_places = along(&motion);
            let identification = identification(interval, filter)?;
            let (mut errors, mut good) = (Vec::new(), Vec::new());
            for seed in 1..=seeds {
                let mut measured = motion.accelerations.clone();
                add_noise(&mut measured, NOISE, seed)?;
                let forces = identification.run(&motion.base, &measured)?;
                let is_lost = forces.run().stopped().is_some();
                good.push(if is_lost { 0.0 } else { forces.convergence().good_part() });
                let sum = if is_lost { None } else { sum_of_curves(&forces) };
                errors.push(sum.map_or(f64::NAN, |sum| percent(&visited_places, truth, sum)));
            }
            points.push(Rate {
                filter: filter.name(),
                samples_per_period,
                additive_percent: known(median(errors)),
                good_part: median(good),
            });
        }
    }
    Ok(points)
}

fn identification(interval: f64, filter: Filter) -> Result<RestoringForceIdentification> {
    let model = RestoringForceModel::on_moving_base(MASS)?.with_scale(SCALE)?;
    let expected = vec![APriori { stiffness: 1.7, damping: 2.5e-4 }];
    Ok(RestoringForceIdentification::new(model, interval, expected)?
        .lowest_stiffness(&[0.01])?
        .method(filter.method())
        .exponents(match filter {
            Filter::Extended => Exponents::new(3.0, 1.0),
            Filter::Unscented => Exponents::new(2.5, 0.5),
        }))
}

/// Returns the places (z, v) of a motion except its ends: a harmonic vibration is a curve in their plane, and
/// does not fill a surface.
fn along(motion: &Motion) -> Vec<[f64; 2]> {
    let places = motion.deformations.iter().zip(&motion.rates).map(|(z, v)| [*z, *v]);
    places.filter(inside(motion)).collect()
}

/// Fits curves, surfaces and polynomials to each number of samples, as from a filter without bias for which z and
/// v are known.
pub fn counts(counts: &[u32], seeds: u64) -> Result<Vec<Count>> {
    let mut points = Vec::new();
    for &count in counts {
        let samples = count as usize;
        let oscillator = CubicOscillator::default();
        let motion = oscillator.motion(SWEEP, Sampling { interval: INTERVAL, samples })?;
        let fits = (1..=seeds).map(|seed| fit(&oscillator, &motion, seed)).collect::<Result<Vec<_>>>();
        let fits = fits.with_context(|| format!("no fit to {samples} samples"))?;
        let of = |k: usize| known(median(fits.iter().map(|errors| errors[k]).collect()));
        points.push(Count { samples, additive_percent: of(0), coupled_percent: of(1), polynomial_percent: of(2) });
    }
    Ok(points)
}

/// Computes the errors of the sum of both curves, of the surface, and of the polynomials.
fn fit(oscillator: &CubicOscillator, motion: &Motion, seed: u64) -> Result<[f64; 3]> {
    let (z, v) = (&motion.deformations, &motion.rates);
    let Forces { elastic, dissipative, covariances } = forces(oscillator, motion, seed)?;
    // A quantity that is known exactly gets a variance of almost zero.
    let exact = [z, v].map(|x| (1e-6 * rms(x)).powi(2));
    let curve = |x: &[f64], f: &[f64], k: usize| -> Result<_> {
        let sample = |((&coordinate, &force), covariance): ((&f64, &f64), &[f64; 3])| CurveSample {
            coordinate,
            force,
            covariance: [exact[k], 0.0, covariance[2 * k]],
        };
        let samples: Vec<_> = x.iter().zip(f).zip(&covariances).map(sample).collect();
        let settings = curve_settings();
        Ok(fit_curve(&samples, x, settings.lag, settings.smooth)?.resampled(&settings)?)
    };
    let curves = (curve(z, &elastic, 0)?, curve(v, &dissipative, 1)?);
    let coordinates: Vec<[f64; 2]> = z.iter().zip(v).map(|(z, v)| [*z, *v]).collect();
    let total: Vec<f64> = elastic.iter().zip(&dissipative).map(|(a, b)| a + b).collect();
    let samples: Vec<SurfaceSample> = coordinates
        .iter()
        .zip(&total)
        .zip(&covariances)
        .map(|((&[z, v], &f), &[of_elastic, of_both, of_dissipative])| {
            let variance = of_elastic + 2.0 * of_both + of_dissipative;
            SurfaceSample {
                point: [z, v, f],
                covariance: [[exact[0], 0.0, 0.0], [0.0, exact[1], 0.0], [0.0, 0.0, variance]],
            }
        })
        .collect();
    let count = curve_settings().nodes;
    let settings = SurfaceSettings { cells: count - 1, nodes: count, fewest: 1, ..SurfaceSettings::default() };
    let surface = fit_surface(&samples, &coordinates, &settings)?;
    let truth = |z: f64, v: f64| oscillator.elastic(z) + oscillator.dissipative(v);
    let polynomial = polynomial(&coordinates, &total).context("the samples do not determine a polynomial")?;
    let (elastic, dissipative) = (curves.0.table()?, curves.1.table()?);
    let places = nodes(&surface, motion);
    Ok([
        percent(&places, truth, |z, v| elastic.value(z) + dissipative.value(v)),
        percent(&places, truth, |z, v| surface.value(z, v).unwrap_or(f64::NAN)),
        percent(&places, truth, polynomial),
    ])
}

/// Samples of both forces in N, and for each the variance of the elastic force, the covariance, and the variance
/// of the dissipative force.
struct Forces {
    elastic: Vec<f64>,
    dissipative: Vec<f64>,
    covariances: Vec<[f64; 3]>,
}

/// Makes the samples of an unbiased extended filter for which z and v are known: s and d are the true ones, with
/// noise of the covariance that the filter has at each sample.
fn forces(oscillator: &CubicOscillator, motion: &Motion, seed: u64) -> Result<Forces> {
    let mut measured = motion.accelerations.clone();
    add_noise(&mut measured, NOISE, seed)?;
    let found = identification(INTERVAL, Filter::Extended)?.run(&motion.base, &measured)?;
    let run = found.run();
    ensure!(run.stopped().is_none(), "the filter was stopped");
    let (unit, mut generator) = (Normal::new(0.0, 1.0)?, SmallRng::seed_from_u64(seed + 1000));
    let mut normal = || -> f64 { unit.sample(&mut generator) };
    let (mut elastic, mut dissipative, mut covariances) = (Vec::new(), Vec::new(), Vec::new());
    for (i, (&z, &v)) in motion.deformations.iter().zip(&motion.rates).enumerate() {
        let entry = |row, column| run.covariance_entry(i, row, column).unwrap_or(0.0);
        let [of_s, of_both, of_d] = [entry(2, 2), entry(2, 3), entry(3, 3)];
        // Cholesky's factor of the covariance of s and d
        let first = of_s.sqrt();
        let below = if first > 0.0 { of_both / first } else { 0.0 };
        let last = (of_d - below * below).max(0.0).sqrt();
        let (one, other) = (normal(), normal());
        let (s, d) = (first * one, below * one + last * other);
        elastic.push(oscillator.elastic(z) + SCALE * s * z);
        dissipative.push(oscillator.dissipative(v) + SCALE * d * v);
        // the variance would vanish where z or v is 0: 0.1 µm and 0.1 mm/s keep these samples from outweighing others
        let square = SCALE * SCALE;
        covariances.push([square * of_s * (z * z + 1e-14), square * of_both * z * v, square * of_d * (v * v + 1e-8)]);
    }
    Ok(Forces { elastic, dissipative, covariances })
}

/// Fits a_1 z + a_2 z^2 + a_3 z^3 + b_1 v + b_2 v^2 + b_3 v^3 by least squares.
fn polynomial(coordinates: &[[f64; 2]], forces: &[f64]) -> Option<impl Fn(f64, f64) -> f64 + use<>> {
    let of = |k: usize| rms(&coordinates.iter().map(|point| point[k]).collect::<Vec<_>>());
    let units = [of(0), of(1)];
    let terms = move |z: f64, v: f64| {
        let (z, v) = (z / units[0], v / units[1]);
        [z, z * z, z * z * z, v, v * v, v * v * v]
    };
    let rows: Vec<[f64; 6]> = coordinates.iter().map(|&[z, v]| terms(z, v)).collect();
    let matrix = DMatrix::from_fn(rows.len(), 6, |i, j| rows[i][j]);
    let right = matrix.tr_mul(&DVector::from_column_slice(forces));
    let found = (matrix.tr_mul(&matrix)).cholesky()?.solve(&right);
    Some(move |z, v| terms(z, v).iter().zip(found.iter()).map(|(term, factor)| term * factor).sum())
}
