//! The names of a model, or of a component, body, joint or element in it.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::kind::Kind;
use super::words::written_name;

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

impl Elements {
    /// Returns the element with this index; `Err` says why there is none. `name` is the name of the array.
    pub fn at(&self, name: &str, index: Option<i64>) -> Result<usize, String> {
        match (self, index) {
            (Elements::Array(elements), _) if elements.is_empty() => {
                Err(format!("`{name}` has no elements with the sizes of this model; its range is empty"))
            }
            (Elements::Scalar(position), None) => Ok(*position),
            (Elements::Array(elements), Some(index)) => elements.get(&index).copied().ok_or_else(|| {
                let (written, indices) = (written_name(name, Some(index)), self.indices());
                format!("`{written}` does not exist; the indices of `{name}` are {indices}")
            }),
            (Elements::Scalar(_), Some(_)) => Err(format!("`{name}` is not an array; write `{name}` without an index")),
            (Elements::Array(_), None) => {
                Err(format!("`{name}` is an array; write `{name}[i]` with an index {}", self.indices()))
            }
        }
    }

    /// The indices of an array, for messages.
    pub fn indices(&self) -> String {
        let Elements::Array(elements) = self else { return String::new() };
        match (elements.first_key_value(), elements.last_key_value()) {
            (Some((first, _)), Some((last, _))) if last.abs_diff(*first) == elements.len() as u64 - 1 => {
                format!("{first}..={last}")
            }
            _ => elements.keys().map(i64::to_string).collect::<Vec<_>>().join(", "),
        }
    }
}

/// The names of the model, or of one component in use.
#[derive(Debug, Default)]
pub struct Space {
    pub(super) declared: HashMap<String, Declared>,
    /// Names with an error in their declaration: their uses are not reported.
    pub(super) unclear: HashSet<String>,
    /// True if the declaration of the component itself has an error, so that none of its names is known.
    pub(super) all_unclear: bool,
    /// Name of the component; empty for the model.
    pub component: String,
    /// Prefix of names as the user writes them: `cylinder[2].`.
    pub prefix: String,
    /// Prefix of names without indices: `cylinder.`.
    pub family_prefix: String,
    /// Prefix of names in Rust: `cylinder_2_`.
    pub rust_prefix: String,
    /// Text that follows the documentation of members, and names the component in use.
    pub documentation: String,
    /// The space around the component; `None` for the model.
    pub(super) outside: Option<usize>,
    /// Number of components around this one.
    pub depth: usize,
}

impl Space {
    /// Lists the names in the space, sorted.
    pub fn names(&self) -> Vec<&str> {
        self.sorted(|_| true)
    }

    pub fn get(&self, name: &str) -> Option<&Declared> {
        self.declared.get(name)
    }

    /// Checks whether the declaration of `name` has an error, which has been reported.
    pub fn is_unclear(&self, name: &str) -> bool {
        self.all_unclear || self.unclear.contains(name)
    }

    /// Returns the position of an element that has been declared as `kind`.
    pub fn position(&self, name: &str, index: Option<i64>, kind: Kind) -> Option<usize> {
        let declared = self.get(name).filter(|declared| declared.kind == kind)?;
        declared.elements.at(name, index).ok()
    }

    /// Lists the names of the kinds that are `wanted`, sorted.
    pub fn sorted(&self, wanted: impl Fn(Kind) -> bool) -> Vec<&str> {
        let declared = self.declared.iter().filter(|(_, declared)| wanted(declared.kind));
        let mut names: Vec<&str> = declared.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }
}
