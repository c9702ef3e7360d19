//! Bodies: their coordinates, their masses, gravity.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::super::context::Context;
use super::super::kinds::Family;
use super::super::lower::Lowering;
use super::super::names::Kind;
use super::super::{BodyMass, Quantity};
use super::Body;
use super::vector::{self, Vector};
use crate::dimension::DerivedUnit;
use crate::symbolic::Id;
use crate::syntax::ast::{BodySyntax, Expr, GravitySyntax, OptionSyntax};
use crate::units::Dimension;

/// A coordinate of a body or a joint.
pub struct PartCoordinate {
    name: &'static str,
    unit: &'static str,
    dimension: Dimension,
    meaning: &'static str,
}

impl PartCoordinate {
    const fn length(name: &'static str, meaning: &'static str) -> Self {
        PartCoordinate { name, unit: "m", dimension: Dimension::LENGTH, meaning }
    }

    pub const fn angle(name: &'static str, meaning: &'static str) -> Self {
        PartCoordinate { name, unit: "rad", dimension: Dimension::NONE, meaning }
    }

    const fn euler_parameter(name: &'static str, meaning: &'static str) -> Self {
        PartCoordinate { name, unit: "1", dimension: Dimension::NONE, meaning }
    }
}

const PLANAR: [PartCoordinate; 3] = [
    PartCoordinate::length("x", "Position of the origin of the body's frame, x."),
    PartCoordinate::length("y", "Position of the origin of the body's frame, y."),
    PartCoordinate::angle("angle", "Angle of the body."),
];

const SPATIAL: [PartCoordinate; 7] = [
    PartCoordinate::length("x", "Position of the origin of the body's frame, x."),
    PartCoordinate::length("y", "Position of the origin of the body's frame, y."),
    PartCoordinate::length("z", "Position of the origin of the body's frame, z."),
    PartCoordinate::euler_parameter("e0", "Euler parameter, the cosine of half the angle of rotation."),
    PartCoordinate::euler_parameter("e1", "Euler parameter along x."),
    PartCoordinate::euler_parameter("e2", "Euler parameter along y."),
    PartCoordinate::euler_parameter("e3", "Euler parameter along z."),
];

/// The sum of the squares of the Euler parameters is 1.
const NORM: &str = "norm";

/// What a body is.
pub const KINDS: [&str; 2] = ["planar", "spatial"];

const PROPERTIES: [&str; 3] = ["mass", "inertia", "center"];

