//! Expressions that are vectors: components in parentheses, measured quantities, their sums and multiples.

use syn::ext::IdentExt;

use super::measures::{MeasuredQuantity, Value, measured_rank, spelled};
use super::{Context, Expressions};
use crate::dimension::{DerivedUnit, Measure, Measured};
use crate::lower::geometry::{Vector, vector};
use crate::lower::names::{Kind, LetValue, Local, MeasuredVector, segments};
use crate::syntax::ast::{BinaryOperator, Expr, ExprKind, NameSyntax, SumSyntax};

impl Expressions {
    /// Reads the components of a vector in inertial axes, with z = 0 in the plane and all of them in the unit
    /// `wanted`; `what` describes the vector in messages.
    pub fn vector(
        &mut self,
        expr: &Expr,
        spatial: bool,
        context: Context,
        wanted: DerivedUnit,
        what: &str,
    ) -> Option<Vector> {
        let MeasuredVector { components, units } = self.measured_vector(expr, spatial, context)?;
        for (component, unit) in places(expr, units) {
            self.expect_derived(unit, wanted, component, what);
        }
        Some(components)
    }

    /// Reads a vector of numbers known at compile time, and scales it to length 1.
    pub fn direction(&mut self, expr: &Expr, spatial: bool) -> Option<[f64; 3]> {
        let vector = self.vector(expr, spatial, Context::Fixed, DerivedUnit::NUMBER, "an axis")?;
        let values = vector.map(|component| self.graph.as_constant(component));
        let [Some(x), Some(y), Some(z)] = values else {
            let message = "an axis is made of numbers; turn the frame by a parameter with `.rotated(...)` instead";
            return self.refuse(expr.place, message);
        };
        let size = (x * x + y * y + z * z).sqrt();
        if !(size > 0.0 && size.is_finite()) {
            return self.refuse(expr.place, "an axis has a direction; write e.g. `(1, 0, 0)`");
        }
        // the axes of coordinates stay exact
        Some(if size == 1.0 { [x, y, z] } else { [x / size, y / size, z / size] })
    }

