//! Information of a fit about one curve, and the evidence of breaks that follows from it.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::{Cholesky, DMatrix, DVector};

use costate_system::table::basis::TableBasis;
use costate_system::table::prior::{Break, Shape, conditions, knots_with_breaks, roughness, weights_beside};
use costate_system::table::{AnyTable, Curve};

use super::knots::joined;
use super::start::StartingTable;
use crate::definition::Definition;
use crate::definition::error::IdentificationError;
use crate::definition::unknown_table::Smoothness;
use crate::estimation::coordinates::Coordinates;
use crate::estimation::covariance::{ChannelRows, samples_of};
use crate::result::fit::Fit;

/// The bends that are averaged over, relative to the bend of the fit, as powers of 2.
const BENDS: std::ops::RangeInclusive<i32> = -6..=6;

/// Information of a fit about the values u of one curve, without the prior of its smoothness: a normal distribution,
/// as matrix and vector of its exponent `-u^T information u/2 + linear^T u`.
pub(super) struct CurveInformation {
    pub known: Known,
    information: DMatrix<f64>,
    linear: DVector<f64>,
}

/// The curve of a fit, with the shapes, the bend and the height that are known.
pub(super) struct Known {
    pub curve: Arc<Curve>,
    shapes: Vec<Shape>,
    bend: f64,
    height: f64,
}

/// Returns the information of the data, and of the priors of all other unknowns, about a curve, linearised at the end
/// of a fit; `None` if the table is no unknown curve with a smoothness, or the data do not determine the other
/// unknowns.
pub(super) fn curve_information(
    identification: &Definition,
    fit: &Fit,
    table: &StartingTable,
    height: f64,
) -> Result<Option<CurveInformation>, IdentificationError> {
    let mut estimation = identification.prepare()?;
    identification.correct_at_start(&mut estimation)?;
    let number = identification.unknown_tables.iter().position(|unknown| unknown.index == table.index);
    let data = fit.tables().at(table.index);
    let (Some(number), Some(AnyTable::Curve(curve))) = (number, data) else { return Ok(None) };
    let summary = &fit.summary().tables;
    let Some(bend) = summary.get(number).and_then(|fitted| fitted.bend) else { return Ok(None) };
    // the unknowns, and the weights of residuals and smoothness, are those of the fit
    let bends = identification.unknown_tables.iter().zip(summary);
    let bends = bends.filter_map(|(unknown, fitted)| match unknown.smoothness {
        Some(Smoothness::Estimated(start)) => Some(fitted.bend? / start),
        _ => None,
    });
    estimation.priors.set_estimated(bends);
    let unknowns = estimation.state.parameters();
    let mut evaluation = identification.evaluation(&estimation, None);
    let found = evaluation.sensitivities(&unknowns)?;
    drop(evaluation);
    let rows = estimation.channel_rows(&found, &unknowns);
    let errors = estimation.first_errors(&rows, samples_of(&rows));
    estimation.set_errors(&errors);
    let mut rows = estimation.channel_rows(&found, &unknowns);
    // the prior of the curve itself depends on its breaks, and is left out
    let mut of_priors = estimation.priors.clone();
    let Some(prepared) = estimation.experiments.first() else { return Ok(None) };
    let Some(own) = prepared.tables.iter().find(|unknowns| unknowns.index == table.index) else {
        return Ok(None);
    };
    let range = own.unknowns();
    of_priors.combined.retain(|prior| {
        prior.combinations.iter().flat_map(|one| &one.terms).all(|(unknown, _)| !range.contains(unknown))
    });
    rows.extend(of_priors.rows(&unknowns));
    let known = Known { curve: Arc::clone(curve), shapes: table.shapes().to_vec(), bend, height };
    Ok(known.curve_information(&rows, range, &own.coordinates))
}

impl Known {
    /// Adds the information of these rows about the curve, whose coordinates have these indices, marginalised over
    /// all other unknowns.
    fn curve_information(
        self,
        rows: &[ChannelRows],
        range: Range<usize>,
        coordinates: &Coordinates,
    ) -> Option<CurveInformation> {
        let count = rows.first()?.sensitivities.ncols();
        let (mut information, mut slope) = (DMatrix::zeros(count, count), DVector::zeros(count));
        for rows in rows {
            information += rows.gram(count)?;
            slope -= rows.slope();
        }
        let others: Vec<usize> = (0..count).filter(|unknown| !range.contains(unknown)).collect();
        let own: Vec<usize> = range.collect();
        let part = |rows: &[usize], columns: &[usize]| information.select_rows(rows).select_columns(columns);
        let (mut of_curve, mut linear) = (part(&own, &own), slope.select_rows(&own));
        if !others.is_empty() {
            let factor = Cholesky::new(part(&others, &others))?;
            let coupled = part(&others, &own);
            of_curve -= coupled.tr_mul(&factor.solve(&coupled));
            linear -= coupled.tr_mul(&factor.solve(&slope.select_rows(&others)));
        }
        // from coordinates to values
        linear += &of_curve * DVector::from_vec(coordinates.unbounded(&self.curve.values()));
        let forms = coordinates.forms();
        let information = forms.transpose() * of_curve * forms;
        let is_known = information.iter().all(|entry| entry.is_finite());
        let linear = forms.tr_mul(&linear);
        is_known.then_some(CurveInformation { known: self, information, linear })
    }
}

