//! The gradient of a cost with respect to the values of tables, from adjoint steps: a step's equations and
//! outputs depend on these values through the results of lookups.

use super::adjoint_variables::AdjointVariables;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::{CollectVec, Scalar};
use costate_system::model::lookups::Lookup;
use costate_system::model::{Argument, Block, Description, Function, Functions, Group, Weights};
use costate_system::table::{TableAdjoint, Tables};

/// The derivatives of a cost with respect to tables, accumulated step by step.
pub struct LookupAdjoint<S> {
    /// The array of the group `lookups` at the step's state.
    pub group: Vec<S>,
    /// The array of the group `initial_lookups` there, for a state that the constraints determine.
    pub levels: Vec<S>,
    /// The step's own lookups in tables whose derivatives are wanted.
    wanted: Vec<Acting>,
    /// The lookups of the constraints at velocity and acceleration level in such tables.
    wanted_levels: Vec<Acting>,
    /// One for every table; `None` for tables that are not wanted.
    tables: Vec<Option<TableAdjoint<S>>>,
    /// The derivatives of the cost with respect to the rows of M a, G, C and the outputs.
    worth: Vec<S>,
}

/// A lookup and the rows that depend on its result.
struct Acting {
    lookup: Lookup,
    /// Positions of the derivatives with respect to the lookup in the group's array, and of their rows in
    /// `worth`.
    entries: Vec<(usize, usize)>,
}

impl<S: Scalar> LookupAdjoint<S> {
    /// Creates the zero derivatives of a cost with respect to the `wanted` tables.
    pub fn new(tables: &Tables, description: &'static Description, wanted: &[bool]) -> Self {
        let (n, m) = (description.coordinates.len(), description.constraints.len());
        let table = |table| tables.at(table).filter(|_| is_wanted(wanted, table)).map(TableAdjoint::new);
        Self {
            group: vec![S::default(); description.groups.length(Group::Lookups)],
            levels: vec![S::default(); description.groups.length(Group::InitialLookups)],
            wanted: acting(
                description,
                wanted,
                description.groups.lookups,
                &[
                    (Function::Inertia, 0),
                    (Function::ForceResidual, n),
                    (Function::Constraint, 2 * n),
                    (Function::Output, 2 * n + m),
                ],
            ),
            wanted_levels: acting(
                description,
                wanted,
                description.groups.initial_lookups,
                &[(Function::ConstraintVelocity, 0), (Function::ConstraintAcceleration, m)],
            ),
            tables: (0..description.tables.len()).map(table).collect_vec(),
            worth: vec![S::default(); 2 * n + m + description.outputs.len()],
        }
    }

    /// Adds the share of a step where [`group`](Self::group) is evaluated: that of the step's equations, with
    /// the adjoint variables of the step and of the `later` one after it, and that of the step's outputs.
    #[inline(always)]
    pub fn add_step<M: Functions>(
        &mut self,
        weights: &Weights,
        adjoint: &AdjointVariables<M, S>,
        later: &AdjointVariables<M, S>,
        output_gradient: &[S],
    ) {
        let (w, mu) = (adjoint.w.as_ref(), adjoint.mu.as_ref());
        let (inertia, rest) = self.worth.split_at_mut(w.len());
        let (residual, rest) = rest.split_at_mut(w.len());
        let (constraints, outputs) = rest.split_at_mut(mu.len());
        for (worth, w) in inertia.iter_mut().zip(w) {
            *worth = *w * weights.accelerations;
        }
        // G_i enters step i + 1 too
        for (worth, (w, later)) in residual.iter_mut().zip(w.iter().zip(later.w.as_ref())) {
            *worth = *w - *later * weights.previous;
        }
        for (worth, mu) in constraints.iter_mut().zip(mu) {
            *worth = *mu / weights.coordinates;
        }
        outputs.copy_from_slice(output_gradient);
        spread(&self.group, &self.wanted, &self.worth, &mut self.tables);
    }

    /// Adds the share of the constraints at velocity and acceleration level, with these adjoint variables, where
    /// [`levels`](Self::levels) is evaluated.
    pub fn add_levels(&mut self, adjoint: [&[S]; 2]) {
        let (worth, m) = (&mut self.worth, adjoint[0].len());
        for (worth, part) in worth.chunks_mut(m.max(1)).zip(adjoint) {
            worth.copy_from_slice(part);
        }
        spread(&self.levels, &self.wanted_levels, &self.worth, &mut self.tables);
    }

    /// Adds the share of the initial state of the steps.
    pub fn add_start<M: Functions>(
        &mut self,
        program: M::Program,
        weights: &Weights,
        later: &AdjointVariables<M, S>,
        output_gradient: &[S],
    ) {
        self.add_step::<M>(weights, &AdjointVariables::zeros(program), later, output_gradient);
    }

    /// Adds the derivative with respect to the result of a lookup with these arguments.
    pub fn add_lookup(&mut self, lookup: &Lookup, arguments: &[S], derivative: S) {
        if let Some(Some(table)) = self.tables.get_mut(lookup.table)
            && let Some(arguments) = arguments.get(lookup.arguments.clone())
        {
            table.add(arguments, lookup.orders, derivative);
        }
    }

    /// Checks whether the derivatives of a table are wanted.
    pub fn wants(&self, table: usize) -> bool {
        self.tables.get(table).is_some_and(Option::is_some)
    }

    /// Returns the derivatives with respect to the values of every wanted table.
    pub fn by_values(&self) -> Vec<Option<Vec<S>>> {
        self.tables.iter().map(|table| table.as_ref().map(TableAdjoint::by_values)).collect_vec()
    }
}

/// Propagates the derivatives with respect to the rows to the results of lookups and to the tables.
#[inline(always)]
fn spread<S: Scalar>(group: &[S], wanted: &[Acting], worth: &[S], tables: &mut [Option<TableAdjoint<S>>]) {
    for Acting { lookup, entries } in wanted {
        let mut derivative = S::default();
        for &(at, row) in entries {
            derivative += group[at] * worth[row];
        }
        if let Some(Some(table)) = tables.get_mut(lookup.table) {
            // the arguments come first
            table.add(&group[lookup.arguments.clone()], lookup.orders, derivative);
        }
    }
}

fn is_wanted(wanted: &[bool], table: usize) -> bool {
    wanted.get(table).copied().unwrap_or(false)
}

/// The lookups in `wanted` tables on which these functions of a group depend, each with its first row.
fn acting(
    description: &'static Description,
    wanted: &[bool],
    group: &'static [Block],
    first_rows: &[(Function, usize)],
) -> Vec<Acting> {
    let entries = |wanted: usize| {
        let blocks = first_rows.iter().flat_map(|&(function, first)| {
            let block = find(group, function, Some(Argument::Lookups));
            let of_block = block.entries.iter().enumerate();
            of_block.map(move |(i, &(row, column))| (block.offset + i, first + row as usize, column as usize))
        });
        blocks.filter(|(_, _, column)| *column == wanted).map(|(at, row, _)| (at, row)).collect()
    };
    let lookups = Lookup::all(description).into_iter().enumerate();
    let acting = lookups.map(|(column, lookup)| Acting { lookup, entries: entries(column) });
    acting.filter(|Acting { lookup, entries }| is_wanted(wanted, lookup.table) && !entries.is_empty()).collect()
}
