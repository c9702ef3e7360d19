//! Fourier series of periodic functions, and their samples.

use std::f64::consts::PI;

/// The functions 1, cos theta, sin theta, cos 2 theta ... at equidistant samples of a period.
///
/// A function of time is the sequence of its coefficients: the mean, then those of cosine and sine of every harmonic.
#[derive(Debug, Clone)]
pub(crate) struct Basis {
    /// Number of harmonics H.
    pub harmonics: usize,
    /// Samples per period N.
    pub samples: usize,
    /// The functions up to harmonic 2 H, one after the other, N samples each.
    table: Vec<f64>,
}

impl Basis {
    pub fn new(harmonics: usize, samples: usize) -> Self {
        let turn = |k: usize, j: usize| 2.0 * PI * ((k * j) % samples.max(1)) as f64 / samples.max(1) as f64;
        let mut table = vec![1.0; samples];
        for k in 1..=2 * harmonics {
            table.extend((0..samples).map(|j| turn(k, j).cos()));
            table.extend((0..samples).map(|j| turn(k, j).sin()));
        }
        Self { harmonics, samples, table }
    }

    /// Number of coefficients up to harmonic H.
    pub fn width(&self) -> usize {
        2 * self.harmonics + 1
    }

    /// Returns the samples of the function with this position.
    fn function(&self, index: usize) -> &[f64] {
        self.table.chunks_exact(self.samples.max(1)).nth(index).unwrap_or_default()
    }

    /// Computes the coefficients, as many as there is room for, at most up to harmonic 2 H.
    pub fn project(&self, samples: &[f64], coefficients: &mut [f64]) {
        let functions = self.table.chunks_exact(self.samples.max(1));
        for (k, (coefficient, function)) in coefficients.iter_mut().zip(functions).enumerate() {
            let weight = if k == 0 { 1.0 } else { 2.0 } / self.samples as f64;
            *coefficient = weight * dot(function, samples);
        }
    }

    /// Adds the samples of the function with these coefficients.
    pub fn add_samples(&self, coefficients: &[f64], samples: &mut [f64]) {
        let functions = self.table.chunks_exact(self.samples.max(1));
        for (coefficient, function) in coefficients.iter().zip(functions).filter(|(c, _)| **c != 0.0) {
            samples.iter_mut().zip(function).for_each(|(sample, value)| *sample += coefficient * value);
        }
    }

    /// Returns cos theta at all samples.
    pub fn cosine(&self) -> &[f64] {
        self.function(1)
    }
}

/// The sum of products, in four parts that processors add at once.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_parts, b_parts) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_parts.remainder().iter().zip(b_parts.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in a_parts.zip(b_parts) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum::<f64>() + rest
}

/// Returns the coefficients of the derivative with respect to theta.
pub(crate) fn derivative(coefficients: &[f64], result: &mut [f64]) {
    result.fill(0.0);
    let pairs = coefficients.get(1..).unwrap_or_default().chunks_exact(2);
    let results = result.get_mut(1..).unwrap_or_default().chunks_exact_mut(2);
    for (k, (pair, result)) in pairs.zip(results).enumerate() {
        if let ([cosine, sine], [c, s]) = (pair, result) {
            let order = (k + 1) as f64;
            (*c, *s) = (order * sine, -order * cosine);
        }
    }
}

/// Evaluates the series at an angle.
pub(crate) fn value(coefficients: &[f64], theta: f64) -> f64 {
    let pairs = coefficients.get(1..).unwrap_or_default().chunks_exact(2);
    let sum: f64 = pairs
        .enumerate()
        .map(|(k, pair)| {
            let (sin, cos) = ((k + 1) as f64 * theta).sin_cos();
            pair.first().copied().unwrap_or(0.0) * cos + pair.get(1).copied().unwrap_or(0.0) * sin
        })
        .sum();
    coefficients.first().copied().unwrap_or(0.0) + sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_give_the_coefficients_back() {
        let basis = Basis::new(3, 16);
        let coefficients = [0.5, 1.0, -2.0, 0.25, 0.0, 0.0, 3.0];
        let mut samples = vec![0.0; 16];
        basis.add_samples(&coefficients, &mut samples);
        for (j, sample) in samples.iter().enumerate() {
            assert!((sample - value(&coefficients, 2.0 * PI * j as f64 / 16.0)).abs() < 1e-14);
        }
        let mut found = [0.0; 13];
        basis.project(&samples, &mut found);
        assert!(found.iter().zip(coefficients).all(|(found, given)| (found - given).abs() < 1e-14));
        assert!(found[7..].iter().all(|beyond| beyond.abs() < 1e-14));
        let mut slope = [0.0; 7];
        derivative(&coefficients, &mut slope);
        let difference = (value(&coefficients, 0.3 + 1e-6) - value(&coefficients, 0.3 - 1e-6)) / 2e-6;
        assert!((value(&slope, 0.3) - difference).abs() < 1e-8);
    }
}
