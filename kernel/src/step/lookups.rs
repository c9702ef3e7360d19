//! What the steps of an adjoint find for the values of tables: a step's equations and outputs know these by what lookups
//! give.

use super::adjoint_variables::AdjointVariables;
use crate::linalg::block::find;
use crate::model::lookups::{Lookup, array_length};
use crate::model::{Argument, Description, Function, Model, Weights};
use crate::scalar::{CollectVec, Scalar};
use crate::table::{TableAdjoint, Tables};

/// The derivatives of a cost with respect to tables, gathered step by step.
pub struct LookupAdjoint<S> {
    /// The array of the group `lookups` at the step's state.
    pub group: Vec<S>,
    /// Of the step's own lookups those in tables that are asked for.
    wanted: Vec<Acting>,
    /// One for every table; nothing for those that are not asked for.
    tables: Vec<Option<TableAdjoint<S>>>,
    /// What a change of the rows of M a, G, C and the outputs is worth for the cost.
    worth: Vec<S>,
}

/// A lookup with what it acts on.
struct Acting {
    lookup: Lookup,
    /// Positions of the derivatives with respect to it in the group's array, and of their rows in what these are worth.
    entries: Vec<(usize, usize)>,
}

impl<S: Scalar> LookupAdjoint<S> {
    /// Of a cost that does not depend on the `wanted` tables so far.
    pub fn new<M: Model>(tables: &Tables, wanted: &[bool]) -> Self {
        let description = &M::DESCRIPTION;
        let (n, m) = (description.coordinates.len(), description.constraints.len());
        let table = |table| tables.at(table).filter(|_| is_wanted(wanted, table)).map(TableAdjoint::new);
        Self {
            group: vec![S::default(); array_length(description.groups.lookups)],
            wanted: acting(description, wanted),
            tables: (0..description.tables.len()).map(table).collect_vec(),
            worth: vec![S::default(); 2 * n + m + description.outputs.len()],
        }
    }

    /// Adds the share of a step where [`group`](Self::group) is evaluated: that of its equations, with the adjoint variables
    /// of the step and of the `later` one after it, and that of its outputs.
    #[inline(always)]
    pub fn add_step<M: Model>(
        &mut self,
        weights: &Weights,
        (adjoint, later): (&AdjointVariables<M, S>, &AdjointVariables<M, S>),
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
        self.spread();
    }

    /// Adds the share of the state that the steps begin with.
    pub fn add_start<M: Model>(
        &mut self,
        weights: &Weights,
        later: &AdjointVariables<M, S>,
        output_gradient: &[S],
    ) {
        self.add_step::<M>(weights, (&AdjointVariables::zeros(), later), output_gradient);
    }

    /// From the rows to what lookups give, and on to the tables.
    #[inline(always)]
    fn spread(&mut self) {
        let Self { group, wanted, tables, worth } = self;
        for Acting { lookup, entries } in wanted {
            let mut derivative = S::default();
            for &(at, row) in &*entries {
                derivative += group[at] * worth[row];
            }
            if let Some(Some(table)) = tables.get_mut(lookup.table) {
                // the arguments come first
                table.add(&group[lookup.arguments.clone()], lookup.orders, derivative);
            }
        }
    }

    /// Adds what a lookup anywhere has.
    pub fn add_lookup(&mut self, lookup: &Lookup, arguments: &[S], derivative: S) {
        if let Some(Some(table)) = self.tables.get_mut(lookup.table)
            && let Some(arguments) = arguments.get(lookup.arguments.clone())
        {
            table.add(arguments, lookup.orders, derivative);
        }
    }

    /// Whether a table is asked for.
    pub fn wants(&self, table: usize) -> bool {
        self.tables.get(table).is_some_and(Option::is_some)
    }

    /// The derivatives with respect to the values of every table that was asked for.
    pub fn by_values(&self) -> Vec<Option<Vec<S>>> {
        self.tables.iter().map(|table| table.as_ref().map(TableAdjoint::by_values)).collect_vec()
    }
}

fn is_wanted(wanted: &[bool], table: usize) -> bool {
    wanted.get(table).copied().unwrap_or(false)
}

/// The lookups in `wanted` tables on which the equations of a step or the outputs depend.
fn acting(description: &'static Description, wanted: &[bool]) -> Vec<Acting> {
    let group = description.groups.lookups;
    let (n, m) = (description.coordinates.len(), description.constraints.len());
    let first_rows = [
        (Function::Inertia, 0),
        (Function::ForceResidual, n),
        (Function::Constraint, 2 * n),
        (Function::Output, 2 * n + m),
    ];
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
    acting
        .filter(|Acting { lookup, entries }| is_wanted(wanted, lookup.table) && !entries.is_empty())
        .collect()
}
