//! Compiles a model from a build script, and once more with a mistake put into one of its derivatives, so that the
//! checks can be seen to find it.

use std::error::Error;
use std::path::Path;

const MODEL: &str = "golden/discrete_oscillator.model";
const RIGHT: &str = "let force_residual_wrt_velocities = [k.d];";
/// The same derivative in the step of the adjoint.
const RIGHT_STEP: &str = "adjoint.z = [e3 - k.d * e4];";
const WRONG_STEP: &str = "adjoint.z = [e3 - k.d * 1.000001 * e4];";
const WRONG: &str = "let force_residual_wrt_velocities = [k.d * 1.000001];";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={MODEL}");
    let source = std::fs::read_to_string(MODEL)?;
    let compiled = costate_compiler::compile_str(&source).map_err(|errors| {
        errors.iter().map(|error| format!("{MODEL}:{error}")).collect::<Vec<_>>().join("\n")
    })?;
    let code = compiled.source()?;
    let mut wrong = code.clone();
    for (right, mistake) in [(RIGHT, WRONG), (RIGHT_STEP, WRONG_STEP)] {
        if !wrong.contains(right) {
            return Err(format!("the emitted code has no `{right}`").into());
        }
        wrong = wrong.replace(right, mistake);
    }
    let folder = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&folder).join("right.rs"), code)?;
    std::fs::write(Path::new(&folder).join("wrong.rs"), wrong)?;
    Ok(())
}
