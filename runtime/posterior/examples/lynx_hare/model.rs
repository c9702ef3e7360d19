//! Lynx and hare, 1900 to 1920: the posterior `hudson_lynx_hare-lotka_volterra` of posteriordb.

use costate::identify::{Prior, UnknownParameter};
use costate::{Identification, Record, Simulation, model};
use costate_posterior::Posterior;

/// Pelts in thousands, year by year from 1900 on (Hewitt 1921, as collected by Howard).
pub const HARE: [f64; 21] = [
    30.0, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22.0, 25.4, 27.1, 40.3, 57.0, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6,
    16.2, 24.7,
];

/// Pelts in thousands, year by year from 1900 on, as for `HARE`.
pub const LYNX: [f64; 21] = [
    4.0, 6.1, 9.8, 35.2, 59.4, 41.7, 19.0, 13.0, 8.3, 9.1, 7.4, 8.0, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6,
];

model! {
    /// The equations of Lotka and Volterra for prey u and predator v in their logarithms; a second stands for a
    /// year. Coordinates without mass have first-order equations: the sum of their forces is zero, and the unit
    /// of these forces is a free choice.
    pub LynxHare {
        parameters {
            /// Growth of the prey.
            alpha: 1/s = 0.6,
            /// Loss of prey per predator.
            beta: 1/s = 0.03,
            /// Decay of the predators.
            gamma: 1/s = 0.8,
            /// Growth of the predators per prey.
            delta: 1/s = 0.025,
            /// Prey at the start.
            hare: 1 = 30,
            /// Predators at the start.
            lynx: 1 = 5
        }
        coordinates { u: 1, v: 1 }
        mass {}
        forces {
            u: 1[kg*m^2/s]*(alpha - beta*exp(v) - dot(u)),
            v: 1[kg*m^2/s]*(delta*exp(u) - gamma - dot(v))
        }
        initial { u = ln(hare), v = ln(lynx) }
        outputs { log_hare: 1 = u, log_lynx: 1 = v }
    }
}

/// Makes a record of the logarithms of the counts.
pub fn record() -> anyhow::Result<Record> {
    let logarithms = |counted: [f64; 21]| counted.iter().map(|x| x.ln()).collect();
    let times = (0..21).map(f64::from).collect();
    Ok(Record::new(times)?.with_channel("log_hare", Some("1"), logarithms(HARE))?.with_channel(
        "log_lynx",
        Some("1"),
        logarithms(LYNX),
    )?)
}

/// Sets up the unknowns with the priors of posteriordb, in steps of `step` years.
pub fn identification(record: &Record, step: f64) -> Identification<LynxHare> {
    let rate = Prior::Normal { mean: 1.0, standard_deviation: 0.5 };
    let interaction = Prior::Normal { mean: 0.05, standard_deviation: 0.05 };
    let start = Prior::LogNormal { median: 10.0, log_deviation: 1.0 };
    Identification::new(&Simulation::new(&LynxHare::default()).step(step))
        .unknown(
            [LynxHare::ALPHA, LynxHare::BETA, LynxHare::GAMMA, LynxHare::DELTA]
                .map(|rate| UnknownParameter::from(rate).logarithmic()),
        )
        .unknown([LynxHare::HARE, LynxHare::LYNX])
        .measured(LynxHare::LOG_HARE, record)
        .measured(LynxHare::LOG_LYNX, record)
        .prior(LynxHare::ALPHA, rate)
        .prior(LynxHare::BETA, interaction)
        .prior(LynxHare::GAMMA, rate)
        .prior(LynxHare::DELTA, interaction)
        .prior(LynxHare::HARE, start)
        .prior(LynxHare::LYNX, start)
}

/// Prior of the standard deviations of the logarithms.
pub const DEVIATION: Prior = Prior::LogNormal { median: 0.36787944117144233, log_deviation: 1.0 };

/// Sets up the posterior, with chains that begin around the fit.
pub fn posterior(record: &Record, step: f64) -> anyhow::Result<Posterior> {
    let fit = identification(record, step).run()?;
    let posterior = Posterior::of(identification(record, step))?.deviation_prior(LynxHare::LOG_HARE, DEVIATION)?;
    Ok(posterior.deviation_prior(LynxHare::LOG_LYNX, DEVIATION)?.from_fit(&fit)?)
}
