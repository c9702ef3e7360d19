//! Bodies, joints and elements: everything becomes coordinates, masses, forces and constraints of the model, so that
//! nothing behind knows of them.

mod body;
mod couplers;
mod declare;
mod elements;
mod gravity;
mod inertia;
mod initial;
mod joint_constraints;
mod joints;
mod laws;
mod loads;
mod options;
mod scene;
mod scene_builder;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};

use syn::ext::IdentExt;

use super::expressions::Expressions;
use super::geometry::{Body, Vector};
use super::names::{Kind, Names};
use super::system::System;
use crate::diagnostic::Place;
use crate::model::{BodyMass, ModelBody, ModelFiles, Norm};
use crate::symbolic::{Graph, Id};
use crate::syntax::ast::DeclaredName;
use scene_builder::SceneBuilder;

/// The bodies, joints and elements of a model while it is read.
#[derive(Default)]
pub struct Mechanism {
    pub system: System,
    /// What is known of each body beside its coordinates.
    bodies: Vec<BodyState>,
    pub gravity: Option<(Vector, Place)>,
    /// What is written of each body.
    pub written_bodies: Vec<ModelBody>,
    /// Masses and moments of inertia of bodies.
    pub body_masses: Vec<BodyMass>,
    /// The norms of Euler parameters.
    pub norms: Vec<Norm>,
    /// Constraints of joints and couplers, with the axis of each in its first frame.
    pub of_joints: BTreeMap<usize, [f64; 3]>,
    /// Coordinates by which bodies turn.
    pub turning: BTreeSet<usize>,
    /// Where everything is, for pictures.
    pub scene: SceneBuilder,
    /// The files of meshes, by body and shape.
    pub mesh_files: BTreeMap<(usize, usize), String>,
    /// Where the files of the model are.
    pub files: ModelFiles,
}

/// How far a body has been read.
struct BodyState {
    /// Mass and centre of mass in the body's frame, once they have been read.
    inertia: Option<(Id, Vector)>,
    place: Place,
    /// An initial orientation stands above.
    oriented: bool,
}

impl Mechanism {
    fn expressions(&mut self) -> &mut Expressions {
        &mut self.system.expressions
    }

    fn names(&mut self) -> &mut Names {
        &mut self.system.expressions.names
    }

    fn graph(&mut self) -> &mut Graph {
        &mut self.system.expressions.graph
    }

    /// Reports a mistake.
    fn error(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        self.system.error(place, message);
    }

    /// Reports a mistake because of which there is no value.
    fn refuse<T>(&mut self, place: impl Into<Place>, message: impl Into<String>) -> Option<T> {
        self.names().report.refuse(place, message)
    }

    fn body(&self, position: usize) -> Body {
        self.system.expressions.parts.bodies[position]
    }

    /// What an entry declares, each by the space of its names and its position among those of its kind.
    fn declared(&mut self, name: &DeclaredName, kind: Kind) -> Vec<(usize, usize)> {
        let text = name.ident.unraw().to_string();
        let Expressions { names, parts, .. } = &mut self.system.expressions;
        let indices = names.declared_indices(name);
        let spaces = indices.into_iter().filter_map(|index| names.table.here().position(&text, index, kind));
        spaces.filter_map(|space| Some((space, *parts.by_space.get(&space)?))).collect()
    }
}
