//! Complex numbers among the groups of a prediction, and the changes of them that a further fit tries.

use std::f64::consts::TAU;
use std::ops::Range;

use costate_system::prediction::{Part, PredictedGroup};

/// Complex numbers among the groups of a prediction, such as a frequency response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Curve {
    /// The name that its groups have in common; empty where they have none.
    pub name: String,
    /// Indices of its groups: both parts, or a size and an angle, or a size alone.
    pub groups: Range<usize>,
    /// True if angles are compared.
    pub has_phase: bool,
}

/// Meaning of the numbers of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Real or imaginary parts.
    Part,
    Magnitude,
    Decibels,
    Angle,
}

/// Returns the meaning of the numbers of a group; `None` where they belong to no curve.
pub(crate) fn meaning(group: &PredictedGroup) -> Option<Meaning> {
    let last = group.name.rsplit(": ").next().unwrap_or_default();
    match group.part {
        Part::Real | Part::Imaginary => Some(Meaning::Part),
        Part::Angle => Some(Meaning::Angle),
        _ if last == "magnitude" => Some(Meaning::Magnitude),
        _ if last == "level" => Some(Meaning::Decibels),
        _ => None,
    }
}

/// Returns the curves of a prediction.
pub(crate) fn curves(groups: &[PredictedGroup]) -> Vec<Curve> {
    let mut all = Vec::new();
    for (first, group) in groups.iter().enumerate() {
        let second = match group.part {
            Part::Real => Some(Part::Imaginary),
            Part::Number if meaning(group).is_some() => Some(Part::Angle),
            _ => continue,
        };
        let is_paired = groups.get(first + 1).is_some_and(|next| Some(next.part) == second);
        if group.part == Part::Real && !is_paired {
            continue;
        }
        let name = group.name.rsplit_once(": ").map_or("", |(name, _)| name).to_owned();
        all.push(Curve { name, groups: first..first + 1 + usize::from(is_paired), has_phase: is_paired });
    }
    all
}

/// A change between predicted complex numbers and measured ones.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CurveChange {
    pub curve: Curve,
    /// Start value of an unknown factor; `None` for 1.
    pub gain: Option<f64>,
    /// True if the conjugates of the numbers were measured.
    pub is_conjugate: bool,
    /// Start value of an unknown delay in s, and a typical change; `None` for none.
    pub delay: Option<(f64, f64)>,
}

/// Returns 2 pi f of a number; 0 for a number over something else than a frequency.
pub(crate) fn angular_frequency(group: &PredictedGroup, number: usize) -> f64 {
    if group.abscissa_unit == "Hz" { TAU * group.places[number] } else { 0.0 }
}
