//! Writes models out: loops unrolled, features chosen, components inserted, names resolved.

mod resolve;

use std::collections::HashMap;

use crate::models::flat::{Flat, Quantity, Sum, Symbol, Value};
use crate::models::tree::{ArgumentValue, Block, Declared, Energy, Entry, Expr, InitialKind, Model, Named, Use};

/// Meaning of a name.
#[derive(Debug, Clone)]
pub(crate) enum Meaning {
    Quantity(Symbol),
    /// A `let`, an energy or a bound expression.
    Value(Value),
    /// The scope of the names in a use of a component, or of a body.
    Scope(usize),
}

/// Names of the model, of a use of a component or of a body.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// `cylinder[2].`
    prefix: String,
    names: HashMap<(String, Option<i64>), Meaning>,
    /// Names bound where a component is used, which are no parameters or inputs of the model.
    bound: Vec<String>,
}

/// Context of an expression: its scope, the loop variables, and the `let`s inside of blocks.
#[derive(Debug, Clone)]
pub(crate) struct Here {
    pub(crate) scope: usize,
    variables: Vec<(String, i64)>,
    lets: Vec<(String, Value)>,
}

/// State of writing a model out.
pub(crate) struct Flatten {
    pub(crate) flat: Flat,
    scopes: Vec<Scope>,
    sizes: HashMap<String, i64>,
    features: HashMap<String, bool>,
    components: HashMap<String, Vec<Block>>,
}

impl Model {
    /// Writes the model out, with these values of its structural arguments in place of their defaults.
    ///
    /// # Panics
    /// If a name has no meaning: the generator makes no such model.
    pub fn written_out(&self, arguments: &[(&str, ArgumentValue)]) -> Flat {
        let mut work = Flatten {
            flat: Flat::default(),
            scopes: vec![Scope::default()],
            sizes: HashMap::new(),
            features: HashMap::new(),
            components: HashMap::new(),
        };
        for argument in &self.arguments {
            let given = arguments.iter().find(|(name, _)| *name == argument.name);
            match given.map_or(argument.value, |(_, value)| *value) {
                ArgumentValue::Size(size) => drop(work.sizes.insert(argument.name.clone(), size as i64)),
                ArgumentValue::Feature(on) => drop(work.features.insert(argument.name.clone(), on)),
            }
        }
        for block in &self.blocks {
            match block {
                Block::Component(name, blocks) => drop(work.components.insert(name.clone(), blocks.clone())),
                Block::Tables(tables) => work.flat.tables.extend(tables.iter().cloned()),
                _ => {}
            }
        }
        work.declare_blocks(&self.blocks, 0);
        for block in &self.blocks {
            match block {
                Block::Planar(planar) => planar.declare_joints(&mut work, 0),
                Block::Spatial(spatial) => spatial.declare_joints(&mut work, 0),
                _ => {}
            }
        }
        work.define_blocks(&self.blocks, 0);
        work.flat
    }
}

impl Flatten {
    fn here(&self, scope: usize) -> Here {
        Here { scope, variables: Vec::new(), lets: Vec::new() }
    }

    /// Defines a name in a scope.
    pub(crate) fn define(&mut self, scope: usize, name: &str, index: Option<i64>, meaning: Meaning) {
        self.scopes[scope].names.insert((name.to_owned(), index), meaning);
    }

    /// Returns the full name of an item in a scope.
    pub(crate) fn full_name(&self, scope: usize, name: &str, index: Option<i64>) -> String {
        let index = index.map(|index| format!("[{index}]")).unwrap_or_default();
        format!("{}{name}{index}", self.scopes[scope].prefix)
    }

    /// Adds a scope inside of another one.
    pub(crate) fn inner_scope(&mut self, scope: usize, name: &str, index: Option<i64>) -> usize {
        let prefix = format!("{}.", self.full_name(scope, name, index));
        self.scopes.push(Scope { prefix, ..Scope::default() });
        let inner = self.scopes.len() - 1;
        self.define(scope, name, index, Meaning::Scope(inner));
        inner
    }

    fn declare_blocks(&mut self, blocks: &[Block], scope: usize) {
        for block in blocks {
            match block {
                Block::Parameters(entries) => {
                    self.declare(entries, scope, &|flat| &mut flat.parameters, Symbol::Parameter)
                }
                Block::Inputs(entries) => self.declare(entries, scope, &|flat| &mut flat.inputs, Symbol::Input),
                Block::Coordinates(entries) => {
                    self.declare(entries, scope, &|flat| &mut flat.coordinates, Symbol::Coordinate);
                }
                Block::Constraints(entries) => {
                    self.each(entries, &mut self.here(scope), &mut |work, named: &Named, here| {
                        let (name, index) = work.declared_name(&named.of, here);
                        let symbol = Symbol::Constraint(work.flat.constraints.len());
                        let full = work.full_name(scope, &name, index);
                        work.flat.constraints.push((full, None));
                        work.define(scope, &name, index, Meaning::Quantity(symbol));
                    })
                }
                Block::Components(entries) => {
                    self.each(entries, &mut self.here(scope), &mut |work, used: &Use, here| {
                        for index in work.indices_of(used, here) {
                            let inner = work.inner_scope(scope, &used.name, index);
                            work.scopes[inner].bound = used.bindings.iter().map(|(name, _)| name.clone()).collect();
                            work.declare_blocks(&work.components[&used.component].clone(), inner);
                        }
                    })
                }
                Block::Planar(planar) => planar.declare(self, scope),
                Block::Spatial(spatial) => spatial.declare(self, scope),
                _ => {}
            }
        }
    }

