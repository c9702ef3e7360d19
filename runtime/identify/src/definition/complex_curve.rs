//! A measured complex curve, such as a frequency response, as the numbers that are compared with a prediction.

use costate_contract::units::Purpose;
use costate_cost::{InForm, PredictedCurve};
use costate_measure::record::FrequencyResponse;

use super::error::{CurveError, NumbersError};
use super::predicted::MeasuredNumbers;
use crate::thresholds::ROUNDING_OF_DECIMALS;

/// A measured complex curve over an abscissa, such as a frequency response with its coherence.
///
/// ```text
/// let predicted = InForm::new(response, ComplexForm::DecibelsAndPhase)?;
/// let measured = ComplexCurve::new(frequencies, real, imaginary).unit("N/mm").coherence(coherence, 30.0);
/// identification.predicted(predicted.clone(), measured.numbers(&predicted, "dynamic stiffness")?)
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ComplexCurve {
    places: Vec<f64>,
    abscissa_unit: String,
    values: Vec<[f64; 2]>,
    has_phase: bool,
    unit: Option<String>,
    errors: CurveErrors,
    source: String,
    are_independent: bool,
    /// Real part of s in 1/s at which the curve was measured.
    added_decay: f64,
    /// The first fault of what was given, which [`numbers`](Self::numbers) returns.
    fault: Option<CurveError>,
}

#[derive(Debug, Clone, PartialEq)]
enum CurveErrors {
    Estimated,
    /// Standard deviations of real and of imaginary part.
    Deviations(Vec<f64>),
    /// Coherence, and the number of averages if it is known.
    Coherence(Vec<f64>, Option<f64>),
}

impl ComplexCurve {
    /// Creates a curve of real and imaginary parts over frequencies in Hz.
    pub fn new(frequencies: impl Into<Vec<f64>>, real: impl Into<Vec<f64>>, imaginary: impl Into<Vec<f64>>) -> Self {
        let (real, imaginary) = (real.into(), imaginary.into());
        Self::of(frequencies.into(), (&real, &imaginary), true, |real, imaginary| [real, imaginary])
    }

    /// Creates a curve of magnitudes and angles in rad over frequencies in Hz.
    pub fn of_magnitude_and_phase(
        frequencies: impl Into<Vec<f64>>,
        magnitudes: impl Into<Vec<f64>>,
        phases: impl Into<Vec<f64>>,
    ) -> Self {
        let (magnitudes, phases) = (magnitudes.into(), phases.into());
        let mut curve = Self::of(frequencies.into(), (&magnitudes, &phases), true, polar);
        curve.check_magnitudes(&magnitudes);
        curve
    }

    /// Creates a curve of levels 20 log10 |H| in decibels, relative to 1 in its unit, and angles in rad over
    /// frequencies in Hz.
    pub fn of_decibels_and_phase(
        frequencies: impl Into<Vec<f64>>,
        levels: impl Into<Vec<f64>>,
        phases: impl Into<Vec<f64>>,
    ) -> Self {
        let (levels, phases) = (levels.into(), phases.into());
        Self::of(frequencies.into(), (&levels, &phases), true, |level, phase| polar(10f64.powf(level / 20.0), phase))
    }

    /// Creates a curve of magnitudes over frequencies in Hz, whose angles were not measured.
    pub fn of_magnitude(frequencies: impl Into<Vec<f64>>, magnitudes: impl Into<Vec<f64>>) -> Self {
        let magnitudes = magnitudes.into();
        let phases = vec![0.0; magnitudes.len()];
        let mut curve = Self::of(frequencies.into(), (&magnitudes, &phases), false, polar);
        curve.check_magnitudes(&magnitudes);
        curve
    }

    /// Creates the curve of a measured response with its unit, its name as the source, and its variances, or else its
    /// coherence.
    ///
    /// A response with an [added decay](FrequencyResponse::added_decay) is compared only with one that is predicted
    /// with the same decay. Lines after a window depend on their neighbours, which a response does not tell: say
    /// [`dependent`](Self::dependent) there.
    pub fn of_response(response: &FrequencyResponse) -> Self {
        let (frequencies, real, imaginary) = (&response.frequencies, &response.real, &response.imaginary);
        let mut curve = Self::new(frequencies.clone(), real.clone(), imaginary.clone()).source(&response.name);
        curve.unit = match (response.unit.as_deref(), response.reference_unit.as_deref()) {
            (None, None) => None,
            (unit, None) => unit.map(str::to_owned),
            (unit, Some(reference)) => Some(format!("({})/({reference})", unit.unwrap_or("1"))),
        };
        curve.errors = match (response.deviations(), &response.coherence, response.averages) {
            (Some(deviations), ..) => CurveErrors::Deviations(deviations),
            (None, Some(coherence), averages) => CurveErrors::Coherence(coherence.clone(), averages),
            (None, None, _) => CurveErrors::Estimated,
        };
        curve.added_decay = response.added_decay;
        curve
    }

