//! Names that a model does not have.

/// A name that the model does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("model `{model}` has no {kind} `{name}`{}it has {}", self.nearest(), .available.join(", "))]
pub struct UnknownName {
    /// `parameter`, `input`, ...
    pub kind: &'static str,
    /// The name that was looked up.
    pub name: String,
    /// The model's name.
    pub model: &'static str,
    /// The names that exist.
    pub available: Vec<&'static str>,
}

impl UnknownName {
    /// Returns the text about the nearest name that exists.
    fn nearest(&self) -> String {
        let nearest = costate_contract::nearest::nearest(&self.name, self.available.iter().copied());
        nearest.map_or_else(|| "; ".to_owned(), |nearest| format!(", did you mean `{nearest}`? "))
    }
}
