//! Places of defaults and initial values in the text of a model.

use crate::diagnostic::Place;
use crate::syntax::ast::{Expr, ExprKind};
use crate::units::Unit;

/// The place of a parameter's default. Parameters that are declared together have one place.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "format"), expect(dead_code, reason = "only the text of a file is changed"))]
pub(crate) struct DefaultPlace {
    /// The default, if there is one.
    pub written: Option<WrittenDefault>,
    /// The unit, after which a default stands.
    pub unit: Place,
    /// The number of elements that a range declares, for which a list has values.
    pub elements: Option<usize>,
}

/// A default or an initial value as it is written.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "format"), expect(dead_code, reason = "only the text of a file is changed"))]
pub(crate) struct WrittenDefault {
    /// The whole expression.
    pub place: Place,
    /// The unit of the number, if the expression is one with a unit.
    pub unit: Option<Unit>,
}

impl WrittenDefault {
    pub fn new(expr: &Expr) -> Self {
        let number = match &expr.kind {
            ExprKind::Negate(inner) => &inner.kind,
            kind => kind,
        };
        let unit = match number {
            ExprKind::Number { unit, .. } => unit.clone(),
            _ => None,
        };
        Self { place: expr.place, unit }
    }
}
