//! The sampler of `nuts-rs`, of which no other file knows.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

use nuts_rs::rand::SeedableRng;
use nuts_rs::rand::rngs::ChaCha8Rng;
use nuts_rs::{Chain as _, CpuLogpFunc, CpuMath, CpuMathError, DiagNutsSettings, HasDims, LogpError, Settings as _};

use crate::density::Fault;

/// The settings with which a chain is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NutsSettings {
    pub warmup: u64,
    pub draws: u64,
    pub target_acceptance: f64,
    pub maximum_depth: u64,
    pub seed: u64,
}

/// One draw, and how the trajectory was that led to it.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    pub point: Vec<f64>,
    pub log_density: f64,
    pub energy: f64,
    pub acceptance: f64,
    pub step_size: f64,
    pub depth: u64,
    pub gradients: u64,
    pub reached_maximum_depth: bool,
    pub diverged: bool,
}

/// The logarithm of a density with its gradient.
pub(crate) type Evaluate<'f> = dyn FnMut(&[f64], &mut [f64]) -> Result<f64, Fault> + 'f;

/// Draws a chain of densities of so many coordinates, from a start where the density is finite. `each` takes the draws
/// one by one, warm-up first.
///
/// # Errors
/// Why the chain has ended early.
pub(crate) fn draw_chain(
    settings: NutsSettings,
    start: &[f64],
    evaluate: &mut Evaluate<'_>,
    mut each: impl FnMut(Drawn),
) -> Result<(), String> {
    let mut options = DiagNutsSettings { num_tune: settings.warmup, num_draws: settings.draws, ..Default::default() };
    options.maxdepth = settings.maximum_depth;
    options.adapt_options.step_size_settings.target_accept = settings.target_acceptance;
    let stopped = RefCell::new(None);
    let function = Function { coordinates: start.len(), evaluate, stopped: &stopped };
    let ended = |error: &dyn fmt::Display| stopped.borrow_mut().take().unwrap_or_else(|| error.to_string());
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let chain = options.new_chain(0, CpuMath::new(function), &mut random);
    let mut chain = chain.map_err(|error| ended(&format_args!("{error:#}")))?;
    chain.set_position(start).map_err(|error| ended(&format_args!("{error:#}")))?;
    for _ in 0..settings.warmup + settings.draws {
        let drawn = chain.expanded_draw();
        let (point, _, statistics, progress) = drawn.map_err(|error| ended(&format_args!("{error:#}")))?;
        each(Drawn {
            point: point.into_vec(),
            log_density: statistics.point.logp,
            energy: statistics.point.energy,
            acceptance: statistics.adapt.step_size.mean_tree_accept,
            step_size: progress.step_size,
            depth: statistics.depth,
            gradients: progress.num_gradients,
            reached_maximum_depth: statistics.maxdepth_reached,
            diverged: progress.diverging,
        });
    }
    Ok(())
}

/// A density as `nuts-rs` asks for it.
struct Function<'f, 'e> {
    coordinates: usize,
    evaluate: &'f mut Evaluate<'e>,
    /// The reason why there is nothing more to evaluate.
    stopped: &'f RefCell<Option<String>>,
}

/// A fault, and whether others points may be without.
#[derive(Debug)]
struct Faulted(Fault);

impl fmt::Display for Faulted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Fault::Here(reason) | Fault::Stop(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Faulted {}

impl LogpError for Faulted {
    fn is_recoverable(&self) -> bool {
        matches!(self.0, Fault::Here(_))
    }
}

impl HasDims for Function<'_, '_> {
    fn dim_sizes(&self) -> HashMap<String, u64> {
        HashMap::from([("unconstrained_parameter".to_owned(), self.coordinates as u64)])
    }
}

impl CpuLogpFunc for Function<'_, '_> {
    type LogpError = Faulted;
    type FlowParameters = ();
    type ExpandedVector = Vec<f64>;

    fn dim(&self) -> usize {
        self.coordinates
    }

    fn logp(&mut self, position: &[f64], gradient: &mut [f64]) -> Result<f64, Faulted> {
        (self.evaluate)(position, gradient).map_err(|fault| {
            if let Fault::Stop(reason) = &fault {
                *self.stopped.borrow_mut() = Some(reason.clone());
            }
            Faulted(fault)
        })
    }

    fn expand_vector<R: nuts_rs::rand::Rng + ?Sized>(
        &mut self,
        _: &mut R,
        position: &[f64],
    ) -> Result<Vec<f64>, CpuMathError> {
        Ok(position.to_vec())
    }
}
