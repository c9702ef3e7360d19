//! The processes that take part: this one alone, or those of MPI.

// `bridges/mpi` has the feature `mpi`.
#![allow(unexpected_cfgs)]

use anyhow::Result;
use costate::ensemble::Ensemble;

/// The processes that take part: this one, and others if the program is built with MPI and MPI is wanted.
pub struct World {
    #[cfg(feature = "mpi")]
    mpi: Option<costate_mpi::World>,
}

impl World {
    /// Begins MPI if it is wanted.
    #[cfg(feature = "mpi")]
    pub fn new(wanted: bool) -> Result<Self> {
        Ok(Self { mpi: wanted.then(costate_mpi::World::new).transpose()? })
    }

    /// Refuses MPI.
    #[cfg(not(feature = "mpi"))]
    pub fn new(wanted: bool) -> Result<Self> {
        anyhow::ensure!(
            !wanted,
            "this program is built without MPI; build it with `cargo build --release --manifest-path \
             bridges/mpi/Cargo.toml --example ensemble`"
        );
        Ok(Self {})
    }

    /// Checks whether this process is the one that prints and writes.
    pub fn is_root(&self) -> bool {
        #[cfg(feature = "mpi")]
        return self.mpi.as_ref().is_none_or(costate_mpi::World::is_root);
        #[cfg(not(feature = "mpi"))]
        true
    }

    /// Returns an ensemble whose tasks run on all cores of these processes.
    pub fn ensemble(&self) -> Ensemble<'_> {
        #[cfg(feature = "mpi")]
        if let Some(mpi) = &self.mpi {
            return Ensemble::new().on(mpi);
        }
        Ensemble::new()
    }
}
