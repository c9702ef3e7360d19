//! The variants of the engine mount: the published one is what it was, and each is what another becomes in the limit.

use costate::verify::random_points;
use costate::{Model, Simulation, check_derivatives};
use costate_compiler::{Arguments, ModelFile, compile_str};
use costate_models::{EngineMount, LinearMount, MountWithoutMembrane, PreloadedMount, RelaxingMount, engine_mount};

/// Relative to the largest entry of each matrix.
const TOLERANCE: f64 = 1e-12;

const FILE: &str = "../../models/src/engine_mount.rs";

/// The published mount without any variants has the same code, but for the constants that say which variant it is.
#[test]
fn the_published_mount() {
    let published = include_str!("../../../../macros/compiler/tests/fixtures/engine_mount.model");
    let code = |source: String| {
        let lines = source.lines().map(str::to_owned).filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>()
    };
    let expected = code(compile_str(published).unwrap().source().unwrap());
    let compiled = ModelFile::read(FILE).unwrap().compile(Some("EngineMount"), &Arguments::new()).unwrap();
    let mut found = code(compiled.source().unwrap());
    for constant in
        ["MEMBRANE: bool = true", "PROGRESSIVE: bool = true", "MAXWELL_ELEMENTS: usize = 0", "PRELOADED: bool = false"]
    {
        let line = format!("    pub const {constant};");
        found.remove(found.iter().position(|found| *found == line).unwrap());
    }
    assert_eq!(found, expected);
}

fn check<M: Model>(model: &M) {
    let report = check_derivatives(&random_points(model, 100, 7), TOLERANCE);
    assert!(report.mismatches.is_empty(), "{report}");
    assert_eq!(report.skipped, 0, "{report}");
}

#[test]
fn derivatives() {
    check(&MountWithoutMembrane::default());
    check(&LinearMount::default());
    check(&PreloadedMount { preload: 300.0, ..PreloadedMount::default() });
    check(&RelaxingMount::default());
}

/// Every combination compiles, with the coordinates and parameters that it needs and no others.
#[test]
fn all_combinations() {
    let file = ModelFile::read(FILE).unwrap();
    for (membrane, progressive, elements) in [true, false]
        .into_iter()
        .flat_map(|m| [true, false].into_iter().flat_map(move |p| (0..4).map(move |n| (m, p, n))))
    {
        let arguments = Arguments::new()
            .with("membrane", membrane)
            .with("progressive", progressive)
            .with("maxwell_elements", elements);
        let model = file.compile(Some("EngineMount"), &arguments).unwrap().model;
        let elements = elements as usize;
        assert_eq!(model.coordinates.len(), 3 + usize::from(membrane) + elements);
        assert_eq!(model.parameters.len(), 10 + 3 * usize::from(membrane) + usize::from(progressive) + 2 * elements);
    }
}

/// The acceleration in the published sweep, which makes the displacement large enough for all laws to differ.
macro_rules! acceleration {
    ($model:ty, $parameters:expr) => {{
        let model: $model = $parameters;
        let run = Simulation::new(&model)
            .input(<$model>::DRIVE, engine_mount::sweep)
            .step(engine_mount::STEP)
            .until(0.3)
            .alpha(engine_mount::ALPHA)
            .run()
            .unwrap();
        run.output(<$model>::ACCELERATION)
    }};
}

/// Largest difference over the largest value.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    a.iter().zip(b).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs())) / largest
}

/// A membrane that hardly gives way has no effect; the difference falls with its compliance. With the published data
/// the fluid moves through the channel so easily that the membrane changes less than a millionth: here the channel is a
/// narrow one.
#[test]
fn stiff_membrane() {
    const NARROW: f64 = 1e4;
    let without = MountWithoutMembrane { d_h1: NARROW, ..MountWithoutMembrane::default() };
    let without = acceleration!(MountWithoutMembrane, without);
    let with = |factor: f64| {
        let mount = EngineMount { d_h1: NARROW, ..EngineMount::default() };
        let stiff = EngineMount { c_m: mount.c_m * factor, d_m: mount.d_m * factor, ..mount };
        difference(&without, &acceleration!(EngineMount, stiff))
    };
    let differences = [1.0, 1e4, 1e5].map(with);
    assert!(differences[0] > 1e-3, "{differences:?}");
    assert!(differences[1] < 1e-2 * differences[0], "{differences:?}");
    assert!(differences[2] < 0.2 * differences[1], "{differences:?}");
}

#[test]
fn no_cubic_stiffness() {
    let linear = acceleration!(LinearMount, LinearMount::default());
    let published = acceleration!(EngineMount, EngineMount::default());
    let without = acceleration!(EngineMount, EngineMount { c_e2: 0.0, ..EngineMount::default() });
    assert!(difference(&linear, &published) > 1e-2);
    assert!(difference(&linear, &without) < 1e-12, "{}", difference(&linear, &without));
}

/// Maxwell elements with stiff springs are dampers; with soft ones they are nothing.
#[test]
fn limits_of_maxwell_elements() {
    let linear = LinearMount::default();
    let relaxing = |factor: f64| {
        let mount = RelaxingMount::default();
        acceleration!(
            RelaxingMount,
            RelaxingMount { c_r_1: mount.c_r_1 * factor, c_r_2: mount.c_r_2 * factor, ..mount }
        )
    };
    let RelaxingMount { d_r_1, d_r_2, .. } = RelaxingMount::default();
    let damped = acceleration!(LinearMount, LinearMount { d_e: linear.d_e + d_r_1 + d_r_2, ..linear });
    let undamped = acceleration!(LinearMount, linear);
    let [as_it_is, soft, stiff] = [1.0, 1e-8, 1e5].map(relaxing);
    assert!(difference(&undamped, &as_it_is) > 1e-2 && difference(&damped, &as_it_is) > 1e-2);
    assert!(difference(&undamped, &soft) < 1e-6, "{}", difference(&undamped, &soft));
    assert!(difference(&damped, &stiff) < 1e-2, "{}", difference(&damped, &stiff));
}
