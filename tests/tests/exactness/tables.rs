//! Tables in models: exact derivatives and gradients, data from files and given to a run.

use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::differentiate::{UnknownTables, gradient, table_gradient, table_sensitivities};
use costate::model::{Dual, Scalar};
use costate::simulate::{Checkpoints, Problem, Scheme, SimulationError};
use costate::table::{Curve, Extension, Interpolation, Surface, Table};
use costate::verify::{check_table_gradient, random_points};
use costate::{Model, Output, Parameter, Simulation, check_derivatives, check_gradient};
use costate_models::four_cylinder_engine::Drive;
use costate_models::restoring_force::{CoupledOscillator, IdentifiedOscillator, IdentifiedPlate};
use costate_models::{HalfCar, MappedEngine};
use costate_tests::{Creeping, TableDriven, published, table_driven};

fn simulation(model: &TableDriven) -> Simulation<TableDriven> {
    let tables = table_driven();
    Simulation::new(model)
        .input(TableDriven::PUSH, |t: f64| 3.0 * (8.0 * t).sin())
        .table(TableDriven::BEARING, tables.curve(TableDriven::BEARING))
        .table(TableDriven::FRICTION, tables.surface(TableDriven::FRICTION))
        .step(1e-3)
        .until(1.5)
        .alpha(-0.05)
        .error_limit(None)
}

#[test]
fn derivatives_are_exact() {
    let mut points = random_points(&TableDriven::default(), 100, 7);
    for point in &mut points {
        point.tables = table_driven();
    }
    let report = check_derivatives(&points, 1e-12);
    assert!(report.mismatches.is_empty(), "{report}");
}

#[test]
fn gradients_are_exact() {
    let model = TableDriven::default();
    let problem = simulation(&model).problem().unwrap();
    let mut cost = LeastSquares::new(1e-3, problem.steps() + 1, Quadrature::Rectangle);
    let times: Vec<f64> = (0..=problem.steps()).map(|i| i as f64 * 1e-3).collect();
    let zeros = vec![0.0; times.len()];
    for output in [TableDriven::LOAD, TableDriven::HEIGHT, TableDriven::POWER] {
        cost = cost.with_channel(output, &times, &zeros, 1.0).unwrap();
    }
    let parameters: Vec<Parameter<TableDriven>> = Parameter::all().collect();
    let report = check_gradient(&problem, &model, &cost, &parameters).unwrap();
    assert!(report.agrees(1e-10), "{report}");
}

/// Least squares of all outputs against wavy records.
fn waves<M: Model>(problem: &Problem) -> LeastSquares {
    let (h, samples) = (problem.settings().step, problem.samples());
    let times: Vec<f64> = (0..samples).map(|i| i as f64 * h).collect();
    let mut cost = LeastSquares::new(h, samples, Quadrature::Rectangle);
    for output in Output::<M>::all() {
        let k = output.index() as f64;
        let values: Vec<f64> = times.iter().map(|t| (9.0 * t + k).sin()).collect();
        cost = cost.with_channel(output, &times, &values, 1.0 + k).unwrap();
    }
    cost
}

/// The derivatives with respect to all values of all tables agree with dual numbers, whose tables have dual values.
fn check_tables<M: Model>(problem: &Problem, model: &M) {
    for scheme in [Scheme::Hht { alpha: -0.1 }, Scheme::GeneralizedAlpha { rho_inf: 0.7 }] {
        check_scheme(&problem.clone().with_scheme(scheme).unwrap(), model);
    }
}

