//! Notes on optional parts of a model that may have been forgotten: inertia, gravity, masses.

use crate::check::structure;
use crate::diagnostic::{Diagnostic, push_once};
use crate::mechanics::Equations;
use crate::model::{Model, ModelBody};
use crate::symbolic::{Graph, Ranges};

/// Notes on bodies that turn without a moment of inertia, on bodies without weight and on coordinates without mass.
pub fn forgotten(model: &Model, graph: &Graph, equations: &Equations) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    inertia(model, graph, equations, &mut notes);
    notes.extend(gravity(model, graph));
    masses(model, equations, &mut notes);
    notes
}

/// Returns true if the mass of a body is not the constant zero.
fn has_mass(body: &ModelBody, graph: &Graph) -> bool {
    graph.as_constant(body.mass) != Some(0.0)
}

fn inertia(model: &Model, graph: &Graph, equations: &Equations, notes: &mut Vec<Diagnostic>) {
    let mut by_default = Ranges::with_parameters(model.defaults.clone());
    let mut message = |body: &ModelBody| {
        let ModelBody { name, spatial, .. } = body;
        let Some(entries) = &body.inertia else {
            let (given, none) = match spatial {
                true => ("(i_xx, i_yy, i_zz)", "(0, 0, 0)"),
                false => ("m*l^2/12", "0"),
            };
            return Some(format!(
                "`{name}` can turn, but has no `inertia`: it is a point mass; write e.g. `inertia: {given}`, or \
                 `inertia: {none}` where that is meant"
            ));
        };
        // what is written as 0 is meant
        let written = entries.iter().any(|&entry| graph.as_constant(entry).is_none());
        let is_zero = entries.iter().all(|&entry| by_default.of(graph, entry).is_zero());
        (written && is_zero).then(|| {
            format!(
                "with the defaults of the parameters, the inertia of `{name}` is zero, although it can turn; give \
                 them other ones, or write `inertia: {}` where that is meant",
                if *spatial { "(0, 0, 0)" } else { "0" }
            )
        })
    };
    let without = model.bodies.iter().filter(|body| has_mass(body, graph));
    let without: Vec<_> = without.filter_map(|body| Some((body, message(body)?))).collect();
    if without.is_empty() {
        return;
    }
    let bodies: Vec<&ModelBody> = without.iter().map(|(body, _)| *body).collect();
    let turn = structure::turn(model, graph, equations, &bodies);
    for ((body, message), _) in without.into_iter().zip(turn).filter(|(_, turns)| *turns) {
        // once for all repetitions of a loop
        push_once(notes, Diagnostic { message, place: body.place });
    }
}

fn gravity(model: &Model, graph: &Graph) -> Option<Diagnostic> {
    let body = model.bodies.iter().find(|body| has_mass(body, graph)).filter(|_| !model.has_gravity)?;
    let spatial = model.bodies.iter().any(|body| body.spatial);
    let (down, none) = if spatial { ("(0, 0, -9.81[m/s^2])", "(0, 0, 0)") } else { ("(0, -9.81[m/s^2])", "(0, 0)") };
    let message = format!(
        "no gravity acts on the bodies; write e.g. `gravity {{ {down} }}`, or `gravity {{ {none} }}` where that is \
             meant"
    );
    Some(Diagnostic { message, place: body.place })
}

/// Coordinates that are no constraint's and have no mass are in balance.
fn masses(model: &Model, equations: &Equations, notes: &mut Vec<Diagnostic>) {
    let mut known = vec![false; model.coordinates.len()];
    let mut know = |i: usize| {
        if let Some(known) = known.get_mut(i) {
            *known = true;
        }
    };
    model.mass.keys().for_each(|&(row, column)| [row, column].into_iter().for_each(&mut know));
    equations.constraint_q.iter().for_each(|(_, column, _)| know(column));
    for body in &model.bodies {
        (body.first..body.first + if body.spatial { 7 } else { 3 }).for_each(&mut know);
    }
    for (coordinate, _) in model.coordinates.iter().zip(&known).filter(|(_, known)| !**known) {
        let place = coordinate.field.span().into();
        let message = format!(
            "`{}` has no mass, so that the forces on it are in balance at all times; where it has one, write it into \
             `mass`",
            coordinate.name
        );
        // once for an array and for all uses of a component
        let new = Diagnostic { message, place };
        if !notes.iter().any(|note| note.position() == new.position()) {
            notes.push(new);
        }
    }
}
