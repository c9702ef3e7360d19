//! `costate response`: frequency responses about the position of rest.

use std::path::{Path, PathBuf};

use clap::Args;
use costate::command::shown::Shown;
use costate::plot::{Axis, Figure, Line, Panel, color};
use costate::vibration::FrequencyResponse;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::error::CommandError;
use crate::options::{EquilibriumOptions, Format, formats};
use crate::output::{self, write};
use crate::table::aligned;
use crate::written::Written;

/// Number of frequencies where it is not given.
const DEFAULT_FREQUENCIES: usize = 200;
/// The ratio of stiffnesses above which they are drawn by powers of ten.
const MAX_LINEAR_RATIO: f64 = 50.0;
/// Largest part of the lowest frequency at which a motion that rounding may hide hardly changes the response.
const MAX_HIDDEN_PART: f64 = 0.1;
/// Number of lines of a table on the terminal.
const MAX_LINES: usize = 12;

/// The equilibrium, and the responses.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    equilibrium: EquilibriumOptions,
    /// The input that moves the model.
    #[arg(long, value_name = "INPUT")]
    from: String,
    /// The outputs that respond.
    #[arg(long, value_name = "OUTPUTS", value_delimiter = ',', required = true)]
    to: Vec<String>,
    /// Frequencies in Hz, from the first to the last one by equal ratios: `1:200`, or with their number, `1:200:400`.
    #[arg(long, value_name = "FROM:TO", default_value = "1:100", value_parser = range)]
    frequencies: ([f64; 2], usize),
    /// Shows dynamic stiffness and loss angle, of an input that is a force and outputs that are displacements, or the
    /// reverse.
    #[arg(long)]
    stiffness: bool,
    /// A file to write: `.svg` magnitude and phase, `.csv` a table of real and imaginary parts, `.json` what `--json`
    /// prints. Can be given several times.
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
}

/// Computes the responses.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let files = formats(&options.output, &[Format::Svg, Format::Csv, Format::Json])?;
    let resting = options.equilibrium.prepare()?;
    let system = resting.loaded.system;
    let input = system.input(options.from.trim())?;
    let outputs = options.to.iter().map(|name| Ok(system.output(name.trim())?.index()));
    let outputs: Vec<usize> = outputs.collect::<Result<_, CommandError>>()?;
    output::check(options.output.iter().map(PathBuf::as_path))?;
    let rest = resting.find()?;
    let ([from, to], count) = options.frequencies;
    let ratio = (to / from).ln() / count.saturating_sub(1).max(1) as f64;
    let frequencies: Vec<f64> = (0..count).map(|k| from * (ratio * k as f64).exp()).collect();
    let responses = rest.linearized().frequency_responses(&frequencies, &[input.index()], &outputs)?;
    let responses: Vec<FrequencyResponse> = match options.stiffness {
        true => responses.iter().map(FrequencyResponse::dynamic_stiffness).collect::<Result<_, _>>()?,
        false => responses,
    };
    let mut text = resting.described();
    responses.iter().for_each(|response| text += &table(response, options.stiffness));
    let mut json = resting.json(&rest);
    json["frequencies"] = json!(frequencies);
    json["responses"] = responses.iter().map(of_response).collect();
    let mut doubts = resting.doubts(&rest);
    if rest.hidden_growth() > std::f64::consts::TAU * MAX_HIDDEN_PART * from {
        let hertz = Shown(rest.hidden_growth() / std::f64::consts::TAU);
        doubts.push(format!(
            "a motion of up to {hertz} Hz may be lost in the rounding of stiffer parts: the response is doubtful \
                 around and below this"
        ));
    }
    json["doubts"] = json!(doubts);
    let written = Written::each(&files, |path, format| match format {
        Format::Svg => Ok(drawn(&responses, options.stiffness).write(path)?),
        Format::Csv => write_table(path, &responses),
        _ => write(path, &format!("{json}\n")),
    });
    Ok(written.answer(text, json).doubted(&doubts))
}

fn title(response: &FrequencyResponse) -> String {
    format!("{}/{}", response.above.name, response.below.name)
}