    fn declare(
        &mut self,
        entries: &[Entry<Declared>],
        scope: usize,
        list: &dyn Fn(&mut Flat) -> &mut Vec<Quantity>,
        symbol: fn(usize) -> Symbol,
    ) {
        self.each(entries, &mut self.here(scope), &mut |work, declared: &Declared, here| {
            if work.scopes[scope].bound.contains(&declared.name) {
                return;
            }
            for index in work.indices(declared.range.as_ref(), here) {
                let name = work.full_name(scope, &declared.name, index);
                let quantity = Quantity { name, unit: declared.unit.clone(), default: declared.default };
                let all = list(&mut work.flat);
                all.push(quantity);
                let symbol = symbol(all.len() - 1);
                work.define(scope, &declared.name, index, Meaning::Quantity(symbol));
            }
        });
    }

    /// Declares a coordinate of a body.
    pub(crate) fn declare_coordinate(&mut self, scope: usize, name: &str, unit: crate::models::units::Unit) {
        let full = self.full_name(scope, name, None);
        self.flat.coordinates.push(Quantity { name: full, unit, default: None });
        let symbol = Symbol::Coordinate(self.flat.coordinates.len() - 1);
        self.define(scope, name, None, Meaning::Quantity(symbol));
    }

    /// Declares a constraint of a joint.
    pub(crate) fn declare_constraint(&mut self, scope: usize, name: &str) {
        let full = self.full_name(scope, name, None);
        self.flat.constraints.push((full, None));
        let symbol = Symbol::Constraint(self.flat.constraints.len() - 1);
        self.define(scope, name, None, Meaning::Quantity(symbol));
    }

    fn define_blocks(&mut self, blocks: &[Block], scope: usize) {
        for block in blocks {
            self.define_block(block, scope);
        }
    }

    fn define_block(&mut self, block: &Block, scope: usize) {
        let mut here = self.here(scope);
        match block {
            Block::Let(name, value) => {
                let value = self.value(value, &here);
                self.define(scope, name, None, Meaning::Value(value));
            }
            Block::Mass(entries) => self.each(entries, &mut here, &mut |work, mass, here| {
                let row = work.coordinate(&mass.of.0, here);
                let column = mass.of.1.as_ref().map_or(row, |other| work.coordinate(other, here));
                let value = work.value(&mass.value, here);
                work.flat.order.push(Sum::Mass);
                work.flat.mass.push((row, column, value));
            }),
            Block::Forces(entries) => self.each(entries, &mut here, &mut |work, force, here| {
                let value = work.value(&force.value, here);
                let of = work.coordinate(&force.of, here);
                work.flat.order.push(Sum::Forces);
                work.flat.forces.push((of, value));
            }),
            Block::Constraints(entries) => self.each(entries, &mut here, &mut |work, constraint, here| {
                let value = work.value(&constraint.value, here);
                let (name, index) = work.declared_name(&constraint.of, here);
                if let Meaning::Quantity(Symbol::Constraint(i)) = work.scopes[scope].names[&(name, index)] {
                    work.flat.constraints[i].1 = Some(value);
                }
            }),
            Block::Outputs(entries) => self.each(entries, &mut here, &mut |work, output, here| {
                let value = work.value(&output.value, here);
                let (name, index) = work.declared_name(&output.of, here);
                let name = work.full_name(scope, &name, index);
                work.flat.outputs.extend(output.unit.clone().map(|unit| (name, unit, value)));
            }),
            Block::Initial(entries) => self.each(entries, &mut here, &mut |work, initial, here| {
                let of = work.coordinate(&initial.of, here);
                let value = work.value(&initial.value, here);
                work.flat.initial.push((of, initial.what, value));
            }),
            Block::Kinetic(entries) => self.energies(entries, here, Sum::Kinetic, &|flat| &mut flat.kinetic),
            Block::Potential(entries) => self.energies(entries, here, Sum::Potential, &|flat| &mut flat.potential),
            Block::Dissipation(entries) => {
                self.energies(entries, here, Sum::Dissipation, &|flat| &mut flat.dissipation)
            }
            Block::Components(entries) => self.each(entries, &mut here, &mut |work, used, here| {
                for index in work.indices_of(used, here) {
                    work.define_use(used, index, here);
                }
            }),
            Block::Planar(planar) => planar.define(self, &here),
            Block::Spatial(spatial) => spatial.define(self, &here),
            _ => {}
        }
    }

    fn energies(
        &mut self,
        entries: &[Entry<Energy>],
        mut here: Here,
        sum: Sum,
        list: &dyn Fn(&mut Flat) -> &mut Vec<Value>,
    ) {
        let scope = here.scope;
        self.each(entries, &mut here, &mut |work, energy, here| {
            let value = work.value(&energy.value, here);
            if let Some(name) = &energy.name {
                work.define(scope, name, None, Meaning::Value(value.clone()));
            }
            work.flat.order.push(sum);
            list(&mut work.flat).push(value);
        });
    }

    fn define_use(&mut self, used: &Use, index: Option<i64>, here: &Here) {
        let Some(Meaning::Scope(inner)) = self.scopes[here.scope].names.get(&(used.name.clone(), index)).cloned()
        else {
            panic!("no use {}", used.name);
        };
        for (name, value) in &used.bindings {
            let value = self.value(value, here);
            let meaning = match value {
                Expr::Leaf(symbol) => Meaning::Quantity(symbol),
                value => Meaning::Value(value),
            };
            self.define(inner, name, None, meaning);
        }
        self.define_blocks(&self.components[&used.component].clone(), inner);
    }
}

/// Returns the initial value of this kind for the coordinate; `None` if it is not given.
pub fn initial_value(flat: &Flat, coordinate: usize, kind: InitialKind) -> Option<&Value> {
    flat.initial.iter().find(|(of, what, _)| *of == coordinate && *what == kind).map(|(_, _, value)| value)
}
