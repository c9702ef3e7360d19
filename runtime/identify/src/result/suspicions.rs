//! Causes of a fit that does not explain the data, other than an incomplete model: a local minimum, a wrong unit, sign,
//! zero or trigger.

use costate_contract::units::conversion;
use costate_cost::residuals::{Agreement, Cause, Regression, Suspicion, VerdictLevels};

use super::extended::Extension;

/// Explained part in % below which a signal may be out of phase.
pub(super) const MAX_LOST_PERCENT: f64 = 50.0;

/// Explained part in % above which nothing is suspected.
const MIN_EXPLAINED_PERCENT: f64 = 90.0;

/// Ratio, or its inverse, that no fit leaves which has only missed a small term.
const MIN_WRONG_RATIO: f64 = 1.5;

/// Factor by which a ratio may differ from that of two units at the end.
pub(crate) const UNIT_TOLERANCE: f64 = 1.1;

/// Units of test benches that are taken for each other.
const UNITS: [&str; 34] = [
    "g", "m/s^2", "mm/s^2", "cm/s^2", "m", "mm", "um", "cm", "m/s", "mm/s", "km/h", "rad", "deg", "rev", "rad/s",
    "deg/s", "rpm", "rad/s^2", "deg/s^2", "N", "kN", "N*m", "kN*m", "N*cm", "N*mm", "Pa", "kPa", "bar", "mbar", "MPa",
    "V", "mV", "A", "mA",
];

/// Units that are rarer: start values which are off would show them too often.
const RARE_UNITS: [&str; 21] = [
    "mrad", "mrad/s", "mN", "MN", "kgf", "lbf", "kip", "kgf*m", "kgf*cm", "lbf*ft", "lbf*in", "psi", "in", "ft",
    "in/s", "ft/s", "mph", "in/s^2", "ft/s^2", "W", "kW",
];

/// A channel with what was computed of it.
#[derive(Debug, Clone)]
pub(crate) struct Compared {
    pub channel: String,
    pub experiment: Option<String>,
    pub unit: &'static str,
    /// Unit of the channel's heading, or that of the output for a channel without one.
    pub heading: String,
    /// True if the channel has a unit.
    pub has_unit: bool,
    /// Factor of the output in the computed values.
    pub gain: f64,
    /// Time in s by which the computed values follow the output.
    pub delay: f64,
    /// Explained part in %; `None` for a constant signal.
    pub explained: Option<f64>,
    pub agreement: Agreement,
    /// Probability of the residuals if they are white; `None` where they were not tested.
    pub white: Option<f64>,
}

impl Compared {
    pub fn suspicion(&self, at_start: bool, cause: Cause) -> Suspicion {
        let (channel, experiment) = (self.channel.clone(), self.experiment.clone());
        Suspicion { channel, experiment, at_start, cause }
    }

    /// Returns true if noise does not explain what is left.
    pub fn is_unexplained(&self) -> bool {
        match self.white {
            Some(white) => white < VerdictLevels::default().insufficient,
            // residuals of absurd values are not tested, as the error of the steps may explain them
            None => self.explained.is_some_and(|percent| percent < MAX_LOST_PERCENT),
        }
    }

    /// Returns true if little is explained.
    pub fn explains_little(&self) -> bool {
        self.explained.is_some_and(|percent| percent < MAX_LOST_PERCENT)
    }

    /// Returns true if so much is explained that nothing is suspected.
    pub fn explains_most(&self) -> bool {
        self.explained.is_some_and(|percent| percent > MIN_EXPLAINED_PERCENT)
    }

    /// Returns true if a part is not explained from which on something is suspected.
    pub fn leaves_part(&self) -> bool {
        self.explained.is_some_and(|percent| percent < MIN_EXPLAINED_PERCENT)
    }

    /// Returns true if little is explained, and the computed signal is out of phase with the measured one for some
    /// time.
    fn is_out_of_phase(&self) -> bool {
        /// Share of the time out of phase from which on a fit has lost the phase.
        const MAX_LOST_SHARE: f64 = 0.25;
        let is_lost = self.agreement.phase.is_some_and(|phase| phase.lost > MAX_LOST_SHARE);
        is_lost && self.explains_little()
    }

    /// Returns true if the computed signal is out of phase with the measured one, and noise is not the reason.
    fn has_lost_phase(&self) -> bool {
        self.is_unexplained() && self.is_out_of_phase()
    }

