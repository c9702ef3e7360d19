//! Poles over the speed, and where they meet the orders of the engine.
//!
//! The moments of inertia of the crank mechanisms change with the angle, so that the engine in motion is a system whose
//! coefficients are periodic in time, and has no modes in the strict sense. At every speed, the poles are those of
//! linear models at angles of a revolution of the turning engine, as if it stayed there. Their mean is the Floquet
//! exponent to first order in the change of inertia; what is of second order, and parametric resonances, are not in it.

use std::f64::consts::TAU;

use anyhow::{Result, ensure};
use costate::vibration::{Complex, Poles};
use costate_models::FourCylinderEngine;
use serde::Serialize;

use crate::engine::{Turning, at_rest};

/// Orders of a four-stroke engine with four cylinders whose firing intervals are even, and the first one of its mass
/// forces.
pub const ORDERS: [f64; 6] = [2.0, 4.0, 6.0, 8.0, 10.0, 12.0];

/// The lowest speed in rpm.
const MIN_SPEED: f64 = 600.0;

/// Poles of a mode over a revolution.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Revolution {
    /// Natural frequency of the mean of all poles, and the lowest and the highest one, in Hz.
    pub mean: f64,
    pub lowest: f64,
    pub highest: f64,
    /// Damping ratio of the mean of all poles.
    pub damping: f64,
}

/// A mode over the speed.
#[derive(Debug, Clone)]
pub struct Branch {
    /// Number of the mode, from 1.
    pub mode: usize,
    /// At rest.
    pub at_rest: Revolution,
    /// At each of the speeds; `None` where the mode does not oscillate at every angle.
    pub over_speed: Vec<Option<Revolution>>,
}

/// A speed at which an order of the engine has a natural frequency.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Crossing {
    /// Number of the mode, from 1.
    pub mode: usize,
    pub order: f64,
    /// Speed in rpm.
    pub speed: f64,
    /// Frequency in Hz.
    pub frequency: f64,
}

/// The poles over the speed.
#[derive(Debug, Clone)]
pub struct Campbell {
    /// Speeds in rpm.
    pub speeds: Vec<f64>,
    pub branches: Vec<Branch>,
    pub crossings: Vec<Crossing>,
}

impl Campbell {
    /// Computes the poles from the lowest speed to this one in rpm.
    pub fn of(engine: &FourCylinderEngine, to: f64) -> Result<Self> {
        ensure!(to > MIN_SPEED, "choose a largest speed above {MIN_SPEED} rpm with --to, such as 6500");
        let step = (to - MIN_SPEED) / 12.0;
        let speeds: Vec<f64> = (0..=12).map(|k| MIN_SPEED + step * f64::from(k)).collect();
        let at_rest = revolutions(&Poles::over(&angles(), |angle| Ok(at_rest(engine, angle).find()?.linearized()))?);
        let mut branches: Vec<Branch> = at_rest
            .into_iter()
            .enumerate()
            .map(|(index, at_rest)| Branch { mode: index + 1, at_rest, over_speed: Vec::new() })
            .collect();
        for &speed in &speeds {
            let turning = Turning::at(engine, speed)?;
            let here = revolutions(&Poles::over(&angles(), |angle| turning.linearized(angle))?);
            for branch in &mut branches {
                let distance = |one: &Revolution| (one.mean / branch.at_rest.mean - 1.0).abs();
                let nearest = here.iter().min_by(|one, other| distance(one).total_cmp(&distance(other)));
                // a mode whose mean changes by more over the speed is not taken for the same one
                branch.over_speed.push(nearest.filter(|one| distance(one) < 0.1).copied());
            }
        }
        let crossings = crossings(&speeds, &branches);
        Ok(Self { speeds, branches, crossings })
    }
}

/// Returns the angles of a revolution in degrees.
fn angles() -> Vec<f64> {
    (0..24).map(|k| 360.0 * f64::from(k) / 24.0).collect()
}

/// Returns the modes that oscillate at all angles, by frequency.
fn revolutions(poles: &Poles) -> Vec<Revolution> {
    let whole = poles.branches.iter().filter(|branch| {
        branch.eigenvalues.len() == poles.values.len() && branch.eigenvalues.iter().all(|value| value.im > 0.0)
    });
    let mut all: Vec<Revolution> = whole
        .map(|branch| {
            let values = &branch.eigenvalues;
            let mean = values.iter().sum::<Complex<f64>>() / values.len() as f64;
            let sizes = || values.iter().map(|value| value.norm() / TAU);
            Revolution {
                mean: mean.norm() / TAU,
                lowest: sizes().fold(f64::INFINITY, f64::min),
                highest: sizes().fold(0.0, f64::max),
                damping: -mean.re / mean.norm(),
            }
        })
        .collect();
    all.sort_by(|one, other| one.mean.total_cmp(&other.mean));
    all
}

/// Finds where the means meet the orders, between neighbouring speeds.
fn crossings(speeds: &[f64], branches: &[Branch]) -> Vec<Crossing> {
    let mut found = Vec::new();
    for branch in branches {
        for order in ORDERS {
            let above = |k: usize| branch.over_speed[k].map(|here| here.mean - order * speeds[k] / 60.0);
            for k in 1..speeds.len() {
                let (Some(before), Some(after)) = (above(k - 1), above(k)) else { continue };
                if (before > 0.0) != (after > 0.0) {
                    let speed = speeds[k - 1] + (speeds[k] - speeds[k - 1]) * before / (before - after);
                    found.push(Crossing { mode: branch.mode, order, speed, frequency: order * speed / 60.0 });
                }
            }
        }
    }
    found
}
