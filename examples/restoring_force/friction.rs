//! Identifies an asymmetric spring with Coulomb friction, as in Kenderi: Nonparametric identification of nonlinear
//! dynamic systems (2018), section 3.1.3.

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

fn main() -> Result<()> {
    let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
    let experiments = [
        (
            &cases::FRICTION,
            Way {
                name: "extended filter",
                method: KalmanMethod::Extended,
                exponents: (3.0, 1.0),
                displacements: false,
                fewest: 5,
                refining: Refining { sticks: true, ..Refining::default() },
            },
        ),
        (
            &cases::FRICTION,
            Way {
                name: "square-root unscented filter",
                method: unscented,
                exponents: (2.0, 1.0),
                displacements: false,
                fewest: 5,
                refining: Refining::default(),
            },
        ),
    ];
    program::run("Asymmetric stiffness with friction", "friction", &experiments, &Options::parse())
}
