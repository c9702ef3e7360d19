//! Truth of an oscillator with noise in both channels: deviations, biases, several inputs, blows.

use std::f64::consts::TAU;

use costate_numerics::fourier::Complex;

use super::*;
use crate::signal::{FrequencyResponse, Record, SignalError};

const INTERVAL: f64 = 1e-3;

/// Normal random numbers.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn many(&mut self, count: usize, deviation: f64) -> Vec<f64> {
        let mut next = || deviation * (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (TAU * self.uniform()).cos();
        (0..count).map(|_| next()).collect()
    }
}

/// An oscillator of 1 kg with a force that is held from sample to sample: poles `exp((-decay +- i omega) h)`.
struct Oscillator {
    /// Coefficients of the denominator, 1 + a1/z + a2/z^2.
    a: [f64; 2],
    b: [f64; 2],
}

impl Oscillator {
    fn new(frequency: f64, damping: f64) -> Self {
        let omega = TAU * frequency;
        let (decay, own) = (damping * omega, omega * (1.0 - damping * damping).sqrt());
        let (size, phase) = ((-decay * INTERVAL).exp(), own * INTERVAL);
        let step = |n: f64| {
            (1.0 - (-decay * n * INTERVAL).exp() * ((n * phase).cos() + decay / own * (n * phase).sin()))
                / (omega * omega)
        };
        let a = [-2.0 * size * phase.cos(), size * size];
        // from the first two samples of the response to a step
        let b1 = step(1.0);
        Self { a, b: [b1, step(2.0) - b1 + a[0] * b1] }
    }

    fn response(&self, input: &[f64]) -> Vec<f64> {
        let mut y: Vec<f64> = Vec::new();
        for k in 0..input.len() {
            let at = |values: &[f64], lag: usize| k.checked_sub(lag).map_or(0.0, |k| values[k]);
            y.push(self.b[0] * at(input, 1) + self.b[1] * at(input, 2) - self.a[0] * at(&y, 1) - self.a[1] * at(&y, 2));
        }
        y
    }

    fn at(&self, s: Complex<f64>) -> Complex<f64> {
        let back = (-s * INTERVAL).exp();
        (self.b[0] * back + self.b[1] * back * back) / (1.0 + self.a[0] * back + self.a[1] * back * back)
    }

    fn truth(&self, frequency: f64) -> Complex<f64> {
        self.at(Complex::new(0.0, TAU * frequency))
    }
}

fn record(channels: &[(&str, &str, Vec<f64>)]) -> Result<Record, SignalError> {
    let times = (0..channels[0].2.len()).map(|k| k as f64 * INTERVAL).collect();
    let made = Record::new(times)?.named("rig");
    Ok(channels
        .iter()
        .try_fold(made, |made, (name, unit, values)| made.with_channel(*name, Some(*unit), values.clone()))?)
}

/// A force of deviation 1 through the oscillator, with noise of these deviations in both channels.
fn noisy(seed: u64, samples: usize, noise: [f64; 2]) -> Result<Record, SignalError> {
    let mut random = Noise(seed);
    let force = random.many(samples, 1.0);
    let motion = Oscillator::new(100.0, 0.1).response(&force);
    let with = |values: Vec<f64>, noise: Vec<f64>| values.iter().zip(noise).map(|(a, b)| a + b).collect();
    let (of_force, of_motion) = (random.many(samples, noise[0]), random.many(samples, noise[1]));
    record(&[("force", "N", with(force, of_force)), ("x", "m", with(motion, of_motion))])
}

fn value(response: &FrequencyResponse, k: usize) -> Complex<f64> {
    Complex::new(response.real[k], response.imaginary[k])
}

/// The limit of an estimator for an input density of 1 and noise densities.
fn limit(estimator: Estimator, truth: Complex<f64>, [input, output]: [f64; 2]) -> Complex<f64> {
    match estimator {
        Estimator::H1 => truth / (1.0 + input),
        Estimator::H2 => truth * (1.0 + output / truth.norm_sqr()),
        Estimator::Hv => truth / truth.norm() * ((truth.norm_sqr() + output) / (1.0 + input)).sqrt(),
        Estimator::HvOfNoise(_) => truth,
    }
}

const SEEDS: u64 = 40;
const NOISE: [f64; 2] = [0.2, 2e-6];

