//! Fits in pieces (multiple shooting): every record is cut, each piece begins with a start of its own, and the ends of
//! pieces are drawn to the starts of the next ones until these are continuous.
//!
//! A single simulation of a long record loses the phase by a small error of a value, so that its cost has minima in
//! which nothing is right. Pieces are short enough to keep it. The gaps between them weigh little at first, so that
//! wrong values can still follow the measurements, and more from stage to stage (a path of penalties), which leads to
//! the minimum of the continuous run; see Bock, Numerical treatment of inverse problems in chemical reaction kinetics
//! (1981), and Baake et al., Phys. Rev. A 45 (1992) 5524, for chaotic records. A step eliminates the starts piece by
//! piece, see `elimination`.

mod chain;
mod elimination;
mod piece;
mod search;
mod sweep;

use costate_system::problem::SimulationError;

use self::chain::Chain;
use self::search::Shooting;
use crate::estimation::experiment_problem::EstimationProblem;
use crate::estimation::linearized_run::LinearizedRun;
use crate::estimation::observed::Observed;

/// Largest gap, relative to the scatter of the states, of pieces that are continuous.
pub(crate) const MAX_GAP: f64 = 1e-9;

/// The end of a fit in pieces.
pub(crate) struct InPieces {
    /// The values of all unknowns.
    pub unknowns: Vec<f64>,
    /// The number of pieces of all experiments.
    pub pieces: usize,
    /// Root mean square of the residuals of every channel, times the roots of their weights.
    pub residuals: Vec<f64>,
    /// Largest gap between pieces, relative to the scatter of the states.
    pub gap: f64,
    /// The pieces as one run each, where no simulation with the unknowns follows the records.
    pub joined: Option<Joined>,
}

/// Continuous pieces that are the result of a fit.
pub(crate) struct Joined {
    /// The runs of all experiments, which consist of their pieces.
    pub runs: Vec<LinearizedRun>,
    /// Known parameters, by index, and the changes of all unknowns where the parameter is larger by
    /// the fraction `CHANGE_OF_KNOWN`.
    pub by_known: ShiftsByKnown,
}

/// Changes of all unknowns by known parameters, which are given by their indices.
pub(crate) type ShiftsByKnown = Vec<(usize, Vec<f64>)>;

impl InPieces {
    /// Returns true if the residuals of a channel are more than half of its scatter.
    fn explains_little(&self, estimation: &EstimationProblem) -> bool {
        let channels = estimation.experiments.iter().flat_map(|one| &one.comparison.channels);
        channels.zip(&self.residuals).any(|(channel, size)| *size > 0.5 * channel.weighed_scatter())
    }

    /// Returns a measure of the residuals that does not depend on weights which are estimated.
    pub fn size(&self, estimation: &EstimationProblem) -> f64 {
        let channels = estimation.experiments.iter().flat_map(|one| &one.comparison.channels);
        let of_channel = |(channel, size): (&Observed, &f64)| {
            let count = channel.values.len() as f64;
            match channel.given_deviation {
                Some(_) => 0.5 * count * size * size,
                None => count * channel.at_least(*size).ln(),
            }
        };
        channels.zip(&self.residuals).map(of_channel).sum()
    }
}

/// Fits in pieces, each of about so many seconds, from these values. The search ends as soon as `is_near` says that one
/// simulation with the unknowns follows the records.
pub(crate) fn fit(
    estimation: &EstimationProblem,
    start: &[f64],
    length: f64,
    is_near: &mut dyn FnMut(&InPieces) -> bool,
) -> Result<InPieces, SimulationError> {
    /// Weight of gaps: their deviation relative to the scatter of the states, at first, at last, and the factor from
    /// stage to stage.
    const FIRST_DEVIATION: f64 = 0.3;
    const LAST_DEVIATION: f64 = 1e-8;
    const STAGE_FACTOR: f64 = 0.1;
    /// Deviation of gaps from which on pieces follow the model more than the record.
    const MAX_FREE_DEVIATION: f64 = 0.01;
    /// Largest gap after the last stage with which pieces may be a result: a search that was stuck leaves larger ones.
    const MAX_LAST_GAP: f64 = 1e-4;
    let mut chains = Vec::new();
    let mut first_channel = 0;
    for prepared in &estimation.experiments {
        chains.push(Chain::cut(
            prepared,
            &cuts(prepared.problem.steps(), prepared.problem.settings().step, length),
            first_channel,
        )?);
        first_channel += prepared.comparison.channels.len();
    }
    let channels: Vec<&Observed> = estimation.experiments.iter().flat_map(|one| &one.comparison.channels).collect();
    let mut shooting = Shooting::new(estimation, chains, channels);
    let mut point = shooting.first_point(start, FIRST_DEVIATION)?;
    let mut deviation = FIRST_DEVIATION;
    loop {
        shooting.begin_stage(&point, deviation);
        point = shooting.minimise(point)?;
        let found = shooting.found(&point);
        // pieces that are drawn together far from the record end in a wrong minimum
        let is_lost = deviation < MAX_FREE_DEVIATION && found.explains_little(estimation);
        if is_lost || is_near(&found) {
            return Ok(found);
        }
        let is_last = deviation <= LAST_DEVIATION;
        if found.gap <= MAX_GAP || is_last && found.gap <= MAX_LAST_GAP {
            return Ok(InPieces { joined: Some(shooting.joined(point)?), ..found });
        }
        if is_last {
            return Ok(found);
        }
        deviation *= STAGE_FACTOR;
    }
}

/// Returns the samples at which a run is cut into pieces of about `length` s.
fn cuts(steps: usize, step: f64, length: f64) -> Vec<usize> {
    let pieces = ((steps as f64 * step / length).round() as usize).clamp(1, steps.max(1));
    (0..=pieces).map(|piece| piece * steps / pieces).collect()
}
