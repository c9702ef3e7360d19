//! The known shape of a curve, as linear conditions on its values.

use super::breaks::Break;
use super::condition::Condition;
use super::error::PriorError;
use super::form::LinearForm;
use super::least_distance::{Infeasible, least_distance};
use super::shape::Shape;
use crate::table::{Curve, Extension, Interpolation};

/// Linear conditions on the values of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conditions {
    /// The conditions whose sides are equal.
    pub equalities: Vec<Condition>,
    /// The conditions whose left side is not less than the bound.
    pub inequalities: Vec<Condition>,
}

/// Returns the conditions on the values of `curve` under which it has these shapes; its present values do not
/// matter. A periodic curve has one value at both ends of its period. One of the `breaks` at 0 may be a jump:
/// a curve through the origin then jumps from one value to its negative.
///
/// # Errors
/// [`PriorError`] for shapes that the knots cannot express, or invalid numbers. [`Conditions::check`] finds
/// contradictions.
pub fn conditions(curve: &Curve, shapes: &[Shape], breaks: &[Break]) -> Result<Conditions, PriorError> {
    let (knots, mut all) = (curve.knots(), Conditions::default());
    if curve.extension() == Extension::Periodic {
        all.equal(Shape::Closed, [(0, 1.0), (knots.len() - 1, -1.0)], 0.0);
    }
    for &shape in shapes {
        all.add(shape, curve, &knots)?;
        if shape == Shape::ThroughOrigin && breaks.contains(&Break::Jump(0.0)) {
            all.jump_about_origin(&knots);
        }
    }
    Ok(all)
}

impl Conditions {
    fn add(&mut self, shape: Shape, curve: &Curve, knots: &[f64]) -> Result<(), PriorError> {
        match shape {
            Shape::ThroughOrigin => self.through(shape, curve, (0.0, 0.0))?,
            Shape::Through { x, value } => self.through(shape, curve, (x, value))?,
            Shape::Odd => self.odd(knots)?,
            Shape::Increasing => self.differences(shape, knots, 1.0),
            Shape::Decreasing => self.differences(shape, knots, -1.0),
            Shape::Convex => self.bends(shape, knots, 1.0),
            Shape::Concave => self.bends(shape, knots, -1.0),
            Shape::ZeroOutside { from, to } => {
                check(shape, "the start", from, "a number", !from.is_nan())?;
                check(shape, "the end", to, "a number that is not less than the start", to >= from)?;
                for (i, _) in knots.iter().enumerate().filter(|(_, x)| !(from..=to).contains(*x)) {
                    self.equal(shape, [(i, 1.0)], 0.0);
                }
            }
            Shape::Between { least, most } => {
                check(shape, "the lower bound", least, "a number below infinity", least < f64::INFINITY)?;
                check(shape, "the upper bound", most, "a number above minus infinity", most > f64::NEG_INFINITY)?;
                for i in 0..knots.len() {
                    if least.is_finite() {
                        self.at_least(shape, [(i, 1.0)], least);
                    }
                    if most.is_finite() {
                        self.at_least(shape, [(i, -1.0)], -most);
                    }
                }
            }
            Shape::Closed => (),
        }
        Ok(())
    }

    fn equal(&mut self, shape: Shape, form: impl IntoIterator<Item = (usize, f64)>, bound: f64) {
        self.equalities.push(Condition { form: LinearForm::new(form), bound, shape });
    }

    fn at_least(&mut self, shape: Shape, form: impl IntoIterator<Item = (usize, f64)>, bound: f64) {
        self.inequalities.push(Condition { form: LinearForm::new(form), bound, shape });
    }

    fn through(&mut self, shape: Shape, curve: &Curve, (x, value): (f64, f64)) -> Result<(), PriorError> {
        check(shape, "the argument", x, "finite", x.is_finite())?;
        check(shape, "the value", value, "finite", value.is_finite())?;
        let [first, last] = curve.range();
        if curve.extension() != Extension::Periodic && !(first..=last).contains(&x) {
            return Err(PriorError::Outside { shape, x, first, last });
        }
        match curve.knots().iter().position(|knot| *knot == x) {
            Some(knot) => self.equal(shape, [(knot, 1.0)], value),
            None if curve.interpolation() == Interpolation::Monotone => {
                return Err(PriorError::NoKnot { shape, x });
            }
            None => self.equal(shape, curve.value_by_values(x).into_iter().enumerate(), value),
        }
        Ok(())
    }

