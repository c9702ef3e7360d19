//! The matrices of a step of the discrete adjoint, composed of those of `linearization`.
//!
//! Both functions consist of the same derivatives. A large model without an elimination has them once, in `linearization`, and loops
//! over tables of positions add them with the weights of the step.

use costate_contract::{Argument, Function as Quantity, Group as Kind};
use rustc_hash::FxHashMap;

use super::constants::Constants;
use super::documentation;
use super::loops;
use super::operations::Operations;
use crate::mechanics::{Group, Groups};
use crate::model::Model;
use crate::program::{Array, Expression, Function, Index, Local, LocalArray, Place, Statement};
use crate::symbolic::{Graph, Id, Integrator};

/// Largest number of operations of `linearization` for one of the function that it replaces.
const MOST_WORK: f64 = 1.25;

/// The local array that holds the results of `linearization`.
const TERMS: Local = Local(0);

/// The weights of the terms in the matrix of a step.
const WEIGHTS: [Integrator; 3] = [Integrator::Accelerations, Integrator::Coordinates, Integrator::Velocities];

/// Returns the weights that the composed function needs, and `None` where it is not worth while: for short functions, without the
/// matrix of a step, and where `linearization` is longer than what it replaces. `roots` are the values of all groups.
pub fn weights(graph: &mut Graph, groups: &Groups, roots: &[Vec<Id>]) -> Option<Vec<Id>> {
    let adjoint = groups.all.iter().find(|group| group.kind == Kind::Adjoint)?;
    Entries::find(adjoint, Quantity::Step, Argument::Accelerations)?;
    let work = |kind: Kind| {
        let position = groups.all.iter().position(|group| group.kind == kind)?;
        Some(Operations::count(graph, "", roots.get(position)?, |_| false).total())
    };
    let (replaced, used) = (work(Kind::Adjoint)?, work(Kind::Linearization)?);
    if !loops::is_long(replaced) || used as f64 > MOST_WORK * replaced as f64 {
        return None;
    }
    Some(WEIGHTS.map(|weight| graph.weight(weight)).to_vec())
}

/// A block of entries in the array of its group.
struct Entries<'a> {
    start: usize,
    entries: &'a [(usize, usize)],
}

impl<'a> Entries<'a> {
    fn find(group: &'a Group, function: Quantity, argument: Argument) -> Option<Self> {
        let mut start = 0;
        for block in &group.blocks {
            if block.function == function && block.argument == Some(argument) {
                return Some(Self { start, entries: &block.entries });
            }
            start += block.entries.len();
        }
        None
    }

    /// Lists pairs of positions: where `terms` have an entry, and where this block has the same. Terms that cancel
    /// have no entry here.
    fn shared_with(&self, terms: &Self) -> Vec<(usize, usize)> {
        let own: FxHashMap<_, _> = self.entries.iter().zip(self.start..).collect();
        let of_terms = terms.entries.iter().zip(terms.start..);
        of_terms.filter_map(|(entry, from)| Some((from, *own.get(entry)?))).collect()
    }
}

/// Writes the statements of the function.
struct Writer<'a> {
    adjoint: &'a Group,
    linearization: &'a Group,
    positions: Vec<Vec<usize>>,
    body: Vec<Statement>,
    operations: Operations,
}

/// Returns the function that composes the matrices, and its operations with those of `linearization`; `weights` are those that
/// [`weights`] has returned, and `roots` the values of all groups.
pub fn adjoint(
    model: &Model,
    graph: &Graph,
    constants: &Constants,
    (groups, roots): (&Groups, &[Vec<Id>]),
    weights: &[Id],
) -> Option<(Function, Operations)> {
    let find = |kind: Kind| groups.all.iter().zip(roots).find(|(group, _)| group.kind == kind);
    let ((adjoint, _), (linearization, roots)) = (find(Kind::Adjoint)?, find(Kind::Linearization)?);
    let known = constants.known();
    let [of_accelerations, of_coordinates, of_velocities] =
        weights.iter().map(|id| known.get(id).cloned()).collect::<Option<Vec<_>>>()?.try_into().ok()?;
    let operations = Operations::count(graph, adjoint.kind.name(), roots, |id| constants.holds(id));
    let body = vec![Statement::Evaluate { function: linearization.kind.name(), to: TERMS }];
    let mut writer = Writer { adjoint, linearization, positions: Vec::new(), body, operations };
    use Argument::{Accelerations, Coordinates, Parameters, Velocities};
    use Quantity::{Constraint, ConstraintForce, Force, ForceResidual, Inertia, Step};
    for (function, argument) in
        [(Constraint, Coordinates), (Inertia, Coordinates), (Inertia, Parameters), (Constraint, Parameters)]
    {
        writer.sum((function, argument), &[(function, false)])?;
    }
    for argument in [Coordinates, Velocities, Parameters] {
        writer.sum((ForceResidual, argument), &[(ConstraintForce, false), (Force, true)])?;
    }
    let (matrix, terms) = ((Step, Accelerations), Array::Local(TERMS));
    writer.clear(matrix)?;
    writer.add(matrix, (linearization, terms), (Inertia, Accelerations), &[&of_accelerations])?;
    let (own, out) = (adjoint, Array::Out);
    writer.add(matrix, (own, out), (Inertia, Coordinates), &[&of_accelerations, &of_coordinates])?;
    writer.add(matrix, (own, out), (ForceResidual, Coordinates), &[&of_coordinates])?;
    writer.add(matrix, (own, out), (ForceResidual, Velocities), &[&of_velocities])?;
    let Writer { positions, body, operations, .. } = writer;
    let function = Function {
        name: adjoint.kind.name(),
        documentation: documentation::composed(model, graph, adjoint, linearization, operations.total()),
        locals: vec![LocalArray { name: "terms".to_owned(), length: linearization.length() }],
        positions,
        body,
        ..Function::default()
    };
    Some((function, operations))
}

