//! Motions that neighbouring ones leave exponentially, as chaotic ones do: no step is short enough for a long run.

use std::fmt;

use costate::command::shown::Shown;
use costate::model::Parameter;
use costate::simulate::{Run, Simulation};

use crate::loaded::Loaded;

/// Relative change of all parameters of the neighbouring run.
const CHANGE: f64 = 1e-9;

/// Distance of the runs, relative to the size of the motion, up to which it grows exponentially. Where motions diverge
/// with powers of the time, a run of a thousand periods is far from it.
const MAX_DISTANCE: f64 = 1e-2;

/// Distance of the runs that exponential growth reaches in the first half of its time, and comes to after three
/// quarters of it at the latest.
const HALF_GROWN: f64 = 3e-6;

/// Samples at least in which a distance grows by these seven decades, where it is no rounding.
const MIN_SAMPLES: usize = 50;

/// Smallest size of a coordinate that is not rounding, relative to others of its unit.
const MIN_SIZE: f64 = 1e-6;

/// Steps of the two runs at most.
const MAX_STEPS: f64 = 5e4;

/// The growth of a small change along a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Divergence {
    /// Time in s at which the change is a hundredth of the motion.
    lost: f64,
    /// Time in s in which it grows by a factor e.
    folding: f64,
}

impl Divergence {
    /// Compares a run of this length in s, with these parameters, with one whose parameters are slightly different;
    /// `None` where they stay beside each other, and for a model with kinks or jumps, whose steps alone may drive runs
    /// apart.
    pub fn of(loaded: &Loaded, simulation: &Simulation, parameters: &[f64], end: f64, step: f64) -> Option<Self> {
        if loaded.compiled.has_kinks() {
            return None;
        }
        let own = simulation.clone().error_limit(None).step(step.max(end / MAX_STEPS));
        let all = Parameter::each_of(own.description().model.system.description()).zip(parameters).enumerate();
        let changed = all.fold(own.clone(), |changed, (k, (parameter, value))| {
            // not in proportion, which may change units alone
            changed.parameter(parameter, value * (1.0 + CHANGE * (1.0 + 0.3 * k as f64)))
        });
        let (own, changed) = (own.run().ok()?, changed.run().ok()?);
        let (own_values, changed_values) = (coordinates(&own), coordinates(&changed));
        let units: Vec<&str> = own.trajectory().description().coordinates.iter().map(|one| one.unit).collect();
        let most = |row: &Vec<f64>| row.iter().fold(0.0, |most: f64, q| most.max(q.abs()));
        let size = |(row, unit): (&Vec<f64>, &&str)| {
            let of_unit = own_values.iter().zip(&units).filter(|(_, other)| *other == unit).map(|(row, _)| most(row));
            most(row).max(MIN_SIZE * of_unit.fold(0.0, f64::max))
        };
        let sizes: Vec<f64> = own_values.iter().zip(&units).map(size).collect();
        let (own_values, changed_values, sizes) = (&own_values, &changed_values, &sizes);
        let is_lost = |distance: f64| {
            move |sample: &usize| {
                own_values.iter().zip(changed_values).zip(sizes).any(|((a, b), size)| {
                    match (a.get(*sample), b.get(*sample)) {
                        (Some(a), Some(b)) => (a - b).abs() > distance * size,
                        _ => false,
                    }
                })
            }
        };
        let times = own.times();
        let lost = (0..times.len()).find(is_lost(MAX_DISTANCE)).filter(|sample| *sample >= MIN_SAMPLES)?;
        // a jump is no growth
        let grown = (0..times.len()).find(is_lost(HALF_GROWN))?;
        if 4 * grown > 3 * lost {
            return None;
        }
        let lost = *times.get(lost)?;
        Some(Self { lost, folding: lost / (MAX_DISTANCE / CHANGE).ln() })
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lost, folding] =
            [self.lost, self.folding].map(|time| Shown(format!("{time:.1e}").parse().unwrap_or(time)));
        write!(
            f,
            "neighbouring motions diverge, as in chaos: a change of the parameters by {CHANGE:e} of their size changes \
                 the motion by 1 % after {lost} s, growing by a factor e every {folding} s, so that no step is short \
                 enough for a long run: end it sooner (`--until {lost}`), and fit it in pieces (`costate fit --pieces`)"
        )
    }
}

/// Returns the coordinates of a run at its samples.
fn coordinates(run: &Run) -> Vec<Vec<f64>> {
    let trajectory = run.trajectory();
    let count = trajectory.description().coordinates.len();
    let of_sample = |sample: usize, j: usize| trajectory.coordinates(trajectory.step_of_sample(sample)).get(j).copied();
    (0..count).map(|j| (0..run.outputs().samples()).filter_map(|sample| of_sample(sample, j)).collect()).collect()
}
