//! The answer of a filter: followed parameters at the end, how well outputs were predicted, tables and diagrams over
//! time.

use std::path::{Path, PathBuf};

use costate::command::Description;
use costate::command::Page;
use costate::command::shown::{Exact, Shown};
use costate::command::significant;
use costate::filter::{FilterRun, Smoothed};
use costate::identify::residuals::root_mean_square;
use costate::measure::{AssumedUnit, Record};
use costate::model::{Output, Parameter};
use costate::plot::{Axis, Band, Figure, Line, Panel, color};
use serde_json::{Value, json};

use super::passes::StepCheck;
use super::{Begin, Following, with_deviation};
use crate::answer::Answer;
use crate::assumed;
use crate::error::CommandError;
use crate::options::extension;
use crate::output::write;
use crate::written::Written;

/// Largest mean of normalised innovations squared in half a record that is chance, and its inverse; 1 is expected.
const MAX_NORMALISED_SQUARE: f64 = 4.0;

/// A followed parameter.
#[derive(Debug)]
pub struct Followed {
    parameter: Parameter,
    start: (f64, f64),
    /// The place among the states.
    place: usize,
}

impl Followed {
    /// Creates a followed parameter at its place among the states.
    pub fn new(following: &Following, place: usize) -> Self {
        Self { parameter: following.parameter, start: following.start, place }
    }
}

/// A measured output.
#[derive(Debug)]
pub struct Tracked {
    /// The output.
    pub output: Output,
    /// Standard deviation of its errors.
    pub noise: f64,
}

/// The results of a filter.
#[derive(Debug)]
pub struct Results {
    /// The model.
    pub model: &'static Description,
    /// Length of a step in s.
    pub interval: f64,
    /// True if the steps are shorter than the intervals of the samples, so that they do not move what is found.
    pub is_finer: bool,
    /// Effect of the steps, as far as it is known.
    pub step_check: StepCheck,
    /// Names of the states.
    pub names: Vec<String>,
    /// The followed parameters.
    pub parameters: Vec<Followed>,
    /// The measured outputs.
    pub outputs: Vec<Tracked>,
    /// The measured values, one row for each step.
    pub rows: Vec<f64>,
    /// Data without a unit.
    pub assumed: Vec<AssumedUnit>,
    /// The estimates by the samples so far.
    pub filtered: FilterRun,
    /// The estimates by all samples, or by those until a lag.
    pub smoothed: Option<Smoothed>,
    /// Time in s for which an estimate waits for measurements; `None` without a lag.
    pub lag: Option<f64>,
}

impl Results {
    /// Returns a state and its deviation at all samples.
    fn course(&self, state: usize) -> (Vec<f64>, Vec<f64>) {
        let deviation = |variance: f64| variance.max(0.0).sqrt();
        match &self.smoothed {
            Some(smoothed) => (
                smoothed.state(state).collect(),
                (0..smoothed.samples()).map(|i| deviation(smoothed.covariance(i)[(state, state)])).collect(),
            ),
            None => {
                let variance = |i| self.filtered.covariance_entry(i, state, state).unwrap_or(f64::NAN);
                let samples = 0..self.filtered.samples();
                (self.filtered.state(state).collect(), samples.map(|i| deviation(variance(i))).collect())
            }
        }
    }

    fn times(&self) -> Vec<f64> {
        (0..self.filtered.samples()).map(|i| i as f64 * self.interval).collect()
    }

    /// Returns the measured and the predicted values of an output.
    fn predictions(&self, number: usize) -> (Vec<f64>, Vec<f64>) {
        let measured = self.rows.iter().skip(number).step_by(self.outputs.len()).copied();
        let predicted = |i| self.filtered.predicted_measurement(i).get(number).copied().unwrap_or(f64::NAN);
        let samples = self.filtered.samples();
        (measured.take(samples).collect(), (0..samples).map(predicted).collect())
    }

