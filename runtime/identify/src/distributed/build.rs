//! Preparation of one campaign from the experiments of all processes, each of which has its own.

use std::sync::Arc;

use crate::build::Shared;
use crate::build::channels::Weighing;
use crate::definition::Definition;
use crate::definition::error::{DistributedError, IdentificationError, SpecificationError};
use crate::definition::experiment::ExperimentDefinition;
use crate::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use crate::estimation::layout::{Layout, Selection};
use crate::estimation::peers::{Peers, exchange};

use super::consensus::{Hello, Offer, check_alike};
use super::messages::Head;
use super::share::ExperimentShare;
use super::unknowns::{joined, of_experiments};

/// A campaign with the experiments of this process and the unknowns of all, and the messages of all processes.
pub(super) struct Agreed<'a> {
    pub estimation: EstimationProblem,
    pub peers: Peers<'a>,
    pub offers: Vec<Offer>,
}

/// The experiments of all processes, before they are prepared.
struct Everybody {
    /// Experiments without data that represent those of all processes, in their order.
    experiments: Vec<ExperimentDefinition>,
    by_likelihood: bool,
}

impl Definition {
    /// Prepares the experiments of this process for evaluation together with those of the others. Every process has
    /// the layout of unknowns of an identification with all experiments.
    pub(super) fn agreed<'a>(&self, share: &ExperimentShare<'a>) -> Result<Agreed<'a>, IdentificationError> {
        let executor = share.executor();
        let Everybody { experiments, by_likelihood } = self.everybody(share)?;
        let all: Vec<&ExperimentDefinition> = experiments.iter().collect();
        let (common, mut selections) = Layout::of_parameters(&self.model, &self.unknowns, &all);
        let common = common.with_priors(&self.priors).with_inertias(&self.inertias)?;
        let own: Vec<Selection> = selections.drain(share.own()).collect();
        let several = all.len() > 1;
        let shared = Shared { tables: Arc::new([]), by_likelihood, several, parts: 1.0 };

        // fitted experiments, with the unknowns of this process after those of all; then with those of every process
        let count = common.unknowns.len();
        let mut layout = common.clone();
        let prepared = self.prepared_where(false, &own, &mut layout, &shared);
        let (mut fitted, offers) = split(prepared.and_then(|prepared| {
            let offers = of_experiments(&layout, count)?;
            Ok((prepared, offers))
        }));
        let offers = exchange(executor, offers)?;
        let (mut layout, indices) = joined(self.model.description(), common, &offers, executor.process())?;
        if layout.unknowns.is_empty() {
            return Err(SpecificationError::NoUnknowns { model: self.model.name() }.into());
        }
        fitted.iter_mut().enumerate().for_each(|(number, one)| {
            one.renumber(&indices);
            one.number = number;
        });

        let estimation = self.campaign_of(fitted, &own, &mut layout, &shared);
        let (estimation, offers) = split(estimation.map(|estimation| {
            let offers = self.offer(&estimation);
            (Some(estimation), offers)
        }));
        let offers = exchange(executor, offers)?;
        // an error of this process has ended the exchange
        let Some(mut estimation) = estimation else {
            return Err(DistributedError::ExperimentsOfOthers { given: 0, own: share.own() }.into());
        };
        estimation.has_residuals = offers.iter().all(|offer| offer.has_residuals);
        estimation.priors.combined = offers.iter().flat_map(|offer| offer.priors.iter().cloned()).collect();
        Offer::check(&offers, &estimation)?;
        let names = |range: std::ops::Range<usize>| {
            let fitted = all[range].iter().filter(|experiment| !experiment.validates);
            fitted.map(|experiment| experiment.name.clone()).collect::<Vec<_>>()
        };
        let channels = |offers: &[Offer]| offers.iter().map(|offer| offer.channels).sum::<usize>();
        let (before, own) = (channels(&offers[..executor.process()]), estimation.channels().count());
        let peers = Peers {
            executor,
            names: names(0..all.len()),
            first: names(0..share.own().start).len(),
            own_channels: before..before + own,
            channels: channels(&offers),
            samples: offers.iter().map(|offer| offer.samples).sum(),
            are_estimated: offers.iter().any(|offer| offer.are_estimated),
            have_degrees: !estimation.priors.is_empty() || offers.iter().any(|offer| offer.has_few_samples),
        };
        Ok(Agreed { estimation, peers, offers })
    }

    /// Returns the experiments of all processes, if all have the same settings.
    fn everybody(&self, share: &ExperimentShare<'_>) -> Result<Everybody, IdentificationError> {
        let said = exchange(share.executor(), self.said(share))?;
        check_alike(&said)?;
        let heads = said.iter().flat_map(|said| &said.heads);
        let experiments: Vec<ExperimentDefinition> =
            heads.map(|head| head.stand_in(self.model.description())).collect();
        self.check_experiments(&experiments.iter().collect::<Vec<_>>())?;
        let none = Weighing::default();
        let weighing = said.iter().fold(none, |weighing, said| weighing.and(&said.weighing));
        Ok(Everybody { experiments, by_likelihood: self.by_likelihood(&weighing)? })
    }

    /// Creates the message of this process before its experiments are prepared.
    fn said(&self, share: &ExperimentShare<'_>) -> Result<Hello, IdentificationError> {
        self.check_joint()?;
        let (given, own) = (self.experiments.len(), share.own());
        if given != own.len() {
            return Err(DistributedError::ExperimentsOfOthers { given, own }.into());
        }
        self.check_wanted()?;
        let experiments = self.all_experiments();
        Ok(Hello {
            common: self.wanted(),
            heads: experiments.iter().map(|experiment| Head::of(experiment)).collect(),
            weighing: Weighing::of(&experiments),
        })
    }

    /// Prepares the experiments of this process that validate, or those that do not.
    fn prepared_where(
        &self,
        validates: bool,
        selections: &[Selection],
        layout: &mut Layout,
        shared: &Shared,
    ) -> Result<Vec<ExperimentProblem>, IdentificationError> {
        let own = self.experiments.iter().zip(selections);
        own.filter(|(experiment, _)| experiment.validates == validates)
            .map(|(experiment, selection)| self.prepare_named(experiment, selection.clone(), layout, shared))
            .collect()
    }

    /// Creates the campaign of this process, and checks its memory and first run.
    fn campaign_of(
        &self,
        fitted: Vec<ExperimentProblem>,
        selections: &[Selection],
        layout: &mut Layout,
        shared: &Shared,
    ) -> Result<EstimationProblem, IdentificationError> {
        // experiments that validate have the unknowns of the others, in whichever process these are
        let validation = self.prepared_where(true, selections, layout, shared)?;
        let estimation = self.campaign(std::mem::take(layout), (fitted, validation), shared.by_likelihood)?;
        let named = |error: IdentificationError| match &self.experiments[..] {
            [only] if shared.several => error.in_experiment(&only.name),
            _ => error,
        };
        estimation.check_memory(1).map_err(named)?;
        self.check_start(&estimation).map_err(named)?;
        Ok(estimation)
    }
}

/// Separates the values that this process keeps from the message to the others, or its error.
fn split<K: Default, T>(made: Result<(K, T), IdentificationError>) -> (K, Result<T, IdentificationError>) {
    match made {
        Ok((stored, offers)) => (stored, Ok(offers)),
        Err(error) => (K::default(), Err(error)),
    }
}
