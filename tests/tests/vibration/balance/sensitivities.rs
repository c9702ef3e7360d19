//! Derivatives with respect to parameters against dual numbers: a step of Newton's method in the Fourier coefficients
//! of the plain equations, whose Jacobian is made of dual numbers as well.

use std::f64::consts::TAU;

use costate_contract::{Function, Group};
use costate_interpreter::LoadedModel;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::Dual;
use costate_system::identifiers::{Coordinate, Input, Output};
use costate_system::simulation::Simulation;
use costate_system::system::{Equations, Instant, StateVectors};
use costate_vibration::harmonic::{HarmonicBalance, Motion, Signal};
use nalgebra::{Complex, DMatrix, DVector};

use super::crank::REDUNDANT;
use super::models::{DUFFING, MOUNT};
use crate::{loaded, simulation};

const HARMONICS: usize = 8;
const SAMPLES: usize = 64;
const WIDTH: usize = 2 * HARMONICS + 1;
/// Largest error, relative to the larger of derivative and size over parameter.
const LIMIT: f64 = 1e-9;

/// An excitation of a model, and the motion that answers it.
struct Case {
    model: LoadedModel,
    simulation: Simulation,
    drive: Input,
    /// The controlled output with its mean, if it is given.
    controlled: Option<(Output, Option<f64>)>,
    mean: f64,
    amplitude: f64,
    frequency: f64,
}

fn dual(value: f64) -> Dual {
    Dual { value, derivative: 0.0 }
}

/// The value at an angle, and both derivatives by it, of a series: mean, then cosine and sine of every harmonic.
fn at(series: &[Dual], angle: f64) -> [Dual; 3] {
    let mut found = [series[0], Dual::default(), Dual::default()];
    for k in 1..=HARMONICS {
        let order = k as f64;
        let (sine, cosine) = (order * angle).sin_cos();
        let (a, b) = (series[2 * k - 1], series[2 * k]);
        let value = a * cosine + b * sine;
        found[0] += value;
        found[1] += (b * cosine - a * sine) * order;
        found[2] -= value * (order * order);
    }
    found
}

/// The series of samples over one period.
fn series(samples: &[Dual]) -> Vec<Dual> {
    let sum = |factor: &dyn Fn(f64) -> f64| {
        let each = samples.iter().enumerate();
        each.fold(Dual::default(), |sum, (j, &sample)| {
            sum + sample * (factor(TAU * j as f64 / SAMPLES as f64) / SAMPLES as f64)
        })
    };
    let mut all = vec![sum(&|_| 1.0)];
    for k in 1..=HARMONICS {
        all.push(sum(&|angle| 2.0 * (k as f64 * angle).cos()));
        all.push(sum(&|angle| 2.0 * (k as f64 * angle).sin()));
    }
    all
}

impl Case {
    fn sizes(&self) -> [usize; 2] {
        let description = self.model.description();
        [description.coordinates.len(), description.constraints.len()]
    }

    fn motion(&self, names: &[&str]) -> Motion {
        let mut balance = HarmonicBalance::new(&self.simulation).harmonics(HARMONICS).samples(SAMPLES);
        balance = match self.controlled {
            None => balance.input(self.drive, [self.amplitude]).mean(self.mean),
            Some((output, None)) => balance.controlled(output, self.drive, [self.amplitude]),
            Some((output, Some(mean))) => balance.controlled(output, self.drive, [self.amplitude]).mean(mean),
        };
        let parameters = names.iter().map(|name| self.model.parameter(name).unwrap());
        let balance = balance.sensitivities(parameters).stability(false).error_limit(None);
        balance.response(&[self.frequency]).unwrap().curves.remove(0).motions.remove(0)
    }

