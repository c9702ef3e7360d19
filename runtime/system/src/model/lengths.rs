//! The lengths of the vectors of a model.

use costate_contract::{Description, Group};
use costate_numerics::scalar::Vector;

use super::functions::Functions;

/// The number of entries of every vector of a model, named as the [types](Functions::Coordinates) of the vectors.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lengths {
    pub coordinates: usize,
    pub multipliers: usize,
    pub unknowns: usize,
    pub parameters: usize,
    pub inputs: usize,
    pub outputs: usize,
    pub factors: usize,
    pub adjoint_coefficients: usize,
    /// Lengths of the arrays of groups, in the order of [`Group::ALL`].
    groups: [usize; Group::ALL.len()],
}

impl Lengths {
    /// Returns the lengths of the vectors of a model, with those that its description does not have: of its factors and
    /// of the coefficients of its adjoint.
    pub const fn of(description: &Description, factors: usize, adjoint_coefficients: usize) -> Self {
        let (coordinates, multipliers) = (description.coordinates.len(), description.constraints.len());
        let mut groups = [0; Group::ALL.len()];
        let mut i = 0;
        while i < groups.len() {
            groups[i] = description.groups.length(Group::ALL[i]);
            i += 1;
        }
        Self {
            coordinates,
            multipliers,
            unknowns: coordinates + multipliers,
            parameters: description.parameters.len(),
            inputs: description.inputs.len(),
            outputs: description.outputs.len(),
            factors,
            adjoint_coefficients,
            groups,
        }
    }

    /// Returns the lengths of the arrays of a compiled model; 0 in place of those of a loaded model, which has no
    /// arrays.
    pub const fn of_arrays<M: Functions>() -> Self {
        match M::COMPILED {
            Some(model) => Self::of(model, length::<M::Factors<f64>>(), length::<M::AdjointCoefficients<f64>>()),
            None => Self::of(&Description::new(""), 0, 0),
        }
    }

    /// Returns the length of the array of a group.
    pub const fn group(&self, group: Group) -> usize {
        self.groups[group as usize]
    }

    /// Returns the length of the stored form of a state, 3n + m.
    pub const fn state(&self) -> usize {
        3 * self.coordinates + self.multipliers
    }
}

const fn length<V: Vector<f64>>() -> usize {
    match V::LENGTH {
        Some(length) => length,
        None => 0,
    }
}
