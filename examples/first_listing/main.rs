//! The first listing of the README: a model, a virtual measurement, and the fit of its parameters.

costate::model! {
    /// A machine on a mount that hardens, moved by its foundation.
    pub Mount {
        parameters { m: kg = 20, c: N/m = 100e3, c_3: N/m^3 = 3e9, d: N*s/m = 40 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
        outputs { acceleration: m/s^2 = ddot(x) }
    }
}

use costate::{Identification, Record, Simulation};

fn main() -> anyhow::Result<()> {
    let sweep = |t: f64| 500.0 * (60.0 * t * t).sin();
    // A virtual measurement; `Record::read_csv("bench.csv")?` reads a real one.
    let run = Simulation::new(&Mount::default()).input(Mount::DRIVE, sweep).step(5e-4).until(2.0).run()?;
    let acceleration = run.output(Mount::ACCELERATION);
    let record = Record::new(run.times())?.with_channel("acceleration", Some("m/s^2"), acceleration)?;

    let simulation = Simulation::new(&Mount { c: 80e3, d: 20.0, ..Mount::default() }).input(Mount::DRIVE, sweep);
    let fit =
        Identification::new(&simulation).unknown([Mount::C, Mount::D]).measured(Mount::ACCELERATION, &record).run()?;
    println!("{fit}"); // a table: start, found, standard deviation
    Ok(())
}
