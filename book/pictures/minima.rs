//! The cost over the stiffness of an oscillator.

use anyhow::Result;
use costate::Simulation;
use costate::plot::{Axis, Figure, Line, Panel, color};

costate::model! {
    /// A mass on a spring that swings freely.
    pub Oscillator {
        parameters { m: kg = 1, c: N/m = 400, d: N*s/m = 0.4 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x - d*dot(x) }
        initial { x = 0.1[m], dot(x) = 0[m/s] }
        outputs { position: m = x }
    }
}

fn position(c: f64) -> Result<Vec<f64>> {
    let oscillator = Oscillator { c, ..Oscillator::default() };
    let run = Simulation::new(&oscillator).step(5e-3).until(4.0).error_limit(None).run()?;
    Ok(run.output(Oscillator::POSITION))
}

/// The cost, and the courses at the true value and in a wrong minimum.
pub fn figure() -> Result<Figure> {
    let truth = position(400.0)?;
    let mut points = Vec::new();
    for k in 0..=300 {
        let c = 100.0 + 3.0 * f64::from(k);
        let squares: f64 = position(c)?.iter().zip(&truth).map(|(a, b)| (a - b).powi(2)).sum();
        points.push((c, 0.5 * 5e-3 * squares));
    }
    // the lowest place to the right of the hill next to the true value
    let wrong = points.windows(3).filter(|near| near[1].1 < near[0].1 && near[1].1 < near[2].1 && near[1].0 > 450.0);
    let wrong = wrong.map(|near| near[1]).reduce(|a, b| if b.1 < a.1 { b } else { a }).unwrap_or((700.0, 0.0));
    let over_time = |values: Vec<f64>| values.into_iter().enumerate().map(|(i, x)| (5e-3 * i as f64, x));
    let cost = Panel::new("Cost over the stiffness", Axis::new("c").unit("N/m"), Axis::new("J").unit("m²·s"))
        .line(Line::new("", color::BLUE, points))
        .line(Line::new("true", color::GREEN, [(400.0, 0.0)]).width(6.0).scattered())
        .line(Line::new("a wrong minimum", color::ORANGE, [wrong]).width(6.0).scattered());
    let courses =
        Panel::new("Half of the peaks fit again", Axis::new("time").unit("s"), Axis::new("position").unit("m"))
            .line(Line::new("measured", color::GREY, over_time(truth)).width(2.5))
            .line(Line::new(format!("c = {:.0} N/m", wrong.0), color::ORANGE, over_time(position(wrong.0)?)));
    Ok(Figure::new(2, (520, 300)).panel(cost).panel(courses))
}
