//! All declared names.

use std::collections::{BTreeMap, HashMap};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::kind::Kind;
use super::space::{Declared, Elements, Space};
use super::words::{reserved, rust_name, written_name};
use crate::diagnostic::Place;
use crate::lower::report::Report;

/// All declared names of a model and of its components. Queries and declarations refer to the space that has been
/// entered.
#[derive(Debug)]
pub struct NameTable {
    /// Spaces of names, with that of the model first.
    spaces: Vec<Space>,
    entered: usize,
    /// Rust fields and constants in use, each with its space and the name as the user wrote it.
    rust_names: HashMap<String, (usize, String)>,
}

impl Default for NameTable {
    fn default() -> Self {
        NameTable { spaces: vec![Space::default()], entered: 0, rust_names: HashMap::new() }
    }
}

impl NameTable {
    /// Returns the space that has been entered.
    pub fn here(&self) -> &Space {
        &self.spaces[self.entered]
    }

    /// Returns the space of the component in use that was added as number `position`.
    pub fn of(&self, position: usize) -> &Space {
        &self.spaces[position]
    }

    /// Returns the position of the space that has been entered.
    pub fn entered(&self) -> usize {
        self.entered
    }

    /// Enters another space, and returns the previous one.
    pub fn enter(&mut self, position: usize) -> usize {
        std::mem::replace(&mut self.entered, position)
    }

    /// Enters the space that was added last, and returns the previous one.
    pub fn enter_last(&mut self) -> usize {
        self.enter(self.spaces.len() - 1)
    }

    /// Returns the position that the next space will have.
    pub fn next_space(&self) -> usize {
        self.spaces.len()
    }

    /// Adds a space for the component in use `name[index]`.
    pub(super) fn add_space(&mut self, (name, index): (&str, Option<i64>), component: String, documentation: &str) {
        let here = self.here();
        let path = format!("{}{}", here.prefix, written_name(name, index));
        let documentation = match documentation {
            "" => format!("\n\nOf `{path}`."),
            text => format!("\n\nOf `{path}`: {text}"),
        };
        self.spaces.push(Space {
            prefix: format!("{path}."),
            rust_prefix: format!("{}{}_", here.rust_prefix, rust_name(name, index)),
            family_prefix: format!("{}{name}.", here.family_prefix),
            component,
            documentation,
            outside: Some(self.entered),
            depth: here.depth + 1,
            ..Space::default()
        });
    }

    /// Marks a component in use none of whose names is known.
    pub fn mark_space_unclear(&mut self, position: usize) {
        self.spaces[position].all_unclear = true;
    }

    pub fn get(&self, name: &str) -> Option<&Declared> {
        self.here().get(name).or_else(|| self.everywhere(name))
    }

    /// Checks whether the declaration of `name` has an error, which has been reported.
    pub fn is_unclear(&self, name: &str) -> bool {
        self.here().is_unclear(name) || self.spaces.first().is_some_and(|model| model.is_unclear(name))
    }

    /// Finds a declaration of the model that is valid in its components as well.
    pub fn everywhere(&self, name: &str) -> Option<&Declared> {
        let declared = self.spaces.first()?.get(name)?;
        matches!(declared.kind, Kind::Argument | Kind::Table).then_some(declared)
    }

    /// Finds the kind of `name` in the spaces around the component that has been entered, at any distance.
    pub fn kind_outside(&self, name: &str) -> Option<Kind> {
        let mut space = self.here();
        while let Some(outside) = space.outside {
            space = &self.spaces[outside];
            if let Some(declared) = space.get(name) {
                return Some(declared.kind);
            }
        }
        None
    }

    /// Marks a name with an error in its declaration.
    pub fn mark_unclear(&mut self, ident: &Ident) {
        self.spaces[self.entered].unclear.insert(ident.unraw().to_string());
    }

    /// Lists all names, sorted.
    pub fn names(&self) -> Vec<&str> {
        self.here().names()
    }

