//! Reads two measured records that `more/fetch` gets from packages, and draws their spectra: a lattice mast that the
//! wind moves, and the arm of a CD player with two actuators. Without them, it says how to get them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use costate::Record;
use costate::plot::{Axis, Figure, Line, Panel, color};
use costate::signal::{Averaging, Trend, decimated, detrended, frequency_response, spectral_density};
use costate_examples::{create_folder_of, say};

/// Reads two measured records that `examples/fork/more/fetch` gets from packages, and draws their spectra.
#[derive(Debug, Parser)]
struct Options {
    /// Folder with `lumo.csv` and `arm.csv`, in which figures are written
    #[arg(long, value_name = "FOLDER", default_value = "out/measured")]
    output: PathBuf,
}

fn main() -> Result<()> {
    let Options { output } = Options::parse();
    create_folder_of(&output.join("lumo.svg"))?;
    for (name, show) in [("lumo", mast as fn(&Record, &Path) -> Result<()>), ("arm", arm)] {
        let file = output.join(format!("{name}.csv"));
        if !file.exists() {
            say(format!("`{}` is not there: `examples/fork/more/fetch {}` gets it", file.display(), output.display()));
            continue;
        }
        let begin = Instant::now();
        let record = Record::read_csv(&file)?;
        let (samples, channels) = (record.times().len(), record.channels().len());
        let rate = 1.0 / record.interval().context("the samples are not equidistant")?;
        say(format!(
            "{name}: {samples} samples of {channels} channels at {rate:.2} Hz, read in {:.2} s",
            begin.elapsed().as_secs_f64()
        ));
        show(&record, &output.join(format!("{name}.svg")))?;
    }
    Ok(())
}

/// Draws the mean density of the accelerations, and prints its peaks.
fn mast(record: &Record, figure: &Path) -> Result<()> {
    let names: Vec<&str> =
        record.channels().iter().map(|channel| channel.name()).filter(|name| name.starts_with('a')).collect();
    let slow = decimated(&detrended(record, &names, Trend::Mean)?, 16)?;
    let of = |name: &&str| spectral_density([&slow], name, &Averaging::segments(2048));
    let all = names.iter().map(of).collect::<Result<Vec<_>, _>>()?;
    let frequencies = all.first().map(|one| one.frequencies.clone()).unwrap_or_default();
    let mean = |line: usize| all.iter().filter_map(|one| one.densities.get(line)).sum::<f64>() / all.len() as f64;
    let densities: Vec<f64> = (0..frequencies.len()).map(mean).collect();
    let lines: Vec<(f64, f64)> =
        frequencies.into_iter().zip(densities).skip(4).filter(|(frequency, _)| *frequency < 40.0).collect();
    // the largest within a quarter of a Hz, ten times above the least within three
    let around = |at: f64, reach: f64| {
        lines.iter().filter(move |(other, _)| (other - at).abs() < reach).map(|(_, density)| *density)
    };
    let is_peak = |(at, density): &&(f64, f64)| {
        let least = around(*at, 3.0).fold(f64::INFINITY, f64::min);
        around(*at, 0.25).all(|other| other <= *density) && *density > 10.0 * least
    };
    let peaks: Vec<String> = lines.iter().filter(is_peak).map(|(at, _)| format!("{at:.2}")).collect();
    say(format!("      peaks of the mean spectral density at {} Hz", peaks.join(", ")));
    let panel = Panel::new(
        "Accelerations of the mast",
        Axis::new("frequency").unit("Hz"),
        Axis::new("density").unit("(m/s^2)^2/Hz").logarithmic(),
    );
    Figure::new(1, (900, 320)).panel(panel.line(Line::new("", color::BLUE, lines))).write(figure)?;
    Ok(())
}

/// Draws responses of both outputs to both inputs, and prints their coherence.
fn arm(record: &Record, figure: &Path) -> Result<()> {
    let mut amplitudes = Panel::new(
        "Responses of the arm",
        Axis::new("frequency").unit("1/sample"),
        Axis::new("amplitude").logarithmic(),
    );
    let mut coherences =
        Panel::new("Coherence", Axis::new("frequency").unit("1/sample"), Axis::new("coherence").range((0.0, 1.0)));
    for (number, (input, output)) in [("u1", "y1"), ("u1", "y2"), ("u2", "y1"), ("u2", "y2")].into_iter().enumerate() {
        let response = frequency_response([record], input, output, &Averaging::segments(256))?;
        let coherence = response.coherence.clone().unwrap_or_default();
        let mean = coherence.iter().sum::<f64>() / coherence.len() as f64;
        say(format!("      {input} to {output}: mean coherence {mean:.2}"));
        let lines = || response.frequencies.iter().copied();
        let name = format!("{input} to {output}");
        amplitudes = amplitudes.line(Line::new(&name, color::series(number), lines().zip(response.magnitudes())));
        coherences = coherences.line(Line::new(&name, color::series(number), lines().zip(coherence)));
    }
    Figure::new(1, (900, 320)).panel(amplitudes).panel(coherences).write(figure)?;
    Ok(())
}
