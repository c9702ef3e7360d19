//! Moments of inertia that no body can have: the largest exceeds the sum of the two others.

use crate::diagnostic::{Diagnostic, push_once};
use crate::model::Model;
use crate::symbolic::{Graph, Interval, Ranges};

/// Part of the sum by which the largest moment may exceed it, since moments are given with few digits.
const MAX_EXCESS: f64 = 0.01;

/// Largest width of a range of one value, relative to it.
const RANGE_ROUNDING: f64 = 1e-9;

/// Notes on the spatial bodies whose moments of inertia, in any axes and with these values of the parameters, are those
/// of no body.
pub fn impossible(model: &Model, graph: &Graph, parameters: Vec<Option<f64>>) -> Vec<Diagnostic> {
    let mut ranges = Ranges::with_parameters(parameters);
    let mut notes = Vec::new();
    for body in model.bodies.iter().filter(|body| body.spatial) {
        let Some(written) = &body.inertia else { continue };
        // a moment that is written as 0 is left out on purpose
        if written.iter().any(|&moment| graph.as_constant(moment) == Some(0.0)) {
            continue;
        }
        // but for the rounding of sums and products
        let known = |Interval { low, high }: Interval| (high - low <= RANGE_ROUNDING * high.abs()).then_some(high);
        let moments: Option<Vec<f64>> = written.iter().map(|&moment| known(ranges.of(graph, moment))).collect();
        let Some(moments) = moments else { continue };
        let largest = moments.iter().copied().fold(0.0, f64::max);
        let others = moments.iter().sum::<f64>() - largest;
        if largest > (1.0 + MAX_EXCESS) * others {
            let [largest, others] = [largest, others].map(costate_contract::shown::Shown);
            let message = format!(
                "no body has the moments of inertia of `{}`: the largest, {largest} kg*m^2, exceeds the sum of the two \
                 others, {others} kg*m^2; check their values and their units",
                body.name
            );
            // once for all repetitions of a loop
            push_once(&mut notes, Diagnostic { message, place: body.place });
        }
    }
    notes
}
