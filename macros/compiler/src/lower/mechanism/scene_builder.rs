//! Construction of the scene, in which every number occurs once.

use costate_contract::scene::{Number, Scene, SceneEnd};
use rustc_hash::FxHashMap;

use crate::lower::geometry::{Body, Frame, Vector};
use crate::symbolic::Id;

/// A scene under construction.
pub struct SceneBuilder {
    pub scene: Scene,
    /// Expressions of the numbers of the scene.
    pub geometry: Vec<Id>,
    known: FxHashMap<Id, Number>,
}

impl Default for SceneBuilder {
    fn default() -> Self {
        SceneBuilder { scene: Scene::EMPTY, geometry: Vec::new(), known: FxHashMap::default() }
    }
}

impl SceneBuilder {
    /// Returns the number of an expression.
    pub fn number(&mut self, id: Id) -> Number {
        *self.known.entry(id).or_insert_with(|| {
            self.geometry.push(id);
            // models are limited to far fewer numbers than the type can count
            (self.geometry.len() - 1) as Number
        })
    }

    /// Returns the numbers of a vector.
    pub fn vector(&mut self, vector: Vector) -> [Number; 3] {
        vector.map(|id| self.number(id))
    }

    /// Describes a frame, with a direction in the axes of its body.
    pub fn end(&mut self, bodies: &[Body], frame: Frame, axis: Vector) -> SceneEnd {
        let position = |body: Body| bodies.iter().position(|other| other.first == body.first);
        let body = frame.body.and_then(position).map(|position| position as u32);
        SceneEnd { body, point: self.vector(frame.point), axis: self.vector(axis) }
    }
}
