//! Information and comparisons as tables.

use std::fmt;

use crate::causes::with_causes;
use crate::identification::{significant, write_columns};
use crate::model::Model;

use super::comparison::SensorComparison;
use super::information::Information;
use super::informed::InformedParameter;
use super::repetitions::Repetitions;

impl<M: Model> fmt::Display for Information<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: rank {} of {}", M::DESCRIPTION.name, self.rank(), self.parameters().len())?;
        let correlation = self.correlation();
        let mut lines: Vec<Vec<String>> = vec![
            ["parameter", "value", "std. deviation", "relative", "correlation"].map(str::to_owned).into(),
        ];
        let deviations = self.standard_deviations().into_iter().zip(self.relative_deviations());
        for (j, (known, (deviation, relative))) in self.parameters().iter().zip(deviations).enumerate() {
            let row = (0..=j).map(|k| format!("{:6.2}", correlation[(j, k)])).collect::<Vec<_>>();
            lines.push(vec![
                labelled(known),
                significant(known.value, 6),
                significant(deviation, 3),
                significant(relative, 3),
                row.join(" "),
            ]);
        }
        write_columns(f, &lines)?;
        let undetermined = self.undetermined();
        for combination in &undetermined {
            write!(f, "\n{combination} is not determined (relative changes)")?;
        }
        if undetermined.is_empty() {
            let weakest = self.weakest();
            let deviation = significant(weakest.standard_deviation(), 3);
            write!(f, "\nleast is known of {weakest} (relative changes): std. deviation {deviation}")?;
        }
        Ok(())
    }
}

impl<M: Model> fmt::Display for SensorComparison<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut headings = vec!["sensors".to_owned(), "rank".to_owned(), self.criterion().to_string()];
        let known = self
            .sets()
            .iter()
            .flat_map(|set| set.information.parameters())
            .take(self.sets().first().map_or(0, |set| set.information.parameters().len()));
        headings.extend(known.map(|known| known.name().to_owned()));
        headings.push("least known".to_owned());
        let mut lines = vec![headings];
        for set in self.sets() {
            let mut cells =
                vec![set.name.clone(), set.information.rank().to_string(), significant(set.cost, 4)];
            cells.extend(set.information.relative_deviations().iter().map(|value| significant(*value, 3)));
            cells.push(set.information.weakest().to_string());
            lines.push(cells);
        }
        writeln!(f, "{}: relative standard deviations", M::DESCRIPTION.name)?;
        write_columns(f, &lines)
    }
}

impl<M: Model> fmt::Display for Repetitions<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, failed) = (self.estimates().count(), self.failures().count());
        let model = M::DESCRIPTION.name;
        writeln!(f, "{model}: {count} repetitions with a result, {failed} without")?;
        let headings = ["parameter", "value", "mean", "std. deviation", "bound", "deviation/bound"];
        let mut lines: Vec<Vec<String>> = vec![headings.map(str::to_owned).into()];
        let (means, bounds) = (self.means(), self.information().standard_deviations());
        let uncertainty = self.uncertainty_of_deviations();
        for (k, deviation) in self.standard_deviations().into_iter().enumerate() {
            let known = &self.information().parameters()[k];
            let ratio = deviation / bounds[k];
            lines.push(vec![
                labelled(known),
                significant(known.value, 6),
                significant(means[k], 6),
                significant(deviation, 3),
                significant(bounds[k], 3),
                format!("{ratio:.3} +- {:.3}", ratio * uncertainty),
            ]);
        }
        write_columns(f, &lines)?;
        for (number, error) in self.failures() {
            write!(f, "\nrepetition {number} failed: {}", with_causes(error))?;
        }
        Ok(())
    }
}

fn labelled<M: Model>(known: &InformedParameter<M>) -> String {
    match known.parameter.quantity().unit {
        "1" => known.name().to_owned(),
        unit => format!("{} [{unit}]", known.name()),
    }
}
