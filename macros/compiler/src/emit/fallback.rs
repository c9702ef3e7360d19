//! Code for a wrong model: the struct and an inert implementation, so that one mistake gives one message and not
//! another one wherever the model is used.

use costate_contract::scene::Scene;
use proc_macro2::TokenStream;

use super::implementation::emit;
use super::structure;
use crate::mechanics::{Equations, Groups};
use crate::model::Model;
use crate::program::build;
use crate::symbolic::Graph;

/// Emits a model with the names that could be read and without equations. It never runs, because the crate does not
/// compile.
pub fn fallback(mut model: Model) -> TokenStream {
    // a new graph, since the old one may have exceeded a limit
    let mut graph = Graph::new();
    let zero = graph.zero();
    model.let_names.clear();
    model.kinks.clear();
    model.bodies.clear();
    model.body_masses.clear();
    model.mass.clear();
    for expressions in [&mut model.force, &mut model.constraint, &mut model.output] {
        expressions.fill(zero);
    }
    model.defaults.iter_mut().for_each(|default| *default = default.or(Some(0.0)));
    model.initial_coordinates.fill(None);
    model.near_coordinates.fill(None);
    model.equilibrium = false;
    (model.scene, model.geometry) = (Scene::EMPTY, Vec::new());
    model.initial_velocities.fill(None);
    if model.force.len() != model.coordinates.len() || model.output.len() != model.outputs.len() {
        return structure::parameters(&model);
    }
    let equations = Equations::new(&model, &mut graph);
    let groups = Groups::new(&model, &mut graph, &equations, None);
    match build(&model, &mut graph, &groups, None) {
        Ok((program, _)) => emit(&model, &graph, &groups, (None, &[]), &program),
        Err(_) => structure::parameters(&model),
    }
}
