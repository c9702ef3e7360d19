//! Predictions of the oscillator in closed form.

use std::f64::consts::TAU;

use costate::identify::{Part, PredictedGroup, Prediction, PredictionError};
use costate::model::Model;
use costate_numerics::scalar::{Dual, Scalar};
use nalgebra::DMatrix;

use super::Oscillator;

/// Numbers of the oscillator that are computed by this function of all parameters.
pub trait Formula: std::fmt::Debug + Send + Sync {
    fn numbers<S: Scalar>(&self, parameters: &[S]) -> Vec<S>;
}

#[derive(Debug, Clone)]
pub struct ClosedForm<F> {
    pub name: String,
    pub groups: Vec<PredictedGroup>,
    pub formula: F,
    /// Stiffness above which nothing is predicted.
    pub limit: f64,
    /// Name of the model.
    pub of_model: &'static str,
}

/// There is no equilibrium.
#[derive(Debug, thiserror::Error)]
#[error("there is no equilibrium at a stiffness of {0} N/m")]
pub struct NoEquilibrium(f64);

impl<F: Formula> Prediction for ClosedForm<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn model(&self) -> &str {
        self.of_model
    }

    fn groups(&self) -> &[PredictedGroup] {
        &self.groups
    }

    fn values(&self, parameters: &[f64]) -> Result<Vec<f64>, PredictionError> {
        match parameters[1] > self.limit {
            true => Err(PredictionError::here(NoEquilibrium(parameters[1]))),
            false => Ok(self.formula.numbers(parameters)),
        }
    }

    fn derivatives(&self, parameters: &[f64], unknown: &[usize]) -> Result<(Vec<f64>, DMatrix<f64>), PredictionError> {
        let values = self.values(parameters)?;
        let mut derivatives = DMatrix::zeros(values.len(), unknown.len());
        for (column, &index) in unknown.iter().enumerate() {
            let mut seeded: Vec<Dual> = parameters.iter().map(|value| Dual::constant(*value)).collect();
            seeded[index].derivative = 1.0;
            for (row, number) in self.formula.numbers(&seeded).iter().enumerate() {
                derivatives[(row, column)] = number.derivative;
            }
        }
        Ok((values, derivatives))
    }
}

fn form<F>(name: &str, groups: Vec<PredictedGroup>, formula: F) -> ClosedForm<F> {
    ClosedForm {
        name: name.to_owned(),
        groups,
        formula,
        limit: f64::INFINITY,
        of_model: Oscillator::description().name,
    }
}

/// Natural frequency in Hz and damping ratio.
#[derive(Debug, Clone)]
pub struct Modes;

impl Formula for Modes {
    fn numbers<S: Scalar>(&self, p: &[S]) -> Vec<S> {
        let (m, c, d) = (p[0], p[1], p[3]);
        vec![(c / m).sqrt() / TAU, d / ((c * m).sqrt() * 2.0)]
    }
}

pub fn modes() -> ClosedForm<Modes> {
    let group = |name, unit| PredictedGroup::new(name, unit, ("mode", "1"), vec![1.0]);
    form("modes", vec![group("natural frequency", "Hz"), group("damping ratio", "1")], Modes)
}

/// Displacement by a harmonic force in m/N, at these frequencies in Hz: real parts, and then imaginary parts.
#[derive(Debug, Clone)]
pub struct Receptance(pub Vec<f64>);

impl Formula for Receptance {
    fn numbers<S: Scalar>(&self, p: &[S]) -> Vec<S> {
        let (m, c, d) = (p[0], p[1], p[3]);
        let parts = |f: &f64| {
            let omega = TAU * f;
            let (real, imaginary) = (c - m * (omega * omega), d * omega);
            let square = real * real + imaginary * imaginary;
            (real / square, S::constant(0.0) - imaginary / square)
        };
        let (real, imaginary): (Vec<S>, Vec<S>) = self.0.iter().map(parts).unzip();
        [real, imaginary].concat()
    }
}

pub fn receptance(frequencies: &[f64]) -> ClosedForm<Receptance> {
    let group = |name| PredictedGroup::new(name, "m/N", ("frequency", "Hz"), frequencies.to_vec());
    let groups = vec![group("real part").part(Part::Real), group("imaginary part").part(Part::Imaginary)];
    form("receptance", groups, Receptance(frequencies.to_vec()))
}

/// Phase of the displacement behind a force, as a lag in rad that goes beyond pi by whole turns at these frequencies in
/// Hz.
#[derive(Debug, Clone)]
pub struct Phase(pub Vec<f64>);

impl Formula for Phase {
    fn numbers<S: Scalar>(&self, p: &[S]) -> Vec<S> {
        let (m, c, d) = (p[0], p[1], p[3]);
        let phase = |f: &f64| {
            let omega = TAU * f;
            (S::constant(0.0) - d * omega).atan2(c - m * (omega * omega))
        };
        self.0.iter().map(phase).collect()
    }
}

pub fn phase(frequencies: &[f64]) -> ClosedForm<Phase> {
    let group = PredictedGroup::new("phase", "rad", ("frequency", "Hz"), frequencies.to_vec()).part(Part::Angle);
    form("phase", vec![group], Phase(frequencies.to_vec()))
}

/// Dynamic stiffness in N/m of the spring at these amplitudes in m, by its first harmonic.
#[derive(Debug, Clone)]
pub struct Stiffness(pub Vec<f64>);

impl Formula for Stiffness {
    fn numbers<S: Scalar>(&self, p: &[S]) -> Vec<S> {
        self.0.iter().map(|a| p[1] + p[2] * (0.75 * a * a)).collect()
    }
}

pub fn stiffness(amplitudes: &[f64]) -> ClosedForm<Stiffness> {
    let group = PredictedGroup::new("dynamic stiffness", "N/m", ("amplitude", "m"), amplitudes.to_vec());
    form("dynamic stiffness", vec![group], Stiffness(amplitudes.to_vec()))
}
