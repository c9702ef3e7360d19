//! Typed names: a parameter, input, output, coordinate or constraint of one model.
//!
//! Functions that users call take these names; sweeps and steps below them take indices.
//!
//! `model!` declares a constant for each, `EngineMount::C_E1`, so that a misspelt name is a compile error in the
//! user's crate. [`named`](Parameter::named) is for names that come from a file.

use std::fmt;
use std::marker::PhantomData;

use costate_measure::record::Wanted;

use crate::model::{Description, Model, OtherModel, Quantity, UnknownName};

/// The type of names of a model that is chosen while a program runs: `Parameter` is short for `Parameter<Dynamic>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dynamic;

/// The description of a name's model. `Of` is for names that are constants, which are made before the description of an
/// interpreted model is known.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    Known(&'static Description),
    Of(fn() -> &'static Description),
}

impl Source {
    pub fn get(self) -> &'static Description {
        match self {
            Self::Known(description) => description,
            Self::Of(description) => description(),
        }
    }
}

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $field:ident) => {
        $(#[$doc])*
        pub struct $name<M = Dynamic> {
            index: usize,
            description: Source,
            model: PhantomData<fn() -> M>,
        }

        impl<M: Model> $name<M> {
            /// Position in the order of declaration. Written by `model!`.
            #[doc(hidden)]
            pub const fn at(index: usize) -> Self {
                Self { index, description: Source::Of(M::description), model: PhantomData }
            }

            /// The one that is declared with this name, `x[2]` for an element of an array.
            ///
            /// # Errors
            /// [`UnknownName`] with the names that exist.
            pub fn named(name: &str) -> Result<Self, UnknownName> {
                Ok($name::find(M::description(), name)?.tagged())
            }

            /// All of them, in the order of declaration.
            pub fn all() -> impl ExactSizeIterator<Item = Self> {
                (0..M::description().$field.len()).map(Self::at)
            }
        }

        impl $name {
            /// The one with this position in the order of declaration.
            #[doc(hidden)]
            pub fn of(description: &'static Description, index: usize) -> Self {
                Self { index, description: Source::Known(description), model: PhantomData }
            }

            /// All of a model, in the order of declaration.
            #[doc(hidden)]
            #[allow(dead_code)]
            pub fn each_of(
                description: &'static Description,
            ) -> impl ExactSizeIterator<Item = Self> {
                (0..description.$field.len()).map(move |index| Self::of(description, index))
            }

            /// The one that is declared with this name.
            pub(crate) fn find(
                description: &'static Description,
                name: &str,
            ) -> Result<Self, UnknownName> {
                let all = description.$field;
                match all.iter().position(|quantity| quantity.name == name) {
                    Some(index) => Ok(Self::of(description, index)),
                    None => Err(UnknownName {
                        kind: $kind,
                        name: name.to_owned(),
                        model: description.name,
                        available: all.iter().map(|quantity| quantity.name).collect(),
                    }),
                }
            }
        }

        impl<M> $name<M> {
            /// Position in the order of declaration.
            pub fn index(self) -> usize {
                self.index
            }

            /// Name, unit and documentation.
            pub fn quantity(self) -> &'static Quantity {
                self.description().$field.get(self.index).unwrap_or(&Quantity::NONE)
            }

            /// Name as declared.
            pub fn name(self) -> &'static str {
                self.quantity().name
            }

            /// Names and sizes of its model.
            #[doc(hidden)]
            #[allow(dead_code)]
            pub fn description(self) -> &'static Description {
                self.description.get()
            }

            /// # Errors
            /// [`OtherModel`] for one of another model.
            #[doc(hidden)]
            #[allow(dead_code)]
            pub fn check_model(self, model: &'static Description) -> Result<(), OtherModel> {
                OtherModel::check($kind, self.name(), self.description(), model)
            }

            /// Without the type of the model.
            #[doc(hidden)]
            #[allow(dead_code)]
            pub fn erased(self) -> $name {
                self.tagged()
            }

            /// With another type for the same model.
            #[doc(hidden)]
            pub fn tagged<N>(self) -> $name<N> {
                $name { index: self.index, description: self.description, model: PhantomData }
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

        impl<M> fmt::Debug for $name<M> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}::{}", self.description().name, self.name())
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

impl<M> Parameter<M> {
    /// Their positions in the order of declaration.
    #[doc(hidden)]
    pub fn indices(parameters: &[Self]) -> Vec<usize> {
        parameters.iter().map(|parameter| parameter.index).collect()
    }
}

impl<M> From<Output<M>> for Wanted {
    fn from(output: Output<M>) -> Self {
        Self::new(format!("the output `{}`", output.name()), output.quantity().unit)
    }
}

impl<M> From<Input<M>> for Wanted {
    fn from(input: Input<M>) -> Self {
        Self::new(format!("the input `{}`", input.name()), input.quantity().unit)
    }
}
