//! Convergence plots (KE 2.2.4, 2.2.6): classical and good tuning, divergence, and a filter without a lower bound.

use anyhow::Result;
use costate::plot::color::{BLUE, GREY};
use costate::plot::{Axis, Figure, Line, Panel};
use costate::restoring_force::RestoringForces;
use costate_examples::{convergence_panel, over_time, sampled_law};
use costate_models::restoring_force::{INTERVAL, NOISE, Sweep, cases};
use serde::Serialize;

use crate::record::{Record, error_of_constant, error_of_state, identification, identify, respond};

/// A linear oscillator: stiffness in N/m and damping in N s/m; its sweep; the ends of its force tables in m and
/// m/s, beyond its motion.
const LINEAR: (f64, f64) = (8e6, 600.0);
const LINEAR_SWEEP: Sweep = Sweep { amplitude: 5.0, from: 100.0, to: 400.0 };
const END_OF_TABLES: (f64, f64) = (1e-4, 0.3);

/// One run of a filter.
pub struct Shown {
    pub errors: ShownErrors,
    forces: RestoringForces,
    /// The true effective stiffness over time.
    stiffness: Vec<f64>,
}

/// Errors of a run, as they are reported.
#[derive(Debug, Serialize)]
pub struct ShownErrors {
    pub name: &'static str,
    /// e_m, and the mean of e_s over the samples.
    pub measurement_error: f64,
    pub synchronisation_error: f64,
    /// e_M and e_RMS of the effective stiffness, relative to the stiffness if that is constant; `null` if the
    /// filter was stopped.
    pub stiffness: [f64; 2],
    /// Reason why the filter was stopped; `None` if it was not.
    pub stopped: Option<String>,
}

/// Computes the runs of KE 2.4 to 2.6 and 2.8 to 2.10.
///
/// # Errors
/// Those of simulations and filters.
pub fn runs(seed: u64) -> Result<Vec<Shown>> {
    let straight = |slope: f64, end: f64| sampled_law(|x| slope * x, end, 5);
    let (elastic, dissipative) = (straight(LINEAR.0, END_OF_TABLES.0)?, straight(LINEAR.1, END_OF_TABLES.1)?);
    let linear = Record::of(respond(elastic, dissipative, LINEAR_SWEEP)?, NOISE, seed)?;
    let start = (1.2 * LINEAR.0 / cases::SCALE, 0.8 * LINEAR.1 / cases::SCALE);
    let of_linear =
        identification(start, (-2.0, -2.0), 0.01, false)?.run(&linear.motion.base, &linear.accelerations)?;
    let samples = linear.motion.base.len();
    let mut shown = vec![Shown::of("constant stiffness, q = -2", of_linear, vec![LINEAR.0 / cases::SCALE; samples])];

    let additive = Record::of_case(&cases::ADDITIVE, seed)?;
    for (name, exponent) in [("classical tuning, q = 1", 1.0), ("high gain, q = 3", 3.0)] {
        let forces = identify(&cases::ADDITIVE, &additive, (exponent, exponent))?;
        shown.push(Shown::of(name, forces, additive.stiffness(|z| cases::ADDITIVE.elastic(z))));
    }

    let friction = Record::of_case(&cases::FRICTION, seed)?;
    let stiffness = || friction.stiffness(|z| cases::FRICTION.elastic(z));
    let forces = identify(&cases::FRICTION, &friction, (5.0, 5.0))?;
    shown.push(Shown::of("friction, q = 5", forces, stiffness()));
    let unbounded = identification(cases::FRICTION.a_priori, (3.0, 3.0), f64::NEG_INFINITY, false)?;
    let forces = unbounded.run(&friction.motion.base, &friction.accelerations)?;
    shown.push(Shown::of("friction, q = 3, no lower bound", forces, stiffness()));
    let forces = identify(&cases::FRICTION, &friction, (3.0, 3.0))?;
    shown.push(Shown::of("friction, q = 3", forces, stiffness()));
    Ok(shown)
}

impl Shown {
    fn of(name: &'static str, forces: RestoringForces, stiffness: Vec<f64>) -> Self {
        let known = forces.convergence().synchronisation_errors.iter().filter(|error| error.is_finite());
        let errors = ShownErrors {
            name,
            measurement_error: forces.convergence().measurement_error,
            synchronisation_error: known.clone().sum::<f64>() / known.count().max(1) as f64,
            stiffness: match stiffness.iter().all(|s| *s == stiffness[0]) {
                true => error_of_constant(&forces, 2, stiffness[0]),
                false => error_of_state(&forces, 2, &stiffness),
            },
            stopped: forces.run().stopped().map(ToString::to_string),
        };
        Self { errors, forces, stiffness }
    }
}

/// Draws KE 2.4 to 2.6 and 2.8 to 2.10.
pub fn figure(shown: &[Shown]) -> Figure {
    let mut figure = Figure::new(2, (560, 280));
    for run in shown {
        let in_n_per_um =
            |values: &[f64]| over_time(&values.iter().map(|s| 1e-6 * cases::SCALE * s).collect::<Vec<_>>(), INTERVAL);
        let found: Vec<f64> = run.forces.run().state(2).collect();
        let highest = 1e-6 * cases::SCALE * run.stiffness.iter().fold(0.0_f64, |high, s| high.max(*s));
        let axes = (Axis::new("time").unit("s"), Axis::new("stiffness").unit("N/µm"));
        let stiffness = Panel::new(run.errors.name, axes.0, axes.1.range((-0.2 * highest, 1.6 * highest)))
            .line(Line::new("true", GREY, in_n_per_um(&run.stiffness)))
            .line(Line::new("filter", BLUE, in_n_per_um(&found)));
        figure = figure.panel(convergence_panel(run.forces.convergence(), INTERVAL)).panel(stiffness);
    }
    figure
}
