//! Modes as text.

use std::fmt;

use costate_contract::shown::Shown;

use crate::equilibrium::NOTABLE_RATE;
use crate::mode::{Mode, ModeKind, Modes};

impl fmt::Display for Modes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The number of coordinates that a line names.
        const MAX_NAMED_COORDINATES: usize = 3;
        let model = self.description();
        writeln!(f, "Modes of {}", model.name)?;
        writeln!(
            f,
            "  {:>3}  {:>12}  {:>12}  {:>10}  moves most (share of the kinetic energy)",
            "", "frequency", "damped", "damping"
        )?;
        for (index, mode) in self.all().iter().enumerate() {
            let (frequency, damping) = match mode.kind() {
                ModeKind::Oscillation => (format!("{} Hz", Shown(mode.frequency())), damping(mode)),
                ModeKind::Aperiodic if mode.eigenvalue.re > 0.0 => ("grows".to_owned(), rate(mode)),
                ModeKind::Aperiodic => ("decays".to_owned(), rate(mode)),
                ModeKind::Rigid if mode.rounding() >= NOTABLE_RATE => ("rigid or slow".to_owned(), String::new()),
                ModeKind::Rigid => ("rigid".to_owned(), String::new()),
            };
            let damped = match mode.kind() {
                ModeKind::Oscillation => format!("{} Hz", Shown(mode.damped_frequency())),
                _ => String::new(),
            };
            write!(f, "  {:>3}  {frequency:>12}  {damped:>12}  {damping:>10}  ", index + 1)?;
            let shares = mode.kinetic_shares();
            let has_mass = shares.iter().any(|share| *share > 0.0);
            let size = |k: usize| if has_mass { shares[k] } else { mode.shape[k].norm() };
            let mut order: Vec<usize> = (0..mode.shape.len()).filter(|&k| size(k) > 0.005).collect();
            order.sort_by(|&one, &other| size(other).total_cmp(&size(one)));
            let named = order
                .iter()
                .take(MAX_NAMED_COORDINATES)
                .filter_map(|&k| Some((model.coordinates.get(k)?.name, size(k))));
            let named = named.map(|(name, share)| match has_mass {
                true => format!("{name} {:.0} %", 100.0 * share),
                false => name.to_owned(),
            });
            writeln!(f, "{}", named.collect::<Vec<_>>().join(", "))?;
        }
        if self.oscillations().any(|mode| mode.is_damped()) {
            writeln!(f, "  frequency: |eigenvalue|/(2 pi); damped: that which is counted in a decaying oscillation")?;
            if let Ok(undamped) = self.linear_model().undamped_frequencies() {
                let texts: Vec<String> = undamped.iter().map(|of| Shown(*of).to_string()).collect();
                writeln!(f, "  without all dampers: {} Hz", texts.join(", "))?;
            }
        }
        Ok(())
    }
}

/// Returns the damping ratio of an oscillation; 0 for what is rounding.
pub(crate) fn damping(mode: &Mode) -> String {
    let ratio = if mode.is_damped() { mode.damping_ratio() } else { 0.0 };
    format!("{} %", Shown(100.0 * ratio))
}

fn rate(mode: &Mode) -> String {
    format!("{} 1/s", Shown(mode.eigenvalue.re.abs()))
}

impl Modes {
    /// Returns what rounding leaves in doubt, a sentence each: motions that may be rigid or not, and frequencies of few
    /// digits.
    pub fn doubts(&self) -> Vec<String> {
        /// Rounding of an eigenvalue, relative to its size, that is worth a word.
        const NOTABLE_ROUNDING: f64 = 0.01;
        let doubt = |(index, mode): (usize, &Mode)| {
            let (number, rounding) = (index + 1, mode.rounding());
            let in_hertz = Shown(rounding / std::f64::consts::TAU);
            let percent = Shown(100.0 * rounding / mode.eigenvalue.norm());
            match mode.kind() {
                ModeKind::Rigid if rounding >= NOTABLE_RATE => Some(format!(
                    "whether mode {number} is rigid cannot be told: it may oscillate at up to {in_hertz} Hz, or grow \
                     at up to {} 1/s, because what holds it is less than the rounding of stiffer parts",
                    Shown(rounding)
                )),
                ModeKind::Rigid => None,
                _ if rounding > mode.eigenvalue.norm() => Some(format!(
                    "mode {number} is lost in the rounding of stiffer parts: it may be rigid, oscillate or grow"
                )),
                _ if rounding > NOTABLE_ROUNDING * mode.eigenvalue.norm() => Some(format!(
                    "mode {number} is known to {percent} % only: stiffer parts leave no more digits of what holds it"
                )),
                _ => None,
            }
        };
        self.all().iter().enumerate().filter_map(doubt).collect()
    }
}
