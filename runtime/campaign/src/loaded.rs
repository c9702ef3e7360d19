//! Compiled models, ready to be run in this process.

use std::fmt;

use costate_compiler::{Compiled, ModelFile, Quantity};
use costate_contract::tables::CurveGrid;
use costate_interpreter::{LoadError, LoadedModel};
use costate_system::identifiers::Input;
use costate_system::model::UnknownName;
use costate_system::system::{Differentiable, SecondOrder};
use costate_system::table::{AnyTable, Tables};

/// A compiled model that this process can run.
pub struct Loaded {
    /// The model as the interpreter has it.
    pub model: LoadedModel,
    /// The model with its expressions.
    pub compiled: Compiled,
    /// The runs of the model and their derivatives.
    pub system: &'static dyn Differentiable,
    /// The runs of the model in dual numbers.
    pub second_order: &'static dyn SecondOrder,
    /// The default of every parameter in its unit, in the order of declaration; `None` for a parameter without one.
    pub parameters: Vec<Option<f64>>,
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Loaded({})", self.compiled.model.name)
    }
}

impl Loaded {
    /// Loads a model that was compiled from a file.
    ///
    /// # Errors
    /// [`LoadError::Program`].
    pub fn of_compiled(file: &ModelFile, compiled: Compiled) -> Result<Self, LoadError> {
        let model = LoadedModel::of_compiled(file, &compiled)?;
        let parameters = compiled.model.defaults.clone();
        Ok(Self { model, compiled, system: model.system(), second_order: model.second_order(), parameters })
    }

    /// Returns the input of this name, with its unit as a dimension and a factor.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    pub fn input(&self, name: &str) -> Result<(Input, &Quantity), UnknownName> {
        let input = self.system.input(name)?;
        let quantity = self.compiled.model.inputs.get(input.index());
        Ok((input, quantity.ok_or_else(|| self.unknown("input", name))?))
    }

    /// Returns which of these tables bend at an end that a run of this length in s reaches, other than their values do,
    /// where a constraint prescribes a motion by them; a sentence each. `parameters` are in their units.
    pub fn bent_table_ends(&self, end: f64, parameters: &[f64], tables: &Tables) -> Vec<String> {
        let grid = |index| match tables.at(index)? {
            AnyTable::Curve(curve) => {
                let grid = CurveGrid::new(curve.knots(), curve.values(), curve.extension()).ok()?;
                Some(grid.interpolated(curve.interpolation()))
            }
            AnyTable::Surface(_) => None,
        };
        self.compiled.bent_table_ends(end, parameters, &grid)
    }

    /// Returns the error of a name that the model does not have.
    fn unknown(&self, kind: &'static str, name: &str) -> UnknownName {
        UnknownName { kind, name: name.to_owned(), model: self.system.description().name, available: Vec::new() }
    }
}
