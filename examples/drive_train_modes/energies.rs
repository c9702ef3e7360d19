//! Springs, dampers and inertias that hold the energies of modes.

use costate::vibration::{EnergyShares, Modes, VibrationError};
use costate_models::FourCylinderEngine;

/// Name and parameters of the parts that are distinguished.
pub const PARTS: [(&str, &[&str]); 9] = [
    ("flywheel's springs and damper", &["c_dmf", "c_dmf3", "d_dmf"]),
    ("shaft, flywheel to throw 1", &["c[1]"]),
    ("shaft, throws 1 to 2", &["c[2]"]),
    ("shaft, throws 2 to 3", &["c[3]"]),
    ("shaft, throws 3 to 4", &["c[4]"]),
    ("shaft, throw 4 to free end", &["c[5]"]),
    ("vibration damper", &["cs_par", "cs[1]", "cs[2]", "ds[1]", "ds[2]"]),
    ("pulley's belt", &["c_pw", "d_pw"]),
    ("shaft's own damping", &["d"]),
];

/// The shares of all parameters in the energies of all modes.
pub struct Energies {
    /// One list for each mode.
    pub shares: Vec<Vec<EnergyShares>>,
}

impl Energies {
    /// Computes the shares.
    pub fn of(modes: &Modes) -> Result<Self, VibrationError> {
        let shares = (0..modes.len()).map(|index| modes.energy_shares::<FourCylinderEngine>(index));
        Ok(Self { shares: shares.collect::<Result<_, _>>()? })
    }

    /// Returns the share of a part in an energy of a mode.
    pub fn of_part(&self, mode: usize, part: usize, number: fn(&EnergyShares) -> f64) -> f64 {
        let is_part = |share: &&EnergyShares| PARTS[part].1.contains(&share.parameter);
        self.shares[mode].iter().filter(is_part).map(number).sum()
    }

    /// Returns the parameters with the largest shares in an energy of a mode, as text.
    pub fn largest(&self, mode: usize, number: fn(&EnergyShares) -> f64) -> String {
        const MOST: usize = 3;
        const LEAST: f64 = 0.02;
        let mut shares: Vec<(&str, f64)> =
            self.shares[mode].iter().map(|share| (share.parameter, number(share))).collect();
        shares.sort_by(|one, other| other.1.total_cmp(&one.1));
        let shown = shares.iter().filter(|(_, share)| *share >= LEAST).take(MOST);
        shown.map(|(name, share)| format!("{name} {:.0} %", 100.0 * share)).collect::<Vec<_>>().join(", ")
    }
}
