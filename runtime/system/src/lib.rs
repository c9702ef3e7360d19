//! The boundary between models and everything else: problems, runs, their derivatives and costs, of models whose type
//! is not known.
//!
//! [`system`] has the object-safe traits that a compiled model implements; [`problem`] what a run is given, [`run`] and
//! [`gradient`] what is asked of one and what it gives. [`model`] is what `model!` writes. [`simulation`] describes a
//! run for all that run models, [`equilibrium`] finds positions of rest and steady motions, and [`independent`] has the
//! motion as an ordinary differential equation. Nothing here knows the type of a model; the loops over steps are in
//! `costate-kernel`, and the methods that use runs above.

pub mod body_inertia;
pub mod causes;
pub mod check_gradient;
pub mod cost;
pub mod each;
pub mod ensemble;
pub mod equilibrium;
pub mod gradient;
pub mod identifiers;
pub mod independent;
pub mod initial;
pub mod input;
pub mod interrupt;
pub mod model;
#[doc(hidden)]
pub mod negative_mass;
pub mod prediction;
pub mod problem;
pub mod run;
pub mod series;
pub mod simulation;
#[doc(hidden)]
pub mod state_bytes;
pub mod state_file;
pub mod state_space;
pub mod step;
mod study;
pub mod system;
pub mod table;
