//! Dimensions, and their units.

use std::ops::{Add, Sub};

/// Exponents of kg, m and s. Those of a product are the sums of those of its factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimension(pub [i8; 3]);

/// No unit, or an angle.
pub const ONE: Dimension = Dimension([0, 0, 0]);
/// kg
pub const MASS: Dimension = Dimension([1, 0, 0]);
/// m
pub const LENGTH: Dimension = Dimension([0, 1, 0]);
/// s
pub const TIME: Dimension = Dimension([0, 0, 1]);
/// N
pub const FORCE: Dimension = Dimension([1, 1, -2]);
/// N*m
pub const ENERGY: Dimension = Dimension([1, 2, -2]);
/// N/m
pub const STIFFNESS: Dimension = Dimension([1, 0, -2]);
/// N*s/m
pub const DAMPING: Dimension = Dimension([1, 0, -1]);
/// kg*m^2
pub const INERTIA: Dimension = Dimension([1, 2, 0]);
/// m/s^2
pub const ACCELERATION: Dimension = Dimension([0, 1, -2]);

impl Dimension {
    /// Checks whether units of this dimension may be written: exponents are small.
    pub fn is_moderate(self) -> bool {
        self.0.iter().all(|exponent| exponent.abs() <= 5)
    }

    /// Returns the dimension of a power.
    pub fn times(self, exponent: i8) -> Dimension {
        Dimension(self.0.map(|own| own * exponent))
    }

    /// Returns the dimension of a root; `None` where an exponent would be a fraction.
    pub fn divided(self, by: i8) -> Option<Dimension> {
        self.0.iter().all(|own| own % by == 0).then(|| Dimension(self.0.map(|own| own / by)))
    }

    /// Lists the units to choose from; the first one is coherent.
    pub fn units(self) -> Vec<Unit> {
        let mut units = vec![Unit { text: self.coherent(), scale: 1.0, dimension: self }];
        let named = NAMED.iter().filter(|(dimension, ..)| *dimension == self.0);
        units.extend(named.map(|(_, text, scale)| Unit { text: (*text).to_owned(), scale: *scale, dimension: self }));
        units
    }

    /// Writes the coherent unit kg^a*m^b/s^c.
    fn coherent(self) -> String {
        let power = |(name, exponent): (&str, i8)| match exponent {
            1 => name.to_owned(),
            _ => format!("{name}^{exponent}"),
        };
        let all = || ["kg", "m", "s"].into_iter().zip(self.0);
        let above: Vec<String> = all().filter(|(_, exponent)| *exponent > 0).map(power).collect();
        let below: Vec<String> =
            all().filter(|(_, exponent)| *exponent < 0).map(|(name, exponent)| power((name, -exponent))).collect();
        let above = if above.is_empty() { "1".to_owned() } else { above.join("*") };
        match below.len() {
            0 => above,
            1 => format!("{above}/{}", below[0]),
            _ => format!("{above}/({})", below.join("*")),
        }
    }
}

impl Add for Dimension {
    type Output = Dimension;
    fn add(self, other: Dimension) -> Dimension {
        Dimension([0, 1, 2].map(|i| self.0[i] + other.0[i]))
    }
}

impl Sub for Dimension {
    type Output = Dimension;
    fn sub(self, other: Dimension) -> Dimension {
        Dimension([0, 1, 2].map(|i| self.0[i] - other.0[i]))
    }
}

/// A unit as it is written, and its scale and dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// `N*s/m`
    pub text: String,
    /// Value of this unit in the coherent unit.
    pub scale: f64,
    /// Dimension of the unit.
    pub dimension: Dimension,
}

const PI: f64 = std::f64::consts::PI;

/// Units in addition to the coherent ones in base units.
const NAMED: [([i8; 3], &str, f64); 47] = [
    ([0, 0, 0], "rad", 1.0),
    ([0, 0, 0], "deg", PI / 180.0),
    ([0, 0, 0], "percent", 0.01),
    ([0, 0, 0], "mrad", 1e-3),
    ([0, 0, 0], "rev", 2.0 * PI),
    ([0, 0, 0], "m/mm", 1e3),
    ([1, 0, 0], "g", 1e-3),
    ([1, 0, 0], "t", 1e3),
    ([1, 0, 0], "N*s^2/m", 1.0),
    ([0, 1, 0], "mm", 1e-3),
    ([0, 1, 0], "cm", 1e-2),
    ([0, 1, 0], "um", 1e-6),
    ([0, 1, 0], "l/cm^2", 10.0),
    ([0, 2, 0], "cm^2", 1e-4),
    ([0, 3, 0], "l", 1e-3),
    ([0, 0, 1], "ms", 1e-3),
    ([0, 0, 1], "min", 60.0),
    ([0, 0, -1], "Hz", 1.0),
    ([0, 0, -1], "rpm", 2.0 * PI / 60.0),
    ([0, 0, -1], "deg/s", PI / 180.0),
    ([0, 1, -1], "mm/s", 1e-3),
    ([0, 1, -1], "km/h", 1.0 / 3.6),
    ([0, 1, -2], "cm/s^2", 1e-2),
    ([0, 1, -2], "N/kg", 1.0),
    ([1, 1, -2], "N", 1.0),
    ([1, 1, -2], "kN", 1e3),
    ([1, 1, -2], "bar*cm^2", 10.0),
    ([1, 2, -2], "N*m", 1.0),
    ([1, 2, -2], "J", 1.0),
    ([1, 2, -2], "N*mm", 1e-3),
    ([1, 2, -3], "W", 1.0),
    ([1, 2, -3], "kW", 1e3),
    ([1, 0, -2], "N/m", 1.0),
    ([1, 0, -2], "N/mm", 1e3),
    ([1, 0, -2], "kN/m", 1e3),
    ([1, 0, -1], "N*s/m", 1.0),
    ([1, 0, -1], "N/(m/s)", 1.0),
    ([1, 0, -1], "kg/min", 1.0 / 60.0),
    ([1, 2, -1], "N*m*s", 1.0),
    ([1, 2, -1], "N*m/rpm", 60.0 / (2.0 * PI)),
    ([1, 2, 0], "kg*cm^2", 1e-4),
    ([1, 2, 0], "N*m*s^2", 1.0),
    ([1, -1, -2], "Pa", 1.0),
    ([1, -1, -2], "bar", 1e5),
    ([1, -1, -2], "N/mm^2", 1e6),
    ([1, 1, 0], "kg*mm", 1e-3),
    ([1, 1, -1], "N*s", 1.0),
];
