//! The names that a model declares.

use std::collections::{BTreeMap, HashMap};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::functions;
use crate::diagnostic::{Diagnostics, Place};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Parameter,
    Input,
    Coordinate,
    Constraint,
    Output,
}

impl Kind {
    /// With its article, for messages.
    pub fn text(self) -> &'static str {
        match self {
            Kind::Parameter => "a parameter",
            Kind::Input => "an input",
            Kind::Coordinate => "a coordinate",
            Kind::Constraint => "a constraint",
            Kind::Output => "an output",
        }
    }
}

/// A declared name: one quantity, or an array of them by index.
#[derive(Debug)]
pub struct Declared {
    pub kind: Kind,
    pub elements: Elements,
}

/// Positions in the order of declaration.
#[derive(Debug)]
pub enum Elements {
    Scalar(usize),
    Array(BTreeMap<i64, usize>),
}

/// All declared names of a model.
#[derive(Debug, Default)]
pub struct NameTable {
    declared: HashMap<String, Declared>,
    /// Rust fields and constants in use, with the name as the user wrote it.
    rust_names: HashMap<String, String>,
}

/// Names that mean something by themselves.
pub const RESERVED: [&str; 2] = ["t", "pi"];

impl NameTable {
    pub fn get(&self, name: &str) -> Option<&Declared> {
        self.declared.get(name)
    }

    /// All names, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.declared.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Adds `ident` or `ident[index]` as quantity number `position` of its kind; false after an error.
    pub fn declare(
        &mut self,
        kind: Kind,
        ident: &Ident,
        index: Option<i64>,
        position: usize,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let name = ident.unraw().to_string();
        let place = Place::from(ident.span());
        if let Some(message) = reserved(&name) {
            diagnostics.error(place, message);
            return false;
        }
        if !self.claim_rust_name(&name, index, place, diagnostics) {
            return false;
        }
        let Some(existing) = self.declared.get_mut(&name) else {
            let elements = match index {
                None => Elements::Scalar(position),
                Some(index) => Elements::Array(BTreeMap::from([(index, position)])),
            };
            self.declared.insert(name, Declared { kind, elements });
            return true;
        };
        match (&mut existing.elements, index) {
            (Elements::Array(elements), Some(index)) if existing.kind == kind => {
                elements.insert(index, position);
                true
            }
            _ => {
                let kind = existing.kind.text();
                diagnostics.error(
                    place,
                    format!("`{name}` is already {kind}; names are global to the model, choose another one"),
                );
                false
            }
        }
    }

    /// Two names must not become the same Rust field (`x[1]` and `x_1`) or constant (`m` and `M`).
    fn claim_rust_name(
        &mut self,
        name: &str,
        index: Option<i64>,
        place: Place,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let written = written_name(name, index);
        let rust_name = rust_name(name, index).to_uppercase();
        let Some(other) = self.rust_names.insert(rust_name.clone(), written.clone()) else {
            return true;
        };
        let message = if other == written {
            format!("`{written}` is declared twice; names are global to the model, choose another one")
        } else {
            format!(
                "`{written}` and `{other}` are both the constant `{rust_name}` of the model; rename one of them"
            )
        };
        diagnostics.error(place, message);
        false
    }
}

/// `x` or `x[2]`.
pub fn written_name(name: &str, index: Option<i64>) -> String {
    match index {
        None => name.to_owned(),
        Some(index) => format!("{name}[{index}]"),
    }
}

/// `x` or `x_2`; negative indices as `x_m2`.
pub fn rust_name(name: &str, index: Option<i64>) -> String {
    match index {
        None => name.to_owned(),
        Some(index) if index < 0 => format!("{name}_m{}", index.unsigned_abs()),
        Some(index) => format!("{name}_{index}"),
    }
}

/// Why `name` can't be declared, if it can't.
pub fn reserved(name: &str) -> Option<String> {
    let meaning = match name {
        "t" => "time",
        "pi" => "the number pi",
        _ if functions::is_function(name) => "a function",
        _ => return None,
    };
    Some(format!("`{name}` is {meaning}; choose another name"))
}
