//! Combinations of parameters that an experiment does not determine, or hardly.

use std::fmt;
use std::marker::PhantomData;

use costate_system::identifiers::Dynamic;

use super::parameters::InformedParameter;

/// A combination of relative changes of parameters: sum_k c_k dp_k/s_k with the scales s_k of the parameters.
///
/// [`Display`](fmt::Display) prints it by name: `0.71 k1 - 0.70 k2`.
#[derive(Debug, Clone, PartialEq)]
pub struct Combination<M = Dynamic> {
    parameters: Vec<InformedParameter>,
    coefficients: Vec<f64>,
    standard_deviation: f64,
    model: PhantomData<fn() -> M>,
}

impl Combination {
    /// With the coefficients scaled to a norm of 1.
    pub(super) fn new(parameters: &[InformedParameter], mut coefficients: Vec<f64>, standard_deviation: f64) -> Self {
        let largest = coefficients.iter().fold(0.0_f64, |most, c| if c.abs() > most.abs() { *c } else { most });
        let norm = coefficients.iter().map(|c| (c / largest).powi(2)).sum::<f64>().sqrt() * largest;
        if norm.is_normal() {
            coefficients.iter_mut().for_each(|c| *c /= norm);
        }
        Self { parameters: parameters.to_vec(), coefficients, standard_deviation, model: PhantomData }
    }

    /// With the type of the model.
    pub(super) fn tagged<N>(self) -> Combination<N> {
        let Self { parameters, coefficients, standard_deviation, .. } = self;
        Combination { parameters, coefficients, standard_deviation, model: PhantomData }
    }
}

impl<M> Combination<M> {
    /// One coefficient c_k per unknown parameter, with a norm of 1; the largest one is positive.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Standard deviation to expect of the combination; infinite if it is not determined.
    pub fn standard_deviation(&self) -> f64 {
        self.standard_deviation
    }
}

impl<M> fmt::Display for Combination<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_sum(f, &self.coefficients, &self.parameters)
    }
}

fn write_sum(f: &mut fmt::Formatter<'_>, coefficients: &[f64], parameters: &[InformedParameter]) -> fmt::Result {
    /// Coefficients below this are left out when a combination is printed.
    const MIN_SHOWN: f64 = 0.005;
    let mut first = true;
    for (coefficient, known) in coefficients.iter().zip(parameters) {
        if coefficient.abs() < MIN_SHOWN {
            continue;
        }
        let sign = match (first, *coefficient < 0.0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        write!(f, "{sign}{:.2} {}", coefficient.abs(), known.name())?;
        first = false;
    }
    Ok(())
}