#[test]
fn true_values_are_beyond_deviations_as_often_as_normal_ones() -> Result<(), SignalError> {
    let oscillator = Oscillator::new(100.0, 0.1);
    let squares = NOISE.map(|deviation| deviation * deviation);
    let estimators = [Estimator::H1, Estimator::H2, Estimator::HvOfNoise(squares[1] / squares[0])];
    // of each estimator: values, those beyond 2 and 3 deviations, and those outside of circles
    let mut counts = [[0.0; 4]; 3];
    for seed in 0..SEEDS {
        let record = noisy(seed, 60_000, NOISE)?;
        for (estimator, [count, beyond, far, outside]) in estimators.iter().zip(&mut counts) {
            let averaging = Averaging::segments(512).estimator(*estimator).between(40.0, 200.0);
            let response = frequency_response([&record], "force", "x", &averaging)?;
            let deviations = response.deviations().unwrap_or_default();
            let radii = response.radii(0.9).unwrap_or_default();
            // neighbours in Hann's window depend on each other
            for k in (0..response.real.len()).step_by(3) {
                let truth = limit(*estimator, oscillator.truth(response.frequencies[k]), squares);
                let error = value(&response, k) - truth;
                for part in [error.re, error.im] {
                    *count += 1.0;
                    *beyond += f64::from(u8::from(part.abs() > 2.0 * deviations[k]));
                    *far += f64::from(u8::from(part.abs() > 3.0 * deviations[k]));
                }
                *outside += f64::from(u8::from(error.norm() > radii[k]));
            }
        }
    }
    let within =
        |found: f64, of: f64, share: f64| (found - of * share).abs() < 3.0 * (of * share * (1.0 - share)).sqrt();
    for (estimator, [count, beyond, far, outside]) in estimators.iter().zip(counts) {
        println!(
            "{estimator:?}: of {count}, {beyond} and {far} beyond 2 and 3 deviations, {outside} outside of circles"
        );
        assert!(within(beyond, count, 0.045_500), "{estimator:?}: {beyond} of {count}");
        assert!(within(far, count, 0.002_700), "{estimator:?}: {far} of {count}");
        assert!(within(outside, count / 2.0, 0.1), "{estimator:?}: {outside} of {count}");
    }
    Ok(())
}

#[test]
fn estimators_are_biased_as_their_noise_says() -> Result<(), SignalError> {
    let oscillator = Oscillator::new(100.0, 0.1);
    let squares = NOISE.map(|deviation| deviation * deviation);
    let mean = |estimator| -> Result<f64, SignalError> {
        let averaging = Averaging::segments(512).estimator(estimator).between(60.0, 140.0);
        let (mut sum, mut count) = (0.0, 0.0);
        for seed in 0..10 {
            let response = frequency_response([&noisy(seed, 60_000, NOISE)?], "force", "x", &averaging)?;
            for (frequency, size) in response.frequencies.iter().zip(response.magnitudes()) {
                sum += size / oscillator.truth(*frequency).norm() - 1.0;
                count += 1.0;
            }
        }
        Ok(sum / count)
    };
    let [h1, h2, hv, known] =
        [Estimator::H1, Estimator::H2, Estimator::Hv, Estimator::HvOfNoise(squares[1] / squares[0])];
    let (h1, h2, hv, known) = (mean(h1)?, mean(h2)?, mean(hv)?, mean(known)?);
    println!("biases: H1 {h1:.4}, H2 {h2:.4}, Hv {hv:.4}, Hv of known noise {known:.4}");
    assert!((h1 + squares[0] / (1.0 + squares[0])).abs() < 4e-3, "{h1}");
    assert!(h2 > 0.02 && h1 < hv && hv < h2 && known.abs() < 4e-3, "{h1} {hv} {h2} {known}");
    Ok(())
}

