//! Runs that begin at rest in equilibrium: positions, and derivatives against dual numbers.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail")]

use costate_compiler::{Arguments, ModelFile};
use costate_interpreter::LoadedModel;
use costate_numerics::scalar::{Dual, Scalar};
use costate_system::check_gradient::check_gradient_of;
use costate_system::cost::Cost;
use costate_system::problem::{EquilibriumError, InitialStateError, Problem, SimulationError};
use costate_system::series::Series;
use costate_system::simulation::Simulation;
use costate_system::step::Scheme;
use costate_system::table::{Curve, Extension};

const TOLERANCE: f64 = 1e-10;

fn load(text: &str) -> LoadedModel {
    let file = ModelFile::from_text("start.model", text.to_owned()).unwrap();
    LoadedModel::of_file(&file, None, &Arguments::new()).unwrap_or_else(|error| panic!("{error}"))
}

fn simulation(model: LoadedModel) -> Simulation {
    model.simulation().unwrap().step(1e-3).until(0.02)
}

fn defaults(model: LoadedModel) -> Vec<f64> {
    model.defaults().iter().map(|value| value.unwrap()).collect()
}

fn refused(problem: &Problem, model: LoadedModel) -> InitialStateError {
    match problem.run(&defaults(model)).unwrap_err() {
        SimulationError::InitialState(error) => error,
        other => panic!("{other}"),
    }
}

/// The sum of all outputs at all samples, with weights.
#[derive(Debug)]
struct Weighted;

fn weight(sample: usize, output: usize) -> f64 {
    (1.0 + 0.7 * sample as f64 + 1.9 * output as f64).sin()
}

impl Cost for Weighted {
    fn value(&self, outputs: &Series<f64>) -> f64 {
        let rows = (0..outputs.samples()).flat_map(|i| outputs.row(i).iter().enumerate().map(move |at| (i, at)));
        rows.map(|(i, (k, value))| weight(i, k) * value).sum()
    }

    fn value_dual(&self, outputs: &Series<Dual>) -> Dual {
        let mut sum = Dual::constant(0.0);
        for i in 0..outputs.samples() {
            for (k, value) in outputs.row(i).iter().enumerate() {
                sum += *value * weight(i, k);
            }
        }
        sum
    }

    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>) {
        for i in 0..outputs.samples() {
            for (k, to) in gradient.row_mut(i).iter_mut().enumerate() {
                *to += weight(i, k);
            }
        }
    }
}

/// Compares all derivatives by parameters: of the initial state and of a cost, by the adjoint and by direct
/// differentiation, with those of dual numbers.
fn check(model: LoadedModel, problem: &Problem) {
    let parameters = defaults(model);
    let all: Vec<usize> = (0..parameters.len()).collect();
    let report = check_gradient_of(model.second_order(), problem, &parameters, &Weighted, &all).unwrap();
    assert!(report.agrees(TOLERANCE), "{report}");
    assert!(report.entries.iter().any(|entry| entry.adjoint.abs() > 1e-6), "{report}");

    let columns = model.system().initial_derivatives(problem, &parameters, &all).unwrap();
    let n = model.description().coordinates.len();
    for &k in &all {
        let mut seeded: Vec<Dual> = parameters.iter().map(|value| Dual::constant(*value)).collect();
        seeded[k].derivative = 1.0;
        let run = model.second_order().run_dual(problem, &seeded).unwrap();
        let outputs = run.outputs();
        // the first outputs of every model here are its coordinates
        for j in 0..n {
            let (own, dual) = (columns[(j, k)], outputs.row(0)[j].derivative);
            assert!((own - dual).abs() <= TOLERANCE * (1.0 + dual.abs()), "q[{j}] by p[{k}]: {own} {dual}");
        }
    }
    let outputs = problem.run(&parameters).unwrap().outputs().clone();
    let gradient = Weighted.output_gradient(&outputs);
    let direct = costate_system::gradient::GradientMethod::DirectDifferentiation
        .of(model.system(), problem, (&mut problem.run(&parameters).unwrap()).into(), &gradient, &all)
        .unwrap();
    for (entry, direct) in report.entries.iter().zip(direct) {
        let size = report.entries.iter().fold(1.0, |most: f64, other| most.max(other.dual.abs()));
        // the report has judged the adjoint by the rounding of terms that cancel
        let rounding = 4.0 * (entry.dual - entry.adjoint).abs();
        assert!(
            (entry.dual - direct).abs() <= TOLERANCE * size + rounding,
            "{}: {} {direct} {report}",
            entry.parameter,
            entry.dual
        );
    }
}

