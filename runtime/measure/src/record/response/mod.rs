//! Frequency responses as data: measured ones of files, and those that are computed from records.

mod error;
mod kind;
mod read;
#[cfg(test)]
mod tests;
mod words;
mod write;

use crate::formats::Dof;

pub use error::ResponseError;
pub use kind::ResponseKind;
#[cfg(feature = "uff")]
pub use write::write_responses_uff;

/// A frequency response of one quantity to another, with its coherence and its variances where they are known.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FrequencyResponse {
    /// Description in the file, or the channels, as in `acceleration / force`.
    pub name: String,
    /// Degree of freedom of the response, the numerator.
    pub response: Dof,
    /// Degree of freedom of the reference, the denominator.
    pub reference: Dof,
    /// Frequencies in Hz, increasing.
    pub frequencies: Vec<f64>,
    /// Real parts, one per frequency, in units of the response per units of the reference.
    pub real: Vec<f64>,
    /// Imaginary parts, one per frequency.
    pub imaginary: Vec<f64>,
    /// Coherence, between 0 and 1, one per frequency: of several inputs the partial coherence with this one. `None`
    /// where it is not known.
    pub coherence: Option<Vec<f64>>,
    /// Variance of the real part, one per frequency, which is that of the imaginary part as well; both errors are
    /// independent. `None` where it is not known.
    pub variances: Option<Vec<f64>>,
    /// Number of independent averages of coherence and variances, less one for each other input.
    pub averages: Option<f64>,
    /// Decay `d` in 1/s that an exponential window has added: the response is that at `s = d + 2 pi i f`, and 0 without
    /// such a window.
    pub added_decay: f64,
    /// Unit of the response, as the file writes it.
    pub unit: Option<String>,
    /// Unit of the reference, as the file writes it.
    pub reference_unit: Option<String>,
    /// Remaining texts of the file, such as the date.
    pub comment: Option<String>,
    /// Sentences about what the numbers may not show.
    pub notes: Vec<String>,
}

impl FrequencyResponse {
    /// Makes a response of frequencies in Hz and as many real and imaginary parts.
    ///
    /// ```
    /// # use costate_measure::record::FrequencyResponse;
    /// let (real, imaginary) = (vec![1.0, 2.0], vec![0.0, -1.0]);
    /// let response = FrequencyResponse::new("tip", vec![10.0, 20.0], real, imaginary)?.in_units("m/s^2", "N");
    /// assert_eq!(response.magnitudes()[0], 1.0);
    /// # Ok::<(), costate_measure::record::ResponseError>(())
    /// ```
    ///
    /// # Errors
    /// [`ResponseError::Frequency`] for frequencies that are negative, not finite or do not increase;
    /// [`ResponseError::Length`], [`ResponseError::Value`].
    pub fn new(
        name: impl Into<String>,
        frequencies: Vec<f64>,
        real: Vec<f64>,
        imaginary: Vec<f64>,
    ) -> Result<Self, ResponseError> {
        let name = name.into();
        let mut before = None;
        for (index, &frequency) in frequencies.iter().enumerate() {
            let follows = before.is_none_or(|before| frequency > before);
            if !(frequency.is_finite() && frequency >= 0.0 && follows) {
                return Err(ResponseError::Frequency { response: name, index, frequency });
            }
            before = Some(frequency);
        }
        let made = Self {
            name,
            response: Dof::default(),
            reference: Dof::default(),
            frequencies,
            real: Vec::new(),
            imaginary: Vec::new(),
            coherence: None,
            variances: None,
            averages: None,
            added_decay: 0.0,
            unit: None,
            reference_unit: None,
            comment: None,
            notes: Vec::new(),
        };
        let any = f64::NEG_INFINITY..=f64::INFINITY;
        made.check("real parts", &real, any.clone())?;
        made.check("imaginary parts", &imaginary, any)?;
        Ok(Self { real, imaginary, ..made })
    }

    /// Sets the units of numerator and denominator.
    #[must_use]
    pub fn in_units(mut self, unit: impl Into<String>, reference_unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self.reference_unit = Some(reference_unit.into());
        self
    }

    /// Adds the coherence, from 0 to 1 at every frequency.
    ///
    /// # Errors
    /// [`ResponseError::Length`], [`ResponseError::Value`].
    pub fn with_coherence(mut self, coherence: Vec<f64>) -> Result<Self, ResponseError> {
        self.check("coherences", &coherence, 0.0..=1.0)?;
        self.coherence = Some(coherence);
        Ok(self)
    }

