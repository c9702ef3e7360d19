//! The expressions of a compiled model by name, for computer algebra, other languages and reports.
//!
//! ```
//! use costate_compiler::compile_str;
//!
//! let oscillator = "Oscillator {
//!     parameters { m: kg = 1, c: N/mm = 2 }
//!     coordinates { x: m }
//!     mass { x: m }
//!     forces { x: -c*x }
//! }";
//! let compiled = compile_str(oscillator).map_err(|errors| format!("{errors:?}"))?;
//! let expressions = compiled.expressions();
//! let stiffness = expressions.get("f_q", &["x", "x"]).ok_or("no stiffness")?;
//! assert_eq!(stiffness.to_string(), "f_q[x, x]");
//! assert_eq!(stiffness.unit.as_deref(), Some("N/m"));
//! // the symbol of a parameter is its number in the declared unit
//! assert_eq!(expressions.graph.print(stiffness.id, &compiled.model), "-1000*c");
//! # Ok::<(), String>(())
//! ```

use std::collections::BTreeSet;
use std::fmt;

use costate_contract::{Argument, Function, Group};

use crate::Compiled;
use crate::mechanics::Block;
use crate::model::{Model, Quantity};
use crate::symbolic::{Graph, Id};
use crate::units::{Dimension, Scale};

/// The expressions of a model.
#[derive(Debug, Clone)]
pub struct Expressions {
    /// The graph of the expressions. A symbol of a parameter, an input or a lookup in a table stands for the number
    /// in its declared unit ([`Quantity::scale`]); all other symbols are in SI units.
    pub graph: Graph,
    /// All expressions: vectors entry by entry, matrices by their structural nonzeros.
    pub all: Vec<Expression>,
}

/// An expression of a model. The value is in SI units, and so is the argument of a derivative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// `M`, `f`, `C`, `s` (outputs), `T` and `V` (energies), their derivatives `f_q`, `C_q`, `s_p` and so on, or
    /// `newton`, the matrix of an implicit step, w_a M + w_q (w_a (M a)_q + G_q) + w_v G_v with G = C_q^T lambda - f.
    pub quantity: String,
    /// The names of the coordinates, constraints, outputs, parameters or inputs of the row and the column: one name
    /// for an entry of a vector, two for an entry of a matrix, none for an energy.
    pub indices: Vec<String>,
    /// The unit in SI, as the language writes it; `None` if the language has no such unit.
    pub unit: Option<String>,
    /// The node in the graph.
    pub id: Id,
}

/// Writes `f_q[x1, x2]`, `f[x1]` or `T`.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.indices {
            [] => f.write_str(&self.quantity),
            indices => write!(f, "{}[{}]", self.quantity, indices.join(", ")),
        }
    }
}

impl Expressions {
    /// Returns the expression of `quantity` with these `indices`; `None` for a structural zero of a matrix, for an
    /// unknown energy, and for a quantity that the model does not have.
    pub fn get(&self, quantity: &str, indices: &[&str]) -> Option<&Expression> {
        self.all.iter().find(|one| one.quantity == quantity && one.indices == indices)
    }
}

/// The groups whose blocks together contain every function of the equations of motion and the outputs with its
/// derivatives.
const GROUPS: [Group; 5] =
    [Group::Residual, Group::Linearization, Group::Newton, Group::Outputs, Group::OutputDerivatives];

impl Compiled {
    /// Collects the expressions of the model: M, f, C, the outputs, the energies as far as they are known, the matrix
    /// of an implicit step and the first derivatives of all terms. The compiled model and its code are not changed.
    pub fn expressions(&self) -> Expressions {
        let mut graph = self.graph.clone();
        let source = Source { model: &self.model, energy: self.energies.unit };
        let mut all = Vec::new();
        for (name, id) in [("T", self.energies.kinetic(&mut graph)), ("V", self.energies.potential(&mut graph))] {
            let unit = unit(Some(source.energy));
            all.extend(id.map(|id| Expression { quantity: name.to_owned(), indices: Vec::new(), unit, id }));
        }
        let mut known = BTreeSet::new();
        for group in self.groups.all.iter().filter(|group| GROUPS.contains(&group.kind)) {
            for block in &group.blocks {
                let name = quantity(block);
                if known.insert(name.clone()) {
                    source.entries(&mut graph, block, &name, &mut all);
                }
            }
        }
        Expressions { graph, all }
    }
}

/// Returns the name of the quantity in a block.
fn quantity(block: &Block) -> String {
    if block.function == Function::Step { "newton".to_owned() } else { block.formula() }
}

/// Writes a unit as the language does; `None` if the language cannot.
fn unit(dimension: Option<Dimension>) -> Option<String> {
    dimension.filter(|dimension| dimension.is_writable()).map(Dimension::readable)
}

/// The data for the names and units of entries.
struct Source<'a> {
    model: &'a Model,
    /// The unit of energy.
    energy: Dimension,
}

impl Source<'_> {
    fn entries(&self, graph: &mut Graph, block: &Block, name: &str, all: &mut Vec<Expression>) {
        for (row, column, id) in block.iter() {
            let Some(value) = self.value(block.function).get(row) else { continue };
            let mut indices = vec![value.name.clone()];
            let mut dimension = self.of_value(block.function, value);
            let mut id = match block.function {
                Function::Output => scaled(graph, id, value.scale),
                _ => id,
            };
            if let Some(argument) = block.argument {
                let Some(by) = self.argument(argument).get(column) else { continue };
                indices.push(by.name.clone());
                let of_argument = self.of_argument(argument, by);
                dimension = dimension.zip(of_argument).and_then(|(value, by)| value.over(by));
                if matches!(argument, Argument::Parameters | Argument::Inputs) {
                    id = scaled(graph, id, by.scale.inverse());
                }
            }
            all.push(Expression { quantity: name.to_owned(), indices, unit: unit(dimension), id });
        }
    }

    /// Returns the quantities of the rows of a function.
    fn value(&self, function: Function) -> &[Quantity] {
        match function {
            Function::Output => &self.model.outputs,
            Function::Constraint => &self.model.constraints,
            _ => &self.model.coordinates,
        }
    }

    /// Returns the quantities of the columns of a derivative.
    fn argument(&self, argument: Argument) -> &[Quantity] {
        match argument {
            Argument::Coordinates | Argument::Velocities | Argument::Accelerations => &self.model.coordinates,
            Argument::Multipliers => &self.model.constraints,
            Argument::Parameters => &self.model.parameters,
            Argument::Inputs => &self.model.inputs,
            Argument::Lookups => &[],
        }
    }

    fn of_value(&self, function: Function, row: &Quantity) -> Option<Dimension> {
        match function {
            Function::Output | Function::Constraint => row.dimension,
            _ => self.energy.over(row.dimension?),
        }
    }

    fn of_argument(&self, argument: Argument, column: &Quantity) -> Option<Dimension> {
        let own = column.dimension?;
        match argument {
            Argument::Velocities => own.over(Dimension::TIME),
            Argument::Accelerations => own.over(Dimension::TIME)?.over(Dimension::TIME),
            Argument::Multipliers => self.energy.over(own),
            _ => Some(own),
        }
    }
}

/// Multiplies `id` by a scale, with the factors written as elsewhere in the graph.
fn scaled(graph: &mut Graph, id: Id, scale: Scale) -> Id {
    let numerator = graph.constant(scale.numerator);
    let id = graph.multiply(numerator, id);
    let denominator = graph.constant(scale.denominator);
    graph.divide(id, denominator)
}
