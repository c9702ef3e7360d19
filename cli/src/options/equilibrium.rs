//! An equilibrium as the command line describes it.

use clap::Args;
use costate_simulation::Simulation;
use costate_vibration::{Equilibrium, EquilibriumSearch};
use serde_json::{Value, json};

use super::assignment::Amount;
use super::inputs::InputOptions;
use super::parameters::{ParameterOptions, parameter};
use super::records::RecordOptions;
use super::run::driven;
use crate::error::CommandError;
use crate::loaded::{Loaded, load};
use crate::selection::Selection;

/// A model and its equilibrium.
#[derive(Debug, Clone, Args)]
pub struct EquilibriumOptions {
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub parameters: ParameterOptions,
    #[command(flatten)]
    pub inputs: InputOptions,
    /// Coordinates that keep their initial values, such as the angle of a shaft that turns freely.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    hold: Vec<String>,
    /// The value of a coordinate from which the search begins, in place of its initial value: `angle=0.3`.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    start: Vec<(String, Amount)>,
    /// A steady motion in which this coordinate has a constant speed, in its unit per s: `angle=100`. The angle itself keeps its initial
    /// value.
    #[arg(long, value_name = "NAME=SPEED", value_parser = parameter)]
    turning: Vec<(String, Amount)>,
    /// A steady motion in which all bodies turn about the vertical through the origin, at this speed in rad/s; hold a coordinate that
    /// tells the angle.
    #[arg(long, value_name = "SPEED")]
    rotating: Option<f64>,
    /// Accept an equilibrium that is not stable.
    #[arg(long)]
    unstable: bool,
}

/// A model with the search for its equilibrium.
#[derive(Debug)]
pub struct Resting {
    /// The model.
    pub loaded: Loaded,
    /// The search.
    pub search: EquilibriumSearch,
    /// The names of inputs that are 0, because nothing else is said.
    pub at_rest: Vec<&'static str>,
}

impl EquilibriumOptions {
    /// Loads the model and prepares the search.
    ///
    /// # Errors
    /// Errors of the model, of names, units and inputs.
    pub fn prepare(&self) -> Result<Resting, CommandError> {
        self.prepared(load(&self.selection)?)
    }

    /// Prepares the search for a model that is loaded.
    ///
    /// # Errors
    /// Errors of names, units and inputs.
    pub fn prepared(&self, loaded: Loaded) -> Result<Resting, CommandError> {
        let parameters = self.parameters.values(&loaded)?;
        let simulation = Simulation::of(loaded.system, parameters);
        let (simulation, at_rest) =
            driven((&self.inputs, &RecordOptions::default()), simulation, &loaded, None)?;
        let system = loaded.system;
        let mut search = EquilibriumSearch::new(&simulation);
        for name in &self.hold {
            search = search.held([system.coordinate(name.trim())?]);
        }
        for (name, amount) in &self.start {
            let coordinate = system.coordinate(name)?;
            search = search.start(coordinate, amount.in_unit(name, coordinate.quantity().unit)?);
        }
        for (name, amount) in &self.turning {
            let coordinate = system.coordinate(name)?;
            let unit = format!("{}/s", coordinate.quantity().unit);
            search = search.turning(coordinate, amount.in_unit(name, &unit)?);
        }
        if let Some(speed) = self.rotating {
            search = search.rotating([0.0, 0.0, 1.0], [0.0; 3], speed);
        }
        if self.unstable {
            search = search.unstable();
        }
        Ok(Resting { loaded, search, at_rest })
    }
}

impl Resting {
    /// Finds the equilibrium.
    ///
    /// # Errors
    /// [`CommandError::Vibration`].
    pub fn find(&self) -> Result<Equilibrium, CommandError> {
        Ok(self.search.find()?)
    }

    /// Says which inputs are 0, in a line.
    pub fn described(&self) -> String {
        match &self.at_rest[..] {
            [] => String::new(),
            names => format!("inputs that are 0, as no signal is given: {}\n", names.join(", ")),
        }
    }

    /// Returns the equilibrium as an object.
    pub fn json(&self, rest: &Equilibrium) -> Value {
        let model = rest.description();
        let named = |names: &[costate_contract::Quantity], values: &[f64]| -> Value {
            let entries =
                names.iter().zip(values).map(|(quantity, value)| (quantity.name.to_owned(), json!(value)));
            Value::Object(entries.collect())
        };
        let state = rest.state();
        let multipliers = state.get(3 * model.coordinates.len()..).unwrap_or_default();
        let holding = rest.holding().map(|(coordinate, force)| (coordinate.name().to_owned(), json!(force)));
        json!({
            "model": model.name,
            "inputs_at_zero": self.at_rest,
            "equilibrium": {
                "coordinates": named(model.coordinates, rest.coordinates()),
                "multipliers": named(model.constraints, multipliers),
                "outputs": named(model.outputs, &rest.outputs()),
                "holding": Value::Object(holding.collect()),
                "stable": rest.is_stable(),
                "growth": rest.growth(),
            },
        })
    }
}
