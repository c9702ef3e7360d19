//! Other numbers for initial values.

use std::collections::BTreeMap;

use super::error::{DefaultsError, number};
use super::{Edits, bytes, in_unit};
use crate::Compiled;
use crate::model::Model;
use crate::text::position;

/// `x`, or `dot(x)` for a velocity.
pub fn name(model: &Model, (coordinate, velocity): (usize, bool)) -> String {
    let name = model.coordinates.get(coordinate).map(|known| known.name.as_str()).unwrap_or_default();
    if velocity { format!("dot({name})") } else { name.to_owned() }
}

/// The initial value in SI units, if it is a number.
pub fn number_at(compiled: &Compiled, (coordinate, velocity): (usize, bool)) -> Option<f64> {
    let Compiled { model, graph, .. } = compiled;
    let at = |values: &[Option<_>]| values.get(coordinate).copied().flatten();
    let id = match velocity {
        true => at(&model.initial_velocities),
        false => at(&model.initial_coordinates).or(at(&model.near_coordinates)),
    };
    let value = graph.evaluate(&[id?], |_| f64::NAN).first().copied()?;
    value.is_finite().then_some(value)
}

/// The edits of initial values.
pub fn edits(text: &str, compiled: &Compiled, given: &BTreeMap<(usize, bool), f64>) -> Result<Edits, DefaultsError> {
    let model = &compiled.model;
    let mut edits = Edits::new();
    for (&at, &value) in given {
        let Some(written) = model.initial_places.get(&at) else { continue };
        let range = bytes(written.place);
        let (line, _) = position(text, range.start);
        if number_at(compiled, at).is_none() {
            return Err(DefaultsError::Formula { coordinate: name(model, at), line });
        }
        // A loop has one number for several.
        let together = model.initial_places.iter().filter(|(_, other)| bytes(other.place) == range);
        let values: Vec<_> = together
            .map(|(&other, _)| (name(model, other), given.get(&other).copied().or(number_at(compiled, other))))
            .collect();
        if values.iter().any(|(_, other)| *other != Some(value)) {
            return Err(DefaultsError::Shared { line, parameters: values });
        }
        let new = match &written.unit {
            Some(unit) => in_unit(text, written.place, unit, &name(model, at), value)?,
            None => format!("{}{}", number(value), unit(model, at)),
        };
        if edits.iter().all(|(other, _)| *other != range) {
            edits.push((range, new));
        }
    }
    Ok(edits)
}

/// The unit in brackets of a coordinate or a velocity; nothing for angles, which need none.
fn unit(model: &Model, (coordinate, velocity): (usize, bool)) -> String {
    match model.coordinates.get(coordinate).map(|known| known.unit.as_str()) {
        None | Some("" | "1" | "rad") if !velocity => String::new(),
        None | Some("" | "1") => "[1/s]".to_owned(),
        Some(unit) if velocity => format!("[{unit}/s]"),
        Some(unit) => format!("[{unit}]"),
    }
}
