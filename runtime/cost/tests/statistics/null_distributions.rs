//! Distributions of the tests for white residuals.

use costate_cost::residuals::*;

use crate::series::{assert_uniform, autoregressive, times, times_with_gaps, white};

/// Computes the probabilities of 400 white series of `samples`, with and without gaps.
fn p_values(samples: usize, test: impl Fn(&Residuals, u64) -> f64) -> [Vec<f64>; 2] {
    [times(samples), times_with_gaps(samples)].map(|times| {
        let of_seed = |seed| {
            let values = white(seed, samples);
            test(&Residuals::new("x", &times, &values, &values).unwrap(), seed)
        };
        (0..400).map(of_seed).collect()
    })
}

#[test]
fn ljung_boxs_probabilities_are_uniform() {
    for samples in [100, 500] {
        for p_values in p_values(samples, |residuals, _| whiteness(residuals, None, 0).unwrap().p_value) {
            assert_uniform(p_values, "Ljung-Box");
        }
    }
}

#[test]
fn probabilities_of_partial_autocorrelations_are_uniform_and_right_in_the_tail() {
    for samples in [100, 500] {
        let test = |residuals: &Residuals, _| whiteness(residuals, None, 0).unwrap().partial_p_value;
        for p_values in p_values(samples, test) {
            assert_uniform(p_values, "partial autocorrelations");
        }
    }
    let times = times_with_gaps(100);
    let below = |seed: &u64| {
        let values = white(*seed, 100);
        let residuals = Residuals::new("x", &times, &values, &values).unwrap();
        whiteness(&residuals, None, 0).unwrap().partial_p_value < 1e-3
    };
    // 20 are expected; the probability of Ljung and Box is below for 60.
    let count = (0..20_000).filter(below).count();
    assert!((5..=40).contains(&count), "{count}");
}

#[test]
fn probabilities_of_a_coloured_input_are_uniform() {
    for samples in [60, 500] {
        let test = |residuals: &Residuals, seed| {
            let input = autoregressive(seed + 1000, samples, 0.9);
            cross_correlation(residuals, &input, None).unwrap().p_value
        };
        for p_values in p_values(samples, test) {
            assert_uniform(p_values, "cross-correlation");
        }
    }
}

#[test]
fn coherence_of_one_line_is_distributed_as_it_should() {
    let samples = 900;
    let test = |residuals: &Residuals, seed| {
        let input = autoregressive(seed + 1000, samples, 0.5);
        let found = coherence(residuals, &input, Some(46), 1e-3).unwrap();
        (1.0 - found.coherence[10]).powf(found.independent - 1.0)
    };
    for p_values in p_values(samples, test) {
        assert_uniform(p_values, "coherence");
    }
}

#[test]
fn white_residuals_rarely_have_bands() {
    let mut bands = 0;
    let mut covered = 0;
    for seed in 0..400 {
        let values = white(seed, 1000);
        let times = times(1000);
        let residuals = Residuals::new("x", &times, &values, &values).unwrap();
        let found = spectrum(&residuals, None, 1e-2).unwrap();
        bands += usize::from(!found.bands.is_empty());
        let (density, true_density) = (found.density[20], 2e-3);
        let Confidence { lower, upper, .. } = found.confidence;
        covered += usize::from(lower * density < true_density && true_density < upper * density);
    }
    // 4 and 380 are expected.
    assert!(bands <= 12, "{bands}");
    assert!((365..=392).contains(&covered), "{covered}");
}

#[test]
fn a_right_model_passes() {
    let mut doubtful = 0;
    for seed in 0..200 {
        let samples = 300;
        let (times, input) = (times_with_gaps(samples), autoregressive(seed + 5000, samples, 0.95));
        let channels = (0..4).map(|channel| {
            let values = white(10_000 + 4 * seed + channel, samples);
            let residuals = Residuals::new("x", &times, &values, &values).unwrap();
            assess(&residuals.with_input("u", &input).unwrap(), &TestSettings::default()).unwrap()
        });
        let verdict = judge(&channels.collect::<Vec<_>>(), VerdictLevels::default()).unwrap();
        assert_ne!(verdict.judgement, Judgement::Insufficient, "{verdict}");
        assert_eq!((verdict.channels, verdict.tests), (4, 8));
        doubtful += usize::from(verdict.judgement == Judgement::Doubtful);
    }
    // 2 are expected.
    assert!(doubtful <= 7, "{doubtful}");
}
