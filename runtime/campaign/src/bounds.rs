//! Numbers with units at their places, and pairs of bounds.

use costate_contract::units::conversion;
use serde::{Deserialize, Deserializer};

use super::error::{CampaignError, Fault};
use super::place::{Located, Place};
use super::values::Pair;
use crate::amount::Amount;

impl Amount {
    /// Returns the number in the unit of the quantity `name`; an infinite one stands for no bound.
    ///
    /// # Errors
    /// [`Fault::Unit`], and [`Fault::Range`] for a number that is not one.
    pub fn converted(&self, name: &str, wanted: &str) -> Result<f64, Box<Fault>> {
        let number = self.number;
        let value = match &self.unit {
            None => number,
            Some(unit) => {
                let (name, wanted) = (name.to_owned(), wanted.to_owned());
                let scale = conversion(unit, &wanted).map_err(|fault| {
                    let unit = unit.clone();
                    Box::new(Fault::Unit { value: number, unit, name, wanted, fault })
                })?;
                scale.apply(number)
            }
        };
        if value.is_nan() { Err(self.out_of("a number")) } else { Ok(value) }
    }

    /// Returns the number, which has to be finite, in the unit of the quantity `name`.
    ///
    /// # Errors
    /// [`Fault::Unit`] and [`Fault::Range`].
    pub fn finite(&self, name: &str, unit: &str) -> Result<f64, Box<Fault>> {
        let value = self.converted(name, unit)?;
        if value.is_finite() { Ok(value) } else { Err(self.out_of("a finite number")) }
    }

    /// Returns a number above 0 in the unit of the quantity `name`.
    ///
    /// # Errors
    /// [`Fault::Unit`] and [`Fault::Range`].
    pub fn positive(&self, name: &str, unit: &str) -> Result<f64, Box<Fault>> {
        let value = self.finite(name, unit)?;
        if value > 0.0 { Ok(value) } else { Err(self.out_of("a number above 0")) }
    }

    fn out_of(&self, limit: &'static str) -> Box<Fault> {
        Box::new(Fault::Range { value: self.number, limit })
    }
}

impl Located<Amount> {
    /// Returns what [`Amount::finite`] does, with the place of a fault.
    pub fn finite(&self, name: &str, unit: &str) -> Result<f64, CampaignError> {
        self.value.finite(name, unit).map_err(|fault| CampaignError::new(&self.place, fault))
    }

    /// Returns what [`Amount::positive`] does, with the place of a fault.
    pub fn positive(&self, name: &str, unit: &str) -> Result<f64, CampaignError> {
        self.value.positive(name, unit).map_err(|fault| CampaignError::new(&self.place, fault))
    }
}

/// A lower and an upper bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// The lower and the upper one.
    pub ends: [Located<Amount>; 2],
    /// The place of both.
    pub place: Place,
}

impl Bounds {
    /// Parses `0..1e6` or `1[N/mm]..5[N/mm]`; an end that is left out is no bound.
    ///
    /// # Errors
    /// [`Fault::Type`] and [`Fault::Text`].
    pub fn parse(text: &str, place: &Place) -> Result<Self, CampaignError> {
        let refused = || CampaignError::new(place, Fault::Type { found: format!("`{text}`"), wanted: RANGE.into() });
        let (lower, upper) = text.split_once("..").ok_or_else(refused)?;
        let end = |text: &str, none: f64| {
            let amount = match text.trim() {
                "" => Ok(Amount { number: none, unit: None }),
                text => text.parse(),
            };
            let amount = amount.map_err(|message| CampaignError::new(place, Fault::Text(message)))?;
            Ok(Located::new(amount, place.clone()))
        };
        Ok(Self { ends: [end(lower, f64::NEG_INFINITY)?, end(upper, f64::INFINITY)?], place: place.clone() })
    }

    /// Returns both bounds in the unit of the quantity `name`.
    ///
    /// # Errors
    /// [`Fault::Unit`], [`Fault::Range`] and [`Fault::Bounds`].
    pub fn in_unit(&self, name: &str, unit: &str) -> Result<(f64, f64), CampaignError> {
        let end = |end: &Located<Amount>| {
            end.value.converted(name, unit).map_err(|fault| CampaignError::new(&end.place, fault))
        };
        let (lower, upper) = (end(&self.ends[0])?, end(&self.ends[1])?);
        match lower < upper {
            true => Ok((lower, upper)),
            false => Err(CampaignError::new(&self.place, Fault::Bounds { lower, upper })),
        }
    }
}

/// The form of bounds in an option.
const RANGE: &str = "the lower bound, `..` and the upper one, e.g. `0..1e6`, or `0..` without an upper one";

impl<'de> Deserialize<'de> for Bounds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Located { value: Pair(lower, upper), place } = Located::deserialize(deserializer)?;
        Ok(Self { ends: [lower, upper], place })
    }
}