/// Returns a table of some of the frequencies.
fn table(response: &FrequencyResponse, is_stiffness: bool) -> String {
    let unit = response.unit();
    let (size, angle) = if is_stiffness { ("dynamic stiffness", "loss angle") } else { ("magnitude", "phase") };
    let mut rows = vec![["  frequency in Hz".to_owned(), format!("{size} in {unit}"), format!("{angle} in deg")]];
    let (magnitudes, phases) = (response.magnitudes(), angles(response, is_stiffness));
    let count = response.frequencies.len();
    let shown = count.min(MAX_LINES);
    for line in 0..shown {
        let k = if shown > 1 { line * (count - 1) / (shown - 1) } else { 0 };
        rows.push([response.frequencies[k], magnitudes[k], phases[k]].map(|value| Shown(value).to_string()));
    }
    format!("{}\n{}", title(response), aligned(&rows, []))
}

fn angles(response: &FrequencyResponse, is_stiffness: bool) -> Vec<f64> {
    if is_stiffness { response.loss_angles() } else { response.phases() }
}

fn of_response(response: &FrequencyResponse) -> Value {
    let part = |of: fn(&costate::vibration::Complex<f64>) -> f64| response.values.iter().map(of).collect::<Vec<f64>>();
    json!({
        "above": response.above.name,
        "below": response.below.name,
        "unit": response.unit(),
        "real": part(|value| value.re),
        "imaginary": part(|value| value.im),
    })
}

fn drawn(responses: &[FrequencyResponse], is_stiffness: bool) -> Figure {
    let frequency = || Axis::new("frequency").unit("Hz").logarithmic();
    let mut figure = Figure::new(1, (720, 260));
    for (index, response) in responses.iter().enumerate() {
        let line =
            |values: Vec<f64>| Line::new("", color::series(index), response.frequencies.iter().copied().zip(values));
        let (size, angle) = if is_stiffness { ("dynamic stiffness", "loss angle") } else { ("magnitude", "phase") };
        let magnitude = Axis::new(size).unit(response.unit());
        let magnitude = if is_stiffness && !is_wide(response) { magnitude } else { magnitude.logarithmic() };
        figure =
            figure.panel(Panel::new(title(response), frequency(), magnitude).line(line(response.magnitudes()))).panel(
                Panel::new("", frequency(), Axis::new(angle).unit("deg")).line(line(angles(response, is_stiffness))),
            );
    }
    figure
}

/// Returns true for a stiffness of which powers of ten show more.
fn is_wide(response: &FrequencyResponse) -> bool {
    let ends = response
        .magnitudes()
        .into_iter()
        .fold((f64::INFINITY, 0.0_f64), |(least, most), size| (least.min(size), most.max(size)));
    ends.1 > MAX_LINEAR_RATIO * ends.0
}

fn write_table(path: &Path, responses: &[FrequencyResponse]) -> Result<(), CommandError> {
    let mut text = "frequency [Hz]".to_owned();
    for response in responses {
        let (title, unit) = (title(response), response.unit());
        text += &format!(",{title} real [{unit}],{title} imaginary [{unit}]");
    }
    text.push('\n');
    let frequencies = responses.first().map_or(&[][..], |first| &first.frequencies);
    for (k, frequency) in frequencies.iter().enumerate() {
        text += &frequency.to_string();
        for response in responses {
            text += &format!(",{},{}", response.values[k].re, response.values[k].im);
        }
        text.push('\n');
    }
    write(path, &text)
}

/// Parses `1:100` or `1:100:200`.
///
/// # Errors
/// A text of another form, `form`, and ends or a number of values out of their ranges.
pub fn numbers(text: &str, default: usize, form: &str) -> Result<([f64; 2], usize), String> {
    /// Numbers of values that are computed at most.
    const COUNTS: std::ops::RangeInclusive<usize> = 2..=100_000;
    let wrong = || format!("write {form}");
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong);
    let (from, to, count) = match parts[..] {
        [from, to] => (number(from)?, number(to)?, default),
        [from, to, count] => (number(from)?, number(to)?, count.parse().map_err(|_| wrong())?),
        _ => return Err(wrong()),
    };
    if !COUNTS.contains(&count) {
        return Err(format!("the number of values is {count}; write one from {} to {}", COUNTS.start(), COUNTS.end()));
    }
    if to <= from {
        return Err(format!("the range begins at {from} and ends at {to}; write the smaller value first"));
    }
    Ok(([from, to], count))
}

fn range(text: &str) -> Result<([f64; 2], usize), String> {
    let form = "two positive frequencies in Hz, the smaller one first, e.g. `1:200`, or with their number, `1:200:400`";
    match numbers(text, DEFAULT_FREQUENCIES, form)? {
        (ends, _) if ends[0] <= 0.0 => Err(format!("the first frequency is {} Hz; write {form}", ends[0])),
        found => Ok(found),
    }
}