/// The run of a model stays where it begins.
fn check_rest(problem: &Problem, model: LoadedModel) {
    let outputs = problem.run(&defaults(model)).unwrap().outputs().clone();
    for i in 1..outputs.samples() {
        for (k, (now, first)) in outputs.row(i).iter().zip(outputs.row(0)).enumerate() {
            assert!((now - first).abs() <= 1e-9 * (1.0 + first.abs()), "output {k} at {i}: {now} {first}");
        }
    }
}

/// A point mass on a rod, pulled by two springs.
const CONSTRAINED: &str = "
pub Held {
    parameters { m: kg = 2, l: m = 0.8, k: N/m = 50, s: m = 0.3, g: m/s^2 = 9.81, a: m = 0.7 }
    coordinates { x: m, y: m }
    mass { x: m, y: m }
    let length = sqrt((x - a)^2 + (y + 0.2[m])^2);
    forces {
        x: -k*(length - s)*(x - a)/length - 0.4[N*s/m]*dot(x),
        y: -m*g - k*(length - s)*(y + 0.2[m])/length,
    }
    constraints { rod: x^2 + y^2 - l^2 }
    initial { equilibrium, x ~ 0.1[m], y ~ -0.5[m] }
    outputs { s_x: m = x, s_y: m = y, s_ax: m/s^2 = ddot(x), s_pull: N/m = multiplier(rod), s_v: m/s = dot(y) }
}";

#[test]
fn constrained_models_begin_at_rest_with_exact_derivatives() {
    let model = load(CONSTRAINED);
    for scheme in [Scheme::default(), Scheme::Hht { alpha: -0.1 }] {
        let problem = simulation(model).scheme(scheme).problem().unwrap();
        check_rest(&problem, model);
        check(model, &problem);
    }
}

/// A mass on a spring and a damper in a row, whose node has no mass, beside a node that only springs hold.
const MASSLESS: &str = "
pub Massless {
    parameters { m: kg = 2, k: N/m = 50, c: N/m = 30, d: N*s/m = 5, g: m/s^2 = 9.81, b: N/m^3 = 400 }
    coordinates { x: m, z: m, w: m }
    mass { x: m }
    forces {
        x: -m*g - k*(x - z) - c*(x - w) - d*dot(x),
        z: k*(x - z) - d*dot(z) - c*z - b*z^3,
        w: c*(x - w) - 2*k*w,
    }
    initial { equilibrium, x ~ -0.1[m] }
    outputs { s_x: m = x, s_z: m = z, s_w: m = w, s_ax: m/s^2 = ddot(x), s_vz: m/s = dot(z) }
}";

#[test]
fn coordinates_without_mass_rest() {
    // the node between two springs alone has no velocity that its force determines, so that other starts refuse it
    let model = load(MASSLESS);
    let problem = simulation(model).problem().unwrap();
    check_rest(&problem, model);
    check(model, &problem);
    let free = load(&MASSLESS.replace("equilibrium, ", ""));
    let error = refused(&simulation(free).problem().unwrap(), free);
    assert!(matches!(error, InitialStateError::NoDamping { .. }), "{error}");
}

