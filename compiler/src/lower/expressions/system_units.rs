//! What the equations as a whole say about units.

use crate::units::Dimension;

/// What the equations as a whole say about units, which is known only when all of them have been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SystemUnits {
    /// The unit of energy: of mass times the square of a velocity, and of every product of a force and its coordinate.
    pub energy: Option<Dimension>,
    /// The unit of every constraint.
    pub constraints: Vec<Option<Dimension>>,
}

/// What has been found out about [`SystemUnits`].
#[derive(Debug, Default)]
pub struct Findings {
    /// The unit of energy that every mass and every force would have.
    pub energies: Vec<Dimension>,
    /// A multiplier was used above its constraint: its unit was not known.
    pub waits_for_constraint: bool,
}

impl Findings {
    /// In a model with several units of energy, at least one entry is wrong. One in joule is right; else most are.
    pub fn energy(&self) -> Dimension {
        if self.energies.is_empty() || self.energies.contains(&Dimension::ENERGY) {
            return Dimension::ENERGY;
        }
        let count = |wanted: &Dimension| self.energies.iter().filter(|energy| *energy == wanted).count();
        let most = self.energies.iter().map(count).max().unwrap_or_default();
        self.energies.iter().copied().find(|energy| count(energy) == most).unwrap_or(Dimension::ENERGY)
    }
}
