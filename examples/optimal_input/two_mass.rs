//! The force on a two mass oscillator that says most of its second spring, as in Oberpeilsteiner: Parameter
//! Identification in Multibody System Dynamics using the Adjoint Sensitivity Analysis (2018), section 5.3.3; and how
//! far identifications with it, and with a constant force, scatter at three levels of noise.

mod program;

use std::process::ExitCode;

use anyhow::Result;
use costate::experiment::{Criterion, EndCondition};
use costate::simulate::Scheme;
use costate_models::TwoMasses;
use costate_models::two_masses::{DURATION, LARGEST_FORCE, STEP};

use program::Case;

fn main() -> Result<ExitCode> {
    let case = Case {
        heading: "Two masses: the force that says most of the stiffness c_2, from the position of the second mass",
        model: TwoMasses::default(),
        input: TwoMasses::FORCE,
        largest: LARGEST_FORCE,
        start: |_| 0.5 * LARGEST_FORCE,
        other: None,
        unknown: vec![TwoMasses::C_2],
        output: TwoMasses::POSITION,
        noise: vec![1e-6, 1e-5, 1e-4],
        criterion: Criterion::Trace,
        as_printed: false,
        ends: vec![EndCondition::velocity(TwoMasses::X_1, 0.0), EndCondition::velocity(TwoMasses::X_2, 0.0)],
        shown: vec![TwoMasses::X_1, TwoMasses::X_2],
        step: STEP,
        end: DURATION,
        scheme: Scheme::Undamped,
    };
    program::run(&case)
}
