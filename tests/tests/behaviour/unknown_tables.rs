//! Tables whose values are found together with the parameters.

use std::error::Error;

use costate::differentiate::GradientMethod;
use costate::identify::{
    Experiment, Fit, IdentificationError, Measurement, Refinement, StartingTable, UnknownInput,
    UnknownParameter, UnknownTable, Weighting,
};
use costate::optimize::{Method, OptimizerSettings};
use costate::table::formula::{Formula, FormulaError};
use costate::table::prior::{Break, BreakKind, PriorError, Shape, knots_with_breaks};
use costate::table::{Curve, Extension, Surface};
use costate::{Identification, Record, Simulation, model};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

model! {
    /// A mass on a spring and a damper of which only tables are known, beside a stop that it may never reach.
    pub Strut {
        parameters { m: kg = 2.0, c: N/m = 400.0, engaged: 1 = 0 }
        inputs { drive: N }
        tables {
            damper(speed: m/s): N,
            spring(travel: mm): N,
            stop(travel: mm): N,
            map(travel: m, speed: m/s): N,
        }
        coordinates { x: m }
        mass { x: m }
        forces {
            x: drive - c*x - damper(dot(x)) - spring(x) - engaged*stop(x) - map(x, dot(x)),
        }
        initial { x = 0.01[m], dot(x) = 0[m/s] }
        outputs {
            position: m = x,
            acceleration: m/s^2 = ddot(x),
            force: N = damper(dot(x)) + spring(x),
        }
    }
}

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

/// Position and acceleration, with noise of these deviations.
fn measured(seed: u64, deviations: [f64; 2]) -> Result<Record, Box<dyn Error>> {
    let (stop, map) = nothing()?;
    let truth = Strut::default();
    let run = Simulation::new(&truth)
        .input(Strut::DRIVE, drive)
        .table(Strut::DAMPER, curve(1.2, 97, damping)?)
        .table(Strut::SPRING, curve(50.0, 81, stiffening)?)
        .table(Strut::STOP, stop)
        .table(Strut::MAP, map)
        .step(STEP)
        .until(END)
        .error_limit(None)
        .run()?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut noisy = |output, deviation: f64| -> Vec<f64> {
        let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
        run.output(output).into_iter().map(|value| value + deviation * noise()).collect()
    };
    let (position, acceleration) =
        (noisy(Strut::POSITION, deviations[0]), noisy(Strut::ACCELERATION, deviations[1]));
    let record = Record::new(run.times())?.named("bench");
    Ok(record.with_channel("position", Some("m"), position)?.with_channel(
        "acceleration",
        Some("m/s^2"),
        acceleration,
    )?)
}

fn identification<'a>(record: &'a Record) -> Result<Identification<'a, Strut>, Box<dyn Error>> {
    let (stop, map) = nothing()?;
    Ok(Identification::new(Strut { c: 380.0, ..Strut::default() })
        .measurement(Measurement::new(Strut::POSITION, record).standard_deviation(FINE[0]))
        .measurement(Measurement::new(Strut::ACCELERATION, record).standard_deviation(FINE[1]))
        .input(Strut::DRIVE, drive)
        .table(Strut::DAMPER, curve(1.0, 21, |speed| 8.0 * speed)?)
        .table(Strut::SPRING, curve(50.0, 11, |_| 0.0)?)
        .table(Strut::STOP, stop)
        .table(Strut::MAP, map)
        .step(STEP)
        .until(END)
        .error_limit(None)
        .weighting(Weighting::Likelihood)
        .optimizer(settings(Method::LevenbergMarquardt { damping: 1e-3 })))
}

fn settings(method: Method) -> OptimizerSettings {
    OptimizerSettings::default().with_method(method).with_maximum_iterations(60)
}

