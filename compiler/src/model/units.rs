//! Units while expressions are read: what a quantity is measured in, and what does not fit.

use super::context::Context;
use super::functions::{Arguments, NumberFunction};
use super::lower::Lowering;
use super::names::Kind;
use crate::diagnostic::Place;
use crate::dimension::{DerivedUnit, Measure, Measured, as_unit, remedy};
use crate::symbolic::Id;
use crate::syntax::ast::{BinaryOperator, Expr, ExprKind};
use crate::units::{Dimension, Exponent};

/// What the equations as a whole say about units, which is known only when all of them have been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SystemUnits {
    /// Of mass times the square of a velocity: that of every product of a force and its coordinate.
    pub energy: Option<Dimension>,
    /// Of every constraint.
    pub constraints: Vec<Option<Dimension>>,
}

/// What has been found out about [`SystemUnits`].
#[derive(Debug, Default)]
pub struct Findings {
    /// The unit of energy that every mass and every force would have.
    energies: Vec<Dimension>,
    /// A multiplier was used above its constraint: its unit was not known.
    pub waits_for_constraint: bool,
}

impl Findings {
    /// In a model with several units of energy, at least one entry is wrong. One in joule is right; else most are.
    fn energy(&self) -> Dimension {
        if self.energies.is_empty() || self.energies.contains(&Dimension::ENERGY) {
            return Dimension::ENERGY;
        }
        let count = |wanted: &Dimension| self.energies.iter().filter(|energy| *energy == wanted).count();
        let most = self.energies.iter().map(count).max().unwrap_or_default();
        self.energies.iter().copied().find(|energy| count(energy) == most).unwrap_or(Dimension::ENERGY)
    }
}

