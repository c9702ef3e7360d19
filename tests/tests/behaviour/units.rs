//! Data in other units than those of the model, in each of the ways in which they come in.

use std::fs;
use std::path::PathBuf;

use costate::cost::{
    FourierCoefficients, FourierLine, LeastSquares, MeasurementError, OrderLine, Quadrature, SpectrumCost,
    SpectrumError, SpectrumForm, Window,
};
use costate::filter::{Gaussian, KalmanFilter, KalmanMethod, RungeKuttaModel, Storage, run};
use costate::identify::{DataError, IdentificationError, Measurement};
use costate::measure::{RecordError, UnitFault};
use costate::optimize::OptimizerSettings;
use costate::restoring_force::SensorKind;
use costate::simulate::{InputError, Sampled, SimulationError};
use costate::table::{Curve, Extension, Surface, Table};
use costate::{Fit, Identification, Record, Simulation, model};
use costate_tests::noise::pattern;
use nalgebra::DMatrix;

model! {
    #[interpreted]
    /// A half car: heave and pitch over two springs and dampers.
    pub HalfCar {
        parameters {
            m: kg = 600, j: kg*m^2 = 900, a: m = 1.2, b: m = 1.4,
            c_f: N/m = 2e4, c_r: N/m = 2.5e4, d_f: N*s/m = 1500, d_r: N*s/m = 1800,
        }
        inputs { road_f: m, road_r: m, load: N }
        coordinates { z: m, phi: rad }
        let front = z - a*phi - road_f;
        let rear = z + b*phi - road_r;
        let force_f = -c_f*front - d_f*(dot(z) - a*dot(phi));
        let force_r = -c_r*rear - d_r*(dot(z) + b*dot(phi));
        mass { z: m, phi: j }
        forces { z: force_f + force_r + load, phi: b*force_r - a*force_f }
        initial { z = 0[m], phi = 0[rad], dot(z) = 0[m/s], dot(phi) = 0[rad/s] }
        outputs {
            heave: m = z,
            travel: mm = front,
            acc: mm/s^2 = ddot(z) + b*ddot(phi),
            pitch: rad = phi,
            rate: rad/s = dot(phi),
            mass: kg = m,
        }
    }
}

model! {
    #[interpreted]
    /// A mass on a spring whose force a table has.
    pub Sprung {
        parameters { m: kg = 2 }
        tables { spring(x: m): N, damper(v: m/s, x: m): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -spring(x) - damper(dot(x), x) }
        initial { x = 0.1[m], dot(x) = 0[m/s] }
        outputs { position: m = x }
    }
}

const STEP: f64 = 5e-3;
const END: f64 = 2.0;

fn road(t: f64) -> f64 {
    0.02 * (7.0 * t).sin() + 0.015 * (11.0 * t).sin()
}

fn simulation(car: &HalfCar) -> Simulation<HalfCar> {
    Simulation::new(car)
        .input(HalfCar::ROAD_F, road)
        .input(HalfCar::ROAD_R, |t: f64| road(t - 0.12))
        .input(HalfCar::LOAD, 0.0)
        .step(STEP)
        .until(END)
}

/// Heave and acceleration with a small error without trend, as numbers in m and mm/s^2 over these factors.
fn measured(factors: [f64; 2], units: [Option<&str>; 2]) -> Record {
    let run = simulation(&HalfCar::default()).run().unwrap();
    let mut noise = pattern();
    let mut with_error = |values: Vec<f64>, error: f64, factor: f64| -> Vec<f64> {
        values.into_iter().map(|value| (value + error * noise()) / factor).collect()
    };
    let heave = with_error(run.output(HalfCar::HEAVE), 2.9e-5, factors[0]);
    let acc = with_error(run.output(HalfCar::ACC), 2.9, factors[1]);
    Record::new(run.times())
        .and_then(|record| record.named("rig.csv").with_channel("heave", units[0], heave))
        .and_then(|record| record.with_channel("acc", units[1], acc))
        .unwrap()
}

