//! The balance of harmonics: the residual of the Fourier coefficients, by samples of the equations over a period.
//!
//! ```text
//! r(t) = [M a + C_q^T lambda - f; C; s_c - s_given],   its coefficients up to harmonic H are zero
//! ```

use costate_contract::machine::Room;
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
pub(crate) struct Entry {
    pub row: usize,
    pub column: usize,
    pub slots: [Option<usize>; 3],
    pub varies: bool,
}

/// The equations of the coefficients.
pub(crate) struct Balance<'a> {
    pub layout: &'a Layout,
    pub basis: Basis,
    pub equations: &'a dyn Equations<f64>,
    pub excitation: &'a Excitation,
    pub entries: Vec<Entry>,
    pub pattern: Vec<(u32, u32)>,
    /// Factors of the Jacobian, and of the Jacobian with a row and column for the path.
    pub factors: [Option<SparseLu>; 2],
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
}

fn add(rows: &mut [Vec<f64>], row: usize, column: usize, value: f64) {
    if let Some(sum) = rows.get_mut(row).and_then(|row| row.get_mut(column)) {
        *sum += value;
    }
}

pub(crate) fn set(values: &mut [f64], place: usize, value: f64) {
    if let Some(own) = values.get_mut(place) {
        *own = value;
    }
}
