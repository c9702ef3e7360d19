//! Fits to other data as tables.

use std::fmt;

use super::definition::digits::significant;
use super::resampling::{Bootstrap, LeaveOneOut};
use super::result::columns::write_columns;

impl fmt::Display for Bootstrap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings = ["unknown", "bootstrap std. deviation", "that of the fit", "95 % from", "to"];
        let mut lines = vec![headings.map(str::to_owned).to_vec()];
        let deviations = self.standard_deviations.iter().zip(&self.of_fit);
        for ((name, [lower, upper]), (own, of_fit)) in self.unknowns.iter().zip(&self.intervals).zip(deviations) {
            let cells = [significant(*own, 2), significant(*of_fit, 2), significant(*lower, 5), significant(*upper, 5)];
            lines.push([name.clone()].into_iter().chain(cells).collect());
        }
        write_columns(f, &lines)?;
        write!(f, "\n{} repetitions, {} failed", self.found.len() + self.failed.len(), self.failed.len())?;
        match self.failed.first() {
            Some(first) => write!(f, ", the first one: {first}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for LeaveOneOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings = ["left out", "output", "fit in %", "largest change in std. deviations", "of"];
        let mut lines = vec![headings.map(str::to_owned).to_vec()];
        for left_out in &self.left_out {
            let changes = left_out.changes.iter().zip(&self.unknowns);
            let largest = changes.max_by(|(a, _), (b, _)| a.abs().total_cmp(&b.abs()));
            let (change, name) = largest.map_or((f64::NAN, ""), |(change, name)| (*change, name.as_str()));
            for measured in &left_out.validation.measurements {
                lines.push(vec![
                    left_out.validation.experiment.clone(),
                    measured.output.to_owned(),
                    measured.fit_percent.map_or("-".to_owned(), |percent| format!("{percent:.1}")),
                    format!("{change:.1}"),
                    name.to_owned(),
                ]);
            }
            for predicted in &left_out.validation.predictions {
                lines.push(vec![
                    left_out.validation.experiment.clone(),
                    predicted.group.clone(),
                    predicted.fit_percent.map_or("-".to_owned(), |percent| format!("{percent:.1}")),
                    format!("{change:.1}"),
                    name.to_owned(),
                ]);
            }
            if let Some(failed) = &left_out.validation.failed {
                let dash = || "-".to_owned();
                lines.push(vec![left_out.validation.experiment.clone(), dash(), dash(), dash(), failed.clone()]);
            }
        }
        write_columns(f, &lines)
    }
}
