//! Parameters that are looked for.

use costate_optimize::{Scaling, Variable};
use costate_system::identifiers::{Dynamic, Parameter};

/// A parameter to be identified, with bounds and scaling; made from a [`Parameter`].
///
/// ```text
/// UnknownParameter::from(EngineMount::C_E1).within(1e3, 1e6)
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct UnknownParameter<M = Dynamic> {
    parameter: Parameter<M>,
    bounds: Option<(f64, f64)>,
    scaling: Option<Scaling>,
}

impl<M> UnknownParameter<M> {
    /// Bounds in the parameter's unit, which no simulation ever leaves; infinite ones do not bound.
    #[must_use]
    pub fn within(mut self, lower: f64, upper: f64) -> Self {
        self.bounds = Some((lower, upper));
        self
    }

    /// Varies the logarithm, so that the sign cannot change: the default for masses, moments of inertia and quantities
    /// with a positive lower bound.
    #[must_use]
    pub fn logarithmic(mut self) -> Self {
        self.scaling = Some(Scaling::Logarithmic);
        self
    }

    /// Varies the value itself; `typical` is a typical change in the parameter's unit. The default for other
    /// quantities, with the start value as typical change; methods of least squares take their scales from the
    /// residuals.
    #[must_use]
    pub fn linear(mut self, typical: f64) -> Self {
        self.scaling = Some(Scaling::Linear { typical });
        self
    }

    /// Without the type of the model.
    #[doc(hidden)]
    pub fn erased(self) -> UnknownParameter {
        UnknownParameter { parameter: self.parameter.erased(), bounds: self.bounds, scaling: self.scaling }
    }

    /// The parameter.
    pub fn parameter(&self) -> Parameter<M> {
        self.parameter
    }

    /// The parameter as a variable of the optimizer under this name, which begins at this value.
    #[doc(hidden)]
    pub fn variable(&self, name: impl Into<String>, start: f64) -> Variable {
        let mut variable = Variable::new(name, start);
        if self.parameter.description().positive_parameters.contains(&self.parameter.index()) {
            variable = variable.positive();
        }
        if let Some(scaling) = self.scaling {
            variable = variable.scaled(scaling);
        }
        match self.bounds {
            Some((lower, upper)) => variable.within(lower, upper),
            None => variable,
        }
    }
}

impl<M> From<Parameter<M>> for UnknownParameter<M> {
    fn from(parameter: Parameter<M>) -> Self {
        Self { parameter, bounds: None, scaling: None }
    }
}
