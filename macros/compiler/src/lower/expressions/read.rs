//! Reading of expressions and conditions by their form.

use syn::ext::IdentExt;

use super::{Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::{Measure, Measured};
use crate::symbolic::Id;
use crate::syntax::ast::{BinaryOperator, Expr, ExprKind};
use crate::units::Dimension;

impl Expressions {
    /// Evaluates an expression in SI units, with its unit; `None` after an error.
    pub fn measured(&mut self, expr: &Expr, context: Context) -> Option<Measured> {
        match &expr.kind {
            ExprKind::Number { value, unit, .. } => {
                let dimension = unit.as_ref().map_or(Some(Dimension::NONE), |unit| unit.dimension);
                let zero = *value == 0.0 && unit.is_none();
                let value = match unit {
                    None => *value,
                    Some(unit) => self.in_si_units(*value, unit, expr.place),
                };
                let unit = if zero { Measure::Any } else { Measure::known_or_unclear(dimension) };
                Some(Measured { id: self.graph.constant(value), unit })
            }
            ExprKind::Name(name) => self.name(name, context),
            ExprKind::Negate(inner) => {
                let Measured { id, unit } = self.measured(inner, context)?;
                Some(Measured { id: self.graph.negate(id), unit })
            }
            ExprKind::Binary(operator, left, right) if is_arithmetic(*operator) => {
                // Both sides are read, so that mistakes on either are reported.
                let values = (self.measured(left, context), self.measured(right, context));
                self.arithmetic(*operator, (left, values.0?), (right, values.1?))
            }
            ExprKind::Binary(..) | ExprKind::Not(_) => {
                self.refuse(expr.place, "expected a number, found a condition; write `if condition { 1 } else { 0 }`")
            }
            ExprKind::Call { function, arguments } => self.call(function, arguments, expr.place, context),
            ExprKind::Sum(sum) => self.sum(sum, expr.place, context),
            ExprKind::If { condition, yes, no } => self.selection(condition, yes, no, expr.place, context),
            ExprKind::List(_) => self.refuse(
                expr.place,
                "expected a number, found a list; a list stands only as the default of an array of parameters",
            ),
            ExprKind::Vector(_) => {
                self.refuse(expr.place, "expected a number, found a vector; write one of its components")
            }
            ExprKind::Attached(attached) => self.measured_point(attached, expr.place, context),
        }
    }

    /// Reads `if condition { yes } else { no }`.
    fn selection(&mut self, written: &Expr, yes: &Expr, no: &Expr, place: Place, context: Context) -> Option<Measured> {
        let condition = self.condition(written, context);
        let holds = condition.and_then(|condition| self.known_condition(condition));
        if let (Some(holds), true) = (holds, self.has_feature(written)) {
            // The other branch belongs to another variant, which may declare other names.
            self.names.usage.is_partial = true;
            return self.measured(if holds { yes } else { no }, context);
        }
        let first = self.branch(yes, context, holds != Some(false));
        let second = self.branch(no, context, holds != Some(true));
        let (condition, first, second) = (condition?, first?, second?);
        let unit = self.alike(first.unit, (no, second), "the other branch");
        let id = match holds {
            Some(true) => first.id,
            Some(false) => second.id,
            None => self.graph.select(condition, first.id, second.id),
        };
        if holds.is_none() {
            self.note_kink("if", id, place);
        }
        Some(Measured { id, unit })
    }

    /// Reads a branch of an `if`. In a branch that is never taken, values outside of the domain of a function are not
    /// reported.
    pub fn branch(&mut self, expr: &Expr, context: Context, reachable: bool) -> Option<Measured> {
        self.unreachable += usize::from(!reachable);
        let value = self.measured(expr, context);
        self.unreachable -= usize::from(!reachable);
        value
    }

    pub fn condition(&mut self, expr: &Expr, context: Context) -> Option<Id> {
        match &expr.kind {
            ExprKind::Name(name) if name.is_word() && self.known_truth(&name.ident).is_some() => {
                let holds = self.known_truth(&name.ident)?;
                // A condition between numbers that always has this value.
                let zero = self.graph.zero();
                let holds_always = self.graph.equal(zero, zero);
                Some(if holds { holds_always } else { self.graph.not(holds_always) })
            }
            ExprKind::Not(inner) => {
                let inner = self.condition(inner, context)?;
                Some(self.graph.not(inner))
            }
            ExprKind::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), left, right) => {
                let (left, right) = (self.condition(left, context), self.condition(right, context));
                let (left, right) = (left?, right?);
                Some(match operator {
                    BinaryOperator::And => self.graph.and(left, right),
                    _ => self.graph.or(left, right),
                })
            }
            ExprKind::Binary(operator, left, right) if !is_arithmetic(*operator) => {
                let values = (self.measured(left, context), self.measured(right, context));
                let (first, second) = (values.0?, values.1?);
                self.alike(first.unit, (right, second), "what it is compared with");
                let (left, right) = (first.id, second.id);
                let graph = &mut self.graph;
                Some(match operator {
                    BinaryOperator::Less => graph.less(left, right),
                    BinaryOperator::LessEqual => graph.less_equal(left, right),
                    BinaryOperator::Greater => graph.less(right, left),
                    BinaryOperator::GreaterEqual => graph.less_equal(right, left),
                    BinaryOperator::Equal => graph.equal(left, right),
                    _ => {
                        let equal = graph.equal(left, right);
                        graph.not(equal)
                    }
                })
            }
            _ => {
                // A mistake in a declared name has been reported at the declaration.
                let unclear = matches!(&expr.kind, ExprKind::Name(name)
                    if name.is_word() && self.names.table.is_unclear(&name.ident.unraw().to_string()));
                if !unclear {
                    let message = self.names.no_condition(expr);
                    self.error(expr.place, message);
                }
                None
            }
        }
    }

    /// Evaluates a condition between numbers.
    pub fn choice(&mut self, condition: &Expr, context: Context) -> Option<bool> {
        let condition = self.condition(condition, context)?;
        let value = self.graph.evaluate(&[condition], |_| f64::NAN).first().copied()?;
        Some(value != 0.0)
    }

    /// Evaluates a condition if its value is known at compile time.
    fn known_condition(&self, condition: Id) -> Option<bool> {
        if !self.graph.symbols(condition).is_empty() {
            return None;
        }
        let value = self.graph.evaluate(&[condition], |_| f64::NAN).first().copied()?;
        Some(value != 0.0)
    }

    /// Checks whether a condition contains a feature.
    fn has_feature(&self, condition: &Expr) -> bool {
        match &condition.kind {
            ExprKind::Name(name) => name.is_word() && self.names.feature(&name.ident.unraw().to_string()).is_some(),
            ExprKind::Not(inner) => self.has_feature(inner),
            ExprKind::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                self.has_feature(left) || self.has_feature(right)
            }
            _ => false,
        }
    }

    /// Returns the value of `true`, `false` or a feature; `None` for other names.
    fn known_truth(&self, name: &proc_macro2::Ident) -> Option<bool> {
        match name.unraw().to_string().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            name => self.names.feature(name),
        }
    }

    /// Creates a number without a unit.
    pub fn pure_number(&mut self, value: f64) -> Measured {
        Measured { id: self.graph.constant(value), unit: Measure::NUMBER }
    }
}

fn is_arithmetic(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Power
    )
}
