//! Display of a fit as a table.

use std::fmt;

use costate_contract::shown::{Exact, Shown};
use costate_cost::residuals::{Judgement, Loss};
use costate_measure::record::write_assumed;

use super::columns::{Changed, write_columns, write_combination};
use super::fit::Fit;
use super::fitted_start::write_starts;
use super::moved_by_steps::TAKEN_AS_STRAIGHT;
use super::summary::{
    AdaptiveSteps, ChosenSteps, FinerSteps, FitSummary, FittedCost, FittedInput, FittedParameter, FittedPrediction,
    FittedTable, GrownParts, GrowthReason, MeasuredOutput, SettledWeights, Validation,
};
use crate::estimation::failed_trials::FailedTrials;

use crate::definition::digits::{format_exactly, significant};
use crate::thresholds::{MIN_SHARE_OF_DATA, NEGLIGIBLE_SHARE, NOTICEABLE_SHIFT};

/// The definition of the explained part.
const EXPLAINED: &str = "explained: 100 (1 - |computed - measured| / |measured - its mean|) %, of root mean squares";

const HEADINGS: [&str; 7] = ["parameter", "unit", "start", "found", "std. deviation", "relative", "step-size shift"];

impl<M> fmt::Display for Fit<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)?;
        if self.starts().is_empty() {
            return Ok(());
        }
        writeln!(f, "\n")?;
        let unknowns = self.summary().parameters.iter().map(|parameter| parameter.name.clone());
        write_starts(f, unknowns, self.starts())
    }
}

impl fmt::Display for FitSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![HEADINGS.map(str::to_owned)];
        let named = self.parameters.iter().filter(|parameter| parameter.part_of.is_none());
        lines.extend(named.map(|parameter| self.cells(parameter)));
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 7] = std::array::from_fn(width);
        writeln!(f, "{}", self.model)?;
        // the last column is left out if it is empty
        let shown = if lines[1..].iter().all(|line| line[6].is_empty()) { 6 } else { 7 };
        for line in &lines {
            let [name, unit, numbers @ ..] = &line[..shown] else { continue };
            write!(f, "  {name:<0$}  {unit:<1$}", widths[0], widths[1])?;
            for (number, width) in numbers.iter().zip(&widths[2..]) {
                write!(f, "  {number:>width$}")?;
            }
            writeln!(f)?;
        }
        self.notes(f)?;
        write!(
            f,
            "{} in {} iterations, {} evaluations: {}\nforward {:.2} s, gradient {:.2} s",
            self.improvement(),
            self.iterations,
            self.evaluations,
            self.stop,
            self.seconds_forward,
            self.seconds_gradient
        )?;
        if let Some(back_end) = self.back_end {
            write!(f, "; back end: {back_end}")?;
        }
        if let Some(chosen) = &self.chosen_steps {
            write!(f, "\n{chosen}")?;
            let shifts =
                self.parameters.iter().filter_map(|one| Some((one.step_shift? / one.standard_deviation).abs()));
            let largest = shifts.filter(|shift| *shift > NOTICEABLE_SHIFT).reduce(f64::max);
            if let Some(largest) = largest {
                let shown = significant(largest, 2);
                write!(f, "; step-size errors still shift a found value by {shown} standard deviations")?;
            }
        }
        match self.adaptive_steps {
            None => Ok(()),
            Some(AdaptiveSteps { steps, renewals, excess }) => write!(
                f,
                "\n{steps} adaptive steps, chosen again {renewals} times; at the found parameters their error is \
                     {excess:.2} times the tolerance"
            ),
        }
    }
}

impl FitSummary {
    /// Returns the cells of an unknown. Deviations that mean nothing are not shown.
    fn cells(&self, parameter: &FittedParameter) -> [String; 7] {
        let mut cells = cells(parameter);
        if !self.deviations_valid {
            for cell in &mut cells[4..] {
                *cell = if cell.is_empty() { String::new() } else { "-".to_owned() };
            }
        }
        cells
    }

