//! Experiments in lanes.

use std::error::Error;

use costate::identify::{Experiment, UnknownParameter};
use costate::optimize::{Method, OptimizerSettings};
use costate::{Identification, Record, Simulation};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Isolator, Tested, drive, start};

/// Experiments that differ in parameters alone go beside each other in lanes; the gradient stays exact, and results do
/// not depend on how many go together.
#[test]
fn alike_experiments_go_in_lanes() -> Tested {
    let preloads = [1.0, 2.0, 3.5, 5.0, 6.0];
    let mut records = Vec::new();
    for (preload, seed) in preloads.into_iter().zip(1..) {
        let truth = Isolator { preload, ..Isolator::default() };
        let run = Simulation::new(&truth).input(Isolator::DRIVE, drive([3.0, 11.0])).step(2e-3).until(1.0).run()?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let noisy = run.output(Isolator::POSITION).into_iter().map(|x| {
            let noise: f64 = StandardNormal.sample(&mut random);
            x + 1e-4 * noise
        });
        records.push(Record::new(run.times())?.with_channel("position", Some("m"), noisy.collect())?);
    }
    let id = |method| {
        let mut id = Identification::new(&Simulation::new(&start()).input(Isolator::DRIVE, drive([3.0, 11.0])))
            .unknown([Isolator::D, Isolator::C, Isolator::C_3])
            .unknown_per_experiment([UnknownParameter::from(Isolator::PRELOAD).linear(2.0)])
            .optimizer(OptimizerSettings::default().with_method(method));
        for (number, record) in records.iter().enumerate() {
            id = id.experiment(Experiment::new(format!("run {number}")).measured(Isolator::POSITION, record));
        }
        id
    };
    let report = id(Method::Bfgs).check_gradient()?;
    assert_eq!(report.entries.len(), 8);
    assert!(report.agrees(1e-10), "{report}");
    for method in [Method::Bfgs, Method::LevenbergMarquardt] {
        let with_threads = |threads| -> Result<Vec<u64>, Box<dyn Error>> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            let fit = pool.install(|| id(method).run())?;
            for (number, preload) in preloads.into_iter().enumerate() {
                let found = fit.parameter_of(Isolator::PRELOAD, &format!("run {number}")).ok_or("a preload")?;
                assert!(((found.found - preload) / found.standard_deviation).abs() < 4.0, "{fit}");
            }
            Ok(fit.summary().parameters.iter().map(|fitted| fitted.found.to_bits()).collect())
        };
        let alone = with_threads(1)?;
        assert_eq!(alone, with_threads(2)?);
        assert_eq!(alone, with_threads(5)?);
    }
    Ok(())
}
