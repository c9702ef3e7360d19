//! Autoregressive noise: closed forms, the covariance written out, and estimates from many series.

use costate_cost::residuals::*;
use nalgebra::{DMatrix, DVector};

use crate::series::{assert_uniform, coloured, is_kept, times, times_with_gaps, white};

const COEFFICIENTS: [f64; 2] = [1.2, -0.5];

fn sampling(times: &[f64]) -> Sampling {
    Sampling::of_times(times, EQUIDISTANCE).unwrap()
}

/// Computes the covariance of samples at lags from 0, as the sum over the responses to single innovations.
fn covariance(noise: &Autoregression, lags: usize) -> Vec<f64> {
    let mut answer = vec![1.0];
    while answer.len() < 2000 {
        let next = noise.coefficients().iter().zip(answer.iter().rev()).map(|(a, x)| a * x).sum();
        answer.push(next);
    }
    let variance = noise.innovation_deviation().powi(2);
    let at = |lag: usize| variance * answer.iter().zip(&answer[lag..]).map(|(x, y)| x * y).sum::<f64>();
    (0..lags).map(at).collect()
}

#[test]
fn one_coefficient_in_closed_form() {
    let (a, sigma, samples) = (-0.8_f64, 0.3_f64, 7);
    let noise = Autoregression::new(vec![a], sigma).unwrap();
    let (sampling, values) = (sampling(&times(samples)), white(1, samples));
    let root = (1.0 - a * a).sqrt();
    assert!((noise.deviation() - sigma / root).abs() < 1e-15);
    let found = noise.whiten(&sampling, &values).unwrap();
    assert!((found[0] - values[0] * root / sigma).abs() < 1e-14);
    for j in 1..samples {
        assert!((found[j] - (values[j] - a * values[j - 1]) / sigma).abs() < 1e-14);
    }
    let wanted = 2.0 * (samples as f64 * sigma.ln() - root.ln());
    assert!((noise.log_determinant(&sampling).unwrap() - wanted).abs() < 1e-13);
}

#[test]
fn two_coefficients_in_closed_form() {
    let [a, b] = COEFFICIENTS;
    let noise = Autoregression::new(COEFFICIENTS.to_vec(), 2.0).unwrap();
    let variance = 4.0 * (1.0 - b) / ((1.0 + b) * ((1.0 - b).powi(2) - a * a));
    let correlation = a / (1.0 - b);
    assert!((noise.deviation().powi(2) / variance - 1.0).abs() < 1e-14);
    let white = noise.whiten(&sampling(&times(3)), &[1.0, 2.0, 3.0]).unwrap();
    let second = (2.0 - correlation) / (variance * (1.0 - correlation * correlation)).sqrt();
    for (found, wanted) in white.iter().zip([1.0 / variance.sqrt(), second, (3.0 - 2.0 * a - b) / 2.0]) {
        assert!((found - wanted).abs() < 1e-14);
    }
}

#[test]
fn squares_of_whitened_samples_are_the_quadratic_form() {
    // Parts of one, two and many samples; the noise is of order three.
    let times: Vec<f64> = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 20, 21, 22, 23].map(f64::from).to_vec();
    let sampling = sampling(&times);
    assert_eq!(sampling.parts, [0..9, 9..10, 10..12, 12..16]);
    let noise = Autoregression::new(vec![0.4, -0.3, 0.5], 0.7).unwrap();
    let covariance = covariance(&noise, 9);
    let values = white(2, 16);
    let (mut squares, mut logarithm) = (0.0, 0.0);
    for part in &sampling.parts {
        let matrix = DMatrix::from_fn(part.len(), part.len(), |i, j| covariance[i.abs_diff(j)]);
        let x = DVector::from_column_slice(&values[part.clone()]);
        let factor = matrix.cholesky().unwrap();
        squares += x.dot(&factor.solve(&x));
        logarithm += 2.0 * factor.l().diagonal().map(f64::ln).sum();
    }
    let found: f64 = noise.whiten(&sampling, &values).unwrap().iter().map(|value| value * value).sum();
    assert!((found / squares - 1.0).abs() < 1e-12, "{found} {squares}");
    assert!((noise.log_determinant(&sampling).unwrap() - logarithm).abs() < 1e-12);
    let wanted = -0.5 * (16.0 * std::f64::consts::TAU.ln() + logarithm + squares);
    assert!((noise.log_likelihood(&sampling, &values).unwrap() - wanted).abs() < 1e-12);
}