    /// Describes how far the search has come: with the weights of the last minimisation where they were estimated,
    /// since costs of different weights cannot be compared.
    fn improvement(&self) -> String {
        let numbers = self.measurements.iter().map(|measured| measured.samples);
        let numbers = numbers.chain(self.predictions.iter().map(|predicted| predicted.measured.len()));
        let count = numbers.sum::<usize>() as f64;
        let in_deviations = |cost: f64| significant((2.0 * cost / count).sqrt(), 3);
        let end = significant(self.cost_end, 4);
        match self.cost_start_weighed {
            Some(start) if self.costs.is_empty() && self.settings.loss == Loss::Squares && count > 0.0 => {
                let (from, to) = (in_deviations(start), in_deviations(self.cost_end));
                format!("residuals {from} -> {to} standard deviations (cost {end})")
            }
            Some(start) => format!("cost {} -> {end}", significant(start, 4)),
            None => format!("cost {} -> {end}", significant(self.cost_start, 4)),
        }
    }

    /// Writes the information of every experiment, in per cent: a line for each of the unknowns about which several
    /// have information.
    fn write_shares(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_common = |k: usize| self.shares.iter().filter(|share| share.parts[k] > NEGLIGIBLE_SHARE).count() > 1;
        let is_named = |k: &usize| self.parameters[*k].part_of.is_none() && is_common(*k);
        let common: Vec<_> = (0..self.parameters.len()).filter(is_named).collect();
        if common.is_empty() {
            return Ok(());
        }
        let mut lines = vec![vec!["information in %".to_owned()]];
        lines[0].extend(self.shares.iter().map(|share| share.owner().to_owned()));
        for k in common {
            let mut line = vec![self.parameters[k].name.clone()];
            line.extend(self.shares.iter().map(|share| format!("{:.1}", 100.0 * share.parts[k])));
            lines.push(line);
        }
        write_columns(f, &lines)?;
        writeln!(f)
    }

    fn notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(grown) = &self.grown {
            writeln!(f, "{grown}")?;
        }
        self.measurements.iter().try_for_each(|measured| write_measured(f, measured))?;
        self.predictions.iter().try_for_each(|predicted| write_predicted(f, predicted))?;
        if self.measurements.iter().any(|measured| measured.fit_percent.is_some()) {
            writeln!(f, "{EXPLAINED}")?;
        }
        if !self.deviations_valid {
            writeln!(f, "deviations of the found values are not shown, since they mean nothing here")?;
        }
        if let Some(verdict) = &self.verdict {
            if verdict.judgement == Judgement::Insufficient
                && self.remarks.iter().any(|one| one.contains(TAKEN_AS_STRAIGHT))
            {
                writeln!(
                    f,
                    "before the model is changed: say the interpolation of inputs, see below, which may be the reason"
                )?;
            }
            writeln!(f, "{verdict}")?;
        }
        for validation in &self.validation {
            write_validation(f, validation)?;
        }
        self.write_shares(f)?;
        if let Some(SettledWeights { rounds, settled: false }) = self.weights {
            writeln!(f, "the weights of the residuals have not settled after {rounds} minimisations")?;
        }
        if let Some(FinerSteps { parts, settled: false }) = self.settings.finer_steps {
            writeln!(f, "the correction by steps divided into {parts} parts has not settled: take shorter steps")?;
        }
        if let Some(FailedTrials { count, last }) = &self.failed_trials {
            writeln!(f, "rejected trial points, which do no harm: {count}, the last one: {last}")?;
        }
        write_assumed(f, &self.assumed_units)?;
        write_doubts(f, &self.measurements)?;
        for input in &self.measured_inputs {
            writeln!(
                f,
                "the deviations take the measured input `{input}` as exact, though noise of it moves the found values \
                     as well"
            )?;
        }
        self.costs.iter().try_for_each(|cost| write_cost(f, cost))?;
        self.inputs.iter().try_for_each(|input| write_input(f, input))?;
        self.tables.iter().try_for_each(|table| write_table(f, table))?;
        for parameter in self.parameters.iter().filter(|parameter| parameter.at_bound) {
            writeln!(f, "{} is at its bound", parameter.name)?;
        }
        let unknowns: Vec<Changed<'_>> = self.parameters.iter().map(changed).collect();
        for name in &self.by_jumps {
            writeln!(
                f,
                "{name} acts only through jumps at the found values, so that its derivatives contain no information: \
                     the data may determine it nevertheless; write the jump as a `smooth_step` over several steps, or \
                     fit with several fixed values of it in turn"
            )?;
        }
        let is_by_jumps = |combination: &&Vec<f64>| {
            let mut involved = (0..combination.len()).filter(|k| combination[*k] != 0.0);
            involved.all(|k| self.by_jumps.contains(&self.parameters[k].name))
        };
        for combination in self.undetermined.iter().filter(|combination| !is_by_jumps(combination)) {
            write!(f, "not determined by the measurement: ")?;
            write_combination(f, combination, &unknowns)?;
            writeln!(f)?;
        }
        for direction in self.flat.iter().filter(|_| self.undetermined.is_empty()) {
            write!(f, "flat direction, not determined by the data and therefore left unchanged: ")?;
            write_combination(f, direction, &unknowns)?;
            writeln!(f)?;
        }
        for remark in &self.remarks {
            writeln!(f, "{remark}")?;
        }
        Ok(())
    }
}

