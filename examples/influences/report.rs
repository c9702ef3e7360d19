//! The tables, each with what the thesis reports.

use std::cmp::Ordering;

use costate_examples::Table;

use crate::inertia::Outcome;
use crate::noise::{Point, Signal};
use crate::sampling::{Count, Rate};

/// An error, or that there is none.
fn percent(error: Option<f64>) -> String {
    error.map_or_else(|| "failed".to_owned(), |error| format!("{error:.1}"))
}

/// Figure 3.22.
pub fn noise(points: &[Point]) -> String {
    let mut table = Table::new(["noise on", "of it", "EKF: curves", "surface", "SR-UKF: curves", "surface"]);
    let mut better = Vec::new();
    for signal in Signal::ALL {
        let of = |filter: &str| -> Vec<&Point> {
            points.iter().filter(|point| point.signal == signal && point.filter == filter).collect()
        };
        let [extended, unscented] = ["EKF", "SR-UKF"].map(of);
        for (extended, unscented) in extended.iter().zip(&unscented) {
            let share = format!("{:.0} %", 100.0 * extended.noise);
            let errors = [
                extended.additive_percent,
                extended.coupled_percent,
                unscented.additive_percent,
                unscented.coupled_percent,
            ];
            table = table.row([signal.name().to_owned(), share].into_iter().chain(errors.map(percent)));
        }
        let with_most_noise = |points: &[&Point]| {
            let most = points.iter().max_by(|a, b| a.noise.total_cmp(&b.noise));
            most.and_then(|point| point.additive_percent).unwrap_or(f64::INFINITY)
        };
        let filter = match with_most_noise(&extended).total_cmp(&with_most_noise(&unscented)) {
            Ordering::Less => "the EKF",
            Ordering::Greater => "the SR-UKF",
            Ordering::Equal => "neither filter",
        };
        better.push(format!("{filter} ({})", signal.name()));
    }
    format!(
        "Noise (figure 3.22): error of c(z, v) in percent, from curves and from the surface\n{table}\
         KE: noise on the sensor changes the curves little and the surface more; noise on the base spoils the EKF \
         much more, the SR-UKF hardly.\n    The noise of the sensor in that case is not stated.\n\
         Here, with the most noise, the smaller error of the curves has {}.\n",
        better.join(", ")
    )
}

/// Figure 3.23, left.
pub fn rates(rates: &[Rate]) -> String {
    let of = |filter: &str| -> Vec<&Rate> { rates.iter().filter(|rate| rate.filter == filter).collect() };
    let [extended, unscented] = ["EKF", "SR-UKF"].map(of);
    let mut table = Table::new(["samples per period", "EKF", "converged", "SR-UKF", "converged"]);
    for (extended, unscented) in extended.iter().zip(&unscented) {
        let cells = [extended, unscented]
            .map(|rate| [percent(rate.additive_percent), format!("{:.0} %", 100.0 * rate.good_part)]);
        let samples = format!("{:.1}", extended.samples_per_period);
        table = table.row(std::iter::once(samples).chain(cells.into_iter().flatten()));
    }
    format!(
        "Sampling rate (figure 3.23, left): error of both curves in percent\n{table}\
         KE: errors grow drastically below 20 samples per period; the SR-UKF stays convergent where the EKF fails.\n\
         {}{}    `failed` is a filter that was stopped, or whose e_s never falls below half of e_m, which the estimate \
         of the noise\n    makes large where samples are few.\n",
        fewest_samples("EKF", extended),
        fewest_samples("SR-UKF", unscented)
    )
}

/// Describes from how many samples per period on a filter is not lost, and errs by no more than twice as much as with
/// the most of them.
fn fewest_samples(filter: &str, mut rates: Vec<&Rate>) -> String {
    rates.sort_by(|a, b| b.samples_per_period.total_cmp(&a.samples_per_period));
    let best = rates.first().and_then(|rate| rate.additive_percent).unwrap_or(f64::NAN);
    let [converges, is_accurate] = [f64::INFINITY, 2.0 * best].map(|limit| {
        let suits = |rate: &&&Rate| rate.additive_percent.is_some_and(|percent| percent <= limit);
        let fewest = rates.iter().take_while(suits).last();
        fewest.map_or("more".to_owned(), |rate| format!("{:.1}", rate.samples_per_period))
    });
    format!(
        "    Here the {filter} fails below {converges} samples per period; its errors have doubled below \
         {is_accurate}.\n"
    )
}

/// Figure 3.23, right.
pub fn counts(counts: &[Count]) -> String {
    let table = counts.iter().fold(Table::new(["samples", "curves", "surface", "polynomials"]), |table, count| {
        let errors = [count.additive_percent, count.coupled_percent, count.polynomial_percent];
        table.row(std::iter::once(count.samples.to_string()).chain(errors.map(percent)))
    });
    format!(
        "Samples (figure 3.23, right): error of c(z, v) in percent, by fits without a filter\n{table}\
         KE: polynomials need the fewest samples, curves about 1000, surfaces about 20 000.\n"
    )
}

/// Figures 3.24 and 3.25.
pub fn inertia(outcomes: &[Outcome]) -> String {
    let table = outcomes.iter().fold(Table::new(["assumed", "spring 1", "spring 2", "spring 3"]), |table, outcome| {
        table.row(std::iter::once(outcome.assumption.to_owned()).chain(outcome.elastic_percent.map(percent)))
    });
    format!(
        "Inverse inertia (figures 3.24, 3.25): error of the elastic curves in percent\n{table}\
         KE: a clear loss of accuracy with wrong entries, on the diagonal and off it (without numbers).\n"
    )
}
