//! The remarks of a fit on unknowns that are shifted by the errors of the steps, and by the course of inputs between
//! samples.

use crate::definition::digits::{format_exactly, significant};
use crate::thresholds::NOTICEABLE_SHIFT;

/// The steps of the runs.
pub(super) enum StepsOf<'a> {
    /// Constant steps: the steps and the lengths of the runs.
    Constant(&'a [(f64, f64)]),
    /// Adaptive steps with this tolerance.
    Adaptive(f64),
}

/// Returns the advised steps, relative to the present ones, where unknowns are shifted by so many standard deviations
/// and errors fall with the power `order` of the steps; `None` if no shift is noticeable.
pub(crate) fn advised_part(shifts: impl Iterator<Item = f64>, order: u32) -> Option<f64> {
    /// Largest shift that the advised steps are expected to leave, as a part of `NOTICEABLE_SHIFT`.
    const MARGIN: f64 = 0.8;
    let largest = shifts.map(f64::abs).filter(|shift| *shift > NOTICEABLE_SHIFT).reduce(f64::max)?;
    Some((MARGIN * NOTICEABLE_SHIFT / largest).powf(1.0 / f64::from(order)))
}

/// Returns the remark on unknowns that are shifted by `moved` standard deviations, with the advised steps, where
/// errors fall with the power `order` of the steps, or with runs of order 4 and so many parts of every step, where
/// these do; `None` if no shift is noticeable.
pub(super) fn moved_by_steps(
    moved: &[(&str, f64)],
    steps: &StepsOf<'_>,
    order: u32,
    order_four: Option<f64>,
) -> Option<String> {
    let named = noticeable(moved)?;
    let part = advised_part(moved.iter().map(|(_, shift)| *shift), order)?;
    let advice = match steps {
        StepsOf::Adaptive(tolerance) => {
            format!("a tolerance of {}", significant(tolerance * part.powi(3), 1))
        }
        StepsOf::Constant(runs @ [(step, _), others @ ..]) if others.iter().all(|(other, _)| other == step) => {
            format!("steps of {} s", format_exactly(dividing(runs, step * part)))
        }
        StepsOf::Constant(_) => format!("steps of {} of their length", format_exactly(two_digits(part))),
    };
    let keep = format!("would keep the shifts within {NOTICEABLE_SHIFT}");
    let advised = match (order_four, steps) {
        (Some(parts), StepsOf::Constant([(step, _), others @ ..])) => {
            let steps = match others.iter().all(|(other, _)| other == step) {
                true => format!("steps of {} s", format_exactly(step / parts)),
                false if parts == 1.0 => "the same steps".to_owned(),
                false => format!("steps of {} times their length", format_exactly(1.0 / parts)),
            };
            format!("order 4 with {steps} {keep}, as {advice} would")
        }
        _ => format!("{advice} {keep}"),
    };
    Some(format!("step-size errors shift the found values, in standard deviations: {named}; {advised}"))
}

/// Words of the remark on inputs whose interpolation moves the unknowns.
pub(super) const TAKEN_AS_STRAIGHT: &str = "taken as straight between samples";

/// Returns the remark on unknowns that would move by `moved` standard deviations if the sampled `inputs` were cubic
/// between their samples; `None` if no shift is noticeable, or the course of all inputs was said.
pub(super) fn moved_by_inputs(moved: &[(&str, f64)], inputs: &[&str]) -> Option<String> {
    let named = noticeable(moved).filter(|_| !inputs.is_empty())?;
    let (inputs, are) = (inputs.join("`, `"), if inputs.len() == 1 { "is" } else { "are" });
    Some(format!(
        "`{inputs}` {are} {TAKEN_AS_STRAIGHT}, and a cubic spline would shift the found values, in \
             standard deviations: {named}; say which interpolation is meant, cubic for a smooth signal"
    ))
}