    /// The series of coordinates, multipliers (zero, on which the equations depend linearly) and drive.
    fn unknowns(&self, motion: &Motion) -> Vec<f64> {
        let [n, m] = self.sizes();
        let of = |signal: Signal| -> Vec<f64> {
            let harmonic = |k: usize| motion.harmonic(signal, k).unwrap();
            let higher = (1..=HARMONICS).flat_map(|k| [harmonic(k).re, -harmonic(k).im]);
            std::iter::once(harmonic(0).re).chain(higher).collect()
        };
        let mut all: Vec<f64> = (0..n).flat_map(|k| of(Coordinate::of(self.model.description(), k).into())).collect();
        all.resize((n + m) * WIDTH, 0.0);
        if self.controlled.is_some() {
            all.extend(of(self.drive.into()));
        }
        all
    }

    /// Calls `each` with the states of all samples, in dual numbers.
    fn each(&self, unknowns: &[Dual], mut each: impl FnMut(f64, &StateVectors<Dual>, Dual)) {
        let [n, m] = self.sizes();
        let omega = TAU * self.frequency;
        for j in 0..SAMPLES {
            let angle = TAU * j as f64 / SAMPLES as f64;
            let all: Vec<[Dual; 3]> = unknowns.chunks(WIDTH).map(|series| at(series, angle)).collect();
            let state = StateVectors {
                coordinates: all[..n].iter().map(|own| own[0]).collect(),
                velocities: all[..n].iter().map(|own| own[1] * omega).collect(),
                accelerations: all[..n].iter().map(|own| own[2] * (omega * omega)).collect(),
                multipliers: all[n..n + m].iter().map(|own| own[0]).collect(),
            };
            let given = dual(self.mean + self.amplitude * angle.cos());
            each(angle, &state, all.get(n + m).map_or(given, |own| own[0]));
        }
    }

    /// The series of all outputs.
    fn outputs(&self, equations: &dyn Equations<Dual>, unknowns: &[Dual]) -> Vec<Vec<Dual>> {
        let description = self.model.description();
        let mut samples = vec![Vec::new(); description.outputs.len()];
        self.each(unknowns, |_, state, drive| {
            let mut inputs = vec![Dual::default(); description.inputs.len()];
            inputs[self.drive.index()] = drive;
            let group = equations.group(Group::Outputs, Instant { time: 0.0, state, inputs: &inputs });
            let block = find(description.groups.outputs, Function::Output, None);
            block.iter(&group).for_each(|(row, _, value)| samples[row].push(value));
        });
        samples.iter().map(|samples| series(samples)).collect()
    }

    /// The series of M a + C_q^T lambda - f, of C, and of what is controlled.
    fn residual(&self, equations: &dyn Equations<Dual>, unknowns: &[Dual]) -> Vec<Dual> {
        let [n, m] = self.sizes();
        let description = self.model.description();
        let mut samples = vec![Vec::new(); n + m];
        self.each(unknowns, |_, state, drive| {
            let mut inputs = vec![Dual::default(); description.inputs.len()];
            inputs[self.drive.index()] = drive;
            let group = equations.group(Group::Residual, Instant { time: 0.0, state, inputs: &inputs });
            let mut rows = vec![Dual::default(); n + m];
            for (function, first) in [(Function::Inertia, 0), (Function::ForceResidual, 0), (Function::Constraint, n)] {
                let block = find(description.groups.residual, function, None);
                block.iter(&group).for_each(|(row, _, value)| rows[first + row] += value);
            }
            samples.iter_mut().zip(rows).for_each(|(samples, row)| samples.push(row));
        });
        let mut all: Vec<Dual> = samples.iter().flat_map(|samples| series(samples)).collect();
        if let Some((output, mean)) = self.controlled {
            let mut own = self.outputs(equations, unknowns).swap_remove(output.index());
            own[1] = own[1] - self.amplitude;
            own[0] = match mean {
                Some(mean) => own[0] - mean,
                None => unknowns[(n + m) * WIDTH] - self.mean,
            };
            all.extend(own);
        }
        all
    }

