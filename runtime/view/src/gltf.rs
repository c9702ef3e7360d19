//! glTF 2.0: nodes of bodies, joints and elements with their motion.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::animation::{Animation, Motion};
use crate::drawing::{Item, Place, Stretch};
use crate::mesh::Mesh;
use crate::vector::{Pose, Vector, columns, cross, euler_parameters, subtract, transpose, unit};

/// The file's parts: its structure and its numbers.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

/// The animation as one text, with the numbers in it.
pub fn text(animation: &Animation) -> String {
    let (mut document, bytes) = document(animation);
    document["buffers"][0]["uri"] = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&bytes)).into();
    document.to_string()
}

/// The binary form: the text, then the numbers.
pub fn binary(animation: &Animation) -> Vec<u8> {
    let (document, mut bytes) = document(animation);
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let length = 12 + 8 + text.len() + 8 + bytes.len();
    let mut file = Vec::with_capacity(length);
    file.extend(b"glTF");
    for number in [2, length as u32, text.len() as u32] {
        file.extend(number.to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(text);
    file.extend((bytes.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(bytes);
    file
}

fn document(animation: &Animation) -> (Value, Vec<u8>) {
    let mut file = File::default();
    let mut roots = Vec::new();
    if let Some(run) = animation.runs.first() {
        roots = file.add_run(run, animation.speed);
    }
    let mut document = json!({
        "asset": { "version": "2.0", "generator": concat!("costate ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "name": animation.title, "nodes": roots }],
        "buffers": [{ "byteLength": file.bytes.len() }],
        "bufferViews": file.views,
        "accessors": file.accessors,
        "meshes": file.meshes,
        "materials": file.materials,
        "nodes": file.nodes,
    });
    if !file.channels.is_empty() {
        document["animations"] =
            json!([{ "name": animation.title, "samplers": file.samplers, "channels": file.channels }]);
    }
    (document, file.bytes)
}

impl File {
    /// The nodes of the drawing; the first has all others, with the up axis turned to y as glTF has it. Times are those
    /// in which the run is played.
    fn add_run(&mut self, run: &Motion, speed: f64) -> Vec<usize> {
        /// Most moments of a node's motion: more than a screen shows in the time of a talk.
        const MAX_MOMENTS: usize = 6_000;
        let drawing = run.drawing();
        let stride = run.frames.div_ceil(MAX_MOMENTS).max(1);
        let frames: Vec<usize> = (0..run.frames).step_by(stride).collect();
        let time = |frame: &usize| (*frame as f64 * run.interval / speed) as f32;
        let times: Vec<f32> = frames.iter().map(time).collect();
        let poses: Vec<Vec<Pose>> = frames.iter().map(|frame| run.poses(*frame)).collect();
        let moves = poses.len() > 1 && times.windows(2).all(|pair| pair[0] < pair[1]);
        let times = moves.then(|| self.numbers(&times, 1, true));
        let root = self.nodes.len();
        self.nodes.push(Value::Null);
        let mut bodies = Vec::new();
        for (i, body) in run.mechanism.bodies.iter().enumerate() {
            bodies.push(self.nodes.len());
            self.nodes.push(json!({ "name": body.name }));
            self.place(bodies[i], poses.iter().map(|poses| (poses[i], 1.0)), times, false);
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
        let mut of_ground = bodies.clone();
        for item in &drawing.items {
            let Some(mesh) = self.mesh(item, 0.1 * drawing.unit) else { continue };
            let node = self.nodes.len();
            self.nodes.push(json!({ "name": item.name, "mesh": mesh }));
            match item.place {
                Place::On(Some(body)) if body < children.len() => children[body].push(node),
                Place::On(_) => of_ground.push(node),
                Place::Between(_, stretch) => {
                    let place = poses.iter().map(|poses| item.place.pose(poses));
                    self.place(node, place, times, stretch == Stretch::Whole);
                    of_ground.push(node);
                }
            }
        }
        for (body, children) in bodies.iter().zip(children) {
            if !children.is_empty() {
                self.nodes[*body]["children"] = json!(children);
            }
        }
        // glTF looks along -z with y up
        let up = run.mechanism.up;
        let x = unit(crate::vector::across(up), [1.0, 0.0, 0.0]);
        let turn =
            if up == [0.0, 1.0, 0.0] { crate::vector::IDENTITY } else { transpose(columns(x, up, cross(x, up))) };
        let mut node = json!({ "name": "ground", "children": of_ground });
        let rotation = quaternion(&Pose { origin: [0.0; 3], turn });
        if rotation != [0.0, 0.0, 0.0, 1.0] {
            node["rotation"] = json!(rotation);
        }
        if of_ground.is_empty() {
            node["children"].take();
            if let Some(node) = node.as_object_mut() {
                node.remove("children");
            }
        }
        self.nodes[root] = node;
        vec![root]
    }

    /// Puts a node where it is at the start, and moves it.
    fn place(&mut self, node: usize, places: impl Iterator<Item = (Pose, f64)>, times: Option<usize>, stretched: bool) {
        let (mut origins, mut turns, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        let mut last = [0.0, 0.0, 0.0, 1.0];
        for (pose, factor) in places {
            origins.push(pose.origin.map(|x| x as f32));
            let mut turn = quaternion(&pose);
            // between two moments the shorter way
            if turn.iter().zip(last).map(|(a, b)| a * b).sum::<f32>() < 0.0 {
                turn = turn.map(|e| -e);
            }
            last = turn;
            turns.push(turn);
            sizes.push([(factor as f32).max(1e-9), 1.0, 1.0]);
        }
        let (Some(origin), Some(turn), Some(size)) = (origins.first(), turns.first(), sizes.first()) else {
            return;
        };
        self.nodes[node]["translation"] = json!(origin);
        self.nodes[node]["rotation"] = json!(turn);
        if stretched {
            self.nodes[node]["scale"] = json!(size);
        }
        let Some(times) = times else { return };
        let origins = self.numbers(origins.as_flattened(), 3, false);
        let turns = self.numbers(turns.as_flattened(), 4, false);
        let mut paths = vec![("translation", origins), ("rotation", turns)];
        if stretched {
            paths.push(("scale", self.numbers(sizes.as_flattened(), 3, false)));
        }
        for (path, output) in paths {
            let sampler = self.samplers.len();
            self.samplers.push(json!({ "input": times, "output": output, "interpolation": "LINEAR" }));
            self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
        }
    }

    /// The mesh of an item; lines alone become tubes. `None` if it is empty.
    fn mesh(&mut self, item: &Item, radius: f64) -> Option<usize> {
        let tubes;
        let solid = if item.mesh.faces.is_empty() {
            // a spring is stretched along x alone: its wire stays nearly round
            tubes = item.mesh.tubes(radius);
            &tubes
        } else {
            &item.mesh
        };
        let (points, normals) = triangles(solid);
        if points.is_empty() {
            return None;
        }
        let colour = if item.mesh.faces.is_empty() { item.paint.line } else { item.paint.fill };
        let material = self.material(colour);
        let position = self.numbers(points.as_flattened(), 3, true);
        let normal = self.numbers(normals.as_flattened(), 3, false);
        self.view_target(position);
        self.view_target(normal);
        let indices: Vec<u32> = (0..points.len() as u32).collect();
        let indices = self.indices(&indices);
        self.meshes.push(json!({
            "name": item.name,
            "primitives": [{
                "attributes": { "POSITION": position, "NORMAL": normal }, "indices": indices, "material": material
            }],
        }));
        Some(self.meshes.len() - 1)
    }

    fn material(&mut self, colour: u32) -> usize {
        let linear = |shift: u32| (f64::from(colour >> shift & 0xff) / 255.0).powf(2.2);
        let material = json!({
            "pbrMetallicRoughness": {
                "baseColorFactor": [linear(16), linear(8), linear(0), 1.0], "metallicFactor": 0.1,
                "roughnessFactor": 0.6
            },
            "doubleSided": true,
        });
        match self.materials.iter().position(|known| *known == material) {
            Some(known) => known,
            None => {
                self.materials.push(material);
                self.materials.len() - 1
            }
        }
    }

    /// An accessor of vectors with so many components.
    fn numbers(&mut self, numbers: &[f32], components: usize, bounded: bool) -> usize {
        const FLOAT: u32 = 5126;
        let view = self.view(numbers.iter().flat_map(|x| x.to_le_bytes()));
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][(components - 1).min(3)];
        let mut accessor = json!({
            "bufferView": view, "componentType": FLOAT, "count": numbers.len() / components, "type": kind
        });
        if bounded {
            let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                let component = |i: usize| numbers.iter().skip(i).step_by(components).copied().reduce(pick);
                (0..components).filter_map(component).collect()
            };
            accessor["min"] = json!(bound(f32::min));
            accessor["max"] = json!(bound(f32::max));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn indices(&mut self, indices: &[u32]) -> usize {
        const INDEX: u32 = 5125;
        let view = self.view(indices.iter().flat_map(|i| i.to_le_bytes()));
        self.views[view]["target"] = json!(34963);
        self.accessors.push(json!({
            "bufferView": view, "componentType": INDEX, "count": indices.len(), "type": "SCALAR"
        }));
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start }));
        self.views.len() - 1
    }

    fn view_target(&mut self, accessor: usize) {
        if let Some(view) = self.accessors[accessor]["bufferView"].as_u64() {
            self.views[view as usize]["target"] = json!(34962);
        }
    }
}

/// (x, y, z, w) of a rotation.
fn quaternion(pose: &Pose) -> [f32; 4] {
    let [w, x, y, z] = euler_parameters(pose.turn);
    [x as f32, y as f32, z as f32, w as f32]
}

/// The corners of all triangles with their normals.
fn triangles(mesh: &Mesh) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let (mut points, mut normals) = (Vec::new(), Vec::new());
    let single = |a: Vector| a.map(|x| x as f32);
    for face in &mesh.faces {
        for i in 1..face.len().saturating_sub(1) {
            let [a, b, c] = [face[0], face[i], face[i + 1]].map(|i| mesh.points[i as usize]);
            let normal = unit(cross(subtract(b, a), subtract(c, a)), [0.0, 0.0, 1.0]);
            points.extend([a, b, c].map(single));
            normals.extend([single(normal); 3]);
        }
    }
    (points, normals)
}
