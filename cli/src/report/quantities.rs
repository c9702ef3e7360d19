//! The tables of a model's quantities.

use costate_compiler::symbolic::latex_name;
use costate_compiler::{Compiled, Quantity};

use super::page::{Cell, Part, Section};

/// Structural arguments, parameters, inputs, coordinates, outputs and tables, as far as there are any.
pub fn sections(compiled: &Compiled) -> Vec<Section> {
    let model = &compiled.model;
    let plain = |quantities: &[Quantity]| {
        let rows = quantities.iter().map(|quantity| row(quantity, None)).collect();
        vec![Part::Table { head: vec!["name", "symbol", "unit", "meaning"], rows }]
    };
    let arguments = model.arguments.iter().map(|argument| {
        vec![
            Cell::Code(argument.name.clone()),
            Cell::Number(argument.value.to_string()),
            Cell::Text(argument.documentation.clone()),
        ]
    });
    let arguments = Part::Table { head: vec!["name", "value", "meaning"], rows: arguments.collect() };
    let parameters = model.parameters.iter().zip(&model.defaults).map(|(quantity, default)| {
        let default = default.map(|default| default.to_string()).unwrap_or_default();
        row(quantity, Some(Cell::Number(default)))
    });
    let head = vec!["name", "symbol", "unit", "default", "meaning"];
    let parameters = Part::Table { head, rows: parameters.collect() };
    let tables = model.tables.iter().map(|table| {
        let arguments = table.arguments.iter().map(|argument| format!("{} in {}", argument.name, argument.unit));
        let file = table.file.as_ref().and_then(|file| file.file_name());
        let data = file.map_or("given to a run".to_owned(), |file| file.to_string_lossy().into_owned());
        vec![
            Cell::Code(table.quantity.name.clone()),
            Cell::Text(arguments.collect::<Vec<_>>().join(", ")),
            Cell::Code(table.quantity.unit.clone()),
            Cell::Text(data),
            Cell::Text(table.quantity.documentation.clone()),
        ]
    });
    let head = vec!["name", "arguments", "unit", "data", "meaning"];
    let mut table_parts = vec![Part::Table { head, rows: tables.collect() }];
    table_parts.extend(super::tables::pictures(&model.tables));
    let sections = [
        ("Structural arguments", vec![arguments]),
        ("Coordinates", plain(&model.coordinates)),
        ("Parameters", vec![parameters]),
        ("Inputs", plain(&model.inputs)),
        ("Tables", table_parts),
    ];
    let filled = |parts: &[Part]| matches!(parts, [Part::Table { rows, .. }, ..] if !rows.is_empty());
    sections.into_iter().filter(|(_, parts)| filled(parts)).map(|(title, parts)| Section { title, parts }).collect()
}

/// Name, symbol, unit, default if there is such a column, meaning.
fn row(quantity: &Quantity, default: Option<Cell>) -> Vec<Cell> {
    let mut cells = vec![
        Cell::Code(quantity.name.clone()),
        Cell::Formula(latex_name(&quantity.name)),
        Cell::Code(quantity.unit.clone()),
    ];
    cells.extend(default);
    cells.push(Cell::Text(quantity.documentation.clone()));
    cells
}
