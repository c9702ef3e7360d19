//! Section on the mechanism: its picture at the start, bodies, joints, elements and degrees of freedom.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use costate::command::scene::{SceneEnd, ScenePart};
use costate_compiler::Compiled;

use super::page::{Cell, Part, Section};
use crate::mechanism::Start;

/// Writes the section; `None` for a model without bodies.
pub fn section(compiled: &Compiled) -> Option<Section> {
    let scene = &compiled.model.scene;
    if scene.bodies.is_empty() {
        return None;
    }
    let picture = match Start::of(compiled).still() {
        Some(svg) => Part::Picture { svg, caption: "At the start, with the defaults of the parameters.".to_owned() },
        None => Part::Text(
            "No picture: the mechanism does not fit together with its defaults and initial values.".to_owned(),
        ),
    };
    let bodies = scene.bodies.iter().map(|body| {
        let kind = if body.spatial { "in space" } else { "in the plane" };
        vec![Cell::Code(body.name.to_string()), Cell::Text(kind.to_owned()), Cell::Text(body.documentation.to_string())]
    });
    let mut parts = vec![picture, Part::Table { head: vec!["body", "moves", "meaning"], rows: bodies.collect() }];
    for (name, list) in [("joint", &scene.joints), ("element", &scene.elements)] {
        if !list.is_empty() {
            let rows = list.iter().map(|part| row(compiled, part)).collect();
            parts.push(Part::Table { head: vec![name, "kind", "between", "meaning"], rows });
        }
    }
    parts.push(freedom(compiled));
    Some(Section { title: "Mechanism", parts })
}

fn row(compiled: &Compiled, part: &ScenePart) -> Vec<Cell> {
    let scene = &compiled.model.scene;
    let body = |end: &SceneEnd| {
        let body = end.body.and_then(|body| scene.bodies.get(body as usize));
        body.map_or("ground".to_owned(), |body| body.name.to_string())
    };
    let [first, second] = &part.ends;
    let between = if first == second { body(first) } else { format!("{}, {}", body(first), body(second)) };
    vec![
        Cell::Code(part.name.to_string()),
        Cell::Text(part.kind.word().to_owned()),
        Cell::Text(between),
        Cell::Text(part.documentation.to_string()),
    ]
}

/// The coordinates and constraints of a group of equal members.
#[derive(Default)]
struct Group {
    members: BTreeSet<String>,
    coordinates: usize,
    constraints: usize,
}

/// Tabulates the degrees of freedom, coordinates less constraints, by groups of members that differ only in indices.
fn freedom(compiled: &Compiled) -> Part {
    let model = &compiled.model;
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    let mut order = Vec::new();
    let mut count = |name: &str, is_coordinate: bool| {
        let owner = name.rsplit_once('.').map_or(name, |(owner, _)| owner);
        let family = without_indices(owner);
        let group = groups.entry(family.to_string()).or_insert_with(|| {
            order.push(family.to_string());
            Group::default()
        });
        group.members.insert(owner.to_owned());
        *(if is_coordinate { &mut group.coordinates } else { &mut group.constraints }) += 1;
    };
    model.coordinates.iter().for_each(|coordinate| count(&coordinate.name, true));
    model.constraints.iter().for_each(|constraint| count(&constraint.name, false));
    let rows = order.iter().filter_map(|name| {
        let group = groups.get(name)?;
        let number = |number: usize| Cell::Number(if number == 0 { String::new() } else { number.to_string() });
        Some(vec![
            Cell::Code(name.clone()),
            number(group.members.len()),
            number(group.coordinates),
            number(group.constraints),
        ])
    });
    let mut rows: Vec<Vec<Cell>> = rows.collect();
    let (n, m) = (model.coordinates.len(), model.constraints.len());
    let left = i64::try_from(n).unwrap_or(i64::MAX) - i64::try_from(m).unwrap_or(i64::MAX);
    rows.push(vec![
        Cell::Text(format!("degrees of freedom: {left}")),
        Cell::Number(String::new()),
        Cell::Number(n.to_string()),
        Cell::Number(m.to_string()),
    ]);
    Part::Table { head: vec!["group", "members", "coordinates", "constraints"], rows }
}

/// Removes the indices: `cylinder.rod` from `cylinder[2].rod[1]`.
fn without_indices(name: &str) -> Cow<'_, str> {
    if !name.contains('[') {
        return Cow::Borrowed(name);
    }
    let (mut text, mut depth) = (String::new(), 0usize);
    for character in name.chars() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => text.push(character),
            _ => {}
        }
    }
    Cow::Owned(text)
}
