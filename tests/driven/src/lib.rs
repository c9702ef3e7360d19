//! Models with inputs of every kind, with searches for inputs of one of them and refinements of the tables of another, compiled once and with
//! some optimisation: in the tests, which have none, these take minutes.

mod models;

use costate::experiment::{OptimalInput, OptimalInputError};
use costate::identify::{IdentificationError, Refinement};
use costate::{Identification, Model};

pub use models::{DrivenAxes, DrivenCloud, DrivenPendulum, Strut};

/// These are there to be compiled, not to be called.
pub static SEARCH: fn() -> Result<(), OptimalInputError> = search::<DrivenPendulum>;

fn search<M: Model + Default>() -> Result<(), OptimalInputError> {
    let search = || OptimalInput::new(M::default());
    search().run()?;
    search().multistart(1, 0, |_| ())?;
    Ok(())
}

/// As [`SEARCH`].
pub static REFINE: fn() -> Result<(), IdentificationError> = refine::<Strut>;

fn refine<M: Model + Default>() -> Result<(), IdentificationError> {
    let identification = || Identification::new(M::default());
    identification().check_gradient()?;
    identification().run()?;
    Refinement::new(identification()).run()?;
    Ok(())
}
