//! The cost over both parameters.

use std::num::NonZero;
use std::thread;

use anyhow::Result;
use costate::Model;
use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::plot::Map;
use costate::simulate::Problem;
use costate_examples::spaced;
use costate_models::CartPendulum;
use costate_models::cart_pendulum::STEP;

use crate::experiment::{Domain, spectrum_cost};
use crate::study::Study;

/// log10 J over c_f and d_f, as in OB 4.15 and 4.19.
pub fn map(study: &Study) -> Result<Map> {
    let cost: Box<dyn Cost> = match study.experiment.domain {
        Domain::Band(low, high) => Box::new(spectrum_cost(&study.measurement, (low, high))?),
        Domain::Time => {
            let cost = LeastSquares::new(STEP, study.measured().len(), Quadrature::Trapezoid);
            Box::new(cost.with_channel(CartPendulum::ANGLE, study.times(), study.measured(), 1.0)?)
        }
    };
    let problem = study.experiment.problem()?;
    let start = study.experiment.start();
    let c_f: Vec<f64> = spaced([8.0, 12.0], 33).collect();
    // denser at the lower end, where the valley is narrow
    let d_f: Vec<f64> = spaced([0.0, 1.0], 33).map(|part| 0.002 + 0.168 * part.powi(2)).collect();

    let models: Vec<_> = d_f
        .iter()
        .flat_map(|&d_f| c_f.iter().map(move |&c_f| (c_f, d_f)))
        .map(|(c_f, d_f)| CartPendulum { c_f, d_f, ..start })
        .collect();
    let costs = on_all_cores(&models, |model| value(&problem, cost.as_ref(), model));
    let values = costs.into_iter().map(f64::log10).collect();
    let contours = 0.25;
    Ok(Map::new("log₁₀ J", c_f, d_f, values, contours))
}

/// J of a model, NaN where it does not run.
fn value(problem: &Problem, cost: &dyn Cost, model: &CartPendulum) -> f64 {
    let trajectory = problem.forward(&model.parameters());
    trajectory.map_or(f64::NAN, |trajectory| cost.value(&trajectory.outputs()))
}

/// The function of every model, in order.
fn on_all_cores(models: &[CartPendulum], function: impl Fn(&CartPendulum) -> f64 + Sync) -> Vec<f64> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let share = models.len().div_ceil(threads).max(1);
    let mut values = vec![f64::NAN; models.len()];
    thread::scope(|scope| {
        for (models, values) in models.chunks(share).zip(values.chunks_mut(share)) {
            let function = &function;
            scope.spawn(move || {
                for (model, value) in models.iter().zip(values) {
                    *value = function(model);
                }
            });
        }
    });
    values
}