fn check_scheme<M: Model>(problem: &Problem, model: &M) {
    let cost = waves::<M>(problem);
    let report = check_table_gradient(problem, model, &cost, &UnknownTables::all()).unwrap();
    assert!(report.agrees(1e-9), "{report}");
    let largest = report.entries.iter().fold(0.0, |most: f64, entry| most.max(entry.dual.abs()));
    for entry in &report.entries {
        // rounding is no excuse for what matters
        let allowed = 1e-9 * entry.dual.abs().max(1e-3 * largest);
        assert!((entry.adjoint - entry.dual).abs() <= allowed, "{}\n{report}", entry.parameter);
    }
    assert!(largest > 0.0);

    // direct differentiation
    let mut run = problem.run(model.parameters().as_ref()).unwrap();
    let by_outputs = cost.output_gradient(run.outputs());
    let (_, direct) = table_sensitivities(problem, &mut run, &[], &UnknownTables::all()).unwrap();
    let mut entries = report.entries.iter();
    for table in 0..M::description().tables.len() {
        let series = match M::description().tables[table].arguments.len() {
            1 => direct.of(Table::<M, Curve>::at(table)),
            _ => direct.of(Table::<M, Surface>::at(table)),
        };
        for (i, series) in series.iter().enumerate() {
            let rows = (0..series.samples()).flat_map(|at| series.row(at).iter().zip(by_outputs.row(at)));
            let total: f64 = rows.map(|(sensitivity, derivative)| sensitivity * derivative).sum();
            let name = format!("{}[{i}]", M::description().tables[table].quantity.name);
            match entries.as_slice().first().filter(|entry| entry.parameter == name) {
                Some(entry) => {
                    let allowed = 1e-9 * entry.dual.abs().max(1e-3 * largest);
                    assert!((total - entry.dual).abs() <= allowed, "{name}: {total}\n{report}");
                    entries.next();
                }
                // the other end of a period
                None => assert_eq!(total, 0.0, "{name}"),
            }
        }
    }
    assert_eq!(entries.len(), 0);
}

#[test]
fn gradients_with_respect_to_tables_are_exact() {
    let model = TableDriven::default();
    check_tables(&simulation(&model).until(0.4).problem().unwrap(), &model);
}

#[test]
fn a_massless_coordinate_follows_a_table() {
    let model = Creeping::default();
    let creep = Curve::new(vec![-2.0, -0.5, 0.1, 0.9, 2.0], vec![-6.0, -1.0, 0.3, 2.2, 8.0], Extension::Linear);
    let stop = Curve::new(vec![-0.2, 0.0, 0.1, 0.3], vec![-2.0, 0.0, 0.1, 4.0], Extension::Clamped);
    let simulation = Simulation::new(&model)
        .table(Creeping::CREEP, creep.unwrap())
        .table(Creeping::STOP, stop.unwrap())
        .step(2e-3)
        .until(0.5);
    check_tables(&simulation.problem().unwrap(), &model);
    let adaptive = simulation.scheme(Scheme::GeneralizedAlpha { rho_inf: 0.8 }).adaptive(1e-5);
    check_scheme(&adaptive.problem().unwrap(), &model);
}

fn knots(count: usize, most: f64) -> Vec<f64> {
    (0..count).map(|i| most * (2.0 * i as f64 / (count - 1) as f64 - 1.0)).collect()
}

fn elastic(extension: Extension) -> Curve {
    let z = knots(9, 0.05);
    let force = z.iter().map(|z| 4e3 * z + 1e6 * z.powi(3)).collect();
    Curve::new(z, force, extension).unwrap()
}

fn dissipative(extension: Extension) -> Curve {
    let v = knots(8, 1.5);
    let force = v.iter().map(|v| 15.0 * v + 4.0 * (5.0 * v).tanh()).collect();
    Curve::new(v, force, extension).unwrap()
}

fn base(t: f64) -> f64 {
    25.0 * (30.0 * t * (1.0 + t)).sin()
}

