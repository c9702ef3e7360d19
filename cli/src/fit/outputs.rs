//! The files of a fit: checked before the fit begins, and written when its result is known.

use std::io;
use std::path::{Path, PathBuf};

use costate::campaign::Campaign;
use costate::campaign::files::{Kind, holds_other};
use costate_compiler::FileError;

use crate::error::CommandError;
use crate::options::check_ending;
use crate::output;
use crate::state::State;

/// The pages and pictures of a fit.
#[derive(Debug, Default)]
pub struct Outputs<'o> {
    /// One of the options, whose folder has to exist.
    pub given: Option<&'o Path>,
    /// One of the campaign, whose folder is made.
    pub of_campaign: Option<&'o Path>,
}

impl Outputs<'_> {
    /// Refuses what could not be written when the fit is done, and what would replace a file that was read.
    ///
    /// # Errors
    /// Those of [`output::check`].
    pub fn check(&self, campaign: &Campaign, state: &State) -> Result<(), CommandError> {
        let refused = |path: &Path| {
            let path = path.to_owned();
            move |source| FileError::Unwritable { path, source }
        };
        let folder_of = |path: &Path| -> PathBuf {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            folder.unwrap_or(Path::new(".")).to_owned()
        };
        let with_folder = self.of_campaign.filter(|path| folder_of(path).is_dir());
        let is_file = campaign.multistart.is_none();
        let state_file = is_file.then_some(state.path.as_path());
        output::check(self.given.into_iter().chain(with_folder).chain(state_file))?;
        check_ending(self.given, &[".html", ".htm", ".svg"])?;
        if let (Some(path), None) = (self.of_campaign, with_folder) {
            costate::command::files::check_folder(folder_of(path)).map_err(refused(path))?;
        }
        if !state.stays && state.path.is_symlink() {
            let link = io::Error::other("it is a link; move it away, or name another file by `--state FILE`");
            return Err(refused(&state.path)(link).into());
        }
        if !is_file {
            costate::command::files::check_folder(&state.path).map_err(refused(&state.path))?;
        }
        if let Some(folder) = &campaign.output.folder {
            costate::command::files::check_folder(folder).map_err(refused(folder))?;
            inputs_in(folder, campaign)?;
        }
        if campaign.output.write_defaults {
            costate::command::files::check(&campaign.model.file).map_err(refused(&campaign.model.file))?;
        }
        Ok(())
    }
}

/// Refuses a folder of results in which one of the files that have been read has the name of a result.
fn inputs_in(folder: &Path, campaign: &Campaign) -> Result<(), CommandError> {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(".csv") else { continue };
        let is_of = |what: &str| stem.strip_suffix(what).is_some_and(|of| of.is_empty() || of.ends_with(' '));
        let of_table = campaign.tables.iter().filter(|table| table.value.unknown.is_some());
        let is_table = of_table
            .map(|table| &table.name.value)
            .any(|table| stem.strip_prefix(table.as_str()).is_some_and(|rest| matches!(rest, "" | " bands")));
        let is_result = stem == "parameters" || is_table || is_of("run") || is_of("inputs");
        if is_result || stem.starts_with("residuals of ") || stem.contains(" residuals of ") {
            output::not_an_input(&entry.path())?;
        }
    }
    Ok(())
}

/// Refuses to replace a file of the folder of results that has been read, that lies elsewhere, or that holds something
/// else.
///
/// # Errors
/// The reason.
pub fn may_replace(path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let why = if costate::command::files::was_read(path) {
        "it is read by this command"
    } else if !costate::command::files::resolved(path).starts_with(costate::command::files::resolved(folder)) {
        "it is a link to another folder"
    } else if holds_other(path, Kind::by_ending(path)) {
        "it holds something else"
    } else {
        return Ok(());
    };
    Err(io::Error::other(format!("{why}; choose another folder for the results")))
}
