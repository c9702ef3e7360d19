//! The answer of `costate restoring-force`: curves, modes, responses, warnings, and the files with them.

use std::path::Path;

use costate::command::Page;
use costate::command::shown::Shown;
use costate::restoring_force::{RestoringForceCurve, RestoringForceModel};
use serde_json::{Value, json};

use super::figures;
use super::options::Options;
use super::response::Found;
use super::samples::Samples;
use super::structure::Structure;
use super::tables;
use crate::answer::Answer;
use crate::assumed;
use crate::error::CommandError;
use crate::options::Format;
use crate::output::write;
use crate::table::table;
use crate::words;
use crate::written::Written;

/// The results of an identification.
#[derive(Debug)]
pub struct Results<'a> {
    pub structure: &'a Structure,
    pub model: &'a RestoringForceModel,
    pub samples: &'a Samples,
    pub found: &'a Found,
}

impl Results<'_> {
    /// Writes the files, and returns the answer, with what could not be written.
    pub fn answer(&self, options: &Options, files: &[(&Path, Format)]) -> Answer {
        let mut doubts = self.found.warnings();
        doubts.iter_mut().for_each(|doubt| *doubt = words::of_command(doubt));
        let (text, json) = (self.text(), self.json(&doubts));
        let mut written = Written::each(files, |path, format| match format {
            Format::Csv => write(path, &self.found.curves.bands()),
            Format::Svg => write(path, &figures::curves(self.structure, self.found).svg()?),
            _ => write(path, &format!("{json:#}\n")),
        });
        if let Some(path) = &options.report {
            written.add(path, self.page(&text, &doubts).and_then(|page| write(path, &page)));
        }
        if let Some(folder) = &options.tables {
            for (path, text) in tables::files(folder, self.structure, self.model, &self.found.curves) {
                written.add(&path, write(&path, &text));
            }
        }
        written.answer(text, json).doubted(&doubts)
    }

    fn text(&self) -> String {
        let Self { structure, samples, found, .. } = self;
        let (exponents, convergence) = (found.forces.exponents(), found.forces.convergence());
        let mut text = format!(
            "{}: {} samples every {} s, {:.0} % of which the filter follows (q_s {}, q_d {})\n",
            structure.name,
            samples.count(),
            Shown(samples.interval),
            100.0 * convergence.good_part(),
            Shown(exponents.stiffness),
            Shown(exponents.damping)
        );
        if let Some(inverse) = &found.inverse_inertia {
            for [row, column] in &structure.unknown_inertia {
                let entry = inverse[(row - 1, column - 1)];
                text += &format!("entry ({row}, {column}) of the inverse inertia: {entry:.4e} 1/kg\n");
            }
        }
        let range = |curve: &RestoringForceCurve, scale: f64| {
            let [low, high] = curve.range();
            format!("{:.3} to {:.3}", scale * low, scale * high)
        };
        let curves = found.curves.elastic.iter().zip(&found.curves.dissipative).enumerate();
        text += &table(
            ["", "deformation in µm", "stiffness in N/m", "rate in mm/s", "damping in N s/m"],
            curves.map(|(j, (elastic, dissipative))| {
                let slopes = [elastic.slope(), dissipative.slope()].map(|slope| format!("{slope:.3e}"));
                let [stiffness, damping] = slopes;
                [structure.element_name(j), range(elastic, 1e6), stiffness, range(dissipative, 1e3), damping]
            }),
            [0],
        );
        for mode in &found.modes {
            text += &format!("mode: {:.1} Hz, damping ratio {:.3}\n", mode.frequency, mode.damping_ratio);
        }
        text += &format!("response with the curves: {}\n", found.adapted.in_words());
        text + &assumed::line(&samples.assumed)
    }

    fn json(&self, doubts: &[String]) -> Value {
        let Self { structure, samples, found, .. } = self;
        let (exponents, convergence) = (found.forces.exponents(), found.forces.convergence());
        let rows = |curve: &RestoringForceCurve| -> Vec<[f64; 4]> {
            let row = curve.points.iter();
            row.map(|at| [at.coordinate, at.force, at.coordinate_deviation, at.force_deviation]).collect()
        };
        let elements = 0..found.forces.elements();
        let inertia = found
            .inverse_inertia
            .as_ref()
            .map(|inverse| inverse.row_iter().map(|row| row.iter().copied().collect::<Vec<f64>>()).collect::<Vec<_>>());
        json!({
            "structure": structure.name,
            "elements": elements.map(|j| structure.element_name(j)).collect::<Vec<_>>(),
            "samples": samples.count(), "interval": samples.interval,
            "elastic": found.curves.elastic.iter().map(rows).collect::<Vec<_>>(),
            "dissipative": found.curves.dissipative.iter().map(rows).collect::<Vec<_>>(),
            "columns": ["coordinate", "force", "coordinate_deviation", "force_deviation"],
            "inverse_inertia": inertia,
            "modes": found.modes.iter().map(|mode| [mode.frequency, mode.damping_ratio]).collect::<Vec<_>>(),
            "response_percent": found.adapted.percent,
            "response_start": found.adapted.start,
            "exponents": [exponents.stiffness, exponents.damping],
            "measurement_error": convergence.measurement_error,
            "good_samples": convergence.good_part(),
            "assumed_units": samples.assumed,
            "doubts": doubts,
        })
    }

    fn page(&self, text: &str, doubts: &[String]) -> Result<String, CommandError> {
        let mut page = Page::new(format!("{}: restoring forces", self.structure.name));
        doubts.iter().for_each(|doubt| page.note(&format!("Doubtful: {doubt}")));
        page.as_it_is(text);
        page.heading("Curves");
        page.figure(&figures::curves(self.structure, self.found).svg()?, "Bands are ±2 standard deviations.");
        page.heading("Convergence and responses");
        let caption = "The filter follows the system where the synchronisation error is below the limit.";
        page.figure(&figures::courses(self.structure, self.samples, self.found).svg()?, caption);
        Ok(page.html())
    }
}