fn identification(record: &Record) -> Identification<HalfCar> {
    let start = HalfCar { c_f: 1.6e4, c_r: 2.9e4, d_f: 1000.0, d_r: 2200.0, ..HalfCar::default() };
    let simulation = Simulation::new(&start)
        .input(HalfCar::ROAD_F, road)
        .input(HalfCar::ROAD_R, |t: f64| road(t - 0.12))
        .input(HalfCar::LOAD, 0.0);
    Identification::new(&simulation)
        .unknown([HalfCar::C_F, HalfCar::C_R, HalfCar::D_F, HalfCar::D_R])
        .measured(HalfCar::HEAVE, Measurement::new(record).weight(1e9))
        .measured(HalfCar::ACC, Measurement::new(record).weight(0.1))
}

fn assert_same(found: &Fit<HalfCar>, expected: &Fit<HalfCar>) {
    for (found, expected) in found.summary().parameters.iter().zip(&expected.summary().parameters) {
        assert!((found.found / expected.found - 1.0).abs() < 1e-6, "{found:?}");
        assert!((found.standard_deviation / expected.standard_deviation - 1.0).abs() < 1e-4, "{found:?}");
    }
}

#[test]
fn a_fit_does_not_depend_on_the_units_of_the_record() {
    let plain = measured([1.0, 1.0], [Some("m"), Some("mm/s^2")]);
    let expected = identification(&plain).run().unwrap();
    let truth = HalfCar::default();
    for (fitted, truth) in expected.summary().parameters.iter().zip([truth.c_f, truth.c_r, truth.d_f, truth.d_r]) {
        assert!((fitted.found - truth).abs() < 4.0 * fitted.standard_deviation, "{fitted:?}");
        assert!(fitted.relative_deviation < 0.02, "{fitted:?}");
    }
    assert!(expected.summary().assumed_units.is_empty() && !expected.to_string().contains("without a unit"));

    let scaled = measured([1e-3, 9806.65], [Some("mm"), Some("g")]);
    assert_same(&identification(&scaled).run().unwrap(), &expected);

    let bare = measured([1.0, 1.0], [None, None]);
    let fit = identification(&bare).run().unwrap();
    assert_same(&fit, &expected);
    let said = "without a unit, taken in the model's: `heave` of `rig.csv` in m, `acc` of `rig.csv` in mm/s^2\n";
    assert_eq!(fit.to_string().matches(said).count(), 1, "{fit}");
    assert_eq!(fit.to_string().matches("without a unit").count(), 1, "{fit}");
    assert_eq!(fit.summary().assumed_units.len(), 2);
}

#[test]
fn units_that_do_not_fit_are_refused_with_both() {
    let refused = |unit: &str| match identification(&measured([1.0, 1.0], [Some("m"), Some(unit)])).run() {
        Err(IdentificationError::Data(DataError::Record(RecordError::Unit(error)))) => error,
        other => panic!("{unit}: {other:?}"),
    };
    let error = refused("N");
    assert_eq!((&*error.column, &*error.unit, &*error.wanted), ("acc", "N", "mm/s^2"));
    assert_eq!(
        error.to_string(),
        "`rig.csv`: `acc` is in `N`, the output `acc` in `mm/s^2`: `N` is in SI units `N`, which does not fit `m/s^2`; \
         correct the unit, or choose other data"
    );
    assert!(matches!(refused("dB").fault, UnitFault::Unreadable { .. }));
    assert!(refused("dB").to_string().contains("10^(dB/20)"));
    assert!(refused("degC").to_string().contains("write `K`"));
}

