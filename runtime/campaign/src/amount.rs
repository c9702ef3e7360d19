//! Numbers with or without a unit, as text.

use costate_contract::shown::{Exact, plain};
use std::fmt;
use std::str::FromStr;

use costate_contract::units::{UnitFault, conversion};

/// A number in a unit that does not fit the quantity.
#[derive(Debug, thiserror::Error)]
#[error("`{name}` is given as `{amount}`: {fault}")]
pub struct AmountError {
    name: Box<str>,
    amount: Box<str>,
    fault: UnitFault,
}

/// A number, and the unit that was written after it in brackets: `80`, `80[N/mm]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    /// The number.
    pub number: f64,
    /// The unit; without one, the number is in the unit of the quantity that it is given to.
    pub unit: Option<String>,
}

impl From<f64> for Amount {
    fn from(number: f64) -> Self {
        Self { number, unit: None }
    }
}

impl Amount {
    /// Returns the number in the unit `wanted` of the quantity `name`.
    ///
    /// # Errors
    /// [`AmountError`].
    pub fn in_unit(&self, name: &str, wanted: &str) -> Result<f64, AmountError> {
        let Some(unit) = &self.unit else { return Ok(self.number) };
        let scale = conversion(unit, wanted).map_err(|fault| AmountError {
            name: name.into(),
            amount: self.to_string().into(),
            fault,
        })?;
        Ok(scale.apply(self.number))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Exact(self.number))?;
        self.unit.as_ref().map_or(Ok(()), |unit| write!(f, "[{unit}]"))
    }
}

impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (number, unit) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            Some((number, unit)) => (number, Some(unit.trim().to_owned())),
            None => (text, None),
        };
        match number.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => {
                check_size(number.trim(), value)?;
                Ok(Self { number: value, unit })
            }
            _ => Err(format!("`{text}` is no number; write e.g. `80e3` or `80[N/mm]`")),
        }
    }
}

/// Refuses a number that is written with digits, and is 0 or has lost some of them in double precision.
///
/// # Errors
/// What to write instead.
pub fn check_size(text: &str, number: f64) -> Result<(), String> {
    let before_exponent = text.split(['e', 'E']).next().unwrap_or_default();
    let has_digits = before_exponent.contains(|digit: char| ('1'..='9').contains(&digit));
    if number.abs() >= f64::MIN_POSITIVE || !has_digits {
        return Ok(());
    }
    Err(format!(
        "`{}` is too small for a number of double precision, whose digits end at 2.2e-308; write 0, or a larger number",
        plain(text)
    ))
}

/// Splits `NAME=TEXT`.
///
/// # Errors
/// A text without a name or without `=`, with what to write.
pub fn name_and_text<'t>(text: &'t str, example: &str) -> Result<(&'t str, &'t str), String> {
    let parts = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let parts = parts.filter(|(name, value)| !name.is_empty() && !value.is_empty());
    parts.ok_or_else(|| format!("write the name, `=` and the value, e.g. `{example}`"))
}
