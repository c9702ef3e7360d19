//! Positions of rest, modes, frequency responses and periodic responses.

use std::path::PathBuf;

use costate::harmonic::{HarmonicBalance, HarmonicError, Motion, Response};
use costate::simulate::Interrupt;
use costate::vibration::{
    Complex, Equilibrium as Rest, EquilibriumSearch, LinearModel, Modes as Found, VibrationError,
};
use costate::{Input, Output, Simulation};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::model::Loaded;
use crate::numbers::Numbers;
use crate::run::matrix;
use crate::setup::Setup;
use crate::words;
use crate::work::interruptible;

/// Complex numbers as Python has them.
type Pair = (f64, f64);

fn pair(value: Complex<f64>) -> Pair {
    (value.re, value.im)
}

fn input(py: Python<'_>, loaded: &Loaded, name: &str) -> PyResult<Input> {
    loaded.model.input(name).map_err(|error| error.raised(py))
}

fn output(py: Python<'_>, loaded: &Loaded, name: &str) -> PyResult<Output> {
    loaded.model.output(name).map_err(|error| error.raised(py))
}

/// A position of rest, or a steady motion, with the linear model about it.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Equilibrium {
    rest: Rest,
    linear: LinearModel,
}

/// Finds a position of rest; coordinates may be held, begin elsewhere, or turn at a speed.
#[pyfunction]
pub fn equilibrium(
    py: Python<'_>,
    loaded: &Loaded,
    setup: Setup,
    hold: Vec<String>,
    start: Vec<(String, f64)>,
    turning: Vec<(String, f64)>,
    unstable: bool,
) -> PyResult<Equilibrium> {
    let system = loaded.model.system();
    let simulation = setup.on_grid(py, loaded, Some((1.0, 1.0)))?;
    let coordinate = |name: &str| system.coordinate(name).map_err(|error| error.raised(py));
    let mut search = EquilibriumSearch::new(&simulation);
    for name in &hold {
        search = search.held([coordinate(name)?]);
    }
    for (name, value) in &start {
        search = search.start(coordinate(name)?, *value);
    }
    for (name, speed) in &turning {
        search = search.turning(coordinate(name)?, *speed);
    }
    if unstable {
        search = search.unstable();
    }
    interruptible(py, |_| {
        let rest = search.find()?;
        let linear = rest.linearized();
        Ok::<_, VibrationError>(Equilibrium { rest, linear })
    })
}

#[pymethods]
impl Equilibrium {
    fn coordinates(&self) -> Vec<f64> {
        self.rest.coordinates().to_vec()
    }

    fn state(&self) -> Vec<f64> {
        self.rest.state()
    }

    fn outputs(&self) -> Vec<f64> {
        self.rest.outputs()
    }

    /// Stability, as far as it is known, and the growth of a deviation in 1/s.
    fn stability(&self) -> (bool, bool, f64) {
        (self.rest.is_stable(), self.rest.stability_is_known(), self.rest.growth())
    }

    fn holding(&self) -> Vec<(&'static str, f64)> {
        self.rest.holding().map(|(coordinate, force)| (coordinate.name(), force)).collect()
    }

    fn doubts(&self) -> Vec<String> {
        self.rest.doubts().iter().map(|doubt| words::of_python(doubt)).collect()
    }

    fn text(&self) -> String {
        words::of_python(&self.rest.to_string())
    }

    /// Mass, damping and stiffness in all coordinates.
    #[allow(clippy::type_complexity)]
    fn matrices<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>)> {
        let n = self.rest.coordinates().len();
        // by columns, so that the transposed matrix has its rows in sequence
        let rows = |all: &[f64]| (0..n).flat_map(|i| (0..n).filter_map(move |j| all.get(j * n + i).copied())).collect();
        Ok((
            matrix(py, rows(self.linear.mass().as_slice()), n)?,
            matrix(py, rows(self.linear.damping().as_slice()), n)?,
            matrix(py, rows(self.linear.stiffness().as_slice()), n)?,
        ))
    }

    fn modes(&self, py: Python<'_>) -> PyResult<Modes> {
        Ok(Modes { modes: interruptible(py, |_| self.linear.modes())? })
    }

    /// The frequency response of an output to an input: real and imaginary parts, and the unit.
    fn response(
        &self,
        py: Python<'_>,
        loaded: &Loaded,
        frequencies: Numbers,
        from_: &str,
        to: &str,
    ) -> PyResult<(Vec<Pair>, String)> {
        let (from, to) = (input(py, loaded, from_)?, output(py, loaded, to)?);
        let response = interruptible(py, |_| self.linear.frequency_response(&frequencies.0, from, to))?;
        Ok((response.values.iter().copied().map(pair).collect(), response.unit()))
    }
}

/// The modes of small vibrations.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Modes {
    modes: Found,
}

#[pymethods]
impl Modes {
    fn text(&self) -> String {
        words::of_python(&self.modes.to_string())
    }

