//! The force on a cart with a flexible pendulum, a chain of three rods in redundant coordinates, that says most of
//! stiffness and damping of its joints: the model of Oberpeilsteiner: Parameter Identification in Multibody System
//! Dynamics using the Adjoint Sensitivity Analysis (2018), section 4.4.1, and what its outlook asks for, optimal inputs
//! of constrained systems.

mod program;

use std::process::ExitCode;

use anyhow::Result;
use costate::experiment::{Criterion, EndCondition};
use costate::simulate::Scheme;
use costate_models::{CartPendulum, cart_pendulum};

use program::Case;

fn main() -> Result<ExitCode> {
    let case = Case {
        heading: "Cart with a flexible pendulum in redundant coordinates: the force that says most of c_f and d_f",
        model: cart_pendulum::OB.model(),
        input: CartPendulum::DRIVE,
        largest: 5.0,
        start: |t| cart_pendulum::OB.force(t),
        other: None,
        unknown: vec![CartPendulum::C_F, CartPendulum::D_F],
        output: CartPendulum::ANGLE,
        noise: vec![1e-3],
        criterion: Criterion::TraceOfInverse,
        as_printed: false,
        ends: vec![EndCondition::velocity(CartPendulum::X_C, 0.0)],
        shown: vec![CartPendulum::X_C, CartPendulum::PHI_1, CartPendulum::PHI_2, CartPendulum::PHI_3],
        step: 0.01,
        end: 6.0,
        scheme: Scheme::Hht { alpha: cart_pendulum::ALPHA },
    };
    program::run(&case)
}