impl fmt::Display for ChosenSteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chosen steps: ")?;
        if self.order > 2 {
            write!(f, "order {} with ", self.order)?;
        }
        match (self.step, self.parts) {
            (Some(step), _) => write!(f, "steps of {} s", Shown(step))?,
            (None, 1) => write!(f, "the sampling intervals of the records")?,
            (None, parts) => write!(f, "{parts} in every sampling interval")?,
        }
        write!(f, ", {} for a simulation", self.steps)?;
        if let Some(steps) = self.of_second_order {
            write!(f, ", where order 2 would take {steps}")?;
        }
        match self.renewals {
            0 => Ok(()),
            1 => write!(f, "; chosen again for the found values"),
            times => write!(f, "; chosen again {times} times for the found values"),
        }
    }
}

impl fmt::Display for GrownParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends: Vec<String> = self.ends.iter().map(|end| significant(*end, 2)).collect();
        let over = match ends.is_empty() {
            _ if self.pieces > 0 => format!("{} pieces", self.pieces),
            true => "growing parts of the record, none of which could be fitted".to_owned(),
            false => format!("the first {} s", ends.join(", ")),
        };
        let result = match (self.found_better, self.explains) {
            (true, true) => "is better",
            (true, false) => "explains little as well",
            (false, _) => "was not better",
        };
        let before = match self.reason {
            _ if self.only_in_pieces => {
                return write!(
                    f,
                    "fitted over {over}, which are continuous and are the result: one simulation with the found \
                         values does not follow the record, since small errors grow in it"
                );
            }
            GrowthReason::Asked => return write!(f, "fitted over {over} first, and then over all"),
            GrowthReason::LostPhase => "a fit of all from the start values left more than noise of the measurement",
            GrowthReason::BestOfManyStarts => "the best of all starts left more than noise",
            GrowthReason::WithCosts => {
                return write!(
                    f,
                    "a fit of all from the start values left more than noise; fitted without spectra and other costs, \
                         and then with them, which {result}"
                );
            }
        };
        write!(f, "{before}; fitted over {over} and then over all, which {result}")
    }
}

/// Writes one line about a further cost.
fn write_cost(f: &mut fmt::Formatter<'_>, cost: &FittedCost) -> fmt::Result {
    if let Some(experiment) = &cost.experiment {
        write!(f, "{experiment}: ")?;
    }
    let (name, value, weight) = (&cost.name, significant(cost.cost, 4), significant(cost.weight, 3));
    write!(f, "{name}: cost {value} with weight {weight}")?;
    if cost.residuals > 0 {
        let deviation = significant(cost.standard_deviation, 3);
        write!(f, ", {} residuals, std. deviation {deviation}", cost.residuals)?;
    }
    if let Some(percent) = cost.fit_percent {
        write!(f, ", explained {percent:.1} %")?;
    }
    if let Some(error) = cost.step_error.filter(|_| cost.residuals > 0) {
        let doubtful = error > NOTICEABLE_SHIFT * cost.standard_deviation;
        let remark = if doubtful { ": take a smaller step to separate it from the noise" } else { "" };
        write!(f, ", step-size error {}{remark}", significant(error, 2))?;
    }
    writeln!(f)
}