    /// Returns a shift in time, a wrong unit or sign that the start values show.
    pub fn ratio_at_start(&self) -> Option<Suspicion> {
        /// Factor by which a ratio may differ from that of two units at the start values.
        const UNIT_TOLERANCE_AT_START: f64 = 1.35;
        /// Smallest ratio of two units that is told apart from start values that are off.
        const MIN_RATIO_AT_START: f64 = 6.0;
        // a free motion of the other sign is one that begins at another time
        if let Some(shift) = self.agreement.shift.filter(|_| self.explains_little()) {
            return Some(self.suspicion(true, Cause::Delay { delay: shift.delay, explained: None, input: None }));
        }
        let known = self.agreement.beginning;
        let (ratio, correlation) = match known {
            Some(Regression { slope: ratio, correlation, .. }) if ratio < 0.0 => {
                let is_sign = (MIN_RATIO_AT_START.recip()..MIN_RATIO_AT_START).contains(&ratio.abs());
                return is_sign.then(|| self.suspicion(true, Cause::Sign { ratio, correlation }));
            }
            Some(known) => (known.slope, Some(known.correlation)),
            None => (self.agreement.size_ratio, None),
        };
        let usual = of_units(&UNITS, &self.heading);
        let question = question(&self.heading, ratio, (UNIT_TOLERANCE_AT_START, MIN_RATIO_AT_START), usual)?;
        Some(self.suspicion(true, Cause::Scale { ratio, correlation, question: Some(question) }))
    }

    /// Returns a wrong unit or sign that the found values show.
    fn ratio_at_end(&self) -> Option<Suspicion> {
        /// Smallest correlation that shows a ratio of measured and computed values.
        const MIN_CORRELATION: f64 = 0.9;
        let Regression { slope: ratio, correlation, .. } = self.agreement.all;
        if correlation.abs() < MIN_CORRELATION || self.explained.is_none_or(|percent| percent > MIN_EXPLAINED_PERCENT) {
            return None;
        }
        if ratio < 0.0 {
            return Some(self.suspicion(false, Cause::Sign { ratio, correlation }));
        }
        let question = question_at_end(&self.heading, ratio);
        is_wrong_ratio(ratio)
            .then(|| self.suspicion(false, Cause::Scale { ratio, correlation: Some(correlation), question }))
    }

    fn is_of(&self, suspicion: &Suspicion) -> bool {
        self.channel == suspicion.channel && self.experiment == suspicion.experiment
    }
}

/// Returns true if no fit leaves this ratio of measured and computed values which has only missed a small term.
pub(crate) fn is_wrong_ratio(ratio: f64) -> bool {
    !(MIN_WRONG_RATIO.recip()..=MIN_WRONG_RATIO).contains(&ratio)
}

/// Returns the units that are taken for this one, each with the ratio of its numbers to those of this one.
pub(crate) fn units_beside(heading: &str) -> impl Iterator<Item = (&'static str, f64)> {
    // a plain number is no small angle
    of_units(&UNITS, heading).chain(of_units(&RARE_UNITS, heading).filter(move |_| heading != "1"))
}

fn of_units(units: &'static [&str], heading: &str) -> impl Iterator<Item = (&'static str, f64)> {
    // `g` is gravity on one side of a conversion alone
    let ratio_of = |other: &str| match conversion(other, heading) {
        Ok(scale) => Some(scale.apply(1.0).recip()),
        Err(_) => Some(conversion(heading, other).ok()?.apply(1.0)),
    };
    units.iter().filter(move |other| **other != heading).filter_map(move |&other| Some((other, ratio_of(other)?)))
}

/// Returns the question about a unit for a ratio that found values leave.
pub(crate) fn question_at_end(heading: &str, ratio: f64) -> Option<String> {
    question(heading, ratio, (UNIT_TOLERANCE, MIN_WRONG_RATIO), units_beside(heading))
}

