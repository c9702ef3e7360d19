//! The unknowns of a minimisation: scaling and bounds.

use serde::{Deserialize, Serialize};

/// The map between a parameter p with start value p_0 and the scaled variable x of the minimisation: x = 0 at the
/// start, and a change of x by about 1 is large.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// p = p_0 exp(x), for p_0 > 0. The sign cannot change; a change of x by 0.1 changes p by about 10 %.
    Logarithmic,
    /// p = p_0 + typical x.
    Linear {
        /// A typical change of the parameter, in its unit, > 0.
        typical: f64,
    },
}

/// An unknown with start value, bounds and scaling.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    name: String,
    start: f64,
    lower: Option<f64>,
    upper: Option<f64>,
    scaling: Option<Scaling>,
    #[serde(default)]
    is_positive: bool,
    /// The body of whose inertia the unknown is a part, and its place there.
    #[serde(default)]
    inertia: Option<(String, u8)>,
}

impl Variable {
    /// Makes an unknown without bounds. Unless chosen otherwise it is scaled logarithmically where the start
    /// value and a lower bound are positive, and linearly elsewhere, with |start| as typical change (for start =
    /// 0 the distance of the bounds, or 1).
    pub fn new(name: impl Into<String>, start: f64) -> Self {
        let (lower, upper, scaling, is_positive, inertia) = (None, None, None, false, None);
        Self { name: name.into(), start, lower, upper, scaling, is_positive, inertia }
    }

    /// Sets the bounds; an infinite one is no bound.
    #[must_use]
    pub fn within(mut self, lower: f64, upper: f64) -> Self {
        self.lower = (lower != f64::NEG_INFINITY).then_some(lower);
        self.upper = (upper != f64::INFINITY).then_some(upper);
        self
    }

    /// Declares the unknown as positive: it is scaled logarithmically unless chosen otherwise.
    #[must_use]
    pub fn positive(mut self) -> Self {
        self.is_positive = true;
        self
    }

    /// Checks whether the unknown is known to be positive, by `positive` or by its lower bound.
    pub fn is_positive(&self) -> bool {
        self.is_positive || self.lower.is_some_and(|lower| lower >= 0.0)
    }

    /// Makes the unknown a part of the inertia of a body: 0 its mass, 1 to 3 the moments xx, yy and zz, 4 to 6 the
    /// products xy, xz and yz. All parts of a body move together, so that it stays possible; they have no bounds.
    #[doc(hidden)]
    #[must_use]
    pub fn in_inertia(mut self, body: impl Into<String>, part: u8) -> Self {
        self.inertia = Some((body.into(), part));
        self
    }

    /// The body and the place in its inertia.
    pub(super) fn inertia(&self) -> Option<(&str, u8)> {
        self.inertia.as_ref().map(|(body, part)| (body.as_str(), *part))
    }

    /// Sets the scaling.
    #[must_use]
    pub fn scaled(mut self, scaling: Scaling) -> Self {
        self.scaling = Some(scaling);
        self
    }

    /// Returns the unknown in its scale, with another start value, moved into the bounds. Far from the old one, a
    /// typical change that would vanish by rounding becomes larger, and 0 on a logarithmic scale the least number.
    #[doc(hidden)]
    pub fn starting_with(&self, start: f64) -> Self {
        let (lower, upper) = self.bounds();
        let start = start.max(lower).min(upper);
        let (start, scaling) = match self.scaling() {
            Scaling::Linear { typical } => (start, Scaling::Linear { typical: typical.max(least_change(start)) }),
            Scaling::Logarithmic if start == 0.0 => (f64::MIN_POSITIVE, Scaling::Logarithmic),
            Scaling::Logarithmic => (start, Scaling::Logarithmic),
        };
        Self { start, scaling: Some(scaling), ..self.clone() }
    }

    /// Name for messages and tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// p_0.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// Returns the lower and upper bound; -infinity and infinity where there is none.
    pub fn bounds(&self) -> (f64, f64) {
        (self.lower.unwrap_or(f64::NEG_INFINITY), self.upper.unwrap_or(f64::INFINITY))
    }

    /// The scaling in use.
    pub fn scaling(&self) -> Scaling {
        match self.scaling {
            Some(scaling) => scaling,
            None if self.start > 0.0 && (self.is_positive || self.lower.is_some_and(|lower| lower > 0.0)) => {
                Scaling::Logarithmic
            }
            None => self.default_linear(),
        }
    }

