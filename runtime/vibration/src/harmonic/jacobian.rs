//! The Jacobian of a balance, and its factors.
//!
//! Entries of the Jacobian that are equal at all samples couple each harmonic with itself only. The others make full
//! blocks, which remain after all others are eliminated: the sparse factors find that order.

use costate_contract::machine::bytes;
use costate_numerics::linalg::SparseLu;

use crate::harmonic::balance::{Balance, Entry, Evaluation, Fault, room, set};

impl Balance<'_> {
    /// Factorises the Jacobian, or the Jacobian with the row `border` (coefficients, then the parameter) and the column
    /// of derivatives with respect to the parameter.
    pub fn factor(
        &mut self,
        evaluation: &Evaluation,
        omega: f64,
        border: Option<(&[f64], &[f64])>,
    ) -> Result<(), Fault> {
        let mut changed = self.pattern.is_empty();
        for entry in self.entries.iter_mut().filter(|entry| !entry.varies) {
            let mut slots = entry.slots.iter().flatten().filter_map(|&slot| evaluation.slots.get(slot));
            entry.varies = slots.any(|values| values.iter().any(|value| values.first() != Some(value)));
            changed |= entry.varies;
        }
        if changed {
            self.check_memory()?;
        }
        let mut assembly = Assembly { pattern: Vec::new(), values: Vec::new(), has_pattern: changed };
        self.assemble(evaluation, omega, &mut assembly);
        if changed {
            self.pattern = std::mem::take(&mut assembly.pattern);
            self.factors = [None, None];
        }
        let size = self.unknowns();
        let mut values = assembly.values;
        let place = usize::from(border.is_some());
        if let Some((column, row)) = border {
            values.extend_from_slice(column.get(..size).unwrap_or_default());
            values.extend_from_slice(row);
        }
        let pattern = &self.pattern;
        let Some(own) = self.factors.get_mut(place) else { return Ok(()) };
        let own = own.get_or_insert_with(|| match border {
            None => SparseLu::new(pattern, size),
            Some(_) => {
                let last = size as u32;
                let column = (0..last).map(|row| (row, last));
                let row = (0..=last).map(|column| (last, column));
                let all: Vec<_> = pattern.iter().copied().chain(column).chain(row).collect();
                SparseLu::new(&all, size + 1)
            }
        });
        own.factor(&values)?;
        Ok(())
    }

    /// Checks that entries, their positions and about as many numbers in the factors can be stored.
    fn check_memory(&self) -> Result<(), Fault> {
        /// Bytes that an entry takes: its value and position, twice with the order of the factors, and numbers of the
        /// factors.
        const BYTES_PER_ENTRY: usize = 64;
        let width = self.basis.width();
        let own = |entry: &Entry| if entry.varies { width * width } else { 2 * width };
        let entries = self.entries.iter().map(own).fold(0usize, usize::saturating_add);
        let needed = bytes(entries, BYTES_PER_ENTRY);
        let out_of_memory = room(self.basis.harmonics).check(needed);
        out_of_memory.map_err(|error| Fault::Memory { needed: error.needed, available: error.available })
    }

    /// Solves with the factors of the Jacobian, or of that with a border.
    pub fn solve(&self, bordered: bool, right: &mut [f64]) {
        if let Some(factors) = self.factors.get(usize::from(bordered)).and_then(Option::as_ref) {
            factors.solve(right);
        }
    }

    /// Lists the entries of the Jacobian, in the order of the pattern.
    fn assemble(&self, evaluation: &Evaluation, omega: f64, assembly: &mut Assembly) {
        let orders = 2 * self.basis.harmonics + 1;
        let mut series = [Series::zeros(orders), Series::zeros(orders), Series::zeros(orders)];
        let mut coefficients = vec![0.0; 2 * orders - 1];
        for entry in &self.entries {
            let samples = entry.slots.map(|slot| slot.and_then(|slot| evaluation.slots.get(slot)));
            if !entry.varies {
                let values = samples.map(|samples| samples.and_then(|samples| samples.first()).copied());
                self.assemble_constant(entry, values, omega, assembly);
                continue;
            }
            for (series, samples) in series.iter_mut().zip(samples) {
                series.is_zero = samples.is_none();
                if let Some(samples) = samples {
                    self.basis.project(samples, &mut coefficients);
                    series.take(&coefficients);
                }
            }
            self.assemble_varying(entry, &series, omega, assembly);
        }
        if self.layout.controlled.is_some() && self.excitation.mean.is_none() {
            let mean = self.layout.drive_column() * self.basis.width();
            assembly.push(mean, mean, 1.0);
        }
    }

    /// Checks whether the equation of the mean is that of the drive in place of that of the controlled output.
    fn has_free_mean(&self, row: usize) -> bool {
        row == self.layout.drive_column() && self.excitation.mean.is_none()
    }

    /// Lists an entry that is the same at all samples: every harmonic with itself.
    fn assemble_constant(
        &self,
        entry: &Entry,
        [value, rate, second]: [Option<f64>; 3],
        omega: f64,
        assembly: &mut Assembly,
    ) {
        let width = self.basis.width();
        let (row, column) = (entry.row * width, entry.column * width);
        if let Some(value) = value.filter(|_| !self.has_free_mean(entry.row)) {
            assembly.push(row, column, value);
        }
        for k in 1..=self.basis.harmonics {
            let (cosine, turn) = (2 * k - 1, k as f64 * omega);
            if value.is_some() || second.is_some() {
                let sum = value.unwrap_or(0.0) - turn * turn * second.unwrap_or(0.0);
                assembly.push(row + cosine, column + cosine, sum);
                assembly.push(row + cosine + 1, column + cosine + 1, sum);
            }
            if let Some(rate) = rate {
                assembly.push(row + cosine, column + cosine + 1, turn * rate);
                assembly.push(row + cosine + 1, column + cosine, -turn * rate);
            }
        }
    }

    /// Lists an entry that varies: all harmonics k of the equation with all harmonics l of the function.
    fn assemble_varying(
        &self,
        entry: &Entry,
        [value, rate, second]: &[Series; 3],
        omega: f64,
        assembly: &mut Assembly,
    ) {
        let (width, harmonics) = (self.basis.width(), self.basis.harmonics);
        let (row, column) = (entry.row * width, entry.column * width);
        let has_free_mean = self.has_free_mean(entry.row);
        for l in 0..=harmonics {
            let turn = l as f64 * omega;
            for k in 0..=harmonics {
                let (value, second) = (value.products(k, l), second.products(k, l));
                let [rate_cc, rate_cs, rate_sc, rate_ss] = rate.products(k, l);
                let rates = [-rate_cs, rate_cc, -rate_ss, rate_sc];
                let mut sums = [0.0; 4];
                for (sum, ((value, second), rate)) in sums.iter_mut().zip(value.iter().zip(second).zip(rates)) {
                    *sum = value - turn * turn * second + turn * rate;
                }
                let [cc, cs, sc, ss] = sums;
                let (down, right) = (row + (2 * k).saturating_sub(1), column + (2 * l).saturating_sub(1));
                if k > 0 || !has_free_mean {
                    assembly.push(down, right, cc);
                    if l > 0 {
                        assembly.push(down, right + 1, cs);
                    }
                }
                if k > 0 {
                    assembly.push(down + 1, right, sc);
                    if l > 0 {
                        assembly.push(down + 1, right + 1, ss);
                    }
                }
            }
        }
    }
}

