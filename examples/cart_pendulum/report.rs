//! Text output of the program.

use std::fmt::Write;

use anyhow::Result;
use costate::identify::FittedParameter;
use costate_examples::true_value;
use costate_models::CartPendulum;

use crate::experiment::Domain;
use crate::study::Study;

/// Returns the heading.
pub fn heading() -> String {
    "Cart with a triple pendulum: identification of c_f and d_f from the angle phi_1 of the first rod\n".to_owned()
}

/// Describes an identification: the compared data, the result, and its distance from the true and the published values.
pub fn study(study: &Study) -> Result<String> {
    let (experiment, fit) = (study.experiment, &study.fit);
    let mut text = format!("--- {}: {}\n", experiment.key, experiment.title);
    match experiment.domain {
        Domain::Band(low, high) => {
            writeln!(text, "compared: squared amplitudes of the spectral lines from {low} to {high} Hz")?
        }
        Domain::Time if experiment.noise == 0.0 => writeln!(text, "compared: values at all times, without noise")?,
        Domain::Time => writeln!(text, "compared: values at all times, {} % noise", 100.0 * experiment.noise)?,
    }
    let (model, truth) = (experiment.start(), experiment.truth());
    writeln!(text, "d_c: {} N s/m in the measured system, {} N s/m in the model\n{fit}\n", truth.d_c, model.d_c)?;
    write!(text, "parameter  true value  {:>12}  published  found/true - 1", "found")?;
    for (k, fitted) in fit.summary().parameters.iter().enumerate() {
        let published = experiment.published.map_or("-".to_owned(), |values| values[k].to_string());
        let (name, value, found) = (&fitted.name, true_value(fitted, &truth)?, fitted.found);
        let error = found / value - 1.0;
        write!(text, "\n{name:9}  {value:>10}  {found:>12.8}  {published:>9}  {error:>14.1e}")?;
    }
    Ok(text + "\n")
}

/// Describes the effect of the wrong damping of the cart on d_f, in frequency and in time.
pub fn comparison(studies: &[Study]) -> Result<String> {
    let mut text = String::from("Relative error of d_f if the cart's damping is assumed wrongly:\n");
    let (mut in_band, mut in_time) = (0.0_f64, 0.0_f64);
    for study in studies.iter().filter(|study| study.experiment.wrong_cart) {
        let Some(d_f) = study.fit.parameter(CartPendulum::D_F) else { continue };
        let from = match study.experiment.domain {
            Domain::Band(low, high) => format!("the spectrum from {low} to {high} Hz"),
            Domain::Time => "the trajectory".to_owned(),
        };
        let off = distance(d_f, &study.experiment.truth())?;
        match study.experiment.domain {
            Domain::Band(..) => in_band = in_band.max(off),
            Domain::Time => in_time = in_time.max(off),
        }
        writeln!(text, "  {:>5.1} %  from {from}", 100.0 * off)?;
    }
    text += "The cart's damping acts on the rigid body mode at 0.17 Hz, which dominates the trajectory and which the \
         band leaves out:\n";
    text += match in_band < in_time {
        true => "in time c_f and d_f make up for it as well as they can, and the band is nearer to the truth.\n",
        false => "here the band is no nearer to the truth for that.\n",
    };
    Ok(text)
}

/// Computes the relative distance from the true value.
fn distance(fitted: &FittedParameter, truth: &CartPendulum) -> Result<f64> {
    Ok((fitted.found / true_value(fitted, truth)? - 1.0).abs())
}
