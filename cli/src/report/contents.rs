//! Content of the report on a model.

use costate_compiler::symbolic::{Id, latex_name, latex_rate};
use costate_compiler::{Compiled, Operations};

use super::notation::Notation;
use super::page::{Cell, Page, Part, Section};
use super::{mechanism, quantities, sparsity};

/// Collects everything about a model.
pub fn page(compiled: &Compiled) -> Page {
    let model = &compiled.model;
    let mut sections: Vec<Section> = mechanism::section(compiled).into_iter().collect();
    sections.extend(quantities::sections(compiled));
    sections.extend(equations(compiled));
    let patterns = sparsity::patterns(compiled).into_iter().map(Part::Pattern).collect();
    sections.push(Section { title: "Sparsity", parts: patterns });
    sections.push(operations(&compiled.operations));
    let notes: Vec<Part> = compiled
        .warnings
        .iter()
        .chain(&compiled.notes)
        .map(|diagnostic| Part::Text(format!("Line {}: {}", diagnostic.position().0, diagnostic.message)))
        .collect();
    if !notes.is_empty() {
        sections.push(Section { title: "Notes", parts: notes });
    }
    Page { title: model.name.to_string(), summary: model.documentation.clone(), sections }
}

/// Writes the sections of equations: motion, constraints, initial values, outputs, and definitions of the names in
/// them.
fn equations(compiled: &Compiled) -> Vec<Section> {
    let (model, terms) = (&compiled.model, &compiled.equations);
    let graph = &compiled.graph;
    let initial = [&model.initial_coordinates, &model.near_coordinates, &model.initial_velocities];
    let mut roots: Vec<Id> = Vec::new();
    for part in [&terms.inertia, &terms.constraint_force, &terms.force, &terms.constraint, &model.output] {
        roots.extend(part);
    }
    roots.extend(initial.into_iter().flatten().flatten());
    let notation = Notation::new(compiled, &roots);
    let motion = (0..model.coordinates.len()).map(|i| {
        let sides = [terms.inertia[i], terms.constraint_force[i]];
        let sides: Vec<String> =
            sides.into_iter().filter(|id| !graph.is_zero(*id)).map(|id| notation.formula(id)).collect();
        let left = if sides.is_empty() { "0".to_owned() } else { sides.join(" + ").replace("+ -", "- ") };
        vec![
            Cell::Code(model.coordinates[i].name.clone()),
            Cell::Formula(format!("{left} = {}", notation.formula(terms.force[i]))),
        ]
    });
    let constraints = model.constraints.iter().zip(&terms.constraint).map(|(constraint, &id)| {
        vec![
            Cell::Code(constraint.name.clone()),
            Cell::Formula(format!("0 = {}", notation.formula(id))),
            Cell::Text(constraint.documentation.clone()),
        ]
    });
    let outputs = model.outputs.iter().zip(&model.output).map(|(output, &id)| {
        vec![
            Cell::Code(output.name.clone()),
            Cell::Formula(notation.formula(id)),
            Cell::Code(output.unit.clone()),
            Cell::Text(output.documentation.clone()),
        ]
    });
    let definitions = notation.definitions().into_iter().map(Part::Formula).collect();
    let table = |head: Vec<&'static str>, rows: Vec<Vec<Cell>>| {
        if rows.is_empty() { Vec::new() } else { vec![Part::Table { head, rows }] }
    };
    let mut motion_parts = vec![Part::Formula(
        r"M(q, p)\, \ddot{q} + C_q(q, p, t)^{T} \lambda = f(q, \dot{q}, p, u, t), \quad C(q, p, t) = 0".to_owned(),
    )];
    motion_parts.push(Part::Text(
        "Parameters and inputs stand for their numbers in the units above; every equation is in SI units.".to_owned(),
    ));
    motion_parts.extend(table(vec!["coordinate", "equation"], motion.collect()));
    let mut initial_parts = table(vec!["quantity", "value"], initial_values(compiled, &notation));
    let is_near = model.near_coordinates.iter().any(Option::is_some);
    if model.equilibrium {
        let text = "The motion begins at rest in equilibrium: coordinates with = keep these values, others are those \
             at which all \
                    forces are in balance, and are searched from the values with \u{2248} (`~` in the model), or from \
                    0.";
        initial_parts.insert(0, Part::Text(text.to_owned()));
    } else if is_near {
        let text = "Values with = are kept. Values with \u{2248} (`~` in the model) are those from which the nearest \
             ones are \
                    searched that satisfy the constraints.";
        initial_parts.insert(0, Part::Text(text.to_owned()));
    }
    let sections = [
        ("Equations of motion", motion_parts),
        ("Constraints", table(vec!["name", "equation", "meaning"], constraints.collect())),
        ("Initial values", initial_parts),
        ("Outputs", table(vec!["name", "value", "unit", "meaning"], outputs.collect())),
        ("Where", definitions),
    ];
    sections
        .into_iter()
        .filter(|(_, parts): &(_, Vec<Part>)| !parts.is_empty())
        .map(|(title, parts)| Section { title, parts })
        .collect()
}

fn initial_values(compiled: &Compiled, notation: &Notation) -> Vec<Vec<Cell>> {
    let model = &compiled.model;
    let mut rows = Vec::new();
    for (i, coordinate) in model.coordinates.iter().enumerate() {
        let name = &coordinate.name;
        for (value, relation, quantity, symbol) in [
            (model.initial_coordinates[i], "=", name.clone(), latex_name(name)),
            (model.near_coordinates[i], r"\approx", name.clone(), latex_name(name)),
            (model.initial_velocities[i], "=", format!("dot({name})"), latex_rate(name)),
        ] {
            let Some(value) = value else { continue };
            let formula = format!("{symbol}(0) {relation} {}", notation.formula(value));
            rows.push(vec![Cell::Code(quantity), Cell::Formula(formula)]);
        }
    }
    rows
}

fn operations(counts: &[Operations]) -> Section {
    let rows = counts.iter().map(|count| {
        let numbers =
            [count.total(), count.additions, count.multiplications, count.divisions, count.calls, count.selections];
        let mut cells = vec![Cell::Code(count.function.to_owned())];
        cells.extend(numbers.map(|number| Cell::Number(number.to_string())));
        cells
    });
    let head = vec!["function", "operations", "+ -", "*", "/", "calls", "selections"];
    let text = "Of every emitted function, each operation that it needs counted once; `newton_correction` is a \
                Newton iteration of a step, `adjoint_step`, or `adjoint_coefficients` and `adjoint_recurrence` \
                together, a step of the discrete adjoint, elimination included."
        .to_owned();
    Section { title: "Operations", parts: vec![Part::Text(text), Part::Table { head, rows: rows.collect() }] }
}
