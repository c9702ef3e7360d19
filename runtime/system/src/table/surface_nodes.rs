//! The nodes of a surface from its values: f, f_x, f_y and f_xy at every pair of knots.

use super::course::Course;
use costate_contract::tables::Interpolation;

/// The knots of a surface's nodes.
#[derive(Clone, Copy)]
pub(super) struct Grid<'a> {
    pub knots: [&'a [f64]; 2],
    pub courses: [Course; 2],
}

impl Grid<'_> {
    /// Returns true if curves along x come first, and then curves along y through their values and slopes. With splines
    /// the order changes rounding alone; a monotone curve comes first, so that the surface stays smooth in the other
    /// argument.
    fn begins_with_x(&self) -> bool {
        let [x, y] = self.courses.map(|course| course.between == Interpolation::Monotone);
        x && !y
    }

    /// The grid with its arguments exchanged.
    fn exchanged(&self) -> Self {
        let ([x, y], [along_x, along_y]) = (self.knots, self.courses);
        Self { knots: [y, x], courses: [along_y, along_x] }
    }

    /// Numbers of knots of the data.
    fn counts(&self) -> [usize; 2] {
        [0, 1].map(|axis| self.courses[axis].of_data(self.knots[axis]).len())
    }

    /// Computes the nodes through `values` at all pairs of the data's knots.
    pub fn nodes(&self, values: &[f64]) -> Vec<[f64; 4]> {
        self.through(values, None)
    }

    /// Computes the rates of the nodes, for values that change at `rates`.
    pub fn rates(&self, values: &[f64], rates: &[f64]) -> Vec<[f64; 4]> {
        self.through(values, Some(rates))
    }

    /// The nodes, or their rates where `rates` are given.
    fn through(&self, values: &[f64], rates: Option<&[f64]>) -> Vec<[f64; 4]> {
        if self.begins_with_x() {
            let [rows, columns] = self.counts();
            let exchanged = |numbers: &[f64]| exchanged(numbers, [rows, columns]);
            let nodes = self.exchanged().through(&exchanged(values), rates.map(exchanged).as_deref());
            return turned(&nodes, [self.knots[1].len(), self.knots[0].len()]);
        }
        let ([x, y], [along_x, along_y]) = (self.knots, self.courses);
        let columns = along_y.of_data(y).len();
        // curves along y through each row of the data, then along x through their values and slopes
        let rows: Vec<Vec<[f64; 2]>> = values.chunks(columns).map(|row| along_y.nodes(y, row)).collect();
        let of_rates: Option<Vec<Vec<[f64; 2]>>> = rates.map(|rates| {
            values.chunks(columns).zip(rates.chunks(columns)).map(|(row, rates)| along_y.rates(y, row, rates)).collect()
        });
        let mut nodes = vec![[0.0; 4]; x.len() * y.len()];
        for j in 0..y.len() {
            for part in 0..2 {
                let column = |rows: &[Vec<[f64; 2]>]| rows.iter().map(|row| row[j][part]).collect::<Vec<f64>>();
                let along = match &of_rates {
                    None => along_x.nodes(x, &column(&rows)),
                    Some(rates) => along_x.rates(x, &column(&rows), &column(rates)),
                };
                for (i, [value, slope]) in along.into_iter().enumerate() {
                    let node = &mut nodes[i * y.len() + j];
                    (node[2 * part], node[2 * part + 1]) = (value, slope);
                }
            }
        }
        nodes
    }

    /// Transforms the derivatives of a number with respect to the nodes, which are now `own`, to those with respect to
    /// the values.
    pub fn by_values(&self, own: &[[f64; 4]], nodes: &[[f64; 4]]) -> Vec<f64> {
        let [x, y] = self.knots;
        if self.begins_with_x() {
            let turned = |nodes: &[[f64; 4]]| turned(nodes, [x.len(), y.len()]);
            let values = self.exchanged().by_values(&turned(own), &turned(nodes));
            let [rows, columns] = self.counts();
            return exchanged(&values, [columns, rows]);
        }
        let ([along_x, along_y], columns) = (self.courses, y.len());
        let rows = along_x.of_data(&(0..x.len()).collect::<Vec<usize>>());
        let mut of_rows = vec![vec![[0.0; 2]; columns]; rows.len()];
        for j in 0..columns {
            for part in 0..2 {
                let column = |nodes: &[[f64; 4]]| -> Vec<[f64; 2]> {
                    let column = nodes.iter().skip(j).step_by(columns);
                    column.map(|node| [node[2 * part], node[2 * part + 1]]).collect()
                };
                let column = along_x.by_values(x, &column(own), &column(nodes));
                of_rows.iter_mut().zip(column).for_each(|(row, value)| row[j][part] = value);
            }
        }
        let of_row = |(row, of_row): (&usize, &Vec<[f64; 2]>)| {
            let own: Vec<[f64; 2]> =
                own.iter().skip(row * columns).take(columns).map(|node| [node[0], node[2]]).collect();
            along_y.by_values(y, &own, of_row)
        };
        rows.iter().zip(&of_rows).flat_map(of_row).collect()
    }
}

/// Exchanges rows and columns.
fn exchanged<T: Copy>(numbers: &[T], [rows, columns]: [usize; 2]) -> Vec<T> {
    (0..columns).flat_map(|j| (0..rows).map(move |i| numbers[i * columns + j])).collect()
}

/// Exchanges rows and columns of nodes, and f_x with f_y.
fn turned(nodes: &[[f64; 4]], shape: [usize; 2]) -> Vec<[f64; 4]> {
    exchanged(nodes, shape).into_iter().map(|[f, f_x, f_y, f_xy]| [f, f_y, f_x, f_xy]).collect()
}
