//! An equilibrium as the command line describes it.

use clap::Args;
use costate::command::shown::Shown;
use costate::command::units::conversion;
use costate::model::Parameter;
use costate::simulate::{InputSignal, Simulation, SimulationError};
use costate::vibration::{Equilibrium, EquilibriumError, EquilibriumSearch};
use serde_json::{Value, json};

use super::Amount;
use super::RecordOptions;
use super::error::OptionError;
use super::inputs::InputOptions;
use super::parameters::{ParameterOptions, parameter};
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
    /// A steady motion in which this coordinate has a constant speed, in its unit per s: `angle=100`. The angle itself
    /// keeps its initial value.
    #[arg(long, value_name = "NAME=SPEED", value_parser = parameter)]
    turning: Vec<(String, Amount)>,
    /// A steady motion in which all bodies turn about the vertical through the origin, at this speed in rad/s; hold a
    /// coordinate that tells the angle.
    #[arg(long, value_name = "SPEED")]
    rotating: Option<f64>,
    /// Accept an equilibrium that is not stable: the position near the start in which the forces are in balance, also
    /// if it is unstable.
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
    /// The inputs whose signals may change with the time, which are taken at t = 0: name, value and unit.
    at_start: Vec<(&'static str, f64, &'static str)>,
    /// The parameters that should not be negative, and are: name, value and unit.
    negative: Vec<(&'static str, f64, &'static str)>,
    /// The parameters that are stiffnesses, with their values.
    stiffnesses: Vec<(Parameter, f64)>,
    /// The values of all parameters.
    parameters: Vec<f64>,
    /// The tensors of inertia that no body has, a sentence each.
    impossible: Vec<String>,
}

/// Units of quantities that a mechanism has as positive numbers.
const POSITIVE: [&str; 6] = ["kg", "kg*m^2", "N/m", "N*m/rad", "N*s/m", "N*m*s/rad"];

/// Units of stiffnesses.
const STIFFNESSES: [&str; 2] = ["N/m", "N*m/rad"];

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
        let of_parameters = loaded.system.description().parameters.iter().zip(&parameters);
        let is_negative = |(of, value): &(&costate::command::Quantity, &f64)| {
            **value < 0.0 && POSITIVE.iter().any(|unit| conversion(of.unit, unit).is_ok())
        };
        let negative = of_parameters.filter(is_negative).map(|(of, value)| (of.name, *value, of.unit)).collect();
        let is_stiffness = |(of, value): &(Parameter, f64)| {
            *value != 0.0 && STIFFNESSES.iter().any(|unit| conversion(of.quantity().unit, unit).is_ok())
        };
        let each = Parameter::each_of(loaded.system.description()).zip(parameters.iter().copied());
        let stiffnesses = each.filter(is_stiffness).collect();
        let mut at_start = Vec::new();
        for (input, signal) in self.inputs.signals(&loaded, &RecordOptions::default().reader())? {
            if matches!(signal, InputSignal::Constant(_)) {
                continue;
            }
            let (signal, _) = signal.in_unit_of(&input.into()).map_err(SimulationError::from)?;
            let value = signal.at(input.name(), 0.0).map_err(SimulationError::from)?;
            at_start.push((input.name(), value, input.quantity().unit));
        }
        let known: Vec<Option<f64>> = parameters.iter().copied().map(Some).collect();
        let impossible = loaded.compiled.impossible_inertias(&known);
        let simulation = Simulation::of(loaded.system, parameters.clone());
        let (simulation, at_rest) = driven((&self.inputs, &RecordOptions::default()), simulation, &loaded, None)?;
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
        if let Some(speed) = self.rotating.map(finite).transpose()? {
            search = search.rotating([0.0, 0.0, 1.0], [0.0; 3], speed);
        }
        if self.unstable {
            search = search.unstable();
        }
        Ok(Resting { loaded, search, at_rest, at_start, negative, stiffnesses, parameters, impossible })
    }
}

fn finite(speed: f64) -> Result<f64, CommandError> {
    let limit = "a finite number of rad/s";
    let error = costate::vibration::VibrationError::Setting { setting: "`--rotating`", value: speed, limit };
    if speed.is_finite() { Ok(speed) } else { Err(error.into()) }
}

fn listed(quantities: &[(&str, f64, &str)]) -> String {
    let one = |(name, value, unit): &(&str, f64, &str)| {
        let unit = if *unit == "1" { String::new() } else { format!(" {unit}") };
        format!("{name} = {}{unit}", Shown(*value))
    };
    quantities.iter().map(one).collect::<Vec<_>>().join(", ")
}

