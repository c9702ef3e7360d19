//! The result of a fit for unknown tables.

use costate_contract::tables::{Extension, Interpolation};
use nalgebra::DMatrix;

use costate_system::table::{AnyTable, Tables};

use super::summary::FittedTable;
use crate::definition::unknown_table::{Smoothness, UnknownTable};
use crate::estimation::covariance::Covariance;
use crate::estimation::experiment_problem::EstimationProblem;
use crate::estimation::priors::is_at_limit;
use crate::estimation::tables_at::TableUnknowns;

/// Returns the unknown tables with their values at the found unknowns.
pub(crate) fn fitted_tables(
    unknown: &[UnknownTable],
    estimation: &EstimationProblem,
    covariance: &Covariance,
    unknowns: &[f64],
) -> Vec<FittedTable> {
    let Some(prepared) = estimation.experiments.first() else { return Vec::new() };
    // estimated deviations of smoothness come in the order of the tables
    let mut bends = estimation.priors.combined.iter().filter(|prior| prior.is_estimated);
    let mut all = Vec::new();
    for (unknown, table) in unknown.iter().zip(prepared.tables.iter()) {
        let Some(data) = prepared.problem.tables().at(table.index) else { continue };
        let (knots, count) = (knots(data), table.start.len());
        let arguments = prepared.problem.description().tables[table.index].arguments;
        let (bend, bend_at_limit) = match unknown.smoothness {
            None => (None, false),
            Some(Smoothness::Bend(bend)) => (Some(bend), false),
            Some(Smoothness::Estimated(start)) => {
                let factor = bends.next().map_or(1.0, |prior| prior.deviation);
                (Some(start * factor), is_at_limit(factor))
            }
        };
        let variances = variances(table, covariance, count);
        all.push(FittedTable {
            table: unknown.name(),
            unit: unknown.unit(),
            arguments: arguments.iter().map(|argument| (argument.name, argument.unit)).collect(),
            extensions: extensions(data),
            interpolations: interpolations(data),
            knots,
            start: table.start.clone(),
            values: table.values(unknowns),
            standard_deviations: variances.iter().map(|variance| variance.sqrt()).collect(),
            told_by_data: told_by_data(table, covariance, estimation.priors.row_count(), count),
            bend,
            bend_at_limit,
        });
    }
    all
}

/// Returns the tables of an identification, with the found values of the unknown ones.
pub(crate) fn with_fitted(estimation: &EstimationProblem, tables: Tables, unknowns: &[f64]) -> Tables {
    let Some(prepared) = estimation.experiments.first() else { return tables };
    let mut all = prepared.problem.tables().clone();
    for table in prepared.tables.iter() {
        let found = all.at(table.index).and_then(|data| data.with_values(table.values(unknowns)).ok());
        if let Some(found) = found {
            all = all.replaced(table.index, found);
        }
    }
    all
}

/// Returns the variance of every value; infinite where a coordinate on which the value depends is not determined.
fn variances(table: &TableUnknowns, covariance: &Covariance, count: usize) -> Vec<f64> {
    let of = table.unknowns();
    let own = DMatrix::from_fn(of.len(), of.len(), |a, b| covariance.matrix[(of.start + a, of.start + b)]);
    let undetermined: Vec<usize> = (0..of.len()).filter(|&k| !own[(k, k)].is_finite()).collect();
    let mut known = own;
    for &k in &undetermined {
        known.row_mut(k).fill(0.0);
        known.column_mut(k).fill(0.0);
    }
    let spread = table.coordinates.spread(&known);
    let depends = |value: usize| undetermined.iter().any(|&k| table.coordinates.direction(k)[value] != 0.0);
    (0..count).map(|value| if depends(value) { f64::INFINITY } else { spread[(value, value)] }).collect()
}

/// Returns the part of the information about every value that comes from data, between 0 and 1: the last `of_priors`
/// channels do not count. The part of a value is that of the coordinates on which it depends.
fn told_by_data(table: &TableUnknowns, covariance: &Covariance, of_priors: usize, count: usize) -> Vec<f64> {
    let channels = covariance.shares.len().saturating_sub(of_priors);
    let told: Vec<f64> = table
        .unknowns()
        .map(|unknown| covariance.shares[..channels].iter().map(|shares| shares[unknown]).sum())
        .collect();
    let of_value = |value: usize| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (k, told) in told.iter().enumerate() {
            let weight = table.coordinates.direction(k)[value].powi(2);
            if weight > 0.0 && told.is_finite() {
                (sum, weights) = (sum + weight * told, weights + weight);
            }
        }
        if weights > 0.0 { sum / weights } else { 0.0 }
    };
    (0..count).map(of_value).collect()
}

fn extensions(data: &AnyTable) -> Vec<&'static str> {
    let word = Extension::word;
    match data {
        AnyTable::Curve(curve) => vec![word(curve.extension())],
        AnyTable::Surface(surface) => surface.extensions().map(word).to_vec(),
    }
}

fn interpolations(data: &AnyTable) -> Vec<&'static str> {
    match data {
        AnyTable::Curve(curve) => vec![curve.interpolation().word()],
        AnyTable::Surface(surface) => surface.interpolations().map(Interpolation::word).to_vec(),
    }
}

fn knots(data: &AnyTable) -> Vec<Vec<f64>> {
    match data {
        AnyTable::Curve(curve) => vec![curve.knots()],
        AnyTable::Surface(surface) => surface.knots().to_vec(),
    }
}
