//! The program on the published models, whose loops are compiled already.

use anyhow::Result;
use costate_speed::Figures;

use super::{Options, cases, run};

#[test]
fn figures_of_the_published_models() -> Result<()> {
    for figures in [cases::mount().measure(1)?, cases::pendulum().measure(1)?, cases::engine().measure(1)?] {
        let Figures { forward_us, forward_strict_us, checked_us, gradient_us, .. } = figures;
        let Figures { bytes_per_step, ratio, .. } = figures;
        assert!(checked_us > forward_strict_us, "{figures:?}");
        for figure in [forward_us, forward_strict_us, checked_us, gradient_us, bytes_per_step, ratio] {
            assert!(figure.is_finite() && figure > 0.0, "{figures:?}");
        }
        let [estimated, strict] = figures.iterations;
        assert!((1.0..=strict).contains(&estimated) && strict < 4.0, "{figures:?}");
    }
    Ok(())
}

#[test]
fn the_table_is_printed() -> Result<()> {
    run(&Options { runs: 1, json: None })
}
