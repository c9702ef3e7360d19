//! A page as Markdown with formulas in LaTeX.

use std::fmt::Write;

use super::page::{Cell, Page, Part};

/// The file's text.
// Writing to a string does not fail.
pub fn write(page: &Page) -> String {
    let mut text = format!("# {}\n\n{}\n", page.title, page.summary);
    for section in &page.sections {
        let _ = writeln!(text, "\n## {}", section.title);
        for part in &section.parts {
            match part {
                Part::Text(line) => {
                    let _ = writeln!(text, "\n{line}");
                }
                Part::Formula(latex) => {
                    let _ = writeln!(text, "\n$${latex}$$");
                }
                Part::Pattern(pattern) => {
                    let _ = writeln!(text, "\n{}", pattern.title);
                }
                Part::Picture { caption, .. } => {
                    let _ = writeln!(text, "\n{caption} The page in HTML has the picture.");
                }
                Part::Table { head, rows } => {
                    let _ = writeln!(text, "\n| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()));
                    for row in rows {
                        let cells: Vec<String> = row.iter().map(cell).collect();
                        let _ = writeln!(text, "| {} |", cells.join(" | "));
                    }
                }
            }
        }
    }
    text
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => one_line(text),
        Cell::Number(text) => text.clone(),
        Cell::Code(text) if text.is_empty() => String::new(),
        Cell::Code(text) => format!("`{text}`"),
        Cell::Formula(latex) => format!("${}$", latex.replace('|', r"\vert ")),
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ").replace('|', r"\|")
}
