//! Names of another model.

use super::Description;

/// The error of a parameter, input or output that is given to a model to which it does not belong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the {kind} `{name}` belongs to the model `{of}`, not to `{model}`: use `{model}::{}`, or get it from `{model}` by \
     its name",
    name.to_uppercase()
)]
pub struct OtherModel {
    /// The kind of the name: parameter, input, output ..
    pub kind: &'static str,
    /// The name.
    pub name: &'static str,
    /// The model that it belongs to.
    pub of: &'static str,
    /// The model that it is given to.
    pub model: &'static str,
}

impl OtherModel {
    /// Checks that the part with this name, which belongs to the model `of`, is one of `model`.
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
