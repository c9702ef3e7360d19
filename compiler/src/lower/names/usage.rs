//! Which of the declared names are used.

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
    /// Every `let`, once for each time it is read, and whether it is used.
    lets: Vec<(Ident, bool)>,
    components: Vec<(Ident, bool)>,
    /// Some entries are not read with the sizes of this model: their uses are not known.
    pub is_partial: bool,
}

impl Usage {
    /// A name that stands for quantity number `position` of its kind.
    pub fn declare(&mut self, kind: Kind, position: usize, ident: &Ident) {
        self.declared.push((kind, position, ident.clone()));
    }

    pub fn use_quantity(&mut self, kind: Kind, position: usize) {
        self.used.insert((kind, position));
    }

    /// The number of a new `let`.
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

    /// One warning for every declaration of which nothing is used: an array and the uses of a component count together.
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
                let what =
                    if what == "let" { format!("`let {name}`") } else { format!("the {what} `{name}`") };
                diagnostics.warning(
                    ident.span(),
                    format!("{what} is not used; remove it, or write `_{name}` to keep it"),
                );
            }
        }
    }
}

/// Line and column of a declaration, and its name: those of a macro have one place.
type Key = (usize, usize, String);

struct Declaration {
    what: &'static str,
    ident: Ident,
    used: bool,
}

/// Whether something is wrong if a quantity of this kind is declared and not used. Coordinates and constraints are
/// the subject of the structural checks, outputs are what a model is for.
fn is_of_use(kind: Kind) -> bool {
    use Kind::{BoundInput, BoundParameter, Connection, Input, Parameter, Table};
    matches!(kind, Parameter | Input | Table | Connection | BoundParameter | BoundInput)
}
