//! A rigid plate on three springs, in the coordinates of their deformations (KE 3.3).

use nalgebra::DMatrix;

costate::model! {
    #[interpreted]
    /// Plate on three springs whose preload is lifted on one side (KE 3.3.2).
    pub Plate {
        parameters {
            /// Entries of the mass matrix, on the diagonal and beside it.
            m: kg = 2.508_287_29,
            m_off: kg = -0.254_143_65,
            /// Stiffness below the preload, and above it.
            c[1..=3]: N/m = 6e6,
            c_above[1..=3]: N/m = 2e6,
            /// Deformation at which the preload is lifted.
            lift[1..=3]: m = [1e-6, 1.5e-6, 2e-6],
            /// Damping.
            d[1..=3]: N*s/m = 200,
        }
        inputs { base: m/s^2 }
        coordinates { z[1..=3]: m }
        mass { for i in 1..=3 { z[i]: m }, (z[1], z[2]): m_off, (z[1], z[3]): m_off, (z[2], z[3]): m_off }
        let total = m + 2*m_off;
        forces {
            for i in 1..=3 {
                let spring = if z[i] < lift[i] { c[i]*z[i] } else { c[i]*lift[i] + c_above[i]*(z[i] - lift[i]) };
                z[i]: -spring - d[i]*dot(z[i]) - total*base,
            },
        }
        outputs {
            for i in 1..=3 { acceleration[i]: m/s^2 = ddot(z[i]) + base },
            for i in 1..=3 { deformation[i]: m = z[i] },
            for i in 1..=3 { velocity[i]: m/s = dot(z[i]) },
        }
    }
}

/// M^-1 in 1/kg (KE 3.14), of which the parameters of [`Plate`] are the inverse.
pub fn inverse_inertia() -> DMatrix<f64> {
    DMatrix::from_fn(3, 3, |i, j| if i == j { 0.408 } else { 0.046 })
}

impl Plate {
    /// The plate with the mass matrix that has exactly this inverse inertia matrix.
    pub fn published() -> Self {
        let mass = inverse_inertia().try_inverse().unwrap_or_else(|| DMatrix::zeros(3, 3));
        Self { m: mass[(0, 0)], m_off: mass[(0, 1)], ..Self::default() }
    }

    /// Three linear springs that differ, so that the inertia can be identified.
    pub fn linear() -> Self {
        Self {
            c_1: 6e6,
            c_2: 5e6,
            c_3: 7e6,
            c_above_1: 6e6,
            c_above_2: 5e6,
            c_above_3: 7e6,
            d_1: 200.0,
            d_2: 160.0,
            d_3: 240.0,
            ..Self::published()
        }
    }
}
