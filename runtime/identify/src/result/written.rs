//! Writing a fit to files.

use std::fs;
use std::path::{Path, PathBuf};

use costate_measure::record::{Record, RecordError};
use costate_view::plot::PlotError;

use super::fit::Fit;
use super::fitted_experiment::{ExperimentResult, FittedExperiment};
use super::summary::{FitSummary, FittedPrediction};

/// The error of a fit that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitFileError {
    /// A folder or file cannot be written.
    #[error("`{}` cannot be written", .path.display())]
    Write {
        /// Path of the file or folder.
        path: PathBuf,
        /// The reason.
        #[source]
        source: std::io::Error,
    },
    /// A figure cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A run or residuals that cannot be a record, as for an output that is infinite.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl<M> Fit<M> {
    /// Writes all results of the fit into a folder, which is made if it does not exist: `fit.json`, the
    /// [`FitSummary`]; `parameters.csv`, all unknowns with their deviations; for every experiment its run, `sweep
    /// run.csv`, its inputs, `sweep inputs.csv`, and measured and fitted values, `sweep residuals of
    /// acceleration.csv`. For every group of a prediction there are measured and fitted numbers, `modes_ natural
    /// frequencies.csv`. For every unknown table there are its values, `damper.csv`, which a model reads, and their
    /// uncertainty, `damper bands.csv`. Files of the same names are replaced. Returns the paths.
    ///
    /// # Errors
    /// [`FitFileError`].
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>, FitFileError> {
        self.write_where(folder, &|_| Ok(()))
    }

    /// Writes as [`write`](Self::write) does, and asks before each file whether it may be replaced.
    #[doc(hidden)]
    pub fn write_where(
        &self,
        folder: impl AsRef<Path>,
        may_replace: &dyn Fn(&Path) -> std::io::Result<()>,
    ) -> Result<Vec<PathBuf>, FitFileError> {
        let experiments: Vec<_> = self.experiments().iter().map(FittedExperiment::result).collect();
        write(folder.as_ref(), self.summary(), &experiments, may_replace)
    }
}

/// Writes a fit into a folder.
fn write(
    folder: &Path,
    summary: &FitSummary,
    experiments: &[&ExperimentResult],
    may_replace: &dyn Fn(&Path) -> std::io::Result<()>,
) -> Result<Vec<PathBuf>, FitFileError> {
    let failed = |path: &Path, source| FitFileError::Write { path: path.to_owned(), source };
    fs::create_dir_all(folder).map_err(|source| failed(folder, source))?;
    let json = serde_json::to_string_pretty(summary).map_err(std::io::Error::from);
    let json = json.map_err(|source| failed(&folder.join("fit.json"), source))?;
    let new = |name: String| {
        let path = folder.join(name);
        may_replace(&path).map_err(|source| failed(&path, source)).map(|()| path)
    };
    let mut paths = Vec::new();
    for (name, text) in [("fit.json", json), ("parameters.csv", summary.parameters_csv())] {
        let path = new(name.to_owned())?;
        costate_contract::files::write(&path, text).map_err(|source| failed(&path, source))?;
        paths.push(path);
    }
    for table in &summary.tables {
        let name = as_file_name(table.table);
        for (name, text) in [(format!("{name}.csv"), table.csv()), (format!("{name} bands.csv"), table.bands_csv())] {
            let path = new(name)?;
            costate_contract::files::write(&path, text).map_err(|source| failed(&path, source))?;
            paths.push(path);
        }
    }
    let numbers = file_names(
        summary.predictions.iter().map(FittedPrediction::file_name).collect::<Vec<_>>().iter().map(|name| &name[..]),
    );
    for (predicted, name) in summary.predictions.iter().zip(numbers) {
        let path = new(format!("{name}.csv"))?;
        costate_contract::files::write(&path, predicted.csv()).map_err(|source| failed(&path, source))?;
        paths.push(path);
    }
    let names = file_names(experiments.iter().map(|experiment| &experiment.name[..]));
    for (experiment, name) in experiments.iter().zip(names) {
        let mut write = |what: String, record: Record| -> Result<(), FitFileError> {
            let path = new(format!("{name} {what}.csv").trim_start().to_owned())?;
            record.write_csv(&path)?;
            paths.push(path);
            Ok(())
        };
        write("run".to_owned(), experiment.run()?)?;
        if experiment.has_inputs() {
            write("inputs".to_owned(), experiment.inputs()?)?;
        }
        for (output, residuals) in experiment.all_residuals() {
            write(format!("residuals of {}", as_file_name(output)), residuals?)?;
        }
    }
    Ok(paths)
}

impl FitSummary {
    /// Returns all unknowns as comma separated text: name, unit, start, found value and standard deviation, every
    /// number with the fewest digits that give the same bits.
    pub fn parameters_csv(&self) -> String {
        let mut text = String::from("name,unit,start,found,standard deviation\n");
        for fitted in &self.parameters {
            let name = fitted.name.replace('"', "\"\"");
            text += &format!(
                "\"{name}\",{},{},{},{}\n",
                fitted.unit, fitted.start, fitted.found, fitted.standard_deviation
            );
        }
        text
    }
}

impl FittedPrediction {
    fn file_name(&self) -> String {
        let experiment = self.experiment.iter().map(|name| format!("{name} ")).collect::<String>();
        format!("{experiment}{}", self.name())
    }

    /// Returns the numbers as comma separated text: abscissa, measured number with its standard deviation, numbers at
    /// the start and at the end, every number with the fewest digits that give the same bits; a number that is not
    /// known is empty.
    fn csv(&self) -> String {
        let heading = |name: &str, unit: &str| {
            let text = if unit == "1" { name.to_owned() } else { format!("{name} [{unit}]") };
            format!("\"{}\"", text.replace('"', "\"\""))
        };
        let names = ["measured", "standard deviation", "start", "fitted"];
        let mut headings = vec![heading(&self.abscissa, &self.abscissa_unit)];
        headings.extend(names.map(|name| heading(name, &self.unit)));
        let mut text = headings.join(",") + "\n";
        let columns = [&self.places, &self.measured, &self.standard_deviations, &self.start, &self.fitted];
        for row in 0..self.places.len() {
            let cells = columns.map(|column| column.get(row).map_or(String::new(), f64::to_string));
            text += &(cells.join(",") + "\n");
        }
        text
    }
}

/// Replaces characters of a name that file systems do not accept.
fn as_file_name(name: &str) -> String {
    let allowed = |character: char| match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        character if character.is_control() => '_',
        character => character,
    };
    name.chars().map(allowed).collect()
}

/// Returns distinct file names for experiments, which also differ on file systems that ignore case.
fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut given: Vec<String> = Vec::new();
    for name in names {
        let own = as_file_name(name);
        let is_given = |wanted: &String| given.iter().any(|other| other.to_lowercase() == wanted.to_lowercase());
        let mut wanted = own.clone();
        let mut number = given.len() + 1;
        while is_given(&wanted) {
            wanted = format!("{own} {number}");
            number += 1;
        }
        given.push(wanted);
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_has_files_of_its_own() {
        let names = file_names(["A", "a", "A 2", "b/c", "b:c", "a"].into_iter());
        assert_eq!(names, ["A", "a 2", "A 2 3", "b_c", "b_c 5", "a 6"]);
    }
}
