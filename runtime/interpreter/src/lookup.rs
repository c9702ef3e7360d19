//! Lookups in tables while a tape is executed.

use costate_numerics::scalar::Scalar;
use costate_system::table::{AnyTable, Curve, Surface};

use crate::tape::{Register, Tape};

/// Does the lookups of a batch.
#[inline(never)]
pub fn look_up<S: Scalar>(tape: &Tape, mut operands: &[Register], r: &mut [S], tables: &[AnyTable]) {
    while let Some((&position, rest)) = operands.split_first() {
        let lookup = &tape.lookups[position as usize];
        let (arguments, rest) = rest.split_at(lookup.arguments);
        let (to, rest) = rest.split_at(lookup.orders.len());
        operands = rest;
        match (&tables[lookup.table], arguments) {
            (AnyTable::Curve(curve), &[x]) => {
                let x = r[x as usize];
                by_count(to, &lookup.orders, r, OfCurve { curve, x });
            }
            (AnyTable::Surface(surface), &[x, y]) => {
                let (x, y) = (r[x as usize], r[y as usize]);
                by_count(to, &lookup.orders, r, OfSurface { surface, x, y });
            }
            // checked before
            _ => {}
        }
    }
}

/// Derivatives of a table at one place.
trait Derivatives<S> {
    fn of<const N: usize>(&self, orders: [[usize; 2]; N]) -> [S; N];
}

struct OfCurve<'a, S> {
    curve: &'a Curve,
    x: S,
}

impl<S: Scalar> Derivatives<S> for OfCurve<'_, S> {
    fn of<const N: usize>(&self, orders: [[usize; 2]; N]) -> [S; N] {
        self.curve.derivatives(self.x, orders.map(|[order, _]| order))
    }
}

struct OfSurface<'a, S> {
    surface: &'a Surface,
    x: S,
    y: S,
}

impl<S: Scalar> Derivatives<S> for OfSurface<'_, S> {
    fn of<const N: usize>(&self, orders: [[usize; 2]; N]) -> [S; N] {
        self.surface.derivatives(self.x, self.y, orders)
    }
}

/// Evaluates the derivatives of all orders; the value of one does not depend on the others that are evaluated with it.
fn by_count<S: Scalar>(mut to: &[Register], mut orders: &[[usize; 2]], r: &mut [S], derivatives: impl Derivatives<S>) {
    loop {
        macro_rules! first {
            ($count:literal) => {
                if let (Some((now, later)), Some((own, others))) =
                    (to.split_first_chunk::<$count>(), orders.split_first_chunk::<$count>())
                {
                    let values = derivatives.of(*own);
                    now.iter().zip(values).for_each(|(&to, value)| r[to as usize] = value);
                    (to, orders) = (later, others);
                }
            };
        }
        match to.len() {
            0 => return,
            1 => first!(1),
            2 => first!(2),
            3 => first!(3),
            4 => first!(4),
            5 => first!(5),
            _ => first!(6),
        }
        if orders.len() != to.len() {
            return;
        }
    }
}
