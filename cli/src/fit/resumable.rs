//! Running a fit: from the state of an interrupted one, with its progress, until it is done or Ctrl-C stops it.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use costate_ensemble::Ensemble;
use costate_identify::Fit;

use super::build;
use super::campaign::Campaign;
use super::progress::Progress;
use crate::error::CommandError;
use crate::interrupt::on_ctrl_c;
use crate::loaded::Loaded;

/// The place where the state of a fit is kept.
#[derive(Debug)]
pub struct State {
    /// The file; for a multistart, a folder.
    pub path: PathBuf,
    /// True if it stays when the fit is done.
    pub stays: bool,
}

/// Fits a campaign. A fit that is interrupted leaves its state, from which the next call continues.
///
/// # Errors
/// Those of the campaign and of the identification.
pub fn fit(campaign: &Campaign, loaded: &Loaded, state: &State) -> Result<Fit, CommandError> {
    let identification = build::identification(campaign, loaded, &on_ctrl_c())?;
    if state.path.exists() {
        eprintln!("continues from `{}`", state.path.display());
    }
    let fit = match campaign.multistart {
        None => {
            let mut progress = Progress::new();
            identification.state_file(&state.path).run_observed(|iteration| progress.show(iteration))?
        }
        Some((starts, seed)) => {
            let ensemble = Ensemble::new().folder(&state.path);
            identification.progress(std::io::stderr().is_terminal()).multistart_in(&ensemble, starts, seed)?
        }
    };
    if !state.stays {
        remove(&state.path);
    }
    Ok(fit)
}

/// Removes a state that is no longer needed. One that cannot be removed does no harm.
pub fn remove(path: &Path) {
    if path.is_dir() {
        let logs = std::fs::read_dir(path).into_iter().flatten().flatten();
        for log in logs.map(|entry| entry.path()).filter(|path| is_of_ensemble(path)) {
            let _ = std::fs::remove_file(log);
        }
        // a folder with files of others stays
        let _ = std::fs::remove_dir(path);
        return;
    }
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    let _ = std::fs::remove_file(path);
    let _ = std::fs::remove_file(lock);
}

/// Checks whether a file of a folder of logs was written by an ensemble.
fn is_of_ensemble(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == "tasks.lock"
        || name.starts_with("tasks-") && (name.ends_with(".log") || name.ends_with(".progress"))
}
