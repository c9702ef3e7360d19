//! Surfaces through noisy samples with correlated coordinates (KE 2.3.3): samples of a cell are fused to one point, and
//! a local regression through these points gives the values at the nodes of a grid.

use nalgebra::{Matrix3, Vector3};

use super::curve::{CurvePoint, RestoringForceCurve};
use super::error::RestoringForceError;
use super::local_polynomial::{FusedPoint, regression};
use super::samples::SurfaceSample;
use costate_numerics::scalar::out_of_range::OutOfRange;
use costate_system::table::{Extension, Surface};

/// Settings of a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceSettings {
    /// Samples of the central moving averages by which samples are assigned to cells (KE: 5).
    pub window: usize,
    /// Cells along z and v in which samples are fused.
    pub cells: usize,
    /// Nodes of the table along z and v (KE: 10 to 20 segments).
    pub nodes: usize,
    /// Smallest number of samples of a cell that is used (KE 3.1.1 gives no number); cells with fewer samples are
    /// left empty. A larger number reduces the noise at the edges; a periodic motion, which fills its cells again and
    /// again, allows for 20.
    pub fewest: usize,
    /// Cells on each side of a node that take part in its regression.
    pub reach: f64,
}

impl Default for SurfaceSettings {
    fn default() -> Self {
        Self { window: 5, cells: 40, nodes: 21, fewest: 5, reach: 4.0 }
    }
}

impl SurfaceSettings {
    fn check(&self) -> Result<(), RestoringForceError> {
        let out_of_range = |field, value, limit| Err(OutOfRange { field, value, limit }.into());
        if self.window.is_multiple_of(2) {
            return out_of_range("window", self.window as f64, "odd");
        }
        if self.cells < 4 || self.nodes < 4 {
            return out_of_range("cells or nodes", self.cells.min(self.nodes) as f64, "4 or more");
        }
        if self.fewest == 0 {
            return out_of_range("fewest", 0.0, "1 or more");
        }
        if !(self.reach >= 1.0 && self.reach.is_finite()) {
            return out_of_range("reach", self.reach, "1 or more cells");
        }
        Ok(())
    }
}

/// A noise-free restoring force surface over a grid; it is known only in the range of the motion.
#[derive(Debug, Clone, PartialEq)]
pub struct RestoringForceSurface {
    /// Deformations z of the nodes in m.
    pub deformations: Vec<f64>,
    /// Rates v of the nodes in m/s.
    pub rates: Vec<f64>,
    /// Forces in N, NaN where there are too few samples; v varies fastest.
    pub forces: Vec<f64>,
    /// Variances of the forces.
    pub variances: Vec<f64>,
    /// Number of nodes without a force.
    pub empty: usize,
    /// Number of cells with too few samples.
    pub sparse_cells: usize,
}

/// Fuses points by the information form of KE (2.91) to (2.94), P = (sum P_i^-1)^-1: the result of the recursion,
/// without a recursion.
fn fuse(samples: impl Iterator<Item = (Vector3<f64>, Matrix3<f64>)>) -> Option<(Vector3<f64>, Matrix3<f64>)> {
    let (mut information, mut sum) = (Matrix3::zeros(), Vector3::zeros());
    for (point, covariance) in samples {
        let inverse = inverse(&covariance)?;
        information += inverse;
        sum += inverse * point;
    }
    let covariance = inverse(&information)?;
    Some((covariance * sum, covariance))
}

/// Returns the mean of all samples, weighted by their covariances, and its covariance (KE 2.91 to 2.94); `None`
/// without samples, or if a covariance is not positive definite.
pub fn fuse_samples(samples: &[SurfaceSample]) -> Option<SurfaceSample> {
    let matrix = |c: &[[f64; 3]; 3]| Matrix3::from_fn(|i, j| c[i][j]);
    let (point, covariance) =
        fuse(samples.iter().map(|sample| (Vector3::from(sample.point), matrix(&sample.covariance))))?;
    let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| covariance[(i, j)]));
    Some(SurfaceSample { point: point.into(), covariance: rows })
}

