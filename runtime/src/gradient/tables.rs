//! Derivatives with respect to the values of tables: every lookup of a run has its share, by the discrete adjoint.

use std::fmt;
use std::marker::PhantomData;

use crate::cost::Cost;
use crate::identifiers::Parameter;
use crate::model::Model;
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::series::Series;
use crate::table::{Table, TableData};

use super::adjoint;
use super::value::check_cost;

/// The tables of a model whose values are unknown.
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownTables<M> {
    contains: Vec<bool>,
    model: PhantomData<fn() -> M>,
}

impl<M: Model> UnknownTables<M> {
    /// No table.
    pub fn none() -> Self {
        Self { contains: vec![false; M::DESCRIPTION.tables.len()], model: PhantomData }
    }

    /// All tables of the model.
    pub fn all() -> Self {
        Self { contains: vec![true; M::DESCRIPTION.tables.len()], model: PhantomData }
    }

    /// These and one more.
    #[must_use]
    pub fn with<D: TableData>(mut self, table: Table<M, D>) -> Self {
        if let Some(contains) = self.contains.get_mut(table.index()) {
            *contains = true;
        }
        self
    }
}

impl<M: Model> fmt::Debug for UnknownTables<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.contains.iter().zip(M::DESCRIPTION.tables);
        f.debug_set().entries(named.filter(|(is, _)| **is).map(|(_, table)| table.quantity.name)).finish()
    }
}

/// The derivatives of a cost with respect to the values of tables, those in the units that the model declares.
#[derive(Clone, PartialEq)]
pub struct TableGradient<M> {
    by_tables: Vec<Option<Vec<f64>>>,
    model: PhantomData<fn() -> M>,
}

impl<M: Model> TableGradient<M> {
    /// The derivative with respect to every value of a table, in the order of
    /// [`Curve::values`](crate::table::Curve::values) or [`Surface::values`](crate::table::Surface::values); empty for a table
    /// that was not unknown. The two ends of a period are one value: the first has its derivative, the last 0.
    pub fn of<D: TableData>(&self, table: Table<M, D>) -> &[f64] {
        self.by_tables.get(table.index()).and_then(Option::as_deref).unwrap_or_default()
    }
}

impl<M: Model> TableGradient<M> {
    /// Those of the table at this position, if it was unknown.
    pub(crate) fn at(&self, index: usize) -> Option<&[f64]> {
        self.by_tables.get(index)?.as_deref()
    }
}

impl<M: Model> fmt::Debug for TableGradient<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = M::DESCRIPTION.tables.iter().zip(&self.by_tables);
        let named = named.filter_map(|(table, values)| Some((table.quantity.name, values.as_ref()?)));
        f.debug_map().entries(named).finish()
    }
}

/// The gradient of a cost of the outputs with respect to the parameters `unknown` and to all values of the `tables`, by one
/// sweep of the discrete adjoint; `run` and `output_gradient` are as of [`gradient`](super::gradient()).
///
/// Values of tables are linear in the values at their knots, hence this costs little more than the gradient with respect to
/// parameters, however many knots there are.
///
/// # Errors
/// As [`gradient`](super::gradient()); [`SimulationError::InitialState`] also for a table that changes a constraint which the
/// specified initial values cannot follow.
#[inline(never)]
pub fn table_gradient<'a, M: Model>(
    problem: &'a Problem<M>,
    run: impl Into<RunStates<'a, M>>,
    output_gradient: &Series<f64>,
    unknown: &[Parameter<M>],
    tables: &UnknownTables<M>,
) -> Result<(Vec<f64>, TableGradient<M>), SimulationError> {
    let found = adjoint::with_tables(problem, run, output_gradient, unknown, &tables.contains)?;
    Ok((found.by_parameters, TableGradient { by_tables: found.by_tables, model: PhantomData }))
}

impl<M: Model> Problem<M> {
    /// J and its gradient with respect to the parameters `unknown` and to all values of the `tables`: one
    /// [`run`](Self::run), and one sweep back by [`table_gradient`].
    ///
    /// # Errors
    /// Those of [`value_and_gradient`](Self::value_and_gradient) and of [`table_gradient`].
    #[inline(never)]
    pub fn value_and_table_gradient(
        &self,
        cost: &dyn Cost,
        parameters: &M::Parameters<f64>,
        unknown: &[Parameter<M>],
        tables: &UnknownTables<M>,
    ) -> Result<(f64, Vec<f64>, TableGradient<M>), SimulationError> {
        check_cost(self, cost)?;
        let mut run = self.run(parameters)?;
        let (value, by_outputs) = (cost.value(run.outputs()), cost.output_gradient(run.outputs()));
        let (by_parameters, by_tables) = table_gradient(self, &mut run, &by_outputs, unknown, tables)?;
        Ok((value, by_parameters, by_tables))
    }
}