#[test]
fn two_inputs_are_told_apart() -> Result<(), SignalError> {
    let (first, second) = (Oscillator::new(100.0, 0.1), Oscillator::new(60.0, 0.2));
    let (mut count, mut beyond) = (0.0, 0.0);
    for seed in 0..20 {
        let mut random = Noise(1000 + seed);
        let (u, v, w) = (random.many(40_000, 1.0), random.many(40_000, 1.0), random.many(40_000, 1e-6));
        // the second shaker feels a part of the first one
        let v: Vec<f64> = v.iter().zip(&u).map(|(v, u)| 100.0 * (0.8 * v + 0.6 * u)).collect();
        let parts = first.response(&u).into_iter().zip(second.response(&v)).zip(w);
        let x = parts.map(|((a, b), c)| a + 0.01 * b + c).collect();
        let record = record(&[("u", "N", u), ("v", "N", v), ("x", "m", x)])?;
        let averaging = Averaging::segments(512).between(30.0, 200.0);
        let all = frequency_responses([&record], &["u", "v"], &["x"], &averaging)?;
        let responses = [all.of("x", "u"), all.of("x", "v")];
        for (response, (oscillator, gain)) in responses.into_iter().flatten().zip([(&first, 1.0), (&second, 0.01)]) {
            let deviations = response.deviations().unwrap_or_default();
            for k in (0..response.real.len()).step_by(3) {
                let error = value(response, k) - gain * oscillator.truth(response.frequencies[k]);
                for part in [error.re, error.im] {
                    count += 1.0;
                    beyond += f64::from(u8::from(part.abs() > 2.0 * deviations[k]));
                }
            }
            let partial = response.coherence.clone().unwrap_or_default();
            assert!(partial.iter().zip(&all.multiple_coherence[0]).all(|(part, whole)| part <= whole));
        }
        let mean = all.input_coherence.iter().sum::<f64>() / all.input_coherence.len() as f64;
        assert!((mean - 0.36).abs() < 0.05, "{mean}");
        // without the second input, what it does is noise that depends on the first
        let alone = frequency_response([&record], "u", "x", &averaging)?;
        let (wrong, right) = (value(&alone, 10), first.truth(alone.frequencies[10]));
        assert!((wrong - right).norm() > 0.2 * right.norm());
        let refused = frequency_responses([&record], &["u", "v"], &["x"], &averaging.clone().correlated_inputs(0.3));
        let Err(SignalError::CorrelatedInputs { first, second, coherence, .. }) = refused else {
            panic!("{refused:?}")
        };
        assert!(coherence > 0.3 && [first.as_str(), second.as_str()].contains(&"u") && first != second);
    }
    let expected: f64 = 0.0455 * count;
    println!("two inputs: {beyond} of {count} beyond 2 deviations");
    assert!((beyond - expected).abs() < 3.0 * expected.sqrt(), "{beyond} of {count}");
    Ok(())
}

/// Solves a small linear system.
fn solved(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for k in 0..n {
        let best = (k..n).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs())).unwrap_or(k);
        rows.swap(k, best);
        for i in (0..n).filter(|i| *i != k) {
            let factor = rows[i][k] / rows[k][k];
            let pivot = rows[k].clone();
            rows[i].iter_mut().zip(pivot).for_each(|(value, other)| *value -= factor * other);
        }
    }
    (0..n).map(|k| rows[k][n] / rows[k][k]).collect()
}

#[test]
fn an_exponential_window_adds_the_decay_that_it_says() -> Result<(), SignalError> {
    // vibrations that are far from their end when the piece ends
    let oscillator = Oscillator::new(50.0, 0.002);
    let mut random = Noise(7);
    let blows = (0..6).map(|k| {
        let pulse = |i: usize| (1.0 + 0.1 * f64::from(k)) * (0.1 * TAU * 5.0 * i as f64 / 10.0).sin().max(0.0);
        let force: Vec<f64> = (0..1000).map(|i| if i < 10 { pulse(i) } else { 0.0 }).collect();
        let motion = oscillator.response(&force);
        let noise = random.many(1000, 1e-3);
        record(&[("force", "N", force.iter().zip(noise).map(|(a, b)| a + b).collect()), ("x", "m", motion)])
    });
    let blows = blows.collect::<Result<Vec<_>, _>>()?;
    let time_constant = 0.06;
    let averaging = Averaging::repetitions().force_window(0.0, 0.012).exponential_window(time_constant);
    let response = frequency_response(&blows, "force", "x", &averaging.between(20.0, 100.0))?;
    assert_eq!((response.added_decay, response.averages), (1.0 / time_constant, Some(6.0)));
    for (k, frequency) in response.frequencies.iter().enumerate() {
        let truth = oscillator.at(Complex::new(response.added_decay, TAU * frequency));
        assert!((value(&response, k) - truth).norm() < 5e-3 * truth.norm(), "{frequency}");
    }
    // two lines around the peak, as if nothing had been added: H (1 + a1/z + a2/z^2) = b1/z + b2/z^2
    let rows = [29, 31].into_iter().flat_map(|k| {
        let (h, back) = (value(&response, k), Complex::from_polar(1.0, -TAU * response.frequencies[k] * INTERVAL));
        let all = [h * back, h * back * back, -back, -back * back, -h];
        [all.map(|one| one.re).to_vec(), all.map(|one| one.im).to_vec()]
    });
    let apparent = -0.5 * solved(rows.collect())[1].ln() / INTERVAL;
    let own = 0.002 * TAU * 50.0;
    assert!(apparent > 20.0 * own, "{apparent}");
    assert!((apparent - response.added_decay - own).abs() < 0.15, "{apparent} {own}");
    // without the window, the end of the piece leaks, and the result says so
    let cut = frequency_response(&blows, "force", "x", &Averaging::repetitions().between(20.0, 100.0))?;
    assert!(cut.notes.iter().any(|note| note.contains("exponential window")), "{:?}", cut.notes);
    Ok(())
}
