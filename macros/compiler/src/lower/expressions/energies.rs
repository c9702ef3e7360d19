//! Kinetic and potential energies of bodies and of the whole model, as quantities.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::{Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::{DerivedUnit, Measured};
use crate::symbolic::{Id, Symbol};

/// The energies of the model and of a body.
pub const ENERGIES: [&str; 2] = ["kinetic_energy", "potential_energy"];

impl Expressions {
    /// `kinetic_energy` or `potential_energy` of the model.
    pub fn energy_of_model(&mut self, name: &str, place: Place, context: Context) -> Option<Measured> {
        if self.names.table.entered() != 0 {
            return self.refuse(place, format!("`{name}` is that of the whole model; write it there"));
        }
        let kinetic = name == ENERGIES[0];
        if let Some(later) = self.totals.later[usize::from(!kinetic)] {
            let message = format!("`{name}` is not known yet; move the block `{later}` above this one");
            return self.refuse(place, message);
        }
        if let (false, Some(reason)) = (kinetic, self.totals.without_potential.clone()) {
            return self.refuse(place, format!("`{name}` is not known: {reason}"));
        }
        let bodies = &self.parts.bodies;
        let id = if kinetic {
            self.totals.kinetic_of_model(bodies, &mut self.graph)
        } else {
            self.totals.potential_of_model(bodies, &mut self.graph)
        };
        let id = self.bounded(id?, place)?;
        let unit = self.measure_in(DerivedUnit::ENERGY);
        self.allowed(Measured { id, unit }, place, name, context)
    }

    /// `kinetic_energy` or `potential_energy` of a body.
    pub fn energy_of_body(&mut self, position: usize, word: &Ident) -> Option<Measured> {
        let text = word.unraw().to_string();
        let kinetic = text == ENERGIES[0];
        if !kinetic && self.totals.later_gravity {
            return self
                .refuse(word.span(), format!("`{text}` is not known yet; move the block `gravity` above this one"));
        }
        let bodies = &self.parts.bodies;
        let value = if kinetic {
            self.totals.kinetic_of_body(position, bodies, &mut self.graph)
        } else {
            self.totals.potential_of_body(position, bodies, &mut self.graph)
        };
        if value.is_none() && self.names.report.faults() == 0 {
            let message = format!("`{text}` is not known yet; move the block `bodies` above this one");
            self.error(word.span(), message);
        }
        Some(Measured { id: value?, unit: self.measure_in(DerivedUnit::ENERGY) })
    }

    /// Notes a stiffness and its stretch for the potential energy.
    pub fn note_spring(&mut self, element: &str, stiffness: Id, stretch: Id) {
        let constant = |symbol: &Symbol| matches!(symbol, Symbol::Parameter(_));
        if self.graph.symbols(stiffness).iter().all(constant) {
            self.totals.springs.push((stiffness, stretch));
        } else {
            self.totals.element_without_potential(element);
        }
    }
}
