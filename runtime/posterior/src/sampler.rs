//! Settings and execution of the sampler.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use costate_ensemble::{Description, Ensemble, Failure, Interrupt, Task, Tasks};

use crate::chain::chain;
use crate::density::{Fault, LogDensity};
use crate::error::SamplingError;
use crate::nuts::NutsSettings;
use crate::progress::{ChainProgress, Line};
use crate::samples::Samples;
use crate::whitening::Whitening;

/// Callback with the progress of chains; called by several threads at once.
type Observer<'e> = Arc<dyn Fn(&ChainProgress) + Send + Sync + 'e>;

/// Settings of the sampler: number and length of the chains, their starts, and the executor that draws them.
///
/// Every chain is a task of an [`Ensemble`]: its draws follow from the density, these settings and its number, not from
/// the threads or processes that draw it.
#[derive(Clone)]
pub struct Sampler<'e> {
    chains: usize,
    draws: usize,
    warmup: usize,
    seed: u64,
    target_acceptance: f64,
    maximum_depth: u64,
    around: Option<(Vec<f64>, Vec<Vec<f64>>)>,
    dispersion: f64,
    ensemble: Ensemble<'e>,
    interrupt: Interrupt,
    observer: Option<Observer<'e>>,
    progress: bool,
}

impl Default for Sampler<'_> {
    fn default() -> Self {
        Self {
            chains: 4,
            draws: 1000,
            warmup: 1000,
            seed: 0,
            target_acceptance: 0.8,
            maximum_depth: 10,
            around: None,
            dispersion: 1.0,
            ensemble: Ensemble::new(),
            interrupt: Interrupt::new(),
            observer: None,
            progress: false,
        }
    }
}

impl<'e> Sampler<'e> {
    /// Makes a sampler of four chains of 1000 draws each, preceded by 1000 draws in which the sampler adapts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of chains, 4 by default. A single chain does not tell whether chains agree.
    #[must_use]
    pub fn chains(mut self, chains: usize) -> Self {
        self.chains = chains;
        self
    }

    /// Sets the number of draws of each chain that are kept, 1000 by default, at least 4.
    #[must_use]
    pub fn draws(mut self, draws: usize) -> Self {
        self.draws = draws;
        self
    }

    /// Sets the number of draws of each chain before the kept ones, 1000 by default, at least 20: during these
    /// the sampler finds its step size and the scales of the coordinates.
    #[must_use]
    pub fn warmup(mut self, warmup: usize) -> Self {
        self.warmup = warmup;
        self
    }

    /// Sets the seed of all chains; each chain has a seed that follows from it.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the mean probability of acceptance that the step size is adapted to, between 0 and 1, 0.8 by default.
    /// A larger value such as 0.95 makes shorter steps, which helps against divergences.
    #[must_use]
    pub fn target_acceptance(mut self, target: f64) -> Self {
        self.target_acceptance = target;
        self
    }

    /// Sets the largest number of doublings of a trajectory, 10 by default: this takes 1023 gradients.
    #[must_use]
    pub fn maximum_depth(mut self, depth: u64) -> Self {
        self.maximum_depth = depth;
        self
    }

    /// Sets the rough location of the density: its mean and its covariance, by rows, in its coordinates. The
    /// sampler works in coordinates in which a normal distribution with this mean and covariance is a standard
    /// one, and adapts from there. The default is a standard normal distribution.
    #[must_use]
    pub fn around(mut self, mean: Vec<f64>, covariance: Vec<Vec<f64>>) -> Self {
        self.around = Some((mean, covariance));
        self
    }

    /// Sets how far the starts of chains scatter, in standard deviations of [`around`](Self::around), 1 by
    /// default. The agreement of chains shows that they have forgotten their starts only if these are farther
    /// apart than the density is wide.
    #[must_use]
    pub fn dispersion(mut self, dispersion: f64) -> Self {
        self.dispersion = dispersion;
        self
    }

    /// Sets how chains are drawn as tasks: in shards or by several processes, with logs in a folder from which
    /// they continue, with a time limit for each. A chain that was interrupted begins again.
    #[must_use]
    pub fn ensemble(mut self, ensemble: Ensemble<'e>) -> Self {
        self.ensemble = ensemble;
        self
    }

