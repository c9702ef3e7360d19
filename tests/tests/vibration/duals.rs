//! Derivatives against dual numbers, which go through the plain equations in all coordinates: one step of Newton's
//! method from the results, and Gaussian elimination, none of which the library uses.

use std::f64::consts::TAU;

use costate_contract::{Argument, Function, Group};
use costate_interpreter::LoadedModel;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::Dual;
use costate_system::identifiers::{Input, Output};
use costate_system::model::Description;
use costate_system::prediction::Prediction;
use costate_system::simulation::Simulation;
use costate_system::system::{Equations, Instant, StateVectors};
use costate_vibration::{
    Complex, Equilibrium, EquilibriumSearch, ModalPrediction, ModeKind, ResponsePrediction, SteadyMotion,
};

use crate::complex_duals::{Matrix, Number, product, solve, sum, times, zeros};
use crate::derivatives::LEVER;
use crate::{loaded, simulation};

/// Work with the equations in dual numbers and the parameters.
type Work<'a> = dyn FnMut(&dyn Equations<Dual>, &[Dual]) + 'a;

/// Largest error, relative to the larger of derivative and value over parameter.
const LIMIT: f64 = 1e-9;

/// An equilibrium, and what else its model needs for an evaluation.
struct Case {
    model: LoadedModel,
    simulation: Simulation,
    motion: SteadyMotion,
    held: Vec<usize>,
    rest: Equilibrium,
}

/// The model in dual numbers about an equilibrium that moves with a parameter.
struct Moved {
    mass: Matrix,
    damping: Matrix,
    stiffness: Matrix,
    jacobian: Matrix,
    inputs: Matrix,
    /// The outputs by q, v, a, lambda and u.
    outputs: [Matrix; 5],
    generator: Matrix,
}

fn lifted(values: &[f64]) -> Vec<Dual> {
    values.iter().map(|&value| Dual { value, derivative: 0.0 }).collect()
}

impl Case {
    fn new(model: LoadedModel, define: impl Fn(Simulation) -> Simulation) -> Self {
        let simulation = define(simulation(model));
        let rest = Equilibrium::of(&simulation).unwrap();
        Self { model, simulation, motion: SteadyMotion::rest(), held: Vec::new(), rest }
    }

