//! Identifies a spring with backlash from accelerations and from displacements, as in Kenderi: Nonparametric
//! identification of nonlinear dynamic systems (2018), section 3.1.2.

mod figures;
mod measurement;
mod options;
mod program;
mod refine;
mod study;

use anyhow::Result;
use clap::Parser;
use costate::filter::{KalmanMethod, SigmaPoints};
use costate_models::restoring_force::cases;

use options::Options;
use study::Way;

fn main() -> Result<()> {
    let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
    let experiments = [
        (
            &cases::BACKLASH,
            Way {
                name: "accelerations, extended filter",
                method: KalmanMethod::Extended,
                exponents: (2.5, 0.0),
                displacements: false,
                fewest: 5,
            },
        ),
        (
            &cases::BACKLASH,
            Way {
                name: "accelerations, square-root unscented filter",
                method: unscented,
                exponents: (2.0, 1.0),
                displacements: false,
                fewest: 5,
            },
        ),
        (
            &cases::BACKLASH,
            Way {
                name: "displacements, extended filter",
                method: KalmanMethod::Extended,
                exponents: (3.0, 1.0),
                displacements: true,
                fewest: 5,
            },
        ),
    ];
    program::run("Backlash", "backlash", &experiments, &Options::parse())
}
