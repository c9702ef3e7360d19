//! Tables in models: exact derivatives and gradients, data from files and given to a run.

use costate::cost::{LeastSquares, Quadrature};
use costate::simulate::SimulationError;
use costate::table::{Curve, Extension, Surface, Table};
use costate::verify::random_points;
use costate::{Model, Parameter, Simulation, check_derivatives, check_gradient};
use costate_tests::{TableDriven, table_driven};

fn simulation(model: &TableDriven) -> Simulation<'_, TableDriven> {
    let tables = table_driven();
    Simulation::new(model)
        .input(TableDriven::PUSH, |t| 3.0 * (8.0 * t).sin())
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
    let simulation = Simulation::new(&model).input(TableDriven::PUSH, |_| 0.0).step(1e-3).until(1.0);
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
    assert_eq!(TableDriven::DESCRIPTION.tables.len(), 5);
    assert_eq!(
        Table::<TableDriven, Surface>::named("torque").map(Table::index),
        Ok(TableDriven::TORQUE.index())
    );
    let error = Table::<TableDriven, Curve>::named("torque").map(Table::index).unwrap_err();
    assert_eq!(
        error.to_string(),
        "model `TableDriven` has no table of one argument `torque`; it has bump, lift, bearing"
    );
}
