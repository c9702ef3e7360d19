//! The check of a cost's adjoint gradient against dual numbers that are carried through the same scheme.

use std::fmt;

use costate_numerics::scalar::largest::largest;
use costate_numerics::scalar::{Dual, Scalar};

use crate::cost::Cost;
use crate::gradient::{CostTerms, GradientMethod, UnknownTables, check_cost};
use crate::identifiers::Parameter;
use crate::model::{Model, SelectedParameters};
use crate::problem::{Problem, SimulationError};
use crate::system::SecondOrder;

/// One entry of a checked gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct GradientEntry {
    /// The parameter's name, or that of another unknown of an identification.
    pub parameter: String,
    /// dJ/dp by the discrete adjoint, or by the method that is checked.
    pub adjoint: f64,
    /// dJ/dp by dual numbers.
    pub dual: f64,
    /// The reference of the difference: the entry's size, but at least a millionth of the largest p dJ/dp,
    /// and of the cost's largest terms, over the size of this parameter. Entries below this reference are
    /// small differences of large numbers.
    pub reference: f64,
    /// Change of dJ/dp that rounding of the states may cause; a smaller entry is not determined.
    pub rounding: f64,
    /// |adjoint - dual| / reference, beyond the rounding.
    pub difference: f64,
}

/// The result of [`check_gradient`].
#[derive(Debug, Clone, PartialEq)]
pub struct GradientReport {
    /// J.
    pub cost: f64,
    /// One entry per unknown parameter.
    pub entries: Vec<GradientEntry>,
}

impl GradientReport {
    /// Returns the largest relative difference; NaN if one of them is NaN.
    pub fn worst(&self) -> f64 {
        largest(self.entries.iter().map(|entry| entry.difference))
    }

    /// Checks whether every entry agrees to `tolerance`.
    pub fn agrees(&self, tolerance: f64) -> bool {
        self.worst() <= tolerance
    }
}

impl fmt::Display for GradientReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.entries.iter().map(|entry| entry.parameter.len()).max().unwrap_or(0).max(9);
        writeln!(f, "J = {:.15e}", self.cost)?;
        writeln!(f, "{:width$}  {:>23}  {:>23}  {:>10}", "parameter", "adjoint", "dual numbers", "difference")?;
        for entry in &self.entries {
            writeln!(
                f,
                "{:width$}  {:>23.15e}  {:>23.15e}  {:>10.1e}",
                entry.parameter, entry.adjoint, entry.dual, entry.difference
            )?;
        }
        Ok(())
    }
}

/// Compares the discrete adjoint's gradient of `cost` with the derivative that dual numbers carry through the same
/// scheme, initial state, outputs and cost, for every parameter in `unknown`.
///
/// The check makes one run with dual numbers per parameter, so that a short run is best.
///
/// Differences within rounding do not count: two derivatives that are both zero up to rounding agree. At a
/// kink both methods take the derivative of the side on which the state is (that of `abs` at 0 is 0). Where a
/// state is at a kink up to rounding, for example at rest with dry friction, the two runs may be on different
/// sides: no derivative exists there.
///
/// # Errors
/// [`SimulationError`] if a run fails; [`SimulationError::Selection`], and [`SimulationError::CostDerivatives`] for a
/// cost that does not fit the run.
pub fn check_gradient<M: Model>(
    problem: &Problem,
    model: &M,
    cost: &dyn Cost,
    unknown: &[Parameter<M>],
) -> Result<GradientReport, SimulationError> {
    let parameters = model.parameters();
    check_gradient_of(M::second_order(), problem, parameters.as_ref(), cost, &Parameter::indices(unknown))
}

/// Makes the check of [`check_gradient`] for a model whose type is not known, with respect to the parameters at these
/// positions.
///
/// # Errors
/// As [`check_gradient`].
#[doc(hidden)]
pub fn check_gradient_of(
    second_order: &dyn SecondOrder,
    problem: &Problem,
    parameters: &[f64],
    cost: &dyn Cost,
    unknown: &[usize],
) -> Result<GradientReport, SimulationError> {
    let system = second_order.differentiable();
    let model = system.description();
    SelectedParameters::of(model, unknown)?;
    check_cost(problem, cost)?;
    let mut run = problem.run(parameters)?;
    let outputs = run.outputs().clone();
    let output_gradient = cost.output_gradient(&outputs);
    let terms = system.cost_terms(problem, (&mut run).into(), &output_gradient)?;
    let adjoint = GradientMethod::DiscreteAdjoint.of(system, problem, (&mut run).into(), &output_gradient, unknown)?;
    let mut derivatives = Vec::new();
    for (&index, adjoint) in unknown.iter().zip(adjoint) {
        let mut seeded: Vec<Dual> = parameters.iter().map(|value| Dual::constant(*value)).collect();
        seeded[index].derivative = 1.0;
        derivatives.push(BothDerivatives {
            unknown: model.parameters[index].name.to_owned(),
            value: parameters[index],
            adjoint,
            dual: cost.value_dual(&second_order.outputs_dual(problem, &seeded)?).derivative,
        });
    }
    Ok(GradientReport::of(cost.value(&outputs), derivatives, &terms))
}

