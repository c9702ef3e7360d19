//! Tables whose values are found together with the parameters.

mod refined;
mod refused;

use std::error::Error;

use costate::differentiate::GradientMethod;
use costate::identify::{Experiment, Fit, Measurement, UnknownInput, UnknownParameter, UnknownTable, Weighting};
use costate::optimize::{Method, OptimizerSettings};
use costate::table::formula::{Formula, FormulaError};
use costate::table::prior::{Break, Shape, knots_with_breaks};
use costate::table::{Curve, Extension, Surface};
use costate::{Identification, Record, Simulation};
use costate_driven_models::Strut;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

type Tested = Result<(), Box<dyn Error>>;

const STEP: f64 = 2.5e-3;
const END: f64 = 3.0;
const FINE: [f64; 2] = [2e-5, 0.02];

/// Digressive, as dampers are.
fn damping(speed: f64) -> f64 {
    12.0 * (3.0 * speed).tanh() + 3.0 * speed
}

/// In N at so many mm.
fn stiffening(travel: f64) -> f64 {
    2e-3 * travel.powi(3) / 10.0
}

fn grid(range: f64, count: usize) -> Vec<f64> {
    (0..count).map(|k| -range + 2.0 * range * k as f64 / (count - 1) as f64).collect()
}

fn curve(range: f64, count: usize, f: impl Fn(f64) -> f64) -> Result<Curve, Box<dyn Error>> {
    let knots = grid(range, count);
    let values = knots.iter().map(|x| f(*x)).collect();
    Ok(Curve::new(knots, values, Extension::Linear)?)
}

fn nothing() -> Result<(Curve, Surface), Box<dyn Error>> {
    let stop = Curve::new(vec![-1.0, 0.0, 1.0], vec![0.0; 3], Extension::Clamped)?;
    let (x, y) = (grid(0.05, 4), grid(1.0, 5));
    Ok((stop, Surface::new(x, y, vec![0.0; 20], [Extension::Linear; 2])?))
}

fn drive(t: f64) -> f64 {
    9.0 * (11.0 * t).sin() + 6.0 * (17.0 * t).cos() + 4.0 * (4.0 * t).sin()
}

/// Position and acceleration of the strut with this damper and spring, simulated with every step in so many parts, with
/// noise of these deviations.
fn simulated(
    [damper, spring]: [Curve; 2],
    parts: usize,
    seed: u64,
    deviations: [f64; 2],
) -> Result<Record, Box<dyn Error>> {
    let (stop, map) = nothing()?;
    let model = Strut::default();
    let run = Simulation::new(&model)
        .input(Strut::DRIVE, drive)
        .table(Strut::DAMPER, damper)
        .table(Strut::SPRING, spring)
        .table(Strut::STOP, stop)
        .table(Strut::MAP, map)
        .step(STEP / parts as f64)
        .until(END)
        .error_limit(None)
        .run()?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut noisy = |output, deviation: f64| -> Vec<f64> {
        let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
        let values = run.output(output).into_iter().step_by(parts);
        values.map(|value| value + deviation * noise()).collect()
    };
    let (position, acceleration) = (noisy(Strut::POSITION, deviations[0]), noisy(Strut::ACCELERATION, deviations[1]));
    let times = run.times().iter().copied().step_by(parts).collect();
    let record = Record::new(times)?.named("bench").with_channel("position", Some("m"), position)?;
    Ok(record.with_channel("acceleration", Some("m/s^2"), acceleration)?)
}

/// The strut with a digressive damper and a spring that stiffens, in the steps of the identification.
fn measured(seed: u64, deviations: [f64; 2]) -> Result<Record, Box<dyn Error>> {
    simulated([curve(1.2, 97, damping)?, curve(50.0, 81, stiffening)?], 1, seed, deviations)
}

/// The strut with a straight line as damper, and without spring, stop and map.
fn simulation() -> Result<Simulation<Strut>, Box<dyn Error>> {
    let (stop, map) = nothing()?;
    Ok(Simulation::new(&Strut { c: 380.0, ..Strut::default() })
        .input(Strut::DRIVE, drive)
        .table(Strut::DAMPER, curve(1.0, 21, |speed| 8.0 * speed)?)
        .table(Strut::SPRING, curve(50.0, 11, |_| 0.0)?)
        .table(Strut::STOP, stop)
        .table(Strut::MAP, map)
        .step(STEP)
        .until(END)
        .error_limit(None))
}