    fn description(&self) -> &'static Description {
        self.model.description()
    }

    fn sizes(&self) -> [usize; 2] {
        [self.description().coordinates.len(), self.description().constraints.len()]
    }

    /// Calls `work` with the functions in dual numbers, of which the parameter with this index varies if there is one,
    /// and the inputs.
    fn with(&self, parameter: Option<usize>, work: &mut Work<'_>) {
        let problem = self.simulation.clone().step(1e-3).until(1e-3).problem().unwrap();
        let mut parameters = lifted(self.rest.parameters());
        if let Some(index) = parameter {
            parameters[index].derivative = 1.0;
        }
        let inputs = lifted(problem.inputs().row(0));
        self.model.dual_equations().with_dual_equations(&problem, &parameters, &mut |equations| {
            work(equations, &inputs);
        });
    }

    /// The state whose coordinates and multipliers have these derivatives.
    fn state(&self, change: &[f64]) -> StateVectors<Dual> {
        let [n, _] = self.sizes();
        let own = StateVectors::of_stored(n, &self.rest.state());
        let dual = |values: &[f64], changes: &[f64]| {
            values.iter().zip(changes).map(|(&value, &derivative)| Dual { value, derivative }).collect()
        };
        let (q, lambda) = change.split_at(n);
        let v = self.motion.times_generator(q);
        let a = self.motion.times_generator(&v);
        StateVectors {
            velocities: dual(&self.motion.velocities(&own.coordinates), &v),
            accelerations: dual(&own.accelerations, &a),
            coordinates: dual(&own.coordinates, q),
            multipliers: dual(&own.multipliers, lambda),
        }
    }

    /// The derivatives of coordinates and multipliers (n + m) with respect to a parameter.
    fn change(&self, parameter: usize) -> Vec<f64> {
        let [n, m] = self.sizes();
        let residual = |equations: &dyn Equations<Dual>, inputs: &[Dual], change: &[f64]| {
            let state = self.state(change);
            let group = equations.group(Group::Residual, Instant { time: 0.0, state: &state, inputs });
            let layout = self.description().groups.residual;
            let mut rows = vec![Number::ZERO; n + m];
            for (function, first) in [(Function::Inertia, 0), (Function::ForceResidual, 0), (Function::Constraint, n)] {
                let block = find(layout, function, None);
                block.iter(&group).for_each(|(row, _, value)| {
                    rows[first + row] = rows[first + row] + Number::from(value);
                });
            }
            rows
        };
        let mut right = Vec::new();
        self.with(Some(parameter), &mut |equations, inputs| {
            right = residual(equations, inputs, &vec![0.0; n + m]);
        });
        let mut matrix = zeros(n + m, n + m);
        self.with(None, &mut |equations, inputs| {
            for column in 0..n + m {
                let mut change = vec![0.0; n + m];
                change[column] = 1.0;
                for (row, number) in residual(equations, inputs, &change).into_iter().enumerate() {
                    matrix[row][column] = Number::constant(number.change);
                }
            }
        });
        // a held coordinate stays, whatever force this needs
        for &index in &self.held {
            matrix[index].fill(Number::ZERO);
            matrix[index][index] = Number::constant(Complex::new(1.0, 0.0));
            right[index] = Number::ZERO;
        }
        let right = right.into_iter().map(|number| Number::constant(-number.change)).collect();
        solve(matrix, right).into_iter().map(|number| number.value.re).collect()
    }

    fn moved(&self, parameter: usize) -> Moved {
        let [n, m] = self.sizes();
        let (u, outputs) = (self.description().inputs.len(), self.description().outputs.len());
        let state = self.state(&self.change(parameter));
        let mut found = None;
        self.with(Some(parameter), &mut |equations, inputs| {
            use Argument::{Accelerations, Coordinates, Inputs, Multipliers, Velocities};
            let at = Instant { time: 0.0, state: &state, inputs };
            let groups = self.description().groups;
            let linearization = equations.group(Group::Linearization, at);
            let of_outputs = equations.group(Group::OutputDerivatives, at);
            let matrix = |rows: usize, columns: usize, parts: &[(Function, Argument, f64)]| {
                let mut matrix = zeros(rows, columns);
                for &(function, argument, sign) in parts {
                    let (layout, group) = match function {
                        Function::Output => (groups.output_derivatives, &of_outputs),
                        _ => (groups.linearization, &linearization),
                    };
                    let block = find(layout, function, Some(argument));
                    block.iter(group).for_each(|(row, column, value)| {
                        matrix[row][column] = matrix[row][column] + Number::from(value * sign);
                    });
                }
                matrix
            };
            let output = |argument, columns| matrix(outputs, columns, &[(Function::Output, argument, 1.0)]);
            let mut generator = zeros(n, n);
            self.motion.generator(n).iter().for_each(|(row, column, value)| {
                generator[row][column] = Number::constant(Complex::new(value, 0.0));
            });
            found = Some(Moved {
                mass: matrix(n, n, &[(Function::Inertia, Accelerations, 1.0)]),
                damping: matrix(n, n, &[(Function::Force, Velocities, -1.0)]),
                stiffness: matrix(
                    n,
                    n,
                    &[
                        (Function::Inertia, Coordinates, 1.0),
                        (Function::ConstraintForce, Coordinates, 1.0),
                        (Function::Force, Coordinates, -1.0),
                    ],
                ),
                jacobian: matrix(m, n, &[(Function::Constraint, Coordinates, 1.0)]),
                inputs: matrix(n, u, &[(Function::Force, Inputs, 1.0)]),
                outputs: [
                    output(Coordinates, n),
                    output(Velocities, n),
                    output(Accelerations, n),
                    output(Multipliers, m),
                    output(Inputs, u),
                ],
                generator,
            });
        });
        found.unwrap()
    }
}

impl Moved {
    /// s + G.
    fn rate(&self, s: Number) -> Matrix {
        let mut rate = self.generator.clone();
        rate.iter_mut().enumerate().for_each(|(k, row)| row[k] = row[k] + s);
        rate
    }

