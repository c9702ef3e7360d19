//! The patterns of a model's matrices, and their pictures.

use std::fmt::Write;

use costate_compiler::Compiled;

use super::page::Pattern;

/// M, C_q and the Newton matrix of a step.
pub fn patterns(compiled: &Compiled) -> Vec<Pattern> {
    let equations = &compiled.equations;
    let (n, m) = (compiled.model.coordinates.len(), compiled.model.constraints.len());
    let jacobian = &equations.constraint_q.entries;
    let mut newton = equations.step.entries.clone();
    newton.extend(jacobian.iter().flat_map(|&(row, column)| [(n + row, column), (column, n + row)]));
    newton.sort_unstable();
    let mut patterns = vec![pattern("Mass matrix M", n, n, equations.mass.entries.clone())];
    if m > 0 {
        patterns.push(pattern("Constraint Jacobian C_q", m, n, jacobian.clone()));
    }
    patterns.push(pattern("Newton matrix of a step", n + m, n + m, newton));
    patterns
}

fn pattern(name: &str, rows: usize, columns: usize, entries: Vec<(usize, usize)>) -> Pattern {
    let share = 100.0 * entries.len() as f64 / (rows * columns).max(1) as f64;
    let title = format!("{name}: {rows} x {columns}, {} entries ({share:.1} %)", entries.len());
    Pattern { title, rows, columns, entries }
}

/// The pattern as an SVG element.
pub fn svg(pattern: &Pattern) -> String {
    let Pattern { title, rows, columns, entries } = pattern;
    // a picture of 480 pixels, with entries of 1 to 12
    let cell = (480 / (*rows).max(*columns).max(1)).clamp(1, 12);
    let (width, height) = (columns * cell, rows * cell);
    let mut path = String::new();
    for (row, column) in entries {
        // Writing to a string does not fail.
        let _ = write!(path, "M{} {}h{cell}v{cell}h-{cell}z", column * cell, row * cell);
    }
    format!(
        "<svg role=\"img\" aria-label=\"{title}\" width=\"{}\" height=\"{}\" viewBox=\"-1 -1 {} {}\">\
         <rect x=\"-0.5\" y=\"-0.5\" width=\"{}\" height=\"{}\" class=\"frame\"/><path d=\"{path}\"/></svg>",
        width + 2,
        height + 2,
        width + 2,
        height + 2,
        width + 1,
        height + 1,
    )
}
