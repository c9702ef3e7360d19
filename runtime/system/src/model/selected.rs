//! The parameters that are unknown.

use costate_contract::Description;

/// The parameters with respect to which a gradient is computed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelectedParameters {
    contains: Vec<bool>,
}

/// Parameters with respect to which no gradient can be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum SelectionError {
    /// An index that is not that of a parameter.
    #[error("`{model}` has no parameter with the index {index}; it has {count}, with the indices from 0 on")]
    NoParameter { index: usize, count: usize, model: &'static str },
    /// A parameter that is selected more than once.
    #[error("the parameter `{name}` is unknown twice; name it once")]
    Repeated { name: &'static str },
}

impl SelectedParameters {
    /// Selects the parameters with these indices.
    ///
    /// # Errors
    /// [`SelectionError`] for an index that the model does not have, and for one that is given more than
    /// once.
    pub fn of(description: &Description, indices: &[usize]) -> Result<Self, SelectionError> {
        let &Description { name: model, parameters, .. } = description;
        let mut contains = vec![false; parameters.len()];
        for &index in indices {
            match contains.get_mut(index) {
                None => return Err(SelectionError::NoParameter { index, count: parameters.len(), model }),
                Some(true) => return Err(SelectionError::Repeated { name: parameters[index].name }),
                Some(selected) => *selected = true,
            }
        }
        Ok(Self { contains })
    }

    /// Checks whether parameter `index` is selected.
    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        self.contains.get(index).copied().unwrap_or(false)
    }
}
