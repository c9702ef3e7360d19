//! The statements of a function with loops.

use rustc_hash::FxHashMap;

use super::fuse::fuse;
use super::plan::plan;
use super::schedule::{Loop, Part};
use super::storage::Storage;
use super::unit::{Kind, Unit};
use super::writer::{Body, Writer};
use crate::model::Model;
use crate::program::build::code::Code;
use crate::program::build::constants::Constants;
use crate::program::build::local_names::LocalNames;
use crate::program::build::variables::Variables;
use crate::program::{Array, Expression, Function, Index, Local, LocalArray, Place, Statement, Variable};
use crate::symbolic::{Graph, Id};

/// A function with loops.
pub struct Written {
    /// The function, without a name.
    pub function: Function,
    /// Number of loops, in which those for the sines and cosines of many arguments count once.
    pub loops: usize,
}

/// Writes a function with the results `values` in loops. The results go to `arrays`, given with their lengths, one
/// after the other. The function has these `locals` already; the first one is [`RIGHT`](super::RIGHT) if the function
/// reads a right-hand side. `None` where straight-line code is better.
pub fn write(
    model: &Model,
    graph: &Graph,
    constants: &Constants,
    values: &[Id],
    arrays: &[(Array, usize)],
    mut names: LocalNames,
    locals: Vec<LocalArray>,
) -> Option<Written> {
    let is_constant = |id| constants.holds(id);
    let lengths: Vec<usize> = arrays.iter().map(|(_, length)| *length).collect();
    let (units, schedule) = plan(model, graph, values, &lengths, &is_constant)?;
    // groups are evaluated at few points where a model has functions of a step: their code is kept short
    let peel = arrays.iter().all(|(array, _)| *array != Array::Out);
    let schedule = fuse(&units, schedule, peel);
    let storage = Storage::new(&units, &schedule);
    let [array, constants_array, _repetition] = ["e", "constants", "i"].map(|name| names.unique(name));
    let code = Code::new(model, graph, constants, constants.known(), Variables::new(names));
    let mut writer = Writer {
        units: &units,
        schedule: &schedule,
        storage: &storage,
        results: arrays.iter().map(|(array, _)| *array).collect(),
        code,
        array: Local(locals.len()),
        constants_array: Local(locals.len() + 1),
        locals,
        pool: Vec::new(),
        pool_positions: FxHashMap::default(),
        positions: Vec::new(),
        numbers: Vec::new(),
    };
    writer.local(array, storage.length);
    writer.local(constants_array, 0);
    for (index, straight) in schedule.straight.iter().enumerate() {
        straight.iter().for_each(|&unit| writer.straight(unit));
        if let Some(group) = schedule.loops.get(index) {
            if group.is_call(&units.units) { writer.call(index, group) } else { writer.repeat(index, group) }
        }
    }
    Some(writer.finish())
}

