//! The equations of a written-out model, and all their first derivatives: Lagrange's equations by derivatives of
//! the energies, constraints by derivatives in time, all from the values of the expressions alone.

use crate::models::evaluate::{Evaluate, Numbers, Point, TableValues, Variable};
use crate::models::flat::{Flat, Symbol, Value};
use crate::models::flatten::initial_value;
use crate::models::jet::Jet;
use crate::models::tree::InitialKind;

/// The weights of M and of the derivatives with respect to q and to v in the matrix of a step.
#[derive(Debug, Clone, Copy)]
pub struct Weights {
    /// w_a
    pub accelerations: f64,
    /// w_q
    pub coordinates: f64,
    /// w_v
    pub velocities: f64,
}

/// A model with its values at a point.
pub struct Reference<'a> {
    flat: &'a Flat,
    point: &'a Numbers<f64>,
    table: TableValues<'a>,
    scales: [Vec<f64>; 2],
}

impl<'a> Reference<'a> {
    /// Sets up the equations of `flat` at `point`, with parameters and inputs in their declared units.
    pub fn new(flat: &'a Flat, point: &'a Numbers<f64>, table: TableValues<'a>) -> Self {
        let scales =
            [&flat.parameters, &flat.inputs].map(|list| list.iter().map(|quantity| quantity.unit.scale).collect());
        Reference { flat, point, table, scales }
    }

    /// Evaluates the function with this name in compiler and runtime: its value as the only column, or its
    /// derivative with respect to an argument, column by column.
    ///
    /// # Panics
    /// If there is no such function or argument.
    pub fn columns(&self, function: &str, argument: Option<&str>, weights: Weights) -> Vec<Vec<f64>> {
        let constant = Point::new(self.point);
        let Some(argument) = argument else {
            return vec![self.function(function, &constant).iter().map(Jet::value).collect()];
        };
        let (count, variable): (usize, fn(usize) -> Variable) = match argument {
            "Coordinates" => (self.point.coordinates.len(), Variable::Coordinate),
            "Velocities" => (self.point.velocities.len(), Variable::Velocity),
            "Accelerations" => (self.point.accelerations.len(), Variable::Acceleration),
            "Multipliers" => (self.point.multipliers.len(), Variable::Multiplier),
            "Parameters" => (self.point.parameters.len(), Variable::Parameter),
            "Inputs" => (self.point.inputs.len(), Variable::Input),
            _ => panic!("no argument {argument}"),
        };
        let one = |value| Some(Jet::constant(value));
        let columns = (0..count).map(|column| {
            let Weights { accelerations, coordinates, velocities } = weights;
            if function != "Step" {
                let seeded = constant.along(|own| one(1.0).filter(|_| own == variable(column)));
                return self.function(function, &seeded).iter().map(|row| row.part(0).value()).collect();
            }
            // q and v depend on a
            let seeded = constant.along(|own| match own {
                Variable::Coordinate(i) if i == column => one(coordinates),
                Variable::Velocity(i) if i == column => one(velocities),
                Variable::Acceleration(i) if i == column => one(1.0),
                _ => None,
            });
            let part = |name| self.function(name, &seeded).into_iter().map(|row| row.part(0).value());
            part("Inertia").zip(part("ForceResidual")).map(|(a, b)| accelerations * a + b).collect()
        });
        columns.collect()
    }

    fn function(&self, name: &str, at: &Point) -> Vec<Jet> {
        let (n, zero) = (self.flat.coordinates.len(), Jet::constant(0.0));
        match name {
            "InitialCoordinates" => (0..n).map(|i| self.initial(i, false, at).unwrap_or(zero.clone())).collect(),
            "InitialVelocities" => (0..n).map(|i| self.initial(i, true, at).unwrap_or(zero.clone())).collect(),
            "Inertia" => self.inertia(at),
            "Force" => self.force(at),
            "ConstraintForce" => self.constraint_force(at),
            "ForceResidual" => self.constraint_force(at).iter().zip(&self.force(at)).map(|(c, f)| c - f).collect(),
            "Constraint" => self.constraints().map(|value| self.value(value, at.clone())).collect(),
            "ConstraintVelocity" => self.constraints().map(|value| self.value(&rate(value), at.clone())).collect(),
            "ConstraintAcceleration" => {
                self.constraints().map(|value| self.value(&second_rate(value), at.clone())).collect()
            }
            "Output" => self.outputs(at),
            _ => panic!("no function {name}"),
        }
    }

    fn value(&self, value: &Value, at: Point) -> Jet {
        let [parameters, inputs] = &self.scales;
        let (tables, table) = (&self.flat.tables, self.table);
        Evaluate { at, scales: [parameters, inputs], tables, table }.value(value)
    }

    fn initial(&self, i: usize, velocity: bool, at: &Point) -> Option<Jet> {
        let find = |kind| initial_value(self.flat, i, kind);
        let value = if velocity {
            find(InitialKind::Velocity)
        } else {
            find(InitialKind::Position).or_else(|| find(InitialKind::Near))
        };
        Some(self.value(value?, at.clone()))
    }

