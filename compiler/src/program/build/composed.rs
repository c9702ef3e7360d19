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
use crate::program::{Array, Expression, Function, Local, LocalArray, Place, Statement};
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
    Entries::find((adjoint, Array::Out), Quantity::Step, Argument::Accelerations)?;
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
    array: Array,
    start: usize,
    entries: &'a [(usize, usize)],
}

impl<'a> Entries<'a> {
    /// Finds a derivative of a group whose results are in `array`.
    fn find((group, array): (&'a Group, Array), function: Quantity, argument: Argument) -> Option<Self> {
        let mut start = 0;
        for block in &group.blocks {
            if block.function == function && block.argument == Some(argument) {
                return Some(Self { array, start, entries: &block.entries });
            }
            start += block.entries.len();
        }
        None
    }
}

/// A term of a sum: its entries, what they are multiplied by, and `true` where they are subtracted.
struct Term<'a> {
    entries: Entries<'a>,
    factors: Vec<&'a Expression>,
    is_subtracted: bool,
}

impl<'a> Term<'a> {
    /// Finds a derivative that contributes; `None` where it is structurally zero.
    fn find(
        group: (&'a Group, Array),
        (function, argument): (Quantity, Argument),
        factors: &[&'a Expression],
        is_subtracted: bool,
    ) -> Option<Self> {
        let entries = Entries::find(group, function, argument)?;
        Some(Self { entries, factors: factors.to_vec(), is_subtracted })
    }
}

/// Entries of a block to which the same terms contribute.
struct Alike {
    /// The terms, by their positions in the list of all.
    terms: Vec<usize>,
    /// Positions of these entries in each of the terms.
    from: Vec<Vec<usize>>,
    /// Positions of these entries in the results.
    results: Vec<usize>,
}

/// Writes the loops of the function.
struct Writer {
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
    let [w_a, w_q, w_v] =
        weights.iter().map(|id| known.get(id)).collect::<Option<Vec<_>>>()?.try_into().ok()?;
    let operations = Operations::count(graph, adjoint.kind.name(), roots, |id| constants.holds(id));
    let body = vec![Statement::Evaluate { function: linearization.kind.name(), to: TERMS }];
    let mut writer = Writer { positions: Vec::new(), body, operations };
    let (results, terms) = ((adjoint, Array::Out), (linearization, Array::Local(TERMS)));
    use Argument::{Accelerations, Coordinates, Parameters, Velocities};
    use Quantity::{Constraint, ConstraintForce, Force, ForceResidual, Inertia, Step};
    for (function, argument) in
        [(Constraint, Coordinates), (Inertia, Coordinates), (Inertia, Parameters), (Constraint, Parameters)]
    {
        let to = Entries::find(results, function, argument)?;
        writer.compose(&to, &[Term::find(terms, (function, argument), &[], false)?]);
    }
    for argument in [Coordinates, Velocities, Parameters] {
        // constraint forces do not depend on velocities
        let mut of: Vec<Term<'_>> =
            Term::find(terms, (ConstraintForce, argument), &[], false).into_iter().collect();
        of.push(Term::find(terms, (Force, argument), &[], true)?);
        writer.compose(&Entries::find(results, ForceResidual, argument)?, &of);
    }
    let of = [
        Term::find(terms, (Inertia, Accelerations), &[w_a], false)?,
        Term::find(results, (Inertia, Coordinates), &[w_a, w_q], false)?,
        Term::find(results, (ForceResidual, Coordinates), &[w_q], false)?,
        Term::find(results, (ForceResidual, Velocities), &[w_v], false)?,
    ];
    writer.compose(&Entries::find(results, Step, Accelerations)?, &of);
    let Writer { positions, body, operations } = writer;
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

impl Writer {
    /// Stores the sums of terms in a block: a loop for the entries to which the same terms contribute. Terms that cancel
    /// have no entry in the block.
    fn compose(&mut self, to: &Entries<'_>, terms: &[Term<'_>]) {
        let places = terms.iter().map(|term| {
            let places = term.entries.entries.iter().zip(term.entries.start..);
            places.collect::<FxHashMap<_, _>>()
        });
        let places: Vec<_> = places.collect();
        let mut alike: Vec<Alike> = Vec::new();
        for (entry, position) in to.entries.iter().zip(to.start..) {
            let own =
                places.iter().enumerate().filter_map(|(term, places)| Some((term, *places.get(entry)?)));
            let (own, from): (Vec<usize>, Vec<usize>) = own.unzip();
            let known = alike.iter().position(|other| other.terms == own).unwrap_or_else(|| {
                alike.push(Alike { terms: own, from: vec![Vec::new(); from.len()], results: Vec::new() });
                alike.len() - 1
            });
            let known = &mut alike[known];
            known.from.iter_mut().zip(from).for_each(|(positions, from)| positions.push(from));
            known.results.push(position);
        }
        for Alike { terms: own, from, results } in alike {
            let mut sum: Option<Expression> = None;
            for (&term, from) in own.iter().zip(&from) {
                let Term { entries, factors, is_subtracted } = &terms[term];
                let index = loops::index(&mut self.positions, from);
                let entry = Expression::Entry(Place { array: entries.array, index });
                let product =
                    |value, factor: &&Expression| Expression::Multiply(Box::new([(*factor).clone(), value]));
                let value = factors.iter().fold(entry, product);
                self.operations.multiplications += results.len() * factors.len();
                self.operations.additions += results.len() * usize::from(sum.is_some() || *is_subtracted);
                sum = Some(match sum {
                    Some(sum) if *is_subtracted => Expression::Subtract(Box::new([sum, value])),
                    Some(sum) => Expression::Add(Box::new([sum, value])),
                    None if *is_subtracted => Expression::Negate(Box::new(value)),
                    None => value,
                });
            }
            let index = loops::index(&mut self.positions, &results);
            let to = Place { array: Array::Out, index };
            let value = sum.unwrap_or(Expression::Number(0.0));
            self.body
                .push(Statement::Loop { count: results.len(), body: vec![Statement::Store { to, value }] });
        }
    }
}
