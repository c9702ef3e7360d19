//! The piston of a slider-crank as a series in the ratio of crank radius to conrod length, written back as a cheaper model.
//!
//! `cargo run --example piston_series`

use anyhow::{Context, Result, anyhow, ensure};
use costate_compiler::symbolic::Symbol as Quantity;
use costate_compiler::{Compiled, compile_str};
use costate_symbolica::{atoms, text};
use symbolica::prelude::*;

/// A crank that turns against a gas force; the piston's position is `piston`.
fn model(name: &str, piston: &str) -> Result<Compiled> {
    let source = format!(
        "{name} {{
            parameters {{ r: mm = 45, l: mm = 145, j: kg*m^2 = 0.0065, m: kg = 0.45 }}
            inputs {{ gas: N }}
            coordinates {{ phi: rad }}
            let piston = {piston};
            kinetic {{ j/2*dot(phi)^2, m/2*dot(piston)^2 }}
            potential {{ gas*piston }}
            outputs {{ position: mm = piston, acceleration: m/s^2 = ddot(piston) }}
        }}"
    );
    compile_str(&source).map_err(|errors| anyhow!("{errors:#?}"))
}

fn main() -> Result<()> {
    let exact = model("SliderCrank", "r*cos(phi) + sqrt(l^2 - r^2*sin(phi)^2)")?;
    let found = atoms(&exact)?;
    let (r, l) = (found.quantity("r").context("no r")?, found.quantity("l").context("no l")?);
    let position = found.get("s", &["position"]).context("no position")?;

    // z/l as a function of the ratio r/l, whose series ends with its fourth power
    let ratio = symbol!("ratio");
    let of_ratio = position.replace(r.to_pattern()).with(ratio.to_atom() * &l) / &l;
    // sqrt(l^2 - l^2 x) = l sqrt(1 - x), of a length
    let of_unit_length = of_ratio.replace(l.to_pattern()).with(Atom::num(1));
    let series = of_unit_length.series(ratio, 0, 4).map_err(|error| anyhow!("{error:?}"))?.to_atom();
    println!("z/l = {}\n", text(&series)?);
    let back = (series.replace(ratio.to_atom().to_pattern()).with(&r / &l) * &l).expand();
    let piston = text(&back)?;
    println!("let piston = {piston};\n");

    // units are checked here: every term is a length
    let cheap = model("ShortSliderCrank", &piston)?;
    println!("operations            exact   series");
    for (before, after) in exact.operations.iter().zip(&cheap.operations) {
        println!("{:<20} {:>6} {:>8}", format!("{:?}", before.function), before.total(), after.total());
    }

    println!("\nphi in deg   piston in mm     series   acceleration in m/s^2     series");
    let mut largest: f64 = 0.0;
    for angle in (0..=360).step_by(30) {
        let at = |compiled: &Compiled| outputs(compiled, f64::from(angle).to_radians());
        let ([z, a], [z_series, a_series]) = (at(&exact), at(&cheap));
        println!("{angle:>10} {z:>14.6} {z_series:>10.6} {a:>23.4} {a_series:>10.4}");
        largest = largest.max((z - z_series).abs());
    }
    // the next term, r^6 sin^6/(16 l^5)
    let (r, l): (f64, f64) = (45.0, 145.0);
    let next = r.powi(6) / (16.0 * l.powi(5));
    println!("\nlargest deviation {largest:.2e} mm; the first term left out is {next:.2e} mm at most");
    ensure!(largest < 1.5 * next && largest > 0.5 * next, "the series is not that of the piston");
    Ok(())
}

/// Position and acceleration of the piston at 3000 rpm.
fn outputs(compiled: &Compiled, angle: f64) -> [f64; 2] {
    let value = |symbol| match symbol {
        Quantity::Coordinate(_) => angle,
        Quantity::Velocity(_) => 100.0 * std::f64::consts::PI,
        Quantity::Parameter(i) => compiled.model.defaults[i].unwrap_or(f64::NAN),
        _ => 0.0,
    };
    let values = compiled.graph.evaluate(&compiled.model.output, value);
    [values[0], values[1]]
}
