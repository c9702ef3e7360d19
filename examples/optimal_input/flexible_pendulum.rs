//! The force on a cart with a flexible pendulum, a chain of three rods in redundant coordinates, that tells most of
//! stiffness and damping of its joints: the model of Oberpeilsteiner: Parameter Identification in Multibody System
//! Dynamics using the Adjoint Sensitivity Analysis (2018), section 4.4.1, and what its outlook asks for, optimal inputs
//! of constrained systems.

mod case;
mod figures;
mod options;
mod program;

use costate::simulate::Scheme;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::experiment::{Criterion, EndCondition};
use costate_models::{CartPendulum, cart_pendulum};

use case::Case;
use options::Options;

/// Length of the experiment in s, step size in s, and largest force in N.
const DURATION: f64 = 6.0;
const STEP: f64 = 0.01;
const LARGEST_FORCE: f64 = 5.0;

fn main() -> Result<ExitCode> {
    let case = Case {
        heading: "Cart with a flexible pendulum in redundant coordinates: the force that tells most of c_f and d_f",
        key: "flexible_pendulum",
        model: cart_pendulum::OB.model(),
        input: CartPendulum::DRIVE,
        largest: LARGEST_FORCE,
        start: |t| cart_pendulum::OB.force(t),
        other: None,
        unknown: vec![CartPendulum::C_F, CartPendulum::D_F],
        output: CartPendulum::ANGLE,
        noise: vec![1e-3],
        criterion: Criterion::TraceOfInverse,
        as_printed: false,
        ends: vec![EndCondition::velocity(CartPendulum::X_C, 0.0)],
        shown: vec![CartPendulum::X_C, CartPendulum::PHI_1, CartPendulum::PHI_2, CartPendulum::PHI_3],
        step: STEP,
        end: DURATION,
        scheme: Scheme::Hht { alpha: cart_pendulum::ALPHA },
    };
    program::run(&case, &Options::parse())
}