    fn default_linear(&self) -> Scaling {
        let width = self.lower.zip(self.upper).map(|(lower, upper)| upper - lower).filter(|width| *width > 0.0);
        let typical = if self.start == 0.0 { width.unwrap_or(1.0) } else { self.start.abs() };
        Scaling::Linear { typical }
    }

    /// Checks start value, bounds and scaling.
    ///
    /// # Errors
    /// [`VariableError`].
    pub fn check(&self) -> Result<(), VariableError> {
        let name = || self.name.clone();
        let (start, (lower, upper)) = (self.start, self.bounds());
        if !start.is_finite() {
            return Err(VariableError::NotFinite { name: name(), start });
        }
        if lower.is_nan() || upper.is_nan() || lower >= upper {
            return Err(VariableError::Bounds { name: name(), lower, upper });
        }
        if start < lower || start > upper {
            return Err(VariableError::Outside { name: name(), start, lower, upper });
        }
        match self.scaling() {
            Scaling::Logarithmic if start <= 0.0 => Err(VariableError::Logarithmic { name: name(), start }),
            Scaling::Linear { typical } if !(least_change(start)..=MAX_CHANGE).contains(&typical) => {
                Err(VariableError::Typical { name: name(), start, typical })
            }
            _ => Ok(()),
        }
    }

    /// Evaluates p(x), within the bounds in spite of rounding.
    #[doc(hidden)]
    pub fn physical(&self, x: f64) -> f64 {
        let (lower, upper) = self.bounds();
        let (lowest, highest) = self.scaled_bounds();
        if x <= lowest {
            return lower;
        }
        if x >= highest {
            return upper;
        }
        let value = match self.scaling() {
            Scaling::Logarithmic => self.start * x.exp(),
            Scaling::Linear { typical } => self.start + typical * x,
        };
        value.max(lower).min(upper)
    }

    /// Evaluates x(p).
    #[doc(hidden)]
    pub fn scaled_at(&self, parameter: f64) -> f64 {
        match self.scaling() {
            Scaling::Logarithmic => (parameter / self.start).ln(),
            Scaling::Linear { typical } => (parameter - self.start) / typical,
        }
    }

    /// Evaluates dp/dx at `parameter` = p.
    #[doc(hidden)]
    pub fn slope(&self, parameter: f64) -> f64 {
        match self.scaling() {
            Scaling::Logarithmic => parameter,
            Scaling::Linear { typical } => typical,
        }
    }

    /// The bounds of x.
    #[doc(hidden)]
    pub fn scaled_bounds(&self) -> (f64, f64) {
        let scaled = |bound: f64| match self.scaling() {
            Scaling::Logarithmic if bound <= 0.0 => f64::NEG_INFINITY,
            Scaling::Logarithmic => (bound / self.start).ln(),
            Scaling::Linear { typical } => (bound - self.start) / typical,
        };
        let (lower, upper) = self.bounds();
        (scaled(lower), scaled(upper))
    }
}

/// The largest typical change.
const MAX_CHANGE: f64 = 1e100;

/// Returns the least typical change of an unknown with this start value: smaller ones vanish next to it by rounding.
fn least_change(start: f64) -> f64 {
    (1e-14 * start.abs()).max(1e-100)
}

/// An unknown that cannot be varied.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum VariableError {
    /// The start value is NaN or infinite.
    #[error("the start value of `{name}` is {start}; give a finite one")]
    NotFinite { name: String, start: f64 },
    /// The start value is outside the bounds.
    #[error("the start value {start} of `{name}` is outside its bounds [{lower}, {upper}]; change one of them")]
    Outside { name: String, start: f64, lower: f64, upper: f64 },
    /// The bounds leave nothing between them.
    #[error(
        "the bounds [{lower}, {upper}] of `{name}` are not possible; the lower one must be less than the upper one"
    )]
    Bounds { name: String, lower: f64, upper: f64 },
    /// An unknown that is not positive cannot be scaled logarithmically.
    #[error(
        "`{name}` starts at {start} and cannot be scaled logarithmically; choose a positive start value or a linear \
             scaling"
    )]
    Logarithmic { name: String, start: f64 },
    /// The typical change is too small compared to the start value, or too large to be squared.
    #[error(
        "the typical change {typical:e} of `{name}` is not from {:e} to {MAX_CHANGE:e}; choose one in this range, \
             not lost in rounding beside the start value {start:e}",
        least_change(*start)
    )]
    Typical { name: String, start: f64, typical: f64 },
}
