//! Search for parts of equal structure.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use costate_contract::{Argument, Function, Group as Kind};
use rustc_hash::FxHashMap;

use crate::mechanics::{Block, Group, Groups};
use crate::model::Model;
use crate::symbolic::{Given, Graph, Symbol};

/// Largest number of parts: sets of parts are the bits of a number.
const MOST_PARTS: usize = 32;

/// Number of bodies without which a model may fall apart: those with the most neighbours.
const MOST_BODIES: usize = 8;

/// Part of the coordinates that parts have to cover, lest a model is cut where little is gained.
const LEAST_SHARE: f64 = 0.5;

/// Parts of equal structure. What one of them has first, second, .. corresponds to what every other one has first, second, ..
#[derive(Debug)]
pub struct Parts {
    /// Number of parts.
    pub count: usize,
    /// Part of every coordinate that belongs to one, and the place among the coordinates of the part.
    coordinates: Vec<Option<(usize, usize)>>,
    /// Part of every constraint, and the place there.
    constraints: Vec<Option<(usize, usize)>>,
    /// Part of every input, and the place there.
    inputs: Vec<Option<(usize, usize)>>,
}

impl Parts {
    /// Finds the parts into which the model falls without one of its bodies, or without one of the coordinates that belong to
    /// no body; `None` where no such parts are equal.
    pub fn find(model: &Model, graph: &Graph, groups: &Groups) -> Option<Parts> {
        let newton = groups.all.iter().find(|group| group.kind == Kind::Newton)?;
        let structure = Structure::new(model, newton)?;
        let mut bodies = bodies(model);
        let neighbours = |body: &Vec<usize>| body.iter().map(|&i| structure.motion[i].len()).max();
        bodies.sort_by_cached_key(|body| Reverse(neighbours(body)));
        bodies.truncate(MOST_BODIES);
        let found = bodies.into_iter().filter_map(|body| structure.without(&body));
        let best =
            found.max_by_key(|parts| (parts.len() * parts[0].coordinates.len(), usize::MAX - parts.len()))?;
        let covered = best.len() * best[0].coordinates.len();
        if best.len() > MOST_PARTS || (covered as f64) < LEAST_SHARE * model.coordinates.len() as f64 {
            return None;
        }
        let mut parts = Parts {
            count: best.len(),
            coordinates: vec![None; model.coordinates.len()],
            constraints: vec![None; model.constraints.len()],
            inputs: vec![None; model.inputs.len()],
        };
        for (part, Component { coordinates, constraints }) in best.iter().enumerate() {
            for (place, &i) in coordinates.iter().enumerate() {
                parts.coordinates[i] = Some((part, place));
            }
            for (place, &i) in constraints.iter().enumerate() {
                parts.constraints[i] = Some((part, place));
            }
        }
        parts.inputs = parts.find_inputs(graph, newton);
        Some(parts)
    }

    /// Returns the part to which a symbol belongs, and its place there.
    pub fn of(&self, symbol: Symbol) -> Option<(usize, usize)> {
        match symbol {
            Symbol::Coordinate(i)
            | Symbol::Velocity(i)
            | Symbol::Acceleration(i)
            | Symbol::Given(Given::History | Given::Carried, i) => self.coordinates[i],
            Symbol::Multiplier(i) => self.constraints[i],
            Symbol::Input(i) => self.inputs[i],
            _ => None,
        }
    }

    /// Finds the inputs that act on one part alone.
    fn find_inputs(&self, graph: &Graph, newton: &Group) -> Vec<Option<(usize, usize)>> {
        let mut users: Vec<BTreeSet<Option<usize>>> = vec![BTreeSet::new(); self.inputs.len()];
        for block in newton.blocks.iter().filter(|block| block.argument.is_none()) {
            for (row, _, value) in block.iter() {
                let rows = if block.function == Function::Constraint {
                    &self.constraints
                } else {
                    &self.coordinates
                };
                for symbol in graph.symbols(value) {
                    if let Symbol::Input(i) = symbol {
                        users[*i].insert(rows[row].map(|(part, _)| part));
                    }
                }
            }
        }
        let mut numbers = vec![0; self.count];
        let of_one = |users: &BTreeSet<Option<usize>>| {
            let mut parts = users.iter().flatten();
            parts.next().copied().filter(|_| parts.next().is_none())
        };
        let found: Vec<_> = users
            .iter()
            .map(|users| {
                let part = of_one(users)?;
                numbers[part] += 1;
                Some((part, numbers[part] - 1))
            })
            .collect();
        // parts with other numbers of inputs have no inputs that correspond
        if numbers.iter().all(|number| *number == numbers[0]) { found } else { vec![None; found.len()] }
    }
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
#[derive(Default)]
struct Component {
    coordinates: Vec<usize>,
    constraints: Vec<usize>,
}

impl Structure {
    fn new(model: &Model, newton: &Group) -> Option<Structure> {
        let block = |function: Function, argument| {
            newton.blocks.iter().find(|block| (block.function, block.argument) == (function, Some(argument)))
        };
        let rows = |block: &Block, count| {
            let mut rows = vec![BTreeSet::new(); count];
            for &(row, column) in &block.entries {
                rows[row].insert(column);
            }
            rows
        };
        Some(Structure {
            motion: rows(block(Function::Step, Argument::Accelerations)?, model.coordinates.len()),
            constraints: rows(block(Function::Constraint, Argument::Coordinates)?, model.constraints.len()),
        })
    }

    /// Returns the largest set of components of equal structure that are left without some coordinates; `None` where there
    /// are not two.
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
        let rows =
            self.motion.iter().enumerate().filter(|(row, _)| !removed.contains(row)).map(|(row, columns)| {
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