    /// Lists the names that are allowed where `kind` is expected, sorted.
    pub fn names_of(&self, kind: Kind) -> Vec<&str> {
        self.here().sorted(|other| other.serves_as(kind))
    }

    /// Declares `ident` or `ident[index]` as quantity number `position` of its kind. Returns `false` after an error,
    /// except that a quantity with a reserved name is kept, so that its uses in Rust are not errors.
    pub fn declare(
        &mut self,
        kind: Kind,
        ident: &Ident,
        index: Option<i64>,
        position: usize,
        report: &mut Report,
    ) -> bool {
        let name = ident.unraw().to_string();
        let place = Place::from(ident.span());
        if let Some(message) = self.conflict(kind, &name, index) {
            report.error(place, message);
            return false;
        }
        if kind.is_emitted() && !self.claim_constant(ident, index, report) {
            return false;
        }
        let here = &mut self.spaces[self.entered];
        if let Some(message) = reserved(&name) {
            report.error(place, message);
            here.unclear.insert(name);
            return true;
        }
        match (here.declared.get_mut(&name).map(|declared| &mut declared.elements), index) {
            (Some(Elements::Array(elements)), Some(index)) => {
                elements.insert(index, position);
            }
            _ => {
                let elements = match index {
                    None => Elements::Scalar(position),
                    Some(index) => Elements::Array(BTreeMap::from([(index, position)])),
                };
                here.declared.insert(name, Declared { kind, elements });
            }
        }
        true
    }

    /// Returns the reason why a name cannot be declared (once more); `None` if it can.
    fn conflict(&mut self, kind: Kind, name: &str, index: Option<i64>) -> Option<String> {
        let written = written_name(name, index);
        let here = &mut self.spaces[self.entered];
        if let Some(existing) = here.declared.get(name) {
            let repeated = match (&existing.elements, index) {
                (Elements::Scalar(_), None) => true,
                (Elements::Array(elements), Some(index)) => elements.contains_key(&index),
                _ => false,
            };
            let extended = matches!((&existing.elements, index), (Elements::Array(_), Some(_)));
            let related = existing.kind.word() == kind.word();
            if related && repeated {
                return Some(format!("`{written}` is declared twice; remove one, or choose another name"));
            }
            if existing.kind != kind || !extended {
                let kind = existing.kind.text();
                let whole = if self.entered == 0 { "model" } else { "component" };
                here.unclear.insert(name.to_owned());
                return Some(format!(
                    "`{name}` is already {kind}; names are global to the {whole}, choose another one"
                ));
            }
        }
        None
    }

    /// Claims the Rust constant of a name. Two names must not become the same Rust field (`x[1]` and `x_1`) or
    /// constant (`m` and `M`). Returns `false` after an error.
    pub fn claim_constant(&mut self, ident: &Ident, index: Option<i64>, report: &mut Report) -> bool {
        let name = ident.unraw().to_string();
        let message = self.constant_conflict(&name, index);
        if let Some(message) = message {
            report.error(ident.span(), message);
            self.mark_unclear(ident);
            return false;
        }
        true
    }

    fn constant_conflict(&mut self, name: &str, index: Option<i64>) -> Option<String> {
        let written = written_name(name, index);
        let here = self.here();
        let local = rust_name(name, index).to_uppercase();
        let constant = format!("{}{local}", here.rust_prefix.to_uppercase());
        match self.rust_names.get(&constant) {
            // The message is the same for all uses of a component, so that it appears once.
            Some((space, other)) if *space == self.entered && self.entered > 0 => Some(format!(
                "`{written}` and `{other}` are both the constant `..._{local}` of the model; rename one of them"
            )),
            Some((space, other)) => {
                let other = format!("{}{other}", self.spaces[*space].prefix);
                Some(format!(
                    "`{}{written}` and `{other}` are both the constant `{constant}` of the model; \
                     rename one of them",
                    here.prefix
                ))
            }
            None => {
                self.rust_names.insert(constant, (self.entered, written));
                None
            }
        }
    }
}
