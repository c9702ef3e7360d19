//! What the steps of an adjoint find for the values of tables: a step's equations and outputs know these by what lookups
//! give.

use crate::block::{Products, find};
use crate::model::lookups::{Lookup, array_length};
use crate::model::{Argument, Block, Function, Model, Weights};
use crate::scalar::{Scalar, Vector};
use crate::table::{TableAdjoint, Tables};

/// The derivatives of a cost with respect to tables, gathered step by step.
pub(crate) struct LookupAdjoint<S> {
    /// The array of the group `lookups` at the step's state.
    pub group: Vec<S>,
    /// Of the step's own lookups those in tables that are asked for, with their columns.
    wanted: Vec<(usize, Lookup)>,
    /// One for every table; nothing for those that are not asked for.
    tables: Vec<Option<TableAdjoint<S>>>,
    /// dJ/dtau of every lookup in the step.
    derivatives: Vec<S>,
    inertia: &'static Block,
    residual: &'static Block,
    constraint: &'static Block,
    output: &'static Block,
    arguments: &'static Block,
}

impl<S: Scalar> LookupAdjoint<S> {
    /// Of a cost that does not depend on the `wanted` tables so far.
    pub fn new<M: Model>(tables: &Tables<M>, wanted: &[bool]) -> Self {
        let group = M::DESCRIPTION.groups.lookups;
        let block = |function| find(group, function, Some(Argument::Lookups));
        let is_wanted = |table: usize| wanted.get(table).copied().unwrap_or(false);
        let arguments = find(group, Function::LookupArguments, None);
        let in_step = |lookup: &Lookup| lookup.arguments.end <= arguments.entries.len();
        let lookups = Lookup::all::<M>().into_iter().enumerate();
        let table = |table| tables.at(table).filter(|_| is_wanted(table)).map(TableAdjoint::new);
        Self {
            group: vec![S::default(); array_length(group)],
            wanted: lookups.filter(|(_, lookup)| in_step(lookup) && is_wanted(lookup.table)).collect(),
            tables: (0..M::DESCRIPTION.tables.len()).map(table).collect(),
            derivatives: vec![S::default(); M::DESCRIPTION.lookups.len()],
            inertia: block(Function::Inertia),
            residual: block(Function::ForceResidual),
            constraint: block(Function::Constraint),
            output: block(Function::Output),
            arguments,
        }
    }

    /// Adds the share of a step where [`group`](Self::group) is evaluated: that of its equations, with the adjoint variables
    /// `w` and `mu` of the step and `later` of the one after it, and that of its outputs.
    #[inline]
    pub fn add_step<M: Model>(
        &mut self,
        weights: &Weights,
        (w, mu, later): (&M::Coordinates<S>, &M::Multipliers<S>, &M::Coordinates<S>),
        output_gradient: &[S],
    ) {
        let Self { group, derivatives, .. } = self;
        derivatives.fill(S::default());
        let (w, mu) = (w.as_ref(), mu.as_ref());
        self.inertia.add_transposed_product(group, weights.accelerations, w, derivatives);
        self.residual.add_transposed_product(group, 1.0, w, derivatives);
        self.constraint.add_transposed_product(group, 1.0 / weights.coordinates, mu, derivatives);
        // G_i enters step i + 1 too
        if weights.previous != 0.0 {
            self.residual.add_transposed_product(group, -weights.previous, later.as_ref(), derivatives);
        }
        self.output.add_transposed_product(group, 1.0, output_gradient, derivatives);
        self.spread();
    }

    /// Adds the share of the state that the steps begin with.
    pub fn add_start<M: Model>(
        &mut self,
        weights: &Weights,
        later: &M::Coordinates<S>,
        output_gradient: &[S],
    ) {
        let none = (&Vector::zeros(), &Vector::zeros(), later);
        self.add_step::<M>(weights, none, output_gradient);
    }

    /// From what lookups give to the tables.
    #[inline]
    fn spread(&mut self) {
        let arguments = self.arguments.values(&self.group);
        for (column, lookup) in &self.wanted {
            let derivative = self.derivatives[*column];
            if let Some(Some(table)) = self.tables.get_mut(lookup.table) {
                table.add(&arguments[lookup.arguments.clone()], lookup.orders, derivative);
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
        self.tables.iter().map(|table| table.as_ref().map(TableAdjoint::by_values)).collect()
    }
}
