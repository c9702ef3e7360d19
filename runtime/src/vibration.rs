//! Positions of rest and steady motions, and small vibrations about them: modes, frequency responses, poles over a
//! speed.
//!
//! ```
//! costate::model! {
//!     /// A machine on an elastic mount with a relaxing element.
//!     pub Mount {
//!         parameters { m: kg = 20, c: N/m = 100e3, c_3: N/m^3 = 3e9, d: N*s/m = 40, g: m/s^2 = 9.81 }
//!         inputs { drive: N }
//!         coordinates { x: m }
//!         mass { x: m }
//!         forces { x: drive + m*g - c*x - c_3*x^3 - d*dot(x) }
//!         initial { x = 0[m] }
//!         outputs { travel: m = x }
//!     }
//! }
//!
//! use costate::Simulation;
//! use costate::vibration::Equilibrium;
//!
//! # fn main() -> anyhow::Result<()> {
//! let rest = Equilibrium::of(&Simulation::new(&Mount::default()).input(Mount::DRIVE, 0.0))?;
//! println!("{rest}"); // where it rests, and that it is stable
//! assert!((rest.output(Mount::TRAVEL) - 1.8e-3).abs() < 0.1e-3);
//!
//! let linear = rest.linearized();
//! let modes = linear.modes()?;
//! println!("{modes}"); // frequency, damping, and what moves
//! assert!((modes.all()[0].frequency() - 12.8).abs() < 0.1);
//!
//! // the dynamic stiffness from 1 to 50 Hz, and how it changes with the stiffness of the rubber
//! let frequencies: Vec<f64> = (1..=50).map(f64::from).collect();
//! let response = linear.frequency_response(&frequencies, Mount::DRIVE, Mount::TRAVEL)?;
//! let stiffness = response.dynamic_stiffness()?;
//! println!("{} {} at 1 Hz", stiffness.magnitudes()[0], stiffness.unit());
//! println!("loss angle {} deg", stiffness.loss_angles()[0]);
//! let derivatives = linear.derivatives(&[Mount::C])?;
//! let by_c = modes.derivatives(0, &derivatives)?;
//! assert!(by_c.frequency[0] > 0.0);
//! # Ok(())
//! # }
//! ```
//!
//! | task | item |
//! |---|---|
//! | a position of rest, from the initial values | [`Equilibrium::of`] |
//! | a steady motion, coordinates that are held, several equilibria | [`EquilibriumSearch`] |
//! | matrices in all coordinates and in independent ones, a state space | [`LinearModel`], [`StateSpace`] |
//! | a linear model about a state of a run | [`LinearModel::at`] |
//! | frequencies, damping, shapes, shares of springs in the energy | [`Modes`], [`EnergyShares`] |
//! | shares of single springs, dampers, bodies in these energies | [`Modes::element_shares`], [`Modes::body_shares`] |
//! | how strongly an input excites a mode and an output shows it | [`Modes::residue`] |
//! | a picture of a mode that moves | [`Modes::animation`] |
//! | poles over a speed or a parameter (Campbell diagram) | [`Poles::over`] |
//! | frequency responses, dynamic stiffness | [`LinearModel::frequency_response`], [`FrequencyResponse`] |
//! | derivatives of all of them | [`LinearModel::derivatives`] |
//! | a fit to measured frequencies and damping ratios | a [`ModalPrediction`], given to [`Identification::predicted`] |
//! | a fit to measured responses | a [`ResponsePrediction`], given to [`Identification::predicted`] |
//!
//! Vibrations whose size matters, such as those of a mount that hardens, are those of harmonic balance. A run that
//! begins at rest says so in its model, `initial { equilibrium }`.
//!
//! [`Identification::predicted`]: crate::Identification::predicted

pub use costate_vibration::Equilibrium;

#[doc(no_inline)]
pub use costate_vibration::{
    Complex, DiscreteStateSpace, ElementShares, EnergyShares, EquilibriumError, EquilibriumSearch, FrequencyResponse,
    LinearDerivatives, LinearModel, ModalPrediction, Mode, ModeDerivatives, ModeKind, Modes, PoleBranch, Poles,
    ResponseDerivatives, ResponsePrediction, StateSpace, VibrationError, modal_assurance,
};
