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
use study::{Refining, Way};

/// From rest the motion wanders through the clearance for half a second, where it depends on its start so strongly that
/// even the true law leads elsewhere with other steps. That there is a clearance is known, neither how wide it is nor
/// the law around it.
const REFINING: Refining = Refining { segment: Some(0.05), kinks: &[(-8e-6, -1e-6), (1e-6, 8e-6)], sticks: false };

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
                refining: REFINING,
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
                refining: REFINING,
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
                refining: REFINING,
            },
        ),
    ];
    program::run("Backlash", "backlash", &experiments, &Options::parse())
}
