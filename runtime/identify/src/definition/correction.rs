//! Corrections between an output and the channel that measures it.

/// A number of the measurement itself, such as the delay of a channel: known, or found together with the parameters.
///
/// ```
/// use costate::identify::Correction;
///
/// let known = Correction::known(0.5e-3);
/// let unknown = Correction::unknown(0.0).within(-5e-3, 5e-3);
/// # let _ = (known, unknown);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Correction {
    pub(crate) value: f64,
    pub(crate) is_unknown: bool,
    pub(crate) bounds: Option<(f64, f64)>,
    pub(crate) typical: Option<f64>,
    /// Name by which several measurements share the correction; `None` for one of its own.
    pub(crate) common: Option<String>,
}

impl Correction {
    /// Creates a correction that is known. A plain number is a known correction, too.
    pub fn known(value: f64) -> Self {
        Self { value, is_unknown: false, bounds: None, typical: None, common: None }
    }

    /// Creates a correction that is unknown, with this start value.
    pub fn unknown(start: f64) -> Self {
        Self { value: start, is_unknown: true, bounds: None, typical: None, common: None }
    }

    /// Sets bounds that the search never leaves; a delay needs bounds.
    #[must_use]
    pub fn within(mut self, lower: f64, upper: f64) -> Self {
        self.bounds = Some((lower, upper));
        self
    }

    /// Makes the correction one unknown for all measurements that use this name, such as the delay of a sensor in all
    /// experiments. All of these measurements have the same start value and bounds.
    #[must_use]
    pub fn common(mut self, name: impl Into<String>) -> Self {
        self.common = Some(name.into());
        self
    }

    /// Sets a typical change, as a scale for the search. By default it is 1 for a gain, the scatter of the samples
    /// for an offset, and a quarter of the distance of the bounds for a delay.
    #[must_use]
    pub fn typical(mut self, change: f64) -> Self {
        self.typical = Some(change);
        self
    }
}

impl From<f64> for Correction {
    fn from(value: f64) -> Self {
        Self::known(value)
    }
}

/// The numbers between an output s and the channel that measures it: gain s(t - delay) + offset.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Corrections {
    pub gain: Correction,
    pub offset: Correction,
    pub delay: Correction,
}

impl Default for Corrections {
    fn default() -> Self {
        Self { gain: 1.0.into(), offset: 0.0.into(), delay: 0.0.into() }
    }
}

impl Corrections {
    /// Returns the corrections with their names.
    pub fn named(&self) -> [(&'static str, &Correction); 3] {
        [("gain", &self.gain), ("offset", &self.offset), ("delay", &self.delay)]
    }
}
