//! The processes that fit together, each with experiments of its own, and their messages to each other.

use std::error::Error;
use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

use costate_system::causes::with_causes;
use costate_system::ensemble::{EnsembleError, Executor};

use super::information::{ChannelInformation, normal_equations};
use crate::definition::error::{DistributedError, IdentificationError};
use crate::definition::noise::ChannelErrors;

/// The processes of a joint fit, as one of them sees these.
pub(crate) struct Peers<'a> {
    pub executor: &'a dyn Executor,
    /// Names of the fitted experiments of all processes.
    pub names: Vec<String>,
    /// Number of fitted experiments of the processes before this one.
    pub first: usize,
    /// Channels of this process among all.
    pub own_channels: Range<usize>,
    /// Number of channels of all processes.
    pub channels: usize,
    /// Number of samples of all channels.
    pub samples: usize,
    /// True if the deviation of a channel is estimated from residuals.
    pub are_estimated: bool,
    /// True if the unknowns take other degrees of freedom from each channel: beside priors, and where a channel has
    /// hardly more samples than there are unknowns.
    pub have_degrees: bool,
}

/// Numbers of all channels of a fit, in whichever process, by which the deviations of those of this process are
/// estimated.
pub(crate) struct AllChannels {
    pub channels: usize,
    pub samples: usize,
    /// Degrees of freedom that the unknowns take from each channel of this process; `None` where they take the same
    /// part of all.
    pub degrees: Option<Vec<f64>>,
}

impl Peers<'_> {
    /// Exchanges messages of all processes, in the order of their numbers; an error in all of them where one has
    /// failed.
    pub fn exchange<T: Serialize + DeserializeOwned>(
        &self,
        own: Result<T, IdentificationError>,
    ) -> Result<Vec<T>, IdentificationError> {
        exchange(self.executor, own)
    }

    /// Returns the value that this process has found if all have succeeded; an error in all of them where one has
    /// failed.
    pub fn agreed<T>(&self, own: Result<T, IdentificationError>) -> Result<T, IdentificationError> {
        let message = encoded(self.executor.process(), own.as_ref().map(|_| ()))?;
        let parts = self.executor.gather(message).map_err(EnsembleError::from);
        let own = own?;
        parts?.iter().enumerate().try_for_each(|(process, part)| decoded(process, part))?;
        Ok(own)
    }

    /// Returns the numbers of all channels that estimates of deviations need, from the information of all.
    pub fn all_channels(&self, information: Option<&[ChannelInformation]>, unknowns: usize) -> AllChannels {
        let degrees = self.have_degrees.then(|| {
            let Some(information) = information else { return vec![0.0; self.own_channels.len()] };
            let normal = normal_equations(information, unknowns);
            let own = information.iter().skip(self.own_channels.start).take(self.own_channels.len());
            own.map(|channel| channel.determined_of(&normal, unknowns)).collect()
        });
        AllChannels { channels: self.channels, samples: self.samples, degrees }
    }
}

/// Returns the errors of the channels of all processes, from those of this one.
pub(crate) fn gathered(
    peers: Option<&Peers<'_>>,
    own: Result<Vec<ChannelErrors>, IdentificationError>,
) -> Result<Vec<ChannelErrors>, IdentificationError> {
    let Some(peers) = peers else { return own };
    // numbers, which need not be finite, by their bits
    let own = own.map(|own| own.iter().map(|one| (one.deviation.to_bits(), one.is_unknown)).collect());
    let all: Vec<Vec<(u64, bool)>> = peers.exchange(own)?;
    let errors = |(bits, is_unknown)| ChannelErrors { is_unknown, ..ChannelErrors::white(f64::from_bits(bits)) };
    Ok(all.into_iter().flatten().map(errors).collect())
}

/// Returns the errors of the channels of this process among those of all.
pub(crate) fn own_errors<'e>(peers: Option<&Peers<'_>>, all: &'e [ChannelErrors]) -> &'e [ChannelErrors] {
    match peers {
        Some(peers) => all.get(peers.own_channels.clone()).unwrap_or_default(),
        None => all,
    }
}

/// Exchanges the messages of all processes, as [`Peers::exchange`] does.
pub(crate) fn exchange<T: Serialize + DeserializeOwned>(
    executor: &dyn Executor,
    own: Result<T, IdentificationError>,
) -> Result<Vec<T>, IdentificationError> {
    let parts = executor.gather(encoded(executor.process(), own.as_ref())?).map_err(EnsembleError::from);
    own?;
    parts?.iter().enumerate().map(|(process, part)| Ok(decoded(process, part)?)).collect()
}

/// Distributes the message of process 0 to all; an error in all of them where it has failed.
pub(crate) fn shared<T: Serialize + DeserializeOwned>(
    executor: &dyn Executor,
    of_root: Result<T, IdentificationError>,
) -> Result<T, IdentificationError> {
    let message = executor.share(encoded(executor.process(), of_root.as_ref())?).map_err(EnsembleError::from);
    of_root?;
    Ok(decoded(0, &message?)?)
}

fn encoded<T: Serialize>(
    process: usize,
    message: Result<T, &IdentificationError>,
) -> Result<Vec<u8>, DistributedError> {
    let message = message.map_err(|error| with_causes(error));
    serde_json::to_vec(&message).map_err(|error| unreadable(process, &error))
}

fn decoded<T: DeserializeOwned>(process: usize, part: &[u8]) -> Result<T, DistributedError> {
    // from text, as everything else that is read here: one parser in place of two
    let text = std::str::from_utf8(part).map_err(|error| unreadable(process, &error))?;
    let message: Result<T, String> = serde_json::from_str(text).map_err(|error| unreadable(process, &error))?;
    message.map_err(|message| DistributedError::OtherProcess { process, message })
}

fn unreadable(process: usize, error: &dyn Error) -> DistributedError {
    DistributedError::OtherProcess { process, message: error.to_string() }
}