/// Returns the inverse of a covariance, by its correlations; `None` if it is not positive definite.
fn inverse(matrix: &Matrix3<f64>) -> Option<Matrix3<f64>> {
    let scale = matrix.diagonal().map(|entry| if entry > 0.0 { 1.0 / entry.sqrt() } else { f64::NAN });
    let correlation = Matrix3::from_fn(|i, j| matrix[(i, j)] * scale[i] * scale[j]);
    let inverse = correlation.cholesky()?.inverse();
    Some(Matrix3::from_fn(|i, j| inverse[(i, j)] * scale[i] * scale[j]))
}

/// Fits a surface through `samples`, which are assigned to cells by `coordinates`, their moving averages (z, v).
///
/// # Errors
/// [`RestoringForceError::OutOfRange`]; [`RestoringForceError::TooFewSamples`] where no cell has enough samples.
pub fn fit_surface(
    samples: &[SurfaceSample],
    coordinates: &[[f64; 2]],
    settings: &SurfaceSettings,
) -> Result<RestoringForceSurface, RestoringForceError> {
    settings.check()?;
    let range = |k: usize| {
        let values = coordinates.iter().map(|point| point[k]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    let ranges = [range(0), range(1)];
    let too_few = |samples| RestoringForceError::TooFewSamples {
        what: "surface",
        samples,
        needed: settings.fewest,
        remedy: "Record for longer, excite a wider range, or take fewer cells.",
    };
    if !(ranges[0].1 > ranges[0].0 && ranges[1].1 > ranges[1].0) {
        return Err(too_few(samples.len()));
    }
    let cells = settings.cells;
    let place = |k: usize, x: f64| {
        let part = (x - ranges[k].0) / (ranges[k].1 - ranges[k].0);
        ((part * cells as f64) as usize).min(cells - 1)
    };
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); cells * cells];
    for (i, point) in coordinates.iter().enumerate() {
        groups[place(0, point[0]) * cells + place(1, point[1])].push(i);
    }
    let sparse_cells = groups.iter().filter(|group| (1..settings.fewest).contains(&group.len())).count();
    // Scaled by the ranges, since z, v and f differ by orders of magnitude.
    let mean_square = samples.iter().map(|sample| sample.point[2].powi(2)).sum::<f64>() / samples.len() as f64;
    let units = Vector3::new(
        (ranges[0].1 - ranges[0].0) / cells as f64,
        (ranges[1].1 - ranges[1].0) / cells as f64,
        mean_square.sqrt().max(f64::MIN_POSITIVE),
    );
    let fused: Vec<Option<FusedPoint>> = groups
        .iter()
        .map(|group| {
            if group.len() < settings.fewest {
                return None;
            }
            let scaled = group.iter().map(|&i| {
                let SurfaceSample { point, covariance } = &samples[i];
                let point = Vector3::from(*point).component_div(&units);
                (point, Matrix3::from_fn(|a, b| covariance[a][b] / (units[a] * units[b])))
            });
            let (point, covariance) = fuse(scaled)?;
            Some(FusedPoint { z: point[0], v: point[1], f: point[2], variance: covariance[(2, 2)] })
        })
        .collect();
    if fused.iter().all(Option::is_none) {
        return Err(too_few(groups.iter().map(Vec::len).max().unwrap_or(0)));
    }
    let nodes = settings.nodes;
    let axis = |k: usize| -> Vec<f64> {
        let (low, high) = ranges[k];
        (0..nodes).map(|i| low + (high - low) * i as f64 / (nodes - 1) as f64).collect()
    };
    let (deformations, rates) = (axis(0), axis(1));
    let (mut forces, mut variances) = (Vec::new(), Vec::new());
    for &z in &deformations {
        for &v in &rates {
            let node = Node { z: z / units[0], v: v / units[1], cell: [place(0, z), place(1, v)] };
            let value = node.value(&fused, settings);
            forces.push(value.map_or(f64::NAN, |(f, _)| f * units[2]));
            variances.push(value.map_or(f64::NAN, |(_, variance)| variance * units[2] * units[2]));
        }
    }
    let empty = forces.iter().filter(|force| force.is_nan()).count();
    Ok(RestoringForceSurface { deformations, rates, forces, variances, empty, sparse_cells })
}

