//! `costate modes`: modes about the position of rest.

use std::path::{Path, PathBuf};

use clap::Args;
use costate_contract::shown::Shown;
use costate_plot::{Axis, Figure, Line, Panel, color};
use costate_vibration::{EnergyShares, Mode, ModeKind, Modes, Poles};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::error::CommandError;
use crate::options::{EquilibriumOptions, Format, Resting, formats};
use crate::table::aligned;

/// Shares below this are not shown.
const SHOWN: f64 = 0.01;
/// Number of values of a parameter where it is not given.
const VALUES: usize = 41;

/// The equilibrium, and what is shown of the modes.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    equilibrium: EquilibriumOptions,
    /// Follow the modes over a parameter: `speed=0:500` or with the number of values, `speed=0:500:101`. With `.svg` as a file to write,
    /// frequencies and damping ratios are drawn.
    #[arg(long, value_name = "NAME=FROM:TO", value_parser = range)]
    over: Option<(String, [f64; 2], usize)>,
    /// The number of the mode that an `.html` file plays; 1 by default.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    mode: usize,
    /// A file to write: `.html` a page that plays a mode, `.svg` frequencies and damping over the parameter of `--over`, `.json` what
    /// `--json` prints. Can be given several times.
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
}

/// Computes the modes.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let files = formats(&options.output, &[Format::Html, Format::Svg, Format::Json])?;
    let resting = options.equilibrium.prepare()?;
    let rest = resting.find()?;
    let modes = rest.linearized().modes()?;
    let dual = resting.loaded.model.dual_equations();
    let shares = (0..modes.len()).map(|index| modes.energy_shares_by(dual, index));
    let shares: Vec<Vec<EnergyShares>> = shares.collect::<Result<_, _>>()?;
    let mut text = resting.described() + &format!("{modes}\n");
    text += &energies(&modes, &shares);
    let mut json = resting.json(&rest);
    json["modes"] =
        modes.all().iter().zip(&shares).map(|(mode, shares)| of_mode(&modes, mode, shares)).collect();
    let mut figure = None;
    if let Some((name, ends, count)) = &options.over {
        let poles = followed(&resting, name, *ends, *count)?;
        let unit = resting.loaded.system.parameter(name)?.quantity().unit;
        text += &over(&poles, name, unit);
        json["over"] = json!({ "parameter": name, "values": poles.values, "branches": branches(&poles) });
        figure = Some(drawn(&poles, name, unit));
    }
    for (path, format) in &files {
        match format {
            Format::Html => modes.animation(options.mode.wrapping_sub(1))?.write(path)?,
            Format::Svg => write_figure(path, figure.as_ref())?,
            _ => crate::output::write(path, &format!("{json}\n"))?,
        }
        text += &format!("`{}` is written\n", path.display());
    }
    json["files"] = files.iter().map(|(path, _)| json!(path)).collect();
    Ok(Answer::new(text, json))
}

fn write_figure(path: &Path, figure: Option<&Figure>) -> Result<(), CommandError> {
    let figure =
        figure.ok_or_else(|| CommandError::Needs { path: path.to_owned(), option: "--over NAME=FROM:TO" })?;
    Ok(figure.write(path)?)
}

/// Returns which parameters hold the energy of every mode.
fn energies(modes: &Modes, shares: &[Vec<EnergyShares>]) -> String {
    let listed = |shares: &[EnergyShares], of: fn(&EnergyShares) -> f64| {
        let mut sorted: Vec<&EnergyShares> = shares.iter().filter(|share| of(share).abs() >= SHOWN).collect();
        sorted.sort_by(|one, other| of(other).abs().total_cmp(&of(one).abs()));
        let texts =
            sorted.iter().take(3).map(|share| format!("{} {:.0} %", share.parameter, 100.0 * of(share)));
        texts.collect::<Vec<_>>().join(", ")
    };
    let mut rows = vec![["", "stiffness by", "loss by", "inertia by"].map(str::to_owned)];
    for (index, (_, shares)) in modes.all().iter().zip(shares).enumerate() {
        let of = |number| listed(shares, number);
        let cells = [of(|share| share.potential), of(|share| share.lost), of(|share| share.kinetic)];
        let [potential, lost, kinetic] = cells;
        rows.push([format!("{:>5}", index + 1), potential, lost, kinetic]);
    }
    aligned(&rows, [1, 2, 3])
}