impl CurveInformation {
    /// Returns the logarithm of the evidence of these breaks, up to a constant that is the same for all breaks, with
    /// equal probability of all `BENDS`; `None` where the curve cannot have these breaks.
    pub fn evidence(&self, breaks: &[Break], beside: &[f64]) -> Option<f64> {
        /// Prior deviation of equalities, in heights of the curve.
        const EQUALITY_DEVIATION: f64 = 1e-6;
        /// Prior deviation of the ends of a curve, in heights of the curve: large enough to leave straight lines free.
        const END_DEVIATION: f64 = 100.0;
        let Known { curve: found, shapes, height, .. } = &self.known;
        let knots = knots_with_breaks(&joined(self.plain_knots(), beside), breaks).ok()?;
        let values = knots.iter().map(|x| found.value(*x)).collect();
        let curve = Curve::new(knots, values, found.extension()).ok()?;
        let count = curve.values().len();
        let basis = TableBasis::new(&AnyTable::Curve(Arc::new(curve.clone())));
        let old = found.knots();
        let mut lookups = DMatrix::zeros(old.len(), count);
        for (row, x) in old.iter().enumerate() {
            basis.rates(&[*x], [0, 0], |value, rate| lookups[(row, value)] += rate);
        }
        let lookups = lookups.rows(0, self.linear.len()).into_owned();
        let of_data = lookups.transpose() * &self.information * &lookups;
        let linear = lookups.transpose() * &self.linear;
        // straight lines are free, and conditions hold
        let mut known = DMatrix::zeros(count, count);
        for end in [0, count - 1] {
            known[(end, end)] += (END_DEVIATION * height).powi(-2);
        }
        for equality in conditions(&curve, shapes, breaks).ok()?.equalities {
            let size = equality.form.norm() * EQUALITY_DEVIATION * height;
            for &(i, left) in &equality.form.coefficients {
                for &(j, right) in &equality.form.coefficients {
                    known[(i, j)] += left * right / (size * size);
                }
            }
        }
        let [first, last] = curve.range();
        let (length, roughness) = (last - first, roughness(&curve));
        let weights = weights_beside(&curve, breaks).ok()?;
        let residuals = roughness.residuals();
        let scale = 8.0 / (length * length) * (length / residuals.len() as f64).sqrt();
        let mut rough = DMatrix::zeros(count, count);
        for (form, weight) in residuals.iter().zip(weights) {
            for &(i, left) in &form.coefficients {
                for &(j, right) in &form.coefficients {
                    rough[(i, j)] += left * right * (weight / scale).powi(2);
                }
            }
        }
        let of_bend = |power: i32| {
            let bend = self.known.bend * f64::powi(2.0, power);
            let prior = &known + &rough / (bend * bend);
            let both = Cholesky::new(&prior + &of_data)?;
            let prior = Cholesky::new(prior)?;
            let explained = 0.5 * linear.dot(&both.solve(&linear));
            Some(explained + prior.l().diagonal().map(f64::ln).sum() - both.l().diagonal().map(f64::ln).sum())
        };
        let evidences: Vec<f64> = BENDS.filter_map(of_bend).collect();
        let sum = log_of_sum(evidences.iter().copied());
        sum.is_finite().then_some(sum)
    }

    /// Returns knots at about equal distances: without those around breaks.
    fn plain_knots(&self) -> Vec<f64> {
        let (knots, distance) = (self.known.curve.knots(), self.distance());
        let mut kept: Vec<f64> = Vec::new();
        for (k, &x) in knots.iter().enumerate() {
            let is_end = k == 0 || k + 1 == knots.len();
            if is_end || kept.last().is_none_or(|before| x - before > 0.7 * distance) {
                kept.push(x);
            }
        }
        kept
    }

    /// Returns the usual distance of knots: half of the range is in longer intervals.
    pub fn distance(&self) -> f64 {
        let mut lengths: Vec<f64> = self.known.curve.knots().windows(2).map(|pair| pair[1] - pair[0]).collect();
        lengths.sort_by(f64::total_cmp);
        let half = 0.5 * lengths.iter().sum::<f64>();
        let mut sum = 0.0;
        let middle = lengths.iter().find(|length| {
            sum += *length;
            sum >= half
        });
        middle.copied().unwrap_or(f64::NAN)
    }
}

/// Returns ln(sum of exp(x)).
pub(super) fn log_of_sum(logarithms: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logarithms.clone().fold(f64::NEG_INFINITY, f64::max);
    if !most.is_finite() {
        return most;
    }
    most + logarithms.map(|x| (x - most).exp()).sum::<f64>().ln()
}
