//! Frequency responses.

use std::f64::consts::TAU;

use nalgebra::{Complex, DMatrix};

use costate_contract::Quantity;
use costate_contract::units::conversion;
use costate_system::identifiers::{Input, Output};

use crate::error::VibrationError;
use crate::linear_model::LinearModel;

/// The complex response of an output to an input over frequency: the output is Re(response exp(i omega t)) for an input
/// of cos(omega t).
#[derive(Debug, Clone, PartialEq)]
pub struct FrequencyResponse {
    /// Frequencies in Hz.
    pub frequencies: Vec<f64>,
    /// The responses, one per frequency, in [`unit`](Self::unit).
    pub values: Vec<Complex<f64>>,
    /// The quantity above the bar of the quotient: an output, or an input of an inverse response.
    pub above: Quantity,
    /// The quantity below the bar.
    pub below: Quantity,
}

impl FrequencyResponse {
    /// Returns the unit, that of the output over that of the input.
    pub fn unit(&self) -> String {
        let below = self.below.unit;
        match (self.above.unit, below) {
            (above, "1") => above.to_owned(),
            (above, below) if above == below => "1".to_owned(),
            (above, below) if below.contains(['/', '*', '^']) => format!("{above}/({below})"),
            (above, below) => format!("{above}/{below}"),
        }
    }

    /// Returns the magnitudes.
    pub fn magnitudes(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.norm()).collect()
    }

    /// Returns the phases in degrees, without jumps from one frequency to the next; the first one is between -180 and
    /// 180.
    pub fn phases(&self) -> Vec<f64> {
        let mut turns = 0.0;
        let mut before: Option<f64> = None;
        let unwrapped = self.values.iter().map(|value| {
            let phase = value.arg().to_degrees();
            if let Some(before) = before {
                turns -= 360.0 * ((phase + turns - before) / 360.0).round();
            }
            before = Some(phase + turns);
            phase + turns
        });
        unwrapped.collect()
    }

    /// Returns the levels 20 lg(magnitude) in dB, of magnitudes in the unit of the response.
    pub fn decibels(&self) -> Vec<f64> {
        self.values.iter().map(|value| 20.0 * value.norm().log10()).collect()
    }

    /// Returns the quotient of this response and another one of the same input, such as a transmissibility.
    ///
    /// # Errors
    /// [`VibrationError::Frequency`] where the frequencies differ.
    pub fn over(&self, other: &Self) -> Result<Self, VibrationError> {
        let differs = |(one, other): (&f64, &f64)| one != other;
        let index = self.frequencies.iter().zip(&other.frequencies).position(differs);
        let lengths = (self.frequencies.len(), other.frequencies.len());
        if index.is_some() || lengths.0 != lengths.1 {
            let index = index.unwrap_or(lengths.0.min(lengths.1));
            let value = other.frequencies.get(index).copied().unwrap_or(f64::NAN);
            return Err(VibrationError::Frequency { index, value });
        }
        let values = self.values.iter().zip(&other.values).map(|(one, other)| one / other).collect();
        Ok(Self { values, below: other.above, ..self.clone() })
    }

    /// Returns the input over the output.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let values = self.values.iter().map(|value| value.inv()).collect();
        Self { frequencies: self.frequencies.clone(), values, above: self.below, below: self.above }
    }

    /// Returns the dynamic stiffness, a force over the displacement (or a torque over the angle) that belongs to it:
    /// the response itself if it is one, or its inverse.
    ///
    /// # Errors
    /// [`VibrationError::Units`].
    pub fn dynamic_stiffness(&self) -> Result<Self, VibrationError> {
        let is_stiffness = |response: &Self| {
            let unit = response.unit();
            ["N/m", "N*m/rad"].iter().any(|wanted| conversion(&unit, wanted).is_ok())
        };
        let inverse = self.inverse();
        match (is_stiffness(self), is_stiffness(&inverse)) {
            (true, _) => Ok(self.clone()),
            (false, true) => Ok(inverse),
            (false, false) => Err(VibrationError::Units {
                output: self.above.name,
                input: self.below.name,
                unit: self.unit(),
                quantity: "dynamic stiffness",
                output_unit: "m (or rad)",
                input_unit: "N (or N*m)",
            }),
        }
    }

    /// Returns the loss angles in degrees: the phases of a dynamic stiffness, between -180 and 180.
    pub fn loss_angles(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.arg().to_degrees()).collect()
    }

    /// Returns the loss factors, the imaginary over the real part of a dynamic stiffness.
    pub fn loss_factors(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.im / value.re).collect()
    }
}

/// Checks that frequencies are positive and increase.
pub(crate) fn check_frequencies(frequencies: &[f64]) -> Result<(), VibrationError> {
    if frequencies.is_empty() {
        return Err(VibrationError::Empty { what: "frequencies" });
    }
    let mut before = 0.0;
    for (index, &value) in frequencies.iter().enumerate() {
        if !(value > before && value.is_finite()) {
            return Err(VibrationError::Frequency { index, value });
        }
        before = value;
    }
    Ok(())
}

