//! Information and comparisons as tables.

use std::fmt;

use costate_identify::{significant, write_columns};
use costate_system::causes::with_causes;

use super::comparison::SensorComparison;
use super::criterion::Criterion;
use super::information::{Fisher, Information};
use super::parameters::{InformedParameter, model_of};
use super::repetitions::{
    Repetition, Repetitions, estimates, failures, means, standard_deviations, uncertainty_of_deviations,
};

impl<M> fmt::Display for Information<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_information(f, self.fisher())
    }
}

fn write_information(f: &mut fmt::Formatter<'_>, fisher: &Fisher) -> fmt::Result {
    writeln!(f, "{}: rank {} of {}", model_of(&fisher.parameters), fisher.rank(), fisher.parameters.len())?;
    let correlation = fisher.correlation();
    let mut lines: Vec<Vec<String>> =
        vec![["parameter", "value", "std. deviation", "relative", "correlation"].map(str::to_owned).into()];
    let deviations = fisher.standard_deviations().into_iter().zip(fisher.relative_deviations());
    for (j, (known, (deviation, relative))) in fisher.parameters.iter().zip(deviations).enumerate() {
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
    let undetermined = fisher.undetermined();
    for combination in &undetermined {
        write!(f, "\n{combination} is not determined (relative changes)")?;
    }
    if undetermined.is_empty() {
        let weakest = fisher.weakest();
        let deviation = significant(weakest.standard_deviation(), 3);
        write!(f, "\nleast determined: {weakest} (relative changes), std. deviation {deviation}")?;
    }
    Ok(())
}

impl<M> fmt::Display for SensorComparison<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sets = self.sets().iter().map(|set| ComparedSet {
            name: &set.name,
            fisher: set.information.fisher(),
            cost: set.cost,
        });
        write_comparison(f, self.criterion(), &sets.collect::<Vec<_>>())
    }
}

/// The entries of one set of sensors in the table.
struct ComparedSet<'a> {
    name: &'a str,
    fisher: &'a Fisher,
    cost: f64,
}

fn write_comparison(f: &mut fmt::Formatter<'_>, criterion: Criterion, sets: &[ComparedSet<'_>]) -> fmt::Result {
    let mut headings = vec!["sensors".to_owned(), "rank".to_owned(), criterion.to_string()];
    let parameters = sets.first().map_or(&[][..], |set| &set.fisher.parameters);
    headings.extend(parameters.iter().map(|known| known.name().to_owned()));
    headings.push("least determined".to_owned());
    let mut lines = vec![headings];
    for set in sets {
        let mut cells = vec![set.name.to_owned(), set.fisher.rank().to_string(), significant(set.cost, 4)];
        cells.extend(set.fisher.relative_deviations().iter().map(|value| significant(*value, 3)));
        cells.push(set.fisher.weakest().to_string());
        lines.push(cells);
    }
    writeln!(f, "{}: relative standard deviations", model_of(parameters))?;
    write_columns(f, &lines)
}

impl<M> fmt::Display for Repetitions<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_repetitions(f, self.information().fisher(), self.members())
    }
}

fn write_repetitions(f: &mut fmt::Formatter<'_>, fisher: &Fisher, members: &[Repetition]) -> fmt::Result {
    let n = fisher.parameters.len();
    let (count, failed) = (estimates(members).count(), failures(members).count());
    let model = model_of(&fisher.parameters);
    writeln!(f, "{model}: {count} repetitions with a result, {failed} without")?;
    let headings = ["parameter", "value", "mean", "std. deviation", "Cramér-Rao bound", "deviation/bound"];
    let mut lines: Vec<Vec<String>> = vec![headings.map(str::to_owned).into()];
    let (means, bounds) = (means(members, n), fisher.standard_deviations());
    let uncertainty = uncertainty_of_deviations(members);
    for (k, deviation) in standard_deviations(members, n).into_iter().enumerate() {
        let known = &fisher.parameters[k];
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
    for (number, error) in failures(members) {
        write!(f, "\nrepetition {number} failed: {}", with_causes(error))?;
    }
    Ok(())
}

fn labelled(known: &InformedParameter) -> String {
    match known.parameter.quantity().unit {
        "1" => known.name().to_owned(),
        unit => format!("{} [{unit}]", known.name()),
    }
}
