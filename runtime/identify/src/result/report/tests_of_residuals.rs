//! Section of the report with the tests whether the residuals are noise.

use costate_cost::residuals::{ChannelAssessment, Spectrum, Whiteness};
use costate_view::Page;
use costate_view::plot::{Axis, Band, Figure, Line, Panel, color};

use super::{HALF, add};
use crate::result::summary::FitSummary;
use crate::result::written::FitFileError;

pub fn write(page: &mut Page, summary: &FitSummary, assessments: &[ChannelAssessment]) -> Result<(), FitFileError> {
    page.heading("Tests of the residuals");
    match &summary.verdict {
        Some(verdict) => page.paragraph(&verdict.to_string()),
        None => page.paragraph(
            "There is nothing to test: no output is measured in time and no prediction can be tested, or the \
                 residuals are no larger than rounding and step-size errors.",
        ),
    }
    for validation in &summary.validation {
        if let Some(verdict) = &validation.verdict {
            page.paragraph(&format!("Validation experiment {}: {verdict}", validation.experiment));
        }
    }
    if assessments.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = assessments.iter().map(row).collect();
    let head = [
        "residuals of",
        "samples",
        "p of the size",
        "p of whiteness",
        "p of the flat spectrum",
        "lags outside of 95 % limits",
        "least p of correlation with inputs",
    ];
    page.table(&head, &rows);
    page.paragraph(
        "p is the probability of residuals that deviate at least as much from white noise when the model is correct. \
             The residuals are those that were minimised: divided by their standard deviation, and whitened where the \
             noise is coloured. The size is tested where standard deviations of predicted numbers were given; the \
             whiteness of predicted numbers is that along their abscissa.",
    );
    let panels = assessments.iter().flat_map(|channel| {
        let correlation = channel.whiteness.as_ref().ok().map(|white| correlation(channel, white));
        let density = channel.spectrum.as_ref().ok().map(|spectrum| density(channel, spectrum));
        correlation.into_iter().zip(density).flat_map(|(left, right)| [left, right])
    });
    let figure = panels.fold(Figure::new(2, HALF), Figure::panel);
    add(
        page,
        &figure,
        "White noise has an autocorrelation within the bands and a flat spectrum. Shaded: frequencies with a \
             significantly higher density.",
    )
}

fn title(channel: &ChannelAssessment) -> String {
    match &channel.experiment {
        Some(experiment) => format!("{experiment}: {}", channel.channel),
        None => channel.channel.clone(),
    }
}

fn row(channel: &ChannelAssessment) -> Vec<String> {
    let probability = |p: f64| if p < 1e-300 { "< 1e-300".to_owned() } else { format!("{p:.2e}") };
    let white = match &channel.whiteness {
        Ok(white) => [probability(white.partial_p_value), format!("{} of {}", white.outside_95, white.lags.len())],
        Err(reason) => [reason.to_string(), String::new()],
    };
    let [white, outside] = white;
    let spectrum = match &channel.spectrum {
        Ok(spectrum) => probability(spectrum.p_value),
        Err(reason) => reason.to_string(),
    };
    let of_input = |input: &costate_cost::residuals::InputAssessment| {
        let coherent = input.coherence.as_ref().ok().map(|coherence| coherence.p_value);
        let crossed = input.cross_correlation.as_ref().ok().map(|crossed| crossed.p_value);
        coherent.into_iter().chain(crossed).reduce(f64::min).map(|p| (p, input.input.clone()))
    };
    let least = channel.inputs.iter().filter_map(of_input).min_by(|a, b| a.0.total_cmp(&b.0));
    let inputs = least.map_or_else(String::new, |(p, input)| format!("{} ({input})", probability(p)));
    let size = channel.size.as_ref().map_or_else(String::new, |size| probability(size.p_value));
    vec![title(channel), channel.samples.to_string(), size, white, spectrum, outside, inputs]
}

fn correlation(channel: &ChannelAssessment, white: &Whiteness) -> Panel {
    let bound = white.lags.iter().map(|lag| (lag.delay, -lag.bound_95, lag.bound_95));
    let points = white.lags.iter().map(|lag| (lag.delay, lag.correlation));
    let zero = [white.lags.first(), white.lags.last()];
    let zero = zero.into_iter().flatten().map(|lag| (lag.delay, 0.0));
    Panel::new(format!("Autocorrelation, {}", title(channel)), Axis::new("lag").unit("s"), Axis::new("autocorrelation"))
        .band(Band::new("95 % limits of white noise", color::GREEN, bound))
        .line(Line::new("", color::GREY, zero))
        .line(Line::new("", color::BLUE, points).width(2.0).scattered())
}

fn density(channel: &ChannelAssessment, spectrum: &Spectrum) -> Panel {
    // residuals are weighed, so that their unit is one over the root of a weight; relative to noise of the same
    // power, the density is a number
    let relative = |density: f64| density / spectrum.white;
    let lines = || spectrum.frequencies.iter().zip(&spectrum.density).skip(1);
    let points = lines().map(|(frequency, density)| (*frequency, relative(*density)));
    let confidence = &spectrum.confidence;
    let range = lines().map(|(frequency, _)| (*frequency, confidence.upper.recip(), confidence.lower.recip()));
    let axes = (Axis::new("frequency").unit("Hz"), Axis::new("power density / that of white noise").logarithmic());
    let panel = Panel::new(format!("Spectrum, {}", title(channel)), axes.0, axes.1)
        .band(Band::new(format!("{:.0} % limits of white noise", 100.0 * confidence.probability), color::GREEN, range))
        .line(Line::new("", color::BLUE, points));
    spectrum.bands.iter().fold(panel, |panel, band| panel.shaded((band.from, band.to)))
}
