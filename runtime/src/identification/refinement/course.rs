//! Runs beside what was measured.

use crate::identification::campaign::deferred::distance;

/// What is measured in one channel, and what the model makes of it.
pub(super) struct Channel {
    pub values: Vec<f64>,
    pub fitted: Vec<f64>,
}

/// The run of one experiment: its channels, and where it looks into every table of the model.
pub(super) struct Course {
    pub channels: Vec<Channel>,
    pub touched: Vec<Vec<[f64; 2]>>,
}

/// Of every table of the model, in all experiments.
pub(super) fn touched_of(courses: &[Course]) -> Vec<Vec<[f64; 2]>> {
    let count = courses.first().map_or(0, |course| course.touched.len());
    let of_table =
        |table: usize| courses.iter().flat_map(|course| course.touched[table].iter().copied()).collect();
    (0..count).map(of_table).collect()
}

/// What is left, in percent of what was measured, without its mean.
pub(super) fn percent(channel: &Channel) -> f64 {
    let mean = channel.values.iter().sum::<f64>() / channel.values.len().max(1) as f64;
    let level = vec![mean; channel.values.len()];
    100.0 * distance(&channel.fitted, &channel.values) / distance(&level, &channel.values)
}

/// The largest part that is left of a channel, in percent; infinite where it is no number.
pub(super) fn worst(courses: &[Course]) -> f64 {
    let left = courses.iter().flat_map(|course| &course.channels).map(percent);
    left.fold(0.0, |most, left| if left.is_nan() { f64::INFINITY } else { f64::max(most, left) })
}