#[test]
fn every_model_with_a_table() {
    let model = IdentifiedOscillator { z_0: 0.01, ..IdentifiedOscillator::default() };
    let kinds = [(Extension::Linear, Interpolation::Spline), (Extension::Clamped, Interpolation::Monotone)];
    for (extension, interpolation) in kinds {
        let problem = Simulation::new(&model)
            .input(IdentifiedOscillator::BASE, base)
            .table(IdentifiedOscillator::ELASTIC, elastic(extension))
            .table(IdentifiedOscillator::DISSIPATIVE, dissipative(extension).interpolated(interpolation))
            .step(1e-3)
            .until(0.6);
        check_tables(&problem.problem().unwrap(), &model);
    }

    let model = CoupledOscillator { z_0: 0.01, ..CoupledOscillator::default() };
    let (z, v) = (knots(5, 0.04), knots(6, 1.5));
    let force = |z: f64, v: f64| 4e3 * z + 15.0 * v * (1.0 + 500.0 * z * z);
    let values = z.iter().flat_map(|&z| v.iter().map(move |&v| force(z, v))).collect();
    let problem = Simulation::new(&model)
        .input(CoupledOscillator::BASE, base)
        .table(
            CoupledOscillator::RESTORING,
            Surface::new(z, v, values, [Extension::Linear, Extension::Clamped])
                .unwrap()
                .interpolated([Interpolation::Monotone, Interpolation::Spline]),
        )
        .step(1e-3)
        .until(0.6);
    check_tables(&problem.problem().unwrap(), &model);

    let model = HalfCar::default();
    let problem = Simulation::new(&model)
        .input(HalfCar::ROAD_FRONT, |t: f64| 0.03 * (18.0 * t).sin())
        .input(HalfCar::ROAD_REAR, |t: f64| 0.03 * (18.0 * t - 2.0).sin())
        .table(HalfCar::DAMPER, dissipative(Extension::Linear))
        .step(1e-3)
        .until(0.6);
    check_tables(&problem.problem().unwrap(), &model);

    let model = IdentifiedPlate::default();
    let (c, d) = (|| elastic(Extension::Linear), || dissipative(Extension::Linear));
    let problem = Simulation::new(&model)
        .input(IdentifiedPlate::BASE, base)
        .table(IdentifiedPlate::ELASTIC_1, c())
        .table(IdentifiedPlate::ELASTIC_2, c())
        .table(IdentifiedPlate::ELASTIC_3, c())
        .table(IdentifiedPlate::DISSIPATIVE_1, d())
        .table(IdentifiedPlate::DISSIPATIVE_2, d())
        .table(IdentifiedPlate::DISSIPATIVE_3, d())
        .step(1e-3)
        .until(0.3);
    check_tables(&problem.problem().unwrap(), &model);
}

#[test]
fn the_engine_with_its_map_of_pressures() {
    let drive = Drive::constant(3000.0);
    let model = MappedEngine { speed_0: drive.from, ..MappedEngine::start() };
    check_tables(&published::engine(&model, drive, 40).problem().unwrap(), &model);
}

/// Checkpoints give the same bits, and parameters have the gradient that they have without tables.
#[test]
fn checkpoints_and_parameters_beside_tables() {
    let model = TableDriven::default();
    let parameters = model.parameters();
    let unknown: Vec<Parameter<TableDriven>> = Parameter::all().collect();
    let problem = simulation(&model).problem().unwrap();
    let some = simulation(&model).checkpoints(Checkpoints::Within(120_000)).problem().unwrap();
    assert!(some.has_checkpoints());
    let (cost, tables) = (waves::<TableDriven>(&problem), UnknownTables::none().with(TableDriven::TORQUE));
    let whole = problem.value_and_table_gradient(&cost, &parameters, &unknown, &tables).unwrap();
    let parts = some.value_and_table_gradient(&cost, &parameters, &unknown, &tables).unwrap();
    assert_eq!(whole, parts);
    let run = problem.forward(&parameters).unwrap();
    let by_outputs = cost.output_gradient(&run.outputs());
    let alone = gradient(&problem, &run, &by_outputs, &unknown).unwrap();
    let (beside, by_tables) = table_gradient(&problem, &run, &by_outputs, &unknown, &tables).unwrap();
    assert_eq!((&alone, &alone), (&beside, &whole.1));
    assert_eq!((by_tables.of(TableDriven::TORQUE).len(), by_tables.of(TableDriven::LIFT)), (20, &[][..]));
    let values = problem.tables().surface(TableDriven::TORQUE).values();
    // a factor of all values, which dual numbers carry
    let scaled = problem.tables().surface(TableDriven::TORQUE).along(values.clone()).unwrap();
    let scaled = problem.with_table(TableDriven::TORQUE, scaled).unwrap();
    let constants = parameters.map(Dual::constant);
    let exact =
        cost.value_dual(&costate::simulate::outputs_in::<TableDriven, Dual>(&scaled, &constants).unwrap()).derivative;
    let by_factor: f64 = by_tables.of(TableDriven::TORQUE).iter().zip(&values).map(|(by, value)| by * value).sum();
    assert!((exact - by_factor).abs() < 1e-9 * exact.abs(), "{exact} {by_factor}");
    assert_eq!(format!("{tables:?}"), "{\"torque\"}");
}

