//! Maps as pictures.

use costate_view::plot::{Axis, Figure, Line, Map, Panel, color};

use super::SpectralMap;
use crate::signal::SignalError;
use crate::signal::error::positive;

/// Size of a panel in pixels.
const SIZE: (u32, u32) = (900, 480);

/// The way in which a map is drawn.
///
/// ```
/// # use costate_measure::signal::Picture;
/// let orders = vec![2.0, 4.0];
/// let picture = Picture { reference: Some(1e-6), range: 80.0, orders, up_to: Some(500.0), ..Picture::default() };
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The title. `None` takes that of channel and record.
    pub title: Option<String>,
    /// Reference of levels in dB, in the unit of the channel. `None` shows the values themselves, from 0 on.
    pub reference: Option<f64>,
    /// Distance in dB to the highest level up to which levels are shown; what is lower has the lowest colour. Default
    /// 60.
    pub range: f64,
    /// Orders at which lines are drawn, where speeds are known.
    pub orders: Vec<f64>,
    /// Highest frequency or order that is shown. `None` shows all.
    pub up_to: Option<f64>,
}

impl Default for Picture {
    fn default() -> Self {
        Self { title: None, reference: None, range: 60.0, orders: Vec::new(), up_to: None }
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
        let shown = |name: &str, unit: Option<&str>| match unit {
            Some(unit) => format!("{name} [{unit}]"),
            None => name.to_owned(),
        };
        let range = positive("the range of levels", picture.range, "give it in dB, such as 60")?;
        let (values, name) = match picture.reference {
            Some(reference) => (self.levels(reference)?, shown("level", Some(&self.level_unit(reference)))),
            None => (self.values.clone(), shown(self.quantity.name(), self.unit.as_deref())),
        };
        let highest = match picture.up_to {
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
        if orders.is_empty() {
            return Ok(panel);
        }
        let Some(speeds) = &self.speeds else {
            return Err(SignalError::Setting {
                what: "a line of an order on a map whose speeds are not known",
                instead: "take `speed_map` or `order_map` with a tacho",
            });
        };
        for order in orders {
            positive("the order", *order, "give periods per revolution, such as 2")?;
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
