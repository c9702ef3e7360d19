//! The search for breaks of a curve, from its smoothness elsewhere and the data.

use std::fmt;

use serde::Serialize;

use costate_system::table::prior::{BreakKind, PriorError};

use super::evidence::{curve_information, log_of_sum};
use super::start::{Sought, StartingTable};
use crate::definition::Definition;
use crate::definition::error::{IdentificationError, SpecificationError};
use crate::result::fit::Fit;

/// Number of knots on either side of a break that is sought, beside those of the table.
const PROBES_PER_SIDE: i32 = 8;

/// A break of a curve that a refinement has found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FoundBreak {
    /// The table.
    pub table: &'static str,
    /// Kind of the break.
    pub kind: BreakKind,
    /// Place of the break, in the unit of the table's argument.
    pub place: f64,
    /// The standard deviation of the place.
    pub standard_deviation: f64,
    /// The decimal logarithm of the ratio of the evidence with the break to that without, where the curve is as
    /// smooth as the data require: below 0 there may be no break.
    pub log10_odds: f64,
    /// True if the place is at an end of the range that was searched: then the break may lie beyond.
    pub at_end: bool,
    /// True if the place no longer moves from fit to fit, within its deviation.
    pub has_settled: bool,
}

impl fmt::Display for FoundBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, kind, place, standard_deviation, log10_odds, at_end, has_settled } = self;
        write!(
            f,
            "{table}: {kind} at {place:.4e}, standard deviation {standard_deviation:.1e}, 10^{log10_odds:.1} times as \
                 probable as no break"
        )?;
        if *log10_odds < 0.0 {
            write!(f, ": leave it out")?;
        }
        if *at_end {
            write!(f, "; it is at an end of the range that was searched: widen that")?;
        }
        if !has_settled {
            write!(
                f,
                "; it still moved from fit to fit, or a steeper curve could not be simulated: its place is less \
                     certain than this deviation"
            )?;
        }
        Ok(())
    }
}

/// The search for one break.
pub(super) struct Search {
    sought: Sought,
    /// Position of the break among the breaks of the table.
    number: usize,
    /// Distance from the last place within which the break is sought; infinite before the first.
    reach: f64,
    pub found: Option<FoundBreak>,
}

impl Search {
    pub fn new(sought: Sought, number: usize) -> Self {
        Self { sought, number, reach: f64::INFINITY, found: None }
    }

