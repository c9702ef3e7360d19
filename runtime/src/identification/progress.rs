//! A line on the terminal that shows how an identification gets on.

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

use crate::model::Model;
use crate::optimize::OptimizerState;
use crate::problem::Problem;

/// Parts of a run that the bar distinguishes.
const PARTS: u64 = 100;

/// Shows nothing if not wanted.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Says how much memory a run needs.
    pub fn new<M: Model>(wanted: bool, problem: &Problem<M>) -> Self {
        let bar = wanted.then(|| {
            let bar = ProgressBar::new(PARTS);
            if let Ok(style) = ProgressStyle::with_template("{elapsed} [{bar:20}] {msg}") {
                bar.set_style(style);
            }
            bar.println(format!(
                "{}: {} steps, {} for a run",
                M::DESCRIPTION.name,
                problem.steps(),
                HumanBytes(problem.memory().total())
            ));
            bar.set_message("at the start values");
            bar
        });
        Self { bar }
    }

    /// Lets the bar follow the simulations.
    pub fn follow<M: Model>(&self, problem: Problem<M>) -> Problem<M> {
        match self.bar.clone() {
            Some(bar) => problem.with_progress(move |part| bar.set_position((part * PARTS as f64) as u64)),
            None => problem,
        }
    }

    /// Shows the state after an iteration.
    pub fn show(&mut self, state: &OptimizerState) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!(
                "iteration {}, cost {:.4e}, {} evaluations",
                state.iterations(),
                state.cost(),
                state.evaluations()
            ));
        }
    }

    /// Removes the line.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
