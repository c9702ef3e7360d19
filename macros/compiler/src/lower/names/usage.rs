//! Record of the declared names that are used.

use std::collections::{BTreeMap, HashSet};

use proc_macro2::{Ident, LineColumn};
use syn::ext::IdentExt;

use super::kind::Kind;
use crate::diagnostic::Diagnostics;

/// Declarations and uses so far.
#[derive(Debug, Default)]
pub struct Usage {
    declared: Vec<(Kind, usize, Ident)>,
    used: HashSet<(Kind, usize)>,
    /// Every `let`, once for each time it is read, with `true` if it is used.
    lets: Vec<(Ident, bool)>,
    components: Vec<(Ident, bool)>,
    /// True if some entries are not read with the sizes of this model, so that uses in them are unknown.
    pub is_partial: bool,
}

impl Usage {
    /// Records a name that stands for quantity number `position` of its kind.
    pub fn declare(&mut self, kind: Kind, position: usize, ident: &Ident) {
        self.declared.push((kind, position, ident.clone()));
    }

    pub fn use_quantity(&mut self, kind: Kind, position: usize) {
        self.used.insert((kind, position));
    }

    /// Records a new `let`, and returns its number.
    pub fn define_let(&mut self, ident: &Ident) -> usize {
        self.lets.push((ident.clone(), false));
        self.lets.len() - 1
    }

    pub fn use_let(&mut self, definition: usize) {
        if let Some((_, used)) = self.lets.get_mut(definition) {
            *used = true;
        }
    }

    pub fn define_component(&mut self, ident: &Ident) {
        self.components.push((ident.clone(), false));
    }

    pub fn use_component(&mut self, name: &Ident) {
        for (ident, used) in &mut self.components {
            *used |= ident == name;
        }
    }

    /// Reports one warning for every declaration that is never used: the elements of an array, and all uses of a
    /// component, count together.
    pub fn warn(&self, diagnostics: &mut Diagnostics) {
        if self.is_partial {
            return;
        }
        let mut found: BTreeMap<Key, Declaration> = BTreeMap::new();
        let mut add = |what: &'static str, ident: &Ident, used: bool| {
            let LineColumn { line, column } = ident.span().start();
            let entry = found.entry((line, column, ident.unraw().to_string()));
            entry.or_insert(Declaration { what, ident: ident.clone(), used: false }).used |= used;
        };
        for (kind, position, ident) in self.declared.iter().filter(|(kind, ..)| is_of_use(*kind)) {
            add(kind.word(), ident, self.used.contains(&(*kind, *position)));
        }
        for (ident, used) in &self.lets {
            add("let", ident, *used);
        }
        for (ident, used) in &self.components {
            add("component", ident, *used);
        }
        for ((.., name), Declaration { what, ident, used }) in found {
            if !used && !name.starts_with('_') {
                let what = if what == "let" { format!("`let {name}`") } else { format!("the {what} `{name}`") };
                diagnostics
                    .warning(ident.span(), format!("{what} is not used; remove it, or write `_{name}` to keep it"));
            }
        }
    }
}

/// Line, column and name of a declaration: all declarations by a macro have the same place.
type Key = (usize, usize, String);

struct Declaration {
    what: &'static str,
    ident: Ident,
    used: bool,
}

/// Checks whether an unused quantity of this kind is a mistake. Coordinates and constraints are subject to the
/// structural checks, and outputs are the purpose of a model.
fn is_of_use(kind: Kind) -> bool {
    use Kind::{BodyConnection, BoundInput, BoundParameter, Connection, Input, Parameter, Table};
    matches!(kind, Parameter | Input | Table | Connection | BodyConnection | BoundParameter | BoundInput)
}
