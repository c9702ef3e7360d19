//! Operations that have no value, whatever the state and the parameters are.

use super::Kink;
use super::functions::NumberFunction;
use super::lower::Lowering;
use crate::diagnostic::Place;
use crate::symbolic::{Function, Id, Interval};

impl Lowering<'_> {
    pub(super) fn values_of(&mut self, id: Id) -> Interval {
        self.ranges.of(&self.graph, id)
    }

    /// Whether a condition holds, if that is known at compile time.
    pub(super) fn known_condition(&self, condition: Id) -> Option<bool> {
        if !self.graph.symbols(condition).is_empty() {
            return None;
        }
        let value = self.graph.evaluate(&[condition], |_| f64::NAN).first().copied()?;
        Some(value != 0.0)
    }

    /// Notes a function that is not smooth, if its derivative is ever asked for.
    pub(super) fn note_kink(&mut self, function: &'static str, id: Id, place: Place) {
        let constant = self.graph.symbols(id).is_empty();
        let known = self.model.kinks.iter().any(|kink| kink.id == id);
        if !constant && !known && self.unreachable == 0 {
            self.model.kinks.push(Kink { function, id, place });
        }
    }

    /// A mistake, unless it stands in a branch that is never taken.
    pub(super) fn refuse_value(&mut self, place: Place, message: String) {
        if self.unreachable == 0 {
            self.remark(place, message);
        }
    }

    pub(super) fn check_divisor(&mut self, divisor: Id, place: Place) {
        if self.values_of(divisor).is_zero() {
            self.refuse_value(place, "a division by zero; check the divisor".to_owned());
        }
    }

    pub(super) fn check_power(&mut self, (base, exponent): (Id, Id), place: Place) {
        let (base, power) = (self.values_of(base), self.values_of(exponent));
        let whole = self.graph.as_constant(exponent).is_some_and(|exponent| exponent.fract() == 0.0);
        if base.is_zero() && power.high < 0.0 {
            let message = "a negative power of zero is a division by zero; check the base";
            self.refuse_value(place, message.to_owned());
        } else if base.high < 0.0 && self.graph.as_constant(exponent).is_some() && !whole {
            let message =
                "a power of a negative number has a whole exponent; write `-(a^b)` or check the sign";
            self.refuse_value(place, message.to_owned());
        }
    }

    pub(super) fn check_domain(&mut self, function: NumberFunction, arguments: &[Id], place: Place) {
        let ranges: Vec<Interval> = arguments.iter().map(|argument| self.values_of(*argument)).collect();
        let message = match (function, &*ranges) {
            (NumberFunction::Unary(Function::Sqrt), [x]) if x.high < 0.0 => {
                "the root of a negative number; check the sign of the argument"
            }
            (NumberFunction::Unary(Function::Ln | Function::Log10), [x]) if x.high <= 0.0 => {
                "the logarithm of a number that is not positive; check the argument"
            }
            (NumberFunction::Unary(Function::Asin | Function::Acos), [x]) if x.low > 1.0 || x.high < -1.0 => {
                "the argument is not between -1 and 1; no angle has this sine or cosine"
            }
            (NumberFunction::Atan2, [y, x]) if y.is_zero() && x.is_zero() => {
                "the origin has no angle; check the arguments"
            }
            (NumberFunction::SmoothStep, _) if arguments.get(1) == arguments.get(2) => {
                "the step is as wide as nothing; write two different ends `from` and `to`"
            }
            _ => return,
        };
        self.refuse_value(place, message.to_owned());
    }
}