    /// [Q(s) C^T; C 0] with Q(s) = M (s + G)^2 + D (s + G) + K.
    fn saddle(&self, s: Number) -> Matrix {
        let (n, m) = (self.mass.len(), self.jacobian.len());
        let rate = self.rate(s);
        let forces = sum(&product(&self.mass, &product(&rate, &rate)), &product(&self.damping, &rate));
        let forces = sum(&forces, &self.stiffness);
        let mut saddle = zeros(n + m, n + m);
        for row in 0..n {
            saddle[row][..n].copy_from_slice(&forces[row]);
        }
        for (row, constraint) in self.jacobian.iter().enumerate() {
            for (column, &entry) in constraint.iter().enumerate() {
                saddle[n + row][column] = entry;
                saddle[column][n + row] = entry;
            }
        }
        saddle
    }

    fn response(&self, s: Number, input: usize) -> Vec<Number> {
        let n = self.mass.len();
        let mut right: Vec<Number> = self.inputs.iter().map(|row| row[input]).collect();
        right.resize(n + self.jacobian.len(), Number::ZERO);
        let solved = solve(self.saddle(s), right);
        let (q, lambda) = solved.split_at(n);
        let rate = self.rate(s);
        let v = times(&rate, q);
        let a = times(&rate, &v);
        let [by_q, by_v, by_a, by_lambda, by_u] = &self.outputs;
        let parts = [times(by_q, q), times(by_v, &v), times(by_a, &a), times(by_lambda, lambda)];
        let direct = by_u.iter().map(|row| row[input]);
        direct.enumerate().map(|(k, own)| parts.iter().fold(own, |sum, part| sum + part[k])).collect()
    }

    /// Eigenvalue of a mode by one step of Newton's method in all unknowns.
    fn eigenvalue(&self, eigenvalue: Complex<f64>, shape: &[Complex<f64>], multipliers: &[Complex<f64>]) -> Number {
        let (n, m) = (self.mass.len(), self.jacobian.len());
        let s = Number::constant(eigenvalue);
        let saddle = self.saddle(s);
        let start: Vec<Number> = shape.iter().chain(multipliers).map(|&entry| Number::constant(entry)).collect();
        let mut right = times(&saddle, &start);
        let size = |values: &[Number]| values.iter().fold(0.0_f64, |most, number| most.max(number.value.norm()));
        let terms: Vec<Number> = (0..n + m)
            .map(|row| {
                let sizes = saddle[row].iter().zip(&start).map(|(a, x)| (a.value * x.value).norm());
                Number::constant(Complex::new(sizes.fold(0.0, f64::max), 0.0))
            })
            .collect();
        assert!(size(&right) < 1e-8 * size(&terms), "no mode: {} of {}", size(&right), size(&terms));
        right.push(Number::ZERO);
        let weighted = times(&self.mass, &start[..n]);
        let energies: Vec<f64> = shape.iter().zip(&weighted).map(|(x, m)| (x.conj() * m.value).re).collect();
        let has_mass = energies.iter().sum::<f64>() > 0.5;
        let sizes: Vec<f64> = if has_mass { energies } else { shape.iter().map(|entry| entry.norm()).collect() };
        let largest = (0..n).max_by(|&one, &other| sizes[one].total_cmp(&sizes[other])).unwrap();
        // dQ/ds x = 2 M (s + G) x + D x
        let rate = times(&self.rate(s), &start[..n]);
        let two = Number::constant(Complex::new(2.0, 0.0));
        let mut by_s: Vec<Number> = times(&self.mass, &rate).into_iter().map(|entry| entry * two).collect();
        by_s.iter_mut().zip(times(&self.damping, &start[..n])).for_each(|(sum, term)| *sum = *sum + term);
        let mut bordered = saddle;
        bordered.iter_mut().enumerate().for_each(|(k, row)| row.push(by_s.get(k).copied().unwrap_or(Number::ZERO)));
        let mut last = vec![Number::ZERO; n + m + 1];
        last[largest] = Number::constant(Complex::new(1.0, 0.0));
        bordered.push(last);
        let step = solve(bordered, right);
        s - step[n + m]
    }
}

/// Compares derivatives with those of dual numbers, relative to the larger of derivative and value over parameter;
/// `size` is that of a part whose whole is larger.
#[track_caller]
fn check(what: &str, exact: Complex<f64>, found: Number, own: f64, size: f64) {
    let scale = found.change.norm().max(size.max(found.value.norm()) / own.abs());
    let error = (exact - found.change).norm();
    assert!(error <= LIMIT * scale, "{what}: {exact} in place of {} of {scale}", found.change);
}

