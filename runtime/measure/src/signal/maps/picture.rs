//! Maps as pictures.

use costate_view::plot::{Axis, Figure, Line, Map, Panel, color};

use super::SpectralMap;
use crate::signal::SignalError;

/// Size of a panel in pixels.
const SIZE: (u32, u32) = (900, 480);

/// The way in which a map is drawn.
///
/// ```
/// # use costate_measure::signal::Picture;
/// let picture = Picture::default().level(1e-6).range(80.0).orders([2.0, 4.0]).up_to(500.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    title: Option<String>,
    reference: Option<f64>,
    range: f64,
    orders: Vec<f64>,
    highest: Option<f64>,
}

impl Default for Picture {
    /// The values themselves, from 0 on.
    fn default() -> Self {
        Self { title: None, reference: None, range: 60.0, orders: Vec::new(), highest: None }
    }
}

impl Picture {
    /// Shows levels in dB above this reference, in the unit of the channel.
    #[must_use]
    pub fn level(mut self, reference: f64) -> Self {
        self.reference = Some(reference);
        self
    }

    /// Sets how far levels are shown below the highest one, 60 dB; what is lower has the lowest colour.
    #[must_use]
    pub fn range(mut self, decibels: f64) -> Self {
        self.range = decibels;
        self
    }

    /// Draws lines at these orders, where speeds are known.
    #[must_use]
    pub fn orders(mut self, orders: impl Into<Vec<f64>>) -> Self {
        self.orders = orders.into();
        self
    }

    /// Shows frequencies or orders up to this one.
    #[must_use]
    pub fn up_to(mut self, highest: f64) -> Self {
        self.highest = Some(highest);
        self
    }

    /// Sets the title, which is that of channel and record.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }
}

impl SpectralMap {
    /// Draws the map with a bar of colours: every value fills its surroundings, and of those that share a few pixels
    /// the highest one is seen.
    ///
    /// # Errors
    /// [`SignalError::Number`] for a reference, a range, an order or a highest value that is not positive;
    /// [`SignalError::Setting`] for orders without speeds.
    pub fn panel(&self, picture: &Picture) -> Result<Panel, SignalError> {
        use crate::signal::error::positive;
        let shown = |name: &str, unit: Option<&str>| match unit {
            Some(unit) => format!("{name} [{unit}]"),
            None => name.to_owned(),
        };
        let range = positive("the range of levels", picture.range, "give it in dB, such as 60")?;
        let (values, name) = match picture.reference {
            Some(reference) => (self.levels(reference)?, shown("level", Some(&self.level_unit(reference)))),
            None => (self.values.clone(), shown(self.quantity.name(), self.unit.as_deref())),
        };
        let highest = match picture.highest {
            Some(highest) => {
                positive("the highest frequency or order of a picture", highest, "give it in Hz, or as an order")?
            }
            None => self.y.values.last().copied().unwrap_or(1.0),
        };
        // what is cut off does not set the colours
        let columns = self.x.values.len();
        let rows = self.y.values.iter().filter(|y| **y <= highest).count();
        let values: Vec<f64> = values.into_iter().take(rows * columns).collect();
        let known = values.iter().copied().filter(|value| value.is_finite());
        let top = known.reduce(f64::max).unwrap_or(1.0);
        let limits = match picture.reference {
            Some(_) => (top - range, top),
            None => (0.0, if top > 0.0 { top } else { 1.0 }),
        };
        let lowest = picture.reference.map_or(f64::NAN, |_| limits.0);
        // a value of 0 has no level, and is below all others
        let values = values.into_iter().map(|value| if value == f64::NEG_INFINITY { lowest } else { value });
        let y: Vec<f64> = self.y.values.iter().copied().take(rows).collect();
        let map = Map::new(name, self.x.values.clone(), y, values.collect(), 0.0).limits(limits).stepped();
        let axis = |axis: &super::MapAxis| match axis.unit {
            Some(unit) => Axis::new(axis.name).unit(unit),
            None => Axis::new(axis.name),
        };
        let title = picture.title.clone().unwrap_or_else(|| format!("{} of {}", self.channel, self.record));
        let panel = Panel::new(title, axis(&self.x), axis(&self.y)).map(map);
        self.with_orders(panel, &picture.orders, highest)
    }

    fn with_orders(&self, mut panel: Panel, orders: &[f64], highest: f64) -> Result<Panel, SignalError> {
        let Some(speeds) = self.speeds.as_ref().filter(|_| !orders.is_empty()) else {
            if orders.is_empty() {
                return Ok(panel);
            }
            return Err(SignalError::Setting {
                what: "a line of an order on a map whose speeds are not known",
                instead: "take `speed_map` or `order_map` with a tacho",
            });
        };
        for order in orders {
            crate::signal::error::positive("the order", *order, "give periods per revolution, such as 2")?;
        }
        let names: Vec<String> = orders.iter().map(f64::to_string).collect();
        let mut name = format!("order{} {}", if orders.len() == 1 { "" } else { "s" }, names.join(", "));
        for order in orders {
            let points = self.x.values.iter().zip(speeds).map(|(x, speed)| (*x, self.on_y(*order, *speed)));
            let points = points.map(|(x, y)| (x, if y <= highest { y } else { f64::NAN }));
            panel = panel.line(Line::new(std::mem::take(&mut name), color::PINK, points));
        }
        Ok(panel)
    }

    /// Draws the map as a figure of its own, to be written as SVG, or as PNG with the feature `png` of `costate`.
    ///
    /// # Errors
    /// As of [`panel`](Self::panel).
    pub fn figure(&self, picture: &Picture) -> Result<Figure, SignalError> {
        Ok(Figure::new(1, SIZE).panel(self.panel(picture)?))
    }
}
