//! Compiles a model from a build script, and once more with a mistake put into one of its derivatives, so that the
//! checks can be seen to find it.

use std::error::Error;

use costate_compiler::{Arguments, generate};

const MODEL: &str = "golden/discrete_oscillator.model";
const RIGHT: &str = "let force_residual_wrt_velocities = [k.d];";
/// The same derivative in the step of the adjoint.
const RIGHT_STEP: &str = "adjoint.z = [later_z_q.plus_product(k.h, later_y_q).minus_product(k.d, e3)];";
const WRONG_STEP: &str =
    "adjoint.z = [later_z_q.plus_product(k.h, later_y_q).minus_product(k.d * 1.000001, e3)];";
const WRONG: &str = "let force_residual_wrt_velocities = [k.d * 1.000001];";

fn main() -> Result<(), Box<dyn Error>> {
    let right = generate(MODEL, None, &Arguments::new(), "right.rs")?;
    let mut wrong = std::fs::read_to_string(&right)?;
    for (right, mistake) in [(RIGHT, WRONG), (RIGHT_STEP, WRONG_STEP)] {
        if !wrong.contains(right) {
            return Err(format!("the emitted code has no `{right}`").into());
        }
        wrong = wrong.replace(right, mistake);
    }
    std::fs::write(right.with_file_name("wrong.rs"), wrong)?;
    Ok(())
}
