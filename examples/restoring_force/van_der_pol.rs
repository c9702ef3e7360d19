//! Identifies the surface of a van der Pol oscillator from its free and its forced oscillation, as in Kenderi:
//! Nonparametric identification of nonlinear dynamic systems (2018), section 3.2.

mod figures;
mod measurement;
mod options;
mod program;
mod refine;
mod study;

use anyhow::Result;
use clap::Parser;
use costate::filter::KalmanMethod;
use costate_models::restoring_force::cases;

use options::Options;
use study::{Refining, Way};

fn main() -> Result<()> {
    let experiments = [
        (
            &cases::VAN_DER_POL_FREE,
            Way {
                name: "extended filter",
                method: KalmanMethod::Extended,
                exponents: (0.0, 4.0),
                displacements: false,
                // the limit cycle fills its cells again and again
                fewest: 20,
                refining: Refining::default(),
            },
        ),
        (
            &cases::VAN_DER_POL_FORCED,
            Way {
                name: "extended filter",
                method: KalmanMethod::Extended,
                exponents: (0.0, 4.0),
                displacements: false,
                fewest: 5,
                refining: Refining::default(),
            },
        ),
    ];
    program::run("Van der Pol oscillator", "van_der_pol", &experiments, &Options::parse())
}
