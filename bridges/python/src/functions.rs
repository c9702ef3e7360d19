//! The functions of models: those of their texts, or in a library that `costate.load(.., compiled=True)` lets cargo
//! build, those of one model that were compiled into it.

pub use of::{compiled, process};

#[cfg(not(costate_compiled))]
mod of {
    use costate::filter::{FilterError, FilterProcess};
    use costate::interpreted::LoadedModel;
    use costate::simulate::Problem;
    use costate::{Output, Parameter};

    /// Returns the model with the functions that are compiled in, if there are any, or the digest of their model if
    /// that is another one.
    pub fn compiled(model: LoadedModel) -> Result<LoadedModel, &'static str> {
        Ok(model)
    }

    /// Creates the process of a filter with the values of all parameters, of which it follows some by outputs.
    pub fn process(
        model: LoadedModel,
        problem: &Problem,
        values: &[f64],
        by: (&[(Parameter, f64)], &[Output]),
    ) -> Result<FilterProcess, FilterError> {
        model.process(problem, values, by)
    }
}

#[cfg(costate_compiled)]
mod of {
    include!(env!("COSTATE_COMPILED"));

    use costate::filter::{FilterError, FilterProcess, ImplicitModel};
    use costate::interpreted::LoadedModel;
    use costate::model::Model;
    use costate::simulate::Problem;
    use costate::{Output, Parameter};

    pub fn compiled(model: LoadedModel) -> Result<LoadedModel, &'static str> {
        match model.description().digest {
            Some(DIGEST) => Ok(model.with_functions_of::<CompiledFunctions>()),
            _ => Err(DIGEST),
        }
    }

    pub fn process(
        model: LoadedModel,
        problem: &Problem,
        values: &[f64],
        (followed, outputs): (&[(Parameter, f64)], &[Output]),
    ) -> Result<FilterProcess, FilterError> {
        // the checks are those of a loaded model
        model.process(problem, values, (&[], &[]))?;
        let values: <CompiledFunctions as Model>::Values = std::array::from_fn(|place| values[place]);
        ImplicitModel::new(problem, &CompiledFunctions::from_parameters(&values)).following(followed, outputs)
    }
}
