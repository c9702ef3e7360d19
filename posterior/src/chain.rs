//! One chain.

use costate_ensemble::Interrupt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

use crate::density::{Fault, LogDensity};
use crate::nuts::{NutsSettings, draw_chain};
use crate::whitening::Whitening;

/// So many starts are tried until one has a density.
const STARTS: usize = 100;

/// After so many of them, the next ones are half as far from the centre.
const STARTS_SO_FAR: usize = 10;

/// The draws of one chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Chain {
    /// What is reported of every draw: as many numbers as there are names.
    pub draws: Vec<Vec<f64>>,
    /// How the trajectories were that led to the draws.
    pub statistics: DrawStatistics,
    /// What was drawn before, while the sampler adapted itself.
    pub warmup: Warmup,
    /// Points without a density, those of the warm-up included.
    pub failed: Option<FailedEvaluations>,
}

/// How the trajectories were that led to the draws: of each quantity one number for every draw.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DrawStatistics {
    /// The logarithm of the density of the coordinates, but for a constant.
    pub log_density: Vec<f64>,
    /// The Hamiltonian: kinetic energy minus that logarithm.
    pub energy: Vec<f64>,
    /// The mean over the trajectory of the probability with which a point of it would be accepted.
    pub acceptance: Vec<f64>,
    /// Step size.
    pub step_size: Vec<f64>,
    /// How often the trajectory was doubled.
    pub depth: Vec<u64>,
    /// Gradients that were computed.
    pub gradients: Vec<u64>,
    /// Whether the trajectory ended because it had been doubled as often as it may be.
    pub reached_maximum_depth: Vec<bool>,
    /// Whether the trajectory ended where energy was not kept, or where there is no density.
    pub diverged: Vec<bool>,
}

/// What was drawn while the sampler adapted itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Warmup {
    /// Draws.
    pub draws: usize,
    /// Gradients that were computed.
    pub gradients: u64,
    /// Divergences.
    pub divergences: usize,
}

/// Points without a density.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FailedEvaluations {
    /// How many.
    pub count: usize,
    /// Why the last of them had none.
    pub last: String,
}

impl Chain {
    /// Divergences behind the warm-up.
    pub fn divergences(&self) -> usize {
        self.statistics.diverged.iter().filter(|diverged| **diverged).count()
    }

    /// Gradients that were computed for the chain, those of the warm-up included.
    pub fn gradients(&self) -> u64 {
        self.warmup.gradients + self.statistics.gradients.iter().sum::<u64>()
    }
}

/// What a draw tells whoever watches: whether it belongs to the warm-up, its divergence and the step size.
pub(crate) type Watch<'w> = dyn FnMut(bool, bool, f64) + 'w;

/// Draws one chain from a start that is scattered about the centre, by `dispersion` in units of the whitened coordinates.
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

/// A start with a density, in whitened coordinates.
fn start(
    seed: u64,
    coordinates: usize,
    dispersion: f64,
    evaluate: &mut impl FnMut(&[f64], &mut [f64]) -> Result<f64, Fault>,
) -> Result<Vec<f64>, String> {
    // another stream than that of the sampler
    let mut random = ChaCha8Rng::seed_from_u64(seed.rotate_left(32));
    let mut gradient = vec![0.0; coordinates];
    let mut last = String::new();
    for attempt in 0..STARTS {
        let distance = dispersion * 0.5f64.powi((attempt / STARTS_SO_FAR) as i32);
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
    Err(format!("none of {STARTS} starts has a density: {last}"))
}
