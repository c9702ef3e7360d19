//! Errors over the step size.

use anyhow::Result;
use costate::plot::{Axis, Figure, Line, Panel, color};
use costate::simulate::Scheme;
use costate::{Output, Simulation};

costate::model! {
    /// Two masses on a bar, a pendulum whose mass matrix depends on its position.
    pub Double {
        parameters { m: kg = 1, l: m = 0.5, g: m/s^2 = 9.81 }
        coordinates { a: rad, b: rad }
        kinetic { m*l^2*dot(a)^2 + m/2*l^2*dot(b)^2 + m*l^2*dot(a)*dot(b)*cos(a - b) }
        potential { -2*m*g*l*cos(a) - m*g*l*cos(b) }
        initial { a = 1, b = 0.5 }
        outputs { angle: rad = a, swing: rad/s^2 = ddot(a) }
    }
}

const END: f64 = 1.0;

fn output(step: f64, scheme: Scheme, output: Output<Double>) -> Result<f64> {
    let double = Double::default();
    let run = Simulation::new(&double).step(step).until(END).scheme(scheme).error_limit(None).run()?;
    Ok(run.output(output).last().copied().unwrap_or(f64::NAN))
}

/// Errors of position and acceleration by two schemes.
pub fn figure() -> Result<Figure> {
    let alpha = Scheme::GeneralizedAlpha { rho_inf: 0.8 };
    let mut figure = Figure::new(2, (520, 300));
    for (title, scheme) in [("Generalized alpha", alpha), ("HHT", Scheme::Hht { alpha: -0.1 })] {
        let axes = (Axis::new("h").unit("s").logarithmic(), Axis::new("error at the end").logarithmic());
        let mut panel = Panel::new(title, axes.0, axes.1.range((1e-7, 1.0)));
        for (name, which, color) in
            [("angle [rad]", Double::ANGLE, color::BLUE), ("acceleration [rad/s²]", Double::SWING, color::ORANGE)]
        {
            let exact = output(END / 51_200.0, alpha, which)?;
            let mut points = Vec::new();
            for halvings in (0..9).rev() {
                let step = END / f64::from(25 << halvings);
                points.push((step, (output(step, scheme, which)? - exact).abs()));
            }
            panel = panel.line(Line::new(name, color, points).marked());
        }
        figure = figure.panel(panel);
    }
    Ok(figure)
}