struct Node {
    z: f64,
    v: f64,
    cell: [usize; 2],
}

impl Node {
    /// Returns the force and its variance by regression over the cells within reach; `None` if no point is near the
    /// node.
    fn value(&self, fused: &[Option<FusedPoint>], settings: &SurfaceSettings) -> Option<(f64, f64)> {
        let (cells, reach) = (settings.cells, settings.reach.ceil() as usize);
        let around = |k: usize, by: usize| self.cell[k].saturating_sub(by)..=(self.cell[k] + by).min(cells - 1);
        // At most one cell away.
        let near = |point: &FusedPoint| (point.z - self.z).abs() <= 1.0 && (point.v - self.v).abs() <= 1.0;
        let visited = around(0, 2).any(|i| around(1, 2).any(|j| fused[i * cells + j].as_ref().is_some_and(near)));
        if !visited {
            return None;
        }
        let mut points = Vec::new();
        for i in around(0, reach) {
            for point in around(1, reach).filter_map(|j| fused[i * cells + j].as_ref()) {
                let square = (point.z - self.z).powi(2) + (point.v - self.v).powi(2);
                if square <= settings.reach * settings.reach {
                    points.push(point);
                }
            }
        }
        regression(&points, self.z, self.v)
    }
}

impl RestoringForceSurface {
    /// Returns the force at a node; NaN where there is none.
    pub fn force(&self, z: usize, v: usize) -> f64 {
        let row = self.forces.chunks_exact(self.rates.len().max(1)).nth(z);
        row.and_then(|row| row.get(v)).copied().unwrap_or(f64::NAN)
    }

    /// Returns the force at (z, v), bilinear between the nodes around; `None` where one of them is empty.
    pub fn value(&self, z: f64, v: f64) -> Option<f64> {
        let place = |axis: &[f64], x: f64| {
            let (first, last) = (*axis.first()?, *axis.last()?);
            if !(first..=last).contains(&x) {
                return None;
            }
            let k = axis.partition_point(|&knot| knot <= x).clamp(1, axis.len() - 1) - 1;
            Some((k, (x - axis[k]) / (axis[k + 1] - axis[k])))
        };
        let ((i, a), (j, b)) = (place(&self.deformations, z)?, place(&self.rates, v)?);
        let mut sum = 0.0;
        for (di, wa) in [(0, 1.0 - a), (1, a)] {
            for (dj, wb) in [(0, 1.0 - b), (1, b)] {
                // The nodes on one side have no weight where the point lies on the other.
                if wa * wb > 0.0 {
                    sum += wa * wb * self.force(i + di, j + dj);
                }
            }
        }
        sum.is_finite().then_some(sum)
    }

    /// Returns the surface as a table of a `model!`. Empty nodes get the value of the plane through all others,
    /// shifted to meet the nearest node with a force: a run within the range of the record does not use them.
    ///
    /// # Errors
    /// [`RestoringForceError::Grid`].
    pub fn table(&self) -> Result<Surface, RestoringForceError> {
        let (rows, columns) = (self.deformations.len(), self.rates.len());
        let (stiffness, damping) = self.plane();
        let rest = |i: usize, j: usize| self.force(i, j) - stiffness * self.deformations[i] - damping * self.rates[j];
        let mut filled = self.forces.clone();
        for i in 0..rows {
            for j in 0..columns {
                if filled[i * columns + j].is_nan() {
                    let nearest = (0..rows * columns)
                        .filter(|&k| !self.forces[k].is_nan())
                        .min_by_key(|&k| (k / columns).abs_diff(i).pow(2) + (k % columns).abs_diff(j).pow(2));
                    let shift = nearest.map_or(0.0, |k| rest(k / columns, k % columns));
                    filled[i * columns + j] = stiffness * self.deformations[i] + damping * self.rates[j] + shift;
                }
            }
        }
        let extensions = [Extension::Linear, Extension::Linear];
        Ok(Surface::new(self.deformations.clone(), self.rates.clone(), filled, extensions)?)
    }