    /// Returns the root mean square of the errors of the predictions in the second half of the record.
    fn error(&self, number: usize) -> f64 {
        let (measured, predicted) = self.predictions(number);
        let half = measured.len() / 2;
        let differences = measured.iter().zip(&predicted).skip(half).map(|(a, b)| a - b);
        root_mean_square(&differences.filter(|error| error.is_finite()).collect::<Vec<_>>())
    }

    /// Returns the mean of the normalised innovations squared in the second half of the record; NaN without any.
    fn normalised_square(&self, number: usize) -> f64 {
        let (measured, predicted) = self.predictions(number);
        let deviation = |i: usize| self.filtered.innovation_deviation(i).get(number).copied().unwrap_or(f64::NAN);
        let squares =
            (measured.len() / 2..measured.len()).map(|i| ((measured[i] - predicted[i]) / deviation(i)).powi(2));
        let squares: Vec<f64> = squares.filter(|square| square.is_finite()).collect();
        squares.iter().sum::<f64>() / squares.len() as f64
    }

    /// Writes the files, and returns the answer, with what could not be written; `turns` are doubts about angles.
    pub fn answer(&self, files: &[PathBuf], turns: Vec<String>, begin: Begin) -> Answer {
        let (samples, end) =
            (self.filtered.samples(), self.filtered.samples().saturating_sub(1) as f64 * self.interval);
        let how = match self.lag {
            Some(lag) => format!("smoothed with a lag of {} s", Shown(lag)),
            None if self.smoothed.is_some() => "smoothed".to_owned(),
            None => "filtered".to_owned(),
        };
        let mut text = format!("{}: {samples} samples {how}, to {} s\n", self.model.name, Shown(end));
        if self.is_finer {
            text += &format!("steps of {} s, as longer ones move what is found\n", Shown(self.interval));
        }
        let (mut parameters, mut outputs, mut doubts) = (Vec::new(), Vec::new(), turns);
        match begin {
            Begin::Same => (),
            Begin::OfRecords(time) => {
                text += &format!("0 s of the run is {} s of the record, its first sample\n", Exact(time));
            }
            Begin::Later(time) => doubts.push(format!(
                "The records begin {} s after the begin of the run, which nothing drives until then: if the start of \
                     the model is that of the first sample, let the times of all records begin at 0 s.",
                Exact(time)
            )),
        }
        for followed in &self.parameters {
            let (name, unit) = (followed.parameter.name(), followed.parameter.quantity().unit);
            let (values, deviations) = self.course(followed.place);
            let last = values.last().copied().zip(deviations.last().copied()).unwrap_or(followed.start);
            text +=
                &format!("{name}: {} (start {})\n", with_deviation(last, unit), with_deviation(followed.start, unit));
            parameters.push(json!({
                "name": name, "unit": unit, "found": last.0, "standard_deviation": last.1,
                "start": followed.start.0, "start_deviation": followed.start.1,
            }));
        }
        for (number, Tracked { output, noise }) in self.outputs.iter().enumerate() {
            let (name, unit, error) = (output.name(), output.quantity().unit, self.error(number));
            let square = self.normalised_square(number);
            text += &format!(
                "{name}: predicted to {error:.3e} {unit}, noise {noise:.3e} {unit}; normalised innovations squared {}, \
                     1 expected\n",
                significant(square, 3)
            );
            if square > MAX_NORMALISED_SQUARE {
                doubts.push(format!(
                    "The predictions of `{name}` miss the measurements by {} times what the filter expects: the model \
                         is wrong, or its `--noise` is too small.",
                    significant(square.sqrt(), 2)
                ));
            } else if square * MAX_NORMALISED_SQUARE < 1.0 {
                doubts.push(format!(
                    "The predictions of `{name}` miss the measurements by {} of what the filter expects: its \
                         `--noise`, or a `--drift`, is too large, and so are all deviations; the errors are \
                         {error:.3e} {unit}.",
                    significant(square.sqrt(), 2)
                ));
            }
            outputs.push(json!({
                "name": name, "unit": unit, "noise": noise, "prediction_error": error,
                "normalised_innovations_squared": square,
            }));
        }
        text += &assumed::line(&self.assumed);
        match self.filtered.stopped() {
            Some(stopped) => doubts.push(format!("The filter was stopped: {stopped}.")),
            None => doubts.extend(self.step_check.doubt()),
        }
        let mut written = Written::default();
        for path in files {
            written.add(path, self.write(path));
        }
        let Written { files, failed } = written;
        text += &files.iter().map(|path| format!("written: `{}`\n", path.display())).collect::<String>();
        let json: Value = json!({
            "model": self.model.name, "samples": samples, "interval": self.interval, "parameters": parameters,
            "outputs": outputs, "assumed_units": self.assumed, "files": files, "doubts": doubts,
        });
        Answer::new(text, json).without(failed).doubted(&doubts)
    }