/// Writes one line about an unknown input.
fn write_input(f: &mut fmt::Formatter<'_>, input: &FittedInput) -> fmt::Result {
    if let Some(experiment) = &input.experiment {
        write!(f, "{experiment}: ")?;
    }
    let range = |values: &[f64], digits| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        format!("{} to {} {}", significant(least, digits), significant(largest, digits), input.unit)
    };
    let (values, deviations) = (range(&input.values, 4), range(&input.standard_deviations, 2));
    writeln!(f, "{} at {} knots: {values}, std. deviations {deviations}", input.input, input.times.len())
}

/// Writes one line about an unknown table.
fn write_table(f: &mut fmt::Formatter<'_>, table: &FittedTable) -> fmt::Result {
    let unit = table.unit;
    let of_data = |value: &(&f64, &f64)| *value.1 >= MIN_SHARE_OF_DATA;
    let told: Vec<f64> =
        table.standard_deviations.iter().zip(&table.told_by_data).filter(of_data).map(|(d, _)| *d).collect();
    write!(f, "{}: {} of {} values determined by the data", table.table, told.len(), table.values.len())?;
    if !told.is_empty() {
        let least = told.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = told.iter().copied().fold(0.0, f64::max);
        let (least, largest) = (significant(least, 2), significant(largest, 2));
        write!(f, ", their std. deviations {least} to {largest} {unit}")?;
    }
    match table.bend {
        Some(bend) if table.bend_at_limit => {
            write!(f, "; the data do not determine its bend, the limit of {} {unit} is used", significant(bend, 3))?;
        }
        Some(bend) => write!(f, "; estimated bend {} {unit}", significant(bend, 3))?,
        None => (),
    }
    writeln!(f)
}

/// Writes what is doubtful about the files of records, once for each.
fn write_doubts(f: &mut fmt::Formatter<'_>, measured: &[MeasuredOutput]) -> fmt::Result {
    let mut said: Vec<(&str, &str)> = Vec::new();
    for one in measured {
        for doubt in &one.doubts {
            if !said.contains(&(&*one.record, &**doubt)) {
                writeln!(f, "doubtful in `{}`: {doubt}", one.record)?;
                said.push((&one.record, doubt));
            }
        }
    }
    Ok(())
}

/// Writes one line about a measured output.
fn write_measured(f: &mut fmt::Formatter<'_>, measured: &MeasuredOutput) -> fmt::Result {
    let unit = if measured.unit == "1" { "" } else { measured.unit };
    let in_unit = |value: f64, digits| format!("{} {unit}", significant(value, digits)).trim_end().to_owned();
    let (output, record) = (measured.output, &measured.record);
    if let Some(experiment) = &measured.experiment {
        write!(f, "{experiment}: ")?;
    }
    let deviation = match measured.standard_deviation.is_finite() {
        true => in_unit(measured.standard_deviation, 3),
        false => "not known".to_owned(),
    };
    write!(
        f,
        "{output}: {} samples from `{record}`{}, std. deviation {deviation}",
        measured.samples,
        missing(measured),
    )?;
    if let Some(filter) = &measured.filter {
        write!(f, ", both behind a {filter}")?;
    }
    if let Some(noise) = &measured.noise {
        write!(f, ", coloured noise of order {}", noise.order())?;
    }
    if let Some(percent) = measured.fit_percent {
        write!(f, ", explained {percent:.1} %")?;
    }
    if let Some(error) = measured.step_error {
        let doubtful = error > NOTICEABLE_SHIFT * measured.standard_deviation;
        let remark = if doubtful {
            ": its residuals are not tested; take a smaller step to separate it from the noise"
        } else {
            ""
        };
        write!(f, ", step-size error {}{remark}", in_unit(error, 2))?;
    }
    writeln!(f)
}

/// Writes one line about a group of predicted numbers.
fn write_predicted(f: &mut fmt::Formatter<'_>, predicted: &FittedPrediction) -> fmt::Result {
    let count = predicted.measured.len();
    if let Some(experiment) = &predicted.experiment {
        write!(f, "{experiment}: ")?;
    }
    write!(f, "{}: {count} number{}", predicted.name(), if count == 1 { "" } else { "s" })?;
    if !predicted.source.is_empty() {
        write!(f, " from `{}`", predicted.source)?;
    }
    write!(f, ", {}", predicted.deviations_in_words())?;
    if let Some(percent) = predicted.fit_percent {
        write!(f, ", explained {percent:.1} %")?;
    }
    writeln!(f, ", cost {}; not tested for {}", significant(predicted.cost, 3), predicted.left_out_tests.join(", "))
}