    /// Adds the variance that real and imaginary part have each, at every frequency.
    ///
    /// # Errors
    /// [`ResponseError::Length`], [`ResponseError::Value`].
    pub fn with_variances(mut self, variances: Vec<f64>) -> Result<Self, ResponseError> {
        self.check("variances", &variances, 0.0..=f64::INFINITY)?;
        self.variances = Some(variances);
        Ok(self)
    }

    fn check(
        &self,
        what: &'static str,
        values: &[f64],
        range: std::ops::RangeInclusive<f64>,
    ) -> Result<(), ResponseError> {
        let response = || self.name.clone();
        if values.len() != self.frequencies.len() {
            let (values, frequencies) = (values.len(), self.frequencies.len());
            return Err(ResponseError::Length { response: response(), what, values, frequencies });
        }
        let wrong = |(_, value): &(&f64, &f64)| !(value.is_finite() && range.contains(value));
        match self.frequencies.iter().zip(values).find(wrong) {
            Some((&frequency, &value)) => Err(ResponseError::Value { response: response(), what, frequency, value }),
            None => Ok(()),
        }
    }

    /// Magnitudes, one per frequency.
    pub fn magnitudes(&self) -> Vec<f64> {
        self.real.iter().zip(&self.imaginary).map(|(re, im)| re.hypot(*im)).collect()
    }

    /// Phases in rad from -pi to pi, one per frequency.
    pub fn phases(&self) -> Vec<f64> {
        self.real.iter().zip(&self.imaginary).map(|(re, im)| im.atan2(*re)).collect()
    }

    /// Standard deviations of the real part, the imaginary part and, as far as they are small compared to it, the
    /// magnitude, one per frequency.
    pub fn deviations(&self) -> Option<Vec<f64>> {
        Some(self.variances.as_ref()?.iter().map(|variance| variance.sqrt()).collect())
    }

    /// Standard deviations of the phase in rad, one per frequency: the deviation over the magnitude, and at most that
    /// of an unknown phase, pi over the root of 3.
    pub fn phase_deviations(&self) -> Option<Vec<f64>> {
        let unknown = std::f64::consts::PI / 3.0_f64.sqrt();
        let all = self.deviations()?.into_iter().zip(self.magnitudes());
        // 0/0 is an unknown phase as well
        Some(all.map(|(deviation, magnitude)| (deviation / magnitude).min(unknown)).collect())
    }

    /// Returns natural frequency in Hz and damping ratio of a mode without the added decay, of those that were found in
    /// this response. The frequency of its free vibration is the same; a ratio below 0 says that less damping was found
    /// than the window has added.
    pub fn without_added_decay(&self, frequency: f64, ratio: f64) -> (f64, f64) {
        let omega = std::f64::consts::TAU * frequency;
        let decay = ratio * omega - self.added_decay;
        let own = decay.hypot(omega * (1.0 - ratio * ratio).max(0.0).sqrt());
        (own / std::f64::consts::TAU, decay / own)
    }

    /// Radii of the circles around the response that hold the true value with this probability, one per frequency, if
    /// errors are normal: exact for few averages too (Fisher's distribution). `None` where variances or averages are
    /// not known, or the probability is not between 0 and 1.
    pub fn radii(&self, probability: f64) -> Option<Vec<f64>> {
        let freedom = self.averages? - 1.0;
        if !(probability > 0.0 && probability < 1.0 && freedom > 0.0) {
            return None;
        }
        let quantile = freedom * ((1.0 - probability).powf(-1.0 / freedom) - 1.0);
        Some(self.variances.as_ref()?.iter().map(|variance| (2.0 * variance * quantile).sqrt()).collect())
    }

    /// Keeps the frequencies from `from` to `to` in Hz.
    ///
    /// # Errors
    /// [`ResponseError::EmptyBand`] if there is none.
    pub fn between(mut self, from: f64, to: f64) -> Result<Self, ResponseError> {
        let kept: Vec<bool> = self.frequencies.iter().map(|frequency| (from..=to).contains(frequency)).collect();
        if !kept.contains(&true) {
            return Err(ResponseError::EmptyBand {
                response: self.name,
                from,
                to,
                least: self.frequencies.first().copied().unwrap_or(f64::NAN),
                largest: self.frequencies.last().copied().unwrap_or(f64::NAN),
            });
        }
        let columns = [&mut self.frequencies, &mut self.real, &mut self.imaginary];
        for column in columns.into_iter().chain(&mut self.coherence).chain(&mut self.variances) {
            let mut keeps = kept.iter();
            column.retain(|_| keeps.next().is_some_and(|kept| *kept));
        }
        Ok(self)
    }
}
