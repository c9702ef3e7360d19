//! Names and blocks further below, or `let`s inside of blocks, for messages.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use crate::lower::names::Lets;
use crate::syntax::ast::{Energy, Entry, ModelItem};

/// Lists the names of the `let`s outside of the blocks.
pub fn lets_of(items: &[ModelItem]) -> Vec<String> {
    let names = items.iter().filter_map(|item| match item {
        ModelItem::Let(definition) => Some(definition.name.to_string()),
        _ => None,
    });
    names.collect()
}

/// Finds the first of `items` that adds to the kinetic energy of the model, and the first that adds to the potential
/// energy.
pub fn later_energies(items: &[ModelItem]) -> [Option<&'static str>; 2] {
    let kinetic = items.iter().find_map(|item| match item {
        ModelItem::Mass(_) => Some("mass"),
        ModelItem::Energies(Energy::Kinetic, _) => Some("kinetic"),
        ModelItem::Bodies(_) => Some("bodies"),
        ModelItem::Components(_) => Some("components"),
        _ => None,
    });
    let potential = items.iter().find_map(|item| match item {
        ModelItem::Energies(Energy::Potential, _) => Some("potential"),
        ModelItem::Forces(_) => Some("forces"),
        ModelItem::Bodies(_) => Some("bodies"),
        ModelItem::Gravity(_) => Some("gravity"),
        ModelItem::Elements(_) => Some("elements"),
        ModelItem::Components(_) => Some("components"),
        _ => None,
    });
    [kinetic, potential]
}

/// Collects the `let`s inside the blocks of a model or a component.
pub fn lets_inside(items: &[ModelItem]) -> Lets {
    let mut lets = Lets::default();
    for item in items {
        match item {
            ModelItem::Parameters(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Inputs(block) | ModelItem::Coordinates(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Mass(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Forces(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Constraints(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Outputs(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Initial(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Tables(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Components(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Energies(_, block) => collect(&block.entries, None, &mut lets),
            ModelItem::Bodies(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Gravity(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Joints(block) | ModelItem::Elements(block) => collect(&block.entries, None, &mut lets),
            ModelItem::Let(_) | ModelItem::Component(_) | ModelItem::Connections(_) | ModelItem::If(_) => {}
        }
    }
    lets
}

/// Collects the `let`s among `entries`, which are in the loop of `variable` if it is given.
fn collect<T>(entries: &[Entry<T>], variable: Option<&Ident>, lets: &mut Lets) {
    for entry in entries {
        match entry {
            Entry::Item(_) => {}
            Entry::Let(definition) => {
                let name = definition.name.unraw().to_string();
                if let Some(variable) = variable {
                    lets.inside_loops.insert(name.clone(), variable.unraw().to_string());
                }
                lets.inside.insert(name);
            }
            Entry::For(repeat) => collect(&repeat.entries, Some(&repeat.variable), lets),
            Entry::If(choice) => {
                collect(&choice.yes, variable, lets);
                collect(&choice.no, variable, lets);
            }
        }
    }
}