impl Lowering<'_> {
    pub(in crate::model) fn declare_body(&mut self, body: &BodySyntax) {
        let kind = body.kind.unraw().to_string();
        let spatial = match kind.as_str() {
            "planar" => false,
            "spatial" => true,
            _ => {
                self.error_at(body.kind.span(), self.unknown_kind(&kind, Family::Body));
                self.names.mark_unclear(&body.name.ident);
                return;
            }
        };
        let ident = &body.name.ident;
        if ident == "ground" {
            self.error_at(ident.span(), "`ground` is the inertial frame; choose another name");
            self.names.mark_unclear(ident);
            return;
        }
        for index in self.declared_indices(&body.name) {
            let first = self.model.coordinates.len();
            let place = ident.span().into();
            let position = self.mechanism.bodies.len();
            if !self.add_part(Kind::Body, ident, index, kind.clone(), &body.documentation, position) {
                break;
            }
            self.mechanism.bodies.push(Body { spatial, first, inertia: None, place, oriented: false });
            let around = self.names.enter(self.names.next_space() - 1);
            let coordinates = if spatial { SPATIAL.as_slice() } else { PLANAR.as_slice() };
            for coordinate in coordinates {
                self.declare_part_coordinate(ident, coordinate);
            }
            if spatial {
                self.declare_part_constraint(ident, NORM, "The Euler parameters have norm 1.");
            }
            self.names.enter(around);
        }
    }

    /// A name with members: false after an error.
    pub(super) fn add_part(
        &mut self,
        kind: Kind,
        ident: &Ident,
        index: Option<i64>,
        what: String,
        documentation: &[String],
        position: usize,
    ) -> bool {
        let space = self.names.next_space();
        if self.components.full || !self.declare_name(kind, ident, index) {
            // What it declares is not known.
            self.names.mark_unclear(ident);
            return false;
        }
        self.names.add_space(&ident.unraw().to_string(), index, what, &documentation.join("\n"));
        self.mechanism.by_space.insert(space, position);
        true
    }

    /// A coordinate of the body, joint or element whose names have been entered.
    pub(super) fn declare_part_coordinate(&mut self, owner: &Ident, coordinate: &PartCoordinate) {
        let PartCoordinate { name, unit, dimension, meaning } = *coordinate;
        let quantity = self.part_quantity(Kind::Coordinate, owner, name, unit, meaning);
        if dimension.is_none() {
            self.model.turning.insert(self.model.coordinates.len());
        }
        self.model.coordinates.push(Quantity { dimension: Some(dimension), ..quantity });
    }

    /// A constraint of the body or joint whose names have been entered.
    pub(super) fn declare_part_constraint(&mut self, owner: &Ident, name: &str, meaning: &str) {
        let quantity = self.part_quantity(Kind::Constraint, owner, name, "", meaning);
        self.model.constraints.push(quantity);
    }

    /// Also after an error, so that the positions of the others are right; then under a constant of its own.
    fn part_quantity(
        &mut self,
        kind: Kind,
        owner: &Ident,
        name: &str,
        unit: &str,
        meaning: &str,
    ) -> Quantity {
        let ident = Ident::new(name, owner.span());
        let declared = self.declare_name(kind, &ident, None);
        let documentation = if meaning.is_empty() { Vec::new() } else { vec![meaning.to_owned()] };
        let mut quantity = self.named_quantity(&ident, None, unit.to_owned(), &documentation);
        if !declared {
            for ident in [&mut quantity.field, &mut quantity.constant] {
                *ident = Ident::new(&format!("{ident}_"), owner.span());
            }
        }
        quantity
    }

    /// The masses of a body.
    pub(in crate::model) fn lower_body(&mut self, body: &BodySyntax) {
        let name = body.name.ident.unraw().to_string();
        for index in self.declared_indices(&body.name) {
            let Some(space) = self.names.here().position(&name, index, Kind::Body) else { continue };
            let Some(&position) = self.mechanism.by_space.get(&space) else { continue };
            let errors = self.faults();
            self.lower_masses(body, space, position);
            if self.faults() > errors {
                break;
            }
        }
    }

    fn lower_masses(&mut self, body: &BodySyntax, space: usize, position: usize) -> Option<()> {
        self.check_options(&body.properties, &PROPERTIES, "a body", ": ")?;
        let spatial = self.mechanism.bodies[position].spatial;
        let find = |name: &str| body.properties.iter().find(|property| property.name == name);
        let Some(mass) = find("mass") else {
            if !self.incomplete {
                let message = "a body has a mass; write `mass: m`, or `mass: 0` where it has none";
                self.error_at(body.kind.span(), message);
            }
            return None;
        };
        let of = |property: &str| format!("the {property} of `{}`", body.name.ident.unraw());
        let mass = self.body_mass(&mass.value, DerivedUnit::MASS, &of("mass"), true);
        let inertia = self.inertia(find("inertia"), spatial, &of("inertia"));
        let center = match find("center") {
            Some(center) => {
                self.vector(&center.value, spatial, Context::Fixed, DerivedUnit::LENGTH, &of("center"))
            }
            None => Some(vector::zero(&mut self.graph)),
        };
        let (mass, inertia, center) = (mass?, inertia?, center?);
        self.mechanism.bodies[position].inertia = Some((mass, center));
        let this = self.mechanism.bodies[position];
        if spatial {
            self.add_spatial_inertia(this, mass, inertia, center);
            let norm = self.names.of(space).position(NORM, None, Kind::Constraint);
            self.lower_norm(this, norm, mass, inertia, center);
        } else {
            self.add_planar_inertia(this, mass, inertia[2][2], center);
        }
        Some(())
    }

    /// A mass, or an entry of the tensor of inertia; those on its diagonal are not negative.
    fn body_mass(&mut self, expr: &Expr, unit: DerivedUnit, what: &str, diagonal: bool) -> Option<Id> {
        let value = self.derived_value(expr, Context::Fixed, unit, what)?;
        if diagonal {
            self.model.body_masses.push(BodyMass { what: what.to_owned(), value, place: expr.place });
        }
        Some(value)
    }

    /// The tensor of inertia about the centre of mass, in the axes of the body; of a planar body the last entry alone.
    fn inertia(
        &mut self,
        property: Option<&OptionSyntax>,
        spatial: bool,
        what: &str,
    ) -> Option<vector::Matrix> {
        let zero = self.graph.zero();
        let mut tensor = [[zero; 3]; 3];
        let Some(property) = property else { return Some(tensor) };
        if !spatial {
            let value = &property.value;
            tensor[2][2] = self.body_mass(value, DerivedUnit::INERTIA, what, true)?;
            return Some(tensor);
        }
        let crate::syntax::ast::ExprKind::Vector(entries) = &property.value.kind else {
            let message =
                "the inertia of a spatial body has three moments; write `inertia: (i_xx, i_yy, i_zz)`";
            self.error_at(property.value.place, message);
            return None;
        };
        if !matches!(entries.len(), 3 | 6) {
            let message = "the inertia of a spatial body is `(i_xx, i_yy, i_zz)`, or with the entries beside the \
                           diagonal `(i_xx, i_yy, i_zz, i_xy, i_xz, i_yz)`";
            self.error_at(property.value.place, message);
            return None;
        }
        const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        let values: Vec<Option<Id>> = entries
            .iter()
            .enumerate()
            .map(|(i, entry)| self.body_mass(entry, DerivedUnit::INERTIA, what, i < 3))
            .collect();
        for ((i, j), value) in PLACES.into_iter().zip(values) {
            tensor[i][j] = value?;
            tensor[j][i] = value?;
        }
        Some(tensor)
    }

    pub(in crate::model) fn lower_gravity(&mut self, gravity: &GravitySyntax) {
        let place = gravity.value.place;
        if self.mechanism.gravity.is_some() {
            self.error_at(place, "gravity is given twice; keep one of them");
            return;
        }
        if self.mechanism.bodies.is_empty() {
            if !self.incomplete {
                self.error_at(
                    place,
                    "gravity acts on bodies, and the model has none; write it into `forces`",
                );
            }
            return;
        }
        let spatial = self.mechanism.bodies.iter().any(|body| body.spatial);
        let (value, unit) = (&gravity.value, DerivedUnit::ACCELERATION);
        let Some(value) = self.vector(value, spatial, Context::Force, unit, "gravity") else { return };
        self.mechanism.gravity = Some((value, place));
    }

    /// What can be said when everything has been read.
    pub(in crate::model) fn finish_bodies(&mut self) {
        // Without a word about them, orientations are sought near none.
        for body in self.mechanism.bodies.clone().into_iter().filter(|body| body.spatial) {
            let e0 = body.first + 3;
            let one = self.graph.constant(1.0);
            if self.model.initial_coordinates[e0].is_none() {
                self.model.near_coordinates[e0].get_or_insert(one);
            }
        }
        self.add_weights();
    }

    /// Weights, in the centres of mass.
    fn add_weights(&mut self) {
        let Some((gravity, place)) = self.mechanism.gravity else { return };
        for position in 0..self.mechanism.bodies.len() {
            let Some((mass, center)) = self.mechanism.bodies[position].inertia else { continue };
            let weight: Vector = vector::scale(&mut self.graph, mass, gravity);
            let arm = self.lever(Some(position), center);
            self.add_body_force(Some(position), weight, arm, place);
        }
    }
}
