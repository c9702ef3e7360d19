//! Running a fit: from the state of an interrupted one, with its progress, until it is done or Ctrl-C stops it.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex};

use costate::campaign::build;
use costate::campaign::{Campaign, Multistart};
use costate::ensemble::Ensemble;
use costate::identify::Fit;

use super::outputs::Outputs;
use super::progress::Progress;
use crate::doubts;
use crate::error::CommandError;
use crate::interrupt::on_ctrl_c;
use crate::loaded::Loaded;
use crate::state::State;

/// Fits a campaign. A fit that is interrupted leaves its state, from which the next call continues.
///
/// # Errors
/// Those of the campaign and of the identification, and files that cannot be written when the fit is done.
pub fn fit(campaign: &Campaign, loaded: &Loaded, state: &State, outputs: &Outputs<'_>) -> Result<Fit, CommandError> {
    let identification = build::identification(campaign, loaded, &on_ctrl_c(), &doubts::of)?;
    outputs.check(campaign, state)?;
    if state.path.exists() {
        eprintln!("continues from `{}`", state.path.display());
    }
    match campaign.multistart {
        None => {
            let progress = Arc::new(Mutex::new(Progress::new()));
            let [of_steps, of_trials] = [0; 2].map(|_| Arc::clone(&progress));
            let identification = identification.state_file(&state.path).on_steps(move |chosen| {
                if let Ok(mut progress) = of_steps.lock() {
                    progress.say(&chosen.to_string());
                }
            });
            let identification = identification.on_trials(move |words, iteration| {
                if let Ok(mut progress) = of_trials.lock() {
                    progress.tries(words, iteration);
                }
            });
            Ok(identification.run_observed(|iteration| {
                if let Ok(mut progress) = progress.lock() {
                    progress.show(iteration);
                }
            })?)
        }
        Some(Multistart { starts, seed }) => {
            let ensemble = Ensemble::new().folder(&state.path);
            let identification = identification.progress(std::io::stderr().is_terminal());
            Ok(identification.multistart_in(&ensemble, starts, seed)?)
        }
    }
}
