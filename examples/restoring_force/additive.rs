//! Identifies an additive restoring force as curves and as a surface, with two filters, as in Kenderi: Nonparametric
//! identification of nonlinear dynamic systems (2018), section 3.1.1.

mod program;

use std::process::ExitCode;

use anyhow::Result;
use costate::filter::{KalmanMethod, SigmaPoints};
use costate_models::restoring_force::cases;

use program::Way;

fn main() -> Result<ExitCode> {
    let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
    let ways = [
        Way::new("extended filter", KalmanMethod::Extended, (3.0, 1.0)),
        Way::new("square-root unscented filter", unscented, (2.0, 1.0)),
    ];
    program::run("Additive restoring force", &ways.map(|way| (&cases::ADDITIVE, way)))
}
