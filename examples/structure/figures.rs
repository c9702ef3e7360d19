//! The curves of all elements with their uncertainty, and the convergence plot.

use std::path::Path;

use anyhow::Result;
use costate::plot::Figure;
use costate::restoring_force::RestoringForces;
use costate_examples::{convergence_panel, curve_panel};

use crate::structure::Structure;
use crate::tables::Curves;

const SIZE: (u32, u32) = (560, 330);

/// Writes one row for each element, and the convergence plot.
pub fn write(
    file: &Path,
    structure: &Structure,
    forces: &RestoringForces,
    curves: &Curves,
    interval: f64,
) -> Result<()> {
    let mut figure = Figure::new(2, SIZE);
    for (j, (elastic, dissipative)) in curves.elastic.iter().zip(&curves.dissipative).enumerate() {
        let name = structure.element_name(j);
        let unknown = None::<fn(f64) -> f64>;
        figure = figure
            .panel(curve_panel(&format!("{name}, elastic"), ("deformation", "µm", 1e6), elastic, unknown))
            .panel(curve_panel(&format!("{name}, dissipative"), ("rate", "mm/s", 1e3), dissipative, unknown));
    }
    figure.panel(convergence_panel(forces.convergence(), interval)).write(file)?;
    Ok(())
}
