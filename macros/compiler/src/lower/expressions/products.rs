//! Functions of vectors: `norm(v)`, `inner(v, w)` and `cross(v, w)`.

use super::{Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::{Measure, Measured};
use crate::lower::functions::VectorFunction;
use crate::lower::geometry::vector;
use crate::lower::names::MeasuredVector;
use crate::syntax::ast::Expr;

impl Expressions {
    /// The number that a function of vectors gives.
    pub fn number_of_vectors(
        &mut self,
        function: VectorFunction,
        arguments: &[Expr],
        place: Place,
        context: Context,
    ) -> Option<Measured> {
        let (vectors, three) = self.vectors(function, arguments, place, context)?;
        match (function, &*vectors) {
            (VectorFunction::Norm, [v]) => {
                let unit = self.one_unit(v.units, &arguments[0], "another component of the vector");
                Some(Measured { id: vector::length(&mut self.graph, v.components), unit })
            }
            (VectorFunction::Inner, [v, w]) => {
                let units = [0, 1, 2].map(|i| v.units[i].times(w.units[i]));
                let unit = self.one_unit(units, &arguments[1], "another product of components");
                Some(Measured { id: vector::dot(&mut self.graph, v.components, w.components), unit })
            }
            (VectorFunction::Cross, [v, w]) if !three => {
                let MeasuredVector { components, units } = self.cross(v, w, &arguments[1]);
                Some(Measured { id: components[2], unit: units[2] })
            }
            _ => self.refuse(place, "expected a number, found a vector; write one of its components"),
        }
    }

    /// `cross(v, w)` in space.
    pub fn cross_product(&mut self, arguments: &[Expr], place: Place, context: Context) -> Option<MeasuredVector> {
        let (vectors, three) = self.vectors(VectorFunction::Cross, arguments, place, context)?;
        let [v, w] = &*vectors else { return None };
        if !three {
            let message = "the product of vectors in the plane is a number; write `(0, 0, cross(v, w))` for a vector";
            return self.refuse(place, message);
        }
        Some(self.cross(v, w, &arguments[1]))
    }

    fn cross(&mut self, v: &MeasuredVector, w: &MeasuredVector, written: &Expr) -> MeasuredVector {
        let mut units = [Measure::Any; 3];
        for (i, unit) in units.iter_mut().enumerate() {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let products = [v.units[j].times(w.units[k]), v.units[k].times(w.units[j]), Measure::Any];
            *unit = self.one_unit(products, written, "another product of components");
        }
        MeasuredVector { components: vector::cross(&mut self.graph, v.components, w.components), units }
    }

    /// The arguments of a function of vectors, and whether they have three components.
    fn vectors(
        &mut self,
        function: VectorFunction,
        arguments: &[Expr],
        place: Place,
        context: Context,
    ) -> Option<(Vec<MeasuredVector>, bool)> {
        let (name, signature) = (function.name(), function.signature());
        if arguments.len() != function.count() {
            let count = match arguments.len() {
                1 => "1 argument".to_owned(),
                count => format!("{count} arguments"),
            };
            return self.refuse(place, format!("`{name}` does not take {count}; write `{signature}`"));
        }
        let forms: Vec<Option<bool>> = arguments.iter().map(|argument| self.vector_form(argument)).collect();
        let Some(three) = forms.iter().find_map(|form| *form) else {
            // A mistake in an argument says more than that it is no vector.
            let errors = self.names.report.faults();
            for argument in arguments {
                self.measured(argument, context);
            }
            if self.names.report.faults() > errors {
                return None;
            }
            return self.refuse(place, format!("`{name}` takes vectors; write e.g. `{signature}`"));
        };
        let vectors: Vec<Option<MeasuredVector>> =
            arguments.iter().map(|argument| self.measured_vector(argument, three, context)).collect();
        Some((vectors.into_iter().collect::<Option<_>>()?, three))
    }

    /// The unit that all of `units` have; else an error at `written`.
    fn one_unit(&mut self, units: [Measure; 3], written: &Expr, what: &str) -> Measure {
        let id = self.graph.zero();
        units.into_iter().fold(Measure::Any, |all, unit| self.alike(all, (written, Measured { id, unit }), what))
    }
}