#[test]
fn outputs_in_scaled_units_are_numbers_in_these() {
    let run = simulation(&HalfCar::default()).run().unwrap();
    let front = |i: usize| {
        let [z, phi] = [HalfCar::Z, HalfCar::PHI].map(|q| run.coordinate(q)[i]);
        1e3 * (z - 1.2 * phi - road(i as f64 * STEP))
    };
    for i in [0, 100, 300] {
        assert!((run.output(HalfCar::TRAVEL)[i] - front(i)).abs() < 1e-9);
    }
    let record = Record::new(vec![0.0, 1.0]).unwrap().with_channel("s", Some("cm"), vec![1.0, -2.0]).unwrap();
    assert_eq!(*record.values_in("s", HalfCar::TRAVEL).unwrap(), [10.0, -20.0]);
    assert_eq!(*record.values_in("s", HalfCar::HEAVE).unwrap(), [0.01, -0.02]);
}

#[test]
fn costs_take_records_in_the_units_of_outputs() {
    let times: Vec<f64> = (0..=400).map(|i| f64::from(i) * STEP).collect();
    let wave: Vec<f64> = times.iter().map(|t| (20.0 * t).sin()).collect();
    let record = Record::new(times.clone())
        .and_then(|record| record.with_channel("x", Some("g"), wave.clone()))
        .and_then(|record| record.with_channel("bare", None, wave.clone()))
        .unwrap();
    let cost = || LeastSquares::new(STEP, 401, Quadrature::Rectangle);
    let channel = record.channel("x").unwrap();
    let gravity = cost().with_record(HalfCar::ACC, &record, channel, 1.0).unwrap();
    assert_eq!(gravity.channels()[0].values()[10], wave[10] * 196_133.0 / 20.0);
    let gram = cost().with_record(HalfCar::MASS, &record, channel, 1.0).unwrap();
    assert_eq!(gram.channels()[0].values()[10], wave[10] / 1000.0);
    let wrong = cost().with_record(HalfCar::PITCH, &record, channel, 1.0);
    assert!(matches!(wrong, Err(MeasurementError::Unit(error)) if error.wanted == "rad"));

    let lines = FourierLine::band((2.0, 4.0), 0.0, 2.0, Window::Rectangular).unwrap();
    let spectrum = || SpectrumCost::new(STEP, 401, SpectrumForm::SquaredAmplitude);
    let found = spectrum().with_record(HalfCar::ACC, &lines, &record, channel, 1.0).unwrap();
    let scaled: Vec<f64> = wave.iter().map(|value| value * 196_133.0 / 20.0).collect();
    let expected = spectrum().with_measured(HalfCar::ACC, &lines, &times, &scaled, 1.0).unwrap();
    assert_eq!(found, expected);

    let bare = record.channel("bare").unwrap();
    let cost = spectrum().with_record(HalfCar::ACC, &lines, &record, bare, 1.0).unwrap();
    let simulation = Simulation::new(&HalfCar::default())
        .input(HalfCar::ROAD_F, road)
        .input(HalfCar::ROAD_R, road)
        .input(HalfCar::LOAD, 0.0)
        .step(STEP)
        .until(END);
    let fit = Identification::new(&simulation)
        .unknown([HalfCar::C_F])
        .cost(1.0, cost)
        .optimizer(OptimizerSettings::default().with_maximum_iterations(1))
        .run()
        .unwrap();
    assert_eq!(fit.to_string().matches("`bare` of `record` in mm/s^2").count(), 1, "{fit}");
}

