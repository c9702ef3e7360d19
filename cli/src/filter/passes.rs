//! Passes of a filter over a record: with steps so short that they do not move what the filter finds.

use costate::campaign::build::MeasuredOutput;
use costate::filter::{FilterRun, FixedLagSmoother, KalmanFilter, Smoothed, Storage, run, smooth};
use costate::measure::AssumedUnit;
use costate::model::{Output, Parameter};
use costate::simulate::Simulation;
use nalgebra::DMatrix;

use super::{Following, Options, rows};
use crate::assumed;
use crate::error::CommandError;
use crate::loaded::Loaded;

/// Largest shift by the steps, in standard deviations of an estimate, that is no doubt; as fits have it.
const MAX_SHIFT: f64 = 0.5;

/// The quantities of a filter that do not depend on its steps.
pub struct Filtering<'a> {
    pub options: &'a Options,
    pub loaded: &'a Loaded,
    pub simulation: &'a Simulation,
    pub measured: &'a [MeasuredOutput],
    pub following: &'a [Following],
    /// Standard deviations of the errors of the measured outputs.
    pub noise: &'a [f64],
}

/// One pass over the record.
#[derive(Debug)]
pub struct Pass {
    /// Length of a step in s.
    pub interval: f64,
    /// Names of the states.
    pub names: Vec<String>,
    /// Places of the followed parameters among the states.
    pub places: Vec<usize>,
    /// The measured values, one row for each step's end; NaN where nothing was measured.
    pub rows: Vec<f64>,
    /// Data without a unit.
    pub assumed: Vec<AssumedUnit>,
    /// The estimates by the samples so far.
    pub filtered: FilterRun,
    /// The estimates by later samples as well; `None` where they are not wanted.
    pub smoothed: Option<Smoothed>,
}

/// Effect of the steps on what a filter finds, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub enum StepCheck {
    /// Half the steps were tried; `None` where no estimate has a deviation.
    Tried(Option<Shift>),
    /// Half of these steps, in s, were not tried: the filter was stopped, the record is too long, or they fail.
    Untried(f64),
}

/// The effect of half the steps on what a filter finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Shift {
    /// Name of the state whose estimate moves most.
    state: String,
    /// The motion of its estimate in the second half of the record, in standard deviations, root mean squares of both.
    deviations: f64,
    /// Length of the longer steps in s.
    step: f64,
}

impl StepCheck {
    /// Returns the doubt about the steps, if there is one.
    pub fn doubt(&self) -> Option<String> {
        match self {
            Self::Tried(shift) => shift.as_ref().filter(|shift| !shift.is_small()).map(Shift::doubt),
            Self::Untried(step) => Some(format!(
                "It is not known how far the steps of {step} s move what is found: half of them could not be tried, as \
                 the record is too long, or a filter with them fails."
            )),
        }
    }
}

impl Shift {
    /// Returns true if the steps move no estimate noticeably.
    fn is_small(&self) -> bool {
        self.deviations <= MAX_SHIFT
    }

    /// Returns the doubt about these steps, with steps that are short enough.
    fn doubt(&self) -> String {
        let Self { state, deviations, step } = self;
        // errors fall with the square of the step
        let parts = (deviations / MAX_SHIFT).sqrt().log2().ceil().max(1.0).exp2();
        format!(
            "Half the steps of {step} s move the estimate of `{state}` by {deviations:.1} of its standard deviations: \
             take `--step {}`.",
            costate::command::significant(step / parts, 3)
        )
    }
}