    /// Reads a vector of three components, or of two components with z = 0.
    pub fn measured_vector(&mut self, expr: &Expr, spatial: bool, context: Context) -> Option<MeasuredVector> {
        match &expr.kind {
            ExprKind::Vector(components) => self.components(expr, components, spatial, context),
            ExprKind::Name(_) | ExprKind::Attached(_) => match self.measured_vector_at(expr, context) {
                Ok(Some((vector, three))) if three == spatial => Some(vector),
                Ok(_) => self.no_vector(expr, spatial),
                Err(()) => None,
            },
            ExprKind::Negate(inner) => {
                let MeasuredVector { components, units } = self.measured_vector(inner, spatial, context)?;
                let components = vector::negate(&mut self.graph, components);
                Some(MeasuredVector { components, units })
            }
            ExprKind::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Subtract), left, right) => {
                let sum = (self.measured_vector(left, spatial, context), self.measured_vector(right, spatial, context));
                self.sum_of_vectors(*operator, sum.0?, (right, sum.1?))
            }
            ExprKind::Binary(BinaryOperator::Multiply, left, right) => {
                let right_is = self.vector_rank(right) >= self.vector_rank(left);
                let (factor, vector) = if right_is { (left, right) } else { (right, left) };
                let (factor, vector) = (self.measured(factor, context), self.measured_vector(vector, spatial, context));
                let (factor, MeasuredVector { components, units }) = (factor?, vector?);
                let components = vector::scale(&mut self.graph, factor.id, components);
                let units = units.map(|unit| unit.times(factor.unit));
                Some(MeasuredVector { components, units })
            }
            ExprKind::Binary(BinaryOperator::Divide, left, right) => {
                let (vector, divisor) = (self.measured_vector(left, spatial, context), self.measured(right, context));
                let (MeasuredVector { components, units }, divisor) = (vector?, divisor?);
                self.check_divisor(divisor.id, right.place);
                let components = components.map(|component| self.graph.divide(component, divisor.id));
                let units = units.map(|unit| unit.over(divisor.unit));
                Some(MeasuredVector { components, units })
            }
            ExprKind::Sum(sum) => self.long_sum_of_vectors(sum, spatial, context),
            ExprKind::Call { function, arguments } if function == "cross" && spatial => {
                self.cross_product(arguments, expr.place, context)
            }
            _ => self.no_vector(expr, spatial),
        }
    }

    /// Reads a sum of vectors over an index.
    fn long_sum_of_vectors(&mut self, sum: &SumSyntax, spatial: bool, context: Context) -> Option<MeasuredVector> {
        let terms = self.terms(sum, |this, term| {
            let vector = this.measured_vector(term, spatial, context)?;
            for component in vector.components {
                this.bounded(component, term.place)?;
            }
            Some(vector)
        })?;
        let zero = MeasuredVector { components: vector::zero(&mut self.graph), units: [Measure::Any; 3] };
        terms
            .into_iter()
            .try_fold(zero, |total, term| self.sum_of_vectors(BinaryOperator::Add, total, (&sum.term, term)))
    }

    fn sum_of_vectors(
        &mut self,
        operator: BinaryOperator,
        left: MeasuredVector,
        (right_expr, right): (&Expr, MeasuredVector),
    ) -> Option<MeasuredVector> {
        let what = match operator {
            BinaryOperator::Add => "what it is added to",
            _ => "what it is subtracted from",
        };
        let mut units = left.units;
        for (unit, (component, found)) in units.iter_mut().zip(places(right_expr, right.units)) {
            let found = Measured { id: self.graph.zero(), unit: found };
            *unit = self.alike(*unit, (component, found), what);
        }
        let graph = &mut self.graph;
        let components = match operator {
            BinaryOperator::Add => vector::add(graph, left.components, right.components),
            _ => vector::subtract(graph, left.components, right.components),
        };
        Some(MeasuredVector { components, units })
    }

    fn components(
        &mut self,
        expr: &Expr,
        components: &[Expr],
        spatial: bool,
        context: Context,
    ) -> Option<MeasuredVector> {
        if components.len() != if spatial { 3 } else { 2 } {
            return self.no_vector(expr, spatial);
        }
        let values: Vec<Option<Measured>> =
            components.iter().map(|component| self.measured(component, context)).collect();
        let mut vector = MeasuredVector { components: vector::zero(&mut self.graph), units: [Measure::Any; 3] };
        for (i, (component, value)) in components.iter().zip(values).enumerate() {
            let Measured { id, unit } = value?;
            vector.components[i] = self.bounded(id, component.place)?;
            vector.units[i] = unit;
        }
        Some(vector)
    }

    fn no_vector(&mut self, expr: &Expr, spatial: bool) -> Option<MeasuredVector> {
        let message = if spatial {
            "expected a vector of three components; write `(x, y, z)`"
        } else {
            "expected a vector of two components; write `(x, y)`"
        };
        self.refuse(expr.place, message)
    }

    /// Rates how surely an expression is a vector, by its form: 0 for a number.
    fn vector_rank(&self, expr: &Expr) -> u8 {
        match &expr.kind {
            ExprKind::Vector(_) => 2,
            ExprKind::Name(name) => match self.names.scopes.get(&name.ident.unraw().to_string()) {
                Some(Local::Let { value: Some(LetValue::Vector(..)), .. }) if name.members.is_empty() => 2,
                Some(Local::Lets { array, .. }) if name.members.is_empty() && array.is_of_vectors() => 2,
                _ => measured_rank(&name.members),
            },
            ExprKind::Attached(attached) => measured_rank(&attached.members),
            ExprKind::Negate(inner) => self.vector_rank(inner),
            ExprKind::Sum(sum) => self.vector_rank(&sum.term),
            ExprKind::Call { function, .. } if function == "cross" => 1,
            ExprKind::Binary(operator, left, right) => match operator {
                BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Divide => self.vector_rank(left),
                BinaryOperator::Multiply => self.vector_rank(left).max(self.vector_rank(right)),
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Determines by its form, without messages, whether an expression is a vector of three components (`true`) or of
    /// two (`false`); `None` if it is not a vector.
    pub fn vector_form(&mut self, expr: &Expr) -> Option<bool> {
        match &expr.kind {
            ExprKind::Vector(components) => Some(components.len() == 3),
            ExprKind::Negate(inner) => self.vector_form(inner),
            ExprKind::Binary(operator, left, right) => match operator {
                BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => {
                    self.vector_form(left).or_else(|| self.vector_form(right))
                }
                BinaryOperator::Divide => self.vector_form(left),
                _ => None,
            },
            ExprKind::Call { function, arguments } if function == "cross" => {
                self.vector_form(arguments.first()?).filter(|three| *three)
            }
            ExprKind::Sum(sum) => {
                let first = self.names.range(&sum.index.range)?.next()?;
                self.at_index(&sum.index, first, |this| this.vector_form(&sum.term))
            }
            ExprKind::Name(name) => self.form_of_name(name),
            ExprKind::Attached(attached) => {
                let rank = measured_rank(&attached.members);
                let three = self.is_spatial_point(attached)?;
                (rank == 2 || rank == 1 && three).then_some(three)
            }
            _ => None,
        }
    }

    fn form_of_name(&mut self, name: &NameSyntax) -> Option<bool> {
        let rank = measured_rank(&name.members);
        let path = segments(name);
        let three = if self.names.scopes.get(&name.ident.unraw().to_string()).is_some() {
            match self.let_value(name).ok()?? {
                LetValue::Vector(_, three) if name.members.is_empty() => return Some(three),
                LetValue::Frame(_, spatial) if name.members.len() == 1 => spatial.unwrap_or_default(),
                _ => return None,
            }
        } else if rank == 0 {
            return None;
        } else {
            let (kind, space) = self.names.part_space(&path[..path.len() - 1])?;
            let position = *self.parts.by_space.get(&space)?;
            match kind {
                Kind::Body => self.parts.bodies.get(position)?.spatial,
                Kind::BodyConnection => self.parts.connections.get(position)?.spatial,
                Kind::Joint => self.parts.joints.get(position)?.spatial,
                _ => return None,
            }
        };
        (rank == 2 || rank == 1 && three).then_some(three)
    }

    /// Evaluates a measured vector, with `true` if it has three components; `None` for anything else, `Err` after an
    /// error.
    fn measured_vector_at(&mut self, expr: &Expr, context: Context) -> Result<Option<(MeasuredVector, bool)>, ()> {
        let (measured, text) = match &expr.kind {
            ExprKind::Name(name) => (self.measured_quantity(name)?, spelled(name, &name.members)),
            ExprKind::Attached(attached) => {
                let measured = self.measured_at(attached).ok_or(())?;
                (Some(measured), spelled(&attached.body, &attached.members))
            }
            _ => return Ok(None),
        };
        let Some(MeasuredQuantity { value: Value::Vector(components, three), units }) = measured else {
            return Ok(None);
        };
        for (id, unit) in components.into_iter().zip(units) {
            self.allowed(Measured { id, unit }, expr.place, &text, context).ok_or(())?;
        }
        Ok(Some((MeasuredVector { components, units }, three)))
    }
}

/// Returns the expression at which the unit of each component is reported: the component, or the whole vector.
fn places(expr: &Expr, units: [Measure; 3]) -> Vec<(&Expr, Measure)> {
    match &expr.kind {
        ExprKind::Vector(components) => components.iter().zip(units).collect(),
        _ => units.into_iter().map(|unit| (expr, unit)).collect(),
    }
}
