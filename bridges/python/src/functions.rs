//! The functions of models: those of their texts, or in a library that `costate.load(.., compiled=True)` lets cargo
//! build, those of one model that were compiled into it.

pub use of::{compiled, process};

#[cfg(not(costate_compiled))]
mod of {
    use costate::filter::ImplicitModel;
    use costate::interpreted::LoadedModel;
    use costate::model::Functions;
    use costate::simulate::{Problem, SimulationError};

    /// Returns the model with the functions that are compiled in, if there are any, or the digest of their model if
    /// that is another one.
    pub fn compiled(model: LoadedModel) -> Result<LoadedModel, &'static str> {
        Ok(model)
    }

    /// Creates the process of a filter with the values of all parameters.
    pub fn process(
        model: LoadedModel,
        problem: &Problem,
        values: &[f64],
    ) -> Result<ImplicitModel<impl Functions>, SimulationError> {
        model.process(problem, values)
    }
}

#[cfg(costate_compiled)]
mod of {
    include!(env!("COSTATE_COMPILED"));

    use costate::filter::ImplicitModel;
    use costate::interpreted::LoadedModel;
    use costate::model::Model;
    use costate::simulate::{Problem, SimulationError};

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
    ) -> Result<ImplicitModel<CompiledFunctions>, SimulationError> {
        // the checks are those of a loaded model
        model.process(problem, values)?;
        let values: <CompiledFunctions as Model>::Values = std::array::from_fn(|place| values[place]);
        Ok(ImplicitModel::new(problem, &CompiledFunctions::from_parameters(&values)))
    }
}
