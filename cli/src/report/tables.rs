//! Pictures of the data of tables.

use costate::plot::{Axis, Figure, Line, Map, Panel, PlotError, color};
use costate_compiler::{Table, TableValues};

use super::page::Part;

/// A picture for each table that has data.
pub fn pictures(tables: &[Table]) -> Vec<Part> {
    tables.iter().filter_map(picture).collect()
}

fn picture(table: &Table) -> Option<Part> {
    let name = &table.quantity.name;
    let (panel, what) = match table.values.as_ref()? {
        TableValues::Curve(grid) => {
            let points = grid.x.iter().copied().zip(grid.values.iter().copied());
            let values = Axis::new(name).unit(&table.quantity.unit);
            let line = Line::new("", color::BLUE, points).marked();
            (Panel::new(name, argument(table, 0), values).line(line), "values at the knots; in between it is a spline")
        }
        TableValues::Surface(grid) => {
            // of the table the second argument varies fastest, of the picture the first one
            let value = |i: usize, j: usize| grid.values.get(i * grid.y.len() + j).copied().unwrap_or(f64::NAN);
            let values: Vec<f64> =
                (0..grid.y.len()).flat_map(|j| (0..grid.x.len()).map(move |i| value(i, j))).collect();
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let heading = format!("{name} [{}]", table.quantity.unit);
            // twelve contour lines
            let map = Map::new(heading, grid.x.clone(), grid.y.clone(), values, (most - least) / 12.0);
            (
                Panel::new(name, argument(table, 0), argument(table, 1)).map(map),
                "values of the grid; in between it is a spline",
            )
        }
    };
    let drawn = |svg: Result<String, PlotError>| match svg {
        Ok(svg) => Part::Picture { svg, caption: format!("The table {name}: {what}.") },
        Err(error) => Part::Text(format!("The table `{name}` has no picture: {error}.")),
    };
    Some(drawn(Figure::new(1, (520, 320)).panel(panel).svg()))
}

fn argument(table: &Table, number: usize) -> Axis {
    match table.arguments.get(number) {
        Some(argument) => Axis::new(&argument.name).unit(&argument.unit),
        None => Axis::new(""),
    }
}
