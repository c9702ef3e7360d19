//! The formulas that a curve may follow.

use std::fmt;

use costate_numerics::scalar::Scalar;

/// A formula of one argument x with some coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Formula {
    /// a_0 + a_1 x + ... up to this power of x, at most 9.
    Polynomial(usize),
    /// a_1 x + a_3 x^3 + ... up to this odd power of x, at most 9: a spring or damper that is the same in both
    /// directions.
    OddPolynomial(usize),
    /// a + b x + c tanh(x/d): viscous damping and friction, which changes its sign over the width d.
    SmoothFriction,
    /// b x + (c + e exp(-(x/f)^2)) tanh(x/d): friction that is larger by e where the speed is below f (Stribeck).
    Stribeck,
    /// a + b x, and beyond x_0 with another slope: a + b x + c max(x - x_0, 0).
    Bilinear,
    /// b x + c (max(x - d, 0) + min(x + d, 0)): a stiffness that is another one beyond a play of d on both sides.
    Play,
    /// a + b sign(x) |x|^n: a power law that is the same in both directions.
    Power,
}

/// The role of a coefficient in a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A factor of a term that is known once the other coefficients are: the coefficients that enter
    /// linearly.
    Factor,
    /// A length along the argument, above 0.
    Width,
    /// A place on the axis of the argument.
    Place,
    /// An exponent.
    Exponent,
}

/// The largest power.
pub(super) const MAX_POWER: usize = 9;

impl Formula {
    /// Formulas that are tried where none are named: polynomials up to the fifth power, and all others except
    /// power laws.
    pub const USUAL: [Self; 12] = [
        Self::Polynomial(1),
        Self::Polynomial(2),
        Self::Polynomial(3),
        Self::Polynomial(4),
        Self::Polynomial(5),
        Self::OddPolynomial(1),
        Self::OddPolynomial(3),
        Self::OddPolynomial(5),
        Self::SmoothFriction,
        Self::Stribeck,
        Self::Bilinear,
        Self::Play,
    ];

    /// Returns names and roles of the coefficients, factors first.
    pub(super) fn coefficients(self) -> Vec<(String, Role)> {
        let of_powers = |powers: &mut dyn Iterator<Item = usize>| {
            powers.map(|power| (format!("a_{power}"), Role::Factor)).collect()
        };
        let named = |all: &[(&str, Role)]| all.iter().map(|(name, role)| ((*name).to_owned(), *role)).collect();
        match self {
            Self::Polynomial(degree) => of_powers(&mut (0..=degree)),
            Self::OddPolynomial(degree) => of_powers(&mut (1..=degree).step_by(2)),
            Self::SmoothFriction => {
                named(&[("a", Role::Factor), ("b", Role::Factor), ("c", Role::Factor), ("d", Role::Width)])
            }
            Self::Stribeck => named(&[
                ("b", Role::Factor),
                ("c", Role::Factor),
                ("e", Role::Factor),
                ("d", Role::Width),
                ("f", Role::Width),
            ]),
            Self::Bilinear => {
                named(&[("a", Role::Factor), ("b", Role::Factor), ("c", Role::Factor), ("x_0", Role::Place)])
            }
            Self::Play => named(&[("b", Role::Factor), ("c", Role::Factor), ("d", Role::Width)]),
            Self::Power => named(&[("a", Role::Factor), ("b", Role::Factor), ("n", Role::Exponent)]),
        }
    }

    /// Evaluates the terms that the factors multiply, at `x`, for these other coefficients.
    pub(super) fn terms<S: Scalar>(self, x: f64, others: &[S]) -> Vec<S> {
        let (one, at) = (S::constant(1.0), S::constant(x));
        let other = |k: usize| others.get(k).copied().unwrap_or(one);
        let beyond = |place: S| if x > place.real() { at - place } else { S::default() };
        match self {
            Self::Polynomial(degree) => (0..=degree).map(|power| at.powi(power as i32)).collect(),
            Self::OddPolynomial(degree) => (1..=degree).step_by(2).map(|power| at.powi(power as i32)).collect(),
            Self::SmoothFriction => vec![one, at, (at / other(0)).tanh()],
            Self::Stribeck => {
                let (step, ratio) = ((at / other(0)).tanh(), at / other(1));
                vec![at, step, (-(ratio * ratio)).exp() * step]
            }
            Self::Bilinear => vec![one, at, beyond(other(0))],
            Self::Play => {
                let play = other(0);
                let below = if x < -play.real() { at + play } else { S::default() };
                vec![at, beyond(play) + below]
            }
            Self::Power => {
                let size = S::constant(x.abs());
                let power = if x == 0.0 { S::default() } else { size.powf(other(0)) * x.signum() };
                vec![one, power]
            }
        }
    }

    /// Evaluates the formula at `x`.
    pub(super) fn value<S: Scalar>(self, x: f64, coefficients: &[S]) -> S {
        let others = &coefficients[self.factors()..];
        let mut sum = S::default();
        for (term, factor) in self.terms(x, others).into_iter().zip(coefficients) {
            sum += *factor * term;
        }
        sum
    }

    /// Returns the number of coefficients that are factors.
    pub(super) fn factors(self) -> usize {
        self.coefficients().iter().filter(|(_, role)| *role == Role::Factor).count()
    }

    /// Returns the degree of a polynomial, which is limited; `None` for other formulas.
    pub(super) fn degree(self) -> Option<usize> {
        match self {
            Self::Polynomial(degree) | Self::OddPolynomial(degree) => Some(degree),
            _ => None,
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Polynomial(degree) => write!(f, "polynomial of degree {degree}"),
            Self::OddPolynomial(degree) => write!(f, "odd polynomial of degree {degree}"),
            Self::SmoothFriction => f.write_str("smooth friction"),
            Self::Stribeck => f.write_str("Stribeck friction"),
            Self::Bilinear => f.write_str("bilinear"),
            Self::Play => f.write_str("play"),
            Self::Power => f.write_str("power law"),
        }
    }
}
