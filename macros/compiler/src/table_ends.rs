//! Tables over time whose first or last interval a prescribed motion goes through.

use costate_contract::shown::Shown;
use costate_contract::tables::{CurveGrid, Extension, Interpolation};

use crate::model::Model;
use crate::symbolic::{Graph, Node, Symbol};

/// Curvature at an end, relative to the largest one of a table, up to which it is at rest or straight there.
const MAX_CURVATURE: f64 = 0.05;

/// Knots from which on values tell the curvature at an end: fewer are a ramp or a step.
const MIN_KNOTS: usize = 5;

/// Factor by which what an end does to the curvature of a spline falls from knot to knot: 2 - sqrt(3), of even knots.
const FALL_OF_CURVATURE: f64 = 0.268;

/// Curvature with which a spline begins to ring at an edge where a slope ends, relative to the slope over the length of
/// an interval; found by trying. Where a curvature ends, it is that curvature.
const RINGING_OF_SLOPES: f64 = 6.0;

/// Part of an interval that a run may reach by the rounding of its times, and of slopes by that of values.
const ROUNDING: f64 = 1e-6;

/// Returns which tables bend at an end that a run of this length in s reaches, other than their values do, where a
/// constraint prescribes a motion by them; a sentence each. `parameters` are in their units; `grid` returns the data of
/// a table of one argument.
pub fn bent(
    model: &Model,
    graph: &Graph,
    (end, parameters): (f64, &[f64]),
    grid: &dyn Fn(usize) -> Option<CurveGrid>,
) -> Vec<String> {
    let mut all = Vec::new();
    for (constraint, expression) in model.constraints.iter().zip(&model.constraint) {
        for id in graph.reachable(&[*expression]) {
            let Node::Curve(lookup, argument) = graph.node(id) else { continue };
            let Some(table) = model.tables.get(lookup.table as usize) else { continue };
            let (Some(grid), [named]) = (grid(lookup.table as usize), &*table.arguments) else { continue };
            // no number where it depends on the motion
            let at = |time: f64| {
                let value = |symbol: Symbol| match symbol {
                    Symbol::Time => time,
                    Symbol::Parameter(index) => parameters.get(index).copied().unwrap_or(f64::NAN),
                    _ => f64::NAN,
                };
                graph.evaluate(&[argument], value).first().copied().unwrap_or(f64::NAN)
            };
            let reached = [at(0.0), at(end)];
            let (name, motion) = (&table.quantity.name, &constraint.name);
            let Some(words) = words(&grid, reached, &named.name, &named.unit) else { continue };
            let sentence = format!(
                "the table `{name}`, by which the constraint `{motion}` prescribes a motion, {words}, which its values \
                 do not, so that forces there are not theirs; give the table some knots before the run and after it"
            );
            if !all.contains(&sentence) {
                all.push(sentence);
            }
        }
    }
    all
}

/// Returns where a table bends that is looked up from one argument to another one.
fn words(grid: &CurveGrid, reached: [f64; 2], name: &str, unit: &str) -> Option<String> {
    let beyond = match grid.extension {
        Extension::Clamped => "a constant (`clamped`)",
        Extension::Linear => "a straight line (`linear`)",
        Extension::Periodic => return None,
    };
    let (&[first, ..], &[.., last], count) = (&*grid.x, &*grid.x, grid.x.len()) else { return None };
    let (from, to) = (reached[0].min(reached[1]), reached[0].max(reached[1]));
    let [begins, ends] = [false, true].map(|is_last| bent_intervals(grid, is_last).min(count - 1));
    let (second, before) = (grid.x[begins], grid.x[count - 1 - ends]);
    if ends > 0 && to > before + ROUNDING * (last - before) && from < last {
        let is_beyond = to > last + ROUNDING * (last - before);
        let ends = if is_beyond { "ends before the run does and " } else { "" };
        Some(format!("{ends}bends to {beyond} at its end, from `{name}` = {} to {} {unit}", Shown(before), Shown(last)))
    } else if begins > 0 && from < second - ROUNDING * (second - first) && to > first {
        let is_beyond = from < first - ROUNDING * (second - first);
        let begins = if is_beyond { "begins after the run does and " } else { "" };
        let (first, second) = (Shown(first), Shown(second));
        Some(format!("{begins}bends from {beyond} at its begin, from `{name}` = {first} to {second} {unit}"))
    } else {
        None
    }
}

