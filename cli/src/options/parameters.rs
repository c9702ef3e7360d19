//! Values of parameters on the command line.

use clap::Args;

use super::error::OptionError;
use super::{Amount, name_and_text};
use crate::error::CommandError;
use crate::loaded::Loaded;

/// The values of parameters in place of their defaults.
#[derive(Debug, Clone, Default, Args)]
pub struct ParameterOptions {
    /// The value of a parameter in place of its default, in its unit or in the unit in brackets: `c=80e3`,
    /// `c=80[N/mm]`.
    #[arg(long, short = 'p', value_name = "NAME=VALUE", value_parser = parameter)]
    parameter: Vec<(String, Amount)>,
}

impl ParameterOptions {
    /// Returns the names with the values that are given to them.
    pub fn given(&self) -> &[(String, Amount)] {
        &self.parameter
    }

    /// Returns the value of every parameter in its unit, `None` for one that has neither a default nor a value here.
    ///
    /// # Errors
    /// A name that the model does not have, and a unit that does not fit.
    pub fn known(&self, loaded: &Loaded) -> Result<Vec<Option<f64>>, CommandError> {
        let mut values = loaded.parameters.clone();
        for (name, amount) in &self.parameter {
            let parameter = loaded.system.parameter(name)?;
            let value = amount.in_unit(name, parameter.quantity().unit)?;
            if let Some(known) = values.get_mut(parameter.index()) {
                *known = Some(value);
            }
        }
        Ok(values)
    }

    /// Returns the value of every parameter in its unit.
    ///
    /// # Errors
    /// Those of [`known`](Self::known), and [`OptionError::NoDefault`] for a parameter without a value.
    pub fn values(&self, loaded: &Loaded) -> Result<Vec<f64>, CommandError> {
        let parameters = &loaded.system.description().parameters;
        let values = self.known(loaded)?.into_iter().zip(parameters.iter());
        values
            .map(|(value, parameter)| value.ok_or_else(|| OptionError::NoDefault(parameter.name.to_owned()).into()))
            .collect()
    }
}

/// Parses `c=80[N/mm]`.
///
/// # Errors
/// A text of another form, with what to write instead.
pub fn parameter(text: &str) -> Result<(String, Amount), String> {
    let (name, value) = name_and_text(text, "c=80e3")?;
    Ok((name.to_owned(), value.parse()?))
}
