//! The components of a model, and their bindings.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use crate::diagnostic::Place;
use crate::lower::geometry::Reflection;
use crate::syntax::ast::{ComponentSyntax, Entry, InstanceSyntax, ModelItem, OfSyntax};

/// The components of a model.
#[derive(Debug, Default)]
pub struct Components<'a> {
    pub defined: BTreeMap<String, &'a ComponentSyntax>,
    /// Components with a mistake, which is reported once and not for every use.
    pub wrong: HashSet<String>,
    /// Bindings of the component that is being declared.
    pub bindings: Bindings,
    /// The space of names of the component whose bindings are being read.
    pub target: usize,
    /// Components in use by their spaces of names.
    pub uses: HashMap<usize, Use>,
    /// Spaces of components whose equations are already in the model.
    pub lowered: HashSet<usize>,
    /// Number of components in use.
    pub count: usize,
    /// True if some components cannot be used, so that the names which they declare are missing.
    pub unclear: bool,
}

/// A component in use.
#[derive(Debug)]
pub struct Use {
    /// The name of the component.
    pub component: String,
    /// The names that are bound.
    pub bound: Vec<(String, Option<i64>)>,
    /// The space of the original, for a mirror image.
    pub original: Option<usize>,
    /// True if bodies in it, or connections to bodies, are planar.
    pub planar: bool,
    /// The mirror image that it is of the component, in the world around it.
    pub reflection: Reflection,
}

/// The bindings where a component is used.
#[derive(Debug, Default)]
pub struct Bindings {
    /// Places of the bindings by name and index, with `true` if the component declares the name.
    pub given: BTreeMap<(String, Option<i64>), (Place, bool)>,
    /// Connections that are not bound, each with an example of what is bound to it.
    pub missing: Vec<(String, &'static str)>,
    /// True if a binding had an error, so that other names may be bound as well.
    pub unclear: bool,
}

/// Lists the components that are used in these blocks.
pub fn components_in(items: &[ModelItem]) -> Vec<&Ident> {
    fn collect<'a>(entries: &'a [Entry<InstanceSyntax>], idents: &mut Vec<&'a Ident>) {
        for entry in entries {
            match entry {
                Entry::Item(instance) => match &instance.of {
                    OfSyntax::Component(component) => idents.push(component),
                    OfSyntax::Mirror(_) => {}
                },
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

/// Finds the components inside of `name`, at any depth.
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
