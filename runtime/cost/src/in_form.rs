//! Predictions of complex numbers in the form in which they are compared.

use std::sync::Arc;

use costate_system::prediction::{Part, PredictedGroup, Prediction, PredictionError};
use nalgebra::DMatrix;

use crate::complex_form::ComplexForm;

/// Complex numbers that do not have a form.
///
/// `index` is counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum ComplexFormError {
    /// A prediction without complex numbers.
    #[error(
        "the prediction `{prediction}` has no group of real parts, so that no complex number has a form; compare it as \
         it is"
    )]
    NotComplex { prediction: String },
    /// Real parts without their imaginary parts, or the reverse.
    #[error(
        "the group `{group}` of the prediction `{prediction}` must stand beside that of the other parts of its \
         numbers, real parts first, with the same unit and abscissa"
    )]
    Unpaired { prediction: String, group: String },
    /// A prediction that returns another number of values or derivatives than its groups have.
    #[error(
        "{found} numbers or derivatives are returned, and the groups have {expected}; this is a mistake of the \
         prediction"
    )]
    Count { found: usize, expected: usize },
    /// A predicted number that is zero.
    #[error(
        "number {index} of `{curve}`, counted from 0, is 0, which has neither a level nor an angle; compare real and \
         imaginary parts"
    )]
    Zero { curve: String, index: usize },
}

/// Complex numbers of a prediction, by the name that their groups have in common.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PredictedCurve {
    /// The name without `: real part`; empty where the groups have no name of their own.
    pub name: String,
    /// Unit of the complex numbers.
    pub unit: String,
    /// Names of the groups in the form, in its order.
    pub groups: Vec<String>,
    /// Decay in 1/s at which responses are predicted, see [`PredictedGroup::added_decay`].
    pub added_decay: f64,
    /// Index of the first real part; the imaginary parts follow the real ones.
    first: usize,
    count: usize,
}

/// A prediction whose complex numbers are given in a form, and all other numbers as they are.
///
/// Real and imaginary parts, `curve: real part` and `curve: imaginary part`, become groups such as `curve: magnitude`
/// and `curve: phase`. Levels in decibels are in the group `curve: level`.
#[derive(Debug, Clone)]
pub struct InForm {
    prediction: Arc<dyn Prediction>,
    form: ComplexForm,
    groups: Vec<PredictedGroup>,
    curves: Vec<PredictedCurve>,
    /// The origins of the numbers, in their order.
    sources: Vec<Source>,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    /// Numbers of the prediction from this index on, as they are.
    Same { first: usize, count: usize },
    /// The complex numbers of a curve, by its index.
    Curve(usize),
}

impl InForm {
    /// Gives the complex numbers of a prediction this form.
    ///
    /// # Errors
    /// [`ComplexFormError::NotComplex`], [`ComplexFormError::Unpaired`].
    pub fn new(prediction: impl Prediction + 'static, form: ComplexForm) -> Result<Self, ComplexFormError> {
        let prediction: Arc<dyn Prediction> = Arc::new(prediction);
        let (mut groups, mut curves, mut sources, mut first) = (Vec::new(), Vec::new(), Vec::new(), 0);
        let mut rest = prediction.groups().iter().peekable();
        while let Some(group) = rest.next() {
            let count = group.places.len();
            let unpaired = || {
                let (prediction, group) = (prediction.name().to_owned(), group.name.clone());
                ComplexFormError::Unpaired { prediction, group }
            };
            match group.part {
                Part::Real => {
                    let is_other = |other: &&PredictedGroup| {
                        other.part == Part::Imaginary
                            && other.unit == group.unit
                            && other.added_decay == group.added_decay
                            && other.places == group.places
                    };
                    rest.next_if(is_other).ok_or_else(unpaired)?;
                    let curve = curve(group, form, first);
                    groups.extend(groups_of(group, form, &curve));
                    sources.push(Source::Curve(curves.len()));
                    curves.push(curve);
                    first += 2 * count;
                }
                Part::Imaginary => return Err(unpaired()),
                _ => {
                    groups.push(group.clone());
                    sources.push(Source::Same { first, count });
                    first += count;
                }
            }
        }
        if curves.is_empty() {
            return Err(ComplexFormError::NotComplex { prediction: prediction.name().to_owned() });
        }
        Ok(Self { prediction, form, groups, curves, sources })
    }

    /// Returns the form.
    pub fn form(&self) -> ComplexForm {
        self.form
    }

    /// Returns the complex numbers, in their order.
    pub fn curves(&self) -> &[PredictedCurve] {
        &self.curves
    }

