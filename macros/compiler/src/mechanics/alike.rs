//! Search for parts of equal structure.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::block::Block;
use crate::model::Model;

/// Finds the largest set of parts of equal structure into which the model falls without one of its bodies, or without
/// one of the coordinates that belong to no body; `None` where no such parts are equal. `motion` and `jacobian` are the
/// parts of the Newton matrix of a step. What one part has first, second, .. corresponds to what every other one has
/// first, second, ..
pub fn find(model: &Model, motion: &Block, jacobian: &Block) -> Option<Vec<Component>> {
    // Part of the coordinates that parts have to cover, so that no model is cut where little is gained.
    const MIN_COVERED_SHARE: f64 = 0.5;
    // Largest number of bodies without which a model may fall apart: those with the most neighbours.
    const MAX_BODIES: usize = 8;
    let structure = Structure::new(model, motion, jacobian);
    let mut bodies = bodies(model);
    let neighbours = |body: &Vec<usize>| body.iter().map(|&i| structure.motion[i].len()).max();
    bodies.sort_by_cached_key(|body| Reverse(neighbours(body)));
    bodies.truncate(MAX_BODIES);
    let found = bodies.into_iter().filter_map(|body| structure.without(&body));
    let best = found.max_by_key(|parts| (parts.len() * parts[0].coordinates.len(), usize::MAX - parts.len()))?;
    let covered = best.len() * best[0].coordinates.len();
    (covered as f64 >= MIN_COVERED_SHARE * model.coordinates.len() as f64).then_some(best)
}

/// Lists the coordinates of every body, and every other coordinate by itself.
fn bodies(model: &Model) -> Vec<Vec<usize>> {
    let mut left: BTreeSet<usize> = (0..model.coordinates.len()).collect();
    let mut all = Vec::new();
    for body in &model.bodies {
        let own: Vec<usize> = (body.first..body.first + if body.spatial { 7 } else { 3 }).collect();
        left.retain(|i| !own.contains(i));
        all.push(own);
    }
    all.extend(left.into_iter().map(|i| vec![i]));
    all
}

/// Columns in which the matrix of a step has entries.
struct Structure {
    /// Columns of the rows of the equations of motion.
    motion: Vec<BTreeSet<usize>>,
    /// Columns of the rows of the constraints.
    constraints: Vec<BTreeSet<usize>>,
}

/// Coordinates and constraints that are connected, in order.
#[derive(Debug, Default)]
pub struct Component {
    pub coordinates: Vec<usize>,
    pub constraints: Vec<usize>,
}

impl Structure {
    fn new(model: &Model, motion: &Block, jacobian: &Block) -> Structure {
        let rows = |block: &Block, count| {
            let mut rows = vec![BTreeSet::new(); count];
            for &(row, column) in &block.entries {
                rows[row].insert(column);
            }
            rows
        };
        Structure {
            motion: rows(motion, model.coordinates.len()),
            constraints: rows(jacobian, model.constraints.len()),
        }
    }

    /// Returns the largest set of components of equal structure that are left without some coordinates; `None` where
    /// there are not two.
    fn without(&self, removed: &[usize]) -> Option<Vec<Component>> {
        let mut alike: FxHashMap<Vec<usize>, Vec<Component>> = FxHashMap::default();
        for component in self.components(removed) {
            if !component.coordinates.is_empty() {
                alike.entry(self.signature(&component, removed)).or_default().push(component);
            }
        }
        let sets = alike.into_values().filter(|set| set.len() > 1);
        sets.max_by_key(|set| (set.len() * set[0].coordinates.len(), usize::MAX - set[0].coordinates[0]))
    }

    fn components(&self, removed: &[usize]) -> Vec<Component> {
        let n = self.motion.len();
        let mut roots: Vec<usize> = (0..n).collect();
        fn root(roots: &mut [usize], mut i: usize) -> usize {
            while roots[i] != i {
                roots[i] = roots[roots[i]];
                i = roots[i];
            }
            i
        }
        let rows = self.motion.iter().enumerate().filter(|(row, _)| !removed.contains(row)).map(|(row, columns)| {
            let mut columns = columns.clone();
            columns.insert(row);
            columns
        });
        for columns in rows.chain(self.constraints.iter().cloned()) {
            let mut kept = columns.into_iter().filter(|column| !removed.contains(column));
            let Some(first) = kept.next() else { continue };
            for other in kept {
                let (a, b) = (root(&mut roots, first), root(&mut roots, other));
                roots[a.max(b)] = a.min(b);
            }
        }
        let mut components: Vec<Component> = (0..n).map(|_| Component::default()).collect();
        for i in (0..n).filter(|i| !removed.contains(i)) {
            components[root(&mut roots, i)].coordinates.push(i);
        }
        for (i, columns) in self.constraints.iter().enumerate() {
            if let Some(&column) = columns.iter().find(|column| !removed.contains(column)) {
                components[root(&mut roots, column)].constraints.push(i);
            }
        }
        components
    }

    /// Lists the entries of a component by the places of its coordinates.
    fn signature(&self, component: &Component, removed: &[usize]) -> Vec<usize> {
        let places: FxHashMap<usize, usize> =
            removed.iter().chain(&component.coordinates).enumerate().map(|(place, &i)| (i, place)).collect();
        let mut signature = vec![component.coordinates.len(), component.constraints.len()];
        let motion = component.coordinates.iter().map(|&i| &self.motion[i]);
        for columns in motion.chain(component.constraints.iter().map(|&i| &self.constraints[i])) {
            signature.push(usize::MAX);
            signature.extend(columns.iter().filter_map(|column| places.get(column)));
        }
        signature
    }
}