    fn constraints(&self) -> impl Iterator<Item = &Value> {
        self.flat.constraints.iter().filter_map(|(_, value)| value.as_ref())
    }

    fn outputs(&self, at: &Point) -> Vec<Jet> {
        let value = |(_, unit, value): &(String, crate::models::units::Unit, Value)| {
            &self.value(value, at.clone()) * &Jet::constant(1.0 / unit.scale)
        };
        self.flat.outputs.iter().map(value).collect()
    }

    /// Computes M a: from the masses, and from kinetic energies by the derivative of dT/dv_i in the direction of
    /// the accelerations.
    fn inertia(&self, at: &Point) -> Vec<Jet> {
        let order = at.order;
        let mut inertia = vec![Jet::constant(0.0); self.flat.coordinates.len()];
        for (row, column, mass) in &self.flat.mass {
            let mass = self.value(mass, at.clone());
            inertia[*row] = &inertia[*row] + &(&mass * &at.numbers.accelerations[*column]);
            if row != column {
                inertia[*column] = &inertia[*column] + &(&mass * &at.numbers.accelerations[*row]);
            }
        }
        for (i, sum) in inertia.iter_mut().enumerate() {
            let momentum = unit_step(at, Variable::Velocity(i));
            let turned = momentum.along(|variable| match variable {
                Variable::Velocity(j) => Some(momentum.numbers.accelerations[j].clone()),
                _ => None,
            });
            for energy in self.flat.kinetic.iter().filter(|energy| depends(energy, i)) {
                *sum = &*sum + &self.value(energy, turned.clone()).part(order + 1).part(order);
            }
        }
        inertia
    }

    /// Computes f = dT/dq - (dT/dv)_q v - (dT/dv)_t - dV/dq - dD/dv, plus the given forces.
    fn force(&self, at: &Point) -> Vec<Jet> {
        let order = at.order;
        let mut force = vec![Jet::constant(0.0); self.flat.coordinates.len()];
        for (of, value) in &self.flat.forces {
            force[*of] = &force[*of] + &self.value(value, at.clone());
        }
        let strengths: Vec<Jet> = self.flat.work.iter().map(|(force, _)| self.value(force, at.clone())).collect();
        for (i, sum) in force.iter_mut().enumerate() {
            let by_q = unit_step(at, Variable::Coordinate(i));
            let by_v = unit_step(at, Variable::Velocity(i));
            let acting = self.flat.work.iter().zip(&strengths);
            for ((_, displacement), strength) in acting.filter(|((_, place), _)| depends(place, i)) {
                *sum = &*sum + &(strength * &self.value(displacement, by_q.clone()).part(order));
            }
            for energy in self.flat.potential.iter().filter(|energy| depends(energy, i)) {
                *sum = &*sum - &self.value(energy, by_q.clone()).part(order);
            }
            for energy in self.flat.dissipation.iter().filter(|energy| depends(energy, i)) {
                *sum = &*sum - &self.value(energy, by_v.clone()).part(order);
            }
            let moving = by_v.along(|variable| match variable {
                Variable::Time => Some(Jet::constant(1.0)),
                Variable::Coordinate(j) => Some(at.numbers.velocities[j].clone()),
                _ => None,
            });
            for energy in self.flat.kinetic.iter().filter(|energy| depends(energy, i)) {
                *sum = &*sum + &self.value(energy, by_q.clone()).part(order);
                *sum = &*sum - &self.value(energy, moving.clone()).part(order + 1).part(order);
            }
        }
        force
    }

    /// Computes C_q^T lambda.
    fn constraint_force(&self, at: &Point) -> Vec<Jet> {
        let order = at.order;
        let force = (0..self.flat.coordinates.len()).map(|i| {
            let by_q = unit_step(at, Variable::Coordinate(i));
            let terms = self.constraints().zip(&at.numbers.multipliers);
            let terms = terms.filter(|(value, _)| depends(value, i));
            let terms = terms.map(|(value, multiplier)| &self.value(value, by_q.clone()).part(order) * multiplier);
            terms.fold(Jet::constant(0.0), |sum, term| &sum + &term)
        });
        force.collect()
    }
}

/// Checks whether an expression contains a coordinate, or its velocity.
fn depends(value: &Value, coordinate: usize) -> bool {
    let mut found = false;
    crate::models::walk::leaves(value, &mut |leaf: &Symbol| found |= *leaf == Symbol::Coordinate(coordinate));
    found
}

/// Adds a part, the derivative with respect to one variable.
fn unit_step(at: &Point, variable: Variable) -> Point {
    at.along(|own| Some(Jet::constant(1.0)).filter(|_| own == variable))
}

fn rate(value: &Value) -> Value {
    Value::Rate(value.clone().into())
}

fn second_rate(value: &Value) -> Value {
    Value::SecondRate(value.clone().into())
}
