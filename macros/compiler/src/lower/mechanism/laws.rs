//! The options that make a force or a torque: stiffness, damping, what is at rest, and more.

use syn::ext::IdentExt;

use super::Mechanism;
use super::options::{option, option_of};
use crate::dimension::DerivedUnit;
use crate::lower::expressions::Context;
use crate::lower::geometry::{Sense, Vector, vector};
use crate::symbolic::Id;
use crate::syntax::ast::PartSyntax;

/// The options that make a force or a torque, with their units.
#[derive(Clone, Copy)]
pub struct Law {
    stiffness: (&'static str, DerivedUnit),
    damping: (&'static str, DerivedUnit),
    rest: (&'static str, DerivedUnit),
    more: (&'static str, DerivedUnit),
    is_torque: bool,
}

pub const SPRING: Law = Law {
    stiffness: ("stiffness", DerivedUnit::STIFFNESS),
    damping: ("damping", DerivedUnit::DAMPING),
    rest: ("length", DerivedUnit::LENGTH),
    more: ("force", DerivedUnit::FORCE),
    is_torque: false,
};

pub const TORSIONAL: Law = Law {
    stiffness: ("stiffness", DerivedUnit::TORQUE),
    damping: ("damping", DerivedUnit::TORSIONAL_DAMPING),
    rest: ("angle", DerivedUnit::NUMBER),
    more: ("torque", DerivedUnit::TORQUE),
    is_torque: true,
};

pub const BUSHING_TORQUE: Law = Law {
    stiffness: ("torsional_stiffness", DerivedUnit::TORQUE),
    damping: ("torsional_damping", DerivedUnit::TORSIONAL_DAMPING),
    ..TORSIONAL
};

impl Mechanism {
    /// stiffness (x - rest) + damping x' + more, each if it is given; what is at rest and more are those of the world
    /// that the text describes.
    pub fn characteristic(&mut self, part: &PartSyntax, law: Law, (x, rate): (Id, Id), sense: Sense) -> Option<Id> {
        let mut number = |(name, unit)| self.number_option(part, name, Context::Force, unit);
        let (stiffness, damping) = (number(law.stiffness), number(law.damping));
        let (rest, more) = (number(law.rest), number(law.more));
        let (stiffness, damping, rest, more) = (stiffness?, damping?, rest?, more?);
        if stiffness.is_none() && damping.is_none() && more.is_none() {
            let message = "this element has no force; give it e.g. `stiffness = c` or `damping = d`";
            return self.refuse(part.place, message);
        }
        let rest = rest.map(|rest| self.expressions().sensed(rest, sense));
        let more = more.map(|more| self.expressions().sensed(more, sense));
        let graph = self.graph();
        let stretch = rest.map_or(x, |rest| graph.subtract(x, rest));
        let name = part.name.ident.unraw().to_string();
        if let Some(stiffness) = stiffness {
            self.expressions().note_spring(&name, stiffness, stretch);
        }
        if more.is_some() {
            self.expressions().totals.element_without_potential(&name);
        }
        let graph = self.graph();
        let mut sum = graph.zero();
        for (factor, state) in [(stiffness, stretch), (damping, rate)] {
            if let Some(factor) = factor {
                let term = graph.multiply(factor, state);
                sum = graph.add(sum, term);
            }
        }
        Some(more.map_or(sum, |more| graph.add(sum, more)))
    }

    /// Forces along the three axes, or torques about them; `None` if neither stiffness nor damping is given. The outer
    /// `None` after an error.
    pub fn along_axes(
        &mut self,
        part: &PartSyntax,
        law: Law,
        state: Vector,
        rate: Vector,
        spatial: bool,
    ) -> Option<Option<Vector>> {
        let mut sum: Option<Vector> = None;
        for ((name, unit), state) in [law.stiffness, law.damping].into_iter().zip([state, rate]) {
            let Some(value) = option(part, name) else { continue };
            let what = option_of(part, name);
            let factors = if law.is_torque {
                self.torque_value(value, spatial, unit, &what)?
            } else {
                self.expressions().vector(value, spatial, Context::Force, unit, &what)?
            };
            if name == law.stiffness.0 {
                let element = part.name.ident.unraw().to_string();
                for (factor, state) in factors.into_iter().zip(state) {
                    self.expressions().note_spring(&element, factor, state);
                }
            }
            let graph = self.graph();
            let terms = [0, 1, 2].map(|i| graph.multiply(factors[i], state[i]));
            sum = Some(sum.map_or(terms, |sum| vector::add(graph, sum, terms)));
        }
        Some(sum)
    }
}
