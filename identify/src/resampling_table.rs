//! Fits to other data as tables.

use std::fmt;

use super::resampling::{BootstrapFit, LeaveOneOut};
use super::result::table::write_columns;
use super::said::digits::significant;

impl<M> fmt::Display for BootstrapFit<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.fit)?;
        let headings = ["bootstrap", "std. deviation", "of the fit", "95 % from", "to"];
        let mut lines = vec![headings.map(str::to_owned).to_vec()];
        for (k, unknown) in self.fit.summary().parameters.iter().enumerate() {
            let [lower, upper] = self.intervals[k].map(|end| significant(end, 5));
            let deviations = [self.standard_deviations[k], unknown.standard_deviation];
            let [own, of_fit] = deviations.map(|deviation| significant(deviation, 2));
            lines.push(vec![unknown.name.clone(), own, of_fit, lower, upper]);
        }
        write_columns(f, &lines)?;
        write!(f, "\n{} repetitions, {} failed", self.found.len() + self.failed.len(), self.failed.len())?;
        match self.failed.first() {
            Some(first) => write!(f, ", the first one: {first}"),
            None => Ok(()),
        }
    }
}

impl<M> fmt::Display for LeaveOneOut<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.fit)?;
        let headings = ["left out", "output", "fit in %", "largest change in std. deviations", "of"];
        let mut lines = vec![headings.map(str::to_owned).to_vec()];
        for left_out in &self.left_out {
            let parameters = self.fit.summary().parameters.iter();
            let changes = left_out.changes.iter().zip(parameters);
            let largest = changes.max_by(|(a, _), (b, _)| a.abs().total_cmp(&b.abs()));
            let (change, name) = largest.map_or((f64::NAN, ""), |(change, unknown)| (*change, &unknown.name));
            for measured in &left_out.validation.measurements {
                lines.push(vec![
                    left_out.validation.experiment.clone(),
                    measured.output.to_owned(),
                    measured.fit_percent.map_or("-".to_owned(), |percent| format!("{percent:.1}")),
                    format!("{change:.1}"),
                    name.to_owned(),
                ]);
            }
            if let Some(failed) = &left_out.validation.failed {
                let dash = || "-".to_owned();
                lines.push(vec![
                    left_out.validation.experiment.clone(),
                    dash(),
                    dash(),
                    dash(),
                    failed.clone(),
                ]);
            }
        }
        write_columns(f, &lines)
    }
}
