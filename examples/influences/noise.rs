//! Noise on the sensor and on the acceleration of the base (KE 3.4.1, figure 3.22): the additive force of KE 3.1.1.

use anyhow::Result;
use costate::restoring_force::{APriori, Exponents, RestoringForceIdentification, RestoringForceModel};
use costate_examples::add_noise;
use costate_models::restoring_force::{INTERVAL, MASS, NOISE, cases};
use serde::Serialize;

use crate::force::{Errors, FILTERS, Filter, known};

/// The signal with more or less noise, by itself or, on the base, with 5 % on the sensor; the thesis does not say
/// which of both it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    Sensor,
    Base,
    BaseBesideSensor,
}

impl Signal {
    pub const ALL: [Self; 3] = [Self::Sensor, Self::Base, Self::BaseBesideSensor];

    pub fn name(self) -> &'static str {
        match self {
            Self::Sensor => "sensor",
            Self::Base => "base",
            Self::BaseBesideSensor => "base, 5 % on sensor",
        }
    }
}

/// The errors of a filter with this noise.
#[derive(Debug, Clone, Serialize)]
pub struct Point {
    pub signal: Signal,
    pub filter: &'static str,
    pub noise: f64,
    /// e_RMS% of the sum of both curves, and of the surface.
    pub additive_percent: Option<f64>,
    pub coupled_percent: Option<f64>,
}

/// Every filter with every noise on every signal.
pub fn study(noise: &[f64], seeds: u64) -> Result<Vec<Point>> {
    let case = &cases::ADDITIVE;
    let motion = (case.simulate)(case.sweep)?;
    let (stiffness, damping) = case.a_priori;
    let mut points = Vec::new();
    for signal in Signal::ALL {
        for filter in FILTERS {
            let model = RestoringForceModel::on_moving_base(MASS)?.with_scale(cases::SCALE)?;
            let expected = vec![APriori { stiffness, damping }];
            let identification = RestoringForceIdentification::new(model, INTERVAL, expected)?
                .lowest_stiffness(&[case.lowest_stiffness])?
                .method(filter.method())
                .exponents(match filter {
                    Filter::Extended => Exponents::new(3.0, 1.0),
                    Filter::Unscented => Exponents::new(2.0, 1.0),
                });
            for &noise in noise {
                let mut all = Vec::new();
                for seed in 1..=seeds {
                    let (mut base, mut measured) = (motion.base.clone(), motion.accelerations.clone());
                    let [of_sensor, of_base] = match signal {
                        Signal::Sensor => [noise, 0.0],
                        Signal::Base => [0.0, noise],
                        Signal::BaseBesideSensor => [NOISE, noise],
                    };
                    add_noise(&mut measured, of_sensor, seed)?;
                    add_noise(&mut base, of_base, seed + 1000)?;
                    let forces = identification.run(&base, &measured)?;
                    all.push(Errors::of(&forces, case.force, &motion));
                }
                let Errors { additive, coupled } = Errors::median(&all);
                points.push(Point {
                    signal,
                    filter: filter.name(),
                    noise,
                    additive_percent: known(additive),
                    coupled_percent: known(coupled),
                });
            }
        }
    }
    Ok(points)
}