#[test]
fn whitening_is_linear() {
    let sampling = sampling(&times_with_gaps(300));
    let noise = Autoregression::new(vec![0.5, 0.3, -0.4, 0.1], 0.01).unwrap();
    let (a, b) = (white(3, 300), white(4, 300));
    let sum: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let whitened = [a, b, sum].map(|values| noise.whiten(&sampling, &values).unwrap());
    for ((a, b), sum) in whitened[0].iter().zip(&whitened[1]).zip(&whitened[2]) {
        assert!((a + b - sum).abs() < 1e-13 * (a.abs() + b.abs() + 100.0));
    }
    let mut in_place = white(3, 300);
    noise.whiten_in_place(&sampling, &mut in_place).unwrap();
    assert_eq!(in_place, whitened[0]);
}

/// Checks that z is normal with deviation 1, if the coefficients scatter as the asymptotic theory says.
#[test]
fn estimates_scatter_as_they_should() {
    let (samples, series) = (800, 400);
    for (times, gaps) in [(times(samples), false), (times_with_gaps(samples), true)] {
        let sampling = sampling(&times);
        let deviation = ((1.0 - COEFFICIENTS[1].powi(2)) / sampling.pairs(2) as f64).sqrt();
        let (mut z, mut variances) = ([Vec::new(), Vec::new()], 0.0);
        for seed in 0..series {
            let values = coloured(seed, &COEFFICIENTS, samples, |j| !gaps || is_kept(j));
            let found = Autoregression::estimate(&[(&sampling, &values)], AutoregressionOrder::Given(2)).unwrap();
            for (k, z) in z.iter_mut().enumerate() {
                z.push((found.coefficients()[k] - COEFFICIENTS[k]) / deviation);
            }
            variances += found.innovation_deviation().powi(2) / series as f64;
            let white = found.whiten(&sampling, &values).unwrap();
            let mean_square = white.iter().map(|value| value * value).sum::<f64>() / samples as f64;
            assert!((mean_square - 1.0).abs() < 1e-12);
        }
        for z in z {
            let mean = z.iter().sum::<f64>() / series as f64;
            let square = z.iter().map(|z| z * z).sum::<f64>() / series as f64;
            // The bias is of the order 1/n, a tenth of the deviation; 0.07 is the deviation of the mean square.
            assert!(mean.abs() < 0.25 && (square - 1.0).abs() < 0.21, "{mean} {square}, gaps: {gaps}");
            assert!(z.iter().all(|z| z.abs() < 5.0));
        }
        assert!((variances - 1.0).abs() < 0.01, "{variances}");
    }
}

#[test]
fn whitened_series_are_white_as_often_as_they_should() {
    let (samples, times) = (500, times_with_gaps(500));
    let sampling = sampling(&times);
    let known = Autoregression::new(COEFFICIENTS.to_vec(), 1.0).unwrap();
    let (mut of_known, mut rejected) = (Vec::new(), 0);
    for seed in 0..400 {
        let values = coloured(1000 + seed, &COEFFICIENTS, samples, is_kept);
        let p_value = |noise: &Autoregression, parameters| {
            let white = noise.whiten(&sampling, &values).unwrap();
            let residuals = Residuals::new("x", &times, &white, &values).unwrap();
            whiteness(&residuals, None, parameters).unwrap().p_value
        };
        of_known.push(p_value(&known, 0));
        let order = AutoregressionOrder::Given(2);
        let estimated = Autoregression::estimate(&[(&sampling, &values)], order).unwrap();
        rejected += usize::from(p_value(&estimated, 2) < 0.05);
    }
    assert_uniform(of_known, "whitened by the true noise");
    // 20 are expected.
    assert!((8..=34).contains(&rejected), "{rejected}");
}

#[test]
fn orders_are_chosen() {
    let sampling = sampling(&times_with_gaps(600));
    let chosen = |criterion, coefficients: &[f64]| -> Vec<usize> {
        let order = AutoregressionOrder::Chosen { criterion, limit: 12 };
        let of_seed = |seed| {
            let values = coloured(seed, coefficients, 600, is_kept);
            Autoregression::estimate(&[(&sampling, &values)], order).unwrap().order()
        };
        (0..100).map(of_seed).collect()
    };
    for coefficients in [&[][..], &COEFFICIENTS, &[0.0, 0.0, 0.0, 0.0, -0.6]] {
        let right = coefficients.len();
        let count = |orders: Vec<usize>, is_right: fn(usize, usize) -> bool| {
            orders.into_iter().filter(|&order| is_right(order, right)).count()
        };
        let bic = count(chosen(OrderCriterion::Bic, coefficients), |order, right| order == right);
        assert!(bic >= 90, "{bic} of 100 at order {right}");
        let aic = count(chosen(OrderCriterion::Aic, coefficients), |order, right| order >= right);
        assert!(aic == 100, "{aic} of 100 at order {right}");
    }
}