impl Writer<'_> {
    /// Writes a block that is the sum of blocks of `linearization` by the same argument, some of which are subtracted.
    fn sum(&mut self, (function, argument): (Quantity, Argument), terms: &[(Quantity, bool)]) -> Option<()> {
        let block = Entries::find(self.adjoint, function, argument)?;
        let terms: Vec<_> = terms
            .iter()
            .filter_map(|&(function, is_negative)| {
                let of_term = Entries::find(self.linearization, function, argument)?;
                let shared = block.shared_with(&of_term);
                (!shared.is_empty()).then_some((shared, is_negative))
            })
            .collect();
        let is_whole = |(shared, _): &(Vec<_>, bool)| shared.len() == block.entries.len();
        let mut is_begun = terms.first().is_some_and(is_whole);
        if !is_begun {
            self.clear((function, argument))?;
        }
        for (position, (shared, is_negative)) in terms.into_iter().enumerate() {
            let stores = position == 0 && std::mem::take(&mut is_begun);
            self.repeat(&shared, |writer, from, to| {
                let term = Expression::Entry(Place { array: Array::Local(TERMS), index: from });
                let value = if is_negative { Expression::Negate(Box::new(term)) } else { term };
                writer.operations.additions +=
                    shared.len() * (usize::from(is_negative) + usize::from(!stores));
                let to = Place { array: Array::Out, index: to };
                if stores { Statement::Store { to, value } } else { Statement::Add { to, value } }
            });
        }
        Some(())
    }

    /// Stores zeros in a block.
    fn clear(&mut self, (function, argument): (Quantity, Argument)) -> Option<()> {
        let block = Entries::find(self.adjoint, function, argument)?;
        if !block.entries.is_empty() {
            let to = Place { array: Array::Out, index: Index::Rising { offset: block.start, stride: 1 } };
            let body = vec![Statement::Store { to, value: Expression::Number(0.0) }];
            self.body.push(Statement::Loop { count: block.entries.len(), body });
        }
        Some(())
    }

    /// Adds a block of an array, times factors, to a block of the results.
    fn add(
        &mut self,
        (function, argument): (Quantity, Argument),
        (group, array): (&Group, Array),
        term: (Quantity, Argument),
        factors: &[&Expression],
    ) -> Option<()> {
        let block = Entries::find(self.adjoint, function, argument)?;
        let shared = block.shared_with(&Entries::find(group, term.0, term.1)?);
        self.repeat(&shared, |writer, from, to| {
            let entry = Expression::Entry(Place { array, index: from });
            let product =
                |value, factor: &&Expression| Expression::Multiply(Box::new([(*factor).clone(), value]));
            let value = factors.iter().fold(entry, product);
            writer.operations.multiplications += shared.len() * factors.len();
            writer.operations.additions += shared.len();
            let to = Place { array: Array::Out, index: to };
            Statement::Add { to, value }
        });
        Some(())
    }

    /// Repeats a statement for pairs of positions, if there are any.
    fn repeat(
        &mut self,
        pairs: &[(usize, usize)],
        statement: impl FnOnce(&mut Self, Index, Index) -> Statement,
    ) {
        if pairs.is_empty() {
            return;
        }
        let (from, to): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let (from, to) = (loops::index(&mut self.positions, &from), loops::index(&mut self.positions, &to));
        let body = vec![statement(self, from, to)];
        self.body.push(Statement::Loop { count: pairs.len(), body });
    }
}
