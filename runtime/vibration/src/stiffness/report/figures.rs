//! Pictures of a report: measured curves as points, those of the model as lines, one colour for each amplitude.

use costate_contract::shown::Shown;
use costate_view::plot::color::{BLACK, Color, series};
use costate_view::plot::{Axis, Figure, Line, Panel};

use crate::stiffness::band::nominal;
use crate::stiffness::curve::StiffnessLine;
use crate::stiffness::unit::{Origin, is_same};

use super::text::bands;
use super::{ReportedCurve, StiffnessReport};

/// Size of one of two panels side by side, and of one over the width of the page.
const HALF: (u32, u32) = (570, 330);
const WIDE: (u32, u32) = (1140, 330);

impl StiffnessReport {
    /// The level and the loss factor over frequency.
    pub(super) fn figure_of_levels(&self) -> Figure {
        let level = Axis::new("level").unit(self.unit.reference());
        Figure::new(2, HALF).panel(self.panel("Level of the dynamic stiffness", level, |line| line.level())).panel(
            self.panel("Loss factor Im k / Re k", Axis::new("loss factor"), |line| {
                line.loss_factor().unwrap_or(f64::NAN)
            }),
        )
    }

    /// The magnitude and the loss angle over frequency.
    pub(super) fn figure_of_stiffness(&self) -> Figure {
        let (unit, factor) = self.unit.shown();
        Figure::new(2, HALF)
            .panel(self.panel("Dynamic stiffness", Axis::new("|k|").unit(unit), |line| factor * line.magnitude()))
            .panel(self.panel("Loss angle", Axis::new("loss angle").unit("°"), |line| line.loss_angle()))
    }

    /// The levels in one-third octave bands.
    pub(super) fn figure_of_bands(&self) -> Figure {
        let all = axis_of_bands(&bands(self.curves.iter()));
        let axis = Axis::new("midband frequency [Hz]").named(all.iter().map(|band| Shown(band.1).to_string()));
        let level = Axis::new("level").unit(self.unit.reference());
        let mut panel = Panel::new(titled("Levels in one-third octave bands", self), axis, level);
        for own in &self.curves {
            let points = own.bands.iter().filter_map(|band| {
                let place = all.iter().position(|other| other.0 == band.number)?;
                Some((place as f64, band.level))
            });
            panel = panel.line(self.line(own, points.collect()));
        }
        Figure::new(1, WIDE).panel(panel)
    }

    /// The differences of levels between two amplitudes, a panel for each origin.
    pub(super) fn figure_of_linearity(&self) -> Figure {
        let mut figure = Figure::new(self.linearity.len().max(1), if self.linearity.len() > 1 { HALF } else { WIDE });
        for own in &self.linearity {
            let title = format!("Level at {} minus level at {}: {}", own.upper, own.lower, own.origin.name());
            let points: Vec<(f64, f64)> = own.lines.iter().map(|line| (line.frequency, line.difference)).collect();
            let ends = points.first().zip(points.last()).map(|(first, last)| [first.0, last.0]);
            let mut panel = Panel::new(title, self.frequency(), Axis::new("difference").unit("dB"));
            for (limit, name) in [(own.limit, format!("±{} dB", own.limit)), (-own.limit, String::new())] {
                let [first, last] = ends.unwrap_or_default();
                panel = panel.line(Line::new(name, BLACK, [(first, limit), (last, limit)]));
            }
            let bands = own.bands.iter().map(|band| (band.nominal, band.difference));
            panel = panel
                .line(Line::new("lines", series(0), points).width(1.5))
                .line(Line::new("one-third octave bands", series(1), bands).scattered());
            figure = figure.panel(panel);
        }
        figure
    }

    /// Measured and computed stiffness, a panel for each compared amplitude.
    pub(super) fn figure_of_overlays(&self) -> Figure {
        let (unit, factor) = self.unit.shown();
        let mut figure = Figure::new(3, (380, 260));
        let sizes = || self.curves.iter().flat_map(|own| &own.curve.lines).map(|line| factor * line.magnitude());
        // the same range in all panels
        let axis = Axis::new("|k|").unit(unit).range((0.0, 1.05 * sizes().fold(0.0, f64::max)));
        for own in self.of(Origin::Measured) {
            let model = self.of(Origin::Model).map(|own| &own.curve);
            let Some(model) = crate::stiffness::test::counterpart(&own.curve, model) else { continue };
            let points = |lines: &[StiffnessLine]| -> Vec<(f64, f64)> {
                lines.iter().map(|line| (line.frequency, factor * line.magnitude())).collect()
            };
            let panel = Panel::new(own.curve.amplitude_text(), self.frequency(), axis.clone())
                .line(Line::new("model", series(0), points(&model.lines)).width(1.5))
                .line(Line::new("measured", series(1), points(&own.curve.lines)).scattered());
            figure = figure.panel(panel);
        }
        figure
    }

