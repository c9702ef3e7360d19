//! The report as text.

use std::fmt;

use costate_contract::shown::{Shown, plain};

use crate::stiffness::band::Band;
use crate::stiffness::unit::Origin;

use super::{ReportedCurve, StiffnessReport};

/// The head and the rows of a table.
type Table = (Vec<String>, Vec<Vec<String>>);

/// Numbers and nominal midband frequencies of the bands of curves, in increasing order.
pub(super) fn bands<'a>(curves: impl Iterator<Item = &'a ReportedCurve>) -> Vec<(i32, f64)> {
    let mut all: Vec<(i32, f64)> = curves.flat_map(|own| &own.bands).map(|band| (band.number, band.nominal)).collect();
    all.sort_by_key(|band| band.0);
    all.dedup_by_key(|band| band.0);
    all
}

impl StiffnessReport {
    /// The preload and the temperature, one a line.
    pub(super) fn conditions(&self) -> Vec<[String; 2]> {
        let preload = self.preload.as_ref().map_or_else(
            || "not given".to_owned(),
            |own| format!("{} {} ({})", Shown(own.value), own.unit.replace('*', "·"), own.source),
        );
        let temperature = self.temperature.clone().unwrap_or_else(|| "not given".to_owned());
        let mut rows = vec![["preload".to_owned(), preload], ["temperature".to_owned(), temperature]];
        for origin in [Origin::Measured, Origin::Model] {
            let mut sources: Vec<&str> = self.of(origin).map(|own| own.curve.source.as_str()).collect();
            sources.dedup();
            sources.retain(|source| !source.is_empty());
            if !sources.is_empty() {
                rows.push([origin.name().to_owned(), sources.join(", ")]);
            }
        }
        rows
    }

    /// The table of bands of an origin: its head, and a row for each band. Empty without curves.
    pub(super) fn table_of_bands(&self, origin: Origin) -> Table {
        let mut head = vec![format!("{} [Hz]", origin.name())];
        head.extend(self.of(origin).map(|own| own.curve.amplitude_text()));
        let row = |(number, nominal): (i32, f64)| {
            let mut row = vec![Shown(nominal).to_string()];
            row.extend(self.of(origin).map(|own| {
                let band = own.bands.iter().find(|band| band.number == number);
                let cut = |band: &Band| if band.is_complete { "" } else { "*" };
                band.map_or_else(String::new, |band| format!("{:.1}{}", band.level, cut(band)))
            }));
            row
        };
        (head, bands(self.of(origin)).into_iter().map(row).collect())
    }

    /// The table of curves: static end, largest stiffness and loss of each.
    pub(super) fn table_of_curves(&self) -> Table {
        let (unit, factor) = self.unit.shown();
        let head = [
            "curve".to_owned(),
            "lines".to_owned(),
            "from [Hz]".to_owned(),
            "to [Hz]".to_owned(),
            format!("|k| at the lowest [{unit}]"),
            format!("largest |k| [{unit}]"),
            "at [Hz]".to_owned(),
            "largest loss angle [deg]".to_owned(),
            "at [Hz]".to_owned(),
        ];
        let row = |own: &ReportedCurve| {
            let lines = &own.curve.lines;
            let (lowest, highest) = own.curve.range();
            let stiffest = lines.iter().max_by(|a, b| a.magnitude().total_cmp(&b.magnitude()));
            let lossy = lines.iter().max_by(|a, b| a.loss_angle().total_cmp(&b.loss_angle()));
            let number = |value: Option<f64>| value.map_or_else(String::new, |value| Shown(value).to_string());
            let fixed = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
            vec![
                own.name(),
                lines.len().to_string(),
                Shown(lowest).to_string(),
                Shown(highest).to_string(),
                fixed(lines.first().map(|line| factor * line.magnitude())),
                fixed(stiffest.map(|line| factor * line.magnitude())),
                number(stiffest.map(|line| line.frequency)),
                fixed(lossy.map(|line| line.loss_angle())),
                number(lossy.map(|line| line.frequency)),
            ]
        };
        (head.to_vec(), self.curves.iter().map(row).collect())
    }