/// Compares the derivatives of `cost` with respect to all values of the `tables`, by the discrete adjoint, with those
/// that dual numbers carry, as [`check_gradient`] does. Entries are named after the table and the value's position,
/// `stiffness[3]`.
///
/// The check makes one run with dual numbers per value.
///
/// # Errors
/// As [`check_gradient`].
pub fn check_table_gradient<M: Model>(
    problem: &Problem,
    model: &M,
    cost: &dyn Cost,
    tables: &UnknownTables<M>,
) -> Result<GradientReport, SimulationError> {
    let parameters = model.parameters();
    check_table_gradient_of(M::second_order(), problem, parameters.as_ref(), cost, tables.wanted())
}

fn check_table_gradient_of(
    second_order: &dyn SecondOrder,
    problem: &Problem,
    parameters: &[f64],
    cost: &dyn Cost,
    wanted: &[bool],
) -> Result<GradientReport, SimulationError> {
    let system = second_order.differentiable();
    check_cost(problem, cost)?;
    let mut run = problem.run(parameters)?;
    let outputs = run.outputs().clone();
    let output_gradient = cost.output_gradient(&outputs);
    let terms = system.cost_terms(problem, (&mut run).into(), &output_gradient)?;
    let adjoint = system.full_gradient(problem, (&mut run).into(), &output_gradient, &[], (false, wanted))?;
    let constants: Vec<Dual> = parameters.iter().map(|value| Dual::constant(*value)).collect();
    let mut derivatives = Vec::new();
    for (index, table) in system.description().tables.iter().enumerate() {
        let adjoint = adjoint.by_tables.get(index).and_then(Option::as_deref);
        let (Some(data), Some(adjoint)) = (problem.tables().at(index), adjoint) else { continue };
        let values = data.values();
        let value = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        for (i, &adjoint) in adjoint.iter().enumerate() {
            let Some(varying) = data.along_value(i) else { continue };
            let varying = problem.clone().with_table_at(index, varying);
            derivatives.push(BothDerivatives {
                unknown: format!("{}[{i}]", table.quantity.name),
                value,
                adjoint,
                dual: cost.value_dual(&second_order.outputs_dual(&varying, &constants)?).derivative,
            });
        }
    }
    Ok(GradientReport::of(cost.value(&outputs), derivatives, &terms))
}

/// dJ/dz of an unknown z with this value, by both methods.
#[derive(Debug)]
pub struct BothDerivatives {
    /// Name of the unknown.
    pub unknown: String,
    /// Value of the unknown.
    pub value: f64,
    /// dJ/dz by the adjoint.
    pub adjoint: f64,
    /// dJ/dz by dual numbers.
    pub dual: f64,
}

impl GradientReport {
    /// Compares derivatives of a cost that is the sum of terms with these sizes.
    #[doc(hidden)]
    pub fn of(cost: f64, derivatives: Vec<BothDerivatives>, terms: &CostTerms) -> Self {
        let largest = largest(derivatives.iter().map(|both| (both.dual * size(both.value)).abs()));
        let entry = |BothDerivatives { unknown, value, adjoint, dual }| {
            let size = size(value);
            let reference = dual.abs().max(1e-6 * largest.max(terms.size) / size);
            let rounding = terms.rounding / size;
            // NaN is not rounding
            let rest = (adjoint - dual).abs();
            let difference = if rest <= rounding { 0.0 } else { (rest - rounding) / reference };
            GradientEntry { parameter: unknown, adjoint, dual, reference, rounding, difference }
        };
        Self { cost, entries: derivatives.into_iter().map(entry).collect() }
    }
}

/// Returns the size of a parameter, by which its derivative is made comparable with others.
fn size(value: f64) -> f64 {
    if value == 0.0 { 1.0 } else { value.abs() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_that_is_no_number_is_the_worst_wherever_it_is() {
        let report = |differences: [f64; 3]| {
            let entry = |difference| GradientEntry {
                parameter: "p".to_owned(),
                adjoint: 1.0,
                dual: 1.0,
                reference: 1.0,
                rounding: 0.0,
                difference,
            };
            GradientReport { cost: 1.0, entries: differences.map(entry).to_vec() }
        };
        for differences in [[f64::NAN, 0.0, 0.0], [0.0, f64::NAN, 1e-12], [0.0, 1e-3, f64::NAN]] {
            let report = report(differences);
            assert!(report.worst().is_nan() && !report.agrees(1.0), "{differences:?}");
        }
        assert_eq!(report([1e-3, 2e-3, 0.0]).worst(), 2e-3);
    }
}
