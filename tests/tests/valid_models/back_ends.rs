//! Models that are compiled and interpreted, and run by the same program.

use costate::filter::{RungeKuttaModel, StateSpace, Step, observability};
use costate::identify::Identification;
use costate::verify::random_points;
use costate::{Input, Model, Output, Parameter, Record, Simulation, check_derivatives, stepper};

/// Declares a model with both back ends. The tokens of `$stiffness` are one fragment, which `model!` gets as a whole.
macro_rules! both {
    ($stiffness:expr; $($variants:tt)*) => {
        pub mod compiled {
            one!(compiled, $stiffness; $($variants)*);
        }
        pub mod interpreted {
            one!(interpreted, $stiffness; $($variants)*);
        }
    };
}

/// Declares the models with one back end.
macro_rules! one {
    ($back_end:ident, $stiffness:expr; $($variants:tt)*) => {
        costate::model! {
            #[$back_end]
            /// Masses in a row, with a table of a file, components, a loop and a structural argument.
            pub Row(masses: usize = 2) {
                component Damper {
                    connections { a: m, b: m }
                    parameters { d: N*s/m = 3 }
                    forces { a: d*(dot(b) - dot(a)), b: -d*(dot(b) - dot(a)) }
                }
                parameters {
                    m: kg = 2,
                    c: N/m = $stiffness*2,
                    start: m = 0.01,
                }
                inputs { drive: N }
                tables { force(monotone travel: m): N = "tests/valid_models/stop.csv" }
                coordinates { x[1..=masses]: m }
                mass { for i in 1..=masses { x[i]: m } }
                forces {
                    x[1]: drive - force(x[1]),
                    for i in 2..=masses { let pull = c*(x[i] - x[i - 1]); x[i]: -pull, x[i - 1]: pull }
                }
                components { damper: Damper { a = x[1], b = x[2] } }
                initial { x[1] = start }
                outputs { last: mm = x[masses], acceleration: m/s^2 = ddot(x[1]) }
            }
            $($variants)*
        }
    };
}

both! { 200 + 300; pub Long = Row(masses = 5); }

fn sweep(t: f64) -> f64 {
    50.0 * (9.0 * t * t).sin()
}

/// Results of a program that uses a model by the names of its type.
struct Found {
    back_end: String,
    names: Vec<String>,
    outputs: Vec<f64>,
    steps: Vec<f64>,
    fitted: [f64; 2],
    advanced: Vec<f64>,
    rank: usize,
    mismatches: usize,
}

fn find<M: Model + Default>(names: (Parameter<M>, Input<M>, Output<M>, Output<M>)) -> Found {
    let (stiffness, drive, last, acceleration) = names;
    let model = M::default();
    let simulation = Simulation::new(&model).input(drive, sweep).step(1e-3);
    let run = simulation.clone().until(1.0).run().unwrap();
    let values = run.output(last);
    let mut stepper = stepper::start(&simulation.clone()).unwrap();
    let steps = (1..=200).map(|i| {
        stepper.set_input(drive, sweep(f64::from(i) * 1e-3));
        stepper.step().unwrap();
        stepper.output(acceleration)
    });
    let steps = steps.collect();
    let record = Record::new(run.times()).unwrap().with_channel("last", Some("mm"), values.clone()).unwrap();
    let start = simulation.clone().parameter(stiffness, 700.0);
    let fit = Identification::new(&start).unknown([stiffness]).measured(last, &record).run().unwrap();
    let problem = simulation.until(1.0).problem().unwrap();
    let mut process = RungeKuttaModel::new(&problem, &model).unwrap().estimate([stiffness]).outputs([last]);
    let x = process.initial_mean().unwrap();
    let mut next = x.clone();
    let step = Step { time: 0.0, interval: 1e-3, inputs_before: &[0.0], inputs: &[1.0] };
    process.advance(&step, &x, &mut next).unwrap();
    let points = random_points(&model, 3, 5);
    let state = &points[0].state;
    let observed = observability(&problem, &model, state, 0.1, &[1.0], &[last], &[]).unwrap();
    let description = M::description();
    let quantities = [description.parameters, description.coordinates, description.outputs].concat();
    Found {
        back_end: description.back_end.to_string(),
        names: quantities.iter().map(|quantity| format!("{} {}", quantity.name, quantity.unit)).collect(),
        outputs: values,
        steps,
        fitted: [fit.parameter(stiffness).unwrap().found, fit.summary().cost_end],
        advanced: next,
        rank: observed.rank,
        mismatches: check_derivatives(&points, 1e-12).mismatches.len(),
    }
}

fn check_same(compiled: &Found, interpreted: &Found) {
    assert_eq!((&*compiled.back_end, &*interpreted.back_end), ("compiled", "interpreted"));
    assert_eq!(compiled.names, interpreted.names);
    assert_eq!((compiled.mismatches, interpreted.mismatches), (0, 0));
    assert_eq!(compiled.rank, interpreted.rank);
    for (one, other) in [
        (&compiled.outputs, &interpreted.outputs),
        (&compiled.steps, &interpreted.steps),
        (&compiled.advanced, &interpreted.advanced),
    ] {
        assert_eq!(one.len(), other.len());
        let largest = one.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        assert!(largest > 0.0);
        for (one, other) in one.iter().zip(other) {
            assert!((one - other).abs() <= 1e-11 * largest, "{one} {other}");
        }
    }
    assert!((compiled.fitted[0] - 1000.0).abs() < 1e-6, "{:?}", compiled.fitted);
    assert!((interpreted.fitted[0] - 1000.0).abs() < 1e-6, "{:?}", interpreted.fitted);
}

#[test]
fn one_program_runs_both() {
    use compiled::Row;
    let names = (Row::C, Row::DRIVE, Row::LAST, Row::ACCELERATION);
    let compiled = find::<Row>(names);
    use interpreted::Row as Text;
    let interpreted = find::<Text>((Text::C, Text::DRIVE, Text::LAST, Text::ACCELERATION));
    check_same(&compiled, &interpreted);
    assert_eq!(Row::MASSES, Text::MASSES);
}

#[test]
fn variants_have_the_back_end_of_their_model() {
    use compiled::Long;
    use interpreted::Long as Text;
    let compiled = find::<Long>((Long::C, Long::DRIVE, Long::LAST, Long::ACCELERATION));
    let interpreted = find::<Text>((Text::C, Text::DRIVE, Text::LAST, Text::ACCELERATION));
    check_same(&compiled, &interpreted);
    assert_eq!(Text::MASSES, 5);
}

/// All interpreted models have one type of functions, so that a name of another model is an error at run time.
#[test]
fn names_of_another_interpreted_model_are_refused() {
    use interpreted::{Long, Row};
    let simulation = Simulation::new(&Row::default()).input(Row::DRIVE, 0.0).step(1e-3);
    let mut stepper = stepper::start(&simulation).unwrap();
    stepper.set_input(Long::DRIVE, 1.0);
    let error = stepper.step().unwrap_err().to_string();
    assert!(error.contains("belongs to the model `Long`"), "{error}");
    assert!(stepper.output(Long::LAST).is_nan());
    let problem = simulation.until(1.0).problem().unwrap();
    let mut process = RungeKuttaModel::new(&problem, &Row::default()).unwrap().estimate([Long::C]);
    let x = process.initial_mean().unwrap();
    let step = Step { time: 0.0, interval: 1e-3, inputs_before: &[0.0], inputs: &[1.0] };
    let error = process.advance(&step, &x, &mut x.clone()).unwrap_err().to_string();
    assert!(error.contains("belongs to the model `Long`"), "{error}");
}
