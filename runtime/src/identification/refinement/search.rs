//! Where a curve breaks, as its smoothness elsewhere and the data tell.

use std::fmt;
use std::sync::Arc;

use nalgebra::{Cholesky, DMatrix, DVector};
use serde::Serialize;

use super::knots::joined;
use super::start::{Sought, StartingTable};
use crate::identification::Identification;
use crate::identification::campaign::evaluation::Evaluation;
use crate::identification::result::fit::Fit;
use crate::identification::said::error::IdentificationError;
use crate::identification::said::unknown_table::Smoothness;
use crate::model::Model;
use crate::table::basis::TableBasis;
use crate::table::prior::{
    Break, BreakKind, PriorError, conditions, knots_with_breaks, roughness, weights_beside,
};
use crate::table::{AnyTable, Curve};

/// Places that are compared, between the ends of the range and once more around the best of them.
const PLACES: usize = 81;

/// Knots on either side of a break that is sought: first within so many distances of other knots, later within so many deviations of
/// the place, down to this part of the distance of other knots.
const PROBES: i32 = 8;
const FIRST_REACH: f64 = 1.5;
const REACH: f64 = 5.0;
const FINEST: f64 = 0.01;

/// As [`FINEST`], of jumps: steeper ones than with such knots a run cannot follow.
const FINEST_OF_JUMP: f64 = 0.1;

/// The part of its deviation by which a place moves where that is enough.
const STAYS: f64 = 0.5;

/// The bends that are compared with the one that was found, as powers of 2.
const BENDS: std::ops::RangeInclusive<i32> = -6..=6;

/// What is known of a straight line, in heights of the curve: nothing that matters.
const LINE: f64 = 100.0;

/// How well equalities hold, in heights of the curve.
const EQUAL: f64 = 1e-6;

/// Where a curve breaks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FoundBreak {
    /// The table.
    pub table: &'static str,
    /// What happens there.
    pub kind: BreakKind,
    /// Its place, in the unit of the table's argument.
    pub place: f64,
    /// The standard deviation of the place.
    pub standard_deviation: f64,
    /// The decimal logarithm of how much more probable the record is with the break than without, where the curve is as smooth as the data
    /// tell: below 0 there may be none.
    pub log10_odds: f64,
    /// Whether the place is at an end of the range that was searched: then it may lie beyond.
    pub at_end: bool,
}

impl fmt::Display for FoundBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, kind, place, standard_deviation, log10_odds, at_end } = self;
        write!(
            f,
            "{table}: {kind} at {place:.4e}, standard deviation {standard_deviation:.1e}, 10^{log10_odds:.1} times as probable as none"
        )?;
        if *log10_odds < 0.0 {
            write!(f, ": leave it out")?;
        }
        if *at_end {
            write!(f, "; it is at an end of the range that was searched: widen that")?;
        }
        Ok(())
    }
}

/// What a fit tells of the values of one curve, whatever was known of its smoothness: a normal distribution, as matrix and vector of
/// its exponent `-u^T information u/2 + linear^T u`.
struct Told {
    curve: Arc<Curve>,
    information: DMatrix<f64>,
    linear: DVector<f64>,
    bend: f64,
    height: f64,
}

/// The search for one break.
pub(super) struct Search {
    sought: Sought,
    /// Its position among the breaks of the table.
    number: usize,
    /// The distance from the place within which it is looked for, once there is one.
    reach: f64,
    pub found: Option<FoundBreak>,
}

impl Search {
    pub fn new(sought: Sought, number: usize) -> Self {
        Self { sought, number, reach: f64::INFINITY, found: None }
    }

