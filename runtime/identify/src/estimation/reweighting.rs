//! The sequence of minimisations of an identification.

use serde::{Deserialize, Serialize};

use costate_optimize::OptimizerState;

use crate::definition::noise::ChannelErrors;
use crate::definition::step_choice::StepChoice;
use crate::pieces::ShiftsByKnown;

/// One of several successive minimisations: with new deviations, or with new steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Round {
    pub state: OptimizerState,
    /// Noise of all channels, where residuals are weighed by it.
    pub errors: Vec<ChannelErrors>,
    /// The previous minimisations.
    pub earlier: Vec<OptimizerState>,
    /// Number of times that steps were chosen again.
    pub renewals: usize,
    /// Steps and order that were chosen, where none were given.
    #[serde(default)]
    pub choice: Option<StepChoice>,
    /// True if the minimisation ends early, since another one with other weights follows.
    pub is_rough: bool,
    /// A fit over growing parts of the records, if there is or was one.
    #[serde(default)]
    pub growth: Option<Growth>,
    /// The values from which a fit over growing parts begins where the best of many starts leaves more than noise;
    /// `None` for one start.
    #[serde(skip)]
    pub alternative: Option<Vec<f64>>,
}

/// A way to values with which one simulation keeps the phase.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) enum Rung {
    /// Growing parts of the records.
    #[default]
    Parts,
    /// Pieces of so many seconds.
    Pieces(f64),
}

/// The state of a fit over growing parts, or in pieces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Growth {
    #[serde(default)]
    pub rung: Rung,
    /// The number of pieces that were fitted.
    #[serde(default)]
    pub pieces: usize,
    /// Values with which the next part begins.
    pub unknowns: Vec<f64>,
    /// The next part, as a share of every run; `None` when all are done.
    pub next: Option<f64>,
    /// The parts that were fitted.
    pub parts: Vec<f64>,
    /// Unknowns and misfit at the end of the fit that has lost the phase; `None` if there was none.
    pub before: Option<(Vec<f64>, f64)>,
    /// True if the end of the whole record was compared with that before.
    pub is_compared: bool,
    /// True if the end before is the better one.
    pub was_better: bool,
    /// True if the pieces are the result, since no simulation follows the records.
    #[serde(default)]
    pub only_in_pieces: bool,
    /// Effects of known parameters, if the pieces are the result.
    #[serde(skip)]
    pub by_known: ShiftsByKnown,
    /// Number of earlier minimisations that belong to the fit before.
    pub earlier: usize,
}

impl Growth {
    /// Checks whether the stored arrays are of this number of unknowns.
    pub fn fits(&self, unknowns: usize) -> bool {
        let fits = |values: &[f64]| values.len() == unknowns && values.iter().all(|value| value.is_finite());
        let is_part = self.next.is_none_or(|part| part > 0.0 && part <= 1.0);
        is_part && fits(&self.unknowns) && self.before.as_ref().is_none_or(|(values, _)| fits(values))
    }
}

impl Round {
    /// Makes the first round of a search, with the noise of all channels.
    pub fn first(
        state: OptimizerState,
        errors: Vec<ChannelErrors>,
        choice: Option<StepChoice>,
        is_rough: bool,
    ) -> Self {
        let (growth, alternative) = (None, None);
        Self { state, errors, earlier: Vec::new(), renewals: 0, choice, is_rough, growth, alternative }
    }

    /// Begins another search, with this share of every run, from these values; `before` has the unknowns and the misfit
    /// of the fit so far, with which its end is compared.
    pub fn climb_to(&mut self, (rung, share): (Rung, f64), unknowns: Vec<f64>, before: Option<(Vec<f64>, f64)>) {
        self.growth = Some(Growth {
            rung,
            pieces: 0,
            unknowns,
            next: Some(share),
            parts: Vec::new(),
            before,
            is_compared: false,
            was_better: false,
            only_in_pieces: false,
            by_known: Vec::new(),
            earlier: self.earlier.len() + 1,
        });
    }

    /// Returns the number of iterations that count towards the largest number of iterations.
    pub fn iterations(&self) -> usize {
        self.earlier_iterations() + self.state.iterations()
    }

    /// Returns the previous minimisations of the whole records, since a fit over growing parts of them has ended.
    pub fn earlier_of_search(&self) -> &[OptimizerState] {
        let skipped = self.growth.as_ref().filter(|growth| growth.next.is_none()).map_or(0, |growth| growth.earlier);
        self.earlier.get(skipped..).unwrap_or_default()
    }

    /// Returns the start values of all unknowns.
    pub fn start(&self) -> Vec<f64> {
        let first = self.earlier.first().unwrap_or(&self.state);
        first.variables().iter().map(|variable| variable.start()).collect()
    }

    /// Returns true if this round can have started from the `fresh` one, with the same unknowns and channels.
    pub fn continues(&self, fresh: &Self) -> bool {
        let names = |state: &OptimizerState| -> Vec<String> {
            state.variables().iter().map(|variable| variable.name().to_owned()).collect()
        };
        let is_whole = |state: &OptimizerState| state.is_consistent() && names(state) == names(&fresh.state);
        let first = self.earlier.first().unwrap_or(&self.state);
        first.variables() == fresh.state.variables()
            && is_whole(&self.state)
            && self.earlier.iter().all(is_whole)
            && self.errors.len() == fresh.errors.len()
            && self.growth.as_ref().is_none_or(|growth| growth.fits(fresh.state.variables().len()))
    }

    /// Returns the number of iterations of the previous minimisations that count.
    pub fn earlier_iterations(&self) -> usize {
        self.earlier_of_search().iter().map(OptimizerState::iterations).sum()
    }
}
