//! A still of a mechanism as SVG.

use std::fmt::Write;

use costate_contract::shown::plain;

use crate::animation::{Animation, Motion};
use crate::drawing::{Drawing, Paint, body_colour};
use crate::vector::{Pose, Vector, add, cross, dot, scale, subtract, unit};

/// Room around the mechanism.
const MARGIN: f64 = 16.0;

/// The direction from which the picture is seen.
pub struct View {
    /// The upright axis of space, and the horizontal axis to the right as seen from the front.
    pub upright: Vector,
    pub side: Vector,
    right: Vector,
    up: Vector,
    back: Vector,
}

impl View {
    /// Looks from the front at motion in the plane, and otherwise from above one corner.
    pub fn of(motion: &Motion) -> Self {
        /// Angles from which space is looked at, in rad.
        const YAW: f64 = 0.66;
        const PITCH: f64 = 0.42;
        let flat = motion.mechanism.is_flat();
        let upright = if flat { [0.0, 1.0, 0.0] } else { motion.mechanism.up };
        let x = [1.0, 0.0, 0.0];
        let side = subtract(x, scale(dot(x, upright), upright));
        let side = if dot(side, side) > 1e-6 { unit(side, x) } else { crate::vector::across(upright) };
        let toward = cross(side, upright);
        let (yaw, pitch) = if flat { (0.0, 0.0) } else { (YAW, PITCH) };
        let level = add(scale(yaw.sin(), side), scale(yaw.cos(), toward));
        let back = add(scale(pitch.cos(), level), scale(pitch.sin(), upright));
        let right = cross(upright, level);
        Self { upright, side, right, up: cross(back, right), back }
    }

    /// Projects a point: to the right, down, towards the viewer.
    fn project(&self, point: Vector) -> Vector {
        [dot(self.right, point), -dot(self.up, point), dot(self.back, point)]
    }
}

/// A piece of the picture.
struct Piece {
    /// Distance towards the viewer.
    depth: f64,
    points: Vec<[f64; 2]>,
    /// A face with this colour, or a line with this colour and width.
    paint: Result<u32, (u32, f64)>,
}

/// Draws the first run at a time.
pub fn still(animation: &Animation, time: f64) -> String {
    /// Width of the picture; a picture that would be too high is made narrower.
    const WIDTH: f64 = 760.0;
    /// Largest height of the picture.
    const MAX_HEIGHT: f64 = 560.0;
    let Some(run) = animation.runs.first() else { return String::new() };
    let last = run.frames.saturating_sub(1);
    let frame = if run.interval > 0.0 { (time / run.interval).round().clamp(0.0, last as f64) } else { 0.0 };
    let poses = run.poses(frame as usize);
    let (drawing, view) = (run.drawing(), View::of(run));
    let mut pieces = pieces(&drawing, &view, &poses);
    pieces.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    for point in pieces.iter().flat_map(|piece| &piece.points) {
        for i in 0..2 {
            (low[i], high[i]) = (low[i].min(point[i]), high[i].max(point[i]));
        }
    }
    if pieces.is_empty() {
        (low, high) = ([0.0; 2], [1.0; 2]);
    }
    let extent = [0, 1].map(|i| (high[i] - low[i]).max(1e-9));
    let factor = ((WIDTH - 2.0 * MARGIN) / extent[0]).min((MAX_HEIGHT - 2.0 * MARGIN) / extent[1]);
    let legend = legend(run);
    let [width, picture] = extent.map(|extent| factor * extent + 2.0 * MARGIN);
    let width = width.max(260.0);
    let shift = 0.5 * (width - factor * extent[0]) - factor * low[0];
    let (legend, height) = write_legend(&legend, width, picture);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{title} at {at} s\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" style=\"max-width:100%\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#1f2933\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\">\n\
         <title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        title = escaped(&animation.title),
        at = frame * run.interval,
    );
    for piece in &pieces {
        let mut path = String::new();
        for (i, [x, y]) in piece.points.iter().enumerate() {
            let (x, y) = (factor * x + shift, factor * (y - low[1]) + MARGIN);
            // writing to a string does not fail
            let _ = write!(path, "{}{x:.2} {y:.2}", if i == 0 { 'M' } else { 'L' });
        }
        let _ = match piece.paint {
            // a thin line of the same colour hides seams between faces
            Ok(fill) => {
                writeln!(text, "<path d=\"{path}z\" fill=\"#{fill:06x}\" stroke=\"#{fill:06x}\" stroke-width=\"0.5\"/>")
            }
            Err((line, width)) => {
                writeln!(text, "<path d=\"{path}\" fill=\"none\" stroke=\"#{line:06x}\" stroke-width=\"{width:.2}\"/>")
            }
        };
    }
    text.push_str(&legend);
    text.push_str("</svg>\n");
    text
}

