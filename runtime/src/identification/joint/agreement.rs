//! What processes tell each other before they evaluate a joint cost: whether all of them can, and want the same.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::causes::with_causes;
use crate::ensemble::{EnsembleError, Executor};
use crate::identification::said::error::IdentificationError;
use crate::machine::available_memory;
use crate::state_file::Description;

use super::JointMemory;

/// What one process tells.
#[derive(Serialize, Deserialize)]
pub(super) struct Told {
    /// Names of its experiments.
    pub names: Vec<String>,
    /// What must be the same in all processes.
    pub common: Description,
    /// What its experiments are.
    pub experiments: Description,
    /// Units of its measured outputs.
    pub units: BTreeSet<String>,
    /// Whether it says how outputs of different units are weighed.
    pub is_weighed: bool,
    pub simulation_bytes: u64,
    pub sample_bytes: u64,
    pub available_bytes: Option<u64>,
}

impl Told {
    /// What this process tells of so many bytes.
    pub fn new(names: Vec<String>, common: Description, (simulations, samples): (u64, u64)) -> Self {
        Self {
            names,
            common,
            experiments: Description::default(),
            units: BTreeSet::new(),
            is_weighed: false,
            simulation_bytes: simulations,
            sample_bytes: samples,
            available_bytes: available_memory(),
        }
    }

    /// The memory of a process.
    pub fn memory(&self, process: usize, first: usize) -> JointMemory {
        JointMemory {
            process,
            experiments: first..first + self.names.len(),
            simulation_bytes: self.simulation_bytes,
            sample_bytes: self.sample_bytes,
            available_bytes: self.available_bytes,
        }
    }
}

/// What every process tells, by their numbers; an error in all of them where one has failed.
pub(super) fn exchange<T: Serialize + DeserializeOwned>(
    executor: &dyn Executor,
    own: Result<T, IdentificationError>,
) -> Result<Vec<T>, IdentificationError> {
    let parts = executor.gather(encoded(executor.process(), &own)?).map_err(EnsembleError::from);
    own?;
    parts?.iter().enumerate().map(|(process, part)| decoded(process, part)).collect()
}

/// What process 0 tells all; an error in all of them where it has failed.
pub(super) fn shared<T: Serialize + DeserializeOwned>(
    executor: &dyn Executor,
    of_root: Result<T, IdentificationError>,
) -> Result<T, IdentificationError> {
    let told = executor.share(encoded(executor.process(), &of_root)?).map_err(EnsembleError::from);
    of_root?;
    decoded(0, &told?)
}

fn encoded<T: Serialize>(
    process: usize,
    told: &Result<T, IdentificationError>,
) -> Result<Vec<u8>, IdentificationError> {
    let told = told.as_ref().map_err(|error| with_causes(error));
    serde_json::to_vec(&told).map_err(|error| unreadable(process, &error))
}

fn decoded<T: DeserializeOwned>(process: usize, part: &[u8]) -> Result<T, IdentificationError> {
    let told: Result<T, String> =
        serde_json::from_slice(part).map_err(|error| unreadable(process, &error))?;
    told.map_err(|message| IdentificationError::OtherProcess { process, message })
}

fn unreadable(process: usize, error: &serde_json::Error) -> IdentificationError {
    IdentificationError::OtherProcess { process, message: error.to_string() }
}

/// What every process tells, by their numbers, if all want the same.
pub(super) fn agree(
    executor: &dyn Executor,
    own: Result<Told, IdentificationError>,
) -> Result<Vec<Told>, IdentificationError> {
    let all = exchange(executor, own)?;
    check(&all)?;
    Ok(all)
}

/// That all want the same, of experiments with different names.
fn check(all: &[Told]) -> Result<(), IdentificationError> {
    let Some(root) = all.first() else { return Ok(()) };
    for (process, told) in all.iter().enumerate() {
        if let Some(first) = root.common.differences(&told.common).first() {
            let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
            return Err(IdentificationError::ProcessesDiffer {
                process,
                what: first.what.clone(),
                there: text(&first.given),
                root: text(&first.stored),
            });
        }
    }
    let mut names = BTreeSet::new();
    for name in all.iter().flat_map(|told| &told.names) {
        if !names.insert(name) {
            return Err(IdentificationError::RepeatedExperiment { name: name.clone() });
        }
    }
    let units: BTreeSet<&String> = all.iter().flat_map(|told| &told.units).collect();
    match units.len() > 1 && !all.iter().any(|told| told.is_weighed) {
        true => Err(IdentificationError::NotJoint {
            what: "weights that the residuals of different units would tell",
            remedy: "give measurements weights, or standard deviations and `.weighting(Weighting::Likelihood)`",
        }),
        false => Ok(()),
    }
}
