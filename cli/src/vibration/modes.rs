//! `costate modes`: modes about the position of rest.

use std::path::{Path, PathBuf};

use clap::Args;
use costate::command::shown::Shown;
use costate::command::units::conversion;
use costate::model::{Input, Output};
use costate::plot::{Axis, Figure, Line, Panel, color};
use costate::vibration::{Complex, EnergyShares, ModeKind, Modes, Poles};
use serde_json::{Value, json};

use super::elements::{Element, elements};
use crate::answer::Answer;
use crate::error::CommandError;
use crate::options::{EquilibriumOptions, Format, OptionError, Resting, formats};
use crate::output;
use crate::table::aligned;
use crate::written::Written;

/// Shares below this are not shown.
const MIN_SHARE_SHOWN: f64 = 0.01;
/// The ratio of frequencies above which they are drawn by powers of ten.
const MAX_LINEAR_RATIO: f64 = 20.0;
/// Number of values of a parameter where it is not given.
const DEFAULT_VALUES: usize = 41;

/// The equilibrium, and what is shown of the modes.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    equilibrium: EquilibriumOptions,
    /// Follow the modes over a parameter: `speed=0:500` or with the number of values, `speed=0:500:101`. With `.svg` as
    /// a file to write, frequencies and damping ratios are drawn.
    #[arg(long, value_name = "NAME=FROM:TO", value_parser = range)]
    over: Option<(String, [f64; 2], usize)>,
    /// The number of the mode that an `.html` file plays; 1 by default.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    mode: usize,
    /// A file to write: `.html` a page that plays a mode, `.svg` frequencies and damping over the parameter of
    /// `--over`, `.json` what `--json` prints. Can be given several times.
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
}

/// Computes the modes.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let files = formats(&options.output, &[Format::Html, Format::Svg, Format::Json])?;
    let resting = options.equilibrium.prepare()?;
    output::check(options.output.iter().map(PathBuf::as_path))?;
    let rest = resting.find()?;
    let modes = rest.linearized().modes()?;
    let dual = resting.loaded.model.dual_equations();
    let shares = (0..modes.len()).map(|index| modes.energy_shares_by(dual, index));
    let shares: Vec<Vec<EnergyShares>> = shares.collect::<Result<_, _>>()?;
    let elements = elements(&options.equilibrium, &resting, &modes)?;
    let mut text = resting.described() + &format!("{modes}\n");
    text += &energies(&modes, &shares);
    text += &of_elements(&modes, &elements);
    text += &of_bodies(&modes)?;
    let mut json = resting.json(&rest);
    let of_modes = shares.iter().enumerate().map(|(index, shares)| of_mode(&modes, index, shares, &elements));
    json["undamped_frequencies"] = json!(rest.linearized().undamped_frequencies()?);
    json["modes"] = of_modes.collect::<Result<Value, CommandError>>()?;
    let mut figure = None;
    if let Some((name, ends, count)) = &options.over {
        let poles = followed(&resting, name, *ends, *count)?;
        let unit = resting.loaded.system.parameter(name)?.quantity().unit;
        text += &over(&poles, name, unit);
        json["over"] = json!({ "parameter": name, "values": poles.values, "branches": branches(&poles) });
        figure = Some(drawn(&poles, name, unit));
    }
    let mut doubts = resting.doubts(&rest);
    doubts.extend(modes.doubts());
    json["doubts"] = json!(doubts);
    let written = Written::each(&files, |path, format| match format {
        Format::Html => Ok(modes.animation(options.mode.wrapping_sub(1))?.write(path)?),
        Format::Svg => write_figure(path, figure.as_ref()),
        _ => output::write(path, &format!("{json}\n")),
    });
    Ok(written.answer(text, json).doubted(&doubts))
}

fn write_figure(path: &Path, figure: Option<&Figure>) -> Result<(), CommandError> {
    let figure = figure.ok_or_else(|| OptionError::Needs { path: path.to_owned(), option: "--over NAME=FROM:TO" })?;
    Ok(figure.write(path)?)
}