    /// Adds the condition of a jump at 0, for the jump's own knots on both sides; without such knots,
    /// `weights_beside` reports the break.
    fn jump_about_origin(&mut self, knots: &[f64]) {
        let reach = Break::Jump(0.0).reach();
        let at = knots.iter().position(|knot| *knot == 0.0);
        if let Some(at) = at.filter(|at| *at >= reach && at + reach < knots.len()) {
            self.equal(Shape::ThroughOrigin, [(at - reach, 1.0), (at + reach, 1.0)], 0.0);
        }
    }

    fn odd(&mut self, knots: &[f64]) -> Result<(), PriorError> {
        /// Fraction of the range by which counterparts may miss each other, by rounding.
        const ROUNDING: f64 = 1e-9;
        let count = knots.len();
        let width = knots[count - 1] - knots[0];
        for (i, &knot) in knots.iter().enumerate() {
            let other = count - 1 - i;
            if (knots[other] + knot).abs() > ROUNDING * width {
                return Err(PriorError::NoCounterpart { knot, counterpart: -knot });
            }
            if i < other {
                self.equal(Shape::Odd, [(i, 1.0), (other, 1.0)], 0.0);
            } else if i == other {
                self.equal(Shape::Odd, [(i, 1.0)], 0.0);
            }
        }
        Ok(())
    }

    fn differences(&mut self, shape: Shape, knots: &[f64], sign: f64) {
        for i in 1..knots.len() {
            self.at_least(shape, [(i - 1, -sign), (i, sign)], 0.0);
        }
    }

    fn bends(&mut self, shape: Shape, knots: &[f64], sign: f64) {
        for i in 1..knots.len() - 1 {
            let (left, right) = (sign / (knots[i] - knots[i - 1]), sign / (knots[i + 1] - knots[i]));
            self.at_least(shape, [(i - 1, left), (i, -left - right), (i + 1, right)], 0.0);
        }
    }

    /// Returns the largest violation of the conditions by these values.
    pub fn violation(&self, values: &[f64]) -> f64 {
        let equal = self.equalities.iter().map(|at| (at.form.of(values) - at.bound).abs());
        let least = self.inequalities.iter().map(|at| at.bound - at.form.of(values));
        equal.chain(least).fold(0.0, f64::max)
    }

    /// Checks that some values satisfy all conditions, and returns the smallest ones (of the least sum of
    /// squares): initial values for methods that keep the conditions.
    ///
    /// # Errors
    /// [`PriorError::Contradiction`] with the shapes that contradict each other; [`PriorError::Undecided`]
    /// where rounding is larger than the differences that would decide.
    pub fn check(&self) -> Result<Vec<f64>, PriorError> {
        let mut all: Vec<(Condition, bool)> = Vec::new();
        all.extend(self.equalities.iter().map(|condition| (condition.clone(), true)));
        all.extend(self.inequalities.iter().map(|condition| (condition.clone(), false)));
        match least_distance(&all) {
            Ok(values) => Ok(values),
            Err(Infeasible::Undecided) => Err(PriorError::Undecided { count: all.len() }),
            Err(Infeasible::By(involved)) => {
                let mut shapes: Vec<Shape> = Vec::new();
                for shape in involved.into_iter().map(|i| all[i].0.shape) {
                    if !shapes.contains(&shape) {
                        shapes.push(shape);
                    }
                }
                Err(PriorError::Contradiction { shapes })
            }
        }
    }
}

fn check(shape: Shape, field: &'static str, value: f64, limit: &'static str, holds: bool) -> Result<(), PriorError> {
    if holds { Ok(()) } else { Err(PriorError::OutOfRange { shape, field, value, limit }) }
}