/// Checks the state, all modes of their own and the responses of all outputs to all inputs.
fn check_case(case: &Case, names: &[&str], frequencies: &[f64]) {
    let [n, _] = case.sizes();
    let parameters: Vec<_> = names.iter().map(|name| case.model.parameter(name).unwrap()).collect();
    let indices: Vec<usize> = parameters.iter().map(|parameter| parameter.index()).collect();
    let states = case.rest.derivatives(&parameters).unwrap();
    let linear = case.rest.linearized();
    let derivatives = linear.derivatives_by(case.model.dual_equations(), &indices).unwrap();
    let modes = linear.modes().unwrap();
    let of_modes: Vec<_> = (0..modes.len())
        .filter(|&index| modes.all()[index].kind() != ModeKind::Rigid)
        .map(|index| (&modes.all()[index], modes.derivatives(index, &derivatives).unwrap()))
        .collect();
    assert!(!of_modes.is_empty());
    let state = case.rest.state();
    for (k, (&index, name)) in indices.iter().zip(names).enumerate() {
        let own = case.rest.parameters()[index];
        let change = case.change(index);
        let wanted = case.state(&change).stored();
        let largest = |from: usize, to: usize| state[from..to].iter().fold(0.0_f64, |most, q| most.max(q.abs()));
        for (row, wanted) in wanted.iter().enumerate() {
            let size = if row < 3 * n { largest(row / n * n, row / n * n + n) } else { largest(3 * n, state.len()) };
            let exact = Complex::new(states[(row, k)], 0.0);
            check(&format!("state {row} by {name}"), exact, Number::from(*wanted), own, size);
        }
        let moved = case.moved(index);
        for (place, (mode, of_mode)) in of_modes.iter().enumerate() {
            let eigenvalue = moved.eigenvalue(mode.eigenvalue, &mode.shape, &mode.multipliers);
            check(&format!("eigenvalue {place} by {name}"), of_mode.eigenvalue[k], eigenvalue, own, 0.0);
            let size = eigenvalue.size();
            let real = |value: f64| Complex::new(value, 0.0);
            let frequency = size / Number::constant(real(TAU));
            check(&format!("frequency {place} by {name}"), real(of_mode.frequency[k]), frequency, own, 0.0);
            let part = Number { value: real(eigenvalue.value.re), change: real(eigenvalue.change.re) };
            let ratio = -part / size;
            check(&format!("ratio {place} by {name}"), real(of_mode.damping_ratio[k]), ratio, own, 1.0);
        }
        for input in Input::each_of(case.description()) {
            for output in Output::each_of(case.description()) {
                let found = linear.response_derivatives(frequencies, input, output, &derivatives).unwrap();
                let exact = found.derivatives[k].iter().zip(&found.response.values);
                for (&frequency, (&exact, value)) in frequencies.iter().zip(exact) {
                    let s = Number::constant(Complex::new(0.0, TAU * frequency));
                    let dual = moved.response(s, input.index())[output.index()];
                    assert!((dual.value - value).norm() <= LIMIT * value.norm(), "{} {value} {dual:?}", output.name());
                    check(&format!("{} at {frequency} Hz by {name}", output.name()), exact, dual, own, 0.0);
                }
            }
        }
    }
}

#[test]
fn a_rod_with_a_coordinate_without_mass() {
    let model = loaded(LEVER);
    let force = model.input("force").unwrap();
    let case = Case::new(model, |simulation| simulation.input(force, 5.0));
    let names = ["m", "l", "c", "d", "c_r", "d_r", "g", "progressive"];
    check_case(&case, &names, &[0.4, 2.5, 4.0, 30.0]);
}

