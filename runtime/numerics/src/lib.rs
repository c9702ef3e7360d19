//! Numbers and algorithms that know no model.
//!
//! [`scalar`] has the numbers that the functions of compiled models take, [`linalg`] the linear algebra of multibody
//! models, [`fourier`] the Fourier transform. The layouts of blocks are those of `costate-contract`; what a number or a
//! matrix means is known above.

pub mod fourier;
pub mod linalg;
pub mod scalar;