/// Returns the question whether a channel is in another one of `units` than in that of its heading, where that explains
/// the ratio of measured and computed values: the two nearest units at most, the nearest first.
fn question(
    heading: &str,
    ratio: f64,
    (near, least): (f64, f64),
    units: impl Iterator<Item = (&'static str, f64)>,
) -> Option<String> {
    let distance = |wanted: f64| (ratio / wanted).ln().abs();
    let mut others: Vec<_> =
        units.filter(|&(_, wanted)| wanted.max(wanted.recip()) >= least && distance(wanted) < near.ln()).collect();
    others.sort_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    let names: Vec<String> = others.iter().take(2).map(|(other, _)| format!("`{other}`")).collect();
    (!names.is_empty()).then(|| format!("is the channel in {}, and not in `{heading}`?", names.join(" or ")))
}

/// Returns true if a ratio that the start values or the found ones show, with a correlation, is the cause of what is
/// left.
fn has_ratio(compared: &Compared, at_start: &[Suspicion]) -> bool {
    let is_certain = |one: &Suspicion| match one.cause {
        Cause::Scale { correlation, .. } => correlation.is_some(),
        Cause::Sign { .. } => true,
        _ => false,
    };
    compared.ratio_at_end().is_some()
        || at_start.iter().any(|suspicion| compared.is_of(suspicion) && is_certain(suspicion))
}

/// Returns true if some channel may be that of a local minimum, and none has a wrong unit or sign, which no start
/// values mend.
pub(crate) fn is_lost(all: &[Option<Compared>], at_start: &[Suspicion]) -> bool {
    all.iter().flatten().any(|one| one.is_unexplained() && one.leaves_part())
        && !all.iter().flatten().any(|one| one.is_unexplained() && has_ratio(one, at_start))
}

/// Collects the causes that the found values show, and those that the start values have shown and the fit has not
/// removed. `extension` is the correction of a channel that would remove most of the residuals.
pub(crate) fn suspicions(
    all: &[Option<Compared>],
    at_start: &[Suspicion],
    has_grown: bool,
    extension: Option<&Extension>,
) -> Vec<Suspicion> {
    let mut found = Vec::new();
    for compared in all.iter().flatten().filter(|compared| compared.is_unexplained()) {
        let is_explained = compared.explained.is_some_and(|percent| percent > MIN_EXPLAINED_PERCENT);
        let before = at_start.iter().find(|suspicion| compared.is_of(suspicion) && !is_explained);
        let is_shifted = before.is_some_and(|before| matches!(before.cause, Cause::Delay { .. }));
        // a question about a unit says more than a ratio that the fit has bent, and a shift in time than a sign
        let asks = |one: &Suspicion| match one.cause {
            Cause::Scale { question: None, .. } => false,
            Cause::Sign { .. } => !is_shifted,
            _ => true,
        };
        let at_end = compared.ratio_at_end();
        let ratio = at_end.clone().filter(asks).or_else(|| before.cloned()).or(at_end);
        let phase = compared.agreement.phase.filter(|_| compared.has_lost_phase());
        let out_of_phase = |phase: costate_cost::residuals::Phase| {
            let (from, until) = (phase.from, phase.until);
            compared.suspicion(false, Cause::OutOfPhase { from, until, has_grown })
        };
        found.extend(ratio.or_else(|| phase.map(out_of_phase)));
    }
    let is_sign = |one: &Suspicion| matches!(one.cause, Cause::Sign { .. });
    if found.len() > 1 && found.len() == all.len() && found.iter().all(is_sign) {
        let question = "is the sign of an input reversed? Or are those of all channels?";
        for one in &mut found {
            if let Cause::Sign { ratio, correlation } = one.cause {
                one.cause = Cause::Scale { ratio, correlation: Some(correlation), question: Some(question.to_owned()) };
            }
        }
    }
    if found.is_empty() {
        found.extend(extension.and_then(|extension| {
            let compared = all.get(extension.channel)?.as_ref()?;
            Some(compared.suspicion(false, extension.cause(compared.unit)))
        }));
    }
    found
}

/// Returns remarks on ratios of units that the start values have shown and the found values have taken up.
pub(crate) fn taken_up(all: &[Option<Compared>], at_start: &[Suspicion], found: &[Suspicion]) -> Vec<String> {
    let is_taken_up = |suspicion: &&Suspicion| {
        matches!(suspicion.cause, Cause::Scale { correlation: Some(_), .. })
            && !found
                .iter()
                .any(|other| (&other.channel, &other.experiment) == (&suspicion.channel, &suspicion.experiment))
            && all
                .iter()
                .flatten()
                .any(|one| one.is_of(suspicion) && one.explained.is_some_and(|percent| percent > MIN_EXPLAINED_PERCENT))
    };
    at_start.iter().filter(is_taken_up).map(|one| format!("{one} The found values have taken up this ratio")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(unit: &str, ratio: f64) -> String {
        question_at_end(unit, ratio).unwrap_or_default()
    }

    #[test]
    fn ratios_of_units_are_known() {
        let is_in = |unit: &str, ratio: f64, other: &str| {
            let text = asked(unit, ratio);
            assert_eq!(text, format!("is the channel in `{other}`, and not in `{unit}`?"), "{ratio}");
        };
        is_in("m/s^2", 0.102, "g");
        is_in("m", 1000.0, "mm");
        is_in("mm", 1e-3, "m");
        is_in("rad", 57.3, "deg");
        is_in("deg", 0.0175, "rad");
        is_in("N", 1e-3, "kN");
        is_in("Pa", 1e-5, "bar");
        is_in("bar", 1e5, "Pa");
        is_in("rad/s", 9.55, "rpm");
        is_in("rpm", 0.105, "rad/s");
        is_in("rad", 0.159, "rev");
        is_in("km/h", 0.278, "m/s");
        is_in("g", 9.81, "m/s^2");
        is_in("mm", 1e3, "um");
        is_in("m", 1e3, "mm");
        is_in("N*m", 1e3, "N*mm");
        is_in("N*m", 100.0, "N*cm");
        is_in("N*m", 8.85, "lbf*in");
        is_in("N*m", 10.2, "kgf*cm");
        is_in("N", 0.225, "lbf");
        is_in("N", 0.102, "kgf");
        is_in("Pa", 1.45e-4, "psi");
        is_in("bar", 14.5, "psi");
        is_in("mm", 0.0394, "in");
        is_in("m", 3.28, "ft");
        is_in("rad", 1e3, "mrad");
        let both = "is the channel in `lbf*in` or `kgf*cm`, and not in `N*m`?";
        assert_eq!(asked("N*m", 9.4), both, "the nearest first");
        assert!(UNITS.iter().chain(&RARE_UNITS).all(|unit| units_beside(unit).next().is_some()), "a unit alone");
        assert_eq!(asked("N", 1.8), "");
        assert_eq!(asked("1", 1000.0), "");
    }
}
