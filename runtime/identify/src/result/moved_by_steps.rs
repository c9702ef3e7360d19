//! The remarks of a fit on unknowns that are shifted by the errors of the steps, and by the course of inputs between
//! samples.

use costate_system::gradient::round_step;

use crate::definition::digits::{format_exactly, significant};
use crate::thresholds::NOTICEABLE_SHIFT;

/// The steps of the runs.
pub(super) enum StepsOf<'a> {
    /// Constant steps: the steps and the lengths of the runs.
    Constant(&'a [(f64, f64)]),
    /// Adaptive steps with this tolerance.
    Adaptive(f64),
}

/// Returns the remark on unknowns that are shifted by `moved` standard deviations, with the advised steps, where
/// errors fall with the power `order` of the steps; `None` if no shift is noticeable.
pub(super) fn moved_by_steps(moved: &[(&str, f64)], steps: &StepsOf<'_>, order: u32) -> Option<String> {
    /// Largest shift that the advised steps are expected to leave, as a part of `NOTICEABLE_SHIFT`.
    const MARGIN: f64 = 0.8;
    let (named, largest) = noticeable(moved)?;
    let part = (MARGIN * NOTICEABLE_SHIFT / largest).powf(1.0 / f64::from(order));
    let advice = match steps {
        StepsOf::Adaptive(tolerance) => {
            format!("a tolerance of {}", significant(tolerance * part.powi(3), 1))
        }
        StepsOf::Constant([(step, end), others @ ..]) if others.iter().all(|(other, _)| other == step) => {
            // a number that divides the length of the run, if that number is a short one
            let round = round_step(*end, step * part);
            let is_short = others.is_empty() && two_digits(round) == round;
            let advised = if is_short { round } else { two_digits(step * part) };
            format!("steps of {} s", format_exactly(advised))
        }
        StepsOf::Constant(_) => format!("steps of {} of their length", format_exactly(two_digits(part))),
    };
    let moves = "step-size errors shift the found values, in standard deviations";
    Some(format!("{moves}: {named}; {advice} would keep the shifts within {NOTICEABLE_SHIFT}"))
}

/// Returns the remark on unknowns that would move by `moved` standard deviations if the sampled `inputs` were cubic
/// between their samples; `None` if no shift is noticeable, or the course of all inputs was said.
pub(super) fn moved_by_inputs(moved: &[(&str, f64)], inputs: &[&str]) -> Option<String> {
    let (named, _) = noticeable(moved).filter(|_| !inputs.is_empty())?;
    let (inputs, are) = (inputs.join("`, `"), if inputs.len() == 1 { "is" } else { "are" });
    Some(format!(
        "`{inputs}` {are} taken as straight between samples, and a cubic spline would shift the found values, in \
             standard deviations: {named}; say which interpolation is meant, cubic for a smooth signal"
    ))
}

/// Returns the unknowns with noticeable shifts, the largest first, as text, and the largest size; `None` if there are
/// none.
fn noticeable(moved: &[(&str, f64)]) -> Option<(String, f64)> {
    /// Largest number of unknowns that are named.
    const MAX_NAMED: usize = 4;
    let mut doubtful: Vec<_> = moved.iter().filter(|(_, shift)| shift.abs() > NOTICEABLE_SHIFT).collect();
    doubtful.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let (_, largest) = doubtful.first()?;
    let mut named: Vec<String> =
        doubtful.iter().take(MAX_NAMED).map(|(name, shift)| format!("{name} by {shift:+.1}")).collect();
    if let Some(others @ 1..) = doubtful.len().checked_sub(MAX_NAMED) {
        named.push(format!("{others} more by less"));
    }
    Some((named.join(", "), largest.abs()))
}

/// Returns the largest number with two digits that is not above `value`.
fn two_digits(value: f64) -> f64 {
    let digits = format!("{value:.1e}").parse().unwrap_or(value);
    if digits > value * (1.0 + 1e-12) { format!("{:.1e}", 0.97 * value).parse().unwrap_or(value) } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_the_course_of_inputs_moves_are_named() {
        assert_eq!(moved_by_inputs(&[("m", 0.4)], &["drive"]), None);
        assert_eq!(moved_by_inputs(&[("m", 4.0)], &[]), None);
        let said = moved_by_inputs(&[("m", 0.6), ("k", -3.3), ("c", f64::NAN)], &["drive", "base"]);
        let said = said.unwrap_or_default();
        assert!(said.starts_with("`drive`, `base` are taken as straight"), "{said}");
        assert!(said.contains("deviations: k by -3.3, m by +0.6; say"), "{said}");
    }

    #[test]
    fn values_that_steps_move_are_named_with_what_would_do() {
        let one = [(0.01, 30.0)];
        let steps = StepsOf::Constant(&one);
        assert_eq!(moved_by_steps(&[("m", 0.4), ("k", -0.3), ("c", f64::NAN)], &steps, 2), None);
        let said = moved_by_steps(&[("f", -6.5), ("d", 9.5), ("k", 0.1)], &steps, 2).unwrap();
        assert_eq!(
            said,
            "step-size errors shift the found values, in standard deviations: d by +9.5, f by -6.5; steps of 0.002 s \
                 would keep the shifts within 0.5"
        );
        let odd = [(0.01, 6.004)];
        let said = moved_by_steps(&[("d", 9.5)], &StepsOf::Constant(&odd), 2).unwrap();
        assert!(said.contains("steps of 0.002 s would"), "{said}");
        let many: Vec<(&str, f64)> = vec![("a", 1.0); 6];
        let said = moved_by_steps(&many, &StepsOf::Adaptive(1e-4), 2).unwrap();
        assert!(said.contains("2 more by less; a tolerance of 3e-5 would"), "{said}");
        let said = moved_by_steps(&many, &StepsOf::Constant(&[(0.1, 1.0), (0.2, 1.0)]), 1).unwrap();
        assert!(said.contains("steps of 0.4 of their length"), "{said}");
    }
}
