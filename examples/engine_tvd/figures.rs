//! Figures of the run-up and of the identification.

use std::path::Path;

use anyhow::Result;
use costate::cost::{FourierLine, Window};
use costate::identify::FitSummary;
use costate::plot::color::{BLACK, BLUE, GREY, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_examples::{cost_panel, parameter_panels};
use costate_models::four_cylinder_engine::RUN_UP;

use crate::experiment::{FITTED_ORDER, FITTED_SPEEDS, fitted_speeds, run_up};
use crate::orders::{ORDERS, OrderTable};
use crate::signals::Signals;

/// Size of a panel over the full width of a page, and of one of two side by side.
const WIDE: (u32, u32) = (900, 320);
const HALF: (u32, u32) = (560, 320);

/// The speed in rpm whose window is shown, near the peak of order 6.
const SHOWN_SPEED: f64 = 5000.0;

/// Results of the identification, for the figures.
pub struct Results<'a> {
    /// Name of the reference damper: the true one, or the identified one where the true one is not known.
    pub reference: &'static str,
    /// The run-up with the reference damper.
    pub shown: &'a Signals,
    pub measured: &'a OrderTable,
    pub start: &'a OrderTable,
    pub found: &'a OrderTable,
    pub fit: &'a FitSummary,
    /// The fitted parameters of the reference damper.
    pub reference_values: [f64; 4],
}

/// Writes all figures.
pub fn write(folder: &Path, results: &Results<'_>) -> Result<()> {
    let shown = run_up()?.line(FITTED_ORDER, SHOWN_SPEED / 60.0, Window::Hann)?;
    let [speed, twist, window] = [results.speed(), results.twist(&shown), results.window(&shown)];
    let [relative, distance] = parameter_panels(results.fit, results.reference, &results.reference_values);

    let run_up = Figure::new(1, WIDE).panel(speed).panel(twist.clone());
    run_up.write(folder.join("run_up.svg"))?;
    Figure::new(1, WIDE).panel(twist.clone()).panel(window.clone()).write(folder.join("window.svg"))?;
    Figure::new(1, (900, 420)).panel(results.order(FITTED_ORDER)).write(folder.join("order_6.svg"))?;
    let others = ORDERS.into_iter().filter(|order| *order != FITTED_ORDER);
    let others = others.fold(Figure::new(1, WIDE), |figure, order| figure.panel(results.order(order)));
    others.write(folder.join("orders.svg"))?;
    let convergence =
        Figure::new(1, WIDE).panel(cost_panel(results.fit, "rad⁴")).panel(relative.clone()).panel(distance.clone());
    convergence.write(folder.join("convergence.svg"))?;
    let overview = Figure::new(2, HALF).panel(twist).panel(window).panel(results.order(FITTED_ORDER)).panel(relative);
    overview.write(folder.join("overview.svg"))?;
    Ok(())
}

impl Results<'_> {
    fn speed(&self) -> Panel {
        let rpm = 60.0 / std::f64::consts::TAU;
        let drive = self.shown.speed().map(|(t, _)| (t, RUN_UP.speed(t) * rpm));
        Panel::new("Run-up", time(), Axis::new("speed").unit("rpm"))
            .line(Line::new("flywheel", GREY, self.shown.speed()))
            .line(Line::new("driven side", BLUE, drive).width(1.5))
    }

    /// Draws the twist over the whole run-up, with the window that the next panel shows.
    fn twist(&self, shown: &FourierLine) -> Panel {
        let damper = self.reference;
        let title = format!("Twist with the {damper} damper; shaded: the window of {SHOWN_SPEED} rpm");
        Panel::new(title, time(), twist()).shaded((shown.from, shown.to)).line(Line::new(
            "",
            BLUE,
            self.shown.twist().map(milli),
        ))
    }

    /// Draws the twist in one window (FD figure 11).
    fn window(&self, shown: &FourierLine) -> Panel {
        let length = shown.to - shown.from;
        let range = (shown.from - 0.15 * length, shown.to + 0.15 * length);
        let signal: Vec<_> = self.shown.twist().map(milli).filter(|(t, _)| (range.0..=range.1).contains(t)).collect();
        let highest = signal.iter().fold(0.0_f64, |most, (_, y)| most.max(y.abs()));
        let hann = |t: f64| match (shown.from..=shown.to).contains(&t) {
            true => shown.window.at((t - shown.from) / length),
            false => 0.0,
        };
        let window = signal.iter().map(|&(t, _)| (t, highest * hann(t)));
        let product = signal.iter().map(|&(t, y)| (t, y * hann(t)));
        let title = format!("Twist in the window of {SHOWN_SPEED} rpm");
        Panel::new(title, time().range(range), twist())
            .line(Line::new("twist", GREY, signal.iter().copied()).width(1.5))
            .line(Line::new("Hann window, scaled", ORANGE, window).width(1.5))
            .line(Line::new("twist × window", BLUE, product).width(1.5))
    }

    /// Draws an order over speed before and after the identification (FD figures 12 and 13).
    fn order(&self, order: f64) -> Panel {
        let fitted = order == FITTED_ORDER;
        let title = match fitted {
            true => format!("Order {order}, fitted in the shaded range"),
            false => format!("Order {order}, not fitted"),
        };
        let speed = Axis::new("speed").unit("rpm").range((RUN_UP.from, RUN_UP.to));
        let tables = [self.measured, self.start, self.found];
        let highest = tables.iter().filter_map(|table| table.peak(order)).map(|(_, peak)| peak).fold(0.0, f64::max);
        let amplitude = Axis::new("amplitude").unit("mrad").range((0.0, 1.08e3 * highest));
        let line = |name: &str, color, table: &OrderTable| Line::new(name, color, table.points(order).map(milli));
        let panel = Panel::new(title, speed, amplitude)
            .line(line("measured", GREY, self.measured).width(4.0))
            .line(line("start values", ORANGE, self.start).width(1.5))
            .line(line("identified", BLUE, self.found).width(1.5));
        if !fitted {
            return panel;
        }
        let compared = |(speed, _): &(f64, f64)| fitted_speeds().any(|other| (speed - other).abs() < 0.5);
        let points = self.measured.points(order).filter(compared).map(milli);
        panel.shaded(FITTED_SPEEDS).line(Line::new("compared", BLACK, points).width(3.0).scattered())
    }
}

fn milli((x, y): (f64, f64)) -> (f64, f64) {
    (x, 1e3 * y)
}

fn time() -> Axis {
    Axis::new("time").unit("s")
}

fn twist() -> Axis {
    Axis::new("twist").unit("mrad")
}
