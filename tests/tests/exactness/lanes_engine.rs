//! The engine in lanes, with a formula and with a table of the gas pressure.

use costate_models::four_cylinder_engine::Drive;
use costate_models::{FourCylinderEngine, MappedEngine};
use costate_tests::lanes::check;
use costate_tests::published;

/// The largest published model runs in lanes, with gradients, on a thread of 2 MiB, in builds without optimisation as
/// well.
#[test]
fn engine() {
    let small = std::thread::Builder::new().stack_size(2 << 20);
    small.spawn(check_engine).unwrap().join().unwrap();
}

fn check_engine() {
    let drive = Drive::constant(3000.0);
    let model = FourCylinderEngine { speed_0: drive.from, ..FourCylinderEngine::start() };
    let unknown =
        [FourCylinderEngine::CS_1, FourCylinderEngine::DS_1, FourCylinderEngine::CS_2, FourCylinderEngine::DS_2];
    check(&published::engine(&model, drive, 600).problem().unwrap(), &model, &unknown, 1e-8);
}

#[test]
fn engine_with_table() {
    let drive = Drive::constant(3000.0);
    let model = MappedEngine { speed_0: drive.from, ..MappedEngine::start() };
    let problem = published::engine(&model, drive, 600).problem().unwrap();
    check(&problem, &model, &[MappedEngine::CS_1, MappedEngine::DS_1], 1e-8);
}
