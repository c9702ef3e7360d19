//! Animations of runs: [`Run::animation`](crate::Run::animation) writes pages, glTF files and stills.
//!
//! ```
//! costate::model! {
//!     pub Pendulum {
//!         parameters { m: kg = 1, l: m = 0.5, g: m/s^2 = 9.81 }
//!         gravity { (0, -g) }
//!         bodies { rod: planar { mass: m, inertia: m*l^2/12, shape: box(0.04[m], l) } }
//!         joints { pin: revolute(ground, rod.at(0, l/2)) }
//!         initial { rod.angle = 40[deg] }
//!         outputs { height: m = rod.at(0, -l/2).position.y }
//!     }
//! }
//! use costate::Simulation;
//!
//! let run = Simulation::new(&Pendulum::default()).step(1e-3).until(2.0).run()?;
//! let animation = run.animation();
//! # let folder = std::env::temp_dir();
//! animation.write(folder.join("pendulum.html"))?; // a page that plays the run, `.gltf` for Blender, `.svg` for papers
//! let longer = Pendulum { l: 0.7, ..Pendulum::default() };
//! let other = Simulation::new(&longer).step(1e-3).until(2.0).run()?.animation();
//! animation.named("short").with(other.named("long")).write(folder.join("both.html"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Bodies are drawn with their `shape`, bodies without a shape as bars and plates between their joints and elements;
//! springs, dampers, joints and the ground are drawn as symbols. The page of a model without bodies shows plots of its
//! outputs.

pub use costate_view::Animation;

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_view::{AnimationError, Mechanism, Motion, Plot, Pose};
