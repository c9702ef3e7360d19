//! The curves as files that a `model!` reads.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use costate::restoring_force::{RestoringForceCurve, RestoringForceModel};
use costate_examples::write_text;
use nalgebra::DMatrix;

use costate_examples::structure::Structure;

/// The curves of all elements.
pub struct Curves {
    pub elastic: Vec<RestoringForceCurve>,
    pub dissipative: Vec<RestoringForceCurve>,
}

/// Writes `elastic_1.csv`, `dissipative_1.csv` and so on, tables of a model; `bands.csv`, how sure they are; and
/// `model.txt`, a model with these tables. Returns the path of the latter.
///
/// # Errors
/// A file that cannot be written.
pub fn write(folder: &Path, structure: &Structure, model: &RestoringForceModel, curves: &Curves) -> Result<PathBuf> {
    let mut bands = String::from("element,curve,coordinate,force [N],deviation of coordinate,deviation of force [N]\n");
    for (of, all, heading) in
        [("elastic", &curves.elastic, "deformation [m]"), ("dissipative", &curves.dissipative, "rate [m/s]")]
    {
        for (j, curve) in all.iter().enumerate() {
            let mut text = format!("# {}\n{heading},force [N]\n", structure.element_name(j).replace('\n', " "));
            for point in &curve.points {
                writeln!(text, "{},{}", point.coordinate, point.force)?;
                writeln!(
                    bands,
                    "{},{of},{},{},{},{}",
                    j + 1,
                    point.coordinate,
                    point.force,
                    point.coordinate_deviation,
                    point.force_deviation
                )?;
            }
            write_text(&folder.join(format!("{of}_{}.csv", j + 1)), &text)?;
        }
    }
    write_text(&folder.join("bands.csv"), &bands)?;
    let path = folder.join("model.txt");
    write_text(&path, &as_model(structure, model)?)?;
    Ok(path)
}

/// The adapted model with these tables, in the coordinates of the deformations.
pub fn as_model(structure: &Structure, model: &RestoringForceModel) -> Result<String> {
    let n = model.elements();
    let mass = model.inverse_inertia().clone().cholesky().map_or_else(|| DMatrix::zeros(n, n), |l| l.inverse());
    // M B u + G w
    let (base, force) = (&mass * model.base(), model.force_directions());
    let mut text = format!("// {}\n", structure.name.replace('\n', " "));
    text += "costate::model! {\n    pub Structure {\n        inputs {\n";
    for (name, unit, count) in [("base", "m/s^2", base.ncols()), ("force", "N", force.ncols())] {
        for k in 1..=count {
            writeln!(text, "            {name}_{k}: {unit},")?;
        }
    }
    text += "        }\n        tables {\n";
    for j in 1..=n {
        writeln!(text, "            elastic_{j}(linear deformation: m): N = \"elastic_{j}.csv\",")?;
        writeln!(text, "            dissipative_{j}(linear rate: m/s): N = \"dissipative_{j}.csv\",")?;
    }
    writeln!(text, "        }}\n        coordinates {{ z[1..={n}]: m }}\n        mass {{")?;
    for i in 0..n {
        writeln!(text, "            z[{}]: {}[kg],", i + 1, mass[(i, i)])?;
        for j in i + 1..n {
            if mass[(i, j)] != 0.0 {
                writeln!(text, "            (z[{}], z[{}]): {}[kg],", i + 1, j + 1, mass[(i, j)])?;
            }
        }
    }
    text += "        }\n        forces {\n";
    for i in 0..n {
        let number = i + 1;
        write!(
            text,
            "            z[{number}]: -elastic_{number}(z[{number}]) - dissipative_{number}(dot(z[{number}]))"
        )?;
        for (name, unit, matrix) in [("base", "kg", &base), ("force", "", force)] {
            for k in 0..matrix.ncols() {
                let factor = matrix[(i, k)];
                if factor != 0.0 {
                    let unit = if unit.is_empty() { String::new() } else { format!("[{unit}]") };
                    write!(text, " + ({factor}{unit})*{name}_{}", k + 1)?;
                }
            }
        }
        text += ",\n";
    }
    writeln!(
        text,
        "        }}\n        outputs {{ for i in 1..={n} {{ deformation[i]: m = z[i], rate[i]: m/s = dot(z[i]) }} }}"
    )?;
    text += "    }\n}\n";
    Ok(text)
}