/// A planar vehicle: its way is free, its height and pitch are on springs.
const VEHICLE: &str = "
pub Vehicle {
    parameters { m: kg = 1200, j: kg*m^2 = 1500, a: m = 1.1, b: m = 1.6, k: N/m = 3e4, l: m = 0.5, start: m = 3,
        g: m/s^2 = 9.81 }
    coordinates { x: m, z: m, pitch: rad }
    mass { x: m, z: m, pitch: j }
    let front = z + a*sin(pitch);
    let rear = z - b*sin(pitch);
    forces {
        z: -m*g - k*(front - l) - k*(rear - l) - 900[N*s/m]*dot(z),
        pitch: -k*(front - l)*a*cos(pitch) + k*(rear - l)*b*cos(pitch) - 900[N*m*s]*dot(pitch),
    }
    initial { equilibrium, x = start, z ~ 0.3[m] }
    outputs { s_x: m = x, s_z: m = z, s_pitch: rad = pitch, s_lift: N = k*(front - l), s_az: m/s^2 = ddot(z) }
}";

#[test]
fn given_coordinates_keep_their_values() {
    let model = load(VEHICLE);
    let problem = simulation(model).problem().unwrap();
    check_rest(&problem, model);
    check(model, &problem);
    assert_eq!(problem.initial_state(&defaults(model)).unwrap()[0], 3.0);
    // `held` keeps what stands after `~`
    let held = load(&VEHICLE.replace("x = start", "held(x), x ~ start"));
    let of = |model| simulation(model).problem().unwrap().initial_state(&defaults(model)).unwrap();
    assert_eq!(of(held), of(model));

    let open = load(&VEHICLE.replace("x = start,", ""));
    let error = refused(&simulation(open).problem().unwrap(), open);
    let InitialStateError::Equilibrium(EquilibriumError::Family { coordinates, .. }) = &error else {
        panic!("{error}")
    };
    assert_eq!(coordinates, &["x"]);
    assert!(error.to_string().contains("held(x)"), "{error}");

    let kept = load(&VEHICLE.replace("z ~ 0.3[m]", "z = 0.3[m]"));
    let error = refused(&simulation(kept).problem().unwrap(), kept);
    let InitialStateError::Held { coordinates } = &error else { panic!("{error}") };
    assert_eq!((coordinates.len(), coordinates[0].0), (1, "z"), "{error}");
    assert!(
        simulation(kept)
            .problem()
            .unwrap()
            .system()
            .check_start(&simulation(kept).problem().unwrap(), &defaults(kept))
            .is_err()
    );
}

#[test]
fn formulas_of_an_equilibrium_are_kept_where_they_are_right() {
    let text = "
    pub Formula {
        parameters { m: kg = 2, k: N/m = 50, g: m/s^2 = 9.81 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: -k*x - m*g, y: -k*(y - x) }
        initial { equilibrium, x = -m*g/k }
        outputs { s_x: m = x, s_y: m = y }
    }";
    let model = load(text);
    let problem = simulation(model).problem().unwrap();
    check_rest(&problem, model);
    check(model, &problem);
    // right at these parameters alone
    let model = load(&text.replace("-m*g/k", "-0.3924[m]"));
    let problem = simulation(model).problem().unwrap();
    check_rest(&problem, model);
    let error = model.system().initial_derivatives(&problem, &defaults(model), &[1]).unwrap_err();
    assert!(matches!(error, InitialStateError::HeldDerivative { coordinate: "x", .. }), "{error}");
    let error = check_gradient_of(model.second_order(), &problem, &defaults(model), &Weighted, &[1]).unwrap_err();
    assert!(matches!(error, SimulationError::InitialState(InitialStateError::HeldDerivative { .. })), "{error}");
}

