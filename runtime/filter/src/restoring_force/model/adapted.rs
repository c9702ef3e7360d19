//! The adapted model: the elements with curves in place of effective coefficients, and its response.

use costate_contract::machine::{OutOfMemory, Room, bytes};
use costate_numerics::scalar::out_of_range::OutOfRange;
use costate_system::state_space::{FilterError, StateSpace, Step};
use costate_system::table::Curve;

use super::RestoringForceModel;
use super::response::{Response, Visited, Watched};
use crate::restoring_force::error::{RestoringForceError, size};
use crate::restoring_force::signals::check_inputs;

/// A [`RestoringForceModel`] whose elements have the identified curves as forces:
///
/// ```text
/// z' = v,   v' = M^-1 (G w - c_E(z) - c_D(v)) + B u
/// ```
///
/// Comparing its response to the excitation of a record with the measured signals shows the quality of the curves
/// ([`SeriesError`](crate::restoring_force::SeriesError)).
#[derive(Debug, Clone)]
pub struct AdaptedModel {
    model: RestoringForceModel,
    elastic: Vec<Curve>,
    dissipative: Vec<Curve>,
    /// z (N) and v (N).
    start: Vec<f64>,
    tolerance: f64,
    most_steps: usize,
}

impl RestoringForceModel {
    /// Returns the model with curves c_E(z) and c_D(v), one of each for every element, at rest. Entries of M^-1 that
    /// are unknown have their start values; [`with_inverse_inertia`](Self::with_inverse_inertia) replaces them.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`].
    pub fn adapted(&self, elastic: &[Curve], dissipative: &[Curve]) -> Result<AdaptedModel, RestoringForceError> {
        size("elastic", elastic.len(), self.elements())?;
        size("dissipative", dissipative.len(), self.elements())?;
        Ok(AdaptedModel {
            model: self.clone(),
            elastic: elastic.to_vec(),
            dissipative: dissipative.to_vec(),
            start: vec![0.0; 2 * self.elements()],
            tolerance: 1e-4,
            most_steps: 64,
        })
    }
}

impl AdaptedModel {
    /// Sets deformation and rate of every element at the first sample, in place of rest.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`], [`RestoringForceError::OutOfRange`].
    pub fn start(mut self, motion: &[(f64, f64)]) -> Result<Self, RestoringForceError> {
        let n = self.model.elements();
        size("start", motion.len(), n)?;
        for (j, &(z, v)) in motion.iter().enumerate() {
            if let Some(value) = [z, v].into_iter().find(|value| !value.is_finite()) {
                return Err(OutOfRange { field: "start", value, limit: "finite" }.into());
            }
            (self.start[j], self.start[n + j]) = (z, v);
        }
        Ok(self)
    }

