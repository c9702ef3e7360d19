//! The names of a model, or of a component, body, joint or element in it.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::kind::Kind;

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

/// The names of the model, or of one component in use.
#[derive(Debug, Default)]
pub struct Space {
    pub(super) declared: HashMap<String, Declared>,
    /// Names whose declaration is wrong: nothing is said about their uses.
    pub(super) unclear: HashSet<String>,
    /// The declaration of the component itself is wrong, so that none of its names is known.
    pub(super) all_unclear: bool,
    /// The component; empty for the model.
    pub component: String,
    /// In front of names as the user writes them: `cylinder[2].`.
    pub prefix: String,
    /// In front of names in Rust: `cylinder_2_`.
    pub rust_prefix: String,
    /// Behind the documentation of members: which component is meant.
    pub documentation: String,
    /// Around the component.
    pub(super) outside: Option<usize>,
    /// How many components this one is inside of.
    pub depth: usize,
}

impl Space {
    /// The names in it, sorted.
    pub fn names(&self) -> Vec<&str> {
        self.sorted(|_| true)
    }

    pub fn get(&self, name: &str) -> Option<&Declared> {
        self.declared.get(name)
    }

    /// Whether the declaration of `name` is wrong, which has been reported.
    pub fn is_unclear(&self, name: &str) -> bool {
        self.all_unclear || self.unclear.contains(name)
    }

    /// The position of an element that has been declared as `kind`.
    pub fn position(&self, name: &str, index: Option<i64>, kind: Kind) -> Option<usize> {
        let declared = self.get(name).filter(|declared| declared.kind == kind)?;
        match (&declared.elements, index) {
            (Elements::Scalar(position), None) => Some(*position),
            (Elements::Array(elements), Some(index)) => elements.get(&index).copied(),
            _ => None,
        }
    }

    /// The names of the kinds that are `wanted`, sorted.
    pub fn sorted(&self, wanted: impl Fn(Kind) -> bool) -> Vec<&str> {
        let declared = self.declared.iter().filter(|(_, declared)| wanted(declared.kind));
        let mut names: Vec<&str> = declared.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }
}
