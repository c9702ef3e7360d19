//! The test of linearity: levels at two amplitudes.

use serde::{Deserialize, Serialize};

use crate::stiffness::curve::StiffnessCurve;
use crate::stiffness::unit::{Amplitude, Origin, is_same};

/// Difference of levels up to which a mount counts as linear, in dB.
const MAX_LEVEL_DIFFERENCE: f64 = 1.5;

/// Least difference of the levels of both excitations, in dB.
const MIN_SPAN: f64 = 10.0;

/// The levels of the stiffness at two amplitudes, compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Linearity {
    /// Origin of both curves.
    pub origin: Origin,
    /// The smaller amplitude.
    pub lower: Amplitude,
    /// The larger amplitude.
    pub upper: Amplitude,
    /// Level of the larger amplitude above the smaller one in dB.
    pub span: f64,
    /// Largest difference allowed in dB, 1.5.
    pub limit: f64,
    /// Differences at the lines that both curves have.
    pub lines: Vec<Difference>,
    /// Differences in the one-third octave bands that both curves have; these are judged.
    pub bands: Vec<BandDifference>,
}

/// A difference of levels at a line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Difference {
    /// Frequency in Hz.
    pub frequency: f64,
    /// Level at the larger amplitude minus level at the smaller one, in dB.
    pub difference: f64,
}

/// A difference of levels in a band.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BandDifference {
    /// Nominal midband frequency in Hz.
    pub nominal: f64,
    /// Level at the larger amplitude minus level at the smaller one, in dB.
    pub difference: f64,
    /// True if the difference is beyond the limit.
    pub fails: bool,
}

impl Linearity {
    /// Compares two curves that have amplitudes of one unit; `None` for others.
    pub(crate) fn of(origin: Origin, one: &StiffnessCurve, other: &StiffnessCurve) -> Option<Self> {
        let (a, b) = one.amplitude.as_ref().zip(other.amplitude.as_ref())?;
        let ((lower, small), (upper, large)) =
            if a.value < b.value { ((a, one), (b, other)) } else { ((b, other), (a, one)) };
        if lower.unit != upper.unit {
            return None;
        }
        let lines = large.lines.iter().filter_map(|line| {
            let own = small.lines.iter().find(|own| is_same(own.frequency, line.frequency))?;
            Some(Difference { frequency: line.frequency, difference: line.level() - own.level() })
        });
        let of_small = small.bands();
        let bands = large.bands().into_iter().filter_map(|band| {
            let own = of_small.iter().find(|own| own.number == band.number)?;
            let difference = band.level - own.level;
            Some(BandDifference { nominal: band.nominal, difference, fails: difference.abs() > MAX_LEVEL_DIFFERENCE })
        });
        Some(Self {
            origin,
            lines: lines.collect(),
            bands: bands.collect(),
            span: 20.0 * (upper.value / lower.value).log10(),
            limit: MAX_LEVEL_DIFFERENCE,
            lower: lower.clone(),
            upper: upper.clone(),
        })
    }

    /// Returns true if no band fails, and there is one.
    pub fn is_linear(&self) -> bool {
        !self.bands.is_empty() && self.bands.iter().all(|band| !band.fails)
    }

    /// Returns the bands that fail.
    pub fn failing(&self) -> impl Iterator<Item = &BandDifference> {
        self.bands.iter().filter(|band| band.fails)
    }

    /// Returns true if both excitations differ by less than 10 dB, which is too little for a test.
    pub fn is_narrow(&self) -> bool {
        // ten to one half, as written in a table
        self.span < MIN_SPAN - 0.01
    }

    /// The verdict in words.
    pub(crate) fn verdict(&self) -> String {
        let largest = self.bands.iter().map(|band| band.difference.abs()).fold(0.0, f64::max);
        let failing: Vec<String> =
            self.failing().map(|band| costate_contract::shown::Shown(band.nominal).to_string()).collect();
        let (origin, lower, upper) = (self.origin.name(), &self.lower, &self.upper);
        let between = format!("{origin}, {lower} and {upper}");
        match (self.bands.is_empty(), failing.is_empty()) {
            (true, _) => format!("{between}: no band in common, linearity is not tested"),
            (false, true) => format!("{between}: linear, levels differ by at most {largest:.2} dB"),
            (false, false) => format!(
                "{between}: not linear, levels differ by up to {largest:.2} dB; beyond {} dB in the bands of {} Hz",
                self.limit,
                failing.join(", ")
            ),
        }
    }
}