/// A mass on a spring that a table describes, beside a constraint with a table.
const TABLE: &str = "
pub Characteristic {
    parameters { m: kg = 2, g: m/s^2 = 9.81, k: N/m = 20 }
    tables { spring(x: m): N, way(x: m): m }
    coordinates { x: m, y: m }
    mass { x: m, y: 0.5*m }
    forces { x: -m*g - spring(x) - 3[N*s/m]*dot(x), y: -k*y }
    constraints { guide: y - way(x) }
    initial { equilibrium, x ~ -0.2[m] }
    outputs { s_x: m = x, s_y: m = y, s_pull: N = multiplier(guide), s_ax: m/s^2 = ddot(x) }
}";

#[test]
fn values_of_tables_have_exact_derivatives() {
    let model = load(TABLE);
    let curve =
        |values: [f64; 5]| Curve::new(vec![-1.0, -0.5, 0.0, 0.5, 1.0], values.to_vec(), Extension::Linear).unwrap();
    let problem = simulation(model)
        .table(model.system().curve("spring").unwrap(), curve([-80.0, -30.0, 0.0, 25.0, 70.0]))
        .table(model.system().curve("way").unwrap(), curve([0.3, 0.1, 0.0, 0.15, 0.4]))
        .problem()
        .unwrap();
    check_rest(&problem, model);
    check(model, &problem);
    let parameters = defaults(model);
    let mut run = problem.run(&parameters).unwrap();
    let gradient = Weighted.output_gradient(run.outputs());
    let full =
        model.system().full_gradient(&problem, (&mut run).into(), &gradient, &[], (false, &[true, true])).unwrap();
    let constants: Vec<Dual> = parameters.iter().map(|value| Dual::constant(*value)).collect();
    let mut largest = 0.0_f64;
    for (index, own) in full.by_tables.iter().enumerate() {
        for (i, &own) in own.as_ref().unwrap().iter().enumerate() {
            let varying = problem.tables().at(index).unwrap().along_value(i).unwrap();
            let varying = problem.clone().with_table_at(index, varying);
            let dual =
                Weighted.value_dual(&model.second_order().outputs_dual(&varying, &constants).unwrap()).derivative;
            assert!((own - dual).abs() <= TOLERANCE * (1.0 + dual.abs()), "table {index}, value {i}: {own} {dual}");
            largest = largest.max(dual.abs());
        }
    }
    assert!(largest > 1e-3);
}

/// A mass on a rod, with an input and a pulse that the first sample alone feels.
const DRIVEN: &str = "
pub Driven {
    parameters { m: kg = 2, l: m = 0.8, k: N/m = 50, g: m/s^2 = 9.81, pulse: N = 0, h: s = 0.001 }
    inputs { u: N }
    coordinates { x: m, y: m, z: m }
    mass { x: m, y: m }
    let push = u + pulse*max(1 - t/h, 0);
    forces { x: push + 0.3*push^2/(1[N]) - k*(x - z), y: -m*g, z: k*(x - z) - 3*k*z - 8[N*s/m]*dot(z) }
    constraints { rod: x^2 + y^2 - l^2 }
    initial { equilibrium, x ~ 0.1[m], y ~ -0.8[m] }
    outputs { s_x: m = x, s_y: m = y, s_z: m = z, s_pull: N/m = multiplier(rod), s_ax: m/s^2 = ddot(x) }
}";

