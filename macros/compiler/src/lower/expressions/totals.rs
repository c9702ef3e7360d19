//! The parts of kinetic and potential energies of bodies and of the whole model.

use std::collections::BTreeMap;

use crate::lower::geometry::{Body, Frame, Matrix, Vector, vector};
use crate::symbolic::{Graph, Id, Symbol};
use crate::units::Dimension;

/// The parts of the energies of the model, as far as it has been read.
#[derive(Debug, Default)]
pub struct Totals {
    /// The entries of the block `mass` as written.
    pub masses: BTreeMap<(usize, usize), Id>,
    pub kinetic: Vec<Id>,
    pub potential: Vec<Id>,
    /// Stiffnesses, each with its stretch.
    pub springs: Vec<(Id, Id)>,
    /// The reason why the potential energy is not known, with what to write instead; `None` if it is known.
    pub without_potential: Option<String>,
    /// Masses and inertias by the positions of the bodies.
    pub inertia: BTreeMap<usize, Inertia>,
    pub gravity: Option<Vector>,
    /// The first block further below that adds to the kinetic energy, and the first that adds to the potential
    /// energy.
    pub later: [Option<&'static str>; 2],
    /// True if gravity is given further below.
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
    /// Records an element whose force is not known to follow from a potential.
    pub fn element_without_potential(&mut self, element: &str) {
        self.without_potential = Some(format!(
            "the force of `{element}` is no constant stiffness times a stretch; write the parts that are known, \
             `rod.potential_energy` and the energies of springs"
        ));
    }

    /// Records a force in the block `forces`, whose potential, if it has one, is not known.
    pub fn force_without_potential(&mut self, coordinate: &str) {
        self.without_potential = Some(format!(
            "the potential of the force on `{coordinate}` is not; write it in `potential` in place of `forces`, or the \
             parts that are known, `rod.potential_energy` and the energies of springs"
        ));
    }

    pub fn kinetic_of_model(&self, bodies: &[Body], graph: &mut Graph) -> Option<Id> {
        let mut parts = self.kinetic.clone();
        // The entries of a pair are given once, or twice with the same value.
        let pairs: BTreeMap<(usize, usize), Id> =
            self.masses.iter().map(|((row, column), mass)| ((*row.min(column), *row.max(column)), *mass)).collect();
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

    pub fn potential_of_model(&self, bodies: &[Body], graph: &mut Graph) -> Option<Id> {
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

    /// Returns m |r_c'|^2/2 + W^T I W/2, with the angular velocity W in the axes of the body; `None` before the
    /// masses of the body are read.
    pub fn kinetic_of_body(&self, position: usize, bodies: &[Body], graph: &mut Graph) -> Option<Id> {
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

    /// Returns -m g r_c; `None` before the masses of the body are read.
    pub fn potential_of_body(&self, position: usize, bodies: &[Body], graph: &mut Graph) -> Option<Id> {
        let mass = self.inertia.get(&position)?.mass;
        let Some(gravity) = self.gravity else { return Some(graph.zero()) };
        let center = self.center_of_mass(position, bodies, graph)?;
        let along = vector::dot(graph, gravity, center);
        let product = graph.multiply(mass, along);
        Some(graph.negate(product))
    }

    pub fn center_of_mass(&self, position: usize, bodies: &[Body], graph: &mut Graph) -> Option<Vector> {
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
    /// The unit of both energies.
    pub unit: Dimension,
}

impl Energies {
    /// Completes the energies of a model that has been read.
    pub fn new(totals: Totals, bodies: Vec<Body>, unit: Dimension) -> Self {
        Energies { totals, bodies, unit }
    }

    /// Returns the kinetic energy, in the graph of the model.
    pub fn kinetic(&self, graph: &mut Graph) -> Option<Id> {
        self.totals.kinetic_of_model(&self.bodies, graph)
    }

    /// Returns the potential energy, in the graph of the model; `None` if some forces follow from no known potential.
    pub fn potential(&self, graph: &mut Graph) -> Option<Id> {
        let known = self.totals.without_potential.is_none();
        known.then(|| self.totals.potential_of_model(&self.bodies, graph)).flatten()
    }
}

fn half(graph: &mut Graph, value: Id) -> Id {
    let half = graph.constant(0.5);
    graph.multiply(half, value)
}