fn identification(record: &Record) -> Result<Identification<Strut>, Box<dyn Error>> {
    Ok(identification_of(&simulation()?, record))
}

fn identification_of(simulation: &Simulation<Strut>, record: &Record) -> Identification<Strut> {
    Identification::new(simulation)
        .measured(Strut::POSITION, Measurement::new(record).standard_deviation(FINE[0]))
        .measured(Strut::ACCELERATION, Measurement::new(record).standard_deviation(FINE[1]))
        .weighting(Weighting::Likelihood)
        .optimizer(settings(Method::LevenbergMarquardt))
}

fn settings(method: Method) -> OptimizerSettings {
    OptimizerSettings::default().with_method(method).with_maximum_iterations(60)
}

/// The gradient of everything at once is that of dual numbers: curves with and without shapes, a surface, smoothness,
/// parameters, and an input.
#[test]
fn the_gradient_with_respect_to_tables_is_that_of_dual_numbers() -> Tested {
    let record = measured(1, [1e-3, 0.3])?;
    for method in [GradientMethod::DiscreteAdjoint, GradientMethod::DirectDifferentiation] {
        let report = identification(&record)?
            .unknown([UnknownParameter::from(Strut::C).within(100.0, 1000.0)])
            .unknown_table(UnknownTable::new(Strut::DAMPER, 5.0).shape(Shape::Odd).shape(Shape::Increasing).smooth())
            .unknown_table(UnknownTable::new(Strut::SPRING, 5.0).smoothness(10.0).deviation(20.0))
            .unknown_table(UnknownTable::new(Strut::MAP, 1.0).smoothness(2.0))
            .unknown_input(UnknownInput::smooth(Strut::DRIVE, 0.1, 1.0).deviation(1.0))
            .gradient_method(method)
            .optimizer(settings(Method::Bfgs))
            .check_gradient()?;
        assert_eq!(report.entries.len(), 1 + 10 + 11 + 20 + 31);
        assert!(report.agrees(1e-9), "{method}\n{report}");
    }
    Ok(())
}

/// A curve with a kink and a jump.
fn with_breaks(f: impl Fn(f64) -> f64) -> Result<(Curve, [Break; 2]), Box<dyn Error>> {
    let breaks = [Break::Kink(6.0), Break::Jump(-13.0)];
    let knots = knots_with_breaks(&grid(50.0, 11), &breaks)?;
    let values = knots.iter().map(|x| f(*x)).collect();
    Ok((Curve::new(knots, values, Extension::Linear)?, breaks))
}

#[test]
fn curves_with_breaks_have_the_gradient_of_dual_numbers() -> Tested {
    let record = measured(1, [1e-3, 0.3])?;
    let (curve, [kink, jump]) = with_breaks(|x| 0.3 * (x - 6.0).max(0.0) - if x < -13.0 { 2.0 } else { 0.0 })?;
    let knots = curve.knots().len();
    let simulation = simulation()?.table(Strut::SPRING, curve);
    for method in [GradientMethod::DiscreteAdjoint, GradientMethod::DirectDifferentiation] {
        let report = identification_of(&simulation, &record)
            .unknown([UnknownParameter::from(Strut::C).within(100.0, 1000.0)])
            .unknown_table(UnknownTable::new(Strut::SPRING, 5.0).smooth().break_at(kink).break_at(jump))
            .gradient_method(method)
            .optimizer(settings(Method::Bfgs))
            .check_gradient()?;
        assert_eq!(report.entries.len(), 1 + knots);
        assert!(report.agrees(1e-9), "{method}\n{report}");
    }
    Ok(())
}

/// The error of found values in deviations: root of the mean square, where the data tell the values.
fn scatter(fit: &Fit<Strut>, table: usize, truth: impl Fn(f64) -> f64) -> f64 {
    let fitted = &fit.summary().tables[table];
    let mut all = Vec::new();
    for (k, x) in fitted.knots[0].iter().enumerate() {
        if fitted.told_by_data[k] > 0.9 {
            all.push((fitted.values[k] - truth(*x)) / fitted.standard_deviations[k]);
        }
    }
    (all.iter().map(|x| x * x).sum::<f64>() / all.len() as f64).sqrt()
}