/// Returns the number of intervals at an end in which a table bends, since its values do not lead to the slope and
/// curvature of the line beyond it; a spline rings in some more intervals than the outermost one.
fn bent_intervals(grid: &CurveGrid, is_last: bool) -> usize {
    if grid.x.len() < MIN_KNOTS || grid.interpolation == Interpolation::Straight {
        return 0;
    }
    let lengths = grid.x.windows(2).map(|pair| pair[1] - pair[0]);
    let mut intervals: Vec<(f64, f64)> =
        lengths.zip(grid.values.windows(2)).map(|(length, pair)| (length, (pair[1] - pair[0]) / length)).collect();
    if is_last {
        intervals.reverse();
    }
    let curvatures: Vec<f64> = intervals.windows(2).map(|p| 2.0 * (p[1].1 - p[0].1) / (p[0].0 + p[1].0)).collect();
    let largest = curvatures.iter().fold(0.0, |most: f64, curvature| most.max(curvature.abs()));
    let (&[(length, chord), (next, _), ..], &[near, far, ..]) = (&*intervals, &*curvatures) else { return 0 };
    let curvature = near + (near - far) * length / next;
    let slope = chord - 0.5 * length * curvature;
    let steepest = intervals.iter().fold(0.0, |most: f64, (_, chord)| most.max(chord.abs()));
    let limit = MAX_CURVATURE * largest + ROUNDING * steepest / length;
    let of_slope = if grid.extension == Extension::Clamped { slope.abs() / length } else { 0.0 };
    if curvature.abs().max(of_slope) <= limit {
        return 0;
    }
    let bend = curvature.abs().max(RINGING_OF_SLOPES * of_slope);
    let ringing =
        if grid.interpolation == Interpolation::Spline { (limit / bend).ln() / FALL_OF_CURVATURE.ln() } else { 0.0 };
    ringing.ceil().max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn said(motion: fn(f64) -> f64, extension: Extension, reached: [f64; 2]) -> Option<String> {
        let x: Vec<f64> = (0..=20).map(|i| 0.1 * f64::from(i)).collect();
        let values = x.iter().map(|x| motion(*x)).collect();
        words(&CurveGrid::new(x, values, extension).unwrap(), reached, "time", "s")
    }

    #[test]
    fn ends_that_values_do_not_lead_to_are_said() {
        let swing = |t: f64| (3.0 * t + 0.5).sin();
        for extension in [Extension::Clamped, Extension::Linear] {
            let end = |reached| said(swing, extension, reached).unwrap_or_default();
            assert!(end([0.7, 2.0]).contains("bends to ") && !end([0.7, 2.0]).contains("ends before"));
            assert!(end([0.7, 2.2]).contains("ends before the run does and bends to "));
            assert!(end([0.0, 1.5]).contains("at its begin, from `time` = 0 to 0."), "{}", end([0.0, 1.5]));
            assert!(end([-0.5, 1.5]).contains("begins after the run does and bends from "));
            // a spline rings over some more intervals
            assert_eq!((end([0.7, 1.3]), end([2.0, 2.5])), Default::default());
            assert!(!end([0.1, 1.5]).is_empty(), "{extension:?}");
        }
        // a move from rest to rest, a constant speed, and an argument that depends on the motion
        let cycloid = |t: f64| t - (PI * t).sin() / PI;
        assert_eq!(said(cycloid, Extension::Clamped, [0.0, 3.0]), None);
        assert_eq!(said(|t| 3.0 * t, Extension::Linear, [0.0, 3.0]), None);
        assert!(said(|t| 3.0 * t, Extension::Clamped, [0.0, 3.0]).is_some());
        assert_eq!(said(swing, Extension::Clamped, [f64::NAN; 2]), None);
    }
}
