//! Identifies a spring with backlash from accelerations and from displacements, as in Kenderi: Nonparametric
//! identification of nonlinear dynamic systems (2018), section 3.1.2.

mod program;

use std::process::ExitCode;

use anyhow::Result;
use costate::filter::{KalmanMethod, SigmaPoints};
use costate_models::restoring_force::cases;

use program::Way;
use program::study::Refining;

/// From rest the motion wanders through the clearance for half a second, where it depends on its start so strongly that
/// even the true law leads elsewhere with other steps. That there is a clearance is known, neither how wide it is nor
/// the law around it.
const REFINING: Refining = Refining { segment: Some(0.05), kinks: &[(-8e-6, -1e-6), (1e-6, 8e-6)], sticks: false };

fn main() -> Result<ExitCode> {
    let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
    let displacements = Way::new("displacements, extended filter", KalmanMethod::Extended, (3.0, 1.0));
    let ways = [
        Way::new("accelerations, extended filter", KalmanMethod::Extended, (2.5, 0.0)),
        Way::new("accelerations, square-root unscented filter", unscented, (2.0, 1.0)),
        Way { displacements: true, ..displacements },
    ];
    program::run("Backlash", &ways.map(|way| (&cases::BACKLASH, Way { refining: REFINING, ..way })))
}
