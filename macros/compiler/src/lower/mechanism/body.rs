//! Bodies: their coordinates and masses.

use syn::ext::IdentExt;

use super::declare::PartCoordinate;
use super::{BodyState, Mechanism};
use crate::dimension::DerivedUnit;
use crate::lower::expressions::{Context, Inertia};
use crate::lower::geometry::{Body, Matrix, vector};
use crate::lower::kinds::Family;
use crate::lower::names::Kind;
use crate::model::{BodyMass, ModelBody};
use crate::symbolic::Id;
use crate::syntax::ast::{BodySyntax, Expr, ExprKind, OptionSyntax};

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

const PROPERTIES: [&str; 4] = ["mass", "inertia", "center", "layer"];

/// The places of the entries of a tensor of inertia, as they are written.
const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

impl Mechanism {
    pub fn declare_body(&mut self, body: &BodySyntax) {
        let kind = body.kind.unraw().to_string();
        let spatial = match kind.as_str() {
            "planar" => false,
            "spatial" => true,
            _ => {
                let message = Family::Body.unknown(&kind, &self.names().components);
                self.error(body.kind.span(), message);
                self.names().table.mark_unclear(&body.name.ident);
                return;
            }
        };
        let ident = &body.name.ident;
        if ident == "ground" {
            self.error(ident.span(), "`ground` is the inertial frame; choose another name");
            self.names().table.mark_unclear(ident);
            return;
        }
        for index in self.names().declared_indices(&body.name) {
            let first = self.names().quantities.coordinates.len();
            let place = ident.span().into();
            let position = self.expressions().parts.bodies.len();
            if !self.add_part(Kind::Body, ident, index, kind.clone(), &body.documentation, position) {
                break;
            }
            self.expressions().parts.bodies.push(Body { spatial, first });
            self.bodies.push(BodyState { inertia: None, place, oriented: false });
            let around = self.names().table.enter_last();
            let coordinates = if spatial { SPATIAL.as_slice() } else { PLANAR.as_slice() };
            for coordinate in coordinates {
                self.declare_part_coordinate(ident, coordinate);
            }
            if spatial {
                self.declare_part_constraint(ident, NORM, "The Euler parameters have norm 1.");
            }
            self.names().table.enter(around);
        }
    }

    /// The masses of a body.
    pub fn lower_body(&mut self, body: &BodySyntax) {
        for (space, position) in self.declared(&body.name, Kind::Body) {
            let errors = self.names().report.faults();
            self.lower_masses(body, space, position);
            if self.names().report.faults() > errors {
                break;
            }
        }
    }

    fn lower_masses(&mut self, body: &BodySyntax, space: usize, position: usize) -> Option<()> {
        self.check_options(&body.properties, &PROPERTIES, "a body", ": ")?;
        let this = self.body(position);
        let (spatial, place) = (this.spatial, self.bodies[position].place);
        let find = |name: &str| body.properties.iter().find(|property| property.name == name);
        let Some(mass) = find("mass") else {
            if !self.names().report.incomplete {
                let message = "a body has a mass; write `mass: m`, or `mass: 0` where it has none";
                self.error(body.kind.span(), message);
            }
            return None;
        };
        let of = |property: &str| format!("the {property} of `{}`", body.name.ident.unraw());
        let mass = self.body_mass(&mass.value, DerivedUnit::MASS, &of("mass"), true);
        let inertia = self.inertia(find("inertia"), spatial, &of("inertia"));
        let center = match find("center") {
            Some(center) => {
                self.expressions().vector(&center.value, spatial, Context::Fixed, DerivedUnit::LENGTH, &of("center"))
            }
            None => Some(vector::zero(self.graph())),
        };
        let looks = self.looks(body, this, position, find("layer"));
        let (mass, inertia, center, (layer, shapes)) = (mass?, inertia?, center?, looks?);
        let reflection = self.expressions().reflection;
        let center = reflection.polar(self.graph(), center);
        let inertia = reflection.matrix(self.graph(), inertia);
        self.show_body(space, this, &body.documentation, (center, layer), shapes);
        self.bodies[position].inertia = Some((mass, center));
        let entries = if spatial { PLACES.map(|(i, j)| inertia[i][j]).to_vec() } else { vec![inertia[2][2]] };
        self.written_bodies.push(ModelBody {
            name: body.name.ident.unraw().to_string(),
            place,
            first: this.first,
            spatial,
            mass,
            inertia: find("inertia").map(|_| entries),
        });
        self.expressions().totals.inertia.insert(position, Inertia { mass, tensor: inertia, center });
        if spatial {
            self.add_spatial_inertia(this, place, mass, inertia, center);
            let norm = self.names().table.of(space).position(NORM, None, Kind::Constraint);
            self.lower_norm(this, norm, mass, inertia, center);
        } else {
            self.add_planar_inertia(this, place, mass, inertia[2][2], center);
        }
        Some(())
    }

    /// A mass, or an entry of the tensor of inertia; those on its diagonal are not negative.
    fn body_mass(&mut self, expr: &Expr, unit: DerivedUnit, what: &str, diagonal: bool) -> Option<Id> {
        let value = self.expressions().derived_value(expr, Context::Fixed, unit, what)?;
        if diagonal {
            self.body_masses.push(BodyMass { what: what.to_owned(), value, place: expr.place });
        }
        Some(value)
    }

    /// The tensor of inertia about the centre of mass, in the axes of the body; of a planar body the last entry alone.
    fn inertia(&mut self, property: Option<&OptionSyntax>, spatial: bool, what: &str) -> Option<Matrix> {
        let zero = self.graph().zero();
        let mut tensor = [[zero; 3]; 3];
        let Some(property) = property else { return Some(tensor) };
        if !spatial {
            let value = &property.value;
            tensor[2][2] = self.body_mass(value, DerivedUnit::INERTIA, what, true)?;
            return Some(tensor);
        }
        let ExprKind::Vector(entries) = &property.value.kind else {
            let message = "the inertia of a spatial body has three moments; write `inertia: (i_xx, i_yy, i_zz)`";
            return self.refuse(property.value.place, message);
        };
        if !matches!(entries.len(), 3 | 6) {
            let message = "the inertia of a spatial body is `(i_xx, i_yy, i_zz)`, or with the entries beside the \
                           diagonal `(i_xx, i_yy, i_zz, i_xy, i_xz, i_yz)`";
            return self.refuse(property.value.place, message);
        }
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
}
