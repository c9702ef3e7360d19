//! A page that plays runs: one file, with everything in it and nothing from elsewhere.
//!
//! The player draws faces in the order of their distance, as the still does (`svg`), and without WebGL, which not every
//! browser has.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use costate_contract::shown::plain;
use serde_json::{Value, json};

use crate::animation::{Animation, Motion, Plot};
use crate::drawing::{Anchor, Item, Place, Stretch, body_colour};
use crate::svg::{View, escaped};

const STYLE: &str = include_str!("player.css");
const PLAYER: &str = include_str!("player.js");

/// The page's text.
pub fn page(animation: &Animation) -> String {
    let runs: Vec<Value> = animation.runs.iter().map(run).collect();
    let data = json!({ "title": animation.title, "text": animation.text, "speed": animation.speed, "runs": runs });
    // text of the model must not end the script; in JSON `<` stands in strings alone
    let data = data.to_string().replace('<', "\\u003c");
    let data = plain(&data);
    let title = escaped(&animation.title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"generator\" content=\"costate\">\n<meta name=\"viewport\" content=\"width=device-width, \
         initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{PLAYER}</script>\n</body>\n</html>\n"
    )
}

fn run(run: &Motion) -> Value {
    let drawing = run.drawing();
    let bodies = run.mechanism.bodies.iter().enumerate().map(|(i, body)| {
        json!({
            "name": body.name, "text": body.documentation, "color": colour(body_colour(i)), "spatial": body.spatial,
            "layer": body.layer,
        })
    });
    let bodies: Vec<Value> = bodies.collect();
    let centers = run.mechanism.bodies.iter().enumerate();
    let centers = centers.map(|(i, body)| json!({ "name": body.name, "body": i, "point": body.center }));
    let named = run.mechanism.points.iter().filter(|point| !point.name.is_empty());
    let named = named
        .filter_map(|point| Some(json!({ "name": point.name, "body": point.end.body?, "point": point.end.point })));
    let trails: Vec<Value> = named.chain(centers).collect();
    let view = View::of(run);
    json!({
        "name": run.name,
        "interval": run.interval,
        "frames": run.frames,
        "flat": run.mechanism.is_planar(),
        "up": view.upright,
        "side": view.side,
        "middle": drawing.middle,
        "reach": drawing.reach,
        "unit": drawing.unit,
        "bodies": bodies,
        "items": drawing.items.iter().map(item).collect::<Vec<Value>>(),
        "trails": trails,
        "coordinates": single(run.coordinates.iter().copied()),
        "plots": run.plots.iter().map(plot).collect::<Vec<Value>>(),
    })
}

fn item(item: &Item) -> Value {
    let points: Vec<f32> = item.mesh.points.iter().flatten().map(|x| *x as f32).collect();
    let anchor = |anchor: &Anchor| json!({ "body": index(anchor.body), "point": anchor.point });
    let place = match &item.place {
        Place::On(body) => json!(index(*body)),
        Place::Between([from, to], stretch) => json!({
            "from": anchor(from), "to": anchor(to),
            "whole": *stretch == Stretch::Whole,
        }),
    };
    json!({
        "name": item.name,
        "place": place,
        "points": points,
        "faces": item.mesh.faces,
        "lines": item.mesh.lines,
        "fill": colour(item.paint.fill),
        "line": colour(item.paint.line),
        "width": f64::from(item.paint.width) / 100.0,
    })
}

/// The position of a body; -1 is the ground.
fn index(body: Option<usize>) -> i64 {
    body.map_or(-1, |body| body as i64)
}

fn plot(plot: &Plot) -> Value {
    json!({
        "name": plot.name,
        "unit": plot.unit,
        "text": plot.documentation,
        "times": single(plot.points.iter().map(|(time, _)| *time)),
        "values": single(plot.points.iter().map(|(_, value)| *value)),
    })
}

fn colour(colour: u32) -> String {
    format!("#{colour:06x}")
}

/// Numbers of single precision, which are as exact as a picture needs, in base 64.
fn single(numbers: impl Iterator<Item = f64>) -> String {
    let bytes: Vec<u8> = numbers.flat_map(|x| (x as f32).to_le_bytes()).collect();
    STANDARD.encode(bytes)
}
