//! Ranges, powers of ten and tick labels.

use crate::plot::ticks::Kind;

/// Numbers beyond this are not drawn.
const MAX_NUMBER: f64 = 1e290;

/// An axis: what it shows, in which unit, and how.
#[derive(Debug, Clone)]
pub struct Axis {
    name: String,
    unit: Option<String>,
    logarithmic: bool,
    range: Option<(f64, f64)>,
    names: Vec<String>,
}

impl Axis {
    /// A linear axis over the range of the data.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), unit: None, logarithmic: false, range: None, names: Vec::new() }
    }

    /// Sets the unit.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// Shows powers of ten; values that are not positive are left out.
    #[must_use]
    pub fn logarithmic(mut self) -> Self {
        self.logarithmic = true;
        self
    }

    /// Shows exactly this range.
    #[must_use]
    pub fn range(mut self, range: (f64, f64)) -> Self {
        self.range = Some(range);
        self
    }

    /// Shows names in place of numbers: the first one at 0, the next at 1.
    #[must_use]
    pub fn named(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.names = names.into_iter().map(Into::into).collect();
        self
    }

    /// The axis for these values, `tight` without margins, but to a round number that is very near.
    pub(crate) fn fitted(&self, values: impl Iterator<Item = f64>, tight: bool) -> Fitted {
        self.fitted_to(values, if tight { Ends::Round } else { Ends::Free })
    }

    /// The axis exactly from the least to the largest of these values.
    pub(crate) fn exact(&self, values: impl Iterator<Item = f64>) -> Fitted {
        self.fitted_to(values, Ends::Exact)
    }

    fn fitted_to(&self, values: impl Iterator<Item = f64>, ends: Ends) -> Fitted {
        /// Part of the data's range that is left free at both ends of an axis.
        const MARGIN: f64 = 0.05;
        /// Numbers between this and its negative are drawn as 0.
        const MIN_NUMBER: f64 = 1e-290;
        let shown = |value: f64| match self.logarithmic {
            true => value.log10(),
            false if value.abs() < MIN_NUMBER => 0.0,
            false => value,
        };
        let drawable = |value: &f64| value.is_finite() && value.abs() < MAX_NUMBER;
        let given = match self.names.len() {
            0 => self.range.map(|(lo, hi)| (shown(lo), shown(hi))),
            names => Some((-0.6, names as f64 - 0.4)),
        };
        let given = given.filter(|(lo, hi)| drawable(lo) && drawable(hi) && lo <= hi);
        let (mut lo, mut hi) = given.unwrap_or_else(|| {
            let values = values.map(shown).filter(drawable);
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), value| (lo.min(value), hi.max(value)))
        });
        if lo > hi {
            (lo, hi) = (0.0, 1.0);
        }
        // a range that is not more than rounding has no ticks
        if hi - lo <= 1e-9 * lo.abs().max(hi.abs()) {
            let room = if lo == 0.0 || self.logarithmic { 0.5 } else { 0.1 * lo.abs() };
            (lo, hi) = (lo - room, hi + room);
        }
        match ends {
            _ if given.is_some() => {}
            Ends::Free => {
                let margin = MARGIN * (hi - lo);
                (lo, hi) = (lo - margin, hi + margin);
            }
            Ends::Round if !self.logarithmic => (lo, hi) = to_round_ends((lo, hi)),
            Ends::Round | Ends::Exact => {}
        }
        // Very large and very small numbers are shown in powers of a thousand.
        let size = lo.abs().max(hi.abs());
        let exponent = match self.logarithmic || (1e-2..1e5).contains(&size) {
            true => 0,
            false => 3 * (size.log10() / 3.0).floor() as i32,
        };
        let factor = 10f64.powi(-exponent);
        let label = self.label(exponent);
        let range = (lo * factor, hi * factor);
        let decimals = (1.0 - (0.1 * (range.1 - range.0)).log10().floor()).clamp(0.0, 12.0) as i32;
        let names = self.names.clone();
        let kind = match self.unit.as_deref() {
            _ if self.logarithmic => Kind::Logarithmic,
            Some("deg" | "°") if exponent == 0 => Kind::Degrees,
            _ => Kind::Linear,
        };
        Fitted { range, kind, factor, label, names, decimals }
    }

    fn label(&self, exponent: i32) -> String {
        let unit = self.unit.as_deref().filter(|unit| *unit != "1").map(in_print);
        let unit = match (exponent, unit) {
            (0, None) => return self.name.clone(),
            (0, Some(unit)) => unit,
            (_, None) => power_of_ten(exponent),
            (_, Some(unit)) => format!("{} {unit}", power_of_ten(exponent)),
        };
        format!("{} [{unit}]", self.name)
    }
}

/// Writes a unit of a model as it is printed: `m/s²`, `N·s/m`.
fn in_print(unit: &str) -> String {
    unit.replace("^2", "²").replace("^3", "³").replace("^4", "⁴").replace('*', "·")
}

/// The ends of an axis with those of the values.
#[derive(Debug, Clone, Copy)]
enum Ends {
    /// With a margin.
    Free,
    /// At round numbers that are very near.
    Round,
    /// At the given numbers.
    Exact,
}

/// Moves the ends of a range to round numbers that they miss by less than half a percent, as a run to 10 s misses it by
/// half a step.
fn to_round_ends((lo, hi): (f64, f64)) -> (f64, f64) {
    let length = hi - lo;
    let power = 10f64.powf((length / 4.0).log10().floor());
    let fits = |factor: &f64| length / (factor * power) >= 3.9;
    let step = power * [5.0, 2.0, 1.0].into_iter().find(fits).unwrap_or(1.0);
    let moved = |end: f64, round: f64| if (end - round).abs() < 0.005 * length { round } else { end };
    (moved(lo, (lo / step).floor() * step), moved(hi, (hi / step).ceil() * step))
}