    /// The error of the model at each line.
    pub(super) fn figure_of_errors(&self) -> Figure {
        let mut panel = Panel::new("Error of the model, relative", self.frequency(), Axis::new("error").unit("%"));
        for own in &self.comparisons {
            let name = own.amplitude.as_ref().map_or_else(|| "any amplitude".to_owned(), ToString::to_string);
            let points = own.lines.iter().map(|line| (line.frequency, 100.0 * line.error));
            let curve = self.of(Origin::Measured).find(|curve| curve.curve.amplitude == own.amplitude);
            let color = curve.map_or(BLACK, |curve| self.color(curve));
            panel = panel.line(Line::new(name, color, points).scattered());
        }
        Figure::new(1, WIDE).panel(panel)
    }

    /// All curves over frequency.
    fn panel(&self, title: &str, axis: Axis, value: impl Fn(&StiffnessLine) -> f64) -> Panel {
        let mut panel = Panel::new(titled(title, self), self.frequency(), axis);
        // points above lines
        for origin in [Origin::Model, Origin::Measured] {
            for own in self.of(origin) {
                let points = own.curve.lines.iter().map(|line| (line.frequency, value(line)));
                panel = panel.line(self.line(own, points.collect()));
            }
        }
        panel
    }

    /// The line of a curve: points without a line for measured curves next to those of a model. One curve of each
    /// colour is in the legend.
    fn line(&self, own: &ReportedCurve, points: Vec<(f64, f64)>) -> Line {
        let is_measured = own.origin == Origin::Measured;
        let has_model = self.of(Origin::Model).next().is_some();
        let amplitude = |other: &ReportedCurve| match (&other.curve.amplitude, &own.curve.amplitude) {
            (Some(one), Some(other)) => one.unit == other.unit && is_same(one.value, other.value),
            (one, other) => one.is_none() && other.is_none(),
        };
        let is_named = !is_measured || !self.of(Origin::Model).any(amplitude);
        let name = if is_named { own.curve.amplitude_text() } else { String::new() };
        let line = Line::new(name, self.color(own), points).width(1.5);
        match (is_measured, has_model) {
            (true, true) => line.scattered(),
            (true, false) => line.marked(),
            (false, _) => line,
        }
    }

    /// The colour of the amplitude of a curve.
    fn color(&self, own: &ReportedCurve) -> Color {
        let mut seen: Vec<String> = Vec::new();
        for curve in &self.curves {
            let text = curve.curve.amplitude_text();
            if !seen.contains(&text) {
                seen.push(text);
            }
        }
        series(seen.iter().position(|text| *text == own.curve.amplitude_text()).unwrap_or(0))
    }

    fn frequency(&self) -> Axis {
        /// Frequencies whose ratio is larger are drawn over a logarithmic axis.
        const LINEAR_AXIS_RATIO: f64 = 200.0;
        let ranges = || self.curves.iter().map(|own| own.curve.range());
        let (low, high) = ranges().fold((f64::INFINITY, 0.0f64), |(low, high), own| (low.min(own.0), high.max(own.1)));
        let axis = Axis::new("frequency").unit("Hz");
        if high > LINEAR_AXIS_RATIO * low { axis.logarithmic() } else { axis }
    }
}

/// The bands of an axis: all between the first and the last one, unless these are too many to be read.
fn axis_of_bands(all: &[(i32, f64)]) -> Vec<(i32, f64)> {
    /// Most bands of an axis that has those without lines as well.
    const MAX_AXIS_BANDS: i32 = 40;
    match all {
        [first, .., last] if last.0 - first.0 < MAX_AXIS_BANDS => {
            (first.0..=last.0).map(|number| (number, nominal(number))).collect()
        }
        _ => all.to_vec(),
    }
}

/// A title that says what points and lines are.
fn titled(title: &str, report: &StiffnessReport) -> String {
    let has = |origin: Origin| report.of(origin).next().is_some();
    match has(Origin::Measured) && has(Origin::Model) {
        true => format!("{title}: measured (points), model (lines)"),
        false => title.to_owned(),
    }
}
