//! The names that a model declares.

use std::collections::{BTreeMap, HashMap, HashSet};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::functions;
use crate::diagnostic::{Diagnostics, Place};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Argument,
    Parameter,
    Input,
    Table,
    Coordinate,
    Constraint,
    Output,
}

impl Kind {
    /// With its article, for messages.
    pub fn text(self) -> &'static str {
        match self {
            Kind::Argument => "a structural argument",
            Kind::Parameter => "a parameter",
            Kind::Input => "an input",
            Kind::Table => "a table",
            Kind::Coordinate => "a coordinate",
            Kind::Constraint => "a constraint",
            Kind::Output => "an output",
        }
    }

    /// Without article.
    pub fn word(self) -> &'static str {
        self.text().split_once(' ').map_or("", |(_, word)| word)
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
    /// Names whose declaration is wrong: nothing is said about their uses.
    unclear: HashSet<String>,
}

/// Names that mean something by themselves.
pub const RESERVED: [&str; 2] = ["t", "pi"];

impl NameTable {
    pub fn get(&self, name: &str) -> Option<&Declared> {
        self.declared.get(name)
    }

    /// Whether the declaration of `name` is wrong, which has been reported.
    pub fn is_unclear(&self, name: &str) -> bool {
        self.unclear.contains(name)
    }

    /// Marks a name whose declaration is wrong.
    pub fn mark_unclear(&mut self, ident: &Ident) {
        self.unclear.insert(ident.unraw().to_string());
    }

    /// All names, sorted.
    pub fn names(&self) -> Vec<&str> {
        self.sorted(|_| true)
    }

    /// The names of one kind, sorted.
    pub fn names_of(&self, kind: Kind) -> Vec<&str> {
        self.sorted(|declared| declared.kind == kind)
    }

    fn sorted(&self, wanted: impl Fn(&Declared) -> bool) -> Vec<&str> {
        let declared = self.declared.iter().filter(|(_, declared)| wanted(declared));
        let mut names: Vec<&str> = declared.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Adds `ident` or `ident[index]` as quantity number `position` of its kind. False after an error, except
    /// that a quantity with a reserved name is kept, so that its uses in Rust are no errors.
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
        if let Some(message) = self.conflict(kind, &name, index) {
            diagnostics.error(place, message);
            return false;
        }
        if let Some(message) = reserved(&name) {
            diagnostics.error(place, message);
            self.unclear.insert(name);
            return true;
        }
        match (self.declared.get_mut(&name).map(|declared| &mut declared.elements), index) {
            (Some(Elements::Array(elements)), Some(index)) => {
                elements.insert(index, position);
            }
            _ => {
                let elements = match index {
                    None => Elements::Scalar(position),
                    Some(index) => Elements::Array(BTreeMap::from([(index, position)])),
                };
                self.declared.insert(name, Declared { kind, elements });
            }
        }
        true
    }

    /// Why a name can't be declared (once more), if it can't.
    fn conflict(&mut self, kind: Kind, name: &str, index: Option<i64>) -> Option<String> {
        let written = written_name(name, index);
        if let Some(existing) = self.declared.get(name) {
            let repeated = match (&existing.elements, index) {
                (Elements::Scalar(_), None) => true,
                (Elements::Array(elements), Some(index)) => elements.contains_key(&index),
                _ => false,
            };
            let extended = matches!((&existing.elements, index), (Elements::Array(_), Some(_)));
            if existing.kind == kind && repeated {
                return Some(format!("`{written}` is declared twice; remove one, or choose another name"));
            }
            if existing.kind != kind || !extended {
                let kind = existing.kind.text();
                self.unclear.insert(name.to_owned());
                return Some(format!(
                    "`{name}` is already {kind}; names are global to the model, choose another one"
                ));
            }
        }
        // Two names must not become the same Rust field (`x[1]` and `x_1`) or constant (`m` and `M`).
        let rust_name = rust_name(name, index).to_uppercase();
        match self.rust_names.get(&rust_name) {
            Some(other) => {
                self.unclear.insert(name.to_owned());
                Some(format!(
                    "`{written}` and `{other}` are both the constant `{rust_name}` of the model; \
                     rename one of them"
                ))
            }
            None => {
                self.rust_names.insert(rust_name, written);
                None
            }
        }
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

/// What `name` means by itself, if it does.
pub fn meaning(name: &str) -> Option<&'static str> {
    match name {
        "t" => Some("time"),
        "pi" => Some("the number pi"),
        _ if functions::is_function(name) => Some("a function"),
        _ => None,
    }
}

/// Why `name` can't be declared, if it can't.
pub fn reserved(name: &str) -> Option<String> {
    meaning(name).map(|meaning| format!("`{name}` is {meaning}; choose another name"))
}
