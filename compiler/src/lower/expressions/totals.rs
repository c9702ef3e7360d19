//! Kinetic and potential energies of bodies and of the whole model, as quantities.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::{Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::{DerivedUnit, Measured};
use crate::lower::geometry::{Body, Frame, Matrix, Vector, vector};
use crate::symbolic::{Graph, Id, Symbol};
use crate::units::Dimension;

/// The energies of the model and of a body.
pub const ENERGIES: [&str; 2] = ["kinetic_energy", "potential_energy"];

/// What the energies of the model are made of, as far as it has been read.
#[derive(Debug, Default)]
pub struct Totals {
    /// The entries of the block `mass` as written.
    pub masses: BTreeMap<(usize, usize), Id>,
    pub kinetic: Vec<Id>,
    pub potential: Vec<Id>,
    /// Stiffnesses, each with what it is stretched by.
    pub springs: Vec<(Id, Id)>,
    /// Why the potential energy is not known, if it is not, and what to write instead.
    pub without_potential: Option<String>,
    /// By the positions of the bodies.
    pub inertia: BTreeMap<usize, Inertia>,
    pub gravity: Option<Vector>,
    /// The first block below what is being read that adds to each energy.
    pub later: [Option<&'static str>; 2],
    /// Gravity stands below what is being read.
    pub later_gravity: bool,
}

/// The mass of a body, its tensor of inertia about the centre of mass, and that centre, in the axes of the body.
#[derive(Debug, Clone, Copy)]
pub struct Inertia {
    pub mass: Id,
    pub tensor: Matrix,
    pub center: Vector,
}

impl Totals {
    /// The force of an element follows from no known potential.
    pub fn element_without_potential(&mut self, element: &str) {
        self.without_potential = Some(format!(
            "the force of `{element}` is no constant stiffness times a stretch; write the parts that are known, \
             `rod.potential_energy` and the energies of springs"
        ));
    }

    /// The force on a coordinate in the block `forces` may follow from a potential.
    pub fn force_without_potential(&mut self, coordinate: &str) {
        self.without_potential = Some(format!(
            "the potential of the force on `{coordinate}` is not; write it in `potential` in place of `forces`, or the \
             parts that are known, `rod.potential_energy` and the energies of springs"
        ));
    }

    fn kinetic_of_model(&self, bodies: &[Body], graph: &mut Graph) -> Option<Id> {
        let mut parts = self.kinetic.clone();
        // A pair is written once, or twice with one value.
        let pairs: BTreeMap<(usize, usize), Id> = self
            .masses
            .iter()
            .map(|((row, column), mass)| ((*row.min(column), *row.max(column)), *mass))
            .collect();
        for ((row, column), mass) in pairs {
            let (v, w) = (graph.symbol(Symbol::Velocity(row)), graph.symbol(Symbol::Velocity(column)));
            let square = graph.multiply(v, w);
            let product = graph.multiply(mass, square);
            parts.push(if row == column { half(graph, product) } else { product });
        }
        for position in 0..bodies.len() {
            parts.push(self.kinetic_of_body(position, bodies, graph)?);
        }
        Some(graph.sum(parts))
    }

    fn potential_of_model(&self, bodies: &[Body], graph: &mut Graph) -> Option<Id> {
        let mut parts = self.potential.clone();
        for &(stiffness, stretch) in &self.springs {
            let square = graph.power_integer(stretch, 2);
            let product = graph.multiply(stiffness, square);
            parts.push(half(graph, product));
        }
        for position in 0..bodies.len() {
            parts.push(self.potential_of_body(position, bodies, graph)?);
        }
        Some(graph.sum(parts))
    }

    /// m |r_c'|^2/2 + W^T I W/2, with the angular velocity W in the axes of the body; `None` before its masses are read.
    fn kinetic_of_body(&self, position: usize, bodies: &[Body], graph: &mut Graph) -> Option<Id> {
        let Inertia { mass, tensor, .. } = *self.inertia.get(&position)?;
        let center = self.center_of_mass(position, bodies, graph)?;
        let body = *bodies.get(position)?;
        let velocity = vector::rate(graph, center);
        let square = vector::dot(graph, velocity, velocity);
        let along = graph.multiply(mass, square);
        let omega = body.local_angular_velocity(graph);
        let momentum = vector::apply(graph, tensor, omega);
        let about = vector::dot(graph, omega, momentum);
        let twice = graph.add(along, about);
        Some(half(graph, twice))
    }

    /// -m g r_c; `None` before the masses of the body are read.
    fn potential_of_body(&self, position: usize, bodies: &[Body], graph: &mut Graph) -> Option<Id> {
        let mass = self.inertia.get(&position)?.mass;
        let Some(gravity) = self.gravity else { return Some(graph.zero()) };
        let center = self.center_of_mass(position, bodies, graph)?;
        let along = vector::dot(graph, gravity, center);
        let product = graph.multiply(mass, along);
        Some(graph.negate(product))
    }

    fn center_of_mass(&self, position: usize, bodies: &[Body], graph: &mut Graph) -> Option<Vector> {
        let body = *bodies.get(position)?;
        let point = self.inertia.get(&position)?.center;
        let frame = Frame { point, ..Frame::of(Some(body), graph) };
        Some(frame.position(graph))
    }
}

/// The energies of a model that has been read.
#[derive(Debug)]
pub struct Energies {
    totals: Totals,
    bodies: Vec<Body>,
    /// Their unit.
    pub unit: Dimension,
}

impl Energies {
    /// Of all that has been read.
    pub fn new(totals: Totals, bodies: Vec<Body>, unit: Dimension) -> Self {
        Energies { totals, bodies, unit }
    }

    /// The kinetic energy, in the graph of the model.
    pub fn kinetic(&self, graph: &mut Graph) -> Option<Id> {
        self.totals.kinetic_of_model(&self.bodies, graph)
    }

    /// The potential energy, in the graph of the model; `None` where forces follow from no known potential.
    pub fn potential(&self, graph: &mut Graph) -> Option<Id> {
        let known = self.totals.without_potential.is_none();
        known.then(|| self.totals.potential_of_model(&self.bodies, graph)).flatten()
    }
}

fn half(graph: &mut Graph, value: Id) -> Id {
    let half = graph.constant(0.5);
    graph.multiply(half, value)
}

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
            return self.refuse(
                word.span(),
                format!("`{text}` is not known yet; move the block `gravity` above this one"),
            );
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
