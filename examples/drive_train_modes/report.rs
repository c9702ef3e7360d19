//! The results in words and numbers.

use std::fmt::Write;

use anyhow::Result;
use costate::Fit;
use costate::identify::IdentificationCheck;
use costate::vibration::{Equilibrium, ModeKind, Modes};
use costate_examples::{Summary, true_value};
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
    let _ = writeln!(text, "Who holds the energy?\n");
    let _ = writeln!(text, "  mode  potential energy                   lost in");
    for mode in 0..modes.len() {
        let potential = energies.largest(mode, |share| share.potential);
        let _ = writeln!(text, "  {:4}  {potential:33}  {}", mode + 1, energies.largest(mode, |share| share.lost));
    }
    text
}

/// Describes how natural frequencies change with the angle of the crank, and what poles of the turning engine are.
pub fn over_angle(campbell: &Campbell) -> String {
    let mut text = String::from(
        "In motion the inertia of the crank mechanisms changes with the angle: there is no steady motion about which \
             the engine is linear. The\n\
         poles are those of linear models at 24 angles of a revolution, each as if the engine stayed there. Their \
         mean is the Floquet exponent to\n\
         first order in the change of inertia. Parametric resonances are not in it.\n\n  \
         mode  mean at rest    from      to Hz  damping   mean over the speed\n",
    );
    for branch in &campbell.branches {
        let Revolution { mean, lowest, highest, damping } = branch.at_rest;
        let _ = write!(
            text,
            "  {:4}  {mean:9.2} Hz  {lowest:7.1}  {highest:6.1}  {:6.2} %   ",
            branch.mode,
            100.0 * damping
        );
        let known = || branch.over_speed.iter().flatten().map(|here| here.mean);
        let (least, most) =
            known().fold((f64::INFINITY, 0.0_f64), |(least, most), mean| (least.min(mean), most.max(mean)));
        let _ = write!(text, "{least:.2} to {most:.2} Hz");
        let places = branch.over_speed.iter().zip(&campbell.speeds);
        if let Some(last) = places.clone().filter(|(here, _)| here.is_some()).map(|(_, speed)| speed).next_back()
            && places.clone().any(|(here, _)| here.is_none())
        {
            let _ = write!(text, ", up to {last:.0} rpm: above, it does not oscillate at every angle");
        }
        text.push('\n');
    }
    text
}

/// Lists the speeds at which orders meet natural frequencies.
pub fn crossings(campbell: &Campbell) -> String {
    let (first, last) = (campbell.speeds.first(), campbell.speeds.last());
    let range = |speed: Option<&f64>| speed.copied().unwrap_or_default();
    let mut text = format!(
        "Speeds in rpm at which an order of the engine meets a natural frequency, from {:.0} to {:.0} rpm:\n\n  mode",
        range(first),
        range(last)
    );
    for order in ORDERS {
        let _ = write!(text, "  {:>9}", format!("order {order}"));
    }
    for branch in &campbell.branches {
        let of_mode = || campbell.crossings.iter().filter(|crossing| crossing.mode == branch.mode);
        if of_mode().next().is_none() {
            continue;
        }
        let _ = write!(text, "\n  {:4}", branch.mode);
        for order in ORDERS {
            let speed = of_mode().find(|crossing| crossing.order == order);
            let speed = speed.map_or("-".to_owned(), |crossing| format!("{:.0}", crossing.speed));
            let _ = write!(text, "  {speed:>9}");
        }
    }
    text + "\n"
}

/// Describes the modal test, and what it can tell.
pub fn test(test: &ModalTest, check: &IdentificationCheck, options: &Options) -> String {
    let mut text = format!(
        "Modal test at rest: {} frequencies with errors of {} %, damping ratios with {} %, seed {}, modes paired by \
             their shapes.\n\
         What would it tell of all springs and dampers at once?\n\n{check}\n\n",
        test.frequencies.len(),
        100.0 * options.noise,
        100.0 * options.damping_noise,
        options.seed
    );
    let kept = ALL.iter().filter(|parameter| !UNKNOWN.contains(parameter));
    let kept = kept.map(|parameter| format!("`{}`", parameter.name())).collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        text,
        "The springs and dampers of the vibration damper act mainly on modes 3 and 4, and on motions that do not \
             oscillate, which nobody measures:\n\
         five unknowns for four numbers. The fit keeps {kept} at the values of the data sheet, which are the true \
         ones here, and finds the other {}.",
        UNKNOWN.len()
    );
    text
}

/// Describes the distances of the found parameters from the true ones, and the damper that was not identified.
pub fn comparison(fit: &Fit<FourCylinderEngine>, truth: &FourCylinderEngine, test: &ModalTest) -> Result<String> {
    let mut text = format!(
        "{:9}  {:5}  {:>10}  {:>8}  {:>10}  {:>14}  {:>20}",
        "parameter", "unit", "true value", "start", "found", "found/true - 1", "error/std. deviation"
    );
    for fitted in &fit.summary().parameters {
        let value = true_value(fitted, truth)?;
        let error = fitted.found - value;
        let (name, unit, start, found) = (&fitted.name, fitted.unit, fitted.start, fitted.found);
        write!(
            text,
            "\n{name:9}  {unit:5}  {value:>10}  {start:>8}  {found:>10.5}  {:>14.1e}  {:>20.2}",
            error / value,
            error / fitted.standard_deviation
        )?;
    }
    let (frequencies, _) = test.predicted(fit.model())?;
    let worst = frequencies.iter().zip(&test.frequencies).map(|(found, measured)| (found / measured - 1.0).abs());
    let worst = worst.fold(0.0, f64::max);
    writeln!(text, "\n\nlargest difference of a frequency from the measured one: {:.2e} of it", worst)?;
    Ok(text)
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
