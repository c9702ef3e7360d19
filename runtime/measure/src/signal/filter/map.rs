//! A filter of a number of samples as a linear map, with its transpose.

use super::section::{Linear, Section};

/// A filter of signals of one length: a linear map, which has a transpose.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterMap {
    sections: Vec<Section>,
    both_ways: bool,
    samples: usize,
    /// Response to the initial states that belong to a first sample of 1, without any input; of the extended signal.
    free: Vec<f64>,
}

impl FilterMap {
    pub(super) fn new(sections: Vec<Section>, both_ways: bool, samples: usize) -> Self {
        let mut map = Self { sections, both_ways, samples, free: Vec::new() };
        let mut free = vec![0.0; samples + 2 * map.extension()];
        map.forward(&mut free, 1.0);
        map.free = free;
        map
    }

    /// Returns the number of samples by which the signal is continued at both ends, that of `scipy.signal.sosfiltfilt`.
    fn extension(&self) -> usize {
        let first_order = self.sections.iter().filter(|section| section.b[2] == 0.0 && section.a[1] == 0.0).count();
        let taps = 2 * self.sections.len() + 1 - first_order;
        if self.both_ways { (3 * taps).min(self.samples.saturating_sub(1)) } else { 0 }
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Filters a signal in place; a signal of another length becomes one of NaN.
    pub fn apply<V: Linear>(&self, values: &mut [V]) {
        if values.len() != self.samples {
            return lose(values);
        }
        if !self.both_ways {
            let first = values.first().copied().unwrap_or_default();
            return self.forward(values, first);
        }
        let ends = self.extension();
        let mut extended = self.extended(values);
        for _ in 0..2 {
            let first = extended.first().copied().unwrap_or_default();
            self.forward(&mut extended, first);
            extended.reverse();
        }
        for (value, filtered) in values.iter_mut().zip(extended.into_iter().skip(ends)) {
            *value = filtered;
        }
    }

    /// Applies the transpose in place: for signals x and y, `y . apply(x)` is `transposed(y) . x`.
    pub fn transposed(&self, values: &mut [f64]) {
        if values.len() != self.samples {
            return lose(values);
        }
        if !self.both_ways {
            return self.backward(values);
        }
        let ends = self.extension();
        let mut extended = vec![0.0; self.free.len()];
        extended.iter_mut().skip(ends).zip(values.iter()).for_each(|(place, value)| *place = *value);
        for _ in 0..2 {
            extended.reverse();
            self.backward(&mut extended);
        }
        self.shortened(&extended, values);
    }

    /// Runs all sections over the values, from the steady state of a constant `before` before them.
    fn forward<V: Linear>(&self, values: &mut [V], before: V) {
        let mut before = before;
        for section in &self.sections {
            let (states, output) = section.steady();
            section.run(values.iter_mut(), states.map(|state| before * state));
            before = before * output;
        }
    }

    /// Applies the transpose of [`forward`](Self::forward) from the first value: sections without initial states are
    /// their own transposes backward in time.
    fn backward(&self, values: &mut [f64]) {
        let of_first: f64 = self.free.iter().zip(values.iter()).map(|(free, value)| free * value).sum();
        for section in &self.sections {
            section.run(values.iter_mut().rev(), [0.0; 2]);
        }
        if let Some(first) = values.first_mut() {
            *first += of_first;
        }
    }

    /// Continues a signal at both ends by its point images there: `2 x_0 - x_j` before it.
    fn extended<V: Linear>(&self, values: &[V]) -> Vec<V> {
        let ends = self.extension();
        let [first, last] = [values.first(), values.last()].map(|end| end.copied().unwrap_or_default());
        let before = values.iter().skip(1).take(ends).rev().map(|value| first * 2.0 - *value);
        let behind = values.iter().rev().skip(1).take(ends).map(|value| last * 2.0 - *value);
        before.chain(values.iter().copied()).chain(behind).collect()
    }

    /// Applies the transpose of [`extended`](Self::extended).
    fn shortened(&self, extended: &[f64], values: &mut [f64]) {
        let ends = self.extension();
        let (before, rest) = extended.split_at(ends.min(extended.len()));
        let (inside, behind) = rest.split_at(self.samples.min(rest.len()));
        values.copy_from_slice(inside);
        let [mut first, mut last] = [0.0; 2];
        for (value, image) in values.iter_mut().skip(1).zip(before.iter().rev()) {
            *value -= image;
            first += 2.0 * image;
        }
        for (value, image) in values.iter_mut().rev().skip(1).zip(behind) {
            *value -= image;
            last += 2.0 * image;
        }
        if let Some(value) = values.first_mut() {
            *value += first;
        }
        if let Some(value) = values.last_mut() {
            *value += last;
        }
    }
}

/// Makes all values NaN.
fn lose<V: Linear>(values: &mut [V]) {
    values.iter_mut().for_each(|value| *value = *value * f64::NAN);
}