#[test]
fn inputs_at_the_start_have_exact_derivatives() {
    let model = load(DRIVEN);
    let problem = simulation(model).input(model.input("u").unwrap(), |t: f64| 3.0 + 20.0 * t).problem().unwrap();
    let parameters = defaults(model);
    let state = problem.initial_state(&parameters).unwrap();
    assert!(state[0] > 0.05, "{state:?}");
    assert!(state[3..9].iter().all(|value| *value == 0.0), "{state:?}");
    check(model, &problem);
    let mut run = problem.run(&parameters).unwrap();
    let gradient = Weighted.output_gradient(run.outputs());
    let full = model.system().full_gradient(&problem, (&mut run).into(), &gradient, &[], (true, &[])).unwrap();
    let own = full.by_inputs.unwrap().row(0)[0];
    let mut seeded: Vec<Dual> = parameters.iter().map(|value| Dual::constant(*value)).collect();
    seeded[4].derivative = 1.0;
    let dual = Weighted.value_dual(&model.second_order().outputs_dual(&problem, &seeded).unwrap()).derivative;
    // accelerations in the cost, which nearly cancel at rest, leave fewer digits
    let limit = 10.0 * TOLERANCE * (1.0 + dual.abs());
    assert!((own - dual).abs() <= limit && dual.abs() > 1e-3, "{own} {dual}");
    // second derivatives: d/dk of dJ/du_0, against a difference of exact gradients
    let mut seeded: Vec<Dual> = parameters.iter().map(|value| Dual::constant(*value)).collect();
    seeded[2].derivative = 1.0;
    let mut run = model.second_order().run_dual(&problem, &seeded).unwrap();
    let constant = {
        let mut constant = Series::zeros(gradient.step(), gradient.width(), gradient.samples());
        for i in 0..gradient.samples() {
            constant.row_mut(i).iter_mut().zip(gradient.row(i)).for_each(|(to, from)| *to = Dual::constant(*from));
        }
        constant
    };
    let mixed = model.second_order().input_gradient_dual(&problem, (&mut run).into(), &constant, None).unwrap();
    assert!((mixed.row(0)[0].value - own).abs() <= limit);
    let at = |change: f64| {
        let mut parameters = parameters.clone();
        parameters[2] += change;
        let mut run = problem.run(&parameters).unwrap();
        let full = model.system().full_gradient(&problem, (&mut run).into(), &gradient, &[], (true, &[])).unwrap();
        full.by_inputs.unwrap().row(0)[0]
    };
    let difference = (8.0 * (at(0.5) - at(-0.5)) - (at(1.0) - at(-1.0))) / 6.0;
    let mixed = mixed.row(0)[0].derivative;
    assert!((mixed - difference).abs() <= 1e-5 * difference.abs() && mixed != 0.0, "{mixed} {difference}");
}

/// A plate on four springs in space, with a joint of whole orientations.
const SPATIAL: &str = "
pub Plate {
    parameters { m: kg = 100, k: N/m = 5e3, s: m = 0.2, g: m/s^2 = 9.81, e: m = 0.05, heading: rad = 0.4 }
    gravity { (0, 0, -g) }
    bodies {
        plate: spatial { mass: m, inertia: (8[kg*m^2], 6[kg*m^2], 12[kg*m^2]), center: (e, 0.02[m], 0) },
        wheel: spatial { mass: 5[kg], inertia: (0.1[kg*m^2], 0.2[kg*m^2], 0.1[kg*m^2]) },
    }
    joints { hub: revolute(plate.at(0, 0.6[m], 0), wheel, axis = (0, 1, 0)) }
    let height_1 = plate.at(0.5[m], 0.4[m], 0).position.z;
    elements {
        fl: force(plate.at(0.5[m], 0.4[m], 0), (0, 0, -k*(plate.at(0.5[m], 0.4[m], 0).position.z - s))),
        fr: force(plate.at(0.5[m], -0.4[m], 0), (0, 0, -k*(plate.at(0.5[m], -0.4[m], 0).position.z - s))),
        rl: force(plate.at(-0.5[m], 0.4[m], 0), (0, 0, -k*(plate.at(-0.5[m], 0.4[m], 0).position.z - s))),
        rr: force(plate.at(-0.5[m], -0.4[m], 0), (0, 0, -k*(plate.at(-0.5[m], -0.4[m], 0).position.z - s))),
    }
    initial {
        equilibrium,
        plate.position ~ (1[m], 2[m], 0.1[m]),
        plate.orientation ~ rotation((0, 0, 1), heading),
        wheel ~ plate.at(0, 0.6[m], 0),
        held(plate.x, plate.y, plate.e3, wheel.e2),
        dot(plate.x) = 0,
    }
    outputs {
        s_x: m = plate.x, s_y: m = plate.y, s_z: m = plate.z, s_e0: 1 = plate.e0, s_e1: 1 = plate.e1,
        s_e2: 1 = plate.e2, s_e3: 1 = plate.e3,
        s_wx: m = wheel.x, s_wy: m = wheel.y, s_wz: m = wheel.z, s_w0: 1 = wheel.e0, s_w1: 1 = wheel.e1,
        s_w2: 1 = wheel.e2, s_w3: 1 = wheel.e3,
        s_height: m = height_1, s_hub: N = hub.reaction.z,
    }
}";