#[test]
fn inputs_are_taken_from_channels_in_any_unit() {
    let times: Vec<f64> = (0..=400).map(|i| f64::from(i) * STEP).collect();
    let newtons: Vec<f64> = times.iter().map(|t| 2000.0 * (9.0 * t).sin()).collect();
    let kilo: Vec<f64> = newtons.iter().map(|force| force / 1000.0).collect();
    let record = Record::new(times.clone())
        .and_then(|record| record.with_channel("cell", Some("kN"), kilo))
        .and_then(|record| record.with_channel("bare", None, newtons.clone()))
        .and_then(|record| record.with_channel("pressure", Some("bar"), newtons.clone()))
        .unwrap();
    let driven = |signal: Sampled| {
        let car = HalfCar::default();
        let flat = |_: f64| 0.0;
        let simulation = Simulation::new(&car).input(HalfCar::ROAD_F, flat).input(HalfCar::ROAD_R, flat);
        simulation.input(HalfCar::LOAD, signal).step(STEP).until(END).run()
    };
    let expected = driven(Sampled::new(times.clone(), newtons).unwrap()).unwrap();
    let found = driven(Sampled::from_record(&record, "cell").unwrap()).unwrap();
    for (found, expected) in found.output(HalfCar::ACC).iter().zip(expected.output(HalfCar::ACC)) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0));
    }
    assert!(expected.assumed_units().is_empty() && found.assumed_units().is_empty());
    let bare = driven(Sampled::from_record(&record, "bare").unwrap()).unwrap();
    assert_eq!(bare.output(HalfCar::ACC), expected.output(HalfCar::ACC));
    assert_eq!((&*bare.assumed_units()[0].column, &*bare.assumed_units()[0].unit), ("bare", "N"));
    match driven(Sampled::from_record(&record, "pressure").unwrap()) {
        Err(SimulationError::Input(InputError::Unit(error))) => {
            assert_eq!((&*error.unit, &*error.wanted, &*error.quantity), ("bar", "N", "the input `load`"));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(Sampled::from_record(&record, "road"), Err(RecordError::MissingChannel { .. })));
    let single = Record::new(vec![0.0]).unwrap().with_channel("x", None, vec![1.0]).unwrap();
    assert!(matches!(Sampled::from_record(&single, "x"), Err(RecordError::SingleSample { .. })));
}

/// An input without a signal comes from the channel with its name in a measured record.
#[test]
fn an_identification_takes_inputs_from_channels_in_any_unit() {
    let run = |unit: Option<&str>, factor: f64| {
        let times: Vec<f64> = (0..=400).map(|i| f64::from(i) * STEP).collect();
        let load = move |t: f64| 2000.0 * (9.0 * t).sin();
        let flat = |_: f64| 0.0;
        let car = HalfCar::default();
        let simulation = Simulation::new(&car).input(HalfCar::ROAD_F, flat).input(HalfCar::ROAD_R, flat);
        let truth = simulation.input(HalfCar::LOAD, load).step(STEP).until(END).run().unwrap();
        let record = Record::new(times.clone())
            .and_then(|record| record.with_channel("heave", Some("m"), truth.output(HalfCar::HEAVE)))
            .and_then(|record| record.with_channel("load", unit, times.iter().map(|&t| load(t) / factor).collect()))
            .unwrap();
        let start = HalfCar { c_f: 1.6e4, ..HalfCar::default() };
        let simulation = Simulation::new(&start).input(HalfCar::ROAD_F, flat).input(HalfCar::ROAD_R, flat);
        Identification::new(&simulation)
            .unknown([HalfCar::C_F])
            .measured(HalfCar::HEAVE, Measurement::new(&record).channel("heave").weight(1e6))
            .run()
    };
    let fit = run(Some("kN"), 1000.0).unwrap();
    assert!((fit.summary().parameters[0].found / 2e4 - 1.0).abs() < 1e-5, "{fit}");
    let bare = run(None, 1.0).unwrap();
    assert_eq!(bare.to_string().matches("without a unit").count(), 1, "{bare}");
    assert!(bare.to_string().contains("`load` of `record` in N"), "{bare}");
    assert!(matches!(
        run(Some("bar"), 1.0),
        Err(IdentificationError::Simulation(SimulationError::Input(InputError::Unit(_))))
    ));
}

