//! Sums, products, quotients and powers.

use super::Expressions;
use crate::diagnostic::Place;
use crate::dimension::{Measure, Measured, as_unit, remedy};
use crate::symbolic::Id;
use crate::syntax::ast::{BinaryOperator, Expr};
use crate::units::{Dimension, Exponent};

impl Expressions {
    /// A sum, product, quotient or power.
    pub fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        (left_expr, left): (&Expr, Measured),
        (right_expr, right): (&Expr, Measured),
    ) -> Option<Measured> {
        let unit = match operator {
            BinaryOperator::Add => self.alike(left.unit, (right_expr, right), "what it is added to"),
            BinaryOperator::Subtract => self.alike(left.unit, (right_expr, right), "what it is subtracted from"),
            BinaryOperator::Multiply => left.unit.times(right.unit),
            BinaryOperator::Divide => {
                self.check_divisor(right.id, right_expr.place);
                left.unit.over(right.unit)
            }
            _ => {
                self.check_power((left.id, right.id), left_expr.place.to(right_expr.place));
                self.power_unit((left_expr, left), (right_expr, right))
            }
        };
        let graph = &mut self.graph;
        let (left, right) = (left.id, right.id);
        let id = match operator {
            BinaryOperator::Add => graph.add(left, right),
            BinaryOperator::Subtract => graph.subtract(left, right),
            BinaryOperator::Multiply => graph.multiply(left, right),
            BinaryOperator::Divide => graph.divide(left, right),
            _ => graph.power(left, right),
        };
        Some(Measured { id, unit })
    }

    fn power_unit(
        &mut self,
        (base_expr, base): (&Expr, Measured),
        (exponent_expr, exponent): (&Expr, Measured),
    ) -> Measure {
        if let Some(dimension) = exponent.unit.known().filter(|dimension| !dimension.is_none()) {
            let (has, remedy) = (as_unit(dimension), remedy(exponent_expr, dimension, Dimension::NONE));
            self.names
                .report
                .remark(exponent_expr.place, format!("an exponent is a number, but this has {has}; {remedy}"));
            return Measure::Unclear;
        }
        let Some(dimension) = base.unit.known().filter(|dimension| !dimension.is_none()) else {
            return base.unit;
        };
        let constant = self.graph.as_constant(exponent.id);
        if let Some(fraction) = constant.and_then(Exponent::from_number) {
            return base.unit.power(fraction);
        }
        let (has, remedy) = (as_unit(dimension), remedy(base_expr, dimension, Dimension::NONE));
        let why = if constant.is_some() { "is no simple fraction" } else { "is not known at compile time" };
        self.names.report.remark(
            base_expr.place,
            format!("the base has {has}, but its exponent {why}, so that the power has none; {remedy}"),
        );
        Measure::Unclear
    }

    pub fn check_divisor(&mut self, divisor: Id, place: Place) {
        if self.values_of(divisor).is_zero() {
            self.refuse_value(place, "a division by zero; check the divisor".to_owned());
        }
    }

    fn check_power(&mut self, (base, exponent): (Id, Id), place: Place) {
        let (base, power) = (self.values_of(base), self.values_of(exponent));
        let whole = self.graph.as_constant(exponent).is_some_and(|exponent| exponent.fract() == 0.0);
        if base.is_zero() && power.high < 0.0 {
            let message = "a negative power of zero is a division by zero; check the base";
            self.refuse_value(place, message.to_owned());
        } else if base.high < 0.0 && self.graph.as_constant(exponent).is_some() && !whole {
            let message = "a power of a negative number has a whole exponent; write `-(a^b)` or check the sign";
            self.refuse_value(place, message.to_owned());
        }
    }
}
