//! Names of another model.

use super::Description;

/// A parameter, input or output of another model than the one that it is given to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the {kind} `{name}` is one of the model `{of}`, not of `{model}`: take it from the model that it is given to, \
     `{model}::{}` or by its name",
    name.to_uppercase()
)]
pub struct OtherModel {
    /// What it is: parameter, input, output ..
    pub kind: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The model that it belongs to.
    pub of: &'static str,
    /// The model that it is given to.
    pub model: &'static str,
}

impl OtherModel {
    /// Checks that what is `named` so belongs to `model`, where its own is `of`.
    #[doc(hidden)]
    pub fn check(
        kind: &'static str,
        name: &'static str,
        of: &'static Description,
        model: &'static Description,
    ) -> Result<(), Self> {
        match of.is_same(model) {
            true => Ok(()),
            false => Err(Self { kind, name, of: of.name, model: model.name }),
        }
    }
}
