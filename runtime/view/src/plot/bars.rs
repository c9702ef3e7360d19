//! Bars.

use crate::plot::color::Color;

/// Upright bars; where the axis has names ([`Axis::named`](crate::plot::Axis::named)), the first name is at 0, the next
/// at 1.
#[derive(Debug, Clone)]
pub struct Bars {
    pub(crate) name: String,
    pub(crate) color: Color,
    /// (x, start, end) of every bar.
    pub(crate) bars: Vec<(f64, f64, f64)>,
    pub(crate) width: f64,
}

impl Bars {
    /// Bars from zero to these values (x, value); the name stands in the legend, if it has one.
    pub fn new(name: impl Into<String>, color: Color, values: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let bars = values.into_iter().map(|(x, value)| (x, 0.0, value));
        Self { name: name.into(), color, bars: bars.collect(), width: 0.8 }
    }

    /// Sets the width in units of x, which is 0.8.
    #[must_use]
    pub fn width(mut self, width: f64) -> Self {
        self.width = width;
        self
    }

    /// Moves all bars by this much in x, as to draw them next to others.
    #[must_use]
    pub fn moved(mut self, by: f64) -> Self {
        self.bars.iter_mut().for_each(|bar| bar.0 += by);
        self
    }

    /// Sets every bar on the one of `below` at the same x.
    #[must_use]
    pub fn on(mut self, below: &Self) -> Self {
        for bar in &mut self.bars {
            if let Some(other) = below.bars.iter().find(|other| other.0 == bar.0) {
                (bar.1, bar.2) = (other.2, other.2 + bar.2 - bar.1);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::color::BLUE;

    #[test]
    fn bars_stand_on_others() {
        let first = Bars::new("a", BLUE, [(0.0, 0.25), (1.0, 0.5)]);
        let second = Bars::new("b", BLUE, [(0.0, 0.75), (2.0, 0.5)]).on(&first);
        assert_eq!(second.bars, [(0.0, 0.25, 1.0), (2.0, 0.0, 0.5)]);
    }
}
