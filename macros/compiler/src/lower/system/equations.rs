//! The other blocks of equations: forces, constraints, outputs and initial values.

use super::System;
use crate::dimension::{Measure, Measured};
use crate::lower::expressions::Context;
use crate::lower::names::Kind;
use crate::model::WrittenDefault;
use crate::symbolic::{Id, Symbol};
use crate::syntax::ast::{ConstraintSyntax, Expr, ForceSyntax, InitialSyntax, OutputSyntax};
use crate::units::Dimension;

impl System {
    pub fn lower_force(&mut self, entry: &ForceSyntax) {
        let coordinate = self.expressions.coordinate(&entry.coordinate);
        let value = self.expressions.measured(&entry.value, Context::Force);
        let (Some((i, changes)), Some(Measured { id: value, unit })) = (coordinate, value) else { return };
        let value = if changes { self.expressions.graph.negate(value) } else { value };
        self.check_force(i, unit, &entry.value);
        self.add_force(i, value, entry.value.place);
        if self.may_have_potential(value) {
            let name = self.coordinate_name(i).to_owned();
            self.expressions.totals.force_without_potential(&name);
        }
    }

    /// Checks whether a force depends on positions or is constant like a weight, so that it may have a potential; a
    /// damping or an excitation alone has none.
    fn may_have_potential(&self, force: Id) -> bool {
        let graph = &self.expressions.graph;
        let symbols = graph.symbols(force);
        let is_position = |symbol: &Symbol| matches!(symbol, Symbol::Coordinate(_));
        let is_constant = |symbol: &Symbol| matches!(symbol, Symbol::Parameter(_));
        !graph.is_zero(force) && (symbols.iter().any(is_position) || symbols.iter().all(is_constant))
    }

    /// Checks the unit of a generalized force, whose product with its coordinate is an energy.
    fn check_force(&mut self, i: usize, unit: Measure, expr: &Expr) {
        let Some(coordinate) = self.coordinate_unit(i) else { return };
        self.expressions.findings.energies.extend(unit.known().and_then(|unit| unit.times(coordinate)));
        if let Some(wanted) = self.expressions.energy().over(coordinate) {
            let what = format!("the force on `{}`", self.coordinate_name(i));
            self.expressions.expect(unit, wanted, expr, &what);
        }
    }

    pub fn lower_constraint(&mut self, entry: &ConstraintSyntax) {
        let Some(value) = self.expressions.measured(&entry.value, Context::Constraint) else { return };
        let Some(id) = self.expressions.bounded(value.id, entry.value.place) else { return };
        if let Some(i) = self.expressions.names.declared_position(&entry.name, Kind::Constraint) {
            self.constraint[i] = id;
            self.expressions.names.quantities.constraints[i].dimension = value.unit.known();
        }
    }

    pub fn lower_output(&mut self, entry: &OutputSyntax) {
        let unit = entry.unit.dimension;
        let what = format!("the output `{}`", entry.name.ident);
        let Some(value) = self.expressions.value_in(&entry.value, Context::Output, unit, &what) else {
            return;
        };
        if let Some(i) = self.expressions.names.declared_position(&entry.name, Kind::Output) {
            self.output[i] = self.expressions.in_declared_unit(value, entry.unit.scale);
        }
    }

    pub fn lower_initial(&mut self, entry: &InitialSyntax) {
        let coordinate = self.expressions.own_coordinate(&entry.coordinate);
        let value = self.expressions.measured(&entry.value, Context::Initial);
        let (Some((i, changes)), Some(Measured { id: value, unit })) = (coordinate, value) else { return };
        let value = if changes { self.expressions.graph.negate(value) } else { value };
        self.check_initial(i, entry.velocity, unit, &entry.value);
        self.initial_sources.insert((i, entry.velocity, entry.near), entry.value.place);
        self.initial_places.insert((i, entry.velocity), WrittenDefault::new(&entry.value));
        let values = match entry {
            InitialSyntax { near: true, .. } => &mut self.near_coordinates,
            InitialSyntax { velocity: true, .. } => &mut self.initial_velocities,
            _ => &mut self.initial_coordinates,
        };
        let mut twice = values[i].replace(value).is_some();
        twice |= self.near_coordinates[i].is_some() && self.initial_coordinates[i].is_some();
        if twice {
            let name = &self.expressions.names.quantities.coordinates[i].name;
            let what = if entry.velocity { format!("dot({name})") } else { name.clone() };
            self.error(
                entry.coordinate.place,
                format!("the initial value of `{what}` is given twice; keep one of them"),
            );
        }
    }

    /// Checks that an initial value is in the unit of its coordinate or velocity.
    fn check_initial(&mut self, i: usize, velocity: bool, unit: Measure, expr: &Expr) {
        let Some(coordinate) = self.coordinate_unit(i) else { return };
        let wanted = if velocity { coordinate.over(Dimension::TIME) } else { Some(coordinate) };
        if let Some(wanted) = wanted {
            let name = self.coordinate_name(i);
            let what = if velocity { format!("the velocity of `{name}`") } else { format!("the value of `{name}`") };
            self.expressions.expect(unit, wanted, expr, &what);
        }
    }
}
