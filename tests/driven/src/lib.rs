//! Models with inputs of every kind, and searches for inputs of one of them, compiled once and with some optimisation: in the
//! tests, which have none, such searches take minutes.

mod models;

use costate::Model;
use costate::experiment::{OptimalInput, OptimalInputError};

pub use models::{DrivenAxes, DrivenCloud, DrivenPendulum};

/// It is there to be compiled, not to be called.
pub static SEARCH: fn() -> Result<(), OptimalInputError> = search::<DrivenPendulum>;

fn search<M: Model + Default>() -> Result<(), OptimalInputError> {
    let search = || OptimalInput::new(M::default());
    search().run()?;
    search().multistart(1, 0, |_| ())?;
    Ok(())
}
