//! Lagrange's equations of kinetic, potential and dissipated energies: with T(q, v, p, t), V(q, p, u, t) and Rayleigh's
//! D(q, v, p, u, t),
//!
//! ```text
//! d/dt dT/dv - dT/dq = -dV/dq - dD/dv
//! M = d2T/dv2,   f = dT/dq - (dT/dv)_q v - (dT/dv)_t - dV/dq - dD/dv      (OB 2.14)
//! ```

use super::System;
use crate::diagnostic::Place;
use crate::dimension::{DerivedUnit, Measured};
use crate::lower::expressions::{Context, NamedEnergy};
use crate::lower::names::Kind;
use crate::symbolic::{Id, Symbol};
use crate::syntax::ast::EnergySyntax;

impl System {
    pub fn lower_kinetic(&mut self, energy: &EnergySyntax) {
        if let Some(value) = self.energy_value(energy, Context::Kinetic) {
            self.kinetic.push((value, energy.value.place));
            self.expressions.totals.kinetic.push(value);
        }
    }

    pub fn lower_potential(&mut self, energy: &EnergySyntax) {
        self.lower_slopes(energy, Context::Potential, coordinate);
    }

    pub fn lower_dissipation(&mut self, energy: &EnergySyntax) {
        self.lower_slopes(energy, Context::Dissipation, velocity);
    }

    /// Adds forces: minus the derivatives of an energy with respect to the symbols for which `of` returns a
    /// coordinate.
    fn lower_slopes(&mut self, energy: &EnergySyntax, context: Context, of: fn(&Symbol) -> Option<usize>) {
        let Some(value) = self.energy_value(energy, context) else { return };
        if context == Context::Potential {
            self.expressions.totals.potential.push(value);
        }
        for symbol in self.expressions.graph.symbols(value).to_vec() {
            let Some(i) = of(&symbol) else { continue };
            let derivative = self.expressions.graph.differentiate(value, symbol);
            let force = self.expressions.graph.negate(derivative);
            self.add_force(i, force, energy.value.place);
        }
    }

    fn energy_value(&mut self, energy: &EnergySyntax, context: Context) -> Option<Id> {
        let (unit, what) = match context {
            Context::Kinetic => (DerivedUnit::ENERGY, "a kinetic energy"),
            Context::Potential => (DerivedUnit::ENERGY, "a potential energy"),
            _ => (DerivedUnit::POWER, "a dissipation function"),
        };
        let value = self.expressions.derived_value(&energy.value, context, unit, what);
        if let Some(name) = &energy.name
            && let Some(position) = self.expressions.names.declared_position(name, Kind::Energy)
        {
            let unit = self.expressions.measure_in(unit);
            let value = value.map(|id| Measured { id, unit });
            self.expressions.energies[position] = NamedEnergy { read: true, value };
        }
        value
    }

    /// Derives the mass matrix and the remaining terms of the kinetic energies.
    pub fn finish_energies(&mut self) {
        for (kinetic, place) in std::mem::take(&mut self.kinetic) {
            self.add_kinetic(kinetic, place);
        }
    }

    fn add_kinetic(&mut self, kinetic: Id, place: Place) {
        let symbols = self.expressions.graph.symbols(kinetic).to_vec();
        let velocities: Vec<usize> = symbols.iter().filter_map(velocity).collect();
        for (k, &i) in velocities.iter().enumerate() {
            let momentum = self.expressions.graph.differentiate(kinetic, Symbol::Velocity(i));
            for &j in &velocities[k..] {
                let mass = self.expressions.graph.differentiate(momentum, Symbol::Velocity(j));
                if !self.is_mass(mass, place) {
                    return;
                }
                self.add_mass(i, j, mass, place);
                if self.expressions.graph.exceeded().is_some() {
                    return;
                }
            }
            self.subtract_rate(i, momentum, place);
        }
        for symbol in symbols {
            if let Symbol::Coordinate(i) = symbol {
                let force = self.expressions.graph.differentiate(kinetic, symbol);
                self.add_force(i, force, place);
            }
        }
    }

    /// Checks that an entry of the mass matrix depends on positions and parameters alone; reports an error if it does
    /// not.
    fn is_mass(&mut self, mass: Id, place: Place) -> bool {
        let wrong = self.expressions.graph.symbols(mass).iter().find_map(|symbol| match symbol {
            Symbol::Velocity(_) => Some(
                "the kinetic energy is not quadratic in the velocities; write it as a sum of products of two of them, \
                 without roots and quotients of velocities",
            ),
            Symbol::Time => Some(
                "the mass matrix of this energy depends on time; write a body that moves with time by coordinates and \
                 constraints",
            ),
            _ => None,
        });
        if let Some(message) = wrong {
            self.error(place, message);
        }
        wrong.is_none()
    }

    /// Adds -(dT/dv_i)_q v - (dT/dv_i)_t, the part of the time derivative of a momentum apart from M a.
    fn subtract_rate(&mut self, i: usize, momentum: Id, place: Place) {
        let graph = &mut self.expressions.graph;
        let mut rate = graph.zero();
        for symbol in graph.symbols(momentum).to_vec() {
            let speed = match symbol {
                Symbol::Time => graph.constant(1.0),
                Symbol::Coordinate(j) => graph.symbol(Symbol::Velocity(j)),
                _ => continue,
            };
            let partial = graph.differentiate(momentum, symbol);
            let term = graph.multiply(partial, speed);
            rate = graph.add(rate, term);
        }
        let force = graph.negate(rate);
        self.add_force(i, force, place);
    }
}

fn coordinate(symbol: &Symbol) -> Option<usize> {
    match symbol {
        Symbol::Coordinate(i) => Some(*i),
        _ => None,
    }
}

fn velocity(symbol: &Symbol) -> Option<usize> {
    match symbol {
        Symbol::Velocity(i) => Some(*i),
        _ => None,
    }
}