    fn of(
        places: Vec<f64>,
        (first, second): (&[f64], &[f64]),
        has_phase: bool,
        value: impl Fn(f64, f64) -> [f64; 2],
    ) -> Self {
        let needed = places.len();
        let wrong = [first.len(), second.len()].into_iter().find(|given| *given != needed);
        let fault = wrong.map(|given| NumbersError::Count { what: "values", given, needed }.into());
        Self {
            values: first.iter().zip(second).map(|(a, b)| value(*a, *b)).collect(),
            places,
            abscissa_unit: "Hz".to_owned(),
            has_phase,
            unit: None,
            errors: CurveErrors::Estimated,
            source: String::new(),
            are_independent: true,
            added_decay: 0.0,
            fault,
        }
    }

    fn check_magnitudes(&mut self, magnitudes: &[f64]) {
        let wrong = magnitudes.iter().enumerate().find(|(_, magnitude)| **magnitude < 0.0);
        let fault = wrong.map(|(index, &value)| CurveError::Magnitude { index, value });
        self.fault = self.fault.take().or(fault);
    }

    /// Sets the unit of the numbers, from which they are converted; by default that of the prediction.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// Sets the unit of the abscissa, which is Hz by default.
    #[must_use]
    pub fn over(mut self, unit: impl Into<String>) -> Self {
        self.abscissa_unit = unit.into();
        self
    }

    /// Sets the standard deviations of both real and imaginary part of each number, in the unit of the curve.
    #[must_use]
    pub fn deviations(mut self, deviations: impl Into<Vec<f64>>) -> Self {
        self.errors = CurveErrors::Deviations(deviations.into());
        self
    }

    /// Sets the variances of the complex numbers, the expected squares of the magnitudes of their errors, of which real
    /// and imaginary part have one half each.
    #[must_use]
    pub fn variances(self, variances: impl Into<Vec<f64>>) -> Self {
        self.deviations(variances.into().into_iter().map(|variance| (0.5 * variance).sqrt()).collect::<Vec<_>>())
    }

    /// Sets the coherence gamma^2 of each number, a frequency response that was averaged over so many independent
    /// segments: real and imaginary part have the standard deviation |H| sqrt((1 - gamma^2)/(2 n gamma^2)) (Bendat,
    /// Piersol, Random Data, 4th ed., section 9.2.4).
    #[must_use]
    pub fn coherence(mut self, coherence: impl Into<Vec<f64>>, averages: f64) -> Self {
        self.errors = CurveErrors::Coherence(coherence.into(), Some(averages));
        self
    }

    /// Sets the coherence gamma^2 of each number where the number of averages is not known: a factor of all deviations
    /// follows from the residuals.
    #[must_use]
    pub fn relative_coherence(mut self, coherence: impl Into<Vec<f64>>) -> Self {
        self.errors = CurveErrors::Coherence(coherence.into(), None);
        self
    }