impl Lowering<'_> {
    /// What the equations say when read with `known`; the same if nothing new is known.
    pub(super) fn system_units(&self, known: &SystemUnits) -> SystemUnits {
        // Bodies have masses in kilograms.
        let energy = if self.mechanism.is_empty() { self.findings.energy() } else { Dimension::ENERGY };
        let constraints = if self.findings.waits_for_constraint {
            self.model.constraints.iter().map(|constraint| constraint.dimension).collect()
        } else {
            known.constraints.clone()
        };
        SystemUnits { energy: (energy != Dimension::ENERGY).then_some(energy), constraints }
    }

    fn energy(&self) -> Dimension {
        self.system_units.energy.unwrap_or(Dimension::ENERGY)
    }

    /// Reports a mistake behind which the model can still be read to its end.
    pub(super) fn remark(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        let place = place.into();
        // What stands beside a syntax error may have been cut off. Once for all repetitions of a loop and all uses of a
        // component, whose names differ.
        if !self.incomplete && !self.diagnostics.has_error_in(place) {
            self.diagnostics.error(place, message);
            self.remarks += 1;
        }
    }

    /// Number of errors because of which something of the model is missing.
    pub(super) fn faults(&self) -> usize {
        self.diagnostics.len() - self.remarks
    }

    /// The unit that a quantity is declared with.
    pub(super) fn declared_unit(&self, (kind, position): (Kind, usize)) -> Measure {
        let model = &self.model;
        let dimension = match kind {
            Kind::Argument => return Measure::NUMBER,
            Kind::Parameter => model.parameters.get(position).and_then(|parameter| parameter.dimension),
            Kind::Input => model.inputs.get(position).and_then(|input| input.dimension),
            Kind::Coordinate => model.coordinates.get(position).and_then(|coordinate| coordinate.dimension),
            Kind::Connection | Kind::BoundParameter | Kind::BoundInput => {
                self.bound_units.get(position).copied().flatten()
            }
            Kind::Energy => return self.energies.unit(position),
            Kind::Table | Kind::Constraint | Kind::Output | Kind::Instance => None,
            Kind::Body | Kind::Joint | Kind::Element => None,
        };
        Measure::known_or_unclear(dimension)
    }

    /// The unit of `other` and of `found`, which have to be the same; else an error at `expr`.
    pub(super) fn alike(&mut self, other: Measure, (expr, found): (&Expr, Measured), what: &str) -> Measure {
        if let Some((found, wanted)) = found.unit.conflict(other) {
            let message = format!(
                "this has {}, but {what} has {}; {}",
                as_unit(found),
                as_unit(wanted),
                remedy(expr, found, wanted)
            );
            self.remark(expr.place, message);
            return Measure::Unclear;
        }
        other.or(found.unit)
    }

    /// A whole expression of an entry that has to be in a unit; `what` it is, for the message.
    pub(super) fn value_in(
        &mut self,
        expr: &Expr,
        context: Context,
        wanted: Option<Dimension>,
        what: &str,
    ) -> Option<Id> {
        let found = self.measured(expr, context)?;
        if let Some(wanted) = wanted {
            self.expect(found.unit, wanted, expr, what);
        }
        self.bounded(found.id, expr.place)
    }

    /// An error at `expr` unless it is in the unit that is `wanted`.
    pub(super) fn expect(&mut self, found: Measure, wanted: Dimension, expr: &Expr, what: &str) {
        let Some((found, wanted)) = found.conflict(Measure::Known(wanted)) else { return };
        let (has, expected) = (as_unit(found), as_unit(wanted));
        let remedy = remedy(expr, found, wanted);
        self.remark(expr.place, format!("{what} has {has}, expected {expected}; {remedy}"));
    }

    /// What a mechanical quantity is measured in.
    pub(super) fn measure_in(&self, unit: DerivedUnit) -> Measure {
        Measure::known_or_unclear(unit.dimension(self.energy()))
    }

    /// An error at `expr` unless it is in the unit that is `wanted`.
    pub(super) fn expect_derived(&mut self, found: Measure, wanted: DerivedUnit, expr: &Expr, what: &str) {
        self.findings.energies.extend(found.known().and_then(|found| wanted.energy(found)));
        if let Some(wanted) = wanted.dimension(self.energy()) {
            self.expect(found, wanted, expr, what);
        }
    }

    /// A whole expression of an entry that is a mechanical quantity.
    pub(super) fn derived_value(
        &mut self,
        expr: &Expr,
        context: Context,
        wanted: DerivedUnit,
        what: &str,
    ) -> Option<Id> {
        let found = self.measured(expr, context)?;
        self.expect_derived(found.unit, wanted, expr, what);
        self.bounded(found.id, expr.place)
    }

    /// A connection stands for a coordinate as it is.
    pub(super) fn expect_connection(&mut self, found: Measure, wanted: Dimension, expr: &Expr, what: &str) {
        let Some((found, wanted)) = found.conflict(Measure::Known(wanted)) else { return };
        let (has, expected) = (as_unit(found), as_unit(wanted));
        let message = format!(
            "{what} has {has}, expected {expected}; bind another coordinate, or declare the connection in its unit"
        );
        self.remark(expr.place, message);
    }

    /// A sum, product, quotient or power.
    pub(super) fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        (left_expr, left): (&Expr, Measured),
        (right_expr, right): (&Expr, Measured),
    ) -> Option<Measured> {
        let unit = match operator {
            BinaryOperator::Add => self.alike(left.unit, (right_expr, right), "what it is added to"),
            BinaryOperator::Subtract => {
                self.alike(left.unit, (right_expr, right), "what it is subtracted from")
            }
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
            self.remark(
                exponent_expr.place,
                format!("an exponent is a number, but this has {has}; {remedy}"),
            );
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
        self.remark(
            base_expr.place,
            format!("the base has {has}, but its exponent {why}, so that the power has none; {remedy}"),
        );
        Measure::Unclear
    }

    /// The unit of a function's value.
    pub(super) fn function_unit(
        &mut self,
        function: NumberFunction,
        written: &[Expr],
        values: &[Measured],
    ) -> Measure {
        let name = function.name();
        let mut unit = Measure::Any;
        for (expr, found) in written.iter().zip(values) {
            unit = match function.arguments() {
                Arguments::Numbers => {
                    self.expect(found.unit, Dimension::NONE, expr, &format!("the argument of `{name}`"));
                    Measure::NUMBER
                }
                Arguments::Alike => {
                    self.alike(unit, (expr, *found), &format!("another argument of `{name}`"))
                }
            };
        }
        function.unit(unit)
    }

    /// `value(x, mm)`: the number of `x` in a unit.
    pub(super) fn number_in_unit(
        &mut self,
        arguments: &[Expr],
        place: Place,
        context: Context,
    ) -> Option<Measured> {
        let [expr, Expr { kind: ExprKind::Number { unit: Some(unit), .. }, .. }] = arguments else {
            self.error_at(place, "`value` takes a quantity and a unit; write e.g. `value(x, mm)`");
            return None;
        };
        let found = self.measured(expr, context)?;
        if let Some((found, _)) = found.unit.conflict(Measure::known_or_unclear(unit.dimension)) {
            let (has, right) = (as_unit(found), found.readable());
            let message = format!(
                "this has {has} and can't be measured in `{}`; write `value(..., {right})`",
                unit.text
            );
            self.remark(expr.place, message);
        }
        let id = self.in_declared_unit(found.id, unit.scale);
        Some(Measured { id, unit: Measure::NUMBER })
    }

    /// The unit of a constraint's multiplier, energy over constraint.
    pub(super) fn multiplier_unit(&mut self, constraint: usize) -> Measure {
        let known = self.model.constraints.get(constraint).and_then(|constraint| constraint.dimension);
        let known = known.or_else(|| self.system_units.constraints.get(constraint).copied().flatten());
        self.findings.waits_for_constraint |= known.is_none();
        known.map_or(Measure::Unclear, |unit| Measure::Known(self.energy()).over(Measure::Known(unit)))
    }

    fn coordinate_unit(&self, i: usize) -> Option<Dimension> {
        self.model.coordinates.get(i).and_then(|coordinate| coordinate.dimension)
    }

    fn coordinate_name(&self, i: usize) -> &str {
        self.model.coordinates.get(i).map_or("", |coordinate| coordinate.name.as_str())
    }

    /// An entry of the mass matrix times two velocities is an energy.
    pub(super) fn check_mass(&mut self, (row, column): (usize, usize), unit: Measure, expr: &Expr) {
        let (Some(a), Some(b)) = (self.coordinate_unit(row), self.coordinate_unit(column)) else { return };
        let velocities = || a.times(b)?.over(Dimension::TIME)?.over(Dimension::TIME);
        let Some(velocities) = velocities() else { return };
        self.findings.energies.extend(unit.known().and_then(|unit| unit.times(velocities)));
        if let Some(wanted) = self.energy().over(velocities) {
            let (row, column) = (self.coordinate_name(row), self.coordinate_name(column));
            let what = if row == column {
                format!("the mass of `{row}`")
            } else {
                format!("the mass of `({row}, {column})`")
            };
            self.expect(unit, wanted, expr, &what);
        }
    }

    /// A generalized force times its coordinate is an energy.
    pub(super) fn check_force(&mut self, i: usize, unit: Measure, expr: &Expr) {
        let Some(coordinate) = self.coordinate_unit(i) else { return };
        self.findings.energies.extend(unit.known().and_then(|unit| unit.times(coordinate)));
        if let Some(wanted) = self.energy().over(coordinate) {
            let what = format!("the force on `{}`", self.coordinate_name(i));
            self.expect(unit, wanted, expr, &what);
        }
    }

    /// An initial value is in the unit of its coordinate or velocity.
    pub(super) fn check_initial(&mut self, i: usize, velocity: bool, unit: Measure, expr: &Expr) {
        let Some(coordinate) = self.coordinate_unit(i) else { return };
        let wanted = if velocity { coordinate.over(Dimension::TIME) } else { Some(coordinate) };
        if let Some(wanted) = wanted {
            let name = self.coordinate_name(i);
            let what =
                if velocity { format!("the velocity of `{name}`") } else { format!("the value of `{name}`") };
            self.expect(unit, wanted, expr, &what);
        }
    }

    /// A branch of an `if`; what is wrong in one that is never taken is no mistake, but for its units.
    pub(super) fn branch(&mut self, expr: &Expr, context: Context, reachable: bool) -> Option<Measured> {
        self.unreachable += usize::from(!reachable);
        let value = self.measured(expr, context);
        self.unreachable -= usize::from(!reachable);
        value
    }
}