/// Checks that estimates from one series and from its pieces agree up to the samples where the pieces meet.
#[test]
fn several_experiments_go_together() {
    let values = coloured(5, &COEFFICIENTS, 4000, |_| true);
    let (whole, quarter) = (sampling(&times(4000)), sampling(&times(1000)));
    let pieces: Vec<(&Sampling, &[f64])> = values.chunks(1000).map(|piece| (&quarter, piece)).collect();
    let order = AutoregressionOrder::Given(2);
    let [one, four] =
        [&[(&whole, &*values)][..], &pieces].map(|series| Autoregression::estimate(series, order).unwrap());
    for (one, four) in one.coefficients().iter().zip(four.coefficients()) {
        assert!((one - four).abs() < 3e-3, "{one} {four}");
    }
    assert_eq!(four.interval(), Some(quarter.interval));
    // Each piece alone gives another estimate.
    let alone = Autoregression::estimate(&pieces[..1], order).unwrap();
    assert!((alone.coefficients()[0] - one.coefficients()[0]).abs() > 3e-3);
}

#[test]
fn whatever_the_samples_are_the_noise_is_stationary() {
    let sine: Vec<f64> = (0..200).map(|j| (0.3 * f64::from(j)).sin()).collect();
    let alternating: Vec<f64> = (0..200).map(|j| f64::from(1 - 2 * (j % 2))).collect();
    let mut peak = vec![0.0; 200];
    peak[100] = 1e139;
    let tiny: Vec<f64> = white(6, 200).iter().map(|value| value * 1e-120).collect();
    let late: Vec<f64> = (0..200).map(|j| f64::from(j / 190)).collect();
    for times in [times(200), times_with_gaps(200)] {
        let sampling = sampling(&times);
        for values in [&sine, &alternating, &peak, &tiny, &late, &vec![9.81; 200]] {
            for order in [0, 1, 2, 5, 40] {
                let order = AutoregressionOrder::Given(order);
                let found = Autoregression::estimate(&[(&sampling, values)], order).unwrap();
                assert!(found.coefficients().iter().all(|coefficient| coefficient.is_finite()));
                let white = found.whiten(&sampling, values).unwrap();
                let square: f64 = white.iter().map(|value| value * value).sum();
                assert!((square / 200.0 - 1.0).abs() < 1e-3, "{square} {order:?}");
            }
        }
    }
}

#[test]
fn what_is_no_noise_is_refused() {
    let unstable = |coefficients: &[f64], wanted: usize| {
        let error = Autoregression::new(coefficients.to_vec(), 1.0).unwrap_err();
        let NoiseError::Unstable { order, lag, partial } = error else { panic!("{error}") };
        assert!(order == coefficients.len() && lag == wanted && partial.abs() >= 1.0, "{error}");
    };
    unstable(&[1.0], 1);
    unstable(&[0.5, 0.5], 1);
    unstable(&[0.1, -1.5], 2);
    unstable(&[3.0, 0.0, 0.1], 1);
    assert!(matches!(Autoregression::new(vec![f64::NAN], 1.0), Err(NoiseError::Samples(_))));
    for deviation in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-200] {
        assert!(Autoregression::new(vec![], deviation).is_err());
    }
    let (parts, values) = (sampling(&times(30)), white(7, 30));
    let estimate = |series: &[(&Sampling, &[f64])], order| {
        Autoregression::estimate(series, AutoregressionOrder::Given(order)).unwrap_err()
    };
    assert_eq!(estimate(&[(&parts, &values)], 15), NoiseError::Order { order: 15, samples: 30, limit: 14 });
    assert!(matches!(estimate(&[(&parts, &values)], usize::MAX), NoiseError::Order { limit: 14, .. }));
    assert_eq!(estimate(&[(&parts, &[0.0; 30])], 1), NoiseError::Absent(Absent::ZeroResiduals));
    assert!(matches!(estimate(&[(&parts, &values[1..])], 1), NoiseError::Samples(ResidualError::Length { .. })));
    assert!(matches!(estimate(&[], 1), NoiseError::Samples(ResidualError::Empty { .. })));
    let slow: Vec<f64> = times(30).iter().map(|t| 2.0 * t).collect();
    let slow = sampling(&slow);
    assert!(matches!(estimate(&[(&parts, &values), (&slow, &values)], 1), NoiseError::Interval { .. }));
    let noise = Autoregression::estimate(&[(&parts, &values)], AutoregressionOrder::Given(1)).unwrap();
    assert!(matches!(noise.whiten(&slow, &values), Err(NoiseError::Interval { .. })));
    assert!(noise.log_determinant(&slow).is_err());
    let narrow = Autoregression::new(vec![0.9; 1], 1e-139).unwrap();
    assert!(narrow.whiten(&parts, &[1e139; 30]).is_ok() && narrow.log_likelihood(&parts, &[1e139; 30]).is_err());
}
