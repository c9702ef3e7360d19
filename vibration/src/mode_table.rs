//! Modes as text.

use std::fmt;

use crate::contract::shown::Shown;
use crate::mode::{Mode, ModeKind, Modes};

/// The number of coordinates that a line names.
const MOST: usize = 3;

impl fmt::Display for Modes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.description();
        writeln!(f, "Modes of {}", model.name)?;
        writeln!(
            f,
            "  {:>3}  {:>12}  {:>10}  moves most (share of the kinetic energy)",
            "", "frequency", "damping"
        )?;
        for (index, mode) in self.all().iter().enumerate() {
            let (frequency, damping) = match mode.kind() {
                ModeKind::Oscillation => (
                    format!("{} Hz", Shown(mode.frequency())),
                    format!("{} %", Shown(100.0 * mode.damping_ratio())),
                ),
                ModeKind::Aperiodic if mode.eigenvalue.re > 0.0 => ("grows".to_owned(), rate(mode)),
                ModeKind::Aperiodic => ("decays".to_owned(), rate(mode)),
                ModeKind::Rigid => ("rigid".to_owned(), String::new()),
            };
            write!(f, "  {:>3}  {frequency:>12}  {damping:>10}  ", index + 1)?;
            let shares = mode.kinetic_shares();
            let has_mass = shares.iter().any(|share| *share > 0.0);
            let size = |k: usize| if has_mass { shares[k] } else { mode.shape[k].norm() };
            let mut order: Vec<usize> = (0..mode.shape.len()).filter(|&k| size(k) > 0.005).collect();
            order.sort_by(|&one, &other| size(other).total_cmp(&size(one)));
            let named =
                order.iter().take(MOST).filter_map(|&k| Some((model.coordinates.get(k)?.name, size(k))));
            let named = named.map(|(name, share)| match has_mass {
                true => format!("{name} {:.0} %", 100.0 * share),
                false => name.to_owned(),
            });
            writeln!(f, "{}", named.collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}

fn rate(mode: &Mode) -> String {
    format!("{} 1/s", Shown(mode.eigenvalue.re.abs()))
}