/// An axis that fits its data.
pub(crate) struct Fitted {
    /// The range as drawn: logarithms on a logarithmic axis, otherwise values times `factor`.
    pub range: (f64, f64),
    pub label: String,
    /// In place of numbers, if there are any.
    pub names: Vec<String>,
    pub kind: Kind,
    factor: f64,
    /// Decimals that distinguish ticks.
    decimals: i32,
}

impl Fitted {
    /// The position at which a value is drawn; not finite if it cannot be drawn.
    pub fn position(&self, value: f64) -> f64 {
        let position = if self.kind == Kind::Logarithmic { value.log10() } else { value * self.factor };
        if position.abs() < MAX_NUMBER { position } else { f64::NAN }
    }

    pub fn tick(&self, position: f64) -> String {
        if self.kind == Kind::Logarithmic {
            return self.logarithmic_tick(position);
        }
        // Ticks such as 0.30000000000000004.
        let unit = 10f64.powi(self.decimals);
        let rounded = (position * unit).round() / unit;
        // No -0, and a true minus sign.
        format!("{}", rounded + 0.0).replace('-', "−")
    }

    /// Plain numbers where all of the axis has short ones, otherwise powers of ten; nothing for places that are no
    /// round numbers.
    fn logarithmic_tick(&self, position: f64) -> String {
        let exponent = (position + 1e-9).floor();
        let digits = (1e4 * 10f64.powf(position - exponent)).round() / 1e4;
        let is_plain = self.range.0 >= -3.001 && self.range.1 <= 4.3;
        if digits != (1e3 * digits).round() / 1e3 {
            String::new()
        } else if is_plain {
            let places = 10f64.powi((3 - exponent as i32).max(0));
            format!("{}", (digits * 10f64.powi(exponent as i32) * places).round() / places)
        } else if digits == 1.0 {
            power_of_ten(exponent as i32)
        } else {
            format!("{digits}·{}", power_of_ten(exponent as i32))
        }
    }
}

/// `10⁻⁹`
fn power_of_ten(exponent: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    match exponent {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", exponent.to_string().chars().map(raised).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_shown_in_powers_of_ten() {
        let axis = Axis::new("error").unit("m/s²").fitted([-2e-9, 3e-9].into_iter(), true);
        assert_eq!(axis.label, "error [10⁻⁹ m/s²]");
        let damping = Axis::new("damping").unit("N*s/m^2").fitted([1.0, 2.0].into_iter(), true);
        assert_eq!(damping.label, "damping [N·s/m²]");
        assert!((axis.range.0 + 2.0).abs() < 1e-12 && (axis.range.1 - 3.0).abs() < 1e-12);
        assert_eq!(axis.tick(-0.1 - 0.2), "−0.3");
        assert_eq!(axis.tick(-1e-17), "0");
    }

    #[test]
    fn logarithmic_ticks_are_powers() {
        let axis = Axis::new("cost").logarithmic().fitted([0.0, 1e-18, 10.0].into_iter(), true);
        assert_eq!(axis.range, (-18.0, 1.0));
        assert_eq!((axis.tick(-15.0), axis.tick(0.0)), ("10⁻¹⁵".to_owned(), "1".to_owned()));
        assert_eq!((axis.tick(0.5), axis.tick(-15.0 + 2f64.log10())), (String::new(), "2·10⁻¹⁵".to_owned()));
        let plain = Axis::new("frequency").logarithmic().fitted([0.05, 200.0].into_iter(), true);
        let labels = [-1.0, 5f64.log10() - 1.0, 0.0, 2.0].map(|position| plain.tick(position));
        assert_eq!(labels, ["0.1", "0.5", "1", "100"]);
    }

    #[test]
    fn ranges_are_never_empty_nor_endless() {
        let of = |values: &[f64]| Axis::new("").fitted(values.iter().copied(), true).range;
        for value in [0.0, 1e-12, -7.0, 1e16, 1e-307, 5e-324] {
            let (lo, hi) = of(&[value, value]);
            assert!(hi - lo > 0.0 && (hi - lo).is_finite(), "{value}: {lo} {hi}");
        }
        assert_eq!(of(&[f64::NAN, f64::INFINITY, 1.0, 2.0, f64::MAX]), (1.0, 2.0));
        assert_eq!(of(&[]), (0.0, 1.0));
        assert_eq!(of(&[0.0, 1e-307]), of(&[0.0]));
        let backward = Axis::new("").range((2.0, f64::NAN)).fitted([3.0, 4.0].into_iter(), true);
        assert_eq!(backward.range, (3.0, 4.0));
    }

    #[test]
    fn an_end_that_nearly_reaches_a_round_number_does() {
        let end = |values: [f64; 2]| Axis::new("time").unit("s").fitted(values.into_iter(), true).range;
        assert_eq!(end([0.0, 9.998]), (0.0, 10.0));
        assert_eq!(end([0.0, 2.9995]), (0.0, 3.0));
        assert_eq!(end([0.002, 0.9999]), (0.0, 1.0));
        assert_eq!(end([0.0, 9.7]), (0.0, 9.7));
        assert_eq!(end([-1.0, 1.0]), (-1.0, 1.0));
    }

    #[test]
    fn ticks_of_narrow_ranges_can_be_told_apart() {
        let axis = Axis::new("").fitted([1.0, 1.000_000_8].into_iter(), true);
        assert_ne!(axis.tick(1.000_000_1), axis.tick(1.000_000_2));
    }
}