impl Filtering<'_> {
    /// Filters the record until a time in s, with these steps if they are given, else with halves of them until they
    /// move no estimate noticeably. Returns the pass with what is known of the effect of its steps.
    pub fn with_fine_steps(
        &self,
        (interval, last): (f64, f64),
        is_given: bool,
    ) -> Result<(Pass, StepCheck), CommandError> {
        /// Halvings of the steps at most, and steps beyond which none is halved: time and memory.
        const MAX_HALVINGS: u32 = 5;
        const MAX_STEPS: f64 = 200_000.0;
        let mut pass = self.pass(interval, last)?;
        for halvings in 1.. {
            let half = 0.5 * pass.interval;
            if pass.filtered.stopped().is_some() || last > MAX_STEPS * half {
                break;
            }
            // where shorter steps fail, the longer ones are what there is
            let Ok(finer) = self.pass(half, last) else { break };
            let shift = self.shift(&pass, &finer);
            if is_given || halvings > MAX_HALVINGS || shift.as_ref().is_none_or(Shift::is_small) {
                return Ok((pass, StepCheck::Tried(shift)));
            }
            pass = finer;
        }
        let interval = pass.interval;
        Ok((pass, StepCheck::Untried(interval)))
    }

    /// Filters the record until a time in s, with steps of this length.
    fn pass(&self, interval: f64, last: f64) -> Result<Pass, CommandError> {
        /// Part of a step by which the last sample may miss a whole number of steps.
        const STEP_ROUNDING: f64 = 1e-6;
        let steps = (last / interval + STEP_ROUNDING).floor().max(1.0);
        let problem = self.simulation.clone().step(interval).until(steps * interval).problem()?;
        let outputs: Vec<Output> = self.measured.iter().map(|measured| measured.output).collect();
        let parameters = &self.simulation.description().model.parameters;
        let followed: Vec<(Parameter, f64)> = self.following.iter().map(|one| (one.parameter, one.start.1)).collect();
        let process = self.loaded.model.process(&problem, parameters, (&followed, &outputs))?;
        let states = process.initial.mean.len();
        let mut drift = DMatrix::zeros(states, states);
        for (place, one) in process.places.iter().zip(self.following) {
            drift[(*place, *place)] = one.drift * one.drift * interval;
        }
        let variances: Vec<f64> = self.noise.iter().map(|deviation| deviation * deviation).collect();
        let errors = DMatrix::from_diagonal(&variances.into());
        let names = (0..states).map(|state| process.space.state_name(state)).collect();
        let method = self.options.method();
        let mut filter = KalmanFilter::new(process.space, method, interval, &process.initial, &drift, &errors)?;
        let rows = rows(self.measured, interval, steps as usize + 1)?;
        let channels = self.measured.iter().map(|one| (&one.record, one.channel.as_str(), one.output));
        let assumed = assumed::with_measured(problem.assumed_units(), channels)?;
        let (inputs, options) = (&process.inputs, self.options);
        let (filtered, smoothed) = if let Some(lag) = options.lag {
            let samples = (lag / interval).round().max(1.0) as usize;
            let (filtered, smoothed) =
                FixedLagSmoother::new(filter, samples)?.run(inputs, &rows, Storage::Covariances)?;
            (filtered, Some(smoothed))
        } else if options.smooth {
            let filtered = run(&mut filter, inputs, &rows, Storage::Gains)?;
            let smoothed = smooth(&filtered)?;
            (filtered, Some(smoothed))
        } else {
            (run(&mut filter, inputs, &rows, Storage::Covariances)?, None)
        };
        Ok(Pass { interval, names, places: process.places, rows, assumed, filtered, smoothed })
    }

    /// Compares two passes, the other one with half the steps, in the second half of the record: coordinates and
    /// followed parameters, as the other states belong to the steps. `None` without a deviation.
    fn shift(&self, pass: &Pass, finer: &Pass) -> Option<Shift> {
        let samples = pass.filtered.samples();
        // over time, as the deviation of a state may vanish at single samples
        let of_state = |state: usize| {
            let (all, others) = (pass.filtered.state(state), finer.filtered.state(state).step_by(2));
            let (mut squares, mut variances) = (0.0, 0.0);
            for (sample, (own, other)) in all.zip(others).enumerate().skip(samples / 2) {
                squares += (own - other).powi(2);
                variances += pass.filtered.covariance_entry(sample, state, state)?;
            }
            Some((squares / variances).sqrt()).filter(|shift| shift.is_finite())
        };
        let judged = (0..self.loaded.system.description().coordinates.len()).chain(pass.places.iter().copied());
        let all = judged.filter_map(|state| Some((state, of_state(state)?)));
        let (state, deviations) = all.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some(Shift { state: pass.names.get(state)?.clone(), deviations, step: pass.interval })
    }
}
