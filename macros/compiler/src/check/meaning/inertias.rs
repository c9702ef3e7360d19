//! Tensors of inertia that no body can have: a principal moment is negative, or the largest exceeds the sum of the two
//! others.

use crate::diagnostic::{Diagnostic, push_once};
use crate::model::Model;
use crate::symbolic::{Graph, Id, Interval, Ranges};

/// Part of the sum by which the largest moment may exceed it, and of the largest by which another may be negative,
/// since moments are given with few digits.
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
        let zeros = |entries: &[Id]| entries.iter().filter(|&&entry| graph.as_constant(entry) == Some(0.0)).count();
        let (moments, products) = written.split_at(3.min(written.len()));
        // a moment that is written as 0, beside no products, is left out on purpose
        if zeros(moments) > 0 && zeros(products) == products.len() {
            continue;
        }
        // but for the rounding of sums and products
        let known = |Interval { low, high }: Interval| {
            (high - low <= RANGE_ROUNDING * high.abs().max(low.abs())).then_some(high)
        };
        let entries: Option<Vec<f64>> = written.iter().map(|&entry| known(ranges.of(graph, entry))).collect();
        let Some(&[xx, yy, zz, xy, xz, yz]) = entries.as_deref() else { continue };
        let [least, middle, largest] = principal([xx, yy, zz], [xy, xz, yz]);
        let (others, shown) = (least + middle, costate_contract::shown::Shown);
        let name = &body.name;
        let of = if [xy, xz, yz] == [0.0; 3] { "moments of inertia" } else { "principal moments of inertia" };
        let message = if least < -MAX_EXCESS * largest.abs() {
            format!(
                "no body has the tensor of inertia of `{name}`: one of its principal moments is negative, {} kg*m^2; \
                 check the moments, and the products of inertia, which are too large for them",
                shown(short(least))
            )
        } else if largest > (1.0 + MAX_EXCESS) * others {
            format!(
                "no body has the {of} of `{name}`: the largest, {} kg*m^2, exceeds the sum of the two others, {} \
                 kg*m^2; check their values and their units",
                shown(short(largest)),
                shown(short(others))
            )
        } else {
            continue;
        };
        // once for all repetitions of a loop
        push_once(&mut notes, Diagnostic { message, place: body.place });
    }
    notes
}

/// Rounds to six digits.
fn short(moment: f64) -> f64 {
    format!("{moment:.5e}").parse().unwrap_or(moment)
}

/// Returns the principal moments of a tensor with these moments and these entries xy, xz and yz beside them, from the
/// least to the largest: the roots of its characteristic polynomial, by the cosine of a third of an angle.
fn principal(moments: [f64; 3], [xy, xz, yz]: [f64; 3]) -> [f64; 3] {
    let mean = moments.iter().sum::<f64>() / 3.0;
    let [x, y, z] = moments.map(|moment| moment - mean);
    let size = ((x * x + y * y + z * z + 2.0 * (xy * xy + xz * xz + yz * yz)) / 6.0).sqrt();
    if size == 0.0 {
        return moments;
    }
    let [a, b, c, d, e, f] = [x, y, z, xy, xz, yz].map(|entry| entry / size);
    let determinant = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
    let angle = (0.5 * determinant).clamp(-1.0, 1.0).acos() / 3.0;
    let third = std::f64::consts::TAU / 3.0;
    [third, -third, 0.0].map(|turn| mean + 2.0 * size * (angle + turn).cos())
}
