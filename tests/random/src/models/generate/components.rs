//! Random components, also nested ones.

use rand::Rng;

use super::Generator;
use super::expression::Allowed;
use super::names::{Kinds, Names};
use crate::models::tree::{Block, Declared, Entry, Expr, Index, Path, Use, Written};
use crate::models::units::{Dimension, LENGTH, ONE};

/// A component that may be used.
pub(super) struct Component {
    /// Definition of the component.
    pub block: Block,
    name: String,
    connections: Vec<(String, Dimension)>,
    /// Parameters that are not arrays.
    parameters: Vec<(String, Dimension)>,
    inputs: Vec<(String, Dimension)>,
    /// Coordinates that are known outside.
    coordinates: Vec<(String, Dimension)>,
}

impl Generator {
    /// Makes up to two components, of which the second may use the first.
    pub(super) fn components(&mut self, around: &Names) -> Vec<Component> {
        let mut components = Vec::new();
        let count = if self.chance(0.5) { 0 } else { self.random.random_range(1..3) };
        for _ in 0..count {
            let component = self.component(around, &components);
            components.push(component);
        }
        components
    }

    fn component(&mut self, around: &Names, inner: &[Component]) -> Component {
        let mut names = Names {
            tables: around.tables.clone(),
            features: around.features.clone(),
            sizes: around.sizes.clone(),
            ..Names::default()
        };
        let mut connections = Vec::new();
        let mut declared = Vec::new();
        for _ in 0..self.random.random_range(0..3) {
            let (name, dimension) = (self.name(), if self.chance(0.7) { LENGTH } else { ONE });
            names.add_coordinate(&Path::name(&name), dimension);
            let unit = dimension.units().swap_remove(0);
            declared.push(Declared { name: name.clone(), range: None, unit, default: None });
            connections.push((name, dimension));
        }
        let own = names.coordinates.len();
        let mut blocks = self.part(&mut names, inner, true);
        if !declared.is_empty() {
            blocks.insert(0, Block::Connections(declared));
        }
        let name = self.name();
        let plain = |path: &Path| (path.0.len() == 1 && path.0[0].index.is_none()).then(|| path.0[0].name.clone());
        let coordinates = names.coordinates[own..].iter();
        let coordinates = coordinates.filter_map(|one| Some((plain(&one.path)?, one.dimension))).collect();
        let quantities = |wanted: &dyn Fn(&Block) -> Option<&Vec<Entry<Declared>>>| {
            let entries = blocks.iter().filter_map(wanted).flatten();
            let plain = |entry: &Entry<Declared>| match entry {
                Entry::One(one) if one.range.is_none() => Some((one.name.clone(), one.unit.dimension)),
                _ => None,
            };
            entries.filter_map(plain).collect::<Vec<_>>()
        };
        let parameters = quantities(&|block| match block {
            Block::Parameters(entries) => Some(entries),
            _ => None,
        });
        let inputs = quantities(&|block| match block {
            Block::Inputs(entries) => Some(entries),
            _ => None,
        });
        let block = Block::Component(name.clone(), blocks);
        Component { block, name, connections, parameters, inputs, coordinates }
    }

    /// Makes uses of components, and adds their coordinates to the known names.
    pub(super) fn uses(&mut self, names: &mut Names, components: &[Component]) -> Vec<Block> {
        let mut entries = Vec::new();
        for component in components {
            for _ in 0..self.random.random_range(0..3) {
                entries.extend(self.used(names, component));
            }
        }
        if entries.is_empty() { Vec::new() } else { vec![Block::Components(entries)] }
    }

    fn used(&mut self, names: &mut Names, component: &Component) -> Option<Entry<Use>> {
        let size = names.sizes.first().cloned();
        let (first, last) = (Index::number(1), size.map_or(Index::number(2), |size| Index::variable(&size, 0)));
        let variable = self.name();
        let many = self.random.random_range(0..4);
        let mut bindings = Vec::new();
        for (name, dimension) in &component.connections {
            // an array of like uses is bound to the same coordinate
            let element = names
                .arrays
                .iter()
                .find(|array| array.kinds == Kinds::COORDINATES && array.dimension == *dimension && array.last == last);
            let bound = match element {
                Some(array) if many == 0 => Path::element(&array.name, Index::variable(&variable, 0)),
                _ => {
                    let fitting: Vec<_> = names.coordinates.iter().filter(|own| own.dimension == *dimension).collect();
                    // two connections on one coordinate are allowed
                    fitting.get(self.random.random_range(0..fitting.len().max(1)))?.path.clone()
                }
            };
            bindings.push((name.clone(), Expr::Leaf(bound)));
        }
        for (list, kinds) in [(&component.parameters, Kinds::PARAMETERS), (&component.inputs, Kinds::FORCE)] {
            for (name, dimension) in list {
                if self.chance(0.5) {
                    bindings.push((name.clone(), self.bound(*dimension, Allowed { names, kinds })));
                }
            }
        }
        let used = Use { name: self.name(), index: None, range: None, component: component.name.clone(), bindings };
        let (entry, member) = match many {
            0 => {
                let own = Use { index: Some(Index::variable(&variable, 0)), ..used.clone() };
                let entry = Entry::For(variable, first.clone(), last, vec![Entry::One(own)]);
                (entry, Path::element(&used.name, first))
            }
            1 => {
                let own = Use { range: Some((first.clone(), last)), ..used.clone() };
                (Entry::One(own), Path::element(&used.name, first))
            }
            _ => (Entry::One(used.clone()), Path::name(&used.name)),
        };
        for (name, dimension) in &component.coordinates {
            names.add_coordinate(&member.member(name), *dimension);
        }
        Some(entry)
    }

    /// Makes a bound expression; parameters of components are positive.
    fn bound(&mut self, dimension: Dimension, allowed: Allowed<'_>) -> Written {
        if allowed.kinds == Kinds::PARAMETERS {
            return self.positive(dimension, allowed, 1);
        }
        self.expr(dimension, allowed, 2)
    }
}
