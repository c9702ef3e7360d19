//! Remarks on whether a longer record would determine an unknown better.

use crate::definition::digits::significant;
use crate::estimation::covariance::ChannelRows;

use super::checked::{CheckedUnknown, Determination};

/// Estimates how much more data an unknown needs that is determined poorly, and whether it begins to act only at the
/// end of the records.
///
/// Variances fall in proportion to the amount of data if all data are alike; they fall faster if a longer record
/// continues like its end.
pub(super) fn remark(unknown: &CheckedUnknown, number: usize, channels: &[ChannelRows]) -> Option<String> {
    /// Part of the information in the end of the record above which the information still increases.
    const MAX_INFORMATION_AT_END: f64 = 0.5;
    let more = (unknown.predicted_deviation / unknown.start).powi(2);
    if unknown.determination != Determination::Poorly || !more.is_finite() {
        return None;
    }
    let mut remark = format!(
        "the predicted standard deviation of `{}`, {} {}, exceeds its start value: {} times as many data of the same \
             kind are needed to reduce it to that",
        unknown.name,
        significant(unknown.predicted_deviation, 2),
        unknown.unit,
        significant(more, 2)
    );
    let late = late_part(channels, number);
    if late > MAX_INFORMATION_AT_END {
        remark += &format!(
            "; longer records need fewer, as {} % of the information on `{}` is in the last fifth of the present ones",
            significant(100.0 * late, 2),
            unknown.name
        );
    }
    Some(remark)
}

/// Returns the part of the information of the channels about an unknown that is in their last samples.
fn late_part(channels: &[ChannelRows], number: usize) -> f64 {
    /// Length of the end of a record, as a part of its samples.
    const END_PART: f64 = 0.2;
    let (mut late, mut all) = (0.0, 0.0);
    for rows in channels {
        let column = rows.sensitivities.column(number);
        let first = ((1.0 - END_PART) * column.len() as f64).round() as usize;
        let variance = rows.deviation.map_or(1.0, |deviation| deviation * deviation);
        let squares = |from: usize| column.iter().skip(from).map(|entry| entry * entry).sum::<f64>() / variance;
        late += squares(first);
        all += squares(0);
    }
    if all > 0.0 { late / all } else { 0.0 }
}
