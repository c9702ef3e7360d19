//! Figures like OB 5.6 to 5.17: convergence, inputs, velocities, outputs, root mean square errors over the parameters,
//! and the scatter of the estimates.

use std::path::Path;

use anyhow::Result;
use costate::experiment::OptimalExperiment;
use costate::plot::Color;
use costate::plot::color::{BLUE, GREEN, GREY, ORANGE, PINK, PURPLE};
use costate::plot::{Axis, Figure, Line, Map, Panel};
use costate::simulate::{Problem, Series};
use costate::{Model, Parameter};
use costate_examples::spaced;

use super::{Case, Compared};

/// Size of a panel over the full width of a page, and of one of two side by side.
const WIDE: (u32, u32) = (900, 280);
const HALF: (u32, u32) = (560, 420);

/// Writes all figures.
pub fn write<M: Model>(
    folder: &Path,
    case: &Case<M>,
    found: &OptimalExperiment<M>,
    compared: &[Compared<M>],
    seed: u64,
) -> Result<()> {
    Figure::new(1, WIDE).panel(convergence(found)).write(folder.join("convergence.svg"))?;
    let signals = inputs(case, compared);
    Figure::new(1, WIDE).panel(signals.clone()).write(folder.join("inputs.svg"))?;
    let velocities = velocities(case, found)?;
    Figure::new(1, WIDE).panel(velocities.clone()).write(folder.join("velocities.svg"))?;
    let outputs = outputs(case, compared)?;
    Figure::new(1, WIDE).panel(outputs.clone()).write(folder.join("outputs.svg"))?;
    let errors = match case.unknown.len() {
        1 => error_curves(case, compared, seed)?,
        _ => error_maps(case, compared, seed)?,
    };
    errors.into_iter().fold(Figure::new(2, HALF), Figure::panel).write(folder.join("errors.svg"))?;
    let overview = Figure::new(2, HALF).panel(signals).panel(outputs).panel(velocities);
    scatter(case, compared).into_iter().fold(overview, Figure::panel).write(folder.join("overview.svg"))?;
    Ok(())
}

fn color(k: usize, of: usize) -> Color {
    match k {
        0 => ORANGE,
        _ if k + 1 == of => BLUE,
        2 => PURPLE,
        _ => GREEN,
    }
}

fn axis<M: Model>(parameter: Parameter<M>) -> Axis {
    Axis::new(parameter.name()).unit(parameter.quantity().unit)
}

fn times(problem: &Problem) -> impl Iterator<Item = f64> {
    let step = problem.settings().step;
    (0..=problem.steps()).map(move |i| i as f64 * step)
}

/// The criterion over the iterations.
fn convergence<M: Model>(found: &OptimalExperiment<M>) -> Panel {
    let history = || found.history().iter();
    let sign = if found.cost() < 0.0 { -1.0 } else { 1.0 };
    let name = if sign < 0.0 { "-Φ" } else { "Φ" };
    let costs = history().map(move |at| (at.number as f64, sign * at.cost));
    Panel::new("Convergence", Axis::new("iteration"), Axis::new(name).logarithmic())
        .line(Line::new("criterion", BLUE, costs).width(1.5))
}

/// The inputs over time.
fn inputs<M: Model>(case: &Case<M>, compared: &[Compared<M>]) -> Panel {
    let unit = case.input.quantity().unit;
    let mut panel = Panel::new("Inputs", Axis::new("time").unit("s"), Axis::new(case.input.name()).unit(unit));
    for (k, input) in compared.iter().enumerate() {
        let values = input.problem.inputs().rows().map(|row| row[case.input.index()]);
        let points: Vec<_> = times(&input.problem).zip(values).collect();
        panel = panel.line(Line::new(input.name, color(k, compared.len()), points).width(1.5));
    }
    panel
}

/// Velocities in the optimal experiment, which end as they shall.
fn velocities<M: Model>(case: &Case<M>, found: &OptimalExperiment<M>) -> Result<Panel> {
    let trajectory = found.problem().forward(case.model.parameters().as_ref())?;
    let mut panel = Panel::new("Velocities with the optimal input", Axis::new("time").unit("s"), Axis::new("velocity"));
    for (coordinate, color) in case.shown.iter().zip([BLUE, ORANGE, GREEN, PURPLE]) {
        let values = (0..=trajectory.steps()).map(|i| trajectory.velocities(i)[coordinate.index()]);
        let points: Vec<_> = times(found.problem()).zip(values).collect();
        panel = panel.line(
            Line::new(format!("d/dt {} [{}/s]", coordinate.name(), coordinate.quantity().unit), color, points)
                .width(1.5),
        );
    }
    Ok(panel)
}

/// The measured output.
fn outputs<M: Model>(case: &Case<M>, compared: &[Compared<M>]) -> Result<Panel> {
    let unit = case.output.quantity().unit;
    let mut panel = Panel::new("Measured", Axis::new("time").unit("s"), Axis::new(case.output.name()).unit(unit));
    for (k, input) in compared.iter().enumerate() {
        let outputs = input.problem.outputs(case.model.parameters().as_ref())?;
        let points: Vec<_> = times(&input.problem).zip(outputs.output(case.output).into_iter().flatten()).collect();
        panel = panel.line(Line::new(input.name, color(k, compared.len()), points).width(1.5));
    }
    Ok(panel)
}