/// The gradient of everything at once is that of dual numbers: curves with and without shapes, a surface, smoothness, parameters,
/// and an input.
#[test]
fn the_gradient_with_respect_to_tables_is_that_of_dual_numbers() -> Tested {
    let record = measured(1, [1e-3, 0.3])?;
    for method in [GradientMethod::DiscreteAdjoint, GradientMethod::DirectDifferentiation] {
        let report = identification(&record)?
            .unknown([UnknownParameter::from(Strut::C).within(100.0, 1000.0)])
            .unknown_table(
                UnknownTable::new(Strut::DAMPER, 5.0).shape(Shape::Odd).shape(Shape::Increasing).smooth(),
            )
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
    let (curve, [kink, jump]) =
        with_breaks(|x| 0.3 * (x - 6.0).max(0.0) - if x < -13.0 { 2.0 } else { 0.0 })?;
    let knots = curve.knots().len();
    for method in [GradientMethod::DiscreteAdjoint, GradientMethod::DirectDifferentiation] {
        let report = identification(&record)?
            .table(Strut::SPRING, curve.clone())
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

/// A first guess knows nothing of breaks: their knots are placed before anything is fitted, and stay.
#[test]
fn a_guess_without_knots_for_a_break_is_refined() -> Tested {
    let record = measured(2, FINE)?;
    let line = Curve::new(vec![-1.5, 1.5], vec![-12.0, 12.0], Extension::Linear)?;
    let damper = StartingTable::curve(Strut::DAMPER, line).knots(12).break_at(Break::Kink(0.25));
    let refined = Refinement::new(identification(&record)?.unknown([Strut::C])).table(damper).run()?;
    let knots = &refined.fit.summary().tables[0].knots[0];
    assert!(knots.contains(&0.25), "{knots:?}");
    let beside = StartingTable::curve(Strut::DAMPER, curve(1.0, 3, |speed| 8.0 * speed)?);
    let outside = Refinement::new(identification(&record)?).table(beside.break_at(Break::Kink(3.0))).run();
    assert!(matches!(outside, Err(IdentificationError::TablePrior { table: "damper", .. })));
    Ok(())
}

/// The record of a damper that breaks at `place`, as sharply as knots do that lie close to each other.
fn of_broken_damper(
    kind: BreakKind,
    place: f64,
    force: impl Fn(f64) -> f64,
) -> Result<Record, Box<dyn Error>> {
    let knots = knots_with_breaks(&grid(1.4, 141), &[kind.at(place)])?;
    let values = knots.iter().map(|speed| force(*speed) - force(0.0)).collect();
    let (stop, map) = nothing()?;
    let model = Strut::default();
    let run = Simulation::new(&model)
        .input(Strut::DRIVE, drive)
        .table(Strut::DAMPER, Curve::new(knots, values, Extension::Linear)?)
        .table(Strut::SPRING, curve(50.0, 11, |_| 0.0)?)
        .table(Strut::STOP, stop)
        .table(Strut::MAP, map)
        .step(STEP)
        .until(END)
        .error_limit(None)
        .run()?;
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut noisy = |output, deviation: f64| -> Vec<f64> {
        let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
        run.output(output).into_iter().map(|value| value + deviation * noise()).collect()
    };
    let (position, acceleration) = (noisy(Strut::POSITION, FINE[0]), noisy(Strut::ACCELERATION, FINE[1]));
    let record = Record::new(run.times())?.named("bench").with_channel("position", Some("m"), position)?;
    Ok(record.with_channel("acceleration", Some("m/s^2"), acceleration)?)
}

/// A kink and a jump are found where they are, by much less than the distance of knots, and as surely as is said; of a curve
/// without one it is said that there is none.
#[test]
fn breaks_are_searched_for() -> Tested {
    let line = || Curve::new(vec![-1.4, 1.4], vec![-12.0, 12.0], Extension::Linear);
    let searched = |record: &Record, kind, [from, to]: [f64; 2]| -> Result<_, Box<dyn Error>> {
        let damper = StartingTable::curve(Strut::DAMPER, line()?).shape(Shape::ThroughOrigin).knots(16);
        let identification = identification(record)?.unknown([UnknownParameter::from(Strut::C)]);
        Ok(Refinement::new(identification).table(damper.break_within(kind, from, to)).run()?)
    };
    let bent = |v: f64| 6.0 * v + 12.0 * (v - 0.23).max(0.0) + (1.5 * v).tanh();
    let stepped = |v: f64| 8.0 * v + 3.0 * f64::from(v > -0.31);
    type Case<'a> = (BreakKind, f64, [f64; 2], &'a dyn Fn(f64) -> f64);
    let cases: [Case<'_>; 2] =
        [(BreakKind::Kink, 0.23, [0.0, 0.8], &bent), (BreakKind::Jump, -0.31, [-0.7, 0.3], &stepped)];
    for (kind, place, range, force) in cases {
        let record = of_broken_damper(kind, place, force)?;
        let refined = searched(&record, kind, range)?;
        let [found] = &refined.breaks[..] else { return Err("one break".into()) };
        let off = (found.place - place).abs();
        assert!(off < 0.02 && off < 3.0 * found.standard_deviation, "{found}");
        assert!(found.standard_deviation < 0.03 && found.log10_odds > 10.0 && !found.at_end, "{found}");
        assert!(refined.to_string().contains(&format!("damper: {kind} at ")), "{refined}");
        // the fit has knots for it
        assert!(refined.fit.summary().tables[0].knots[0].contains(&found.place));
    }
    let smooth = of_broken_damper(BreakKind::Kink, 0.23, |v| 8.0 * v + 3.0 * (1.5 * v).tanh())?;
    let refined = searched(&smooth, BreakKind::Kink, [0.0, 0.8])?;
    assert!(refined.breaks[0].log10_odds < 0.0, "{}", refined.breaks[0]);
    assert!(refined.to_string().contains("leave it out"), "{refined}");
    Ok(())
}

#[test]
fn places_where_no_break_can_be_are_refused() -> Tested {
    let record = measured(2, FINE)?;
    let line = || Curve::new(vec![-1.4, 1.4], vec![-12.0, 12.0], Extension::Linear);
    for [from, to] in [[0.5, 0.2], [f64::NAN, 0.2], [0.0, f64::INFINITY], [40.0, 50.0]] {
        let damper = StartingTable::curve(Strut::DAMPER, line()?).knots(8);
        let damper = damper.break_within(BreakKind::Kink, from, to);
        let refined = Refinement::new(identification(&record)?).table(damper).run();
        let Err(IdentificationError::TablePrior { table: "damper", source }) = refined else {
            return Err(format!("{from} to {to} is not refused").into());
        };
        let text = source.to_string();
        assert!(matches!(source, PriorError::Sought { .. }) && text.contains("two finite numbers"), "{text}");
    }
    let (_, map) = nothing()?;
    let map = StartingTable::surface(Strut::MAP, map).break_within(BreakKind::Jump, 0.0, 0.01);
    let refined = Refinement::new(identification(&record)?).table(map.typical(1.0)).run();
    assert!(matches!(refined, Err(IdentificationError::SurfaceShape { table: "map" })));
    Ok(())
}

/// How found values differ from the truth in deviations: root of the mean square, where the data tell the values.
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
    let [Some(slope), Some(width)] = ["c", "d"].map(|name| best.coefficients.iter().find(|c| c.name == name))
    else {
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
        .unknown_table(
            UnknownTable::new(Strut::DAMPER, 5.0).shape(Shape::Odd).shape(Shape::Increasing).deviation(50.0),
        )
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
        records.push(Record::new(run.times())?.with_channel(
            "acceleration",
            Some("m/s^2"),
            noisy.collect(),
        )?);
    }
    let mut id = Identification::new(Strut::default())
        .table(Strut::DAMPER, curve(1.0, 3, |speed| 5.0 * speed)?)
        .table(Strut::SPRING, flat()?)
        .table(Strut::STOP, stop)
        .table(Strut::MAP, surface(&|_, _| 0.0)?)
        .unknown_table(UnknownTable::new(Strut::MAP, 5.0).smooth())
        .error_limit(None)
        .optimizer(settings(Method::LevenbergMarquardt { damping: 1e-3 }));
    for ((drive, record), name) in drives.into_iter().zip(&records).zip(["first", "second"]) {
        id = id.experiment(
            Experiment::new(name).input(Strut::DRIVE, drive).measured(Strut::ACCELERATION, record),
        );
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

#[test]
fn what_cannot_be_said_of_a_table_is_refused() -> Tested {
    let record = measured(1, FINE)?;
    let damper = || UnknownTable::new(Strut::DAMPER, 5.0);
    let with = |unknown: UnknownTable<Strut>| -> Result<String, Box<dyn Error>> {
        Ok(match identification(&record)?.unknown_table(unknown).run() {
            Ok(fit) => format!("no error: {fit}"),
            Err(error) => match &error {
                IdentificationError::TablePrior { source, .. } => format!("{error}: {source}"),
                _ => error.to_string(),
            },
        })
    };
    let between = Shape::Between { least: -50.0, most: 50.0 };
    for (message, expected) in [
        (with(UnknownTable::new(Strut::DAMPER, 0.0))?, "the unknown table `damper` has typical = 0"),
        (with(damper().smoothness(-1.0))?, "smoothness = -1"),
        (with(damper().deviation(f64::INFINITY))?, "deviation = inf"),
        (
            with(
                damper()
                    .shape(Shape::Increasing)
                    .shape(Shape::Through { x: -0.5, value: 3.0 })
                    .shape(Shape::ThroughOrigin),
            )?,
            "what is known of the table `damper`: ",
        ),
        (with(damper().shape(Shape::Increasing).shape(between))?, "more conditions than it has values"),
        (with(UnknownTable::new(Strut::MAP, 1.0).shape(Shape::Odd))?, "the table `map` has two arguments"),
        (
            with(UnknownTable::new(Strut::STOP, 1.0).smoothness(1.0))?,
            "no measured output depends on the table `stop` at the start values",
        ),
    ] {
        assert!(message.contains(expected), "{message}");
    }
    let by_squares = identification(&record)?
        .weighting(Weighting::Given)
        .unknown_table(UnknownTable::new(Strut::STOP, 1.0))
        .run();
    assert!(matches!(by_squares, Err(IdentificationError::UntouchedTable { table: "stop" })));
    let continuous = identification(&record)?
        .unknown_table(damper())
        .optimizer(settings(Method::Bfgs))
        .gradient_method(GradientMethod::ContinuousAdjoint { order: 2 })
        .run();
    assert!(matches!(
        continuous,
        Err(IdentificationError::ContinuousAdjoint { what: "the values of unknown tables" })
    ));
    let twice = identification(&record)?.unknown_table(damper()).unknown_table(damper()).run();
    assert!(matches!(twice, Err(IdentificationError::RepeatedTable { table: "damper" })));
    Ok(())
}