    /// Sets the largest change of a signal by steps of twice the length, relative to its standard deviation; 1e-4 by
    /// default.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`].
    pub fn tolerance(mut self, tolerance: f64) -> Result<Self, RestoringForceError> {
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            let (field, limit) = ("tolerance", "positive and finite");
            return Err(OutOfRange { field, value: tolerance, limit }.into());
        }
        self.tolerance = tolerance;
        Ok(self)
    }

    /// Sets the largest number of steps from one sample to the next that is tried, of 2, 4, 8 and so on; 64 by
    /// default.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`] for fewer than two: a single step has no error estimate.
    pub fn most_steps(mut self, steps: usize) -> Result<Self, RestoringForceError> {
        if steps < 2 {
            let (field, limit) = ("most_steps", "2 or more");
            return Err(OutOfRange { field, value: steps as f64, limit }.into());
        }
        self.most_steps = steps;
        Ok(self)
    }

    /// Returns the signals of the sensors at `samples` samples every `interval` s, by the steps of the filter, KE
    /// (2.43) to (2.45); `inputs` are rows of base accelerations and forces, one per sample, linear in between.
    ///
    /// From one sample to the next there are two steps, then four, and so on, until all signals are those of half as
    /// many steps to within the [`tolerance`](Self::tolerance). If this is not reached with
    /// [`most_steps`](Self::most_steps), the response reports it ([`Response::is_accurate`], [`Response::warnings`]).
    ///
    /// ```
    /// use costate::restoring_force::{RestoringForceError, RestoringForceModel, Sensor, SeriesError};
    /// use costate::table::{Curve, Extension};
    ///
    /// # fn main() -> Result<(), RestoringForceError> {
    /// // 4 kg on 40 kN/m that were pulled 1 mm aside: 100 rad/s
    /// let model = RestoringForceModel::on_moving_base(4.0)?.with_sensors(vec![Sensor::displacement(0)])?;
    /// let straight = |slope: f64| Curve::new(vec![-1e-3, 1e-3], vec![-1e-3 * slope, 1e-3 * slope], Extension::Linear);
    /// let adapted = model.adapted(&[straight(40e3)?], &[straight(0.0)?])?.start(&[(1e-3, 0.0)])?;
    /// let response = adapted.respond(&[0.0; 1001], 1001, 1e-3)?;
    ///
    /// let exact: Vec<f64> = (0..1001).map(|i| 1e-3 * (0.1 * f64::from(i)).cos()).collect();
    /// assert!(SeriesError::new(&response.signals, &exact)?.percent() < 0.01 && response.is_accurate());
    /// // Its rate was 0.1 m/s, where nothing is known of the damper.
    /// assert!(response.elastic[0].beyond < 0.01 && response.dissipative[0].beyond > 0.9);
    /// println!("{}", response.warnings()[0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`] for the interval, [`RestoringForceError::Size`] and
    /// [`RestoringForceError::Signal`] for the inputs, [`RestoringForceError::RunsAway`] for a motion that is not
    /// finite with the shortest steps, and [`FilterError::OutOfMemory`] for more samples than the machine has memory
    /// for.
    pub fn respond(&self, inputs: &[f64], samples: usize, interval: f64) -> Result<Response, RestoringForceError> {
        if !(interval > 0.0 && interval.is_finite()) {
            let (field, limit) = ("interval", "positive and finite");
            return Err(OutOfRange { field, value: interval, limit }.into());
        }
        let width = self.model.inputs();
        size("samples", samples.min(1), 1)?;
        size("inputs", inputs.len(), samples.saturating_mul(width))?;
        check_inputs(inputs, width)?;
        let excitation = Excitation { inputs, samples, interval };
        let mut before = self.run(&excitation, 1)?;
        let mut steps = 2;
        loop {
            let found = self.run(&excitation, steps)?;
            let is_last = steps > self.most_steps / 2;
            match found {
                Ok(fine) => {
                    let moved = match &before {
                        Ok(coarse) => moved(&coarse.signals, &fine.signals, self.model.measurements()),
                        Err(_) => vec![f64::INFINITY; self.model.measurements()],
                    };
                    if is_last || moved.iter().all(|moved| *moved <= self.tolerance) {
                        return Ok(self.response(fine, steps, moved));
                    }
                    before = Ok(fine);
                }
                Err(time) if is_last => return Err(RestoringForceError::RunsAway { time, steps }),
                Err(time) => before = Err(time),
            }
            steps *= 2;
        }
    }

    fn response(&self, run: Run, steps: usize, moved: Vec<f64>) -> Response {
        let visited = |watched: &[Watched]| -> Vec<Visited> { watched.iter().map(Watched::visited).collect() };
        let (elastic, dissipative) = run.watched.split_at(self.model.elements());
        Response {
            elastic: visited(elastic),
            dissipative: visited(dissipative),
            signals: run.signals,
            motion: run.motion,
            steps,
            moved,
            tolerance: self.tolerance,
        }
    }

    /// Runs with `steps` steps from one sample to the next; returns the run, or the time at which it is no longer
    /// finite.
    fn run(&self, excitation: &Excitation<'_>, steps: usize) -> Result<Result<Run, f64>, FilterError> {
        let mut model = self.model.clone();
        let law = |j: usize, z: f64, v: f64| self.elastic[j].value(z) + self.dissipative[j].value(v);
        let (width, length) = (model.inputs(), excitation.interval / steps as f64);
        let mut run = Run::new(self, excitation.samples)?;
        let mut row = vec![0.0; model.measurements()];
        let (mut x, mut next) = (self.start.clone(), self.start.clone());
        let mut inputs = [vec![0.0; width], vec![0.0; width]];
        for i in 0..excitation.samples {
            let time = i as f64 * excitation.interval;
            // no steps before the first sample
            for k in 0..if i == 0 { 0 } else { steps } {
                let [from, to] = &mut inputs;
                excitation.between(i, k as f64 / steps as f64, from);
                excitation.between(i, (k + 1) as f64 / steps as f64, to);
                let step = Step { time, interval: length, inputs_before: from, inputs: to };
                model.advance_by(&law, &step, &x, &mut next);
                std::mem::swap(&mut x, &mut next);
                if x.iter().any(|value| !value.is_finite()) {
                    return Ok(Err(time - excitation.interval + (k + 1) as f64 * length));
                }
                run.visit(&x);
            }
            model.measure_by(&law, excitation.row(i, width), &x, &mut row);
            if row.iter().any(|value| !value.is_finite()) {
                return Ok(Err(time));
            }
            if i == 0 {
                run.visit(&x);
            }
            run.signals.extend_from_slice(&row);
            run.motion.extend_from_slice(&x);
        }
        Ok(Ok(run))
    }
}

