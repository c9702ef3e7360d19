//! Samples that are drawn again.

use costate_cost::residuals::*;

use crate::series::{coloured, is_kept, times, times_with_gaps, white};

fn sampling(times: &[f64]) -> Sampling {
    Sampling::of_times(times, EQUIDISTANCE).unwrap()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn a_seed_says_what_is_drawn() {
    let sampling = sampling(&times_with_gaps(300));
    let values = white(1, 300);
    let drawn = block_resample(&sampling, &values, 10, 5).unwrap();
    assert_eq!(drawn, block_resample(&sampling, &values, 10, 5).unwrap());
    assert_ne!(drawn, block_resample(&sampling, &values, 10, 6).unwrap());
    let indices = block_indices(&sampling, 10, 5).unwrap();
    assert_eq!(drawn, indices.iter().map(|&index| values[index]).collect::<Vec<_>>());
    assert_eq!(drawn.len(), 300);
}

/// Every place of a part is filled from one part, in order, until the next block begins.
#[test]
fn blocks_lie_inside_of_parts() {
    let sampling = sampling(&times_with_gaps(300));
    let block = 10;
    for seed in 0..50 {
        let indices = block_indices(&sampling, block, seed).unwrap();
        for part in &sampling.parts {
            for place in indices[part.clone()].chunks(block) {
                let source = sampling.parts.iter().find(|source| source.contains(&place[0])).unwrap();
                for pair in place.windows(2) {
                    let next = if pair[0] + 1 == source.end { source.start } else { pair[0] + 1 };
                    assert_eq!(pair[1], next);
                }
            }
        }
    }
}

#[test]
fn all_samples_are_equally_likely() {
    // Parts of 3 and 40 samples, blocks of 8.
    let times: Vec<f64> = (0..50).filter(|j| !(3..10).contains(j)).map(f64::from).collect();
    let sampling = sampling(&times);
    let mut counts = vec![0.0; 43];
    let draws = 20_000;
    for seed in 0..draws {
        block_indices(&sampling, 8, seed).unwrap().into_iter().for_each(|index| counts[index] += 1.0);
    }
    for (index, count) in counts.iter().enumerate() {
        // The deviation is 0.012 at most, of the samples of the short part, which are drawn three times together.
        assert!((count / draws as f64 - 1.0).abs() < 0.05, "{index}: {count}");
    }
}

/// The mean value of coloured noise scatters with sigma / ((1 - a) sqrt(n)), which samples drawn one by one do not
/// tell.
#[test]
fn mean_values_scatter_as_those_of_the_noise() {
    let (a, samples) = (0.6, 4000);
    for (times, gaps) in [(times(samples), false), (times_with_gaps(samples), true)] {
        let sampling = sampling(&times);
        let scatter = |values: &[f64], block| {
            let means = |seed| mean(&block_resample(&sampling, values, block, seed).unwrap());
            let means: Vec<f64> = (0..400).map(means).collect();
            let middle = mean(&means);
            means.iter().map(|mean| (mean - middle).powi(2)).sum::<f64>() / 400.0
        };
        let (mut blocks, mut single) = (0.0, 0.0);
        for seed in 0..10 {
            let values = coloured(seed, &[a], samples, |j| !gaps || is_kept(j));
            blocks += scatter(&values, block_length(&sampling, &values).unwrap()) / 10.0;
            single += scatter(&values, 1) / 10.0;
        }
        let wanted = 1.0 / ((1.0 - a).powi(2) * samples as f64);
        let alone = 1.0 / ((1.0 - a * a) * samples as f64);
        assert!((0.8..1.1).contains(&(blocks / wanted)), "{} with gaps: {gaps}", blocks / wanted);
        assert!((single / alone - 1.0).abs() < 0.1, "{}", single / alone);
    }
}

#[test]
fn lengths_of_blocks_are_those_of_the_theory() {
    let samples = 4000;
    let sampling = sampling(&times(samples));
    let middle = |a: f64| {
        let length = |seed| {
            let values = coloured(seed, &[a], samples, |_| true);
            block_length(&sampling, &values).unwrap()
        };
        let mut lengths: Vec<usize> = (0..50).map(length).collect();
        lengths.sort_unstable();
        lengths[25] as f64
    };
    for a in [0.3_f64, 0.6, 0.8, -0.5] {
        let wanted = (1.5 * (2.0 * a / (1.0 - a * a)).powi(2) * samples as f64).cbrt();
        let found = middle(a);
        assert!((found / wanted - 1.0).abs() < 0.25, "{a}: {found} {wanted}");
    }
    assert!(middle(0.0) <= 3.0);
}

#[test]
fn lengths_have_limits() {
    let ramp: Vec<f64> = (0..400).map(f64::from).collect();
    let (whole, cut) = (sampling(&times(400)), sampling(&times_with_gaps(400)));
    assert!((20..=60).contains(&block_length(&whole, &ramp).unwrap()));
    assert!(block_length(&cut, &ramp).unwrap() <= cut.longest());
    assert_eq!(block_length(&whole, &[9.81; 400]).unwrap(), 1);
    assert_eq!(block_length(&whole, &[0.0; 400]).unwrap(), 1);
    for samples in 2..30 {
        let length = block_length(&sampling(&times(samples)), &ramp[..samples]).unwrap();
        assert!((1..=samples).contains(&length), "{length} of {samples}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let sampling = sampling(&times(30));
    assert!(matches!(block_indices(&sampling, 0, 1), Err(ResidualError::OutOfRange { .. })));
    assert!(matches!(block_resample(&sampling, &[1.0; 29], 3, 1), Err(ResidualError::Length { .. })));
    assert!(block_length(&sampling, &[f64::NAN; 30]).is_err());
    let none = Sampling { interval: 1.0, parts: Vec::new(), deviation: 0.0 };
    assert_eq!(block_indices(&none, 3, 1), Ok(Vec::new()));
    assert!(block_length(&none, &[]).is_ok());
    let wrong = Sampling { interval: 1.0, parts: vec![0..3, 5..7], deviation: 0.0 };
    assert!(matches!(block_indices(&wrong, 3, 1), Err(ResidualError::Parts { part: 1, wanted: 3, .. })));
    assert_eq!(block_indices(&sampling, usize::MAX, 1).unwrap().len(), 30);
}
