//! Proposals for expressions whose units do not fit.

use crate::syntax::ast::{Expr, ExprKind};
use crate::units::Dimension;

/// Writes a unit for messages: in SI, or in words if there is none.
pub fn as_unit(dimension: Dimension) -> String {
    if dimension.is_none() { "no unit".to_owned() } else { format!("the unit `{}`", dimension.readable()) }
}

/// Proposes how `expr` with the dimension `found` gets the dimension `wanted`.
pub fn remedy(expr: &Expr, found: Dimension, wanted: Dimension) -> String {
    let unit = wanted.readable();
    if let (true, Some(number)) = (found.is_none() && wanted.is_writable(), plain_number(expr)) {
        return format!("write the number with its unit, `{number}[{unit}]`");
    }
    if [found, wanted] == [Dimension::ACCELERATION, Dimension::MASS]
        || [found, wanted] == [Dimension::MASS, Dimension::ACCELERATION]
    {
        let gravity = "the unit `g` is gram; an acceleration has `m/s^2`, and standard gravity is `9.80665[m/s^2]`";
        return gravity.to_owned();
    }
    let (Some(excess), Some(missing)) = (found.over(wanted), wanted.over(found)) else {
        return "check the units of its factors".to_owned();
    };
    if excess == Dimension::TIME && wanted.is_none() {
        return "multiply it by a frequency, e.g. `1[rad/s]`".to_owned();
    }
    if excess == Dimension::TIME {
        return "divide it by a time, or write `dot(...)` of what should be a velocity".to_owned();
    }
    if missing == Dimension::TIME {
        return "multiply it by a time, or check whether a `dot` is one too many".to_owned();
    }
    let (excess, missing) = (excess.readable(), missing.readable());
    if wanted.is_none() {
        return format!("divide it by a quantity in `{excess}`, e.g. `1[{excess}]`");
    }
    if excess.len() < missing.len() {
        return format!("divide it by a quantity in `{excess}`, or check the units of its factors");
    }
    format!("multiply it by a quantity in `{missing}`, or check the units of its factors")
}

/// Returns the text of a literal without a unit.
fn plain_number(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Number { value, unit: None, .. } => Some(format!("{value}")),
        ExprKind::Negate(inner) => plain_number(inner).map(|number| format!("-{number}")),
        _ => None,
    }
}
