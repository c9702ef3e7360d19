//! Replacement of the defaults of parameters and of initial values in the text of a model.

mod error;
mod initial;

use std::collections::BTreeMap;
use std::ops::Range;

use super::{FileError, ModelFile};
use crate::Compiled;
use crate::diagnostic::{Diagnostic, Place};
use crate::model::{Arguments, DefaultPlace, Model, WrittenDefault};
use crate::text::position;
use crate::units::Unit;

pub use error::DefaultsError;
use error::number;

impl ModelFile {
    /// Returns the file with other defaults of the parameters of the model called `name`, or of the only model.
    /// `values` are by the names of parameters, in the units of their declarations, as fits give them. Initial
    /// values, which are in SI units, are by the names of coordinates, `x`, and of velocities, `dot(x)`, where the
    /// model sets them to numbers.
    ///
    /// Only these numbers change. A number that is written with a unit of its own keeps the unit, and the value is
    /// converted to it. A parameter without a default gets one; an array whose elements get different values gets a
    /// list. The new text is checked with all models of the file; nothing is written to the file.
    ///
    /// ```
    /// use costate_compiler::{Arguments, ModelFile};
    ///
    /// let text = "Spring {
    ///     parameters { m: kg = 2 /* of the mass */, c: N/m = 0.1[N/mm] }
    ///     coordinates { x: m } mass { x: m } forces { x: -c*x }
    /// }";
    /// let file = ModelFile::from_text("spring.model", text.to_owned())?;
    /// let values = [("c".to_owned(), 125.0), ("m".to_owned(), 2.5)];
    /// let changed = file.with_defaults(None, &Arguments::new(), &values)?;
    /// assert!(changed.text().contains("m: kg = 2.5 /* of the mass */, c: N/m = 0.125[N/mm] }"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DefaultsError`]: a model that is wrong or does not exist, unknown names, values that are not finite,
    /// different values for parameters that are declared together, values with which the model is wrong.
    pub fn with_defaults(
        &self,
        name: Option<&str>,
        arguments: &Arguments,
        values: &[(String, f64)],
    ) -> Result<ModelFile, DefaultsError> {
        let old = self.compile(name, arguments)?;
        let given = Given::new(&old, values)?;
        let mut edits = edits(&self.text, &old.model, &given.parameters)?;
        edits.extend(initial::edits(&self.text, &old, &given.initial)?);
        edits.sort_by_key(|(range, _)| range.start);
        let mut file = ModelFile::from_text(&self.path, replaced(&self.text, edits))?;
        file.allowed = self.allowed.clone();
        let new = match file.compile(name, arguments) {
            Ok(compiled) => compiled,
            Err(FileError::Model { errors, .. }) => {
                return Err(DefaultsError::Refused { file: Box::new(file), errors });
            }
            Err(error) => return Err(error.into()),
        };
        // Checks the other models of the file too: variants of this one have the same defaults.
        let errors = file.check().errors;
        if !errors.is_empty() {
            return Err(DefaultsError::Refused { file: Box::new(file), errors });
        }
        given.require(&old.model, &new)?;
        Ok(file)
    }
}

/// The given values, separated by purpose.
struct Given {
    /// The value of each parameter; `None` if it is not given.
    parameters: Vec<Option<f64>>,
    /// The values of coordinates and, with `true`, of velocities.
    initial: BTreeMap<(usize, bool), f64>,
}

impl Given {
    fn new(compiled: &Compiled, values: &[(String, f64)]) -> Result<Self, DefaultsError> {
        let model = &compiled.model;
        let mut given = Self { parameters: vec![None; model.parameters.len()], initial: BTreeMap::new() };
        let initial: Vec<(String, (usize, bool))> =
            model.initial_places.keys().map(|&at| (initial::name(model, at), at)).collect();
        for (name, value) in values {
            let parameter = name.clone();
            if !value.is_finite() {
                return Err(DefaultsError::NotFinite { parameter, value: *value, unit: String::new() });
            }
            let first = if let Some(i) = model.parameters.iter().position(|known| known.name == *name) {
                given.parameters[i].replace(*value)
            } else if let Some((_, at)) = initial.iter().find(|(known, _)| known == name) {
                given.initial.insert(*at, *value)
            } else {
                let known = model.parameters.iter().map(|known| &known.name);
                let known = known.chain(initial.iter().map(|(known, _)| known)).cloned().collect();
                let model = model.name.to_string();
                return Err(DefaultsError::UnknownParameter { model, parameter, known });
            };
            if let Some(first) = first {
                return Err(DefaultsError::Twice { parameter, first, second: *value });
            }
        }
        Ok(given)
    }

