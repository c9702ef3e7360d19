//! The results in words and numbers.

use anyhow::Result;
use costate::Fit;
use costate::identify::IdentificationCheck;
use costate::vibration::{EnergyShares, Equilibrium, ModeKind, Modes};
use costate_examples::{Summary, Table, extent};
use costate_models::FourCylinderEngine;
use serde::Serialize;

use crate::campbell::{Campbell, Crossing, ORDERS, Revolution};
use crate::energies::Energies;
use crate::modal_test::{ALL, ModalTest, UNKNOWN};
use crate::options::Options;

/// Describes the position of rest and its modes.
pub fn at_rest(rest: &Equilibrium, modes: &Modes, energies: &Energies, angle: f64) -> String {
    let mut text = format!(
        "Four-cylinder engine with a torsional vibration damper, without gas: at rest, the crank at {angle} degrees\n\n\
         equilibrium  twist of the shaft {:.1e} rad, {}\n\n{modes}\n",
        rest.output(FourCylinderEngine::TWIST),
        if rest.is_stable() { "stable" } else { "unstable" },
    );
    let table = (0..modes.len()).fold(Table::new(["mode", "potential energy", "lost in"]), |table, mode| {
        let [potential, lost] = [|share: &EnergyShares| share.potential, |share: &EnergyShares| share.lost]
            .map(|number| energies.largest(mode, number));
        table.row([(mode + 1).to_string(), potential, lost])
    });
    text += &format!("Shares of energies\n\n{table}");
    text
}

/// Describes how natural frequencies change with the angle of the crank, and what poles of the turning engine are.
pub fn over_angle(campbell: &Campbell) -> String {
    let headings = ["mode", "mean at rest in Hz", "from", "to", "damping", "mean over the speed"];
    let table = campbell.branches.iter().fold(Table::new(headings), |table, branch| {
        let Revolution { mean, lowest, highest, damping } = branch.at_rest;
        let known: Vec<f64> = branch.over_speed.iter().flatten().map(|here| here.mean).collect();
        let [least, most] = extent(&known);
        let mut over_speed = format!("{least:.2} to {most:.2} Hz");
        let mut oscillates = branch.over_speed.iter().zip(&campbell.speeds).filter(|(here, _)| here.is_some());
        if let Some((_, last)) = oscillates.next_back()
            && known.len() < branch.over_speed.len()
        {
            over_speed += &format!(", up to {last:.0} rpm: above, it does not oscillate at every angle");
        }
        table.row([
            branch.mode.to_string(),
            format!("{mean:.2}"),
            format!("{lowest:.1}"),
            format!("{highest:.1}"),
            format!("{:.2} %", 100.0 * damping),
            over_speed,
        ])
    });
    format!(
        "In motion the inertia of the crank mechanisms changes with the angle: there is no steady motion about which \
         the engine is linear. The\npoles are those of linear models at 24 angles of a revolution, each as if the \
         engine stayed there. Their mean is the Floquet exponent to\nfirst order in the change of inertia. Parametric \
         resonances are not in it.\n\n{table}"
    )
}

/// Lists the speeds at which orders meet natural frequencies.
pub fn crossings(campbell: &Campbell) -> String {
    let headings = std::iter::once("mode".to_owned()).chain(ORDERS.map(|order| format!("order {order}")));
    let mut table = Table::new(headings);
    for branch in &campbell.branches {
        let of_mode: Vec<_> = campbell.crossings.iter().filter(|crossing| crossing.mode == branch.mode).collect();
        if of_mode.is_empty() {
            continue;
        }
        let speeds = ORDERS.map(|order| {
            let crossing = of_mode.iter().find(|crossing| crossing.order == order);
            crossing.map_or("-".to_owned(), |crossing| format!("{:.0}", crossing.speed))
        });
        table = table.row(std::iter::once(branch.mode.to_string()).chain(speeds));
    }
    let [first, last] = extent(&campbell.speeds);
    format!(
        "Speeds in rpm at which an order of the engine meets a natural frequency, from {first:.0} to {last:.0} \
         rpm:\n\n{table}"
    )
}

/// Describes the modal test, and what it determines.
pub fn test(test: &ModalTest, check: &IdentificationCheck, options: &Options) -> String {
    let kept = ALL.iter().filter(|parameter| !UNKNOWN.contains(parameter));
    let kept = kept.map(|parameter| format!("`{}`", parameter.name())).collect::<Vec<_>>().join(", ");
    format!(
        "Modal test at rest: {} frequencies with errors of {} %, damping ratios with {} %, seed {}, modes paired by \
         their shapes.\nWhat would it determine of all springs and dampers at once?\n\n{check}\n\n\
         The springs and dampers of the vibration damper act mainly on modes 3 and 4, and on motions that do not \
         oscillate, which nobody measures:\nfive unknowns for four numbers. The fit keeps {kept} at the values of the \
         data sheet, which are the true ones here, and finds the other {}.\n",
        test.frequencies.len(),
        100.0 * options.noise,
        100.0 * options.damping_noise,
        options.seed,
        UNKNOWN.len()
    )
}

/// Describes the distance of the found frequencies from the measured ones.
pub fn distance(fit: &Fit<FourCylinderEngine>, test: &ModalTest) -> Result<String> {
    let frequencies = test.predicted_frequencies(fit.model())?;
    let distances = frequencies.iter().zip(&test.frequencies).map(|(found, measured)| (found / measured - 1.0).abs());
    let worst = distances.fold(0.0, f64::max);
    Ok(format!("largest difference of a frequency from the measured one: {worst:.2e} of it\n"))
}

/// The results as numbers.
#[derive(Debug, Serialize)]
pub struct Results {
    #[serde(flatten)]
    fit: Summary,
    modes: Vec<ModeSummary>,
    /// Natural frequencies at rest over the angle of the crank.
    over_angle: Vec<Revolution>,
    crossings: Vec<Crossing>,
}

#[derive(Debug, Serialize)]
struct ModeSummary {
    oscillates: bool,
    frequency: f64,
    damping_ratio: f64,
}

impl Results {
    /// Collects the results.
    pub fn new(
        fit: &Fit<FourCylinderEngine>,
        truth: &FourCylinderEngine,
        modes: &Modes,
        campbell: &Campbell,
    ) -> Result<Self> {
        let of_mode = |mode: &costate::vibration::Mode| ModeSummary {
            oscillates: mode.kind() == ModeKind::Oscillation,
            frequency: mode.frequency(),
            damping_ratio: mode.damping_ratio(),
        };
        Ok(Self {
            fit: Summary::new(fit, Some(truth))?,
            modes: modes.all().iter().map(of_mode).collect(),
            over_angle: campbell.branches.iter().map(|branch| branch.at_rest).collect(),
            crossings: campbell.crossings.clone(),
        })
    }
}