/// Returns which parameters hold the energy of every mode; those of the geometry apart.
fn energies(modes: &Modes, shares: &[Vec<EnergyShares>]) -> String {
    let parameters = modes.description().parameters;
    let is_length = |share: &&EnergyShares| {
        let of = parameters.iter().find(|of| of.name == share.parameter);
        of.is_some_and(|of| ["m", "rad"].iter().any(|unit| of.unit != "1" && conversion(of.unit, unit).is_ok()))
    };
    let mut rows = vec![["", "stiffness by", "loss by", "inertia by", "geometry"].map(str::to_owned)];
    for (index, (_, shares)) in modes.all().iter().zip(shares).enumerate() {
        let of = |number: fn(&EnergyShares) -> f64| {
            let others = shares.iter().filter(|share| !is_length(share));
            largest(others.map(|share| (share.parameter, number(share))))
        };
        let cells = [of(|share| share.potential), of(|share| share.lost), of(|share| share.kinetic)];
        let [potential, lost, kinetic] = cells;
        let lengths = shares.iter().filter(is_length).map(|share| (share.parameter, share.potential));
        rows.push([format!("{:>5}", index + 1), potential, lost, kinetic, largest(lengths)]);
    }
    if rows.iter().skip(1).all(|row| row[4].is_empty()) {
        let without: Vec<[String; 4]> = rows.into_iter().map(|[number, a, b, c, _]| [number, a, b, c]).collect();
        return aligned(&without, [1, 2, 3]);
    }
    aligned(&rows, [1, 2, 3, 4])
        + "  geometry: the relative change of the stiffness over that of a length or an angle; it is no part of the \
             energy, and may be negative or \
           above 100 %\n"
}

/// Returns which elements hold the energy of every mode; nothing without elements.
fn of_elements(modes: &Modes, elements: &[Element]) -> String {
    if elements.is_empty() {
        return String::new();
    }
    let mut rows = vec![["", "stiffness of elements", "loss in elements"].map(str::to_owned)];
    for index in 0..modes.len() {
        let shares = || elements.iter().filter_map(|of| Some((of.name, of.shares.get(index)?)));
        let potential = largest(shares().map(|(name, share)| (name, share.potential)));
        let lost = largest(shares().map(|(name, share)| (name, share.lost)));
        rows.push([format!("{:>5}", index + 1), potential, lost]);
    }
    format!("\n{}", aligned(&rows, [1, 2]))
}

/// Returns which bodies have the kinetic energy of every mode; nothing without bodies.
fn of_bodies(modes: &Modes) -> Result<String, CommandError> {
    if modes.description().scene.bodies.is_empty() {
        return Ok(String::new());
    }
    let mut rows = vec![["", "moving bodies"].map(str::to_owned)];
    for index in 0..modes.len() {
        rows.push([format!("{:>5}", index + 1), largest(modes.body_shares(index)?)]);
    }
    Ok(format!("\n{}", aligned(&rows, [1])))
}

/// Returns the three largest shares, largest first.
fn largest<'a>(shares: impl IntoIterator<Item = (&'a str, f64)>) -> String {
    let mut sorted: Vec<(&str, f64)> = shares.into_iter().filter(|(_, share)| share.abs() >= MIN_SHARE_SHOWN).collect();
    sorted.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    let texts = sorted.iter().take(3).map(|(name, share)| format!("{name} {:.0} %", 100.0 * share));
    texts.collect::<Vec<_>>().join(", ")
}

