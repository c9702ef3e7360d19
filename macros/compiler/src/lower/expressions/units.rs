//! Checks of units while expressions are read.

use super::{Context, Expressions, SystemUnits};
use crate::diagnostic::Place;
use crate::dimension::{DerivedUnit, Measure, Measured, as_unit, remedy};
use crate::symbolic::Id;
use crate::syntax::ast::Expr;
use crate::units::{Dimension, Unit};

impl Expressions {
    /// Returns a number with a unit in SI units; refuses one that is too small there for all of its digits.
    pub fn in_si_units(&mut self, number: f64, unit: &Unit, place: Place) -> f64 {
        let value = unit.scale.apply(number);
        if number != 0.0 && value.abs() < f64::MIN_POSITIVE {
            let message = "in SI units this is too small for a number of double precision, whose digits end at \
                 2.2e-308; write 0, or a larger number";
            self.refuse_value(place, message.to_owned());
        }
        value
    }

    /// Returns the common unit of `other` and `found`; reports an error at `expr` if they differ.
    pub fn alike(&mut self, other: Measure, (expr, found): (&Expr, Measured), what: &str) -> Measure {
        if let Some((found, wanted)) = found.unit.conflict(other) {
            let message = format!(
                "this has {}, but {what} has {}; {}",
                as_unit(found),
                as_unit(wanted),
                remedy(expr, found, wanted)
            );
            self.names.report.remark(expr.place, message);
            return Measure::Unclear;
        }
        other.or(found.unit)
    }

    /// Reports an error at `expr` if its unit is not `wanted`.
    pub fn expect(&mut self, found: Measure, wanted: Dimension, expr: &Expr, what: &str) {
        let Some((found, wanted)) = found.conflict(Measure::Known(wanted)) else { return };
        let (has, expected) = (as_unit(found), as_unit(wanted));
        let remedy = remedy(expr, found, wanted);
        self.names.report.remark(expr.place, format!("{what} has {has}, expected {expected}; {remedy}"));
    }

    /// Reads a whole expression of an entry whose unit must be `wanted`; `what` describes it in messages.
    pub fn value_in(&mut self, expr: &Expr, context: Context, wanted: Option<Dimension>, what: &str) -> Option<Id> {
        let found = self.measured(expr, context)?;
        if let Some(wanted) = wanted {
            self.expect(found.unit, wanted, expr, what);
        }
        self.bounded(found.id, expr.place)
    }

    /// Returns the unit of a mechanical quantity.
    pub fn measure_in(&self, unit: DerivedUnit) -> Measure {
        Measure::known_or_unclear(unit.dimension(self.energy()))
    }

    /// Reports an error at `expr` if its unit is not `wanted`, and records the unit of energy that would fit.
    pub fn expect_derived(&mut self, found: Measure, wanted: DerivedUnit, expr: &Expr, what: &str) {
        self.findings.energies.extend(found.known().and_then(|found| wanted.energy(found)));
        if let Some(wanted) = wanted.dimension(self.energy()) {
            self.expect(found, wanted, expr, what);
        }
    }

    /// Reads a whole expression of an entry that is a mechanical quantity.
    pub fn derived_value(&mut self, expr: &Expr, context: Context, wanted: DerivedUnit, what: &str) -> Option<Id> {
        let found = self.measured(expr, context)?;
        self.expect_derived(found.unit, wanted, expr, what);
        self.bounded(found.id, expr.place)
    }

    /// Returns the unit of energy.
    pub fn energy(&self) -> Dimension {
        self.system_units.energy.unwrap_or(Dimension::ENERGY)
    }

    /// Returns the units that follow from the equations when read with `known`; equal to `known` if there is nothing
    /// new.
    pub fn system_units(&self, known: &SystemUnits) -> SystemUnits {
        // The masses of bodies are in kilograms, so that the unit of energy is the joule.
        let energy = if self.parts.bodies.is_empty() { self.findings.energy() } else { Dimension::ENERGY };
        let constraints = if self.findings.waits_for_constraint {
            self.names.quantities.constraints.iter().map(|constraint| constraint.dimension).collect()
        } else {
            known.constraints.clone()
        };
        SystemUnits { energy: (energy != Dimension::ENERGY).then_some(energy), constraints }
    }
}