impl Resting {
    /// Finds the equilibrium.
    ///
    /// # Errors
    /// [`OptionError::WrongSign`], [`OptionError::Negative`], [`OptionError::AtStart`], and those of the search.
    pub fn find(&self) -> Result<Equilibrium, CommandError> {
        use costate::vibration::VibrationError::Equilibrium as Fault;
        let error = match self.search.find() {
            Ok(rest) => return Ok(rest),
            Err(error) => error,
        };
        let is_missing =
            matches!(error, Fault(EquilibriumError::NotFound { .. } | EquilibriumError::DrivenAway { .. }));
        let is_unstable = matches!(error, Fault(EquilibriumError::Unstable { .. }));
        if (is_missing || is_unstable) && !self.negative.is_empty() {
            return Err(OptionError::Negative { error: Box::new(error), parameters: listed(&self.negative) }.into());
        }
        if (is_missing || is_unstable)
            && let Some(question) = self.wrong_sign()
        {
            return Err(OptionError::WrongSign { error: Box::new(error), question }.into());
        }
        if is_missing && !self.at_start.is_empty() {
            return Err(OptionError::AtStart { error: Box::new(error), inputs: listed(&self.at_start) }.into());
        }
        Err(error.into())
    }

    /// Says which inputs are 0, and which ones are taken at the start, in lines.
    pub fn described(&self) -> String {
        let mut text = match &self.at_rest[..] {
            [] => String::new(),
            names => format!("inputs that are 0, as no signal is given: {}\n", names.join(", ")),
        };
        if !self.at_start.is_empty() {
            text += &format!("inputs that are taken at t = 0, whatever follows: {}\n", listed(&self.at_start));
        }
        text
    }

    /// Returns what makes the equilibrium, and what is linearised about it, doubtful, a line each.
    pub fn doubts(&self, rest: &Equilibrium) -> Vec<String> {
        let is_unclear = !rest.stability_is_known();
        let of_sign = is_unclear.then(|| self.wrong_sign()).flatten();
        let of_sign = of_sign.map(|question| format!("nothing may hold the equilibrium: {question}"));
        rest.doubts().into_iter().chain(of_sign).chain(self.impossible.iter().cloned()).collect()
    }

    /// Returns the question about a stiffness with whose other sign there is a stable equilibrium, or else about the
    /// terms of forces that push away from rest.
    fn wrong_sign(&self) -> Option<String> {
        let of_parameter = self.stiffnesses.iter().find_map(|&(parameter, value)| {
            let reversed = self.search.clone().parameter(parameter, -value).find().ok()?;
            let (name, unit) = (parameter.name(), parameter.quantity().unit);
            let is_right = reversed.is_stable() && reversed.stability_is_known();
            is_right.then(|| {
                let [own, other] = [value, -value].map(Shown);
                format!(
                    "with `{name}` = {other} {unit} in place of {own} {unit} there is a stable one; has this stiffness \
                     the wrong sign, or a force in which it stands?"
                )
            })
        });
        of_parameter.or_else(|| {
            let terms = self.loaded.compiled.pushing_terms(&self.parameters).join(", ");
            (!terms.is_empty()).then(|| format!("pushed away from rest by {terms}; has this the wrong sign?"))
        })
    }

    /// Returns the equilibrium as an object.
    pub fn json(&self, rest: &Equilibrium) -> Value {
        let model = rest.description();
        let named = |names: &[costate::command::Quantity], values: &[f64]| -> Value {
            let entries = names.iter().zip(values).map(|(quantity, value)| (quantity.name.to_owned(), json!(value)));
            Value::Object(entries.collect())
        };
        let state = rest.state();
        let multipliers = state.get(3 * model.coordinates.len()..).unwrap_or_default();
        let holding = rest.holding().map(|(coordinate, force)| (coordinate.name().to_owned(), json!(force)));
        json!({
            "model": model.name,
            "inputs_at_zero": self.at_rest,
            "inputs_at_start": Value::Object(self.at_start.iter().map(|(name, value, _)| ((*name).to_owned(),
            json!(value))).collect()),
            "equilibrium": {
                "coordinates": named(model.coordinates, rest.coordinates()),
                "multipliers": named(model.constraints, multipliers),
                "outputs": named(model.outputs, &rest.outputs()),
                "holding": Value::Object(holding.collect()),
                // neither where it cannot be told
                "stable": rest.stability_is_known().then(|| rest.is_stable()),
                "growth": rest.growth(),
                "hidden_growth": rest.hidden_growth(),
            },
        })
    }
}
