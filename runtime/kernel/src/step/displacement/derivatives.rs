//! Derivatives of the displacement with respect to the state, parameters and values of tables.

use std::ops::Mul;

use costate_numerics::linalg::block::{Products, find};
use costate_numerics::scalar::{CollectVec, Scalar};
use costate_system::model::{Argument, Block, Function, Group};
use costate_system::system::{Equations, StateVectors};

use super::Displacement;
use crate::step::TableRates;

/// Direct changes of the equations for Delta, which do not come from the state.
pub struct Direct<S> {
    /// Change of M Delta + C_q^T kappa (n).
    pub motion: Vec<S>,
    /// Changes of the constraints at velocity level, and at acceleration level here and later (m each).
    pub velocity: Vec<S>,
    pub here: Vec<S>,
    pub later: Vec<S>,
}

/// The gradient of a number with respect to the state and to the equations for Delta.
pub struct Worth<S> {
    /// Derivatives with respect to q, v and a (n each).
    pub state: [Vec<S>; 3],
    /// Derivatives with respect to the equations.
    pub direct: Direct<S>,
}

impl<S: Scalar> Direct<S> {
    fn zeros(n: usize, m: usize) -> Self {
        let zeros = |length| vec![S::default(); length];
        Self { motion: zeros(n), velocity: zeros(m), here: zeros(m), later: zeros(m) }
    }

    fn add(&mut self, other: &Self, scale: f64) {
        add(&mut self.motion, &other.motion, scale);
        add(&mut self.velocity, &other.velocity, scale);
        add(&mut self.here, &other.here, scale);
        add(&mut self.later, &other.later, scale);
    }
}

impl<S: Scalar> Displacement<S> {
    /// Returns the derivative of s for a change of q, v, a and of the equations.
    pub fn tangent(&self, [q, v, a]: [&[S]; 3], direct: Option<&Direct<S>>) -> Vec<S>
    where
        S: Mul<S, Output = S>,
    {
        if !self.is_regular {
            return vec![S::default(); self.n()];
        }
        let (blocks, tau) = (&self.blocks, self.ahead);
        let mut right = vec![S::default(); self.n() + self.m()];
        let (motion, constraints) = right.split_at_mut(self.n());
        let displaced = &self.displaced[..];
        blocks.inertia[0].add_product(displaced, 1.0, q, motion);
        blocks.constraint_force[0].add_product(displaced, 1.0, q, motion);
        blocks.velocity[0].add_product(&self.velocity_level, 1.0, q, constraints);
        blocks.jacobian.add_product(&self.here, 1.0, v, constraints);
        let later_v: Vec<S> = v.iter().zip(a).map(|(v, a)| *v + *a * tau).collect_vec();
        let moved = q.iter().zip(v.iter().zip(a));
        let later_q: Vec<S> = moved.map(|(q, (v, a))| *q + *v * tau + *a * (0.5 * tau * tau)).collect_vec();
        let weight = self.weight / tau;
        for (level, linearization, [q, v], sign) in [
            (&self.level_later, &self.later, [&later_q[..], &later_v[..]], weight),
            (&self.level_here, &self.here, [q, v], -weight),
        ] {
            blocks.acceleration[0].add_product(level, sign, q, constraints);
            blocks.acceleration[1].add_product(level, sign, v, constraints);
            blocks.jacobian.add_product(linearization, sign, a, constraints);
        }
        if let Some(direct) = direct {
            add(motion, &direct.motion, 1.0);
            add(constraints, &direct.velocity, 1.0);
            add(constraints, &direct.later, weight);
            add(constraints, &direct.here, -weight);
        }
        self.matrix.free().for_each(|j| motion[j] = S::default());
        let mut changes = self.solve(&right);
        changes.truncate(self.n());
        changes.iter_mut().for_each(|change| *change = *change * (1.0 / self.step));
        changes
    }

    /// Propagates the derivative of a number by s to q, v, a and the equations.
    pub fn adjoint(&self, by_s: &[S]) -> Worth<S> {
        let zeros = || vec![S::default(); self.n()];
        let (mut state, mut direct) = ([zeros(), zeros(), zeros()], Direct::zeros(self.n(), self.m()));
        if !self.is_regular {
            return Worth { state, direct };
        }
        let (blocks, tau) = (&self.blocks, self.ahead);
        let mut right: Vec<S> = by_s.iter().map(|by| *by * (1.0 / self.step)).collect_vec();
        self.matrix.free().for_each(|j| right[j] = S::default());
        right.resize(self.n() + self.m(), S::default());
        // the matrix is symmetric
        let solution = self.solve(&right);
        let (of_motion, of_constraints) = solution.split_at(self.n());
        let [q, v, a] = &mut state;
        let displaced = &self.displaced[..];
        blocks.inertia[0].add_transposed_product(displaced, 1.0, of_motion, q);
        blocks.constraint_force[0].add_transposed_product(displaced, 1.0, of_motion, q);
        let velocity_level = &self.velocity_level[..];
        blocks.velocity[0].add_transposed_product(velocity_level, 1.0, of_constraints, q);
        let (here, later) = (&self.here[..], &self.later[..]);
        blocks.jacobian.add_transposed_product(here, 1.0, of_constraints, v);
        let weight = self.weight / tau;
        let (mut later_q, mut later_v) = (zeros(), zeros());
        let (level_here, level_later) = (&self.level_here[..], &self.level_later[..]);
        blocks.acceleration[0].add_transposed_product(level_later, weight, of_constraints, &mut later_q);
        blocks.acceleration[1].add_transposed_product(level_later, weight, of_constraints, &mut later_v);
        blocks.jacobian.add_transposed_product(later, weight, of_constraints, a);
        blocks.acceleration[0].add_transposed_product(level_here, -weight, of_constraints, q);
        blocks.acceleration[1].add_transposed_product(level_here, -weight, of_constraints, v);
        blocks.jacobian.add_transposed_product(here, -weight, of_constraints, a);
        for j in 0..self.n() {
            q[j] += later_q[j];
            v[j] += later_q[j] * tau + later_v[j];
            a[j] += later_q[j] * (0.5 * tau * tau) + later_v[j] * tau;
        }
        direct.motion.copy_from_slice(of_motion);
        direct.velocity.copy_from_slice(of_constraints);
        add(&mut direct.later, of_constraints, weight);
        add(&mut direct.here, of_constraints, -weight);
        Worth { state, direct }
    }