fn of_mode(modes: &Modes, mode: &Mode, shares: &[EnergyShares]) -> Value {
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
    json!({
        "kind": kind,
        "frequency": mode.frequency(),
        "damping_ratio": mode.damping_ratio(),
        "eigenvalue": [mode.eigenvalue.re, mode.eigenvalue.im],
        "shape": Value::Object(shape.collect()),
        "outputs": Value::Object(outputs.collect()),
        "energy_shares": shares.iter().map(share).collect::<Value>(),
    })
}

/// Follows the modes over a parameter.
fn followed(
    resting: &Resting,
    name: &str,
    [from, to]: [f64; 2],
    count: usize,
) -> Result<Poles, CommandError> {
    let parameter = resting.loaded.system.parameter(name)?;
    let step = (to - from) / count.saturating_sub(1).max(1) as f64;
    let values: Vec<f64> = (0..count).map(|k| from + step * k as f64).collect();
    Ok(Poles::over(&values, |value| {
        Ok(resting.search.clone().parameter(parameter, value).find()?.linearized())
    })?)
}

/// Returns frequency and damping of every mode at the first and the last value; `-` where the mode does not exist there.
fn over(poles: &Poles, name: &str, unit: &str) -> String {
    let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
    let (first, last) =
        (poles.values.first().copied().unwrap_or(0.0), poles.values.last().copied().unwrap_or(0.0));
    let mut rows = vec![[
        String::new(),
        format!("at {name} = {}{unit}", Shown(first)),
        "damping".to_owned(),
        format!("at {}{unit}", Shown(last)),
        "damping".to_owned(),
    ]];
    let cells = |value: Option<&costate_vibration::Complex<f64>>| {
        let Some(value) = value else { return ["-".to_owned(), "-".to_owned()] };
        let size = value.norm();
        let ratio = if size > 0.0 { -100.0 * value.re / size } else { 0.0 };
        [format!("{} Hz", Shown(size / std::f64::consts::TAU)), format!("{} %", Shown(ratio))]
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
    let branch = |branch: &costate_vibration::PoleBranch| {
        let values = branch.eigenvalues.iter().map(|value| json!([value.re, value.im]));
        json!({ "first": branch.first, "eigenvalues": values.collect::<Value>() })
    };
    poles.branches.iter().map(branch).collect()
}

fn drawn(poles: &Poles, name: &str, unit: &str) -> Figure {
    let axis = || Axis::new(name).unit(unit);
    let mut panels = [
        Panel::new("natural frequencies", axis(), Axis::new("frequency").unit("Hz")),
        Panel::new("damping ratios", axis(), Axis::new("damping ratio").unit("%")),
    ];
    for (index, branch) in poles.branches.iter().enumerate() {
        let values = poles.values.iter().skip(branch.first).copied().zip(&branch.eigenvalues);
        let numbers: [Vec<(f64, f64)>; 2] = [
            values.clone().map(|(at, value)| (at, value.norm() / std::f64::consts::TAU)).collect(),
            values
                .map(|(at, value)| {
                    (at, if value.norm() > 0.0 { -100.0 * value.re / value.norm() } else { 0.0 })
                })
                .collect(),
        ];
        let [frequencies, ratios] = panels;
        let [one, two] = numbers;
        let line = |points| Line::new(format!("mode {}", index + 1), color::series(index), points);
        panels = [frequencies.line(line(one)), ratios.line(line(two))];
    }
    panels.into_iter().fold(Figure::new(1, (720, 320)), Figure::panel)
}

/// Parses `speed=0:500` or `speed=0:500:101`.
fn range(text: &str) -> Result<(String, [f64; 2], usize), String> {
    let wrong = || {
        "write the name, `=` and two values, e.g. `speed=0:500`, or with their number, `speed=0:500:101`"
            .to_owned()
    };
    let (name, values) = text.split_once('=').ok_or_else(wrong)?;
    let (ends, count) = super::response::numbers(values, VALUES).ok_or_else(wrong)?;
    (!name.trim().is_empty()).then(|| (name.trim().to_owned(), ends, count)).ok_or_else(wrong)
}
