//! Successive minimisations of a joint cost, with new deviations where these are estimated from the residuals.

use serde::{Deserialize, Serialize};

use costate_optimize::{OptimizerState, minimize_least_squares};

use crate::definition::error::IdentificationError;
use crate::definition::noise::ChannelErrors;
use crate::definition::weighting::MOST_ROUNDS;
use crate::estimation::evaluation::Evaluation;
use crate::estimation::information::{ChannelInformation, normal_equations};
use crate::estimation::progress::{Observer, Progress};
use crate::estimation::reweighting::Round;
use crate::run::{ended, interrupted};

use super::DistributedWork;
use super::consensus::exchange;
use super::fit::{DistributedFit, error_of};
use super::stored::Stored;

/// Numbers of the channels of all experiments, and of those of one process among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Channels {
    pub first: usize,
    pub own: usize,
    pub all: usize,
    /// True if the deviation of a channel is estimated from residuals.
    pub are_estimated: bool,
}

/// The deviation of the errors of a channel, by its bits.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Deviation(u64);

impl DistributedWork<'_> {
    pub(super) fn minimize(mut self, observer: Option<Observer<'_>>) -> Result<DistributedFit, IdentificationError> {
        let description = std::mem::take(&mut self.description);
        let (executor, mut round) = (self.share.executor(), self.round.clone());
        let file = self.identification.state_file.clone();
        let stored = Stored::open(executor, file.as_deref(), description, &mut round)?;
        let most = self.identification.optimizer.maximum_iterations;
        round.state.set_maximum_iterations(most.saturating_sub(round.earlier_iterations()));
        let is_shown = self.identification.progress && executor.is_root();
        let mut progress = Progress::new(is_shown, self.estimation.problems()).observed_by(observer);
        let mut simulations = 0;
        loop {
            self.round = round.clone();
            self.take();
            self.minimise(&mut round, &stored, &mut progress, &mut simulations)?;
            let within = |error: IdentificationError| error.within(|| interrupted(&round.state, file.as_deref()));
            let information = self.information(&round.state).map_err(within)?;
            let errors = self.found_errors(information.as_deref())?;
            let settled = ChannelErrors::are_settled(&round.errors, &errors);
            let used = round.iterations();
            if round.earlier.len() >= MOST_ROUNDS || used >= most || settled && !round.is_rough {
                let fit = self.concluded(information, &round, settled, simulations).map_err(within);
                progress.finish();
                return fit;
            }
            round.is_rough &= !ChannelErrors::are_near(&round.errors, &errors);
            let settings = self.identification.settings_of(round.is_rough, used);
            let next = round.state.restarted().with_settings(settings);
            round.earlier.push(std::mem::replace(&mut round.state, next));
            round.errors = errors;
        }
    }

    /// Prepares the first minimisation: deviations that are not given are those of the residuals at the start.
    pub(super) fn first_round(&self) -> Result<Round, IdentificationError> {
        let is_rough = self.channels.are_estimated;
        let state = self.estimation.state.clone().with_settings(self.identification.settings_of(is_rough, 0));
        let information = if is_rough { self.information(&state)? } else { None };
        // with priors, unknowns take no degrees of freedom from the residuals of a start
        let taken = if self.estimation.priors.is_empty() { self.estimation.unknowns.len() } else { 0 };
        let samples = self.samples(information.as_deref());
        let errors = self.errors(information.as_deref(), |own| own.deviation_of(samples, taken as f64))?;
        Ok(Round { state, errors, earlier: Vec::new(), renewals: 0, is_rough, growth: None, alternative: None })
    }

    /// Weighs residuals by the errors of the round.
    pub(super) fn take(&mut self) {
        let own = self.round.errors.iter().skip(self.channels.first).take(self.channels.own);
        self.estimation.set_errors(&own.cloned().collect::<Vec<_>>());
    }

    fn minimise(
        &mut self,
        round: &mut Round,
        stored: &Stored<'_>,
        progress: &mut Progress<'_>,
        simulations: &mut usize,
    ) -> Result<(), IdentificationError> {
        let (interrupt, file) = (&self.identification.run.interrupt, self.identification.state_file.as_deref());
        let mut observed = round.state.history().len();
        let mut state = round.state.clone();
        let mut evaluation = self.evaluation();
        let result = minimize_least_squares(&mut evaluation, &mut state, |state| {
            let is_interrupted = stored.keep(&Round { state: state.clone(), ..round.clone() }, interrupt)?;
            progress.show(state, observed);
            observed = state.history().len();
            match is_interrupted && state.stop().is_none() {
                true => Err(IdentificationError::from(interrupted(state, file))),
                false => Ok(()),
            }
        });
        *simulations += evaluation.spent().simulations;
        drop(evaluation);
        let result = result.map_err(|error| ended(error).within(|| interrupted(&state, file)));
        round.state = state;
        result.map(|_| ())
    }

    /// Returns the information of all channels and priors about the unknowns; `None` where a number is not finite.
    fn information(&self, state: &OptimizerState) -> Result<Option<Vec<ChannelInformation>>, IdentificationError> {
        let unknowns = state.parameters();
        let mut evaluation: Evaluation<'_> = self.evaluation();
        let information = evaluation.information(&unknowns, &self.scales(&unknowns));
        information.map_err(|failed| error_of(evaluation.failure(failed)))
    }

    /// Returns typical changes of the unknowns at these values.
    pub(super) fn scales(&self, unknowns: &[f64]) -> Vec<f64> {
        let variables = self.estimation.state.variables().iter().zip(unknowns);
        variables.map(|(variable, value)| variable.slope(*value)).collect()
    }

    /// Returns the deviations of the channels of all experiments, in every process: the given one, or the `estimated`
    /// one of a channel of this process.
    fn errors(
        &self,
        information: Option<&[ChannelInformation]>,
        estimated: impl Fn(&ChannelInformation) -> f64,
    ) -> Result<Vec<ChannelErrors>, IdentificationError> {
        if !self.channels.are_estimated {
            return Ok(Vec::new());
        }
        let own = self.estimation.channels().enumerate().map(|(number, channel)| {
            let given = channel.given_deviation;
            let found =
                || information.and_then(|information| information.get(self.channels.first + number)).map(&estimated);
            given.unwrap_or_else(|| channel.at_least(found().unwrap_or(f64::INFINITY)))
        });
        let own: Vec<Deviation> = own.map(|deviation| Deviation(deviation.to_bits())).collect();
        let all = exchange(self.share.executor(), Ok(own))?.into_iter().flatten();
        Ok(all.map(|Deviation(bits)| ChannelErrors::white(f64::from_bits(bits))).collect())
    }

    /// Returns the deviations that are estimated from the residuals at a minimum.
    fn found_errors(
        &self,
        information: Option<&[ChannelInformation]>,
    ) -> Result<Vec<ChannelErrors>, IdentificationError> {
        let (unknowns, samples) = (self.estimation.unknowns.len(), self.samples(information));
        let beside_priors = self.channels.are_estimated && !self.estimation.priors.is_empty();
        let normal = information.filter(|_| beside_priors).map(|information| normal_equations(information, unknowns));
        self.errors(information, |own| match &normal {
            None => own.deviation_of(samples, unknowns as f64),
            Some(normal) => own.deviation_of(own.samples(), own.determined_of(normal, unknowns)),
        })
    }

    /// Returns the number of samples of all channels.
    pub(super) fn samples(&self, information: Option<&[ChannelInformation]>) -> f64 {
        let channels = information.unwrap_or_default().iter().take(self.channels.all);
        channels.map(ChannelInformation::samples).sum()
    }
}