    /// The table of errors; empty without both measured and computed curves.
    pub(super) fn table_of_errors(&self) -> Table {
        let head = ["amplitude", "lines", "rms error [%]", "largest error [%]", "at [Hz]"].map(str::to_owned);
        let rows = self.comparisons.iter().map(|own| {
            vec![
                own.amplitude.as_ref().map_or_else(|| "any amplitude".to_owned(), ToString::to_string),
                own.lines.len().to_string(),
                format!("{:.2}", 100.0 * own.rms),
                format!("{:.2}", 100.0 * own.largest),
                Shown(own.largest_at).to_string(),
            ]
        });
        (head.to_vec(), rows.collect())
    }

    /// The verdicts of the tests of linearity.
    pub(super) fn verdicts(&self) -> Vec<String> {
        match self.linearity.is_empty() {
            true => vec!["not tested: it needs curves at two amplitudes".to_owned()],
            false => self.linearity.iter().map(crate::stiffness::linearity::Linearity::verdict).collect(),
        }
    }

    /// The table of the lines of a curve.
    pub(super) fn table_of_lines(&self, own: &ReportedCurve) -> Table {
        let (unit, factor) = self.unit.shown();
        let head = [
            "frequency [Hz]".to_owned(),
            format!("|k| [{unit}]"),
            format!("level [{}]", self.unit.reference()),
            "loss factor".to_owned(),
            "loss angle [deg]".to_owned(),
            "remark".to_owned(),
        ];
        let rows = own.curve.lines.iter().map(|line| {
            vec![
                Shown(line.frequency).to_string(),
                Shown(factor * line.magnitude()).to_string(),
                format!("{:.2}", line.level()),
                line.loss_factor().map_or_else(|| "no meaning".to_owned(), |value| format!("{value:.4}")),
                format!("{:.2}", line.loss_angle()),
                line.doubt.map_or("", |doubt| doubt.text()).to_owned(),
            ]
        });
        (head.to_vec(), rows.collect())
    }
}

/// Writes conditions, a table of all curves, levels in bands, verdicts on linearity, errors of the model, limits and
/// doubts.
impl fmt::Display for StiffnessReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: dynamic stiffness", plain(&self.title))?;
        for [name, text] in self.conditions() {
            writeln!(f, "{name:<12} {}", plain(&text))?;
        }
        for note in &self.notes {
            writeln!(f, "{}", plain(note))?;
        }
        writeln!(f)?;
        table(f, self.table_of_curves())?;
        let reference = self.unit.reference();
        writeln!(f, "\nlevels in one-third octave bands [{reference}]; * is cut off by the range of the curve")?;
        for origin in [Origin::Measured, Origin::Model] {
            let (head, rows) = self.table_of_bands(origin);
            if !rows.is_empty() {
                table(f, (head, rows))?;
            }
        }
        writeln!(f, "\nlinearity")?;
        for verdict in self.verdicts() {
            writeln!(f, "- {verdict}")?;
        }
        if !self.comparisons.is_empty() {
            writeln!(f, "\nerror of the model: |k(model) - k(measured)|/|k(measured)|")?;
            table(f, self.table_of_errors())?;
        }
        for (name, sentences) in [("limits", &self.limits), ("doubts", &self.doubts)] {
            if !sentences.is_empty() {
                writeln!(f, "\n{name}")?;
            }
            for sentence in sentences {
                writeln!(f, "- {}", plain(sentence))?;
            }
        }
        Ok(())
    }
}

/// Writes a table; the first column to the left, the others to the right.
fn table(f: &mut fmt::Formatter<'_>, (head, rows): Table) -> fmt::Result {
    let width = |column: usize| {
        let cells = rows.iter().chain([&head]).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    for row in [&head].into_iter().chain(&rows) {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}