    /// Names what the curve comes from, such as a file.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = source.into();
        self
    }

    /// Says that errors of neighbouring numbers depend on each other, see [`MeasuredNumbers::dependent`].
    #[must_use]
    pub fn dependent(mut self) -> Self {
        self.are_independent = false;
        self
    }

    /// Returns the numbers that are compared with those of the `curve` of this name, in the form of the prediction.
    ///
    /// # Errors
    /// [`CurveError`].
    pub fn numbers(&self, prediction: &InForm, curve: &str) -> Result<Vec<MeasuredNumbers>, CurveError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let names = || prediction.curves().iter().map(|curve| format!("`{}`", curve.name)).collect();
        let is_it = |one: &&PredictedCurve| one.name == curve;
        let unknown = || CurveError::UnknownCurve { curve: curve.to_owned(), curves: names() };
        let predicted = prediction.curves().iter().find(is_it).ok_or_else(unknown)?;
        let form = prediction.form();
        if form.needs_phase() && !self.has_phase {
            return Err(CurveError::NoPhase { curve: curve.to_owned(), form });
        }
        let (measured, expected) = (self.added_decay, predicted.added_decay);
        let differs = (measured - expected).abs() > ROUNDING_OF_DECIMALS * measured.abs().max(expected.abs());
        if differs || !measured.is_finite() {
            let curve = curve.to_owned();
            return Err(CurveError::AddedDecay { curve, measured, predicted: expected });
        }
        let factor = self.factor(predicted)?;
        let mut columns = vec![(Vec::new(), Vec::new()); predicted.groups.len()];
        let deviations = self.deviations_of_parts()?;
        for (index, [real, imaginary]) in self.values.iter().enumerate() {
            let value = [factor * real, factor * imaginary];
            if let Some(&wrong) = value.iter().find(|part| !part.is_finite()) {
                return Err(NumbersError::NotFinite { index, value: wrong }.into());
            }
            let zero = || CurveError::Zero { index };
            let numbers = form.values(value).ok_or_else(zero)?;
            columns.iter_mut().zip(numbers).for_each(|(column, number)| column.0.push(number));
            if let Some(deviations) = &deviations {
                let deviation = deviations.get(index).map_or(f64::NAN, |deviation| factor * deviation);
                let of_form = form.deviations(value, [deviation; 2]).ok_or_else(zero)?;
                columns.iter_mut().zip(of_form).for_each(|(column, deviation)| column.1.push(deviation));
            }
        }
        let measured = |(group, (values, deviations)): (&String, (Vec<f64>, Vec<f64>))| {
            let mut measured =
                MeasuredNumbers::new(group, values).over(self.places.clone(), &self.abscissa_unit).source(&self.source);
            measured.heading = self.unit.clone();
            let measured = match &self.errors {
                CurveErrors::Estimated => measured,
                CurveErrors::Coherence(_, None) => measured.relative_deviations(deviations),
                _ => measured.deviations(deviations),
            };
            if self.are_independent { measured } else { measured.dependent() }
        };
        Ok(predicted.groups.iter().zip(columns).map(measured).collect())
    }

    /// Returns the factor from the unit of the curve to that of the prediction.
    fn factor(&self, predicted: &PredictedCurve) -> Result<f64, CurveError> {
        let Some(unit) = self.unit.as_deref().filter(|unit| unit.trim() != predicted.unit.trim()) else {
            return Ok(1.0);
        };
        let quantity = format!("the prediction `{}`", predicted.name);
        let purpose = Purpose {
            origin: "the measured curve",
            column: &predicted.name,
            quantity: &quantity,
            wanted: &predicted.unit,
        };
        Ok(purpose.conversion(unit).map_err(NumbersError::from)?.apply(1.0))
    }

    /// Returns the standard deviations of real and imaginary parts, up to a common factor where only the coherence is
    /// known.
    fn deviations_of_parts(&self) -> Result<Option<Vec<f64>>, CurveError> {
        let needed = self.places.len();
        let check = |what, given: usize| match given == needed {
            true => Ok(()),
            false => Err(NumbersError::Count { what, given, needed }),
        };
        match &self.errors {
            CurveErrors::Estimated => Ok(None),
            CurveErrors::Deviations(deviations) => {
                check("standard deviations", deviations.len())?;
                Ok(Some(deviations.clone()))
            }
            CurveErrors::Coherence(coherence, averages) => {
                check("coherences", coherence.len())?;
                let averages = averages.unwrap_or(1.0);
                if !(averages >= 1.0 && averages.is_finite()) {
                    return Err(CurveError::Averages { averages });
                }
                let mut all = Vec::with_capacity(needed);
                for (index, (&coherence, [real, imaginary])) in coherence.iter().zip(&self.values).enumerate() {
                    if !(coherence > 0.0 && coherence < 1.0) {
                        return Err(CurveError::Coherence { index, coherence });
                    }
                    let relative = ((1.0 - coherence) / (2.0 * averages * coherence)).sqrt();
                    all.push(real.hypot(*imaginary) * relative);
                }
                Ok(Some(all))
            }
        }
    }
}

fn polar(magnitude: f64, phase: f64) -> [f64; 2] {
    [magnitude * phase.cos(), magnitude * phase.sin()]
}