    /// Returns the derivative of the equations with respect to a parameter.
    pub fn by_parameter(&self, parameter: usize) -> Direct<S> {
        let mut direct = Direct::zeros(self.n(), self.m());
        if self.is_regular {
            let blocks = &self.blocks;
            let displaced = &self.displaced[..];
            blocks.inertia[1].add_column(displaced, 1.0, parameter, &mut direct.motion);
            blocks.constraint_force[1].add_column(displaced, 1.0, parameter, &mut direct.motion);
            let velocity = &self.velocity_level[..];
            blocks.velocity[1].add_column(velocity, 1.0, parameter, &mut direct.velocity);
            let [here, later] = [&self.level_here, &self.level_later];
            blocks.acceleration[2].add_column(here, 1.0, parameter, &mut direct.here);
            blocks.acceleration[2].add_column(later, 1.0, parameter, &mut direct.later);
        }
        direct
    }

    /// Evaluates the derivatives of the equations with respect to the lookups' results, at the state and
    /// later.
    pub fn lookups(&self, equations: &dyn Equations<S>, time: f64, state: &StateVectors<S>) -> DisplacedLookups<S> {
        let groups = self.model.groups;
        let length = if self.is_regular { groups.length(Group::InitialLookups) } else { 0 };
        let evaluated = |state: &StateVectors<S>, time: f64| match length {
            0 => Vec::new(),
            _ => self.group(equations, Group::InitialLookups, time, state),
        };
        DisplacedLookups {
            displaced: evaluated(&self.at_displaced, time),
            here: evaluated(state, time),
            later: evaluated(&self.at_later, time + self.ahead),
            sizes: (self.n(), self.m()),
            group: groups.initial_lookups,
        }
    }
}

/// The derivatives of the equations for Delta with respect to the results of lookups in tables.
pub struct DisplacedLookups<S> {
    displaced: Vec<S>,
    here: Vec<S>,
    later: Vec<S>,
    sizes: (usize, usize),
    group: &'static [Block],
}

impl<S: Scalar> DisplacedLookups<S> {
    /// Returns the arguments of all lookups at the state and later; empty where nothing is displaced.
    pub fn arguments(&self) -> [&[S]; 2] {
        let block = find(self.group, Function::LookupArguments, None);
        [&self.here, &self.later].map(|values| if values.is_empty() { &[][..] } else { block.values(values) })
    }

    /// Returns the derivative of the equations with respect to the result of a lookup, at the state or later.
    pub fn by_lookup(&self, lookup: usize, is_later: bool) -> Direct<S> {
        let mut direct = Direct::zeros(self.sizes.0, self.sizes.1);
        let of = |function| find(self.group, function, Some(Argument::Lookups));
        if self.here.is_empty() {
            return direct;
        }
        if is_later {
            of(Function::ConstraintAcceleration).add_column(&self.later, 1.0, lookup, &mut direct.later);
        } else {
            for function in [Function::Inertia, Function::ConstraintForce] {
                of(function).add_column(&self.displaced, 1.0, lookup, &mut direct.motion);
            }
            of(Function::ConstraintVelocity).add_column(&self.displaced, 1.0, lookup, &mut direct.velocity);
            of(Function::ConstraintAcceleration).add_column(&self.here, 1.0, lookup, &mut direct.here);
        }
        direct
    }
}

impl DisplacedLookups<f64> {
    /// Returns the derivative of the equations with respect to the table value in this column of `tables`.
    pub fn by_value(&self, tables: &TableRates, column: usize) -> Direct<f64> {
        let mut direct = Direct::zeros(self.sizes.0, self.sizes.1);
        let mut rates = Vec::new();
        for (arguments, is_later) in self.arguments().into_iter().zip([false, true]) {
            if arguments.is_empty() {
                continue;
            }
            tables.write(arguments, &mut rates);
            for lookup in tables.wanted() {
                let rate = rates.get(lookup * tables.columns() + column).copied().unwrap_or_default();
                if rate != 0.0 {
                    direct.add(&self.by_lookup(lookup, is_later), rate);
                }
            }
        }
        direct
    }
}

impl<S: Scalar> Worth<S> {
    /// Returns the change of the number for a direct change of the equations.
    pub fn of(&self, direct: &Direct<S>) -> S
    where
        S: Mul<S, Output = S>,
    {
        let pairs = [
            (&self.direct.motion, &direct.motion),
            (&self.direct.velocity, &direct.velocity),
            (&self.direct.here, &direct.here),
            (&self.direct.later, &direct.later),
        ];
        let mut sum = S::default();
        for (worth, change) in pairs {
            worth.iter().zip(change).for_each(|(worth, change)| sum += *worth * *change);
        }
        sum
    }
}

/// `to += scale * from`.
fn add<S: Scalar>(to: &mut [S], from: &[S], scale: f64) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += *from * scale);
}
