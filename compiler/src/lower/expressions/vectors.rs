//! Expressions that are vectors: components in parentheses, measured quantities, their sums and multiples.

use super::measures::{MeasuredQuantity, Value, measured_rank, spelled};
use super::{Context, Expressions};
use crate::dimension::{DerivedUnit, Measure, Measured};
use crate::lower::geometry::{Vector, vector};
use crate::syntax::ast::{BinaryOperator, Expr, ExprKind};

/// A vector in inertial axes and the units of its components.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredVector {
    components: Vector,
    units: [Measure; 3],
}

impl Expressions {
    /// The components of a vector in inertial axes, z = 0 in the plane, all of them in the same unit; `what` it is, for
    /// messages.
    pub fn vector(
        &mut self,
        expr: &Expr,
        spatial: bool,
        context: Context,
        wanted: DerivedUnit,
        what: &str,
    ) -> Option<Vector> {
        let MeasuredVector { components, units } = self.measured_vector(expr, spatial, context)?;
        for (component, unit) in places(expr, units) {
            self.expect_derived(unit, wanted, component, what);
        }
        Some(components)
    }

    /// A vector of numbers that are known at compile time, of length 1.
    pub fn direction(&mut self, expr: &Expr, spatial: bool) -> Option<[f64; 3]> {
        let vector = self.vector(expr, spatial, Context::Fixed, DerivedUnit::NUMBER, "an axis")?;
        let values = vector.map(|component| self.graph.as_constant(component));
        let [Some(x), Some(y), Some(z)] = values else {
            let message =
                "an axis is made of numbers; turn the frame by a parameter with `.rotated(...)` instead";
            return self.refuse(expr.place, message);
        };
        let size = (x * x + y * y + z * z).sqrt();
        if !(size > 0.0 && size.is_finite()) {
            return self.refuse(expr.place, "an axis has a direction; write e.g. `(1, 0, 0)`");
        }
        // an axis of coordinates stays exact
        Some(if size == 1.0 { [x, y, z] } else { [x / size, y / size, z / size] })
    }

    fn measured_vector(&mut self, expr: &Expr, spatial: bool, context: Context) -> Option<MeasuredVector> {
        match &expr.kind {
            ExprKind::Vector(components) => self.components(expr, components, spatial, context),
            ExprKind::Name(_) | ExprKind::Attached(_) => match self.measured_vector_at(expr, context) {
                Ok(Some((vector, three))) if three == spatial => Some(vector),
                Ok(_) => self.no_vector(expr, spatial),
                Err(()) => None,
            },
            ExprKind::Negate(inner) => {
                let MeasuredVector { components, units } = self.measured_vector(inner, spatial, context)?;
                let components = vector::negate(&mut self.graph, components);
                Some(MeasuredVector { components, units })
            }
            ExprKind::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Subtract), left, right) => {
                let sum = (
                    self.measured_vector(left, spatial, context),
                    self.measured_vector(right, spatial, context),
                );
                self.sum_of_vectors(*operator, sum.0?, (right, sum.1?))
            }
            ExprKind::Binary(BinaryOperator::Multiply, left, right) => {
                let right_is = self.vector_rank(right) >= self.vector_rank(left);
                let (factor, vector) = if right_is { (left, right) } else { (right, left) };
                let (factor, vector) =
                    (self.measured(factor, context), self.measured_vector(vector, spatial, context));
                let (factor, MeasuredVector { components, units }) = (factor?, vector?);
                let components = vector::scale(&mut self.graph, factor.id, components);
                let units = units.map(|unit| unit.times(factor.unit));
                Some(MeasuredVector { components, units })
            }
            ExprKind::Binary(BinaryOperator::Divide, left, right) => {
                let (vector, divisor) =
                    (self.measured_vector(left, spatial, context), self.measured(right, context));
                let (MeasuredVector { components, units }, divisor) = (vector?, divisor?);
                self.check_divisor(divisor.id, right.place);
                let components = components.map(|component| self.graph.divide(component, divisor.id));
                let units = units.map(|unit| unit.over(divisor.unit));
                Some(MeasuredVector { components, units })
            }
            _ => self.no_vector(expr, spatial),
        }
    }

    fn sum_of_vectors(
        &mut self,
        operator: BinaryOperator,
        left: MeasuredVector,
        (right_expr, right): (&Expr, MeasuredVector),
    ) -> Option<MeasuredVector> {
        let what = match operator {
            BinaryOperator::Add => "what it is added to",
            _ => "what it is subtracted from",
        };
        let mut units = left.units;
        for (unit, (component, found)) in units.iter_mut().zip(places(right_expr, right.units)) {
            let found = Measured { id: self.graph.zero(), unit: found };
            *unit = self.alike(*unit, (component, found), what);
        }
        let graph = &mut self.graph;
        let components = match operator {
            BinaryOperator::Add => vector::add(graph, left.components, right.components),
            _ => vector::subtract(graph, left.components, right.components),
        };
        Some(MeasuredVector { components, units })
    }

    fn components(
        &mut self,
        expr: &Expr,
        components: &[Expr],
        spatial: bool,
        context: Context,
    ) -> Option<MeasuredVector> {
        if components.len() != if spatial { 3 } else { 2 } {
            return self.no_vector(expr, spatial);
        }
        let values: Vec<Option<Measured>> =
            components.iter().map(|component| self.measured(component, context)).collect();
        let mut vector =
            MeasuredVector { components: vector::zero(&mut self.graph), units: [Measure::Any; 3] };
        for (i, (component, value)) in components.iter().zip(values).enumerate() {
            let Measured { id, unit } = value?;
            vector.components[i] = self.bounded(id, component.place)?;
            vector.units[i] = unit;
        }
        Some(vector)
    }

    fn no_vector(&mut self, expr: &Expr, spatial: bool) -> Option<MeasuredVector> {
        let message = if spatial {
            "expected a vector of three components; write `(x, y, z)`"
        } else {
            "expected a vector of two components; write `(x, y)`"
        };
        self.refuse(expr.place, message)
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
    fn measured_vector_at(
        &mut self,
        expr: &Expr,
        context: Context,
    ) -> Result<Option<(MeasuredVector, bool)>, ()> {
        let (measured, text) = match &expr.kind {
            ExprKind::Name(name) => (self.measured_quantity(name)?, spelled(name, &name.members)),
            ExprKind::Attached(attached) => {
                let measured = self.measured_at(attached).ok_or(())?;
                (Some(measured), spelled(&attached.body, &attached.members))
            }
            _ => return Ok(None),
        };
        let Some(MeasuredQuantity { value: Value::Vector(components, three), unit }) = measured else {
            return Ok(None);
        };
        for component in components {
            self.allowed(Measured { id: component, unit }, expr.place, &text, context).ok_or(())?;
        }
        Ok(Some((MeasuredVector { components, units: [unit; 3] }, three)))
    }
}

/// Where the unit of each component is to be seen: at the component, or once for the whole.
fn places(expr: &Expr, units: [Measure; 3]) -> Vec<(&Expr, Measure)> {
    match &expr.kind {
        ExprKind::Vector(components) => components.iter().zip(units).collect(),
        _ => units.into_iter().map(|unit| (expr, unit)).collect(),
    }
}
