//! Identifies the surface of a van der Pol oscillator from its free and its forced oscillation, as in Kenderi:
//! Nonparametric identification of nonlinear dynamic systems (2018), section 3.2.

mod program;

use std::process::ExitCode;

use anyhow::Result;
use costate::filter::KalmanMethod;
use costate_models::restoring_force::cases;

use program::Way;

fn main() -> Result<ExitCode> {
    let way = Way::new("extended filter", KalmanMethod::Extended, (0.0, 4.0));
    // the limit cycle fills its cells again and again
    let free = (&cases::VAN_DER_POL_FREE, Way { fewest: 20, ..way });
    program::run("Van der Pol oscillator", &[free, (&cases::VAN_DER_POL_FORCED, way)])
}
