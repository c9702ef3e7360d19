//! Masses that can't be positive.

use crate::diagnostic::Diagnostics;
use crate::model::{BodyMass, Model};
use crate::symbolic::{Graph, Ranges};

/// Reports every coordinate whose mass is zero or negative whatever the state is, and every body whose mass or moment
/// of inertia is negative: always, or with the defaults of the parameters; and every two free coordinates whose masses
/// make a motion with negative kinetic energy.
pub fn check(model: &Model, graph: &Graph, diagnostics: &mut Diagnostics) {
    coordinates(model, graph, diagnostics);
    pairs(model, graph, diagnostics);
    bodies(model, graph, diagnostics);
}

/// A body may be without mass.
fn bodies(model: &Model, graph: &Graph, diagnostics: &mut Diagnostics) {
    let mut always = Ranges::default();
    let mut by_default = Ranges::with_parameters(model.defaults.clone());
    for BodyMass { what, value, place } in &model.body_masses {
        let message = if always.of(graph, *value).high < 0.0 {
            format!("{what} can't be positive; check its signs")
        } else if by_default.of(graph, *value).high < 0.0 {
            format!("with the defaults of the parameters, {what} is negative; give them defaults that make it positive")
        } else {
            continue;
        };
        // Once for all repetitions of a loop.
        if !diagnostics.has_error_at(*place) {
            diagnostics.error(*place, message);
        }
    }
}

fn coordinates(model: &Model, graph: &Graph, diagnostics: &mut Diagnostics) {
    let mut always = Ranges::default();
    let mut by_default = Ranges::with_parameters(model.defaults.clone());
    for (&(row, column), &mass) in &model.mass {
        let Some((coordinate, place)) =
            model.coordinates.get(row).zip(model.mass_places.get(&row)).filter(|_| row == column)
        else {
            continue;
        };
        let name = &coordinate.name;
        let message = if always.of(graph, mass).high <= 0.0 {
            format!("the mass of `{name}` can't be positive; check its signs, or leave the entry out for no mass")
        } else {
            let range = by_default.of(graph, mass);
            if range.high > 0.0 {
                continue;
            }
            let what = if range.is_zero() { "zero" } else { "not positive" };
            format!(
                "with the defaults of the parameters, the mass of `{name}` is {what}; \
                 give them defaults that make it positive"
            )
        };
        if !diagnostics.has_error_at(*place) {
            diagnostics.error(*place, message);
        }
    }
}

/// Reports pairs of coordinates, unless constraints may prevent their motion.
fn pairs(model: &Model, graph: &Graph, diagnostics: &mut Diagnostics) {
    /// Rounding of products of masses: a mass of one combination of coordinates has a determinant of zero.
    const ROUNDING: f64 = 1e-9;
    if !model.constraints.is_empty() {
        return;
    }
    let mut by_default = Ranges::with_parameters(model.defaults.clone());
    for (&(row, column), &beside) in model.mass.iter().filter(|((row, column), _)| row < column) {
        let beside = by_default.of(graph, beside);
        let least = beside.low.max(-beside.high).max(0.0);
        let [first, second] =
            [row, column].map(|i| model.mass.get(&(i, i)).map_or(0.0, |id| by_default.of(graph, *id).high));
        let place = model.mass_places.get(&row).or(model.mass_places.get(&column));
        let (Some(place), true) = (place, least * least > (1.0 + ROUNDING) * first * second) else { continue };
        let [x, y] = [row, column].map(|i| &model.coordinates[i].name);
        if !diagnostics.has_error_at(*place) {
            let message = format!(
                "with the defaults of the parameters, `{x}` and `{y}` move with negative kinetic energy; make the mass \
                 between them smaller than the root of the product of their own"
            );
            diagnostics.error(*place, message);
        }
    }
}
