//! Models that are loaded while a program runs, and executed without a build (feature `interpreted`).
//!
//! [`load`] reads the model of a file, checks and differentiates it, and assembles the arithmetic of its functions as
//! machine code when they are first called, from which tables and elementary functions are called; on processors other
//! than x86-64 with AVX2 all is interpreted. Runs, gradients and fits are those of compiled models to rounding. Runs
//! and gradients take 1.3 to 3 times as long; small models have the larger factors. Names come from the model:
//!
//! ```
//! use costate::{Identification, Record, interpreted};
//!
//! # fn main() -> anyhow::Result<()> {
//! # let folder = std::env::temp_dir().join(format!("costate-interpreted-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("mount.model");
//! # std::fs::write(&path, "pub Mount {
//! #     parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40 }
//! #     inputs { drive: N }
//! #     coordinates { x: m }
//! #     mass { x: m }
//! #     forces { x: drive - c*x - d*dot(x) }
//! #     outputs { acceleration: m/s^2 = ddot(x) }
//! # }")?;
//! // let path = "mount.model";
//! let mount = interpreted::load(&path)?;
//! let sweep = |t: f64| 500.0 * (60.0 * t * t).sin();
//! let simulation = mount.simulation()?.input(mount.input("drive")?, sweep).step(1e-3).until(1.0);
//! let run = simulation.run()?;
//!
//! let acceleration = run.output(mount.output("acceleration")?);
//! let record = Record::new(run.times())?.with_channel("acceleration", Some("m/s^2"), acceleration)?;
//! let start = simulation.parameter(mount.parameter("c")?, 80e3);
//! let fit = Identification::of(mount.system(), &start)
//!     .unknown([mount.parameter("c")?])
//!     .measured(mount.output("acceleration")?, &record)
//!     .run()?;
//! println!("{fit}");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! A file has a `model!` block, or the text of one alone. What was loaded stays until the program ends; the same text
//! is loaded once.

pub use costate_interpreter::{LoadedModel, load};

// Steppers: their methods are those of `costate::Stepper`.
#[doc(no_inline)]
pub use costate_interpreter::{LoadedStepper, SavedLoadedStepper};

// Errors: their pages are those of the crate.
#[doc(no_inline)]
pub use costate_interpreter::{LoadError, Mistake, NoDefault};
