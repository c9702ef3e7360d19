//! Expressions that are vectors: components in parentheses, measured quantities, their sums and multiples.

use super::super::context::Context;
use super::super::lower::Lowering;
use super::measures::{Measured, measured_rank, spelled};
use super::vector::{self, Vector};
use crate::symbolic::Id;
use crate::syntax::ast::{BinaryOperator, Expr, ExprKind};

impl Lowering<'_> {
    /// The components of a vector in inertial axes, z = 0 in the plane.
    pub(super) fn vector(&mut self, expr: &Expr, spatial: bool, context: Context) -> Option<Vector> {
        match &expr.kind {
            ExprKind::Vector(components) => self.components(expr, components, spatial, context),
            ExprKind::Name(_) | ExprKind::Attached(_) => match self.measured_vector(expr, context) {
                Ok(Some((vector, three))) if three == spatial => Some(vector),
                Ok(_) => self.no_vector(expr, spatial),
                Err(()) => None,
            },
            ExprKind::Negate(inner) => {
                let inner = self.vector(inner, spatial, context)?;
                Some(vector::negate(&mut self.model.graph, inner))
            }
            ExprKind::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Subtract), left, right) => {
                let (left, right) =
                    (self.vector(left, spatial, context), self.vector(right, spatial, context));
                let (left, right) = (left?, right?);
                let graph = &mut self.model.graph;
                Some(match operator {
                    BinaryOperator::Add => vector::add(graph, left, right),
                    _ => vector::subtract(graph, left, right),
                })
            }
            ExprKind::Binary(BinaryOperator::Multiply, left, right) => {
                let right_is = self.vector_rank(right) >= self.vector_rank(left);
                let (factor, vector) = if right_is { (left, right) } else { (right, left) };
                let (factor, vector) = (self.number(factor, context), self.vector(vector, spatial, context));
                let (factor, vector) = (factor?, vector?);
                Some(vector::scale(&mut self.model.graph, factor, vector))
            }
            ExprKind::Binary(BinaryOperator::Divide, left, right) => {
                let (left, right) = (self.vector(left, spatial, context), self.number(right, context));
                let (left, right) = (left?, right?);
                Some(left.map(|component| self.model.graph.divide(component, right)))
            }
            _ => self.no_vector(expr, spatial),
        }
    }

    fn components(
        &mut self,
        expr: &Expr,
        components: &[Expr],
        spatial: bool,
        context: Context,
    ) -> Option<Vector> {
        if components.len() != if spatial { 3 } else { 2 } {
            return self.no_vector(expr, spatial);
        }
        let values: Vec<Option<Id>> =
            components.iter().map(|component| self.value(component, context)).collect();
        let mut vector = vector::zero(&mut self.model.graph);
        for (component, value) in vector.iter_mut().zip(values) {
            *component = value?;
        }
        Some(vector)
    }

    fn no_vector(&mut self, expr: &Expr, spatial: bool) -> Option<Vector> {
        let message = if spatial {
            "expected a vector of three components; write `(x, y, z)`"
        } else {
            "expected a vector of two components; write `(x, y)`"
        };
        self.error_at(expr.place, message);
        None
    }

    /// How surely an expression is a vector, by its form: 0 if it is a number.
    fn vector_rank(&self, expr: &Expr) -> u8 {
        match &expr.kind {
            ExprKind::Vector(_) => 2,
            ExprKind::Name(name) => measured_rank(&name.members),
            ExprKind::Attached(attached) => measured_rank(&attached.members),
            ExprKind::Negate(inner) => self.vector_rank(inner),
            ExprKind::Binary(operator, left, right) => match operator {
                BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Divide => {
                    self.vector_rank(left)
                }
                BinaryOperator::Multiply => self.vector_rank(left).max(self.vector_rank(right)),
                _ => 0,
            },
            _ => 0,
        }
    }

    /// A measured vector and whether it has three components; `None` if something else is meant, `Err` after an error.
    fn measured_vector(&mut self, expr: &Expr, context: Context) -> Result<Option<(Vector, bool)>, ()> {
        let (measured, text) = match &expr.kind {
            ExprKind::Name(name) => (self.measured_quantity(name)?, spelled(name, &name.members)),
            ExprKind::Attached(attached) => {
                let measured = self.measured_at(attached).ok_or(())?;
                (Some(measured), spelled(&attached.body, &attached.members))
            }
            _ => return Ok(None),
        };
        let Some(Measured::Vector(vector, three)) = measured else { return Ok(None) };
        for component in vector {
            self.allowed(component, expr.place, &text, context).ok_or(())?;
        }
        Ok(Some((vector, three)))
    }
}