    fn write(&self, path: &Path) -> Result<(), CommandError> {
        match extension(path).as_str() {
            "csv" => Ok(self.record()?.write_csv(path)?),
            "svg" => write(path, &self.figure().svg()?),
            _ => {
                let mut page = Page::new(format!("{}: followed through a record", self.model.name));
                page.figure(&self.figure().svg()?, "Bands are ±2 standard deviations. Grey: measured.");
                write(path, &page.html())
            }
        }
    }

    /// Returns all states with their deviations, and the predictions of outputs, over time.
    fn record(&self) -> Result<Record, CommandError> {
        let mut record = Record::new(self.times())?;
        for (state, name) in self.names.iter().enumerate() {
            let unit = self.unit(state);
            let (values, deviations) = self.course(state);
            record = record.with_channel(name.as_str(), unit.as_deref(), values)?;
            record = record.with_channel(format!("deviation of {name}"), unit.as_deref(), deviations)?;
        }
        for (number, Tracked { output, .. }) in self.outputs.iter().enumerate() {
            let name = format!("predicted {}", output.name());
            record = record.with_channel(name, Some(output.quantity().unit), self.predictions(number).1)?;
        }
        Ok(record)
    }

    /// Returns the unit of a state, if it is a coordinate, a velocity or a parameter.
    fn unit(&self, state: usize) -> Option<String> {
        let followed = self.parameters.iter().find(|followed| followed.place == state);
        if let Some(followed) = followed {
            return Some(followed.parameter.quantity().unit.to_owned());
        }
        let coordinates = self.model.coordinates;
        let velocity = || coordinates.get(state.checked_sub(coordinates.len())?).map(|one| format!("{}/s", one.unit));
        coordinates.get(state).map(|one| one.unit.to_owned()).or_else(velocity)
    }

    /// Draws followed parameters, and outputs with their predictions.
    fn figure(&self) -> Figure {
        let times = self.times();
        let time = || Axis::new("time").unit("s");
        let mut figure = Figure::new(1, (1080, 260));
        for followed in &self.parameters {
            let (name, unit) = (followed.parameter.name(), followed.parameter.quantity().unit);
            let (values, deviations) = self.course(followed.place);
            let band = times.iter().zip(values.iter().zip(&deviations));
            let band = band.map(|(t, (value, deviation))| (*t, value - 2.0 * deviation, value + 2.0 * deviation));
            let line = times.iter().copied().zip(values.iter().copied());
            let panel = Panel::new(name, time(), Axis::new(name).unit(unit));
            let panel = panel.band(Band::new("±2 standard deviations", color::BLUE, band));
            figure = figure.panel(panel.line(Line::new("estimate", color::BLUE, line)));
        }
        for (number, Tracked { output, .. }) in self.outputs.iter().enumerate() {
            let (name, unit) = (output.name(), output.quantity().unit);
            let (measured, predicted) = self.predictions(number);
            let over_time = |values: Vec<f64>| times.clone().into_iter().zip(values);
            let panel = Panel::new(name, time(), Axis::new(name).unit(unit));
            let panel = panel.line(Line::new("measured", color::GREY, over_time(measured)).width(2.0));
            figure = figure.panel(panel.line(Line::new("predicted", color::BLUE, over_time(predicted))));
        }
        figure
    }
}
