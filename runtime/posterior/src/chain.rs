//! One chain, which is a task of an ensemble: it begins at a scattered start, and is drawn in the coordinates of
//! `whitening`.

use costate_ensemble::Interrupt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

use crate::density::{Fault, LogDensity};
use crate::nuts::{NutsSettings, draw_chain};
use crate::whitening::Whitening;

/// The draws of one chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Chain {
    /// Reported values of every draw: as many numbers as there are names.
    pub draws: Vec<Vec<f64>>,
    /// Statistics of the trajectories that led to the draws.
    pub statistics: DrawStatistics,
    /// Counts of the warm-up, in which the sampler adapts.
    pub warmup: Warmup,
    /// Points without a density, including the warm-up; `None` if there were none.
    pub failed: Option<FailedEvaluations>,
}

/// Statistics of the trajectories that led to the draws: one number per draw for every quantity.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DrawStatistics {
    /// The logarithm of the density of the coordinates, up to a constant.
    pub log_density: Vec<f64>,
    /// The Hamiltonian: kinetic energy minus the logarithm of the density.
    pub energy: Vec<f64>,
    /// The mean, over the points of the trajectory, of their acceptance probability.
    pub acceptance: Vec<f64>,
    /// Step size.
    pub step_size: Vec<f64>,
    /// Number of doublings of the trajectory.
    pub depth: Vec<u64>,
    /// Number of gradients computed.
    pub gradients: Vec<u64>,
    /// Marks the trajectories that ended because they had reached the largest number of doublings.
    pub reached_maximum_depth: Vec<bool>,
    /// Marks the trajectories that ended where energy was not conserved, or where there is no density.
    pub diverged: Vec<bool>,
}

/// Counts of the warm-up, in which the sampler adapts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Warmup {
    /// Number of draws.
    pub draws: usize,
    /// Number of gradients computed.
    pub gradients: u64,
    /// Number of divergences.
    pub divergences: usize,
}

/// Points without a density.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FailedEvaluations {
    /// Number of such points.
    pub count: usize,
    /// Reason why the last of them had no density.
    pub last: String,
}

impl Chain {
    /// Counts the divergences after the warm-up.
    pub fn divergences(&self) -> usize {
        self.statistics.diverged.iter().filter(|diverged| **diverged).count()
    }

    /// Counts the gradients that were computed for the chain, including the warm-up.
    pub fn gradients(&self) -> u64 {
        self.warmup.gradients + self.statistics.gradients.iter().sum::<u64>()
    }
}

/// Callback after every draw: whether it belongs to the warm-up, whether it diverged, and the step size.
pub(crate) type Watch<'w> = dyn FnMut(bool, bool, f64) + 'w;

/// Draws one chain from a start scattered around the centre, by `dispersion` in units of the whitened coordinates.
pub(crate) fn chain<D: LogDensity>(
    density: &D,
    (whitening, dispersion): (&Whitening, f64),
    settings: NutsSettings,
    interrupt: &Interrupt,
    watch: &mut Watch<'_>,
) -> Result<Chain, String> {
    let coordinates = whitening.centre().len();
    let mut failed = None;
    let mut evaluate_point = density.evaluator();
    let mut evaluate = |whitened: &[f64], gradient: &mut [f64]| {
        if interrupt.is_triggered() {
            return Err(Fault::Stop("interrupted".to_owned()));
        }
        let mut by_point = vec![0.0; coordinates];
        let evaluated = evaluate_point(&whitening.point(whitened), &mut by_point);
        let checked = evaluated.and_then(|value| {
            gradient.copy_from_slice(&whitening.by_whitened(&by_point));
            match value.is_finite() && gradient.iter().all(|derivative| derivative.is_finite()) {
                true => Ok(value),
                false => Err(Fault::Here("the density or its gradient is not finite".to_owned())),
            }
        });
        if let Err(Fault::Here(reason)) = &checked {
            let count = failed.as_ref().map_or(0, |failed: &FailedEvaluations| failed.count) + 1;
            failed = Some(FailedEvaluations { count, last: reason.clone() });
        }
        checked
    };
    let start = start(settings.seed, coordinates, dispersion, &mut evaluate)?;
    let mut draws = Vec::new();
    let mut statistics = DrawStatistics::default();
    let mut warmup = Warmup::default();
    let drawn = draw_chain(settings, &start, &mut evaluate, |drawn| {
        let is_warmup = (warmup.draws as u64) < settings.warmup;
        watch(is_warmup, drawn.diverged, drawn.step_size);
        if is_warmup {
            warmup.draws += 1;
            warmup.gradients += drawn.gradients;
            warmup.divergences += usize::from(drawn.diverged);
            return;
        }
        draws.push(density.reported(&whitening.point(&drawn.point)));
        statistics.log_density.push(drawn.log_density);
        statistics.energy.push(drawn.energy);
        statistics.acceptance.push(drawn.acceptance);
        statistics.step_size.push(drawn.step_size);
        statistics.depth.push(drawn.depth);
        statistics.gradients.push(drawn.gradients);
        statistics.reached_maximum_depth.push(drawn.reached_maximum_depth);
        statistics.diverged.push(drawn.diverged);
    });
    drawn?;
    Ok(Chain { draws, statistics, warmup, failed })
}

/// Finds a start with a density, in whitened coordinates.
fn start(
    seed: u64,
    coordinates: usize,
    dispersion: f64,
    evaluate: &mut impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault>,
) -> Result<Vec<f64>, String> {
    /// Number of starts after which the next ones are half as far from the centre.
    const STARTS_PER_DISTANCE: usize = 10;
    /// Largest number of starts that are tried until one has a density.
    const MAX_STARTS: usize = 100;
    // a random stream other than that of the sampler
    let mut random = ChaCha8Rng::seed_from_u64(seed.rotate_left(32));
    let mut gradient = vec![0.0; coordinates];
    let mut last = String::new();
    for attempt in 0..MAX_STARTS {
        let distance = dispersion * 0.5f64.powi((attempt / STARTS_PER_DISTANCE) as i32);
        let start: Vec<f64> = (0..coordinates)
            .map(|_| {
                let normal: f64 = StandardNormal.sample(&mut random);
                distance * normal
            })
            .collect();
        match evaluate(&start, &mut gradient) {
            Ok(_) => return Ok(start),
            Err(Fault::Stop(reason)) => return Err(reason),
            Err(Fault::Here(reason)) => last = reason,
        }
    }
    Err(format!("none of {MAX_STARTS} starts has a density: {last}"))
}
