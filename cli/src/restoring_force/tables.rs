//! The curves as files that a `model!` reads.

use std::path::{Path, PathBuf};

use costate::restoring_force::{CurvePoint, RestoringForceCurve, RestoringForceModel};
use nalgebra::DMatrix;

use super::structure::Structure;

/// The curves of all elements.
#[derive(Debug)]
pub struct Curves {
    pub elastic: Vec<RestoringForceCurve>,
    pub dissipative: Vec<RestoringForceCurve>,
}

impl Curves {
    /// Returns the name, the heading of the coordinate and the curves of both kinds.
    fn kinds(&self) -> [(&'static str, &'static str, &[RestoringForceCurve]); 2] {
        [("elastic", "deformation [m]", &self.elastic), ("dissipative", "rate [m/s]", &self.dissipative)]
    }

    /// Returns all nodes with their deviations as CSV.
    pub fn bands(&self) -> String {
        let mut text =
            String::from("element,curve,coordinate,force [N],deviation of coordinate,deviation of force [N]\n");
        for (kind, _, curves) in self.kinds() {
            for (curve, number) in curves.iter().zip(1..) {
                for CurvePoint { coordinate, force, coordinate_deviation, force_deviation } in &curve.points {
                    text += &format!("{number},{kind},{coordinate},{force},{coordinate_deviation},{force_deviation}\n");
                }
            }
        }
        text
    }
}

/// Returns the files of a folder for a model: `elastic_1.csv`, `dissipative_1.csv` and so on, its tables, and
/// `model.txt`, the model itself.
pub fn files(
    folder: &Path,
    structure: &Structure,
    model: &RestoringForceModel,
    curves: &Curves,
) -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for (kind, heading, curves) in curves.kinds() {
        for (j, curve) in curves.iter().enumerate() {
            let mut text = format!("# {}\n{heading},force [N]\n", structure.element_name(j).replace('\n', " "));
            for point in &curve.points {
                text += &format!("{},{}\n", point.coordinate, point.force);
            }
            all.push((folder.join(format!("{kind}_{}.csv", j + 1)), text));
        }
    }
    all.push((folder.join("model.txt"), as_model(structure, model)));
    all
}

/// Returns the text of a model with these tables, in the coordinates of the deformations.
fn as_model(structure: &Structure, model: &RestoringForceModel) -> String {
    let n = model.elements();
    let mass = model.inverse_inertia().clone().cholesky().map_or_else(|| DMatrix::zeros(n, n), |l| l.inverse());
    // M B u + G w
    let (base, force) = (&mass * model.base(), model.force_directions());
    let mut text = format!("// {}\n", structure.name.replace('\n', " "));
    text += "costate::model! {\n    pub Structure {\n        inputs {\n";
    for (name, unit, count) in [("base", "m/s^2", base.ncols()), ("force", "N", force.ncols())] {
        for k in 1..=count {
            text += &format!("            {name}_{k}: {unit},\n");
        }
    }
    text += "        }\n        tables {\n";
    for j in 1..=n {
        text += &format!("            elastic_{j}(linear deformation: m): N = \"elastic_{j}.csv\",\n");
        text += &format!("            dissipative_{j}(linear rate: m/s): N = \"dissipative_{j}.csv\",\n");
    }
    text += &format!("        }}\n        coordinates {{ z[1..={n}]: m }}\n        mass {{\n");
    for i in 0..n {
        text += &format!("            z[{}]: {}[kg],\n", i + 1, mass[(i, i)]);
        for j in i + 1..n {
            if mass[(i, j)] != 0.0 {
                text += &format!("            (z[{}], z[{}]): {}[kg],\n", i + 1, j + 1, mass[(i, j)]);
            }
        }
    }
    text += "        }\n        forces {\n";
    for i in 0..n {
        let number = i + 1;
        text += &format!(
            "            z[{number}]: -elastic_{number}(z[{number}]) - dissipative_{number}(dot(z[{number}]))"
        );
        for (name, unit, matrix) in [("base", "kg", &base), ("force", "", force)] {
            for k in 0..matrix.ncols() {
                let factor = matrix[(i, k)];
                if factor != 0.0 {
                    let unit = if unit.is_empty() { String::new() } else { format!("[{unit}]") };
                    text += &format!(" + ({factor}{unit})*{name}_{}", k + 1);
                }
            }
        }
        text += ",\n";
    }
    text += &format!(
        "        }}\n        outputs {{ for i in 1..={n} {{ deformation[i]: m = z[i], rate[i]: m/s = dot(z[i]) }} }}\n"
    );
    text += "    }\n}\n";
    text
}