    /// Moves the break of the `table` to where this fit tells; whether it was there before, as far as that is known.
    pub fn go_on<M: Model>(
        &mut self,
        identification: &Identification<'_, M>,
        fit: &Fit<M>,
        table: &mut StartingTable<M>,
        height: f64,
    ) -> Result<bool, IdentificationError> {
        let Sought { kind, from, to } = self.sought;
        let name = table.name();
        let failed = |source| IdentificationError::TablePrior { table: name, source };
        let told = told(identification, fit, table, height)?;
        let told = told.ok_or_else(|| failed(PriorError::Untold { kind, from, to }))?;
        let [first, last] = told.curve.range();
        let nowhere = || failed(PriorError::Sought { kind, from, to, first, last });
        let mut others = table.breaks.clone();
        let before = (self.number < others.len()).then(|| others.remove(self.number).at());
        // knots are so close to each other there
        let resolution = f64::min(self.reach / f64::from(PROBES), told.distance());
        let evidence = |place: f64| {
            let mut breaks = others.clone();
            breaks.push(kind.at(place));
            told.evidence(table, &breaks, &[place - 2.0 * resolution, place + 2.0 * resolution])
        };
        let within = |[low, high]: [f64; 2]| [low.max(from), high.min(to)];
        let around = before.map_or([from, to], |place| within([place - self.reach, place + self.reach]));
        let coarse = Weighed::new(around, &evidence);
        let best = coarse.best().ok_or_else(nowhere)?;
        let fine = Weighed::new(within([best - 2.0 * coarse.cell, best + 2.0 * coarse.cell]), &evidence);
        // what is known to less than a cell is seen among the finer ones
        let seen = if coarse.deviation() > coarse.cell { &coarse } else { &fine };
        let place = if coarse.deviation() > coarse.cell { best } else { fine.best().unwrap_or(best) };
        // nothing is known to less than the distance of knots
        let standard_deviation = seen.deviation().hypot(resolution / 12.0_f64.sqrt());
        let without = told.evidence(table, &others, &[]).unwrap_or(f64::NEG_INFINITY);
        let moved = before.map_or(f64::INFINITY, |before| (place - before).abs());
        let finest = if kind == BreakKind::Kink { FINEST } else { FINEST_OF_JUMP } * told.distance();
        let is_fine = resolution <= seen.deviation() || resolution <= 2.0 * finest;
        if self.reach.is_infinite() {
            self.reach = FIRST_REACH * told.distance();
        } else if moved < 0.5 * self.reach {
            let least = f64::max(REACH * standard_deviation, finest * f64::from(PROBES));
            self.reach = f64::max(0.25 * self.reach, least).min(self.reach);
        }
        others.insert(self.number.min(others.len()), kind.at(place));
        table.breaks = others;
        self.found = Some(FoundBreak {
            table: name,
            kind,
            place,
            standard_deviation,
            log10_odds: (seen.integral() - (to - from).ln() - without) / std::f64::consts::LN_10,
            at_end: (place - from).min(to - place) <= standard_deviation.min(coarse.cell),
        });
        Ok(is_fine && moved <= STAYS * standard_deviation)
    }

    /// Knots around the break, by which its place is told.
    pub fn probes(&self) -> Vec<f64> {
        let Some(found) = &self.found else { return Vec::new() };
        (-PROBES..=PROBES).map(|k| found.place + self.reach * f64::from(k) / f64::from(PROBES)).collect()
    }
}

/// Places at equal distances with the logarithms of their evidence.
struct Weighed {
    cell: f64,
    places: Vec<(f64, f64)>,
}

impl Weighed {
    fn new([from, to]: [f64; 2], evidence: impl Fn(f64) -> Option<f64>) -> Self {
        let cell = (to - from) / (PLACES - 1) as f64;
        let place = |k: usize| from + cell * k as f64;
        Self { cell, places: (0..PLACES).filter_map(|k| Some((place(k), evidence(place(k))?))).collect() }
    }

    fn best(&self) -> Option<f64> {
        self.places.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(place, _)| *place)
    }

    /// The logarithm of the integral of the evidence.
    fn integral(&self) -> f64 {
        log_of_sum(self.places.iter().map(|(_, evidence)| *evidence)) + self.cell.ln()
    }

    fn deviation(&self) -> f64 {
        let most = self.places.iter().map(|(_, evidence)| *evidence).fold(f64::NEG_INFINITY, f64::max);
        let weight = |evidence: f64| (evidence - most).exp();
        let sum: f64 = self.places.iter().map(|(_, evidence)| weight(*evidence)).sum();
        let mean = self.places.iter().map(|(place, evidence)| place * weight(*evidence)).sum::<f64>() / sum;
        let squares = self.places.iter().map(|(place, evidence)| (place - mean).powi(2) * weight(*evidence));
        (squares.sum::<f64>() / sum).sqrt()
    }
}

/// ln(sum of exp(x)).
fn log_of_sum(logarithms: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logarithms.clone().fold(f64::NEG_INFINITY, f64::max);
    if !most.is_finite() {
        return most;
    }
    most + logarithms.map(|x| (x - most).exp()).sum::<f64>().ln()
}