    /// Properties of every mode: frequency and damped frequency in Hz, damping ratio, eigenvalue, shapes of coordinates
    /// and of outputs.
    #[allow(clippy::type_complexity)]
    fn all(&self) -> Vec<(f64, f64, f64, Pair, Vec<Pair>, Vec<Pair>)> {
        let of = |values: &[Complex<f64>]| values.iter().copied().map(pair).collect();
        let all = self.modes.all().iter();
        all.map(|mode| {
            let numbers = (mode.frequency(), mode.damped_frequency(), mode.damping_ratio());
            (numbers.0, numbers.1, numbers.2, pair(mode.eigenvalue), of(&mode.shape), of(&mode.outputs))
        })
        .collect()
    }

    /// The shares of parameters in the energies of a mode: potential, lost, kinetic.
    fn energy_shares(
        &self,
        py: Python<'_>,
        loaded: &Loaded,
        index: usize,
    ) -> PyResult<Vec<(&'static str, f64, f64, f64)>> {
        let dual = loaded.model.dual_equations();
        let all = interruptible(py, |_| self.modes.energy_shares_by(dual, index))?;
        Ok(all.iter().map(|one| (one.parameter, one.potential, one.lost, one.kinetic)).collect())
    }

    /// Writes a moving picture of a mode.
    fn animate(&self, py: Python<'_>, index: usize, path: PathBuf) -> PyResult<()> {
        let animation = self.modes.animation(index).map_err(|error| error.raised(py))?;
        animation.write(path).map_err(|error| error.raised(py))
    }
}

/// Periodic responses by harmonic balance.
#[pyclass(frozen, module = "costate._costate")]
#[derive(Debug)]
pub struct Periodic {
    response: Response,
    drive: Input,
    outputs: Vec<Output>,
}

/// Drives an input, or controls an output by it, at amplitudes and frequencies in Hz.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn harmonic_balance(
    py: Python<'_>,
    loaded: &Loaded,
    setup: Setup,
    drive: &str,
    controlled: Option<&str>,
    amplitudes: Numbers,
    frequencies: Numbers,
    harmonics: Option<usize>,
    mean: f64,
    stability: bool,
) -> PyResult<Periodic> {
    let simulation: Simulation = setup.on_grid(py, loaded, Some((1.0, 1.0)))?;
    let input = input(py, loaded, drive)?;
    let controlled = controlled.map(|name| output(py, loaded, name)).transpose()?;
    let response = interruptible(py, |flag: &Interrupt| {
        let mut balance = HarmonicBalance::new(&simulation.interrupt(flag.clone())).stability(stability);
        balance = match controlled {
            Some(output) => balance.controlled(output, input, amplitudes.0),
            None => balance.input(input, amplitudes.0),
        };
        if let Some(harmonics) = harmonics {
            balance = balance.harmonics(harmonics);
        }
        if mean != 0.0 {
            balance = balance.mean(mean);
        }
        balance.response(&frequencies.0)
    })?;
    let outputs = Output::each_of(loaded.model.description()).collect();
    Ok(Periodic { response, drive: input, outputs })
}

#[pymethods]
impl Periodic {
    fn text(&self) -> String {
        words::of_python(&self.response.to_string())
    }

    /// Properties of every curve: amplitude, and turning points in Hz.
    fn curves(&self) -> Vec<(f64, Vec<f64>)> {
        self.response.curves.iter().map(|curve| (curve.amplitude, curve.turning_points.clone())).collect()
    }

    /// Frequencies of the motions of a curve in Hz, and whether each is stable.
    fn motions<'py>(&self, py: Python<'py>, curve: usize) -> (Bound<'py, PyArray1<f64>>, Vec<bool>) {
        let motions = self.motions_of(curve);
        let frequencies = motions.iter().map(|motion| motion.frequency).collect();
        (PyArray1::from_vec(py, frequencies), motions.iter().map(Motion::is_stable).collect())
    }

    /// A harmonic of an output, or without one of the driving input, along a curve.
    fn harmonic(&self, py: Python<'_>, curve: usize, output: Option<usize>, harmonic: usize) -> PyResult<Vec<Pair>> {
        let of = |motion: &Motion| match output.and_then(|k| self.outputs.get(k)) {
            Some(output) => motion.harmonic(*output, harmonic),
            None => motion.harmonic(self.drive, harmonic),
        };
        let all: Result<Vec<_>, HarmonicError> = self.motions_of(curve).iter().map(of).collect();
        Ok(all.map_err(|error| error.raised(py))?.into_iter().map(pair).collect())
    }

    /// The dynamic stiffness along a curve: the driving force over an output.
    fn stiffness(&self, py: Python<'_>, curve: usize, output: usize) -> PyResult<Vec<Pair>> {
        let Some(output) = self.outputs.get(output) else { return Ok(Vec::new()) };
        let of = |motion: &Motion| motion.stiffness(self.drive, *output);
        let all: Result<Vec<_>, HarmonicError> = self.motions_of(curve).iter().map(of).collect();
        Ok(all.map_err(|error| error.raised(py))?.into_iter().map(|ratio| pair(ratio.value)).collect())
    }
}

impl Periodic {
    fn motions_of(&self, curve: usize) -> &[Motion] {
        self.response.curves.get(curve).map(|curve| &curve.motions[..]).unwrap_or_default()
    }
}
