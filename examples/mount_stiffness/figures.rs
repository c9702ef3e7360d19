//! Figures: stiffness and loss angle over frequency, measured as points and computed as lines.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::series;
use costate::plot::{Axis, Figure, Line, Panel};
use costate::vibration::Complex;

use crate::rig::Curve;

/// Size of a panel.
const SIZE: (u32, u32) = (620, 380);

/// Writes the curves before and after the identification.
pub fn write(folder: &Path, measured: &[Curve], start: &[Curve], found: &[Curve]) -> Result<()> {
    let figure = |computed: &[Curve], name: &str| {
        Figure::new(2, SIZE)
            .panel(panel(&format!("Dynamic stiffness: {name}"), stiffness(), measured, computed, |k| k.norm() / 1e3))
            .panel(panel(&format!("Loss angle: {name}"), angle(), measured, computed, |k| k.arg().to_degrees()))
    };
    figure(found, "measured (points), identified (lines)").write(folder.join("stiffness.svg"))?;
    figure(start, "measured (points), start values (lines)").write(folder.join("start.svg"))?;
    Ok(())
}

fn stiffness() -> Axis {
    Axis::new("|k|").unit("N/mm")
}

fn angle() -> Axis {
    Axis::new("loss angle").unit("°")
}

fn panel(
    title: &str,
    axis: Axis,
    measured: &[Curve],
    computed: &[Curve],
    shown: impl Fn(&Complex<f64>) -> f64,
) -> Panel {
    let points = |curve: &Curve| -> Vec<(f64, f64)> {
        curve.frequencies.iter().copied().zip(curve.stiffness.iter().map(&shown)).collect()
    };
    let mut panel = Panel::new(title, Axis::new("frequency").unit("Hz"), axis);
    for (k, curve) in computed.iter().enumerate() {
        let name = format!("{} mm", 1e3 * curve.amplitude);
        panel = panel.line(Line::new(name, series(k), points(curve)).width(1.5));
    }
    for (k, curve) in measured.iter().enumerate() {
        panel = panel.line(Line::new("", series(k), points(curve)).scattered());
    }
    panel
}