/// Returns the unknowns with noticeable shifts, the largest first, as text; `None` if there are none.
fn noticeable(moved: &[(&str, f64)]) -> Option<String> {
    /// Largest number of unknowns that are named.
    const MAX_NAMED: usize = 4;
    let mut doubtful: Vec<_> = moved.iter().filter(|(_, shift)| shift.abs() > NOTICEABLE_SHIFT).collect();
    doubtful.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let mut named: Vec<String> =
        doubtful.iter().take(MAX_NAMED).map(|(name, shift)| format!("{name} by {shift:+.1}")).collect();
    if let Some(others @ 1..) = doubtful.len().checked_sub(MAX_NAMED) {
        named.push(format!("{others} more by less"));
    }
    (!named.is_empty()).then(|| named.join(", "))
}

/// Returns the largest step with two digits that is not above `largest` and divides the lengths of all runs; the
/// largest one with two digits if none near it divides them.
fn dividing(runs: &[(f64, f64)], largest: f64) -> f64 {
    /// Smallest step that is looked at, in units of the largest one.
    const LEAST: f64 = 0.6;
    /// Largest distance of a number of steps from a whole one, relative to it.
    const ROUNDING: f64 = 1e-9;
    let divides = |step: f64| {
        let mut counts = runs.iter().map(|(_, end)| end / step);
        counts.all(|count| (count - count.round()).abs() <= ROUNDING * count)
    };
    let below = |step: &f64| Some(two_digits(step * (1.0 - ROUNDING))).filter(|below| *below >= LEAST * largest);
    let first = two_digits(largest);
    std::iter::successors(Some(first), below).find(|step| divides(*step)).unwrap_or(first)
}

/// Returns the largest number with two digits that is not above `value`.
fn two_digits(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    // a number of two digits may be a rounding above the quotient
    let digits = (value / unit * (1.0 + 1e-12)).floor();
    format!("{:.1e}", digits * unit).parse().unwrap_or(value)
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
        assert_eq!(moved_by_steps(&[("m", 0.4), ("k", -0.3), ("c", f64::NAN)], &steps, 2, None), None);
        let said = moved_by_steps(&[("f", -6.5), ("d", 9.5), ("k", 0.1)], &steps, 2, None).unwrap();
        assert_eq!(
            said,
            "step-size errors shift the found values, in standard deviations: d by +9.5, f by -6.5; steps of 0.002 s \
                 would keep the shifts within 0.5"
        );
        let odd = [(0.01, 6.004)];
        let said = moved_by_steps(&[("d", 9.5)], &StepsOf::Constant(&odd), 2, None).unwrap();
        assert!(said.contains("steps of 0.002 s would"), "{said}");
        assert_eq!([0.0039, 0.00999, 9.9, 1e-3, 12.34].map(two_digits), [0.0039, 0.0099, 9.9, 1e-3, 12.0]);
        assert_eq!(dividing(&[(0.01, 2.0)], 0.00396), 0.0032);
        assert_eq!(dividing(&[(0.01, 2.0), (0.01, 0.7)], 0.00396), 0.0025);
        assert_eq!(dividing(&[(0.01, 0.71317)], 0.0123), 0.012);
        let said = moved_by_steps(&[("d", 9.5)], &StepsOf::Constant(&odd), 2, Some(2.0)).unwrap();
        let advice = "; order 4 with steps of 0.005 s would keep the shifts within 0.5, as steps of 0.002 s would";
        assert!(said.ends_with(advice), "{said}");
        let several = [(0.01, 6.0), (0.02, 6.0)];
        let said = |parts| moved_by_steps(&[("d", 9.5)], &StepsOf::Constant(&several), 2, Some(parts)).unwrap();
        assert!(said(1.0).contains("; order 4 with the same steps would"), "{}", said(1.0));
        let advice = " of 2 times their length would keep the shifts within 0.5, as steps of 0.2 of their length would";
        assert!(said(0.5).ends_with(advice), "{}", said(0.5));
        let many: Vec<(&str, f64)> = vec![("a", 1.0); 6];
        let said = moved_by_steps(&many, &StepsOf::Adaptive(1e-4), 2, None).unwrap();
        assert!(said.contains("2 more by less; a tolerance of 3e-5 would"), "{said}");
        let said = moved_by_steps(&many, &StepsOf::Constant(&[(0.1, 1.0), (0.2, 1.0)]), 1, None).unwrap();
        assert!(said.contains("steps of 0.4 of their length"), "{said}");
    }
}
