//! The balance of harmonics: residual and Jacobian of the Fourier coefficients, by samples of the equations over a
//! period.
//!
//! ```text
//! r(t) = [M a + C_q^T lambda - f; C; s_c - s_given],   its coefficients up to harmonic H are zero
//! ```
//!
//! Entries of the Jacobian that are equal at all samples couple each harmonic with itself only. The others make full
//! blocks, which remain after all others are eliminated: the sparse factors find that order.

use costate_contract::machine::{Room, bytes};
use costate_contract::{Function, Group};
use costate_numerics::linalg::block::find;
use costate_numerics::linalg::{Singular, SparseLu};
use costate_system::system::{Equations, Instant, StateVectors};

use crate::harmonic::basis::{Basis, derivative};
use crate::harmonic::layout::{Kind, Layout};

/// Describes the memory of a balance, for messages.
pub(crate) fn room(harmonics: usize) -> Room {
    let remedy = "take fewer harmonics, or use a machine with more memory";
    Room { what: "the balance", count: harmonics, counted: "harmonics", remedy }
}

/// A periodic motion: the coefficients of all unknown functions one after the other, with its excitation.
#[derive(Debug, Clone)]
pub(crate) struct Motion {
    /// Coefficients of q, lambda and, if an output is controlled, the drive.
    pub coefficients: Vec<f64>,
    /// omega in rad/s.
    pub omega: f64,
    /// Amplitude of the input, or of the controlled output.
    pub amplitude: f64,
}

/// The means of the excitation.
#[derive(Debug, Clone)]
pub(crate) struct Excitation {
    /// All inputs, constant; that of the drive is its mean.
    pub inputs: Vec<f64>,
    /// Mean of the controlled output; `None` if it is free, and the mean of the drive is given.
    pub mean: Option<f64>,
}

/// The functions of time at all samples.
#[derive(Debug, Clone)]
pub(crate) struct Samples {
    /// The unknowns, and the drive if it is given; N numbers for each.
    pub values: Vec<Vec<f64>>,
    /// Derivatives of the coordinates with respect to theta = omega t.
    pub rates: Vec<Vec<f64>>,
    /// Second derivatives with respect to theta.
    pub second_rates: Vec<Vec<f64>>,
}

/// Residual and derivatives of a motion.
#[derive(Debug, Clone)]
pub(crate) struct Evaluation {
    /// Coefficients of the residual.
    pub residual: Vec<f64>,
    /// Derivatives of these coefficients with respect to omega.
    pub by_omega: Vec<f64>,
    /// Derivatives of these coefficients with respect to the amplitude.
    pub by_amplitude: Vec<f64>,
    /// Samples of every slot.
    pub slots: Vec<Vec<f64>>,
}

/// An entry of the matrices, with the slots of its three kinds.
#[derive(Debug, Clone)]
struct Entry {
    row: usize,
    column: usize,
    slots: [Option<usize>; 3],
    varies: bool,
}

/// The equations of the coefficients.
pub(crate) struct Balance<'a> {
    pub layout: &'a Layout,
    pub basis: Basis,
    pub equations: &'a dyn Equations<f64>,
    pub excitation: &'a Excitation,
    entries: Vec<Entry>,
    pattern: Vec<(u32, u32)>,
    /// Factors of the Jacobian, and of the Jacobian with a row and column for the path.
    factors: [Option<SparseLu>; 2],
}

/// A value that is not finite, or a singular Jacobian.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fault {
    /// The equations are infinite or not a number at some sample.
    NotFinite,
    /// The Jacobian is singular in this column.
    Singular { column: usize },
    /// The Jacobian needs more memory than the machine has left.
    Memory { needed: u64, available: Option<u64> },
}

impl From<Singular> for Fault {
    fn from(singular: Singular) -> Self {
        Self::Singular { column: singular.column }
    }
}

