//! Data without a unit, which are taken in the units of the model.

use costate::measure::{AssumedUnit, Record, RecordError};
use costate::model::Output;
use costate::simulate::Run;

/// Returns the assumptions about the signals and tables of a run, and about measured channels of outputs.
///
/// # Errors
/// [`RecordError::MissingChannel`].
pub fn of<'r>(
    run: &Run,
    measured: impl IntoIterator<Item = (&'r Record, &'r str, Output)>,
) -> Result<Vec<AssumedUnit>, RecordError> {
    with_measured(run.assumed_units(), measured)
}

/// Adds the assumptions about measured channels of outputs to others.
///
/// # Errors
/// [`RecordError::MissingChannel`].
pub fn with_measured<'r>(
    others: &[AssumedUnit],
    measured: impl IntoIterator<Item = (&'r Record, &'r str, Output)>,
) -> Result<Vec<AssumedUnit>, RecordError> {
    let mut all = others.to_vec();
    for (record, channel, output) in measured {
        let assumed = record.channel(channel)?.assumed(record.name(), &output.into());
        all.extend(assumed.filter(|assumed| !others.contains(assumed)));
    }
    Ok(all)
}

/// Returns one line about all data without units; nothing if all have one.
pub fn line(assumed: &[AssumedUnit]) -> String {
    if assumed.is_empty() {
        return String::new();
    }
    let one = |one: &AssumedUnit| format!("`{}` of `{}` in {}", one.column, one.source, one.unit);
    format!("without a unit, taken in the model's: {}\n", assumed.iter().map(one).collect::<Vec<_>>().join(", "))
}