#[test]
fn four_bars_in_nine_coordinates() {
    let model = loaded(
        "pub Bars {
            parameters { m: kg = 1, l: m = 1, r: m = 0.4, g: m/s^2 = 9.81, c: N*m/rad = 30, d: N*m*s/rad = 0.8 }
            inputs { drive: N*m }
            gravity { (0, -g) }
            bodies {
                left: planar { mass: m, inertia: m*r^2/12 },
                right: planar { mass: 1.3*m, inertia: m*l^2/12 },
                coupler: planar { mass: m, inertia: m*l^2/12 },
            }
            joints {
                a: revolute(ground, left.at(-r/2, 0)),
                b: revolute(ground.at(l, 0), right.at(-l/2, 0)),
                e: revolute(left.at(r/2, 0), coupler.at(-l/2, 0)),
                f: revolute(right.at(l/2, 0), coupler.at(l/2, 0)),
            }
            elements { spring: torque(left, drive - c*left.angle - d*dot(left.angle)) }
            initial {
                left.angle ~ 0.4, left.position ~ (0.18[m], 0.08[m]),
                right.angle ~ 1.8, right.position ~ (0.89[m], 0.49[m]),
                coupler.angle ~ 0.9, coupler.position ~ (0.6[m], 0.6[m]),
            }
            outputs { angle: rad = left.angle, swing: rad/s^2 = ddot(right.angle), load: N = b.reaction.y,
                twist: N*m = drive - c*left.angle }
        }",
    );
    let drive = model.input("drive").unwrap();
    let case = Case::new(model, |simulation| simulation.input(drive, 2.0));
    check_case(&case, &["m", "l", "r", "g", "c", "d"], &[0.3, 1.1, 5.0]);
}

/// A governor: two arms with weights on a shaft that turns, bodies in space, with springs to the shaft.
const GOVERNOR: &str = "pub Governor {
    parameters { m: kg = 2, l: m = 0.8, thin: kg*m^2 = 1e-3, c: N/m = 60, d: N*s/m = 4, g: m/s^2 = 9.81 }
    inputs { push: N }
    gravity { (0, 0, -g) }
    bodies {
        shaft: spatial { mass: 1[kg], inertia: (0.1[kg*m^2], 0.1[kg*m^2], 0.05[kg*m^2]) },
        left: spatial { mass: m, inertia: (m*l^2/12 + thin, m*l^2/12, thin) },
        right: spatial { mass: 1.2*m, inertia: (m*l^2/12 + thin, m*l^2/12, thin) },
    }
    joints {
        bearing: revolute(ground, shaft, axis = (0, 0, 1)),
        one: revolute(shaft, left.at(0, 0, l/2), axis = (0, 1, 0)),
        two: revolute(shaft, right.at(0, 0, l/2), axis = (0, 1, 0)),
    }
    elements {
        hold: spring(shaft.at(0, 0, -l/2), left, stiffness = c, damping = d, length = 0.1[m], force = push),
        keep: spring(shaft.at(0, 0, -l/2), right, stiffness = 1.3*c, damping = d, length = 0.1[m]),
    }
    initial {
        shaft.orientation = rotation((0, 0, 1), 0),
        left.orientation ~ rotation((0, 1, 0), -0.9),
        left.position ~ (0.31[m], 0[m], -0.25[m]),
        right.orientation ~ rotation((0, 1, 0), 0.9),
        right.position ~ (-0.31[m], 0[m], -0.25[m]),
    }
    outputs { height: m = left.position.z, way: m = right.position.x, pull: N = hold.force }
}";

#[test]
fn a_governor_that_turns() {
    let model = loaded(GOVERNOR);
    let held = model.system().coordinate("shaft.q3").or_else(|_| model.system().coordinate("shaft.e3"));
    let held = held.unwrap_or_else(|error| panic!("{error}"));
    let push = model.input("push").unwrap();
    let simulation = simulation(model).input(push, 1.0);
    let (axis, point, speed) = ([0.0, 0.0, 1.0], [0.0; 3], 7.0);
    let rest = EquilibriumSearch::new(&simulation).rotating(axis, point, speed).held([held]).find();
    let rest = rest.unwrap_or_else(|error| panic!("{error}"));
    let motion = SteadyMotion::rest().with_rotation(model.description(), axis, point, speed);
    let case = Case { model, simulation, motion, held: vec![held.index()], rest };
    check_case(&case, &["m", "l", "c", "d", "g"], &[0.3, 1.4, 6.0]);
}

