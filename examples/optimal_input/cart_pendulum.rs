//! The force on a cart with a pendulum that says most of the pendulum's length and damping, as in Oberpeilsteiner:
//! Parameter Identification in Multibody System Dynamics using the Adjoint Sensitivity Analysis (2018), section 5.3.4;
//! and how far identifications with it, with a sine of the same amplitude and with a small one scatter.

mod program;

use std::f64::consts::TAU;
use std::process::ExitCode;

use anyhow::Result;
use costate::experiment::{Criterion, EndCondition};
use costate::simulate::Scheme;
use costate_models::PendulumOnCart;
use costate_models::pendulum_on_cart::{DURATION, LARGEST_FORCE, STEP};

use program::Case;

fn main() -> Result<ExitCode> {
    let case = Case {
        heading: "Cart with a pendulum: the force that says most of s_p and d_p, from the pendulum's angle",
        model: PendulumOnCart::default(),
        input: PendulumOnCart::FORCE,
        largest: LARGEST_FORCE,
        start: |t| 0.5 * LARGEST_FORCE * (TAU * t / DURATION).sin(),
        other: Some(("sine of the same amplitude", |t| LARGEST_FORCE * (TAU * t / DURATION).sin())),
        unknown: vec![PendulumOnCart::S_P, PendulumOnCart::D_P],
        output: PendulumOnCart::ANGLE,
        noise: vec![1e-2],
        criterion: Criterion::TraceOfInverse,
        as_printed: true,
        ends: vec![
            EndCondition::position(PendulumOnCart::PHI, 0.0),
            EndCondition::velocity(PendulumOnCart::X, 0.0),
            EndCondition::velocity(PendulumOnCart::PHI, 0.0),
        ],
        shown: vec![PendulumOnCart::X, PendulumOnCart::PHI],
        step: STEP,
        end: DURATION,
        scheme: Scheme::Undamped,
    };
    program::run(&case)
}