#[test]
fn filters_take_rows_in_the_units_of_outputs() {
    let run_of = |record: &Record| {
        let car = HalfCar::default();
        let problem = simulation(&car).problem().unwrap();
        let process = RungeKuttaModel::new(&problem, &car).unwrap().outputs([HalfCar::HEAVE, HalfCar::ACC]);
        let inputs = process.input_rows();
        let initial = Gaussian::independent(&[0.0; 4], &[1e-6; 4]).unwrap();
        let r = DMatrix::from_diagonal(&nalgebra::DVector::from_vec(vec![1e-9, 100.0]));
        let q = DMatrix::identity(4, 4) * 1e-12;
        let mut filter = KalmanFilter::new(process, KalmanMethod::Extended, STEP, &initial, &q, &r).unwrap();
        let rows = record.rows([("heave", HalfCar::HEAVE), ("acc", HalfCar::ACC)], STEP).unwrap();
        let result = run(&mut filter, &inputs, &rows.values, Storage::Covariances).unwrap();
        assert_eq!(result.stopped(), None);
        (result.mean(result.samples() - 1).to_vec(), rows.assumed_units)
    };
    let (expected, none) = run_of(&measured([1.0, 1.0], [Some("m"), Some("mm/s^2")]));
    assert!(none.is_empty());
    let (found, none) = run_of(&measured([1e-3, 9806.65], [Some("mm"), Some("g")]));
    assert!(none.is_empty());
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-9 * expected.abs().max(1e-3), "{found} {expected}");
    }
    let (_, assumed) = run_of(&measured([1.0, 1.0], [None, None]));
    assert_eq!(assumed.len(), 2);
}

#[test]
fn restoring_forces_take_rows_in_si_units() {
    let record = measured([1.0, 9806.65], [Some("m"), Some("g")]);
    let rows = record.rows([("acc", SensorKind::Acceleration)], STEP).unwrap();
    let expected = record.channel("acc").unwrap().values()[77] * 9.80665;
    assert!((rows.values[77] - expected).abs() < 1e-12 * expected.abs());
    let wrong = record.rows([("heave", SensorKind::Velocity)], STEP);
    assert!(matches!(wrong, Err(RecordError::Unit(error)) if error.wanted == "m/s"));
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("costate-units-{}-{name}", std::process::id()));
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn tables_from_files_are_converted_for_a_run() {
    let plain = Curve::new(vec![0.0, 0.1, 0.2], vec![0.0, 20.0, 60.0], Extension::Linear).unwrap();
    let flat = || Surface::new(vec![0.0, 1.0], vec![0.0, 1.0], vec![0.0; 4], [Extension::Linear; 2]).unwrap();
    let run = |spring: Curve, damper: Surface| {
        let sprung = Sprung::default();
        let simulation = Simulation::new(&sprung).table(Sprung::SPRING, spring).table(Sprung::DAMPER, damper);
        simulation.step(1e-3).until(0.5).run()
    };
    let curve = |name: &str, text: &str| Curve::read_csv(file(name, text), Extension::Linear).unwrap();
    let expected = run(plain.clone(), flat()).unwrap();
    let scaled = curve("scaled.csv", "travel [mm]; force [kN]\n0; 0\n100; 0.02\n200; 0.06\n");
    let found = run(scaled, flat()).unwrap();
    for (found, expected) in found.output(Sprung::POSITION).iter().zip(expected.output(Sprung::POSITION)) {
        assert!((found - expected).abs() < 1e-12);
    }
    assert!(found.assumed_units().is_empty());
    let bare = run(curve("bare.csv", "travel,force\n0,0\n0.1,20\n0.2,60\n"), flat()).unwrap();
    assert_eq!(bare.output(Sprung::POSITION), expected.output(Sprung::POSITION));
    let columns: Vec<_> = bare.assumed_units().iter().map(|one| (&*one.column, &*one.unit)).collect();
    assert_eq!(columns, [("travel", "m"), ("force", "N")]);
    match run(curve("wrong.csv", "travel [mm],force [kg]\n0,0\n100,20\n"), flat()) {
        Err(SimulationError::TableUnit(error)) => {
            assert_eq!((&*error.column, &*error.unit, &*error.wanted), ("force", "kg", "N"));
            assert!(error.to_string().contains("line 1") && error.to_string().contains("`spring`"), "{error}");
        }
        other => panic!("{other:?}"),
    }

    let damper = |text: &str| Surface::read_csv(file("damper.csv", text), [Extension::Linear; 2]).unwrap();
    let grid = vec![-40.0, -40.0, 40.0, 40.0];
    let expected =
        run(plain.clone(), Surface::new(vec![-10.0, 10.0], vec![0.0, 1.0], grid, [Extension::Linear; 2]).unwrap());
    let text = "v [km/h] \\ x [mm] \\ f [kN], 0, 1000\n-36, -0.04, -0.04\n36, 0.04, 0.04\n";
    let found = run(plain, damper(text)).unwrap();
    for (found, expected) in found.output(Sprung::POSITION).iter().zip(expected.unwrap().output(Sprung::POSITION)) {
        assert!((found - expected).abs() < 1e-12);
    }
    assert_eq!(Table::<Sprung, Curve>::named("spring").unwrap().index(), Sprung::SPRING.index());
}

