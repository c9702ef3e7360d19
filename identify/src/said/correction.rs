//! What lies between an output and the channel that measures it.

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
    /// What all measurements that share it call it.
    pub(crate) common: Option<String>,
}

impl Correction {
    /// A correction that is known. A plain number is one, too.
    pub fn known(value: f64) -> Self {
        Self { value, is_unknown: false, bounds: None, typical: None, common: None }
    }

    /// A correction that is looked for, from this value.
    pub fn unknown(start: f64) -> Self {
        Self { value: start, is_unknown: true, bounds: None, typical: None, common: None }
    }

    /// Bounds that the search never leaves; a delay needs them.
    #[must_use]
    pub fn within(mut self, lower: f64, upper: f64) -> Self {
        self.bounds = Some((lower, upper));
        self
    }

    /// Makes it one unknown for all measurements that say so by this name, such as the delay of a sensor that every experiment has used.
    /// All of them begin with the same number and have the same bounds.
    #[must_use]
    pub fn common(mut self, name: impl Into<String>) -> Self {
        self.common = Some(name.into());
        self
    }

    /// A typical change, as a scale for the search. By default 1 of a gain, the scatter of the samples of an offset, and a
    /// quarter of the distance of the bounds of a delay.
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
    /// With what each is called.
    pub fn named(&self) -> [(&'static str, &Correction); 3] {
        [("gain", &self.gain), ("offset", &self.offset), ("delay", &self.delay)]
    }
}
