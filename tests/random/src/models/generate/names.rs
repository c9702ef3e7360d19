//! Quantities that expressions may use, and their dependences.

use crate::models::tree::{Expr, Path, Written, rate};
use crate::models::units::{Dimension, TIME};

/// A set of kinds of quantities that an expression depends on, or may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    /// No kinds: numbers alone.
    pub const NONE: Kinds = Kinds(0);
    /// p
    pub const PARAMETERS: Kinds = Kinds(1);
    /// q
    pub const COORDINATES: Kinds = Kinds(2);
    /// v
    pub const VELOCITIES: Kinds = Kinds(4);
    /// u
    pub const INPUTS: Kinds = Kinds(8);
    /// t
    pub const TIME: Kinds = Kinds(16);
    /// a
    pub const ACCELERATIONS: Kinds = Kinds(32);
    /// lambda
    pub const MULTIPLIERS: Kinds = Kinds(64);
    /// Kinds that a mass may depend on.
    pub const MASS: Kinds = Kinds(1 | 2);
    /// Kinds that a constraint may depend on.
    pub const CONSTRAINT: Kinds = Kinds(1 | 2 | 16);
    /// Kinds that a potential may depend on.
    pub const POTENTIAL: Kinds = Kinds(1 | 2 | 8 | 16);
    /// Kinds that a force may depend on.
    pub const FORCE: Kinds = Kinds(1 | 2 | 4 | 8 | 16);
    /// Kinds that an output may depend on.
    pub const OUTPUT: Kinds = Kinds(127);

    /// Checks whether all kinds of `other` are among these.
    pub fn contain(self, other: Kinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the union of both sets.
    pub fn with(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

/// A quantity with a name and a unit.
#[derive(Debug, Clone)]
pub struct Item {
    /// The expression as it is written.
    pub expr: Written,
    /// Dimension of the quantity in SI units.
    pub dimension: Dimension,
    /// Kinds of quantities that it depends on.
    pub kinds: Kinds,
    /// True if it is known to be positive.
    pub positive: bool,
}

/// A coordinate that may have masses and forces.
#[derive(Debug, Clone)]
pub struct Coordinate {
    /// Name of the coordinate.
    pub path: Path,
    /// Dimension of the coordinate, m or rad.
    pub dimension: Dimension,
}

/// An array of coordinates, parameters or uses of a component.
#[derive(Debug, Clone)]
pub struct Array {
    /// Name of the array.
    pub name: String,
    /// Dimension of the elements.
    pub dimension: Dimension,
    /// Kinds of quantities that the elements depend on.
    pub kinds: Kinds,
    /// Last index, from 1.
    pub last: crate::models::tree::Index,
}

/// Names known in a model, or in a component, inside of which no others are known.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Quantities that expressions may use.
    pub items: Vec<Item>,
    /// Own coordinates and connections.
    pub coordinates: Vec<Coordinate>,
    /// Arrays that loops may run over.
    pub arrays: Vec<Array>,
    /// The tables of the model: name, dimensions of arguments and values.
    pub tables: Vec<(String, Vec<Dimension>, Dimension)>,
    /// Features.
    pub features: Vec<String>,
    /// Sizes.
    pub sizes: Vec<String>,
}

impl Names {
    /// Adds a quantity.
    pub fn add(&mut self, expr: Written, dimension: Dimension, kinds: Kinds, positive: bool) {
        self.items.push(Item { expr, dimension, kinds, positive });
    }

    /// Adds a coordinate, with its velocity and acceleration.
    pub fn add_coordinate(&mut self, path: &Path, dimension: Dimension) {
        let leaf = Expr::Leaf(path.clone());
        self.add(leaf.clone(), dimension, Kinds::COORDINATES, false);
        self.add(rate(leaf.clone()), dimension - TIME, Kinds::VELOCITIES, false);
        self.add(Expr::SecondRate(leaf.into()), dimension - TIME - TIME, Kinds::ACCELERATIONS, false);
        self.coordinates.push(Coordinate { path: path.clone(), dimension });
    }
}