    /// Calls `work` with the functions in dual numbers, of which the parameter with this name varies.
    fn with(&self, name: Option<&str>, work: &mut dyn FnMut(&dyn Equations<Dual>)) {
        let problem = self.simulation.clone().input(self.drive, 0.0).step(1e-3).until(1e-3).problem().unwrap();
        let mut parameters: Vec<Dual> = self.model.defaults().iter().map(|value| dual(value.unwrap())).collect();
        if let Some(name) = name {
            parameters[self.model.parameter(name).unwrap().index()].derivative = 1.0;
        }
        self.model.dual_equations().with_dual_equations(&problem, &parameters, &mut |equations| work(equations));
    }

    fn jacobian(&self, unknowns: &[f64]) -> DMatrix<f64> {
        let size = unknowns.len();
        let mut jacobian = DMatrix::zeros(size, size);
        self.with(None, &mut |equations| {
            let mut lifted: Vec<Dual> = unknowns.iter().map(|&value| dual(value)).collect();
            for column in 0..size {
                lifted[column].derivative = 1.0;
                let residual = self.residual(equations, &lifted);
                residual.iter().enumerate().for_each(|(row, entry)| jacobian[(row, column)] = entry.derivative);
                lifted[column].derivative = 0.0;
            }
        });
        jacobian
    }

    /// The derivatives of all unknowns and of the series of all outputs, with the values.
    fn derivatives(&self, motion: &Motion, names: &[&str]) -> Vec<(Vec<Dual>, Vec<Vec<Dual>>)> {
        let mut unknowns = self.unknowns(motion);
        let start = unknowns.clone();
        let residual = |name: Option<&str>, unknowns: &[f64]| {
            let mut found = Vec::new();
            let lifted: Vec<Dual> = unknowns.iter().map(|&value| dual(value)).collect();
            self.with(name, &mut |equations| found = self.residual(equations, &lifted));
            found
        };
        // the first step finds the multipliers, on which the equations depend linearly
        for _ in 0..2 {
            let right = DVector::from_iterator(start.len(), residual(None, &unknowns).iter().map(|row| row.value));
            let step = solve(self.jacobian(&unknowns), right);
            unknowns.iter_mut().zip(step.iter()).for_each(|(unknown, step)| *unknown -= step);
        }
        let [n, _] = self.sizes();
        for (own, found) in start.chunks(WIDTH).zip(unknowns.chunks(WIDTH)).take(n) {
            let size = own.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
            own.iter()
                .zip(found)
                .for_each(|(own, found)| assert!((own - found).abs() <= LIMIT * size, "{own} {found}"));
        }
        let jacobian = self.jacobian(&unknowns);
        let each = |name: &&str| {
            let right = residual(Some(name), &unknowns);
            let right = DVector::from_iterator(start.len(), right.iter().map(|row| -row.derivative));
            let change = solve(jacobian.clone(), right);
            let lifted: Vec<Dual> =
                unknowns.iter().zip(change.iter()).map(|(&value, &derivative)| Dual { value, derivative }).collect();
            let mut outputs = Vec::new();
            self.with(Some(name), &mut |equations| outputs = self.outputs(equations, &lifted));
            (lifted, outputs)
        };
        names.iter().map(each).collect()
    }

