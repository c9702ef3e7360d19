//! Parts of a run that begin with positions and velocities of their own.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::error::SimulationError;
use super::input_samples::InputSamples;
use super::inputs::InputSource;
use super::settings::Settings;
use super::{Memory, Problem, RunSizes};

/// Positions and velocities with which a part of a run begins, in place of the initial values of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenStart {
    /// q (n). Those that are not kept are moved to the constraints, as near to these values as possible.
    pub coordinates: Vec<f64>,
    /// v (n). Those that are not kept follow from the constraints.
    pub velocities: Vec<f64>,
    /// Positions that are kept (n): independent coordinates.
    pub kept_coordinates: Vec<bool>,
    /// Velocities that are kept (n).
    pub kept_velocities: Vec<bool>,
}

impl Problem {
    /// Returns the problem of the steps between two samples of this one, which begins with these positions and
    /// velocities, or as the model says. Times, inputs and tables are those of this problem; adaptive steps are
    /// refused.
    ///
    /// # Errors
    /// [`SimulationError::Settings`] for adaptive steps.
    pub fn part(&self, samples: RangeInclusive<usize>, start: Option<GivenStart>) -> Result<Self, SimulationError> {
        self.require_constant_steps("a run in pieces")?;
        let (first, last) = (*samples.start(), (*samples.end()).min(self.steps()));
        let step = self.settings.step;
        let mut inputs = InputSamples::empty(self.inputs.width(), Vec::new());
        (first..=last).for_each(|i| inputs.push(self.inputs.row(i)));
        let inputs = Arc::new(inputs);
        let steps = last.saturating_sub(first);
        let settings = Settings { end: step * steps as f64, ..self.settings.clone() };
        let (plan, memory) = Memory::planned(&settings, steps, &RunSizes::of(self.system))?;
        Ok(Self {
            source: Arc::new(InputSource::Samples(Arc::clone(&inputs), 1)),
            inputs,
            settings,
            plan,
            memory,
            input_changes: None,
            first: self.first + first,
            start: start.map(Arc::new),
            ..self.clone().without_progress()
        })
    }

    /// Returns the part that begins with other positions and velocities.
    #[must_use]
    pub fn with_start(&self, start: GivenStart) -> Self {
        Self { start: Some(Arc::new(start)), ..self.clone() }
    }

    /// Returns the positions and velocities with which a part of a run begins; `None` for those of the model.
    pub fn given_start(&self) -> Option<&GivenStart> {
        self.start.as_deref()
    }
}
