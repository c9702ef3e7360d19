//! Approximations of the Hessian that a method has learned; a part of the state that can be stored.

use nalgebra::DVector;
use serde::{Deserialize, Serialize};

use super::linearized::Linearized;
use super::method::levenberg_marquardt::TrustRegion;
use super::method::{Method, bfgs, gauss_newton, limited_memory_bfgs};
use super::split::Split;

use limited_memory_bfgs::Pair;

/// Approximation of the Hessian in scaled variables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Curvature {
    /// No approximation.
    Unknown,
    /// An approximation of the inverse Hessian, by rows.
    InverseHessian(Vec<f64>),
    /// The latest pairs of limited-memory BFGS, the oldest first; at least one.
    Pairs(Vec<Pair>),
    /// The residuals to first order.
    Linearized(Linearized),
    /// The residuals to first order, with the region in which they are trusted.
    TrustRegion(TrustRegion),
}

impl Curvature {
    /// Checks whether this can belong to the method and n variables; `fresh` says that nothing has been evaluated yet.
    pub fn fits(&self, method: Method, n: usize, fresh: bool) -> bool {
        match (self, method) {
            // once evaluated, Levenberg-Marquardt has a trust region, and `Automatic` has become one of the methods
            (Self::Unknown, Method::LevenbergMarquardt | Method::Automatic) => fresh,
            (Self::Unknown, _) => true,
            (Self::InverseHessian(h), Method::Bfgs) => h.len() == n * n,
            (Self::Pairs(pairs), Method::LimitedMemoryBfgs { memory }) => {
                let fits = |pair: &Pair| pair.s.len() == n && pair.y.len() == n;
                pairs.len() <= memory && pairs.iter().all(fits)
            }
            (Self::Linearized(residuals), Method::GaussNewton) => residuals.fits(n),
            (Self::TrustRegion(region), Method::LevenbergMarquardt) => region.fits(n),
            _ => false,
        }
    }

    /// The Newton step -B_FF^-1 g_F of the moving variables F with the approximation B of the Hessian.
    pub fn newton_step(&self, gradient: &[f64], split: &Split, largest: f64) -> Option<Vec<f64>> {
        match self {
            Self::InverseHessian(h) => bfgs::step(h, gradient, split),
            Self::Pairs(pairs) => limited_memory_bfgs::step(pairs, gradient, split),
            Self::Linearized(residuals) => gauss_newton::step(residuals, split, largest),
            Self::Unknown | Self::TrustRegion(_) => None,
        }
    }

    /// Learns from a step s and the change y of the gradient along it. Changes nothing where y^T s does not show
    /// a positive curvature.
    pub fn learn(&mut self, method: Method, s: &DVector<f64>, y: &DVector<f64>) {
        /// Least y^T s relative to |s| |y| from which a curvature is taken.
        const MIN_CURVATURE: f64 = 1e-10;
        let curvature = y.dot(s);
        if curvature.is_nan() || curvature <= MIN_CURVATURE * s.norm() * y.norm() {
            return;
        }
        let learned = match (method, &mut *self) {
            (Method::Bfgs, Self::InverseHessian(h)) => bfgs::update(Some(h), s, y).map(Self::InverseHessian),
            (Method::Bfgs, _) => bfgs::update(None, s, y).map(Self::InverseHessian),
            (Method::LimitedMemoryBfgs { memory }, Self::Pairs(pairs)) => {
                limited_memory_bfgs::remember(pairs, memory, s, y);
                None
            }
            (Method::LimitedMemoryBfgs { memory }, _) => {
                let mut pairs = Vec::new();
                limited_memory_bfgs::remember(&mut pairs, memory, s, y);
                Some(Self::Pairs(pairs))
            }
            (Method::Automatic | Method::SteepestDescent | Method::GaussNewton | Method::LevenbergMarquardt, _) => None,
        };
        if let Some(learned) = learned {
            *self = learned;
        }
    }
}
