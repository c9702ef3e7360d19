//! Samples of restoring forces with their covariances, from the local state of an element (KE 2.56 to 2.70). The
//! formulas are exact for a normal distribution of (z, v, s, d).

/// A point of a curve: deformation or rate, and force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveSample {
    /// z in m or v in m/s.
    pub coordinate: f64,
    /// f in N.
    pub force: f64,
    /// Variance of the coordinate, covariance of both, variance of the force.
    pub covariance: [f64; 3],
}

/// A point of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceSample {
    /// z in m, v in m/s, f in N.
    pub point: [f64; 3],
    /// Their covariance.
    pub covariance: [[f64; 3]; 3],
}

/// The elastic and the dissipative sample of an element with the state `x` = (z, v, s, d), its covariance `p`, and the
/// scale of s and d; and the covariance of both, P_sigmaE,sigmaD (KE 2.62 to 2.66).
pub fn curve_samples(x: [f64; 4], p: &[[f64; 4]; 4], scale: f64) -> (CurveSample, CurveSample, [[f64; 2]; 2]) {
    let [z, v, s, d] = x;
    let [[pz, pzv, pzs, pzd], [_, pv, pvs, pvd], [_, _, ps, psd], [_, _, _, pd]] = *p;
    let elastic = CurveSample {
        coordinate: z,
        force: scale * (s * z + pzs),
        covariance: [
            pz,
            scale * (s * pz + z * pzs),
            scale * scale * (s * s * pz + 2.0 * z * s * pzs + z * z * ps + pz * ps + pzs * pzs),
        ],
    };
    let dissipative = CurveSample {
        coordinate: v,
        force: scale * (d * v + pvd),
        covariance: [
            pv,
            scale * (d * pv + v * pvd),
            scale * scale * (d * d * pv + 2.0 * v * d * pvd + v * v * pd + pv * pd + pvd * pvd),
        ],
    };
    let both = [
        [pzv, scale * (d * pzv + v * pzd)],
        [
            scale * (s * pzv + z * pvs),
            scale * scale * (s * d * pzv + v * s * pzd + z * d * pvs + z * v * psd + pzv * psd + pvs * pzd),
        ],
    ];
    (elastic, dissipative, both)
}

/// The sample of the surface (KE 2.69, 2.70), the sum of both forces.
pub fn surface_sample(x: [f64; 4], p: &[[f64; 4]; 4], scale: f64) -> SurfaceSample {
    let (elastic, dissipative, both) = curve_samples(x, p, scale);
    let with_z = elastic.covariance[1] + both[0][1];
    let with_v = both[1][0] + dissipative.covariance[1];
    let variance = elastic.covariance[2] + 2.0 * both[1][1] + dissipative.covariance[2];
    SurfaceSample {
        point: [x[0], x[1], elastic.force + dissipative.force],
        covariance: [[p[0][0], p[0][1], with_z], [p[0][1], p[1][1], with_v], [with_z, with_v, variance]],
    }
}
