//! Typed names: a parameter, input, output, coordinate or constraint of one model.
//!
//! `model!` declares a constant for each, `EngineMount::C_E1`, so that a misspelt name is a compile error in the
//! user's crate. [`named`](Parameter::named) serves names that come from a file.

use std::fmt;
use std::marker::PhantomData;

use crate::model::{Model, Quantity, UnknownName};
use crate::record::Wanted;

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $field:ident) => {
        $(#[$doc])*
        pub struct $name<M> {
            index: usize,
            model: PhantomData<fn() -> M>,
        }

        impl<M: Model> $name<M> {
            /// Position in the order of declaration. Written by `model!`.
            #[doc(hidden)]
            pub const fn at(index: usize) -> Self {
                Self { index, model: PhantomData }
            }

            /// The one that is declared with this name, `x[2]` for an element of an array.
            ///
            /// # Errors
            /// [`UnknownName`] with the names that exist.
            pub fn named(name: &str) -> Result<Self, UnknownName> {
                let all = M::DESCRIPTION.$field;
                match all.iter().position(|quantity| quantity.name == name) {
                    Some(index) => Ok(Self::at(index)),
                    None => Err(UnknownName {
                        kind: $kind,
                        name: name.to_owned(),
                        model: M::DESCRIPTION.name,
                        available: all.iter().map(|quantity| quantity.name).collect(),
                    }),
                }
            }

            /// All of them, in the order of declaration.
            pub fn all() -> impl ExactSizeIterator<Item = Self> {
                (0..M::DESCRIPTION.$field.len()).map(Self::at)
            }

            /// Position in the order of declaration.
            pub fn index(self) -> usize {
                self.index
            }

            /// Name, unit and documentation.
            pub fn quantity(self) -> &'static Quantity {
                M::DESCRIPTION.$field.get(self.index).unwrap_or(&Quantity::NONE)
            }

            /// Name as declared.
            pub fn name(self) -> &'static str {
                self.quantity().name
            }
        }

        impl<M> Clone for $name<M> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<M> Copy for $name<M> {}

        impl<M> PartialEq for $name<M> {
            fn eq(&self, other: &Self) -> bool {
                self.index == other.index
            }
        }

        impl<M> Eq for $name<M> {}

        impl<M: Model> fmt::Debug for $name<M> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}::{}", M::DESCRIPTION.name, self.name())
            }
        }
    };
}

identifier!(
    /// A parameter of the model `M`.
    Parameter, "parameter", parameters
);
identifier!(
    /// An input of the model `M`.
    Input, "input", inputs
);
identifier!(
    /// An output of the model `M`.
    Output, "output", outputs
);
identifier!(
    /// A generalized coordinate of the model `M`.
    Coordinate, "coordinate", coordinates
);
identifier!(
    /// A constraint of the model `M`.
    Constraint, "constraint", constraints
);

impl<M: Model> Parameter<M> {
    /// Their positions in the order of declaration.
    pub(crate) fn indices(parameters: &[Self]) -> Vec<usize> {
        parameters.iter().map(|parameter| parameter.index).collect()
    }

    /// The parameters at these positions.
    pub(crate) fn each_at(indices: &[usize]) -> Vec<Self> {
        indices.iter().copied().map(Self::at).collect()
    }
}

impl<M: Model> From<Output<M>> for Wanted {
    fn from(output: Output<M>) -> Self {
        Self::new(format!("the output `{}`", output.name()), output.quantity().unit)
    }
}

impl<M: Model> From<Input<M>> for Wanted {
    fn from(input: Input<M>) -> Self {
        Self::new(format!("the input `{}`", input.name()), input.quantity().unit)
    }
}