    /// Returns stiffness and damping of the plane through all nodes, by least squares.
    pub fn plane(&self) -> (f64, f64) {
        let mut sums = [0.0; 5];
        for (i, z) in self.deformations.iter().enumerate() {
            for (j, v) in self.rates.iter().enumerate() {
                let f = self.force(i, j);
                if !f.is_nan() {
                    let terms = [z * z, z * v, v * v, z * f, v * f];
                    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
                }
            }
        }
        let [zz, zv, vv, zf, vf] = sums;
        let determinant = zz * vv - zv * zv;
        ((vv * zf - zv * vf) / determinant, (zz * vf - zv * zf) / determinant)
    }

    /// Returns the elastic curve as the average of the slices at all v, each without its force at z = 0 (KE 3.1.1).
    ///
    /// # Errors
    /// [`RestoringForceError::TooFewSamples`] if fewer than 4 nodes are left.
    pub fn averaged_elastic_slice(&self) -> Result<RestoringForceCurve, RestoringForceError> {
        self.averaged(&self.deformations, &self.rates, |i, j| self.force(i, j), |j| self.value(0.0, self.rates[j]))
    }

    /// Returns the dissipative curve as the average of the slices at all z, each without its force at v = 0.
    ///
    /// # Errors
    /// As [`averaged_elastic_slice`](Self::averaged_elastic_slice).
    pub fn averaged_dissipative_slice(&self) -> Result<RestoringForceCurve, RestoringForceError> {
        let origin = |i: usize| self.value(self.deformations[i], 0.0);
        self.averaged(&self.rates, &self.deformations, |j, i| self.force(i, j), origin)
    }

    fn averaged(
        &self,
        along: &[f64],
        across: &[f64],
        force: impl Fn(usize, usize) -> f64,
        origin: impl Fn(usize) -> Option<f64>,
    ) -> Result<RestoringForceCurve, RestoringForceError> {
        let origins: Vec<_> = (0..across.len()).map(origin).collect();
        let mut points = Vec::new();
        for (i, &coordinate) in along.iter().enumerate() {
            let values: Vec<f64> = origins
                .iter()
                .enumerate()
                .filter_map(|(j, origin)| Some(force(i, j) - (*origin)?))
                .filter(|value| value.is_finite())
                .collect();
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
            if !values.is_empty() {
                let force_deviation = (variance / count).sqrt();
                points.push(CurvePoint { coordinate, force: mean, coordinate_deviation: 0.0, force_deviation });
            }
        }
        if points.len() < 4 {
            let (what, remedy) = ("averaged slice", "Excite a wider range, or take fewer cells.");
            return Err(RestoringForceError::TooFewSamples { what, samples: points.len(), needed: 4, remedy });
        }
        Ok(RestoringForceCurve { samples: points.len(), points })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fused_points_are_those_of_the_reference() {
        let path = format!("{}/../../tests/reference/kalman/small_vectors.json", env!("CARGO_MANIFEST_DIR"));
        let data: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let data = &data["wtls_fusion"];
        let row = |value: &serde_json::Value| -> [f64; 3] { serde_json::from_value(value.clone()).unwrap() };
        let matrix = |value: &serde_json::Value| [0, 1, 2].map(|i| row(&value[i]));
        let samples: Vec<_> = (0..4)
            .map(|i| SurfaceSample { point: row(&data["points"][i]), covariance: matrix(&data["P"][i]) })
            .collect();
        let fused = fuse_samples(&samples).unwrap();
        let (point, covariance) = (row(&data["fused"]), matrix(&data["P_fused"]));
        let close = |a: &[f64; 3], b: &[f64; 3]| (0..3).all(|j| (a[j] - b[j]).abs() < 1e-12);
        assert!(close(&fused.point, &point), "{fused:?}");
        assert!((0..3).all(|i| close(&fused.covariance[i], &covariance[i])), "{fused:?}");
    }
}
