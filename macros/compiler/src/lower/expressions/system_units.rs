//! Units that follow from the equations as a whole.

use crate::units::Dimension;

/// Units that follow from the equations as a whole, and are known only after all equations have been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SystemUnits {
    /// The unit of energy: of mass times the square of a velocity, and of every product of a force and its
    /// coordinate; `None` for the joule.
    pub energy: Option<Dimension>,
    /// The unit of every constraint.
    pub constraints: Vec<Option<Dimension>>,
}

/// Evidence for [`SystemUnits`], collected while a model is read.
#[derive(Debug, Default)]
pub struct Findings {
    /// The unit of energy that follows from each mass and each force.
    pub energies: Vec<Dimension>,
    /// True if a multiplier was used above its constraint, when its unit was not known.
    pub waits_for_constraint: bool,
}

impl Findings {
    /// Chooses the unit of energy. If entries differ, at least one is wrong: the joule is chosen if it occurs,
    /// otherwise the most frequent unit.
    pub fn energy(&self) -> Dimension {
        if self.energies.is_empty() || self.energies.contains(&Dimension::ENERGY) {
            return Dimension::ENERGY;
        }
        let count = |wanted: &Dimension| self.energies.iter().filter(|energy| *energy == wanted).count();
        let most = self.energies.iter().map(count).max().unwrap_or_default();
        self.energies.iter().copied().find(|energy| count(energy) == most).unwrap_or(Dimension::ENERGY)
    }
}
