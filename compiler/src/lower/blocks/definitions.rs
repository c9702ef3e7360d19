//! The components of a model, and what is bound where one is used.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use crate::diagnostic::Place;
use crate::syntax::ast::{ComponentSyntax, Entry, InstanceSyntax, ModelItem};

/// The components of a model.
#[derive(Debug, Default)]
pub struct Components<'a> {
    pub defined: BTreeMap<String, &'a ComponentSyntax>,
    /// Components that have a mistake: it is reported once, and not for every use.
    pub wrong: HashSet<String>,
    /// What is bound of the component that is being declared.
    pub bindings: Bindings,
    /// The names of the component whose bindings are being read.
    pub target: usize,
    /// The equations of these are in the model.
    pub lowered: HashSet<usize>,
    /// How many are in use.
    pub count: usize,
    /// Some can't be used: what they declare is missing.
    pub unclear: bool,
}

/// What is bound where a component is used.
#[derive(Debug, Default)]
pub struct Bindings {
    /// By name and index, with the place; and whether the component has such a name.
    pub given: BTreeMap<(String, Option<i64>), (Place, bool)>,
    /// Connections that are not bound.
    pub missing: Vec<String>,
    /// There was an error: others may be given.
    pub unclear: bool,
}

/// The components that are used in these blocks.
pub fn components_in(items: &[ModelItem]) -> Vec<&Ident> {
    fn collect<'a>(entries: &'a [Entry<InstanceSyntax>], idents: &mut Vec<&'a Ident>) {
        for entry in entries {
            match entry {
                Entry::Item(instance) => idents.push(&instance.component),
                Entry::Let(_) => {}
                Entry::For(repeat) => collect(&repeat.entries, idents),
                Entry::If(choice) => {
                    collect(&choice.yes, idents);
                    collect(&choice.no, idents);
                }
            }
        }
    }
    let mut idents = Vec::new();
    for item in items {
        if let ModelItem::Components(block) = item {
            collect(&block.entries, &mut idents);
        }
    }
    idents
}

/// The components inside of `name`, near and far.
pub fn reachable(name: &str, uses: &HashMap<String, Vec<&Ident>>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(next) = open.pop() {
        for ident in uses.get(&next).into_iter().flatten() {
            let inner = ident.unraw().to_string();
            if found.insert(inner.clone()) {
                open.push(inner);
            }
        }
    }
    found
}