    /// Sets the flag that stops all chains; it is polled before every gradient.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// Calls `observer` after every draw of the chains of this process, from the thread that draws.
    #[must_use]
    pub fn observer(mut self, observer: impl Fn(&ChainProgress) + Send + Sync + 'e) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Sets whether a line with draws, divergences and the expected time is shown on the terminal.
    #[must_use]
    pub fn progress(mut self, show: bool) -> Self {
        self.progress = show;
        self
    }

    /// Draws the chains. Failed chains are reported beside the result.
    ///
    /// # Errors
    /// [`SamplingError`].
    pub fn sample<D: LogDensity>(&self, density: &D) -> Result<Samples, SamplingError> {
        let names = density.names();
        if names.is_empty() {
            return Err(SamplingError::NoCoordinates);
        }
        self.check()?;
        let whitening = match &self.around {
            Some((mean, covariance)) => Whitening::around(names.len(), mean, covariance)?,
            None => Whitening::none(names.len()),
        };
        let reported = density.reported(whitening.centre()).len();
        if reported != names.len() {
            return Err(SamplingError::Reported { values: reported, names: names.len() });
        }
        let tasks = Tasks::new("a posterior", self.chains).described(self.description(density, &whitening));
        let each = self.warmup + self.draws;
        let line = Line::new(self.progress, self.chains * each);
        let draw = |task: &Task| {
            let mut progress = ChainProgress {
                chain: task.number(),
                drawn: 0,
                draws: each,
                is_warmup: true,
                divergences: 0,
                step_size: 0.0,
            };
            let mut watch = |is_warmup: bool, diverged: bool, step_size: f64| {
                progress.drawn += 1;
                progress.is_warmup = is_warmup;
                progress.divergences += usize::from(diverged && !is_warmup);
                progress.step_size = step_size;
                line.drawn(diverged && !is_warmup);
                if let Some(observer) = &self.observer {
                    observer(&progress);
                }
            };
            let settings = self.settings(task.seed(self.seed));
            let drawn = chain(density, (&whitening, self.dispersion), settings, task.interrupt(), &mut watch);
            drawn.map(Box::new).map_err(Failure::new)
        };
        let ensemble = self.ensemble.clone().interrupt(self.interrupt.clone());
        let outcomes = ensemble.run(&tasks, draw, |_, _| ());
        line.finish();
        let outcomes = outcomes?;
        if outcomes.is_interrupted() {
            let done = outcomes.done() - outcomes.failed();
            let folder = self.ensemble.logs().map(Path::to_owned);
            return Err(SamplingError::Interrupted { done, chains: self.chains, folder });
        }
        let (mut chains, mut failed, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
        for outcome in outcomes.complete()? {
            match outcome.result {
                Ok(chain) => {
                    chains.push(*chain);
                    seconds.push(outcome.seconds);
                }
                Err(failure) => failed.push(failure.error),
            }
        }
        match failed.first() {
            Some(first) if chains.is_empty() => {
                Err(SamplingError::EveryChain { chains: self.chains, first: first.clone() })
            }
            _ => Ok(Samples::new(names, (chains, seconds), failed, density.doubts())),
        }
    }

    fn settings(&self, seed: u64) -> NutsSettings {
        NutsSettings {
            warmup: self.warmup as u64,
            draws: self.draws as u64,
            target_acceptance: self.target_acceptance,
            maximum_depth: self.maximum_depth,
            seed,
        }
    }

    fn check(&self) -> Result<(), SamplingError> {
        let refused = |field, value, limit| Err(SamplingError::Setting { field, value, limit });
        let target = self.target_acceptance;
        match () {
            () if self.chains == 0 => refused("chains", 0.0, "at least 1"),
            () if self.draws < 4 => refused("draws", self.draws as f64, "at least 4"),
            () if self.warmup < 20 => refused("warmup", self.warmup as f64, "at least 20"),
            () if !(target > 0.0 && target < 1.0) => refused("target_acceptance", target, "above 0 and below 1"),
            () if !(1..=20).contains(&self.maximum_depth) => {
                refused("maximum_depth", self.maximum_depth as f64, "1 to 20")
            }
            () if !(self.dispersion >= 0.0 && self.dispersion.is_finite()) => {
                refused("dispersion", self.dispersion, "0 or a finite number above it")
            }
            () => Ok(()),
        }
    }

    /// Describes everything that the draws of a chain follow from, except its number.
    fn description<D: LogDensity>(&self, density: &D, whitening: &Whitening) -> Description {
        let mut description = density.description().unwrap_or_else(|| bits(density, whitening.centre()));
        description.text("the coordinates", density.names().join(", "));
        description.text("the draws of the warm-up", self.warmup);
        description.text("the draws of a chain", self.draws);
        description.text("the seed of the chains", self.seed);
        description.number("the target of acceptance", self.target_acceptance);
        description.text("the maximum depth of trajectories", self.maximum_depth);
        description.values("the mean that chains begin about", whitening.centre());
        description.values("the covariance that chains begin with", whitening.factor());
        description.number("the dispersion of starts", self.dispersion);
        description
    }
}

/// Describes a density by its bits at a point.
fn bits<D: LogDensity>(density: &D, point: &[f64]) -> Description {
    let mut description = Description::default();
    let mut gradient = vec![0.0; point.len()];
    match density.evaluator()(point, &mut gradient) {
        Ok(value) => {
            description.number("the density where chains begin", value);
            description.values("the gradient of the density where chains begin", &gradient);
        }
        Err(Fault::Here(reason) | Fault::Stop(reason)) => {
            description.text("the density where chains begin", reason);
        }
    }
    description
}

impl fmt::Debug for Sampler<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sampler")
            .field("chains", &self.chains)
            .field("draws", &self.draws)
            .field("warmup", &self.warmup)
            .field("seed", &self.seed)
            .field("target_acceptance", &self.target_acceptance)
            .field("maximum_depth", &self.maximum_depth)
            .field("dispersion", &self.dispersion)
            .field("ensemble", &self.ensemble)
            .finish_non_exhaustive()
    }
}
