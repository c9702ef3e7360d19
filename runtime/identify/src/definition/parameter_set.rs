//! Parameters by name, as in files.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use costate_system::identifiers::Parameter;
use costate_system::model::{Model, UnknownName};

/// Values of parameters under their names, in the order of declaration; serialised as a map from name to value.
///
/// ```text
/// {"m": 2.0, "c": 150.0}
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ParameterSet(Vec<(String, f64)>);

/// Values that do not fit a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterSetError {
    /// The model has no parameter of this name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// Parameters of the model that have no value.
    #[error("parameters of `{model}` without a value: {}; add them or apply the set to a model", .missing.join(", "))]
    Missing {
        /// The model's name.
        model: &'static str,
        /// The parameters' names.
        missing: Vec<&'static str>,
    },
    /// A value that is NaN or infinite.
    #[error("parameter `{name}` is {value}; give a finite value")]
    NotFinite {
        /// The parameter's name.
        name: String,
        /// Value of the parameter.
        value: f64,
    },
    /// A name with two values.
    #[error("parameter `{name}` has two values; remove one of them")]
    Repeated {
        /// The parameter's name.
        name: String,
    },
}

impl ParameterSet {
    /// Returns all parameters of a model.
    pub fn of<M: Model>(model: &M) -> Self {
        let values = model.parameters();
        let quantities = M::description().parameters;
        Self(quantities.iter().zip(values.as_ref()).map(|(q, &value)| (q.name.to_owned(), value)).collect())
    }

    /// Returns the value of a parameter.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(other, _)| other == name).map(|&(_, value)| value)
    }

    /// Sets the value of a parameter of any name; names are checked against a model later.
    pub fn set(&mut self, name: impl Into<String>, value: f64) {
        let name = name.into();
        match self.0.iter_mut().find(|(other, _)| *other == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// Returns names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// Creates a model with these parameters, all of which must be given.
    ///
    /// # Errors
    /// [`ParameterSetError`].
    pub fn to_model<M: Model>(&self) -> Result<M, ParameterSetError> {
        let names = M::description().parameters.iter().map(|quantity| quantity.name);
        let missing: Vec<_> = names.filter(|name| self.get(name).is_none()).collect();
        if !missing.is_empty() {
            return Err(ParameterSetError::Missing { model: M::description().name, missing });
        }
        self.values_over(<M::Values as costate_numerics::scalar::Vector<f64>>::zeros(M::description().parameters.len()))
    }

    /// Returns the model with the given parameters replaced and all others kept.
    ///
    /// # Errors
    /// [`ParameterSetError`].
    pub fn apply<M: Model>(&self, model: &M) -> Result<M, ParameterSetError> {
        self.values_over(model.parameters())
    }

    fn values_over<M: Model>(&self, mut values: M::Values) -> Result<M, ParameterSetError> {
        for (name, value) in self.iter() {
            let parameter = Parameter::<M>::named(name)?;
            if !value.is_finite() {
                return Err(ParameterSetError::NotFinite { name: name.to_owned(), value });
            }
            values.as_mut()[parameter.index()] = value;
        }
        Ok(M::from_parameters(&values))
    }
}

impl Serialize for ParameterSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for ParameterSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = ParameterSet;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from parameter names to numbers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ParameterSet, A::Error> {
        let mut set = ParameterSet::default();
        while let Some((name, value)) = map.next_entry::<String, f64>()? {
            if set.get(&name).is_some() {
                return Err(A::Error::custom(ParameterSetError::Repeated { name }));
            }
            set.0.push((name, value));
        }
        Ok(set)
    }
}