fn of_mode(modes: &Modes, index: usize, shares: &[EnergyShares], elements: &[Element]) -> Result<Value, CommandError> {
    let Some(mode) = modes.all().get(index) else { return Ok(Value::Null) };
    let model = modes.description();
    let shape = model.coordinates.iter().zip(&mode.shape);
    let shape = shape.map(|(coordinate, value)| (coordinate.name.to_owned(), json!([value.re, value.im])));
    let outputs = model.outputs.iter().zip(&mode.outputs);
    let outputs = outputs.map(|(output, value)| (output.name.to_owned(), json!([value.re, value.im])));
    let kind = match mode.kind() {
        ModeKind::Oscillation => "oscillation",
        ModeKind::Aperiodic => "aperiodic",
        ModeKind::Rigid => "rigid",
    };
    let share = |share: &EnergyShares| {
        let EnergyShares { parameter, potential, lost, kinetic } = share;
        json!({ "parameter": parameter, "potential": potential, "lost": lost, "kinetic": kinetic })
    };
    let of_element = |element: &Element| {
        let share = element.shares.get(index)?;
        Some(json!({ "element": element.name, "potential": share.potential, "lost": share.lost }))
    };
    let bodies = modes.body_shares(index)?.into_iter();
    Ok(json!({
        "kind": kind,
        "frequency": mode.frequency(),
        "damped_frequency": mode.damped_frequency(),
        "is_damped": mode.is_damped(),
        "rounding": mode.rounding(),
        "damping_ratio": mode.damping_ratio(),
        "eigenvalue": [mode.eigenvalue.re, mode.eigenvalue.im],
        "shape": Value::Object(shape.collect()),
        "outputs": Value::Object(outputs.collect()),
        "energy_shares": shares.iter().map(share).collect::<Value>(),
        "element_shares": elements.iter().filter_map(of_element).collect::<Value>(),
        "kinetic_shares": Value::Object(bodies.map(|(name, share)| (name.to_owned(), json!(share))).collect()),
        "residues": residues(modes, index),
    }))
}

/// Returns the residues of a mode by output and input, as far as the mode has some of its own.
fn residues(modes: &Modes, index: usize) -> Value {
    let model = modes.description();
    let of_output = |output: usize| {
        let inputs = (0..model.inputs.len()).filter_map(|input| {
            let residue = modes.residue(index, Input::of(model, input), Output::of(model, output)).ok()?;
            Some((model.inputs.get(input)?.name.to_owned(), json!([residue.re, residue.im])))
        });
        Value::Object(inputs.collect())
    };
    let outputs = model.outputs.iter().enumerate();
    Value::Object(outputs.map(|(output, of)| (of.name.to_owned(), of_output(output))).collect())
}

/// Follows the modes over a parameter.
fn followed(resting: &Resting, name: &str, [from, to]: [f64; 2], count: usize) -> Result<Poles, CommandError> {
    let parameter = resting.loaded.system.parameter(name)?;
    let step = (to - from) / count.saturating_sub(1).max(1) as f64;
    let values: Vec<f64> = (0..count).map(|k| from + step * k as f64).collect();
    Ok(Poles::over(&values, |value| Ok(resting.search.clone().parameter(parameter, value).find()?.linearized()))?)
}

/// Returns frequency and damping of every mode at the first and the last value; `-` where the mode does not exist
/// there.
fn over(poles: &Poles, name: &str, unit: &str) -> String {
    let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
    let (first, last) = (poles.values.first().copied().unwrap_or(0.0), poles.values.last().copied().unwrap_or(0.0));
    let mut rows = vec![[
        String::new(),
        format!("at {name} = {}{unit}", Shown(first)),
        "damping".to_owned(),
        format!("at {}{unit}", Shown(last)),
        "damping".to_owned(),
    ]];
    let cells = |value: Option<&Complex<f64>>| match value {
        None => ["-".to_owned(), "-".to_owned()],
        Some(value) if value.im > 0.0 => {
            let (size, ratio) = (value.norm(), -100.0 * value.re / value.norm());
            [format!("{} Hz", Shown(size / std::f64::consts::TAU)), format!("{} %", Shown(ratio))]
        }
        Some(value) if value.re == 0.0 => ["rigid".to_owned(), String::new()],
        Some(value) => {
            let kind = if value.re > 0.0 { "grows" } else { "decays" };
            [kind.to_owned(), format!("{} 1/s", Shown(value.re.abs()))]
        }
    };
    for (index, branch) in poles.branches.iter().enumerate() {
        let at_first = branch.eigenvalues.first().filter(|_| branch.first == 0);
        let reaches_last = branch.first + branch.eigenvalues.len() == poles.values.len();
        let at_last = branch.eigenvalues.last().filter(|_| reaches_last);
        let ([frequency, damping], [last_frequency, last_damping]) = (cells(at_first), cells(at_last));
        rows.push([format!("{:>5}", index + 1), frequency, damping, last_frequency, last_damping]);
    }
    format!("\n{}", aligned(&rows, []))
}