fn write_validation(f: &mut fmt::Formatter<'_>, validation: &Validation) -> fmt::Result {
    if let Some(failed) = &validation.failed {
        return writeln!(
            f,
            "validation: {} cannot be simulated with the found values: {failed}",
            validation.experiment
        );
    }
    for own in &validation.own {
        let [name, unit, _, found, deviation, ..] = cells(own);
        let unit = if unit == "1" { String::new() } else { format!(" {unit}") };
        writeln!(
            f,
            "validation: {name} is found there, with all others held: {found}{unit}, std. deviation {deviation}{unit}"
        )?;
    }
    for predicted in &validation.predictions {
        write!(f, "validation: ")?;
        write_predicted(f, predicted)?;
    }
    for measured in &validation.measurements {
        write!(f, "validation: ")?;
        write_measured(f, measured)?;
    }
    match &validation.verdict {
        Some(verdict) => writeln!(f, "validation: {verdict}"),
        None => Ok(()),
    }
}

/// Describes missing samples, such as ` (21 missing, 30 left out, 2 gaps, the longest from 0.3 to 0.5 s)`.
fn missing(measured: &MeasuredOutput) -> String {
    let missing = (measured.missing > 0).then(|| format!("{} missing", measured.missing));
    let masked = (measured.masked > 0).then(|| format!("{} left out", measured.masked));
    let longest = measured.gaps.iter().max_by(|a, b| a.length().total_cmp(&b.length()));
    let gaps = longest.map(|longest| {
        let span = format!("from {} to {} s", significant(longest.from, 4), significant(longest.to, 4));
        match measured.gaps.len() {
            1 => format!("a gap {span}"),
            gaps => format!("{gaps} gaps, the longest {span}"),
        }
    });
    let beginning =
        (measured.beginning != 0.0).then(|| format!("0 s of the run is {} s of the record", Exact(measured.beginning)));
    let late = (measured.late != 0.0)
        .then(|| format!("the record begins {} s after the begin of the run", Exact(measured.late)));
    let notes: Vec<_> = missing.into_iter().chain(masked).chain(gaps).chain(beginning).chain(late).collect();
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) }
}

fn cells(parameter: &FittedParameter) -> [String; 7] {
    /// Smallest shift by the steps that is shown, as a part of the standard deviation.
    const MIN_SHIFT: f64 = 0.05;
    let relative = parameter.relative_deviation;
    // Two digits more than the deviation determines, within reason.
    let digits = if relative > 0.0 && relative < 1.0 { (2.0 - relative.log10()).ceil() as usize } else { 6 };
    [
        parameter.name.clone(),
        parameter.unit.to_owned(),
        start_of(parameter.start),
        significant(parameter.found, if relative == 0.0 { 12 } else { digits.clamp(4, 12) }),
        known(parameter.standard_deviation),
        if parameter.standard_deviation.is_finite() { significant(relative, 2) } else { String::new() },
        match parameter.step_shift {
            Some(shift) if shift.abs() > MIN_SHIFT * parameter.standard_deviation => significant(shift, 2),
            _ => String::new(),
        },
    ]
}

/// Returns a start value as text: what a user has written exactly, what was drawn at random without its many digits.
fn start_of(value: f64) -> String {
    /// Characters of a start value above which it was not written by hand.
    const MAX_CHARACTERS: usize = 10;
    let exact = format_exactly(value);
    if exact.len() > MAX_CHARACTERS { significant(value, 6) } else { exact }
}

/// Returns a deviation as text.
fn known(deviation: f64) -> String {
    if deviation.is_finite() { significant(deviation, 2) } else { "not known".to_owned() }
}

/// Returns an unknown of a fit, with the size of its values.
fn changed(fitted: &FittedParameter) -> Changed<'_> {
    Changed::new(&fitted.name, fitted.unit, fitted.found.abs().max(fitted.start.abs()))
}
