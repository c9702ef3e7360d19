//! Units of mechanics: units of lengths and times, and those that follow from the unit of energy.

use crate::units::Dimension;

/// The unit of a mechanical quantity. The unit of energy is the model's own, which need not be the joule.
#[derive(Debug, Clone, Copy)]
pub struct DerivedUnit {
    of_energy: bool,
    factor: Dimension,
}

impl DerivedUnit {
    pub const NUMBER: DerivedUnit = kinematic(0, 0);
    pub const LENGTH: DerivedUnit = kinematic(1, 0);
    pub const VELOCITY: DerivedUnit = kinematic(1, -1);
    pub const ACCELERATION: DerivedUnit = kinematic(1, -2);
    pub const ANGULAR_VELOCITY: DerivedUnit = kinematic(0, -1);
    pub const ANGULAR_ACCELERATION: DerivedUnit = kinematic(0, -2);

    pub const ENERGY: DerivedUnit = energy_times(0, 0);
    pub const POWER: DerivedUnit = energy_times(0, -1);
    /// kg
    pub const MASS: DerivedUnit = energy_times(-2, 2);
    /// kg m^2
    pub const INERTIA: DerivedUnit = energy_times(0, 2);
    /// N
    pub const FORCE: DerivedUnit = energy_times(-1, 0);
    /// N m, also of a torsional stiffness
    pub const TORQUE: DerivedUnit = DerivedUnit::ENERGY;
    /// N/m
    pub const STIFFNESS: DerivedUnit = energy_times(-2, 0);
    /// N s/m
    pub const DAMPING: DerivedUnit = energy_times(-2, 1);
    /// N m s
    pub const TORSIONAL_DAMPING: DerivedUnit = energy_times(0, 1);

    /// Returns the dimension for a given dimension of energy; `None` if exponents exceed the bounds.
    pub fn dimension(self, energy: Dimension) -> Option<Dimension> {
        if self.of_energy { energy.times(self.factor) } else { Some(self.factor) }
    }

    /// Returns the unit of energy for which a quantity of the dimension `found` would be right; `None` if the
    /// quantity does not depend on it.
    pub fn energy(self, found: Dimension) -> Option<Dimension> {
        if self.of_energy { found.over(self.factor) } else { None }
    }
}

const fn kinematic(metres: i8, seconds: i8) -> DerivedUnit {
    DerivedUnit { of_energy: false, factor: Dimension::new([0, metres, seconds, 0, 0, 0, 0]) }
}

const fn energy_times(metres: i8, seconds: i8) -> DerivedUnit {
    DerivedUnit { of_energy: true, factor: Dimension::new([0, metres, seconds, 0, 0, 0, 0]) }
}