#[test]
fn shafts_that_a_drive_turns() {
    let model = loaded(
        "pub Drive {
            parameters { j: kg*m^2 = 0.2, load: kg*m^2 = 0.3, c: N*m/rad = 400, k: N*m/rad^3 = 5e4,
                d: N*m*s/rad = 0.7, brake: N*m*s/rad = 0.1 }
            inputs { drag: N*m }
            coordinates { motor: rad, wheel: rad }
            mass { motor: j, wheel: load }
            let shaft = c*(motor - wheel) + k*(motor - wheel)^3 + d*(dot(motor) - dot(wheel));
            forces { motor: -shaft, wheel: shaft - drag - brake*dot(wheel)*sqrt(1 + dot(wheel)^2/1[rad^2/s^2]) }
            initial { motor = 0, wheel = 0 }
            outputs { twist: rad = motor - wheel, torque: N*m = shaft, jerk: rad/s^2 = ddot(wheel) }
        }",
    );
    let [motor, wheel] = ["motor", "wheel"].map(|name| model.system().coordinate(name).unwrap());
    let simulation = simulation(model).input(model.input("drag").unwrap(), 3.0);
    let rest = EquilibriumSearch::new(&simulation).turning(motor, 20.0).together([wheel], 20.0).find().unwrap();
    let motion = SteadyMotion::rest().with_speed(0, 20.0).with_speed(1, 20.0);
    let case = Case { model, simulation, motion, held: vec![motor.index()], rest };
    check_case(&case, &["j", "load", "c", "k", "d", "brake"], &[0.5, 8.0, 20.0]);
}

/// Checks predictions of modes, stiffness and quotients of outputs, also with a decay that a window adds.
#[test]
fn predictions_of_modes_and_responses() {
    let model = loaded(LEVER);
    let force = model.input("force").unwrap();
    let case = Case::new(model, |simulation| simulation.input(force, 5.0));
    let search = EquilibriumSearch::new(&case.simulation);
    let (position, reaction) = (model.output("position").unwrap(), model.output("reaction").unwrap());
    let frequencies = [0.4, 2.5, 4.0, 30.0];
    let values = case.rest.parameters();
    let all: Vec<usize> = (0..values.len()).collect();
    for decay in [0.0, 3.0] {
        let responses = ResponsePrediction::of("responses", &search, model.dual_equations(), &frequencies);
        let responses = responses.unwrap().added_decay(decay).unwrap();
        let responses = responses.response(force, position).unwrap().dynamic_stiffness(force, position).unwrap();
        let responses = responses.ratio(force, reaction, position).unwrap();
        let (numbers, exact) = responses.derivatives(values, &all).unwrap();
        assert_eq!(numbers, responses.values(values).unwrap());
        assert_eq!(numbers.len(), 24);
        for &parameter in &all {
            let moved = case.moved(parameter);
            for (k, frequency) in frequencies.iter().enumerate() {
                let found = moved.response(Number::constant(Complex::new(decay, TAU * frequency)), 0);
                let (x, r) = (found[position.index()], found[reaction.index()]);
                let one = Number::constant(Complex::new(1.0, 0.0));
                for (quotient, found) in [x, one / x, r / x].into_iter().enumerate() {
                    let row = 8 * quotient + k;
                    let by = Complex::new(exact[(row, parameter)], exact[(row + 4, parameter)]);
                    assert!(
                        (Complex::new(numbers[row], numbers[row + 4]) - found.value).norm()
                            <= LIMIT * found.value.norm()
                    );
                    check(&format!("quotient {quotient} by {parameter}"), by, found, values[parameter], 0.0);
                }
            }
        }
    }
    let modes = ModalPrediction::of_modes("modes", &search, model.dual_equations(), &[0]).unwrap();
    let (numbers, exact) = modes.derivatives(values, &all).unwrap();
    assert_eq!(numbers, modes.values(values).unwrap());
    let mode = case.rest.linearized().modes().unwrap().all()[0].clone();
    for &parameter in &all {
        let s = case.moved(parameter).eigenvalue(mode.eigenvalue, &mode.shape, &mode.multipliers);
        let real = |value: f64| Complex::new(value, 0.0);
        let part = Number { value: real(s.value.re), change: real(s.change.re) };
        let found = [s.size() / Number::constant(real(TAU)), -part / s.size()];
        for (row, found) in found.into_iter().enumerate() {
            check(
                &format!("number {row} by {parameter}"),
                real(exact[(row, parameter)]),
                found,
                values[parameter],
                0.0,
            );
        }
    }
}