/// What the data tell of a curve, and what is known of all else, about where the fit has ended; `None` where that is nothing.
fn told<M: Model>(
    identification: &Identification<'_, M>,
    fit: &Fit<M>,
    table: &StartingTable<M>,
    height: f64,
) -> Result<Option<Told>, IdentificationError> {
    let mut campaign = identification.prepare()?;
    let number = identification.unknown_tables.iter().position(|unknown| unknown.index == table.index);
    let data = fit.tables().at(table.index);
    let (Some(number), Some(AnyTable::Curve(curve))) = (number, data) else { return Ok(None) };
    let summary = &fit.summary().tables;
    let Some(bend) = summary.get(number).and_then(|fitted| fitted.bend) else { return Ok(None) };
    // the unknowns are those of the fit, and so is what residuals and smoothness count
    let bends = identification.unknown_tables.iter().zip(summary).filter_map(|(unknown, fitted)| {
        matches!(unknown.smoothness, Some(Smoothness::Estimated(_))).then_some(fitted.bend? / unknown.typical)
    });
    campaign.priors.set_estimated(bends);
    let unknowns = campaign.state.parameters();
    let mut evaluation =
        Evaluation::new(&campaign, identification.optimizer.method, identification.gradient_method);
    let found = evaluation.sensitivities(&unknowns)?;
    drop(evaluation);
    let of_data = campaign.channel_rows(&found, &unknowns);
    let errors = campaign.first_errors(&of_data);
    // what is known of the curve depends on where it breaks
    let mut of_priors = campaign.priors.clone();
    let Some(prepared) = campaign.experiments.first() else { return Ok(None) };
    let Some(own) = prepared.tables.iter().find(|unknowns| unknowns.index == table.index) else {
        return Ok(None);
    };
    let range = own.unknowns();
    of_priors.combined.retain(|prior| {
        prior.combinations.iter().flat_map(|one| &one.terms).all(|(unknown, _)| !range.contains(unknown))
    });
    let count = unknowns.len();
    let (mut information, mut slope) = (DMatrix::zeros(count, count), DVector::zeros(count));
    let deviations = errors.iter().map(|errors| errors.deviation).chain(std::iter::repeat(1.0));
    for (rows, deviation) in of_data.iter().chain(&of_priors.rows(&unknowns)).zip(deviations) {
        let Some(factor) = rows.factor(count, |_| 1.0 / deviation) else { return Ok(None) };
        information += factor.transpose() * factor;
        let residuals = DVector::from_column_slice(&rows.residuals);
        slope -= rows.sensitivities.tr_mul(&residuals) / (deviation * deviation);
    }
    // whatever all else is
    let others: Vec<usize> = (0..count).filter(|unknown| !range.contains(unknown)).collect();
    let own_columns: Vec<usize> = range.collect();
    let part = |rows: &[usize], columns: &[usize]| information.select_rows(rows).select_columns(columns);
    let (mut of_curve, mut linear) = (part(&own_columns, &own_columns), slope.select_rows(&own_columns));
    if !others.is_empty() {
        let Some(factor) = Cholesky::new(part(&others, &others)) else { return Ok(None) };
        let coupled = part(&others, &own_columns);
        of_curve -= coupled.tr_mul(&factor.solve(&coupled));
        linear -= coupled.tr_mul(&factor.solve(&slope.select_rows(&others)));
    }
    // from coordinates to values
    let coordinates = DVector::from_vec(own.coordinates.unbounded(&curve.values()));
    linear += &of_curve * coordinates;
    let forms = own.coordinates.forms();
    let information = forms.transpose() * of_curve * forms;
    let is_known = information.iter().all(|entry| entry.is_finite());
    let (curve, linear) = (Arc::clone(curve), forms.tr_mul(&linear));
    Ok(is_known.then_some(Told { curve, information, linear, bend, height }))
}

impl Told {
    /// The logarithm of the evidence of these breaks, up to what all of them have in common, for all bends of the same probability;
    /// `None` where there can be none.
    fn evidence<M: Model>(&self, table: &StartingTable<M>, breaks: &[Break], beside: &[f64]) -> Option<f64> {
        let knots = knots_with_breaks(&joined(self.plain_knots(), beside), breaks).ok()?;
        let values = knots.iter().map(|x| self.curve.value(*x)).collect();
        let curve = Curve::new(knots, values, self.curve.extension()).ok()?;
        let count = curve.values().len();
        let basis = TableBasis::new(&AnyTable::Curve(Arc::new(curve.clone())));
        let old = self.curve.knots();
        let mut lookups = DMatrix::zeros(old.len(), count);
        for (row, x) in old.iter().enumerate() {
            basis.rates(&[*x], [0, 0], |value, rate| lookups[(row, value)] += rate);
        }
        let lookups = lookups.rows(0, self.linear.len()).into_owned();
        let of_data = lookups.transpose() * &self.information * &lookups;
        let linear = lookups.transpose() * &self.linear;
        // lines are free, and conditions hold
        let mut known = DMatrix::zeros(count, count);
        for end in [0, count - 1] {
            known[(end, end)] += (LINE * self.height).powi(-2);
        }
        for equality in conditions(&curve, table.shapes()).ok()?.equalities {
            let size = equality.form.norm() * EQUAL * self.height;
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
            let bend = self.bend * f64::powi(2.0, power);
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

    /// Knots at about the same distance: without those around breaks.
    fn plain_knots(&self) -> Vec<f64> {
        let (knots, distance) = (self.curve.knots(), self.distance());
        let mut kept: Vec<f64> = Vec::new();
        for (k, &x) in knots.iter().enumerate() {
            let is_end = k == 0 || k + 1 == knots.len();
            if is_end || kept.last().is_none_or(|before| x - before > 0.7 * distance) {
                kept.push(x);
            }
        }
        kept
    }

    /// The usual distance of knots: half of the range is in longer intervals.
    fn distance(&self) -> f64 {
        let mut lengths: Vec<f64> = self.curve.knots().windows(2).map(|pair| pair[1] - pair[0]).collect();
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