/// The entries of a matrix while they are listed.
struct Assembly {
    pattern: Vec<(u32, u32)>,
    values: Vec<f64>,
    has_pattern: bool,
}

impl Assembly {
    fn push(&mut self, row: usize, column: usize, value: f64) {
        self.values.push(value);
        if self.has_pattern {
            self.pattern.push((row as u32, column as u32));
        }
    }
}

/// The Fourier series of an entry: twice the mean, then the coefficients of cosine and sine of every order.
struct Series {
    cosines: Vec<f64>,
    sines: Vec<f64>,
    is_zero: bool,
}

impl Series {
    fn zeros(orders: usize) -> Self {
        Self { cosines: vec![0.0; orders], sines: vec![0.0; orders], is_zero: true }
    }

    fn take(&mut self, coefficients: &[f64]) {
        let [mean, pairs @ ..] = coefficients else { return };
        set(&mut self.cosines, 0, 2.0 * mean);
        for (k, pair) in pairs.chunks_exact(2).enumerate() {
            if let [cosine, sine] = pair {
                set(&mut self.cosines, k + 1, *cosine);
                set(&mut self.sines, k + 1, *sine);
            }
        }
    }

    /// Coefficients k of the products with the functions of order l: cosine of cosine, of sine; sine of cosine, of
    /// sine.
    fn products(&self, k: usize, l: usize) -> [f64; 4] {
        if self.is_zero {
            return [0.0; 4];
        }
        let of = |series: &[f64], order: usize| series.get(order).copied().unwrap_or(0.0);
        let (sum, difference) = (k + l, k.abs_diff(l));
        let (c_sum, c_difference) = (of(&self.cosines, sum), of(&self.cosines, difference));
        let sign = if k >= l { 1.0 } else { -1.0 };
        let (s_sum, s_difference) = (of(&self.sines, sum), sign * of(&self.sines, difference));
        // the mean has half the weight of the other coefficients
        let half = if k == 0 { 0.25 } else { 0.5 };
        [
            half * (c_difference + c_sum),
            half * (s_sum - s_difference),
            half * (s_sum + s_difference),
            half * (c_difference - c_sum),
        ]
    }
}
