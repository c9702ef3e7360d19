//! Names that a model does not have.

/// A name that the model does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("model `{model}` has no {kind} `{name}`{}", self.others())]
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
    /// Returns the text about the names that exist.
    fn others(&self) -> String {
        if self.available.is_empty() {
            return format!("; it has no {} at all", self.kind);
        }
        let nearest = costate_contract::nearest::nearest(&self.name, self.available.iter().copied());
        let nearest = nearest.map_or_else(|| "; ".to_owned(), |nearest| format!(", did you mean `{nearest}`? "));
        format!("{nearest}it has {}", self.available.join(", "))
    }
}
