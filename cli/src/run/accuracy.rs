//! The estimated errors of a run as `--json` has them.

use costate::simulate::{Accuracy, ErrorEstimate};
use serde_json::{Value, json};

/// Returns the errors of all coordinates and outputs, and the largest one.
pub fn json(accuracy: &Accuracy, limit: f64) -> Value {
    let estimate = |estimate: &ErrorEstimate| {
        json!({
            "name": estimate.quantity.name,
            "unit": estimate.quantity.unit,
            "error": estimate.error,
            "time": estimate.time,
            "relative": estimate.relative(),
            "scale": estimate.scale,
            "scale_is": estimate.kind.to_string(),
        })
    };
    let all = |estimates: &[ErrorEstimate]| estimates.iter().map(estimate).collect::<Vec<Value>>();
    json!({
        "relative": accuracy.relative(),
        "limit": limit,
        "order": accuracy.order,
        "is_rounding": accuracy.is_rounding,
        "jump": accuracy.jump.map(|jump| json!({ "input": jump.input, "time": jump.time })),
        "swings": accuracy.swings,
        "kink": accuracy.kink.map(|kink| {
            json!({ "constraint": kink.constraint, "time": kink.time, "is_impulse": kink.is_impulse })
        }),
        "coordinates": all(&accuracy.coordinates),
        "outputs": all(&accuracy.outputs),
    })
}