#[test]
fn bodies_in_space_rest_with_held_coordinates() {
    let model = load(SPATIAL);
    let problem = simulation(model).problem().unwrap();
    check_rest(&problem, model);
    check(model, &problem);
    let state = problem.initial_state(&defaults(model)).unwrap();
    assert!((state[0] - 1.0).abs() < 1e-15 && (state[6] - 0.2_f64.sin()).abs() < 1e-15, "{state:?}");
    // 105 kg on four springs about the origin
    assert!((state[2] - (0.2 - 105.0 * 9.81 / 2e4)).abs() < 1e-12, "{state:?}");
}

#[test]
fn specified_orientations_are_kept_with_their_norm() {
    let text = "
    pub Slide {
        parameters { m: kg = 10, k: N/m = 500, g: m/s^2 = 9.81, angle: rad = 0.3 }
        bodies { slide: spatial { mass: m, inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) } }
        gravity { (0, 0, -g) }
        forces { slide.z: -k*slide.z, slide.x: -k*slide.x, slide.y: -k*slide.y }
        initial { equilibrium, slide.orientation = rotation((0, 0, 1), angle) }
        outputs {
            s_x: m = slide.x, s_y: m = slide.y, s_z: m = slide.z, s_e0: 1 = slide.e0, s_e1: 1 = slide.e1,
            s_e2: 1 = slide.e2, s_e3: 1 = slide.e3,
            s_norm: N*m = multiplier(slide.norm),
        }
    }";
    let model = load(text);
    let problem = simulation(model).problem().unwrap();
    check_rest(&problem, model);
    check(model, &problem);
}

#[test]
fn models_without_an_equilibrium_say_so() {
    let one = |forces: &str, rest: &str, initial: &str| {
        let model = load(&format!(
            "pub One {{ parameters {{ m: kg = 1 }} coordinates {{ x: m }} mass {{ x: m }} forces {{ x: {forces} }} \
                 {rest} initial {{ equilibrium, {initial} }} \
             outputs {{ s_x: m = x }} }}"
        ));
        let problem = simulation(model).problem().unwrap();
        assert!(problem.initial_state(&defaults(model)).is_err());
        assert!(model.system().check_start(&problem, &defaults(model)).is_err());
        refused(&problem, model)
    };
    let error = one("2[N/m]*x - 3[N/m^3]*x^3", "", "x ~ 0");
    assert!(matches!(error, InitialStateError::Equilibrium(EquilibriumError::Unstable { .. })), "{error}");
    assert!(error.to_string().contains("held(x)"), "{error}");
    let error = one("1[N] + 1[N/m^2]*x^2", "", "x ~ 0.1[m]");
    let is_driven = matches!(error, InitialStateError::Equilibrium(EquilibriumError::DrivenAway { coordinate: "x" }));
    assert!(is_driven, "{error}");
    let error = one("0[N]", "constraints { drive: x - 0.2[m/s]*t }", "x ~ 0");
    assert!(matches!(error, InitialStateError::Moving { level: "velocity", .. }), "{error}");
    let error = one("1[N*m]/x", "", "x ~ 0");
    assert!(matches!(error, InitialStateError::Equilibrium(EquilibriumError::NotFinite { .. })), "{error}");
}