/// The values of a parameter that are shown, up to 10 % from the true one.
fn shown_values(truth: f64) -> Vec<f64> {
    spaced([0.9, 1.1], 25).map(|factor| factor * truth).collect()
}

/// The root mean square error of each of these parameter sets against one noisy measurement.
fn errors<M: Model>(
    case: &Case<M>,
    input: &Compared<M>,
    deviation: f64,
    seed: u64,
    sets: &[M::Values],
) -> Result<Vec<f64>> {
    let mut measured = input.problem.outputs(case.model.parameters().as_ref())?;
    if deviation > 0.0 {
        case.noise(deviation)?.add(&mut measured, seed);
    }
    let error = |outputs: Series<f64>| {
        let squares = outputs
            .output(case.output)
            .into_iter()
            .flatten()
            .zip(measured.output(case.output).into_iter().flatten())
            .map(|(a, b)| (a - b).powi(2));
        (squares.sum::<f64>() / measured.samples() as f64).sqrt()
    };
    let runs = input.problem.outputs_each(sets);
    Ok(runs.into_iter().map(|run| run.map_or(f64::NAN, &error)).collect())
}

/// With one unknown parameter: the error over it, without noise as in OB 5.9 and for every level of it.
fn error_curves<M: Model>(case: &Case<M>, compared: &[Compared<M>], seed: u64) -> Result<Vec<Panel>> {
    let parameter = case.unknown[0];
    let sets = |values: &[f64]| -> Vec<M::Values> {
        let with = |&value: &f64| {
            let mut parameters = case.model.parameters();
            parameters.as_mut()[parameter.index()] = value;
            parameters
        };
        values.iter().map(with).collect()
    };
    let truth = case.model.parameters().as_ref()[parameter.index()];
    let values = shown_values(truth);
    let unit = case.output.quantity().unit;
    let mut panels = Vec::new();
    for deviation in std::iter::once(0.0).chain(case.noise.iter().copied()) {
        let x = axis(parameter);
        let mut panel = Panel::new(
            if deviation > 0.0 { format!("Noise {deviation:e} {unit}") } else { "Without noise".to_owned() },
            x,
            Axis::new("RMS error").unit(unit).logarithmic(),
        );
        for (k, input) in compared.iter().enumerate() {
            let errors = errors(case, input, deviation, seed, &sets(&values))?;
            let points: Vec<_> = values.iter().copied().zip(errors).collect();
            panel = panel.line(Line::new(input.name, color(k, compared.len()), points).width(1.5));
        }
        panels.push(panel);
    }
    Ok(panels)
}

/// With two: the error over both, for every input.
fn error_maps<M: Model>(case: &Case<M>, compared: &[Compared<M>], seed: u64) -> Result<Vec<Panel>> {
    let (first, second) = (case.unknown[0], case.unknown[1]);
    let parameters = case.model.parameters();
    let truth = (parameters.as_ref()[first.index()], parameters.as_ref()[second.index()]);
    let (x, y) = (shown_values(truth.0), shown_values(truth.1));
    let mut sets = Vec::new();
    for &y in &y {
        for &x in &x {
            let mut set = parameters.clone();
            set.as_mut()[first.index()] = x;
            set.as_mut()[second.index()] = y;
            sets.push(set);
        }
    }
    let mut panels = Vec::new();
    for input in compared {
        let values = errors(case, input, case.noise[0], seed, &sets)?;
        let contours = case.noise[0] / 4.0;
        let map = Map::new("RMS error", x.clone(), y.clone(), values, contours);
        let panel = Panel::new(input.name, axis(first), axis(second))
            .map(map)
            .line(Line::new("true parameters", PINK, [truth]).width(9.0).marked());
        panels.push(panel);
    }
    Ok(panels)
}

/// The estimates with the last noise level: two parameters against each other, or one over the repetitions.
fn scatter<M: Model>(case: &Case<M>, compared: &[Compared<M>]) -> Option<Panel> {
    let pair = match case.unknown[..] {
        [first, second, ..] => Some((first, second)),
        _ => None,
    };
    let last = case.noise.len().checked_sub(1)?;
    let (x, y) = match pair {
        Some((first, second)) => (axis(first), axis(second)),
        None => (Axis::new("repetition"), axis(case.unknown[0])),
    };
    let mut panel = Panel::new("Estimates", x, y);
    for (k, input) in compared.iter().enumerate() {
        let (_, repeated) = &input.repeated[last];
        let points = repeated.estimates().enumerate().map(|(i, estimate)| match pair {
            Some(_) => (estimate[0], estimate[1]),
            None => (i as f64, estimate[0]),
        });
        panel = panel.line(Line::new(input.name, color(k, compared.len()), points).scattered());
    }
    let truth: Vec<f64> = case.unknown.iter().map(|of| case.model.parameters().as_ref()[of.index()]).collect();
    Some(match pair {
        Some(_) => panel.line(Line::new("true values", GREY, [(truth[0], truth[1])]).width(9.0).marked()),
        None => {
            let count = compared.iter().map(|input| input.repeated[last].1.estimates().count()).max().unwrap_or(0);
            panel.line(Line::new("true value", GREY, [(0.0, truth[0]), (count as f64, truth[0])]))
        }
    })
}
