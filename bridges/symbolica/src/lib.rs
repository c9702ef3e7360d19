//! Expressions of costate's models in [Symbolica](https://symbolica.io), and back into the language of `model!`.
//!
//! ```
//! use costate_symbolica::{atoms, text};
//! use symbolica::prelude::*;
//!
//! let compiled = costate_compiler::compile_str(
//!     "Pendulum {
//!         parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81 }
//!         coordinates { phi: rad }
//!         kinetic { m/2*(l*dot(phi))^2 }
//!         potential { -m*g*l*cos(phi) }
//!     }",
//! )
//! .map_err(|errors| format!("{errors:?}"))?;
//! let pendulum = atoms(&compiled)?;
//! let force = pendulum.get("f", &["phi"]).ok_or("no force")?;
//! // the moment of gravity, for small angles to the third order
//! let phi = Indeterminate::try_from(pendulum.quantity("phi").ok_or("no angle")?)?;
//! let series = force.series(phi, 0, 3).map_err(|error| format!("{error:?}"))?.to_atom();
//! println!("forces {{ phi: {} }}", text(&series)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What stands for what
//!
//! | in the model | in Symbolica |
//! |---|---|
//! | a parameter, input, coordinate, constraint `x`, `left.x[2]` of `Mount` | `Mount::x`, `Mount::left_x_2` |
//! | `t`, `pi` | `costate::t`, Symbolica's own π |
//! | `dot(x)`, `ddot(x)` | `costate::dot(Mount::x)`, `costate::ddot(Mount::x)` |
//! | `multiplier(c)` | `costate::multiplier(Mount::c)` |
//! | the weights of an implicit step in `newton` | `costate::w_a`, `costate::w_q`, `costate::w_v` |
//! | `sin` `cos` `tan` `asin` `acos` `atan` `sinh` `cosh` `tanh` `exp` `sqrt` | Symbolica's own |
//! | `ln(x)`, `log10(x)`, `atan2(y, x)` | Symbolica's `log(x)`, `log(x)/log(10)`, `atan(x, y)` |
//! | `abs(x)`, `sign(x)` | `costate::abs(x)`, `costate::sign(x)`, with the derivatives `sign(x)` and 0 |
//! | `if a < b { x } else { y }` | Symbolica's `if(costate::less(a, b), x, y)` |
//! | `<=`, `==`, `&&`, `\|\|`, `!` | `costate::less_equal`, `equal`, `and`, `or`, `not` |
//! | `min`, `max`, `smooth_step` | `if` of these conditions |
//! | a table `pressure(speed, angle)` | the function `Mount::pressure(speed, angle)` |
//! | its derivatives | Symbolica's `der(1, 0, Mount::pressure, speed, angle)` |
//!
//! `dot`, `ddot` and `multiplier` are quantities of their own, whose derivative by `x` or `c` is 0. `atom.derivative`
//! and `series` take them as [`Indeterminate`](symbolica::atom::Indeterminate)s.
//!
//! All quantities are in SI units, as in the expressions of the language. Numbers are the decimal fractions that they
//! are written as: `0.1` is 1/10, exactly.
//!
//! Symbols are known to the whole process. Two models of one name are told apart only as long as they call nothing by
//! one name that they write differently (`x[2]` and `x_2`), which is an error.

mod atoms;
mod error;
mod number;
mod symbols;
mod text;

pub use atoms::{Atoms, MAX_OPERATIONS, NamedAtom, atoms};
pub use error::{AtomsError, TextError};
pub use text::text;