impl Writer<'_> {
    fn finish(mut self) -> Written {
        let mut body = Vec::new();
        if !self.pool.is_empty() {
            let constants = self.pool.iter().map(|&id| self.code.expression(id)).collect();
            body.push(Statement::store_whole(Array::Local(self.constants_array), constants));
            self.locals[self.constants_array.0].length = self.pool.len();
        }
        body.extend(self.code.take_statements());
        let Writer { code, locals, positions, numbers, .. } = self;
        let variables = code.into_variables();
        let function = Function { variables, locals, positions, numbers, body, ..Function::default() };
        Written { function, loops: self.schedule.loops.len() }
    }

    /// Writes a unit outside of loops.
    fn straight(&mut self, index: usize) {
        let unit = &self.units.units[index];
        for id in self.units.shape(unit.kind, &unit.roots, &[], true).leaves {
            self.know_straight(id);
        }
        self.know_time(unit);
        if unit.kind == Kind::Copy || (unit.kind == Kind::Value && self.is_only_stored(unit)) {
            let value = self.code.expression(unit.roots[0]);
            for to in self.straight_targets(unit, 0) {
                self.code.push(Statement::Store { to, value: value.clone() });
            }
            return;
        }
        let (statement, variables) = self.statement(unit);
        self.code.push(statement);
        for (output, variable) in variables.into_iter().enumerate() {
            let (Some(variable), Some(id)) = (variable, unit.outputs[output].id) else { continue };
            let value = Expression::Variable(variable);
            self.code.know(id, value.clone());
            for to in self.straight_targets(unit, output) {
                self.code.push(Statement::Store { to, value: value.clone() });
            }
        }
    }

    /// Checks whether a value goes to one place only and has no other use by a name.
    fn is_only_stored(&self, unit: &Unit) -> bool {
        let output = &unit.outputs[0];
        let is_named = output.id.is_some_and(|id| self.storage.between_straight.contains(&id));
        let is_stored = output.id.is_some_and(|id| self.storage.positions.contains_key(&id));
        !is_named && output.destinations.len() + usize::from(is_stored) == 1
    }

    fn straight_targets(&self, unit: &Unit, output: usize) -> Vec<Place> {
        let output = &unit.outputs[output];
        let stored = output.id.and_then(|id| self.storage.positions.get(&id));
        let stored = stored.map(|&position| (Array::Local(self.array), position));
        let results = output.destinations.iter().map(|&position| self.result(position));
        let place = |(array, position)| Place { array, index: Index::At(position) };
        stored.into_iter().chain(results).map(place).collect()
    }

    /// Returns the array of a result, and the position in it.
    fn result(&self, position: usize) -> (Array, usize) {
        let (array, position) = self.units.array_of(position);
        (self.results[array], position)
    }

    /// Returns the statement of a unit whose leaves are known, and the variables of its outputs.
    fn statement(&mut self, unit: &Unit) -> (Statement, Vec<Option<Variable>>) {
        let mut variables = Vec::new();
        for output in &unit.outputs {
            variables.push(output.id.map(|id| self.code.variable_like(id)));
        }
        let output = |position: usize| variables.get(position).copied().flatten();
        let first = self.code.expression(unit.roots[0]);
        let arguments = || unit.roots.iter().map(|&id| self.code.expression(id)).collect();
        let statement = match unit.kind {
            Kind::Value | Kind::Copy => {
                let to = output(0).unwrap_or_else(|| self.code.variable_like(unit.roots[0]));
                Statement::Let { to, value: first }
            }
            Kind::SinCos => Statement::SinCos { sin: output(0), cos: output(1), argument: first },
            Kind::SinCosEach => {
                Statement::SinCosEach { sines: vec![output(0)], cosines: vec![output(1)], arguments: vec![first] }
            }
            Kind::Lookup => {
                let ids = unit.outputs.iter().filter_map(|output| output.id);
                let lookups: Vec<_> = ids.filter_map(|id| Some(self.units.graph.node(id).lookup()?.0)).collect();
                self.code.lookup(variables.clone(), &lookups, arguments())
            }
        };
        (statement, variables)
    }

    /// Writes a loop.
    fn repeat(&mut self, index: usize, group: &Loop) {
        let mut body = self.body(index);
        let names = self.code.names();
        for (position, part) in group.parts.iter().enumerate() {
            self.part(&mut body, position, part);
        }
        self.code.forget_names_but(names);
        self.code.push(Statement::Loop { count: group.count, body: body.statements });
    }

    /// Writes one call for sines and cosines of many arguments.
    fn call(&mut self, index: usize, group: &Loop) {
        let mut body = self.body(index);
        let part = &group.parts[0];
        let unit = &self.units.units[part.units[0]];
        let known = self.know_columns(&mut body, part);
        let argument = self.code.expression(unit.roots[0]);
        self.code.restore(known);
        let (count, before) = (group.count, body.statements);
        let [arguments, sines, cosines] = ["arguments", "sines", "cosines"].map(|name| {
            let name = self.code.unique_name(name);
            self.local(name, count)
        });
        self.code.push(Statement::SinCosLoop { count, before, argument, arguments, sines, cosines });
        let mut body = self.body(index);
        let own = Index::Rising { offset: 0, stride: 1 };
        for (output, values) in [sines, cosines].into_iter().enumerate() {
            let value = Expression::Entry(Place { array: Array::Local(values), index: own });
            self.store(&mut body, part, output, &value);
        }
        self.code.push(Statement::Loop { count, body: body.statements });
    }

    fn part(&mut self, body: &mut Body, position: usize, part: &Part) {
        let unit = &self.units.units[part.units[0]];
        let before = self.know_columns(body, part);
        let giver = (body.index, position, 0);
        let is_stored = unit.outputs[0].id.is_some_and(|id| self.storage.positions.contains_key(&id));
        let stores = unit.outputs[0].destinations.len() + usize::from(is_stored);
        if unit.kind == Kind::Copy
            || (unit.kind == Kind::Value && !self.storage.within_loops.contains(&giver) && stores == 1)
        {
            let value = self.code.expression(unit.roots[0]);
            self.code.restore(before);
            self.store(body, part, 0, &value);
            return;
        }
        let (statement, variables) = self.statement(unit);
        self.code.restore(before);
        body.statements.push(statement);
        for (output, variable) in variables.into_iter().enumerate() {
            if let Some(variable) = variable {
                self.store(body, part, output, &Expression::Variable(variable));
                body.given.insert((body.index, position, output), variable);
            }
        }
    }

    /// Stores an output of a part at all its places.
    fn store(&mut self, body: &mut Body, part: &Part, output: usize, value: &Expression) {
        let outputs: Vec<_> = part.units.iter().map(|&unit| &self.units.units[unit].outputs[output]).collect();
        let stored = outputs.iter().map(|output| self.storage.positions.get(&output.id?).copied());
        let mut targets: Vec<(Array, Vec<usize>)> = Vec::new();
        if let Some(positions) = stored.collect::<Option<Vec<usize>>>() {
            targets.push((Array::Local(self.array), positions));
        }
        for place in 0..outputs[0].destinations.len() {
            let results = outputs.iter().map(|output| self.result(output.destinations[place]));
            let (arrays, positions): (Vec<Array>, Vec<usize>) = results.unzip();
            targets.push((arrays[0], positions));
        }
        for (array, positions) in targets {
            let to = Place { array, index: self.index(&positions) };
            body.statements.push(Statement::Store { to, value: value.clone() });
        }
    }
}
