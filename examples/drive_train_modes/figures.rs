//! Figures of modes, energies and poles over the speed.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLACK, GREY, series};
use costate::plot::{Axis, Band, Bars, Color, Figure, Line, Panel};
use costate::vibration::{Complex, EnergyShares, Mode, ModeKind, Modes};
use costate_models::FourCylinderEngine;

use crate::campbell::{Campbell, ORDERS};
use crate::energies::{Energies, PARTS};

/// Nodes of the shaft, from the flywheel to the free end, and what is on the free end.
const NODES: [(&str, costate::Coordinate<FourCylinderEngine>); 8] = [
    ("flywheel", FourCylinderEngine::PHI_1),
    ("throw 1", FourCylinderEngine::PHI_2),
    ("throw 2", FourCylinderEngine::PHI_3),
    ("throw 3", FourCylinderEngine::PHI_4),
    ("throw 4", FourCylinderEngine::PHI_5),
    ("free end", FourCylinderEngine::PHI_6),
    ("ring", FourCylinderEngine::RING),
    ("pulley", FourCylinderEngine::PULLEY),
];

/// Writes all figures.
pub fn write(folder: &Path, modes: &Modes, energies: &Energies, campbell: &Campbell) -> Result<()> {
    Figure::new(1, (900, 560)).panel(diagram(campbell)).write(folder.join("campbell.svg"))?;
    let oscillations: Vec<&Mode> = modes.oscillations().collect();
    let shapes = oscillations
        .chunks(3)
        .enumerate()
        .fold(Figure::new(1, (900, 260)), |figure, (k, some)| figure.panel(shapes(some, 3 * k)));
    shapes.write(folder.join("shapes.svg"))?;
    let energies = Figure::new(1, (900, 380))
        .panel(stacked("Potential energy", modes, energies, |share| share.potential))
        .panel(stacked("Lost power", modes, energies, |share| share.lost));
    energies.write(folder.join("energies.svg"))?;
    Ok(())
}

/// Draws natural frequencies over the speed with the lines of orders.
fn diagram(campbell: &Campbell) -> Panel {
    let last = campbell.speeds.last().copied().unwrap_or_default();
    let top = 1.02 * ORDERS.iter().fold(0.0_f64, |most, order| most.max(order * last / 60.0));
    let orders = ORDERS.map(|order| format!("{order}")).join(", ");
    let mut panel = Panel::new(
        "Natural frequencies over the speed, bands: over the angle of the crank",
        Axis::new("speed").unit("rpm").range((0.0, last)),
        Axis::new("frequency").unit("Hz").range((0.0, top)),
    );
    for (k, order) in ORDERS.into_iter().enumerate() {
        let name = if k == 0 { format!("orders {orders}, from below") } else { String::new() };
        panel = panel.line(Line::new(name, GREY, [(0.0, 0.0), (last, order * last / 60.0)]));
    }
    let shown = campbell.branches.iter().filter(|branch| branch.at_rest.lowest < top);
    for (k, branch) in shown.enumerate() {
        let over = || campbell.speeds.iter().copied().zip(&branch.over_speed);
        let name = format!("mode {}", branch.mode);
        let mean = over().map(|(speed, here)| (speed, here.map_or(f64::NAN, |here| here.mean)));
        let band = over().filter_map(|(speed, here)| here.map(|here| (speed, here.lowest, here.highest)));
        panel = panel.band(Band::new("", series(k), band)).line(Line::new(name, series(k), mean).width(2.0));
    }
    let crossings = campbell.crossings.iter().map(|crossing| (crossing.speed, crossing.frequency));
    panel.line(Line::new("crossings", BLACK, crossings).width(4.0).scattered())
}

/// Draws the real parts of shapes, each turned and divided so that its largest entry is 1.
fn shapes(modes: &[&Mode], first: usize) -> Panel {
    let names = NODES.map(|(name, _)| name);
    let title = if first == 0 { "Shapes, the largest angle 1" } else { "" };
    let mut panel = Panel::new(title, Axis::new("").named(names), Axis::new("angle").range((-1.15, 1.15)));
    for (k, mode) in modes.iter().enumerate() {
        let angles = NODES.map(|(_, coordinate)| mode.at(coordinate));
        let largest = angles.iter().copied().max_by(|one, other| one.norm().total_cmp(&other.norm()));
        let largest = largest.unwrap_or(Complex::new(1.0, 0.0));
        let points: Vec<(f64, f64)> =
            angles.iter().enumerate().map(|(node, angle)| (node as f64, (angle / largest).re)).collect();
        let name = format!("mode {}: {:.1} Hz", first + k + 1, mode.frequency());
        // the shaft joins the first six nodes
        let (shaft, others) = points.split_at(6);
        panel = panel
            .line(Line::new(name, series(k), shaft.to_vec()).width(2.0).marked())
            .line(Line::new("", series(k), others.to_vec()).width(4.0).scattered());
    }
    panel
}

/// Draws the shares of parts in an energy of all oscillations, on each other.
fn stacked(title: &str, modes: &Modes, energies: &Energies, number: fn(&EnergyShares) -> f64) -> Panel {
    let is_shown = |index: &usize| modes.all()[*index].kind() == ModeKind::Oscillation;
    let shown: Vec<usize> = (0..modes.len()).filter(is_shown).collect();
    let names = shown.iter().map(|index| format!("{}: {:.0} Hz", index + 1, modes.all()[*index].frequency()));
    let mut panel = Panel::new(title, Axis::new("mode").named(names), Axis::new("share").range((0.0, 1.0)));
    let mut below: Option<Bars> = None;
    for (part, (name, _)) in PARTS.iter().enumerate() {
        let shares = shown.iter().enumerate();
        let shares = shares.map(|(place, &mode)| (place as f64, energies.of_part(mode, part, number)));
        let shares: Vec<(f64, f64)> = shares.collect();
        let is_there = shares.iter().any(|(_, share)| *share > 0.01);
        // a series has seven colours
        let color = match part {
            7 => Color(120, 190, 235),
            8 => Color(205, 165, 90),
            _ => series(part),
        };
        let bars = Bars::new(if is_there { *name } else { "" }, color, shares);
        let bars = match &below {
            Some(below) => bars.on(below),
            None => bars,
        };
        panel = panel.bars(bars.clone());
        below = Some(bars);
    }
    panel
}
