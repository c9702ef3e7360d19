//! Preparation of tables whose values are unknown.

use costate_contract::tables::Extension;
use costate_system::table::prior::{
    Condition, Conditions, LinearForm, Shape, conditions, roughness, surface_roughness, weights_beside,
};
use costate_system::table::{AnyTable, Surface, Tables};

use crate::definition::Definition;
use crate::definition::digits::significant;
use crate::definition::error::{IdentificationError, SpecificationError};
use crate::definition::unknown_table::{Smoothness, UnknownTable};
use crate::estimation::coordinates::Coordinates;
use crate::estimation::layout::Layout;
use crate::estimation::priors::{Combination, CombinedPrior};
use crate::estimation::tables_at::TableUnknowns;

impl Definition {
    /// Prepares the unknown tables, adds their coordinates to `layout`, and returns them with their priors.
    pub(super) fn table_unknowns(
        &self,
        layout: &mut Layout,
    ) -> Result<(Vec<TableUnknowns>, Vec<CombinedPrior>), IdentificationError> {
        let (mut all, mut priors) = (Vec::new(), Vec::new());
        if self.unknown_tables.is_empty() {
            return Ok((all, priors));
        }
        let tables = self.tables_in_units()?;
        for (number, unknown) in self.unknown_tables.iter().enumerate() {
            unknown.check()?;
            let table = unknown.name();
            if self.unknown_tables[..number].iter().any(|other| other.index == unknown.index) {
                return Err(SpecificationError::RepeatedTable { table }.into());
            }
            let Some(data) = tables.at(unknown.index) else { continue };
            let failed = |source| SpecificationError::TablePrior { table, source };
            let conditions = match data {
                AnyTable::Curve(curve) => conditions(curve, &unknown.shapes, &unknown.breaks).map_err(failed)?,
                AnyTable::Surface(_) if !(unknown.shapes.is_empty() && unknown.breaks.is_empty()) => {
                    return Err(SpecificationError::SurfaceShape { table }.into());
                }
                AnyTable::Surface(surface) => closed(surface),
            };
            conditions.check().map_err(failed)?;
            let start = data.values();
            let coordinates = Coordinates::new(start.len(), &conditions)
                .map_err(|_| SpecificationError::TableShapes { table, shapes: unknown.shapes.clone() })?;
            let of_start = coordinates.of(&start);
            let start = coordinates.values(&of_start);
            let first = layout.coordinates(unknown, &coordinates, &of_start, &places(data));
            let unknowns = TableUnknowns { index: unknown.index, first, coordinates, start };
            priors.extend(priors_of(unknown, &unknowns, data)?);
            all.push(unknowns);
        }
        Ok((all, priors))
    }

    /// Returns the tables in the units that the model declares.
    pub(crate) fn tables_in_units(&self) -> Result<Tables, IdentificationError> {
        let tables = self.tables.clone().in_declared_units();
        Ok(tables.map_err(costate_system::problem::SimulationError::from)?.0)
    }
}

/// Returns the priors of a table.
fn priors_of(
    unknown: &UnknownTable,
    table: &TableUnknowns,
    data: &AnyTable,
) -> Result<Vec<CombinedPrior>, SpecificationError> {
    let combination = |of_values: &[(usize, f64)], centre: f64, scale: f64| {
        let (constant, factors) = table.coordinates.form(of_values);
        let factors = factors.into_iter().enumerate().filter(|(_, factor)| *factor != 0.0);
        let terms = factors.map(|(k, factor)| (table.first + k, factor / scale));
        Combination { constant: (constant - centre) / scale, terms: terms.collect() }
    };
    let mut all = Vec::new();
    if let Some(deviation) = unknown.deviation {
        let start = table.start.iter().enumerate();
        let near = start.map(|(k, start)| combination(&[(k, 1.0)], *start, deviation));
        all.push(CombinedPrior::given(near.collect()));
    }
    let (bend, is_estimated) = match unknown.smoothness {
        None => return Ok(all),
        Some(Smoothness::Bend(bend)) => (bend, false),
        Some(Smoothness::Estimated(bend)) => (bend, true),
    };
    let failed = |source| SpecificationError::TablePrior { table: unknown.name(), source };
    // a parabola whose second derivative is c departs from its chord over the length L by c L^2/8
    let (roughness, length, curvature) = match data {
        AnyTable::Curve(curve) => {
            let [first, last] = curve.range();
            let length = last - first;
            (roughness(curve), length, 8.0 * bend / (length * length))
        }
        AnyTable::Surface(surface) => {
            let ranges = surface.ranges().map(|[first, last]| last - first);
            (surface_roughness(surface, ranges).map_err(failed)?, 1.0, 8.0 * bend)
        }
    };
    let residuals = roughness.residuals();
    let scale = curvature * (length / residuals.len() as f64).sqrt();
    let weights = match data {
        AnyTable::Curve(curve) => weights_beside(curve, &unknown.breaks).map_err(failed)?,
        AnyTable::Surface(_) => vec![1.0; residuals.len()],
    };
    let combinations = residuals
        .iter()
        .zip(weights)
        .map(|(LinearForm { coefficients, .. }, weight)| combination(coefficients, 0.0, scale / weight));
    all.push(CombinedPrior { combinations: combinations.collect(), deviation: 1.0, is_estimated });
    Ok(all)
}

/// Returns the conditions of a periodic surface: equal values at both ends of a period.
fn closed(surface: &Surface) -> Conditions {
    let [rows, columns] = surface.knots().map(|knots| knots.len());
    let at = |row: usize, column: usize| row * columns + column;
    let mut all = Conditions::default();
    let mut equal = |one: usize, other: usize| {
        let form = LinearForm { coefficients: vec![(one, 1.0), (other, -1.0)] };
        all.equalities.push(Condition { form, bound: 0.0, shape: Shape::Closed });
    };
    let [along_x, along_y] = surface.extensions().map(|extension| extension == Extension::Periodic);
    if along_x {
        (0..columns).for_each(|column| equal(at(0, column), at(rows - 1, column)));
    }
    if along_y {
        (0..rows).for_each(|row| equal(at(row, 0), at(row, columns - 1)));
    }
    all
}

/// Returns the arguments of every value, as text.
fn places(data: &AnyTable) -> Vec<String> {
    let text = |value: &f64| significant(*value, 6);
    match data {
        AnyTable::Curve(curve) => curve.knots().iter().map(text).collect(),
        AnyTable::Surface(surface) => {
            let [x, y] = surface.knots();
            let pair = |x: &f64| y.iter().map(move |y| format!("({}, {})", text(x), text(y))).collect::<Vec<_>>();
            x.iter().flat_map(pair).collect()
        }
    }
}