/// Another table of a problem that is there gives the run of one that is made anew.
#[test]
fn a_problem_takes_other_values() {
    let model = TableDriven::default();
    let problem = simulation(&model).problem().unwrap();
    let changed =
        |curve: &Curve| curve.with_values(curve.values().iter().map(|value| 1.1 * value + 0.1).collect()).unwrap();
    let bump = changed(&problem.tables().curve(TableDriven::BUMP));
    let anew = simulation(&model).table(TableDriven::BUMP, bump.clone()).problem().unwrap();
    let taken = problem.clone().with_table(TableDriven::BUMP, bump).unwrap();
    let outputs = |problem: &Problem| problem.outputs(&model.parameters()).unwrap();
    assert_eq!(outputs(&anew), outputs(&taken));
    assert_ne!(outputs(&problem), outputs(&taken));
}

/// The cam turns by more than a period, the follower moves as the file says.
#[test]
fn the_file_is_what_the_model_follows() {
    let model = TableDriven { ratio: 0.0, ..TableDriven::default() };
    let run = simulation(&model).run().unwrap();
    let angle = run.coordinate(TableDriven::PHI);
    let follower = run.coordinate(TableDriven::FOLLOWER);
    let cam = Curve::read_csv("data/cam.csv", Extension::Periodic).unwrap();
    let height = run.output(TableDriven::HEIGHT);
    for (i, time) in run.times().into_iter().enumerate() {
        let lift = |angle: f64| cam.value(angle.to_degrees());
        assert!((follower[i] - lift(angle[i] + 0.3 * time) / 1e3).abs() < 1e-12, "at {time}");
        assert!((height[i] - lift(angle[i])).abs() < 1e-9, "at {time}");
    }
    assert!((cam.value(100.0) - 4.1).abs() < 1e-12 && (cam.value(460.0) - 4.1).abs() < 1e-9);
}

#[test]
fn tables_without_data_are_named() {
    let model = TableDriven::default();
    let simulation = Simulation::new(&model).input(TableDriven::PUSH, 0.0).step(1e-3).until(1.0);
    let error = simulation.run().unwrap_err();
    assert!(matches!(error, SimulationError::Table(_)));
    assert_eq!(
        error.to_string(),
        "table `bearing` of `TableDriven` has no data: give them with `.table(TableDriven::BEARING, ..)`, \
         or name a CSV file in the model"
    );
}

/// A run may have other data than the model.
#[test]
fn data_of_the_model_may_be_replaced() {
    let model = TableDriven::default();
    let torque = |value: f64| {
        let x = vec![-1.0, 1.0];
        Surface::new(x.clone(), x, vec![value; 4], [Extension::Clamped; 2]).unwrap()
    };
    let speed = |value: f64| {
        let run = simulation(&model).table(TableDriven::TORQUE, torque(value)).run().unwrap();
        run.velocity(TableDriven::PHI).last().copied().unwrap()
    };
    let own = simulation(&model).run().unwrap().velocity(TableDriven::PHI).last().copied().unwrap();
    assert!(speed(0.0) < 1.5 && speed(0.4) > 5.0 && speed(0.4) != own);
}

#[test]
fn descriptions_name_arguments_and_units() {
    let table: Table<TableDriven, Surface> = TableDriven::TORQUE;
    let description = table.description();
    assert_eq!((table.name(), description.quantity.unit), ("torque", "N*m"));
    let arguments: Vec<_> = description.arguments.iter().map(|a| (a.name, a.unit)).collect();
    assert_eq!(arguments, [("speed", "rad/s"), ("angle", "rad")]);
    assert_eq!(description.quantity.documentation, "Torque of the drive.");
    assert_eq!(TableDriven::description().tables.len(), 5);
    assert_eq!(Table::<TableDriven, Surface>::named("torque").map(Table::index), Ok(TableDriven::TORQUE.index()));
    let error = Table::<TableDriven, Curve>::named("torque").map(Table::index).unwrap_err();
    assert_eq!(
        error.to_string(),
        "model `TableDriven` has no table of one argument `torque`; it has bump, lift, bearing"
    );
}
