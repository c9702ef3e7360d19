//! The defaults of parameters: one number for all elements, or a list with one for each.

use super::{Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::Measured;
use crate::model::WrittenDefault;
use crate::syntax::ast::{DeclaredIndex, DeclaredName, Expr, ExprKind};
use crate::units::Unit;

/// One default for all elements, or one for each.
pub enum DefaultValues {
    All(DefaultValue),
    Each(Vec<DefaultValue>, Place),
}

/// A default in the parameter's own unit, with its place; both are `None` without a default.
#[derive(Clone, Default)]
pub struct DefaultValue {
    /// The number; `None` for a default with an error.
    pub number: Option<f64>,
    pub written: Option<WrittenDefault>,
}

impl Expressions {
    /// Evaluates a default, in which `if`s may choose between numbers and lists.
    pub fn default(&mut self, written: &Expr, unit: &Unit) -> DefaultValues {
        match &written.kind {
            ExprKind::If { condition, yes, no } => {
                let holds = self.choice(condition, Context::Choice);
                // The other branch is read only to find mistakes: its length and its value do not matter.
                let mut branch = |written, taken: bool| {
                    self.unreachable += usize::from(!taken);
                    let values = self.default(written, unit);
                    self.unreachable -= usize::from(!taken);
                    taken.then_some(values)
                };
                let (yes, no) = (branch(yes, holds == Some(true)), branch(no, holds == Some(false)));
                yes.or(no).unwrap_or(DefaultValues::All(DefaultValue::default()))
            }
            ExprKind::List(elements) => {
                let values = elements.iter().map(|element| self.default_value(element, unit));
                DefaultValues::Each(values.collect(), written.place)
            }
            _ => DefaultValues::All(self.default_value(written, unit)),
        }
    }

    fn default_value(&mut self, written: &Expr, unit: &Unit) -> DefaultValue {
        let number = self.default_number(written, unit);
        DefaultValue { number, written: Some(WrittenDefault::new(written)) }
    }

    /// Evaluates a default in the parameter's own unit: a number without a unit is taken as it is, one with a unit is
    /// converted.
    fn default_number(&mut self, written: &Expr, unit: &Unit) -> Option<f64> {
        let errors = self.names.report.diagnostics.len();
        let Measured { id, unit: found } = self.measured(written, Context::Default)?;
        if let (true, Some(wanted)) = (has_unit(written), unit.dimension) {
            self.expect(found, wanted, written, "the default");
        }
        let value = self.graph.evaluate(&[id], |_| f64::NAN).first().copied()?;
        let value = if has_unit(written) { unit.scale.inverse().apply(value) } else { value };
        // A division by zero or the root of a negative number has already been reported.
        let is_new = self.names.report.diagnostics.len() == errors && self.unreachable == 0;
        if !value.is_finite() && is_new {
            let message = "the default is not finite; write a number or check for a division by zero";
            return self.refuse(written.place, message);
        }
        value.is_finite().then_some(value)
    }

    /// Returns the default of each of the `count` elements that `name` declares.
    pub fn element_defaults(
        &mut self,
        default: Option<DefaultValues>,
        name: &DeclaredName,
        count: usize,
    ) -> Vec<DefaultValue> {
        let none = DefaultValue::default();
        let (values, place) = match default {
            None => return vec![none; count],
            Some(DefaultValues::All(value)) => return vec![value; count],
            Some(DefaultValues::Each(values, place)) => (values, place),
        };
        let ident = &name.ident;
        if !matches!(name.index, Some(DeclaredIndex::Range(_))) {
            let what = if name.index.is_none() { ident.to_string() } else { format!("{ident}[i]") };
            let array = match values.len() {
                0 | 1 => String::new(),
                length => format!(", or declare an array, e.g. `{ident}[1..={length}]`"),
            };
            let message = format!("`{what}` is a single parameter and has no list; write one number{array}");
            self.error(place, message);
            return vec![none; count];
        }
        // Without elements, the range has an error of its own.
        if count != 0 && values.len() != count {
            let found = match values.len() {
                0 => "no values".to_owned(),
                1 => "1 value".to_owned(),
                length => format!("{length} values"),
            };
            let elements = if count == 1 { "1 element".to_owned() } else { format!("{count} elements") };
            let message = format!(
                "the list has {found}, but `{ident}` is declared here with {elements}; \
                 write one value for each of them, or a single number for all"
            );
            self.error(place, message);
            return vec![none; count];
        }
        values
    }
}

/// Checks whether a number in the expression has a unit.
fn has_unit(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number { unit, .. } => unit.is_some(),
        ExprKind::Name(_) => false,
        ExprKind::Negate(inner) | ExprKind::Not(inner) => has_unit(inner),
        ExprKind::Binary(_, left, right) => has_unit(left) || has_unit(right),
        ExprKind::Call { function, .. } if function == "value" => false,
        ExprKind::Call { arguments, .. } => arguments.iter().any(has_unit),
        ExprKind::Sum(sum) => has_unit(&sum.term),
        ExprKind::If { yes, no, .. } => has_unit(yes) || has_unit(no),
        ExprKind::List(elements) | ExprKind::Vector(elements) => elements.iter().any(has_unit),
        ExprKind::Attached(_) => false,
    }
}