    /// Moves the break of the `table` to the place with the largest evidence in this fit; returns true if the break
    /// was there before, within its deviation.
    pub fn go_on(
        &mut self,
        identification: &Definition,
        fit: &Fit,
        table: &mut StartingTable,
        height: f64,
    ) -> Result<bool, IdentificationError> {
        /// Largest move of a place, as a part of its deviation, at which the search has settled.
        const SETTLED_MOVE: f64 = 0.5;
        /// Smallest distance of the knots around a break, as a part of that of other knots: at kinks, and at jumps,
        /// since a run cannot follow steeper ones.
        const MIN_DISTANCE: f64 = 0.01;
        const MIN_DISTANCE_AT_JUMP: f64 = 0.1;
        /// Reach of the knots around a break: the first one in distances of other knots, later in deviations of the
        /// place.
        const FIRST_REACH: f64 = 1.5;
        const REACH: f64 = 5.0;
        let Sought { kind, from, to } = self.sought;
        let name = table.name();
        let failed = |source| SpecificationError::TablePrior { table: name, source };
        let information = curve_information(identification, fit, table, height)?;
        let information = information.ok_or_else(|| failed(PriorError::Untold { kind, from, to }))?;
        let [first, last] = information.known.curve.range();
        let nowhere = || failed(PriorError::Sought { kind, from, to, first, last });
        let mut others = table.breaks.clone();
        let before = (self.number < others.len()).then(|| others.remove(self.number).at());
        // distance of the knots around the break
        let resolution = f64::min(self.reach / f64::from(PROBES_PER_SIDE), information.distance());
        let evidence = |place: f64| {
            let mut breaks = others.clone();
            breaks.push(kind.at(place));
            information.evidence(&breaks, &[place - 2.0 * resolution, place + 2.0 * resolution])
        };
        let within = |[low, high]: [f64; 2]| [low.max(from), high.min(to)];
        let around = before.map_or([from, to], |place| within([place - self.reach, place + self.reach]));
        let coarse = Weighed::new(around, evidence);
        let best = coarse.best().ok_or_else(nowhere)?;
        let fine = Weighed::new(within([best - 2.0 * coarse.cell, best + 2.0 * coarse.cell]), evidence);
        // a deviation of less than a cell is resolved by the finer places
        let seen = if coarse.deviation() > coarse.cell { &coarse } else { &fine };
        let place = if coarse.deviation() > coarse.cell { best } else { fine.best().unwrap_or(best) };
        // no place is known to better than the distance of knots
        let standard_deviation = seen.deviation().hypot(resolution / 12.0_f64.sqrt());
        let without = information.evidence(&others, &[]).unwrap_or(f64::NEG_INFINITY);
        let moved = before.map_or(f64::INFINITY, |before| (place - before).abs());
        let finest = if kind == BreakKind::Kink { MIN_DISTANCE } else { MIN_DISTANCE_AT_JUMP } * information.distance();
        let is_fine = resolution <= seen.deviation() || resolution <= 2.0 * finest;
        if self.reach.is_infinite() {
            self.reach = FIRST_REACH * information.distance();
        } else if moved < 0.5 * self.reach {
            let least = f64::max(REACH * standard_deviation, finest * f64::from(PROBES_PER_SIDE));
            self.reach = f64::max(0.25 * self.reach, least).min(self.reach);
        }
        let has_settled = is_fine && moved <= SETTLED_MOVE * standard_deviation;
        others.insert(self.number.min(others.len()), kind.at(place));
        table.breaks = others;
        self.found = Some(FoundBreak {
            table: name,
            kind,
            place,
            standard_deviation,
            log10_odds: (seen.integral() - (to - from).ln() - without) / std::f64::consts::LN_10,
            at_end: (place - from).min(to - place) <= standard_deviation.min(coarse.cell),
            has_settled,
        });
        Ok(has_settled)
    }

    /// Returns knots around the break, with which the next fit locates it.
    pub fn probes(&self) -> Vec<f64> {
        self.found.as_ref().map_or(Vec::new(), |found| around(found.place, self.reach, PROBES_PER_SIDE))
    }
}

/// Returns knots over the range of a break, for fits that come before the search.
pub(super) fn first_probes(sought: &Sought) -> Vec<f64> {
    let (from, to) = (sought.from, sought.to);
    around(0.5 * (from + to), 0.5 * (to - from), 4)
}

/// Returns knots within `reach` of a place, `count` on either side.
fn around(place: f64, reach: f64, count: i32) -> Vec<f64> {
    (-count..=count).map(|k| place + reach * f64::from(k) / f64::from(count)).collect()
}

/// Places at equal distances with the logarithms of their evidence.
struct Weighed {
    cell: f64,
    places: Vec<(f64, f64)>,
}

impl Weighed {
    fn new([from, to]: [f64; 2], evidence: impl Fn(f64) -> Option<f64>) -> Self {
        /// Number of places that are compared, between the ends of the range and once more around the best of them.
        const PLACES: usize = 81;
        let cell = (to - from) / (PLACES - 1) as f64;
        let place = |k: usize| from + cell * k as f64;
        Self { cell, places: (0..PLACES).filter_map(|k| Some((place(k), evidence(place(k))?))).collect() }
    }

    fn best(&self) -> Option<f64> {
        self.places.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(place, _)| *place)
    }

    /// Returns the logarithm of the integral of the evidence.
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