#[test]
fn a_damper_and_a_spring_are_found_from_straight_lines() -> Tested {
    let record = measured(2, FINE)?;
    let fit = identification(&record)?
        .unknown_table(UnknownTable::new(Strut::DAMPER, 5.0).smooth())
        .unknown_table(UnknownTable::new(Strut::SPRING, 5.0).shape(Shape::ThroughOrigin).smoothness(20.0))
        .run()?;
    let [damper, spring] = &fit.summary().tables[..] else { return Err("two tables".into()) };
    assert_eq!((damper.table, damper.unit, damper.knots[0].len()), ("damper", "N", 21));
    assert_eq!(spring.knots[0][5], 0.0);
    assert!(spring.values[5].abs() < 1e-12 && spring.standard_deviations[5] < 1e-12, "{fit}");
    let told = damper.told_by_data.iter().filter(|told| **told > 0.9).count();
    assert!((6..21).contains(&told), "{:?}\n{fit}", damper.told_by_data);
    let of_damper = scatter(&fit, 0, damping);
    assert!((0.4..1.8).contains(&of_damper), "{of_damper} {:?}\n{fit}", damper.values);
    // where no data are, nothing but smoothness is known
    let (edge, middle) = (damper.standard_deviations[0], damper.standard_deviations[10]);
    assert!(edge > 5.0 * middle && damper.told_by_data[0] < 0.5, "{edge} {middle}\n{fit}");
    assert!(fit.to_string().contains("damper: "), "{fit}");
    // what was found goes into another simulation
    let found = fit.tables().curve(Strut::DAMPER);
    assert_eq!(found.values(), damper.values);
    let (stop, map) = nothing()?;
    let again = Simulation::new(fit.model())
        .input(Strut::DRIVE, drive)
        .table(Strut::DAMPER, found)
        .table(Strut::SPRING, fit.tables().curve(Strut::SPRING))
        .table(Strut::STOP, stop)
        .table(Strut::MAP, map)
        .step(STEP)
        .until(END)
        .error_limit(None)
        .run()?;
    assert_eq!(again.output(Strut::FORCE), fit.experiments()[0].output(Strut::FORCE));
    // and into a model
    assert_eq!(
        damper.declaration("data/damper.csv"),
        "damper(speed: m/s): N = \"data/damper.csv\",".replace("speed", "linear speed")
    );
    let folder = std::env::temp_dir().join(format!("costate-tables-{}", std::process::id()));
    fit.write(&folder)?;
    let read = |name: &str| Curve::read_csv(folder.join(name), Extension::Linear);
    let (of_damper, of_spring) = (read("damper.csv")?, read("spring.csv")?);
    let bands = std::fs::read_to_string(folder.join("damper bands.csv"))?;
    std::fs::remove_dir_all(&folder)?;
    assert_eq!((of_damper.knots(), of_damper.values()), (damper.knots[0].clone(), damper.values.clone()));
    assert_eq!(of_spring.values(), spring.values);
    assert!(bands.starts_with("speed [m/s],damper [N],standard deviation [N],told by data [1]\n"), "{bands}");
    assert_eq!(bands.lines().count(), 22);
    // as a formula
    let best = damper.formulas(&Formula::USUAL)?.remove(0);
    let [Some(slope), Some(width)] = ["c", "d"].map(|name| best.coefficients.iter().find(|c| c.name == name)) else {
        return Err(format!("another formula: {best}").into());
    };
    assert_eq!(best.formula, Formula::SmoothFriction, "{best}");
    assert!(((width.value - 1.0 / 3.0) / width.standard_deviation).abs() < 5.0, "{best}");
    assert!(((slope.value - 12.0) / slope.standard_deviation).abs() < 5.0, "{best}");
    Ok(())
}

