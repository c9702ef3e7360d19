//! The question whether the times of a record may be in another unit than s, before a fit.

use costate_system::identifiers::Input;
use costate_system::input::{InputSignal, Sampled};
use costate_system::simulation::Simulation;
use costate_vibration::Equilibrium;

use super::{Builder, MeasuredOutput};
use crate::ExperimentEntry;
use crate::seen::Seen;

impl Builder<'_> {
    /// Says that the times of a record may be in another unit than s, where the start values make a motion that is far
    /// too fast for it, unless the unit is given, or the outputs follow the inputs without a motion of their own.
    pub fn question_clock(&self, own: &Simulation, entry: &ExperimentEntry, measured: &[MeasuredOutput]) {
        /// Sampling intervals of the run that is tried, and the steps in each.
        const INTERVALS: f64 = 60.0;
        const STEPS: f64 = 16.0;
        /// Errors, relative to ranges, for which steps are compared with the interval.
        const ERROR: f64 = 0.05;
        /// Steps of a period for errors of some percent.
        const STEPS_OF_PERIOD: f64 = 30.0;
        let Some(MeasuredOutput { record, .. }) = measured.first() else { return };
        let reading = entry.reading.as_ref().unwrap_or(&self.campaign.reading);
        let Some(interval) = record.interval().filter(|_| !reading.gives_times()) else { return };
        let mut trial = own.clone().error_limit(None).step(interval / STEPS).until(INTERVALS * interval);
        for input in Input::each_of(self.loaded.system.description()) {
            let is_given = own.description().signals.iter().any(|(given, _)| *given == input);
            if let Ok(sampled) = Sampled::from_record(record, input.name())
                && !is_given
            {
                trial = trial.input(input, sampled);
            }
        }
        if measured.iter().all(|one| is_static(one, &trial)) {
            return;
        }
        if let Some(slowest) = slowest_frequency(&trial) {
            (self.observe)(Seen::Motion { record, interval, step: 1.0 / (STEPS_OF_PERIOD * slowest) });
        }
        if let Ok(accuracy) = trial.run().and_then(|run| run.accuracy()) {
            (self.observe)(Seen::Motion { record, interval, step: accuracy.step_for(ERROR) });
        }
    }
}

/// Returns the frequency in Hz of the slowest motion of a model that has nothing slower; `None` without one.
fn slowest_frequency(simulation: &Simulation) -> Option<f64> {
    let poles = Equilibrium::of(simulation).ok()?.linearized().poles().ok()?;
    let slowest = poles.into_iter().map(|pole| pole.norm()).reduce(f64::min).filter(|slowest| *slowest > 0.0);
    slowest.map(|slowest| slowest / std::f64::consts::TAU)
}

/// Returns true if a measured output follows the inputs of a run at every instant, as in a static test: it is a
/// constant and a cubic polynomial of each input.
fn is_static(measured: &MeasuredOutput, run: &Simulation) -> bool {
    let MeasuredOutput { record, channel, .. } = measured;
    let of_signal = |(input, signal): &(Input, InputSignal)| -> Vec<f64> {
        record.times().iter().map(|time| signal.at(input.name(), *time).unwrap_or(f64::NAN)).collect()
    };
    let inputs: Vec<Vec<f64>> = run.description().signals.iter().map(of_signal).collect();
    record.channel(channel).is_ok_and(|channel| follows(channel.values(), &inputs))
}

/// Returns true if nearly all of these values is a constant and a cubic polynomial of each input.
fn follows(values: &[f64], inputs: &[Vec<f64>]) -> bool {
    /// Part of the mean square that is noise.
    const MAX_LEFT: f64 = 1e-3;
    /// Samples for each coefficient.
    const MIN_SAMPLES: usize = 8;
    /// Part of a function that is left of it by rounding.
    const ROUNDING: f64 = 1e-12;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let is_known = |i: &usize| values[*i].is_finite() && inputs.iter().all(|input| input[*i].is_finite());
    let known: Vec<usize> = (0..values.len()).filter(is_known).collect();
    let chosen = |of: &[f64]| known.iter().map(|i| of[*i]).collect::<Vec<f64>>();
    let mut left = chosen(values);
    let size = dot(&left, &left);
    let mut functions = vec![vec![1.0; left.len()]];
    for input in inputs {
        let input = chosen(input);
        let largest = input.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        functions.extend([1, 2, 3].map(|power| input.iter().map(|value| (value / largest).powi(power)).collect()));
    }
    if left.len() < MIN_SAMPLES * functions.len() {
        return false;
    }
    let mut orthonormal: Vec<Vec<f64>> = Vec::new();
    for mut function in functions {
        let own = dot(&function, &function);
        for known in &orthonormal {
            let part = dot(&function, known);
            function.iter_mut().zip(known).for_each(|(value, known)| *value -= part * known);
        }
        let norm = dot(&function, &function);
        // false for an input that is 0 as well
        if norm > ROUNDING * own {
            function.iter_mut().for_each(|value| *value /= norm.sqrt());
            let part = dot(&left, &function);
            left.iter_mut().zip(&function).for_each(|(value, known)| *value -= part * known);
            orthonormal.push(function);
        }
    }
    dot(&left, &left) <= MAX_LEFT * size
}

#[cfg(test)]
mod tests {
    use super::follows;

    #[test]
    fn static_tests_follow_their_inputs() {
        let of = |value: &dyn Fn(f64) -> f64| (0..200).map(|i| value(0.1 * f64::from(i))).collect::<Vec<f64>>();
        let force = of(&|t| (0.3 * t).sin() + 0.2);
        let curved = of(&|t| 3.0 + 2.0 * ((0.3 * t).sin() + 0.2) + 0.5 * ((0.3 * t).sin() + 0.2).powi(3));
        assert!(follows(&curved, &[force.clone(), vec![0.0; 200]]));
        assert!(follows(&[5.0; 20], &[]) && follows(&[0.0; 20], &[]));
        // a phase, a free motion, and too few samples
        assert!(!follows(&of(&|t| (0.3 * t + 1.0).sin()), std::slice::from_ref(&force)));
        assert!(!follows(&of(&|t| 1.0 + 0.1 * t.sin()), &[force]));
        assert!(!follows(&[1.0, 2.0, 3.0], &[vec![1.0, 2.0, 3.0]]));
    }
}