/// Written and read again, a record still knows its units.
#[test]
fn units_survive_a_file() {
    let record = measured([1.0, 1.0], [Some("m"), Some("mm/s²")]);
    let mut text = Vec::new();
    record.to_csv(&mut text).unwrap();
    let back = Record::from_csv(text.as_slice(), "rig.csv").unwrap();
    assert_eq!(back, record);
    let (found, own) = (back.values_in("acc", HalfCar::ACC).unwrap(), back.channel("acc").unwrap().values());
    assert_eq!(*found, *own);
}

#[test]
fn speeds_are_not_guessed() {
    let record = |unit| Record::new(vec![0.0, 1.0]).unwrap().with_channel("n", Some(unit), vec![60.0, 0.0]).unwrap();
    assert!((record("1/min").values_in("n", HalfCar::RATE).unwrap()[0] - std::f64::consts::TAU).abs() < 1e-12);
    assert!((record("°/s").values_in("n", HalfCar::RATE).unwrap()[0] - std::f64::consts::PI / 3.0).abs() < 1e-12);
    assert!((record("1/min").values_in("n", "Hz").unwrap()[0] - 1.0).abs() < 1e-12);
    for unit in ["1/s", "Hz"] {
        match record(unit).values_in("n", HalfCar::RATE) {
            Err(RecordError::Unit(error)) => assert!(error.to_string().contains("`rev/s`"), "{error}"),
            other => panic!("{other:?}"),
        }
    }
}

/// An angle in degrees or revolutions is one in radians for orders.
#[test]
fn orders_are_over_angles_in_any_unit() {
    let turns: Vec<f64> = (0..=400).map(|i| f64::from(i) / 100.0).collect();
    let signal: Vec<f64> = turns.iter().map(|turn| (2.0 * std::f64::consts::TAU * turn).cos()).collect();
    let coefficients = |unit: &str, factor: f64| {
        let angle = turns.iter().map(|turn| factor * turn).collect();
        let record = Record::new(turns.clone())
            .and_then(|record| record.with_channel("angle", Some(unit), angle))
            .and_then(|record| record.with_channel("torque", None, signal.clone()))
            .unwrap();
        let tau = std::f64::consts::TAU;
        let line = OrderLine::new(2.0, 0.0, 2, tau, Window::Rectangular).unwrap();
        let [angle, torque] = ["angle", "torque"].map(|name| record.channel(name).unwrap());
        FourierCoefficients::over_angle(&record, angle, torque, &[line])
    };
    for (unit, factor) in [("rad", std::f64::consts::TAU), ("°", 360.0), ("rev", 1.0)] {
        let amplitude = coefficients(unit, factor).unwrap()[0].amplitude();
        assert!((amplitude - 1.0).abs() < 0.01, "{unit}: {amplitude}");
    }
    assert!(matches!(coefficients("N", 1.0), Err(SpectrumError::Unit(error)) if error.wanted == "rad"));
}