#[test]
fn shapes_are_kept() -> Tested {
    let record = measured(3, [20.0 * FINE[0], 20.0 * FINE[1]])?;
    let fit = identification(&record)?
        .unknown_table(UnknownTable::new(Strut::DAMPER, 5.0).shape(Shape::Odd).shape(Shape::Increasing).deviation(50.0))
        .run()?;
    let values = &fit.summary().tables[0].values;
    assert!(values.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9), "{values:?}");
    assert!((0..21).all(|k| (values[k] + values[20 - k]).abs() < 1e-9), "{values:?}");
    Ok(())
}

/// A surface of travel and speed, from nothing, in two experiments.
#[test]
fn a_surface_is_found_from_two_experiments() -> Tested {
    let (stop, _) = nothing()?;
    let truth = |x: f64, v: f64| 300.0 * x * (1.0 + v * v) + 4.0 * v;
    let grids = (grid(0.05, 6), grid(1.0, 7));
    let surface = |f: &dyn Fn(f64, f64) -> f64| -> Result<Surface, Box<dyn Error>> {
        let (x, y) = grids.clone();
        let values = x.iter().flat_map(|x| y.iter().map(|y| f(*x, *y)).collect::<Vec<_>>()).collect();
        Ok(Surface::new(x, y, values, [Extension::Linear; 2])?)
    };
    let flat = || curve(1.0, 3, |_| 0.0);
    let drives: [fn(f64) -> f64; 2] = [drive, |t| 12.0 * (9.0 * t).sin()];
    let mut records = Vec::new();
    for (drive, seed) in drives.into_iter().zip(1..) {
        let run = Simulation::new(&Strut::default())
            .input(Strut::DRIVE, drive)
            .table(Strut::DAMPER, curve(1.0, 3, |speed| 5.0 * speed)?)
            .table(Strut::SPRING, flat()?)
            .table(Strut::STOP, stop.clone())
            .table(Strut::MAP, surface(&truth)?)
            .step(STEP)
            .until(END)
            .error_limit(None)
            .run()?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let noisy = run.output(Strut::ACCELERATION).into_iter().map(|a| {
            let noise: f64 = StandardNormal.sample(&mut random);
            a + 0.02 * noise
        });
        records.push(Record::new(run.times())?.with_channel("acceleration", Some("m/s^2"), noisy.collect())?);
    }
    let common = Simulation::new(&Strut::default())
        .table(Strut::DAMPER, curve(1.0, 3, |speed| 5.0 * speed)?)
        .table(Strut::SPRING, flat()?)
        .table(Strut::STOP, stop)
        .table(Strut::MAP, surface(&|_, _| 0.0)?)
        .error_limit(None);
    let mut id = Identification::new(&common)
        .unknown_table(UnknownTable::new(Strut::MAP, 5.0).smooth())
        .optimizer(settings(Method::LevenbergMarquardt));
    for ((drive, record), name) in drives.into_iter().zip(&records).zip(["first", "second"]) {
        let driven = common.clone().input(Strut::DRIVE, drive);
        let one = Experiment::new(name).simulation(&driven);
        id = id.experiment(one.measured(Strut::ACCELERATION, record));
    }
    let fit = id.run()?;
    let found = &fit.summary().tables[0];
    let places = found.knots[0].iter().flat_map(|x| found.knots[1].iter().map(move |v| (*x, *v)));
    let mut told = 0;
    for (k, (x, v)) in places.enumerate().filter(|(k, _)| found.told_by_data[*k] > 0.95) {
        let score = (found.values[k] - truth(x, v)) / found.standard_deviations[k];
        assert!(score.abs() < 4.5, "{x} {v}: {score}\n{fit}");
        told += 1;
    }
    assert!(told > 8, "{:?}\n{fit}", found.told_by_data);
    let file = std::env::temp_dir().join(format!("costate-map-{}.csv", std::process::id()));
    std::fs::write(&file, found.csv())?;
    let read = Surface::read_csv(&file, [Extension::Linear; 2])?;
    std::fs::remove_file(&file)?;
    assert_eq!((read.knots().to_vec(), read.values()), (found.knots.clone(), found.values.clone()));
    assert!(matches!(found.formulas(&Formula::USUAL), Err(FormulaError::Surface { table: "map" })));
    Ok(())
}
