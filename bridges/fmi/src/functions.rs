//! The functions of the model: those of its text, or those that were compiled into the library from it.

pub use of::{Functions, compiled, program};

#[cfg(not(costate_compiled))]
mod of {
    pub use costate_interpreter::Interpreted as Functions;

    use costate::interpreted::LoadedModel;
    use costate_interpreter::LoadedProgram;

    /// Returns the model with the functions that are compiled in, if there are any, or the digest of their model if
    /// that is another one.
    pub fn compiled(model: LoadedModel) -> Result<LoadedModel, &'static str> {
        Ok(model)
    }

    /// Returns the program with the functions.
    pub fn program(model: LoadedModel) -> &'static LoadedProgram {
        model.program()
    }
}

#[cfg(costate_compiled)]
mod of {
    include!(env!("COSTATE_COMPILED"));

    pub use CompiledFunctions as Functions;

    use costate::interpreted::LoadedModel;

    pub fn compiled(model: LoadedModel) -> Result<LoadedModel, &'static str> {
        match model.description().digest {
            Some(DIGEST) => Ok(model.with_functions_of::<Functions>()),
            _ => Err(DIGEST),
        }
    }

    pub fn program(_: LoadedModel) {}
}
