//! The checked model: all names are resolved, all loops unrolled, and all expressions are in a graph beside the
//! model.

mod arguments;
mod default_place;
mod files;
mod quantity;
mod tables;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

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
#[derive(Debug, Clone)]
pub struct Model {
    /// Text of the doc comment.
    pub documentation: String,
    /// Visibility, such as `pub`.
    pub visibility: TokenStream,
    /// The model's name.
    pub name: Ident,
    /// The sizes and features that the model is made for.
    pub arguments: Vec<Argument>,
    /// Parameters p.
    pub parameters: Vec<Quantity>,
    /// Default of every parameter, in its own unit; `None` without a default.
    pub defaults: Vec<Option<f64>>,
    /// Place of the default of every parameter in the text, or the place where it would be inserted.
    #[cfg_attr(not(feature = "format"), expect(dead_code, reason = "only the text of a file is changed"))]
    pub(crate) default_places: Vec<DefaultPlace>,
    /// Inputs u.
    pub inputs: Vec<Quantity>,
    /// Coordinates q.
    pub coordinates: Vec<Quantity>,
    /// The tables.
    pub tables: Vec<Table>,
    /// Names of the constraints C.
    pub constraints: Vec<Quantity>,
    /// Names of the outputs s.
    pub outputs: Vec<Quantity>,
    /// Upper triangle of M, structural nonzeros only, by (row, column).
    pub mass: BTreeMap<(usize, usize), Id>,
    /// Forces f, one expression per coordinate.
    pub force: Vec<Id>,
    /// Constraints C.
    pub constraint: Vec<Id>,
    /// Outputs s, each in its declared unit.
    pub output: Vec<Id>,
    /// Initial coordinates q0(p); `None` where not specified.
    pub initial_coordinates: Vec<Option<Id>>,
    /// Values near which open q0 are sought; `None` for 0.
    pub near_coordinates: Vec<Option<Id>>,
    /// Initial velocities v0(p); `None` where not specified.
    pub initial_velocities: Vec<Option<Id>>,
    /// Places of the initial values of single coordinates and, with `true`, of their velocities.
    #[cfg_attr(not(feature = "format"), expect(dead_code, reason = "only the text of a file is changed"))]
    pub(crate) initial_places: BTreeMap<(usize, bool), WrittenDefault>,
    /// True if the motion begins at rest in equilibrium, which is searched from the initial coordinates.
    pub equilibrium: bool,
    /// The names that `let` gave to expressions; the first name wins.
    pub let_names: HashMap<Id, String>,
    /// Places where the model is not smooth.
    pub(crate) kinks: Vec<Kink>,
    /// Places of the masses of the coordinates, the last one of each.
    pub(crate) mass_places: BTreeMap<usize, Place>,
    /// The bodies.
    pub(crate) bodies: Vec<ModelBody>,
    /// True if the model specifies gravity.
    pub(crate) has_gravity: bool,
    /// Masses and moments of inertia of bodies.
    pub(crate) body_masses: Vec<BodyMass>,
    /// The norms of Euler parameters.
    pub(crate) norms: Vec<Norm>,
    /// Constraints of joints and couplers, with the axis of each in its first frame.
    pub(crate) of_joints: BTreeMap<usize, [f64; 3]>,
    /// Coordinates that describe rotations of bodies.
    pub(crate) turning: BTreeSet<usize>,
    /// Bodies, joints, elements and named points, with their places.
    pub scene: Scene,
    /// Expressions of the numbers of the scene.
    pub geometry: Vec<Id>,
    /// The files of meshes as they are written, by body and shape.
    pub(crate) mesh_files: BTreeMap<(usize, usize), String>,
}

/// A use of a function with a kink or a jump.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kink {
    /// Name of the function as it is written.
    pub function: &'static str,
    /// Value of the function.
    pub id: Id,
    pub place: Place,
}

/// A body as it is written.
#[derive(Debug, Clone)]
pub(crate) struct ModelBody {
    /// Name without an index.
    pub name: String,
    pub place: Place,
    /// First coordinate of the body.
    pub first: usize,
    pub spatial: bool,
    pub mass: Id,
    /// The tensor of inertia, i_xx, i_yy, i_zz, i_xy, i_xz and i_yz, or the moment of a planar body; `None` if it is
    /// not written.
    pub inertia: Option<Vec<Id>>,
}

/// A mass or a moment of inertia of a body.
#[derive(Debug, Clone)]
pub(crate) struct BodyMass {
    /// Description for messages.
    pub what: String,
    pub value: Id,
    pub place: Place,
}

/// The constraint that Euler parameters have norm 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Norm {
    pub constraint: usize,
    /// A moment of inertia about the origin of the body's frame, of the magnitude of the body's own.
    pub inertia: Id,
}

impl Model {
    /// Lists the files of tables and meshes by the names that the text has, where these are relative to `folder`.
    pub fn file_names(&self, folder: Option<&Path>) -> Vec<String> {
        let below = |path: &Path| {
            let inside = folder.and_then(|folder| path.strip_prefix(folder).ok());
            inside.unwrap_or(path).to_string_lossy().into_owned()
        };
        let tables = self.tables.iter().filter_map(|table| table.file.as_deref()).map(below);
        let mut names: Vec<String> = tables.chain(self.mesh_files.values().cloned()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the quantity to which a symbol belongs; `None` if there is none.
    pub(crate) fn quantity(&self, symbol: Symbol) -> Option<&Quantity> {
        match symbol {
            Symbol::Coordinate(i) | Symbol::Velocity(i) | Symbol::Acceleration(i) => self.coordinates.get(i),
            Symbol::Multiplier(i) => self.constraints.get(i),
            Symbol::Parameter(i) => self.parameters.get(i),
            Symbol::Input(i) => self.inputs.get(i),
            Symbol::Given(Given::History | Given::Carried, i) => self.coordinates.get(i),
            Symbol::Given(Given::RightSide | Given::AdjointCarry, i) => {
                self.coordinates.iter().chain(&self.constraints).nth(i)
            }
            Symbol::Given(Given::OutputGradient, i) => self.outputs.get(i),
            Symbol::Given(Given::Factor | Given::AdjointCoefficient | Given::Part, _)
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
