//! Runs the command, and the crates that it makes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Output of a call of the command.
pub struct Said {
    pub success: bool,
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The arguments of a call: a line whose blanks separate them, but for those in single quotes, or a list.
pub trait Call {
    /// Returns the arguments.
    fn arguments(&self) -> Vec<&str>;
}

impl Call for str {
    fn arguments(&self) -> Vec<&str> {
        let mut arguments = Vec::new();
        for (number, part) in self.split('\'').enumerate() {
            match number % 2 {
                0 => arguments.extend(part.split_whitespace()),
                _ => arguments.push(part),
            }
        }
        arguments
    }
}

impl Call for String {
    fn arguments(&self) -> Vec<&str> {
        self.as_str().arguments()
    }
}

impl Call for [&str] {
    fn arguments(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Call for Vec<&str> {
    fn arguments(&self) -> Vec<&str> {
        self.clone()
    }
}

impl<const N: usize> Call for [&str; N] {
    fn arguments(&self) -> Vec<&str> {
        self.to_vec()
    }
}

/// Runs `costate` in a folder.
pub fn costate(folder: &Path, call: &(impl Call + ?Sized)) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_costate"));
    Said::of(&command.current_dir(folder).args(call.arguments()).output().unwrap())
}

impl Said {
    /// Returns what a process has said.
    pub fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let (success, code) = (output.status.success(), output.status.code());
        Self { success, code, stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    /// Returns the object that `--json` has printed, and nothing beside it.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "{}{}", self.stdout, self.stderr);
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// Checks the exit code, and that the standard output has these texts.
    #[track_caller]
    pub fn prints(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        assert!(parts.iter().all(|part| self.stdout.contains(part)), "{parts:?} in {}", self.stdout);
    }

    /// Checks the exit code, and that the standard error output has this text.
    #[track_caller]
    pub fn refuses(&self, code: i32, message: &str) {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        assert!(self.stderr.contains(message), "{message} in {}", self.stderr);
    }
}

/// Checks that calls of a command are refused: their further arguments, exit codes, and the begins of their messages.
#[track_caller]
pub fn refused(folder: &Path, command: &str, cases: &[(&str, i32, &str)]) {
    for (arguments, code, message) in cases {
        let said = costate(folder, &format!("{command} {arguments}"));
        assert_eq!((said.code, &*said.stdout), (Some(*code), ""), "{arguments}: {}", said.stderr);
        assert!(said.stderr.starts_with(message), "{arguments}: {}", said.stderr);
    }
}

/// Returns a number of an object.
#[track_caller]
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// A new folder with the file `model.rs` in it.
pub fn folder_with(model: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.rs"), model).unwrap();
    folder
}

/// Two models, the second a variant of the first.
pub const ROW: &str = "//! Masses in a row.

costate::model! {
    /// Masses in a row, each on a spring.
    pub Row(
        /// Number of masses.
        masses: usize = 2,
        damped: bool = true,
    ) {
        parameters {
            /// Mass of each body.
            m: kg = 2,
            c: N/mm = 0.1,
            if damped { d: N*s/m = 3 },
        }
        inputs { pull: N }
        coordinates { x[1..=masses]: m, end: m }
        mass { for i in 1..=masses { x[i]: m }, end: m }
        forces {
            x[1]: -c*x[1],
            for i in 2..=masses { let force = c*(x[i] - x[i - 1]); x[i]: -force, x[i - 1]: force },
            if damped { x[1]: -d*dot(x[1]) },
            end: if pull > 1[N] { pull } else { 0 },
        }
        constraints {
            /// The end is fixed to the last mass.
            tie: x[masses] - end,
        }
        initial { x[1] = 0.5[m], dot(x[1]) = 1[m/s], end ~ 0.2[m] }
        outputs { load: N = multiplier(tie), travel: mm = end }
    }

    pub LongRow = Row(masses = 4);
}
";

/// A mass on a spring with a damper, whose motion is known: see [`position`].
pub const OSCILLATOR: &str = "costate::model! {
    /// A mass on a spring with a damper.
    Oscillator {
        parameters {
            m: kg = 1,
            /// Stiffness of the spring.
            c: N/m = 100,
            d: N*s/m = 2,
            x_0: m = 0.1,
        }
        inputs { push: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: push - c*x - d*dot(x) }
        initial { x = x_0, dot(x) = 0[m/s] }
        outputs {
            /// Distance from rest.
            position: mm = x,
            velocity: m/s = dot(x),
        }
    }
}
";

/// The place in m of the mass of [`OSCILLATOR`] with its defaults, relative to the start in m, while nothing pushes it.
pub fn position(time: f64) -> f64 {
    let frequency = 99_f64.sqrt();
    (-time).exp() * ((frequency * time).cos() + (frequency * time).sin() / frequency)
}

/// A pendulum on a cart.
pub const PENDULUM: &str = "costate::model! {
    /// A pendulum on a cart.
    Pendulum {
        parameters { m: kg = 1, l: m = 0.5, c: N/m = 40 }
        bodies {
            cart: planar { mass: m, shape: [box(0.2[m], 0.1[m]), cylinder(0.03[m]).at(l/10, 0)] },
            /// The rod.
            rod: planar { mass: m, inertia: m*l^2/12 },
        }
        joints {
            rail: prismatic(ground, cart, axis = (1, 0)),
            pin: revolute(cart, rod.at(0, l/2)),
        }
        elements { back: spring(ground.at(-1[m], 0), cart, stiffness = c, damping = 1[N*s/m]) }
        outputs { angle: rad = rod.angle, height: mm = rod.at(0, -l/2).position.y }
    }
}";

/// The checkout that this crate is part of.
pub fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs the program of the crate in `folder` and returns its output.
pub fn run(folder: &Path) -> String {
    let said = Said::of(&cargo(folder, &["run", "--quiet"]).output().unwrap());
    assert!(said.success, "{}", said.stderr);
    said.stdout
}

/// Prepares a call of Cargo in the folder of a crate outside of the workspace, without a network and with the
/// versions of the workspace. All such crates share a target folder. Nothing is optimised, since that would take
/// longer than the programs run.
pub fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    std::fs::copy(checkout().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_BIN_EXE_costate")).ancestors().nth(2).unwrap().join("outside");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(folder).args(arguments).arg("--offline").env("CARGO_TARGET_DIR", target);
    let optimised = ["compiler", "interpreter", "kernel", "numerics", "system"];
    for package in optimised.map(|name| format!("costate-{name}")).iter().chain([&"\"*\"".to_owned()]) {
        cargo.args(["--config", &format!("profile.dev.package.{package}.opt-level=0")]);
    }
    for setting in ["opt-level=0", "debug=false", "incremental=false"] {
        cargo.args(["--config", &format!("profile.dev.{setting}")]);
    }
    cargo
}
