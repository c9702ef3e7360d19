//! Indices and ranges: integers known at compile time.

use syn::ext::IdentExt;

use super::{Local, Names};
use crate::diagnostic::Place;
use crate::syntax::ast::{BinaryOperator, DeclaredIndex, DeclaredName, Expr, ExprKind, RangeSyntax};

/// Largest number of repetitions, far more than any mechanism needs: after a typing error the compiler could be busy
/// for hours.
const MAX_REPETITIONS: i64 = 100_000;

impl Names {
    /// Evaluates an index or an end of a range; `None` after an error.
    pub fn integer(&mut self, expr: &Expr) -> Option<i64> {
        let value = match &expr.kind {
            ExprKind::Number { integer, unit: None, .. } => *integer,
            ExprKind::Name(name) if name.is_word() => {
                let text = name.ident.unraw().to_string();
                match self.scopes.get(&text) {
                    Some(Local::Loop(value)) => Some(value),
                    Some(Local::Let { .. } | Local::Lets { .. }) => None,
                    // The mistake has been reported at the declaration of the name.
                    None if self.size(&text).is_none() && self.table.is_unclear(&text) => return None,
                    None => self.size(&text),
                }
            }
            ExprKind::Negate(inner) => self.integer(inner)?.checked_neg(),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.integer(left)?, self.integer(right)?);
                match operator {
                    BinaryOperator::Add => left.checked_add(right),
                    BinaryOperator::Subtract => left.checked_sub(right),
                    BinaryOperator::Multiply => left.checked_mul(right),
                    BinaryOperator::Divide if left.checked_rem(right) == Some(0) => left.checked_div(right),
                    BinaryOperator::Divide => {
                        let what = if self.later_arguments.is_empty() { "an index" } else { "a structural argument" };
                        let message =
                            format!("{left}/{right} is not a whole number; {what} is divided without remainder");
                        return self.report.refuse(expr.place, message);
                    }
                    BinaryOperator::Power => u32::try_from(right).ok().and_then(|n| left.checked_pow(n)),
                    _ => None,
                }
            }
            _ => None,
        };
        if value.is_none() {
            let message = self.not_an_integer(expr);
            self.report.error(expr.place, message);
        }
        value
    }

    /// Evaluates a range; `None` after an error.
    pub fn range(&mut self, range: &RangeSyntax) -> Option<std::ops::RangeInclusive<i64>> {
        let first = self.integer(&range.first)?;
        let last = self.integer(&range.last)?;
        let last = if range.inclusive { last } else { last.saturating_sub(1) };
        if last.saturating_sub(first) >= MAX_REPETITIONS {
            let message = format!("the range has more than {MAX_REPETITIONS} values; write a shorter one");
            return self.report.refuse(range.place, message);
        }
        Some(first..=last)
    }

    /// Counts the repetitions of the loops and sums of a model, nested and together; reports an error if there are
    /// too many.
    pub fn may_repeat(&mut self, values: &std::ops::RangeInclusive<i64>, place: Place) -> bool {
        let count = values.end().saturating_sub(*values.start()).saturating_add(1).max(0);
        self.repetitions = self.repetitions.saturating_add(count);
        if self.repetitions > MAX_REPETITIONS {
            let message = format!("the loops repeat more than {MAX_REPETITIONS} times in all; write shorter ones");
            self.report.error(place, message);
            return false;
        }
        true
    }

    /// Lists the indices of a declaration; empty after an error.
    pub fn declared_indices(&mut self, name: &DeclaredName) -> Vec<Option<i64>> {
        let indices = match &name.index {
            None => return vec![None],
            Some(DeclaredIndex::Single(index)) => self.integer(index).map(|index| index..=index),
            Some(DeclaredIndex::Range(range)) => match self.range(range) {
                Some(values) if values.is_empty() => {
                    let message = self.empty_range(range);
                    self.report.refuse(range.place, message)
                }
                values => values,
            },
        };
        if indices.is_none() {
            self.table.mark_unclear(&name.ident);
        }
        indices.into_iter().flatten().map(Some).collect()
    }
}
