//! Range of validity of curves identified from a forward or a backward sweep: the range that the motion has
//! covered (KE 3.1.1, figure 3.5).
//!
//! The damper is weak compared with the spring, and the filter holds the effective stiffness over an interval h:
//! its model lags behind by h/2 and has an excess damping of h/2 (s - c_E'), with the secant s = c_E/z of the
//! spring. At the 10 kHz of the thesis this excess is up to 380 N s/m, compared with the damper's 250, and the
//! filter finds a damping that is too small by as much; hence the second study with faster sampling.
//! With that the responses are as in the figure, except that the backward curves' fall from resonance comes a
//! tenth of a second late.

use anyhow::Result;
use costate::plot::color::{BLUE, GREY};
use costate::plot::{Axis, Figure, Line, Panel};
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, Response, RestoringForceIdentification, RestoringForceModel, SeriesError,
};
use costate_examples::{extent, over_time};
use costate_models::restoring_force::{AdditiveOscillator, END, INTERVAL, MASS, NOISE, Sampling, Sweep, cases};
use serde::Serialize;

use crate::record::Record;

const SWEEPS: [(&str, Sweep); 2] = [
    ("forward", Sweep { amplitude: 0.5, from: 200.0, to: 400.0 }),
    ("backward", Sweep { amplitude: 0.5, from: 400.0, to: 200.0 }),
];
const EXPONENTS: (f64, f64) = (3.0, 1.0);

/// Largest response, as a multiple of the length of the elastic curve: resonances beyond the ends of curves are below.
const MAX_EXCURSION: f64 = 10.0;

/// Times between two samples in s.
const INTERVALS: [f64; 2] = [INTERVAL, 0.1 * INTERVAL];

/// Expected stiffness and damping for each interval, in units of the scale: those of the additive experiment, and
/// the actual damping, with which the filter loses the forward sweep at 10 kHz.
const EXPECTED: [(f64, f64); 2] = [cases::ADDITIVE.a_priori, (cases::ADDITIVE.a_priori.0, 250.0 / cases::SCALE)];

/// Curves from one sweep, and the response of the model with these curves to one sweep.
#[derive(Debug, Serialize)]
pub struct Validity {
    /// Time between two samples in s.
    pub interval: f64,
    /// The identified sweep, and the simulated one.
    pub identified: &'static str,
    pub simulated: &'static str,
    /// e_RMS% of the response relative to the measured one, which includes its noise, and relative to the true one.
    pub measured_percent: f64,
    pub true_percent: f64,
    /// True if the response does not change with half the steps, and is one of this oscillator: no more than
    /// `MAX_EXCURSION` times as large as the elastic curve is long.
    pub is_accurate: bool,
    /// The average slope of the dissipative curve in N s/m.
    pub slope: f64,
    /// Lowest and highest deformation of the elastic curve in m, and lowest and highest rate of the dissipative
    /// curve in m/s.
    pub elastic_range: [f64; 2],
    pub dissipative_range: [f64; 2],
    /// Ranges of the measured motion, without noise.
    pub deformations: [f64; 2],
    pub rates: [f64; 2],
    /// Ranges of the response, and parts of the time that it is outside of the curves.
    pub response_deformations: [f64; 2],
    pub response_rates: [f64; 2],
    pub beyond_elastic: f64,
    pub beyond_dissipative: f64,
    #[serde(skip)]
    measured: Vec<f64>,
    #[serde(skip)]
    response: Vec<f64>,
}

/// Identifies from each of the sweeps and simulates both, with each of the intervals.
///
/// # Errors
/// Those of simulations and filters.
pub fn study(seed: u64) -> Result<Vec<Validity>> {
    let mut found = Vec::new();
    for (interval, expected) in INTERVALS.into_iter().zip(EXPECTED) {
        found.extend(sampled(interval, expected, seed)?);
    }
    Ok(found)
}

fn sampled(interval: f64, (stiffness, damping): (f64, f64), seed: u64) -> Result<Vec<Validity>> {
    let system = AdditiveOscillator::linearly_damped();
    let sampling = Sampling { interval, samples: (END / interval + 0.5) as usize + 1 };
    let [forward, backward] = SWEEPS.map(|(_, sweep)| Record::of(system.motion(sweep, sampling)?, NOISE, seed));
    let records = [forward?, backward?];
    let model = RestoringForceModel::on_moving_base(MASS)?.with_scale(cases::SCALE)?;
    let identification =
        RestoringForceIdentification::new(model.clone(), interval, vec![APriori { stiffness, damping }])?
            .exponents(Exponents::new(EXPONENTS.0, EXPONENTS.1))
            .lowest_stiffness(&[cases::ADDITIVE.lowest_stiffness])?;
    let mut found = Vec::new();
    for ((identified, _), record) in SWEEPS.iter().zip(&records) {
        let forces = identification.run(&record.motion.base, &record.accelerations)?;
        let [elastic, dissipative] = forces.curves(0, &CurveSettings::default())?;
        let adapted = model.adapted(&[elastic.table()?], &[dissipative.table()?])?;
        for ((simulated, _), record) in SWEEPS.iter().zip(&records) {
            let base = &record.motion.base;
            let response = adapted.respond(base, base.len(), interval)?;
            let is_accurate = response.is_accurate() && is_near(response.elastic[0].range, elastic.range());
            let Response { signals, elastic: visited, dissipative: rates, .. } = response;
            found.push(Validity {
                interval,
                identified,
                simulated,
                measured_percent: SeriesError::new(&signals, &record.accelerations)?.percent(),
                true_percent: SeriesError::new(&signals, &record.motion.accelerations)?.percent(),
                is_accurate,
                slope: dissipative.slope(),
                elastic_range: elastic.range(),
                dissipative_range: dissipative.range(),
                deformations: extent(&record.motion.deformations),
                rates: extent(&record.motion.rates),
                response_deformations: visited[0].range,
                response_rates: rates[0].range,
                beyond_elastic: visited[0].beyond,
                beyond_dissipative: rates[0].beyond,
                measured: record.accelerations.clone(),
                response: signals,
            });
        }
    }
    Ok(found)
}

/// Returns true for a response whose size is that of a curve.
fn is_near([low, high]: [f64; 2], [first, last]: [f64; 2]) -> bool {
    low.abs().max(high.abs()) <= MAX_EXCURSION * (last - first)
}

/// Draws KE 3.5, with the shorter interval.
pub fn figure(found: &[Validity]) -> Figure {
    let interval = found.iter().fold(f64::INFINITY, |shortest, at| shortest.min(at.interval));
    let found = || found.iter().filter(|at| at.interval == interval);
    let highest = found().flat_map(|at| &at.measured).fold(0.0_f64, |high, y| high.max(y.abs()));
    let mut figure = Figure::new(2, (480, 280));
    for at in found() {
        let title = format!(
            "Curves from the {} sweep, {} sweep: {:.0} % off",
            at.identified, at.simulated, at.measured_percent
        );
        let range = (-1.1 * highest, 1.1 * highest);
        let axes = (Axis::new("time").unit("s"), Axis::new("acceleration").unit("m/s²").range(range));
        figure = figure.panel(
            Panel::new(title, axes.0, axes.1)
                .line(Line::new("measured", GREY, over_time(&at.measured, interval)))
                .line(Line::new("identified", BLUE, over_time(&at.response, interval))),
        );
    }
    figure
}