    /// Returns the numbers in the form, and their derivatives, of those of the prediction.
    fn formed(
        &self,
        values: Vec<f64>,
        derivatives: &DMatrix<f64>,
    ) -> Result<(Vec<f64>, DMatrix<f64>), PredictionError> {
        let expected: usize = self.prediction.groups().iter().map(|group| group.places.len()).sum();
        let has_derivatives = derivatives.ncols() > 0;
        if values.len() != expected || has_derivatives && derivatives.nrows() != expected {
            let found = if values.len() == expected { derivatives.nrows() } else { values.len() };
            return Err(PredictionError::anywhere(ComplexFormError::Count { found, expected }));
        }
        let mut formed = Vec::with_capacity(values.len());
        let mut rows: Vec<(usize, f64, usize, f64)> = Vec::with_capacity(values.len());
        for source in &self.sources {
            match *source {
                Source::Same { first, count } => {
                    formed.extend(values.iter().skip(first).take(count));
                    rows.extend((first..first + count).map(|row| (row, 1.0, row, 0.0)));
                }
                Source::Curve(index) => {
                    let Some(curve) = self.curves.get(index) else { continue };
                    let parts = values.iter().skip(curve.first).take(2 * curve.count);
                    let parts: Vec<f64> = parts.copied().collect();
                    let (real, imaginary) = parts.split_at(curve.count.min(parts.len()));
                    let mut numbers = Vec::with_capacity(curve.count);
                    for (index, (&real, &imaginary)) in real.iter().zip(imaginary).enumerate() {
                        let both = [real, imaginary];
                        let zero = || {
                            let curve = curve.name.clone();
                            PredictionError::here(ComplexFormError::Zero { curve, index })
                        };
                        let values = self.form.values(both).ok_or_else(zero)?;
                        numbers.push((values, self.form.derivatives(both).ok_or_else(zero)?));
                    }
                    for number in 0..curve.groups.len() {
                        for (place, (values, slopes)) in numbers.iter().enumerate() {
                            let [by_real, by_imaginary] = slopes.get(number).copied().unwrap_or([f64::NAN; 2]);
                            formed.push(values.get(number).copied().unwrap_or(f64::NAN));
                            let row = curve.first + place;
                            rows.push((row, by_real, row + curve.count, by_imaginary));
                        }
                    }
                }
            }
        }
        let by_form = match has_derivatives {
            false => DMatrix::zeros(rows.len(), 0),
            true => DMatrix::from_fn(rows.len(), derivatives.ncols(), |row, column| {
                let (a, by_a, b, by_b) = rows[row];
                by_a * derivatives[(a, column)] + by_b * derivatives[(b, column)]
            }),
        };
        Ok((formed, by_form))
    }
}

impl Prediction for InForm {
    fn name(&self) -> &str {
        self.prediction.name()
    }

    fn model(&self) -> &str {
        self.prediction.model()
    }

    fn groups(&self) -> &[PredictedGroup] {
        &self.groups
    }

    fn values(&self, parameters: &[f64]) -> Result<Vec<f64>, PredictionError> {
        let values = self.prediction.values(parameters)?;
        Ok(self.formed(values, &DMatrix::zeros(0, 0))?.0)
    }

    fn derivatives(&self, parameters: &[f64], unknown: &[usize]) -> Result<(Vec<f64>, DMatrix<f64>), PredictionError> {
        let (values, derivatives) = self.prediction.derivatives(parameters, unknown)?;
        self.formed(values, &derivatives)
    }
}

/// Returns the complex numbers whose real parts begin at the index `first`.
fn curve(real: &PredictedGroup, form: ComplexForm, first: usize) -> PredictedCurve {
    let name = real.name.strip_suffix("real part").unwrap_or(&real.name).trim_end();
    let name = name.strip_suffix(':').unwrap_or(name).trim_end().to_owned();
    let groups = form.numbers().iter().map(|number| match name.is_empty() {
        true => number.name().to_owned(),
        false => format!("{name}: {}", number.name()),
    });
    let (groups, unit, added_decay) = (groups.collect(), real.unit.clone(), real.added_decay);
    PredictedCurve { name, unit, groups, added_decay, first, count: real.places.len() }
}

/// Returns the groups of complex numbers in a form.
fn groups_of(real: &PredictedGroup, form: ComplexForm, curve: &PredictedCurve) -> Vec<PredictedGroup> {
    let numbers = form.numbers().iter().zip(&curve.groups);
    let group = |(number, name): (&crate::complex_form::FormNumber, &String)| {
        let abscissa = (real.abscissa.as_str(), real.abscissa_unit.as_str());
        PredictedGroup::new(name, number.unit(&real.unit), abscissa, real.places.clone())
            .part(number.part())
            .added_decay(real.added_decay)
    };
    numbers.map(group).collect()
}
