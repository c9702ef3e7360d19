//! Magnitude and phase of a response whose real and imaginary parts were fitted.

use costate_view::plot::{Axis, Figure, Line, Panel, color};

use super::{HALF, in_print};
use crate::result::summary::FittedPrediction;

/// The ends of the names of groups that are the parts of one response.
const PARTS: [&str; 2] = [": real part", ": imaginary part"];

/// Returns the name of the response whose parts these two groups are, one after the other; `None` for other groups.
pub fn response<'f>(real: &'f FittedPrediction, imaginary: &FittedPrediction) -> Option<&'f str> {
    let name = real.group.strip_suffix(PARTS[0])?;
    let is_other = imaginary.group.strip_suffix(PARTS[1]) == Some(name)
        && imaginary.prediction == real.prediction
        && imaginary.experiment == real.experiment
        && imaginary.places == real.places;
    is_other.then_some(name)
}

/// Draws magnitude and phase of measured, first and fitted numbers over this axis.
pub fn figure(real: &FittedPrediction, imaginary: &FittedPrediction, frequency: &Axis) -> Figure {
    let size = Axis::new("magnitude").unit(in_print(&real.unit)).logarithmic();
    let mut magnitude = Panel::new("Magnitude", frequency.clone(), size);
    let mut phase = Panel::new("Phase", frequency.clone(), Axis::new("phase").unit("°").range((-180.0, 180.0)));
    let all = [
        ("measured", color::GREY, &real.measured, &imaginary.measured),
        ("start", color::ORANGE, &real.start, &imaginary.start),
        ("fitted", color::BLUE, &real.fitted, &imaginary.fitted),
    ];
    for (name, color, real_parts, imaginary_parts) in all {
        let numbers =
            || real_parts.iter().zip(imaginary_parts).map(|(re, im)| (re.hypot(*im), im.atan2(*re).to_degrees()));
        let over = |values: Vec<f64>| real.places.iter().copied().zip(values).collect::<Vec<_>>();
        let sizes = over(numbers().map(|(size, _)| size).collect());
        let angles = over(numbers().map(|(_, angle)| angle).collect());
        if sizes.is_empty() {
            continue;
        }
        let (sizes, angles) = match name {
            "measured" => {
                let points = |points| Line::new(name, color, points).width(4.0).scattered();
                (points(sizes), points(angles))
            }
            _ => (Line::new(name, color, sizes), Line::new(name, color, in_turns(angles))),
        };
        (magnitude, phase) = (magnitude.line(sizes), phase.line(angles));
    }
    Figure::new(2, HALF).panel(magnitude).panel(phase)
}

/// Breaks a line where an angle in degrees leaves the turn on one side and comes back on the other.
fn in_turns(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut broken: Vec<(f64, f64)> = Vec::with_capacity(points.len());
    for (place, angle) in points {
        if broken.last().is_some_and(|(_, before)| (angle - before).abs() > 180.0) {
            broken.push((place, f64::NAN));
        }
        broken.push((place, angle));
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_broken_between_two_turns() {
        let points = in_turns(vec![(1.0, 170.0), (2.0, 179.0), (3.0, -175.0), (4.0, -100.0)]);
        assert_eq!((points.len(), points[2].0, points[2].1.is_nan()), (5, 3.0, true));
    }
}
