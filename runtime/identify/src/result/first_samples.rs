//! The remark of a fit whose run does not begin where its record does.

use costate_cost::residuals::root_mean_square;

use crate::definition::digits::significant;
use crate::estimation::experiment_problem::ExperimentProblem;
use crate::estimation::linearized_run::LinearizedRun;

/// Returns a remark on the first channel whose first samples are far from the computed ones: the initial values and the
/// inputs there determine these, whatever the other parameters are.
pub(super) fn far_beginning(
    prepared: &ExperimentProblem,
    experiment: Option<&str>,
    found: &LinearizedRun,
    unknowns: &[f64],
) -> Option<String> {
    /// Number of the first samples, whose mean has less noise.
    const FIRST: usize = 3;
    /// Smallest difference that is remarked, relative to the scatter of the record: a wrong phase or damping changes
    /// the beginning by less.
    const MIN_PART: f64 = 0.3;
    prepared.comparison.channels.iter().find_map(|channel| {
        let fitted = channel.fitted(&found.outputs, unknowns);
        let (values, times) = (&channel.values, &channel.times);
        let count = values.len() as f64;
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let scattered: Vec<f64> = values.iter().map(|value| value - mean(values)).collect();
        let (measured, computed) = (mean(values.get(..FIRST)?), mean(fitted.get(..FIRST)?));
        // a record that begins later than the run says nothing about the initial values
        let begins = *times.first()? <= times.last()? / count;
        if !begins || (measured - computed).abs() <= MIN_PART * root_mean_square(&scattered) {
            return None;
        }
        let unit = prepared.problem.description().outputs[channel.output].unit;
        let (name, [measured, computed]) =
            (prepared.output_name(channel), [measured, computed].map(|value| significant(value, 3)));
        let experiment = experiment.map_or(String::new(), |name| format!("{name}: "));
        Some(format!(
            "{experiment}at its beginning `{name}` is measured as {measured} {unit} and computed as {computed} {unit}: \
             the initial values may not be those of the record; give them, or make them unknown"
        ))
    })
}
