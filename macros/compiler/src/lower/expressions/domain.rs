//! Operations that have no value whatever the state and the parameters are, or no derivative somewhere, and expressions
//! that are too large.

use super::Expressions;
use super::heights::MAX_HEIGHT;
use crate::diagnostic::Place;
use crate::lower::functions::NumberFunction;
use crate::model::Kink;
use crate::symbolic::{Function, Id, Interval};

impl Expressions {
    pub fn values_of(&mut self, id: Id) -> Interval {
        self.ranges.of(&self.graph, id)
    }

    /// Notes a function that is not smooth, if its derivative is ever asked for.
    pub fn note_kink(&mut self, function: &'static str, id: Id, place: Place) {
        let constant = self.graph.symbols(id).is_empty();
        let known = self.kinks.iter().any(|kink| kink.id == id);
        if !constant && !known && self.unreachable == 0 {
            self.kinks.push(Kink { function, id, place });
        }
    }

    /// A mistake, unless it stands in a branch that is never taken.
    pub fn refuse_value(&mut self, place: Place, message: String) {
        if self.unreachable == 0 {
            self.names.report.remark(place, message);
        }
    }

    pub fn check_domain(&mut self, function: NumberFunction, arguments: &[Id], place: Place) {
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

    /// `id`, unless too many operations build on each other, or there are too many in all.
    pub fn bounded(&mut self, id: Id, place: Place) -> Option<Id> {
        if let Some(limit) = self.graph.exceeded() {
            let message = format!("with this the model comes to more than {limit}; write a smaller model");
            return self.refuse(place, message);
        }
        if self.heights.of(&self.graph, id) <= MAX_HEIGHT {
            return Some(id);
        }
        let message = format!("more than {MAX_HEIGHT} operations build on each other; shorten the sum or the `let`s");
        self.refuse(place, message)
    }
}