    fn check(&self, names: &[&str]) {
        let motion = self.motion(names);
        let [n, m] = self.sizes();
        let description = self.model.description();
        for ((unknowns, outputs), name) in self.derivatives(&motion, names).iter().zip(names) {
            let parameter = self.model.parameter(name).unwrap();
            let own = self.model.defaults()[parameter.index()].unwrap();
            let coordinates = (0..n).map(|k| {
                let signal = Signal::from(Coordinate::<costate_system::identifiers::Dynamic>::of(description, k));
                (signal, &unknowns[k * WIDTH..(k + 1) * WIDTH])
            });
            let of_outputs = outputs.iter().enumerate();
            let of_outputs = of_outputs.map(|(k, series)| {
                (Signal::from(Output::<costate_system::identifiers::Dynamic>::of(description, k)), &series[..])
            });
            let drive = self.controlled.map(|_| (self.drive.into(), &unknowns[(n + m) * WIDTH..]));
            let mut compared = 0;
            for (signal, series) in coordinates.chain(of_outputs).chain(drive) {
                let size = series.iter().fold(0.0_f64, |most, entry| most.max(entry.value.abs()));
                for k in 0..=HARMONICS {
                    let found = match k {
                        0 => Complex::new(series[0].derivative, 0.0),
                        k => Complex::new(series[2 * k - 1].derivative, -series[2 * k].derivative),
                    };
                    let exact = motion.harmonic_by(signal, k, parameter).unwrap();
                    let scale = found.norm().max(size / own.abs());
                    let error = (exact - found).norm();
                    assert!(error <= LIMIT * scale, "{} {k} by {name}: {exact} {found} of {scale}", signal.name());
                    compared += usize::from(found.norm() > 0.0);
                }
            }
            assert!(compared > 0, "nothing depends on {name}");
        }
    }
}

/// Solves a system, rows and columns scaled.
fn solve(mut matrix: DMatrix<f64>, mut right: DVector<f64>) -> DVector<f64> {
    for (mut row, right) in matrix.row_iter_mut().zip(right.iter_mut()) {
        let scale = 1.0 / row.amax();
        row *= scale;
        *right *= scale;
    }
    let scales: Vec<f64> = matrix.column_iter().map(|column| 1.0 / column.amax()).collect();
    matrix.column_iter_mut().zip(&scales).for_each(|(mut column, scale)| column *= *scale);
    let mut found = matrix.lu().solve(&right).unwrap();
    found.iter_mut().zip(scales).for_each(|(found, scale)| *found *= scale);
    found
}

fn case(text: &str, drive: &str, amplitude: f64, frequency: f64) -> Case {
    let model = loaded(text);
    let drive = model.input(drive).unwrap();
    Case { model, simulation: simulation(model), drive, controlled: None, mean: 0.0, amplitude, frequency }
}

#[test]
fn a_given_drive() {
    Case { mean: 0.05, ..case(DUFFING, "drive", 0.1, 0.2) }.check(&["m", "d", "c", "c_3"]);
}

#[test]
fn the_mount() {
    case(MOUNT, "drive", 500.0, 20.0).check(&["c_e2", "d_h2", "a", "m_l", "c_h"]);
}

#[test]
fn a_slider_crank_in_three_coordinates() {
    case(REDUNDANT, "torque", 2.0, 4.0).check(&["j", "m", "r", "l", "c", "s_0", "d"]);
}

#[test]
fn a_controlled_displacement() {
    for mean in [None, Some(1e-4)] {
        let mount = case(MOUNT, "drive", 1e-3, 12.0);
        let displacement = mount.model.output("displacement").unwrap();
        let controlled = Case { controlled: Some((displacement, mean)), ..mount };
        let names = ["c_e2", "d_h2", "a"];
        controlled.check(&names);
        // and the stiffness
        let motion = controlled.motion(&names);
        let stiffness = motion.stiffness(controlled.drive, displacement).unwrap().value;
        for ((unknowns, outputs), name) in controlled.derivatives(&motion, &names).iter().zip(names) {
            let drive = &unknowns[unknowns.len() - WIDTH..];
            let first = |series: &[Dual]| {
                let value = Complex::new(series[1].value, -series[2].value);
                (value, Complex::new(series[1].derivative, -series[2].derivative))
            };
            let (over, under) = (first(drive), first(&outputs[displacement.index()]));
            let found = (over.1 - over.0 / under.0 * under.1) / under.0;
            let parameter = controlled.model.parameter(name).unwrap();
            let exact = motion.stiffness_by(controlled.drive, displacement, parameter).unwrap();
            let own = controlled.model.defaults()[parameter.index()].unwrap();
            let scale = found.norm().max(stiffness.norm() / own);
            assert!((exact - found).norm() <= LIMIT * scale, "{name}: {exact} {found}");
        }
    }
}
