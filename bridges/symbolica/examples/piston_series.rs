//! The piston of a slider-crank as a series in the ratio of crank radius to conrod length, written back as a cheaper
//! model, and compared over a turn.
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

    // z/l as a function of the ratio r/l: of a conrod of length 1
    let ratio = symbol!("ratio");
    let of_ratio =
        position.replace(r.to_pattern()).with(ratio.to_atom() * &l).replace(l.to_pattern()).with(Atom::num(1));
    let mut models = vec![exact];
    for (order, name) in [(2, "SecondOrder"), (4, "FourthOrder")] {
        let series = of_ratio.series(ratio, 0, order).map_err(|error| anyhow!("{error:?}"))?.to_atom();
        println!("z/l = {}", text(&series)?);
        let back = series.replace(ratio.to_atom().to_pattern()).with(&r / &l) * &l;
        let piston = text(&back.expand())?;
        println!("let piston = {piston};\n");
        // units are checked here: every term is a length
        models.push(model(name, &piston)?);
    }

    println!("operations of       root  2nd order  4th order");
    let count = |model: &Compiled, name: &str| {
        model.operations.iter().find(|count| count.function == name).map_or(0, |count| count.total())
    };
    for name in ["residual", "newton", "adjoint", "linearization", "outputs"] {
        let [root, second, fourth] = [0, 1, 2].map(|i| count(&models[i], name));
        println!("{name:<18} {root:>5} {second:>10} {fourth:>10}");
    }

    println!("\n         piston in mm                       acceleration in m/s^2");
    println!("phi        root  2nd order  4th order       root  2nd order  4th order");
    let mut largest = [0.0_f64; 2];
    for angle in 0..=360 {
        let turned = f64::from(angle).to_radians();
        let [[z, a], [z_2, a_2], [z_4, a_4]] = [0, 1, 2].map(|i| outputs(&models[i], turned));
        if angle % 30 == 0 {
            println!("{angle:>3} {z:>11.4} {z_2:>10.4} {z_4:>10.4} {a:>10.2} {a_2:>10.2} {a_4:>10.2}");
        }
        largest = [largest[0].max((z - z_2).abs()), largest[1].max((z - z_4).abs())];
    }
    let (r, l): (f64, f64) = (45.0, 145.0);
    let left_out = [r.powi(4) / (8.0 * l.powi(3)), r.powi(6) / (16.0 * l.powi(5))];
    println!();
    for (order, (largest, next)) in [2, 4].into_iter().zip(largest.into_iter().zip(left_out)) {
        println!(
            "order {order}: at most {largest:.2e} mm off over a turn; the first term left out reaches {next:.2e} mm"
        );
        ensure!(largest > next && largest < 1.2 * next, "the series is not that of the piston");
    }
    ensure!(count(&models[1], "newton") < count(&models[0], "newton"), "the series is no cheaper");
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
