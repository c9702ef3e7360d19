//! Units that are taken for that of a measured response: another one above or below its bar.

use super::result::suspicions::{UNIT_TOLERANCE, is_wrong_ratio, units_beside};

/// Returns the question about the unit of a response that would explain the ratio of measured and computed numbers.
pub fn question(heading: &str, ratio: f64) -> Option<String> {
    let is_near = |other: f64| is_wrong_ratio(other) && (ratio.abs() / other).ln().abs() < UNIT_TOLERANCE.ln();
    let all = units_of_response(heading).into_iter().filter(|(_, other)| is_near(*other));
    let mut units: Vec<String> = all.map(|(unit, _)| format!("`{unit}`")).collect();
    units.dedup();
    let sign = if ratio < 0.0 { ", with the opposite sign" } else { "" };
    (!units.is_empty()).then(|| format!("is the response in {}, and not in `{heading}`{sign}?", units.join(" or ")))
}

/// Returns the units that are taken for that of a response, each with the ratio of its numbers to those of this one.
fn units_of_response(heading: &str) -> Vec<(String, f64)> {
    let mut all: Vec<(String, f64)> = units_beside(heading).map(|(other, ratio)| (other.to_owned(), ratio)).collect();
    let Some((above, below)) = quotient(heading) else { return all };
    let bracketed = |unit: &str| match unit.contains(['/', '*']) {
        true => format!("({unit})"),
        false => unit.to_owned(),
    };
    all.extend(units_beside(above).map(|(other, ratio)| (format!("{}/{}", bracketed(other), bracketed(below)), ratio)));
    let others = units_beside(below);
    all.extend(others.map(|(other, ratio)| (format!("{}/{}", bracketed(above), bracketed(other)), ratio.recip())));
    all
}

/// Returns the units above and below the last bar of a quotient that is not in brackets.
fn quotient(unit: &str) -> Option<(&str, &str)> {
    let mut depth = 0_i32;
    let bars = unit.char_indices().filter(|(_, letter)| {
        depth += i32::from(*letter == '(') - i32::from(*letter == ')');
        *letter == '/' && depth == 0
    });
    let (at, _) = bars.last()?;
    Some((inside(unit[..at].trim()), inside(unit[at + 1..].trim())))
}

/// Returns a unit without brackets around it.
fn inside(unit: &str) -> &str {
    unit.strip_prefix('(').and_then(|unit| unit.strip_suffix(')')).filter(|unit| !unit.contains('(')).unwrap_or(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_of_units_above_and_below_are_known() {
        for (unit, ratio, other) in [
            ("m/s^2/mm", 0.102, "g/mm"),
            ("(m/s^2)/(mm)", 0.102, "g/mm"),
            ("m/s^2/N", 1e3, "(m/s^2)/kN"),
            ("N/mm", 1e-3, "kN/mm"),
            ("m/(N*m)", 1e3, "m/(kN*m)"),
            ("mm", 1e-3, "m"),
        ] {
            let asked = question(unit, ratio).unwrap_or_default();
            assert!(asked.contains(&format!("`{other}`")) && asked.ends_with(&format!("not in `{unit}`?")), "{asked}");
        }
        let reversed = question("m/N", -1e3).unwrap();
        assert_eq!(reversed, "is the response in `mm/N` or `m/kN`, and not in `m/N`, with the opposite sign?");
        assert_eq!(question("m/N", 1.8), None);
        assert_eq!(question("1", 1e3), None);
    }
}
