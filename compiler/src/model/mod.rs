//! The checked model: every name resolved, every loop unrolled, every expression in a graph beside it.

mod arguments;
mod default_place;
mod files;
mod quantity;
mod tables;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use costate_contract::scene::Scene;
use proc_macro2::{Ident, TokenStream};

use crate::diagnostic::Place;
use crate::symbolic::{Given, Id, Names, Symbol};

pub(crate) use arguments::refusal as argument_refusal;
pub use arguments::{Argument, ArgumentValue, Arguments, NoArgumentValue};
pub(crate) use default_place::{DefaultPlace, WrittenDefault};
pub(crate) use files::ModelFiles;
pub use quantity::Quantity;
pub use tables::{Table, TableValues};

/// A model whose names, indices and arguments are right.
#[derive(Debug)]
pub struct Model {
    /// Text of the doc comment.
    pub documentation: String,
    /// `pub` and its like.
    pub visibility: TokenStream,
    /// The model's name.
    pub name: Ident,
    /// The sizes and features that the model is made for.
    pub arguments: Vec<Argument>,
    /// p
    pub parameters: Vec<Quantity>,
    /// Default of every parameter, in its own unit.
    pub defaults: Vec<Option<f64>>,
    /// Where the default of every parameter stands, or where it would.
    #[cfg_attr(not(feature = "format"), expect(dead_code, reason = "only the text of a file is changed"))]
    pub(crate) default_places: Vec<DefaultPlace>,
    /// u
    pub inputs: Vec<Quantity>,
    /// q
    pub coordinates: Vec<Quantity>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The names of C.
    pub constraints: Vec<Quantity>,
    /// The names of s.
    pub outputs: Vec<Quantity>,
    /// Upper triangle of M, structural nonzeros only, by (row, column).
    pub mass: BTreeMap<(usize, usize), Id>,
    /// f, one expression per coordinate.
    pub force: Vec<Id>,
    /// C
    pub constraint: Vec<Id>,
    /// s, each in its declared unit.
    pub output: Vec<Id>,
    /// q0(p), where specified.
    pub initial_coordinates: Vec<Option<Id>>,
    /// What an open q0 is near to, where it is not 0.
    pub near_coordinates: Vec<Option<Id>>,
    /// v0(p), where specified.
    pub initial_velocities: Vec<Option<Id>>,
    /// Where initial values of single coordinates and, with `true`, of their velocities stand.
    #[cfg_attr(not(feature = "format"), expect(dead_code, reason = "only the text of a file is changed"))]
    pub(crate) initial_places: BTreeMap<(usize, bool), WrittenDefault>,
    /// The names that `let` gave to expressions; the first name wins.
    pub let_names: HashMap<Id, String>,
    /// Where the model is not smooth.
    pub(crate) kinks: Vec<Kink>,
    /// Where the masses of the coordinates are written, the last mention of each.
    pub(crate) mass_places: BTreeMap<usize, Place>,
    /// The bodies.
    pub(crate) bodies: Vec<ModelBody>,
    /// Whether something is said of gravity.
    pub(crate) has_gravity: bool,
    /// Masses and moments of inertia of bodies.
    pub(crate) body_masses: Vec<BodyMass>,
    /// The norms of Euler parameters.
    pub(crate) norms: Vec<Norm>,
    /// Constraints of joints and couplers, with the axis of each in its first frame.
    pub(crate) of_joints: BTreeMap<usize, [f64; 3]>,
    /// Coordinates by which bodies turn.
    pub(crate) turning: BTreeSet<usize>,
    /// Where bodies, joints, elements and named points are.
    pub scene: Scene,
    /// What the numbers of the scene are.
    pub geometry: Vec<Id>,
    /// The files of meshes as they are written, by body and shape.
    pub(crate) mesh_files: BTreeMap<(usize, usize), String>,
}

/// A function with a kink or a jump, in use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kink {
    /// As it is written.
    pub function: &'static str,
    /// Its value.
    pub id: Id,
    pub place: Place,
}

/// What is written of a body.
#[derive(Debug, Clone)]
pub(crate) struct ModelBody {
    /// Without an index.
    pub name: String,
    pub place: Place,
    /// Its first coordinate.
    pub first: usize,
    pub spatial: bool,
    pub mass: Id,
    /// The moments of inertia, where they are written.
    pub inertia: Option<Vec<Id>>,
}

/// A mass or a moment of inertia of a body.
#[derive(Debug, Clone)]
pub(crate) struct BodyMass {
    /// For messages.
    pub what: String,
    pub value: Id,
    pub place: Place,
}

/// The constraint that Euler parameters have norm 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Norm {
    pub constraint: usize,
    /// A moment of inertia of the size of the body's own, about the origin of its frame.
    pub inertia: Id,
}

impl Model {
    /// What a symbol is a value of, or belongs to.
    pub(crate) fn quantity(&self, symbol: Symbol) -> Option<&Quantity> {
        match symbol {
            Symbol::Coordinate(i) | Symbol::Velocity(i) | Symbol::Acceleration(i) => self.coordinates.get(i),
            Symbol::Multiplier(i) => self.constraints.get(i),
            Symbol::Parameter(i) => self.parameters.get(i),
            Symbol::Input(i) => self.inputs.get(i),
            Symbol::Given(Given::History | Given::Carried, i) => self.coordinates.get(i),
            Symbol::Given(Given::RightSide | Given::Passed, i) => {
                self.coordinates.iter().chain(&self.constraints).nth(i)
            }
            Symbol::Given(Given::OutputGradient, i) => self.outputs.get(i),
            Symbol::Given(Given::Factor | Given::AdjointCoefficient, _)
            | Symbol::Time
            | Symbol::Integrator(_) => None,
        }
    }
}

impl Names for Model {
    fn name(&self, symbol: Symbol) -> String {
        self.quantity(symbol).map(|quantity| quantity.name.clone()).unwrap_or_default()
    }

    fn table(&self, table: usize) -> String {
        self.tables.get(table).map(|table| table.quantity.name.clone()).unwrap_or_default()
    }
}
