//! Derivatives with respect to the values of tables by the discrete adjoint, with a share of every lookup of
//! a run.

use std::fmt;
use std::marker::PhantomData;

use crate::cost::Cost;
use crate::identifiers::Parameter;
use crate::model::Model;
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::series::Series;
use crate::table::{Table, TableData};

use super::sensitivity::{all_outputs, full_sensitivities};
use super::value::check_cost;

/// The tables of a model whose values are unknown.
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownTables<M> {
    contains: Vec<bool>,
    model: PhantomData<fn() -> M>,
}

impl<M: Model> UnknownTables<M> {
    /// Selects no table.
    pub fn none() -> Self {
        Self { contains: vec![false; M::description().tables.len()], model: PhantomData }
    }

    /// Selects all tables of the model.
    pub fn all() -> Self {
        Self { contains: vec![true; M::description().tables.len()], model: PhantomData }
    }

    /// Returns for each table, in the order of declaration, whether it is selected.
    #[doc(hidden)]
    pub fn wanted(&self) -> &[bool] {
        &self.contains
    }

    /// Adds a table.
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
        let named = self.contains.iter().zip(M::description().tables);
        f.debug_set().entries(named.filter(|(is, _)| **is).map(|(_, table)| table.quantity.name)).finish()
    }
}

/// The derivatives of a cost with respect to the values of tables, in the units that the model declares.
#[derive(Clone, PartialEq)]
pub struct TableGradient<M> {
    by_tables: Vec<Option<Vec<f64>>>,
    model: PhantomData<fn() -> M>,
}

impl<M: Model> TableGradient<M> {
    /// Returns the derivative with respect to every value of a table, in the order of
    /// [`Curve::values`](crate::table::Curve::values) or [`Surface::values`](crate::table::Surface::values);
    /// empty for a table that was not unknown. The two ends of a period are one value: the first entry has
    /// its derivative, the last is 0.
    pub fn of<D: TableData>(&self, table: Table<M, D>) -> &[f64] {
        self.by_tables.get(table.index()).and_then(Option::as_deref).unwrap_or_default()
    }
}

impl<M: Model> fmt::Debug for TableGradient<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = M::description().tables.iter().zip(&self.by_tables);
        let named = named.filter_map(|(table, values)| Some((table.quantity.name, values.as_ref()?)));
        f.debug_map().entries(named).finish()
    }
}

/// Computes the gradient of a cost of the outputs with respect to the parameters `unknown` and to all values
/// of the `tables`, by one sweep of the discrete adjoint; `run` and `output_gradient` are those of
/// [`gradient`](super::gradient()).
///
/// Lookups are linear in the values at the knots of a table. The gradient therefore costs little more than
/// the one with respect to parameters, however many knots there are.
///
/// ```
/// # costate::model! {
/// #     pub Damped {
/// #         parameters { m: kg = 1, c: N/m = 100 }
/// #         tables { damper(speed: m/s): N }
/// #         coordinates { x: m }
/// #         mass { x: m }
/// #         forces { x: -c*x - damper(dot(x)) }
/// #         initial { x = 0.1[m], dot(x) = 0[m/s] }
/// #         outputs { energy: J = c*x^2/2 + m*dot(x)^2/2 }
/// #     }
/// # }
/// use costate::cost::BolzaCost;
/// use costate::differentiate::UnknownTables;
/// use costate::table::{Curve, Extension};
/// use costate::{Model, Simulation};
///
/// # fn main() -> anyhow::Result<()> {
/// let damped = Damped::default();
/// let speeds: Vec<f64> = (-10..=10).map(|i| 0.1 * f64::from(i)).collect();
/// let damper = Curve::new(speeds, vec![0.0; 21], Extension::Linear)?;
/// let problem = Simulation::new(&damped).table(Damped::DAMPER, damper).step(1e-3).until(2.0).problem()?;
///
/// // J is the energy over time: it falls where the damper takes some.
/// let cost = BolzaCost::new(1e-3, problem.samples()).with_integral(Damped::ENERGY, 1.0)?;
/// let unknown = UnknownTables::none().with(Damped::DAMPER);
/// let (value, _, gradient) = problem.value_and_table_gradient(&cost, &damped.parameters(), &[], &unknown)?;
///
/// let damper = problem.tables().curve(Damped::DAMPER);
/// let downhill = damper.values().iter().zip(gradient.of(Damped::DAMPER)).map(|(force, by)| force - by).collect();
/// let problem = problem.with_table(Damped::DAMPER, damper.with_values(downhill)?)?;
/// let (less, ..) = problem.value_and_table_gradient(&cost, &damped.parameters(), &[], &unknown)?;
/// assert!(less < value);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`gradient`](super::gradient()); [`SimulationError::InitialState`] also for a table that changes a constraint
/// which the specified initial values cannot follow.
pub fn table_gradient<'a, M: Model>(
    problem: &'a Problem,
    run: impl Into<RunStates<'a>>,
    output_gradient: &Series<f64>,
    unknown: &[Parameter<M>],
    tables: &UnknownTables<M>,
) -> Result<(Vec<f64>, TableGradient<M>), SimulationError> {
    let unknown = Parameter::indices(unknown);
    let found =
        M::differentiable().full_gradient(problem, run.into(), output_gradient, &unknown, (false, tables.wanted()))?;
    Ok((found.by_parameters, TableGradient { by_tables: found.by_tables, model: PhantomData }))
}

/// The sensitivities of all outputs with respect to the values of tables.
#[derive(Debug, Clone, PartialEq)]
pub struct TableSensitivities<M> {
    by_tables: Vec<Vec<Series<f64>>>,
    model: PhantomData<fn() -> M>,
}

impl<M: Model> TableSensitivities<M> {
    /// Returns a series for every value of a table, in the order of [`TableGradient::of`]; none for a table
    /// that was not unknown.
    pub fn of<D: TableData>(&self, table: Table<M, D>) -> &[Series<f64>] {
        self.by_tables.get(table.index()).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Computes the sensitivities of all outputs at all steps of `run` with respect to the parameters `unknown`
/// and to all values of the `tables`, by direct differentiation: the data of a least squares method, for a
/// small number of values. All sensitivities share one factorisation per step.
///
/// # Errors
/// As [`table_gradient`]; [`SimulationError::OutOfMemory`] for more than can be kept.
pub fn table_sensitivities<'a, M: Model>(
    problem: &'a Problem,
    run: impl Into<RunStates<'a>>,
    unknown: &[Parameter<M>],
    tables: &UnknownTables<M>,
) -> Result<(Vec<Series<f64>>, TableSensitivities<M>), SimulationError> {
    let parameters = Parameter::indices(unknown);
    let (mut all, counts) = full_sensitivities(
        M::differentiable(),
        problem,
        run.into(),
        &parameters,
        (&[], tables.wanted()),
        &all_outputs(problem),
    )?;
    let mut of_tables = all.split_off(parameters.len()).into_iter();
    let by_tables = counts.into_iter().map(|count| of_tables.by_ref().take(count).collect()).collect();
    Ok((all, TableSensitivities { by_tables, model: PhantomData }))
}

impl Problem {
    /// Computes J and its gradient with respect to the parameters `unknown` and to all values of the
    /// `tables`, by one [`run`](Self::run) and one backward sweep of [`table_gradient`].
    ///
    /// # Errors
    /// Those of [`value_and_gradient`](Self::value_and_gradient) and of [`table_gradient`].
    pub fn value_and_table_gradient<M: Model>(
        &self,
        cost: &dyn Cost,
        parameters: &[f64],
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