impl LinearModel {
    /// Computes the response of an output to an input at these frequencies in Hz.
    ///
    /// # Errors
    /// [`VibrationError::Frequency`], [`VibrationError::NoDirection`] for an input that acts on nothing,
    /// [`VibrationError::Resonance`], [`VibrationError::Reactions`], [`VibrationError::OtherModel`].
    pub fn frequency_response<M>(
        &self,
        frequencies: &[f64],
        input: Input<M>,
        output: Output<M>,
    ) -> Result<FrequencyResponse, VibrationError> {
        input.check_model(self.description())?;
        output.check_model(self.description())?;
        let mut all = self.frequency_responses(frequencies, &[input.index()], &[output.index()])?;
        all.pop().ok_or(VibrationError::Empty { what: "outputs" })
    }

    /// Computes the responses of outputs to inputs with these positions, one output after the other with all its
    /// inputs.
    ///
    /// # Errors
    /// As [`frequency_response`](Self::frequency_response); [`VibrationError::NoPosition`].
    pub fn frequency_responses(
        &self,
        frequencies: &[f64],
        inputs: &[usize],
        outputs: &[usize],
    ) -> Result<Vec<FrequencyResponse>, VibrationError> {
        self.responses_at(0.0, frequencies, inputs, outputs)
    }

    /// Computes [`frequency_responses`](Self::frequency_responses) at s = decay + 2 pi i f.
    pub(crate) fn responses_at(
        &self,
        decay: f64,
        frequencies: &[f64],
        inputs: &[usize],
        outputs: &[usize],
    ) -> Result<Vec<FrequencyResponse>, VibrationError> {
        check_frequencies(frequencies)?;
        let model = self.description();
        self.check_positions(inputs, outputs)?;
        self.check_reactions(outputs)?;
        for &input in inputs {
            let is_zero = |matrix: &DMatrix<f64>| matrix.column(input).iter().all(|entry| *entry == 0.0);
            if is_zero(&self.driven) && is_zero(&self.direct) {
                return Err(VibrationError::NoDirection { input: model.inputs[input].name, model: model.name });
            }
        }
        let mut values = vec![Vec::with_capacity(frequencies.len()); outputs.len() * inputs.len()];
        let driven = self.driven.select_columns(inputs).map(|entry| Complex::new(entry, 0.0));
        for &frequency in frequencies {
            let s = Complex::new(decay, TAU * frequency);
            let solved = self.solve(s, driven.clone()).ok_or(VibrationError::Resonance { frequency })?;
            let observed = self.observed_at(s).select_rows(outputs) * solved;
            for (row, &output) in outputs.iter().enumerate() {
                for (column, &input) in inputs.iter().enumerate() {
                    let value = observed[(row, column)] + self.direct[(output, input)];
                    values[row * inputs.len() + column].push(value);
                }
            }
        }
        let pairs = outputs.iter().flat_map(|&output| inputs.iter().map(move |&input| (output, input)));
        let response = |((output, input), values): ((usize, usize), Vec<Complex<f64>>)| FrequencyResponse {
            frequencies: frequencies.to_vec(),
            values,
            above: model.outputs[output],
            below: model.inputs[input],
        };
        Ok(pairs.zip(values).map(response).collect())
    }

    /// Solves (s^2 M + s D + K) y = right; `None` at a pole.
    pub(crate) fn solve(&self, s: Complex<f64>, right: DMatrix<Complex<f64>>) -> Option<DMatrix<Complex<f64>>> {
        if right.is_empty() {
            return Some(right);
        }
        let stiffness = self.minimal.dynamic_stiffness(s);
        let terms = self.largest_terms(s);
        let factors = stiffness.lu();
        // a pivot that is rounding of the terms of its row is zero
        let pivots = factors.u().diagonal();
        let smallest = pivots.iter().map(|pivot| pivot.norm()).fold(f64::INFINITY, f64::min);
        if smallest.is_nan() || smallest <= 1e-14 * terms {
            return None;
        }
        factors.solve(&right)
    }

    /// The smallest over all rows of the largest term of a row of s^2 M + s D + K.
    fn largest_terms(&self, s: Complex<f64>) -> f64 {
        let (minimal, size) = (&self.minimal, s.norm());
        let row = |k: usize| {
            let entry = |j: usize| {
                let at = (k, j);
                (size * size * minimal.mass[at].abs())
                    .max(size * minimal.damping[at].abs())
                    .max(minimal.stiffness[at].abs())
            };
            (0..minimal.mass.ncols()).map(entry).fold(0.0, f64::max)
        };
        (0..minimal.mass.nrows()).map(row).fold(f64::INFINITY, f64::min)
    }
}
