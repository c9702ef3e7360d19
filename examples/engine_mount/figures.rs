//! Figures of the identification.

use std::path::Path;

use anyhow::Result;
use costate::Run;
use costate::identify::{FitSummary, FittedParameter};
use costate::optimize::Iteration;
use costate::plot::color::{BLUE, GREY, ORANGE, PURPLE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_examples::{cost_panel, parameter_panels, true_value};

use crate::engine_mount::EngineMount;
use crate::measurement::Measurement;

/// Size of a panel over the full width of a page, and of one of two side by side.
const WIDE: (u32, u32) = (900, 300);
const HALF: (u32, u32) = (560, 320);

/// The simulations before and after the search.
pub struct Runs<'a> {
    pub start: &'a Run<EngineMount>,
    pub found: &'a Run<EngineMount>,
    /// Simulations with the values after some iterations, and the numbers of these.
    pub on_the_way: &'a [(usize, Run<EngineMount>)],
}

/// Simulates with the values after a quarter, a half and three quarters of the iterations.
pub fn on_the_way(measurement: &Measurement, fit: &FitSummary) -> Result<Vec<(usize, Run<EngineMount>)>> {
    let chosen = [1, 2, 3].map(|quarter| quarter * fit.history.len().saturating_sub(1) / 4);
    let chosen = chosen.into_iter().filter_map(|place| fit.history.get(place));
    let run = |iteration: &Iteration| {
        let mut mount = EngineMount::start();
        [mount.c_e1, mount.c_e2, mount.d_e, mount.d_h2] = iteration.parameters[..].try_into()?;
        Ok((iteration.number, measurement.simulation(&mount).run()?))
    };
    chosen.map(run).collect()
}

/// Writes all figures.
pub fn write(
    folder: &Path,
    measurement: &Measurement,
    runs: &Runs<'_>,
    fit: &FitSummary,
    truth: Option<&EngineMount>,
) -> Result<()> {
    let signals = Signals { measurement, runs };
    let part = |(first, last): (f64, f64)| (first * measurement.end, last * measurement.end);
    let (whole, zoom) = (part((0.0, 1.0)), part((0.25, 0.45)));

    let force = Figure::new(1, WIDE).panel(signals.force()?);
    force.write(folder.join("force.svg"))?;

    let acceleration = Figure::new(1, WIDE)
        .panel(signals.acceleration("Acceleration of the engine", whole).shaded(zoom))
        .panel(signals.acceleration("Enlarged", zoom));
    acceleration.write(folder.join("acceleration.svg"))?;

    let cost = cost_panel(fit, "m²/s³");
    Figure::new(1, WIDE).panel(cost.clone()).write(folder.join("cost.svg"))?;

    let reference = if truth.is_some() { "true" } else { "found" };
    let value = |fitted: &FittedParameter| truth.map_or(Ok(fitted.found), |truth| true_value(fitted, truth));
    let values = fit.parameters.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    let [values, distances] = parameter_panels(fit, reference, &values);
    let parameters = Figure::new(1, WIDE).panel(values.clone()).panel(distances);
    parameters.write(folder.join("parameters.svg"))?;

    let error = signals.error_panels().into_iter().fold(Figure::new(1, WIDE), Figure::panel);
    error.write(folder.join("error.svg"))?;

    let [before, after] = signals.before_and_after(part((0.2, 0.6)));
    let overview = Figure::new(2, HALF).panel(before).panel(after).panel(cost).panel(values);
    overview.write(folder.join("overview.svg"))?;
    Ok(())
}

struct Signals<'a> {
    measurement: &'a Measurement,
    runs: &'a Runs<'a>,
}

impl Signals<'_> {
    fn force(&self) -> Result<Panel> {
        let drive = &self.measurement.drive;
        let force = |t: f64| drive.at("drive", t).map(|force| (t, force));
        let points = self.runs.start.times().into_iter().map(force).collect::<Result<Vec<_>, _>>()?;
        let panel = Panel::new("Input force", time(), Axis::new("force").unit("N"));
        Ok(panel.line(Line::new("", BLUE, points)))
    }

    fn measured(&self) -> Line {
        let times = self.measurement.record.times().iter().copied();
        Line::new("measured", GREY, times.zip(self.measurement.acceleration.iter().copied())).width(3.0)
    }

    fn start(&self) -> Line {
        Line::new("start values", ORANGE, simulated(self.runs.start))
    }

    fn found(&self) -> Line {
        Line::new("identified", BLUE, simulated(self.runs.found))
    }

    fn acceleration(&self, title: &str, range: (f64, f64)) -> Panel {
        let panel = Panel::new(title, time().range(range), acceleration("acceleration"));
        panel.line(self.measured()).line(self.start()).line(self.found())
    }

    /// Two panels with the same range of values.
    fn before_and_after(&self, range: (f64, f64)) -> [Panel; 2] {
        let lines = [self.measured(), self.start().width(1.5), self.found().width(1.5)];
        let values = acceleration("acceleration").range(span(&lines, range));
        let panel = |title: &str| Panel::new(title, time().range(range), values.clone());
        let [measured, start, found] = lines;
        [
            panel("Acceleration before").line(measured.clone()).line(start),
            panel("Acceleration after").line(measured).line(found),
        ]
    }

    /// Errors before, during and after the identification (DA, figure 6).
    fn error_panels(&self) -> Vec<Panel> {
        let panel = |title: &str, color, run: &Run<EngineMount>| {
            Panel::new(title, time(), acceleration("error")).line(Line::new("", color, self.error(run)))
        };
        let during =
            |(number, run): &(usize, Run<EngineMount>)| panel(&format!("Error after iteration {number}"), PURPLE, run);
        let mut panels = vec![panel("Error before the identification", ORANGE, self.runs.start)];
        panels.extend(self.runs.on_the_way.iter().map(during));
        panels.push(panel("Error after the identification", BLUE, self.runs.found));
        panels
    }

    /// Simulated minus measured acceleration at the steps, the measured one interpolated linearly.
    fn error(&self, run: &Run<EngineMount>) -> Vec<(f64, f64)> {
        let (times, values) = (self.measurement.record.times(), &self.measurement.acceleration);
        let Ok(measured) = costate::simulate::Sampled::new(times.to_vec(), values.clone()) else {
            return Vec::new();
        };
        simulated(run).filter_map(|(t, value)| Some((t, value - measured.at(t)?))).collect()
    }
}

/// The acceleration of a run over time.
fn simulated(run: &Run<EngineMount>) -> impl Iterator<Item = (f64, f64)> {
    run.times().into_iter().zip(run.output(EngineMount::ACCELERATION))
}

/// The lowest and the highest value of the lines in this range of x, with a margin.
fn span(lines: &[Line], range: (f64, f64)) -> (f64, f64) {
    let points = lines.iter().flat_map(|line| line.points());
    let values = points.filter(|(x, _)| (range.0..=range.1).contains(x)).map(|&(_, y)| y);
    let (lo, hi) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), y| (lo.min(y), hi.max(y)));
    (lo - 0.05 * (hi - lo), hi + 0.05 * (hi - lo))
}

fn time() -> Axis {
    Axis::new("time").unit("s")
}

fn acceleration(name: &str) -> Axis {
    Axis::new(name).unit("m/s²")
}
