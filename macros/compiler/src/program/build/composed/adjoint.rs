//! The matrices of a step of the discrete adjoint, composed of those of `linearization`.
//!
//! Both functions consist of the same derivatives. A large model without an elimination has them once, in
//! `linearization`, and loops over tables of positions add them with the weights of the step. Emitted code has no such
//! loops: its runtime adds the same terms.

use costate_contract::{Argument, Function as Quantity, Group as Kind};

use super::{Entries, Term, Writer};
use crate::mechanics::Groups;
use crate::model::Model;
use crate::program::build::constants::Constants;
use crate::program::build::documentation;
use crate::program::build::loops;
use crate::program::build::operations::Operations;
use crate::program::{Array, Expression, Function, Local, LocalArray, Statement};
use crate::symbolic::{Graph, Id, Integrator};

/// The local array that holds the results of `linearization`.
const TERMS: Local = Local(0);

/// The weights of the terms in the matrix of a step.
const WEIGHTS: [Integrator; 3] = [Integrator::Accelerations, Integrator::Coordinates, Integrator::Velocities];

/// Returns the weights that the composed function needs, and `None` where it is not worth while: for short functions,
/// without the matrix of a step, and where `linearization` is longer than what it replaces. `roots` are the values of
/// all groups.
pub fn weights(graph: &mut Graph, groups: &Groups, roots: &[Vec<Id>]) -> Option<Vec<Id>> {
    // Largest number of operations of `linearization` for one of the function that it replaces.
    const MAX_WORK_RATIO: f64 = 1.25;
    let adjoint = groups.all.iter().find(|group| group.kind == Kind::Adjoint)?;
    Entries::find((adjoint, Array::Out), Quantity::Step, Argument::Accelerations)?;
    let work = |kind: Kind| {
        let position = groups.all.iter().position(|group| group.kind == kind)?;
        Some(Operations::count(graph, "", roots.get(position)?, |_| false).total())
    };
    let (replaced, used) = (work(Kind::Adjoint)?, work(Kind::Linearization)?);
    if !loops::is_long(replaced) || used as f64 > MAX_WORK_RATIO * replaced as f64 {
        return None;
    }
    Some(WEIGHTS.map(|weight| graph.weight(weight)).to_vec())
}

/// Returns the function that composes the matrices, the expressions of `weights` in it, and its operations with those
/// of `linearization`; `weights` are those that [`weights`] has returned, and `roots` the values of all groups.
pub fn adjoint(
    model: &Model,
    graph: &Graph,
    constants: &Constants,
    (groups, roots): (&Groups, &[Vec<Id>]),
    weights: &[Id],
) -> Option<(Function, [Expression; 3], Operations)> {
    let find = |kind: Kind| groups.all.iter().zip(roots).find(|(group, _)| group.kind == kind);
    let ((adjoint, _), (linearization, roots)) = (find(Kind::Adjoint)?, find(Kind::Linearization)?);
    let known = constants.known();
    let weights = weights.iter().map(|id| known.get(id).cloned()).collect::<Option<Vec<_>>>()?;
    let weights: [Expression; 3] = weights.try_into().ok()?;
    let [w_a, w_q, w_v] = &weights;
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
        let mut of: Vec<Term<'_>> = Term::find(terms, (ConstraintForce, argument), &[], false).into_iter().collect();
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
    Some((function, weights, operations))
}