/// Rows of inputs.
struct Excitation<'a> {
    inputs: &'a [f64],
    samples: usize,
    interval: f64,
}

impl Excitation<'_> {
    fn row(&self, sample: usize, width: usize) -> &[f64] {
        &self.inputs[sample * width..(sample + 1) * width]
    }

    /// Interpolates the inputs between the sample before `sample` (`part` 0) and `sample` (`part` 1).
    fn between(&self, sample: usize, part: f64, inputs: &mut [f64]) {
        let width = inputs.len();
        let (before, there) = (self.row(sample - 1, width), self.row(sample, width));
        for ((input, a), b) in inputs.iter_mut().zip(before).zip(there) {
            *input = if part < 1.0 { a + part * (b - a) } else { *b };
        }
    }
}

/// A motion in steps of one length.
struct Run {
    signals: Vec<f64>,
    motion: Vec<f64>,
    /// Use of the elastic curves, then of the dissipative ones.
    watched: Vec<Watched>,
}

impl Run {
    fn new(adapted: &AdaptedModel, samples: usize) -> Result<Self, OutOfMemory> {
        let remedy = "take fewer samples";
        let room = Room { what: "the response", count: samples, counted: "samples", remedy };
        let [signals, motion] = [adapted.model.measurements(), adapted.start.len()];
        let numbers = |each: usize| samples.saturating_mul(each);
        room.check(bytes(numbers(signals).saturating_add(numbers(motion)), size_of::<f64>()))?;
        let curves = adapted.elastic.iter().chain(&adapted.dissipative);
        Ok(Self {
            signals: room.take(numbers(signals))?,
            motion: room.take(numbers(motion))?,
            watched: curves.map(Watched::new).collect(),
        })
    }

    fn visit(&mut self, x: &[f64]) {
        self.watched.iter_mut().zip(x).for_each(|(watched, x)| watched.visit(*x));
    }
}

/// Returns the root mean square of the difference of every signal over its standard deviation.
fn moved(coarse: &[f64], fine: &[f64], signals: usize) -> Vec<f64> {
    /// Part of the largest value below which deviations from a constant are rounding errors.
    const ROUNDING: f64 = 1e-9;
    let samples = (fine.len() / signals.max(1)) as f64;
    let of_signal = |j: usize| {
        let pairs = || coarse.iter().zip(fine).skip(j).step_by(signals);
        let average = pairs().map(|(_, y)| y / samples).sum::<f64>();
        let difference = pairs().map(|(a, b)| (a - b).powi(2) / samples).sum::<f64>().sqrt();
        let deviation = pairs().map(|(_, y)| (y - average).powi(2) / samples).sum::<f64>().sqrt();
        let largest = pairs().fold(0.0_f64, |largest, (_, y)| largest.max(y.abs()));
        let moved = difference / deviation.max(ROUNDING * largest);
        match (difference, moved) {
            (0.0, _) => 0.0,
            (_, moved) if moved.is_nan() => f64::INFINITY,
            (_, moved) => moved,
        }
    };
    (0..signals).map(of_signal).collect()
}
