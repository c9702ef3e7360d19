//! The tables, each beside what the thesis reports.

use std::fmt::Write;

use anyhow::Result;

use crate::inertia::Outcome;
use crate::noise::{Point, Signal};
use crate::sampling::{Count, Rate};

/// An error, or that there is none.
fn percent(error: Option<f64>) -> String {
    error.map_or_else(|| "failed".to_owned(), |error| format!("{error:.1}"))
}

/// Figure 3.22.
pub fn noise(points: &[Point]) -> Result<String> {
    let mut text = String::from("Noise (figure 3.22): error of c(z, v) in percent, from curves and from the surface\n");
    writeln!(text, "noise on              of it   EKF: curves   surface   SR-UKF: curves   surface")?;
    for signal in Signal::ALL {
        let of = |filter: &str| -> Vec<&Point> {
            points.iter().filter(|point| point.signal == signal && point.filter == filter).collect()
        };
        for (extended, unscented) in of("EKF").iter().zip(of("SR-UKF")) {
            writeln!(
                text,
                "{:<20}{:>5.0} %{:>14}{:>10}{:>17}{:>10}",
                signal.name(),
                100.0 * extended.noise,
                percent(extended.additive_percent),
                percent(extended.coupled_percent),
                percent(unscented.additive_percent),
                percent(unscented.coupled_percent)
            )?;
        }
    }
    text += "KE: noise on the sensor changes the curves little and the surface more, which is the better one for \
         moderate noise and the \
             worse one for much;\n    noise on the base spoils the EKF much more, and the SR-UKF nearly as little as \
             noise on the sensor. \
             The noise of the sensor in that\n    case is not stated.\n";
    text += &of_most_noise(points);
    Ok(text)
}

/// Which filter bears the most noise of each signal better, by the curves.
fn of_most_noise(points: &[Point]) -> String {
    let mut text = String::from("Here, with the most noise,");
    for (place, signal) in Signal::ALL.into_iter().enumerate() {
        let of = |filter: &str| {
            let own = points.iter().filter(|point| point.signal == signal && point.filter == filter);
            let most = own.max_by(|a, b| a.noise.total_cmp(&b.noise));
            most.and_then(|point| point.additive_percent).unwrap_or(f64::INFINITY)
        };
        let (extended, unscented) = (of("EKF"), of("SR-UKF"));
        let better = match extended.total_cmp(&unscented) {
            std::cmp::Ordering::Less => "the EKF has the smaller error",
            std::cmp::Ordering::Greater => "the SR-UKF has the smaller error",
            std::cmp::Ordering::Equal => "both filters have the same error",
        };
        let between = if place == 0 { "" } else { ";" };
        text += &format!("{between} {}: {better}", signal.name());
    }
    text + ".\n"
}

/// Figure 3.23, left.
pub fn rates(rates: &[Rate]) -> Result<String> {
    let mut text = String::from("Sampling rate (figure 3.23, left): error of both curves in percent\n");
    writeln!(text, "samples per period     EKF      converged   SR-UKF      converged")?;
    let of = |filter: &str| -> Vec<&Rate> { rates.iter().filter(|rate| rate.filter == filter).collect() };
    for (extended, unscented) in of("EKF").iter().zip(of("SR-UKF")) {
        writeln!(
            text,
            "{:>18.1}{:>8}{:>13.0} %{:>9}{:>13.0} %",
            extended.samples_per_period,
            percent(extended.additive_percent),
            100.0 * extended.good_part,
            percent(unscented.additive_percent),
            100.0 * unscented.good_part
        )?;
    }
    text += "KE: errors grow drastically below 20 samples per period; the filters are alike, but the SR-UKF stays \
         convergent where \
             the EKF fails.\n";
    for filter in ["EKF", "SR-UKF"] {
        text += &fewest_samples(filter, &of(filter));
    }
    text += "    `failed` is a filter that was stopped, or whose e_s never falls below half of e_m, which the \
         estimate of the noise makes \
             large where samples are few.\n";
    Ok(text)
}

/// From how many samples per period on a filter is not lost, and errs by no more than twice as much as with the most of
/// them.
fn fewest_samples(filter: &str, rates: &[&Rate]) -> String {
    let mut sorted = rates.to_vec();
    sorted.sort_by(|a, b| b.samples_per_period.total_cmp(&a.samples_per_period));
    let fewest = |serves: &dyn Fn(f64) -> bool| {
        let serving = sorted.iter().take_while(|rate| rate.additive_percent.is_some_and(serves));
        serving.last().map_or("more".to_owned(), |rate| format!("{:.1}", rate.samples_per_period))
    };
    let best = sorted.first().and_then(|rate| rate.additive_percent).unwrap_or(f64::NAN);
    let (converges, serves) = (fewest(&|_| true), fewest(&|percent| percent <= 2.0 * best));
    format!(
        "    Here the {filter} fails below {converges} samples per period; its errors have doubled below {serves}.\n"
    )
}

/// Figure 3.23, right.
pub fn counts(counts: &[Count]) -> Result<String> {
    let mut text =
        String::from("Samples (figure 3.23, right): error of c(z, v) in percent, by fits without a filter\n");
    writeln!(text, "samples   curves   surface   polynomials")?;
    for count in counts {
        writeln!(
            text,
            "{:>7}{:>9}{:>10}{:>14}",
            count.samples,
            percent(count.additive_percent),
            percent(count.coupled_percent),
            percent(count.polynomial_percent)
        )?;
    }
    text += "KE: polynomials need the fewest samples, curves about 1000, surfaces about 20 000.\n";
    Ok(text)
}

/// Figures 3.24 and 3.25.
pub fn inertia(outcomes: &[Outcome]) -> Result<String> {
    let mut text = String::from("Inverse inertia (figures 3.24, 3.25): error of the elastic curves in percent\n");
    writeln!(text, "assumed                      spring 1   spring 2   spring 3")?;
    for outcome in outcomes {
        write!(text, "{:<26}", outcome.assumption)?;
        for error in outcome.elastic_percent {
            write!(text, "{:>11}", percent(error))?;
        }
        text.push('\n');
    }
    text += "KE: a clear loss of accuracy with wrong entries, on the diagonal and beside it (without figures in \
         numbers).\n";
    Ok(text)
}
