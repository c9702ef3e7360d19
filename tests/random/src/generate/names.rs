//! Quantities that expressions may use, and what each of them depends on.

use crate::tree::{Expr, Path, Written, rate};
use crate::units::{Dimension, TIME};

/// What an expression depends on, or may depend on: a set of kinds of quantities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    /// Numbers alone.
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
    /// What a mass may depend on.
    pub const MASS: Kinds = Kinds(1 | 2);
    /// What a constraint may depend on.
    pub const CONSTRAINT: Kinds = Kinds(1 | 2 | 16);
    /// What a potential may depend on.
    pub const POTENTIAL: Kinds = Kinds(1 | 2 | 8 | 16);
    /// What a force may depend on.
    pub const FORCE: Kinds = Kinds(1 | 2 | 4 | 8 | 16);
    /// What an output may depend on.
    pub const OUTPUT: Kinds = Kinds(127);

    /// Whether all of `other` are among these.
    pub fn contain(self, other: Kinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// Those of both.
    pub fn with(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

/// Something with a name and a unit.
#[derive(Debug, Clone)]
pub struct Item {
    /// As it is written.
    pub expr: Written,
    /// Its dimension in SI units.
    pub dimension: Dimension,
    /// What it depends on.
    pub kinds: Kinds,
    /// Whether it is known to be positive.
    pub positive: bool,
}

/// A coordinate that may have masses and forces.
#[derive(Debug, Clone)]
pub struct Coordinate {
    /// Its name.
    pub path: Path,
    /// m or rad.
    pub dimension: Dimension,
}

/// An array of coordinates, parameters or uses of a component.
#[derive(Debug, Clone)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Of the elements.
    pub dimension: Dimension,
    /// Of what kind they are.
    pub kinds: Kinds,
    /// The last index, from 1.
    pub last: crate::tree::Index,
}

/// The names of a model, or of a component inside of which no others are known.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// What expressions may use.
    pub items: Vec<Item>,
    /// Own coordinates and connections.
    pub coordinates: Vec<Coordinate>,
    /// Arrays, to be gone through in loops.
    pub arrays: Vec<Array>,
    /// The tables of the model: name, dimensions of arguments and values.
    pub tables: Vec<(String, Vec<Dimension>, Dimension)>,
    /// Features.
    pub features: Vec<String>,
    /// Sizes.
    pub sizes: Vec<String>,
}

impl Names {
    /// Makes a quantity known.
    pub fn add(&mut self, expr: Written, dimension: Dimension, kinds: Kinds, positive: bool) {
        self.items.push(Item { expr, dimension, kinds, positive });
    }

    /// Makes a coordinate known, with velocity and acceleration.
    pub fn add_coordinate(&mut self, path: &Path, dimension: Dimension) {
        let leaf = Expr::Leaf(path.clone());
        self.add(leaf.clone(), dimension, Kinds::COORDINATES, false);
        self.add(rate(leaf.clone()), dimension - TIME, Kinds::VELOCITIES, false);
        self.add(Expr::SecondRate(leaf.into()), dimension - TIME - TIME, Kinds::ACCELERATIONS, false);
        self.coordinates.push(Coordinate { path: path.clone(), dimension });
    }
}