/// Returns the visible faces, and lines.
fn pieces(drawing: &Drawing, view: &View, poses: &[Pose]) -> Vec<Piece> {
    /// Width of edges.
    const EDGE_WIDTH: f64 = 1.1;
    let mut pieces = Vec::new();
    let light = unit([0.25, -0.75, 0.6], [0.0, 0.0, 1.0]);
    for item in &drawing.items {
        let points: Vec<Vector> = item.points(poses).into_iter().map(|point| view.project(point)).collect();
        let corner = |i: &u32| points.get(*i as usize).copied().unwrap_or_default();
        for face in &item.mesh.faces {
            let corners: Vec<Vector> = face.iter().map(corner).collect();
            let normal = unit(newell(&corners), [0.0; 3]);
            // y points down, which reverses the sense of rotation
            let normal = scale(-1.0, normal);
            if normal[2] <= 1e-9 || corners.iter().flatten().any(|x| !x.is_finite()) {
                continue;
            }
            let shade = 0.8 + 0.2 * (dot(normal, light) / light[2]).clamp(-1.0, 1.4);
            pieces.push(Piece {
                depth: depth(&corners),
                points: corners.iter().map(|[x, y, _]| [*x, *y]).collect(),
                paint: Ok(shaded(item.paint.fill, shade)),
            });
        }
        for line in &item.mesh.lines {
            for pair in line.windows(2) {
                let corners: Vec<Vector> = pair.iter().map(corner).collect();
                if corners.iter().flatten().any(|x| !x.is_finite()) {
                    continue;
                }
                let Paint { line, width, .. } = item.paint;
                // edges lie a little in front of their faces
                pieces.push(Piece {
                    depth: depth(&corners) + 0.12 * drawing.unit,
                    points: corners.iter().map(|[x, y, _]| [*x, *y]).collect(),
                    paint: Err((line, EDGE_WIDTH * f64::from(width) / 100.0)),
                });
            }
        }
    }
    pieces
}

/// Returns twice the area of a face, along its normal.
fn newell(corners: &[Vector]) -> Vector {
    let Some(first) = corners.first() else { return [0.0; 3] };
    let fan = corners.windows(2).skip(1);
    fan.fold([0.0; 3], |sum, pair| add(sum, cross(subtract(pair[0], *first), subtract(pair[1], *first))))
}

fn depth(corners: &[Vector]) -> f64 {
    corners.iter().map(|corner| corner[2]).sum::<f64>() / corners.len().max(1) as f64
}

fn shaded(colour: u32, shade: f64) -> u32 {
    let part = |shift: u32| (f64::from(colour >> shift & 0xff) * shade).round().clamp(0.0, 255.0) as u32;
    part(16) << 16 | part(8) << 8 | part(0)
}

/// Lists bodies with their colours.
fn legend(run: &Motion) -> Vec<(String, u32)> {
    /// Largest number of bodies in the legend.
    const MAX_NAMES: usize = 24;
    let named = run.mechanism.bodies.iter().enumerate();
    let mut legend: Vec<(String, u32)> =
        named.map(|(i, body)| (body.name.clone(), body_colour(i))).take(MAX_NAMES + 1).collect();
    if legend.len() > MAX_NAMES {
        legend.truncate(MAX_NAMES);
        let more = run.mechanism.bodies.len() - MAX_NAMES;
        legend.push((format!("and {more} more"), 0xffffff));
    }
    legend
}

/// Writes the legend below a picture of this height, and returns the height of both.
fn write_legend(legend: &[(String, u32)], width: f64, picture: f64) -> (String, f64) {
    let (mut x, mut y, mut text) = (MARGIN, picture + 14.0, String::new());
    for (name, colour) in legend {
        let room = 26.0 + 7.0 * name.chars().count() as f64;
        if x > MARGIN && x + room > width - MARGIN {
            (x, y) = (MARGIN, y + 18.0);
        }
        let line = Paint::solid(*colour).line;
        let _ = writeln!(
            text,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"11\" height=\"11\" rx=\"2\" fill=\"#{colour:06x}\" \
                 stroke=\"#{line:06x}\"/>\
             <text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            y - 10.0,
            x + 16.0,
            escaped(name)
        );
        x += room;
    }
    (text, y + 14.0)
}

pub fn escaped(text: &str) -> String {
    plain(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