    /// Refuses a new model in which one of the values differs.
    fn require(&self, old: &Model, new: &Compiled) -> Result<(), DefaultsError> {
        // Largest relative difference between a default that is read back and the value to be written: units are
        // converted in both directions.
        const MAX_CONVERSION_ERROR: f64 = 1e-14;
        let parameters = old.parameters.iter().enumerate().map(|(i, parameter)| {
            let found = new.model.defaults.get(i).copied().flatten();
            (parameter.name.clone(), self.parameters[i].or(old.defaults[i]), found)
        });
        let initial =
            self.initial.iter().map(|(&at, value)| (initial::name(old, at), Some(*value), initial::number_at(new, at)));
        for (parameter, wanted, found) in parameters.chain(initial) {
            let Some(value) = wanted else { continue };
            if !found.is_some_and(|found| (found - value).abs() <= MAX_CONVERSION_ERROR * value.abs()) {
                return Err(DefaultsError::NotWritten { parameter, value, found });
            }
        }
        Ok(())
    }
}

/// The replacements of ranges of bytes in the text.
type Edits = Vec<(Range<usize>, String)>;

/// Returns the edits of defaults, in order.
fn edits(text: &str, model: &Model, given: &[Option<f64>]) -> Result<Edits, DefaultsError> {
    // Parameters that are declared together share one place.
    let mut together: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (i, place) in model.default_places.iter().enumerate() {
        let bytes = bytes_of(place);
        together.entry((bytes.start, bytes.end)).or_default().push(i);
    }
    let mut edits = Vec::new();
    for ((start, end), members) in together {
        if members.iter().all(|&i| given[i].is_none()) {
            continue;
        }
        let values: Vec<Option<f64>> = members.iter().map(|&i| given[i].or(model.defaults[i])).collect();
        let place = &model.default_places[members[0]];
        let one = |i: usize, value| one_default(text, model, i, value);
        let known: Option<Vec<f64>> = values.iter().copied().collect();
        let new = match known {
            Some(known) if known.iter().all(|value| *value == known[0]) => one(members[0], known[0])?,
            Some(known) if place.elements == Some(members.len()) => {
                let elements: Result<Vec<String>, _> =
                    members.iter().zip(known).map(|(&i, value)| one(i, value)).collect();
                format!("[{}]", elements?.join(", "))
            }
            _ => {
                let names = members.iter().map(|&i| model.parameters[i].name.clone());
                let (line, _) = position(text, start);
                return Err(DefaultsError::Shared { line, parameters: names.zip(values).collect() });
            }
        };
        let new = if place.written.is_some() { new } else { format!(" = {new}") };
        edits.push((start..end, new));
    }
    Ok(edits)
}

/// Returns the bytes of a default, or the empty range after the unit where a default would be inserted.
fn bytes_of(place: &DefaultPlace) -> Range<usize> {
    match &place.written {
        Some(written) => bytes(written.place),
        None => {
            let end = bytes(place.unit).end;
            end..end
        }
    }
}

fn bytes(place: Place) -> Range<usize> {
    Diagnostic { message: String::new(), place }.range()
}

/// Writes a default with this value, given in the unit of the parameter, in the form of the present default.
fn one_default(text: &str, model: &Model, parameter: usize, value: f64) -> Result<String, DefaultsError> {
    let quantity = &model.parameters[parameter];
    let Some(WrittenDefault { place, unit: Some(unit) }) = &model.default_places[parameter].written else {
        return Ok(number(value));
    };
    in_unit(text, *place, unit, &quantity.name, quantity.scale.apply(value))
}

/// Writes a value in SI units in the form of the present number with a unit.
fn in_unit(text: &str, place: Place, unit: &Unit, name: &str, value: f64) -> Result<String, DefaultsError> {
    let value = unit.scale.inverse().apply(value);
    if !value.is_finite() {
        let (parameter, unit) = (name.to_owned(), format!("[{}]", unit.text));
        return Err(DefaultsError::NotFinite { parameter, value, unit });
    }
    let behind = text.get(bytes(place)).and_then(behind_number);
    let behind = behind.map_or_else(|| format!("[{}]", unit.text), str::to_owned);
    Ok(format!("{}{behind}", number(value)))
}

/// Returns the text after the number in `-5 [mm]`; `None` if the number is in parentheses.
fn behind_number(written: &str) -> Option<&str> {
    let positive = written.strip_prefix('-').unwrap_or(written).trim_start();
    let is_of_number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '+' | '-');
    let behind = positive.trim_start_matches(is_of_number);
    (behind.len() < positive.len() && behind.contains('[')).then_some(behind)
}

/// Replaces these ranges of bytes, which are in order and do not overlap.
fn replaced(text: &str, edits: Edits) -> String {
    let mut new = String::with_capacity(text.len());
    let mut end = 0;
    for (range, written) in edits {
        new.push_str(text.get(end..range.start).unwrap_or_default());
        new.push_str(&written);
        end = range.end;
    }
    new.push_str(text.get(end..).unwrap_or_default());
    new
}
