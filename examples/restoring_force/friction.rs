//! Identifies an asymmetric spring with Coulomb friction, as in Kenderi: Nonparametric identification of nonlinear
//! dynamic systems (2018), section 3.1.3.

mod program;

use std::process::ExitCode;

use anyhow::Result;
use costate::filter::{KalmanMethod, SigmaPoints};
use costate_models::restoring_force::cases;

use program::Way;
use program::study::Refining;

fn main() -> Result<ExitCode> {
    let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
    let extended = Way::new("extended filter", KalmanMethod::Extended, (3.0, 1.0));
    let ways = [
        Way { refining: Refining { sticks: true, ..Refining::default() }, ..extended },
        Way::new("square-root unscented filter", unscented, (2.0, 1.0)),
    ];
    program::run("Asymmetric stiffness with friction", &ways.map(|way| (&cases::FRICTION, way)))
}
