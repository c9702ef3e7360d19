//! Frequency responses as pictures.

use costate_view::plot::{Axis, Band, Figure, Line, Panel, color};

use crate::record::FrequencyResponse;

/// Size of a panel in pixels.
const SIZE: (u32, u32) = (900, 260);

/// Draws magnitude, phase in degrees and coherence of responses one below the other; magnitudes with the range that has
/// the true value with 95 %, where it is known.
pub fn response_figure<'a>(responses: impl IntoIterator<Item = &'a FrequencyResponse>) -> Figure {
    let responses: Vec<&FrequencyResponse> = responses.into_iter().collect();
    let frequency = || Axis::new("frequency").unit("Hz");
    let unit =
        responses.first().and_then(|one| Some(format!("({})/({})", one.unit.as_ref()?, one.reference_unit.as_ref()?)));
    let same = |one: &&FrequencyResponse| {
        responses.first().is_some_and(|first| first.unit == one.unit && first.reference_unit == one.reference_unit)
    };
    let size = match unit.filter(|_| responses.iter().all(same)) {
        Some(unit) => Axis::new("magnitude").unit(unit),
        None => Axis::new("magnitude"),
    };
    let mut magnitude = Panel::new("Magnitude", frequency(), size.logarithmic());
    let mut phase = Panel::new("Phase", frequency(), Axis::new("phase").unit("°").range((-180.0, 180.0)));
    let mut coherence = Panel::new("Coherence", frequency(), Axis::new("coherence").range((0.0, 1.0)));
    for (number, response) in responses.iter().enumerate() {
        let line = |name: &str, values: Vec<f64>| {
            Line::new(name, color::series(number), response.frequencies.iter().copied().zip(values))
        };
        let sizes = response.magnitudes();
        if let Some(radii) = response.radii(0.95) {
            let of = response.frequencies.iter().zip(sizes.iter().zip(&radii));
            // on a logarithmic axis there is no 0
            let range = of.map(|(f, (size, radius))| (*f, (size - radius).max(1e-3 * size), size + radius));
            let name = if number == 0 { "95 %" } else { "" };
            magnitude = magnitude.band(Band::new(name, color::series(number), range));
        }
        magnitude = magnitude.line(line(&response.name, sizes));
        // a line across the whole panel is no phase
        let degrees: Vec<f64> = response.phases().into_iter().map(f64::to_degrees).collect();
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (frequency, degree) in response.frequencies.iter().zip(degrees) {
            if points.last().is_some_and(|(_, before)| (degree - before).abs() > 180.0) {
                points.push((*frequency, f64::NAN));
            }
            points.push((*frequency, degree));
        }
        phase = phase.line(Line::new("", color::series(number), points));
        if let Some(values) = &response.coherence {
            coherence = coherence.line(line("", values.clone()));
        }
    }
    let figure = Figure::new(1, SIZE).panel(magnitude).panel(phase);
    if responses.iter().any(|one| one.coherence.is_some()) { figure.panel(coherence) } else { figure }
}