impl<'a> Balance<'a> {
    pub fn new(
        layout: &'a Layout,
        basis: Basis,
        equations: &'a dyn Equations<f64>,
        excitation: &'a Excitation,
    ) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        for (k, slot) in layout.slots.iter().enumerate().filter(|(_, slot)| slot.column < layout.functions()) {
            let place = slot.kind as usize;
            let known = entries.iter_mut().find(|entry| entry.row == slot.row && entry.column == slot.column);
            let mut slots = [None; 3];
            if let Some(own) = slots.get_mut(place) {
                *own = Some(k);
            }
            match known {
                Some(entry) => {
                    entry.slots.iter_mut().zip(slots).for_each(|(own, new)| *own = own.or(new));
                }
                None => entries.push(Entry { row: slot.row, column: slot.column, slots, varies: false }),
            }
        }
        let factors = [None, None];
        Self { layout, basis, equations, excitation, entries, pattern: Vec::new(), factors }
    }

    /// Number of unknown coefficients.
    pub fn unknowns(&self) -> usize {
        self.layout.functions() * self.basis.width()
    }

    /// Returns the coefficients of an unknown function.
    pub fn coefficients<'c>(&self, all: &'c [f64], function: usize) -> &'c [f64] {
        let width = self.basis.width();
        all.get(function * width..(function + 1) * width).unwrap_or_default()
    }

    /// Evaluates the functions of time at all samples.
    pub fn samples(&self, motion: &Motion) -> Samples {
        let (width, n) = (self.basis.width(), self.layout.n);
        let zeros = || vec![0.0; self.basis.samples];
        let mut values = vec![zeros(); self.layout.drive_column() + 1];
        for (function, values) in values.iter_mut().enumerate() {
            self.basis.add_samples(self.coefficients(&motion.coefficients, function), values);
        }
        if self.layout.controlled.is_none()
            && let Some(drive) = values.last_mut()
        {
            let mean = self.excitation.inputs.get(self.layout.drive).copied().unwrap_or(0.0);
            let given = drive.iter_mut().zip(self.basis.cosine());
            given.for_each(|(drive, cosine)| *drive = mean + motion.amplitude * cosine);
        }
        let (mut rates, mut second_rates) = (vec![zeros(); n], vec![zeros(); n]);
        let (mut first, mut second) = (vec![0.0; width], vec![0.0; width]);
        for (function, (rates, second_rates)) in rates.iter_mut().zip(&mut second_rates).enumerate() {
            derivative(self.coefficients(&motion.coefficients, function), &mut first);
            derivative(&first, &mut second);
            self.basis.add_samples(&first, rates);
            self.basis.add_samples(&second, second_rates);
        }
        Samples { values, rates, second_rates }
    }

    /// Calls `each` with every sample's number, state and inputs.
    pub fn each_sample(&self, samples: &Samples, omega: f64, mut each: impl FnMut(usize, &StateVectors<f64>, &[f64])) {
        let Layout { n, m, drive, .. } = *self.layout;
        let mut state = StateVectors::zeros(n, m);
        let mut inputs = self.excitation.inputs.clone();
        let at = |of: &[Vec<f64>], k: usize, j: usize| of.get(k).and_then(|row| row.get(j)).copied().unwrap_or(0.0);
        for j in 0..self.basis.samples {
            let coordinates = state.coordinates.iter_mut().zip(&mut state.velocities);
            for (k, ((q, v), a)) in coordinates.zip(&mut state.accelerations).enumerate() {
                *q = at(&samples.values, k, j);
                *v = omega * at(&samples.rates, k, j);
                *a = omega * omega * at(&samples.second_rates, k, j);
            }
            for (k, lambda) in state.multipliers.iter_mut().enumerate() {
                *lambda = at(&samples.values, n + k, j);
            }
            if let Some(input) = inputs.get_mut(drive) {
                *input = at(&samples.values, n + m, j);
            }
            each(j, &state, &inputs);
        }
    }

    /// Evaluates residual and derivatives.
    pub fn evaluate(&self, motion: &Motion) -> Result<Evaluation, Fault> {
        let samples = self.samples(motion);
        let functions = self.layout.functions();
        let count = self.basis.samples;
        let mut residual = vec![vec![0.0; count]; functions];
        let mut slots = vec![vec![0.0; count]; self.layout.slots.len()];
        self.each_sample(&samples, motion.omega, |j, state, inputs| {
            self.residual_at(state, inputs, |row, value| add(&mut residual, row, j, value));
            self.slots_at(state, inputs, |slot, value| add(&mut slots, slot, j, value));
        });
        if !residual.iter().chain(&slots).flatten().all(|value| value.is_finite()) {
            return Err(Fault::NotFinite);
        }
        let (by_omega, by_amplitude) = self.by_excitation(motion, &samples, &slots);
        let mut residual = self.projected(&residual);
        if self.layout.controlled.is_some() {
            self.control(&mut residual, motion);
        }
        Ok(Evaluation { residual, by_omega, by_amplitude, slots })
    }

    /// Evaluates the residual at a state: (row, summand).
    fn residual_at(&self, state: &StateVectors<f64>, inputs: &[f64], mut add: impl FnMut(usize, f64)) {
        let Layout { description, n, m, .. } = *self.layout;
        let at = Instant { time: 0.0, state, inputs };
        let group = self.equations.group(Group::Residual, at);
        for (function, first) in [(Function::Inertia, 0), (Function::ForceResidual, 0), (Function::Constraint, n)] {
            let block = find(description.groups.residual, function, None);
            block.iter(&group).for_each(|(row, _, value)| add(first + row, value));
        }
        if let Some(controlled) = self.layout.controlled {
            let outputs = self.equations.group(Group::Outputs, at);
            let block = find(description.groups.outputs, Function::Output, None);
            let own = block.iter(&outputs).filter(|(output, _, _)| *output == controlled);
            own.for_each(|(_, _, value)| add(n + m, value));
        }
    }

    /// Evaluates the matrices at a state: (slot, summand).
    pub fn slots_at(&self, state: &StateVectors<f64>, inputs: &[f64], mut add: impl FnMut(usize, f64)) {
        let at = Instant { time: 0.0, state, inputs };
        let groups = [(Group::Linearization, &self.layout.linear), (Group::OutputDerivatives, &self.layout.output)];
        for (group, terms) in groups.into_iter().filter(|(_, terms)| !terms.is_empty()) {
            let group = self.equations.group(group, at);
            for term in terms {
                add(term.slot, term.sign * group.get(term.place).copied().unwrap_or(0.0));
            }
        }
    }

    /// Derivatives of the residual with respect to omega and to the amplitude.
    fn by_excitation(&self, motion: &Motion, samples: &Samples, slots: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
        let zeros = || vec![vec![0.0; self.basis.samples]; self.layout.functions()];
        let (mut by_omega, mut by_amplitude) = (zeros(), zeros());
        let is_given = self.layout.controlled.is_none();
        for (slot, values) in self.layout.slots.iter().zip(slots) {
            let (target, along, factor) = match slot.kind {
                Kind::Rate => (&mut by_omega, samples.rates.get(slot.column), 1.0),
                Kind::SecondRate => (&mut by_omega, samples.second_rates.get(slot.column), 2.0 * motion.omega),
                Kind::Value if is_given && slot.column == self.layout.drive_column() => {
                    let row = by_amplitude.get_mut(slot.row).into_iter().flatten();
                    let products = row.zip(values.iter().zip(self.basis.cosine()));
                    products.for_each(|(sum, (value, cosine))| *sum += value * cosine);
                    continue;
                }
                Kind::Value => continue,
            };
            let row = target.get_mut(slot.row).into_iter().flatten();
            let products = row.zip(values.iter().zip(along.into_iter().flatten()));
            products.for_each(|(sum, (value, along))| *sum += factor * value * along);
        }
        let (mut by_omega, mut by_amplitude) = (self.projected(&by_omega), self.projected(&by_amplitude));
        if !is_given {
            let first = self.layout.drive_column() * self.basis.width();
            if self.excitation.mean.is_none() {
                set(&mut by_omega, first, 0.0);
            }
            set(&mut by_amplitude, first + 1, -1.0);
        }
        (by_omega, by_amplitude)
    }

    /// Computes the coefficients of functions that are given by samples.
    pub fn projected(&self, samples: &[Vec<f64>]) -> Vec<f64> {
        let mut coefficients = vec![0.0; samples.len() * self.basis.width()];
        for (samples, coefficients) in samples.iter().zip(coefficients.chunks_exact_mut(self.basis.width())) {
            self.basis.project(samples, coefficients);
        }
        coefficients
    }

    /// Subtracts what the controlled output should be, or, where its mean is free, says what the mean of the drive is.
    fn control(&self, residual: &mut [f64], motion: &Motion) {
        let first = self.layout.drive_column() * self.basis.width();
        let mean = match self.excitation.mean {
            Some(mean) => residual.get(first).copied().unwrap_or(0.0) - mean,
            None => {
                let given = self.excitation.inputs.get(self.layout.drive).copied().unwrap_or(0.0);
                motion.coefficients.get(first).copied().unwrap_or(0.0) - given
            }
        };
        set(residual, first, mean);
        if let Some(cosine) = residual.get_mut(first + 1) {
            *cosine -= motion.amplitude;
        }
    }

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

fn add(rows: &mut [Vec<f64>], row: usize, column: usize, value: f64) {
    if let Some(sum) = rows.get_mut(row).and_then(|row| row.get_mut(column)) {
        *sum += value;
    }
}

fn set(values: &mut [f64], place: usize, value: f64) {
    if let Some(own) = values.get_mut(place) {
        *own = value;
    }
}
