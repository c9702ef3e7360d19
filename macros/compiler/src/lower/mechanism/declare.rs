//! Declarations of bodies, joints and elements: names with members, coordinates and constraints.

use proc_macro2::Ident;

use super::Mechanism;
use crate::lower::names::Kind;
use crate::model::Quantity;
use crate::units::Dimension;

/// A coordinate of a body or a joint.
pub struct PartCoordinate {
    name: &'static str,
    unit: &'static str,
    dimension: Dimension,
    meaning: &'static str,
}

impl PartCoordinate {
    pub const fn length(name: &'static str, meaning: &'static str) -> Self {
        PartCoordinate { name, unit: "m", dimension: Dimension::LENGTH, meaning }
    }

    pub const fn angle(name: &'static str, meaning: &'static str) -> Self {
        PartCoordinate { name, unit: "rad", dimension: Dimension::NONE, meaning }
    }

    pub const fn euler_parameter(name: &'static str, meaning: &'static str) -> Self {
        PartCoordinate { name, unit: "1", dimension: Dimension::NONE, meaning }
    }
}

impl Mechanism {
    /// Declares a name with members; returns `false` after an error.
    pub fn add_part(
        &mut self,
        kind: Kind,
        ident: &Ident,
        index: Option<i64>,
        what: String,
        documentation: &[String],
        position: usize,
    ) -> bool {
        let space = self.names().table.next_space();
        if self.names().full || !self.names().declare_name(kind, ident, index) {
            // The names that the part would declare are unknown.
            self.names().table.mark_unclear(ident);
            return false;
        }
        self.names().add_space(ident, index, what, documentation);
        self.expressions().parts.by_space.insert(space, position);
        true
    }

    /// Declares a coordinate of the body, joint or element whose space of names has been entered.
    pub fn declare_part_coordinate(&mut self, owner: &Ident, coordinate: &PartCoordinate) {
        let PartCoordinate { name, unit, dimension, meaning } = *coordinate;
        let quantity = self.part_quantity(Kind::Coordinate, owner, name, unit, meaning);
        let coordinates = &mut self.system.expressions.names.quantities.coordinates;
        if dimension.is_none() {
            self.turning.insert(coordinates.len());
        }
        coordinates.push(Quantity { dimension: Some(dimension), ..quantity });
    }

    /// Declares a constraint of the body or joint whose space of names has been entered.
    pub fn declare_part_constraint(&mut self, owner: &Ident, name: &str, meaning: &str) {
        let quantity = self.part_quantity(Kind::Constraint, owner, name, "", meaning);
        self.names().quantities.constraints.push(quantity);
    }

    /// Creates a quantity of a part, even after an error, so that the positions of other quantities are right; it
    /// then has a field and a constant of its own.
    fn part_quantity(&mut self, kind: Kind, owner: &Ident, name: &str, unit: &str, meaning: &str) -> Quantity {
        let ident = Ident::new(name, owner.span());
        let declared = self.names().declare_name(kind, &ident, None);
        let documentation = if meaning.is_empty() { Vec::new() } else { vec![meaning.to_owned()] };
        let mut quantity = self.names().quantity(&ident, None, None, &documentation);
        quantity.unit = unit.to_owned();
        if !declared {
            for ident in [&mut quantity.field, &mut quantity.constant] {
                *ident = Ident::new(&format!("{ident}_"), owner.span());
            }
        }
        quantity
    }
}