#[test]
fn constraints_that_repeat_each_other_are_named() {
    let text = "pub Twice { parameters { m: kg = 1, l: m = 0.2 } coordinates { x: m, y: m } mass { x: m, y: m } \
         forces { x: -3[N/m]*x, y: -2[N/m]*y } \
                constraints { a: x^2 - l^2, b: x*y - l*y } initial { equilibrium, x ~ 0.2[m] }
                outputs { s_x: m = x } }";
    let model = load(text);
    let error = refused(&simulation(model).problem().unwrap(), model);
    let InitialStateError::Equilibrium(EquilibriumError::Constraints { constraints, .. }) = &error else {
        panic!("{error}")
    };
    assert!(!constraints.is_empty(), "{error}");
}

#[test]
fn unstable_positions_are_kept_where_they_are_meant() {
    let text = "pub Up { parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81 } coordinates { phi: rad } mass { phi: \
         m*l^2 } \
                forces { phi: m*g*l*sin(phi) } initial { equilibrium, held(phi) } outputs { s_phi: rad = phi } }";
    let model = load(text);
    let problem = simulation(model).problem().unwrap();
    assert_eq!(problem.initial_state(&defaults(model)).unwrap(), [0.0, 0.0, 0.0]);
}

fn example(path: &str, initial: (&str, &str)) -> LoadedModel {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(initial.0), "{path}");
    load(&text.replace(initial.0, initial.1))
}

#[test]
fn a_car_on_double_wishbones_begins_at_rest() {
    let given = "chassis.position = (0, 0, 0.5[m]),\n            chassis.orientation = rotation((0, 0, 1), 0),";
    let held = "equilibrium, chassis.position ~ (0, 0, 0.5[m]), \
                held(chassis.x, chassis.y, chassis.e3, fl.wheel.e2, fr.wheel.e2, rl.wheel.e2, rr.wheel.e2),";
    let model = example("examples/mechanisms/car.rs", (given, held));
    let on_road = |model: LoadedModel, end: f64| {
        let inputs = ["road_fl", "road_fr", "road_rl", "road_rr"].iter().zip([0.0, 0.01, 0.0, -0.01]);
        let simulation = model.simulation().unwrap().step(2e-3).until(end);
        inputs
            .fold(simulation, |simulation, (name, height)| simulation.input(model.input(name).unwrap(), height))
            .problem()
            .unwrap()
    };
    let problem = on_road(model, 0.2);
    check_rest(&problem, model);
    let outputs = problem.run(&defaults(model)).unwrap().outputs().clone();
    let loads: Vec<f64> = model
        .description()
        .outputs
        .iter()
        .enumerate()
        .filter(|(_, output)| output.name.ends_with("load"))
        .map(|(k, _)| outputs.row(0)[k])
        .collect();
    // the weight of the chassis and four corners, in kN
    let weight = (1300.0 + 4.0 * (4.0 + 2.5 + 6.0 + 18.0)) * 9.81e-3;
    assert!((loads.iter().sum::<f64>() - weight).abs() < 1e-9 * weight, "{loads:?}");
    // derivatives by stiffness and mass
    let all: Vec<usize> =
        ["c", "free", "m_c", "c_t"].iter().map(|name| model.parameter(name).unwrap().index()).collect();
    let problem = on_road(model, 0.01);
    let report = check_gradient_of(model.second_order(), &problem, &defaults(model), &Weighted, &all).unwrap();
    assert!(report.agrees(TOLERANCE), "{report}");

    let open = example("examples/mechanisms/car.rs", (given, "equilibrium, chassis.position ~ (0, 0, 0.5[m]),"));
    let error = refused(&on_road(open, 0.01), open);
    assert!(matches!(error, InitialStateError::Equilibrium(EquilibriumError::Family { .. })), "{error}");
}
