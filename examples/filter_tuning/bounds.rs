//! Effect of the lower bound of the effective stiffness on a force with backlash (KE 3.1.2).

use anyhow::Result;
use costate::plot::color::{BLUE, GREY, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_examples::spaced;
use costate_models::restoring_force::{Case, cases};
use serde::Serialize;

use crate::record::{Record, error_of_state, identification};

const CASE: &Case = &cases::BACKLASH;

/// Exponents of the filters for accelerations and for displacements.
const EXPONENTS: [(f64, f64); 2] = [(2.5, 0.0), (3.0, 1.0)];

/// First and last bound that are tried, and their number.
const RANGES: [(f64, f64, usize); 2] = [(-0.3, 0.5, 17), (-6.0, 0.0, 13)];

/// e_M and e_RMS of deformation and effective stiffness; `null` if the filter was stopped.
#[derive(Debug, Serialize)]
pub struct BoundErrors {
    pub bound: f64,
    pub deformation: [f64; 2],
    pub stiffness: [f64; 2],
}

#[derive(Debug, Serialize)]
pub struct BoundStudy {
    pub accelerations: Vec<BoundErrors>,
    pub displacements: Vec<BoundErrors>,
}

/// Tries all bounds.
///
/// # Errors
/// Those of simulations and filters.
pub fn study(seed: u64) -> Result<BoundStudy> {
    let record = Record::of_case(CASE, seed)?;
    let stiffness = record.stiffness(|z| CASE.elastic(z));
    let of = |sensor: usize| -> Result<Vec<BoundErrors>> {
        let (first, last, count) = RANGES[sensor];
        let measured = [&record.accelerations, &record.deformations][sensor];
        let try_out = |bound: f64| {
            let forces = identification(CASE.a_priori, EXPONENTS[sensor], bound, sensor == 1)?
                .run(&record.motion.base, measured)?;
            Ok(BoundErrors {
                bound,
                deformation: error_of_state(&forces, 0, &record.motion.deformations),
                stiffness: error_of_state(&forces, 2, &stiffness),
            })
        };
        spaced([first, last], count).map(try_out).collect()
    };
    Ok(BoundStudy { accelerations: of(0)?, displacements: of(1)? })
}

impl BoundStudy {
    /// Draws KE 3.10 and 3.11.
    pub fn figure(&self) -> Figure {
        let mut figure = Figure::new(2, (480, 280));
        let sensors = [("accelerations", &self.accelerations), ("displacements", &self.displacements)];
        for (title, of) in
            [("Bias", (|[mean, _]: [f64; 2]| mean) as fn([f64; 2]) -> f64), ("Scatter", |[mean, rms]| rms - mean)]
        {
            for (name, errors) in sensors {
                let points = |error: fn(&BoundErrors) -> [f64; 2]| -> Vec<_> {
                    errors.iter().map(|at| (at.bound, of(error(at)))).collect()
                };
                let (deformation, stiffness) = (points(|at| at.deformation), points(|at| at.stiffness));
                let highest = stiffness.iter().chain(&deformation).fold(0.0_f64, |high, (_, e)| high.max(*e)).min(3.0);
                let axes = (Axis::new("lower bound of s"), Axis::new("error").range((-0.05, 1.1 * highest.max(0.1))));
                let chosen = [(CASE.lowest_stiffness, 0.0), (CASE.lowest_stiffness, highest)];
                let mut panel = Panel::new(format!("{title} from {name}"), axes.0, axes.1)
                    .line(Line::new("deformation", BLUE, deformation).marked())
                    .line(Line::new("stiffness", ORANGE, stiffness).marked());
                if name == "accelerations" {
                    panel = panel.line(Line::new("chosen", GREY, chosen).width(2.0));
                }
                figure = figure.panel(panel);
            }
        }
        figure
    }
}