fn branches(poles: &Poles) -> Value {
    let branch = |branch: &costate::vibration::PoleBranch| {
        let values = branch.eigenvalues.iter().map(|value| json!([value.re, value.im]));
        json!({ "first": branch.first, "eigenvalues": values.collect::<Value>() })
    };
    poles.branches.iter().map(branch).collect()
}

/// Draws natural frequencies and damping ratios of oscillations, and the rates of motions that do not oscillate, if
/// there are some.
fn drawn(poles: &Poles, name: &str, unit: &str) -> Figure {
    let of_branch = |branch: &costate::vibration::PoleBranch, number: fn(&Complex<f64>) -> Option<f64>| {
        let values = poles.values.iter().skip(branch.first).copied().zip(&branch.eigenvalues);
        // a line breaks where its mode is of the other kind
        values.map(|(at, value)| (at, number(value).unwrap_or(f64::NAN))).collect::<Vec<(f64, f64)>>()
    };
    let oscillates = |value: &&Complex<f64>| value.im > 0.0;
    let all = || poles.branches.iter().flat_map(|branch| &branch.eigenvalues);
    let sizes = || all().filter(oscillates).map(|value| value.norm());
    let (least, most) = sizes().fold((f64::INFINITY, 0.0_f64), |(least, most), size| (least.min(size), most.max(size)));
    let frequency = Axis::new("frequency |eigenvalue|/(2 pi)").unit("Hz");
    let frequency = if most > MAX_LINEAR_RATIO * least { frequency.logarithmic() } else { frequency };
    let axis = || Axis::new(name).unit(unit);
    let mut frequencies = Panel::new("Natural frequencies", axis(), frequency);
    let mut ratios = Panel::new("Damping ratios", axis(), Axis::new("damping ratio").unit("%"));
    let mut rates = Panel::new(
        "Rates of motions that decay or grow without oscillation",
        axis(),
        Axis::new("rate").unit("1/s").logarithmic(),
    );
    for (index, branch) in poles.branches.iter().enumerate() {
        let line = |name: String, points| Line::new(name, color::series(index), points).width(1.5);
        let mode = || format!("mode {}", index + 1);
        let is_oscillation = branch.eigenvalues.iter().any(|value| value.im > 0.0);
        if is_oscillation {
            let in_hertz = |value: &Complex<f64>| (value.im > 0.0).then(|| value.norm() / std::f64::consts::TAU);
            let in_percent = |value: &Complex<f64>| (value.im > 0.0).then(|| -100.0 * value.re / value.norm());
            frequencies = frequencies.line(line(mode(), of_branch(branch, in_hertz)));
            ratios = ratios.line(line(String::new(), of_branch(branch, in_percent)));
        }
        let is_aperiodic = |value: &Complex<f64>| value.im == 0.0 && value.re != 0.0;
        if branch.eigenvalues.iter().any(is_aperiodic) {
            let name = if is_oscillation { String::new() } else { mode() };
            let rate = |value: &Complex<f64>| (value.im == 0.0 && value.re != 0.0).then(|| value.re.abs());
            rates = rates.line(line(name, of_branch(branch, rate)));
        }
    }
    let figure = Figure::new(1, (720, 320)).panel(frequencies).panel(ratios);
    let some = all().any(|value| value.im == 0.0 && value.re != 0.0);
    if some { figure.panel(rates) } else { figure }
}

/// Parses `speed=0:500` or `speed=0:500:101`.
fn range(text: &str) -> Result<(String, [f64; 2], usize), String> {
    let form = "the name, `=` and two values, e.g. `speed=0:500`, or with their number, `speed=0:500:101`";
    let parts = text.split_once('=').map(|(name, values)| (name.trim(), values));
    let (name, values) = parts.filter(|(name, _)| !name.is_empty()).ok_or_else(|| format!("write {form}"))?;
    let (ends, count) = super::response::numbers(values, DEFAULT_VALUES, form)?;
    Ok((name.to_owned(), ends, count))
}
