//! Progress of chains.

use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Progress of one chain.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ChainProgress {
    /// Number of the chain, from 0.
    pub chain: usize,
    /// Draws so far, warm-up included.
    pub drawn: usize,
    /// All draws of the chain, warm-up included.
    pub draws: usize,
    /// True while the sampler adapts.
    pub is_warmup: bool,
    /// Number of divergences after the warm-up so far.
    pub divergences: usize,
    /// Step size of the trajectories.
    pub step_size: f64,
}

/// Progress line on the terminal for the chains of this process.
pub(crate) struct Line {
    bar: ProgressBar,
    divergences: AtomicUsize,
}

impl Line {
    /// Makes a line for this number of draws in all.
    pub fn new(show: bool, draws: usize) -> Self {
        let target = if show { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(draws as u64), target);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} draws, {msg}, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_message("0 divergences");
        Self { bar, divergences: AtomicUsize::new(0) }
    }

    /// Counts one more draw.
    pub fn drawn(&self, diverged: bool) {
        if diverged {
            let divergences = self.divergences.fetch_add(1, Ordering::Relaxed) + 1;
            self.bar.set_message(format!("{divergences} divergences"));
        }
        self.bar.inc(1);
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
